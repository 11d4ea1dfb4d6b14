package generate

import (
	"hadarlab/core/jsondoc"
	"hadarlab/core/unit"
)

// Faults says how whole nodes fail and come back, each by a random stream of its own. Both times are exponential.
type Faults struct {
	Of     string // what comes over the nodes, which names the streams: "faults", or spells of slowness
	Seed   uint64
	MTBFH  float64 // mean time from a repair to the next failure of a node, in hours
	MTTRS  float64 // mean time to repair, in s
	UntilS float64 // no failure begins after it
	Most   int     // bounds how many are drawn
}

// Fault is one failure of a node.
type Fault struct {
	Node         int // position among the nodes
	AtS, RepairS float64
}

// LeastRepairS is the shortest time that a repair takes, in s.
const LeastRepairS = 0.001

// Draw lists the faults of the nodes, node by node. A node more moves no fault of the others.
func (f *Faults) Draw(nodes []string) (out []Fault) {
	mean, repair := jsondoc.Round9(f.MTBFH)*3600, jsondoc.Round9(f.MTTRS)
	for i, id := range nodes {
		rng := unit.Stream(f.Seed, f.Of+" of "+id)
		for at := 0.0; len(out) < f.Most; {
			at += float64(mean * unit.Exponential(rng))
			if at > f.UntilS {
				break
			}
			d := max(LeastRepairS, float64(repair*unit.Exponential(rng)))
			out = append(out, Fault{Node: i, AtS: jsondoc.Round9(at), RepairS: jsondoc.Round9(d)})
			at += d
		}
	}
	return out
}
