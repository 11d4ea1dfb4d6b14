package sim

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// change is what a plan means for one job. It is computed once a plan, because the charge, the counters of the trace
// and the recorded reason must agree on it.
type change uint8

const (
	same    change = iota // holds what it held
	started               // from nothing to something
	moved                 // its (slot, count) set changed
	stopped               // from something to nothing
)

// apply turns the plan into the present allocation. It compares the two and touches only what differs, so that a policy
// which restates everything pays for nothing and the work of a decision grows with its changes, not with the cluster.
//
// The order matters. Restated gangs are matched first, since the charges depend on what is really new; reasons are
// recorded before anything is released, while the old allocation can still be read; and GPUs are given back before new
// gangs take them.
func (r *Run) apply() {
	p := &r.plan
	slices.Sort(p.touched)
	for i := range p.gangs[:p.n] {
		p.gangs[i].old = r.restates(&p.gangs[i])
	}
	for _, j := range p.touched {
		r.classify(j)
	}
	r.why.explainChanges(p)
	for _, j := range p.touched {
		if p.jobs[j].dropped {
			r.releaseUnmatched(j)
		}
	}
	for i := range p.gangs[:p.n] {
		if g := &p.gangs[i]; g.old >= 0 {
			r.restate(g)
		} else {
			r.create(g)
		}
	}
	for _, j := range p.touched {
		r.settle(j)
	}
	if r.cadence.Merge {
		r.merge()
	}
}

// restates finds the present gang with the same members on the same GPUs as g, or -1 if there is none. The stamp keeps
// two gangs of the plan from claiming the same present one.
func (r *Run) restates(g *planGang) int32 {
	first := g.members[0].job
	if !r.plan.dropped(first) {
		return -1
	}
	for _, id := range r.jobs[first].gangs {
		G := &r.gangs[id]
		if slices.Equal(G.shards, g.shards) && len(G.members) == len(g.members) && G.copied == g.copied &&
			r.plan.emptied(id) && G.stamp != r.plan.stamp &&
			slices.EqualFunc(G.members, g.members, func(a gangMember, b planMember) bool { return a.job == b.job }) {
			G.stamp = r.plan.stamp
			return id
		}
	}
	return -1
}

// classify says what the plan means for j, what stall it costs, and counts it in the trace. A job that has run before
// has written a checkpoint when it stopped, which is why starting it again costs Save as well as Load.
func (r *Run) classify(j model.JobID) {
	q, s, t := &r.plan.jobs[j], &r.jobs[j], &r.tr.Jobs[j]
	before := *t
	held := int32(len(s.gangs))
	kept := held
	if q.dropped {
		kept = 0
	}
	q.change = same
	switch {
	case held == 0 && q.count > 0:
		q.change = started
	case held > 0 && kept+q.count == 0:
		q.change = stopped
	case q.count > 0 && (kept > 0 || held != q.count || !r.sameSets(j)):
		q.change = moved
	}
	c := &r.p.Costs[j]
	switch q.change {
	case started:
		q.charge = c.Load
		if t.Starts > 0 {
			q.charge += c.Save
		}
		if t.Starts == 0 {
			t.Start = r.now
		}
		t.Starts++
	case moved:
		q.charge = c.Load + c.Save
		t.Moved++
		t.Preempted += max(0, held-kept-q.count)
	case stopped:
		t.Preempted += held
	case same:
		if q.count > 0 && r.configChanged(j) {
			q.charge = c.Config
		}
	}
	r.alike(j, before)
}

// sameSets says whether the new gangs of j lie on exactly the GPUs that it holds. The caller has seen that there are as
// many. With several gangs, each new one must have been matched with a present gang by restates; with one, comparing
// shards is enough, because a change of its members does not move the job.
func (r *Run) sameSets(j model.JobID) bool {
	p := &r.plan
	if r.jobs[j].gangs[0] >= 0 && len(r.jobs[j].gangs) == 1 {
		return slices.Equal(r.gangs[r.jobs[j].gangs[0]].shards, p.gangs[p.jobs[j].last-1].shards)
	}
	for at := p.jobs[j].last; at > 0; {
		g := &p.gangs[at-1]
		if g.old < 0 {
			return false
		}
		for i := range g.members {
			if g.members[i].job == j {
				at = g.members[i].prev
			}
		}
	}
	return true
}

// configChanged says whether the new gang of j runs at another operating point than the present one, which costs Config
// only, since the job keeps its GPUs.
func (r *Run) configChanged(j model.JobID) bool {
	p := &r.plan
	g := &p.gangs[p.jobs[j].last-1]
	for i := range g.members {
		if g.members[i].job == j {
			return g.members[i].cfg != r.member(r.jobs[j].gangs[0], j).cfg
		}
	}
	return false
}

