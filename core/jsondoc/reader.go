package jsondoc

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/words"
)

// Reader moves values from a tree into Go values and reports types that do not match. It counts null as absent
// everywhere. Its other fields say how a kind of document words its messages.
type Reader struct {
	*Collector
	Tree *Tree
	path []step

	Singular [][2]string           // lists, "" = one in a list, and what entry {0} of each is called, as a pattern
	Keyed    string                // the object whose names stand for ids in front of messages; "" = none
	Ways     map[string]words.Text // the way out when a member is missing, where it is not to add it
}

// NewReader gives a reader of a tree that adds its diagnostics to f.
func NewReader(t *Tree, f *Collector) *Reader { return &Reader{Collector: f, Tree: t} }

// step is a member name, or an index when name is empty.
type step struct {
	name  string
	index int
	value int // node
}

// Members are the names an object may have; those of need must be there.
type Members struct{ Need, May []string }

// All are the names of an object's members, those that it must have first.
func (m *Members) All() []string { return append(append([]string{}, m.Need...), m.May...) }

// known gives the name of a member as m spells it, and its place among all names, -1 for one that m does not have.
func (m *Members) known(t *Tree, k int) (string, int) {
	raw := t.Raw(k)
	in := raw[1 : len(raw)-1]
	for n, name := range m.Need {
		if string(in) == name {
			return name, n
		}
	}
	for n, name := range m.May {
		if string(in) == name {
			return name, len(m.Need) + n
		}
	}
	s := t.Text(k)
	return s, slices.Index(m.All(), s) // a name with needless escapes
}

// Object reads the members of node i, calling read for each known one that is not null, and gives
// the unknown ones.
func (r *Reader) Object(i int, m *Members, read func(name string, v int)) Extra {
	if r.Tree.Kind(i) != KindObject {
		r.wrongType(i, "an object")
		return nil
	}
	var extra Extra
	var seen uint32
	for k, end := i+1, r.Tree.Next(i); k < end; k = r.Tree.Next(k + 1) {
		v := k + 1
		name, n := m.known(r.Tree, k)
		if n >= 0 && r.Tree.Kind(v) == KindNull {
			continue
		}
		r.push(step{name, -1, v})
		if n >= 0 {
			seen |= 1 << n
			read(name, v)
		} else {
			if extra == nil {
				extra = Extra{}
			}
			extra[name] = r.Keep(v)
			r.Add(LevelNote, r.Pointer(), codeUnknown, words.Say("{0} is not known here; it is kept and has no effect",
				Of(r.Who(), Quote(name))), Meant(name, m.All(), words.Text{}))
		}
		r.pop()
	}
	for n, need := range m.Need {
		if seen&(1<<n) == 0 {
			r.Fail(r.Pointer()+"/"+need, CodeMissing, words.Say("{0} is missing", Of(r.Who(), need)), r.way(need))
		}
	}
	return extra
}

// List reads the entries of node i.
func (r *Reader) List(i int, entry string, read func(v int)) {
	if r.Tree.Kind(i) != KindList {
		r.wrongType(i, "a list")
		return
	}
	n := 0
	for v, end := i+1, r.Tree.Next(i); v < end; v, n = r.Tree.Next(v), n+1 {
		r.push(step{"", n, v})
		if r.Tree.Kind(v) == KindNull {
			r.wrongType(v, entry)
		}
		read(v) // whatever it is, so that entries keep their numbers
		r.pop()
	}
}

// Entries is the number of entries of a list.
func (r *Reader) Entries(i int) (n int) {
	if r.Tree.Kind(i) == KindList {
		for v, end := i+1, r.Tree.Next(i); v < end; v = r.Tree.Next(v) {
			n++
		}
	}
	return n
}

// Entries reads a list of entries that are alike, nil when it is empty.
func Entries[T any](r *Reader, i int, entry string, read func(v int) T) (out []T) {
	out = slices.Grow(out, r.Entries(i))
	r.List(i, entry, func(v int) { out = append(out, read(v)) })
	return out
}

// Mapping reads an object whose names are data, nil when it is empty.
func Mapping[T any](r *Reader, i int, read func(v int) T) map[string]T {
	if r.Tree.Kind(i) != KindObject {
		r.wrongType(i, "an object")
		return nil
	}
	var m map[string]T
	for k, end := i+1, r.Tree.Next(i); k < end; k = r.Tree.Next(k + 1) {
		v := k + 1
		if r.Tree.Kind(v) == KindNull {
			continue
		}
		if m == nil {
			m = map[string]T{}
		}
		name := r.Tree.Text(k)
		r.push(step{name, -1, v})
		m[name] = read(v)
		r.pop()
	}
	return m
}

