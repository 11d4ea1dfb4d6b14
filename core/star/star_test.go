package star

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/unit"
)

// TestHarmless: programs that want more than there is end with place and reason, and have allocated no more than the
// budget says, and never 100 MB.
func TestHarmless(t *testing.T) {
	const most = 16 << 20
	o := Options{Call: Budget{1e6, most}, Run: Budget{1e7, 64 << 20}}
	for name, c := range map[string]struct{ src, want string }{
		"max": {"x = max(range(1 << 40))", "1:8: The program takes more than 1000000 steps in one call."},
		"double": {"s = 'ab'\nfor i in range(40):\n    s = s + s",
			"3:11: The program takes more than 16777216 bytes"},
		"square":        {"x = 3\nfor i in range(30):\n    x = x * x", "3:11: The result does not fit in 64 bits."},
		"square floats": {"x = 3.0\nfor i in range(30):\n    x = x * x", "3:11: The result is not a finite number."},
		"join": {"x = ','.join(['abcdefgh' * 1000] * 10000)",
			"1:9: The program takes more than 16777216 bytes"},
		"join long": {"x = ('y' * 100000).join(['z'] * 10000)",
			"1:20: The program takes more than 16777216 bytes"},
		"zeros":      {"x = [0] * 1000000000", "1:9: The program takes more than 16777216 bytes"},
		"more zeros": {"x = [0, 1] * (1 << 62)", "1:12: The program takes more than 16777216 bytes"},
		"tuple":      {"x = (1, 2, 3) * 9223372036854775807", "1:15: The program takes more than 16777216 bytes"},
		"sorted":     {"x = sorted(range(1 << 40))", "1:11: The program takes more than 16777216 bytes"},
		"sorted much": {"x = [i * 7919 % 100003 for i in range(60000)]\ny = sorted(x)",
			"2:11: The program takes more than"},
		"list":    {"x = list(range(1 << 62))", "1:9: The program takes more than 16777216 bytes"},
		"percent": {"s = '%s%s'\nfor i in range(40):\n    s = s % (s, s) + '%s%s'", "3:11: The text has"},
		"nested %": {"s = 'ab'\nfor i in range(40):\n    s = '%s%r' % (s, s)",
			"3:16: The program takes more than"},
		"dict": {"d = {}\nfor i in range(1 << 40):\n    d[i] = i",
			"3:6: The program takes more than 16777216 bytes"},
		"dict texts": {"d = {}\nfor i in range(1 << 40):\n    d[str(i) * 100] = i", "3:"},
		"dict emptied": {"d = {}\nfor i in range(1 << 40):\n    d[i] = i\n    d.pop(i)",
			"The program takes more than"},
		"recursion": {"def f(n):\n    return f(n + 1)\nf(0)",
			"2:13: Functions call one another more than 200 deep."},
		"recursion by key": {"def f(n):\n    return sorted([n], key = f)\nf(0)",
			"2:18: Functions call one another more than 200 deep."},
		"calls": {"def f(n):\n    for i in range(10):\n        f(n - 1) if n else 0\nf(60)",
			"The program takes more than"},
		"infinity": {"x = 1e308 * 10", "1:11: The result is not a finite number."},
		"literal":  {"x = 1e999", "1:10: This is no Starlark: invalid float literal."},
		"big literal": {"x = 9223372036854775808",
			"1:5: Whole numbers have 64 bits here, and 9223372036854775808 has more."},
		"longer text": {"s = 'x' * 1000000\nt = s.replace('x', s)",
			"2:7: The program takes more than 16777216 bytes"},
		"split":  {"s = 'x' * 1000000\nt = s.split('x')", "2:7: The program takes more than 16777216 bytes"},
		"quoted": {"s = '\\u2028' * 1000000\nt = repr(s)", "2:9: The program takes more than 16777216 bytes"},
		"upper": {"s = 'ab' * 1000000\nfor i in range(100):\n    t = s.upper()",
			"3:11: The program takes more than"},
		"slices": {"s = 'ab' * 100000\nfor i in range(1000):\n    t = s[1:]",
			"3:10: The program takes more than"},
		"compare": {"s = 'ab' * 1000000\nt = 'ab' * 1000000\nfor i in range(1000):\n    u = s < t",
			"The program takes more"},
		"hash": {"s = 'ab' * 1000000\nd = {}\nfor i in range(1000):\n    d[s] = i",
			"4:6: The program takes more than"},
		"while": {"while True:\n    pass", "The program takes more than 1000000 steps in one call."},
		"loops": {"for i in range(1 << 40):\n    for j in range(1 << 40):\n        pass",
			"The program takes more than"},
		"comprehension": {"x = [i for i in range(1 << 20) for j in range(1 << 20) if False]",
			"1:32: The program takes more than 1000000 steps"},
		"zip":       {"x = zip(range(1 << 40), range(1 << 40), range(1 << 40))", "1:8: The program takes more than"},
		"enumerate": {"x = enumerate(range(1 << 61))", "1:14: The program takes more than"},
		"in":        {"x = 0.5 in list(range(100000)) * 2\nfor i in range(100):\n    y = 7 in range(9)", ""},
		"sum":       {"x = sum(range(1 << 40))", "1:8: The program takes more than 1000000 steps in one call."},
		"sum lists": {"x = sum([[i] for i in range(3000)], [])", "1:8: The program takes more than 16777216 bytes"},
		"any": {"x = any([0] * 400000 + [1])\nfor i in range(100):\n    x = any(range(1))",
			"The program takes more than"},
		"deep list": {"x = []\nfor i in range(100000):\n    x = [x]\ny = str(x)",
			"4:8: Lists, tuples and dicts are more than"},
		"deep same": {"x = []\ny = []\nfor i in range(1000):\n    x = [x]\n    y = [y]\nz = x == y",
			"6:7: Lists, tuples"},
		"deep key": {"x = ()\nfor i in range(1000):\n    x = (x,)\nz = {x: 1}",
			"4:7: Lists, tuples and dicts are more"},
		"cycle": {"x = [1]\nx.append(x)\ny = str(x)", "3:8: Lists, tuples and dicts are more than 100 deep"},
		"cycles": {"x = [1]\nx.append(x)\ny = [1]\ny.append(y)\nz = x < y",
			"5:7: Lists, tuples and dicts are more than"},
		"bush": {"x = [1]\nfor i in range(60):\n    x = [x, x]\ny = str(x)", "4:8: The program takes more than"},
		"bushes": {"x = [1]\ny = [1]\nfor i in range(60):\n    x = [x, x]\n    y = [y, y]\nz = x == y",
			"6:7: The program takes"},
		"defaults": {"def f(a = [0] * (1 << 40)):\n    pass", "1:15: The program takes more than 16777216 bytes"},
		"closures": {"x = []\nfor i in range(1 << 40):\n    x.append(lambda: i)", "The program takes more than"},
		"print":    {"for i in range(1000000):\n    print('x' * 10000)", "2:"},
		"fail":     {"fail('no', 1, 'x' * 3)", "1:5: The program says: no 1 xxx"},
		"error in the middle": {"def key(job):\n    return 1.0 / (40 - job)\nfor i in range(100):\n    key(i)",
			"2:16: This divides by zero."},
		"bits":    {"x = 1 << 64", "1:7: The result does not fit in 64 bits."},
		"least":   {"x = -9223372036854775807 - 1\ny = x // -1", "2:7: The result does not fit in 64 bits."},
		"negated": {"x = -9223372036854775807 - 1\ny = abs(x)", "2:8: The result does not fit in 64 bits."},
		"cut": {"x = list(range(10000))\nfor i in range(10000):\n    x.pop(0)",
			"3:7: The program takes more than 1000000 steps"},
		"insert": {"x = []\nfor i in range(100000):\n    x.insert(0, i)",
			"3:7: The program takes more than 1000000 steps"},
	} {
		before := allocated()
		printed := 0
		o.Print = func(_ *Machine, _ int, text string) { printed += len(text) }
		p, err := Compile(c.src)
		if err == nil {
			_, err = p.Start(o)
		}
		took := allocated() - before
		var e *Error
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (!errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || e.Line < 1 || e.Col < 1):
			t.Errorf("%s: it ends with %v, want %s", name, err, c.want)
		case took > most*3/2:
			t.Errorf("%s: %d bytes were allocated, and %d charged at most", name, took, most)
		}
		if over := e != nil && e.Over != ""; over != strings.Contains(fmt.Sprint(err), "takes more than") {
			t.Errorf("%s: over %q with %v", name, e.Over, err)
		}
	}
}

