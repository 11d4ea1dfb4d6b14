package policy

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// measure is the number by which a policy puts jobs in order, as its explanations tell it.
type measure struct {
	title   string                      // of the ranking
	columns []sim.Column                // after the job
	cells   func(model.JobID) []any     // beneath them
	is      func(model.JobID) *sim.Text // the job's number as a clause: it still needs 40 minutes
	short   func(model.JobID) any       // and beside a name
	key     func(model.JobID) float64   // what the order goes by
	// tie says by which rule a job goes before another of the same key, nil = the older does; and sum is how the key is
	// reckoned, nil = it is measured.
	tie  func(first, second model.JobID) *sim.Text
	sum  func(model.JobID) []*sim.Text
	room func(model.JobID) *sim.Text // what is free for a job; nil = whatever it has a speed on will do
	// takes says that a job may take GPUs from those behind it; otherwise who runs is not stopped.
	takes bool
}

// byNumber is the measure of a policy with one number, in one column; clause has it at {0}. of is its unit, "" = it has
// none.
func byNumber(title, column, of, clause string, key func(model.JobID) float64) measure {
	figure := func(j model.JobID) any { return sim.In(of, key(j)) }
	return measure{title: title, columns: []sim.Column{{Name: column, Unit: of}},
		cells: func(j model.JobID) []any { return []any{key(j)} },
		is:    func(j model.JobID) *sim.Text { return sim.Say(clause, figure(j)) },
		short: figure, key: key}
}

// speedless is more than any time that a job with a speed can take, in s.
const speedless = 1e100

// ofSpeed is the measure for a time that has no end where the job has no speed on one node.
func ofSpeed(m measure) measure {
	is, short, key := m.is, m.short, m.key
	m.cells = func(j model.JobID) []any {
		if key(j) > speedless {
			return []any{nil}
		}
		return []any{key(j)}
	}
	m.is = func(j model.JobID) *sim.Text {
		if key(j) > speedless {
			return sim.Say("it has no speed on one node")
		}
		return is(j)
	}
	m.short = func(j model.JobID) any {
		if key(j) > speedless {
			return sim.Say("no speed on one node")
		}
		return short(j)
	}
	return m
}

// byAge says who goes first of equals where nothing else decides: jobs are numbered as they arrive, then as listed.
func byAge(v sim.View, first, second model.JobID) *sim.Text {
	if v.Arrive(first) != v.Arrive(second) {
		return sim.Say("among equals the job goes first that came earlier")
	}
	return sim.Say("among equals that came together the job goes first that is listed first")
}

// byArrival is the measure of a queue in order of arrival.
func byArrival(v sim.View) measure {
	return byNumber("Who came first", "Arrival", unit.Instant, "it came at {0}",
		func(j model.JobID) float64 { return v.Arrive(j).Seconds() })
}

// explainQueue says of the jobs of a queue what puts each in its place, who goes before it, and what is left. Of those
// who go before, the two are named that stand nearest. head is the job that blocks the queue, or None.
func explainQueue(c *model.Cluster, v sim.View, p *sim.Plan, w *sim.Why, order []ranked, head model.JobID, m measure) {
	ranking := &sim.Table{Title: sim.Say("The queue"), Columns: append([]sim.Column{{Name: "Job"}}, m.columns...)}
	if m.room == nil {
		m.room = func(j model.JobID) *sim.Text { return room(c, v, p, j) }
	}
	if m.tie == nil {
		m.tie = func(first, second model.JobID) *sim.Text { return byAge(v, first, second) }
	}
	before, near, last := 0, []any(nil), model.JobID(model.None) // the nearest who holds GPUs
	passed, behind := 0, int32(0)                                // jobs waiting before one; GPUs held from it on
	for at := range order {
		if j := order[at].job; p.Holds(j) {
			behind += v.Shape(j).Size
		}
	}
	for at := range order {
		j := order[at].job
		ranking.Rows = append(ranking.Rows, sim.Row{Cells: append([]any{j}, m.cells(j)...)})
		d := w.Detail.Of(j)
		code, _ := w.Given(j)
		by := m.is(j) // what puts it in its place, with what decides among its equals
		if at > 0 && m.key(order[at-1].job) == m.key(j) {
			by = sim.Say("{0}; {1}", by, m.tie(order[at-1].job, j))
		} else if at+1 < len(order) && m.key(order[at+1].job) == m.key(j) {
			by = sim.Say("{0}; {1}", by, m.tie(j, order[at+1].job))
		}
		if m.sum != nil {
			d.Sections = append(d.Sections, &sim.Section{Formula: m.sum(j)})
		}
		switch {
		case p.Holds(j) && v.Holds(j) && passed > 0 && !m.takes:
			d.Says = sim.Say("{0}, which puts it at place {1} of {2}, but who runs is not stopped", by, at+1, len(order))
		case p.Holds(j) && at == 0:
			d.Says = sim.Say("{0}, which puts it first of {1}", by, len(order))
		case p.Holds(j):
			d.Says = sim.Say("{0}, which puts it at place {1} of {2}", by, at+1, len(order))
		case code == trace.WaitOrder && head >= 0:
			d.Says = sim.Say("{0}; {1} ({2}) comes first and does not fit, and nobody may overtake it", m.is(j), head,
				m.short(head))
		case before == 0:
			d.Says = sim.Say("{0}, but {1}", m.is(j), m.room(j))
		default:
			d.Says = sim.Say("{0}; {1}; {2}", m.is(j), goFirst(near, before), m.room(j))
			if m.key(j) == m.key(last) {
				d.Says = sim.Say("{0}; {1}; {2}; {3}", m.is(j), goFirst(near, before), m.tie(last, j), m.room(j))
			}
		}
		if m.takes && !p.Holds(j) && behind > 0 {
			d.Says = withThose(c, v, p, j, d.Says, behind)
		}
		if p.Holds(j) {
			behind -= v.Shape(j).Size
			before, last = before+1, j
			near = append(near[max(0, len(near)-1):len(near):len(near)], sim.Say("{0} ({1})", j, m.short(j)))
		} else {
			passed++
		}
	}
	w.Detail.Sections = append(w.Detail.Sections, &sim.Section{Title: sim.Say(m.title), Table: ranking})
}

