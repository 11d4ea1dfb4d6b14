package elastic

import (
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Columns of the table of jobs, and of that of a job's configurations.
var (
	siaColumns = []sim.Column{{Name: "Job"}, {Name: "Had"}, {Name: "Configuration"}, {Name: "G"},
		{Name: "Adds to the sum"}}
	rowColumns = []sim.Column{{Name: "Configuration"}, {Name: "Normalised goodput"}, {Name: "G"},
		{Name: "Adds to the sum"}}
)

// says names a configuration.
func (c *siaConfig) says() words.Text {
	if c.gpus == 0 {
		return words.Say("none")
	}
	return words.Say("{0} {1}", c.gpus, c.typ)
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
	all := &sim.Table{Title: words.Say("The configurations"), Columns: siaColumns}
	sum, out, pinned := int64(0), 0, false
	left := x.lambda // what a job adds that is left out
	if x.power > 0 {
		left = -left
	}
	for _, j := range v.Active() {
		k, c := &x.jobs[j], x.picked(j)
		had := &siaConfig{}
		if k.configs[0].held {
			had = &k.configs[0]
		}
		var gain, adds any = nil, float64(left) / 100
		if c.gpus > 0 {
			gain, adds = c.gain, float64(c.cost)/100
			sum += c.cost
		} else {
			sum += left
			out++
		}
		pinned = pinned || c.pinned
		all.Rows = append(all.Rows, sim.Row{Cells: []any{j, had.says(), c.says(), gain, adds}})
		w.Detail.Order = append(w.Detail.Order, j)
		x.explainJob(w.Detail.Of(j), v, p)
	}
	s := &sim.Section{Title: x.title(), Table: all, Terms: []sim.Term{
		sim.Named("sum over all jobs", float64(sum)/100, ""),
		sim.Named("jobs left out", float64(out), "")}}
	switch {
	case !x.sack.Exact:
		s.Note = words.Say("There are too many states to compare all choices: GPU types were shared out one after the other, and those too large for that by what each GPU adds.")
	case pinned:
		s.Note = words.Say("Jobs that are still starting or restarting keep what they have in all of them.")
	}
	w.Detail.Sections = append(w.Detail.Sections, s)
}

// title says by what the configurations are chosen.
func (x *sia) title() words.Text {
	switch {
	case x.power <= 0 && x.sack.Exact:
		return words.Say(
			"Of all choices of one configuration a job, the one whose G^p have the least sum; leaving a job out adds λ")
	case x.power <= 0:
		return words.Say(
			"Of the choices compared of one configuration a job, the one whose G^p have the least sum; leaving a job out adds λ")
	case x.sack.Exact:
		return words.Say(
			"Of all choices of one configuration a job, the one whose G^p have the largest sum; leaving a job out takes λ from it")
	}
	return words.Say(
		"Of the choices compared of one configuration a job, the one whose G^p have the largest sum; leaving a job out takes λ from it")
}

// best says that the choices are best as they are, with a job's configuration c or without the job.
func (x *sia) best(c *siaConfig) words.Text {
	switch {
	case c == nil && x.sack.Exact:
		return words.Say("all choices together are best without it")
	case c == nil:
		return words.Say("of the choices compared, those without it are best together")
	case x.sack.Exact:
		return words.Say("all choices together are best with {0}", c.says())
	}
	return words.Say("of the choices compared, those with {0} are best together", c.says())
}

// explainJob shows the row of a job.
func (x *sia) explainJob(d *sim.Choice, v sim.View, p *sim.Plan) {
	k, c := &x.jobs[d.Job], x.picked(d.Job)
	least := float64(v.Shape(d.Job).Min) // a configuration counts by it, so that large jobs weigh more
	switch {
	case len(k.configs) == 1 && inReach(x.cluster, v, d.Job) == 0:
		d.Says = words.Say("it needs {0}, and none that it can use is in service", policy.GPUCount(v.Shape(d.Job).Min))
	case len(k.configs) == 1:
		d.Says = words.Say("it needs at least {0}, and no GPU type on which it has a speed has as many in service",
			policy.GPUCount(v.Shape(d.Job).Min))
	case c.pinned && k.restarts == 0:
		d.Says = words.Say("it is still starting there and stays")
	case c.pinned:
		d.Says = words.Say("it is still restarting there and stays")
	case c.gpus > 0 && !p.Holds(d.Job):
		d.Says = words.Say("{0} were meant for it, but they do not lie together", c.says())
	case c.gpus > 0 && k.first < 0:
		d.Says = words.Say("{0}; {1}", words.Say(
			"nothing has been measured of it yet, and its least size is worth the same to it on every type that it can use"),
			x.best(c))
	case c.gpus > 0 && k.other(c.typ) != nil:
		other := k.other(c.typ)
		d.Says = words.Say("{0}; {1}", words.Say(
			"with {0} it counts {1}, and with {2}, the most useful of other types, {3}; restarts are weighed, without which its least useful configuration counts 1",
			c.says(), c.gain/least, other.says(), other.gain/least), x.best(c))
	case c.gpus > 0:
		d.Says = words.Say("{0}; {1}", words.Say("there its goodput is {0} times that of its least useful configuration",
			c.value/least), x.best(c))
	default:
		best := &k.configs[k.best()]
		says := words.Say("its best configuration, {0}, would add {1} to the sum, and to leave it out adds {2}",
			best.says(), float64(best.cost)/100, float64(x.lambda)/100)
		if x.power > 0 {
			says = words.Say(
				"its best configuration, {0}, would add {1} to the sum, and to leave it out takes {2} from it",
				best.says(), float64(best.cost)/100, float64(x.lambda)/100)
		}
		d.Says = words.Say("{0}; {1}", says, x.best(nil))
	}
	row := &sim.Table{Title: words.Say("The configurations of {0}", d.Job), Columns: rowColumns}
	for i := range k.configs {
		c := &k.configs[i]
		if c.gpus == 0 {
			continue
		}
		r := sim.Row{Cells: []any{c.says(), c.value, c.gain, float64(c.cost) / 100}, Chosen: i == int(k.pick)}
		switch {
		case c.held:
			r.Verdict = words.Say("is what it has")
		case k.first >= 0 && !c.learned:
			r.Verdict = words.Say("guessed from its runs on {0}", k.first)
		}
		row.Rows = append(row.Rows, r)
	}
	d.Sections = append(d.Sections, &sim.Section{Title: words.Say("What it could have, as it believes"), Table: row,
		Formula: x.sums(v, d.Job), Terms: []sim.Term{sim.Named("restart factor of a change", k.stays, ""),
			sim.Named("GPUs that it may have at most", float64(x.most(v, d.Job)), ""),
			sim.Named("restarts so far", float64(k.restarts), "")}})
}

// most is the most GPUs that a job may have, by what it has measured and by its batch.
func (x *sia) most(v sim.View, j model.JobID) (n int32) {
	for t := range x.cluster.Types {
		if b, ok := v.Batches(j, model.TypeID(t)); ok {
			n = max(n, b.GPUs())
		}
	}
	return min(x.jobs[j].cap, max(n, v.Shape(j).Min))
}

// sums are how what a job's configuration counts is reckoned: of the one that it has, or else of its best.
func (x *sia) sums(v sim.View, j model.JobID) (out []words.Text) {
	k, c := &x.jobs[j], x.picked(j)
	if k.stays < 1 {
		age, s := (v.Now() - v.Arrive(j)).Seconds(), v.Charge(j, nil).Seconds()
		if k.stays > 0 {
			out = append(out, policy.Line(
				"restart factor = (age − restarts × stall) ÷ (age + stall) = ({0} − {1} × {2}) ÷ ({0} + {2}) = {3}",
				age, float64(k.restarts), s, k.stays))
		}
	}
	if c.gpus == 0 && len(k.configs) > 1 {
		c = &k.configs[k.best()]
	}
	if c.gpus == 0 || c.gain <= 0 {
		return out
	}
	if !c.held && k.stays < 1 {
		out = append(out, words.Say("G with {0} = normalised goodput × restart factor = {1} × {2} = {3}",
			c.says(), policy.Four(c.value), policy.Four(k.stays), policy.Four(c.gain)))
	}
	if c.cost < siaPower*100 {
		out = append(out, words.Say("G^p with {0}, counted in hundredths = {1}^{2} = {3}",
			c.says(), policy.Four(c.gain), policy.Four(x.power),
			policy.Four(unit.Exp(float64(x.power*unit.Log(c.gain))))))
	}
	return out
}
