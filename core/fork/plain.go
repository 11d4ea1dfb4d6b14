package fork

import (
	"slices"

	"hadarlab/core/assign"
	"hadarlab/core/model"
)

// The plain form of HadarE's two phases (hadar.md, Two phases): every job is weighed on every node or slot, and with
// every other job.
//
//	phase 1: distinct jobs to distinct places by the greatest sum of payoffs a round     plainAssign, plainPlaces
//	         gangs of several sizes: by Hadar's order, then exchange while the sum grows plainOrder
//	phase 2: each idle node, or room on a node, to the job whose round gains most by it  plainFill, plainFillShares
//
// Where copies have their nodes to themselves, worths (match.go) and rankings (fill.go) of nodes that are alike decide
// the same, and where they share nodes, bunches of slots (request.go) and bounds (exchange.go).

// plainAssign is assign.
func (pl *Planner) plainAssign() {
	jobs, nodes := len(pl.prob.Jobs), len(pl.prob.Cluster.Nodes)
	value := make([]float64, 0, jobs*nodes)
	for j := range jobs {
		for n := range nodes {
			value = append(value, pl.bid(j, int(pl.nodes.kind[n]), pl.strange(j, n)))
		}
	}
	for j, n := range assign.Hungarian(value, jobs, nodes) {
		if n >= 0 && value[j*nodes+n] > 0 {
			c := pl.weighed(j, n)
			pl.res.Payoff += c.Payoff / float64(c.Rounds)
			pl.give(j, c)
		}
	}
}

// plainFill is fill.
func (pl *Planner) plainFill() {
	for n, owner := range pl.res.Owner {
		if owner >= 0 {
			continue
		}
		best, most := -1, 0.0
		for j := range pl.prob.Jobs {
			gain, can := pl.nodeGain(j, int(pl.nodes.kind[n]), pl.strange(j, n))
			if can && (best < 0 || gain > most) {
				best, most = j, gain
			}
		}
		if best >= 0 {
			c := pl.copy(best, n)
			c.Phase, c.Utility, c.Payoff = 2, most, most
			pl.give(best, c)
			pl.res.Gifts = append(pl.res.Gifts, Gift{Node: c.Node, Slot: c.Slot, Job: int32(best)})
		}
	}
}

// plainPlaces is sharePlaces: each slot has as many places as gangs fit.
func (pl *Planner) plainPlaces() {
	s, jobs := &pl.shares, len(pl.prob.Jobs)
	type place struct {
		slot model.SlotID
		used int32 // GPUs taken before it
	}
	var places []place
	for slot, k := range pl.slots.kind[:len(pl.prob.Cluster.Slots)] {
		for g, used := s.gangs[k], int32(0); g > 0 && used+g <= pl.prob.Usable[slot]; used += g {
			places = append(places, place{model.SlotID(slot), used})
		}
	}
	value := make([]float64, 0, jobs*len(places))
	for j := range jobs {
		for _, x := range places {
			value = append(value, pl.placeBid(j, pl.slots.kind[x.slot], x.used, pl.worthOn(j, x.slot)))
		}
	}
	has := make([]int, len(places)) // 1 + the job
	for j, at := range assign.Hungarian(value, jobs, len(places)) {
		if at >= 0 && value[j*len(places)+at] > 0 {
			has[at] = 1 + j
		}
	}
	for at, j := range has {
		if j > 0 {
			pl.put(int32(j-1), places[at].slot)
		}
	}
}

// plainOrder is shareInOrder.
func (pl *Planner) plainOrder() {
	s, taken := &pl.shares, make([]int32, len(pl.prob.Cluster.Slots))
	pl.queue()
	for _, j := range s.order {
		best, most := model.SlotID(model.None), 0.0
		for slot := range taken {
			at, k := model.SlotID(slot), pl.slots.kind[slot]
			if x := &pl.spotsOf(int(j))[k]; x.rate <= 0 || taken[slot]+x.gpus > pl.prob.Usable[slot] {
				continue
			}
			if v := pl.payoff(int(j), k, pl.worthOn(int(j), at), taken[slot]); v > most {
				best, most = at, v
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

// plainFillShares is fillShares.
func (pl *Planner) plainFillShares() {
	for n := range pl.prob.Cluster.Nodes {
		for pl.plainFillOne(model.NodeID(n)) {
		}
	}
}

// plainFillOne is fillOne.
func (pl *Planner) plainFillOne(n model.NodeID) bool {
	best, at, most := -1, model.SlotID(model.None), 0.0
	for j := range pl.prob.Jobs {
		for _, slot := range pl.nodes.of(n) {
			k := pl.slots.kind[slot]
			if pl.spotsOf(j)[k].gpus > pl.room(slot) || pl.has(j, n) {
				continue
			}
			if gain, can := pl.nodeGain(j, int(k), pl.strange(j, int(n))); can && (best < 0 || gain > most) {
				best, at, most = j, slot, gain
			}
		}
	}
	if best >= 0 {
		pl.gift(best, at)
	}
	return best >= 0
}
