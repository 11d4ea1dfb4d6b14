package elastic

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// explain gives, for each job, what GPUs would bring it by what it believes, and for the whole decision how fit the
// allocation is against what the jobs held, and how far the search went.
func (x *pollux) explain(v sim.View, w *sim.Why) {
	order := &sim.Table{Title: words.Say("The order of the search"), Columns: polluxOrder}
	var mean words.Text
	sum, cut, p := 0.0, x.cut(), x.search.Power
	for i := range x.tasks {
		counted := x.counted(i)
		mean = policy.Plus(mean, policy.Line("{0}^{1}", counted, p))
		sum += unit.Exp(float64(p * unit.Log(counted)))
		j := model.JobID(x.tasks[i].ID)
		order.Rows = append(order.Rows, sim.Row{Cells: []any{j, v.Attained(j).Seconds(), x.tasks[i].Discount,
			x.speedup(i, x.gets[i].gpus, x.gets[i].several)}})
		w.Detail.Order = append(w.Detail.Order, j)
		x.explainJob(v, w.Detail.Of(j), i)
	}
	s := x.search
	terms := make([]sim.Term, len(polluxFitness))
	for i, v := range [...]float64{s.Fitness(), s.Present(), float64(s.Evaluated), float64(s.Population),
		float64(s.Generations), float64(s.Fair()), s.Utility()} {
		terms[i] = polluxFitness[i]
		terms[i].Value = v
	}
	fitness := &sim.Section{Title: words.Say("Fitness: the power mean of what the jobs’ speedups count"), Terms: terms}
	switch n := len(x.tasks); {
	case cut && p != 0 && n <= policy.MostPlaced:
		fitness.Formula = []words.Text{words.Say("of what is carried out = (({0}) ÷ {1})^(1 ÷ {2}) = {3}",
			mean, n, policy.Four(p), policy.Four(unit.Exp(unit.Log(sum/float64(n))/p)))}
	case p != 0 && n <= policy.MostPlaced:
		fitness.Formula = []words.Text{words.Say("of what was found = (({0}) ÷ {1})^(1 ÷ {2}) = {3}",
			mean, n, policy.Four(p), policy.Four(s.Fitness()))}
	}
	if cut {
		fitness.Note = words.Say(
			"Not all of what was found is carried out: a job has GPUs of one type only, and stays as it is where it would have no speed.")
	}
	w.Detail.Sections = append(w.Detail.Sections, fitness,
		&sim.Section{
			Title: words.Say("Who has attained least service goes first where not all can keep what the search tries"),
			Table: order})
}

// polluxFitness are the figures of a whole decision.
var polluxFitness = [...]sim.Term{{Key: "fitness", Name: "of what was found"},
	{Key: "fitness_held", Name: "of what the jobs held"}, {Key: "compared", Name: "allocations compared"},
	{Key: "population", Name: "population"}, {Key: "generations", Name: "generations"},
	{Key: "fair_gpus", Name: "GPUs of a fair share, all on one node"},
	{Key: "utility", Name: "speedup by GPU of the nodes in use, which keeps the search varied"}}

var polluxOrder = []sim.Column{{Name: "Job"}, {Name: "Attained", Unit: "GPU-s"},
	{Name: "Counts after a restart", Unit: unit.Share}, {Name: "Speedup"}}

// cut says whether not all of what was found is carried out.
func (x *pollux) cut() bool {
	return slices.ContainsFunc(x.gets, func(g gained) bool { return g.gpus != g.found })
}

// speedup is that of the i-th task's job, 0 without GPUs.
func (x *pollux) speedup(i int, gpus int32, several bool) float64 {
	if gpus == 0 {
		return 0
	}
	return x.search.Speedup(i, gpus, several)
}

// counted is what the speedup of the i-th task's job counts in the fitness.
func (x *pollux) counted(i int) float64 {
	g := &x.gets[i]
	return x.search.Counted(i, x.speedup(i, g.gpus, g.several), g.kept)
}

// counts is how that is reckoned. The part that counts of no speedup at all is the least that the mean takes.
func (x *pollux) counts(i int) words.Text {
	g, least := &x.gets[i], x.search.Counted(i, 0, true)
	s := x.speedup(i, g.gpus, g.several)
	if g.kept {
		return policy.Line("counts in the fitness = speedup ÷ mean GPUs of a node + least = {0} ÷ {1} + {2} = {3}",
			s, x.search.NodeGPUs(), least, x.counted(i))
	}
	return policy.Line(
		"counts in the fitness = speedup ÷ mean GPUs of a node × part that counts + least = {0} ÷ {1} × {2} + {3} = {4}",
		s, x.search.NodeGPUs(), x.tasks[i].Discount, least, x.counted(i))
}

