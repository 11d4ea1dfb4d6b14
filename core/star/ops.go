package star

import (
	"math"
	"math/bits"
	"strings"

	"go.starlark.net/syntax"

	"hadarlab/core/words"
)

// finite is a float, or the end of the call.
func (m *Machine) finite(x float64) Value {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		m.Fail(words.Say("The result is not a finite number."))
	}
	return Value{kind: floatKind, n: math.Float64bits(x)}
}

func (m *Machine) unary(op syntax.Token, v Value) Value {
	switch {
	case v.kind == intKind && op == syntax.MINUS:
		return m.binary(syntax.MINUS, Int(0), v)
	case v.kind == intKind && op == syntax.TILDE:
		return Int(^int64(v.n))
	case v.kind == floatKind && op == syntax.MINUS:
		return m.finite(-v.float())
	case op == syntax.PLUS && (v.kind == intKind || v.kind == floatKind):
		return v
	}
	m.Fail(words.Say("{0} does not go with a value of type {1}.", op.String(), v.Type()))
	return Value{}
}

// binary is an operation but comparisons, and, or.
func (m *Machine) binary(op syntax.Token, v, w Value) Value {
	switch {
	case op == syntax.IN:
		return Bool(m.has(w, v))
	case op == syntax.NOT_IN:
		return Bool(!m.has(w, v))
	case v.kind == intKind && w.kind == intKind:
		if r, ok := m.ints(op, int64(v.n), int64(w.n)); ok {
			return r
		}
	case (v.kind == intKind || v.kind == floatKind) && (w.kind == intKind || w.kind == floatKind):
		x, _ := v.AsFloat()
		y, _ := w.AsFloat()
		if r, ok := m.floats(op, x, y); ok {
			return r
		}
	case op == syntax.PLUS && v.kind == w.kind:
		switch v.kind {
		case stringKind:
			s, t := v.text(), w.text()
			m.chars(int64(len(s)) + int64(len(t)))
			return m.newString(s + t)
		case listKind:
			return m.newList(m.joined(v, w))
		case tupleKind:
			return m.newTuple(m.joined(v, w))
		}
	case op == syntax.STAR && w.kind == intKind:
		if r, ok := m.repeat(v, int64(w.n)); ok {
			return r
		}
	case op == syntax.STAR && v.kind == intKind:
		if r, ok := m.repeat(w, int64(v.n)); ok {
			return r
		}
	case op == syntax.PERCENT && v.kind == stringKind:
		return m.format(v.text(), w)
	case op == syntax.PIPE && v.kind == dictKind && w.kind == dictKind:
		return m.union(v.dict(), w.dict())
	}
	m.Fail(unknown(words.Say("{0} does not go with {1} and {2}.", op.String(), v.Type(), w.Type()), v, w))
	return Value{}
}

func (m *Machine) joined(v, w Value) []Value {
	a, b := v.list().items, w.list().items
	m.elements(int64(len(a)) + int64(len(b)))
	return append(append(make([]Value, 0, len(a)+len(b)), a...), b...)
}

func (m *Machine) union(a, b *dict) Value {
	m.Alloc(dictSize)
	to := &dict{}
	for _, d := range []*dict{a, b} {
		for _, e := range d.entries {
			m.Charge(1)
			if e.live {
				to.set(m, e.key, e.value)
			}
		}
	}
	return Value{kind: dictKind, ref: to}
}

// repeat is a string, list or tuple n times.
func (m *Machine) repeat(v Value, n int64) (Value, bool) {
	switch n = max(n, 0); v.kind {
	case stringKind:
		s := v.text()
		m.chars(product(int64(len(s)), n))
		if s == "" {
			return v, true
		}
		return m.newString(strings.Repeat(s, int(n))), true
	case listKind, tupleKind:
		items := v.list().items
		m.elements(product(int64(len(items)), n))
		if len(items) == 0 {
			n = 0
		}
		all := make([]Value, 0, len(items)*int(n))
		for range n {
			all = append(all, items...)
		}
		if v.kind == tupleKind {
			return m.newTuple(all), true
		}
		return m.newList(all), true
	}
	return Value{}, false
}

