package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/words"
)

func init() { register(18, "cloud", "Cloud", cloud) }

func cloud(t *Table, s *Source) words.Text {
	p := s.Problem()
	if p == nil || p.Cloud == nil {
		return words.Say("No node here can be had for money.")
	}
	t.Columns = []Column{policy, {"group", words.Say("Group"), false}, time, {"gpus", words.Say("GPUs there"), true},
		{"gpus_used", words.Say("GPUs in use"), true}}
	t.plot = plot{mark: "line", x: "from_s", y: "gpus", colour: "policy", facet: "group", hues: s.inks}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			for g, of := range chart.NewCloudUses(s.Runs[i].Trace, p) {
				for _, at := range of.CloudTimes() {
					if !row(s.Runs[i].Name, p.Cloud.Groups[g].Name, seconds(at), number(of.There.At(at)),
						number(of.Used.At(at))) {
						return
					}
				}
			}
		}
	}
	return words.Text{}
}
