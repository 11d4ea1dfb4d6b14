package chart

import (
	"hadarlab/core/model"
	"hadarlab/core/trace"
)

// Racks are the racks of a run's nodes: what a trace leaves to its document.
type Racks struct {
	Names []string // in the order of their first nodes
	Of    []int32  // by node of the trace
}

// NewRacks groups the nodes of a run; rack names that of a node.
func NewRacks(t *trace.Trace, rack func(node string) string) Racks {
	r, at := Racks{}, map[string]int32{}
	for _, node := range t.Nodes {
		name := rack(node)
		i, ok := at[name]
		if !ok {
			i = int32(len(at))
			at[name], r.Names = i, append(r.Names, name)
		}
		r.Of = append(r.Of, i)
	}
	return r
}

// Tier is how far apart the GPUs of a gang are.
func (r *Racks) Tier(t *trace.Trace, shards []model.Shard) model.Tier {
	tier := model.OneNode
	for _, sh := range shards {
		a, b := t.Slots[shards[0].Slot].Node, t.Slots[sh.Slot].Node
		if r.Of[a] != r.Of[b] {
			return model.Network
		}
		if a != b {
			tier = model.OneRack
		}
	}
	return tier
}

// Tiers name the distances, in the order in which they are stacked.
var Tiers = [model.Tiers]Spent{{"node", "on one node", 0, nil}, {"rack", "on several nodes of one rack", 1, nil},
	{"network", "over several racks", 4, nil}}

// Locality is the share of each distance in the GPU time that gangs of more than one GPU hold; all 0 when there are
// none. A gang of one GPU lies nowhere else, and would only hide how the others lie.
func (l *Lane) Locality(t *trace.Trace, r *Racks) []float64 {
	share, sum := make([]float64, model.Tiers), 0.0
	for i := range l.Holdings {
		t.Pace.Did(1)
		if h := &l.Holdings[i]; h.Size > 1 {
			v := float64(float64(h.To-h.From) * float64(h.Size))
			share[r.Tier(t, h.Shards)] += v
			sum += v
		}
	}
	for i := range share {
		share[i] /= max(sum, 1)
	}
	return share
}
