package star

import (
	"math"

	"hadarlab/core/words"
)

// kind says what a Value is.
type kind uint8

const (
	unset kind = iota // nothing: a name that has no value yet
	noneKind
	boolKind
	intKind
	floatKind
	stringKind
	listKind
	tupleKind
	dictKind
	rangeKind
	functionKind
	builtinKind
	hostKind
	cellKind // a local variable that a nested function shares; no expression has it as its value
)

var kindNames = [...]string{"nothing", "NoneType", "bool", "int", "float", "string", "list", "tuple", "dict", "range",
	"function", "builtin_function_or_method", "object", "cell"}

// Value is a value of the language. The zero Value is none, not even None.
type Value struct {
	kind kind
	n    uint64 // bool, int, or the bits of a float
	ref  any    // what else there is
}

// size is what a Value takes in memory, in bytes. Boxes of strings, lists and dicts are counted beside it.
const (
	size       = 32
	stringSize = 16
	listSize   = 48
	dictSize   = 80
)

// None is the value of a function that returns nothing.
var None = Value{kind: noneKind}

// Bool is a truth value.
func Bool(b bool) Value {
	if b {
		return Value{kind: boolKind, n: 1}
	}
	return Value{kind: boolKind}
}

// Int is a whole number.
func Int(n int64) Value { return Value{kind: intKind, n: uint64(n)} }

// Float is a number that must be finite: a host that hands in another one has a fault.
func Float(x float64) Value {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		panic("star: a float that is not finite")
	}
	return Value{kind: floatKind, n: math.Float64bits(x)}
}

// String is a text.
func String(s string) Value { return Value{kind: stringKind, ref: s} }

// List is a list of its own over the elements, which nobody else changes from now on.
func List(items []Value) Value { return Value{kind: listKind, ref: &list{items: items}} }

// Tuple is the like of List that nobody can change.
func Tuple(items []Value) Value {
	return Value{kind: tupleKind, ref: &list{items: items, frozen: true}}
}

// Dict is a frozen dict of strings to values, in the order given; of equal keys the last one counts.
func Dict(entries []Named) Value {
	d := &dict{}
	free := &Machine{slice: math.MaxInt64 / 2, bytes: math.MaxInt64 / 2}
	for _, e := range entries {
		d.set(free, String(e.Name), e.Value)
	}
	d.frozen = true
	return Value{kind: dictKind, ref: d}
}

// Named is a value with a name.
type Named struct {
	Name  string
	Value Value
}

// Host is an object of whoever runs the program. Attributes are told in constant time and do not change while a call
// lasts. Two hosts are equal if Go's == says so: they are pointers, or structs of plain fields.
type Host interface {
	Type() string
	Attr(name string) (v Value, ok bool)
	Attrs() []string // all names, for errors and completion
}

// Object makes a host's object a value.
func Object(h Host) Value { return Value{kind: hostKind, ref: h} }

// Builtin is a function of the host. It must charge what it spends (Charge, Alloc), may end the call (Fail), and keeps
// no args.
func Builtin(name string, do func(m *Machine, args []Value, named []Named) Value) Value {
	return Value{kind: builtinKind, ref: &builtin{name: name, do: func(m *Machine, _ Value, args []Value,
		named []Named) Value {
		return do(m, args, named)
	}}}
}

// list is a list, or a tuple, which is frozen from the start.
type list struct {
	items  []Value
	frozen bool
	seen   bool // a tuple: all that it holds is frozen
	busy   int  // loops over it
}

// span is a range of whole numbers.
type span struct{ start, stop, step, len int64 }

// method is a function of the library.
type method func(m *Machine, recv Value, args []Value, named []Named) Value

// builtin is a function that is not written in the language, with what it is a method of.
type builtin struct {
	name string
	recv Value
	do   method
}

// function is a def or lambda with what it has closed over.
type function struct {
	code     *code
	defaults []Value
	free     []*cell
	seen     bool // as of a list
}

// cell is a local variable that functions share.
type cell struct{ v Value }

func (v Value) float() float64 { return math.Float64frombits(v.n) }
func (v Value) list() *list    { return v.ref.(*list) }
func (v Value) dict() *dict    { return v.ref.(*dict) }
func (v Value) text() string   { return v.ref.(string) }

// AsInt is a whole number's value.
func (v Value) AsInt() (int64, bool) { return int64(v.n), v.kind == intKind }

// AsFloat is a number's value.
func (v Value) AsFloat() (float64, bool) {
	if v.kind == intKind {
		return float64(int64(v.n)), true
	}
	return v.float(), v.kind == floatKind
}

