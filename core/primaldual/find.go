package primaldual

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// finder is FIND_ALLOC: the best placement of one job at one occupancy. Candidates are, for every bottleneck
// type, once of the types at least as fast and once of that type alone, the cheapest W GPUs of each node that has
// enough (packed), and over all nodes the cheapest W and the W on fewest nodes (spread) (Hadar 2.6; the second
// spread candidate and those of one type are ours).
type finder struct {
	shards []model.Shard // candidate being built
	best   Offer
	order  []slotKey // of one node
	mixed  spread    // of the types so far
	alone  spread    // of one type
	all    []Offer   // every candidate, when collect is set
	// collect keeps all candidates for an explanation, bySet the best of each set of types.
	collect, bySet bool
	sets           []Offer // by set of types, best first once findAlloc is done
	seen           []int32 // mark of the last call that weighed a node of that price entry
	mark           int32
	have           []int32       // by price entry: free GPUs that gather has kept
	last           []model.Shard // the gang that takeSpread weighed before
}

// spread is the free GPUs of some types in the orders in which a gang over several nodes takes them.
type spread struct {
	cheap []slotKey // by price
	roomy []slotKey // by free GPUs
	free  int32     // in all slots
}

// clear empties the lists for the next job and keeps their memory.
func (x *spread) clear() { x.cheap, x.roomy, x.free = x.cheap[:0], x.roomy[:0], 0 }

// slotKey is the free GPUs of one slot, with all that the two orders compare.
type slotKey struct {
	slot  int32
	free  int32
	price float64
	speed unit.Rate
}

// findAlloc is FIND_ALLOC (Hadar 2.6): it returns the best offer for job i when used GPUs of each
// slot are taken; an offer without shards says that nothing fits. The payoff may be negative: the
// caller decides on admission. The result is valid until the next call.
//
// It goes through the job's types from the fastest down. The slowest type of a gang sets its speed,
// so at each rank the types so far are those that cost the gang no further speed, and the cheapest
// mixture of them is what is to be weighed. Balanced gangs have the same candidates.
func (s *Solver) findAlloc(i int, used []int32) *Offer {
	f := &s.find
	j, t := &s.prob.Jobs[i], &s.terms[i]
	f.best.Shards = f.best.Shards[:0]
	f.all, f.sets = f.all[:0], f.sets[:0]
	f.mark++
	f.mixed.clear()
	single, wide := s.set.Homogeneous, j.GPUs > 1
	fresh := 0 // types from this rank on have not been looked at
	for rank := range t.order {
		// Types 0..rank are at least as fast as the bottleneck; those as fast as each other come together.
		if next := rank + 1; next < len(t.order) && s.typeRate(j, t.order[next]) == s.typeRate(j, t.order[rank]) {
			continue
		}
		for ; fresh <= rank; fresh++ {
			slots := s.typeSlots[t.order[fresh]]
			s.packed(i, rank, slots, used, single)
			if !wide {
				continue
			}
			s.gather(j, slots, used)
			if single || rank > 0 { // the fastest type alone is its own mixture
				s.takeSpread(i, &f.alone, used)
			}
			if !single {
				s.mix(j)
			}
		}
		if wide && !single {
			s.takeSpread(i, &f.mixed, used)
		}
	}
	if f.bySet {
		for a := 1; a < len(f.sets); a++ {
			for b := a; b > 0 && s.better(&f.sets[b], &f.sets[b-1]); b-- {
				f.sets[b], f.sets[b-1] = f.sets[b-1], f.sets[b]
			}
		}
	}
	return &f.best
}

// typeRate is the job's speed as a packed gang of one type, which orders the types.
func (s *Solver) typeRate(j *Job, r int32) unit.Rate {
	return j.Speed.Rate(model.TypeID(r), j.GPUs, model.OneNode)
}

// packed weighs, for each node of a type's slots, that type's GPUs if they are enough and, unless the gang must be of
// a single type, the cheapest of the types up to rank. Nodes of one slot with the same type, capacity and use are
// worth the same, and the lowest wins a tie unless another is the job's own: of each kind only those two are weighed.
func (s *Solver) packed(i, rank int, slots []int32, used []int32, single bool) {
	p, f := s.prob, &s.find
	j, t := &p.Jobs[i], &s.terms[i]
	f.seen = grow(f.seen, len(s.prices))
	own := model.SlotID(model.None)
	if len(j.Held) > 0 {
		own = j.Held[0].Slot
	}
	for _, sl := range slots {
		if p.Usable[sl]-used[sl] >= j.GPUs {
			kind := &f.seen[s.priceAt[sl]+used[sl]]
			if *kind != f.mark || model.SlotID(sl) == own || f.collect {
				*kind = f.mark
				f.shards = append(f.shards[:0], model.Shard{Slot: model.SlotID(sl), N: j.GPUs})
				s.weigh(i, used)
			}
		}
		if single || rank == 0 || !s.mixedNodes {
			continue
		}
		n := p.Cluster.Slots[sl].Node
		from, to := s.nodeSlots[n], s.nodeSlots[n+1]
		if to-from == 1 {
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
			f.fill(f.order, j.GPUs)
			s.weigh(i, used)
		}
	}
}

// gather makes the free GPUs of a type's slots the two orders of spread candidates of that type alone: the cheapest,
// and those that fill the fewest nodes. Slots of one price entry differ by their number only, and the lower goes first
// in both orders, so that of each entry no more are kept than hold the gang.
func (s *Solver) gather(j *Job, slots []int32, used []int32) {
	x := &s.find.alone
	x.clear()
	s.find.have = grow(s.find.have, len(s.prices))
	clear(s.find.have)
	for _, sl := range slots {
		left := s.prob.Usable[sl] - used[sl]
		if left <= 0 {
			continue
		}
		x.free += left
		have := &s.find.have[s.priceAt[sl]+used[sl]]
		if *have >= j.GPUs {
			continue
		}
		*have += left
		key := s.key(j, sl, left, used)
		x.cheap = insert(x.cheap, int(j.GPUs), key, byPrice)
		if s.set.Comm != NoComm {
			x.roomy = insert(x.roomy, int(j.GPUs), key, byFree)
		}
	}
}

// mix adds what gather found of one type to the mixture.
func (s *Solver) mix(j *Job) {
	x, to := &s.find.alone, &s.find.mixed
	to.free += x.free
	for _, key := range x.cheap {
		to.cheap = insert(to.cheap, int(j.GPUs), key, byPrice)
	}
	for _, key := range x.roomy {
		to.roomy = insert(to.roomy, int(j.GPUs), key, byFree)
	}
}

// takeSpread weighs the gangs that the two orders give, if they have enough GPUs.
func (s *Solver) takeSpread(i int, x *spread, used []int32) {
	if x.free < s.prob.Jobs[i].GPUs {
		return
	}
	f, want := &s.find, s.prob.Jobs[i].GPUs
	f.fill(x.cheap, want)
	s.weigh(i, used)
	if s.set.Comm == NoComm {
		return
	}
	f.last = append(f.last[:0], f.shards...)
	if f.fill(x.roomy, want); !slices.Equal(f.shards, f.last) {
		s.weigh(i, used)
	}
}

// key collects what the orders compare of a slot with left free GPUs.
func (s *Solver) key(j *Job, sl, left int32, used []int32) slotKey {
	return slotKey{sl, left, s.price(int(sl), used[sl]), s.typeRate(j, int32(s.prob.Cluster.Slots[sl].Type))}
}

// insert puts a key into a sorted list that holds at most so many. A gang takes no more slots than
// it has GPUs, so that sorting all slots of a large cluster would be work for nothing.
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