func allocated() int64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.TotalAlloc)
}

// TestDeepSources: programs that nest too much, in whatever way, are refused at a place in them.
func TestDeepSources(t *testing.T) {
	many := func(s string) string { return strings.Repeat(s, 20000/len(s)) }
	elifs := "if x:\n    pass\n" + strings.Repeat("elif x:\n    pass\n", 2000)
	deep, ifs := "", ""
	for i := range 250 {
		deep += strings.Repeat(" ", i) + "def f():\n"
		ifs += strings.Repeat(" ", i) + "if 1:\n"
	}
	pass := strings.Repeat(" ", 250) + "pass"
	for _, src := range []string{many("("), many("[") + "1" + many("]"), many("-") + "1", many("not ") + "1",
		"x = 1\nx" + many(".x"), "x = 1" + many("+1"), many("lambda: ") + "1", "x = len" + many("()"),
		"x = 1" + many(" if 1 else 1"), "x = [1" + many(" for i in []") + "]", many("{1:") + "1" + many("}"),
		"x = 1\nx" + many("[0]"), "x = 1" + many(" and 1"), many("f(") + many(")"), elifs, deep + pass, ifs + pass,
		many("x = "), many("("), "x = '''" + many("a"), strings.Repeat("a", Longest+1), "x = 1;" + many("%s\n"),
		"x = '" + strings.Repeat("y", 1000000) + "'"} {
		before := allocated()
		p, err := Compile(src)
		if err == nil {
			_, err = p.Start(plenty)
		}
		var e *Error
		switch {
		case !errors.As(err, &e) || e.Line < 1 && len(src) <= Longest:
			t.Errorf("%.40q…: %v", src, err)
		case allocated()-before > 32<<20:
			t.Errorf("%.40q…: %d bytes were allocated", src, allocated()-before)
		}
	}
}

