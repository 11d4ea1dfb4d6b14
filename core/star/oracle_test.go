package star

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// plenty is more than any program of these tests takes.
var plenty = Options{Call: Budget{1e6, 16 << 20}, Run: Budget{1e9, 1 << 40}}

// ours is what a program prints and its main() returns, as it is written, or why it ends early.
func ours(src string, o Options) (printed string, err error) {
	var log strings.Builder
	o.Print = func(_ *Machine, _ int, text string) { log.WriteString(text + "\n") }
	result, err := result(src, o)
	return log.String() + result, err
}

func result(src string, o Options) (string, error) {
	p, err := Compile(src)
	if err != nil {
		return "", err
	}
	m, err := p.Start(o)
	if err != nil {
		return "", err
	}
	f, ok := m.Global("main")
	if !ok {
		return "", fmt.Errorf("no main")
	}
	v, err := m.Call(f)
	if err != nil {
		return "", err
	}
	return text(m, v)
}

// text is a value as it is written.
func text(m *Machine, v Value) (s string, err error) {
	err = m.spend(func() {
		w := writer{m: m}
		w.write(v, 0)
		s = string(w.out)
	})
	return s, err
}

// theirs is the same by the published interpreter.
func theirs(src string) (string, error) {
	opts := &syntax.FileOptions{While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}
	var log strings.Builder
	thread := &starlark.Thread{Print: func(_ *starlark.Thread, text string) { log.WriteString(text + "\n") }}
	thread.SetMaxExecutionSteps(1e5)
	total := `
def sum(x, start = 0):
    for y in x:
        start = start + y
    return start
`
	globals, err := starlark.ExecFileOptions(opts, thread, "", total+src, nil)
	if err != nil {
		return log.String(), err
	}
	v, err := starlark.Call(thread, globals["main"], nil, nil)
	if err != nil {
		return log.String(), err
	}
	return log.String() + v.String(), nil
}

// narrower says whether our program failed for what is a limit of ours and no other meaning: 64 bits, finite numbers,
// the budget, and keys that cannot be.
func narrower(err error) bool {
	for _, s := range []string{"64 bits", "not a finite number", "takes more than", "cannot be a key", "of a slice are",
		"deep in one another"} {
		if strings.Contains(err.Error(), s) {
			return true
		}
	}
	return false
}

// author writes random programs of the subset that mostly make sense.
type author struct {
	*rand.Rand
	vars  map[string][]string // by type
	funcs []string            // of a number
	deep  int
	most  int // expressions in one another
	loops int
}

func (a *author) pick(list ...string) string { return list[a.IntN(len(list))] }

var types = []string{"int", "float", "str", "bool", "list", "dict", "tuple"}