// inService is how many GPUs in service the i-th task's job can use.
func (x *pollux) inService(i int) (n int32) {
	for c, usable := range x.usable {
		if barred := x.tasks[i].Barred; barred == nil || !barred[c] {
			n += usable
		}
	}
	return n
}

// explainJob says of the i-th task's job what it gains from GPUs, and why it has as many as it has.
func (x *pollux) explainJob(v sim.View, c *sim.Choice, i int) {
	t, g := &x.tasks[i], x.gets[i]
	l := &x.jobs[t.ID]
	held, tier := sim.Measure(x.cluster, l.held)
	two := func(v float64) sim.Fixed { return sim.Fixed{Value: v, Decimals: 2} }
	before, after := two(x.speedup(i, held, tier != model.OneNode)), two(x.speedup(i, g.gpus, g.several))
	scores := []any{after, policy.GPUCount(x.search.Fair()), sim.Share(t.Discount), before}
	switch can := x.inService(i); {
	case g.gpus == 0 && can == 0:
		c.Says = words.Say("it needs {0}, and none that it can use is in service", policy.GPUCount(t.Least))
	case g.gpus == 0 && can < t.Least:
		c.Says = words.Count(int(can), "it needs {1}, and {0} that it can use is in service",
			"it needs {1}, and {0} that it can use are in service", policy.GPUCount(t.Least))
	case g.gpus == 0 && g.refused:
		c.Says = words.Say("it has no speed on the {0} that the search found for it, as they lie", policy.GPUCount(g.found))
	case g.gpus == 0 && g.found > 0:
		c.Says = words.Say("the search found {0} for it, but of several types, and of none as many as it needs",
			policy.GPUCount(g.found))
	case g.gpus == 0 && held > 0 && x.cut(): // whoever was to have them may not
		c.Says = words.Say("the search found a higher mean speedup with its GPUs at other jobs, but not all of that is carried out")
	case g.gpus == 0 && held > 0:
		c.Says = words.Say("the mean speedup is higher when other jobs have its GPUs")
	case g.gpus == 0 && t.Discount == 0:
		c.Says = words.Say("so soon after it came or was restarted a start counts for nothing; a later search can take it in")
	case g.gpus == 0:
		c.Says = words.Say("the search found no allocation with a higher mean speedup in which it has GPUs")
	case g.kept:
		c.Says = words.Say("its goodput is {0} times that on a fair share of {1}; on other GPUs, for the restart, {2} of it would count",
			scores...)
	case held == 0:
		c.Says = words.Say("its goodput is {0} times that on a fair share of {1}",
			scores...)
	default:
		c.Says = words.Say("its goodput goes from {3} to {0} times that on a fair share of {1}, of which {2} counts for the restart",
			scores...)
	}
	if g.gpus > 0 {
		c.Says = words.Say("{0}; {1}", c.Says, x.beyond(i, v.Shape(c.Job)))
	}
	node, most := slices.Max(x.usable), t.Most
	curve := &sim.Curve{Along: "GPUs", From: int(held), To: int(g.gpus),
		Says: words.Say("{0} may have up to {1} now", c.Job, policy.GPUCount(most))}
	table := &sim.Table{Key: "gpus", Title: words.Say("What GPUs would bring {0}", c.Job), Columns: polluxChoices}
	for k := range max(most, held, g.gpus) + 1 {
		curve.Values = append(curve.Values, x.speedup(i, k, k > node))
		if k >= t.Least && (k&(k-1) == 0 || k == held || k == g.gpus || k == most) {
			for _, several := range [...]bool{false, true} {
				if several && k > 1 || !several && k <= node {
					table.Rows = append(table.Rows, x.choice(i, k, several))
				}
			}
		}
	}
	gains := &sim.Section{Title: table.Title, Table: table}
	if s := x.speedup(i, g.gpus, g.several); s > 0 {
		good := t.Curve.Goodput(g.gpus, g.several)
		gains.Formula = []words.Text{policy.Line("speedup = goodput ÷ goodput on a fair share = {0} ÷ {1} = {2}",
			good, good/s, s), x.counts(i)}
	}
	learned := &sim.Section{Title: words.Say("What {0} has learned of itself", c.Job), Folded: true}
	f := &l.seen.Perf
	for i, v := range [...]float64{float64(l.restarts), (v.Now() - v.Arrive(c.Job)).Seconds(), float64(l.seen.Most()),
		l.phi, f.AlphaC, f.BetaC, f.AlphaR, f.BetaR, f.AlphaN, f.BetaN, f.Gamma} {
		if i < 3 || l.curve.Known() {
			learned.Terms = append(learned.Terms, polluxLearned[i])
			learned.Terms[i].Value = v
		}
	}
	if !l.curve.Known() {
		gains.Note = words.Say("It has measured nothing yet: each GPU is believed to bring as much as the first.")
	}
	c.Sections = append(c.Sections, gains, &sim.Section{Title: words.Say("Speedup by GPUs, on one node as long as they fit"),
		Curve: curve}, learned)
}

