package star

import (
	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"hadarlab/core/words"
)

// flow is where it goes on after a statement.
type flow uint8

const (
	next flow = iota
	breaks
	continues
	returns
)

// stmt is a compiled statement. It charges its steps when it begins.
type stmt func(f *frame) flow

// taken is the cost of what has been compiled since the last time.
func (c *compiler) taken() int64 {
	cost := c.cost + 1
	c.cost = 0
	return cost
}

// block compiles statements that follow one another.
func (c *compiler) block(list []syntax.Stmt) stmt {
	all := make([]stmt, len(list))
	for i, s := range list {
		all[i] = c.stmt(s)
	}
	if len(all) == 1 {
		return all[0]
	}
	return func(f *frame) flow {
		for _, s := range all {
			if to := s(f); to != next {
				return to
			}
		}
		return next
	}
}

func (c *compiler) stmt(s syntax.Stmt) stmt {
	p := at(start(s))
	switch s := s.(type) {
	case *syntax.ExprStmt:
		x := c.expr(s.X)
		cost := c.taken()
		return func(f *frame) flow {
			f.m.at = p
			f.m.Charge(cost)
			x(f)
			return next
		}
	case *syntax.BranchStmt:
		to := map[syntax.Token]flow{syntax.BREAK: breaks, syntax.CONTINUE: continues, syntax.PASS: next}[s.Token]
		return func(f *frame) flow {
			f.m.at = p
			f.m.Charge(1)
			return to
		}
	case *syntax.ReturnStmt:
		if s.Return.Line == 0 && s.Result != nil { // of a lambda or formula
			p = at(start(s.Result))
		}
		x := func(*frame) Value { return None }
		if s.Result != nil {
			x = c.expr(s.Result)
		}
		cost := c.taken()
		return func(f *frame) flow {
			f.m.at = p
			f.m.Charge(cost)
			f.result = x(f)
			f.m.at = p // whoever called may not want it
			return returns
		}
	case *syntax.DefStmt:
		x := c.function(s.Function.(*resolve.Function))
		set := c.assign(s.Name)
		cost := c.taken()
		return func(f *frame) flow {
			f.m.at = p
			f.m.Charge(cost)
			set(f, x(f))
			return next
		}
	case *syntax.AssignStmt:
		return c.assignment(s, p)
	case *syntax.IfStmt:
		cond := c.expr(s.Cond)
		cost := c.taken()
		yes, no := c.block(s.True), c.block(s.False)
		return func(f *frame) flow {
			f.m.at = p
			f.m.Charge(cost)
			if cond(f).Truth() {
				return yes(f)
			}
			return no(f)
		}
	case *syntax.WhileStmt:
		cond := c.expr(s.Cond)
		cost := c.taken()
		body := c.block(s.Body)
		return func(f *frame) flow {
			for {
				f.m.at = p
				f.m.Charge(cost)
				if !cond(f).Truth() {
					return next
				}
				switch body(f) {
				case breaks:
					return next
				case returns:
					return returns
				}
			}
		}
	case *syntax.ForStmt:
		over := c.expr(s.X)
		cost := c.taken()
		set := c.assign(s.Vars)
		turn := c.taken()
		body := c.block(s.Body)
		return func(f *frame) flow {
			f.m.at = p
			f.m.Charge(cost)
			v := over(f)
			f.m.at = p
			it := f.m.iterate(v)
			for it.next() {
				f.m.at = p
				f.m.Charge(turn)
				set(f, it.value)
				switch body(f) {
				case breaks:
					it.done()
					return next
				case returns:
					it.done()
					return returns
				}
			}
			it.done()
			return next
		}
	}
	fail(start(s), words.Say("This statement is not part of the language here."))
	return nil
}

// assign compiles the left side of an assignment.
func (c *compiler) assign(to syntax.Expr) func(f *frame, v Value) {
	c.cost++
	switch to := to.(type) {
	case *syntax.ParenExpr:
		c.cost--
		return c.assign(to.X)
	case *syntax.Ident:
		b := to.Binding.(*resolve.Binding)
		i := b.Index
		switch b.Scope {
		case resolve.Local:
			return func(f *frame, v Value) { f.slots[i] = v }
		case resolve.Global:
			return func(f *frame, v Value) { f.m.globals[i] = v }
		}
		free := b.Scope == resolve.Free
		return func(f *frame, v Value) { f.cell(free, i).v = v }
	case *syntax.IndexExpr:
		of, at, p := c.expr(to.X), c.expr(to.Y), at(to.Lbrack)
		return func(f *frame, v Value) {
			x, i := of(f), at(f)
			f.m.at = p
			f.m.setIndex(x, i, v)
		}
	case *syntax.TupleExpr:
		return c.several(to.List, start(to))
	case *syntax.ListExpr:
		return c.several(to.List, start(to))
	case *syntax.DotExpr:
		fail(to.Name.NamePos,
			words.Say("Attributes cannot be assigned: nothing in a program changes the host's objects."))
	}
	fail(start(to), words.Say("This cannot be assigned to."))
	return nil
}

