package fork

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/primaldual"
	"hadarlab/core/unit"
)

// What a copy is worth to a job and what it pays. Prices, utilities and payoffs are Hadar's (core/primaldual); here is
// what copies add: the units that are sold, one price for all types, speeds that add up, and what one more copy brings.

// constants are Hadar's price constants, one set for the cluster, and the prices that follow from them.
func (pl *Planner) constants() {
	p, m, c := pl.prob, &pl.market, &pl.res.Constants
	*m = primaldual.Market{Now: p.Now, Round: p.Round, Units: int32(len(p.Cluster.Nodes)), Eta: pl.set.Eta,
		Horizon: pl.set.Horizon, Jobs: grow(m.Jobs, len(p.Jobs))}
	if pl.set.Effective {
		m.Utility = primaldual.Effective
	}
	if !pl.set.Whole {
		m.Units = 0
		for _, n := range p.Usable {
			m.Units += n
		}
	}
	for j := range p.Jobs {
		job, best, worst := &p.Jobs[j], pl.fastest(j), pl.slowest(j)
		m.Jobs[j] = primaldual.Bidder{Arrive: job.Arrive, Remaining: job.Remaining, Best: best.rate, Most: best.units,
			Least: worst.units, Rounds: m.Rounds(job.Remaining, worst.rate), Scale: m.ScaleOf(job.Total, best.rate)}
	}
	c.Open(m, 1)
	c.Bound(m, 0, func(j int) unit.Rate { return m.Jobs[j].Best })
	pl.prices = grow(pl.prices, pl.kinds)
	for k := range pl.prices {
		units := int32(1)
		if !pl.set.Whole {
			units = p.Usable[pl.slots.sample[k]]
		}
		pl.prices[k] = c.Tabulate(pl.prices[k][:0], 0, units)
	}
}

// Price is k(γ) of a slot with so many of its GPUs taken, or of its node, of which nothing or all is taken (hadar.md,
// Prices).
func (pl *Planner) Price(s model.SlotID, used int32) float64 {
	if pl.set.Whole {
		used = min(used, 1)
	}
	return pl.prices[pl.kindOn(pl.prob.Cluster.Slots[s].Node, s)][used]
}

// stall is how long job j stands still before it goes on: as for a move if one of its nodes is new to it, and else as
// for a merge.
func (pl *Planner) stall(j int, moves bool) unit.Tick {
	if moves {
		return pl.prob.Jobs[j].Move
	}
	return pl.prob.Jobs[j].Keep
}

// worth is what one round is worth to job j if it goes on at a rate to its end: the utility of its whole remaining life
// over the rounds that this takes (hadar.md, Payoff). Jobs compete for the GPUs of one round, and a figure for the
// whole life would send the longest job first after a wait.
func (pl *Planner) worth(j int, rate unit.Rate, moves bool) float64 {
	if rate <= 0 {
		return 0
	}
	m, b := &pl.market, &pl.market.Jobs[j]
	return m.UtilityOf(b, rate, pl.stall(j, moves)) / float64(m.Rounds(b.Remaining, rate))
}

// payoff is what a round on a node, or slot, of a kind brings job j, when it is worth so much and so many of its units
// are taken before it. Of payoffs alike within 1e-9 the one at a higher speed is larger (ours).
func (pl *Planner) payoff(j int, k int32, worth float64, used int32) float64 {
	x := &pl.spotsOf(j)[k]
	p := worth - float64(float64(x.units)*pl.prices[k][used])
	if p <= 0 {
		return p
	}
	return p + float64(p*1e-9*float64(x.rate/pl.fastest(j).rate))
}

// bid is that payoff as phase 1 makes it as large as possible in sum, and 0 where there is none.
func (pl *Planner) bid(j int, k int32, worth float64, used int32) float64 {
	if pl.spotsOf(j)[k].rate <= 0 {
		return 0
	}
	return even(max(0, pl.payoff(j, k, worth, used)), float64(pl.uMax()*float64(pl.shares.largest)))
}

