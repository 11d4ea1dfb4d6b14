package sim

import (
	"hadarlab/core/model"
	"hadarlab/core/trace"
)

// Force is one choice that somebody makes in a policy's place: from decision Round on (counted from 0)
// Job holds exactly the Gangs, none = it waits. It holds until the policy decides differently.
type Force struct {
	Round int
	Job   model.JobID
	Gangs [][]model.Shard
}

// Why a forced choice has no effect, the number of trace.ForceVoid.
const (
	ForceEarly   = 1 + iota // the job has not arrived
	ForceLate               // it is done
	ForceMisfits            // shape or speed forbid the gangs, or the cluster has not so many GPUs now
)

// Altered is what a forced choice changed for one job.
type Altered struct {
	Job  model.JobID
	By   model.JobID     // the job whose choice was forced: itself, or the one that took its GPUs
	Lost [][]model.Shard // gangs of the policy's plan that it does not get
}

// Forced is pol with choices forced upon it. Up to the first of them the run is that of pol. After a
// decision of its own with a forced choice, the plan is altered: the job's gangs are replaced, and who
// stands in the way on those GPUs loses them, youngest job first. pol keeps its own state and goes on from
// what it finds at its next decision, which comes a nominal round later at the latest, so that a choice to
// wait ends even where nothing else happens. What pol measures of its runs (Measurer) is left out: it is
// said of its own decisions.
func Forced(pol Policy, list []Force) Policy { return &forced{pol, list} }

// forced wraps the policy whose choices are replaced.
type forced struct {
	Policy
	list []Force // never changed
}

func (f *forced) Clone() Policy { return &forced{f.Policy.Clone(), f.list} }

// Decide lets the policy decide and then alters its plan where a choice is forced at this decision. A choice that
// cannot be carried out is recorded with the reason why not, so that nobody takes the unchanged run for its effect.
func (f *forced) Decide(v View, p *Plan, w *Why) {
	f.Policy.Decide(v, p, w)
	for i := range f.list {
		c := &f.list[i]
		if c.Round != len(v.r.tr.Rounds)-1 {
			continue
		}
		if a := v.r.array(c.Job); a != nil { // what a member shall hold, its array shall
			of := *c
			of.Job = a.Members[0]
			c = &of
		}
		code, num := trace.Forced, 0
		switch v.r.jobs[c.Job].state {
		case pending:
			num = ForceEarly
		case finished:
			num = ForceLate
		default:
			if !p.force(c) {
				num = ForceMisfits
			}
		}
		if num > 0 {
			code = trace.ForceVoid
		}
		w.store(code, c.Job, model.None, [3]float64{float64(num)})
	}
}

// force alters the plan of the present decision so that the job holds exactly the gangs of c. It is false, and changes
// nothing, when the job cannot hold them.
func (p *Plan) force(c *Force) bool {
	r := p.r
	forks := r.cadence.Merge
	need := make([]int32, len(p.free))
	nodes := make([]bool, len(r.p.Cluster.Nodes)) // that have a copy
	var all model.Together
	for _, shards := range c.Gangs {
		g := p.openAll(c.Job, shards, forks)
		p.open = false
		for _, sh := range shards {
			need[sh.Slot] += sh.N
			if nodes[r.p.Cluster.Slots[sh.Slot].Node] {
				return false
			}
		}
		for _, sh := range shards {
			nodes[r.p.Cluster.Slots[sh.Slot].Node] = true
		}
		if !p.suits(g, c.Job) || !r.join(&all, c.Job, 0, g.shards) || len(c.Gangs) > 1 && !forks {
			return false
		}
	}
	for s := range need {
		if need[s] > r.capacity[s] {
			return false
		}
	}
	r.why.WaitFor(c.Job, trace.WaitForced, c.Job, 0, 0, 0)
	r.why.alter(c.Job, c.Job, nil)
	p.vacate(c.Job, c.Job, nil)
	for i := len(r.activeJobs) - 1; i >= 0; i-- {
		p.vacate(r.activeJobs[i], c.Job, need)
	}
	p.relink()
	for _, shards := range c.Gangs {
		p.openAll(c.Job, shards, forks)
		p.Close()
		r.why.Chose(c.Job, 0, 0, 0)
	}
	next := r.now + max(r.p.Round, 1)
	if e := r.cadence.Every; e > 0 {
		next = (r.now/e + 1) * e
	}
	p.WakeAt(next)
	return true
}

