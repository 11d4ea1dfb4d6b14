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
	order  []slotKey
	all    []Offer // every candidate, when collect is set
	// collect keeps all candidates for an explanation.
	collect bool
	sorted  int32 // rank of the bottleneck up to which order was built, -1 = stale
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
	for rank := range t.order {
		// Types 0..rank are at least as fast as the bottleneck; one as fast as the last adds nothing new.
		if next := rank + 1; next < len(t.order) && s.typeRate(j, t.order[next]) == s.typeRate(j, t.order[rank]) {
			continue
		}
		s.packed(i, rank, used)
		if !j.OneNode {
			s.spread(i, rank, used)
		}
	}
	return &f.best
}

func (s *Solver) typeRate(j *Job, r int32) unit.Rate {
	return j.Speed.Rate(model.TypeID(r), j.GPUs, false)
}

// rankOf is the place of a type in the job's order of speed, -1 = cannot be used.
func (t *jobTerms) rankOf(r model.TypeID) int {
	for k, o := range t.order {
		if o == int32(r) {
			return k
		}
	}
	return -1
}

// packed weighs, for each node with enough free GPUs among the types up to rank, its cheapest ones.
func (s *Solver) packed(i, rank int, used []int32) {
	p, f := s.prob, &s.find
	j, t := &p.Jobs[i], &s.terms[i]
	for n := range p.Cluster.Nodes {
		f.order = f.order[:0]
		free := int32(0)
		for sl := s.nodeSlots[n]; sl < s.nodeSlots[n+1]; sl++ {
			left := p.Usable[sl] - used[sl]
			typ := p.Cluster.Slots[sl].Type
			if k := t.rankOf(typ); left > 0 && k >= 0 && k <= rank {
				f.order = append(f.order, slotKey{sl, left, s.price(int(sl), used[sl]), s.typeRate(j, int32(typ))})
				free += left
			}
		}
		if free < j.GPUs {
			continue
		}
		sortKeys(f.order, byPrice)
		s.takeInOrder(i, used)
	}
}

// spread weighs the cheapest GPUs of all nodes, and those that fill the fewest nodes.
func (s *Solver) spread(i, rank int, used []int32) {
	p, f := s.prob, &s.find
	j, t := &p.Jobs[i], &s.terms[i]
	f.order = f.order[:0]
	free := int32(0)
	for sl := range p.Cluster.Slots {
		left := p.Usable[sl] - used[sl]
		if left <= 0 {
			continue
		}
		typ := p.Cluster.Slots[sl].Type
		if k := t.rankOf(typ); k >= 0 && k <= rank {
			f.order = append(f.order, slotKey{int32(sl), left, s.price(sl, used[sl]), s.typeRate(j, int32(typ))})
			free += left
		}
	}
	if free < j.GPUs || j.GPUs == 1 {
		return
	}
	sortKeys(f.order, byPrice)
	s.takeInOrder(i, used)
	if s.set.Comm != NoComm {
		sortKeys(f.order, byFree)
		s.takeInOrder(i, used)
	}
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

// sortKeys sorts the few keys of a node in place, and long lists by the library.
func sortKeys(keys []slotKey, cmp func(a, b slotKey) int) {
	if len(keys) > 12 {
		slices.SortFunc(keys, cmp)
		return
	}
	for i := 1; i < len(keys); i++ {
		for k := i; k > 0 && cmp(keys[k], keys[k-1]) < 0; k-- {
			keys[k], keys[k-1] = keys[k-1], keys[k]
		}
	}
}

// takeInOrder fills the gang from f.order and weighs it.
func (s *Solver) takeInOrder(i int, used []int32) {
	f := &s.find
	want := s.prob.Jobs[i].GPUs
	f.shards = f.shards[:0]
	for _, k := range f.order {
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
