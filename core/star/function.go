package star

import (
	"slices"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"hadarlab/core/words"
)

// code is a compiled function.
type code struct {
	name     string
	at       place // of its def or lambda
	params   []string
	only     int // parameters, the last ones, that are given by name only
	defaults []int
	slots    int   // local variables, parameters first
	cells    []int // those of them that nested functions share
	height   int   // nodes of its tree in one another
	run      func(f *frame)
}

// frame is a call under way.
type frame struct {
	m      *Machine
	slots  []Value
	free   []*cell
	result Value

	chunk, top int // where the room of the caller ended
}

// cell is a shared variable of the frame, or one that its function has closed over.
func (f *frame) cell(free bool, i int) *cell {
	if free {
		return f.free[i]
	}
	return f.slots[i].ref.(*cell)
}

// room is space for values, empty, until the machine's top is set back.
//
// It is charged whether it is there already or not, so that a clone spends what the first machine would have.
func (m *Machine) room(n int) []Value {
	m.Alloc(int64(n) * size)
	for m.chunk < len(m.chunks) && m.top+n > len(m.chunks[m.chunk]) {
		m.chunk, m.top = m.chunk+1, 0
	}
	if m.chunk == len(m.chunks) {
		m.chunks = append(m.chunks, make([]Value, max(n, 256)))
	}
	space := m.chunks[m.chunk][m.top : m.top+n : m.top+n]
	m.top += n
	return space
}

// enter begins a call of a function.
func (m *Machine) enter(c *code, free []*cell) *frame {
	if m.depth == deepest {
		m.Fail(words.Say("Functions call one another more than {0} deep.", deepest))
	}
	if m.height+c.height > highest {
		m.Fail(words.Say("Calls and their expressions are too deep in one another: more than {0} levels.", highest))
	}
	m.Charge(int64(2 + c.slots/8))
	m.depth++
	m.height += c.height
	f := &m.frames[m.depth]
	chunk, top := m.chunk, m.top
	*f = frame{m: m, slots: m.room(c.slots), free: free, chunk: chunk, top: top}
	return f
}

// begin makes cells of the variables that nested functions share, when the parameters have their values.
func (f *frame) begin(c *code) {
	for _, i := range c.cells {
		f.m.Alloc(size)
		f.slots[i] = Value{kind: cellKind, ref: &cell{f.slots[i]}}
	}
}

// leave ends the call and gives its result.
func (m *Machine) leave(c *code) Value {
	f := &m.frames[m.depth]
	v := f.result
	clear(f.slots)
	m.chunk, m.top = f.chunk, f.top
	m.depth--
	m.height -= c.height
	return v
}

// apply calls a value with arguments that are not kept.
func (m *Machine) apply(fn Value, args []Value, named []Named) Value {
	switch fn.kind {
	case functionKind:
	case builtinKind:
		b := fn.ref.(*builtin)
		m.Charge(1)
		return b.do(m, b.recv, args, named)
	default:
		m.Fail(words.Say("{0} cannot be called.", fn.Type()))
	}
	of := fn.ref.(*function)
	c := of.code
	f := m.enter(c, of.free)
	if most := len(c.params) - c.only; len(args) > most {
		m.Fail(tooMany(c.name, most, len(args)))
	}
	copy(f.slots, args)
	m.name(f, c, named)
	if len(args)+len(named) < len(c.params) {
		m.fill(f, of)
	}
	f.begin(c)
	c.run(f)
	return m.leave(c)
}

// name puts arguments that have names in their places.
func (m *Machine) name(f *frame, c *code, named []Named) {
next:
	for _, n := range named {
		for i, p := range c.params {
			m.Charge(1)
			if p != n.Name {
				continue
			}
			if f.slots[i].kind != unset {
				m.Fail(words.Say("{0} gets {1} twice.", c.name, p))
			}
			f.slots[i] = n.Value
			continue next
		}
		m.Fail(noParameter(c.name, n.Name, c.params))
	}
}

// fill gives parameters their defaults.
func (m *Machine) fill(f *frame, of *function) {
	for k, i := range of.code.defaults {
		if f.slots[i].kind == unset {
			f.slots[i] = of.defaults[k]
		}
	}
	for i, p := range of.code.params {
		if f.slots[i].kind == unset {
			m.Fail(words.Say("{0} needs a value for {1}.", of.code.name, p))
		}
	}
}

// function compiles a def or lambda: the expression that makes its value.
func (c *compiler) function(fn *resolve.Function) expr {
	to := &code{name: fn.Name, at: at(fn.Pos), slots: len(fn.Locals), only: fn.NumKwonlyParams}
	var defaults []expr
	for _, p := range fn.Params {
		switch p := p.(type) {
		case *syntax.Ident:
			to.params = append(to.params, p.Name)
		case *syntax.BinaryExpr:
			to.defaults = append(to.defaults, len(to.params))
			to.params = append(to.params, p.X.(*syntax.Ident).Name)
			defaults = append(defaults, c.expr(p.Y))
		case *syntax.UnaryExpr:
			if p.X != nil {
				fail(p.OpPos, words.Say("* and ** in parameters are not part of the language here."))
			}
		}
	}
	for i, l := range fn.Locals {
		if l.Scope == resolve.Cell {
			to.cells = append(to.cells, i)
		}
	}
	inner := &compiler{given: c.given, scope: append(slices.Clip(c.scope), names(fn.Locals)...)}
	body := inner.block(fn.Body)
	to.run = func(f *frame) {
		if body(f) != returns {
			f.result = None
		}
	}
	to.height = height(fn.Body)
	closed := make([]func(f *frame) *cell, len(fn.FreeVars))
	for i, b := range fn.FreeVars {
		free, at := b.Scope == resolve.Free, b.Index
		closed[i] = func(f *frame) *cell { return f.cell(free, at) }
	}
	c.cost += int64(len(defaults) + len(closed))
	return func(f *frame) Value {
		f.m.Alloc(int64(listSize + len(defaults)*size + len(closed)*8))
		of := &function{code: to, defaults: make([]Value, len(defaults)), free: make([]*cell, len(closed))}
		for i, d := range defaults {
			of.defaults[i] = d(f)
		}
		for i, free := range closed {
			of.free[i] = free(f)
		}
		return Value{kind: functionKind, ref: of}
	}
}

// clauses are how many loops and conditions in one another a comprehension stands for.
func clauses(n syntax.Node) int {
	if c, ok := n.(*syntax.Comprehension); ok {
		return len(c.Clauses)
	}
	return 0
}

// height is how many nodes of a function's tree are in one another.
func height(body []syntax.Stmt) int {
	high := 0
	for _, s := range body {
		deep := 0
		syntax.Walk(s, func(n syntax.Node) bool {
			if n == nil {
				deep--
				return false
			}
			deep++
			high = max(high, deep+clauses(n))
			return true
		})
	}
	return high + 2
}
