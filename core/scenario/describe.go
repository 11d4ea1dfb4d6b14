package scenario

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/unit"
)

// member describes one member of an object: how it is read, checked, written and changed. What kind of value it is, the
// field says that holds it: the one of the same name, but for case and underscores. What it means stands in
// schema.json, which tests hold to these descriptions. Parse fills in defaults, but where 0 or "" stands for one.
type member struct {
	name  string
	need  bool // must be there, and is always written
	shown bool // is written for people even where it has its default

	low, high float64 // of a number, or of all numbers of a mapping
	above     bool    // low itself is out
	def       float64
	zero      bool // 0 stands for def, or for none, in a document made in code; in a text it is a mistake
	unit      string

	words   []string // choices of a text; the first is the default, and "" stands for it
	text    string   // the default of another text
	id      string   // what a text that is an id names, for messages
	model   bool     // a text that is the name of a model
	byBatch bool     // the names of a mapping are batches
	bySize  bool     // the names of a mapping are gang sizes; otherwise GPU types, and gang sizes below them

	// How it is read and written where the field does not say it. Both get a pointer to the struct.
	read  func(r *reader, v int, in any)
	write func(w *writer, in any)

	field []int
}

// table is the members of one kind of object, in the order of the human form.
type table []member

// object describes the objects that one struct holds: their members.
type object struct {
	members table
	sorted  table // by name, as the canonical form has them
	names   jsondoc.Members
	filled  []*member // those with a default that Parse fills in
	extra   []int     // the field of the members that are not known
}

// objects are those of a document, each described beside its struct.
var objects = map[reflect.Type]*object{}

// describe says what members the objects of a struct have. A member without a field is a mistake in this package.
func describe[T any](members table) *object { return describeType(reflect.TypeFor[T](), members) }

func describeType(typ reflect.Type, members table) *object {
	field := func(name string) []int {
		name = strings.NewReplacer("_", "", "$", "").Replace(name)
		f, ok := typ.FieldByNameFunc(func(s string) bool { return strings.EqualFold(s, name) })
		if !ok {
			panic(fmt.Sprintf("scenario: %v has no field for %s", typ, name))
		}
		return f.Index
	}
	o := &object{members: members, extra: field("extra")}
	for i := range o.members {
		m := &o.members[i]
		m.field = field(m.name)
		if m.need {
			o.names.Need = append(o.names.Need, m.name)
		} else {
			o.names.May = append(o.names.May, m.name)
		}
		if (m.def != 0 || m.text != "") && !m.zero {
			o.filled = append(o.filled, m)
		}
	}
	o.sorted = slices.Clone(members)
	unit.Sort(o.sorted, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	objects[typ] = o
	return o
}

// member is the description of a member, nil when there is none of that name.
func (o *object) member(name string) *member {
	for i := range o.members {
		if o.members[i].name == name {
			return &o.members[i]
		}
	}
	return nil
}
