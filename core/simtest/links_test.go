package simtest

import (
	"math/rand/v2"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// wildLinks draws a problem of small nodes in up to three racks, whose links are slow enough to matter: most jobs are
// wider than a node and share them. Stalls, faults, elastic jobs and wrong beliefs come as in Wild.
func wildLinks(rng *rand.Rand) *model.Problem {
	nodes, types := make([]Node, 3+rng.IntN(5)), []string{"a", "b"}[:1+rng.IntN(2)]
	for i := range nodes {
		nodes[i] = Node{types[rng.IntN(len(types))]: 2}
	}
	jobs, at := make([]Job, 2+rng.IntN(12)), 0.0
	for i := range jobs {
		jobs[i] = Job{Arrive: at, GPUs: int32(1 + rng.IntN(4)), Steps: float64(100+rng.IntN(6000)) / 10,
			Rates: map[string]float64{}}
		for _, t := range types {
			jobs[i].Rates[t] = float64(5+rng.IntN(95)) / 10
		}
		if rng.IntN(3) == 0 {
			at += float64(rng.IntN(3000)) / 10
		}
	}
	var costs model.Costs
	if rng.IntN(2) == 0 {
		costs = model.Costs{Load: unit.Tick(rng.IntN(100)) * 100, Save: unit.Tick(rng.IntN(50)) * 100,
			Merge: unit.Tick(rng.IntN(50)) * 100}
	}
	p := Build([]float64{30, 60}[rng.IntN(2)], nodes, jobs, costs)
	p.Cluster.Racks = []string{"r1", "r2", "r3"}[:1+rng.IntN(3)]
	for i := range p.Cluster.Nodes {
		p.Cluster.Nodes[i].Rack = int32(rng.IntN(len(p.Cluster.Racks)))
	}
	bytes := make([]float64, len(jobs))
	for i := range bytes {
		p.Jobs[i].Shape.Split = splitIf(rng.IntN(6) == 0)
		if rng.IntN(6) > 0 {
			bytes[i] = float64(1+rng.IntN(20)) * 1e8
		}
	}
	Linked(p, model.Net{Node: model.Link{BytesPerS: 130e9, Latency: 5e-6},
		NIC: model.Link{BytesPerS: float64(1+rng.IntN(10)) * 1e9, Latency: 5e-6}, Across: 8e-6,
		Oversubscription: float64(1 + rng.IntN(8)), Congestion: float64(1 + rng.IntN(3)),
		Overlap: float64(rng.IntN(2)) / 2}, bytes...)
	if rng.IntN(2) == 0 {
		wildChanges(rng, p)
	}
	wildKnowledge(rng, p)
	if rng.IntN(3) == 0 {
		wildShapes(rng, p)
	}
	return p
}

// slower counts the spans in which a gang runs slower than it would alone on the same nodes.
func slower(p *model.Problem, t *trace.Trace) (n int) {
	for i := range t.Spans.Len() {
		j := model.JobID(t.Spans.Job[i])
		if shards := t.Spans.At(i); t.Spans.Kind[i] == trace.Run && crosses(p, j, shards) {
			alone := sim.SharedRate(p, &p.Tables[p.Jobs[j].Phases[0].Tables[0]], shards, p.Jobs[j].Shape.Split,
				fill(p, [][]model.Shard{shards})[0])
			if t.Spans.Rate[i] < float64(alone)*0.999 {
				n++
			}
		}
	}
	return n
}
