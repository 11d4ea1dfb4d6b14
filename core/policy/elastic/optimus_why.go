package elastic

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/words"
)

// explain says of each job what a further GPU would save it, and of the decision who got the last GPUs. What was given
// and then taken back again, since its job stays as it is or does not run, is left out.
func (o *optimus) explain(v sim.View, p *sim.Plan, w *sim.Why) {
	gifts := &sim.Table{Key: "given", Title: words.Say("The GPUs given last"), Columns: optimusGiven}
	last := make([]float64, len(o.cluster.Types)) // what the gift saves that was the last of a type
	var terms []sim.Term
	for i := len(o.given) - 1; i >= 0; i-- {
		g := &o.given[i]
		x := &o.jobs[slices.IndexFunc(o.jobs, func(x sized) bool { return x.job == g.job })]
		if g.size > x.size || !x.put {
			continue
		}
		if len(gifts.Rows) == 0 {
			terms = append(terms, sim.Term{Key: "last_gain", Name: "saved by the GPU given last", Value: g.gain,
				Unit: "s"})
		}
		if last[x.typ] == 0 {
			last[x.typ] = g.gain
		}
		if len(gifts.Rows) < optimusGifts {
			gifts.Rows = append(gifts.Rows, sim.Row{Cells: []any{g.job, g.size, g.gain}})
		}
	}
	next := 0.0
	for i := range o.jobs {
		x := o.jobs[i]
		w.Detail.Order = append(w.Detail.Order, x.job)
		most := 0.0
		if x.typ >= 0 {
			o.foresee(v, &x) // from the size that it has in the end
			most = last[x.typ]
		}
		if x.put {
			next = max(next, x.gain)
		}
		o.explainJob(v, p, w.Detail.Of(x.job), &x, most)
	}
	w.Detail.Sections = append(w.Detail.Sections, &sim.Section{
		Title: words.Say("Each GPU goes to the job whose remaining time it shortens most"), Table: gifts,
		Terms: append(terms, sim.Term{Key: "next_gain", Name: "saved by one GPU more", Value: next, Unit: "s"})})
}

// optimusGifts is how many of the GPUs given last are listed.
const optimusGifts = 12

var optimusGiven = []sim.Column{{Key: "job", Name: "Job"}, {Key: "gpus", Name: "GPUs"},
	{Key: "saved_s", Name: "Saved by each", Unit: "s"}}

var optimusSizes = []sim.Column{{Key: "gpus", Name: "GPUs"}, {Key: "left_s", Name: "Time left", Unit: "s"},
	{Key: "saved_s", Name: "Saved by each", Unit: "s"}}

// explainJob says why a job has as many GPUs as it has; last is what the GPU of its type saves that was given last.
func (o *optimus) explainJob(v sim.View, p *sim.Plan, c *sim.Choice, x *sized, last float64) {
	shape := v.Shape(x.job)
	switch {
	case !x.put && x.size > 0:
		c.Says = words.Say("it does not run on the GPUs that are left, as they lie")
	case x.size == 0:
		c.Says = o.lacks(v, x)
	case shape.Min == shape.Max:
		c.Says = words.Say("its size is fixed")
	case x.typ < 0:
		c.Says = words.Say("on GPUs of several types it keeps its least size")
	case x.meant > x.size && o.left(v, x.job, x.typ, x.size) == 0:
		c.Says = words.Say("on {0} it has no speed when they lie close together, as speeds are counted, so that more seem to save it nothing",
			policy.GPUCount(x.size))
	case x.meant > x.size:
		c.Says = words.Say("{0} would save it {1}, less than {2} times the stall of a restart, {3}", policy.GPUCount(x.meant),
			sim.Seconds(o.left(v, x.job, x.typ, x.size)-o.left(v, x.job, x.typ, x.meant)), o.threshold,
			sim.Seconds(v.Charge(x.job, nil).Seconds()))
	case x.meant > 0 && slices.ContainsFunc(o.jobs, func(y sized) bool { return y.typ == x.typ && y.meant > y.size }):
		c.Says = words.Say(
			"with fewer GPUs it would have to restart, and GPUs are left that were meant for jobs that do not change their size")
	case x.meant > 0:
		c.Says = words.Say(
			"with fewer GPUs it would have to restart, and nobody makes use of those that it would give up")
	case x.next == 0 && x.size == shape.Max:
		c.Says = words.Say("it has as many GPUs as it can use")
	case x.next == 0 && x.size == v.CapacityOf(x.typ):
		c.Says = words.Say("it has all {0} that are in service", x.typ)
	case x.next == 0 && x.size+max(shape.Step, 1) > v.CapacityOf(x.typ):
		c.Says = words.Say("its next size needs more {0} than are in service", x.typ)
	case x.next == 0:
		c.Says = words.Say("it has no speed on more of the {0} that are in service, as close together as can be", x.typ)
	default:
		c.Says = o.more(p, x, last)
	}
	if x.typ < 0 {
		return
	}
	table := &sim.Table{Key: "gpus", Title: words.Say("What GPUs would bring {0}", c.Job), Columns: optimusSizes}
	curve := &sim.Curve{Along: "GPUs", Unit: "s", From: int(x.held), To: int(x.size),
		Says: words.Say("{0} still takes so long", c.Job)}
	before, saved := int32(0), any(nil)
	most := max(2*x.size, x.held, x.next, x.meant)
	for n := o.above(v, x.job, x.typ, 0); n > 0 && n <= most; n = o.above(v, x.job, x.typ, n) {
		left := o.left(v, x.job, x.typ, n)
		if before > 0 {
			saved = (o.left(v, x.job, x.typ, before) - left) / float64(n-before)
		}
		table.Rows = append(table.Rows, sim.Row{Cells: []any{n, left, saved}, Chosen: n == x.size && x.put})
		for len(curve.Values) < int(n) { // of sizes that it cannot have: as of the next one
			curve.Values = append(curve.Values, left)
		}
		curve.Values = append(curve.Values, left)
		before = n
	}
	if len(table.Rows) > 0 && curve.From < len(curve.Values) {
		c.Sections = append(c.Sections, &sim.Section{Title: table.Title, Table: table, Formula: o.sums(v, x)},
			&sim.Section{Title: words.Say("Time left by GPUs of {0}", model.TypeID(x.typ)), Curve: curve})
	}
}

