// Package place holds placement helpers on a plan, shared by the policies that first decide who runs
// and then where: fastest type first, one type where one is large enough, packed on the fullest node
// that fits, else over the fewest nodes. It decides nobody's turn.
package place

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// Placer keeps the scratch memory of successive placements. The zero value is ready to use; it must
// not be shared between runs.
type Placer struct {
	MostFree bool // a gang takes from the nodes with most free GPUs, and not from the fullest one that holds it
	OneType  bool // no gang mixes types, also where no type can hold it

	of     *model.Cluster
	slots  [][]model.SlotID // of the cluster, by type
	types  []Usable
	shards []model.Shard
	gang   []model.Shard
	room   []int32 // by rack
}

// Usable is a type on which a job has a speed.
type Usable struct {
	Type model.TypeID
	Top  unit.Rate // packed or spread
}

// Fastest opens and closes, of the gangs that each type has free on as few nodes as hold them, the one that runs j
// fastest; racks are not looked at, so that closer GPUs on more nodes may be faster. Types are mixed only for a job
// that no single type of the cluster can hold, and with OneType for none. Of equals the type counts that is faster at
// best, then the lower one. It is false when nothing fits.
func (pl *Placer) Fastest(c *model.Cluster, v sim.View, p *sim.Plan, j model.JobID) bool {
	size, speed := v.Shape(j).Size, v.Speed(j, 0)
	pl.index(c)
	pl.usable(c, speed, size)
	best := unit.Rate(0)
	oneTypeHolds := false
	for _, t := range pl.types {
		if v.CapacityOf(t.Type) >= size {
			oneTypeHolds = true
		}
		// A type that is not faster than the best so far cannot win.
		if t.Top <= best || p.FreeOf(t.Type) < size || !pl.onType(p, size, t.Type) {
			continue
		}
		if r := v.Rate(j, 0, pl.shards); r > best {
			best = r
			pl.gang = append(pl.gang[:0], pl.shards...)
		}
	}
	if best == 0 && !oneTypeHolds && !pl.OneType {
		// Mixed: the fastest set of types that holds the gang, slowest GPU last.
		for k := range pl.types {
			fast := pl.types[:k+1]
			if pl.onTypes(c, p, size, func(x model.TypeID) bool { return among(fast, x) }) {
				if r := v.Rate(j, 0, pl.shards); r > best {
					best = r
					pl.gang = append(pl.gang[:0], pl.shards...)
				}
			}
		}
	}
	if best == 0 {
		return false
	}
	return Put(p, j, 0, pl.gang)
}

// Put states that j holds a gang at operating point c; it says whether the plan takes it, as Close does.
func Put(p *sim.Plan, j model.JobID, c sim.Config, gang []model.Shard) bool {
	p.Open(j, c)
	for _, sh := range gang {
		p.Take(sh.Slot, sh.N)
	}
	return p.Close()
}

// Faster finds, without placing it, the gang of as many free GPUs of one type that the job does not hold on which it
// runs fastest, if that is faster than it runs on what it holds; nil = there is none.
func (pl *Placer) Faster(c *model.Cluster, v sim.View, p *sim.Plan, j model.JobID) []model.Shard {
	held, size := v.Gang(j, 0), int32(0)
	for _, sh := range held {
		size += sh.N
	}
	room := false
	for t := range c.Types {
		room = room || p.FreeOf(model.TypeID(t)) >= size
	}
	if !room {
		return nil
	}
	pl.index(c)
	pl.usable(c, v.Speed(j, 0), size)
	best, found := v.Rate(j, 0, held), false
	for _, t := range pl.types {
		own := func(sh model.Shard) bool { return c.Slots[sh.Slot].Type == t.Type }
		if t.Top <= best || slices.ContainsFunc(held, own) || p.FreeOf(t.Type) < size ||
			!pl.onType(p, size, t.Type) {
			continue
		}
		if r := v.Rate(j, 0, pl.shards); r > best {
			best, found = r, true
			pl.gang = append(pl.gang[:0], pl.shards...)
		}
	}
	if !found {
		return nil
	}
	return pl.gang
}

// FasterTypes are the types, but those that it holds, on which as many GPUs could be faster for the job than the one
// gang that it holds is, as a set of bits, and how many these are. Beyond 31 types one bit stands for all. Faster
// finds nothing while none of them has so many free GPUs.
func (pl *Placer) FasterTypes(c *model.Cluster, v sim.View, j model.JobID) (types uint32, size int32) {
	held := v.Gang(j, 0)
	for _, sh := range held {
		size += sh.N
	}
	pl.usable(c, v.Speed(j, 0), size)
	now := v.Rate(j, 0, held)
	for _, t := range pl.types {
		own := func(sh model.Shard) bool { return c.Slots[sh.Slot].Type == t.Type }
		if t.Top > now && !slices.ContainsFunc(held, own) {
			types |= TypeBit(t.Type)
		}
	}
	return types, size
}

// TypeBit is the bit of a type in a set.
func TypeBit(t model.TypeID) uint32 { return 1 << min(t, 31) }

// Gang is what Fastest placed last, in slot order; it holds until the next call.
func (pl *Placer) Gang() []model.Shard { return pl.gang }

