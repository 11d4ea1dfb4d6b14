package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

func init() { register(5, "winners", "Winners", winners) }

func winners(t *Table, s *Source) words.Text {
	if len(s.Runs) < 2 {
		return words.Say("Add a second policy to see who wins and who loses.")
	}
	a, b := s.pair()
	t.Columns = []Column{job, {"sooner_s", words.Say("Sooner under {0} than under {1}, s", a.Name, b.Name), true},
		{"first_s", words.Say("Completion under {0}, s", a.Name), true},
		{"second_s", words.Say("Completion under {0}, s", b.Name), true}}
	t.plot = plot{mark: "bar", x: "sooner_s", y: "job", colour: "job", hues: s.fills}
	took := func(of *trace.Trace, j int32) string {
		if d := of.Jobs[j].CompletionTime(); d != unit.Never {
			return seconds(d)
		}
		return ""
	}
	t.each = func(row func(...string) bool) {
		for _, g := range chart.Gains(a.Trace, b.Trace) {
			by := ""
			if g.Known {
				by = seconds(g.By)
			}
			if !row(a.Trace.Jobs[g.Job].Name, by, took(a.Trace, g.Job), took(b.Trace, g.Job)) {
				return
			}
		}
	}
	return words.Text{}
}
