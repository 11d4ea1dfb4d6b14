package gavel

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/timeshare"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// explainShares says of every active job where it stands on each GPU type and who came before it. Pairs of jobs stand
// behind the jobs among the candidates.
func (r *rounds) explainShares(v sim.View, w *sim.Why) {
	for _, j := range v.Active() {
		i := slices.IndexFunc(r.cands, func(c timeshare.Candidate) bool { return c.Job == j || c.Mate == j })
		d, c := w.Detail.Of(j), &r.cands[i]
		on := r.picked(j)
		switch code, _ := w.Given(j); {
		case on != nil:
			d.Says = r.runsBy(v, on)
		case code == trace.WaitShare:
			d.Says = r.waitsForTurn(v, j)
		case code == trace.WaitShape:
			d.Says = words.Say("its GPUs must be of one type, and no type has {0} in service that it can use",
				c.GPUs)
		case code == trace.WaitReset:
			d.Says = r.notYetIn(v, j)
		}
		key := "shares" // of the job's own, which a job of Gandiva's pairs has only where the pair does not run
		own := func(c timeshare.Candidate) bool { return c.Job == j && c.Mate < 0 }
		if k := slices.IndexFunc(r.cands, own); k >= 0 {
			alone := on
			if on != nil && on.Mate >= 0 {
				alone = nil
			}
			key, d.Sections = "", append(d.Sections, r.shares(v, &r.cands[k], alone))
		}
		if best, _, _ := r.bestOf(j); on != nil && on.Mate >= 0 {
			d.Sections = append(d.Sections, r.sharesBeside(v, key, j, &on.Candidate, on))
		} else if best.Mate >= 0 {
			d.Sections = append(d.Sections, r.sharesBeside(v, key, j, best, nil))
		}
	}
	for _, q := range r.picks {
		w.Detail.Order = append(w.Detail.Order, q.Job)
	}
	w.Detail.Sections = append(w.Detail.Sections, r.ranking())
}

// recordLost says of those who were picked and have no place that they wait. A gang takes the first GPUs that are free,
// also where these lie on nodes over which it has no speed.
func (r *rounds) recordLost(v sim.View, p *sim.Plan, w *sim.Why) {
	if len(r.lost) == 0 {
		return
	}
	free, most := int32(0), int32(0)
	for t := range r.cluster.Types {
		n := p.FreeOf(model.TypeID(t))
		free, most = free+n, max(most, n)
	}
	for _, q := range r.lost {
		for _, j := range [...]model.JobID{q.Job, q.Mate} {
			if j < 0 {
				continue
			}
			if w.Wait(j, trace.WaitShape, float64(q.GPUs), float64(free), float64(most)); w.Detail != nil {
				w.Detail.Of(j).Says = words.Say(
					"its turn has come on {0}, but the first free GPUs there lie on several nodes, over which it has no speed, and no others are looked for",
					q.Type)
			}
		}
	}
	if !sim.Explains || w.Detail == nil {
		return
	}
	for _, j := range v.Active() {
		code, _ := w.Given(j)
		if q := r.lostOn(j); code == trace.WaitShare && q != nil {
			d := w.Detail.Of(j)
			d.Says = words.Say("{0}; those meant for {1}, for which there is no place on {2}, idle", d.Says, q.Job, q.Type)
		}
	}
}

// lostOn is a pick without a place whose type another job can use, nil = there is none.
func (r *rounds) lostOn(j model.JobID) *timeshare.Pick {
	for _, q := range r.lost {
		if slices.ContainsFunc(r.cands, func(c timeshare.Candidate) bool {
			return (c.Job == j || c.Mate == j) && c.Rates[q.Type] > 0
		}) {
			return q
		}
	}
	return nil
}

// notYetIn says why a job is not in the shares: it came after they were computed, or could not run then.
func (r *rounds) notYetIn(v sim.View, j model.JobID) words.Text {
	wait := sim.Seconds((r.mech.NextReset() - v.Now()).Seconds())
	switch {
	case v.Arrive(j) > r.mech.LastReset() && wait > 0:
		return words.Say(
			"it is new, and enters with the first round that begins in {0} or later, or once nobody in the shares can run",
			wait)
	case v.Arrive(j) > r.mech.LastReset():
		return words.Say("it is new, and enters with the next computation of the shares")
	}
	return words.Say("it could not run when the shares were computed; {0}", r.whenAnew(v))
}

