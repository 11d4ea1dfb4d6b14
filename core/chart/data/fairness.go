package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/words"
)

func init() { register(6, "fairness", "Fairness", fairness) }

func fairness(t *Table, s *Source) words.Text {
	t.Columns = []Column{policy, job, {"ftf", words.Say("Finish-time fairness ρ"), true},
		{"jobs_percent", words.Say("Jobs with no more, %"), true}}
	t.plot = plot{mark: "line", x: "ftf", y: "jobs_percent", colour: "policy", hues: s.inks}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			r := &s.Runs[i]
			c := chart.Fairness(r.Meta, r.Name, "")
			for k, j := range c.Job {
				if !row(r.Name, r.Trace.Jobs[j].Name, number(c.V[k]),
					number(float64(k+1)/float64(len(c.V))*100)) {
					return
				}
			}
		}
	}
	return words.Text{}
}