// product is that of two counts, or as many as no budget has.
func product(a, b int64) int64 {
	if high, low := bits.Mul64(uint64(a), uint64(b)); high == 0 && low < math.MaxInt64/64 {
		return int64(low)
	}
	return math.MaxInt64 / 64
}

// ints is an operation on whole numbers, or the end of the call where 64 bits do not hold the result.
func (m *Machine) ints(op syntax.Token, x, y int64) (v Value, ok bool) {
	switch op {
	case syntax.PLUS:
		if r := x + y; (x^r)&(y^r) >= 0 {
			return Int(r), true
		}
	case syntax.MINUS:
		if r := x - y; (x^y)&(x^r) >= 0 {
			return Int(r), true
		}
	case syntax.STAR:
		r := x * y
		if x == 0 || r/x == y && !(x == -1 && y == math.MinInt64) {
			return Int(r), true
		}
	case syntax.SLASH:
		return m.floats(op, float64(x), float64(y))
	case syntax.SLASHSLASH, syntax.PERCENT:
		m.divisor(y == 0)
		if op == syntax.PERCENT {
			if y == -1 {
				return Int(0), true
			}
			r := x % y
			if r != 0 && (r < 0) != (y < 0) {
				r += y
			}
			return Int(r), true
		}
		if x != math.MinInt64 || y != -1 {
			q := x / y
			if x%y != 0 && (x < 0) != (y < 0) {
				q--
			}
			return Int(q), true
		}
	case syntax.AMP:
		return Int(x & y), true
	case syntax.PIPE:
		return Int(x | y), true
	case syntax.CIRCUMFLEX:
		return Int(x ^ y), true
	case syntax.LTLT, syntax.GTGT:
		if y < 0 || y > math.MaxInt32 || op == syntax.LTLT && y >= 512 {
			m.Fail(words.Say("A number cannot be shifted by {0} bits.", y))
		}
		if op == syntax.GTGT {
			return Int(x >> min(y, 63)), true
		}
		if y < 64 && x<<y>>y == x || x == 0 {
			return Int(x << y), true
		}
	default:
		return Value{}, false
	}
	m.tooLarge()
	return Value{}, false
}

func (m *Machine) tooLarge() {
	m.Fail(words.Say("The result does not fit in 64 bits. Take floats (1.0 in place of 1) for numbers as large."))
}

func (m *Machine) divisor(zero bool) {
	if zero {
		m.Fail(words.Say("This divides by zero."))
	}
}

// floats is an operation on floats; each is rounded by itself.
func (m *Machine) floats(op syntax.Token, x, y float64) (v Value, ok bool) {
	switch op {
	case syntax.PLUS:
		return m.finite(x + y), true
	case syntax.MINUS:
		return m.finite(x - y), true
	case syntax.STAR:
		return m.finite(x * y), true
	case syntax.SLASH:
		m.divisor(y == 0)
		return m.finite(x / y), true
	case syntax.SLASHSLASH:
		m.divisor(y == 0)
		return m.finite(math.Floor(x / y)), true
	case syntax.PERCENT:
		m.divisor(y == 0)
		r := math.Mod(x, y)
		if r != 0 && (x < 0) != (y < 0) {
			r += y
		}
		return m.finite(r), true
	}
	return Value{}, false
}

// augment is binary for an assignment with an operator: a list grows in its place.
func (m *Machine) augment(op syntax.Token, v, w Value) Value {
	switch {
	case op == syntax.PLUS && v.kind == listKind && w.iterable():
		m.extend(v.list(), w)
		return v
	case op == syntax.PIPE && v.kind == dictKind && w.kind == dictKind:
		m.update(v.dict(), w.dict())
		return v
	}
	return m.binary(op, v, w)
}

// extend puts what another value holds at a list's end. It may be the list itself.
func (m *Machine) extend(l *list, w Value) {
	m.change(l.frozen, l.busy)
	if w.kind == listKind && w.list() == l {
		items := l.items
		for _, x := range items {
			m.Charge(1)
			l.push(m, x)
		}
		return
	}
	it := m.iterate(w)
	for it.next() {
		l.push(m, it.value)
	}
	it.done()
}

