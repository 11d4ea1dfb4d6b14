package sim

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Plan is what every job shall hold from now on. It starts as the present allocation; what is not
// touched stays. Round policies Clear it first and restate everything: restating a gang as it is
// changes and costs nothing.
//
// A gang is stated by Open, then Join for further members, Take for its GPUs, Quota if wanted, and
// Close, which is false (and leaves no trace) when shape, speed or capacity forbid the gang.
type Plan struct {
	r       *Run
	free    []int32 // by slot
	freeOf  []int32 // by type
	jobs    []planJob
	stamp   int32
	touched []model.JobID
	gangs   []planGang // gangs[:n] are closed, gangs[n] may be open
	n       int
	on      []planNode // by node
	open    bool
	log     []planOp
	wake    unit.Tick
	fault   Fault
}

// Fault is why a policy could not go on: what it says, and where in the program that somebody wrote, from 1; 0 = there
// is no such place.
type Fault struct {
	Says      words.Text
	Line, Col int
}

// planJob is what the plan has done with one job. It counts only while its stamp is the plan's: that spares clearing
// all jobs at every decision.
type planJob struct {
	stamp   int32
	dropped bool
	last    int32 // 1 + index of the last new gang it is in; earlier ones by planMember.prev
	count   int32 // new gangs it is in
	change  change
	charge  unit.Tick
}

// planNode is the gang stated last of those that begin on a node, by 1 + its index, while the stamp is the plan's.
type planNode struct{ stamp, last int32 }

// planMember is one job in a gang of the plan. prev links the gangs of a job from the last stated one back to the
// first.
type planMember struct {
	job   model.JobID
	cfg   Config
	quota unit.Work
	prev  int32
}

// planGang is one gang that the policy has stated, or is about to.
type planGang struct {
	shards  []model.Shard
	members []planMember
	copied  bool
	old     int32 // the present gang it restates, -1 = none
	below   int32 // as planNode.last, the gang stated before it on the node on which it begins
}

// opKind says what a step of the plan's log did.
type opKind uint8

const (
	opDrop opKind = iota
	opKeep
	opClose
)

// planOp is one step of the plan's log, which Undo takes back in reverse order.
type planOp struct {
	kind opKind
	job  model.JobID
}

// Mark is a point to go back to with Undo.
type Mark int

// init makes room for the slots and jobs of the run. It is called once; begin is called at each decision.
func (p *Plan) init(r *Run) {
	p.r = r
	p.free = make([]int32, len(r.free))
	p.freeOf = make([]int32, len(r.freeOf))
	p.jobs = make([]planJob, len(r.jobs))
	p.on = make([]planNode, len(r.p.Cluster.Nodes))
}

// begin makes the plan equal to the present allocation. Raising the stamp forgets all that was noted of jobs.
func (p *Plan) begin() {
	p.stamp++
	copy(p.free, p.r.free)
	copy(p.freeOf, p.r.freeOf)
	p.touched, p.log, p.n, p.open, p.wake = p.touched[:0], p.log[:0], 0, false, unit.Never
	p.fault = Fault{}
	p.fault = Fault{}
}

// touch gives what the plan notes of j, cleared at the first touch of a decision. Only touched jobs are looked at when
// the plan is applied.
func (p *Plan) touch(j model.JobID) *planJob {
	q := &p.jobs[j]
	if q.stamp != p.stamp {
		*q = planJob{stamp: p.stamp}
		p.touched = append(p.touched, j)
	}
	return q
}

// dropped says whether the plan has taken all present gangs of j away.
func (p *Plan) dropped(j model.JobID) bool { return p.jobs[j].stamp == p.stamp && p.jobs[j].dropped }

// Free is the number of GPUs of slot s that no gang of the plan takes.
func (p *Plan) Free(s model.SlotID) int32 { return p.free[s] }

// FreeOf is the number of GPUs of type t that no gang of the plan takes.
func (p *Plan) FreeOf(t model.TypeID) int32 { return p.freeOf[t] }