// beyond says what stands against more GPUs for the i-th task's job.
func (x *pollux) beyond(i int, shape model.Shape) words.Text {
	t, g := &x.tasks[i], x.gets[i]
	most := min(2*g.gpus, t.Most)
	ever := max(min(shape.Max, polluxGPUs, x.jobs[t.ID].batches.GPUs()), shape.Min)
	switch seen := x.jobs[t.ID].seen.Most(); {
	case shape.Min == shape.Max:
		return words.Say("its size is fixed")
	case g.refused:
		return words.Say("the search found {0} for it, on which it has no speed as they lie", policy.GPUCount(g.found))
	case g.found > g.gpus:
		return words.Say("the search found {0} for it, of several types, and it has those of one only", policy.GPUCount(g.found))
	case most <= g.gpus && g.gpus < ever && seen == 0:
		return words.Say("it may have no more until it has measured its speed")
	case most <= g.gpus && g.gpus < ever && most == 2*seen:
		return words.Say("it may have no more yet, at most twice as many as it has measured")
	case most <= g.gpus && g.gpus < ever:
		return words.Say("it may have no more now")
	case most <= g.gpus:
		return words.Say("it may have no more")
	}
	more := x.speedup(i, most, most > slices.Max(x.usable))
	if more <= x.speedup(i, g.gpus, g.several) {
		return words.Say("{0} would bring it no more", policy.GPUCount(most))
	}
	return words.Say("with {0} it would be {1} times that, but the search found nothing better for all jobs together",
		policy.GPUCount(most), sim.Fixed{Value: more, Decimals: 2})
}

// polluxLearned are the figures that a job learns of itself.
var polluxLearned = [...]sim.Term{{Key: "restarts", Name: "restarts"},
	{Key: "age_s", Name: "time since it came", Unit: "s"},
	{Key: "measured_gpus", Name: "most GPUs that it has measured"},
	{Key: "phi", Name: "gradient noise scale φ, in examples"},
	{Key: "alpha_c", Name: "a pass (α)", Unit: "s"}, {Key: "beta_c", Name: "and each example (β)", Unit: "s"},
	{Key: "alpha_r", Name: "an exchange of gradients on one node (α)", Unit: "s"},
	{Key: "beta_r", Name: "and each GPU after the second (β)", Unit: "s"},
	{Key: "alpha_n", Name: "an exchange over nodes (α)", Unit: "s"},
	{Key: "beta_n", Name: "and each GPU after the second (β)", Unit: "s"},
	{Key: "gamma", Name: "how much passes and exchanges overlap (γ): 1 is not at all, 10 nearly all"}}

var polluxChoices = []sim.Column{{Name: "GPUs"}, {Key: "gpus"}, {Key: "batch", Name: "Batch"},
	{Key: "passes", Name: "Passes"}, {Key: "efficiency", Name: "Efficiency", Unit: unit.Share},
	{Key: "goodput", Name: "Goodput"}, {Key: "speedup", Name: "Speedup"}}

// choice is the row of so many GPUs for the i-th task's job.
func (x *pollux) choice(i int, gpus int32, several bool) sim.Row {
	t, g := &x.tasks[i], x.gets[i]
	on := words.Say("together")
	if several {
		on = words.Say("apart")
	}
	row := sim.Row{Chosen: gpus == g.gpus && several == g.several, Cells: []any{sim.Noted{Cell: gpus, Note: on}, gpus,
		nil, nil, nil, nil, x.speedup(i, gpus, several)}}
	if p, ok := t.Curve.Point(gpus, several); ok {
		total := float64(p.Total(gpus))
		row.Cells[2], row.Cells[3] = total, p.Accum+1
		row.Cells[4] = model.Efficiency(p.Phi, float64(x.jobs[t.ID].batches.Init), total)
		row.Cells[5] = t.Curve.Goodput(gpus, several)
	}
	return row
}
