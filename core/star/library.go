package star

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// universe are the names that every program knows.
var universe map[string]Value

func init() {
	universe = map[string]Value{"None": None, "True": Bool(true), "False": Bool(false), "math": Object(mathematics{})}
	for name, do := range map[string]method{
		"abs": abs, "all": all, "any": anyOf, "bool": truth, "dict": dictOf, "enumerate": enumerate, "fail": failure,
		"float": floatOf, "getattr": getattr, "hasattr": hasattr, "int": intOf, "len": length, "list": listOf,
		"max": extreme(1, "max"), "min": extreme(-1, "min"), "print": say, "range": rangeOf, "repr": reprOf,
		"reversed": reversed, "sorted": sorted, "str": strOf, "sum": sum, "tuple": tupleOf, "type": typeOf, "zip": zip,
	} {
		universe[name] = Value{kind: builtinKind, ref: &builtin{name: name, do: do}}
	}
}

// Names are the language's own functions and constants, in their order.
func Names() []string {
	names := make([]string, 0, len(universe))
	for n := range universe {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Args puts arguments in the places of parameters; the first need of them must be given, and a parameter that begins
// with - has no name. What is left out is the zero Value.
func (m *Machine) Args(name string, args []Value, named []Named, need int, params ...string) (out [4]Value) {
	if len(args) > len(params) {
		m.Fail(tooMany(name, len(params), len(args)))
	}
	copy(out[:], args)
	for _, n := range named {
		m.Charge(1)
		i := slices.Index(params, n.Name)
		if i < 0 {
			m.Fail(noParameter(name, n.Name, params))
		}
		if out[i].kind != unset {
			m.Fail(words.Say("{0} gets {1} twice.", name, n.Name))
		}
		out[i] = n.Value
	}
	for i := range need {
		if out[i].kind == unset {
			m.Fail(words.Say("{0} needs a value for {1}.", name, strings.TrimPrefix(params[i], "-")))
		}
	}
	return out
}

// Wrong ends the call because a value is of another type than its place asks for.
func (m *Machine) Wrong(name string, v Value, want string) {
	m.Fail(words.Say("{0} takes a value of type {1} here, and gets one of type {2}.", name, want, v.Type()))
}

func (m *Machine) number(name string, v, without Value) int64 {
	if v.kind == unset {
		v = without
	}
	n, ok := v.AsInt()
	if !ok {
		m.Wrong(name, v, "int")
	}
	return n
}

func (m *Machine) string(name string, v Value) string {
	s, ok := v.AsString()
	if !ok {
		m.Wrong(name, v, "string")
	}
	return s
}

func abs(m *Machine, _ Value, args []Value, named []Named) Value {
	v := m.Args("abs", args, named, 1, "-x")[0]
	switch v.kind {
	case intKind:
		if int64(v.n) < 0 {
			return m.binary(syntax.MINUS, Int(0), v)
		}
		return v
	case floatKind:
		return m.finite(math.Abs(v.float()))
	}
	m.Wrong("abs", v, "int, float")
	return Value{}
}

func all(m *Machine, _ Value, args []Value, named []Named) Value {
	it := m.iterate(m.Args("all", args, named, 1, "-x")[0])
	defer it.done()
	for it.next() {
		if !it.value.Truth() {
			return Bool(false)
		}
	}
	return Bool(true)
}

func anyOf(m *Machine, _ Value, args []Value, named []Named) Value {
	it := m.iterate(m.Args("any", args, named, 1, "-x")[0])
	defer it.done()
	for it.next() {
		if it.value.Truth() {
			return Bool(true)
		}
	}
	return Bool(false)
}

func truth(m *Machine, _ Value, args []Value, named []Named) Value {
	return Bool(m.Args("bool", args, named, 0, "-x")[0].Truth())
}

// dictOf is dict(), of a dict or of pairs, and of names with values.
func dictOf(m *Machine, _ Value, args []Value, named []Named) Value {
	m.Alloc(dictSize)
	d := &dict{}
	if v := m.Args("dict", args, nil, 0, "-x")[0]; v.kind == dictKind {
		m.update(d, v.dict())
	} else if v.kind != unset {
		it := m.iterate(v)
		for it.next() {
			pair, ok := it.value.Items()
			if !ok || len(pair) != 2 {
				m.Fail(words.Say("dict takes pairs of a key and a value, and this is a value of type {0}.",
					it.value.Type()))
			}
			d.set(m, pair[0], pair[1])
		}
		it.done()
	}
	for _, n := range named {
		d.set(m, m.newString(n.Name), n.Value)
	}
	return Value{kind: dictKind, ref: d}
}

func enumerate(m *Machine, _ Value, args []Value, named []Named) Value {
	a := m.Args("enumerate", args, named, 1, "-x", "start")
	from := m.number("enumerate", a[1], Int(0))
	it := m.iterate(a[0])
	n := m.length(a[0])
	m.elements(product(n, 3))
	m.Alloc(n * listSize)
	out := make([]Value, 0, n)
	for it.next() {
		out = append(out, Tuple([]Value{m.binary(syntax.PLUS, Int(from), Int(int64(len(out)))), it.value}))
	}
	it.done()
	return m.newList(out)
}

func failure(m *Machine, _ Value, args []Value, named []Named) Value {
	m.Args("fail", nil, named, 0)
	w := writer{m: m}
	for i, v := range args {
		if i > 0 {
			w.add(" ")
		}
		w.str(v)
	}
	m.Fail(words.Say("The program says: {0}", string(w.out)))
	return Value{}
}

func floatOf(m *Machine, _ Value, args []Value, named []Named) Value {
	v := m.Args("float", args, named, 0, "-x")[0]
	switch v.kind {
	case unset:
		return Float(0)
	case boolKind:
		return Float(float64(v.n))
	case intKind:
		return Float(float64(int64(v.n)))
	case floatKind:
		return v
	case stringKind:
		m.Charge(int64(len(v.text()) / 4))
		x, err := strconv.ParseFloat(v.text(), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			m.Fail(words.Say("{0} is no number.", m.repr(v)))
		}
		return Float(x)
	}
	m.Wrong("float", v, "int, float, bool, string")
	return Value{}
}

func getattr(m *Machine, _ Value, args []Value, named []Named) Value {
	a := m.Args("getattr", args, named, 2, "-x", "-name", "-default")
	name := m.string("getattr", a[1])
	if a[2].kind != unset && !has(a[0], name) {
		return a[2]
	}
	return m.attr(a[0], name)
}

func hasattr(m *Machine, _ Value, args []Value, named []Named) Value {
	a := m.Args("hasattr", args, named, 2, "-x", "-name")
	return Bool(has(a[0], m.string("hasattr", a[1])))
}

func has(v Value, name string) bool {
	if h, ok := v.AsHost(); ok {
		_, ok := h.Attr(name)
		return ok
	}
	return methodsNamed(name).of(v.kind) != nil
}

func intOf(m *Machine, _ Value, args []Value, named []Named) Value {
	v := m.Args("int", args, named, 0, "-x")[0]
	switch v.kind {
	case unset:
		return Int(0)
	case boolKind:
		return Int(int64(v.n))
	case stringKind:
		m.Charge(int64(len(v.text()) / 4))
		n, err := strconv.ParseInt(v.text(), 10, 64)
		if err != nil {
			m.Fail(words.Say("{0} is no whole number of 64 bits.", m.repr(v)))
		}
		return Int(n)
	}
	n, ok := m.truncate(v)
	if !ok {
		m.Wrong("int", v, "int, float, bool, string")
	}
	return Int(n)
}

func length(m *Machine, _ Value, args []Value, named []Named) Value {
	return Int(m.length(m.Args("len", args, named, 1, "-x")[0]))
}

// gathered are the elements of a value as a slice of its own.
func (m *Machine) gathered(v Value) []Value {
	if v.kind == unset {
		return nil
	}
	it := m.iterate(v)
	n := m.length(v)
	m.elements(n)
	out := make([]Value, 0, n)
	for it.next() {
		out = append(out, it.value)
	}
	it.done()
	return out
}

func listOf(m *Machine, _ Value, args []Value, named []Named) Value {
	return m.newList(m.gathered(m.Args("list", args, named, 0, "-x")[0]))
}

func tupleOf(m *Machine, _ Value, args []Value, named []Named) Value {
	return m.newTuple(m.gathered(m.Args("tuple", args, named, 0, "-x")[0]))
}

// extreme is max (1) or min (-1); the first one of equals.
func extreme(sign int, name string) method {
	return func(m *Machine, _ Value, args []Value, named []Named) Value {
		key := m.Args(name, nil, named, 0, "key")[0]
		over := Value{kind: tupleKind, ref: &list{items: args}}
		if len(args) == 1 {
			over = args[0]
		}
		it := m.iterate(over)
		var best, bestKey Value
		for it.next() {
			x := it.value
			k := x
			if key.kind != unset {
				k = m.keyOf(key, x)
			}
			if best.kind == unset || sign*m.compare(k, bestKey, 0) > 0 {
				best, bestKey = x, k
			}
		}
		it.done()
		if best.kind == unset {
			m.Fail(words.Say("{0} of nothing has no value.", name))
		}
		return best
	}
}

// keyOf asks a function for what a value is ordered by.
func (m *Machine) keyOf(key, x Value) Value {
	at, chunk, top := m.at, m.chunk, m.top
	args := m.room(1)
	args[0] = x
	k := m.apply(key, args, nil)
	clear(args)
	m.at, m.chunk, m.top = at, chunk, top
	return k
}

func say(m *Machine, _ Value, args []Value, named []Named) Value {
	sep := " "
	if v := m.Args("print", nil, named, 0, "sep")[0]; v.kind != unset {
		sep = m.string("print", v)
	}
	w := writer{m: m}
	for i, v := range args {
		if i > 0 {
			w.add(sep)
		}
		w.str(v)
	}
	if m.options.Print != nil {
		m.options.Print(m, int(m.at.line), string(w.out))
	}
	return None
}

func rangeOf(m *Machine, _ Value, args []Value, named []Named) Value {
	a := m.Args("range", args, named, 1, "-start", "-stop", "-step")
	s := span{step: m.number("range", a[2], Int(1))}
	if a[1].kind == unset {
		s.stop = m.number("range", a[0], Value{})
	} else {
		s.start, s.stop = m.number("range", a[0], Value{}), m.number("range", a[1], Value{})
	}
	const most = 1 << 62 // so that no element and no length overflows
	if s.step == 0 || max(s.start, s.stop, s.step) > most || min(s.start, s.stop, s.step) < -most {
		m.Fail(words.Say("range takes numbers below {0}, and a step that is not 0.", "4611686018427387904"))
	}
	s.len = count(s.start, s.stop, s.step)
	m.Alloc(size)
	return Value{kind: rangeKind, ref: s}
}

func reprOf(m *Machine, _ Value, args []Value, named []Named) Value {
	w := writer{m: m}
	w.write(m.Args("repr", args, named, 1, "-x")[0], 0)
	return w.value()
}

func strOf(m *Machine, _ Value, args []Value, named []Named) Value {
	v := m.Args("str", args, named, 1, "-x")[0]
	if v.kind == stringKind {
		return v
	}
	w := writer{m: m}
	w.str(v)
	return w.value()
}

func typeOf(m *Machine, _ Value, args []Value, named []Named) Value {
	return m.newString(m.Args("type", args, named, 1, "-x")[0].Type())
}

func reversed(m *Machine, _ Value, args []Value, named []Named) Value {
	items := m.gathered(m.Args("reversed", args, named, 1, "-x")[0])
	slices.Reverse(items)
	return m.newList(items)
}

// sorted is a list in order; equal elements stay as they are, in reverse too.
func sorted(m *Machine, _ Value, args []Value, named []Named) Value {
	a := m.Args("sorted", args, named, 1, "iterable", "key", "reverse")
	items := m.gathered(a[0])
	back, ok := a[2].AsBool()
	if a[2].kind != unset && !ok {
		m.Wrong("sorted", a[2], "bool")
	}
	keys := items
	if a[1].kind != unset {
		m.elements(int64(len(items)))
		keys = make([]Value, len(items))
		for i, x := range items {
			keys[i] = m.keyOf(a[1], x)
		}
	}
	m.elements(int64(len(items)))
	m.Alloc(int64(len(items)) * 8)
	out := make([]Value, len(items))
	for i, k := range unit.Order(len(items), func(x, y int32) int {
		m.Charge(1)
		if back {
			return m.compare(keys[y], keys[x], 0)
		}
		return m.compare(keys[x], keys[y], 0)
	}) {
		out[i] = items[k]
	}
	return m.newList(out)
}

func sum(m *Machine, _ Value, args []Value, named []Named) Value {
	a := m.Args("sum", args, named, 1, "-x", "start")
	total := a[1]
	if total.kind == unset {
		total = Int(0)
	}
	it := m.iterate(a[0])
	for it.next() {
		total = m.binary(syntax.PLUS, total, it.value)
	}
	it.done()
	return total
}

func zip(m *Machine, _ Value, args []Value, named []Named) Value {
	m.Args("zip", nil, named, 0)
	if len(args) == 0 {
		return m.newList(nil)
	}
	n := int64(math.MaxInt64)
	m.elements(int64(len(args)) * 3)
	iters := make([]iter, len(args))
	for i, v := range args {
		iters[i] = m.iterate(v)
		n = min(n, m.length(v))
	}
	m.elements(product(n, int64(len(args)+1)))
	m.Alloc(n * listSize)
	out := make([]Value, n)
	for k := range out {
		row := make([]Value, len(args))
		for i := range iters {
			iters[i].next()
			row[i] = iters[i].value
		}
		out[k] = Tuple(row)
	}
	for i := range iters {
		iters[i].done()
	}
	return m.newList(out)
}

// mathematics is math: functions whose results have the same bits everywhere.
type mathematics struct{}

func (mathematics) Type() string    { return "math" }
func (mathematics) Attrs() []string { return []string{"ceil", "exp", "floor", "log", "pow", "sqrt"} }

var functions = map[string]Value{
	"ceil":  whole("math.ceil", math.Ceil),
	"floor": whole("math.floor", math.Floor),
	"exp":   onFloats("math.exp", 1, func(x, _ float64) float64 { return unit.Exp(x) }),
	"log":   onFloats("math.log", 1, func(x, _ float64) float64 { return unit.Log(x) }),
	"sqrt":  onFloats("math.sqrt", 1, func(x, _ float64) float64 { return math.Sqrt(x) }),
	"pow":   onFloats("math.pow", 2, power),
}

func (mathematics) Attr(name string) (Value, bool) {
	v, ok := functions[name]
	return v, ok
}

// onFloats is a function of one or two numbers.
func onFloats(name string, n int, of func(x, y float64) float64) Value {
	params := []string{"-x", "-y"}[:n]
	return Builtin(name, func(m *Machine, args []Value, named []Named) Value {
		a := m.Args(name, args, named, n, params...)
		var x [2]float64
		for i := range n {
			var ok bool
			if x[i], ok = a[i].AsFloat(); !ok {
				m.Wrong(name, a[i], "int, float")
			}
		}
		return m.finite(of(x[0], x[1]))
	})
}

// whole is a function from numbers to whole ones.
func whole(name string, of func(float64) float64) Value {
	return Builtin(name, func(m *Machine, args []Value, named []Named) Value {
		v := m.Args(name, args, named, 1, "-x")[0]
		if v.kind == floatKind {
			v = m.finite(of(v.float()))
		}
		n, ok := m.truncate(v)
		if !ok {
			m.Wrong(name, v, "int, float")
		}
		return Int(n)
	})
}

// power is x to the power of y: by multiplication where y is whole and small, so that it is exact where it can be.
func power(x, y float64) float64 {
	if n := math.Abs(y); n == math.Trunc(n) && n <= 64 {
		p := 1.0
		for range int(n) {
			p = float64(p * x)
		}
		if y < 0 {
			return 1 / p
		}
		return p
	}
	if x == 0 && y > 0 {
		return 0
	}
	return unit.Exp(float64(y * unit.Log(x)))
}
