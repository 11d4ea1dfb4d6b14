package policy

import (
	"slices"

	"hadarlab/core/goodput"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// explain gives, for each job, what GPUs would bring it by what it believes, and for the whole decision how good the
// allocation is against keeping what jobs hold, and how far the search went.
func (x *pollux) explain(v sim.View, w *sim.Why) {
	order := &sim.Table{Title: sim.Say("Jobs in the order in which they keep what not all can have"),
		Columns: polluxOrder}
	for i := range x.tasks {
		t := &x.tasks[i]
		j := model.JobID(t.ID)
		g := x.gets[i]
		order.Rows = append(order.Rows, sim.Row{Cells: []any{j, v.Attained(j).Seconds(), g.gpus,
			x.speedup(i, g.gpus, g.several)}})
		x.explainJob(v, w.Detail.Of(j), i)
		w.Detail.Order = append(w.Detail.Order, j)
	}
	s := x.search
	whole := []sim.Term{keyed("fitness", "Fitness of the allocation found: the power mean of the speedups", s.Fitness(), ""),
		keyed("fitness_kept", "Fitness of what the jobs held", s.Present(), ""),
		keyed("utility", "Speedup by GPU of the nodes in use, which keeps the search varied", s.Utility(), ""),
		keyed("fair_gpus", "GPUs of a fair share, on one node", float64(s.Fair()), ""),
		keyed("population", "Allocations that the search keeps", float64(s.Population), ""),
		keyed("generations", "Generations", float64(s.Generations), ""),
		keyed("evaluated", "Allocations compared", float64(s.Evaluated), ""),
		keyed("restart_delay_s", "Delay by which a restart is discounted", x.delay, "s")}
	w.Detail.Sections = append(w.Detail.Sections, &sim.Section{Title: sim.Say("The whole decision"), Terms: whole},
		&sim.Section{Title: sim.Say("Least attained service goes first"), Table: order})
}

var polluxOrder = []sim.Column{{Name: "Job"}, {Name: "Attained", Unit: "GPU-s"}, {Name: "GPUs"}, {Name: "Speedup"}}

// speedup is that of the i-th task's job, 0 without GPUs.
func (x *pollux) speedup(i int, gpus int32, several bool) float64 {
	if gpus == 0 {
		return 0
	}
	return x.search.Speedup(i, gpus, several)
}

// explainJob says of the i-th task's job what it gains from GPUs, and why it has as many as it has.
func (x *pollux) explainJob(v sim.View, c *sim.Choice, i int) {
	t, g := &x.tasks[i], x.gets[i]
	l := &x.jobs[t.ID]
	held, tier := sim.Measure(x.cluster, l.held)
	two := func(v float64) sim.Fixed { return sim.Fixed{Value: v, Decimals: 2} }
	before, after := x.speedup(i, held, tier != model.OneNode), x.speedup(i, g.gpus, g.several)
	fair := gpuCount(x.search.Fair())
	switch {
	case g.gpus == 0 && held > 0:
		c.Says = sim.Say("the mean speedup of all jobs is higher when others have its GPUs")
	case g.gpus == 0 && t.Discount == 0:
		c.Says = sim.Say("a start counts for nothing so soon after it came or was restarted; a later search can take it in")
	case g.gpus == 0:
		c.Says = sim.Say("no allocation in which it has GPUs was found to have a higher mean speedup of all jobs")
	case g.kept:
		c.Says = sim.Say("on {0} its best goodput is {1} times that on a fair share of {2}, and other GPUs, for the restart, would count {3} of what they bring",
			gpuCount(g.gpus), two(after), fair, two(t.Discount))
	case held == 0:
		c.Says = sim.Say("on {0} its best goodput is {1} times that on a fair share of {2}", gpuCount(g.gpus), two(after),
			fair)
	case held == g.gpus:
		c.Says = sim.Say("on {0} its best goodput is {1} times that on a fair share of {2}, before it was {3} times; the restart leaves {4} of it",
			gpuCount(g.gpus), two(after), fair, two(before), two(t.Discount))
	default:
		c.Says = sim.Say("from {0} to {1} its best goodput goes from {2} to {3} times that on a fair share of {4}; the restart leaves {5} of it",
			gpuCount(held), gpuCount(g.gpus), two(before), two(after), fair, two(t.Discount))
	}
	section := &sim.Section{Title: sim.Say("What GPUs would bring {0}", c.Job),
		Table: x.choices(i, held, tier != model.OneNode)}
	if !l.curve.Known() {
		section.Note = sim.Say("It has measured nothing yet: each GPU is believed to bring as much as the first.")
	}
	node, most := slices.Max(x.usable), min(t.Most, x.total())
	curve := &sim.Curve{Along: "GPUs", From: int(held), To: int(g.gpus),
		Says: sim.Say("{0} may have up to {1} now", c.Job, gpuCount(most))}
	for k := range max(most, held, g.gpus) + 1 {
		curve.Values = append(curve.Values, x.speedup(i, k, k > node))
	}
	terms := []sim.Term{keyed("restarts", "Restarts so far", float64(l.restarts), ""),
		keyed("age_s", "Since it came", (v.Now() - v.Arrive(c.Job)).Seconds(), "s"),
		keyed("discount", "What counts of its speedup on other GPUs than now", t.Discount, ""),
		keyed("measured_gpus", "Most GPUs that it has measured", float64(l.seen.Most()), "")}
	if l.curve.Known() {
		f := &l.seen.Perf
		terms = append(terms, keyed("phi", "Gradient noise scale φ, in examples", l.phi, ""),
			keyed("model/alpha_c", "α of a pass", f.AlphaC, "s"), keyed("model/beta_c", "β of a pass, an example", f.BetaC, "s"),
			keyed("model/alpha_r", "α of an exchange on one node", f.AlphaR, "s"),
			keyed("model/beta_r", "β of an exchange on one node, a GPU", f.BetaR, "s"),
			keyed("model/alpha_n", "α of an exchange over nodes", f.AlphaN, "s"),
			keyed("model/beta_n", "β of an exchange over nodes, a GPU", f.BetaN, "s"),
			keyed("model/gamma", "γ, how much of the two overlaps", f.Gamma, ""))
	}
	c.Sections = append(c.Sections, section, &sim.Section{Title: sim.Say("Speedup by GPUs, of as few nodes as there can be"),
		Curve: curve}, &sim.Section{Title: sim.Say("What {0} has learned", c.Job), Folded: true, Terms: terms})
}

// gpuCount is so many GPUs.
func gpuCount(n int32) *sim.Text { return sim.Count(int(n), "{0} GPU", "{0} GPUs") }

// total is the number of usable GPUs.
func (x *pollux) total() (sum int32) {
	for _, n := range x.usable {
		sum += n
	}
	return sum
}

// choices lists what numbers of GPUs would bring: powers of two, what the job holds and gets, and the most.
func (x *pollux) choices(i int, held int32, spread bool) *sim.Table {
	t, g := &x.tasks[i], x.gets[i]
	table := &sim.Table{Key: "gpus", Title: sim.Say("What GPUs would bring {0}", model.JobID(t.ID)), Columns: polluxChoices}
	most, init := min(t.Most, x.total()), float64(x.jobs[t.ID].batches.Init)
	node := slices.Max(x.usable)
	for k := t.Least; k <= max(most, held, g.gpus); k++ {
		if k&(k-1) != 0 && k != held && k != g.gpus && k != most && k != t.Least {
			continue
		}
		for _, several := range [...]bool{false, true} {
			if several && k == 1 || !several && k > node {
				continue
			}
			row := sim.Row{Cells: []any{k, nil, nil, nil, nil, nil, x.speedup(i, k, several)}}
			if row.Cells[1] = sim.Say("one"); several {
				row.Cells[1] = sim.Say("several")
			}
			if pt, ok := t.Curve.Point(k, several); ok {
				total := float64(pt.Total(k))
				row.Cells[2], row.Cells[3] = total, float64(pt.Accum)
				row.Cells[4] = goodput.Efficiency(pt.Phi, init, total)
				row.Cells[5] = t.Curve.Goodput(k, several)
			}
			switch {
			case k == g.gpus && several == g.several:
				row.Verdict = sim.Say("chosen")
			case k == held && several == spread:
				row.Verdict = sim.Say("held")
			case k > most:
				row.Verdict = sim.Say("more than it may have now")
			}
			table.Rows = append(table.Rows, row)
		}
	}
	return table
}

var polluxChoices = []sim.Column{{Key: "gpus", Name: "GPUs"}, {Key: "nodes", Name: "Nodes"}, {Key: "batch", Name: "Batch"},
	{Key: "accumulated", Name: "Accumulated passes"}, {Key: "efficiency", Name: "Efficiency", Unit: unit.Share},
	{Key: "goodput", Name: "Goodput"}, {Key: "speedup", Name: "Speedup"}}
