package star

import (
	"math"
	"strconv"

	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Budget is what may be spent, or has been.
type Budget struct {
	Steps int64 // doc.go says what a step is
	Bytes int64 // allocated, free again or not
}

// Limit is the budget that a program went over.
type Limit string

// The limits of a call and of all calls of a run together.
const (
	CallSteps Limit = "steps a call"
	CallBytes Limit = "bytes a call"
	RunSteps  Limit = "steps a run"
	RunBytes  Limit = "bytes a run"
)

// Error is why a program ended, and where.
type Error struct {
	Line, Col int // from 1; 0 = of no place in the program
	Reason    words.Text
	Over      Limit // "" = for another reason than a budget
}

// Error is the place and the reason in English.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Reason.String()
	}
	return strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Col) + ": " + e.Reason.String()
}

const (
	deepest = 200  // calls in one another
	highest = 3000 // nodes of the tree in one another, over all these calls: the host's stack is short
	nesting = 100  // lists in one another, where values are compared, written or kept
	turn    = 4096 // steps between two times at which the pace is told
)

// Options are how a program is run.
type Options struct {
	Setup Budget // of the program's own statements; the zero value = as of a call
	Call  Budget // of each call
	Run   Budget // of all of them together
	Pace  unit.Pace
	Print func(m *Machine, line int, text string) // what print says; nil = nobody hears it
}

// Machine runs one program. It is used by one goroutine at a time.
type Machine struct {
	Host    any // of whoever runs it: what its builtins and Print ask for
	program *Program
	given   []Value
	globals []Value
	options Options

	slice   int64  // steps until more is asked
	reserve int64  // steps that the call still has, beyond the slice
	bytes   int64  // that the call still has
	call    Budget // what the call began with
	spent   Budget // of the run, before the call

	at     place // of what is being done
	frames [deepest + 1]frame
	depth  int
	height int
	chunks [][]Value // room for local variables
	chunk  int
	top    int
}

// place is where in a program something stands.
type place struct{ line, col int32 }

// Fail ends the call with a reason, at the place that is being evaluated.
func (m *Machine) Fail(reason words.Text) {
	panic(&Error{Line: int(m.at.line), Col: int(m.at.col), Reason: reason})
}

// Refused is an error of what the last call returned, at the statement that returned it.
func (m *Machine) Refused(reason words.Text) error {
	return &Error{Line: int(m.at.line), Col: int(m.at.col), Reason: reason}
}

// Line is the line of the program that is being evaluated.
func (m *Machine) Line() int { return int(m.at.line) }

// Charge takes steps from the budget before they are done. It ends the call if there are not as many.
func (m *Machine) Charge(steps int64) {
	if m.slice -= steps; m.slice < 0 {
		m.more()
	}
}

// more takes another slice from the call's steps, and lets others have their turn.
func (m *Machine) more() {
	if m.reserve+m.slice < 0 {
		over, most := CallSteps, m.options.Call.Steps
		if m.call.Steps < most {
			over, most = RunSteps, m.options.Run.Steps
		}
		m.reserve, m.slice = 0, 0
		m.over(over, most)
	}
	take := min(m.reserve, turn-m.slice)
	m.reserve -= take
	m.slice += take
	m.options.Pace.Did(int(take))
}

// Alloc takes bytes from the budget before they are allocated. It ends the call if there are not as many.
func (m *Machine) Alloc(bytes int64) {
	if m.bytes -= bytes; m.bytes < 0 {
		over, most := CallBytes, m.options.Call.Bytes
		if m.call.Bytes < most {
			over, most = RunBytes, m.options.Run.Bytes
		}
		m.bytes = 0
		m.over(over, most)
	}
}

func (m *Machine) over(limit Limit, most int64) {
	reasons := map[Limit]words.Text{
		CallSteps: words.Say("The program takes more than {0} steps in one call.", most),
		CallBytes: words.Say("The program takes more than {0} bytes of memory in one call.", most),
		RunSteps:  words.Say("The program takes more than {0} steps in the whole run.", most),
		RunBytes:  words.Say("The program takes more than {0} bytes of memory in the whole run.", most),
	}
	panic(&Error{Line: int(m.at.line), Col: int(m.at.col), Reason: reasons[limit], Over: limit})
}

// elements charges elements that are made room for and filled.
func (m *Machine) elements(n int64) {
	if n > math.MaxInt64/size/2 {
		n = math.MaxInt64 / size / 2
	}
	m.Alloc(n * size)
	m.Charge(n)
}

// chars charges the bytes of a text that is made.
func (m *Machine) chars(n int64) {
	m.Alloc(n)
	m.Charge(n / 32)
}