// withThose adds that the GPUs of the jobs behind one do not help it, which it might take.
func withThose(c *model.Cluster, v sim.View, p *sim.Plan, j model.JobID, says *sim.Text, behind int32) *sim.Text {
	free, _ := place.Free(c, p)
	if free+behind < v.Shape(j).Size {
		return sim.Say("{0}; with those of the jobs behind it there would be {1}", says, free+behind)
	}
	return sim.Say("{0}; with those of the jobs behind it, it finds no place either", says)
}

// room says what is free for a job under the plan.
func room(c *model.Cluster, v sim.View, p *sim.Plan, j model.JobID) *sim.Text {
	size := v.Shape(j).Size
	free, one := place.Free(c, p)
	switch {
	case !serves(c, v):
		return sim.Count(int(size),
			"it needs {0} GPU, and none is in service",
			"it needs {0} GPUs, and none is in service")
	case free == 0:
		return sim.Count(int(size), "it needs {0} GPU, and none is free", "it needs {0} GPUs, and none is free")
	case free < size && free == 1:
		return sim.Say("it needs {0} GPUs, and {1} is free", size, free)
	case free < size:
		return sim.Say("it needs {0} GPUs, and {1} are free", size, free)
	}
	if size > 1 && bestRate(c, v, j) <= 0 {
		return sim.Say(
			"it needs {0} GPUs and has a speed over several nodes only, where none are looked for as long as a node has as many; {1} are free",
			size, free)
	}
	if all, most := apartTypes(c, v, p, j); all >= size {
		return sim.Say(
			"it needs {0} GPUs at once; {1} that it can use are free, at most {2} of one type, and types are mixed only where none that it can use has enough",
			size, all, most)
	}
	return sim.Count(int(size), "it needs {0} GPU, and can use none of the {1} that are free",
		"it needs {0} GPUs at once; {1} are free, at most {2} of one type, and it cannot use these together",
		free, one)
}

// apartTypes is how many free GPUs there are of types on which a job has a speed, and the most of one, where a type
// could hold the job but none has enough of them free; else 0.
func apartTypes(c *model.Cluster, v sim.View, p *sim.Plan, j model.JobID) (all, most int32) {
	size, speed, holds := v.Shape(j).Size, v.Speed(j, 0), false
	for _, t := range c.BySpeed {
		if speed.Rate(t, size, model.OneNode) > 0 || speed.Rate(t, size, model.Network) > 0 {
			n := p.FreeOf(t)
			all, most, holds = all+n, max(most, n), holds || v.CapacityOf(t) >= size
		}
	}
	if !holds || most >= size {
		return 0, 0
	}
	return all, most
}

// serves says whether any GPU is in service.
func serves(c *model.Cluster, v sim.View) bool {
	return slices.ContainsFunc(c.BySpeed, func(t model.TypeID) bool { return v.CapacityOf(t) > 0 })
}