// Text reads a text.
func (r *Reader) Text(v int, to *string) {
	if r.Tree.Kind(v) != KindText {
		r.wrongType(v, "a text")
		return
	}
	*to = r.Tree.Text(v)
}

// Number reads a quantity and rounds it.
func (r *Reader) Number(v int, to *float64) {
	if r.Exact(v, to) {
		*to = Round9(*to)
	}
}

// Exact reads a number with all its digits.
func (r *Reader) Exact(v int, to *float64) bool {
	if r.Tree.Kind(v) != KindNumber {
		r.wrongType(v, "a number")
		return false
	}
	x, ok := r.Tree.number(v)
	if !ok {
		r.tooLarge(v, "{0} is {1}; numbers end at {2}", "1.8e308")
		return false
	}
	*to = x
	return true
}

// Whole reads a count, which is never rounded.
func (r *Reader) Whole(v int) (n int64, ok bool) {
	if r.Tree.Kind(v) != KindNumber {
		r.wrongType(v, "a whole number")
		return 0, false
	}
	x, ok := r.Tree.number(v)
	switch {
	case !ok || x > MaxSafe || x < -MaxSafe:
		r.tooLarge(v, "{0} is {1}; whole numbers end at {2}", "±9007199254740991")
		return 0, false
	case x != float64(int64(x)):
		low := int64(x)
		if x < 0 {
			low--
		}
		r.Fail(r.Pointer(), codeInteger, words.Say("{0} is {1}; it must be {2}", r.subject(), Number(x),
			words.Say("a whole number")),
			words.Say("Set {0} to {1} or {2}.", r.Label(), strconv.FormatInt(low, 10), strconv.FormatInt(low+1, 10)))
		return 0, false
	}
	return int64(x), true
}

// Count reads a whole number.
func (r *Reader) Count(v int, to *int) {
	if n, ok := r.Whole(v); ok {
		*to = int(n)
	}
}

// Bool reads true or false.
func (r *Reader) Bool(v int, to *bool) {
	if k := r.Tree.Kind(v); k != KindTrue && k != KindFalse {
		r.wrongType(v, "true or false")
		return
	}
	*to = r.Tree.Kind(v) == KindTrue
}

// Value reads anything, for parameters: texts, booleans, rounded numbers, and lists and objects of them.
func (r *Reader) Value(v int) any {
	switch r.Tree.Kind(v) {
	case KindText:
		return r.Tree.Text(v)
	case KindTrue, KindFalse:
		return r.Tree.Kind(v) == KindTrue
	case KindNumber:
		x, ok := r.Tree.number(v)
		if !ok || x > MaxSafe || x < -MaxSafe {
			r.unsafe(v)
		}
		return Round9(x)
	case KindList:
		out := []any{}
		for c, end := v+1, r.Tree.Next(v); c < end; c = r.Tree.Next(c) {
			out = append(out, r.Value(c))
		}
		return out
	case KindObject:
		out := map[string]any{}
		for k, end := v+1, r.Tree.Next(v); k < end; k = r.Tree.Next(k + 1) {
			out[r.Tree.Text(k)] = r.Value(k + 1)
		}
		return out
	}
	return nil
}

// Keep copies an unknown value as compact JSON. Its numbers must mean the same to every reader.
func (r *Reader) Keep(v int) json.RawMessage {
	for i := v; i < r.Tree.Next(v); i++ {
		if r.Tree.Kind(i) == KindNumber {
			if x, ok := r.Tree.number(i); !ok || x > MaxSafe || x < -MaxSafe {
				r.unsafe(i)
			}
		}
	}
	var b bytes.Buffer
	_ = json.Compact(&b, r.Tree.Raw(v)) // valid by construction
	return b.Bytes()
}

func (r *Reader) unsafe(i int) {
	r.Fail(r.Tree.pointer(i), codeUnsafe, words.Say(
		"the number {0} is beyond 9007199254740991, where programs stop agreeing on numbers",
		Clip(string(r.Tree.Raw(i)))), words.Say("Write a smaller number, or a text."))
}

