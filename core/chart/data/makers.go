package data

import (
	"slices"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// makers fill the tables of chart.Kinds, in its order; a text says why there is nothing to show.
var makers = [len(chart.Kinds)]func(*Table, *Source) words.Text{busy, prices, queue, cdf, winners, fairness, types,
	shares, overheads, sizes, locality, network, worth, timers}

// overTime is a step curve a run.
func (t *Table) overTime(s *Source, name string, title words.Text, of func(r *Run) chart.Series) words.Text {
	t.Columns = []Column{policy, time, {name, title, true}}
	t.plot = plot{mark: "line", x: "from_s", y: name, colour: "policy", hues: s.inks}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			curve := of(&s.Runs[i])
			if !steps(&curve, row, s.Runs[i].Name) {
				return
			}
		}
	}
	return words.Text{}
}

func busy(t *Table, s *Source) words.Text {
	return t.overTime(s, "gpus_busy", words.Say("GPUs busy"),
		func(r *Run) chart.Series { return chart.Busy(r.Trace) })
}

func queue(t *Table, s *Source) words.Text {
	return t.overTime(s, "jobs_waiting", words.Say("Jobs that wait"),
		func(r *Run) chart.Series { return r.lane().Queue(r.Trace.Pace) })
}

func prices(t *Table, s *Source) words.Text {
	var names []string
	of := words.Say("Price of a GPU")
	for i := range s.Runs {
		curves, _ := chart.PriceCurves(s.Runs[i].Trace)
		for _, c := range curves {
			if !slices.Contains(names, c.Name.String()) {
				names = append(names, c.Name.String())
			}
		}
		if u := s.Runs[i].Meta.PriceUnit; len(curves) > 0 && u != "" {
			of = words.Say("Price of a GPU, {0}", u)
		}
	}
	if len(names) == 0 {
		return words.Say("No policy here prices GPUs.")
	}
	t.Columns = []Column{policy, {"gpus", words.Say("GPUs"), false}, time, {"price", of, true}}
	t.plot = plot{mark: "line", x: "from_s", y: "price", colour: "gpus", facet: "policy", hues: dashes(names)}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			curves, _ := chart.PriceCurves(s.Runs[i].Trace)
			for k := range curves {
				if !steps(&curves[k].Series, row, s.Runs[i].Name, curves[k].Name.String()) {
					return
				}
			}
		}
	}
	return words.Text{}
}

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
				if !row(r.Name, r.Trace.Jobs[step.Job].Name, seconds(step.Took), number(c.Share(step.N)*100)) {
					return
				}
			}
		}
	}
	return words.Text{}
}

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
		if f := of.Jobs[j].Finish; f >= 0 {
			return seconds(f - of.Jobs[j].Arrive)
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

func fairness(t *Table, s *Source) words.Text {
	t.Columns = []Column{policy, job, {"ftf", words.Say("Finish-time fairness ρ"), true},
		{"jobs_percent", words.Say("Jobs with no more, %"), true}}
	t.plot = plot{mark: "line", x: "ftf", y: "jobs_percent", colour: "policy", hues: s.inks}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			r := &s.Runs[i]
			v := make([]float64, len(r.Meta.Jobs))
			for k := range v {
				v[k] = r.Meta.Jobs[k].FTF
			}
			c := chart.NewRatios(v, r.Name, "")
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

// columns is how finely shares divide the time.
const columns = 200

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
		wide := float64(axis.To-axis.From) / columns
		for i := range s.Runs {
			all := chart.NewShares(runs[i], &axis, best, columns)
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

// spent are the parts of some GPU time, a bar a run.
func (t *Table) spent(s *Source, of []chart.Spent, title words.Text, share func(r *Run) []float64) words.Text {
	t.Columns = []Column{policy, {"cause", words.Say("Cause"), false}, {"share", title, true}}
	t.plot = plot{mark: "bar", x: "share", y: "policy", colour: "cause", stack: "zero", hues: parts}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			for k, v := range share(&s.Runs[i]) {
				if !row(s.Runs[i].Name, of[k].ID, number(v)) {
					return
				}
			}
		}
	}
	return words.Text{}
}

func overheads(t *Table, s *Source) words.Text {
	return t.spent(s, chart.Causes[:], words.Say("Part of the GPU time"),
		func(r *Run) []float64 { return chart.Spending(&r.Meta.Metrics) })
}

func locality(t *Table, s *Source) words.Text {
	return t.spent(s, chart.Tiers[:], words.Say("Part of the GPU time of gangs"), func(r *Run) []float64 {
		racks := chart.NewRacks(r.Trace, s.Rack)
		return r.lane().Locality(r.Trace, &racks)
	})
}

func sizes(t *Table, s *Source) words.Text {
	t.Columns = []Column{policy, job, time, {"gpus", words.Say("GPUs"), true}}
	t.plot = plot{mark: "line", x: "from_s", y: "gpus", colour: "policy", facet: "job", hues: s.inks}
	t.each = func(row func(...string) bool) {
		var runs []*trace.Trace
		for i := range s.Runs {
			runs = append(runs, s.Runs[i].Trace)
		}
		for _, z := range chart.Sizes(runs, -1) {
			for i := range z.Runs {
				if !steps(&z.Runs[i], row, s.Runs[i].Name, runs[i].Jobs[z.Job].Name) {
					return
				}
			}
		}
	}
	return words.Text{}
}

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
					if seat.Holding == -2 {
						name = "out of order"
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

func worth(t *Table, s *Source) words.Text {
	p := s.Problem()
	if p == nil || !slices.ContainsFunc(p.Jobs, func(j model.Job) bool { return j.Profile >= 0 }) {
		return words.Say("No model here has a profile, by which alone it is known what its examples bring.")
	}
	t.Columns = []Column{policy, {"counted", words.Say("Counted"), false}, time,
		{"examples_per_s", words.Say("Examples per second"), true}}
	t.plot = plot{mark: "line", x: "from_s", y: "examples_per_s", colour: "counted", facet: "policy",
		hues: dashes([]string{"read", "worth"})}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			w := chart.NewWorth(s.Runs[i].Trace, p, -1)
			if !steps(&w.Read, row, s.Runs[i].Name, "read") || !steps(&w.Worth, row, s.Runs[i].Name, "worth") {
				return
			}
		}
	}
	return words.Text{}
}

func timers(t *Table, s *Source) words.Text {
	var runs []*trace.Trace
	var names []string
	racked := false
	for i := range s.Runs {
		of := s.Runs[i].Trace
		if slices.ContainsFunc(of.Reasons, func(r trace.Reason) bool { return r.Code == trace.Timer }) {
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
				if !z.Endless[i] && !steps(&z.Runs[i], row, names[i], name) {
					return
				}
			}
		}
	}
	return words.Text{}
}
