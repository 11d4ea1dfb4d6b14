package queues

import (
	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// measure is the number by which a policy puts jobs in order, as its explanations tell it.
type measure struct {
	title   string                       // of the ranking
	named   words.Text                   // in the title's place, where it names what somebody wrote
	columns []sim.Column                 // after the job
	cells   func(model.JobID) []any      // beneath them
	is      func(model.JobID) words.Text // the job's number as a clause: it still needs 40 minutes
	short   func(model.JobID) any        // and beside a name
	key     func(model.JobID) float64    // what the order goes by
	// tie says by which rule a job goes before another of the same key, nil = the older does; and sum is how the key is
	// reckoned, nil = it is measured.
	tie  func(first, second model.JobID) words.Text
	sum  func(model.JobID) []words.Text
	room func(model.JobID) words.Text // what is free for a job; nil = whatever it has a speed on will do
	// takes says that a job may take GPUs from those behind it; otherwise who runs is not stopped.
	takes bool
}

// byNumber is the measure of a policy with one number, in one column; clause has it at {0}. of is its unit, "" = it has
// none.
func byNumber(title, column, of, clause string, key func(model.JobID) float64) measure {
	figure := func(j model.JobID) any { return sim.In(of, key(j)) }
	return measure{title: title, columns: []sim.Column{{Name: column, Unit: of}},
		cells: func(j model.JobID) []any { return []any{key(j)} },
		is:    func(j model.JobID) words.Text { return words.Say(clause, figure(j)) },
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
	m.is = func(j model.JobID) words.Text {
		if key(j) > speedless {
			return words.Say("it has no speed on one node")
		}
		return is(j)
	}
	m.short = func(j model.JobID) any {
		if key(j) > speedless {
			return words.Say("no speed on one node")
		}
		return short(j)
	}
	return m
}

// byArrival is the measure of a queue in order of arrival.
func byArrival(v sim.View) measure {
	return byNumber("Who came first", "Arrival", unit.Instant, "it came at {0}",
		func(j model.JobID) float64 { return v.Arrive(j).Seconds() })
}

// explainQueue says of the jobs of a queue what puts each in its place, who goes before it, and what is left. Of those
// who go before, the two are named that stand nearest. head is the job that blocks the queue, or None.
func explainQueue(c *model.Cluster, v sim.View, p *sim.Plan, w *sim.Why, order []ranked, head model.JobID, m measure) {
	ranking := &sim.Table{Title: words.Say("The queue"), Columns: append([]sim.Column{{Name: "Job"}}, m.columns...)}
	if m.room == nil {
		m.room = func(j model.JobID) words.Text { return policy.Room(c, v, p, j) }
	}
	if m.tie == nil {
		m.tie = func(first, second model.JobID) words.Text { return policy.ByAge(v, first, second) }
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
			by = words.Say("{0}; {1}", by, m.tie(order[at-1].job, j))
		} else if at+1 < len(order) && m.key(order[at+1].job) == m.key(j) {
			by = words.Say("{0}; {1}", by, m.tie(j, order[at+1].job))
		}
		if m.sum != nil {
			d.Sections = append(d.Sections, &sim.Section{Formula: m.sum(j)})
		}
		switch {
		case p.Holds(j) && v.Holds(j) && passed > 0 && !m.takes:
			d.Says = words.Say("{0}, which puts it at place {1} of {2}, but who runs is not stopped", by, at+1, len(order))
		case p.Holds(j) && at == 0:
			d.Says = words.Say("{0}, which puts it first of {1}", by, len(order))
		case p.Holds(j):
			d.Says = words.Say("{0}, which puts it at place {1} of {2}", by, at+1, len(order))
		case code == trace.WaitOrder && head >= 0:
			d.Says = words.Say("{0}; {1} ({2}) comes first and does not fit, and nobody may overtake it", m.is(j), head,
				m.short(head))
		case before == 0:
			d.Says = words.Say("{0}, but {1}", m.is(j), m.room(j))
		default:
			d.Says = words.Say("{0}; {1}; {2}", m.is(j), policy.GoFirst(near, before), m.room(j))
			if m.key(j) == m.key(last) {
				d.Says = words.Say("{0}; {1}; {2}; {3}", m.is(j), policy.GoFirst(near, before), m.tie(last, j),
					m.room(j))
			}
		}
		if m.takes && !p.Holds(j) && behind > 0 {
			d.Says = withThose(c, v, p, j, d.Says, behind)
		}
		if p.Holds(j) {
			behind -= v.Shape(j).Size
			before, last = before+1, j
			near = append(near[max(0, len(near)-1):len(near):len(near)], words.Say("{0} ({1})", j, m.short(j)))
		} else {
			passed++
		}
	}
	if m.named.IsZero() {
		m.named = words.Say(m.title)
	}
	w.Detail.Sections = append(w.Detail.Sections, &sim.Section{Title: m.named, Table: ranking})
}

// withThose adds that the GPUs of the jobs behind one do not help it, which it might take.
func withThose(c *model.Cluster, v sim.View, p *sim.Plan, j model.JobID, says words.Text, behind int32) words.Text {
	free, _ := place.Free(c, p)
	if free+behind < v.Shape(j).Size {
		return words.Say("{0}; with those of the jobs behind it there would be {1}", says, free+behind)
	}
	return words.Say("{0}; with those of the jobs behind it, it finds no place either", says)
}
