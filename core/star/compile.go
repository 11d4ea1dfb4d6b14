package star

import (
	"math/big"
	"slices"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"hadarlab/core/words"
)

// Longest is how many bytes a program may have, and Nested how many nodes of its tree may be in one another.
const (
	Longest = 64 << 10
	Nested  = 200
)

// Program is a program that can be run; it never changes.
type Program struct {
	main    *code
	globals []string
}

// Globals are the names that the program assigns outside of functions.
func (p *Program) Globals() []string { return p.globals }

// Compile reads a program. given are the names that it is given beside the language's own. An error is an *Error at
// the first place that is wrong.
func Compile(src string, given ...string) (*Program, error) {
	if err := tooLong(src); err != nil {
		return nil, err
	}
	file, err := dialect.Parse("", src, 0)
	if err != nil {
		return nil, syntaxError(src, err)
	}
	return compile(file, given)
}

// Formula reads one expression over named parameters, as a program with a function of that name.
func Formula(name, src string, params ...string) (*Program, error) {
	if err := tooLong(src); err != nil {
		return nil, err
	}
	x, err := dialect.ParseExpr("", src, 0)
	if err != nil {
		return nil, syntaxError(src, err)
	}
	def := &syntax.DefStmt{Name: &syntax.Ident{Name: name}, Body: []syntax.Stmt{&syntax.ReturnStmt{Result: x}}}
	for _, p := range params {
		def.Params = append(def.Params, &syntax.Ident{Name: p})
	}
	return compile(&syntax.File{Stmts: []syntax.Stmt{def}, Options: &dialect}, nil)
}

var dialect = syntax.FileOptions{While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}

func tooLong(src string) error {
	if len(src) > Longest {
		return &Error{Reason: words.Say("The program has {0} bytes; it may have {1}.", len(src), Longest)}
	}
	return nil
}

// compile makes closures of a tree.
func compile(file *syntax.File, given []string) (p *Program, err error) {
	c := &compiler{given: given}
	defer func() {
		if r := recover(); r != nil {
			e, ours := r.(*Error)
			if !ours {
				panic(r)
			}
			p, err = nil, e
		}
	}()
	c.shallow(file) // before anything recurs over it
	if err := resolve.File(file, func(name string) bool { return c.index(name) >= 0 },
		func(string) bool { return true }); err != nil { // of names that stand for nothing ident tells
		return nil, resolveError(err)
	}
	module := file.Module.(*resolve.Module)
	c.scope = append(names(module.Globals), names(module.Locals)...)
	p = &Program{main: &code{name: "the program", slots: len(module.Locals), height: Nested}}
	for _, g := range module.Globals {
		p.globals = append(p.globals, g.First.Name)
	}
	for i, l := range module.Locals {
		if l.Scope == resolve.Cell {
			p.main.cells = append(p.main.cells, i)
		}
	}
	body := c.block(file.Stmts)
	p.main.run = func(f *frame) { body(f) }
	return p, nil
}

// compiler makes closures, and counts the nodes of the statement at hand.
type compiler struct {
	given []string
	scope []string // the program's own names here
	cost  int64
}

func (c *compiler) index(name string) int {
	for i, g := range c.given {
		if g == name {
			return i
		}
	}
	return -1
}

func fail(at syntax.Position, reason words.Text) {
	panic(&Error{Line: int(at.Line), Col: int(at.Col), Reason: reason})
}

// shallow refuses trees that are too high for those who recur over them.
func (c *compiler) shallow(n syntax.Node) {
	deep := 0
	syntax.Walk(n, func(n syntax.Node) bool {
		if n == nil {
			deep--
			return false
		}
		if deep++; deep+clauses(n) > Nested {
			fail(start(n), words.Say("More than {0} expressions and statements are in one another here.", Nested))
		}
		return true
	})
}

