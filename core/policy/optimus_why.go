package policy

import (
	"hadarlab/core/model"
	"hadarlab/core/sim"
)

// explain says of each job what a further GPU would save it, and of the decision who got the last GPUs.
func (o *optimus) explain(v sim.View, w *sim.Why) {
	gifts := &sim.Table{Key: "given", Title: sim.Say("The GPUs given last"), Columns: optimusGiven}
	for i := len(o.given) - 1; i >= max(0, len(o.given)-optimusGifts); i-- {
		g := &o.given[i]
		gifts.Rows = append(gifts.Rows, sim.Row{Cells: []any{g.job, g.size, g.gain}})
	}
	last, next := 0.0, 0.0
	if n := len(o.given); n > 0 {
		last = o.given[n-1].gain
	}
	for i := range o.jobs {
		x := &o.jobs[i]
		w.Detail.Order = append(w.Detail.Order, x.job)
		if x.size > 0 && !x.stays {
			next = max(next, x.gain)
		}
		o.explainJob(v, w.Detail.Of(x.job), x, last)
	}
	w.Detail.Sections = append(w.Detail.Sections, &sim.Section{
		Title: sim.Say("Each GPU goes to the job whose remaining time it shortens most"), Table: gifts, Terms: []sim.Term{
			{Key: "last_gain", Name: "saved by the GPU given last", Value: last, Unit: "s"},
			{Key: "next_gain", Name: "saved by one GPU more", Value: next, Unit: "s"}}})
}

// optimusGifts is how many of the GPUs given last are listed.
const optimusGifts = 12

var optimusGiven = []sim.Column{{Key: "job", Name: "Job"}, {Key: "gpus", Name: "GPUs"},
	{Key: "saved_s", Name: "Saved by each", Unit: "s"}}

var optimusSizes = []sim.Column{{Key: "gpus", Name: "GPUs"}, {Key: "left_s", Name: "Time left", Unit: "s"},
	{Key: "saved_s", Name: "Saved by each", Unit: "s"}}

// explainJob says why a job has as many GPUs as it has; last is what the GPU given last saves.
func (o *optimus) explainJob(v sim.View, c *sim.Choice, x *sized, last float64) {
	shape := v.Shape(x.job)
	switch {
	case !x.put && x.size > 0:
		c.Says = sim.Say("it does not run on the GPUs that are left, as they lie")
	case x.size == 0:
		c.Says = sim.Say("jobs that came earlier have the GPUs; it needs {0}", gpuCount(shape.Min))
	case shape.Min == shape.Max || x.typ < 0:
		c.Says = sim.Say("its size is fixed")
	case x.stays:
		c.Says = sim.Say("another size would not save enough for a restart")
	case x.next == 0:
		c.Says = sim.Say("it has as many GPUs as it can use")
	case x.gain <= 0:
		c.Says = sim.Say("one GPU more would make it no faster")
	case last > 0:
		c.Says = sim.Say("a GPU more would save it {0}; the one given last saves {1}", sim.Seconds(x.gain),
			sim.Seconds(last))
	default:
		c.Says = sim.Say("a GPU more would save it {0}, and there is none", sim.Seconds(x.gain))
	}
	if x.typ < 0 {
		return
	}
	table := &sim.Table{Key: "gpus", Title: sim.Say("What GPUs would bring {0}", c.Job), Columns: optimusSizes}
	curve := &sim.Curve{Along: "GPUs", Unit: "s", From: int(x.held), To: int(x.size),
		Says: sim.Say("{0} still takes so long", c.Job)}
	before, saved := int32(0), any(nil)
	for n := o.above(v, x.job, x.typ, 0); n > 0 && n <= max(2*x.size, x.held); n = o.above(v, x.job, x.typ, n) {
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
		c.Sections = append(c.Sections, &sim.Section{Title: table.Title, Table: table},
			&sim.Section{Title: sim.Say("Time left by GPUs of {0}", model.TypeID(x.typ)), Curve: curve})
	}
}
