package sim

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Spend handles about so many kernel events and says whether more are to come. The caller decides
// how often to yield; the kernel does not know of it.
func (r *Run) Spend(events int) (more bool) {
	for limit := r.tr.Events + int64(events); r.tr.Events < limit; {
		if !r.Step() {
			return false
		}
	}
	return true
}

// Step advances to the next instant at which anything happens and handles all of it. It is false
// when the run is over.
func (r *Run) Step() bool {
	if r.over {
		return false
	}
	at := r.nextInstant()
	switch {
	case at == unit.Never:
		if len(r.activeJobs) == 0 {
			return r.finish(trace.Done)
		}
		return r.finish(trace.Starved)
	case at > r.p.Horizon:
		r.now = r.p.Horizon
		return r.finish(trace.Horizon)
	case r.tr.Events >= r.opt.MaxEvents || r.beyond():
		return r.finish(trace.Overloaded)
	}
	r.now = at
	r.happened = 0
	r.book()
	r.changes()
	r.nodes()
	r.spells()
	r.selfEvents()
	r.arrivals()
	if r.left == 0 {
		return r.finish(trace.Done)
	}
	if r.due() {
		more := r.decide()
		r.unused()
		return more
	}
	r.share()
	r.unused()
	return true
}

// nextInstant is the earliest of: the next arrival, the next capacity change, the wake that the policy asked for, the
// next multiple of the cadence's period, and the earliest event of a job itself. Wake and period count only while there
// is somebody to decide about.
func (r *Run) nextInstant() unit.Tick {
	at := unit.Never
	if r.nextArrival < r.coming() {
		at = r.comes(r.nextArrival).at
	}
	if r.nextChange < len(r.p.Changes) {
		at = min(at, r.p.Changes[r.nextChange].At)
	}
	if len(r.heap) > 0 {
		at = min(at, r.heap[0].at)
	}
	if r.slow != nil && r.holding > 0 {
		at = min(at, r.slow.until())
	}
	if r.cloud != nil && r.more() {
		at = min(at, r.cloudUntil())
	}
	if len(r.activeJobs) > 0 {
		at = min(at, r.wake)
		if e := r.cadence.Every; e > 0 {
			at = min(at, (r.now/e+1)*e)
		}
	}
	if at != unit.Never && r.cloud != nil && r.more() { // a forecast alone is no reason to go on
		at = min(at, r.cloud.looks)
	}
	return at
}

// due says whether the present instant calls for a decision.
func (r *Run) due() bool {
	if len(r.activeJobs) == 0 {
		return false
	}
	e := r.cadence.Every
	return r.happened&r.cadence.On != 0 || r.now >= r.wake || e > 0 && r.now%e == 0
}

// decide asks the policy for a plan and applies it. It ends the run as starved when no later decision could bring
// anything: see noProgressWindow, and below for decisions that leave everything idle.
func (r *Run) decide() bool {
	r.wake = unit.Never
	r.tr.Rounds = append(r.tr.Rounds, trace.Decision{At: r.now, Reason: int32(len(r.tr.Reasons))})
	r.plan.begin()
	r.why.begin()
	r.tellFaults()
	r.tellHeld()
	slices.Sort(r.untold) // faults take the youngest first
	r.policy.Decide(View{r}, &r.plan, &r.why)
	if !r.plan.fault.Says.IsZero() {
		return r.finish(trace.Stopped)
	}
	if r.observe != nil {
		r.observe(View{r}, &r.plan)
	}
	r.changed = r.changed[:0]
	r.wake = r.plan.wake
	if r.wake <= r.now {
		r.wake = r.now + 1
	}
	r.apply()
	r.demand()
	r.share()
	if d := r.why.Detail; Explains && d != nil {
		r.completeDetail(d)
	}
	r.arrived, r.ended = r.arrived[:0], r.ended[:0]
	r.untold = slices.DeleteFunc(r.untold, func(j model.JobID) bool { return r.jobs[j].gpus > 0 || r.jobs[j].waits })
	r.tr.Events++
	if len(r.tr.Rounds)%noProgressWindow == 0 && r.noProgress() {
		return r.finish(trace.Starved)
	}
	if r.holding > 0 {
		r.idleRounds = 0
		return true
	}
	// A period alone changes nothing: after two idle decisions in a row with nothing external
	// pending and no wake asked for, no later one would differ. A policy that goes by the time asks for a wake.
	r.idleRounds++
	if r.idleRounds >= 2 && r.wake == unit.Never && r.nextArrival == r.coming() &&
		r.nextChange == len(r.p.Changes) && !r.ordered() {
		return r.finish(trace.Starved)
	}
	return true
}

// noProgressWindow is how many decisions in a row may pass without a single step of training. Beyond it
// the policy only moves jobs about: stalls are longer than its rounds.
const noProgressWindow = 4096

