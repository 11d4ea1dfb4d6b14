package starlark

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	_ "hadarlab/core/policy/own"
	"hadarlab/core/program"
	"hadarlab/core/program/templates"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/star"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// chooser makes choices of a fuzzer's bytes: a program is what they choose.
type chooser struct {
	bytes []byte
	deep  int
}

func (c *chooser) n(most int) int {
	if len(c.bytes) == 0 {
		return 0
	}
	b := c.bytes[0]
	c.bytes = c.bytes[1:]
	return int(b) % most
}

func (c *chooser) pick(list ...string) string { return list[c.n(len(list))] }

// object is an expression that is mostly of a kind: job, slot, gang, number, text or anything.
func (c *chooser) object(kind string) string {
	if c.deep++; c.deep > 6 || len(c.bytes) == 0 {
		defer func() { c.deep-- }()
		return map[string]string{"job": "view.jobs[0]", "slot": "view.slots[0]", "gang": "[(view.slots[0], 1)]",
			"number": "1", "text": "'v100'"}[c.some(kind)]
	}
	defer func() { c.deep-- }()
	o := c.object
	switch c.some(kind) {
	case "job":
		return c.pick("view.jobs[0]", "view.waiting[0]", "view.jobs[-1]", "job", "view.arrived[0]",
			"sorted(view.jobs, key = lambda j: -j.age)[0]", "min(view.jobs, key = lambda j: j.gpus)",
			"view.jobs["+o("number")+"]")
	case "slot":
		return c.pick("view.slots[0]", "view.slots[-1]", "slot", "view.slots["+o("number")+"]",
			"max(view.slots, key = plan.free)")
	case "gang":
		return c.pick("[("+o("slot")+", "+o("number")+")]", "job.gangs[0]", "[]", "list("+o("job")+".gangs)",
			"[("+o("slot")+", 1), ("+o("slot")+", "+o("number")+")]", "[(s, plan.free(s)) for s in view.slots]",
			"[(view.slots[0], 1)] * 300")
	case "number":
		return c.pick("1", "2", "0", "-1", "1.5", "1 << 40", "job."+c.attr("job"), "slot."+c.attr("slot"),
			"view."+c.attr("view"), "view.cluster."+c.attr("cluster"), "plan.free("+o("slot")+")", "random()",
			"plan.free()", "plan.free(slot.type)", o("job")+".speed_on(slot.type, "+o("number")+")",
			o("job")+".speed_at("+o("gang")+")", o("job")+".stall_at("+o("gang")+")", "len("+o("text")+")",
			"("+o("number")+c.pick(" + ", " - ", " * ", " / ", " // ", " % ")+o("number")+")", "n", "1e308 * 10",
			"view.state", "len(view.state or [])", "float(n)")
	}
	return c.pick("'v100'", "slot.type", "str("+o("number")+")", "job.name", "'a' * 100000", "str(view.state)",
		"repr("+o("gang")+")", "'\\u00e9' * 300", "view.cluster.types[0]", "'%s' % "+o("job"), "None",
		"getattr("+o("job")+", "+o("text")+", 0)")
}

// some is the kind, or now and then another.
func (c *chooser) some(kind string) string {
	if len(c.bytes) > 0 && c.n(40) == 39 {
		return c.pick("job", "slot", "gang", "number", "text")
	}
	return kind
}

func (c *chooser) attr(of string) string {
	if names := attrs(of); c.n(60) < 59 {
		return c.pick(names...)
	}
	return "nothing"
}

// block is statements at an indent.
func (c *chooser) block(b *strings.Builder, indent string, most int) {
	o := c.object
	for range 1 + c.n(most) {
		b.WriteString(indent)
		inner := len(indent) < 16
		switch c.n(20) {
		case 0, 1, 2:
			b.WriteString(c.pick("plan.place("+o("job")+")", "plan.place("+o("job")+", "+o("text")+")",
				"plan.place(job)", "plan.place(job, slot.type)"))
		case 3, 4:
			fmt.Fprintf(b, "plan.give(%s, %s%s)", o("job"), o("gang"), c.pick("", ", quota = "+o("number"),
				", copy = True", ", "+o("number")+", n > 1"))
		case 5:
			b.WriteString(c.pick("plan.keep(", "plan.drop(", "n = plan.holds(") + o("job") + ")")
		case 6:
			b.WriteString(c.pick("plan.clear()", "plan.wake("+o("number")+")", "plan.wake(view.now + 1)"))
		case 7:
			fmt.Fprintf(b, "why(%s, %s%s)", o("job"), o("text"), c.pick("", ", a = "+o("number"), ", job = 1"))
		case 8:
			fmt.Fprintf(b, "print(%s, %s)", o("text"), o(c.pick("job", "gang", "number")))
		case 9, 10:
			b.WriteString("n = " + o("number"))
		case 11:
			b.WriteString("job = " + o("job"))
		case 12:
			b.WriteString("slot = " + o("slot"))
		case 13:
			b.WriteString(c.pick("kept.append("+o("number")+")", "kept += "+o("gang"), "kept = kept + [n]",
				"kept = [kept]", "kept = kept * 3", "return kept", "return "+o("number"),
				"return {'n': n, 'k': kept}", "return plan"))
		default:
			if !inner {
				b.WriteString("pass")
				break
			}
			b.WriteString(c.pick("for job in view.jobs:", "for slot in view.slots:", "for job in view.waiting:",
				"if "+o("number")+" > "+o("number")+":", "if plan.holds("+o("job")+"):", "for n in range(3):",
				"for n in range(1 << 30):", "while plan.free():"))
			b.WriteString("\n")
			c.block(b, indent+"    ", 3)
			continue
		}
		b.WriteString("\n")
	}
}