// AsBool is a truth value's.
func (v Value) AsBool() (is, ok bool) { return v.n != 0, v.kind == boolKind }

// AsString is a string's text.
func (v Value) AsString() (string, bool) {
	s, ok := v.ref.(string)
	return s, ok
}

// Items are the elements of a list or tuple, which the caller does not change.
func (v Value) Items() ([]Value, bool) {
	if v.kind != listKind && v.kind != tupleKind {
		return nil, false
	}
	return v.list().items, true
}

// Entries are keys and values of a dict in their order.
func (v Value) Entries(yield func(key, value Value) bool) {
	if v.kind != dictKind {
		return
	}
	for _, e := range v.dict().entries {
		if e.live && !yield(e.key, e.value) {
			return
		}
	}
}

// AsHost is the host's object.
func (v Value) AsHost() (Host, bool) {
	h, ok := v.ref.(Host)
	return h, ok
}

// IsNone tells None from all else.
func (v Value) IsNone() bool { return v.kind == noneKind }

// IsUnset says that it is the zero Value: a parameter that got none.
func (v Value) IsUnset() bool { return v.kind == unset }

// IsFunction says whether it can be called.
func (v Value) IsFunction() bool { return v.kind == functionKind || v.kind == builtinKind }

// At is the line and column at which a function of the program is defined, 0 for all others.
func (v Value) At() (line, col int) {
	if f, ok := v.ref.(*function); ok {
		return int(f.code.at.line), int(f.code.at.col)
	}
	return 0, 0
}

// Type is the name of a value's type in the language.
func (v Value) Type() string {
	if v.kind == hostKind {
		return v.ref.(Host).Type()
	}
	return kindNames[v.kind]
}

// Truth is what a condition takes the value for.
func (v Value) Truth() bool {
	switch v.kind {
	case noneKind, unset:
		return false
	case boolKind, intKind:
		return v.n != 0
	case floatKind:
		return v.float() != 0
	case stringKind:
		return v.text() != ""
	case listKind, tupleKind:
		return len(v.list().items) > 0
	case dictKind:
		return v.dict().live > 0
	case rangeKind:
		return v.ref.(span).len > 0
	default:
		return true
	}
}

// change makes sure that a list may be changed.
func (m *Machine) change(frozen bool, busy int) {
	if frozen {
		m.Fail(words.Say("This value came from outside and is frozen. Change a copy: list(…) or dict(…)."))
	}
	if busy > 0 {
		m.Fail(words.Say("This value must not change while a loop goes through it."))
	}
}

// push puts an element at a list's end.
func (l *list) push(m *Machine, v Value) {
	if len(l.items) == cap(l.items) {
		grown := max(4, len(l.items)+len(l.items)/2)
		m.elements(int64(grown))
		items := make([]Value, len(l.items), grown)
		copy(items, l.items)
		l.items = items
	}
	l.items = append(l.items, v)
}

// newList is a list of elements that have been charged; its box is charged here.
func (m *Machine) newList(items []Value) Value {
	m.Alloc(listSize)
	return List(items)
}

// newTuple is newList for a tuple.
func (m *Machine) newTuple(items []Value) Value {
	m.Alloc(listSize)
	return Tuple(items)
}

// newString is a text that has been charged; its box is charged here.
func (m *Machine) newString(s string) Value {
	m.Alloc(stringSize)
	return String(s)
}

// freeze makes what values hold, functions included, such that nothing changes it. A list stands for the depth of the
// values, which may be nested as deep as a budget allows; it is charged as any other.
func (m *Machine) freeze(values ...Value) {
	var open []Value
	add := func(values []Value) {
		m.elements(2 * int64(len(values)))
		open = append(open, values...)
	}
	add(values)
	for len(open) > 0 {
		v := open[len(open)-1]
		open = open[:len(open)-1]
		switch v.kind {
		case listKind:
			if l := v.list(); !l.frozen {
				l.frozen = true
				add(l.items)
			}
		case tupleKind:
			if l := v.list(); !l.seen {
				l.seen = true
				add(l.items)
			}
		case dictKind:
			if d := v.dict(); !d.frozen {
				d.frozen = true
				for _, e := range d.entries {
					add([]Value{e.key, e.value})
				}
			}
		case functionKind:
			if f := v.ref.(*function); !f.seen {
				f.seen = true
				add(f.defaults)
				for _, c := range f.free {
					add([]Value{c.v})
				}
			}
		case builtinKind:
			if b := v.ref.(*builtin); b.recv.kind != unset {
				add([]Value{b.recv})
			}
		}
	}
}
