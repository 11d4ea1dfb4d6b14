package starlark_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/policy/own"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// explained is decision number round of a program on a problem, or nil.
func explained(t *testing.T, p *model.Problem, src string, round int) *sim.Detail {
	t.Helper()
	spec, _ := policy.Find("own")
	v, bad := spec.Check(map[string]any{"program": src})
	if len(bad) > 0 {
		t.Fatal(bad[0].Message)
	}
	pol, err := spec.New(p.Public(), v)
	if err != nil {
		t.Fatal(err)
	}
	r, err := sim.New(p, pol, spec.Cadence(p.Public(), v), sim.Options{MaxEvents: 1e6})
	if err != nil {
		t.Fatal(err)
	}
	r.Explain(round)
	for r.Explained() == nil && r.Step() {
	}
	return r.Explained()
}

// titled is the section of a decision whose title begins so.
func titled(t *testing.T, d *sim.Detail, title string) *sim.Section {
	t.Helper()
	i := slices.IndexFunc(d.Sections, func(s *sim.Section) bool { return strings.HasPrefix(s.Title.String(), title) })
	if i < 0 {
		t.Fatalf("there is no section %q", title)
	}
	return d.Sections[i]
}

// named is a text with jobs and gangs as plain numbers.
func named(says words.Text) string {
	return says.With(nil, func(a any) string {
		if inner, is := a.(words.Text); is {
			return named(inner)
		}
		return fmt.Sprint(a)
	})
}

// seen writes values as the table of what a program was given does: objects by name, and of a long list its beginning.
const seen = `
def seen(x):
    if type(x) == "job":
        return x.name
    if type(x) == "slot":
        return x.node + "/" + x.type
    if type(x) == "tuple":
        return "(" + ", ".join([seen(y) for y in x[:20]] + (["… " + str(len(x))] if len(x) > 20 else [])) + ")"
    return str(x)
`

// TestWhatProgramsAreGivenIsShown: of a decision that is explained, every member that the manual tells of stands with
// the value that the program itself prints.
func TestWhatProgramsAreGivenIsShown(t *testing.T) {
	// every member is printed as NAME=VALUE: of view and cluster once, of a job and a slot with their number
	src := seen + "\ndef decide(view, plan):\n    cluster = view.cluster\n"
	print := func(indent, of, prefix string) {
		for _, f := range own.Given(of) {
			src += fmt.Sprintf("%sprint(%s%q + \"=\" + seen(%s))\n", indent, prefix, f.As, f.As)
		}
	}
	print("    ", "view", "")
	print("    ", "cluster", "")
	src += "    for job in view.jobs[:3]:\n"
	print("        ", "job", "job.name + ' ' + ")
	src += "        for t in cluster.types:\n" +
		"            print(job.name + ' job.speed_on(\"' + t + '\")=' + str(job.speed_on(t)))\n" +
		"    for slot in view.slots[:3]:\n"
	print("        ", "slot", "str(slot.id) + ' ' + ")
	src += "    for job in view.waiting:\n        plan.place(job)\n" +
		"    return {'n': view.decision, 'text': ['a', None, 1.5]}\n"

	for seed := range uint64(20) {
		p := simtest.Random(unit.Stream(seed, "given"))
		d := explained(t, p, src, int(seed%3))
		if d == nil {
			d = explained(t, p, src, 0)
		}
		table := map[string]string{}
		put := func(s *sim.Section, of func(r *sim.Row) string) {
			for i := range s.Table.Rows {
				r := &s.Table.Rows[i]
				for k, c := range s.Table.Columns {
					if text, is := r.Cells[k].(string); is {
						table[of(r)+c.Name] = text
					}
				}
			}
		}
		put(titled(t, d, "What the program was given"), func(*sim.Row) string { return "" })
		put(titled(t, d, "What it was given of the job"),
			func(r *sim.Row) string { return p.Jobs[r.Cells[0].(model.JobID)].Name + " " })
		put(titled(t, d, "What it was given of the slots"),
			func(r *sim.Row) string { return r.Cells[0].(string) + " " })
		lines := 0
		for _, says := range titled(t, d, "What the program did").Formula {
			_, line, is := strings.Cut(named(says), ": prints ")
			if !is {
				continue
			}
			name, value, _ := strings.Cut(line, "=")
			if lines++; table[name] != value {
				t.Errorf("scenario %d: %s is %q, and the program prints %q", seed, name, table[name], value)
			}
		}
		want := 0
		for _, of := range []string{"view", "cluster", "job", "slot"} {
			want += len(own.Given(of))
		}
		if lines < want {
			t.Errorf("scenario %d: %d values were printed of %d members", seed, lines, want)
		}
	}
	for _, of := range []string{"view", "cluster", "job", "slot"} {
		if len(own.Given(of)) < 4 {
			t.Errorf("%d members of %s", len(own.Given(of)), of)
		}
	}
}

