package sim

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Force is one choice that somebody makes in a policy's place: from decision Round on (counted from 0)
// Job holds exactly the Gangs, none = it waits. It holds until the policy decides differently.
type Force struct {
	Round int
	Job   model.JobID
	Gangs [][]Shard // shards in slot order
}

// Why a forced choice has no effect, the number of trace.ForceVoid.
const (
	ForceEarly   = 1 + iota // the job has not arrived
	ForceLate               // it is done
	ForceMisfits            // shape, speed or capacity forbid the gangs at that instant
)

// Altered is what became of one job's part of a plan by a forced choice.
type Altered struct {
	Job model.JobID
	By  model.JobID // the job whose choice was forced: itself, or the one that took its GPUs
	Own [][]Shard   // what the policy had chosen, none = to wait
}

// Forced is pol with choices forced upon it. Up to the first of them the run is that of pol. After a
// decision of its own with a forced choice, the plan is altered: the job's gangs are replaced, and who
// stands in the way on those GPUs loses them, youngest job first. pol keeps its own state and goes on from
// what it finds at its next decision, which comes a nominal round later at the latest, so that a choice to
// wait ends even where nothing else happens. What pol measures of its runs (Measurer) is left out: it is
// said of its own decisions.
func Forced(pol Policy, list []Force) Policy { return &forced{pol, list} }

type forced struct {
	Policy
	list []Force // never changed
}

func (f *forced) Clone() Policy { return &forced{f.Policy.Clone(), f.list} }

func (f *forced) Decide(v View, p *Plan, w *Why) {
	f.Policy.Decide(v, p, w)
	var own []Stated
	for i := range f.list {
		if f.list[i].Round != len(v.r.tr.Rounds)-1 {
			continue
		}
		if own == nil {
			own = p.Stated()
		}
		force(v.r, &f.list[i], own)
	}
}

// force alters the plan of the present decision; own is what the policy had stated.
func force(r *Run, c *Force, own []Stated) {
	p, w := &r.plan, &r.why
	void := 0
	switch r.jobs[c.Job].state {
	case pending:
		void = ForceEarly
	case finished:
		void = ForceLate
	}
	var hit []model.JobID
	if void == 0 {
		var ok bool
		if hit, ok = p.force(c); !ok {
			void = ForceMisfits
		}
	}
	if void > 0 {
		w.store(trace.ForceVoid, c.Job, model.None, [3]float64{float64(void)})
		return
	}
	p.WakeAt(r.nextRound())
	w.store(trace.Forced, c.Job, model.None, [3]float64{float64(sizeOf(c.Gangs)), float64(sizeOf(gangsOf(own, c.Job)))})
	w.Chose(c.Job, 0, 0, 0)
	for _, j := range append([]model.JobID{c.Job}, hit...) {
		chosen := gangsOf(own, j)
		if !p.Holds(j) {
			w.WaitFor(j, trace.WaitForced, c.Job, float64(sizeOf(chosen)), 0, 0)
		}
		if w.Detail != nil {
			w.Detail.Altered = append(w.Detail.Altered, Altered{j, c.Job, chosen})
		}
	}
}

// nextRound is when the policy is asked next by its period, or after a nominal round where it has none.
func (r *Run) nextRound() unit.Tick {
	if e := r.cadence.Every; e > 0 {
		return (r.now/e + 1) * e
	}
	return r.now + max(r.p.Round, 1)
}

func sizeOf(gangs [][]Shard) (n int32) {
	for _, g := range gangs {
		for _, sh := range g {
			n += sh.N
		}
	}
	return n
}

// gangsOf is what j holds among stated gangs.
func gangsOf(stated []Stated, j model.JobID) (out [][]Shard) {
	for _, g := range stated {
		for _, m := range g.Members {
			if m.Job == j {
				out = append(out, g.Shards)
			}
		}
	}
	return out
}

