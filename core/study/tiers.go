package study

import (
	"math"
	"strconv"

	"hadarlab/core/model"
	"hadarlab/core/network"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// tierModels are eight models with megabytes of gradients (four bytes a parameter) and seconds of computation a step.
// The times are our choice for one V100 at a usual batch.
var tierModels = [...]struct {
	name        string
	mb, compute float64
}{
	{"resnet-18", 46.8, 0.06}, {"resnet-50", 102.4, 0.22}, {"vgg-16", 553.4, 0.25}, {"inception-v3", 95.2, 0.25},
	{"bert-base", 440, 0.2}, {"bert-large", 1340, 0.45}, {"gpt-2", 496, 0.3}, {"mobilenet-v2", 14, 0.1},
}

// tierSizes are how many of a hundred jobs ask for so many GPUs.
var tierSizes = [...][2]int{{1, 40}, {2, 10}, {4, 15}, {8, 22}, {16, 8}, {32, 4}, {64, 1}}

// Tiers is a batch of jobs on 512 V100 in eight racks of eight nodes of eight, whose gradients take so long that it
// matters how far apart a gang lies; congestion divides what the nodes' NICs carry. Jobs last 10^1.5 to 10^3 minutes,
// one in five 10^3 to 10^3.7, at their best place on the network without congestion. All of it is our choice. Gangs may
// share the links between nodes.
func Tiers(seed uint64, jobs int, congestion float64, shared bool) *scenario.Document {
	net := &scenario.Network{NodeGBPerS: 130, NICGBPerS: 11, NodeLatencyUs: 5, RackLatencyUs: 5, AcrossLatencyUs: 8,
		Oversubscription: 4, Congestion: congestion, SharedLinks: shared}
	s := scenario.Scenario{Seed: seed, RoundS: 300, Overheads: scenario.Overheads{RestartS: 60}}
	s.Cluster.Network = net
	for i := range 64 {
		s.Cluster.Nodes = append(s.Cluster.Nodes, scenario.Node{ID: "n" + strconv.Itoa(i+1),
			Rack: "r" + strconv.Itoa(i/8+1), GPUs: map[string]int{"v100": 8}})
	}
	for _, m := range tierModels {
		s.Throughputs.Rows = append(s.Throughputs.Rows, scenario.Row{Model: m.name, GradientMB: m.mb,
			PerGPU: map[string]float64{"v100": round4(1 / m.compute)}, Source: "made up"})
	}
	fast := network.Net{Node: network.Link{BytesPerS: 130e9, Latency: 5e-6},
		NIC: network.Link{BytesPerS: 11e9, Latency: 5e-6}, Across: 8e-6, Oversubscription: 4, Congestion: 1}
	sizes, lengths, models := unit.Stream(seed, "tier sizes"), unit.Stream(seed, "tier lengths"),
		unit.Stream(seed, "tier models")
	for j := range jobs {
		u, gpus := sizes.IntN(100), 0
		for _, x := range tierSizes {
			if u -= x[1]; u < 0 {
				gpus = x[0]
				break
			}
		}
		m := &s.Throughputs.Rows[models.IntN(len(tierModels))]
		tier := model.OneNode
		if gpus > 8 {
			tier = model.OneRack
		}
		exponent := 1.5 + float64(1.5*lengths.Float64())
		if lengths.IntN(5) == 0 {
			exponent = 3 + float64(0.7*lengths.Float64())
		}
		rate := fast.Rate(m.PerGPU["v100"], m.GradientMB*1e6, gpus, 8, tier)
		s.Jobs = append(s.Jobs, scenario.Job{ID: "j" + strconv.Itoa(j+1), Model: m.Model, GPUs: gpus, Weight: 1,
			Steps: math.Ceil(60 * unit.Exp(exponent*unit.Log(10)) * rate)})
	}
	return &scenario.Document{Kind: scenario.Kind, Version: scenario.Version, Scenario: s, Meta: scenario.Meta{
		Title: "Tiers, seed " + strconv.Itoa(int(seed))}}
}

// TierLanes are the policies that the tiers compare: in order of arrival without evictions, with and without upgrades,
// and then what each part of the policy brings.
func TierLanes() []Lane {
	plain := func(name, id string, upgrade bool, params ...any) Lane {
		return NewLane(id, append(params, "order", "arrival", "evict", false, "upgrade", upgrade)...).Named(name)
	}
	hours := func(a, b float64) []any { return []any{"w0_s", a * 3600, "w1_s", b * 3600} }
	return []Lane{
		plain("no-wait", "dally-nowait", false),
		plain("fully consolidated", "dally-consolidated", false),
		plain("manual 1 h/2 h, submission clock", "dally-manual", false, append(hours(1, 2), "clock", "submit")...),
		plain("manual 6 h/12 h", "dally-manual", false),
		plain("manual 6 h/12 h, upgrade", "dally-manual", true),
		plain("no-wait, upgrade", "dally-nowait", true),
		plain("auto bare mean, submission clock", "dally", false, "clock", "submit", "head", 1.0,
			"spread", 0.0, "floor_s",
			0.0),
		plain("auto, upgrade", "dally", true),
		NewLane("dally"),
		NewLane("dally", "tune", false).Named("dally tune=false"),
		NewLane("dally", "upgrade", false).Named("dally upgrade=false"),
		NewLane("dally", "evict", false).Named("dally evict=false"),
		NewLane("dally", "order", "arrival").Named("dally order=arrival"),
		NewLane("dally", "w0_s", 0.0, "w1_s", 0.0, "tune", false).Named("dally timers=0"),
		NewLane("tiresias"),
		NewLane("a-srpt"),
	}
}

// Communication is the part of the time of running GPUs that goes into averaging gradients over links: what their jobs
// lose against GPUs without any distance.
func Communication(p *model.Problem, tr *trace.Trace) float64 {
	busy, lost := 0.0, 0.0
	s := &tr.Spans
	for i := range s.Job {
		if s.Kind[i] != trace.Run {
			continue
		}
		n := 0.0
		for _, sh := range s.Shards[s.ShardAt[i]:s.ShardAt[i+1]] {
			n += float64(sh.N)
		}
		one := p.Tables[p.Jobs[s.Job[i]].Phases[0].Tables[0]].Rate(0, 1, model.OneNode)
		time := float64(n * (s.To[i] - s.From[i]).Seconds())
		busy += time
		lost += float64(time * (1 - float64(s.Rate[i])/n/float64(one)))
	}
	return lost / busy
}
