package simtest

import (
	"math"
	"strconv"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// loadModels are steps per second of one GPU, measured for Gavel (OSDI 2020) on V100, P100 and K80, and
// whether the model trains on several GPUs.
var loadModels = [...]struct {
	v100, p100, k80 float64
	gangs           bool
}{
	{17.99, 11.68, 1.81, true},  // ResNet-18, batch 128
	{4.39, 2.62, 0.62, true},    // ResNet-50, batch 64
	{8.62, 5.09, 1.75, true},    // Transformer, batch 64
	{64.7, 58.2, 17.1, true},    // LM, batch 20
	{7.18, 5.68, 3.44, false},   // A3C
	{4.43, 2.40, 0.50, false},   // CycleGAN
	{7.47, 16.6, 10.4, false},   // Recommendation, batch 2048
	{28.24, 21.16, 6.05, true},  // LM, batch 80
	{5.45, 3.07, 0.98, true},    // Transformer, batch 128
	{100.1, 60.91, 8.758, true}, // ResNet-18, batch 16
}

// Load draws jobs like Gavel's generator (utils.py of its repository) at perHour arrivals an hour, on gpus GPUs:
// equal parts V100, P100 and K80 in nodes of four. Sizes are 1, 2, 4 and 8 GPUs for 70, 10, 15 and 5 %
// of the jobs; one job in five is long. A gang over several nodes runs at 0.9 of its speed.
func Load(seed uint64, jobs int, gpus int32, perHour float64) *model.Problem {
	types := []string{"v100", "p100", "k80"}
	nodes := make([]Node, gpus/4)
	for i := range nodes {
		nodes[i] = Node{types[i*3/len(nodes)]: 4}
	}
	var one []Job
	for _, m := range loadModels {
		one = append(one, Job{GPUs: 8, Steps: 1, Spread: 0.9,
			Rates: map[string]float64{"v100": m.v100, "p100": m.p100, "k80": m.k80}})
	}
	p := Build(360, nodes, one, model.Costs{})
	p.Cluster.BySpeed = []model.TypeID{2, 1, 0}
	proto := p.Jobs
	p.Jobs, p.Costs = make([]model.Job, jobs), make([]model.Costs, jobs)
	rng := unit.Stream(seed, "load")
	at := 0.0
	for i := range p.Jobs {
		size := int32(1)
		switch u := rng.Float64(); {
		case u >= 0.95:
			size = 8
		case u >= 0.8:
			size = 4
		case u >= 0.7:
			size = 2
		}
		exp := 1.5 + float64(1.5*rng.Float64())
		if rng.Float64() < 0.2 {
			exp = 3 + float64(rng.Float64())
		}
		k := rng.IntN(len(proto))
		for size > 1 && !loadModels[k].gangs {
			k = rng.IntN(len(proto))
		}
		j := proto[k]
		j.Name, j.Doc, j.Arrive = "j"+strconv.Itoa(i+1), int32(i), unit.Seconds(at)
		j.Shape.Size, j.Shape.Min, j.Shape.Max = size, size, size
		j.Work = unit.Work(60 * math.Pow(10, exp) * loadModels[k].v100 * float64(size))
		p.Jobs[i] = j
		at += float64(rng.ExpFloat64()*3600) / perHour
	}
	return p
}
