package state

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	_ "hadarlab/core/policy/own/starlark"
	"hadarlab/core/program"
)

// TestFaultsEndOnce: what is wrong with what is typed is a sentence and ends once, whether its reason comes as a
// sentence, as a question or as a piece of one.
func TestFaultsEndOnce(t *testing.T) {
	d := newDesk(t)
	d.do(Do{edit.SetPolicy{Lane: 0, ID: "own"}})
	formula := func(param, text string) Action { return TypedFormula{Field: "f", Param: param, Text: text} }
	long := strings.Repeat("#", program.Longest+1)
	for _, a := range []Action{formula("key", "1 2"), formula("key", "1 > 2"), formula("key", "job.zzz"),
		formula("key", "job.step_left"), formula("program", long), formula("program", ""),
		Typed{Field: "f", Name: "Steps", Text: "x", Range: edit.AnyNumber, Edit: edit.SetJob{Field: edit.JobSteps}},
		TypedCurve{Text: "x"}} {
		d.s.Drafts = map[string]Draft{}
		d.do(a)
		for _, fault := range d.s.Drafts {
			if says := fault.Message; strings.TrimRight(says, ".?") != says[:len(says)-1] {
				t.Errorf("it says %q", says)
			}
		}
		if len(d.s.Drafts) != 1 {
			t.Errorf("%.60v finds no fault", a)
		}
	}
}

// TestAProgramIsWrittenAnew: who empties a program to write another has not left it, and the lane keeps the last one
// until there is another, or none is wanted.
func TestAProgramIsWrittenAnew(t *testing.T) {
	d := newDesk(t)
	d.do(Do{edit.StartProgram{Lane: 0, Template: "fifo"}})
	p := d.s.Boot.Policy("own").Param("program")
	now := func() any { v, _ := p.Of(&d.s.Doc.Scenario.Policies[0]); return v }
	first := now()
	typed := func(text string) { d.do(TypedFormula{Field: "f", Param: "program", Text: text}) }
	if typed(""); now() != first || len(d.s.Drafts) != 1 {
		t.Errorf("emptied it is %q, with %d drafts", now(), len(d.s.Drafts))
	}
	if typed("d"); now() != "d" || len(d.s.Drafts) != 0 {
		t.Errorf("one letter later it is %q, with %d drafts", now(), len(d.s.Drafts))
	}
	typed("")
	if d.do(Mend{edit.StartProgram{Lane: 0, Template: "fifo"}}); now() != first || len(d.s.Drafts) != 0 {
		t.Errorf("begun again it is %q, with %d drafts", now(), len(d.s.Drafts))
	}
}

// TestAProgramBegunHasTheKeyboard: who begins a program from a template, or from what a lane does, writes on at once,
// and the lane that is explained is that one; no other edit takes the keyboard away.
func TestAProgramBegunHasTheKeyboard(t *testing.T) {
	d := newDesk(t)
	d.do(LoadPreset{"whose-round"})
	d.pass(1000)
	for lane, a := range []Action{Mend{edit.StartProgram{Lane: 0, Template: "fifo"}},
		Do{edit.StartProgram{Lane: 1, Template: "srtf"}}} {
		d.log = nil
		if d.do(a); !slices.Contains(d.log, Effect(room.Focus{Part: room.PartProgram})) || d.s.View.WhyLane != lane {
			t.Errorf("%+v leads to %v, lane %d is explained", a, d.log, d.s.View.WhyLane)
		}
	}
	d.log = nil
	d.do(Mend{edit.SetPolicy{Lane: 0, ID: "fifo"}})
	if slices.Contains(d.log, Effect(room.Focus{Part: room.PartProgram})) {
		t.Error("an edit takes the keyboard")
	}
}
