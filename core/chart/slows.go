package chart

import (
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Slow is a spell in which a node runs at a part of its speed.
type Slow struct {
	Node     int32
	Row, N   int32 // of the node
	From, To unit.Tick
	Speed    float64
}

// slows are the spells of a run's nodes, by start. A node without a GPU has none.
func (l *Lane) slows(t *trace.Trace) []Slow {
	if len(t.Speeds) == 0 {
		return nil
	}
	bands := make([]Band, len(t.Nodes))
	for _, b := range l.Bands {
		bands[b.Node] = b
	}
	var out []Slow
	open := make([]int, len(t.Nodes)) // 1 + index of a node's spell that has not ended
	for _, c := range t.Speeds {
		if k := open[c.Node]; k > 0 {
			out[k-1].To, open[c.Node] = c.At, 0
		}
		if b := bands[c.Node]; c.Speed < 1 && b.Count > 0 {
			out = append(out, Slow{Node: c.Node, Row: b.First, N: b.Count, From: c.At, To: t.End, Speed: c.Speed})
			open[c.Node] = len(out)
		}
	}
	return out
}

// on says whether a node has any of the GPUs.
func (s *Slow) on(t *trace.Trace, shards []model.Shard) bool {
	for _, sh := range shards {
		if t.Slots[sh.Slot].Node == s.Node {
			return true
		}
	}
	return false
}

// SlowsOf are those spells that a holding has something of.
func (l *Lane) SlowsOf(t *trace.Trace, h *Holding) (out []Slow) {
	for _, s := range l.Slows {
		if s.From < h.To && h.From < s.To && s.on(t, h.Shards) {
			out = append(out, s)
		}
	}
	return out
}