// expr is an expression that mostly has the type.
func (a *author) expr(typ string) string {
	if a.IntN(200) == 0 {
		typ = a.pick(types...)
	}
	if a.deep++; a.deep > a.most {
		defer func() { a.deep-- }()
		return a.leaf(typ)
	}
	defer func() { a.deep-- }()
	if a.IntN(4) == 0 {
		return a.leaf(typ)
	}
	e := a.expr
	num := func() string { return e(a.pick("int", "int", "float")) }
	any := func() string { return e(a.pick(types...)) }
	if a.IntN(12) == 0 {
		return "(" + e(typ) + " if " + e("bool") + " else " + e(typ) + ")"
	}
	if a.IntN(20) == 0 {
		return "(" + e(typ) + a.pick(" and ", " or ") + e(typ) + ")"
	}
	switch typ {
	case "int":
		switch a.IntN(16) {
		case 0, 1, 2, 3, 4:
			return "(" + e("int") + a.pick(" + ", " - ", " * ", " // ", " % ", " & ", " | ", " ^ ", " << ", " >> ") +
				e("int") + ")"
		case 5:
			return a.pick("-", "~", "+") + e("int")
		case 6:
			return "len(" + e(a.pick("list", "dict", "tuple", "str")) + ")"
		case 7:
			return a.pick("abs", "int") + "(" + num() + ")"
		case 8:
			return a.pick("min", "max") + "(" + e("int") + ", " + e("int") + ")"
		case 9:
			return "[1, 2, 3][" + a.pick("0", "-1", "-3", "2", e("int")) + "]"
		case 10:
			return "int(" + a.pick("'12'", "'-3'", "'+5'", e("str")) + ")"
		case 11:
			return e("str") + ".find(" + e("str") + ")"
		case 12:
			return "sum([" + e("int") + " for _i in range(" + a.pick("0", "3", "5") + ")])"
		case 13:
			return "(" + e("int") + ", " + e("int") + ")[" + a.pick("0", "-1", "1") + "]"
		case 14:
			return a.pick("min", "max") + "(" + e("list") + " + [1], key = lambda q: str(q))"
		}
		return e("dict") + ".get(" + e(a.pick("int", "str", "float", "bool")) + ", " + e("int") + ")"
	case "float":
		switch a.IntN(8) {
		case 0, 1, 2:
			return "(" + e("float") + a.pick(" + ", " - ", " * ", " / ", " // ", " % ") + num() + ")"
		case 3:
			return "(" + e("int") + " / " + e("int") + ")"
		case 4:
			return "float(" + e(a.pick("int", "float", "bool")) + ")"
		case 5:
			return a.pick("-", "+") + e("float")
		case 6:
			return "abs(" + e("float") + ")"
		}
		return a.pick("min", "max") + "(" + num() + ", " + num() + ")"
	case "str":
		switch a.IntN(14) {
		case 0, 1:
			return "(" + e("str") + " + " + e("str") + ")"
		case 2:
			return "(" + e("str") + " * " + a.pick("0", "2", "3", "-1") + ")"
		case 3:
			return a.pick("str", "repr", "type") + "(" + any() + ")"
		case 4:
			return `("` + a.pick("%s", "%r") + a.pick("|%s", "%%%g", " %d") + `" % (` + any() + ", " + num() + "))"
		case 5:
			return `("` + a.pick("%d", "%s", "%g", "%e", "%f", "%r", "%s") + `" % ` + num() + ")"
		case 6:
			return e("str") + "[" + e("int") + ":" + e("int") + "]"
		case 7:
			return e("str") + "[::" + a.pick("-1", "2", "-2", "3") + "]"
		case 8:
			return e("str") + "." + a.pick("upper", "lower", "strip") + "()"
		case 9:
			return e("str") + ".replace(" + e("str") + ", " + e("str") + ")"
		case 10:
			return e("str") + ".join([str(_j) for _j in " + e("list") + "])"
		case 11:
			return "'abc'[" + a.pick("0", "-1", "-3", "2", e("int")) + "]"
		}
		return "str(" + num() + ")"
	case "bool":
		switch a.IntN(10) {
		case 0, 1, 2:
			t := a.pick("int", "float", "str", "list")
			if t == "list" {
				return "([1, " + e("int") + "] < [1, " + e("float") + "])"
			}
			return "(" + e(t) + a.pick(" < ", " <= ", " > ", " >= ", " == ", " != ") + e(t) + ")"
		case 3:
			return "(" + any() + a.pick(" == ", " != ") + any() + ")"
		case 4:
			return "(" + any() + a.pick(" in ", " not in ") + e(a.pick("list", "tuple")) + ")"
		case 5:
			return "(" + e("str") + a.pick(" in ", " not in ") + e(a.pick("str", "dict")) + ")"
		case 6:
			return "(not " + any() + ")"
		case 7:
			return a.pick("any", "all") + "(" + e(a.pick("list", "tuple", "dict")) + ")"
		case 8:
			return e("str") + "." + a.pick("startswith", "endswith") + "(" + e("str") + ")"
		}
		return "bool(" + any() + ")"
	case "list":
		switch a.IntN(16) {
		case 0, 1:
			return "[" + any() + ", " + any() + "]"
		case 2:
			return "[" + e("int") + ", " + e("int") + ", " + e("int") + "]"
		case 3:
			v := fmt.Sprint("c", a.IntN(100))
			a.vars["int"] = append(a.vars["int"], v)
			body := e(a.pick("int", "float", "str"))
			cond := ""
			if a.IntN(2) == 0 {
				cond = " if " + e("bool")
			}
			a.vars["int"] = a.vars["int"][:len(a.vars["int"])-1]
			return "[" + body + " for " + v + " in " + a.pick("range(4)", e("list")) + cond + "]"
		case 4:
			return "(" + e("list") + " + " + e("list") + ")"
		case 5:
			return "(" + e("list") + " * " + a.pick("0", "2", "-1") + ")"
		case 6:
			return "sorted([" + e("int") + ", " + e("int") + ", " + e("float") + "])"
		case 7:
			return "sorted(" + e("list") + ", key = lambda q: " + a.pick("str(q)", "str(q)", "(len(str(q)), str(q))") +
				", reverse = " + e("bool") + ")"
		case 8:
			return e("list") + "[" + a.pick("1:", ":2", "::-1", "-2:", ":", "5:1:-1", "-1:0:-2") + "]"
		case 9:
			return a.pick("list", "reversed") + "(" + e(a.pick("list", "tuple", "dict")) + ")"
		case 10:
			return "zip(" + e("list") + ", " + e(a.pick("list", "tuple", "dict")) + ")"
		case 11:
			return "enumerate(" + e("list") + ")"
		case 12:
			return e("dict") + "." + a.pick("keys", "values", "items") + "()"
		case 13:
			return e("str") + ".split(" + a.pick("", `","`, `"a"`, "None") + ")"
		case 14:
			return "list(range(" + a.pick("5", "0", "2, 9, 3", "7, -3, -2", "3, 1") + "))"
		}
		return "[[x1, y1] for x1 in range(2) for y1 in range(x1 + 1)]"
	case "dict":
		switch a.IntN(6) {
		case 0, 1:
			return "{" + e("str") + ": " + any() + ", " + e("int") + ": " + any() + "}"
		case 2:
			return "{" + a.pick("str(k1)", "k1", "k1 % 2", "(k1, 1.0)", "float(k1)") + ": " + any() +
				" for k1 in range(5)}"
		case 3:
			return "(" + e("dict") + " | " + e("dict") + ")"
		case 4:
			return "dict(" + e("dict") + ", a = " + any() + ")"
		}
		return "dict([(" + e("str") + ", " + any() + ")])"
	}
	switch a.IntN(4) {
	case 0:
		return "(" + any() + ",)"
	case 1:
		return "tuple(" + e("list") + ")"
	case 2:
		return "(" + e("tuple") + " + " + e("tuple") + ")"
	}
	return "(" + any() + ", " + any() + ")"
}