// whenAnew says when the shares are computed anew, which only jobs and GPUs that come or go bring about. Whether a job
// is to come is known once the picks have their places; explainComing writes it then.
func (r *rounds) whenAnew(v sim.View) words.Text {
	if r.mech.Due(v.Now(), true) {
		return words.Say(
			"the shares are next computed with the first round that begins in {0} or later, or once nobody in them can run",
			sim.Seconds((r.mech.NextReset() - v.Now()).Seconds()))
	}
	r.anew = append(r.anew, new(words.Text))
	return words.Say("{0}", r.anew[len(r.anew)-1])
}

// explainComing fills in what whenAnew left open.
func (r *rounds) explainComing(w *sim.Why) {
	says := words.Say("the shares are next computed after a job has ended, or a node has come or gone; no job is to come")
	if w.Detail.Coming > 0 {
		says = words.Say("the shares are next computed after a job or a node has come or gone")
	}
	for _, t := range r.anew {
		*t = says
	}
	r.anew = r.anew[:0]
}

// mateOf is the other job of a pair, None of a job alone.
func mateOf(c *timeshare.Candidate, j model.JobID) model.JobID {
	if c.Mate == j {
		return c.Job
	}
	return c.Mate
}

// bestOf is where a job has its highest priority, alone or in a pair, as record tells it; without one it is the job
// as the first of its candidates has it, and no type.
func (r *rounds) bestOf(j model.JobID) (best *timeshare.Candidate, at model.TypeID, most timeshare.Standing) {
	at = model.None
	for i := range r.cands {
		c := &r.cands[i]
		if c.Job != j && c.Mate != j {
			continue
		}
		if best == nil {
			best = c
		}
		for t := range c.Rates {
			if s := r.mech.Standing(c, model.TypeID(t)); s.Priority > most.Priority {
				best, at, most = c, model.TypeID(t), s
			}
		}
	}
	return best, at, most
}

// runsBy says why a job that was picked runs.
func (r *rounds) runsBy(v sim.View, q *timeshare.Pick) words.Text {
	s := r.mech.Standing(&q.Candidate, q.Type)
	if q.Mate >= 0 {
		return r.twoRunBy(v, q, s)
	}
	if s.Priority == 0 {
		says := words.Say("it is due no time there for now, but no job that is due some takes these GPUs")
		if r.served(q.Type) {
			says = words.Say("it is due no time there for now, but the jobs that are due some have left these GPUs free")
		}
		if t, due := r.dueLater(q); t >= 0 {
			return words.Say("{0}; {1} chooses before {2}, where it is due {3} of the time", says, q.Type, t, due)
		}
		return says
	}
	if s.Received == 0 {
		return words.Say(
			"it is due {0} of the time on {1}, as it was before the shares were computed last, when nobody could run",
			sim.Share(s.Target), q.Type)
	}
	return r.orEqual(v, q, s, words.Say(
		"it is due {0} of the time on {1} and has had {2} by the policy’s count, which makes its priority there {3}",
		sim.Share(s.Target), q.Type, sim.Share(s.Received), r.priority(s, 0)))
}

// served says whether somebody who is due time on a type was picked for it.
func (r *rounds) served(t model.TypeID) bool {
	return slices.ContainsFunc(r.picks, func(q timeshare.Pick) bool {
		return q.Type == t && r.mech.Standing(&q.Candidate, t).Priority > 0
	})
}

// dueLater is where a pick has its highest priority among the types that choose after its own, and the time that it is
// due there; None if it has none.
func (r *rounds) dueLater(q *timeshare.Pick) (at model.TypeID, due sim.Share) {
	at = model.None
	most := 0.0
	for _, t := range r.types[slices.Index(r.types, q.Type)+1:] {
		if s := r.mech.Standing(&q.Candidate, t); s.Priority > most {
			at, due, most = t, sim.Share(s.Target), s.Priority
		}
	}
	return at, due
}

// twoRunBy is runsBy of a pair, whose figures are those of both together.
func (r *rounds) twoRunBy(v sim.View, q *timeshare.Pick, s timeshare.Standing) words.Text {
	if s.Priority == 0 && r.served(q.Type) {
		return words.Say(
			"the two are due no time there for now, but the jobs that are due some have left these GPUs free")
	}
	if s.Priority == 0 {
		return words.Say("the two are due no time there for now, but no job that is due some takes these GPUs")
	}
	return r.orEqual(v, q, s, words.Say(
		"the two are due {0} of the time on {1} and count as having had {2}, which makes their priority there {3}",
		sim.Share(s.Target), q.Type, sim.Share(s.Received), r.priority(s, 0)))
}

