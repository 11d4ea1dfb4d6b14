package simtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/model"
	"hadarlab/core/network"
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

// TestLoadsOfRandomRuns: what charts say of links is what the slow form of sharing gives at every instant; nothing
// sends more than its share, no link more than it carries, and over a run what the cards send is what the steps pass.
func TestLoadsOfRandomRuns(t *testing.T) {
	shared := 0
	for seed := range uint64(60) {
		p := wildLinks(rand.New(rand.NewPCG(seed, 9)))
		tr := Run(t, p, []string{"fifo", "dally", "las"}[seed%3], nil)
		loads, s := chart.NewLoads(tr, p), &tr.Spans
		want, sent := 0.0, 0.0
		for i := range s.Len() {
			if j := model.JobID(s.Job[i]); crosses(p, j, s.At(i)) && s.Kind[i] == trace.Run {
				size, _ := sim.Measure(&p.Cluster, s.At(i))
				nodes, _ := network.Spread(&p.Cluster, s.At(i))
				steps := s.Rate[i] * (s.To[i] - s.From[i]).Seconds() / float64(size)
				want += steps * 2 * float64(nodes-1) * p.Tables[p.Jobs[j].Phases[0].Tables[0]].Gradients
			}
		}
		for k := range loads {
			of := &loads[k]
			for i, now := range of.Steps {
				until := of.End
				if i+1 < len(of.Steps) {
					until = of.Steps[i+1].At
				}
				if !of.Uplink {
					sent += now.Sent * (until - now.At).Seconds()
				}
				if now.Given > of.Carries*(1+1e-9) || now.Sent > now.Given*(1+1e-9) {
					t.Fatalf("%d: %v carries %v", seed, now, of.Carries)
				}
				var flows [][]model.Shard
				var on []int
				for i := range s.Len() {
					if crosses(p, model.JobID(s.Job[i]), s.At(i)) && s.From[i] <= now.At && now.At < s.To[i] {
						if slices.Contains(network.Crossed(&p.Cluster, s.At(i)), of.Link) {
							on = append(on, len(flows))
						}
						flows = append(flows, s.At(i))
					}
				}
				given := 0.0
				for k, share := range fill(p, flows) {
					if slices.Contains(on, k) {
						given += share
					}
				}
				if len(on) != int(now.Gangs) || math.Abs(given-now.Given) > 1e-6*given {
					t.Fatalf("%d: link %d at %v has %d gangs with %v, want %d with %v", seed, of.Link, now.At, now.Gangs,
						now.Given, len(on), given)
				}
				if now.Gangs > 1 {
					shared++
				}
			}
		}
		if math.Abs(sent-want) > 1e-6*want {
			t.Fatalf("%d: cards send %v bytes, the steps done are %v", seed, sent, want)
		}
	}
	if shared < 100 {
		t.Errorf("only %d steps with several gangs", shared)
	}
}
