package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

func init() { register(14, "timers", "Timers", timers) }

func timers(t *Table, s *Source) words.Text {
	var runs []*trace.Trace
	var names []string
	racked := false
	for i := range s.Runs {
		of := s.Runs[i].Trace
		if chart.Timed(of) {
			racks := chart.NewRacks(of, s.Rack)
			runs, names, racked = append(runs, of), append(names, s.Runs[i].Name), racked || len(racks.Names) > 1
		}
	}
	if len(runs) == 0 {
		return words.Say("No policy here waits by timers.")
	}
	t.Columns = []Column{policy, {"timer", words.Say("Timer"), false}, time,
		{"wait_s", words.Say("Waits at most, s"), true}}
	t.plot = plot{mark: "line", x: "from_s", y: "wait_s", colour: "policy", facet: "timer", hues: s.inks}
	t.each = func(row func(...string) bool) {
		for _, z := range chart.Timers(runs, racked) {
			name := figure.Int(int(z.GPUs)) + " GPUs " + chart.Tiers[z.Tier].ID
			for i := range z.Runs {
				if !steps(&z.Runs[i], row, names[i], name) {
					return
				}
			}
		}
	}
	return words.Text{}
}
