// Package simtest is for tests only: problem builders, the invariant checker, a slow reference
// engine and the harness through which all simulator tests go.
package simtest

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"hadarlab/core/goodput"
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Node is one node to build: GPUs by type name.
type Node map[string]int32

// Job is one job to build. Rates are steps per second of one GPU by type; gangs scale linearly.
type Job struct {
	Arrive float64 // s
	GPUs   int32
	Steps  float64
	Weight float64 // 0 = 1
	Rates  map[string]float64
	Spread float64 // factor on gangs over several nodes; 0 = 1
	Far    float64 // factor on gangs over several racks; 0 = Spread
}

// Build compiles a problem with rounds of round seconds. Jobs must come by arrival.
func Build(round float64, nodes []Node, jobs []Job, costs model.Costs) *model.Problem {
	p := &model.Problem{Round: unit.Seconds(round), Horizon: unit.Never, Tenants: []model.Tenant{{Weight: 1}},
		DefaultCosts: costs}
	c := &p.Cluster
	c.Racks = []string{"r1"}
	names := map[string]bool{}
	for _, n := range nodes {
		for t := range n {
			names[t] = true
		}
	}
	sorted := make([]string, 0, len(names))
	for t := range names {
		sorted = append(sorted, t)
	}
	slices.Sort(sorted)
	largest := int32(1)
	for i, t := range sorted {
		c.Types = append(c.Types, model.GPUType{Name: t, Watts: 250, USDPerHour: 1})
		c.BySpeed = append(c.BySpeed, model.TypeID(i))
	}
	for i, n := range nodes {
		c.Nodes = append(c.Nodes, model.Node{Name: "n" + strconv.Itoa(i+1)})
		for t, name := range sorted {
			if n[name] > 0 {
				c.Slots = append(c.Slots, model.Slot{Node: model.NodeID(i), Type: model.TypeID(t), Cap: n[name]})
				largest = max(largest, n[name])
			}
		}
	}
	for i, j := range jobs {
		tab := model.NewThroughput("t"+strconv.Itoa(i), len(sorted), max(j.GPUs, largest))
		for t, name := range sorted {
			for n := int32(1); n <= tab.MaxSize(); n++ {
				r := j.Rates[name] * float64(n)
				s := r
				if j.Spread > 0 {
					s *= j.Spread
				}
				f := s
				if j.Far > 0 {
					f = r * j.Far
				}
				tab.Set(model.TypeID(t), n, unit.Rate(r), unit.Rate(s), unit.Rate(f))
			}
		}
		p.Tables = append(p.Tables, tab)
		w := j.Weight
		if w == 0 {
			w = 1
		}
		p.Jobs = append(p.Jobs, model.Job{Name: "j" + strconv.Itoa(i+1), Doc: int32(i), Arrive: unit.Seconds(j.Arrive),
			Work:   unit.Work(j.Steps),
			Weight: w, Profile: model.None, Shape: model.Shape{Size: j.GPUs, Min: j.GPUs, Max: j.GPUs, Step: 1,
				Gangs: int32(len(nodes))},
			Phases: []model.Phase{{Tables: []int32{int32(i)}}}})
		p.Costs = append(p.Costs, costs)
	}
	return p
}