// openAll opens a gang of j with all the shards, for Close or for a check of its shape.
func (p *Plan) openAll(j model.JobID, shards []model.Shard, copied bool) *planGang {
	p.Open(j, 0)
	p.gangs[p.n].copied = copied
	for _, sh := range shards {
		p.Take(sh.Slot, sh.N)
	}
	return &p.gangs[p.n]
}

// vacate takes gangs from job j, because a choice was forced upon job by. need is the number of GPUs of each slot that
// the forced gangs take; j loses every gang that holds GPUs of a slot on which too few are free for them, and the
// members that share such a gang lose it too.
//
// With need nil, j is the forced job itself and loses all its gangs, since its new ones replace them; a member that
// shares one of these keeps it and goes on alone. The lists of gangs by job must be linked anew afterwards.
func (p *Plan) vacate(j, by model.JobID, need []int32) {
	r := p.r
	for i := 0; i < p.n; i++ {
		g := p.gangs[i]
		at := -1
		for k := range g.members {
			if g.members[k].job == j {
				at = k
			}
		}
		if at < 0 || need != nil && !p.lacks(g.shards, need) {
			continue
		}
		if need == nil {
			r.why.alter(j, by, g.shards)
			if len(g.members) > 1 {
				p.gangs[i].members = append(g.members[:at], g.members[at+1:]...)
				continue
			}
		} else {
			for _, m := range g.members {
				r.why.outdo(m.job, by, g.shards)
			}
		}
		p.give(g.shards)
		copy(p.gangs[i:p.n], p.gangs[i+1:p.n])
		p.n--
		p.gangs[p.n] = g
		i--
	}
	if p.dropped(j) {
		return
	}
	for _, id := range r.jobs[j].gangs {
		g := &r.gangs[id]
		if need == nil {
			r.why.alter(j, by, g.shards)
		} else if p.lacks(g.shards, need) {
			for _, m := range g.members {
				r.why.outdo(m.job, by, g.shards)
				p.Drop(m.job)
			}
		}
	}
	if need == nil {
		p.Drop(j)
	}
}

// lacks says whether one of the shards' slots has fewer free GPUs than are needed of it.
func (p *Plan) lacks(shards []model.Shard, need []int32) bool {
	for _, sh := range shards {
		if need[sh.Slot] > 0 && need[sh.Slot] > p.free[sh.Slot] {
			return true
		}
	}
	return false
}

// relink makes the lists of the gangs of each job and node anew, from the gangs as they stand. What came before can no
// longer be undone.
func (p *Plan) relink() {
	p.log = p.log[:0]
	for _, j := range p.touched {
		p.jobs[j].last, p.jobs[j].count = 0, 0
	}
	clear(p.on)
	for i := range p.gangs[:p.n] {
		on := p.at(&p.gangs[i])
		p.gangs[i].below, on.last = on.last, int32(i+1)
		for k := range p.gangs[i].members {
			m := &p.gangs[i].members[k]
			q := p.touch(m.job)
			m.prev, q.last = q.last, int32(i+1)
			q.count++
		}
	}
}

// outdo records that j loses a gang to the choice forced upon another job. The wait counts only if nothing else is left
// to j.
func (w *Why) outdo(j, by model.JobID, shards []model.Shard) {
	w.WaitFor(j, trace.WaitForced, by, 0, 0, 0) // counts only if nothing is left to it
	w.alter(j, by, shards)
}

// alter keeps for the explanation what j would have had under the policy's plan; with shards nil it only notes that j
// was altered.
func (w *Why) alter(j, by model.JobID, shards []model.Shard) {
	d := w.Detail
	if d == nil {
		return
	}
	at := 0
	for at < len(d.Altered) && d.Altered[at].Job != j {
		at++
	}
	if at == len(d.Altered) {
		d.Altered = append(d.Altered, Altered{Job: j})
	}
	a := &d.Altered[at]
	if a.By = by; shards != nil {
		a.Lost = append(a.Lost, append([]model.Shard(nil), shards...))
	}
}