// force restates the plan with the forced gangs first and, after them, what still has room. It is false,
// and leaves the plan as it was, when the gangs cannot be had. hit are the jobs that lost gangs.
func (p *Plan) force(c *Force) (hit []model.JobID, ok bool) {
	var dropped []model.JobID
	for _, j := range p.touched {
		if p.dropped(j) {
			dropped = append(dropped, j)
		}
	}
	whole := make([]planGang, p.n)
	for i := range whole {
		whole[i] = p.gangs[i]
		whole[i].shards, whole[i].members = slices.Clone(p.gangs[i].shards), slices.Clone(p.gangs[i].members)
	}
	again := func() {
		p.Undo(0)
		for _, j := range dropped {
			p.Drop(j)
		}
	}
	again()
	p.Drop(c.Job)
	rest, hit := p.makeRoom(c, without(whole, c.Job))
	for _, g := range c.Gangs {
		p.Open(c.Job, 0)
		p.gangs[p.n].copied = p.r.cadence.Merge // a policy that forks holds copies
		for _, sh := range g {
			p.Take(sh.Slot, sh.N)
		}
		if !p.Close() {
			again()
			p.restateAll(whole)
			return nil, false
		}
	}
	p.restateAll(rest)
	return hit, true
}

// without takes a job out of the gangs; who shared one with it goes on alone.
func without(gangs []planGang, j model.JobID) (out []planGang) {
	for _, g := range gangs {
		var members []planMember
		for _, m := range g.members {
			if m.job != j {
				members = append(members, m)
			}
		}
		if g.members = members; len(members) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// makeRoom takes away what stands in the way of the forced gangs, the youngest job's first, of the plan's
// kept gangs and of rest, which is to be stated after them.
func (p *Plan) makeRoom(c *Force, rest []planGang) (left []planGang, hit []model.JobID) {
	lack := make([]int32, len(p.free)) // GPUs too few, of the slots that are needed
	for _, g := range c.Gangs {
		for _, sh := range g {
			lack[sh.Slot] += sh.N
		}
	}
	needed := func(shards []Shard) bool {
		return slices.ContainsFunc(shards, func(sh Shard) bool { return lack[sh.Slot] > 0 })
	}
	for s := range lack {
		if lack[s] > 0 {
			lack[s] -= p.free[s]
		} else {
			lack[s] = math.MinInt32 / 2 // never lacks
		}
	}
	for _, g := range rest {
		for _, sh := range g.shards {
			lack[sh.Slot] += sh.N
		}
	}
	lose := func(shards []Shard) {
		for _, sh := range shards {
			lack[sh.Slot] -= sh.N
		}
	}
	for i := len(p.r.activeJobs) - 1; i >= 0; i-- {
		j := p.r.activeJobs[i]
		rest = slices.DeleteFunc(rest, func(g planGang) bool {
			if !g.has(j) || !needed(g.shards) {
				return false
			}
			lose(g.shards)
			for _, m := range g.members {
				hit = append(hit, m.job)
			}
			return true
		})
		for _, id := range p.r.jobs[j].gangs {
			g := &p.r.gangs[id]
			if p.dropped(j) || !needed(g.shards) {
				continue
			}
			free := slices.Clone(p.free)
			for _, m := range g.members {
				p.Drop(m.job)
				hit = append(hit, m.job)
			}
			for s := range free {
				lack[s] -= p.free[s] - free[s]
			}
		}
	}
	slices.Sort(hit)
	return rest, slices.Compact(hit)
}

func (g *planGang) has(j model.JobID) bool {
	return slices.ContainsFunc(g.members, func(m planMember) bool { return m.job == j })
}

// restateAll puts copies of gangs back into the plan.
func (p *Plan) restateAll(gangs []planGang) {
	for i := range gangs {
		p.Open(gangs[i].members[0].job, 0)
		g := &p.gangs[p.n]
		g.shards, g.members, g.copied = append(g.shards, gangs[i].shards...), append(g.members[:0], gangs[i].members...), gangs[i].copied
		p.Close()
	}
}
