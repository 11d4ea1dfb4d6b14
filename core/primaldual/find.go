package primaldual

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// finder is the memory of FIND_ALLOC.
type finder struct {
	shards []model.Shard // candidate being built
	all    []Offer       // every candidate, when collect is set
	// collect keeps all candidates for an explanation, bySet the best of each set of types.
	collect, bySet bool

	*answer // that is being looked for
	fast    fastFinder
}

// answer is what findAlloc has found for a job.
type answer struct {
	best Offer
	sets []Offer // by set of types, best first, if they were asked for
	// reads is all that an occupancy has to say to the job: at others that read alike the answer is the same.
	reads []int32
}

// findAlloc is FIND_ALLOC (hadar.md, Placements): it returns the best offer for job i at an occupancy; an offer without
// shards says that nothing fits. The payoff may be negative: the caller decides on admission. The result is valid until
// the next call. The plain form follows; the fast one finds the same.
func (s *Solver) findAlloc(i int, o *occupancy) *Offer {
	f := &s.find
	switch {
	case !unit.Small && s.set.Plain && !f.collect:
		f.answer = &answer{}
		s.plainAlloc(i, o.used)
	case s.lookupMemo(i, o):
		return &f.best
	default:
		s.fastAlloc(i, o)
	}
	for a := 1; a < len(f.sets); a++ { // best first
		for b := a; b > 0 && s.better(&f.sets[b], &f.sets[b-1]); b-- {
			f.sets[b], f.sets[b-1] = f.sets[b-1], f.sets[b]
		}
	}
	return &f.best
}

// plainAlloc weighs the candidates one by one. The slowest type of a gang sets its speed, so that types as fast as
// that cost the gang no further speed: for every slowest type, once with those at least as fast and once alone, the
// candidates are the cheapest W GPUs of each node (packed), and of all nodes the cheapest W and those of the slots with
// most GPUs free, on the fewest nodes where each has one type (spread; the second and the gangs of one type are ours).
// Gangs that split their batches by speed have the same candidates.
func (s *Solver) plainAlloc(i int, used []int32) {
	j := &s.prob.Jobs[i]
	for _, slowest := range s.terms[i].order {
		alone := []int32{slowest}
		asFast := slices.DeleteFunc(slices.Clone(s.terms[i].order), func(typ int32) bool {
			return s.typeRate(j, typ) < s.typeRate(j, slowest)
		})
		for _, types := range [][]int32{alone, asFast} {
			if s.set.Homogeneous && len(types) > 1 {
				continue
			}
			for n := range s.prob.Cluster.Nodes {
				s.gang(i, used, types, byPrice, func(node model.NodeID) bool { return node == model.NodeID(n) })
			}
			everywhere := func(model.NodeID) bool { return true }
			s.gang(i, used, types, byPrice, everywhere)
			if s.set.Comm != NoComm {
				s.gang(i, used, types, byFree, everywhere)
			}
		}
	}
}

// gang weighs the first W free GPUs of some types and nodes in an order, if they are enough.
func (s *Solver) gang(i int, used, types []int32, order func(a, b slotKey) int, on func(model.NodeID) bool) {
	j, free := &s.prob.Jobs[i], int32(0)
	var keys []slotKey
	for sl, slot := range s.prob.Cluster.Slots {
		if left := s.prob.Usable[sl] - used[sl]; left > 0 && on(slot.Node) && slices.Contains(types, int32(slot.Type)) {
			keys, free = append(keys, s.key(j, int32(sl), used)), free+left
		}
	}
	if free >= j.GPUs {
		slices.SortFunc(keys, order)
		s.find.fill(keys, j.GPUs)
		s.weigh(i, used)
	}
}

// typeRate is the job's speed as a packed gang of one type, which orders the types.
func (s *Solver) typeRate(j *Job, r int32) unit.Rate {
	return j.Speed.Rate(model.TypeID(r), j.GPUs, model.OneNode)
}

// slotKey is the free GPUs of one slot, with all that the two orders compare.
type slotKey struct {
	slot  int32
	free  int32
	price float64
	speed unit.Rate
}

// key collects what the orders compare of a slot.
func (s *Solver) key(j *Job, sl int32, used []int32) slotKey {
	return slotKey{sl, s.prob.Usable[sl] - used[sl], s.price(int(sl), used[sl]),
		s.typeRate(j, int32(s.prob.Cluster.Slots[sl].Type))}
}

// byPrice puts cheaper slots first, then faster ones, then those with more free GPUs, then the
// lower slot.
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

// byFree puts slots with more free GPUs first, then faster ones, then cheaper ones, then the lower
// slot.
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

// sign turns "comes before" into what a comparison function returns.
func sign(less bool) int {
	if less {
		return -1
	}
	return 1
}

// fill makes f.shards the gang of so many GPUs from the slots in the order of the keys. The shards are put in slot
// order, in which gangs are compared.
func (f *finder) fill(keys []slotKey, want int32) {
	f.shards = f.shards[:0]
	for _, k := range keys {
		n := min(k.free, want)
		f.shards = append(f.shards, model.Shard{Slot: model.SlotID(k.slot), N: n})
		if want -= n; want == 0 {
			break
		}
	}
	for a := 1; a < len(f.shards); a++ { // slot order
		for b := a; b > 0 && f.shards[b].Slot < f.shards[b-1].Slot; b-- {
			f.shards[b], f.shards[b-1] = f.shards[b-1], f.shards[b]
		}
	}
}

// weigh evaluates f.shards as a placement of job i and keeps it if it is the best so far, or the
// best so far of its set of types. With collect set it is kept in any case, once, for an
// explanation.
func (s *Solver) weigh(i int, used []int32) {
	f := &s.find
	o := Offer{Shards: f.shards}
	if !s.value(i, &o, used) {
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
		f.best.take(&o)
	}
	if f.bySet {
		s.keepOfSet(&o)
	}
}

// keepOfSet keeps the offer if it is the best so far of its set of GPU types.
func (s *Solver) keepOfSet(o *Offer) {
	f := &s.find
	for k := range f.sets {
		if f.sets[k].types == o.types {
			if s.better(o, &f.sets[k]) {
				f.sets[k].take(o)
			}
			return
		}
	}
	if len(f.sets) < cap(f.sets) {
		f.sets = f.sets[:len(f.sets)+1]
	} else {
		f.sets = append(f.sets, Offer{})
	}
	f.sets[len(f.sets)-1].take(o)
}
