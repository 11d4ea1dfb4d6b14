package data

import (
	"slices"

	"hadarlab/core/chart"
	"hadarlab/core/model"
	"hadarlab/core/words"
)

func init() { register(13, "worth", "Goodput", worth) }

func worth(t *Table, s *Source) words.Text {
	p := s.Problem()
	if p == nil || !slices.ContainsFunc(p.Jobs, func(j model.Job) bool { return j.Profile >= 0 }) {
		return words.Say("No model here has a profile, by which alone it is known what its examples bring.")
	}
	t.Columns = []Column{policy, {"counted", words.Say("Counted"), false}, time,
		{"examples_per_s", words.Say("Examples per second"), true}}
	t.plot = plot{mark: "line", x: "from_s", y: "examples_per_s", colour: "counted", facet: "policy",
		hues: dashes([]string{"read", "worth"})}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			w := chart.NewWorth(s.Runs[i].Trace, p, -1)
			if !steps(&w.Read, row, s.Runs[i].Name, "read") || !steps(&w.Worth, row, s.Runs[i].Name, "worth") {
				return
			}
		}
	}
	return words.Text{}
}