func (m *Machine) update(d, from *dict) {
	m.change(d.frozen, d.busy)
	if d == from {
		return
	}
	for _, e := range from.entries {
		m.Charge(1)
		if e.live {
			d.set(m, e.key, e.value)
		}
	}
}

// equal says whether values are the same, numbers by what they are and not by their type.
func (m *Machine) equal(v, w Value, deep int) bool {
	if v.kind != w.kind {
		if v.kind == intKind && w.kind == floatKind {
			return order(int64(v.n), w.float()) == 0
		}
		return v.kind == floatKind && w.kind == intKind && order(int64(w.n), v.float()) == 0
	}
	switch v.kind {
	case noneKind:
		return true
	case boolKind, intKind:
		return v.n == w.n
	case floatKind:
		return v.float() == w.float()
	case stringKind:
		s, t := v.text(), w.text()
		if len(s) != len(t) {
			return false
		}
		m.Charge(int64(len(s) / 32))
		return s == t
	case listKind, tupleKind:
		a, b := v.list().items, w.list().items
		if len(a) != len(b) {
			return false
		}
		m.nested(deep)
		for i := range a {
			m.Charge(1)
			if !m.equal(a[i], b[i], deep+1) {
				return false
			}
		}
		return true
	case dictKind:
		a, b := v.dict(), w.dict()
		if a.live != b.live {
			return false
		}
		m.nested(deep)
		for _, e := range a.entries {
			m.Charge(1)
			if !e.live {
				continue
			}
			if other := b.find(m, e.key); other == nil || !m.equal(e.value, other.value, deep+1) {
				return false
			}
		}
		return true
	case rangeKind:
		a, b := v.ref.(span), w.ref.(span)
		return a.len == b.len && (a.len == 0 || a.start == b.start && (a.len == 1 || a.step == b.step))
	}
	return v.ref == w.ref
}

// compare says which value is less (-1 the first, 1 the second). Numbers, strings, bools, and lists or tuples of them
// have an order.
func (m *Machine) compare(v, w Value, deep int) int {
	switch {
	case v.kind == floatKind && w.kind == floatKind:
		return cmp(v.float(), w.float())
	case v.kind == intKind && w.kind == intKind:
		return cmp(int64(v.n), int64(w.n))
	case v.kind == intKind && w.kind == floatKind:
		return order(int64(v.n), w.float())
	case v.kind == floatKind && w.kind == intKind:
		return -order(int64(w.n), v.float())
	case v.kind == w.kind:
		switch v.kind {
		case boolKind:
			return cmp(int64(v.n), int64(w.n))
		case stringKind:
			s, t := v.text(), w.text()
			m.Charge(int64(min(len(s), len(t)) / 32))
			return strings.Compare(s, t)
		case listKind, tupleKind:
			m.nested(deep)
			a, b := v.list().items, w.list().items
			for i := range min(len(a), len(b)) {
				m.Charge(1)
				if !m.equal(a[i], b[i], deep+1) {
					return m.compare(a[i], b[i], deep+1)
				}
			}
			return cmp(int64(len(a)), int64(len(b)))
		}
	}
	m.Fail(unknown(words.Say("{0} and {1} have no order.", v.Type(), w.Type()), v, w))
	return 0
}

