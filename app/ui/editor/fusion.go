package editor

import (
	"hadarlab/app/edit"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// fusion is whether jobs of one sweep train as one.
func fusion(c *Editor) app.UI {
	h := &c.Fields
	s := &h.Doc.Scenario
	sweeps := map[string]bool{}
	for i := range s.Jobs {
		if n := s.Jobs[i].Sweep; n != "" {
			sweeps[n] = true
		}
	}
	brief, kids := words.T("none"), []app.UI(nil)
	if s.Fusion == nil {
		kids = append(kids, h.button(".btn|data-test=editor-fuse", "Fuse jobs of a sweep", "fuse",
			state.Do{Edit: edit.Fuse(true)}))
	} else {
		brief = words.N(len(sweeps), "{0} sweep", "{0} sweeps")
		kids = append(kids, h.form(nil, edit.FusionForm())...)
		for _, row := range edit.Curves(h.Doc) {
			name := s.Throughputs.Rows[row].Model
			line := []app.UI{Bold(name)}
			for _, f := range edit.CurveForm(row) {
				line = append(line, El("span.unit", Say("span.mute", f.Label), h.figure(f)))
			}
			kids = append(kids, El("div.line", append(line, h.tool("|data-kind=quiet|data-test=editor-remove-curve",
				"trash", words.F("No figures of {0}", name), name,
				state.Do{Edit: edit.AddCurve(row, name, false)}))...))
		}
		options := []app.UI{Option("", words.T("+ Figures of a model…"), true)}
		for i := range s.Throughputs.Rows {
			if r := &s.Throughputs.Rows[i]; r.Fusion == nil && len(options) < 200 {
				options = append(options, Option(Itoa(i), r.Model, false))
			}
		}
		if len(options) > 1 {
			kids = append(kids, c.adder("editor-add-curve", words.T("Figures of a model"), options,
				func(v string) edit.Edit {
					i := WholeNumber(v)
					return edit.AddCurve(i, s.Throughputs.Rows[i].Model, true)
				}))
		}
		kids = append(kids, El("div.line", h.button(".btn|data-test=editor-sweeps", "Make jobs that are alike sweeps",
			"sweeps", state.Do{Edit: edit.Sweep()}), h.button(".btn", "No fusion", "nofuse",
			state.Do{Edit: edit.Fuse(false)})))
	}
	return shut("editor-fusion", "Fusion", brief, append(kids, Say("p.mute help",
		"Jobs of a sweep differ in hyper-parameters alone. Those that wait are held until there are enough of them, and train as one wide model on one GPU; to the policies they are one job."))...)
}