// program is a program of choices.
func (c *chooser) program() string {
	b := &strings.Builder{}
	if c.n(4) == 3 {
		b.WriteString("def key(job, cluster):\n    n = 1\n")
		b.WriteString("    why(job, 'so', n = " + strings.NewReplacer("view.", "cluster.", "plan.", "cluster.",
			"slot.", "job.").Replace(c.object("number")) + ")\n    return " + c.pick("job.age", "job.steps_left",
			"random()", "None", "job."+c.attr("job"), "cluster."+c.attr("cluster"), "-job.gpus * random()",
			"job.speed_on(cluster.types[0])"))
		return b.String() + "\n"
	}
	b.WriteString("def decide(view, plan):\n    n, job, slot = view.decision, view.jobs[-1], view.slots[0]\n" +
		"    kept = list(view.state) if type(view.state) == 'tuple' or type(view.state) == 'list' else []\n")
	c.block(b, "    ", 8)
	return b.String() + "    return kept[-50:]\n"
}

// mostAbove is what a program may allocate above all else, in bytes.
const mostAbove = 100 << 20

// tight are budgets under which a fuzzer gets through many programs.
func tight(tb testing.TB) {
	setup, decision, whole := Setup, Decision, Whole
	Setup, Decision, Whole = star.Budget{Steps: 1e5, Bytes: 1 << 20}, star.Budget{Steps: 1e5, Bytes: 1 << 20},
		star.Budget{Steps: 1e6, Bytes: 8 << 20}
	tb.Cleanup(func() { Setup, Decision, Whole = setup, decision, whole })
}

// live runs a program on a scenario, and gives all that it did; where explained is set, every third decision is
// explained, which must change nothing.
func live(t *testing.T, p *model.Problem, src string, explained bool) string {
	spec, _ := policy.Find("own")
	v, bad := spec.Check(map[string]any{"program": src})
	if len(bad) > 0 {
		return bad[0].Message.String()
	}
	pol, err := spec.New(p.Public(), v)
	var e *program.Error
	if err != nil {
		if !errors.As(err, &e) || e.Reason.IsZero() {
			t.Fatalf("an error that is none of ours: %#v\n%s", err, src)
		}
		return err.Error()
	}
	r, err := sim.New(p, pol, spec.Cadence(p.Public(), v), sim.Options{MaxEvents: 3000})
	if err != nil {
		t.Fatal(err)
	}
	for {
		if n := r.Rounds(); explained && n%3 == 0 {
			r.Explain(n)
		}
		if !r.Step() {
			break
		}
		if d := r.Explained(); d != nil {
			explains(t, d)
		}
	}
	fault, ended := r.Fault()
	tr, _ := r.Result()
	if ended {
		if fault.Says.IsZero() || fault.Line < 0 || fault.Line > strings.Count(src, "\n")+1 {
			t.Fatalf("it ends at %d:%d: %q\n%s", fault.Line, fault.Col, fault.Says, src)
		}
	} else {
		for _, broken := range simtest.Check(p, tr, true) {
			t.Fatalf("%s\n%s", broken, src)
		}
	}
	return tr.Hash() + fault.Says.String()
}

// explains writes all that an explanation says.
func explains(t *testing.T, d *sim.Detail) {
	bytes := 0
	for _, s := range d.Sections {
		bytes += len(plain(s.Title)) + len(plain(s.Note))
		for _, line := range s.Formula {
			bytes += len(plain(line))
		}
		if s.Table != nil {
			for i := range s.Table.Rows {
				bytes += len(fmt.Sprint(s.Table.Rows[i].Cells...))
			}
		}
	}
	if bytes > 2<<20 {
		t.Fatalf("an explanation has %d bytes", bytes)
	}
}

func plain(says words.Text) string {
	return says.With(nil, func(a any) string {
		if inner, is := a.(words.Text); is {
			return plain(inner)
		}
		return fmt.Sprint(a)
	})
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// harmless runs a program twice, explained and not: it ends with a trace or a fault at its place, takes no more than it
// may, and does the same both times.
func harmless(t *testing.T, src string, scenario uint64) {
	p := simtest.Random(unit.Stream(scenario, "fuzz"))
	before := allocated()
	alone := live(t, p, src, false)
	if took := allocated() - before; took > mostAbove {
		t.Fatalf("%d bytes were allocated by\n%s", took, src)
	}
	if looked := live(t, p, src, true); looked != alone {
		t.Fatalf("explained it does\n%s\nand else\n%s\nby\n%s", looked, alone, src)
	}
}

// FuzzBindings: whatever a program does with view, plan, why, print, random and what it keeps, it neither panics nor
// hangs, takes no more memory than it may, and does the same whether somebody asks why or not.
func FuzzBindings(f *testing.F) {
	tight(f)
	r := unit.Stream(1, "programs")
	for range 40 {
		choices := make([]byte, 20+r.IntN(200))
		for i := range choices {
			choices[i] = byte(r.IntN(256))
		}
		f.Add(choices, r.Uint64())
	}
	f.Fuzz(func(t *testing.T, choices []byte, scenario uint64) {
		c := &chooser{bytes: choices[:min(len(choices), 600)]}
		harmless(t, c.program(), scenario)
	})
}

// FuzzText: the same of any text.
func FuzzText(f *testing.F) {
	tight(f)
	for i := range templates.All {
		f.Add(templates.All[i].Text, uint64(i))
	}
	f.Fuzz(func(t *testing.T, src string, scenario uint64) { harmless(t, src, scenario) })
}