// sums are how long the job still takes, and what its next size saves.
func (o *optimus) sums(v sim.View, x *sized) (out []words.Text) {
	now, next := o.left(v, x.job, x.typ, x.size), o.left(v, x.job, x.typ, x.next)
	if now <= 0 || x.size == 0 {
		return nil
	}
	steps, _ := v.Remaining(x.job)
	out = append(out, policy.TimeSum("time left = steps left ÷ speed with so many close together = {0} ÷ {1} = {2} s", steps, float64(steps)/now)...)
	if more := x.next - x.size; x.next > 0 && next > 0 {
		a, b := policy.CloseBy(now, next)
		out = append(out, words.Say(
			"saved by each of {0} more = (time left − time left then) ÷ number = ({1} − {2}) ÷ {3} = {4} s",
			policy.GPUCount(more), a, b, more, policy.Four(x.gain)))
	}
	return out
}

// lacks says why a job has no GPUs at all.
func (o *optimus) lacks(v sim.View, x *sized) words.Text {
	least, can, kinds := v.Shape(x.job).Min, int32(0), 0
	var needs words.Text // its least size with a speed, by type
	for t := range o.cluster.Types {
		typ, speed := model.TypeID(t), v.Speed(x.job, 0)
		n := o.above(v, x.job, typ, 0)
		if n > 0 || speed.Rate(typ, least, model.Network) > 0 || speed.Rate(typ, least, model.OneNode) > 0 {
			can += v.CapacityOf(typ)
		}
		switch kinds += int(min(n, 1)); {
		case n > 0 && kinds == 1:
			needs = words.Say("{0} {1}", n, typ)
		case n > 0:
			needs = words.Say("{0} or {1}", needs, words.Say("{0} {1}", n, typ))
		}
	}
	switch {
	case can == 0:
		return words.Say("it needs {0}, and none that it can use is in service", policy.GPUCount(least))
	case can < least:
		return words.Count(int(can), "it needs {1}, and {0} that it can use is in service",
			"it needs {1}, and {0} that it can use are in service", policy.GPUCount(least))
	case kinds == 0: // types are mixed for jobs that none of them can hold
		needs = policy.GPUCount(least)
	case kinds > 1:
		return words.Say("it needs {0}, and what the jobs before it need at least leaves too few of each", needs)
	}
	return words.Say("it needs {0}, and what the jobs before it need at least leaves too few", needs)
}

// unused says for whom GPUs of a job's type were meant that do not run there; nothing where each who was to have
// some does.
func (o *optimus) unused(x *sized) words.Text {
	who, spared := model.JobID(model.None), false
	for i := range o.jobs {
		y := &o.jobs[i]
		if !y.put && y.size > 0 && (y.typ == x.typ || y.typ < 0) && who < 0 {
			who = y.job
		}
		spared = spared || y.typ == x.typ && y.meant > y.size
	}
	switch {
	case who < 0:
		return words.Text{}
	case spared:
		return words.Say("{0}, which does not run on them as they lie, or for jobs that do not change their size", who)
	}
	return words.Say("{0}, which does not run on them as they lie", who)
}

// more says what the next size would bring a job, and why it does not have it.
func (o *optimus) more(p *sim.Plan, x *sized, last float64) words.Text {
	n, free := int(x.next-x.size), int(p.FreeOf(x.typ))
	gain := sim.Seconds(x.gain)
	switch {
	case x.gain <= 0:
		return words.Count(n, "{0} GPU more would make it no faster", "{0} GPUs more would make it no faster")
	case free >= n && !o.unused(x).IsZero(): // meant for jobs that cannot use them as they lie
		return words.Count(n, "a GPU more would save it {1}, but those that are free were meant for {2}",
			"{0} GPUs more would save it {1} each, but those that are free were meant for {2}", gain, o.unused(x))
	case free >= n: // given back by settle, after all was shared out
		return words.Count(n,
			"a GPU more would save it {1}, but those that are free were meant for jobs that do not change their size",
			"{0} GPUs more would save it {1} each, but those that are free were meant for jobs that do not change their size",
			gain)
	case last >= x.gain:
		return words.Count(n, "a GPU more would save it {1}; the one given last saves {2}",
			"{0} GPUs more would save it {1} each; the one given last saves {2}", gain, sim.Seconds(last))
	case free == 0:
		return words.Count(n,
			"a GPU more would save it {1}, and no {2} is free",
			"{0} GPUs more would save it {1} each, and no {2} is free",
			gain, x.typ)
	}
	return words.Count(free, "{1} GPUs more would save it {2} each, and {0} {3} is free",
		"{1} GPUs more would save it {2} each, and {0} {3} are free", n, gain, x.typ)
}