// orEqual adds who goes first of equals where there are any.
func (r *rounds) orEqual(v sim.View, q *timeshare.Pick, s timeshare.Standing, says words.Text) words.Text {
	for i := range r.cands {
		if i != q.At && r.mech.Standing(&r.cands[i], q.Type).Priority == s.Priority {
			return words.Say("{0}; {1}", says, r.amongEquals(v, s, r.mech.Standing(&r.cands[i], q.Type), q.At, i))
		}
	}
	return says
}

// amongEquals is the rule by which one of two candidates of one priority goes first: what is owed from before, target,
// or their place among the candidates, which is their age but for pairs that stand behind all jobs.
func (r *rounds) amongEquals(v sim.View, a, b timeshare.Standing, one, other int) words.Text {
	first, second := &r.cands[min(one, other)], &r.cands[max(one, other)]
	switch {
	case a.Deficit != b.Deficit:
		return words.Say("among equals the job goes first that is owed more time from earlier rounds")
	case a.Target != b.Target:
		return words.Say("among equals the job goes first that is due more")
	}
	if first.Mate < 0 && second.Mate >= 0 && first.Job >= second.Job {
		return words.Say("among equals a job alone goes before a pair")
	} else if first.Job == second.Job { // of two pairs with the same job the other decides
		return policy.ByAge(v, first.Mate, second.Mate)
	}
	return policy.ByAge(v, first.Job, second.Job)
}

// priority is a standing's priority as it is written; where no time is booked it is the target that decides.
func (r *rounds) priority(s timeshare.Standing, decimals int) any {
	if s.Received == 0 {
		return sim.Share(s.Target)
	}
	return sim.Fixed{Value: s.Priority, Decimals: max(decimals, 2)}
}

// waitsForTurn says who came before a job that has a share of the time, alone or in a pair. Each type serves by
// priority, then by what is owed from before, target and arrival; so those are named who went before it on the type on
// which its priority is highest, for they took the GPUs first.
func (r *rounds) waitsForTurn(v sim.View, j model.JobID) words.Text {
	c, at, mine := r.bestOf(j)
	if at < 0 {
		return words.Say("{0}, and {1}", r.dueNone(v, j), r.leftOver(v, j))
	}
	can := 0
	for t := range c.Rates {
		if c.Rates[t] > 0 {
			can++
		}
	}
	mate := mateOf(c, j)
	own := slices.IndexFunc(r.cands, func(x timeshare.Candidate) bool { return x.Job == c.Job && x.Mate == c.Mate })
	var first []*timeshare.Pick
	decimals, tie := 2, words.Text{}
	for i := range r.picks {
		q := &r.picks[i]
		s := r.mech.Standing(&q.Candidate, q.Type)
		if q.Type != at || !wentBefore(s, mine, q.At < own) {
			continue
		}
		first = append(first, q)
		if s.Priority == mine.Priority {
			tie = r.amongEquals(v, s, mine, q.At, own)
		}
		decimals = policy.Apart(decimals, mine.Priority, s.Priority)
	}
	lead := words.Say("on {0} its priority is {1}", at, r.priority(mine, decimals))
	switch {
	case mine.Received == 0: // as it was before the last shares, when nobody could run; pairs do not outlast these
		lead = words.Say("on {0} it is due {1} of the time", at, sim.Share(mine.Target))
	case mate >= 0:
		lead = words.Say("on {0} its priority beside {1} is {2}", at, mate, r.priority(mine, decimals))
	}
	if mate >= 0 && r.picked(mate) != nil {
		return words.Say("{0}, but {1} runs without it, and {2}", lead, mate, r.leftOver(v, j))
	}
	says := words.Say("{0}; {1}, and too few GPUs are left", lead, r.cameFirst(first, decimals))
	if !tie.IsZero() {
		says = words.Say("{0}; {1}", says, tie)
	}
	if c.GPUs > 1 && can == 1 {
		return words.Say("it needs {0} GPUs of one type, and only {1} will do; {2}", c.GPUs, at, says)
	}
	return says
}