// noProgress says whether no work has been done since it was last asked, and nothing from outside is still to come that
// could change that.
func (r *Run) noProgress() bool {
	sum := unit.Work(r.Finished())
	for _, j := range r.activeJobs {
		sum += View{r}.done(j)
	}
	same := sum == r.progressed && r.nextArrival == r.coming() && r.nextChange == len(r.p.Changes)
	r.progressed = sum
	return same
}

// arrivals makes the jobs active whose time has come.
func (r *Run) arrivals() {
	for r.nextArrival < r.coming() && r.comes(r.nextArrival).at <= r.now {
		j := r.comes(r.nextArrival).job
		r.nextArrival++
		s := &r.jobs[j]
		s.state, s.anchor, s.since = active, r.now, r.now
		r.activeJobs, r.waiting, r.untold = enter(r.activeJobs, j), enter(r.waiting, j), append(r.untold, j)
		if r.array(j) != nil {
			r.tellArray(j)
		}
		r.arrived = append(r.arrived, j)
		r.happened |= Arrival
		if r.holding == 0 {
			r.happened |= ArrivalIdle
		}
		r.tr.Events++
	}
}

// enter adds a job to a list that is by id, at the end of which most belong.
func enter(list []model.JobID, j model.JobID) []model.JobID {
	i := len(list)
	for i > 0 && list[i-1] > j {
		i--
	}
	return slices.Insert(list, i, j)
}

// selfEvents handles what jobs bring about themselves at the present instant, ties by job id.
func (r *Run) selfEvents() {
	for len(r.heap) > 0 && r.heap[0].at <= r.now {
		j := r.heap[0].job
		r.advance(j)
		s := &r.jobs[j]
		job := &r.p.Jobs[j]
		if s.done >= job.Work-slack(job.Work) {
			r.complete(j)
		} else {
			r.phases(j)
			r.learn(j)
			r.rekey(j)
		}
		r.tr.Events++
	}
}

// slack is the rounding that sums of exact quotas may leave below a job's total.
func slack(w unit.Work) unit.Work { return unit.Work(float64(float64(w) * 0x1p-44)) }

// complete takes a job that has done its work out of all its gangs. Its work is set to the exact total, so that
// rounding does not add up in later figures.
func (r *Run) complete(j model.JobID) {
	s := &r.jobs[j]
	r.bookHolding(j)
	for len(s.gangs) > 0 {
		r.leave(s.gangs[len(s.gangs)-1], j)
	}
	s.state, s.done = finished, r.p.Jobs[j].Work
	r.recount(j)
	r.rekey(j)
	r.ends(j, r.p.Jobs[j].Work)
	i, _ := slices.BinarySearch(r.activeJobs, j)
	r.activeJobs = slices.Delete(r.activeJobs, i, i+1)
	r.ended = append(r.ended, j)
	r.happened |= Finish
}

// finish ends the run with an outcome: open spans are closed at the present instant, and the changes of capacity and of
// speed that came true are copied into the trace, so that it can be read without the problem. It is always false, for
// Step to return.
func (r *Run) finish(o trace.Outcome) bool {
	for _, j := range r.activeJobs {
		r.advance(j)
		for _, g := range r.jobs[j].gangs {
			r.closeSpan(g, r.member(g, j))
		}
	}
	r.tellFaults()
	for _, c := range r.p.Changes {
		if c.At <= r.now && r.cloud == nil {
			r.tr.Capacity = append(r.tr.Capacity, trace.Capacity{At: c.At, Slot: int32(c.Slot), Cap: c.Cap})
		}
	}
	for _, c := range r.p.Speeds {
		if c.At <= r.now {
			r.tr.Speeds = append(r.tr.Speeds, trace.Speed{At: c.At, Node: int32(c.Node), Speed: c.Speed})
		}
	}
	r.tr.Outcome, r.tr.End, r.over = o, r.now, true
	return false
}

// advance books a job's progress up to the present instant.
func (r *Run) advance(j model.JobID) {
	s := &r.jobs[j]
	from := max(s.anchor, s.stall)
	d := r.now - from
	if every := r.p.Costs[j].CheckpointEvery; every > 0 && len(s.gangs) > 0 {
		r.checkpoint(s, j, from, every)
	}
	s.anchor = r.now
	if d <= 0 || len(s.gangs) == 0 {
		return
	}
	if len(s.gangs) == 1 {
		s.done += r.progress(s.gangs[0], r.member(s.gangs[0], j), d)
		return
	}
	for _, g := range s.gangs {
		s.done += r.progress(g, r.member(g, j), d)
	}
}

// progress is what a member does in d; a member that uses up its quota begins to hold.
func (r *Run) progress(g int32, m *gangMember, d unit.Tick) unit.Work {
	if m.hold {
		return 0
	}
	m.learns.trains(d)
	w := m.rate.Over(d)
	if m.quota < 0 {
		return w
	}
	if w < m.quota {
		m.quota -= w
		return w
	}
	w = m.quota
	r.closeSpan(g, m)
	m.quota, m.hold = 0, true
	return w
}