// tooLarge reports a number beyond a limit in a sentence that has the number and the limit.
func (r *Reader) tooLarge(v int, pattern, limit string) {
	r.Fail(r.Pointer(), CodeRange, words.Say(pattern, r.subject(), Clip(string(r.Tree.Raw(v))), limit),
		words.Say("Set {0} to a number nearer to 0.", r.Label()))
}

// asExample shows how a value of each type is written.
var asExample = map[string]string{
	"a text":         `Write it in double quotes, as in "v100".`,
	"a number":       "Write a number, as in 7.2.",
	"a whole number": "Write a whole number, as in 4.",
	"a list":         "Write it as a list: […].",
	"an object":      "Write it as an object: {…}.",
	"true or false":  "Write true or false, without quotes.",
}

func (r *Reader) wrongType(v int, want string) {
	r.Fail(r.Pointer(), codeType,
		words.Say("{0} is {1}; it must be {2}", r.subject(), describe(r.Tree, v), words.Say(want)),
		rewrite(r.Tree, v, want))
}

// rewrite says how a value of another type would be written.
func rewrite(t *Tree, v int, want string) words.Text {
	if t.Kind(v) == KindText && strings.HasSuffix(want, "number") {
		s := strings.TrimSpace(t.Text(v))
		if _, err := strconv.ParseFloat(s, 64); err == nil && json.Valid([]byte(s)) {
			return words.Say("Write {0} without quotes.", Clip(s))
		}
	}
	if example := asExample[want]; example != "" {
		return words.Say(example)
	}
	return words.Text{}
}

func (r *Reader) push(s step) { r.path = append(r.path, s) }
func (r *Reader) pop()        { r.path = r.path[:len(r.path)-1] }

// Pointer is the RFC 6901 pointer of the value that is being read.
func (r *Reader) Pointer() string {
	var b strings.Builder
	for _, s := range r.path {
		b.WriteByte('/')
		if s.index >= 0 {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(Escape(s.name))
		}
	}
	return b.String()
}

// Who names the list entry that is being read: j4, or job 4 while its id is unreadable.
func (r *Reader) Who() words.Text {
	for n := len(r.path) - 1; n > 0; n-- {
		s := r.path[n]
		if s.index < 0 {
			continue
		}
		if r.Tree.Kind(s.value) == KindObject {
			for _, name := range [...]string{"id", "model"} {
				if id := r.Tree.Child(s.value, name); id >= 0 && r.Tree.Kind(id) == KindText {
					return words.Own(Clip(r.Tree.Text(id)))
				}
			}
		}
		for _, list := range r.Singular {
			if list[0] == r.path[n-1].name {
				return words.Say(list[1], s.index+1)
			}
		}
	}
	for n := 1; n < len(r.path); n++ {
		if r.path[n-1].name == r.Keyed {
			return words.Own(Clip(r.path[n].name))
		}
	}
	return words.Text{}
}

// way is the way out when a member is missing.
func (r *Reader) way(need string) words.Text {
	if way, ok := r.Ways[need]; ok {
		return way
	}
	return words.Say("Add {0}.", Quote(need))
}

// subject is what a message about the value that is being read begins with.
func (r *Reader) subject() words.Text { return Of(r.Who(), r.Label()) }

// Label names the member that is being read, with the map keys above it: "gang v100 4".
func (r *Reader) Label() words.Text {
	first := len(r.path)
	for first > 0 && r.path[first-1].index < 0 {
		first--
	}
	if first == len(r.path) {
		return words.Say("the entry")
	}
	if first == 0 { // not inside a list: the name alone is clear
		first = len(r.path) - 1
	}
	names := make([]string, 0, 3)
	for _, s := range r.path[first:] {
		names = append(names, Clip(s.name))
	}
	return words.Own(strings.Join(names, " "))
}

// describe words a value that cannot stay.
func describe(t *Tree, i int) words.Text {
	switch t.Kind(i) {
	case KindNull:
		return words.Own("null")
	case KindTrue, KindFalse:
		return words.Own(string(t.Raw(i)))
	case KindNumber:
		return words.Say("the number {0}", Clip(string(t.Raw(i))))
	case KindText:
		return words.Say("the text {0}", Quote(t.Text(i)))
	case KindList:
		return words.Say("a list")
	}
	return words.Say("an object")
}

// Extra holds the members of an object that this version does not know, as compact JSON. They are written back.
type Extra map[string]json.RawMessage