// Profiled gives the i-th job of p a profile of its own: perf by GPU type, b where the job runs by its rates, and a
// phase for each noise scale, of equal work. It then counts its work in iterations with b.Init examples, and may hold
// what shape says.
func Profiled(p *model.Problem, i int, perf []model.Perf, b model.Batches, phi []float64, shape model.Shape) {
	job := &p.Jobs[i]
	old := &p.Tables[job.Phases[0].Tables[0]]
	prof := model.Profile{Model: job.Name, Perf: perf, Batches: make([]model.Batches, len(perf))}
	for t := range perf {
		if old.Rate(model.TypeID(t), 1, model.OneNode) > 0 {
			prof.Batches[t] = b
		}
	}
	job.Profile, job.Shape, job.Phases = int32(len(p.Profiles)), shape, nil
	p.Profiles = append(p.Profiles, prof)
	for k := range phi {
		phase := model.Phase{From: unit.Work(float64(job.Work) * float64(k) / float64(len(phi)))}
		noise := model.Alike(phi[k])
		for point := range 2 {
			tab := model.NewThroughput(job.Name, len(perf), shape.Max)
			tab.SetTraining(model.Training{Noise: noise, Init: b.Init, Max: b.Max})
			for t := range perf {
				for n := int32(1); n <= shape.Max; n++ {
					var pts [2]model.Point
					var rates [2]unit.Rate
					for several := range pts {
						var ok bool
						if pts[several], ok = goodput.Fixed(&perf[t], &noise, prof.Batches[t], n, several > 0,
							2*b.Init); ok && point > 0 {
							pts[several], _, ok = goodput.Best(&perf[t], &noise, prof.Batches[t], n, several > 0, true)
						}
						if ok {
							rates[several] = goodput.Rate(pts[several], prof.Batches[t], n)
						}
					}
					tab.Set(model.TypeID(t), n, rates[0], rates[1], rates[1])
					tab.SetPoints(model.TypeID(t), n, pts[0], pts[1])
				}
			}
			phase.Tables = append(phase.Tables, int32(len(p.Tables)))
			p.Tables = append(p.Tables, tab)
		}
		job.Phases = append(job.Phases, phase)
	}
}

// Random draws a problem of at most about an hour's work a job: up to four nodes, three GPU types
// and a dozen jobs, with rates of zero, uneven nodes, slow spread gangs, weights and stalls. Every job
// fits on the empty cluster. All times are multiples of 0.1 s and rates of 0.1 steps/s.
func Random(rng *rand.Rand) *model.Problem {
	types := []string{"a", "b", "c"}[:1+rng.IntN(3)]
	nodes := make([]Node, 1+rng.IntN(4))
	have := map[string]int32{}
	for i := range nodes {
		nodes[i] = Node{}
		for len(nodes[i]) == 0 || rng.IntN(4) == 0 && len(nodes[i]) < len(types) {
			t, n := types[rng.IntN(len(types))], int32(1+rng.IntN(4))
			have[t] += n - nodes[i][t]
			nodes[i][t] = n
		}
	}
	tenths := func(lo, hi int) float64 { return float64(lo+rng.IntN(hi-lo)) / 10 }
	far := len(nodes) > 2 && nodes[0][types[0]]%2 == 0 // several racks; no draw, which would change all others
	jobs := make([]Job, 1+rng.IntN(12))
	at := 0.0
	for i := range jobs {
		j := Job{Arrive: at, Rates: map[string]float64{}, Weight: float64(1 + rng.IntN(3))}
		room := int32(0)
		for _, t := range types {
			if rng.IntN(5) > 0 {
				j.Rates[t] = tenths(5, 100)
				room += have[t]
			}
		}
		if room == 0 {
			for _, t := range types {
				j.Rates[t] = 1
				room += have[t]
			}
		}
		j.GPUs = min(1+int32(rng.IntN(4)), room)
		j.Steps = tenths(100, 30000)
		if rng.IntN(2) == 0 {
			j.Spread = 0.5
		}
		if far {
			j.Spread, j.Far = 0.5, 0.25
		}
		jobs[i] = j
		if rng.IntN(2) == 0 {
			at += tenths(0, 9000)
		}
	}
	round := []float64{30, 60, 360}[rng.IntN(3)]
	var costs model.Costs
	if rng.IntN(2) == 0 { // together less than a round, or nothing ever progresses
		costs = model.Costs{Load: unit.Seconds(tenths(0, 180)), Save: unit.Seconds(tenths(0, 100)),
			Merge: unit.Seconds(tenths(0, 100))}
	}
	p := Build(round, nodes, jobs, costs)
	if far {
		p.Cluster.Racks = append(p.Cluster.Racks, "r2")
		for i := len(nodes) / 2; i < len(nodes); i++ {
			p.Cluster.Nodes[i].Rack = 1
		}
	}
	return p
}
