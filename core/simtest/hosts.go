package simtest

import (
	"math"
	"slices"

	"hadarlab/core/model"
)

// guest is a job on a node of p: how many GPUs of it are its own, those that jobs share in equal parts, and what it
// gets of the node.
type guest struct {
	job      model.JobID
	gpus     float64
	cpus, gb float64
}

// treat gives the guests of a node, in order of arrival, their CPUs and memory in the plainest way. It shares no code
// with core/host. By GPUs each has its part. Tuned, each newcomer asks for all that it can use, and if that is not free
// for what is, or for its part if that is more; until it fits, whoever has more than its part of what is missing gives
// up so much of the rest, those with the most CPUs a GPU first.
func treat(p *model.Problem, node model.NodeID, guests []guest) {
	host, gpus := p.Cluster.Nodes[node].Host, 0.0
	for _, s := range p.Cluster.Slots {
		if s.Node == node {
			gpus += float64(s.Cap)
		}
	}
	part := func(g *guest) (cpus, gb float64) { return host.CPUs * g.gpus / gpus, host.MemoryGB * g.gpus / gpus }
	if !p.Tuned {
		for i := range guests {
			guests[i].cpus, guests[i].gb = part(&guests[i])
		}
		return
	}
	used := func(n int) (cpus, gb float64) {
		for i := range guests[:n] {
			cpus, gb = cpus+guests[i].cpus, gb+guests[i].gb
		}
		return cpus, gb
	}
	full := func(c model.Curve) float64 { // the first point at the speed of the last
		for i := range c {
			if c[i].Speed == c[len(c)-1].Speed {
				return c[i].PerGPU
			}
		}
		return 0
	}
	for i := range guests {
		g := &guests[i]
		if need := p.Needs[g.job]; need != nil && host.CPUs > 0 {
			g.cpus = g.gpus * full(need.CPUs)
		}
		if need := p.Needs[g.job]; need != nil && host.MemoryGB > 0 {
			g.gb = g.gpus * full(need.MemoryGB)
		}
		for cut := false; ; cut = true {
			cpus, gb := used(i + 1)
			lackCPUs, lackGB := cpus > host.CPUs+1e-9, gb > host.MemoryGB+1e-9
			if !lackCPUs && !lackGB {
				break
			}
			if !cut {
				c, m := part(g)
				takenCPUs, takenGB := used(i)
				g.cpus = math.Min(g.cpus, math.Max(c, host.CPUs-takenCPUs))
				g.gb = math.Min(g.gb, math.Max(m, host.MemoryGB-takenGB))
				continue
			}
			rich := -1
			for k := range guests[:i] {
				o := &guests[k]
				c, m := part(o)
				if !(lackCPUs && o.cpus > c+1e-9) && !(lackGB && o.gb > m+1e-9) {
					continue
				}
				if rich < 0 || richer(o, &guests[rich]) {
					rich = k
				}
			}
			if rich < 0 {
				break
			}
			o := &guests[rich]
			c, m := part(o)
			if lackCPUs && o.cpus > c {
				o.cpus = math.Max(c, o.cpus-(cpus-host.CPUs))
			}
			if lackGB && o.gb > m {
				o.gb = math.Max(m, o.gb-(gb-host.MemoryGB))
			}
		}
	}
}

// richer says whether a guest has more CPUs a GPU than another, or as many and more memory.
func richer(a, b *guest) bool {
	ca, cb := a.cpus/a.gpus, b.cpus/b.gpus
	return ca > cb || ca == cb && a.gb/a.gpus > b.gb/b.gpus
}

// fed is the part of its full speed at which a guest of a node of p runs.
func (g *guest) fed(p *model.Problem, node model.NodeID) float64 {
	host, need, part := p.Cluster.Nodes[node].Host, p.Needs[g.job], 1.0
	if need != nil && host.CPUs > 0 {
		part = math.Min(part, need.CPUs.At(g.cpus/g.gpus))
	}
	if need != nil && host.MemoryGB > 0 {
		part = math.Min(part, need.MemoryGB.At(g.gb/g.gpus))
	}
	return part
}

// lodger is a job that holds the shards of a gang, with so many others.
type lodger struct {
	job    model.JobID
	shards []model.Shard
	with   int // jobs of the gang, itself among them
}

// feed gives the part of full speed at which each of the lodgers, all of a cluster, runs on each of its shards.
func feed(p *model.Problem, lodgers []lodger) [][]float64 {
	out := make([][]float64, len(lodgers))
	for i := range lodgers {
		out[i] = slices.Repeat([]float64{1}, len(lodgers[i].shards))
	}
	if p.Needs == nil {
		return out
	}
	order := make([]int, len(lodgers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(lodgers[a].job - lodgers[b].job) })
	for n := range p.Cluster.Nodes {
		node := model.NodeID(n)
		var guests []guest
		var of []int
		for _, i := range order {
			gpus := 0.0
			for _, sh := range lodgers[i].shards {
				if p.Cluster.Slots[sh.Slot].Node == node {
					gpus += float64(sh.N)
				}
			}
			if gpus > 0 {
				guests = append(guests, guest{job: lodgers[i].job, gpus: gpus / float64(lodgers[i].with)})
				of = append(of, i)
			}
		}
		treat(p, node, guests)
		for g, i := range of {
			for k, sh := range lodgers[i].shards {
				if p.Cluster.Slots[sh.Slot].Node == node {
					out[i][k] = guests[g].fed(p, node)
				}
			}
		}
	}
	return out
}