// nested makes sure that lists are not too deep in one another.
func (m *Machine) nested(deep int) {
	if deep > nesting {
		m.Fail(words.Say("Lists, tuples and dicts are more than {0} deep in one another here.", nesting))
	}
}

// Start runs a program's own statements, which give its functions and constants. What they leave is frozen: from then
// on nothing but the values that functions return goes from call to call. given are the values of the names that the
// program was compiled with, in their order.
func (p *Program) Start(o Options, given ...Value) (*Machine, error) {
	m := &Machine{program: p, options: o, given: given, globals: make([]Value, len(p.globals))}
	if o.Setup != (Budget{}) {
		m.options.Call = o.Setup
	}
	err := m.spend(func() {
		m.freeze(given...)
		f := m.enter(p.main, nil)
		f.begin(p.main)
		p.main.run(f)
		m.leave(p.main)
		m.freeze(m.globals...)
	})
	m.options.Call = o.Call
	return m, err
}

// Global is what a name that the program has assigned stands for.
func (m *Machine) Global(name string) (Value, bool) {
	for i, g := range m.program.globals {
		if g == name {
			return m.globals[i], m.globals[i].kind != unset
		}
	}
	return Value{}, false
}

// Call calls a function with arguments, which are frozen. An error is an *Error.
func (m *Machine) Call(fn Value, args ...Value) (v Value, err error) {
	err = m.spend(func() {
		m.freeze(args...)
		if f, ok := fn.ref.(*function); ok {
			m.at = f.code.at
		}
		v = m.apply(fn, args, nil)
	})
	return v, err
}

// spend does something on a call's budget.
func (m *Machine) spend(do func()) (err error) {
	o := &m.options
	m.call = Budget{min(o.Call.Steps, o.Run.Steps-m.spent.Steps), min(o.Call.Bytes, o.Run.Bytes-m.spent.Bytes)}
	m.slice, m.reserve, m.bytes = 0, m.call.Steps, m.call.Bytes
	m.at, m.depth, m.height, m.chunk, m.top = place{}, 0, 0, 0, 0
	defer func() {
		m.spent = m.Spent()
		m.call, m.slice, m.reserve, m.bytes = Budget{}, 0, 0, 0
		if r := recover(); r != nil {
			e, ours := r.(*Error)
			if !ours {
				panic(r)
			}
			err = e
		}
	}()
	do()
	return nil
}

// Spent is what all calls have taken so far.
func (m *Machine) Spent() Budget {
	return Budget{m.spent.Steps + m.call.Steps - m.reserve - m.slice, m.spent.Bytes + m.call.Bytes - m.bytes}
}

// Clone is a machine that goes on from here by itself: it shares what is frozen, and has another host.
func (m *Machine) Clone(host any) *Machine {
	return &Machine{Host: host, program: m.program, options: m.options, given: m.given, globals: m.globals,
		spent: m.spent}
}

// Keep is a copy of a value that a function returned, frozen, with its size in bytes: what may be handed to later
// calls, and shared. An error is at the statement that returned it. It charges the call that is under way, or else one
// of its own, and fails for what a program cannot keep: functions and the host's objects.
func (m *Machine) Keep(v Value) (kept Value, bytes int64, err error) {
	at := m.at
	err = m.spend(func() {
		m.at = at
		before := m.bytes
		kept = m.copy(v, 0)
		bytes = before - m.bytes
	})
	return kept, bytes, err
}

// copy is a frozen copy of a value.
func (m *Machine) copy(v Value, deep int) Value {
	m.Charge(1)
	switch v.kind {
	case noneKind, boolKind, intKind, floatKind, rangeKind:
		m.Alloc(size)
		return v
	case stringKind:
		m.Alloc(size + stringSize + int64(len(v.text())))
		m.Charge(int64(len(v.text()) / 32))
		return String(string(append([]byte(nil), v.text()...))) // not a piece of a longer text
	case listKind, tupleKind:
		m.nested(deep)
		items := v.list().items
		m.Alloc(size + listSize)
		m.Alloc(int64(len(items)) * size)
		to := make([]Value, len(items))
		for i, x := range items {
			to[i] = m.copy(x, deep+1)
		}
		return Value{kind: v.kind, ref: &list{items: to, frozen: true, seen: true}}
	case dictKind:
		m.nested(deep)
		m.Alloc(size + dictSize)
		d := &dict{}
		for _, e := range v.dict().entries {
			if e.live {
				d.set(m, m.copy(e.key, deep+1), m.copy(e.value, deep+1))
			}
		}
		d.frozen = true
		return Value{kind: dictKind, ref: d}
	}
	m.Fail(words.Say("A value of type {0} cannot be kept from one call to the next.", v.Type()))
	return Value{}
}
