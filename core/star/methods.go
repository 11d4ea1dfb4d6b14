package star

import (
	"slices"
	"strings"
	"unicode"

	"hadarlab/core/words"
)

// methods are the methods of a name, by what they are methods of.
type methods struct{ string, list, dict method }

func (s methods) of(k kind) method {
	switch k {
	case stringKind:
		return s.string
	case listKind:
		return s.list
	case dictKind:
		return s.dict
	}
	return nil
}

func methodsNamed(name string) methods { return table[name] }

// methodsOf are the names of a kind's methods, in their order.
func methodsOf(k kind) (names []string) {
	for name, s := range table {
		if s.of(k) != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

var table = map[string]methods{
	"append":     {list: listAppend},
	"clear":      {list: listClear, dict: dictClear},
	"endswith":   {string: ends},
	"extend":     {list: listExtend},
	"find":       {string: find},
	"get":        {dict: get},
	"index":      {list: listIndex},
	"insert":     {list: insert},
	"items":      {dict: itemsOf},
	"join":       {string: join},
	"keys":       {dict: keysOf},
	"lower":      {string: lower},
	"pop":        {list: listPop, dict: dictPop},
	"remove":     {list: remove},
	"replace":    {string: replace},
	"setdefault": {dict: setdefault},
	"split":      {string: split},
	"startswith": {string: starts},
	"strip":      {string: strip},
	"update":     {dict: updateOf},
	"upper":      {string: upper},
	"values":     {dict: valuesOf},
}

func listAppend(m *Machine, recv Value, args []Value, named []Named) Value {
	l := recv.list()
	x := m.Args("append", args, named, 1, "-x")[0]
	m.change(l.frozen, l.busy)
	l.push(m, x)
	return None
}

func listClear(m *Machine, recv Value, args []Value, named []Named) Value {
	l := recv.list()
	m.Args("clear", args, named, 0)
	m.change(l.frozen, l.busy)
	l.items = nil
	return None
}

func listExtend(m *Machine, recv Value, args []Value, named []Named) Value {
	m.extend(recv.list(), m.Args("extend", args, named, 1, "-x")[0])
	return None
}

func listIndex(m *Machine, recv Value, args []Value, named []Named) Value {
	x := m.Args("index", args, named, 1, "-x")[0]
	for i, v := range recv.list().items {
		m.Charge(1)
		if m.equal(v, x, 0) {
			return Int(int64(i))
		}
	}
	m.Fail(words.Say("This list does not hold {0}.", m.repr(x)))
	return Value{}
}

func insert(m *Machine, recv Value, args []Value, named []Named) Value {
	l := recv.list()
	a := m.Args("insert", args, named, 2, "-i", "-x")
	i := m.number("insert", a[0], Value{})
	m.change(l.frozen, l.busy)
	n := int64(len(l.items))
	if i < 0 {
		i = max(i+n, 0)
	}
	l.push(m, a[1])
	m.Charge(n)
	i = min(i, n)
	copy(l.items[i+1:], l.items[i:n])
	l.items[i] = a[1]
	return None
}

func listPop(m *Machine, recv Value, args []Value, named []Named) Value {
	l := recv.list()
	i := m.Args("pop", args, named, 0, "-i")[0]
	if i.kind == unset {
		i = Int(-1)
	}
	at := m.place(i, int64(len(l.items)))
	m.change(l.frozen, l.busy)
	x := l.items[at]
	m.cut(l, at)
	return x
}

// cut takes an element out of a list; those behind it move.
func (m *Machine) cut(l *list, at int64) {
	m.Charge(int64(len(l.items)) - at)
	l.items = slices.Delete(l.items, int(at), int(at)+1)
}

func remove(m *Machine, recv Value, args []Value, named []Named) Value {
	l := recv.list()
	at, _ := listIndex(m, recv, args, named).AsInt()
	m.change(l.frozen, l.busy)
	m.cut(l, at)
	return None
}

func dictClear(m *Machine, recv Value, args []Value, named []Named) Value {
	d := recv.dict()
	m.Args("clear", args, named, 0)
	m.change(d.frozen, d.busy)
	*d = dict{}
	return None
}

func get(m *Machine, recv Value, args []Value, named []Named) Value {
	a := m.Args("get", args, named, 1, "-key", "-default")
	if e := recv.dict().find(m, a[0]); e != nil {
		return e.value
	}
	if a[1].kind == unset {
		return None
	}
	return a[1]
}

func setdefault(m *Machine, recv Value, args []Value, named []Named) Value {
	a := m.Args("setdefault", args, named, 1, "-key", "-default")
	if e := recv.dict().find(m, a[0]); e != nil {
		return e.value
	}
	if a[1].kind == unset {
		a[1] = None
	}
	recv.dict().set(m, a[0], a[1])
	return a[1]
}

func dictPop(m *Machine, recv Value, args []Value, named []Named) Value {
	a := m.Args("pop", args, named, 1, "-key", "-default")
	if v, ok := recv.dict().remove(m, a[0]); ok {
		return v
	}
	if a[1].kind == unset {
		m.Fail(words.Say("This dict has no key {0}.", m.repr(a[0])))
	}
	return a[1]
}

func updateOf(m *Machine, recv Value, args []Value, named []Named) Value {
	d := recv.dict()
	from := dictOf(m, Value{}, args, named).dict()
	m.update(d, from)
	return None
}

// entries are what a function makes of each entry of a dict.
func (m *Machine) entries(d *dict, each func(e *entry) Value) Value {
	m.elements(int64(d.live))
	out := make([]Value, 0, d.live)
	for i := range d.entries {
		m.Charge(1)
		if d.entries[i].live {
			out = append(out, each(&d.entries[i]))
		}
	}
	return m.newList(out)
}

func keysOf(m *Machine, recv Value, args []Value, named []Named) Value {
	m.Args("keys", args, named, 0)
	return m.entries(recv.dict(), func(e *entry) Value { return e.key })
}

func valuesOf(m *Machine, recv Value, args []Value, named []Named) Value {
	m.Args("values", args, named, 0)
	return m.entries(recv.dict(), func(e *entry) Value { return e.value })
}

func itemsOf(m *Machine, recv Value, args []Value, named []Named) Value {
	m.Args("items", args, named, 0)
	return m.entries(recv.dict(), func(e *entry) Value {
		m.Alloc(2 * size)
		return m.newTuple([]Value{e.key, e.value})
	})
}

func starts(m *Machine, recv Value, args []Value, named []Named) Value {
	s := m.string("startswith", m.Args("startswith", args, named, 1, "-x")[0])
	m.Charge(int64(len(s) / 32))
	return Bool(strings.HasPrefix(recv.text(), s))
}

func ends(m *Machine, recv Value, args []Value, named []Named) Value {
	s := m.string("endswith", m.Args("endswith", args, named, 1, "-x")[0])
	m.Charge(int64(len(s) / 32))
	return Bool(strings.HasSuffix(recv.text(), s))
}

func find(m *Machine, recv Value, args []Value, named []Named) Value {
	s := m.string("find", m.Args("find", args, named, 1, "-x")[0])
	m.Charge(int64(len(recv.text()) / 8))
	return Int(int64(strings.Index(recv.text(), s)))
}

// join adds up what it will take before it takes it.
func join(m *Machine, recv Value, args []Value, named []Named) Value {
	sep := recv.text()
	list := m.Args("join", args, named, 1, "-x")[0]
	n := int64(0)
	pieces := m.gathered(list)
	for i, v := range pieces {
		m.Charge(1)
		if i > 0 {
			n += int64(len(sep))
		}
		n += int64(len(m.string("join", v)))
	}
	m.chars(n)
	out := make([]byte, 0, n)
	for i, v := range pieces {
		if i > 0 {
			out = append(out, sep...)
		}
		out = append(out, v.text()...)
	}
	m.Alloc(n)
	return m.newString(string(out))
}

// split cuts a text at each separator, or at white space.
func split(m *Machine, recv Value, args []Value, named []Named) Value {
	s := recv.text()
	a := m.Args("split", args, named, 0, "-sep")
	m.Charge(int64(len(s) / 8))
	var pieces []string
	if a[0].kind == unset || a[0].kind == noneKind {
		n := 0 // at most as many as there are white spaces, and one
		for _, r := range s {
			if unicode.IsSpace(r) {
				n++
			}
		}
		m.pieces(int64(n) + 1)
		pieces = strings.Fields(s)
	} else {
		sep := m.string("split", a[0])
		if sep == "" {
			m.Fail(words.Say("split needs a separator that is not empty."))
		}
		m.pieces(int64(strings.Count(s, sep)) + 1)
		pieces = strings.Split(s, sep)
	}
	out := make([]Value, len(pieces))
	for i, p := range pieces {
		out[i] = String(p)
	}
	return m.newList(out)
}

// pieces charges strings with their boxes, and the list of them that strings.Split makes.
func (m *Machine) pieces(n int64) {
	m.elements(n)
	m.Alloc(n * 2 * stringSize)
}

func strip(m *Machine, recv Value, args []Value, named []Named) Value {
	m.Args("strip", args, named, 0)
	m.Charge(int64(len(recv.text()) / 8))
	return m.newString(strings.TrimSpace(recv.text()))
}

// replace counts first what it will take.
func replace(m *Machine, recv Value, args []Value, named []Named) Value {
	s := recv.text()
	a := m.Args("replace", args, named, 2, "-old", "-new")
	old, to := m.string("replace", a[0]), m.string("replace", a[1])
	m.Charge(int64(len(s) / 8))
	n := int64(strings.Count(s, old))
	m.chars(product(n, int64(len(to))) + int64(len(s)))
	return m.newString(strings.ReplaceAll(s, old, to))
}

// upper and lower may make a text longer: some letters take up to three bytes where they took two.
func upper(m *Machine, recv Value, args []Value, named []Named) Value {
	m.Args("upper", args, named, 0)
	m.chars(3 * int64(len(recv.text())))
	return m.newString(strings.ToUpper(recv.text()))
}

func lower(m *Machine, recv Value, args []Value, named []Named) Value {
	m.Args("lower", args, named, 0)
	m.chars(3 * int64(len(recv.text())))
	return m.newString(strings.ToLower(recv.text()))
}
