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
	order  []slotKey     // of one node
	mixed  spread        // of the types so far
	alone  spread        // of one type
	all    []Offer       // every candidate, when collect is set
	// collect keeps all candidates for an explanation, bySet the best of each set of types.
	collect, bySet bool
	last           []model.Shard // the gang that takeSpread weighed before

	*answer          // that is being looked for
	known   []answer // the first few for job, -1 = nobody
	few     int
	job     int
	reads   []int32
}

// answer is what findAlloc has found for a job at the occupancies that read alike.
type answer struct {
	reads []int32
	best  Offer
	sets  []Offer // by set of types, best first, if they were asked for
}

// mostKnown is how many answers are kept of a job: the states of a beam rarely read in more ways.
const mostKnown = 16

// spread is the free GPUs of some types in the orders in which a gang over several nodes takes them.
type spread struct {
	cheap []slotKey // by price
	roomy []slotKey // by free GPUs
	free  int32     // in the slots kept; fewer than a gang needs only if there are no more
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

// findAlloc is FIND_ALLOC (Hadar 2.6): it returns the best offer for job i at an occupancy; an offer
// without shards says that nothing fits. The payoff may be negative: the
// caller decides on admission. The result is valid until the next call.
//
// It goes through the job's types from the fastest down. The slowest type of a gang sets its speed,
// so at each rank the types so far are those that cost the gang no further speed, and the cheapest
// mixture of them is what is to be weighed. Balanced gangs have the same candidates.
func (s *Solver) findAlloc(i int, o *occupancy) *Offer {
	f := &s.find
	j, t := &s.prob.Jobs[i], &s.terms[i]
	if s.recall(i, o) {
		return &f.best
	}
	f.best.Shards = f.best.Shards[:0]
	f.all, f.sets = f.all[:0], f.sets[:0]
	f.mixed.clear()
	single, wide := s.set.Homogeneous, j.GPUs > 1
	fresh := 0 // types from this rank on have not been looked at
	for rank := range t.order {
		// Types 0..rank are at least as fast as the bottleneck; those as fast as each other come together.
		if next := rank + 1; next < len(t.order) && s.typeRate(j, t.order[next]) == s.typeRate(j, t.order[rank]) {
			continue
		}
		for ; fresh <= rank; fresh++ {
			typ := t.order[fresh]
			s.packed(i, rank, typ, o)
			if !wide {
				continue
			}
			s.gather(j, typ, o)
			if single || rank > 0 { // the fastest type alone is its own mixture
				s.takeSpread(i, &f.alone, o)
			}
			if !single {
				s.mix(j)
			}
		}
		if wide && !single {
			s.takeSpread(i, &f.mixed, o)
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

// recall notes all that an occupancy has to say to job i, and tells whether the answer to it is known: states of the
// search differ in a few slots, which are often none of those. If not, it makes room for the answer.
func (s *Solver) recall(i int, o *occupancy) (known bool) {
	f, j := &s.find, &s.prob.Jobs[i]
	if f.job != i || s.mixedNodes || f.collect {
		f.job, f.few = i, 0
	}
	list := f.reads[:0]
	if len(j.Held) > 0 {
		list = append(list, o.used[j.Held[0].Slot])
	}
	for _, typ := range s.terms[i].order {
		for _, k := range s.typeKinds[typ] {
			kind := &s.kinds[k]
			need := j.GPUs
			for _, sl := range o.order[kind.from:kind.to] {
				list = append(list, sl, o.used[sl])
				if need -= kind.capacity - o.used[sl]; need <= 0 || o.used[sl] == kind.capacity {
					break
				}
			}
		}
	}
	for k := range f.few {
		if f.answer = &f.known[k]; slices.Equal(f.answer.reads, list) {
			f.reads = list
			return true
		}
	}
	if f.few == mostKnown {
		f.few = 0
	}
	if f.few == len(f.known) {
		f.known = append(f.known, answer{})
	}
	f.answer = &f.known[f.few]
	f.few++
	f.reads, f.answer.reads = f.answer.reads, list
	return false
}

// typeRate is the job's speed as a packed gang of one type, which orders the types.
func (s *Solver) typeRate(j *Job, r int32) unit.Rate {
	return j.Speed.Rate(model.TypeID(r), j.GPUs, model.OneNode)
}

// packed weighs the GPUs of one node of that type, if they are enough, and, unless the gang must be of a single type,
// the cheapest of the types up to rank of each node that has several. Of a kind of slot the least used and of those the
// lowest is worth most, unless another is the job's own: only those two are weighed.
func (s *Solver) packed(i, rank int, typ int32, o *occupancy) {
	p, f := s.prob, &s.find
	j := &p.Jobs[i]
	own := int32(model.None)
	if len(j.Held) > 0 {
		own = int32(j.Held[0].Slot)
	}
	for _, k := range s.typeKinds[typ] {
		kind := &s.kinds[k]
		slots := o.order[kind.from:kind.to]
		for at, sl := range slots {
			if kind.capacity-o.used[sl] < j.GPUs {
				break
			}
			s.weighSlot(i, sl, own, o)
			if at == 0 && sl != own && own >= 0 && s.kindOf[own] == k && kind.capacity-o.used[own] >= j.GPUs {
				s.weighSlot(i, own, own, o)
			}
			if !f.collect {
				break
			}
		}
		if s.set.Homogeneous || rank == 0 || !s.mixedNodes {
			continue
		}
		for _, sl := range slots {
			s.packMixed(i, rank, p.Cluster.Slots[sl].Node, o)
		}
	}
}

// weighSlot weighs a gang on one slot.
func (s *Solver) weighSlot(i int, slot, own int32, o *occupancy) {
	f, n := &s.find, s.prob.Jobs[i].GPUs
	if !f.bySet && !f.collect && len(f.best.Shards) > 0 && slot != own {
		var moved Offer // most lose to what is found already, and need no more than this
		s.settle(&moved, &s.terms[i].packed[s.kinds[s.kindOf[slot]].typ],
			float64(s.price(int(slot), o.used[slot])*float64(n)))
		if moved.Payoff < f.best.Payoff && !tie(moved.Payoff, f.best.Payoff) {
			return
		}
	}
	f.shards = append(f.shards[:0], model.Shard{Slot: model.SlotID(slot), N: n})
	s.weigh(i, o.used)
}

// packMixed weighs the cheapest GPUs of the types up to rank of a node of several types, if they are enough.
func (s *Solver) packMixed(i, rank int, node model.NodeID, o *occupancy) {
	p, f := s.prob, &s.find
	j, t := &p.Jobs[i], &s.terms[i]
	from, to := s.nodeSlots[node], s.nodeSlots[node+1]
	if to-from == 1 {
		return
	}
	f.order = f.order[:0]
	free := int32(0)
	for sl := from; sl < to; sl++ {
		left := p.Usable[sl] - o.used[sl]
		typ := p.Cluster.Slots[sl].Type
		if k := t.rank[typ]; left > 0 && k >= 0 && int(k) <= rank {
			f.order = insert(f.order, int(to-from), s.key(j, sl, o.used), byPrice)
			free += left
		}
	}
	if free >= j.GPUs {
		f.fill(f.order, j.GPUs)
		s.weigh(i, o.used)
	}
}

// gather makes the free GPUs of a type's slots the two orders of spread candidates of that type alone: the cheapest,
// and those that fill the fewest nodes. In both a kind's slots come as they stand in the occupancy, so that of each
// kind no more are kept than hold the gang.
func (s *Solver) gather(j *Job, typ int32, o *occupancy) {
	x := &s.find.alone
	x.clear()
	for _, k := range s.typeKinds[typ] {
		kind := &s.kinds[k]
		have := int32(0)
		for _, sl := range o.order[kind.from:kind.to] {
			left := kind.capacity - o.used[sl]
			if left <= 0 || have >= j.GPUs {
				break
			}
			have += left
			key := s.key(j, sl, o.used)
			x.cheap = insert(x.cheap, int(j.GPUs), key, byPrice)
			if s.set.Comm != NoComm {
				x.roomy = insert(x.roomy, int(j.GPUs), key, byFree)
			}
		}
		x.free += have
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

// takeSpread weighs the gangs that the two orders give, if they have enough GPUs, and lie on more than one slot: packed
// has weighed the others.
func (s *Solver) takeSpread(i int, x *spread, o *occupancy) {
	if x.free < s.prob.Jobs[i].GPUs {
		return
	}
	f, want := &s.find, s.prob.Jobs[i].GPUs
	if f.fill(x.cheap, want); len(f.shards) > 1 {
		s.weigh(i, o.used)
	}
	if s.set.Comm == NoComm {
		return
	}
	f.last = append(f.last[:0], f.shards...)
	if f.fill(x.roomy, want); len(f.shards) > 1 && !slices.Equal(f.shards, f.last) {
		s.weigh(i, o.used)
	}
}

// key collects what the orders compare of a slot.
func (s *Solver) key(j *Job, sl int32, used []int32) slotKey {
	return slotKey{sl, s.prob.Usable[sl] - used[sl], s.price(int(sl), used[sl]),
		s.typeRate(j, int32(s.prob.Cluster.Slots[sl].Type))}
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
