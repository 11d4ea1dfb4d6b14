package simtest

import (
	"math/rand/v2"

	"hadarlab/core/goodput"
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Profile lets job j of a built problem adapt its batch and have 1 to most GPUs: on GPUs of a type it takes the times
// of perf, and does not run on types that have none. Its work is then in iterations with its initial batch, and phi is
// its noise scale.
func Profile(p *model.Problem, j int, perf map[string]model.Perf, b model.Batches, phi float64, most int32) {
	types, noise, job := len(p.Cluster.Types), goodput.Alike(phi), &p.Jobs[j]
	prof := model.Profile{Model: job.Name, Batches: make([]model.Batches, types), Perf: make([]model.Perf, types)}
	fixed, best := model.NewThroughput(job.Name, types, most), model.NewThroughput(job.Name+" adapted", types, most)
	for t := range p.Cluster.Types {
		of, ok := perf[p.Cluster.Types[t].Name]
		if !ok {
			continue
		}
		prof.Perf[t], prof.Batches[t] = of, b
		for n := int32(1); n <= most; n++ {
			for k, tab := range [...]*model.Throughput{&fixed, &best} {
				var pt [2]model.Point
				var rate [2]float64
				for far := range pt {
					if k == 0 {
						pt[far], ok = goodput.Fixed(&of, &noise, b, n, far > 0, b.Init)
					} else {
						pt[far], _, ok = goodput.Best(&of, &noise, b, n, far > 0, true)
					}
					if ok {
						rate[far] = float64(goodput.Rate(pt[far], b, n))
					}
				}
				typ := model.TypeID(t)
				tab.Set(typ, n, unit.Rate(rate[0]), unit.Rate(rate[1]), unit.Rate(rate[1]))
				tab.SetPoints(typ, n, pt[0], pt[1])
			}
		}
	}
	job.Profile, job.Shape.Min, job.Shape.Max, job.Shape.Step = int32(len(p.Profiles)), 1, most, 1
	p.Profiles = append(p.Profiles, prof)
	job.Phases = []model.Phase{{Tables: []int32{job.Phases[0].Tables[0], int32(len(p.Tables))}}}
	p.Tables[job.Phases[0].Tables[0]] = fixed
	p.Tables = append(p.Tables, best)
	if p.Know.Tables != nil {
		p.Know.Tables[job.Phases[0].Tables[0]] = fixed
		p.Know.Tables = append(p.Know.Tables, best)
	}
}

// Profiles draws a profile for every job.
func Profiles(rng *rand.Rand, p *model.Problem) {
	most := int32(0)
	for _, s := range p.Cluster.Slots {
		most += s.Cap
	}
	for j := range p.Jobs {
		perf := map[string]model.Perf{}
		for t := range p.Cluster.Types {
			if t > 0 && rng.IntN(4) == 0 {
				continue
			}
			scale := float64(1+rng.IntN(8)) / 4
			perf[p.Cluster.Types[t].Name] = model.Perf{AlphaC: 0.02 * scale, BetaC: 0.002 * scale,
				AlphaR: 0.01 * float64(1+rng.IntN(9)), BetaR: 0.002, AlphaN: 0.04 * float64(1+rng.IntN(9)), BetaN: 0.004,
				Gamma: 1 + float64(rng.IntN(90))/10}
		}
		b := model.Batches{Init: 32, Max: 32 << rng.IntN(6), Low: 8, High: 64}
		Profile(p, j, perf, b, float64(int(16)<<rng.IntN(8)), max(most, p.Jobs[j].Shape.Size))
	}
}
