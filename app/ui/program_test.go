package ui

import (
	"os"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/state"
	"hadarlab/app/student"
	"hadarlab/app/ui/editor"
	"hadarlab/core/message"
	"hadarlab/core/program/templates"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// TestAnOrderHasItsSwitch: whoever writes an order, as an expression or as a program, sees beside it, and not in a
// fold, whether it takes GPUs from those behind, without which SRTF cannot be written; a program that states gangs has
// no such switch there.
func TestAnOrderHasItsSwitch(t *testing.T) {
	for i := range templates.All {
		of := &templates.All[i]
		d := newDesk(t)
		d.do(state.Do{Edit: edit.StartProgram{Lane: 0, Template: of.ID}})
		for _, formula := range []bool{false, true} {
			if formula {
				p := d.h.S.Boot.Policy("own").Param("program")
				d.do(state.Do{Edit: edit.SetParam{Lane: 0, Param: p, Value: ""}})
			}
			d.do(state.ToggleEditor{})
			page := app.HTMLString(editor.Of(&d.h.S.Lab, &student.Model{}).Render())
			_, card, _ := strings.Cut(page, `class="lanecard"`)
			at, fold := strings.Index(card, `id="param-0-preempt"`), strings.Index(card, "Parameters</b>")
			if order := formula || strings.Contains(of.Text, "def key"); at < 0 || fold < 0 || order != (at < fold) {
				t.Errorf("%s, formula %v: the switch stands at %d, the fold at %d", of.ID, formula, at, fold)
			}
		}
		lessons, err := os.ReadFile("../../scenarios/lessons.json")
		title := " › " + d.h.S.Boot.Policy("own").Param("preempt").Title
		if text := string(lessons); err != nil || strings.Contains(text, "Parameters"+title) ||
			!strings.Contains(text, "Your own order"+title) {
			t.Errorf("a lesson does not say where the switch is: %v", err)
		}
	}
}

// TestTheEngineForProgramsIsSeenLoading: while the engine for programs is being fetched, bar and card of the run say
// so, and how much it is; not when it is there.
func TestTheEngineForProgramsIsSeenLoading(t *testing.T) {
	d := newDesk(t)
	s := &d.h.S.Lab
	said := func() string {
		d.h.S.Reduce(state.RunNow{}) // which nobody answers
		return topOf(s).words() + app.HTMLString(soFarOf(s).Render())
	}
	if d.do(state.EngineLoads{}); strings.Count(said(), "Loading the engine for programs: 2 MB") != 2 {
		t.Errorf("it is not said: %s", said())
	}
	if d.do(state.Answer{Message: &message.Message{Ready: true}}); strings.Contains(said(), "Loading") {
		t.Errorf("it is said for ever: %s", said())
	}
}