// rekey computes when j next does something by itself and mends the heap. That is the earliest of four instants: a
// member uses up its quota, the job reaches the end of its phase, or it reaches the end of its work, or it looks again
// at how it splits its batch. Speeds are constant until then, so each is one division at most.
func (r *Run) rekey(j model.JobID) {
	s := &r.jobs[j]
	next := unit.Never
	if s.state == active && len(s.gangs) > 0 {
		start := max(s.anchor, s.stall)            // done and quotas are as of the anchor
		total, most := unit.Rate(0), unit.Work(-1) // most = the largest quota
		for _, g := range s.gangs {
			m := r.member(g, j)
			if m.hold {
				continue
			}
			total += m.rate
			if m.learns != nil && m.learns.left >= 0 {
				next = min(next, start+m.learns.left)
			}
			if m.quota >= 0 {
				next = min(next, later(start, m.rate.Until(m.quota)))
				most = max(most, m.quota)
			}
		}
		job := &r.p.Jobs[j]
		target := job.Work
		if int(s.phase)+1 < len(job.Phases) {
			target = job.Phases[s.phase+1].From
		}
		if s.done >= target-slack(job.Work) { // booked on another member's account
			next = start
		}
		// A single quota that ends before the target does so first: it need not be asked when the target would.
		if left := max(target-s.done, 0x1p-60); len(s.gangs) > 1 || most < 0 || most > left {
			next = min(next, later(start, total.Until(left)))
		}
		if s.done >= job.Work-slack(job.Work) {
			next = r.now // done as another's event was handled, or by rounding while it holds
		}
	}
	r.heapFix(j, next)
}

// later adds a duration to an instant, and keeps Never as it is.
func later(t, d unit.Tick) unit.Tick {
	if d == unit.Never {
		return unit.Never
	}
	return t + d
}

// rerate recomputes the speeds of all gangs of j, and of those who share them.
func (r *Run) rerate(j model.JobID) {
	for _, g := range r.jobs[j].gangs {
		r.rerateGang(g)
	}
}

// rerateGang recomputes the speeds of a gang's members and cuts the span of those whose speed changes.
func (r *Run) rerateGang(g int32) {
	G := &r.gangs[g]
	for i := range G.members {
		m := &G.members[i]
		rate := r.rateIn(G, i)
		if rate == m.rate {
			continue
		}
		r.advance(m.job)
		r.closeSpan(g, m)
		m.rate = rate
		r.rekey(m.job)
	}
}

// member finds j in gang g; a gang has one member, rarely two.
func (r *Run) member(g int32, j model.JobID) *gangMember {
	ms := r.gangs[g].members
	for i := range ms {
		if ms[i].job == j {
			return &ms[i]
		}
	}
	panic("sim: job is not a member of its gang")
}

// closeSpan writes the member's open span up to the present instant and opens the next one. A
// stall inside it becomes a span of its own.
func (r *Run) closeSpan(g int32, m *gangMember) {
	stall := r.jobs[m.job].stall
	if m.from < stall {
		to := min(stall, r.now)
		r.emit(g, m, trace.Stall, m.from, to)
		m.from = to
	}
	kind := trace.Run
	if m.hold {
		kind = trace.Hold
	}
	r.emit(g, m, kind, m.from, r.now)
	m.from = r.now
}

// emit writes one span of a member into the trace, unless it is empty. Only a running span has a speed.
func (r *Run) emit(g int32, m *gangMember, k trace.Kind, from, to unit.Tick) {
	if from >= to {
		return
	}
	G := &r.gangs[g]
	with := int32(model.None)
	for i := range G.members {
		if G.members[i].job != m.job {
			with = int32(r.face(G.members[i].job))
			break
		}
	}
	job := m.job
	if a := r.array(job); a != nil {
		var n int
		if n, job = r.trains(a); n > 1 {
			r.emitArray(a, g, m, k, from, to)
			return
		}
	}
	r.span(g, m, job, model.JobID(with), k, from, to)
}

// span appends one span of a job to the trace.
func (r *Run) span(g int32, m *gangMember, job, with model.JobID, k trace.Kind, from, to unit.Tick) {
	rate := 0.0
	if k == trace.Run {
		rate = float64(m.rate)
	}
	s := &r.tr.Spans
	if n := len(s.Job); n == cap(s.Job) {
		s.Grow(n) // twice as long: append alone would copy long columns four times over
	}
	s.Job = append(s.Job, int32(job))
	s.Gang = append(s.Gang, m.order)
	s.With = append(s.With, int32(with))
	s.Kind = append(s.Kind, k)
	s.From = append(s.From, from)
	s.To = append(s.To, to)
	s.Rate = append(s.Rate, rate)
	s.Shards = append(s.Shards, r.gangs[g].shards...)
	s.ShardAt = append(s.ShardAt, int32(len(s.Shards)))
}