// start is where a node begins; it goes down the left side of a tree without recursion.
func start(n syntax.Node) syntax.Position {
	for {
		switch x := n.(type) {
		case *syntax.BinaryExpr:
			n = x.X
		case *syntax.CallExpr:
			n = x.Fn
		case *syntax.DotExpr:
			n = x.X
		case *syntax.IndexExpr:
			n = x.X
		case *syntax.SliceExpr:
			n = x.X
		case *syntax.CondExpr:
			n = x.True
		case *syntax.AssignStmt:
			n = x.LHS
		case *syntax.ExprStmt:
			n = x.X
		case *syntax.DictEntry:
			n = x.Key
		case *syntax.TupleExpr:
			if x.Lparen.IsValid() || len(x.List) == 0 {
				return x.Lparen
			}
			n = x.List[0]
		default:
			return first(n)
		}
	}
}

// first is the place of a node that has one of its own.
func first(n syntax.Node) syntax.Position {
	switch x := n.(type) {
	case *syntax.Ident:
		return x.NamePos
	case *syntax.Literal:
		return x.TokenPos
	case *syntax.ParenExpr:
		return x.Lparen
	case *syntax.ListExpr:
		return x.Lbrack
	case *syntax.DictExpr:
		return x.Lbrace
	case *syntax.Comprehension:
		return x.Lbrack
	case *syntax.UnaryExpr:
		return x.OpPos
	case *syntax.LambdaExpr:
		return x.Lambda
	case *syntax.DefStmt:
		return x.Def
	case *syntax.IfStmt:
		return x.If
	case *syntax.ForStmt:
		return x.For
	case *syntax.WhileStmt:
		return x.While
	case *syntax.ReturnStmt:
		return x.Return
	case *syntax.BranchStmt:
		return x.TokenPos
	case *syntax.LoadStmt:
		return x.Load
	case *syntax.ForClause:
		return x.For
	case *syntax.IfClause:
		return x.If
	}
	return syntax.Position{}
}

func at(p syntax.Position) place { return place{p.Line, p.Col} }

// expr is a compiled expression.
type expr func(f *frame) Value

// exprs compiles a list of expressions.
func (c *compiler) exprs(list []syntax.Expr) []expr {
	out := make([]expr, len(list))
	for i, x := range list {
		out[i] = c.expr(x)
	}
	return out
}

// expr compiles an expression. What it costs is charged by the statement that it stands in.
func (c *compiler) expr(x syntax.Expr) expr {
	c.cost++
	switch x := x.(type) {
	case *syntax.Ident:
		return c.ident(x)
	case *syntax.Literal:
		return c.literal(x)
	case *syntax.ParenExpr:
		c.cost--
		return c.expr(x.X)
	case *syntax.ListExpr:
		return c.sequence(x.List, (*Machine).newList)
	case *syntax.TupleExpr:
		return c.sequence(x.List, (*Machine).newTuple)
	case *syntax.DictExpr:
		return c.dict(x)
	case *syntax.Comprehension:
		return c.comprehension(x)
	case *syntax.CondExpr:
		cond, yes, no := c.expr(x.Cond), c.expr(x.True), c.expr(x.False)
		return func(f *frame) Value {
			if cond(f).Truth() {
				return yes(f)
			}
			return no(f)
		}
	case *syntax.IndexExpr:
		of, i, p := c.expr(x.X), c.expr(x.Y), at(x.Lbrack)
		return func(f *frame) Value {
			v, k := of(f), i(f)
			f.m.at = p
			return f.m.index(v, k)
		}
	case *syntax.SliceExpr:
		of, p := c.expr(x.X), at(x.Lbrack)
		var parts [3]expr
		for i, e := range []syntax.Expr{x.Lo, x.Hi, x.Step} {
			if parts[i] = func(*frame) Value { return None }; e != nil {
				parts[i] = c.expr(e)
			}
		}
		return func(f *frame) Value {
			v, lo, hi, step := of(f), parts[0](f), parts[1](f), parts[2](f)
			f.m.at = p
			return f.m.slices(v, lo, hi, step)
		}
	case *syntax.UnaryExpr:
		return c.unary(x)
	case *syntax.BinaryExpr:
		return c.binary(x)
	case *syntax.DotExpr:
		of, name, p := c.expr(x.X), x.Name.Name, at(x.NamePos)
		if x.NamePos.Line == 0 {
			p = at(x.Name.NamePos)
		}
		return func(f *frame) Value {
			v := of(f)
			if v.kind == hostKind {
				if a, ok := v.ref.(Host).Attr(name); ok {
					return a
				}
			}
			f.m.at = p
			return f.m.attr(v, name)
		}
	case *syntax.CallExpr:
		return c.call(x)
	case *syntax.LambdaExpr:
		return c.function(x.Function.(*resolve.Function))
	}
	fail(start(x), words.Say("This expression is not part of the language here."))
	return nil
}

