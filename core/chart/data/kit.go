package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/words"
)

// overTime is a step curve a run.
func (t *Table) overTime(s *Source, name string, title words.Text, of func(r *Run) chart.Series) words.Text {
	t.Columns = []Column{policy, time, {name, title, true}}
	t.plot = plot{mark: "line", x: "from_s", y: name, colour: "policy", hues: s.inks}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			curve := of(&s.Runs[i])
			if !steps(&curve, row, s.Runs[i].Name) {
				return
			}
		}
	}
	return words.Text{}
}

// spent are the parts of some GPU time, a bar a run.
func (t *Table) spent(s *Source, of []chart.Spent, title words.Text, share func(r *Run) []float64) words.Text {
	t.Columns = []Column{policy, {"cause", words.Say("Cause"), false}, {"share", title, true}}
	t.plot = plot{mark: "bar", x: "share", y: "policy", colour: "cause", stack: "zero", hues: parts}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			for k, v := range share(&s.Runs[i]) {
				if !row(s.Runs[i].Name, of[k].ID, number(v)) {
					return
				}
			}
		}
	}
	return words.Text{}
}
