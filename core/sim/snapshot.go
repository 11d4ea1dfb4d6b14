package sim

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// State is a run's whole state at one instant, made by Snapshot. It stays valid whatever the run
// does later, and may be restored any number of times into runs of the same Problem.
type State struct {
	now                      unit.Tick
	policy                   Policy
	jobs                     []jobState
	gangs                    []gang
	freeGangs                []int32
	free, capacity           []int32
	freeOf, capacityOf       []int32
	received                 []unit.Tick
	activeJobs               []model.JobID
	heap                     []event
	waiting, untold, changed []model.JobID
	arrived, ended           []model.JobID
	holding                  int
	nextArrival, nextChange  int
	done, heldTo             int
	wake                     unit.Tick
	left                     int
	idleRounds               int
	progressed               unit.Work
	over                     bool
	told                     [][]float64
	faults                   []trace.Reason
	slow                     *slow
	cloud                    *cloud
	tr                       trace.Trace
}

// Rounds is the number of decisions taken before the snapshot, Now its instant.
func (s *State) Rounds() int { return len(s.tr.Rounds) }

// Now is the instant of the snapshot.
func (s *State) Now() unit.Tick { return s.now }

// Snapshot copies the run's state, policy included, into s.
func (r *Run) Snapshot(s *State) {
	*s = State{now: r.now, policy: r.policy.Clone(), jobs: cloneJobs(r.jobs), gangs: cloneGangs(r.gangs),
		freeGangs: slices.Clone(r.freeGangs), free: slices.Clone(r.free), capacity: slices.Clone(r.capacity),
		freeOf: slices.Clone(r.freeOf), capacityOf: slices.Clone(r.capacityOf),
		received: slices.Clone(r.received), activeJobs: slices.Clone(r.activeJobs), heap: slices.Clone(r.heap),
		waiting: slices.Clone(r.waiting), untold: slices.Clone(r.untold), changed: slices.Clone(r.changed),
		arrived: slices.Clone(r.arrived), ended: slices.Clone(r.ended), holding: r.holding,
		done: r.done, heldTo: r.heldTo, nextArrival: r.nextArrival, nextChange: r.nextChange,
		wake: r.wake, left: r.left, idleRounds: r.idleRounds,
		progressed: r.progressed, over: r.over,
		told: cloneTold(r.why.told), faults: slices.Clone(r.faults), slow: r.slow.clone(), cloud: r.cloud.clone(),
		tr: prefix(&r.tr)}
}

// Restore makes the run go on from s. The run must belong to the same Problem.
func (r *Run) Restore(s *State) {
	r.now, r.policy, r.jobs, r.gangs = s.now, s.policy.Clone(), cloneJobs(s.jobs), cloneGangs(s.gangs)
	r.freeGangs, r.free, r.capacity = slices.Clone(s.freeGangs), slices.Clone(s.free), slices.Clone(s.capacity)
	r.freeOf, r.capacityOf = slices.Clone(s.freeOf), slices.Clone(s.capacityOf)
	r.received, r.activeJobs, r.heap = slices.Clone(s.received), slices.Clone(s.activeJobs), slices.Clone(s.heap)
	r.waiting, r.untold, r.changed = slices.Clone(s.waiting), slices.Clone(s.untold), slices.Clone(s.changed)
	r.arrived, r.ended, r.holding = slices.Clone(s.arrived), slices.Clone(s.ended), s.holding
	r.nextArrival, r.nextChange, r.wake, r.idleRounds = s.nextArrival, s.nextChange, s.wake, s.idleRounds
	r.left, r.done, r.heldTo = s.left, s.done, s.heldTo
	r.progressed, r.over = s.progressed, s.over
	r.plan.fault = Fault{}
	r.tr = prefix(&s.tr)
	r.faults, r.slow, r.cloud = slices.Clone(s.faults), s.slow.clone(), s.cloud.clone()
	r.why.told, r.why.Detail = cloneTold(s.told), nil
}

// cloneTold copies the last values of all series.
func cloneTold(told [][]float64) [][]float64 {
	c := slices.Clone(told)
	for i := range c {
		c[i] = slices.Clone(c[i])
	}
	return c
}

// cloneJobs copies the states of all jobs with their lists of gangs.
func cloneJobs(jobs []jobState) []jobState {
	c := slices.Clone(jobs)
	for i := range c {
		c[i].gangs, c[i].learnt = slices.Clone(c[i].gangs), c[i].learnt.clone()
	}
	return c
}

// cloneGangs copies the gangs with their shards and members.
func cloneGangs(gangs []gang) []gang {
	c := slices.Clone(gangs)
	for i := range c {
		c[i].shards, c[i].members = slices.Clone(c[i].shards), slices.Clone(c[i].members)
		for k := range c[i].members {
			c[i].members[k].hosted = slices.Clone(c[i].members[k].hosted)
			c[i].members[k].learns = c[i].members[k].learns.clone()
		}
		c[i].stamp = 0 // stamps belong to the run's own plans
	}
	return c
}

// prefix shares the columns, which only ever grow: clipped to their length they are copied by the
// first append of either side. The job rows change in place and are copied.
func prefix(t *trace.Trace) trace.Trace {
	c := *t
	s := &c.Spans
	c.Jobs = slices.Clone(t.Jobs)
	s.Job, s.Gang, s.With, s.Kind = slices.Clip(s.Job), slices.Clip(s.Gang), slices.Clip(s.With), slices.Clip(s.Kind)
	s.From, s.To, s.Rate = slices.Clip(s.From), slices.Clip(s.To), slices.Clip(s.Rate)
	s.ShardAt, s.Shards = slices.Clip(s.ShardAt), slices.Clip(s.Shards)
	c.Rounds, c.Reasons, c.Series = slices.Clip(c.Rounds), slices.Clip(c.Reasons), slices.Clone(c.Series)
	c.Capacity = slices.Clip(c.Capacity)
	for i := range c.Series {
		c.Series[i].Points = slices.Clip(c.Series[i].Points)
	}
	return c
}
