package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/words"
)

func init() { register(15, "links", "Links", links) }

func links(t *Table, s *Source) words.Text {
	p := s.Problem()
	if p == nil || p.Links == nil {
		return words.Say("No gangs here share links: the network has no shared_links.")
	}
	t.Columns = []Column{policy, {"link", words.Say("Link"), false}, time,
		{"sent_gb_per_s", words.Say("Sent, GB/s"), true},
		{"given_gb_per_s", words.Say("Shares of the gangs, GB/s"), true},
		{"carries_gb_per_s", words.Say("Carries, GB/s"), true}, {"gangs", words.Say("Gangs"), true}}
	t.plot = plot{mark: "line", x: "from_s", y: "sent_gb_per_s", colour: "policy", facet: "link", hues: s.inks}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			for _, of := range chart.NewLoads(s.Runs[i].Trace, p) {
				name := "card of "
				if of.Uplink {
					name = "uplink of "
				}
				last := of.Steps[len(of.Steps)-1]
				if last.At = of.End; last.At > of.Steps[len(of.Steps)-1].At {
					of.Steps = append(of.Steps, last)
				}
				for _, now := range of.Steps {
					if !row(s.Runs[i].Name, name+of.Place(&p.Cluster), seconds(now.At), number(now.Sent/1e9),
						number(now.Given/1e9), number(of.Carries/1e9), whole(now.Gangs)) {
						return
					}
				}
			}
		}
	}
	return words.Text{}
}
