package primaldual

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// finder is FIND_ALLOC: the best placement of one job at one occupancy. Candidates are, for every
// bottleneck type, the cheapest W GPUs of each node that has enough (packed), and over all nodes the
// cheapest W and the W on fewest nodes (spread) (Hadar 2.6; the second spread candidate is ours).
type finder struct {
	shards []Shard // candidate being built
	best   Offer
	order  []slotKey // of one node
	cheap  []slotKey // of all nodes, by price
	roomy  []slotKey // of all nodes, by free GPUs
	free   int32     // GPUs in them
	all    []Offer   // every candidate, when collect is set
	// collect keeps all candidates for an explanation.
	collect bool
	seen    []int32 // mark of the last call that weighed a node of that price entry
	mark    int32
}

type slotKey struct {
	slot  int32
	free  int32
	price float64
	speed unit.Rate
}

// findAlloc returns the best offer for job i when used GPUs are taken; no shards = nothing fits.
// The offer's payoff may be negative: the caller decides on admission. The result is valid until
// the next call.
func (s *Solver) findAlloc(i int, used []int32) *Offer {
	f := &s.find
	j, t := &s.prob.Jobs[i], &s.terms[i]
	f.best.Shards = f.best.Shards[:0]
	f.all = f.all[:0]
	f.mark++
	f.cheap, f.roomy, f.free = f.cheap[:0], f.roomy[:0], 0
	fresh := 0 // types from this rank on have not been looked at
	for rank := range t.order {
		// Types 0..rank are at least as fast as the bottleneck; one as fast as the last adds nothing new.
		if next := rank + 1; next < len(t.order) && s.typeRate(j, t.order[next]) == s.typeRate(j, t.order[rank]) {
			continue
		}
		for ; fresh <= rank; fresh++ {
			s.packed(i, rank, s.typeSlots[t.order[fresh]], used)
			if !j.OneNode && j.GPUs > 1 {
				s.gather(j, s.typeSlots[t.order[fresh]], used)
			}
		}
		if f.free >= j.GPUs { // never with one GPU, which is packed
			s.takeInOrder(i, f.cheap, used)
			if s.set.Comm != NoComm {
				s.takeInOrder(i, f.roomy, used)
			}
		}
	}
	return &f.best
}

func (s *Solver) typeRate(j *Job, r int32) unit.Rate {
	return j.Speed.Rate(model.TypeID(r), j.GPUs, false)
}

// packed weighs, for each node of the slots with enough free GPUs among the types up to rank, its cheapest ones.
// Nodes of one slot with the same type, capacity and use are worth the same, and the lowest wins a tie unless
// another is the job's own: of each kind only those two are weighed.
func (s *Solver) packed(i, rank int, slots []int32, used []int32) {
	p, f := s.prob, &s.find
	j, t := &p.Jobs[i], &s.terms[i]
	f.seen = grow(f.seen, len(s.prices))
	own := model.SlotID(model.None)
	if len(j.Held) > 0 {
		own = j.Held[0].Slot
	}
	for _, sl := range slots {
		n := p.Cluster.Slots[sl].Node
		from, to := s.nodeSlots[n], s.nodeSlots[n+1]
		if to-from == 1 {
			if p.Usable[sl]-used[sl] < j.GPUs {
				continue
			}
			kind := &f.seen[s.priceAt[sl]+used[sl]]
			if *kind == f.mark && model.SlotID(sl) != own && !f.collect {
				continue
			}
			*kind = f.mark
			f.shards = append(f.shards[:0], Shard{model.SlotID(sl), j.GPUs})
			s.weigh(i, used)
			continue
		}
		f.order = f.order[:0]
		free := int32(0)
		for sl := from; sl < to; sl++ {
			left := p.Usable[sl] - used[sl]
			typ := p.Cluster.Slots[sl].Type
			if k := t.rank[typ]; left > 0 && k >= 0 && int(k) <= rank {
				f.order = insert(f.order, int(to-from), s.key(j, sl, left, used), byPrice)
				free += left
			}
		}
		if free >= j.GPUs {
			s.takeInOrder(i, f.order, used)
		}
	}
}

// gather adds the free GPUs of the slots to the two orders of spread candidates: the cheapest, and those that
// fill the fewest nodes. A gang needs at most a slot for each of its GPUs, so that only so many are kept.
func (s *Solver) gather(j *Job, slots []int32, used []int32) {
	f := &s.find
	for _, sl := range slots {
		left := s.prob.Usable[sl] - used[sl]
		if left <= 0 {
			continue
		}
		f.free += left
		key := s.key(j, sl, left, used)
		f.cheap = insert(f.cheap, int(j.GPUs), key, byPrice)
		if s.set.Comm != NoComm {
			f.roomy = insert(f.roomy, int(j.GPUs), key, byFree)
		}
	}
}

func (s *Solver) key(j *Job, sl, left int32, used []int32) slotKey {
	return slotKey{sl, left, s.price(int(sl), used[sl]), s.typeRate(j, int32(s.prob.Cluster.Slots[sl].Type))}
}

// insert puts a key into a sorted list of at most so many.
func insert(keys []slotKey, most int, key slotKey, cmp func(a, b slotKey) int) []slotKey {
	if n := len(keys); n < most {
		keys = append(keys, key)
	} else if cmp(key, keys[n-1]) < 0 {
		keys[n-1] = key
	} else {
		return keys
	}
	for at := len(keys) - 1; at > 0 && cmp(keys[at], keys[at-1]) < 0; at-- {
		keys[at], keys[at-1] = keys[at-1], keys[at]
	}
	return keys
}

