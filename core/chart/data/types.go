package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

func init() { register(7, "types", "By GPU type", types) }

func types(t *Table, s *Source) words.Text {
	t.Columns = []Column{policy, {"gpu_type", words.Say("GPU type"), false}, {"use", words.Say("use"), false}, time,
		{"gpus", words.Say("GPUs"), true}}
	t.plot = plot{mark: "area", x: "from_s", y: "gpus", colour: "use", facet: "gpu_type", side: "policy", stack: "zero",
		hues: parts}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			r := &s.Runs[i]
			for _, u := range r.lane().UsageByType(r.Trace) {
				var at []unit.Tick
				for _, of := range [...]*chart.Series{&u.Busy, &u.Held, &u.Wanted} {
					at = append(at, of.T...)
				}
				at = append(at, r.Trace.End)
				last := unit.Tick(-1)
				for _, k := range unit.ByTick(at, r.Trace.Pace) {
					at := at[k]
					if at == last {
						continue
					}
					last = at
					b, h, w := u.Busy.At(at), u.Held.At(at), u.Wanted.At(at)
					for k, v := range [...]float64{b, h - b, w - h} {
						use := [...]string{"busy", "held, no progress", "idle while a job waits"}[k]
						if !row(r.Name, r.Trace.Types[u.Type], use, seconds(at), number(v)) {
							return
						}
					}
				}
			}
		}
	}
	return words.Text{}
}
