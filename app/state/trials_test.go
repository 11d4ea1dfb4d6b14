package state

import (
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/core/lab"
	_ "hadarlab/core/policy/own/starlark"
	"hadarlab/core/program/templates"
)

// tried writes a program into the first lane and tests it.
func tried(t *testing.T, src string) *desk {
	t.Helper()
	text, _ := lab.Preset("whose-round")
	d := newDesk(t)
	d.do(OpenFile{Name: "a.json", Data: text})
	d.pass(1000)
	d.do(Do{edit.StartProgram{Lane: 0, Template: "fifo"}})
	info := d.s.Boot.Policy("own")
	d.do(Do{edit.SetParam{Lane: 0, Param: info.Param("program"), Value: src}})
	d.pass(1000)
	d.do(TestProgram{Lane: 0})
	return d
}

// TestAProgramIsTested: on the scenario and on three small cases a program runs beside FIFO; each says how it ends, one
// that fails spoils no other, and a stopped test goes on with nothing.
func TestAProgramIsTested(t *testing.T) {
	d := tried(t, templates.All[0].Text)
	for n := 0; d.s.Trials.Busy(); n++ {
		if n > 10 {
			t.Fatal("the test does not end")
		}
		d.sweeps(-1)
	}
	cases := d.s.Trials.Cases
	if len(cases) != 4 || d.s.Trials.Sound() != 4 || !strings.Contains(d.s.Announcement, "4 of 4") {
		t.Errorf("FIFO as a program: %+v, %q", cases, d.s.Announcement)
	}
	for _, c := range cases {
		if c.Mean <= 0 || c.Mean != c.FIFO {
			t.Errorf("%q: FIFO as a program has a mean of %v, FIFO %v", c.Case, c.Mean, c.FIFO)
		}
	}

	d = tried(t, `def decide(view, plan):
    for job in view.waiting:
        if len(view.jobs) > 20:
            fail("too many")
        plan.place(job, view.cluster.types[0])
`)
	for d.s.Trials.Busy() {
		d.sweeps(-1)
	}
	cases = d.s.Trials.Cases
	if got := cases[3]; got.Case != "burst" || !strings.Contains(got.Problem.String(), "line 4, character") ||
		!strings.Contains(got.Problem.String(), "too many") {
		t.Errorf("the case in which it fails says %q", got.Problem)
	}
	if got := cases[2]; got.Case != "types" || !got.Problem.IsZero() || got.Left == 0 || got.FIFO <= 0 {
		t.Errorf("of two types: %+v", got)
	}
	if got := cases[1]; got.Case != "gap" || got.Left != 0 || got.Mean <= 0 {
		t.Errorf("of a gap: %+v", got)
	}

	d = tried(t, templates.All[0].Text)
	d.do(StopTest{})
	if d.s.Trials.Busy() || d.s.Trials.Sound() != 0 {
		t.Error("a test that is stopped goes on")
	}
	if d.do(TestProgram{Lane: 1}); d.s.Trials.Busy() {
		t.Error("a lane without a program is tested")
	}
}