func cmp[T int64 | float64](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// order compares a whole number with a float exactly.
func order(i int64, x float64) int {
	switch {
	case x >= 0x1p63:
		return -1
	case x < -0x1p63:
		return 1
	}
	t := math.Trunc(x)
	if c := cmp(i, int64(t)); c != 0 {
		return c
	}
	return cmp(0, x-t)
}

// has says whether a value holds another: in.
func (m *Machine) has(in, v Value) bool {
	switch in.kind {
	case stringKind:
		if v.kind == stringKind {
			m.Charge(int64(len(in.text()) / 16))
			return strings.Contains(in.text(), v.text())
		}
	case listKind, tupleKind:
		for _, x := range in.list().items {
			m.Charge(1)
			if m.equal(x, v, 0) {
				return true
			}
		}
		return false
	case dictKind:
		return in.dict().find(m, v) != nil
	case rangeKind:
		if n, ok := v.whole(); ok {
			s := in.ref.(span)
			first, last := s.start, s.start+(s.len-1)*s.step
			return s.len > 0 && n >= min(first, last) && n <= max(first, last) && (n-s.start)%s.step == 0
		}
		if v.kind == floatKind || v.kind == intKind {
			return false
		}
	}
	m.Fail(words.Say("in does not go with {0} and {1}.", v.Type(), in.Type()))
	return false
}

// whole is a number that is whole, whatever its type.
func (v Value) whole() (int64, bool) {
	if v.kind == floatKind {
		x := v.float()
		if t := math.Trunc(x); t != x || x < -0x1p63 || x >= 0x1p63 {
			return 0, false
		}
		return int64(x), true
	}
	return v.AsInt()
}

// length is how many elements a value has.
func (m *Machine) length(v Value) int64 {
	switch v.kind {
	case stringKind:
		return int64(len(v.text()))
	case listKind, tupleKind:
		return int64(len(v.list().items))
	case dictKind:
		return int64(v.dict().live)
	case rangeKind:
		return v.ref.(span).len
	}
	m.Fail(words.Say("{0} has no length and no elements.", v.Type()))
	return 0
}

// place is a position of a sequence, counted from its end if it is negative.
func (m *Machine) place(i Value, n int64) int64 {
	k, ok := i.AsInt()
	if !ok {
		m.Fail(words.Say("A position must be an int, and this is a value of type {0}.", i.Type()))
	}
	at := k
	if at < 0 {
		at += n
	}
	if at < 0 || at >= n {
		m.Fail(words.Say("There is no position {0}: this has {1} elements.", k, n))
	}
	return at
}

// index is v[i].
func (m *Machine) index(v, i Value) Value {
	switch v.kind {
	case listKind, tupleKind:
		items := v.list().items
		return items[m.place(i, int64(len(items)))]
	case dictKind:
		e := v.dict().find(m, i)
		if e == nil {
			m.Fail(words.Say("This dict has no key {0}.", m.repr(i)))
		}
		return e.value
	case stringKind:
		s := v.text()
		k := m.place(i, int64(len(s)))
		return m.newString(s[k : k+1])
	case rangeKind:
		s := v.ref.(span)
		return Int(s.start + m.place(i, s.len)*s.step)
	}
	m.Fail(words.Say("{0} has no length and no elements.", v.Type()))
	return Value{}
}

// setIndex is v[i] = x.
func (m *Machine) setIndex(v, i, x Value) {
	switch v.kind {
	case listKind:
		l := v.list()
		k := m.place(i, int64(len(l.items)))
		m.change(l.frozen, l.busy)
		l.items[k] = x
	case dictKind:
		v.dict().set(m, i, x)
	default:
		m.Fail(words.Say("Elements of {0} cannot be assigned.", v.Type()))
	}
}

// slices is v[lo:hi:step].
func (m *Machine) slices(v, lo, hi, by Value) Value {
	if v.kind == dictKind {
		m.Fail(words.Say("Elements of {0} stand in no row that could be cut.", v.Type()))
	}
	n := m.length(v)
	step := m.bound(by, 0, 1)
	if step == 0 {
		m.Fail(words.Say("The step of a slice is 0."))
	}
	var from, to int64
	if step > 0 {
		from = min(max(m.bound(lo, n, 0), 0), n)
		to = max(min(max(m.bound(hi, n, n), 0), n), from)
	} else {
		from = min(m.bound(lo, n, n-1), n-1)
		to = max(m.bound(hi, n, -1), -1)
		from = max(from, to)
	}
	s := span{start: from, stop: to, step: step, len: count(from, to, step)}
	if v.kind == rangeKind {
		of := v.ref.(span)
		m.Alloc(size)
		return Value{kind: rangeKind, ref: span{of.start + s.start*of.step, of.start + s.stop*of.step,
			of.step * s.step, s.len}}
	}
	if v.kind == stringKind {
		text := v.text()
		m.chars(s.len)
		if step == 1 {
			return m.newString(text[from:to])
		}
		out := make([]byte, 0, s.len)
		for i := range s.len {
			out = append(out, text[s.start+i*s.step])
		}
		return m.newString(string(out))
	}
	items := v.list().items
	m.elements(s.len)
	out := make([]Value, s.len)
	for i := range out {
		out[i] = items[s.start+int64(i)*s.step]
	}
	if v.kind == tupleKind {
		return m.newTuple(out)
	}
	return m.newList(out)
}

// bound is one of a slice's, of a sequence of n elements.
func (m *Machine) bound(v Value, n, without int64) int64 {
	if v.kind == noneKind || v.kind == unset {
		return without
	}
	k, ok := v.AsInt()
	if !ok || k > math.MaxInt32 || k < math.MinInt32 {
		m.Fail(words.Say("The bounds of a slice are whole numbers below {0}, or left out.", "2147483648"))
	}
	if k < 0 {
		k += n
	}
	return k
}

// count is how many numbers there are from one to another, without the latter.
func count(from, to, step int64) int64 {
	switch {
	case step > 0 && from < to:
		return int64((uint64(to)-uint64(from)-1)/uint64(step) + 1)
	case step < 0 && from > to:
		return int64((uint64(from)-uint64(to)-1)/-uint64(step) + 1)
	}
	return 0
}

// iter goes through the elements of a value, which does not change meanwhile.
type iter struct {
	m     *Machine
	of    Value
	value Value
	i     int
}

func (v Value) iterable() bool {
	return v.kind == listKind || v.kind == tupleKind || v.kind == dictKind || v.kind == rangeKind
}

func (m *Machine) iterate(v Value) iter {
	switch v.kind {
	case listKind:
		if l := v.list(); !l.frozen { // what is frozen may be shared by others who run
			l.busy++
		}
	case dictKind:
		if d := v.dict(); !d.frozen {
			d.busy++
		}
	case tupleKind, rangeKind:
	default:
		m.Fail(words.Say("A value of type {0} has no elements to go through.", v.Type()))
	}
	return iter{m: m, of: v}
}

// next goes on to the next element, if there is one: a step.
func (it *iter) next() bool {
	it.m.Charge(1)
	switch it.of.kind {
	case listKind, tupleKind:
		items := it.of.list().items
		if it.i == len(items) {
			return false
		}
		it.value = items[it.i]
	case dictKind:
		entries := it.of.dict().entries
		for it.i < len(entries) && !entries[it.i].live {
			it.m.Charge(1)
			it.i++
		}
		if it.i == len(entries) {
			return false
		}
		it.value = entries[it.i].key
	case rangeKind:
		s := it.of.ref.(span)
		if int64(it.i) == s.len {
			return false
		}
		it.value = Int(s.start + int64(it.i)*s.step)
	}
	it.i++
	return true
}

func (it *iter) done() {
	switch it.of.kind {
	case listKind:
		if l := it.of.list(); !l.frozen {
			l.busy--
		}
	case dictKind:
		if d := it.of.dict(); !d.frozen {
			d.busy--
		}
	}
}

// attr is an attribute of a host's object, or a method of a value.
func (m *Machine) attr(v Value, name string) Value {
	if v.kind == hostKind {
		h := v.ref.(Host)
		if a, ok := h.Attr(name); ok {
			return a
		}
		m.Fail(meant(words.Say("{0} has no {1}.", h.Type(), name), name, h.Attrs(),
			words.Say("It has {0}.", strings.Join(h.Attrs(), ", "))))
	}
	do := methodsNamed(name).of(v.kind)
	if do == nil {
		otherwise := words.Text{}
		if name == "sort" {
			otherwise = words.Say("sorted(…) gives a list in order.")
		}
		m.Fail(meant(words.Say("A value of type {0} has no {1}.", v.Type(), name), name, methodsOf(v.kind),
			otherwise))
	}
	m.Alloc(size + listSize)
	return Value{kind: builtinKind, ref: &builtin{name: name, recv: v, do: do}}
}
