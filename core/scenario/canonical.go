package scenario

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"reflect"

	"hadarlab/core/jsondoc"
)

// Defaults are the default values of policy parameters: policy id → parameter → value. The
// canonical form omits parameters that equal them.
type Defaults map[string]PolicyDefaults

// PolicyDefaults are those of one policy. Defaults and meanings belong to a revision: of a policy that is pinned to
// another one nothing is known, and all its parameters are written.
type PolicyDefaults struct {
	Rev    int
	Params map[string]any
}

// of is the default of a parameter of the policy, nil when it is not known.
func (d Defaults) of(p *Policy, name string) any {
	if known := d[p.ID]; p.Rev == 0 || p.Rev == known.Rev {
		return known.Params[name]
	}
	return nil
}

// identityLabel separates the hashes of scenarios from those of anything else.
const identityLabel = "hadarlab scenario v1\n"

// Canonical is the scenario member alone in the form of RFC 8785: sorted names, ECMAScript numbers
// of 9 significant digits (the seed is exact), defaults omitted. Equal scenarios give equal bytes.
// Ids and model names are ASCII, so no normal form of Unicode enters but by sources and unknown
// members, which are taken as written.
func (d *Document) Canonical(def Defaults) []byte {
	w := newWriter(true, def)
	w.object(&d.Scenario)
	return w.Bytes()
}

// Digest is the identity of the scenario: SHA-256 over a label and the canonical bytes.
func (d *Document) Digest(def Defaults) [32]byte {
	return sha256.Sum256(append([]byte(identityLabel), d.Canonical(def)...))
}

// ID is the short form of Digest.
func (d *Document) ID(def Defaults) string { return ShortID(d.Digest(def)) }

// ShortID is the first 60 bits of a digest as 12 characters of Crockford's base 32, lower case.
func ShortID(digest [32]byte) string {
	var id [12]byte
	for i := range id {
		bit := 5 * i
		pair := uint(digest[bit/8])<<8 | uint(digest[bit/8+1])
		id[i] = jsondoc.Crockford[pair>>(11-bit%8)&31]
	}
	return string(id[:])
}

// Marshal is the human form: members in a fixed order, unknown ones last, defaults omitted except
// seed and round_s, which people look for. Parsing it gives the same document.
func (d *Document) Marshal(indented bool) []byte {
	w := newWriter(false, nil)
	w.object(d)
	if indented {
		return jsondoc.Indent(w.Bytes())
	}
	return w.Bytes()
}

// Short is the document as a link carries it: the scenario in canonical form with its title, question, origin and
// requires, without kind and version. ParseShort reads it.
func (d *Document) Short(def Defaults) []byte {
	w := newWriter(true, def)
	w.object(&Document{Requires: d.Requires, Scenario: d.Scenario,
		Meta: Meta{Title: d.Meta.Title, Question: d.Meta.Question, DerivedFrom: d.Meta.DerivedFrom}})
	return w.Bytes()
}

// Canonical is what m tells people, in the form of RFC 8785; nil when it tells nothing. Members that this version does
// not know are left out.
func (m *Meta) Canonical() []byte {
	w := newWriter(true, nil)
	known := *m
	known.Extra = nil
	w.object(&known)
	if string(w.Bytes()) == "{}" {
		return nil
	}
	return w.Bytes()
}

// writer writes the objects of a document.
type writer struct {
	*jsondoc.Writer
	def Defaults
}

func newWriter(canonical bool, def Defaults) *writer {
	return &writer{jsondoc.NewWriter(canonical), def}
}

// object writes the object that a struct is described by, given a pointer to it.
func (w *writer) object(p any) { w.described(reflect.ValueOf(p).Elem()) }

func (w *writer) described(of reflect.Value) {
	w.Begin()
	w.members(of)
	w.End()
}

