package sim

import (
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// changes applies the capacity changes that are due. A slot that shrinks below what is held loses gangs, those of the
// youngest job first, until the rest fits: who came first keeps its GPUs longest. The work of the jobs that lose a gang
// goes back to the last checkpoint.
func (r *Run) changes() {
	for r.nextChange < len(r.p.Changes) && r.p.Changes[r.nextChange].At <= r.now {
		c := r.p.Changes[r.nextChange]
		r.nextChange++
		r.usable(c.Slot, c.Cap)
		r.happened |= Capacity
		r.tr.Events++
	}
}

// usable sets how many GPUs of a slot can be used from now on. The trace has what a cloud brings and takes; what the
// problem says is copied into it at the end.
func (r *Run) usable(slot model.SlotID, n int32) {
	more := n - r.capacity[slot]
	r.addFree(slot, more)
	r.capacityOf[r.p.Cluster.Slots[slot].Type] += more
	r.capacity[slot] = n
	if r.cloud != nil {
		r.tr.Capacity = append(r.tr.Capacity, trace.Capacity{At: r.now, Slot: int32(slot), Cap: n})
	}
	for i := len(r.activeJobs) - 1; i >= 0 && r.free[slot] < 0; i-- {
		if i >= len(r.activeJobs) {
			continue // jobs that finished at this very instant are gone
		}
		j := r.activeJobs[i]
		for r.free[slot] < 0 {
			g := r.gangOn(j, slot)
			if g < 0 {
				break
			}
			r.kill(g, slot)
		}
	}
}

// gangOn is a gang of j that holds GPUs of the slot, or -1 if there is none.
func (r *Run) gangOn(j model.JobID, slot model.SlotID) int32 {
	for _, g := range r.jobs[j].gangs {
		for _, sh := range r.gangs[g].shards {
			if sh.Slot == slot {
				return g
			}
		}
	}
	return model.None
}

// kill takes gang g from all its members, because GPUs of the slot have failed.
func (r *Run) kill(g int32, slot model.SlotID) {
	for {
		members := r.gangs[g].members
		if len(members) == 0 {
			return
		}
		r.fail(members[len(members)-1].job, g, slot)
	}
}

// fail takes gang g from j and sets j's work back to its last checkpoint, which may lie in an earlier phase. A job that
// has just done its work finishes instead: the fault comes too late for it.
func (r *Run) fail(j model.JobID, g int32, slot model.SlotID) {
	s, job := &r.jobs[j], &r.p.Jobs[j]
	r.advance(j)
	if s.done >= job.Work-slack(job.Work) {
		r.complete(j)
		return
	}
	if r.array(j) != nil { // a member that has just done its work ends
		r.phases(j)
	}
	lost := unit.Work(0)
	if r.p.Costs[j].CheckpointEvery > 0 {
		lost = s.done - s.saved
		s.done = s.saved
		for s.phase > 0 && s.done < job.Phases[s.phase].From {
			s.phase--
		}
	}
	before := r.tr.Jobs[j]
	r.tr.Jobs[j].Preempted++
	r.alike(j, before)
	r.bookHolding(j)
	r.leave(g, j)
	r.recount(j)
	if len(s.gangs) == 0 {
		s.stall, s.waits = 0, false
	} else {
		r.rerate(j)
	}
	r.rekey(j)
	r.faults = append(r.faults, trace.Reason{Code: trace.Failed, Job: int32(r.face(j)), Slot: int32(slot),
		Other: model.None, Num: [3]float64{float64(r.capacity[slot]), float64(lost)}})
}

// tellFaults stores among the reasons of the present decision what faults did since the last one. They wait until then
// because the reasons of a trace are ordered by decision.
func (r *Run) tellFaults() {
	r.tr.Reasons = append(r.tr.Reasons, r.faults...)
	r.faults = r.faults[:0]
}

// checkpoint notes what j had done at its last checkpoint before now; from is when it last began to train. Checkpoints
// have no events of their own: the speed has been constant since the anchor, so the work at a whole number of periods
// after the last checkpoint can be computed when it is needed.
func (r *Run) checkpoint(s *jobState, j model.JobID, from, every unit.Tick) {
	at := s.savedAt + (r.now-s.savedAt)/every*every
	if at <= s.savedAt {
		return
	}
	s.saved, s.savedAt = s.done, at
	if at > from {
		s.saved = r.doneAt(j, at)
	}
}
