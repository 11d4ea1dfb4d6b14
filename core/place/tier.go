package place

import (
	"hadarlab/core/model"
	"hadarlab/core/sim"
)

// Tightest finds, without placing it, the offer for j: GPUs of one type as close together as they are to be had, and
// among types that are equally close, on the one with the highest speed at any distance (our choice: how close goes
// before how fast, since patience is for how close).
// free is what counts as free, the plan's or a whole cluster's. It is false when no type has room. In a node
// it is the fullest that fits; in a rack the one with least room that fits, and inside it and over racks the nodes with
// most room first, racks with most room first. Gang holds it until the next call.
func (pl *Placer) Tightest(c *model.Cluster, v sim.View, j model.JobID, free func(model.SlotID) int32) (
	tier model.Tier, ok bool) {
	size, speed := v.Shape(j).Size, v.Speed(j, 0)
	pl.index(c)
	pl.usable(c, speed, size)
	pl.gang = pl.gang[:0]
	for tier = model.OneNode; tier <= model.Network; tier++ {
		for i := range pl.types {
			if t := pl.types[i].Type; speed.Rate(t, size, tier) > 0 && pl.within(c, t, size, tier, free) {
				pl.gang = append(pl.gang, pl.shards...)
				return tier, true
			}
		}
	}
	return 0, false
}

// Put places the gang found last.
func (pl *Placer) Put(p *sim.Plan, j model.JobID) bool {
	return Put(p, j, 0, pl.gang)
}

// within fills pl.shards with size free GPUs of type t no farther apart than tier.
func (pl *Placer) within(c *model.Cluster, t model.TypeID, size int32, tier model.Tier,
	free func(model.SlotID) int32) bool {
	pl.shards = pl.shards[:0]
	if tier == model.OneNode {
		best, least := model.SlotID(model.None), int32(0)
		for _, s := range pl.slots[t] {
			if n := free(s); n >= size && (best < 0 || n < least) {
				best, least = s, n
			}
		}
		if best >= 0 {
			pl.shards = append(pl.shards, model.Shard{Slot: best, N: size})
		}
		return best >= 0
	}
	pl.room = append(pl.room[:0], make([]int32, len(c.Racks))...)
	total := int32(0)
	for _, s := range pl.slots[t] {
		n := max(0, free(s))
		pl.room[c.Nodes[c.Slots[s].Node].Rack] += n
		total += n
	}
	if total < size {
		return false
	}
	for size > 0 {
		best := -1
		for r, n := range pl.room {
			switch {
			case tier == model.OneRack && n >= size && (best < 0 || n < pl.room[best]),
				tier == model.Network && n > 0 && (best < 0 || n > pl.room[best]):
				best = r
			}
		}
		if best < 0 {
			return false
		}
		got := min(size, pl.room[best])
		pl.fill(c, t, int32(best), got, free)
		pl.room[best] = 0
		size -= got
	}
	return true
}

// fill takes size free GPUs of type t in a rack that has them, from the nodes with most room first.
func (pl *Placer) fill(c *model.Cluster, t model.TypeID, rack, size int32, free func(model.SlotID) int32) {
	for size > 0 {
		best, most := model.SlotID(model.None), int32(0)
		for _, s := range pl.slots[t] {
			if c.Nodes[c.Slots[s].Node].Rack == rack && !pl.has(s) {
				if n := free(s); n > most {
					best, most = s, n
				}
			}
		}
		n := min(most, size)
		pl.insert(model.Shard{Slot: best, N: n})
		size -= n
	}
}
