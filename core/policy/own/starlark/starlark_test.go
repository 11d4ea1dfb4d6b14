package starlark_test

import (
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy"
	"hadarlab/core/policy/own"
	_ "hadarlab/core/policy/own/starlark"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// run lets a program decide, and gives what it ended with.
func run(t *testing.T, src string) (fault string, line, col int) {
	t.Helper()
	spec, _ := policy.Find("own")
	v, bad := spec.Check(map[string]any{"program": src})
	if len(bad) > 0 {
		return bad[0].Message.String(), bad[0].Line, bad[0].Col
	}
	p := simtest.Random(unit.Stream(7, "programs"))
	for i := range p.Jobs {
		p.Jobs[i].Arrive = unit.Tick(i) * unit.Second // a decision each
	}
	pol, err := spec.New(p.Public(), v)
	if err != nil {
		t.Fatal(err)
	}
	r, err := sim.New(p, pol, spec.Cadence(p.Public(), v), sim.Options{MaxEvents: 1e6})
	if err != nil {
		t.Fatal(err)
	}
	for r.Step() {
	}
	f, _ := r.Fault()
	return f.Says.String(), f.Line, f.Col
}

// TestWhatProgramsMayUseIsThere: every name that the manual tells of is there, and does what its kind says.
func TestWhatProgramsMayUseIsThere(t *testing.T) {
	src := "def decide(view, plan):\n    cluster, slot = view.cluster, view.slots[0]\n    job = view.jobs[0]\n"
	for i := range own.Facts {
		src += "    x = " + own.Facts[i].As + "\n"
	}
	for i := range own.Members {
		name, args, called := strings.Cut(own.Members[i].As, "(")
		if !called {
			src += "    x = " + name + "\n"
			continue
		}
		for arg, value := range map[string]string{"type": "slot.type", "gang": "[(slot, 1)]", "of": "slot",
			"quota": "5", "copy": "False", "at": "view.now + 1", "text": "'so'", "gpus": "1"} {
			args = strings.ReplaceAll(" "+args, " "+arg, " "+value)
			args = strings.ReplaceAll(args, "("+arg, "("+value)
		}
		src += "    x = " + name + "(" + args + "\n"
	}
	if fault, line, col := run(t, src); fault != "" {
		t.Errorf("%d:%d %s in\n%s", line, col, fault, src)
	}
}

// TestFaultsHaveAPlace: whatever is wrong with a program ends its lane with a sentence at its place, but for a function
// that is not there.
func TestFaultsHaveAPlace(t *testing.T) {
	decide := func(body string) string { return "def decide(view, plan):\n    " + body }
	for src, want := range map[string]string{
		"def key(job, cluster)\n    return 1": "1:22 A colon (:) is missing",
		"x = 1":                               "0:0 neither a function key",
		"while True:\n    pass":               "2:5 more than 200000 steps in one call",
		"def key(a, b):\n    while True:\n        pass": "3:9 more than 5000000 steps in one call",
		"x = random()":                                     "1:11 in a decision only",
		"def key(job, cluster):\n    return 'a'":           "2:5 must return a number or None, and returned a string",
		"key = lambda job, cluster: 'a'":                   "1:28 must return a number or None, and returned a string",
		"def key(job, cluster):\n    return job.lenght":    "2:16 job has no lenght. Did you mean weight?",
		"def key(job, cluster):\n    return job.step_left": "2:16 job has no step_left. Did you mean steps_left?",
		"def key(job, cluster):\n    return cluster.gpu":   "2:20 cluster has no gpu. Did you mean gpus?",
		"def key(job, cluster):\n    return srot(job.age)": "2:12 There is no name srot. Did you mean math.sqrt?",
		"def key(job, cluster):\n    wy(job, 'a')":         "2:5 There is no name wy. Did you mean why?",
		decide("plan.plaec(view.jobs[0])"):                 "2:10 plan has no plaec. Did you mean place?",
		"x = 1\ndef key(job):\n    return 1":               "2:1 gets 2 values, and takes at most 1",
		"x = 1\ndef key(a, b, c):\n    return 1":           "2:1 needs a value for c",
		decide("plan.place(1)"):                            "2:10 type job",
		decide("plan.place(view.jobs[0], 'none')"):         "2:10 no GPU type none",
		decide("plan.give(view.jobs[0], [1])"):             "2:10 list of (slot, GPUs)",
		decide("plan.wake('soon')"):                        "2:10 a time in seconds",
		decide("return decide"):                            "2:5 cannot be kept",
		decide("return view.jobs"):                         "2:5 cannot be kept",
		decide("view.jobs[0] = 1"):                         "2:",
		decide("view.jobs.append(1)"):                      "2:",
		decide("return [0] * 1000000000"):                  "2:16 bytes of memory in one call",
		decide("return ['x' * 1000000] * 100"):             "2:5 bytes of memory in one call",
		decide("return ['x' * 100000] * 20"):               "2:5 what decide returns has",
		decide("x = 1 // (3 - view.decision)"):             "2:11 divides by zero",

		"def a():\n return 'a'\ndef key(j, c):\n return a()": "4:2 must return a number or None, and returned a string",

		"def key(a, b):\n    return 1\ndef decide(a, b):\n    pass":  "3:1 both key and decide",
		"def key(job, cluster):\n    return job.age / (job.age * 0)": "2:20 divides by zero",
		decide("plan.give(view.jobs[0], [(view.slots[0], 0)])"):      "2:10 list of (slot, GPUs)",
	} {
		fault, line, col := run(t, src)
		place, says, _ := strings.Cut(want, " ")
		switch {
		case !strings.Contains(fault, says):
			t.Errorf("%q ends with %q, want %q", src, fault, says)
		case !strings.HasPrefix(at(line, col), place):
			t.Errorf("%q ends at %d:%d, want %s (%s)", src, line, col, place, fault)
		}
	}
}

func at(line, col int) string {
	return strconv.Itoa(line) + ":" + strconv.Itoa(col)
}

// TestOthersGoOn: a lane whose program fails gives its reason, and the lanes beside it their results.
func TestOthersGoOn(t *testing.T) {
	text, _ := lab.Preset("whose-round")
	src := "def key(job, cluster):\n    return 1 // (1 - cluster.waiting)\n"
	res, failures, diags := lab.Run(&message.RunRequest{Scenario: text, Policies: []message.PolicyRef{
		{ID: "own", Params: map[string]any{"program": src}}, {ID: "hadar"}}})
	if diags.HasErrors() || len(res.Runs) != 1 || len(failures) != 1 {
		t.Fatal(diags, res, failures)
	}
	d := failures[0].Diagnostics[0]
	if d.Code != "program-failed" || d.Path != "/scenario/policies/0/params/program" || d.At == nil || d.At.Line != 2 {
		t.Errorf("the lane says %+v", d)
	}
}

// TestADecisionHasOneNumber: a run that ends says at which decision by the number that the program was told, which
// explains it too.
func TestADecisionHasOneNumber(t *testing.T) {
	text, _ := lab.Preset("whose-round")
	for n := range 3 {
		src := "def decide(view, plan):\n    if view.decision == " + strconv.Itoa(n) + ":\n        fail(\"here\")\n" +
			"    for job in view.waiting:\n        plan.place(job)\n"
		_, failures, _ := lab.Run(&message.RunRequest{Scenario: text, Policies: []message.PolicyRef{
			{ID: "own", Params: map[string]any{"program": src}}}})
		want := "The run ended at decision " + strconv.Itoa(n) + ", counted from 0, "
		if len(failures) != 1 || !strings.HasPrefix(failures[0].Message, want) {
			t.Errorf("%+v, want %s", failures, want)
		}
	}
}