// Holds says whether j holds GPUs under the plan.
func (p *Plan) Holds(j model.JobID) bool {
	if q := &p.jobs[j]; q.stamp == p.stamp && (q.dropped || q.count > 0) {
		return q.count > 0
	}
	return len(p.r.jobs[j].gangs) > 0
}

// Clear drops every job.
func (p *Plan) Clear() {
	for _, j := range p.r.activeJobs {
		p.Drop(j)
	}
}

// Drop takes all present gangs of j out of the plan.
func (p *Plan) Drop(j model.JobID) {
	if len(p.r.jobs[j].gangs) == 0 || p.dropped(j) {
		return
	}
	p.touch(j).dropped = true
	p.release(j)
	p.log = append(p.log, planOp{opDrop, j})
}

// release gives back the GPUs of those gangs of j whose members are now all dropped.
func (p *Plan) release(j model.JobID) {
	for _, g := range p.r.jobs[j].gangs {
		if p.emptied(g) {
			p.give(p.r.gangs[g].shards)
		}
	}
}

// emptied says whether all members of a present gang are dropped, so that its GPUs are free in the plan.
func (p *Plan) emptied(g int32) bool {
	for _, m := range p.r.gangs[g].members {
		if !p.dropped(m.job) {
			return false
		}
	}
	return true
}

// Keep restates what j holds at present, if it still fits. It is false, and changes nothing, when j
// holds nothing, when its GPUs have been given away in the plan, or when new gangs of it are stated.
func (p *Plan) Keep(j model.JobID) bool {
	if len(p.r.jobs[j].gangs) == 0 {
		return false
	}
	if !p.dropped(j) {
		return true
	}
	q := &p.jobs[j]
	if q.count > 0 {
		return false
	}
	for i, g := range p.r.jobs[j].gangs {
		if !p.emptied(g) || p.take(p.r.gangs[g].shards) {
			continue
		}
		for _, h := range p.r.jobs[j].gangs[:i] {
			if p.emptied(h) {
				p.give(p.r.gangs[h].shards)
			}
		}
		return false
	}
	q.dropped = false
	p.log = append(p.log, planOp{opKeep, j})
	return true
}

// take subtracts the shards from what is free, all or nothing.
func (p *Plan) take(shards []model.Shard) bool {
	for i, sh := range shards {
		if p.free[sh.Slot] < sh.N {
			p.give(shards[:i])
			return false
		}
		p.free[sh.Slot] -= sh.N
		p.freeOf[p.r.p.Cluster.Slots[sh.Slot].Type] -= sh.N
	}
	return true
}

// give adds the shards to what is free.
func (p *Plan) give(shards []model.Shard) {
	for _, sh := range shards {
		p.free[sh.Slot] += sh.N
		p.freeOf[p.r.p.Cluster.Slots[sh.Slot].Type] += sh.N
	}
}

// Fail ends the run at this decision, of which nothing is done: the policy cannot go on.
func (p *Plan) Fail(f Fault) { p.fault = f }

// Open begins a new gang of job j at operating point c. An open gang that was not closed is
// forgotten.
func (p *Plan) Open(j model.JobID, c Config) {
	if p.n == len(p.gangs) {
		p.gangs = append(p.gangs, planGang{})
	}
	g := &p.gangs[p.n]
	g.shards, g.members, g.copied, g.old = g.shards[:0], append(g.members[:0], planMember{job: j, cfg: c, quota: -1}),
		false, -1
	p.open = true
}

// OpenCopy begins a forked copy of j: a gang on one node, of any size that has a speed, on a node
// where j has no other gang (HadarE, job forker).
func (p *Plan) OpenCopy(j model.JobID, c Config) {
	p.Open(j, c)
	p.gangs[p.n].copied = true
}

// Join adds a member that shares the open gang's GPUs, at its first operating point. It must come before Close; Quota
// then speaks of this member.
func (p *Plan) Join(other model.JobID) {
	g := &p.gangs[p.n]
	g.members = append(g.members, planMember{job: other, quota: -1})
}