// releaseUnmatched takes j out of those of its present gangs that the plan does not restate. Progress and held time are
// booked up to now before the first of them goes.
func (r *Run) releaseUnmatched(j model.JobID) {
	s := &r.jobs[j]
	booked := false
	for i := len(s.gangs) - 1; i >= 0; i-- {
		if g := s.gangs[i]; r.gangs[g].stamp != r.plan.stamp {
			if !booked {
				r.advance(j)
				r.bookHolding(j)
				booked = true
			}
			r.leave(g, j)
		}
	}
}

// leave takes j out of gang g. The GPUs become free with the last member; as long as others stay, they go on at the
// speed that they have without j, from a new span on.
func (r *Run) leave(g int32, j model.JobID) {
	G := &r.gangs[g]
	at := 0
	for i := range G.members {
		m := &G.members[i]
		if m.job == j {
			at = i
			r.keepLearnt(m)
		} else {
			r.advance(m.job)
		}
		r.closeSpan(g, m)
	}
	G.members = append(G.members[:at], G.members[at+1:]...)
	s := &r.jobs[j]
	for i := len(s.gangs) - 1; i >= 0; i-- { // a job that ends leaves the last first
		if s.gangs[i] == g {
			s.gangs = append(s.gangs[:i], s.gangs[i+1:]...)
			break
		}
	}
	if len(G.members) > 0 {
		r.rerateGang(g)
		for i := range G.members {
			r.rekey(G.members[i].job)
		}
		r.touch(G.shards)
		return
	}
	for _, sh := range G.shards {
		r.addFree(sh.Slot, sh.N)
	}
	r.touch(G.shards)
	r.freeGangs = append(r.freeGangs, g)
}

// addFree changes the number of free GPUs of a slot by n, and that of its type with it.
func (r *Run) addFree(s model.SlotID, n int32) {
	r.free[s] += n
	r.freeOf[r.p.Cluster.Slots[s].Type] += n
}

// restate carries the plan's quotas and operating points over to a gang that stays. A span has one speed and one kind,
// so it ends where the member begins or ceases to hold, or changes its operating point.
func (r *Run) restate(g *planGang) {
	G := &r.gangs[g.old]
	for i := range G.members {
		m, n := &G.members[i], &g.members[i]
		if m.cfg == n.cfg && m.quota < 0 && n.quota < 0 {
			continue
		}
		r.advance(m.job)
		if m.cfg != n.cfg || m.hold || n.quota == 0 { // what it does from now on is of another kind or speed
			r.closeSpan(g.old, m)
		}
		m.quota, m.hold = n.quota, n.quota == 0
		if m.cfg != n.cfg { // the only thing that changes its speed here
			m.cfg = n.cfg
			m.rate = r.rateIn(G, i)
		}
	}
}

// create makes a gang of the plan real: it takes the GPUs and enters the gang with each of its members. The numbers of
// gangs that are gone are used again, so that the memory of a run does not grow with its length.
func (r *Run) create(g *planGang) {
	var id int32
	if n := len(r.freeGangs); n > 0 {
		id = r.freeGangs[n-1]
		r.freeGangs = r.freeGangs[:n-1]
	} else {
		id = int32(len(r.gangs))
		r.gangs = append(r.gangs, gang{})
	}
	G := &r.gangs[id]
	G.shards = append(G.shards[:0], g.shards...)
	G.members = G.members[:0]
	G.copied, G.stamp, G.share = g.copied, r.plan.stamp, 0
	r.touch(G.shards)
	for _, sh := range G.shards {
		r.addFree(sh.Slot, -sh.N)
	}
	for i := range g.members {
		n := &g.members[i]
		s := &r.jobs[n.job]
		r.advance(n.job)
		r.bookHolding(n.job)
		G.members = append(G.members, gangMember{job: n.job, cfg: n.cfg, quota: n.quota, hold: n.quota == 0,
			order: r.freeOrder(n.job), from: r.now})
		s.gangs = append(s.gangs, id)
	}
	r.beginLearning(G)
	for i := range G.members {
		G.members[i].rate = r.rateIn(G, i)
	}
}

// freeOrder is the least number that no gang of j bears. The trace names a job's gangs by it, so that a copy keeps its
// row on the chart while others come and go. The numbers of a job are marked once for the gangs that one plan makes of
// it one after another: none is released in between.
func (r *Run) freeOrder(j model.JobID) int32 {
	o := &r.orders
	if o.job != j || o.stamp != r.plan.stamp {
		o.job, o.stamp, o.least = j, r.plan.stamp, 0
		clear(o.taken)
		for _, g := range r.jobs[j].gangs {
			o.mark(r.member(g, j).order)
		}
	}
	for int(o.least) < len(o.taken) && o.taken[o.least] {
		o.least++
	}
	o.mark(o.least)
	return o.least
}