// even is a bid as a whole multiple of 2^-50 of the least power of 2 above U_max times the largest gang, which no bid
// exceeds by more than 1e-9 of it. All sums and differences in the search for the greatest sum are exact then, so that
// bids that are alike tie, and it is the order of jobs and nodes that decides, not rounding (ours).
func even(bid, most float64) float64 {
	_, e := math.Frexp(most)
	coarse := math.Ldexp(6, e) // numbers of this size are such multiples
	return float64(bid+coarse) - coarse
}

// uMin and uMax are the prices of an empty and of a full unit.
func (pl *Planner) uMin() float64 { return pl.res.Constants.UMin[0] }
func (pl *Planner) uMax() float64 { return pl.res.Constants.UMax[0] }

// add adds a copy to a team; it is false where the batch of all would be too large.
func (pl *Planner) add(t *model.Together, j int, s model.SlotID, gpus int32, rate unit.Rate) bool {
	return t.Add(pl.prob.Jobs[j].Speed, pl.prob.Cluster.Slots[s].Type, gpus, rate)
}

// gain is by how much a copy raises what a round is worth to job j, which has the copies that it got so far. It can be
// below 0, for what moving costs; can is false where it may have no such copy.
func (pl *Planner) gain(j int, s model.SlotID, x *spot, moves bool) (gain float64, can bool) {
	if x.rate <= 0 {
		return 0, false
	}
	with, moved := pl.team[j], pl.moved[j]
	before := with.Rate()
	if !pl.add(&with, j, s, x.gpus, x.rate) {
		return 0, false
	}
	return pl.worth(j, with.Rate(), moved || moves) - pl.worth(j, before, moved), true
}

// nodeGain is gain for a node, or slot, of kind k, for each unit that the job pays for.
func (pl *Planner) nodeGain(j, k int, moves bool) (gain float64, can bool) {
	x := &pl.spotsOf(j)[k]
	if x.rate <= 0 {
		return 0, false
	}
	slot := model.SlotID(0)
	if pl.set.Whole {
		slot, _ = pl.spotAt(j, pl.nodes.sample[k], slot)
	} else {
		slot = pl.slots.sample[k]
	}
	gain, can = pl.gain(j, slot, x, moves)
	return gain / float64(x.units), can
}

// isNewNode says whether node n is new to job j, so that going there costs a move.
func (pl *Planner) isNewNode(j, n int) bool {
	_, held := slices.BinarySearch(pl.prob.Jobs[j].Held, model.NodeID(n))
	return !held
}

// worthOn is what a round on a slot, or on its whole node, is worth to job j.
func (pl *Planner) worthOn(j int, n model.NodeID, s model.SlotID) float64 {
	k := pl.kindOn(n, s)
	if job := &pl.prob.Jobs[j]; job.Keep != job.Move && !pl.isNewNode(j, int(n)) {
		return pl.worth(j, pl.spotsOf(j)[k].rate, false)
	}
	return pl.shares.worth[j*pl.kinds+int(k)]
}

// payoffOn is what a round on a slot brings job j, when so many of its GPUs are taken before it.
func (pl *Planner) payoffOn(j int32, s model.SlotID, used int32) float64 {
	return pl.payoff(int(j), pl.slots.kind[s], pl.worthOn(int(j), pl.prob.Cluster.Slots[s].Node, s), used)
}

// kindOn is the kind of a node where copies have them to themselves, and else of a slot.
func (pl *Planner) kindOn(n model.NodeID, s model.SlotID) int32 {
	if pl.set.Whole {
		return pl.nodes.kind[n]
	}
	return pl.slots.kind[s]
}

// spotAt is the copy that job j could run on a slot, or in its place on the whole node, and where it would be.
func (pl *Planner) spotAt(j int, n model.NodeID, s model.SlotID) (model.SlotID, *spot) {
	x := &pl.spotsOf(j)[pl.kindOn(n, s)]
	if pl.set.Whole && x.rate > 0 {
		s = pl.nodes.of(n)[x.at]
	}
	return s, x
}

