package policy

import (
	"hadarlab/core/model"
	"hadarlab/core/sim"
)

// Columns of the table of jobs, and of that of a job's configurations.
var (
	siaColumns = []sim.Column{{Name: "Job"}, {Name: "Had"}, {Name: "Configuration"}, {Name: "G"},
		{Name: "Adds to the sum"}}
	rowColumns = []sim.Column{{Name: "Configuration"}, {Name: "Normalised goodput"}, {Name: "G"},
		{Name: "Adds to the sum"}}
)

// says names a configuration.
func (c *siaConfig) says() *sim.Text {
	if c.gpus == 0 {
		return sim.Say("none")
	}
	return sim.Say("{0} {1}", c.gpus, c.typ)
}

// other is the configuration with the largest G on another type than t, of equals the first; nil = there is none.
func (k *siaJob) other(t model.TypeID) (best *siaConfig) {
	for i := range k.configs {
		if c := &k.configs[i]; c.gpus > 0 && c.typ != t && (best == nil || c.gain > best.gain) {
			best = c
		}
	}
	return best
}

// explain shows the configurations chosen, the sum that they make, and each job's row.
func (x *sia) explain(v sim.View, p *sim.Plan, w *sim.Why) {
	all := &sim.Table{Title: sim.Say("The configurations"), Columns: siaColumns}
	sum, out := int64(0), 0
	for _, j := range v.Active() {
		k, c := &x.jobs[j], x.picked(j)
		had := &siaConfig{}
		if k.configs[0].held {
			had = &k.configs[0]
		}
		var gain, adds any = nil, float64(x.lambda) / 100
		if c.gpus > 0 {
			gain, adds = c.gain, float64(c.cost)/100
			sum += c.cost
		} else {
			sum += x.lambda
			out++
		}
		all.Rows = append(all.Rows, sim.Row{Cells: []any{j, had.says(), c.says(), gain, adds}})
		w.Detail.Order = append(w.Detail.Order, j)
		x.explainJob(w.Detail.Of(j), v, p)
	}
	title := sim.Say("Of all choices of one configuration a job, the one whose G^p have the least sum; leaving a job out adds λ")
	if x.power > 0 {
		title = sim.Say("Of all choices of one configuration a job, the one whose G^p have the largest sum; leaving a job out takes λ from it")
	}
	s := &sim.Section{Title: title, Table: all, Terms: []sim.Term{sim.Named("sum over all jobs", float64(sum)/100, ""),
		sim.Named("jobs left out", float64(out), "")}}
	if !x.sack.exact {
		s.Note = sim.Say("There are too many states to compare all choices: GPU types were shared out one after the other, each with the others standing still.")
	}
	w.Detail.Sections = append(w.Detail.Sections, s)
}

// explainJob shows the row of a job.
func (x *sia) explainJob(d *sim.Choice, v sim.View, p *sim.Plan) {
	k, c := &x.jobs[d.Job], x.picked(d.Job)
	least := float64(v.Shape(d.Job).Min) // a configuration counts by it, so that large jobs weigh more
	switch {
	case len(k.configs) == 1:
		d.Says = room(x.cluster, v, p, d.Job)
	case c.pinned:
		d.Says = sim.Say("it is still restarting there and stays")
	case c.gpus > 0 && !p.Holds(d.Job):
		d.Says = sim.Say("{0} were meant for it, but they do not lie together", c.says())
	case c.gpus > 0 && k.first < 0:
		d.Says = sim.Say("it has not run yet: its least size is worth the same to it on all types, and all choices together are best with {0}",
			c.says())
	case c.gpus > 0 && k.other(c.typ) != nil:
		other := k.other(c.typ)
		d.Says = sim.Say("{0} count {1} times as much as its least useful configuration, {2}, of all other types’ the most useful, {3} times, restarts weighed; all choices together are best with this one",
			c.says(), c.gain/least, other.says(), other.gain/least)
	case c.gpus > 0:
		d.Says = sim.Say("there its goodput is {0} times that of its least useful configuration, and all choices together are best with this one",
			c.value/least)
	default:
		best := &k.configs[k.best()]
		d.Says = sim.Say("its best configuration, {0}, would add {1} to the sum, and to leave it out adds {2}; all choices together are best without it",
			best.says(), float64(best.cost)/100, float64(x.lambda)/100)
	}
	row := &sim.Table{Title: sim.Say("The configurations of {0}", d.Job), Columns: rowColumns}
	for i := range k.configs {
		c := &k.configs[i]
		if c.gpus == 0 {
			continue
		}
		r := sim.Row{Cells: []any{c.says(), c.value, c.gain, float64(c.cost) / 100}, Chosen: i == int(k.pick)}
		switch {
		case c.held:
			r.Verdict = sim.Say("is what it has")
		case k.first >= 0 && !c.learned:
			r.Verdict = sim.Say("guessed from its runs on {0}", k.first)
		}
		row.Rows = append(row.Rows, r)
	}
	d.Sections = append(d.Sections, &sim.Section{Title: sim.Say("What it could have, as it believes"), Table: row,
		Terms: []sim.Term{sim.Named("restart factor of a change", k.stays, ""),
			sim.Named("GPUs that it may have at most", float64(k.cap), ""),
			sim.Named("restarts so far", float64(k.restarts), "")}})
}
