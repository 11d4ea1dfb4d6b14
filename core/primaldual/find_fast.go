package primaldual

import (
	"slices"

	"hadarlab/core/model"
)

// fastFinder is the memory of the fast form of FIND_ALLOC. It finds what the plain one does: of slots of one kind (node
// size, type) that differ in use alone only the cheapest that hold the gang are weighed, lists of a type go on to the
// next slower ones, and an answer is kept for occupancies that say the same to the job.
type fastFinder struct {
	order []slotKey     // of one node
	mixed spread        // of the types so far
	alone spread        // of one type
	last  []model.Shard // the gang that takeSpread weighed before
	known []answer      // the first few for job, -1 = nobody
	few   int
	job   int
	reads []int32
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

// fastAlloc goes through the job's types from the fastest down: at each rank the types so far are at least as fast.
func (s *Solver) fastAlloc(i int, o *occupancy) {
	f, x := &s.find, &s.find.fast
	j, t := &s.prob.Jobs[i], &s.terms[i]
	f.best.Shards = f.best.Shards[:0]
	f.all, f.sets = f.all[:0], f.sets[:0]
	x.mixed.clear()
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
				s.takeSpread(i, &x.alone, o)
			}
			if !single {
				s.mix(j)
			}
		}
		if wide && !single {
			s.takeSpread(i, &x.mixed, o)
		}
	}
}

// lookupMemo notes all that an occupancy has to say to job i, and tells whether the answer to it is known: states of
// the search differ in a few slots, which are often none of those. If not, it makes room for the answer.
func (s *Solver) lookupMemo(i int, o *occupancy) (known bool) {
	f, x, j := &s.find, &s.find.fast, &s.prob.Jobs[i]
	if x.job != i || s.mixedNodes || f.collect {
		x.job, x.few = i, 0
	}
	list := x.reads[:0]
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
	for k := range x.few {
		if f.answer = &x.known[k]; slices.Equal(f.answer.reads, list) {
			x.reads = list
			return true
		}
	}
	if x.few == mostKnown {
		x.few = 0
	}
	if x.few == len(x.known) {
		x.known = append(x.known, answer{})
	}
	f.answer = &x.known[x.few]
	x.few++
	x.reads, f.answer.reads = f.answer.reads, list
	return false
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
	p, f, x := s.prob, &s.find, &s.find.fast
	j, t := &p.Jobs[i], &s.terms[i]
	from, to := s.nodeSlots[node], s.nodeSlots[node+1]
	if to-from == 1 {
		return
	}
	x.order = x.order[:0]
	free := int32(0)
	for sl := from; sl < to; sl++ {
		left := p.Usable[sl] - o.used[sl]
		typ := p.Cluster.Slots[sl].Type
		if k := t.rank[typ]; left > 0 && k >= 0 && int(k) <= rank {
			x.order = insert(x.order, int(to-from), s.key(j, sl, o.used), byPrice)
			free += left
		}
	}
	if free >= j.GPUs {
		f.fill(x.order, j.GPUs)
		s.weigh(i, o.used)
	}
}

// gather makes the free GPUs of a type's slots the two orders of spread candidates of that type alone: the cheapest,
// and those that fill the fewest nodes. In both a kind's slots come as they stand in the occupancy, so that of each
// kind no more are kept than hold the gang.
func (s *Solver) gather(j *Job, typ int32, o *occupancy) {
	x := &s.find.fast.alone
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
	x, to := &s.find.fast.alone, &s.find.fast.mixed
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
	f.fast.last = append(f.fast.last[:0], f.shards...)
	if f.fill(x.roomy, want); len(f.shards) > 1 && !slices.Equal(f.shards, f.fast.last) {
		s.weigh(i, o.used)
	}
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
