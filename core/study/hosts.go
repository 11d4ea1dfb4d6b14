package study

import (
	"strconv"

	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// synergyModels are models of Synergy's profiles (OSDI 2022, its artifact): what one of 100 jobs in its mix of 20
// image, 70 language and 10 speech models trains, how many times a GPU's part of its server the best speed is, and the
// speeds by CPUs a GPU over that part's. With 20.83 GB a GPU image and speech models fall to a tenth of their part's
// speed.
var synergyModels = []struct {
	model  string
	share  float64
	best   float64
	cpus   []float64 // and the speed, in turn
	needs  float64   // GB a GPU for the best speed
	spares bool      // memory hardly matters
}{
	{"resnet-18", 10, 2.4, []float64{1, .37, 2, .72, 3, 1, 4, 1.3, 5, 1.53, 6, 1.75, 9, 2.4}, 62.5, false},
	{"resnet-50", 10, 1.15, []float64{1, .4, 2, .74, 3, 1, 4, 1.15}, 62.5, false},
	{"gnmt", 35, 1, []float64{1, 1}, 20, true},
	{"transformer", 35, 1, []float64{1, 1}, 20, true},
	{"deepspeech", 10, 1, []float64{1, .3, 2, .66, 3, 1}, 62.5, false},
}

// SynergyWorld is a cluster of 16 of Synergy's servers, each with 8 V100, 24 CPUs and 500 GB, and so many drawn jobs
// with its sizes, lengths and mix of models, of which perH come in an hour; hosts are shared as split says.
func SynergyWorld(seed uint64, jobs int, perH float64, split string) *scenario.Document {
	d := &scenario.Document{Kind: scenario.Kind, Version: scenario.Version}
	d.Meta.Title = "Synergy's kind of jobs, hosts " + split + ", seed " + strconv.FormatUint(seed, 10)
	s := &d.Scenario
	s.Seed, s.RoundS = seed, 300
	s.Cluster.HostSplit = split
	for i := range 16 {
		s.Cluster.Nodes = append(s.Cluster.Nodes, scenario.Node{ID: "n" + strconv.Itoa(i+1),
			GPUs: map[string]int{"v100": 8}, CPUs: 24, MemoryGB: 500})
	}
	g := &scenario.Generator{Count: jobs, GPUs: map[string]float64{"1": 70, "2": 10, "4": 15, "8": 5}}
	g.Arrivals.Process, g.Arrivals.RatePerH = "poisson", perH
	for _, m := range synergyModels {
		r := scenario.Row{Model: m.model, PerGPU: map[string]float64{"v100": 1}, Source: "Synergy's profile, as parts"}
		for k := 0; k < len(m.cpus); k += 2 {
			r.CPUs = append(r.CPUs, scenario.HostPoint{PerGPU: m.cpus[k], Speed: m.cpus[k+1] / m.best})
		}
		if !m.spares {
			r.MemoryGB = append(r.MemoryGB, scenario.HostPoint{PerGPU: 20.83, Speed: 0.1 / m.best})
		}
		r.MemoryGB = append(r.MemoryGB, scenario.HostPoint{PerGPU: m.needs, Speed: 1})
		s.Throughputs.Rows = append(s.Throughputs.Rows, r)
		g.Models = append(g.Models, scenario.ModelShare{Model: m.model, Share: m.share})
	}
	s.Generator = g
	return d
}

// UnequalWorkers is one job on four workers whose speeds are as the CPUs of the most unequal mix that public code of
// dynamic batching trains on, 6, 6, 4 and 32; each is drawn within a tenth of that.
func UnequalWorkers(seed uint64, split string) *scenario.Document {
	d := &scenario.Document{Kind: scenario.Kind, Version: scenario.Version}
	d.Meta.Title = "Four unequal workers, batch " + split + ", seed " + strconv.FormatUint(seed, 10)
	s := &d.Scenario
	s.Seed, s.RoundS = seed, 360
	rng := unit.Stream(seed, "workers")
	row := scenario.Row{Model: "resnet-18", PerGPU: map[string]float64{}, Source: "made up"}
	for i, cpus := range []float64{6, 6, 4, 32} {
		typ := "worker" + strconv.Itoa(i+1)
		s.Cluster.Nodes = append(s.Cluster.Nodes, scenario.Node{ID: "n" + strconv.Itoa(i+1),
			GPUs: map[string]int{typ: 1}})
		row.PerGPU[typ] = float64(cpus * (0.9 + float64(0.2*rng.Float64())))
	}
	s.Throughputs.Rows = []scenario.Row{row}
	s.Jobs = []scenario.Job{{ID: "j1", Model: row.Model, GPUs: 4, Steps: 100_000, Weight: 1,
		BatchSplit: split}}
	return d
}