// TestDeepCalls: calls of functions whose expressions are deep end before the host's stack does, which is short in a
// browser (e2e/wasmexec.sh runs this there too).
func TestDeepCalls(t *testing.T) {
	for _, c := range []struct{ before, after string }{
		{"-(", ")"}, {"[", "]"}, {"sorted([1], key = lambda x: ", ")"}, {"(1 if 1 else 1) and (", ")"}, {"[x for x in ",
			"]"},
		{"str(", ")"}, {"(lambda x: ", ")(1)"}, {"{1: ", "}"}, {"max(1, ", ")"},
	} {
		for _, levels := range []int{1, 3, 10, 25, 40} {
			src := "def f(n):\n    return " + strings.Repeat(c.before, levels) + "f(n)" +
				strings.Repeat(c.after, levels) + "\nf(1)\n"
			p, err := Compile(src)
			if err == nil {
				_, err = p.Start(plenty)
			}
			var e *Error
			if !errors.As(err, &e) || e.Over != "" || !strings.Contains(err.Error(), " deep") &&
				!strings.Contains(err.Error(), "in one another") {
				t.Errorf("%d times %s: %v", levels, c.before, err)
			}
		}
	}
}

// TestRefused: what is no part of the subset is said, at its place.
func TestRefused(t *testing.T) {
	for src, want := range map[string]string{
		"load('a', 'b')":                       "1:1: This statement is not part",
		"f = lambda *a: 1":                     "1:12: * and ** in parameters",
		"def f(**a):\n  pass":                  "1:7: * and ** in parameters",
		"x = max(*[1])":                        "1:9: * and ** in calls",
		"x = b'a'":                             "1:5: Bytes are not part",
		"x = {i for i in [1]}":                 "1:",
		"x = y":                                "1:5: There is no name y.",
		"def f():\n  return xs\nf2()":          "2:10: There is no name xs.",
		"x = (1":                               "1:7: This is no Starlark",
		"math.sin = 1":                         "1:6: Attributes cannot be assigned",
		"x = math.sin(1)":                      "1:10: math has no sin. It has ceil, exp, floor, log, pow, sqrt.",
		"x = [1].sort()":                       "1:9: A value of type list has no sort. sorted(…) gives a list in order.",
		"x = 'a' + 1":                          "1:9: + does not go with string and int.",
		"x = [1].apend(2)":                     "1:9: A value of type list has no apend. Did you mean append?",
		"x = math.srqt(4)":                     "1:10: math has no srqt. Did you mean sqrt?",
		"x = srot(4)":                          "1:5: There is no name srot. Did you mean math.sqrt?",
		"def f(a):\n  b1 = a\n  return g(b2)":  "3:10: There is no name g.",
		"def f(age1):\n  return lambda b: ag1": "2:20: There is no name ag1. Did you mean age1?",
		"x = sort([1])":                        "1:5: There is no name sort. Did you mean sorted?",
		"x = sorted([1], revers = True)":       "1:11: sorted has no parameter revers. Did you mean reverse?",
		"def f(size):\n  pass\nf(sise=1)":      "3:2: f has no parameter sise. Did you mean size?",
		"x = " + strings.Repeat("a", 100):      "1:5: There is no name aaa",
		"x = {'a': 1}['b']":                    `1:13: This dict has no key "b".`,
		"x = [1, 2][2]":                        "1:11: There is no position 2: this has 2 elements.",
		"f = len\nx = f(1, 2)":                 "2:6: len gets 2 values, and takes at most 1.",
		"def f(a, b):\n  pass\nf(1)":           "3:2: f needs a value for b.",
		"def f(a):\n  pass\nf(b=1)":            "3:2: f has no parameter b.",
		"x = [1]\nfor i in x:\n  x.append(i)":  "3:5: This value must not change while a loop",
		"d = {1: 1}\nfor i in d:\n  d[2] = 1":  "3:4: This value must not change while a loop",
		"def f():\n  x = y1\n  y1 = 1\nf()":    "2:7: y1 has no value yet.",
		"x = {[1]: 1}":                         "1:9: list cannot be a key of a dict.",
		"x = {1: 1, 1.0: 2}":                   "1:15: The key 1.0 stands twice in this dict.",
		"def f():\n  return 1\nf(5)":           "3:2: f gets 1 value, and takes at most 0.",
		"x = None - 1.0":                       "1:10: - does not go with NoneType and float. None is a value",
		"x = 1 < None":                         "1:7: int and NoneType have no order. None is a value",
		"n = 0\ndef f():\n  n += 1\nf()":       "3:3: n has no value yet. A name that a function assigns is its own",
		"def f():\n  global n":                 "2:3: Programs are written in a part of Python without global. A function",
		"x = 1\ny = f'{x}'":                    "2:6: Programs are written in a part of Python without f\"…\". Write",
		"x = sorted([1, 'a'])":                 "1:11: string and int have no order.",
		"a, b = [1, 2, 3]":                     "1:1: 2 names stand for the 3 elements of this list.",
		"x = 5\nx()":                           "2:2: int cannot be called.",
		"x = math.log(0)":                      "1:10: The result is not a finite number.",
		"x = float('nan')":                     `1:10: "nan" is no number.`,
		"x = int(1e300)":                       "1:8: The result does not fit in 64 bits.",
	} {
		p, err := Compile(src)
		if err == nil {
			_, err = p.Start(plenty)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}

// job is a host's object, of plain fields.
type job struct {
	id    string
	steps float64
	gpus  int64
}

func (*job) Type() string    { return "job" }
func (*job) Attrs() []string { return []string{"id", "steps_left", "gpus"} }
func (j *job) Attr(name string) (Value, bool) {
	switch name {
	case "id":
		return String(j.id), true
	case "steps_left":
		return Float(j.steps), true
	case "gpus":
		return Int(j.gpus), true
	}
	return Value{}, false
}

// TestFormula: one expression over objects of the host.
func TestFormula(t *testing.T) {
	p, err := Formula("key", "job.steps_left / job.gpus\n", "job", "cluster")
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Start(plenty)
	if err != nil {
		t.Fatal(err)
	}
	key, _ := m.Global("key")
	v, err := m.Call(key, Object(&job{steps: 300, gpus: 4}), None)
	if x, ok := v.AsFloat(); err != nil || !ok || x != 75 {
		t.Errorf("got %v, %v", v, err)
	}
	_, err = m.Call(key, Object(&job{steps: 300}), None)
	if err == nil || err.Error() != "1:16: This divides by zero." {
		t.Errorf("by zero: %v", err)
	}
	for src, want := range map[string]string{
		"job.left":            "1:5: job has no left. It has id, steps_left, gpus.",
		"job.step_left":       "1:5: job has no step_left. Did you mean steps_left?",
		"job.steps_left +":    "1:17: This is no Starlark",
		"jobs.steps_left":     "1:1: There is no name jobs. Did you mean job?",
		"x = 1":               "1:3: This is no Starlark",
		"job.steps_left\n1+1": "2:1: This is no Starlark",
		"":                    "1:1: This is no Starlark",
	} {
		p, err := Formula("key", src, "job", "cluster")
		if err == nil {
			if m, err = p.Start(plenty); err == nil {
				key, _ := m.Global("key")
				_, err = m.Call(key, Object(&job{}), None)
			}
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}

const counting = `
seen = {"calls": 0}

def decide(state, job):
    mine = dict(state) if state else {"calls": 0, "ids": []}
    mine["calls"] += 1
    mine["ids"] = mine["ids"] + [job.id]
    return mine

def spoil(state):
    state["ids"].append("x")

def hide():
    seen["calls"] += 1

def steal():
    return lambda: seen
`

// TestState: what goes from call to call is what functions return; it is frozen, counted, and shared by clones.
func TestState(t *testing.T) {
	p, err := Compile(counting)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Start(plenty)
	if err != nil {
		t.Fatal(err)
	}
	call := func(m *Machine, name string, args ...Value) (Value, error) {
		f, ok := m.Global(name)
		if !ok {
			t.Fatal(name)
		}
		return m.Call(f, args...)
	}
	state := None
	for i := range 3 {
		v, err := call(m, "decide", state, Object(&job{id: fmt.Sprint("j", i)}))
		if err != nil {
			t.Fatal(err)
		}
		var bytes int64
		if state, bytes, err = m.Keep(v); err != nil || bytes < 200 || bytes > 2000 {
			t.Fatalf("%d bytes, %v", bytes, err)
		}
	}
	// A clone goes on by itself, also beside the first one.
	other := m.Clone(nil)
	spent := m.Spent()
	done := make(chan string)
	for _, m := range []*Machine{m, other} {
		go func() {
			v, err := call(m, "decide", state, Object(&job{id: "last"}))
			s, _ := text(m, v)
			done <- s + fmt.Sprint(err)
		}()
	}
	for range 2 {
		if got := <-done; got != `{"calls": 4, "ids": ["j0", "j1", "j2", "last"]}<nil>` {
			t.Error(got)
		}
	}
	if a, b := m.Spent(), other.Spent(); a != b || a.Steps <= spent.Steps || a.Bytes <= spent.Bytes {
		t.Errorf("spent %v, then %v and %v", spent, a, b)
	}
	for name, want := range map[string]string{"spoil": "11:18: This value came from outside",
		"hide": "14:19: This value came from outside"} {
		var args []Value
		if name == "spoil" {
			args = []Value{state}
		}
		if _, err := call(m, name, args...); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, err := call(m, "steal")
	if _, _, err2 := m.Keep(f); err != nil || err2 == nil ||
		!strings.Contains(err2.Error(), "A value of type function cannot be kept") {
		t.Error(err, err2)
	}
	if s, _ := text(m, state); s != `{"calls": 3, "ids": ["j0", "j1", "j2"]}` {
		t.Error(s)
	}
}

// TestBudgets: a call has its own, all calls together have the run's, and the error says which.
func TestBudgets(t *testing.T) {
	p, err := Compile("def f(n):\n    for i in range(n):\n        pass\n    return [0] * n\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o     Options
		n     []int64
		after int
		want  Limit
	}{
		{Options{Call: Budget{1000, 1e6}, Run: Budget{1e6, 1e9}}, []int64{10, 10, 900}, 2, CallSteps},
		{Options{Call: Budget{1e6, 20000}, Run: Budget{1e6, 1e9}}, []int64{10, 10, 900}, 2, CallBytes},
		{Options{Call: Budget{3000, 1e6}, Run: Budget{6000, 1e9}}, []int64{500, 500, 500, 500}, 2, RunSteps},
		{Options{Call: Budget{1e6, 1e5}, Run: Budget{1e6, 120000}}, []int64{1000, 1000, 1000, 1000}, 3, RunBytes},
	} {
		m, err := p.Start(c.o)
		if err != nil {
			t.Fatal(err)
		}
		f, _ := m.Global("f")
		for i, n := range c.n {
			_, err := m.Call(f, Int(n))
			var e *Error
			if over := errors.As(err, &e); over != (i >= c.after) || over && e.Over != c.want {
				t.Errorf("%s, call %d: %v", c.want, i, err)
			}
			if s := m.Spent(); s.Steps > c.o.Run.Steps || s.Bytes > c.o.Run.Bytes {
				t.Errorf("%s: spent %v of %v", c.want, s, c.o.Run)
			}
		}
	}
}

// TestPace: work is done in slices, and given up between two of them, in whatever it is.
func TestPace(t *testing.T) {
	for _, src := range []string{"while True:\n    pass", "x = max(range(1 << 40))",
		"x = sorted([-i for i in range(1 << 30)])",
		"def f(n):\n    return [f(n - 1) for i in range(9)] if n else 0\nf(90)"} {
		p, err := Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		ended := false
		s := unit.InSlices(func(pace unit.Pace) {
			_, _ = p.Start(Options{Call: Budget{1 << 60, 1 << 60}, Run: Budget{1 << 60, 1 << 60}, Pace: pace})
			ended = true
		})
		for range 20 {
			if !s.Spend(10 * turn) {
				t.Errorf("%q is done", src)
			}
		}
		if s.GiveUp(); ended || s.Spend(1) {
			t.Errorf("%q went on", src)
		}
	}
}

// TestCollisions: a program that makes its keys collide pays for it.
func TestCollisions(t *testing.T) {
	p, err := Compile(`
def f(keys):
    d = {}
    for k in keys:
        d[k] = 1
    return len(d)
`)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Start(plenty)
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Global("f")
	unmix := func(h uint64) uint64 { // the inverse of mix
		h ^= h>>31 ^ h>>62
		h *= 0x319642b2d24d8ec3
		h ^= h>>27 ^ h>>54
		h *= 0x96de1b173f119089
		return h ^ h>>30 ^ h>>60
	}
	var apart, same []Value
	for i := range uint64(3000) {
		apart = append(apart, Int(int64(i)))
		same = append(same, Int(int64(unmix(i<<40))))
	}
	start := m.Spent().Steps
	if v, err := m.Call(f, List(apart)); err != nil || v.n != 3000 {
		t.Fatal(v, err)
	}
	if few := m.Spent().Steps - start; few > 100000 {
		t.Errorf("%d steps", few)
	}
	if _, err := m.Call(f, List(same)); err == nil || !strings.Contains(err.Error(), "4:5: ") &&
		!strings.Contains(err.Error(), "5:10: The program takes more than 1000000 steps") {
		t.Errorf("colliding keys: %v", err)
	}
}

// TestNames: what the package's text lists is what there is.
func TestNames(t *testing.T) {
	want := []string{"False", "None", "True", "abs", "all", "any", "bool", "dict", "enumerate", "fail", "float",
		"getattr",
		"hasattr", "int", "len", "list", "math", "max", "min", "print", "range", "repr", "reversed", "sorted", "str",
		"sum",
		"tuple", "type", "zip"}
	if !slices.Equal(Names(), want) {
		t.Error(Names())
	}
}

const busy = `
def key(job, total):
    left = job.steps_left
    if left > total / 2:
        left = left - total * 0.25
    return (left / job.gpus, job.id)

def order(jobs):
    total = sum([j.steps_left for j in jobs])
    return sorted(jobs, key = lambda j: key(j, total))
`

// BenchmarkOrder orders 480 jobs by a function of them.
func BenchmarkOrder(b *testing.B) {
	p, err := Compile(busy)
	if err != nil {
		b.Fatal(err)
	}
	var jobs []Value
	for i := range int64(480) {
		jobs = append(jobs, Object(&job{id: fmt.Sprint("job-", i), steps: float64(i * 7919 % 1000), gpus: 1 + i%4}))
	}
	o := Options{Call: Budget{1 << 30, 1 << 30}, Run: Budget{1 << 60, 1 << 60}}
	m, err := p.Start(o)
	if err != nil {
		b.Fatal(err)
	}
	f, _ := m.Global("order")
	list := Tuple(jobs)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Call(f, list); err != nil {
			b.Fatal(err)
		}
	}
	perStep(b, m)
}

// BenchmarkLoop is arithmetic in a loop.
func BenchmarkLoop(b *testing.B) {
	p, err := Compile("def f(n):\n    x = 0.0\n    for i in range(n):\n        x = x * 0.5 + i\n    return x\n")
	if err != nil {
		b.Fatal(err)
	}
	m, err := p.Start(Options{Call: Budget{1 << 40, 1 << 40}, Run: Budget{1 << 60, 1 << 60}})
	if err != nil {
		b.Fatal(err)
	}
	f, _ := m.Global("f")
	for b.Loop() {
		if _, err := m.Call(f, Int(10000)); err != nil {
			b.Fatal(err)
		}
	}
	perStep(b, m)
}

func perStep(b *testing.B, m *Machine) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(m.Spent().Steps), "ns/step")
}
