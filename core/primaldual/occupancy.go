package primaldual

import "hadarlab/core/model"

// kind is the slots of one type and number of usable GPUs: they have the same prices, and differ by their number only.
type kind struct {
	typ      model.TypeID
	capacity int32
	from, to int32 // its slots are order[from:to] of every occupancy
	prices   int32 // where its prices by GPUs taken begin
}

// occupancy is how many GPUs of each slot are taken. The slots of a kind stand in the order in which a gang takes them:
// the least used are the cheapest and have most GPUs free, and of equals the lower comes first. So a candidate reads a
// few slots of each kind, however many there are.
type occupancy struct {
	used  []int32 // by slot
	order []int32 // slots
}

// set makes o equal to x.
func (o *occupancy) set(x *occupancy) {
	o.used, o.order = append(o.used[:0], x.used...), append(o.order[:0], x.order...)
}

// take has n more GPUs of a slot taken.
func (s *Solver) take(o *occupancy, slot, n int32) {
	k := &s.kinds[s.kindOf[slot]]
	list := o.order[k.from:k.to]
	at := o.place(list, slot)
	o.used[slot] += n
	to := o.place(list[at+1:], slot)
	copy(list[at:], list[at+1:at+1+to])
	list[at+to] = slot
}

// place is how many slots of an ordered list come before that one.
func (o *occupancy) place(list []int32, slot int32) int {
	n, lo, hi := o.used[slot], 0, len(list)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if u := o.used[list[mid]]; u < n || u == n && list[mid] < slot {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// takeAll has the GPUs of a gang taken.
func (s *Solver) takeAll(o *occupancy, shards []model.Shard) {
	for _, sh := range shards {
		s.take(o, int32(sh.Slot), sh.N)
	}
}

// occupied is the occupancy of so many GPUs taken by slot.
func (s *Solver) occupied(used []int32) *occupancy {
	var o occupancy
	o.set(&s.empty)
	for slot, n := range used {
		s.take(&o, int32(slot), n)
	}
	return &o
}

// sortSlots finds the kinds of slots, and makes the empty occupancy.
func (s *Solver) sortSlots() {
	p := s.prob
	slots := p.Cluster.Slots
	s.kinds, s.kindOf = s.kinds[:0], grow(s.kindOf, len(slots))
	s.typeKinds = grow(s.typeKinds, s.types)
	for t := range s.typeKinds {
		s.typeKinds[t] = s.typeKinds[t][:0]
	}
	for i := range slots {
		typ, at := slots[i].Type, int32(-1)
		for _, k := range s.typeKinds[typ] {
			if s.kinds[k].capacity == p.Usable[i] {
				at = k
				break
			}
		}
		if at < 0 {
			at = int32(len(s.kinds))
			s.kinds = append(s.kinds, kind{typ: typ, capacity: p.Usable[i]})
			s.typeKinds[typ] = append(s.typeKinds[typ], at)
		}
		s.kindOf[i] = at
		s.kinds[at].to++
	}
	end := int32(0)
	for k := range s.kinds {
		n := s.kinds[k].to
		s.kinds[k].from, s.kinds[k].to = end, end
		end += n
	}
	e := &s.empty
	e.used, e.order = grow(e.used, len(slots)), grow(e.order, len(slots))
	clear(e.used)
	for i := range slots {
		k := &s.kinds[s.kindOf[i]]
		e.order[k.to] = int32(i)
		k.to++
	}
}
