package fork

import (
	"slices"

	"hadarlab/core/assign"
	"hadarlab/core/model"
)

// HadarE's two phases as their account has them (hadar.md, Two phases): every job is weighed at every place, and with
// every other job. U, n and prices k are Hadar's (core/primaldual); speeds of copies add up (worth.go).
//
//	phase 1: each job gets at most one copy, so that Σ μ/n = Σ (U/n − k) is large
//	    where all gangs are alike      assign jobs to places by the greatest sum
//	    else, in Hadar's order         give each job the place where its payoff is largest, if positive
//	                                   exchange places of two jobs, or move one, while the sum grows
//	phase 2: for each node, while a copy fits of a job that has none there
//	    give it to the job with the largest gain = (U(A+h)/n(A+h) − U(A)/n(A)) ÷ units, be it negative
//	tracker: split each job's steps over its copies by their speeds (tracker.go)
//
// A place is a node where copies have them to themselves. Else a slot has as many places as gangs fit, each dearer than
// the one before.
//
// The planner decides the same and weighs less: alike nodes and slots once (match.go, request.go), pairs of jobs only
// where a bound lets hope (exchange.go), and jobs of phase 2 when their gain has changed (fill.go).

// plainFirst is phase 1.
func (pl *Planner) plainFirst(alike bool) {
	if alike {
		pl.plainAssign()
		return
	}
	pl.plainOrder()
}

// plainAssign assigns distinct jobs to distinct places by the Hungarian method.
func (pl *Planner) plainAssign() {
	type place struct {
		node model.NodeID
		slot model.SlotID // any of the node where a copy has all of it
		used int32        // units taken before it
	}
	var places []place
	if pl.set.Whole {
		for n := range pl.prob.Cluster.Nodes {
			places = append(places, place{node: model.NodeID(n)})
		}
	} else {
		for s, slot := range pl.prob.Cluster.Slots {
			g := pl.shares.gangs[pl.slots.kind[s]]
			for used := int32(0); g > 0 && used+g <= pl.prob.Usable[s]; used += g {
				places = append(places, place{slot.Node, model.SlotID(s), used})
			}
		}
	}
	bids := make([]float64, 0, len(pl.prob.Jobs)*len(places))
	for j := range pl.prob.Jobs {
		for _, x := range places {
			bids = append(bids, pl.bid(j, pl.kindOn(x.node, x.slot), pl.worthOn(j, x.node, x.slot), x.used))
		}
	}
	has := make([]int, len(places)) // 1 + the job
	for j, at := range assign.Hungarian(bids, len(pl.prob.Jobs), len(places)) {
		if at >= 0 && bids[j*len(places)+at] > 0 {
			has[at] = 1 + j
		}
	}
	for i, j := range has {
		if j > 0 {
			slot, _ := pl.spotAt(j-1, places[i].node, places[i].slot)
			pl.put(int32(j-1), slot)
		}
	}
}

// plainOrder gives each job in Hadar's order the slot where its payoff is largest, if that is positive. Then two jobs
// exchange what they have, or one goes elsewhere, as long as the sum of payoffs grows.
func (pl *Planner) plainOrder() {
	s, taken := &pl.shares, make([]int32, len(pl.prob.Cluster.Slots))
	pl.queue()
	for _, j := range s.order {
		best, most := model.SlotID(model.None), 0.0
		for slot := range taken {
			x := &pl.spotsOf(int(j))[pl.slots.kind[slot]]
			if x.rate <= 0 || taken[slot]+x.gpus > pl.prob.Usable[slot] {
				continue
			}
			if v := pl.payoffOn(j, model.SlotID(slot), taken[slot]); v > most {
				best, most = model.SlotID(slot), v
			}
		}
		if best >= 0 {
			pl.put(j, best)
			taken[best] += pl.spotsOf(int(j))[pl.slots.kind[best]].gpus
		}
	}
	all := pl.exchangers()
	for grew, passes := true, 0; grew && passes < 8; passes++ {
		grew = false
		for i, a := range all {
			for _, b := range all[i+1:] {
				grew = pl.plainExchange(a, b) || grew
			}
			for to := range s.on {
				grew = pl.plainMove(a, model.SlotID(to)) || grew
			}
		}
	}
}

// plainExchange exchanges what two jobs have if both fit and the sum of payoffs grows by more than rounding.
func (pl *Planner) plainExchange(a, b int32) bool {
	s := &pl.shares
	from, to := s.at[a], s.at[b]
	if from == to || from >= 0 && to >= 0 && pl.slots.kind[from] == pl.slots.kind[to] && pl.calm(a) && pl.calm(b) {
		return false // it would change nothing but who stands first
	}
	here, there := pl.plainSum(from), pl.plainSum(to)
	one, fits := pl.sumWith(from, a, b)
	other, fit := pl.sumWith(to, b, a)
	if !fits || !fit || !(one+other > here+there+pl.grows()) {
		return false
	}
	s.swap(from, a, b)
	s.swap(to, b, a)
	s.at[a], s.at[b] = to, from
	s.exchanged++
	return true
}

// plainMove lets job a go to another slot, behind those that are there, if it fits and the sum of payoffs grows.
func (pl *Planner) plainMove(a int32, to model.SlotID) bool {
	s, from := &pl.shares, pl.shares.at[a]
	if from == to || from >= 0 && pl.slots.kind[from] == pl.slots.kind[to] && pl.calm(a) &&
		len(s.on[to]) >= len(s.on[from]) {
		return false
	}
	here, there := pl.plainSum(from), pl.plainSum(to)
	rest, _ := pl.sumWith(from, a, model.None)
	pl.put(a, to)
	with, fits := pl.sumWith(to, model.None, model.None)
	if !fits || !(rest+with > here+there+pl.grows()) {
		s.on[to], s.at[a] = s.on[to][:len(s.on[to])-1], from
		return false
	}
	if from >= 0 {
		s.on[from] = slices.DeleteFunc(s.on[from], func(j int32) bool { return j == a })
	}
	s.moved++
	return true
}

// plainSum is the sum of payoffs on a slot.
func (pl *Planner) plainSum(at model.SlotID) float64 {
	sum, _ := pl.sumWith(at, model.None, model.None)
	return sum
}

// plainSecond is phase 2.
func (pl *Planner) plainSecond() {
	for n := range pl.prob.Cluster.Nodes {
		for pl.plainGift(model.NodeID(n)) {
		}
	}
}

// plainGift gives one copy on a node to the job that gains most by it for each unit: of equals to the older job, and to
// the first slot. It is false if none fits.
func (pl *Planner) plainGift(n model.NodeID) bool {
	best, at, most := -1, model.SlotID(model.None), 0.0
	for j := range pl.prob.Jobs {
		for _, slot := range pl.nodes.of(n) {
			if !pl.fits(j, n, slot) {
				continue
			}
			gain, can := pl.nodeGain(j, int(pl.kindOn(n, slot)), pl.isNewNode(j, int(n)))
			if can && (best < 0 || gain > most) {
				best, at, most = j, slot, gain
			}
		}
	}
	if best >= 0 {
		pl.gift(best, at)
	}
	return best >= 0
}

// fits says whether there is still room for a copy of job j on a slot of a node.
func (pl *Planner) fits(j int, n model.NodeID, slot model.SlotID) bool {
	at, x := pl.spotAt(j, n, slot)
	if pl.set.Whole {
		return pl.res.Owner[n] < 0 && at == slot
	}
	return x.gpus <= pl.room(slot) && !pl.has(j, n)
}