// byPrice: cheaper, then faster, then more free, then lower slot.
func byPrice(a, b slotKey) int {
	switch {
	case a.price != b.price:
		return sign(a.price < b.price)
	case a.speed != b.speed:
		return sign(a.speed > b.speed)
	case a.free != b.free:
		return sign(a.free > b.free)
	}
	return int(a.slot - b.slot)
}

// byFree: more free, then faster, then cheaper, then lower slot.
func byFree(a, b slotKey) int {
	switch {
	case a.free != b.free:
		return sign(a.free > b.free)
	case a.speed != b.speed:
		return sign(a.speed > b.speed)
	case a.price != b.price:
		return sign(a.price < b.price)
	}
	return int(a.slot - b.slot)
}

func sign(less bool) int {
	if less {
		return -1
	}
	return 1
}

// takeInOrder fills the gang from the keys and weighs it.
func (s *Solver) takeInOrder(i int, keys []slotKey, used []int32) {
	f := &s.find
	want := s.prob.Jobs[i].GPUs
	f.shards = f.shards[:0]
	for _, k := range keys {
		n := min(k.free, want)
		f.shards = append(f.shards, Shard{model.SlotID(k.slot), n})
		if want -= n; want == 0 {
			break
		}
	}
	for a := 1; a < len(f.shards); a++ { // slot order
		for b := a; b > 0 && f.shards[b].Slot < f.shards[b-1].Slot; b-- {
			f.shards[b], f.shards[b-1] = f.shards[b-1], f.shards[b]
		}
	}
	s.weigh(i, used)
}

// weigh evaluates f.shards as a placement of job i and keeps it if it is the best so far.
func (s *Solver) weigh(i int, used []int32) {
	f := &s.find
	j := &s.prob.Jobs[i]
	o := Offer{Shards: f.shards}
	if !s.value(i, &o, used) || (s.set.Homogeneous || j.OneType) && s.mixed(f.shards) {
		return
	}
	if f.collect {
		dup := slices.ContainsFunc(f.all, func(x Offer) bool { return slices.Equal(x.Shards, o.Shards) })
		if !dup {
			c := o
			c.Shards = slices.Clone(o.Shards)
			f.all = append(f.all, c)
		}
	}
	if len(f.best.Shards) == 0 || s.better(&o, &f.best) {
		keep := append(f.best.Shards[:0], o.Shards...)
		f.best = o
		f.best.Shards = keep
	}
}

func (s *Solver) mixed(shards []Shard) bool {
	slots := s.prob.Cluster.Slots
	for _, sh := range shards[1:] {
		if slots[sh.Slot].Type != slots[shards[0].Slot].Type {
			return true
		}
	}
	return false
}

// value computes rate, rounds, utility, cost and payoff of o for job i at posted prices: the whole
// gang pays the prices before it is placed (Hadar 2.4). It is false when the gang cannot run.
func (s *Solver) value(i int, o *Offer, used []int32) bool {
	p := s.prob
	j := &p.Jobs[i]
	slots := p.Cluster.Slots
	last := model.NodeID(model.None)
	sum := 0.0
	for _, sh := range o.Shards {
		if n := slots[sh.Slot].Node; n != last {
			o.nodes++
			last = n
		}
		sum += float64(s.price(int(sh.Slot), used[sh.Slot]) * float64(sh.N))
	}
	o.Rate = -1
	for _, sh := range o.Shards {
		typ := slots[sh.Slot].Type
		v := j.Speed.Rate(typ, j.GPUs, false)
		o.speed = max(o.speed, v)
		if o.nodes > 1 {
			v = s.spreadRate(j, typ, o.nodes)
		}
		if o.Rate < 0 || v < o.Rate {
			o.Rate = v
		}
	}
	if o.Rate <= 0 {
		return false
	}
	o.held = slices.Equal(o.Shards, j.Held)
	stall := j.Move
	if o.held {
		stall = j.Keep
	}
	if s.set.FreeMoves {
		stall = 0
	}
	o.Rounds = roundsFor(j.Remaining, o.Rate, p.Round)
	o.Utility = s.utilityAt(i, (p.Now+stall).Seconds()+float64(j.Remaining)/float64(o.Rate))
	o.Cost = sum
	if !s.set.RoundCost {
		o.Cost = float64(float64(o.Rounds) * sum)
	}
	o.Payoff = o.Utility - o.Cost
	return true
}

// better orders offers of one job: payoff, then lower cost, fewer nodes, faster type, the GPUs it
// has already, lower slots. Payoffs within 1e-9 are equal.
func (s *Solver) better(a, b *Offer) bool {
	switch {
	case !tie(a.Payoff, b.Payoff):
		return a.Payoff > b.Payoff
	case !tie(a.Cost, b.Cost):
		return a.Cost < b.Cost
	case a.nodes != b.nodes:
		return a.nodes < b.nodes
	case a.speed != b.speed:
		return a.speed > b.speed
	case a.held != b.held:
		return a.held
	}
	return slices.CompareFunc(a.Shards, b.Shards, func(x, y Shard) int {
		if x.Slot != y.Slot {
			return int(x.Slot - y.Slot)
		}
		return int(y.N - x.N)
	}) < 0
}

// tie says whether a and b are equal within 1e-9 relative.
func tie(a, b float64) bool {
	d := a - b
	if d < 0 {
		d = -d
	}
	return d <= float64(1e-9*max(abs(a), abs(b)))
}

func abs(v float64) float64 {
	if v < 0 {
		return -v
	}
	return v
}