// copyOn is the copy that job j could run on a slot, not yet priced.
func (pl *Planner) copyOn(j int, s model.SlotID) Copy {
	n := pl.prob.Cluster.Slots[s].Node
	_, x := pl.spotAt(j, n, s)
	return Copy{Node: n, Slot: s, GPUs: x.gpus, Rate: x.rate, Left: x.left}
}

// price makes c the copy that phase 1 weighs: what it is worth over the job's remaining life, and what the units cost
// that it takes behind those that were taken before it.
func (pl *Planner) price(j int, c *Copy) {
	if c.Phase = 1; c.Rate <= 0 {
		return
	}
	_, x := pl.spotAt(j, c.Node, c.Slot)
	m, b := &pl.market, &pl.market.Jobs[j]
	c.Rounds = m.Rounds(b.Remaining, c.Rate)
	c.Utility = m.UtilityOf(b, c.Rate, pl.stall(j, pl.isNewNode(j, int(c.Node))))
	c.Charge(float64(float64(x.units)*pl.Price(c.Slot, c.Used)), false)
}

// Sums are job j's best speed, and how long it stalls before a copy of phase 1 runs.
func (pl *Planner) Sums(j int, c *Copy) (best unit.Rate, stall unit.Tick) {
	return pl.fastest(j).rate, pl.stall(j, pl.isNewNode(j, int(c.Node)))
}

// Offers are the copies that phase 1 weighed of job j, in the order of nodes or slots, at the price that it would find
// behind the other jobs that phase 1 put there. They hold until the next Plan.
func (pl *Planner) Offers(j int) (out []Copy) {
	offer := func(s model.SlotID, used int32) {
		if c := pl.copyOn(j, s); c.Rate > 0 {
			c.Used = used
			for _, own := range pl.res.Copies[j] {
				if own.Slot == s && own.Phase == 1 {
					c.Used = own.Used
				}
			}
			pl.price(j, &c)
			out = append(out, c)
		}
	}
	if !pl.set.Whole {
		for s, used := range pl.shares.first {
			offer(model.SlotID(s), used)
		}
		return out
	}
	for n := range pl.prob.Cluster.Nodes {
		if s, x := pl.spotAt(j, model.NodeID(n), 0); x.rate > 0 {
			offer(s, 0)
		}
	}
	return out
}

// Weigh works out the gains of what phase 2 of the last Plan gave away, which takes longer than the plan itself.
func (pl *Planner) Weigh() {
	p, r := pl.prob, &pl.res
	clear(pl.team)
	clear(pl.moved)
	free, on := slices.Clone(p.Usable), make([][]model.NodeID, len(p.Jobs))
	take := func(j int, n model.NodeID, s model.SlotID, x *spot) {
		pl.add(&pl.team[j], j, s, x.gpus, x.rate)
		pl.moved[j] = pl.moved[j] || pl.isNewNode(j, int(n))
		free[s] -= x.gpus
		on[j] = append(on[j], n)
	}
	for j := range p.Jobs {
		for _, c := range r.Copies[j] {
			if c.Phase == 1 {
				_, x := pl.spotAt(j, c.Node, c.Slot)
				take(j, c.Node, c.Slot, x)
			}
		}
	}
	for i := range r.Gifts {
		g := &r.Gifts[i]
		g.Gains = make([]float64, len(p.Jobs))
		for j := range p.Jobs {
			g.Gains[j] = math.NaN()
			s, x := pl.spotAt(j, g.Node, g.Slot)
			if x.rate <= 0 || x.gpus > free[s] || slices.Contains(on[j], g.Node) {
				continue
			}
			if gain, can := pl.gain(j, s, x, pl.isNewNode(j, int(g.Node))); can {
				g.Gains[j] = gain
			}
		}
		_, x := pl.spotAt(int(g.Job), g.Node, g.Slot)
		take(int(g.Job), g.Node, g.Slot, x)
	}
}