func (w *writer) members(of reflect.Value) {
	o := objects[of.Type()]
	order := o.members
	if w.Canonical {
		order = o.sorted
	}
	for i := range order {
		m := &order[i]
		if m.write != nil {
			m.write(w, of.Addr().Interface())
		} else {
			w.member(m, of.FieldByIndex(m.field))
		}
	}
	w.Extra(*of.FieldByIndex(o.extra).Addr().Interface().(*jsondoc.Extra))
}

// member writes a member, unless it has its default.
func (w *writer) member(m *member, v reflect.Value) {
	always := m.need || m.shown && !w.Canonical
	switch p := v.Addr().Interface().(type) {
	case *string:
		if always || *p != "" && *p != m.text && !(len(m.words) > 0 && *p == m.words[0]) {
			w.Member(m.name)
			w.Text(cmp.Or(*p, m.text))
		}
	case *int:
		if n := cmp.Or(*p, int(m.def)); always || n != int(m.def) {
			w.Member(m.name)
			w.Whole(n)
		}
	case *uint64:
		if always || *p != 0 {
			w.Member(m.name)
			w.Unsigned(*p)
		}
	case *float64:
		if x := jsondoc.Round9(*p); always || x != m.def && !(m.zero && x == 0) {
			w.Member(m.name)
			w.Quantity(x)
		}
	case *bool:
		if *p {
			w.Member(m.name)
			w.Value(true)
		}
	case **float64:
		if *p != nil {
			w.Member(m.name)
			w.Quantity(**p)
		}
	case *map[string]int:
		w.Mapping(m.name, len(*p), func() { entries(w, *p, w.Whole, w.Canonical) })
	case *map[string]float64:
		w.Mapping(m.name, len(*p), func() { entries(w, *p, w.Quantity, w.Canonical) })
	case *map[string]map[string]float64:
		w.Mapping(m.name, len(*p), func() {
			for _, typ := range jsondoc.Keys(*p) {
				w.Mapping(typ, 1, func() { entries(w, (*p)[typ], w.Quantity, false) })
			}
		})
	case *map[string][2]float64:
		w.Member(m.name)
		w.Begin()
		entries(w, *p, func(v [2]float64) { w.List(len(v), func(i int) { w.Quantity(v[i]) }) }, false)
		w.End()
	case *map[string]GPUType:
		w.Mapping(m.name, len(*p), func() {
			for _, typ := range jsondoc.Keys(*p) {
				g := (*p)[typ]
				w.Mapping(typ, 1, func() { w.members(reflect.ValueOf(&g).Elem()) })
			}
		})
	case *json.RawMessage:
		if *p != nil {
			w.Member(m.name)
			w.Raw(*p)
		}
	default:
		w.several(m, v)
	}
}

// several writes a member that holds objects or a list.
func (w *writer) several(m *member, v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		if m.need || v.Len() > 0 {
			w.Member(m.name)
			w.list(v)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			w.Member(m.name)
			w.described(v.Elem())
		}
	default:
		if m.need {
			w.Member(m.name)
			w.described(v)
		} else {
			w.Filled(m.name, func() { w.described(v) })
		}
	}
}

func (w *writer) list(v reflect.Value) {
	w.List(v.Len(), func(i int) {
		switch entry := v.Index(i); entry.Kind() {
		case reflect.Slice:
			w.list(entry)
		case reflect.String:
			w.Text(entry.String())
		default:
			w.described(entry)
		}
	})
}

// entries writes what a mapping holds. Where it says nothing, a 0 is left out.
func entries[V comparable](w *writer, of map[string]V, write func(V), dropZero bool) {
	var zero V
	for _, name := range jsondoc.Keys(of) {
		if v := of[name]; v != zero || !dropZero {
			w.Member(name)
			write(v)
		}
	}
}

// sameValue compares two parameter values as the canonical form has them.
func sameValue(a, b any) bool {
	wa, wb := newWriter(true, nil), newWriter(true, nil)
	wa.Value(a)
	wb.Value(b)
	return bytes.Equal(wa.Bytes(), wb.Bytes())
}
