package policy

import (
	"cmp"
	"slices"
	"strconv"

	"hadarlab/core/model"
	"hadarlab/core/share"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// explainShares says of every active job where it stands on each GPU type and who came before it. Pairs of jobs stand
// behind the jobs among the candidates.
func (r *rounds) explainShares(v sim.View, w *sim.Why) {
	for _, j := range v.Active() {
		i := slices.IndexFunc(r.cands, func(c share.Candidate) bool { return c.Job == j || c.Mate == j })
		d, c := w.Detail.Of(j), &r.cands[i]
		on := r.picked(j)
		switch code, _ := w.Given(j); {
		case on != nil:
			d.Says = r.runsBy(on)
		case code == trace.WaitShare:
			d.Says = r.waitsForTurn(c)
		case code == trace.WaitShape:
			d.Says = sim.Say("its GPUs must be of one type, and no type has {0} in service that it can use",
				c.GPUs)
		case code == trace.WaitReset:
			d.Says = sim.Say("it is new, and enters with the next computation of the shares")
			if s := (r.mech.NextReset() - v.Now()).Seconds(); s > 0 {
				d.Says = sim.Say("it is new, and the next computation of the shares that can take it in is {0} away",
					sim.Seconds(s))
			}
		}
		d.Sections = append(d.Sections, r.shares(c, on))
	}
	for _, q := range r.picks {
		w.Detail.Order = append(w.Detail.Order, q.Job)
	}
	w.Detail.Sections = append(w.Detail.Sections, r.ranking())
}

// runsBy says why a job that was picked runs.
func (r *rounds) runsBy(q *share.Pick) *sim.Text {
	s := r.mech.Standing(&q.Candidate, q.Type)
	if s.Priority == 0 {
		return sim.Say("it is due no time there for now, but the jobs that are due some have left these GPUs free")
	}
	if s.Received == 0 {
		return sim.Say("it is due {0} of the time on {1}, and nobody has had any there yet", sim.Share(s.Target),
			q.Type)
	}
	says := sim.Say("it is due {0} of the time on {1} and counts as having had {2}, which makes its priority there {3}",
		sim.Share(s.Target), q.Type, sim.Share(s.Received), r.priority(s, 0))
	for i := range r.cands {
		if c := &r.cands[i]; c.Job != q.Job && r.mech.Standing(c, q.Type).Priority == s.Priority {
			return amongEquals(says)
		}
	}
	return says
}

// amongEquals adds who goes first of jobs of one priority: by what is owed from before, target and arrival.
func amongEquals(says *sim.Text) *sim.Text {
	return sim.Say(
		"{0}; among equals the job goes first that is owed more time from earlier rounds, then the one that is due more, then the one that came earlier or is listed first",
		says)
}

// priority is a standing's priority as it is written; before anybody has had time it is the target that decides.
func (r *rounds) priority(s share.Standing, decimals int) any {
	if s.Received == 0 {
		return sim.Share(s.Target)
	}
	return sim.Fixed{Value: s.Priority, Decimals: max(decimals, 2)}
}

// waitsForTurn says who came before a job that has a share of the time. Each type serves by priority, then by what is
// owed from before, target and arrival; so those are named who went before it on the type on which its priority is
// highest, for they took the GPUs first.
func (r *rounds) waitsForTurn(c *share.Candidate) *sim.Text {
	at, mine, can := model.TypeID(-1), share.Standing{}, 0
	for t := range c.Rates {
		if c.Rates[t] > 0 {
			can++
		}
		if s := r.mech.Standing(c, model.TypeID(t)); s.Priority > mine.Priority {
			at, mine = model.TypeID(t), s
		}
	}
	if at < 0 {
		return sim.Say("it is due no time for now, and the jobs that are due some leave too few GPUs")
	}
	var first []*share.Pick
	decimals, ties := 2, 0
	for i := range r.picks {
		q := &r.picks[i]
		s := r.mech.Standing(&q.Candidate, q.Type)
		if q.Type != at || !wentBefore(s, mine, q.Job < c.Job) {
			continue
		}
		first = append(first, q)
		if s.Priority == mine.Priority {
			ties++
		}
		decimals = apart(decimals, mine.Priority, s.Priority)
	}
	lead := sim.Say("on {0} its priority is {1}", at, r.priority(mine, decimals))
	switch {
	case mine.Received == 0:
		lead = sim.Say("on {0} it is due {1} of the time", at, sim.Share(mine.Target))
	}
	says := sim.Say("{0}; {1}, and too few GPUs are left", lead, r.cameFirst(first, decimals))
	if ties > 0 {
		says = amongEquals(says)
	}
	if c.GPUs > 1 && can == 1 {
		return sim.Say("it needs {0} GPUs of one type, and only {1} will do; {2}", c.GPUs, at, says)
	}
	return says
}

// cameFirst names two of those who went before, with their priorities.
func (r *rounds) cameFirst(first []*share.Pick, decimals int) *sim.Text {
	var names []any
	for _, q := range first[:min(len(first), 2)] {
		names = append(names, sim.Say("{0} ({1})", q.Job,
			r.priority(r.mech.Standing(&q.Candidate, q.Type), decimals)))
	}
	return goFirst(names, len(first))
}

// goFirst is a list of who goes first: some by name, of so many.
func goFirst(names []any, all int) *sim.Text {
	switch {
	case len(names) == 0:
		return sim.Say("others come first")
	case all == 1:
		return sim.Say("{0} comes first", names...)
	case all == 2:
		return sim.Say("{0} and {1} come first", names...)
	case all == 3:
		return sim.Say("{0}, {1} and one more come first", names...)
	}
	return sim.Say("{0}, {1} and {2} more come first", names[0], names[1], all-2)
}

// wentBefore says whether a candidate was asked before another on a type.
func wentBefore(a, b share.Standing, older bool) bool {
	if a.Priority != b.Priority {
		return a.Priority > b.Priority
	}
	return a.Deficit > b.Deficit || a.Deficit == b.Deficit && (a.Target > b.Target || a.Target == b.Target && older)
}

// apart is how many decimals tell two figures apart, and the first from 0: as many as given, or more.
func apart(decimals int, v, other float64) int {
	write := func(v float64) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
	for decimals < 20 && (other != v && write(other) == write(v) || v != 0 && write(v) == write(0)) {
		decimals++
	}
	return decimals
}

// shareColumns and pickColumns are those of a job's standing and of the ranking.
var (
	shareColumns = []sim.Column{{Key: "type", Name: "GPU type"}, {Key: "target", Name: "Target", Unit: unit.Share},
		{Key: "received", Name: "Received", Unit: unit.Share}, {Name: "Priority"}, {Key: "rate_per_s", Name: "Steps/s"},
		{Key: "priority"}, {Key: "deficit_s"}}
	pickColumns = []sim.Column{{Name: "Job"}, {Name: "GPU type"}, {Name: "Priority"}}
)

// shares is where a candidate stands on each type.
func (r *rounds) shares(c *share.Candidate, on *share.Pick) *sim.Section {
	t := &sim.Table{Key: "shares", Title: sim.Say("Shares of time of {0}", c.Job), Columns: shareColumns}
	none := false
	for _, typ := range r.cluster.BySpeed {
		s := r.mech.Standing(c, typ)
		var shown any
		if s.Received > 0 {
			shown = s.Priority
		}
		none = none || c.Rates[typ] == 0
		t.Rows = append(t.Rows, sim.Row{Chosen: on != nil && on.Type == typ, Cells: []any{typ, s.Target, s.Received,
			shown, float64(c.Rates[typ]), s.Priority, s.Deficit}})
	}
	out := &sim.Section{Table: t}
	if none {
		out.Note = sim.Say(
			"0 steps/s: the type has fewer GPUs than the gang needs, or its speed there is not known.")
	}
	return out
}

// ranking lists who was picked, in the order of the picks, and then who was not, by the highest priority anywhere.
func (r *rounds) ranking() *sim.Section {
	t := &sim.Table{Title: sim.Say("Who was picked"), Columns: pickColumns}
	row := func(j model.JobID, typ model.TypeID, s share.Standing) sim.Row {
		cells := []any{j, typ, nil}
		if s.Received > 0 {
			cells[2] = s.Priority
		}
		return sim.Row{Cells: cells}
	}
	for i := range r.picks {
		if q := &r.picks[i]; q.Allocated {
			t.Rows = append(t.Rows, row(q.Job, q.Type, r.mech.Standing(&q.Candidate, q.Type)))
		}
	}
	type waiting struct {
		job model.JobID
		typ model.TypeID
		at  share.Standing
	}
	var others []*waiting
	for i := range r.cands {
		c := &r.cands[i]
		if c.Mate >= 0 || r.picked(c.Job) != nil {
			continue
		}
		w := &waiting{job: c.Job, typ: r.cluster.BySpeed[0]}
		for typ := range c.Rates {
			if s := r.mech.Standing(c, model.TypeID(typ)); s.Priority > w.at.Priority {
				w.typ, w.at = model.TypeID(typ), s
			}
		}
		others = append(others, w)
	}
	unit.Sort(others, func(a, b *waiting) int { return cmp.Compare(b.at.Priority, a.at.Priority) })
	for _, w := range others {
		t.Rows = append(t.Rows, row(w.job, w.typ, w.at))
	}
	return &sim.Section{Table: t,
		Title: sim.Say("Priority = target ÷ received; on each GPU type the highest goes first")}
}
