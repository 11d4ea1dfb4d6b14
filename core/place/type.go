package place

import (
	"hadarlab/core/model"
	"hadarlab/core/sim"
)

// Kept puts into dst the GPUs that job j has held if all are of type t and still free in the plan.
func Kept(dst []model.Shard, c *model.Cluster, v sim.View, p *sim.Plan, j model.JobID,
	t model.TypeID) ([]model.Shard, bool) {
	dst = dst[:0]
	if !v.Holds(j) {
		return dst, false
	}
	dst = append(dst, v.Gang(j, 0)...)
	for _, sh := range dst {
		if c.Slots[sh.Slot].Type != t || p.Free(sh.Slot) < sh.N {
			return dst, false
		}
	}
	return dst, true
}

// FirstFree puts into dst the first size free GPUs of type t, node after node, beginning at slot from; false when there
// are fewer.
func FirstFree(dst []model.Shard, c *model.Cluster, p *sim.Plan, t model.TypeID, size int32,
	from int) ([]model.Shard, bool) {
	dst = dst[:0]
	for s := from; s < len(c.Slots); s++ {
		if n := min(p.Free(model.SlotID(s)), size); n > 0 && c.Slots[s].Type == t {
			dst = append(dst, model.Shard{Slot: model.SlotID(s), N: n})
			if size -= n; size == 0 {
				return dst, true
			}
		}
	}
	return dst, false
}

// Reach is the most usable GPUs of a type on one node and in one rack.
type Reach struct{ Node, Rack int32 }

// ReachOf is the reach of type t.
func ReachOf(c *model.Cluster, v sim.View, t model.TypeID) (r Reach) {
	racks := make([]int32, len(c.Racks))
	for s := range c.Slots {
		if slot := &c.Slots[s]; slot.Type == t {
			n, rack := v.Capacity(model.SlotID(s)), c.Nodes[slot.Node].Rack
			racks[rack] += n
			r.Node, r.Rack = max(r.Node, n), max(r.Rack, racks[rack])
		}
	}
	return r
}

// Tier is how close together a gang of size GPUs can be at best.
func (r Reach) Tier(size int32) model.Tier {
	switch {
	case size <= r.Node:
		return model.OneNode
	case size <= r.Rack:
		return model.OneRack
	}
	return model.Network
}