// usable lists the types on which a gang of size has a speed, fastest first, ties by id.
func (pl *Placer) usable(c *model.Cluster, speed *model.Throughput, size int32) {
	pl.types = pl.types[:0]
	for t := range c.Types {
		typ := model.TypeID(t)
		r := max(speed.Rate(typ, size, model.OneNode), speed.Rate(typ, size, model.OneRack),
			speed.Rate(typ, size, model.Network))
		if r <= 0 {
			continue
		}
		pl.types = append(pl.types, Usable{})
		i := len(pl.types) - 1
		for ; i > 0 && pl.types[i-1].Top < r; i-- {
			pl.types[i] = pl.types[i-1]
		}
		pl.types[i] = Usable{model.TypeID(t), r}
	}
}

// Types lists the types on which j has a speed, the fastest first, ties by id. It holds until the next call.
func (pl *Placer) Types(c *model.Cluster, v sim.View, j model.JobID) []Usable {
	pl.usable(c, v.Speed(j, 0), v.Shape(j).Size)
	return pl.types
}

// among says whether the type is one of the list.
func among(types []Usable, t model.TypeID) bool {
	for i := range types {
		if types[i].Type == t {
			return true
		}
	}
	return false
}

// index lists the slots of each type, once for a cluster.
func (pl *Placer) index(c *model.Cluster) {
	if pl.of == c {
		return
	}
	pl.of, pl.slots = c, make([][]model.SlotID, len(c.Types))
	for s := range c.Slots {
		t := c.Slots[s].Type
		pl.slots[t] = append(pl.slots[t], model.SlotID(s))
	}
}

// OnType finds size free GPUs of type t without placing them: on the fullest node that has enough, else on the fewest
// nodes; nil = there are not so many. It holds until the next call.
func (pl *Placer) OnType(c *model.Cluster, p *sim.Plan, size int32, t model.TypeID) []model.Shard {
	pl.index(c)
	if !pl.onType(p, size, t) {
		return nil
	}
	return pl.shards
}

// onType is onTypes for one type, of which a node has one slot.
func (pl *Placer) onType(p *sim.Plan, size int32, t model.TypeID) bool {
	pl.shards = pl.shards[:0]
	best, least := model.SlotID(model.None), int32(0)
	for _, s := range pl.slots[t] {
		if free := p.Free(s); free >= size && !pl.MostFree && (best < 0 || free < least) {
			best, least = s, free
			if free == size {
				break // nothing fits more tightly
			}
		}
	}
	if best >= 0 {
		pl.shards = append(pl.shards, model.Shard{Slot: best, N: size})
		return true
	}
	if p.FreeOf(t) < size {
		return false
	}
	for size > 0 {
		best, most := model.SlotID(model.None), int32(0)
		for _, s := range pl.slots[t] {
			if n := p.Free(s); n > most && !pl.has(s) {
				best, most = s, n
			}
		}
		n := min(most, size)
		pl.insert(model.Shard{Slot: best, N: n})
		size -= n
	}
	return true
}

// onTypes fills pl.shards with size free GPUs of the allowed types: on the node with the fewest free
// ones that still holds the gang, else on the nodes with the most free ones.
func (pl *Placer) onTypes(c *model.Cluster, p *sim.Plan, size int32, ok func(model.TypeID) bool) bool {
	pl.shards = pl.shards[:0]
	bestFrom, bestTo, bestFree, total := -1, -1, int32(0), int32(0)
	for s := 0; s < len(c.Slots); {
		from, free := s, int32(0)
		for ; s < len(c.Slots) && c.Slots[s].Node == c.Slots[from].Node; s++ {
			if ok(c.Slots[s].Type) {
				free += p.Free(model.SlotID(s))
			}
		}
		total += max(free, 0)
		if free >= size && !pl.MostFree && (bestFrom < 0 || free < bestFree) {
			bestFrom, bestTo, bestFree = from, s, free
		}
	}
	if bestFrom >= 0 {
		for s := bestFrom; s < bestTo && size > 0; s++ {
			if n := min(p.Free(model.SlotID(s)), size); n > 0 && ok(c.Slots[s].Type) {
				pl.shards = append(pl.shards, model.Shard{Slot: model.SlotID(s), N: n})
				size -= n
			}
		}
		return true
	}
	if total < size {
		return false
	}
	for size > 0 {
		best, most := -1, int32(0)
		for s := range c.Slots {
			if n := p.Free(model.SlotID(s)); n > most && ok(c.Slots[s].Type) && !pl.has(model.SlotID(s)) {
				best, most = s, n
			}
		}
		n := min(most, size)
		pl.insert(model.Shard{Slot: model.SlotID(best), N: n})
		size -= n
	}
	return true
}

// has says whether the gang being built has GPUs of the slot already.
func (pl *Placer) has(s model.SlotID) bool {
	for _, sh := range pl.shards {
		if sh.Slot == s {
			return true
		}
	}
	return false
}

// insert keeps the shards in slot order, as the speed tables want them.
func (pl *Placer) insert(sh model.Shard) {
	pl.shards = append(pl.shards, sh)
	for i := len(pl.shards) - 1; i > 0 && pl.shards[i-1].Slot > sh.Slot; i-- {
		pl.shards[i], pl.shards[i-1] = pl.shards[i-1], pl.shards[i]
	}
}

// Free counts the free GPUs of the plan, and the most of any one type, for the reason of a wait.
func Free(c *model.Cluster, p *sim.Plan) (all, ofOneType int32) {
	for t := range c.Types {
		n := p.FreeOf(model.TypeID(t))
		all += n
		ofOneType = max(ofOneType, n)
	}
	return all, ofOneType
}
