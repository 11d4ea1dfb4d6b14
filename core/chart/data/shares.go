package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

func init() { register(8, "shares", "Shares", shares) }

func shares(t *Table, s *Source) words.Text {
	t.Columns = []Column{policy, job, time, {"share", words.Say("Part of the progress"), true}}
	t.plot = plot{mark: "area", x: "from_s", y: "share", colour: "job", facet: "policy", stack: "zero", hues: s.fills}
	t.each = func(row func(...string) bool) {
		var runs []*trace.Trace
		end := unit.Tick(1)
		for i := range s.Runs {
			runs, end = append(runs, s.Runs[i].Trace), max(end, s.Runs[i].Trace.End)
		}
		best, axis := chart.BestRates(runs), chart.NewAxis(end, runs[0].Round)
		wide := float64(axis.To-axis.From) / chart.ShareColumns
		for i := range s.Runs {
			all := chart.NewShares(runs[i], &axis, best, chart.ShareColumns)
			for k := range all.V {
				name := "others"
				if k < len(all.Jobs) {
					name = runs[i].Jobs[all.Jobs[k]].Name
				}
				for c, v := range all.V[k] {
					at := seconds(axis.From + unit.Tick(float64(c)*wide))
					if !row(s.Runs[i].Name, name, at, number(v)) {
						return
					}
				}
			}
		}
	}
	return words.Text{}
}