// Take adds n GPUs of slot s to the open gang. Whether they are free is checked by Close.
func (p *Plan) Take(s model.SlotID, n int32) {
	g := &p.gangs[p.n]
	for i := range g.shards {
		if g.shards[i].Slot == s {
			g.shards[i].N += n
			return
		}
	}
	// Kept in slot order, so that equal gangs compare equal.
	i := len(g.shards)
	g.shards = append(g.shards, model.Shard{})
	for ; i > 0 && g.shards[i-1].Slot > s; i-- {
		g.shards[i] = g.shards[i-1]
	}
	g.shards[i] = model.Shard{Slot: s, N: n}
}

// Quota stops the progress of the member named last after w steps; its GPUs are then held until the
// next decision.
func (p *Plan) Quota(w unit.Work) {
	g := &p.gangs[p.n]
	g.members[len(g.members)-1].quota = max(w, 0)
}

// Close puts the open gang into the plan. It is false, and the gang is forgotten, when a member is
// not active, the gang breaks a member's shape, a member has no speed on it, or GPUs lack.
func (p *Plan) Close() bool {
	if !p.open {
		return false
	}
	p.open = false
	g := &p.gangs[p.n]
	if !p.fits(g) || !p.take(g.shards) {
		return false
	}
	p.n++
	on := p.at(g)
	g.below, on.last = on.last, int32(p.n)
	for i := range g.members {
		m := &g.members[i]
		q := p.touch(m.job)
		m.prev = q.last
		q.last = int32(p.n)
		q.count++
	}
	p.log = append(p.log, planOp{opClose, g.members[0].job})
	return true
}

// fits checks everything but capacity: every member is active, may have one more gang, is allowed this gang by its
// shape and has a speed on it; and no two copies of a job are on one node.
func (p *Plan) fits(g *planGang) bool {
	r := p.r
	for i := range g.members {
		m := &g.members[i]
		if r.jobs[m.job].state != active {
			return false
		}
		s := &r.p.Jobs[m.job].Shape
		q := p.touch(m.job)
		held := int32(len(r.jobs[m.job].gangs))
		if q.dropped {
			held = 0
		}
		if held+q.count >= s.Gangs || !p.suits(g, m.job) || g.copied &&
			p.onNode(m.job, r.p.Cluster.Slots[g.shards[0].Slot].Node) {
			return false
		}
		if !(r.plannedRate(g, i) > 0) || g.copied && q.count > 0 && !p.beside(g, m, q.last) {
			return false
		}
	}
	return true
}

// beside says whether a copy may train beside those of its job that the plan has so far, the last of which is given:
// their batches add up.
func (p *Plan) beside(g *planGang, m *planMember, last int32) bool {
	r := p.r
	if r.p.Jobs[m.job].Profile < 0 {
		return true
	}
	var all model.Together
	for at := last; at > 0; {
		o := &p.gangs[at-1]
		for i := range o.members {
			if o.members[i].job == m.job {
				r.join(&all, m.job, o.members[i].cfg, o.shards)
				at = o.members[i].prev
			}
		}
	}
	return r.join(&all, m.job, m.cfg, g.shards)
}

// suits says whether the gang obeys the job's shape: its size is one of the shape's, or it is a copy, which may have
// any size on one node.
func (p *Plan) suits(g *planGang, j model.JobID) bool {
	s := &p.r.p.Jobs[j].Shape
	size, tier := Measure(&p.r.p.Cluster, g.shards)
	for _, sh := range g.shards {
		if sh.N <= 0 {
			return false
		}
	}
	if size <= 0 || tier > model.OneNode && g.copied {
		return false
	}
	return g.copied || size >= s.Min && size <= s.Max && (s.Step <= 1 || (size-s.Min)%s.Step == 0)
}

