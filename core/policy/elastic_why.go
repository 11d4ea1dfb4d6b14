package policy

import (
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
)

// divisionColumns are those of the table of a division.
var divisionColumns = []sim.Column{{Name: "Job"}, {Name: "GPUs before"}, {Name: "GPUs"}, {Name: "Speedup"},
	{Name: "Gain of the next size"}}

// explain shows the division of each type, and of each job what its speedup would be with other sizes.
func (e *elastic) explain(v sim.View, p *sim.Plan, w *sim.Why) {
	for t := range e.types {
		typ := &e.types[t]
		if typ.jobs == 0 {
			continue
		}
		table := &sim.Table{Title: sim.Say("The division of the GPUs"), Columns: divisionColumns}
		for i := range e.jobs {
			if x := &e.jobs[i]; int(x.typ) == t {
				table.Rows = append(table.Rows, sim.Row{Cells: []any{x.job, x.held, x.size, x.speedup(), x.next()}})
			}
		}
		title := sim.Say("{0}: of all divisions that with the largest sum of speedups, each against one GPU", model.TypeID(t))
		if typ.greedy {
			title = sim.Say("{0}: too many to compare all divisions; the GPUs go where each adds most speedup", model.TypeID(t))
		}
		w.Detail.Sections = append(w.Detail.Sections, &sim.Section{Title: title, Table: table, Terms: []sim.Term{
			sim.Named("sum of speedups as it was", float64(typ.now)/speedupUnit, ""),
			sim.Named("sum of speedups of the best division", float64(typ.most)/speedupUnit, "")}})
	}
	for i := range e.jobs {
		e.explainJob(v, p, w, &e.jobs[i])
	}
}

// next is what the next size would add to the job's speedup, 0 if it has the largest.
func (x *elasticJob) next() float64 {
	for _, o := range x.opts {
		if o.gpus > x.size {
			return float64(float64(o.value)/speedupUnit) - x.speedup()
		}
	}
	return 0
}

// explainJob says why a job has its size, or what it waits for.
func (e *elastic) explainJob(v sim.View, p *sim.Plan, w *sim.Why, x *elasticJob) {
	c := w.Detail.Of(x.job)
	w.Detail.Order = append(w.Detail.Order, x.job)
	code, num := w.Given(x.job)
	shape := v.Shape(x.job)
	switch {
	case x.wide && p.Holds(x.job):
		c.Says = sim.Say("no GPU type has as many as it needs, so that it keeps GPUs of several, and none is shared out anew")
	case x.wide:
		c.Says = sim.Say("no GPU type has as many as it needs, and nobody joins those that it could use before it; {0}",
			room(e.cluster, v, p, x.job))
	case code == trace.WaitFull:
		c.Says = sim.Say("it needs at least {0}, and beside what the jobs that run need at least {1} are left of a type",
			gpus(int32(num[0])), gpus(int32(num[1])))
	case code == trace.WaitOrder:
		c.Says = sim.Say("{0} came first and waits for the same GPUs", e.types[e.first(v, x)].blocked)
	case code == trace.WaitShape:
		c.Says = sim.Say("the GPUs that are left for it lie too far apart")
	case e.types[x.typ].kept && shape.Min < shape.Max:
		c.Says = sim.Say("the best division would raise the sum of speedups from {0} to {1}, too little for anybody to be resized",
			float64(e.types[x.typ].now)/speedupUnit, float64(e.types[x.typ].most)/speedupUnit)
	default:
		c.Says = sim.Say("with {0} its speedup is {1}", gpus(x.size), x.speedup())
		if shape.Min == shape.Max {
			c.Says = sim.Say("{0}, and it has no other size", c.Says)
		} else if !e.types[x.typ].greedy {
			c.Says = sim.Say("{0}; no other division of the {1} has a larger sum of speedups", c.Says, x.typ)
		}
	}
	if len(x.opts) < 2 {
		return
	}
	curve := &sim.Curve{Along: "GPUs", From: int(x.held), To: int(x.size),
		Values: make([]float64, x.opts[len(x.opts)-1].gpus+1),
		Says:   sim.Say("{0} has {1} and a speedup of {2}", x.job, gpus(x.size), x.speedup())}
	o := 0
	for n := range curve.Values { // sizes between two that it may have are worth the smaller one
		if o+1 < len(x.opts) && n >= int(x.opts[o+1].gpus) {
			o++
		}
		if n >= int(x.opts[o].gpus) {
			curve.Values[n] = float64(x.opts[o].value) / speedupUnit
		}
	}
	c.Sections = append(c.Sections, &sim.Section{Title: sim.Say("Speedup of {0} on {1}", x.job, x.typ), Curve: curve})
}

// gpus is a number of GPUs.
func gpus(n int32) *sim.Text { return sim.Count(int(n), "{0} GPU", "{0} GPUs") }

// first is the first type that the job could use and on which somebody waits before it.
func (e *elastic) first(v sim.View, x *elasticJob) model.TypeID {
	for _, t := range e.cluster.BySpeed {
		if len(e.sizes(v, x, t)) > 0 && e.types[t].blocked >= 0 {
			return t
		}
	}
	return 0
}
