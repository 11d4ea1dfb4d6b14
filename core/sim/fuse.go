package sim

import (
	"cmp"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// fused is which jobs train as one (Problem.Fusion). An array is its oldest member to policies and kernel, from when it
// is released; each member has its own row and its own spans in the trace. It never changes during a run.
type fused struct {
	of    []*model.Array // by member; nil = it trains for itself
	comes []coming       // jobs and arrays in the order in which they come to the policies
}

// coming is when a job, or an array, comes.
type coming struct {
	job model.JobID
	at  unit.Tick
}

// newFused is that of p, nil where no job trains with others.
func newFused(p *model.Problem) *fused {
	if p.Fusion == nil {
		return nil
	}
	f := &fused{of: make([]*model.Array, len(p.Jobs))}
	for i := range p.Fusion.Arrays {
		for _, m := range p.Fusion.Arrays[i].Members {
			f.of[m] = &p.Fusion.Arrays[i]
		}
	}
	for i := range p.Jobs {
		if a, j := f.of[i], model.JobID(i); a == nil {
			f.comes = append(f.comes, coming{j, p.Jobs[i].Arrive})
		} else if a.Members[0] == j {
			f.comes = append(f.comes, coming{j, a.At})
		}
	}
	unit.Sort(f.comes, func(a, b coming) int { return cmp.Compare(a.at, b.at) })
	return f
}

// coming is how many jobs come to the policies, arrays as one.
func (r *Run) coming() int {
	if r.fused == nil {
		return len(r.p.Jobs)
	}
	return len(r.fused.comes)
}

// comes is the i-th of them.
func (r *Run) comes(i int) coming {
	if r.fused == nil {
		return coming{model.JobID(i), r.p.Jobs[i].Arrive}
	}
	return r.fused.comes[i]
}

// array is the array that j stands for or is in; nil = it trains for itself.
func (r *Run) array(j model.JobID) *model.Array {
	if r.fused == nil {
		return nil
	}
	return r.fused.of[j]
}

// trains counts those members of an array that have not ended, and gives the oldest of them.
func (r *Run) trains(a *model.Array) (n int, oldest model.JobID) {
	oldest = a.Members[0]
	for _, m := range a.Members {
		if r.tr.Jobs[m].Finish < 0 {
			if n++; n == 1 {
				oldest = m
			}
		}
	}
	return n, oldest
}

// face is the job by which the trace speaks of j: of an array, the oldest member that has not ended.
func (r *Run) face(j model.JobID) model.JobID {
	if a := r.array(j); a != nil {
		_, j = r.trains(a)
	}
	return j
}

// ends has j end at the present instant, or those members of its array that have no more work than so much to do.
func (r *Run) ends(j model.JobID, done unit.Work) {
	end := func(j model.JobID) {
		r.tr.Jobs[j].Finish = r.now
		r.done++
		if r.p.Window.Has(j) {
			r.left--
		}
	}
	a := r.array(j)
	if a == nil {
		end(j)
		return
	}
	for k, m := range a.Members {
		if work := r.plain.Jobs[m].Work; r.tr.Jobs[m].Finish < 0 && work <= done {
			if end(m); k > 0 {
				r.jobs[m].state = finished
			}
		}
	}
}

// phases has j enter the phases whose beginning it has reached. Those of an array begin where a member ends: the others
// are fused anew, from a checkpoint that is written there, which stalls them.
func (r *Run) phases(j model.JobID) {
	s, job := &r.jobs[j], &r.p.Jobs[j]
	for int(s.phase)+1 < len(job.Phases) && s.done >= job.Phases[s.phase+1].From-slack(job.Work) {
		s.phase++
		if r.array(j) != nil {
			r.shrink(j, job.Phases[s.phase].From)
		}
		r.rerate(j)
		r.changed = append(r.changed, j)
		r.happened |= PhaseEnd
	}
}

// shrink takes those members out of an array that have done their work.
func (r *Run) shrink(j model.JobID, done unit.Work) {
	s, d := &r.jobs[j], r.p.Fusion.Refuse
	for _, g := range s.gangs {
		r.closeSpan(g, r.member(g, j))
	}
	s.done = max(s.done, done)
	r.ends(j, done)
	if s.stall-r.now < d {
		s.stall = r.now + d
	}
	s.saved, s.savedAt = s.done, max(r.now, s.stall)
	r.tellArray(j)
}

// tellArray notes how many models an array has from now on, how much longer a step of them takes than of one, and how
// long its oldest member was held.
func (r *Run) tellArray(j model.JobID) {
	a := r.array(j)
	if n, face := r.trains(a); n > 0 {
		r.faults = append(r.faults, trace.Reason{Code: trace.Fused, Job: int32(face), Slot: model.None,
			Other: model.None, Num: [3]float64{float64(n), a.Curve.Stretch(n),
				(a.At - r.plain.Jobs[a.Members[0]].Arrive).Seconds()}})
	}
}

// tellHeld gives the reason of those that have arrived since it was last asked and are held.
func (r *Run) tellHeld() {
	if r.fused == nil {
		return
	}
	for ; r.heldTo < len(r.p.Jobs) && r.p.Jobs[r.heldTo].Arrive <= r.now; r.heldTo++ {
		if a := r.fused.of[r.heldTo]; a != nil && a.At > r.now {
			r.tr.Reasons = append(r.tr.Reasons, trace.Reason{Code: trace.WaitFusion, Job: int32(r.heldTo),
				Slot: model.None, Other: model.None, Num: [3]float64{a.At.Seconds()}})
		}
	}
}

// alike counts for the members of an array what was counted for the job that stands for it, whose row was as before.
func (r *Run) alike(j model.JobID, before trace.Job) {
	a := r.array(j)
	if a == nil {
		return
	}
	t := &r.tr.Jobs[j]
	now := *t
	for _, m := range a.Members {
		if o := &r.tr.Jobs[m]; m != j && o.Finish < 0 {
			o.Starts += now.Starts - before.Starts
			o.Moved += now.Moved - before.Moved
			o.Preempted += now.Preempted - before.Preempted
			if o.Start < 0 {
				o.Start = now.Start
			}
		}
	}
	if t.Finish >= 0 {
		*t = before
	}
}

// emitArray writes a span of each member of an array that has not ended. Of each the trace says that it is with another
// one, so that the GPU counts once.
func (r *Run) emitArray(a *model.Array, g int32, m *gangMember, k trace.Kind, from, to unit.Tick) {
	first, second := model.JobID(model.None), model.JobID(model.None)
	for _, x := range a.Members {
		switch {
		case r.tr.Jobs[x].Finish >= 0:
		case first < 0:
			first = x
		case second < 0:
			second = x
		}
	}
	for _, x := range a.Members {
		if r.tr.Jobs[x].Finish < 0 {
			with := first
			if x == first {
				with = second
			}
			r.span(g, m, x, with, k, from, to)
		}
	}
}
