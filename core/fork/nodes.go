package fork

import (
	"slices"

	"hadarlab/core/model"
)

// nodes sorts the nodes of a cluster into kinds: those of one kind have slots of the same types with as many usable
// GPUs, in the same order, so that every job would run alike on them.
type nodes struct {
	cluster *model.Cluster
	usable  []int32
	from    []int32        // where a node's slots begin in slots; one more at the end
	slots   []model.SlotID // of one node after another, ascending
	kind    []int32        // by node
	sample  []model.NodeID // by kind, one node of it
}

// sort finds the kinds. It has nothing to do while the same GPUs of the same cluster are usable.
func (ns *nodes) sort(c *model.Cluster, usable []int32) {
	if ns.cluster == c && slices.Equal(ns.usable, usable) {
		return
	}
	ns.cluster, ns.usable = c, append(ns.usable[:0], usable...)
	ns.from, ns.slots = grow(ns.from, len(c.Nodes)+1), grow(ns.slots, len(c.Slots))
	ns.kind = grow(ns.kind, len(c.Nodes))
	clear(ns.from)
	for s := range c.Slots {
		ns.from[c.Slots[s].Node]++
	}
	sum := int32(0)
	for n, count := range ns.from {
		sum += count
		ns.from[n] = sum
	}
	for s := len(c.Slots) - 1; s >= 0; s-- { // from the last one, so that each node's beginning is left at the end
		n := c.Slots[s].Node
		ns.from[n]--
		ns.slots[ns.from[n]] = model.SlotID(s)
	}
	ns.sample = ns.sample[:0]
	for n := range c.Nodes {
		k := slices.IndexFunc(ns.sample, func(o model.NodeID) bool { return ns.alike(o, model.NodeID(n)) })
		if k < 0 {
			k = len(ns.sample)
			ns.sample = append(ns.sample, model.NodeID(n))
		}
		ns.kind[n] = int32(k)
	}
}

// of are the slots of a node.
func (ns *nodes) of(n model.NodeID) []model.SlotID { return ns.slots[ns.from[n]:ns.from[n+1]] }

// alike says whether two nodes are of one kind.
func (ns *nodes) alike(a, b model.NodeID) bool {
	return slices.EqualFunc(ns.of(a), ns.of(b), func(s, t model.SlotID) bool {
		return ns.cluster.Slots[s].Type == ns.cluster.Slots[t].Type && ns.usable[s] == ns.usable[t]
	})
}

// slots sorts the slots of a cluster into kinds: those of one kind have as many usable GPUs of the same type, so that
// every job would run alike on them.
type slots struct {
	cluster *model.Cluster
	usable  []int32
	kind    []int32        // by slot
	sample  []model.SlotID // by kind, one slot of it
}

// sort finds the kinds. It has nothing to do while the same GPUs of the same cluster are usable.
func (ss *slots) sort(c *model.Cluster, usable []int32) {
	if ss.cluster == c && slices.Equal(ss.usable, usable) {
		return
	}
	ss.cluster, ss.usable = c, append(ss.usable[:0], usable...)
	ss.kind, ss.sample = grow(ss.kind, len(c.Slots)), ss.sample[:0]
	for s := range c.Slots {
		k := slices.IndexFunc(ss.sample, func(o model.SlotID) bool {
			return c.Slots[o].Type == c.Slots[s].Type && usable[o] == usable[s]
		})
		if k < 0 {
			k = len(ss.sample)
			ss.sample = append(ss.sample, model.SlotID(s))
		}
		ss.kind[s] = int32(k)
	}
}