// dueNone says how it comes that a job has no priority anywhere: it is due no time, or only where or with whom it
// cannot run at present.
func (r *rounds) dueNone(v sim.View, j model.JobID) words.Text {
	for i := range r.cands {
		c := &r.cands[i]
		if c.Job != j && c.Mate != j {
			continue
		}
		for _, t := range r.cluster.BySpeed {
			s := r.mech.Standing(c, t)
			if s.Target == 0 {
				continue
			}
			due := words.Say("it is due {0} of the time on {1}", sim.Share(s.Target), t)
			if c.Mate >= 0 {
				due = words.Say("it is due {0} of the time on {1} beside {2}", sim.Share(s.Target), t, mateOf(c, j))
			}
			switch n := v.CapacityOf(t); {
			case n == 0:
				return words.Say("{0}, all of which are away", due)
			case n < c.GPUs:
				return words.Say("{0}, of which fewer than it needs are in service", due)
			}
			return words.Say("{0}, where it has no speed now", due)
		}
	}
	for _, p := range r.mech.Pairs() {
		mate := p.B
		if mate == j {
			mate = p.A
		}
		_, there := slices.BinarySearch(v.Active(), mate)
		if (p.A == j || p.B == j) && !there {
			return words.Say("it was due time beside {0}, which has ended", mate)
		}
	}
	if r.mech.Strict() {
		return words.Say("no type that it could use had room for it when the shares were computed")
	}
	return words.Say("it is due no time for now")
}

// leftOver says why a job that fills what is left has nothing of it. Those who have a priority are served before; then
// others may fill, by what they are owed and by age, and a newcomer's place stays empty until the shares are computed.
func (r *rounds) leftOver(v sim.View, j model.JobID) words.Text {
	if r.mech.Strict() {
		return r.whenAnew(v)
	}
	can, fills, size := false, model.JobID(model.None), v.Shape(j).Size
	for i := range r.cands {
		c := &r.cands[i]
		if c.Job != j || c.Mate >= 0 {
			continue
		}
		for t := range c.Rates {
			if c.Rates[t] <= 0 {
				continue
			}
			can = true
			// What is left there, what of it stays empty, and who was the first to choose of it.
			room, empty, first := r.free[t], r.free[t], model.JobID(model.None)
			for k := range r.picks {
				q := &r.picks[k]
				if int(q.Type) != t || r.mech.Standing(&q.Candidate, q.Type).Priority > 0 {
					continue
				}
				if room += q.GPUs; !q.Allocated {
					empty += q.GPUs
				}
				if q.Allocated && first < 0 || !q.Allocated && empty >= c.GPUs {
					first = q.Job
				}
			}
			if room >= c.GPUs && (fills < 0 || r.picked(first) == nil) {
				fills = first
			}
		}
	}
	switch {
	case !can && size > 1:
		return words.Say("no GPU type that it can use has {0} in service", size)
	case !can:
		return words.Say("no GPU that it can use is in service")
	case fills < 0:
		return words.Say("others that are due time leave too few GPUs")
	case r.picked(fills) == nil:
		return words.Say("{0}, which is not in the shares yet, holds the place that is left until they are computed anew",
			fills)
	}
	return words.Say("of what those that are due time leave, {0} chooses first", fills)
}

// cameFirst names two of those who went before, with their priorities.
func (r *rounds) cameFirst(first []*timeshare.Pick, decimals int) words.Text {
	var names []any
	for _, q := range first[:min(len(first), 2)] {
		of := r.priority(r.mech.Standing(&q.Candidate, q.Type), decimals)
		if q.Mate >= 0 {
			names = append(names, words.Say("{0} with {1} ({2})", q.Job, q.Mate, of))
			continue
		}
		names = append(names, words.Say("{0} ({1})", q.Job, of))
	}
	return policy.GoFirst(names, len(first))
}

// wentBefore says whether a candidate was asked before another on a type.
func wentBefore(a, b timeshare.Standing, older bool) bool {
	if a.Priority != b.Priority {
		return a.Priority > b.Priority
	}
	return a.Deficit > b.Deficit || a.Deficit == b.Deficit && (a.Target > b.Target || a.Target == b.Target && older)
}