// sequence compiles a list or tuple.
func (c *compiler) sequence(list []syntax.Expr, box func(*Machine, []Value) Value) expr {
	items := c.exprs(list)
	return func(f *frame) Value {
		f.m.elements(int64(len(items)))
		values := make([]Value, len(items))
		for i, x := range items {
			values[i] = x(f)
		}
		return box(f.m, values)
	}
}

func (c *compiler) dict(x *syntax.DictExpr) expr {
	type pair struct {
		key, value expr
		at         place
	}
	var pairs []pair
	for _, e := range x.List {
		e := e.(*syntax.DictEntry)
		pairs = append(pairs, pair{c.expr(e.Key), c.expr(e.Value), at(e.Colon)})
	}
	return func(f *frame) Value {
		f.m.Alloc(dictSize)
		d := &dict{}
		for i := range pairs {
			k, v := pairs[i].key(f), pairs[i].value(f)
			f.m.at = pairs[i].at
			if d.set(f.m, k, v); d.live == i {
				f.m.Fail(words.Say("The key {0} stands twice in this dict.", f.m.repr(k)))
			}
		}
		return Value{kind: dictKind, ref: d}
	}
}

// ident compiles a name.
func (c *compiler) ident(x *syntax.Ident) expr {
	b, p, name := x.Binding.(*resolve.Binding), at(x.NamePos), x.Name
	i := b.Index
	says := words.Say("{0} has no value yet.", name)
	if first := slices.Index(c.scope, name); first >= 0 && slices.Contains(c.scope[first+1:], name) {
		says = words.Say("{0} {1}", says, words.Say("A name that a function assigns is its own, and not the one outside."))
	}
	unassigned := func(f *frame) {
		f.m.at = p
		f.m.Fail(says)
	}
	switch b.Scope {
	case resolve.Local:
		return func(f *frame) Value {
			v := f.slots[i]
			if v.kind == unset {
				unassigned(f)
			}
			return v
		}
	case resolve.Cell, resolve.Free:
		free := b.Scope == resolve.Free
		return func(f *frame) Value {
			v := f.cell(free, i).v
			if v.kind == unset {
				unassigned(f)
			}
			return v
		}
	case resolve.Global:
		return func(f *frame) Value {
			v := f.m.globals[i]
			if v.kind == unset {
				unassigned(f)
			}
			return v
		}
	case resolve.Predeclared:
		i = c.index(name)
		return func(f *frame) Value { return f.m.given[i] }
	}
	v, is := universe[name]
	if !is {
		fail(x.NamePos, c.noName(name))
	}
	return func(*frame) Value { return v }
}

func (c *compiler) literal(x *syntax.Literal) expr {
	var v Value
	switch l := x.Value.(type) {
	case int64:
		v = Int(l)
	case float64:
		if l-l != 0 {
			fail(x.TokenPos, words.Say("This number is too large."))
		}
		v = Float(l)
	case string:
		if x.Token == syntax.BYTES {
			fail(x.TokenPos, words.Say("Bytes are not part of the language here; take a string."))
		}
		v = String(l)
	case *big.Int:
		fail(x.TokenPos, words.Say("Whole numbers have 64 bits here, and {0} has more.", x.Raw))
	}
	return func(*frame) Value { return v }
}

func (c *compiler) unary(x *syntax.UnaryExpr) expr {
	of, p := c.expr(x.X), at(x.OpPos)
	if x.Op == syntax.NOT {
		return func(f *frame) Value { return Bool(!of(f).Truth()) }
	}
	op := x.Op
	return func(f *frame) Value {
		v := of(f)
		f.m.at = p
		return f.m.unary(op, v)
	}
}