// leaf is a name or a literal of a type.
func (a *author) leaf(typ string) string {
	if v := a.vars[typ]; len(v) > 0 && a.IntN(3) > 0 {
		return v[a.IntN(len(v))]
	}
	switch typ {
	case "int":
		if len(a.funcs) > 0 && a.IntN(4) == 0 {
			return a.pick(a.funcs...) + a.pick("(1)", "(2)", "(x = 3)", "(2, 3)", "(y = 2, x = 1)", "(1, y = 4)", "()")
		}
		return a.pick("0", "1", "2", "3", "-1", "-7", "10", "62", "63", "4611686018427387904",
			"9223372036854775807", "255")
	case "float":
		return a.pick("0.0", "1.0", "-1.5", "0.1", "1e300", "2.5e-300", "3.0", "1e18", "9.3e18", "-0.0")
	case "str":
		return a.pick(`""`, `"a"`, `"b,a"`, `"x y  z"`, `"12"`, `"ä\n\""`, `"-3"`, `"a1"`, `"1.5"`)
	case "bool":
		return a.pick("True", "False")
	case "list":
		return a.pick("[]", "[1]", "[3, 1, 2]", `["b", "a"]`, "[None, 1.5]", "[2.0, 2, True]")
	case "dict":
		return a.pick("{}", `{"a": 1}`, `{1: 2, "b": [1]}`, "{(1, 2): None}")
	}
	return a.pick("()", "(1,)", `(1, "a")`, "(2.5, 1)")
}

// name is a variable of a type, old or new.
func (a *author) name(typ string, scope *[]string) string {
	if v := a.vars[typ]; len(v) > 0 && a.IntN(2) == 0 {
		if n := v[a.IntN(len(v))]; n[0] == 'v' {
			return n
		}
	}
	n := fmt.Sprint("v", typ[:1], a.IntN(30))
	a.vars[typ] = append(a.vars[typ], n)
	*scope = append(*scope, n)
	return n
}

