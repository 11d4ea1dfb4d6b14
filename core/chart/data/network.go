package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/words"
)

func init() { register(12, "network", "Network", network) }

func network(t *Table, s *Source) words.Text {
	t.Columns = []Column{policy, {"rack", words.Say("Rack"), false}, {"node", words.Say("Node"), false}, job,
		{"at_s", words.Say("Time, s"), true}, {"gpus", words.Say("GPUs"), true}}
	t.plot = plot{mark: "bar", x: "gpus", y: "node", colour: "job", facet: "policy", stack: "zero", hues: s.fills}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			r := &s.Runs[i]
			racks := chart.NewRacks(r.Trace, s.Rack)
			tree := r.lane().NewTree(r.Trace, &racks, s.At)
			for _, f := range tree.Leaves {
				for _, seat := range f.Seats {
					name := "free"
					if seat.Holding == chart.SeatDown {
						name = "away"
					} else if seat.Holding >= 0 {
						name = r.Trace.Jobs[r.lane().Holdings[seat.Holding].Job].Name
					}
					node := r.Trace.Nodes[r.lane().Bands[f.Band].Node]
					if !row(r.Name, racks.Names[f.Rack], node, name, seconds(s.At), whole(seat.N)) {
						return
					}
				}
			}
		}
	}
	return words.Text{}
}