// TestStepsAreTold: what a program does in a decision that is explained stands in its order, with the lines, and what
// the kernel refuses says why; of a decision that nobody asks about nothing is kept.
func TestStepsAreTold(t *testing.T) {
	p := simtest.Build(300, []simtest.Node{{"v100": 2}, {"k80": 2}}, []simtest.Job{
		{Rates: map[string]float64{"v100": 2, "k80": 1}, GPUs: 2, Steps: 1000},
		{Rates: map[string]float64{"v100": 2, "k80": 1}, GPUs: 4, Steps: 1000}}, model.Costs{})
	d := explained(t, p, `def decide(view, plan):
    plan.keep(view.jobs[0])
    print("hello")
    plan.place(view.jobs[0], "v100")
    plan.place(view.jobs[1], "k80")
    plan.give(view.jobs[1], [(view.slots[0], 1)])
    plan.drop(view.jobs[0])
    plan.drop(view.jobs[1])
    plan.wake(view.now + 60)
`, 0)
	s := titled(t, d, "What the program did, step by step; the kernel refused 3 calls")
	want := []string{
		"line 2: refused: keep(0): it held nothing, or that has been given away",
		"line 3: prints hello",
		"line 4: place(0): it gets [{0 2}]",
		"line 5: refused: place(1): it needs 4 GPUs, and 2 are free",
		"line 6: refused: give(1, [{0 1}]): free 1 of 0: 0 of 2",
		"line 7: drop(0): what this decision has given it, it keeps",
		"line 8: drop(1): what it held is free",
		"line 9: wake: the next decision is at 60 at the latest"}
	if len(s.Formula) != len(want) {
		t.Errorf("%d steps, want %d", len(s.Formula), len(want))
	}
	for i := range min(len(want), len(s.Formula)) {
		if got := named(s.Formula[i]); !strings.HasPrefix(got, want[i]) {
			t.Errorf("step %d is %q, want %q", i, got, want[i])
		}
	}
	fault := explained(t, p, "def decide(view, plan):\n    plan.place(view.jobs[0])\n    return 1 // 0\n", 0)
	if got := titled(t, fault, "What the program did").Formula; len(got) != 1 {
		t.Errorf("before it ended it did %v", got)
	}
	titled(t, fault, "The program ended here")
	titled(t, fault, "What the program was given")
}

// TestManyJobsAreTold: a decision on more jobs than anybody reads of stays of bounded size, and says of how many it
// tells.
func TestManyJobsAreTold(t *testing.T) {
	jobs := make([]simtest.Job, 700)
	for i := range jobs {
		jobs[i] = simtest.Job{Rates: map[string]float64{"v100": 2}, GPUs: 2, Steps: 1000}
	}
	p := simtest.Build(300, []simtest.Node{{"v100": 2}}, jobs, model.Costs{})
	d := explained(t, p, "def key(job, cluster):\n    return job.age\n", 0)
	s := titled(t, d, "What it was given of the job")
	if len(s.Table.Rows) != 500 || s.Note.String() != "The table tells of the first 500 of 700." {
		t.Errorf("%d jobs stand in the table: %q", len(s.Table.Rows), s.Note)
	}
	bytes := 0
	for i := range s.Table.Rows {
		for _, c := range s.Table.Rows[i].Cells {
			bytes += len(fmt.Sprint(c)) + 9
		}
	}
	if bytes > 250_000 {
		t.Errorf("the table has %d bytes", bytes)
	}
}
