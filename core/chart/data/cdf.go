package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/words"
)

func init() { register(4, "cdf", "Completion", cdf) }

func cdf(t *Table, s *Source) words.Text {
	t.Columns = []Column{policy, job, {"completion_s", words.Say("Completion time (JCT), s"), true},
		{"jobs_percent", words.Say("Jobs complete, %"), true}}
	t.plot = plot{mark: "line", x: "completion_s", y: "jobs_percent", colour: "policy", hues: s.inks}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			r := &s.Runs[i]
			c := chart.NewCDF(r.Trace, r.Name, "")
			if !row(r.Name, "", "0", "0") {
				return
			}
			for _, step := range c.Steps {
				if !row(r.Name, r.Trace.Jobs[step.Job].Name, seconds(step.CompletionTime),
					number(c.Share(step.N)*100)) {
					return
				}
			}
		}
	}
	return words.Text{}
}
