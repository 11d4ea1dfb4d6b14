package sim

import (
	"hadarlab/core/model"
	"hadarlab/core/network"
	"hadarlab/core/unit"
)

// Measure is the size of a gang on shards, which are in slot order, and how far apart its GPUs are.
func Measure(c *model.Cluster, shards []model.Shard) (size int32, tier model.Tier) {
	first := model.NodeID(model.None)
	for _, sh := range shards {
		size += sh.N
		switch n := c.Slots[sh.Slot].Node; {
		case first < 0:
			first = n
		case c.Nodes[n].Rack != c.Nodes[first].Rack:
			tier = model.Network
		case n != first:
			tier = max(tier, model.OneRack)
		}
	}
	return size, tier
}

// runner is a job at one of its operating points.
type runner struct {
	job model.JobID
	cfg Config
}

// rateIn is the speed in steps per second of member i of a real gang, on its nodes as they are now. Three jobs on one
// GPU were never measured, so they have no speed.
func (r *Run) rateIn(g *gang, i int) unit.Rate {
	if m := &g.members[i]; m.learns != nil {
		return r.learnt(g, m)
	}
	rate := r.fullRate(g, i)
	if r.slow == nil && r.hosts == nil {
		return rate
	}
	return unit.Rate(float64(rate) * r.pace(g, i))
}

// fullRate is the same where no node is slow or short of anything, for who has nothing to learn.
func (r *Run) fullRate(g *gang, i int) unit.Rate {
	m := &g.members[i]
	if len(g.members) == 1 && g.share > 0 {
		return SharedRate(r.p, &r.p.Tables[r.table(m.job, m.cfg)], g.shards, r.p.Jobs[m.job].Shape.Split, g.share)
	}
	if len(g.members) == 1 {
		return r.rateBeside(m, g.shards)
	}
	if len(g.members) > 2 {
		return 0
	}
	other := &g.members[1-i]
	return r.pairRate(r.p.Pairs, g.shards, runner{m.job, m.cfg}, runner{other.job, other.cfg})
}

// rateBeside is the speed of a job's gang beside the other gangs that it holds.
func (r *Run) rateBeside(m *gangMember, shards []model.Shard) unit.Rate {
	rate := r.rateAlone(m.job, m.cfg, shards)
	s := &r.jobs[m.job]
	if len(s.gangs) < 2 || r.p.Jobs[m.job].Profile < 0 {
		return rate
	}
	var all model.Together
	for _, g := range s.gangs {
		r.join(&all, m.job, r.member(g, m.job).cfg, r.gangs[g].shards)
	}
	size, _ := Measure(&r.p.Cluster, shards)
	return all.Part(&r.p.Tables[r.table(m.job, m.cfg)], r.p.Cluster.Slots[shards[0].Slot].Type, size, rate)
}

// join adds a gang to those of j that train side by side; it is false where that cannot be.
func (r *Run) join(all *model.Together, j model.JobID, c Config, shards []model.Shard) bool {
	rate := r.rateAlone(j, c, shards)
	if rate <= 0 {
		return false
	}
	size, _ := Measure(&r.p.Cluster, shards)
	return all.Add(&r.p.Tables[r.table(j, c)], r.p.Cluster.Slots[shards[0].Slot].Type, size, rate)
}

// plannedRate is rateIn for a gang that is only planned so far.
func (r *Run) plannedRate(g *planGang, i int) unit.Rate {
	m := &g.members[i]
	if len(g.members) == 1 {
		return r.rateAlone(m.job, m.cfg, g.shards)
	}
	if len(g.members) > 2 {
		return 0
	}
	other := &g.members[1-i]
	return r.pairRate(r.p.Pairs, g.shards, runner{m.job, m.cfg}, runner{other.job, other.cfg})
}

// table is the index of the throughput table of j at operating point c in its present phase, or -1 if there is no such
// point. Callers ask for a pair's speed by it too, since pairs are measured between tables.
func (r *Run) table(j model.JobID, c Config) int32 {
	tables := r.p.Jobs[j].Phases[r.jobs[j].phase].Tables
	if c < 0 || int(c) >= len(tables) {
		return -1
	}
	return tables[c]
}

