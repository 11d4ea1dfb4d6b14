package scenario

import (
	"cmp"
	"maps"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// most is the most GPUs that each node ever has, by type.
func (c *Cluster) most() []map[string]int {
	out := make([]map[string]int, len(c.Nodes))
	index := map[string]int{}
	for i := range c.Nodes {
		out[i] = c.Nodes[i].GPUs
		index[c.Nodes[i].ID] = i
	}
	if len(c.Changes) == 0 {
		return out
	}
	for i := range out {
		out[i] = maps.Clone(out[i])
	}
	for i := range c.Changes {
		q := &c.Changes[i]
		if n, ok := index[q.Node]; ok && q.GPUs > out[n][q.Type] {
			if out[n] == nil {
				out[n] = map[string]int{}
			}
			out[n][q.Type] = q.GPUs
		}
	}
	return out
}

// event is one step of a slot's capacity: how many GPUs it has, or how many more of them are down.
type event struct {
	at   unit.Tick
	slot model.SlotID
	has  int32 // -1 = as before
	down int32
}

// compileChanges turns growth and faults into what is usable of each slot, step by step.
func compileChanges(s *Scenario, c *model.Cluster) (out []model.CapacityChange) {
	faults := s.Faults.List
	if s.Faults.Generator != nil {
		faults = s.drawn()
	}
	if len(faults)+len(s.Cluster.Changes) == 0 {
		return nil
	}
	slots := make(map[string][]model.SlotID, len(c.Nodes))
	for i, slot := range c.Slots {
		id := c.Nodes[slot.Node].Name
		slots[id] = append(slots[id], model.SlotID(i))
	}
	has := make([]int32, len(c.Slots)) // at first
	for i, slot := range c.Slots {
		has[i] = int32(s.Cluster.Nodes[slot.Node].GPUs[c.Types[slot.Type].Name])
	}
	var events []event
	for i, n := range has {
		if n != c.Slots[i].Cap { // it grows later
			events = append(events, event{slot: model.SlotID(i), has: n})
		}
	}
	for i := range s.Cluster.Changes {
		q := &s.Cluster.Changes[i]
		for _, slot := range slots[q.Node] {
			if c.Types[c.Slots[slot].Type].Name == q.Type {
				events = append(events, event{at: unit.Seconds(jsondoc.Round9(q.AtS)), slot: slot, has: int32(q.GPUs)})
			}
		}
	}
	for i := range faults {
		f := &faults[i]
		at := unit.Seconds(jsondoc.Round9(f.AtS))
		for _, slot := range slots[f.Node] {
			if f.Type != "" && c.Types[c.Slots[slot].Type].Name != f.Type {
				continue
			}
			n := int32(f.GPUs)
			if n == 0 {
				n = c.Slots[slot].Cap
			}
			events = append(events, event{at, slot, -1, n})
			if d := unit.Seconds(jsondoc.Round9(f.RepairS)); d > 0 {
				events = append(events, event{at + d, slot, -1, -n})
			}
		}
	}
	unit.Sort(events,
		func(a, b event) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.slot, b.slot)) })

	usable, down := make([]int32, len(has)), make([]int32, len(has))
	for i := range usable {
		usable[i] = c.Slots[i].Cap
	}
	for i, e := range events {
		if e.has >= 0 {
			has[e.slot] = e.has
		}
		down[e.slot] += e.down
		if i+1 < len(events) && events[i+1].at == e.at && events[i+1].slot == e.slot {
			continue
		}
		if n := max(0, has[e.slot]-down[e.slot]); n != usable[e.slot] {
			usable[e.slot] = n
			out = append(out, model.CapacityChange{At: e.at, Slot: e.slot, Cap: n})
		}
	}
	return out
}
