package elastic

import (
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// divisionColumns are those of the table of a division.
var divisionColumns = []sim.Column{{Name: "Job"}, {Name: "GPUs before"}, {Name: "GPUs"}, {Name: "Speedup"},
	{Name: "Gain of the next size"}}

// explain shows the division of each type as it is carried out, and of each job what its speedup would be with other
// sizes.
func (e *elastic) explain(v sim.View, p *sim.Plan, w *sim.Why) {
	for i := range e.jobs { // who does not run after all has no GPUs
		if x := &e.jobs[i]; x.typ >= 0 {
			if !p.Holds(x.job) {
				x.size = 0
			}
			e.types[x.typ].cut = e.types[x.typ].cut || x.size != x.best
		}
	}
	for t := range e.types {
		typ := &e.types[t]
		if typ.jobs == 0 {
			continue
		}
		table, sum := &sim.Table{Title: words.Say("The division of the GPUs"), Columns: divisionColumns}, 0.0
		var speedups []float64
		for i := range e.jobs {
			if x := &e.jobs[i]; int(x.typ) == t {
				table.Rows = append(table.Rows, sim.Row{Cells: []any{x.job, x.held, x.size, x.speedup(), x.next()}})
				sum += x.speedup()
				speedups = append(speedups, x.speedup())
			}
		}
		section := &sim.Section{Table: table, Terms: []sim.Term{
			sim.Named("sum of speedups as it was", float64(typ.now)/speedupUnit, "")}}
		if len(table.Rows) > 1 && len(table.Rows) <= policy.MostPlaced {
			n := policy.Enough(4, 4, sum, func(as func(float64) float64) (v float64) {
				for _, speedup := range speedups {
					v += as(speedup)
				}
				return v
			})
			var added words.Text
			for _, speedup := range speedups {
				added = policy.Plus(added, sim.Digits{Value: speedup, N: n})
			}
			section.Formula = []words.Text{words.Say("sum of the speedups here = {0} = {1}", added, policy.Four(sum))}
		}
		best, found := float64(typ.most)/speedupUnit, sim.Named("sum of speedups of the best division", 0, "")
		switch id := model.TypeID(t); {
		case typ.greedy && typ.kept:
			section.Title = words.Say("{0}: too many to compare all divisions; the jobs keep their sizes", id)
		case typ.greedy:
			section.Title = words.Say("{0}: too many to compare all divisions; the GPUs go where each adds most speedup",
				id)
		case typ.kept && typ.most > typ.now:
			section.Title = words.Say("{0}: the jobs keep their sizes, for no division raises the sum of speedups by {1}",
				id, sim.Share(e.hysteresis))
		default:
			section.Title = words.Say("{0}: of all divisions that with the largest sum of speedups",
				id)
		}
		if typ.greedy {
			found = sim.Named("sum of speedups of the division that was found", 0, "")
		}
		found.Value = best
		section.Terms = append(section.Terms, found)
		if typ.cut {
			section.Note = words.Say("Not all of it is carried out, for the free GPUs lie too far apart.")
			section.Terms = append(section.Terms, sim.Named("sum of speedups as it is carried out", sum, ""))
		}
		w.Detail.Sections = append(w.Detail.Sections, section)
	}
	for i := range e.jobs {
		e.explainJob(v, p, w, &e.jobs[i])
	}
}

// next is what the next size would add to the job's speedup, 0 if it has the largest.
func (x *elasticJob) next() float64 {
	for _, o := range x.opts {
		if o.GPUs > x.size {
			return float64(float64(o.Value)/speedupUnit) - x.speedup()
		}
	}
	return 0
}

// says is the speedup that counts for the job's size, whose GPUs may lie farther apart than that counts.
func (x *elasticJob) says() words.Text {
	if x.size == 1 {
		return words.Say("with {0} its speedup is {1}", policy.GPUCount(x.size), x.speedup())
	}
	return words.Say("with {0} as close together as can be its speedup is {1}", policy.GPUCount(x.size), x.speedup())
}

// explainJob says why a job has its size, or what it waits for.
func (e *elastic) explainJob(v sim.View, p *sim.Plan, w *sim.Why, x *elasticJob) {
	c := w.Detail.Of(x.job)
	w.Detail.Order = append(w.Detail.Order, x.job)
	code, _ := w.Given(x.job)
	shape := v.Shape(x.job)
	switch {
	case x.held == 0 && inReach(e.cluster, v, x.job) == 0:
		c.Says = words.Say("it needs {0}, and none that it can use is in service", policy.GPUCount(shape.Min))
	case x.typ < 0 && x.held > 0 && !x.wide:
		c.Says = words.Say(
			"on GPUs of its type that lie as close together as can be it has no speed, so that it keeps what it has, and none of these is shared out anew")
	case x.wide && x.held > 0:
		c.Says = words.Say("who has GPUs of several types keeps them, and none of these is shared out anew")
	case x.wide && p.Holds(x.job):
		c.Says = words.Say(
			"no GPU type that it can use has as many in service as it needs, so that it gets GPUs of several, and none is shared out anew")
	case x.wide && shape.Min < shape.Size:
		c.Says = words.Say(
			"no GPU type that it can use has the {0} in service that it needs at least, and of several types it gets what it asks for or nothing; {1}",
			policy.GPUCount(shape.Min), policy.Room(e.cluster, v, p, x.job))
	case x.wide:
		c.Says = words.Say(
			"no GPU type that it can use has as many in service as it needs, and nobody is let in to share those that it could use before it; {0}",
			policy.Room(e.cluster, v, p, x.job))
	case code == trace.WaitFull:
		t, least := e.nearest(v, x)
		c.Says = words.Say("it needs at least {0} {2}, and the least that those let in there need leaves {1}", least,
			max(e.types[t].room-e.types[t].least, 0), t)
	case code == trace.WaitOrder:
		c.Says = e.follows(v, p, x)
	case code == trace.WaitShape:
		c.Says = words.Say("the GPUs that are left for it lie too far apart")
	case shape.Min == shape.Max:
		c.Says = words.Say("{0}, and it has no other size", x.says())
	default:
		c.Says = e.sized(x)
	}
	if len(x.opts) < 2 {
		return
	}
	curve := &sim.Curve{Along: "GPUs", From: int(x.held), To: int(x.size),
		Values: make([]float64, x.opts[len(x.opts)-1].GPUs+1),
		Says:   words.Say("{0} has {1}, at a speedup of {2} close together", x.job, policy.GPUCount(x.size), x.speedup())}
	o := 0
	for n := range curve.Values { // sizes between two that it may have are worth the smaller one
		if o+1 < len(x.opts) && n >= int(x.opts[o+1].GPUs) {
			o++
		}
		if n >= int(x.opts[o].GPUs) {
			curve.Values[n] = float64(x.opts[o].Value) / speedupUnit
		}
	}
	section := &sim.Section{Title: words.Say("Speedup of {0} on {1}", x.job, x.typ), Curve: curve}
	speed := v.Speed(x.job, x.cfg)
	if x.size > 0 {
		near := func(n int32) float64 { return float64(speed.Rate(x.typ, n, e.types[x.typ].reach.Tier(n))) }
		size, there, is := policy.GPUCount(x.size), policy.Four(near(x.size)), policy.Four(x.speedup())
		if one := float64(speed.Rate(x.typ, 1, model.OneNode)); one > 0 {
			section.Formula = []words.Text{words.Say("speedup with {0} = speed close together ÷ speed on one = {1} ÷ {2} = {3}",
				size, there, policy.Four(one), is)}
		} else {
			least := x.opts[0].GPUs
			section.Formula = []words.Text{words.Say(
				"speedup with {0} = speed close together ÷ speed of each of its least gang = {1} ÷ {2} = {3}",
				size, there, policy.Four(near(least)/float64(least)), is)}
		}
	}
	c.Sections = append(c.Sections, section)
}

// nearest is the type of those that wait for the job on which most GPUs are left beside what the jobs there need at
// least, and how many the job needs of it. Nobody has joined these since it was asked.
func (e *elastic) nearest(v sim.View, x *elasticJob) (best model.TypeID, least int32) {
	best = model.None
	for _, t := range e.cluster.BySpeed {
		opts, left := e.sizes(v, x, t), e.types[t].room-e.types[t].least
		if len(opts) > 0 && e.types[t].blocked == x.job && (best < 0 || left > e.types[best].room-e.types[best].least) {
			best, least = t, opts[0].GPUs
		}
	}
	return best, least
}

// sized says why a job that runs has its size.
func (e *elastic) sized(x *elasticJob) words.Text {
	typ := &e.types[x.typ]
	now, most := float64(typ.now)/speedupUnit, float64(typ.most)/speedupUnit
	says := x.says()
	switch {
	case x.size < x.best:
		return words.Say("the division has {0} for it, but the GPUs that are free lie too far apart for more than {1}",
			policy.GPUCount(x.best), policy.GPUCount(x.size))
	case x.size > x.best:
		return words.Say(
			"the division has {0} for it, but the GPUs that are free lie too far apart, so that it keeps {1}",
			policy.GPUCount(x.best), policy.GPUCount(x.size))
	case typ.kept && typ.greedy:
		return words.Say(
			"the division that was found would bring the sum of speedups from {0} to {1}, too little for anybody to be resized",
			beside(now, most), beside(most, now))
	case typ.kept && typ.most > typ.now:
		return words.Say(
			"the best division would raise the sum of speedups from {0} to {1}, too little for anybody to be resized",
			beside(now, most), beside(most, now))
	case typ.greedy:
		return says
	case typ.cut:
		return words.Say("{0}, as in the division of the {1} with the largest sum of speedups", says, x.typ)
	}
	return words.Say("{0}; no other division of the {1} has a larger sum of speedups", says, x.typ)
}

// beside is a number with as many decimals as tell it from another.
func beside(v, other float64) sim.Fixed {
	return sim.Fixed{Value: v, Decimals: policy.Apart(1, v, other)}
}

// follows says after whom a job is let in: who waits for the fastest of the types that it could use and that somebody
// waits for, and may have got GPUs of several types at last.
func (e *elastic) follows(v sim.View, p *sim.Plan, x *elasticJob) words.Text {
	for _, t := range e.cluster.BySpeed {
		head := e.types[t].blocked
		wide := v.Speed(x.job, 0).Rate(t, v.Shape(x.job).Size, model.Network) > 0
		if head < 0 || v.CapacityOf(t) == 0 || len(e.sizes(v, x, t)) == 0 && !wide {
			continue
		}
		if p.Holds(head) {
			return words.Say("{0} comes first and could use the same GPUs", head)
		}
		return words.Say("{0} comes first and waits for the same GPUs", head)
	}
	return policy.Room(e.cluster, v, p, x.job)
}

// inReach is how many GPUs are in service on which a job has a speed in one of its sizes, however they lie.
func inReach(c *model.Cluster, v sim.View, j model.JobID) (n int32) {
	shape, speed := v.Shape(j), v.Speed(j, 0)
	for t := range c.Types {
		typ := model.TypeID(t)
		for k := shape.Min; k <= shape.Max; k += max(shape.Step, 1) {
			if speed.Rate(typ, k, model.OneNode) > 0 || speed.Rate(typ, k, model.Network) > 0 {
				n += v.CapacityOf(typ)
				break
			}
		}
	}
	return n
}