// at is what the plan notes of the node on which a gang begins.
func (p *Plan) at(g *planGang) *planNode { return p.nodeOf(p.r.p.Cluster.Slots[g.shards[0].Slot].Node) }

// nodeOf is what the plan notes of a node, cleared at the first time of a decision.
func (p *Plan) nodeOf(n model.NodeID) *planNode {
	if q := &p.on[n]; q.stamp != p.stamp {
		*q = planNode{stamp: p.stamp}
	}
	return &p.on[n]
}

// onNode says whether j has a gang on the node under the plan.
func (p *Plan) onNode(j model.JobID, n model.NodeID) bool {
	slots := p.r.p.Cluster.Slots
	for at := p.nodeOf(n).last; at > 0; at = p.gangs[at-1].below {
		if slices.ContainsFunc(p.gangs[at-1].members, func(m planMember) bool { return m.job == j }) {
			return true
		}
	}
	if p.jobs[j].dropped {
		return false
	}
	for _, g := range p.r.jobs[j].gangs {
		if slots[p.r.gangs[g].shards[0].Slot].Node == n {
			return true
		}
	}
	return false
}

// Mark remembers the plan as it is.
func (p *Plan) Mark() Mark { return Mark(len(p.log)) }

// Undo goes back to m.
func (p *Plan) Undo(m Mark) {
	for len(p.log) > int(m) {
		op := p.log[len(p.log)-1]
		p.log = p.log[:len(p.log)-1]
		switch op.kind {
		case opDrop:
			for _, g := range p.r.jobs[op.job].gangs {
				if p.emptied(g) {
					p.take(p.r.gangs[g].shards)
				}
			}
			p.jobs[op.job].dropped = false
		case opKeep:
			p.jobs[op.job].dropped = true
			p.release(op.job)
		case opClose:
			p.n--
			g := &p.gangs[p.n]
			p.give(g.shards)
			p.at(g).last = g.below
			for i := range g.members {
				q := &p.jobs[g.members[i].job]
				q.last = g.members[i].prev
				q.count--
			}
		}
	}
	p.open = false
}

// WakeAt asks for a decision at t at the latest. Only the earliest wish of a decision counts, and it
// lapses with the next decision.
func (p *Plan) WakeAt(t unit.Tick) { p.wake = min(p.wake, t) }

// Wakes is the instant at which the plan asks for a decision; ok is false if it does not.
func (p *Plan) Wakes() (at unit.Tick, ok bool) { return p.wake, p.wake != unit.Never }

// Stated is one gang of a plan as a recorder or checker sees it.
type Stated struct {
	Shards  []model.Shard
	Members []StatedMember
	Copied  bool // a forked copy
}

// StatedMember is one job in a stated gang; Quota < 0 = none, NaN = the quota it had goes on.
type StatedMember struct {
	Job    model.JobID
	Config Config
	Quota  unit.Work
}

// Stated lists every gang of the plan, kept ones first. It copies, and is meant for tests and tools.
func (p *Plan) Stated() []Stated {
	var out []Stated
	seen := make([]bool, len(p.r.gangs))
	for _, j := range p.r.activeJobs {
		for _, id := range p.r.jobs[j].gangs {
			if seen[id] {
				continue
			}
			seen[id] = true
			g := Stated{Shards: append([]model.Shard(nil), p.r.gangs[id].shards...), Copied: p.r.gangs[id].copied}
			for _, m := range p.r.gangs[id].members {
				if !p.dropped(m.job) {
					g.Members = append(g.Members, StatedMember{m.job, m.cfg, unit.Work(math.NaN())})
				}
			}
			if len(g.Members) > 0 {
				out = append(out, g)
			}
		}
	}
	for i := range p.gangs[:p.n] {
		g := Stated{Shards: append([]model.Shard(nil), p.gangs[i].shards...), Copied: p.gangs[i].copied}
		for _, m := range p.gangs[i].members {
			g.Members = append(g.Members, StatedMember{m.job, m.cfg, m.quota})
		}
		out = append(out, g)
	}
	return out
}
