package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/words"
)

func init() { register(16, "hosts", "Hosts", hosts) }

func hosts(t *Table, s *Source) words.Text {
	p := s.Problem()
	if p == nil || p.Needs == nil {
		return words.Say("No job here needs CPUs or memory that a node may lack.")
	}
	t.Columns = []Column{policy, {"node", words.Say("Node"), false}, time,
		{"cpus_used", words.Say("CPUs in use"), true}, {"cpus_given", words.Say("CPUs of the jobs"), true},
		{"cpus", words.Say("CPUs"), true}, {"memory_used_gb", words.Say("Memory in use, GB"), true},
		{"memory_given_gb", words.Say("Memory of the jobs, GB"), true}, {"memory_gb", words.Say("Memory, GB"), true},
		{"slowed", words.Say("Jobs slowed"), true}}
	t.plot = plot{mark: "line", x: "from_s", y: "cpus_used", colour: "policy", facet: "node", hues: s.inks}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			for _, of := range chart.NewHostUses(s.Runs[i].Trace, p.Under(s.Runs[i].Meta.Params)) {
				last := of.Steps[len(of.Steps)-1]
				if last.At = of.End; last.At > of.Steps[len(of.Steps)-1].At {
					of.Steps = append(of.Steps, last)
				}
				for _, now := range of.Steps {
					if !row(s.Runs[i].Name, p.Cluster.Nodes[of.Node].Name, seconds(now.At), number(now.Used.CPUs),
						number(now.Given.CPUs), number(of.Host.CPUs), number(now.Used.MemoryGB),
						number(now.Given.MemoryGB), number(of.Host.MemoryGB), whole(now.Slowed)) {
						return
					}
				}
			}
		}
	}
	return words.Text{}
}
