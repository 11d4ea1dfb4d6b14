package sim

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// slow is how fast the nodes are that spells of slowness come over (Problem.Speeds). No policy knows of them: View.Rate
// foretells full speeds, and a spell calls for no decision. What jobs have done is what they did.
type slow struct {
	all   []model.SpeedChange
	next  int
	speed []float64 // by node, the part of its speed at which it runs
}

// newSlow is that of p, nil where no node is ever slow.
func newSlow(p *model.Problem) *slow {
	if len(p.Speeds) == 0 {
		return nil
	}
	s := &slow{all: p.Speeds, speed: make([]float64, len(p.Cluster.Nodes))}
	for n := range s.speed {
		s.speed[n] = 1
	}
	return s
}

// clone is a copy to go on from, for a snapshot.
func (s *slow) clone() *slow {
	if s == nil {
		return nil
	}
	return &slow{all: s.all, next: s.next, speed: slices.Clone(s.speed)}
}

// until is when the speed of a node next changes.
func (s *slow) until() unit.Tick {
	if s.next == len(s.all) {
		return unit.Never
	}
	return s.all[s.next].At
}

// spells lets the spells begin and end that are due. Gangs on the node have another speed from now on, and gangs that
// are not on it are not touched.
func (r *Run) spells() {
	s := r.slow
	if s == nil {
		return
	}
	for ; s.next < len(s.all) && s.all[s.next].At <= r.now; s.next++ {
		c := s.all[s.next]
		old := s.speed[c.Node]
		r.tr.Events++
		for _, j := range r.activeJobs {
			for _, g := range r.jobs[j].gangs {
				slot := r.slotOn(g, c.Node)
				if slot < 0 {
					continue
				}
				s.speed[c.Node] = old
				before := r.paceOf(g, j)
				s.speed[c.Node] = c.Speed
				now := r.paceOf(g, j)
				if r.reshare(g); now < before {
					r.faults = append(r.faults, trace.Reason{Code: trace.Slowed, Job: int32(r.face(j)),
						Slot: int32(slot), Other: model.None, Num: [3]float64{c.Speed, now}})
				}
			}
		}
		s.speed[c.Node] = c.Speed
	}
}

// slotOn is the first slot of the node of which gang g holds GPUs, or -1 if it holds none there.
func (r *Run) slotOn(g int32, n model.NodeID) model.SlotID {
	for _, sh := range r.gangs[g].shards {
		if r.p.Cluster.Slots[sh.Slot].Node == n {
			return sh.Slot
		}
	}
	return model.None
}

// paceOf is the part of its full speed at which j trains in gang g.
func (r *Run) paceOf(g int32, j model.JobID) float64 {
	G := &r.gangs[g]
	return r.pace(G, slices.IndexFunc(G.members, func(m gangMember) bool { return m.job == j }))
}

// partOn is the part of its speed at which a GPU of member m of a gang runs on shard k: of the node's as it is now, and
// of what it gets of the host there.
func (r *Run) partOn(g *gang, m *gangMember, k int) float64 {
	part := 1.0
	if r.slow != nil {
		part = r.slow.speed[r.p.Cluster.Slots[g.shards[k].Slot].Node]
	}
	if m.hosted != nil {
		part *= m.hosted[k]
	}
	return part
}

// pace is the part of its full speed at which member i of a gang trains on the nodes as they are. The GPUs of a gang
// wait for one another at every step, so that it has the speed of its slowest, or of the slowest of those for whom its
// redundancy makes it wait. A GPU has the speed of its type in the gang times its node's part. A gang of several types
// is never faster than foretold, whatever its redundancy: that is for spells. A balanced one shares its batch by the
// full speeds, so that its slowest node's part is its own; one that learns its shares has the pace of those of now.
func (r *Run) pace(g *gang, i int) float64 {
	c, m := &r.p.Cluster, &g.members[i]
	if m.learns != nil {
		full := r.learntRate(g, m, false)
		if rate := r.learntRate(g, m, true); rate < full {
			return float64(rate / full)
		}
		return 1
	}
	least, types := 1.0, 1
	for k, sh := range g.shards {
		least = min(least, r.partOn(g, m, k))
		if k > 0 && c.Slots[sh.Slot].Type != c.Slots[g.shards[0].Slot].Type {
			types++
		}
	}
	shape := &r.p.Jobs[m.job].Shape
	plain := types == 1 && shape.Redundancy == (model.Redundancy{})
	if least == 1 || len(g.members) > 1 || shape.Split != nil || plain {
		return least
	}
	rate := func(model.TypeID) unit.Rate { return 1 }
	if t := r.table(m.job, m.cfg); types > 1 && g.share > 0 {
		_, rate = sharedRates(r.p, &r.p.Tables[t], g.shards, g.share)
	} else if types > 1 {
		size, tier := Measure(c, g.shards)
		rate = func(typ model.TypeID) unit.Rate { return r.p.Tables[t].Rate(typ, size, tier) }
	}
	r.speeds = r.speeds[:0]
	slowest := rate(c.Slots[g.shards[0].Slot].Type) // of the types
	for k, sh := range g.shards {
		v := rate(c.Slots[sh.Slot].Type)
		slowest = min(slowest, v)
		part := r.partOn(g, m, k)
		for range sh.N {
			r.speeds = append(r.speeds, float64(float64(v)*part))
		}
	}
	if slowest <= 0 {
		return least
	}
	return min(1, shape.Pace(shape.Size, r.speeds)/float64(slowest))
}
