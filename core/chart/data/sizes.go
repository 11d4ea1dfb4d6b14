package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

func init() { register(10, "sizes", "Sizes", sizes) }

func sizes(t *Table, s *Source) words.Text {
	t.Columns = []Column{policy, job, time, {"gpus", words.Say("GPUs"), true}}
	t.plot = plot{mark: "line", x: "from_s", y: "gpus", colour: "policy", facet: "job", hues: s.inks}
	t.each = func(row func(...string) bool) {
		var runs []*trace.Trace
		for i := range s.Runs {
			runs = append(runs, s.Runs[i].Trace)
		}
		for _, z := range chart.Sizes(runs, -1) {
			for i := range z.Runs {
				if !steps(&z.Runs[i], row, s.Runs[i].Name, runs[i].Jobs[z.Job].Name) {
					return
				}
			}
		}
	}
	return words.Text{}
}
