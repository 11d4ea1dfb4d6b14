// Package network says what averaging the gradients of a data-parallel job costs on GPUs that lie so far apart: ring
// all-reduce in the accounting of NCCL's tests (2(n−1)/n of the bytes pass each rank), inside the nodes and between
// them. It knows no jobs, clusters or time passing; its functions are pure.
//
// Flow: a scenario's network and a model's gradients → steps per second by tier → model.Throughput.
package network

import "hadarlab/core/model"

// Link is one rank's way to the others.
type Link struct {
	BytesPerS float64 // effective, > 0
	Latency   float64 // s, of one step of the ring
}

// Ring is the time in s of a flat ring all-reduce of so many bytes over n ranks; 0 for one.
func Ring(n int, bytes float64, l Link) float64 {
	if n < 2 {
		return 0
	}
	steps := 2 * float64(n-1)
	return float64(steps/float64(n)*bytes/l.BytesPerS) + float64(steps*l.Latency)
}

// Net is the network of a cluster. Bandwidths are effective, of one rank, and not the peak.
type Net struct {
	Node             Link    // between the GPUs of a node
	NIC              Link    // between nodes of one rack
	Across           float64 // s, latency of a step between racks
	Oversubscription float64 // ≥ 1, of the racks' uplinks
	Congestion       float64 // ≥ 1, divides what a node's NIC carries
	Overlap          float64 // 0 to 1, of the backward pass behind which communication hides
}

// Backward is the part of a step's computation that is its backward pass (ours: two of three equal parts).
const Backward = 2.0 / 3

// AllReduce is the time in s of a hierarchical all-reduce (our choice of form): a ring inside the nodes, of which one
// has at most m of the gang's GPUs, then one over the nodes.
func (n *Net) AllReduce(bytes float64, m, nodes int, tier model.Tier) float64 {
	out := Link{n.NIC.BytesPerS / n.Congestion, n.NIC.Latency}
	if tier == model.Network {
		out = Link{n.NIC.BytesPerS / (n.Congestion * n.Oversubscription), n.Across}
	}
	return Ring(m, bytes, n.Node) + Ring(nodes, bytes, out)
}

// Step is the time in s of a step that computes for so long and then communicates, but for what the overlap hides.
func (n *Net) Step(compute, communicate float64) float64 {
	return compute + max(0, communicate-float64(n.Overlap*Backward*compute))
}

// Nodes is on how many nodes a gang lies in a tier: as few as hold it where the largest has most GPUs, and at least two
// apart (our choice: a table has one rate a size and tier).
func Nodes(gpus, most int, tier model.Tier) int {
	if tier == model.OneNode {
		return 1
	}
	return max(2, (gpus+most-1)/most)
}

// Rate is the steps per second of a gang of so many GPUs with so many bytes of gradients, where one GPU alone does
// perGPU steps per second; a step of the gang counts as one of each GPU (weak scaling).
func (n *Net) Rate(perGPU, bytes float64, gpus, most int, tier model.Tier) float64 {
	if gpus < 2 || perGPU <= 0 {
		return float64(gpus) * perGPU
	}
	nodes := Nodes(gpus, most, tier)
	m := (gpus + nodes - 1) / nodes
	return float64(gpus) / n.Step(1/perGPU, n.AllReduce(bytes, m, nodes, tier))
}
