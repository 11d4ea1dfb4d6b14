package data

import (
	"math"
	"slices"

	"hadarlab/core/message"
	"hadarlab/core/words"
)

// SweepFigures are those that are drawn of many runs.
var SweepFigures = [...]string{"avg_jct_s", "makespan_s", "gpu_utilization", "ftf_max"}

// Sweep is the runs of a sweep as a table, a row a figure: over the values of the number that is varied a line a
// policy, beside each other for those of a second one, and there is no third; of seeds alone a mark a run.
func Sweep(vary []message.Axis, points []message.SweepPoint) *Table {
	var names []string
	for i := range points {
		for k := range points[i].Runs {
			if name := points[i].Runs[k].Name(); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	t := &Table{Columns: []Column{policy, {"seed", words.Say("Seed"), false}, {"figure", words.Say("Figure"), false},
		{"value", words.Say("Value"), true}}}
	t.plot = plot{mark: "tick", x: "value", y: "policy", colour: "policy", facet: "figure", apart: "x",
		hues: dashes(names)}
	of := [...]string{"varied", "beside"} // paths have dots and slashes, which Vega-Lite reads
	for i := range vary[:min(len(vary), len(of))] {
		t.Columns = append(t.Columns, Column{of[i], words.Say("{0}", vary[i].Path), i == 0})
	}
	if len(vary) > 0 {
		t.plot.mark, t.plot.x, t.plot.y, t.plot.apart, t.plot.mean = "line", of[0], "value", "y", true
	}
	if len(vary) > 1 {
		t.plot.side = of[1]
	}
	t.each = func(row func(...string) bool) {
		for i := range points {
			for k := range points[i].Runs {
				r := &points[i].Runs[k]
				for _, name := range SweepFigures {
					m := message.FindMetric(name)
					v := m.Of(&r.Metrics)
					if math.IsNaN(v) {
						continue
					}
					cells := []string{r.Name(), number(float64(r.Seed)), m.Title, number(v)}
					for _, v := range points[i].Values[:min(len(vary), len(of))] {
						cells = append(cells, number(v))
					}
					if !row(cells...) {
						return
					}
				}
			}
		}
	}
	return t
}