// stmts are statements of a function's body.
func (a *author) stmts(out *strings.Builder, indent string, n int, scope *[]string) {
	for range n {
		switch a.IntN(14) {
		case 0, 1, 2, 3:
			typ := a.pick(types...)
			x := a.expr(typ) // before its own name is known
			n := a.name(typ, scope)
			fmt.Fprintf(out, "%s%s = %s\n%sprint(%s)\n", indent, n, x, indent, n)
		case 4:
			typ := a.pick("int", "float", "list", "str")
			if v := a.vars[typ]; len(v) > 0 {
				fmt.Fprintf(out, "%s%s %s %s\n", indent, a.pick(v...), a.pick("+=",
					"+=", "-=", "*=", "//=", "%=", "|="), a.expr(typ))
			}
		case 5:
			if v := a.vars["list"]; len(v) > 0 {
				fmt.Fprintf(out, "%s%s.%s\n", indent, a.pick(v...),
					a.pick("append("+a.expr("int")+")", "extend("+a.expr("list")+")",
						"insert("+a.expr("int")+", "+a.expr("str")+")", "pop()", "pop("+a.expr("int")+")",
						"remove("+a.expr("int")+")",
						"clear()", "index("+a.expr("int")+")"))
			}
		case 6:
			if v := a.vars["dict"]; len(v) > 0 {
				fmt.Fprintf(out, "%s%s%s\n", indent, a.pick(v...), a.pick("["+a.expr("str")+"] = "+a.expr("int"),
					".pop("+a.expr("str")+", None)", ".setdefault("+a.expr("int")+", "+a.expr("str")+")",
					".update("+a.expr("dict")+")", "["+a.expr("int")+"] += "+a.expr("int"),
					".pop("+a.expr("int")+")", ".clear()"))
			}
		case 7:
			if v := a.vars["list"]; len(v) > 0 {
				fmt.Fprintf(out, "%s%s[%s] = %s\n", indent, a.pick(v...), a.expr("int"), a.expr(a.pick(types...)))
			}
		case 8, 9:
			fmt.Fprintf(out, "%sif %s:\n", indent, a.expr("bool"))
			a.stmts(out, indent+"    ", 2, scope)
			fmt.Fprintf(out, "%s    pass\n", indent)
			if a.IntN(2) == 0 {
				fmt.Fprintf(out, "%selse:\n", indent)
				a.stmts(out, indent+"    ", 2, scope)
				fmt.Fprintf(out, "%s    pass\n", indent)
			}
		case 10, 11:
			if a.loops < 2 {
				a.loops++
				v := a.name("int", scope)
				fmt.Fprintf(out, "%sfor %s in %s:\n", indent, v, a.pick("range(3)", a.expr("list"), a.expr("tuple"),
					a.expr("dict"), "[i + j for i, j in enumerate(range(5, 8))]"))
				a.stmts(out, indent+"    ", 3, scope)
				fmt.Fprintf(out, "%s    %s\n", indent, a.pick("pass", "continue", "break"))
				a.loops--
			}
		case 12:
			if a.loops < 2 {
				a.loops++
				fmt.Fprintf(out, "%sw%d = 0\n%swhile w%d < 4:\n%s    w%d += 1\n", indent, a.loops,
					indent, a.loops, indent, a.loops)
				a.stmts(out, indent+"    ", 2, scope)
				a.loops--
			}
		case 13:
			if a.IntN(8) == 0 {
				fmt.Fprintf(out, "%sreturn %s\n", indent, a.expr(a.pick(types...)))
				continue
			}
			typ := a.pick(types...)
			x, y := a.expr(typ), a.expr(typ)
			fmt.Fprintf(out, "%s%s, %s = %s\n", indent, a.name(typ, scope), a.name(typ, scope),
				a.pick(x+", "+y, "["+x+", "+y+"]"))
		}
	}
}

// program writes one.
func program(seed uint64) string {
	a := &author{Rand: rand.New(rand.NewPCG(seed, 1)), vars: map[string][]string{}}
	a.most = 1 + a.IntN(4)
	var out strings.Builder
	for i := range a.IntN(3) {
		f := fmt.Sprint("f", i)
		a.vars = map[string][]string{"int": {"x", "y"}}
		fmt.Fprintf(&out, "def %s(x, y = %s):\n", f, a.pick("5", "2.5", "-1"))
		var scope []string
		a.stmts(&out, "    ", a.IntN(3), &scope)
		fmt.Fprintf(&out, "    g = lambda z, u = x: z + u + y\n    return %s\n", a.pick("g(x)", "x + y", a.expr("int")))
		a.funcs = append(a.funcs, f)
	}
	fmt.Fprintf(&out, "rec = lambda n: 1 if n < 2 else n * rec(n - 1)\ntop = %s\n", a.pick("3", "[1, 2]", `{"a": [1]}`))
	a.vars = map[string][]string{}
	var scope []string
	fmt.Fprintf(&out, "def main():\n")
	a.stmts(&out, "    ", 1+a.IntN(8), &scope)
	last := scope[:min(len(scope), 3)]
	fmt.Fprintf(&out, "    return [top, %s]\n", strings.Join(append(last, a.expr("list"), a.expr("int")), ", "))
	return out.String()
}

// agree holds a program to what the published interpreter makes of it, as far as that and our limits let it run; err is
// why it ended here.
func agree(t *testing.T, src string) (err error) {
	t.Helper()
	got, err := ours(src, plenty)
	want, theirErr := theirs(src)
	same := (err == nil) == (theirErr == nil) && got == want
	if err != nil && narrower(err) {
		same = strings.HasPrefix(want, got)
	}
	if theirErr != nil && strings.Contains(theirErr.Error(), "too many steps") {
		same = strings.HasPrefix(got, want)
	}
	if !same {
		t.Fatalf("%s\nours:   %s %v\ntheirs: %s %v", src, got, err, want, theirErr)
	}
	return err
}

// TestOracle: random programs have the values that the published interpreter gives them, or fail in both.
func TestOracle(t *testing.T) {
	good, limits := 0, 0
	const programs = 2000
	for seed := range uint64(programs) {
		switch err := agree(t, program(seed)); {
		case err == nil:
			good++
		case narrower(err):
			limits++
		}
	}
	if t.Logf("%d of %d programs give a value, %d reach a limit of ours", good, programs, limits); good < programs/6 {
		t.Errorf("only %d of %d programs gave a value", good, programs)
	}
}