// orders marks the numbers of one job's gangs while a plan is applied.
type orders struct {
	job   model.JobID
	stamp int32 // of the plan
	least int32 // all numbers below it are taken
	taken []bool
}

// mark notes that a gang bears the number.
func (o *orders) mark(n int32) {
	for int(n) >= len(o.taken) {
		o.taken = append(o.taken, false)
	}
	o.taken[n] = true
}

// settle charges j and computes its next event. A job that the plan has not changed is left alone.
func (r *Run) settle(j model.JobID) {
	q, s := &r.plan.jobs[j], &r.jobs[j]
	if q.change == same && q.charge == 0 && q.count == 0 {
		return
	}
	if q.charge > 0 {
		r.stall(j, q.charge)
	}
	switch q.change {
	case stopped:
		s.stall = 0
	case started:
		s.waits = false
		if q.charge == 0 {
			s.stall = 0
		}
	}
	if q.change == started || q.change == moved { // the checkpoint that a move writes counts too
		s.saved, s.savedAt = s.done, r.now+q.charge
	}
	r.bookHolding(j)
	if r.p.Jobs[j].Profile >= 0 && q.change != same { // copies come and go, and with them what an example is worth
		r.rerate(j)
	}
	if q.change == same { // as many GPUs as before
		r.changed = append(r.changed, j)
	} else {
		r.recount(j)
	}
	r.rekey(j)
}

// stall makes j hold its GPUs without progress for d from now on. A stall that still runs is replaced and not
// prolonged: charges of one instant do not add up.
func (r *Run) stall(j model.JobID, d unit.Tick) {
	s := &r.jobs[j]
	r.advance(j)
	for _, g := range s.gangs {
		r.closeSpan(g, r.member(g, j))
	}
	s.stall = r.now + d
}

// merge charges the consolidation of copies to every job that holds GPUs (HadarE). It does not add to the charge of a
// move at the same instant, nor to what is left of an earlier charge: the larger of the two counts.
func (r *Run) merge() {
	for _, j := range r.activeJobs {
		s := &r.jobs[j]
		d := r.p.Costs[j].Merge
		if len(s.gangs) == 0 {
			continue
		}
		r.why.Tell(&trace.Merge, int32(j), d.Seconds())
		if d <= 0 {
			continue
		}
		if q := &r.plan.jobs[j]; q.stamp == r.plan.stamp && q.charge >= d || s.stall-r.now >= d {
			continue
		}
		r.stall(j, d)
		r.rekey(j)
	}
}

// bookHolding adds the time since the last change of what j holds to its received time by type, in ticks, and to its
// attained service, in GPU-ticks. It must be called before that changes.
func (r *Run) bookHolding(j model.JobID) {
	s := &r.jobs[j]
	d := r.now - s.since
	s.since = r.now
	if d <= 0 || s.gpus == 0 {
		return
	}
	s.service += unit.Tick(s.gpus) * d
	types := len(r.p.Cluster.Types)
	if t := r.onlyType(j); t >= 0 {
		r.received[int(j)*types+int(t)] += d
		return
	}
	for t := range types {
		if r.holdsType(j, model.TypeID(t)) {
			r.received[int(j)*types+t] += d
		}
	}
}

// onlyType is the type of all GPUs that j holds, or -1 if they are of several.
func (r *Run) onlyType(j model.JobID) model.TypeID {
	only := model.TypeID(-1)
	for _, g := range r.jobs[j].gangs {
		for _, sh := range r.gangs[g].shards {
			if t := r.p.Cluster.Slots[sh.Slot].Type; only < 0 {
				only = t
			} else if t != only {
				return -1
			}
		}
	}
	return only
}

// holdsType says whether j holds at least one GPU of type t.
func (r *Run) holdsType(j model.JobID, t model.TypeID) bool {
	for _, g := range r.jobs[j].gangs {
		for _, sh := range r.gangs[g].shards {
			if r.p.Cluster.Slots[sh.Slot].Type == t {
				return true
			}
		}
	}
	return false
}

// recount notes how many GPUs j holds now, and whether it counts among the jobs that hold any or among those that wait.
func (r *Run) recount(j model.JobID) {
	s := &r.jobs[j]
	n := int32(0)
	for _, g := range s.gangs {
		for _, sh := range r.gangs[g].shards {
			n += sh.N
		}
	}
	switch {
	case s.gpus == 0 && n > 0:
		r.holding++
		i, _ := slices.BinarySearch(r.waiting, j)
		r.waiting = slices.Delete(r.waiting, i, i+1)
	case s.gpus > 0 && n == 0:
		r.holding--
		if s.state != active {
			break
		}
		i, _ := slices.BinarySearch(r.waiting, j)
		r.waiting = slices.Insert(r.waiting, i, j)
		if !s.waits {
			r.untold = append(r.untold, j)
		}
	}
	s.gpus, s.since = n, r.now
	r.changed = append(r.changed, j)
}
