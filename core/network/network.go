// Package network says what averaging the gradients of a data-parallel job costs on GPUs that lie so far apart: ring
// all-reduce in the accounting of NCCL's tests (2(n−1)/n of the bytes pass each rank), inside the nodes and between
// them; and how gangs share the links between nodes. It knows no jobs and no time passing; its functions are pure.
//
// Flow: a scenario's network and a model's gradients → steps per second by tier → model.Throughput; and, where links
// are shared, the gangs that hold GPUs → Shares → steps per second of each (RateAt).
package network

import "hadarlab/core/model"

// Link is one rank's way to the others.
type Link = model.Link

// Ring is the time in s of a flat ring all-reduce of so many bytes over n ranks; 0 for one.
func Ring(n int, bytes float64, l Link) float64 {
	if n < 2 {
		return 0
	}
	steps := 2 * float64(n-1)
	return float64(steps/float64(n)*bytes/l.BytesPerS) + float64(steps*l.Latency)
}

// Passes is how many of so many bytes pass each of n ranks, in either direction, in a ring all-reduce.
func Passes(n int, bytes float64) float64 { return float64(2*(n-1)) / float64(n) * bytes }

// Net is the network of a cluster, with what follows from it.
type Net model.Net

// Backward is the part of a step's computation that is its backward pass (ours: two of three equal parts).
const Backward = 2.0 / 3

// AllReduce is the time in s of a hierarchical all-reduce (our choice of form): a ring inside the nodes, of which one
// has at most m of the gang's GPUs, then one over the nodes.
func (n *Net) AllReduce(bytes float64, m, nodes int, tier model.Tier) float64 {
	return Ring(m, bytes, n.Node) + Ring(nodes, bytes, n.out(tier))
}

// out is what a node of a gang has to the others, if no other gang uses their links.
func (n *Net) out(tier model.Tier) Link {
	if tier == model.Network {
		return Link{BytesPerS: n.NIC.BytesPerS / (n.Congestion * n.Oversubscription), Latency: n.Across}
	}
	return Link{BytesPerS: n.NIC.BytesPerS / n.Congestion, Latency: n.NIC.Latency}
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

// RateAt is the same of a gang over several nodes, of which one has m of its GPUs, whose share of the links is so many
// bytes per second (Shares).
func (n *Net) RateAt(share, perGPU, bytes float64, gpus, m, nodes int, tier model.Tier) float64 {
	over := Ring(nodes, bytes, Link{BytesPerS: share, Latency: n.out(tier).Latency})
	return float64(gpus) / n.Step(1/perGPU, Ring(m, bytes, n.Node)+over)
}