// binary compiles an operation. Of two floats, and of two whole numbers where nothing can overflow, it is done in
// place.
func (c *compiler) binary(x *syntax.BinaryExpr) expr {
	a, b, p, op := c.expr(x.X), c.expr(x.Y), at(x.OpPos), x.Op
	switch op {
	case syntax.AND:
		return func(f *frame) Value {
			if v := a(f); !v.Truth() {
				return v
			}
			return b(f)
		}
	case syntax.OR:
		return func(f *frame) Value {
			if v := a(f); v.Truth() {
				return v
			}
			return b(f)
		}
	case syntax.EQL, syntax.NEQ:
		want := op == syntax.EQL
		return func(f *frame) Value {
			v, w := a(f), b(f)
			f.m.at = p
			return Bool(f.m.equal(v, w, 0) == want)
		}
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		return func(f *frame) Value {
			v, w := a(f), b(f)
			f.m.at = p
			return Bool(holds(op, f.m.compare(v, w, 0)))
		}
	}
	if float := floatOp(op); float != nil {
		return func(f *frame) Value {
			v, w := a(f), b(f)
			f.m.at = p
			if v.kind == floatKind && w.kind == floatKind {
				return f.m.finite(float(v.float(), w.float()))
			}
			return f.m.binary(op, v, w)
		}
	}
	return func(f *frame) Value {
		v, w := a(f), b(f)
		f.m.at = p
		return f.m.binary(op, v, w)
	}
}

// floatOp is an operation on floats that cannot fail but by its result.
func floatOp(op syntax.Token) func(x, y float64) float64 {
	switch op {
	case syntax.PLUS:
		return func(x, y float64) float64 { return x + y }
	case syntax.MINUS:
		return func(x, y float64) float64 { return x - y }
	case syntax.STAR:
		return func(x, y float64) float64 { return x * y }
	}
	return nil
}

// holds says whether a comparison is true, of what is less (-1), equal (0) or greater.
func holds(op syntax.Token, c int) bool {
	switch op {
	case syntax.LT:
		return c < 0
	case syntax.LE:
		return c <= 0
	case syntax.GT:
		return c > 0
	}
	return c >= 0
}

// call compiles a call. Arguments are evaluated into room that the machine keeps, as local variables are.
func (c *compiler) call(x *syntax.CallExpr) expr {
	p := at(x.Lparen)
	var fn, of expr
	var name string
	var methods methods
	if dot, ok := x.Fn.(*syntax.DotExpr); ok { // a method is called without being made a value first
		c.cost++
		of, name, methods = c.expr(dot.X), dot.Name.Name, methodsNamed(dot.Name.Name)
		p = at(dot.Name.NamePos)
	} else {
		fn = c.expr(x.Fn)
	}
	var args []expr
	var names []string
	for _, a := range x.Args {
		switch a := a.(type) {
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				fail(a.OpPos, words.Say("* and ** in calls are not part of the language here."))
			}
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ {
				names = append(names, a.X.(*syntax.Ident).Name)
				args = append(args, c.expr(a.Y))
				continue
			}
		}
		args = append(args, c.expr(a))
	}
	plain := len(args) - len(names)
	c.cost += 2
	return func(f *frame) Value {
		m := f.m
		var callee, recv Value
		if of == nil {
			callee = fn(f)
		} else {
			recv = of(f)
		}
		chunk, top := m.chunk, m.top
		room := m.room(len(args))
		for i, a := range args {
			room[i] = a(f)
		}
		m.at = p
		var named []Named
		if len(names) > 0 {
			m.Alloc(int64(len(names)) * (size + 16))
			named = make([]Named, len(names))
			for i, n := range names {
				named[i] = Named{n, room[plain+i]}
			}
		}
		var v Value
		switch {
		case of == nil:
			v = m.apply(callee, room[:plain], named)
		case methods.of(recv.kind) != nil:
			v = methods.of(recv.kind)(m, recv, room[:plain], named)
		default:
			v = m.apply(m.attr(recv, name), room[:plain], named)
		}
		clear(room)
		m.chunk, m.top = chunk, top
		return v
	}
}