// shareColumns and pickColumns are those of a job's standing and of the ranking.
var (
	shareColumns = []sim.Column{{Key: "type", Name: "GPU type"}, {Key: "target", Name: "Target", Unit: unit.Share},
		{Key: "received", Name: "Received", Unit: unit.Share}, {Name: "Priority"}, {Key: "rate_per_s", Name: "Steps/s"},
		{Key: "priority"}, {Key: "deficit_s"}}
	pickColumns = []sim.Column{{Name: "Job"}, {Name: "GPU type"}, {Name: "Priority"}}
)

// shares is where a job stands by itself on each type.
func (r *rounds) shares(v sim.View, c *timeshare.Candidate, on *timeshare.Pick) *sim.Section {
	speed, apart := v.Speed(c.Job, 0), model.OneRack
	if len(r.cluster.Racks) > 1 {
		apart = model.Network
	}
	return r.standing("shares", words.Say("Shares of time of {0}", c.Job), c, on,
		func(t model.TypeID) unit.Rate { return c.Rates[t] },
		func(t model.TypeID) bool {
			return c.GPUs > 1 && speed.Rate(t, c.GPUs, apart) < speed.Rate(t, c.GPUs, model.OneNode)
		},
		words.Say("0 steps/s: the type has fewer GPUs than the gang needs, or its speed there is not known."))
}

// sharesBeside is where a job stands in a pair on each type, with its own speed there.
func (r *rounds) sharesBeside(v sim.View, key string, j model.JobID, c *timeshare.Candidate,
	on *timeshare.Pick) *sim.Section {
	mate := mateOf(c, j)
	return r.standing(key, words.Say("Shares of time of {0} and {1} together", j, mate), c, on,
		func(t model.TypeID) unit.Rate {
			own, _ := together(r.cluster, v, j, mate, t)
			return own
		}, func(model.TypeID) bool { return false }, words.Say("0 steps/s: no GPU of the type is in service, or the speed of the two there is not known."))
}

// standing is where a candidate stands on each type, with a speed there, and whether it is slower over nodes; none is
// the note where the speed is 0.
func (r *rounds) standing(key string, title words.Text, c *timeshare.Candidate, on *timeshare.Pick,
	speed func(model.TypeID) unit.Rate, slower func(model.TypeID) bool, none words.Text) *sim.Section {
	t := &sim.Table{Key: key, Title: title, Columns: shareColumns}
	out := &sim.Section{Table: t}
	for _, typ := range r.cluster.BySpeed {
		s, rate := r.mech.Standing(c, typ), speed(typ)
		var shown any
		if s.Received > 0 {
			shown = s.Priority
		}
		if s.Received > 0 && s.Priority > 0 && len(out.Formula) < policy.MostLines {
			out.Formula = append(out.Formula, words.Say("priority on a {0} = {1} % ÷ {2} % = {3}", typ,
				policy.Four(100*s.Target), policy.Four(100*s.Received), policy.Four(s.Priority)))
		}
		if rate == 0 {
			out.Note = none
		} else if out.Note.IsZero() && slower(typ) {
			out.Note = words.Say("Steps/s are those on one node; farther apart it is slower.")
		}
		t.Rows = append(t.Rows, sim.Row{Chosen: on != nil && on.Type == typ, Cells: []any{typ, s.Target, s.Received,
			shown, float64(rate), s.Priority, s.Deficit}})
	}
	return out
}

// ranking lists who was picked, in the order of the picks, and then who was not, by the highest priority anywhere.
func (r *rounds) ranking() *sim.Section {
	t := &sim.Table{Title: words.Say("Who was picked"), Columns: pickColumns}
	row := func(j model.JobID, typ model.TypeID, s timeshare.Standing) sim.Row {
		cells := []any{j, nil, nil}
		if typ >= 0 { // else it has no priority anywhere
			cells[1] = typ
		}
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
		at  timeshare.Standing
	}
	var others []*waiting
	for i := range r.cands {
		c := &r.cands[i]
		if c.Mate >= 0 || r.picked(c.Job) != nil {
			continue
		}
		_, typ, s := r.bestOf(c.Job)
		others = append(others, &waiting{job: c.Job, typ: typ, at: s})
	}
	unit.Sort(others, func(a, b *waiting) int { return cmp.Compare(b.at.Priority, a.at.Priority) })
	for _, w := range others {
		t.Rows = append(t.Rows, row(w.job, w.typ, w.at))
	}
	return &sim.Section{Table: t,
		Title: words.Say("Priority = target ÷ received; on each GPU type the highest goes first")}
}
