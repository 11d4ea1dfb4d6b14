package study

import (
	"math"
	"strconv"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// MixSizes are how many jobs each of the ten mixes has. They compare HadarE with Hadar and Gavel on five nodes, as its
// paper does, which we remember and have not read: all of the following, mixes, steps and speeds, are our choices.
var MixSizes = [...]int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12}

// MixPolicies are the policies that the mixes compare.
var MixPolicies = []string{"hadare", "hadar", "gavel-las"}

// mixModels are cycled through: speeds in steps/s of one V100 and one K80 are Gavel's measurements. MiMa,
// a weather transformer that nobody has measured, gets the Transformer's.
var mixModels = [...]struct {
	name      string
	batch     int
	v100, k80 float64
}{
	{"transformer", 128, 5.446, 0.982}, {"resnet-18", 128, 17.995, 1.807}, {"lm", 80, 28.240, 6.054},
	{"recommendation", 2048, 7.470, 10.441}, {"mima", 128, 5.446, 0.982},
}

// bandwidths are GB/s of the memory of GPUs that nobody has measured these models on, and of the V100's, from their
// makers' sheets.
var bandwidths = map[string]float64{"v100": 900, "t4": 320, "a10g": 600, "titan-rtx": 672, "t400": 80, "rtx3090": 936,
	"rtx-a2000": 288}

// estimate is the speed on a type that nobody has measured: the V100's times the lesser ratio of single-precision rate
// and memory bandwidth.
func estimate(v100 float64, typ string) float64 {
	ref, _ := scenario.CatalogueType("v100")
	of, _ := scenario.CatalogueType(typ)
	return round4(v100 * math.Min(of.FP32TFLOPS/ref.FP32TFLOPS, bandwidths[typ]/bandwidths["v100"]))
}

// testbed is five nodes of one GPU each on which the mixes run.
type testbed struct {
	title    string // goes before the number of jobs
	types    []string
	measured []string // of these, those on which Gavel measured the models
	source   string   // of speeds
	notes    string
	lanes    []Lane
}

// Mixes generates the ten scenarios from a seed: 1 to 12 jobs of one GPU at time 0 on five unequal
// single-GPU nodes, each model long enough for 30 to 150 minutes on a V100, rounds of 360 s, 20 s for a
// restart and for HadarE's merge.
func Mixes(seed uint64) []*scenario.Document {
	var lanes []Lane
	for _, id := range MixPolicies {
		lanes = append(lanes, NewLane(id))
	}
	return mixes(seed, &testbed{title: "Mix", types: []string{"v100", "k80", "t4", "t4", "a10g"},
		measured: []string{"v100", "k80"}, source: "V100, K80: Gavel, measured; others by hardware figures",
		notes: "Generated: five unequal single-GPU nodes; models cycle through Transformer, ResNet-18, LM, Recommendation and MiMa, whose lengths are drawn from the seed. Which jobs, how long and how fast: our choices; HadarE's paper, which we remember and have not read, has mixes of its own. MiMa's speeds are made up.",
		lanes: lanes})
}

// mixes are the ten mixes on a testbed: those of one seed have the same jobs on every testbed.
func mixes(seed uint64, bed *testbed) []*scenario.Document {
	out := make([]*scenario.Document, len(MixSizes))
	for m, jobs := range MixSizes {
		random := unit.Stream(seed, "mix "+strconv.Itoa(m+1))
		s := scenario.Scenario{Seed: seed, RoundS: 360, Overheads: scenario.Overheads{RestartS: 20, MergeS: 20},
			Policies: policies(bed.lanes)}
		for i, typ := range bed.types {
			s.Cluster.Nodes = append(s.Cluster.Nodes,
				scenario.Node{ID: "n" + strconv.Itoa(i+1), GPUs: map[string]int{typ: 1}})
		}
		steps := make([]float64, len(mixModels))
		for k, model := range mixModels {
			minutes := 30 + float64(random.IntN(121))
			steps[k] = math.Round(minutes * 60 * model.v100)
			if k >= jobs {
				continue
			}
			row := scenario.Row{Model: model.name, Batch: model.batch, Source: bed.source,
				PerGPU: map[string]float64{}}
			if model.name == "mima" {
				row.Source = "made up: the Transformer's"
			}
			for _, typ := range bed.types {
				row.PerGPU[typ] = estimate(model.v100, typ)
			}
			for _, typ := range bed.measured {
				row.PerGPU[typ] = map[string]float64{"v100": model.v100, "k80": model.k80}[typ]
			}
			s.Throughputs.Rows = append(s.Throughputs.Rows, row)
		}
		for j := range jobs {
			k := j % len(mixModels)
			s.Jobs = append(s.Jobs, scenario.Job{ID: "j" + strconv.Itoa(j+1), Model: mixModels[k].name,
				Batch: mixModels[k].batch, GPUs: 1, Steps: steps[k], Weight: 1})
		}
		out[m] = &scenario.Document{Kind: scenario.Kind, Version: scenario.Version, Scenario: s, Meta: scenario.Meta{
			Title: bed.title + " " + strconv.Itoa(m+1) + ", jobs: " + strconv.Itoa(jobs), Notes: bed.notes}}
	}
	return out
}

func round4(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// MixRow is one line of the table: one policy on one mix.
type MixRow struct {
	Mix             int     `json:"mix"`
	Jobs            int     `json:"jobs"`
	Policy          string  `json:"policy"`
	MakespanS       float64 `json:"makespan_s"`
	AvgJCTS         float64 `json:"avg_jct_s"`
	NodeUtilization float64 `json:"node_utilization"`
	Outcome         string  `json:"outcome"`
	// GPUOver is the part of the GPU time that jobs hold which is beyond what they asked for.
	GPUOver float64 `json:"gpu_over"`
}

// MixTable runs every mix under every policy.
func MixTable(seed uint64) ([]MixRow, jsondoc.Diagnostics) {
	var rows []MixRow
	for m, doc := range Mixes(seed) {
		res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc.Marshal(false)})
		if diags.HasErrors() {
			return nil, diags
		}
		if len(failed) > 0 {
			return nil, failed[0].Diagnostics
		}
		for i := range res.Runs {
			r := &res.Runs[i]
			f := &r.Metrics
			rows = append(rows, MixRow{m + 1, len(doc.Scenario.Jobs), r.Policy, f.MakespanS, f.AvgJCTS,
				f.NodeUtilization, r.Outcome, f.GPUOverS / (f.BusyGPUS + f.StalledGPUS + f.HoldGPUS)})
		}
	}
	return rows, nil
}
