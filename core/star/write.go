package star

import (
	"math"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"hadarlab/core/words"
)

// writer makes a text. Each piece is charged before it is written, three times: for the room that doubles, and for the
// text that it becomes.
type writer struct {
	m   *Machine
	out []byte
}

func (w *writer) add(s string) {
	w.m.Charge(int64(1 + len(s)/16))
	w.m.Alloc(3 * int64(len(s)))
	w.out = append(w.out, s...)
}

func (w *writer) value() Value { return w.m.newString(string(w.out)) }

// Text is a value as print writes it, at nobody's expense; "…" where that cannot be written.
func Text(v Value) (text string) {
	defer func() {
		if r := recover(); r != nil {
			if _, ours := r.(*Error); !ours {
				panic(r)
			}
			text = "…"
		}
	}()
	w := writer{m: &Machine{slice: math.MaxInt64 / 2, bytes: math.MaxInt64 / 2}}
	w.str(v)
	return string(w.out)
}

// repr is a value as it would stand in a program, for errors cut off.
func (m *Machine) repr(v Value) string {
	w := writer{m: m}
	w.write(v, 0)
	if len(w.out) > 60 {
		return string(w.out[:60]) + "…"
	}
	return string(w.out)
}

// str writes a value as str says it.
func (w *writer) str(v Value) {
	if v.kind == stringKind {
		w.add(v.text())
		return
	}
	w.write(v, 0)
}

// write writes a value as it stands in a program.
func (w *writer) write(v Value, deep int) {
	switch v.kind {
	case noneKind:
		w.add("None")
	case boolKind:
		w.add([...]string{"False", "True"}[v.n])
	case intKind:
		w.add(strconv.FormatInt(int64(v.n), 10))
	case floatKind:
		w.add(float(v.float(), 'g'))
	case stringKind:
		s := v.text()
		w.m.chars(6 * int64(len(s)))
		w.add(syntax.Quote(s, false))
	case listKind:
		w.add("[")
		w.elements(v.list().items, deep)
		w.add("]")
	case tupleKind:
		w.add("(")
		if w.elements(v.list().items, deep); len(v.list().items) == 1 {
			w.add(",")
		}
		w.add(")")
	case dictKind:
		w.m.nested(deep)
		w.add("{")
		first := true
		for _, e := range v.dict().entries {
			w.m.Charge(1)
			if !e.live {
				continue
			}
			if !first {
				w.add(", ")
			}
			first = false
			w.write(e.key, deep+1)
			w.add(": ")
			w.write(e.value, deep+1)
		}
		w.add("}")
	case rangeKind:
		s := v.ref.(span)
		w.add("range(")
		if s.start != 0 || s.step != 1 {
			w.add(strconv.FormatInt(s.start, 10) + ", ")
		}
		w.add(strconv.FormatInt(s.stop, 10))
		if s.step != 1 {
			w.add(", " + strconv.FormatInt(s.step, 10))
		}
		w.add(")")
	case functionKind:
		w.add("<function " + v.ref.(*function).code.name + ">")
	case builtinKind:
		b := v.ref.(*builtin)
		if b.recv.kind == unset {
			w.add("<built-in function " + b.name + ">")
			return
		}
		w.add("<built-in method " + b.name + " of " + b.recv.Type() + " value>")
	default:
		w.add("<" + v.Type() + ">")
	}
}

func (w *writer) elements(items []Value, deep int) {
	w.m.nested(deep)
	for i, x := range items {
		if i > 0 {
			w.add(", ")
		}
		w.write(x, deep+1)
	}
}

// float is a float as a program has it, which says that it is one.
func float(x float64, as byte) string {
	if as != 'g' && as != 'G' {
		return strconv.FormatFloat(x, as, 6, 64)
	}
	s := strconv.FormatFloat(x, as, -1, 64)
	if !strings.ContainsAny(s, ".eE") {
		s += ".0"
	}
	return s
}

// format is the % operator on a string.
func (m *Machine) format(pattern string, v Value) Value {
	args := []Value{v}
	if v.kind == tupleKind {
		args = v.list().items
	}
	w := writer{m: m}
	used := 0
	for {
		i := strings.IndexByte(pattern, '%')
		if i < 0 {
			break
		}
		w.add(pattern[:i])
		if pattern = pattern[i+1:]; pattern == "" {
			m.Fail(words.Say("After % stands nothing. Write %% for a percent sign."))
		}
		as := pattern[0]
		if pattern = pattern[1:]; as == '%' {
			w.add("%")
			continue
		}
		if used == len(args) {
			m.Fail(words.Say("The text has more places than the {0} values that it gets.", len(args)))
		}
		arg := args[used]
		used++
		switch as {
		case 's':
			w.str(arg)
		case 'r':
			w.write(arg, 0)
		case 'd', 'i':
			n, ok := m.truncate(arg)
			if !ok {
				m.Fail(words.Say("%{0} takes a number, and this is a value of type {1}.", string(as), arg.Type()))
			}
			w.add(strconv.FormatInt(n, 10))
		case 'e', 'f', 'g', 'E', 'F', 'G':
			x, ok := arg.AsFloat()
			if !ok {
				m.Fail(words.Say("%{0} takes a number, and this is a value of type {1}.", string(as), arg.Type()))
			}
			w.add(float(x, as))
		default:
			m.Fail(words.Say("%{0} is unknown. Take %s, %r, %d, %f, %e, %g, or %% for a percent sign.", string(as)))
		}
	}
	w.add(pattern)
	if used < len(args) && v.kind != dictKind {
		m.Fail(words.Say("The text has {0} places, and gets {1} values.", used, len(args)))
	}
	return w.value()
}

// truncate is a number without what stands behind its point.
func (m *Machine) truncate(v Value) (int64, bool) {
	if x := v.float(); v.kind == floatKind {
		if !(x >= -0x1p63 && x < 0x1p63) {
			m.tooLarge()
		}
		return int64(x), true
	}
	return v.AsInt()
}