// several compiles an assignment to as many places as the value has elements.
func (c *compiler) several(list []syntax.Expr, start syntax.Position) func(f *frame, v Value) {
	p := at(start)
	var sets []func(f *frame, v Value)
	for _, to := range list {
		sets = append(sets, c.assign(to))
	}
	return func(f *frame, v Value) {
		f.m.at = p
		if n := f.m.length(v); v.kind == stringKind || n != int64(len(sets)) {
			f.m.at = p
			f.m.Fail(words.Say("{0} names stand for the {1} elements of this {2}.", len(sets), n, v.Type()))
		}
		it := f.m.iterate(v)
		for i := 0; it.next(); i++ {
			sets[i](f, it.value)
		}
		it.done()
	}
}

// assignment compiles = and the assignments with an operator, whose place is evaluated once.
func (c *compiler) assignment(s *syntax.AssignStmt, p place) stmt {
	if s.Op == syntax.EQ {
		x, set := c.expr(s.RHS), c.assign(s.LHS)
		cost := c.taken()
		return func(f *frame) flow {
			f.m.at = p
			f.m.Charge(cost)
			set(f, x(f))
			return next
		}
	}
	op, opAt := s.Op-syntax.PLUS_EQ+syntax.PLUS, at(s.OpPos)
	to := s.LHS
	for {
		paren, ok := to.(*syntax.ParenExpr)
		if !ok {
			break
		}
		to = paren.X
	}
	y := c.expr(s.RHS)
	switch to := to.(type) {
	case *syntax.Ident:
		// The name's own binding has its scope: reading it is as any other use.
		x, set := c.expr(to), c.assign(to)
		cost := c.taken()
		return func(f *frame) flow {
			f.m.at = p
			f.m.Charge(cost)
			v := x(f)
			w := y(f)
			f.m.at = opAt
			set(f, f.m.augment(op, v, w))
			return next
		}
	case *syntax.IndexExpr:
		of, i := c.expr(to.X), c.expr(to.Y)
		cost := c.taken()
		return func(f *frame) flow {
			f.m.at = p
			f.m.Charge(cost)
			list, k := of(f), i(f)
			f.m.at = opAt
			v := f.m.index(list, k)
			w := y(f)
			f.m.at = opAt
			f.m.setIndex(list, k, f.m.augment(op, v, w))
			return next
		}
	}
	fail(start(s.LHS), words.Say("This cannot be assigned to."))
	return nil
}

// comprehension compiles one of a list or dict: its clauses are loops in one another, and each turn charges what it
// does.
func (c *compiler) comprehension(x *syntax.Comprehension) expr {
	outer := c.cost
	c.cost = 0
	var body func(f *frame, to Value)
	if e, ok := x.Body.(*syntax.DictEntry); ok {
		key, value, p := c.expr(e.Key), c.expr(e.Value), at(e.Colon)
		body = func(f *frame, to Value) {
			k, v := key(f), value(f)
			f.m.at = p
			to.dict().set(f.m, k, v)
		}
	} else if x.Curly {
		fail(x.Lbrack, words.Say("Sets are not part of the language here."))
	} else {
		item := c.expr(x.Body)
		body = func(f *frame, to Value) { to.list().push(f.m, item(f)) }
	}
	for i := len(x.Clauses) - 1; i >= 0; i-- {
		inner := body
		switch clause := x.Clauses[i].(type) {
		case *syntax.IfClause:
			cost := c.taken() // of what is done where the condition holds
			cond := c.expr(clause.Cond)
			body = func(f *frame, to Value) {
				if cond(f).Truth() {
					f.m.Charge(cost)
					inner(f, to)
				}
			}
		case *syntax.ForClause:
			p := at(clause.For)
			set := c.assign(clause.Vars)
			cost := c.taken()
			over := c.expr(clause.X)
			body = func(f *frame, to Value) {
				v := over(f)
				f.m.at = p
				it := f.m.iterate(v)
				for it.next() {
					f.m.at = p
					f.m.Charge(cost)
					set(f, it.value)
					inner(f, to)
				}
				it.done()
			}
		}
	}
	c.cost += outer
	curly := x.Curly
	return func(f *frame) Value {
		var to Value
		if curly {
			f.m.Alloc(dictSize)
			to = Value{kind: dictKind, ref: &dict{}}
		} else {
			to = f.m.newList(nil)
		}
		body(f, to)
		return to
	}
}