// rateAlone is the speed of j on a gang of its own at operating point c; 0 if it has no such point.
func (r *Run) rateAlone(j model.JobID, c Config, shards []model.Shard) unit.Rate {
	t := r.table(j, c)
	if t < 0 {
		return 0
	}
	return GangRate(&r.p.Tables[t], &r.p.Cluster, shards, r.p.Jobs[j].Shape.Split)
}

// GangRate is the speed in steps per second of a gang on the shards, which are in slot order: the least of its types'
// rates at the whole gang's size, since its GPUs wait for one another at every step (hadar.md, The problem). How far
// apart they are, the gang as a whole says. A gang that splits its batch by the speeds of its GPUs is as fast as it is
// once its split has settled. It cannot run on a type that is not known.
func GangRate(tab *model.Throughput, c *model.Cluster, shards []model.Shard, split *model.Split) unit.Rate {
	if len(shards) == 1 { // the usual gang
		return max(tab.Rate(c.Slots[shards[0].Slot].Type, shards[0].N, model.OneNode), 0)
	}
	size, tier := Measure(c, shards)
	return asOne(c, shards, size, split, func(t model.TypeID) unit.Rate { return tab.Rate(t, size, tier) })
}

// SharedRate is the speed of a gang over several nodes whose share of their links is so many bytes per second
// (network.Shares): never more than its table says, which knows nothing of other gangs and takes it to lie on as few
// nodes as can be.
func SharedRate(p *model.Problem, tab *model.Throughput, shards []model.Shard, split *model.Split,
	share float64) unit.Rate {
	size, rate := sharedRates(p, tab, shards, share)
	return asOne(&p.Cluster, shards, size, split, rate)
}

// sharedRates is the size of such a gang and its speed by type, were it of one.
func sharedRates(p *model.Problem, tab *model.Throughput, shards []model.Shard, share float64) (int32,
	func(model.TypeID) unit.Rate) {
	net := (*network.Net)(p.Links)
	size, tier := Measure(&p.Cluster, shards)
	nodes, most := network.Spread(&p.Cluster, shards)
	return size, func(t model.TypeID) unit.Rate {
		one := float64(tab.Rate(t, 1, model.OneNode))
		at := net.RateAt(share, one, tab.Gradients, int(size), most, nodes, tier)
		return min(tab.Rate(t, size, tier), unit.Rate(at*(tab.Working(size)/float64(size))))
	}
}

// asOne is the speed of a gang of so many GPUs of the types of its shards: see GangRate.
func asOne(c *model.Cluster, shards []model.Shard, size int32, split *model.Split,
	rate func(model.TypeID) unit.Rate) unit.Rate {
	least, most, sum := unit.Rate(-1), unit.Rate(0), 0.0
	for _, sh := range shards {
		v := rate(c.Slots[sh.Slot].Type)
		if least < 0 || v < least {
			least = v
		}
		most = max(most, v)
		sum += float64(float64(sh.N) * float64(v))
	}
	switch {
	case split == nil || least <= 0 || most == least:
		return max(least, 0)
	case split.Perfect():
		return unit.Rate(sum / float64(size))
	}
	var room [4]model.Part
	return split.Settled(partsOf(room[:0], c, shards, rate))
}

// partsOf are the parts of a gang on the shards, by type.
func partsOf(parts []model.Part, c *model.Cluster, shards []model.Shard,
	rate func(model.TypeID) unit.Rate) []model.Part {
	for _, sh := range shards {
		t := c.Slots[sh.Slot].Type
		parts = model.AddPart(parts, t, float64(sh.N), rate(t))
	}
	return parts
}

// pairRate is the speed of one job beside another on the same single GPU, from measured pairs. Pairs on more GPUs
// were never measured and have no speed.
func (r *Run) pairRate(pairs []model.Pair, shards []model.Shard, of, beside runner) unit.Rate {
	size, _ := Measure(&r.p.Cluster, shards)
	a, b := r.table(of.job, of.cfg), r.table(beside.job, beside.cfg)
	if size != 1 || a < 0 || b < 0 {
		return 0
	}
	ra, rb := model.PairRates(pairs, a, b, r.p.Cluster.Slots[shards[0].Slot].Type)
	if ra <= 0 || rb <= 0 {
		return 0
	}
	return ra
}
