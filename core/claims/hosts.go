package claims

import (
	"fmt"
	"math"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

// between is how many times longer a figure of a lane is on one form of a seed's scenario than on another.
func between(l study.Lane, value Value, docs func(seed uint64) (long, short *scenario.Document)) func(uint64) (float64,
	error) {
	return func(seed uint64) (float64, error) {
		var of [2]float64
		long, short := docs(seed)
		for i, d := range []*scenario.Document{long, short} {
			o, err := (&Piece{seed, l, d}).Run(func() bool { return false })
			if err != nil {
				return 0, fmt.Errorf("seed %d: %w", seed, err)
			}
			of[i] = value.Of(o)
		}
		return of[0] / of[1], nil
	}
}

func init() {
	jct := metricValue("avg_jct_s")
	ratio := Value{"Mean completion, over that with the paper’s idea", message.Plain, 1, nil}
	// hosts are servers shared tuned, against by GPUs, under an order.
	hosts := func(order string, jobs int, change func(*scenario.Scenario)) *World {
		shared := func(split string) drawn {
			drawn := one(func(seed uint64) *scenario.Document { return study.SynergyWorld(seed, jobs, 3.5, split) })
			return changed(drawn, change)
		}
		return &World{Of: lane(order), Value: ratio, Docs: shared("tuned"),
			Alone: between(lane(order), jct, func(seed uint64) (long, short *scenario.Document) {
				return shared("proportional")(seed)[0], shared("tuned")(seed)[0]
			})}
	}
	// mix are image, language and speech jobs in these parts; models of a kind are alike often.
	mix := func(image, language, speech float64) func(*scenario.Scenario) {
		share := map[string]float64{"resnet-18": image / 2, "resnet-50": image / 2, "gnmt": language / 2,
			"transformer": language / 2, "deepspeech": speech}
		return func(s *scenario.Scenario) {
			var models []scenario.ModelShare
			for _, m := range s.Generator.Models {
				if m.Share = share[m.Model]; m.Share > 0 {
					models = append(models, m)
				}
			}
			s.Generator.Models = models
		}
	}
	arriving := func(load float64) func(*scenario.Scenario) {
		return func(s *scenario.Scenario) { s.Generator.Arrivals.RatePerH = load }
	}
	sharing := []Mover{
		{Choice: "load", Value: "2.5 jobs/h", World: hosts("fifo", 400, arriving(2.5))},
		{Choice: "load", Value: "4.5 jobs/h", World: hosts("fifo", 400, arriving(4.5))},
		{Choice: "mix of image, language and speech jobs", Value: "34, 33 and 33 %",
			World: hosts("fifo", 400, mix(34, 33, 33))},
		{Choice: "mix of image, language and speech jobs", Value: "50, 0 and 50 %",
			World: hosts("fifo", 400, mix(50, 0, 50))},
		{Choice: "order", Value: "least remaining time first", World: hosts("srtf", 400, asSet)},
		{Choice: "number of jobs", Value: "1600", World: hosts("fifo", 1600, asSet)},
	}
	// workers are unequal ones whose batch is split by their speeds, against evenly.
	workers := func(split string, change func(*scenario.Scenario)) *World {
		of := func(split string) drawn {
			drawn := one(func(seed uint64) *scenario.Document { return study.UnequalWorkers(seed, split) })
			return changed(drawn, change)
		}
		return &World{Of: lane("hadar"), Value: ratio, Docs: of(split),
			Alone: between(lane("hadar"), jct, func(seed uint64) (long, short *scenario.Document) {
				return of("")(seed)[0], of(split)(seed)[0]
			})}
	}
	slowest := func(factor float64) func(*scenario.Scenario) {
		return func(s *scenario.Scenario) { s.Throughputs.Rows[0].PerGPU["worker3"] *= factor }
	}
	balancing := []Mover{
		{Choice: "slowest worker", Value: "half as fast", World: workers(scenario.SplitBalanced, slowest(0.5))},
		{Choice: "slowest worker", Value: "half again as fast", World: workers(scenario.SplitBalanced, slowest(1.5))},
		{Choice: "split", Value: "learned by measuring", World: workers(scenario.SplitLearned, asSet)},
	}
	add(
		&Claim{ID: "synergy-2022-completion", As: DirectionOnly,
			Paper: &Paper{Key: "synergy-2022", Year: 2022, Link: "https://arxiv.org/abs/2110.06073",
				Cite:  "Mohan, Phanishayee, Kulkarni, Chidambaram: Synergy (OSDI 2022)",
				Title: "Looking Beyond GPUs for DNN Scheduling on Multi-Tenant Clusters",
				Read:  "its abstract, and the profiles and configurations of its artifact"},
			Published: at(3.4), Unit: Times, Where: "abstract, up to 3.4 times",
			Says: "Sharing CPUs and memory by what jobs can use improves mean completion by up to 3.4 times.",
			Known: "Servers of 8 GPUs, 24 CPUs and 500 GB; profiles of models by CPUs and memory; sizes and lengths of " +
				"jobs",
			Ours: "16 servers; 400 jobs, 3.5 an hour, first come, first served; models in its mix of 20 image, 70 " +
				"language and 10 speech jobs, five of its models; each node is shared tuned, in our form, against by GPUs.",
			World: hosts("fifo", 400, asSet), Small: hosts("fifo", 100, asSet), Cut: "100 jobs", Movers: sharing,
			Reason: "Of these models only ResNet-18 gains much, a tenth of the jobs, and only language models have CPUs " +
				"to give. The published figure " +
				"is the best of its experiments; at which load and mix is not known to us. The longer jobs queue, the more " +
				"is gained, as with 1,600 of them; with 400, other loads, the artifact’s other mixes and another order " +
				"hardly move it."},
		&Claim{ID: "dynamic-batching-2023-training", As: DirectionOnly,
			Paper: &Paper{Key: "dynamic-batching-2023", Year: 2023, Link: "https://arxiv.org/abs/2305.12213",
				Cite:  "Tyagi, Sharma: Taming Resource Heterogeneity … (arXiv 2305.12213, 2023)",
				Title: "Taming Resource Heterogeneity In Distributed ML Training With Dynamic Batching",
				Read:  "its abstract, and public code"},
			Published: Band{4, math.Inf(1)}, Unit: Times, Where: "abstract, over 4 times",
			Says: "On unequal workers training is over 4 times shorter where each has so much of the batch that all are " +
				"done together.",
			Known: "Four workers with 6, 6, 4 and 32 CPUs are the most unequal mix of the public code",
			Ours: "One job under Hadar on four GPUs whose speeds are as those CPUs, each drawn within a tenth of that; balanced " +
				"perfectly and at once, against even batches.",
			World: workers(scenario.SplitBalanced, asSet), Movers: balancing,
			Reason: "Balance brings the mean speed in the place of the least: 12 over 4 on that mix. More than 4 times " +
				"needs workers more unequal than these, or time that the lab does not have."},
		&Claim{ID: "omnilearn-2025-training", As: Reproduced,
			Paper: &Paper{Key: "omnilearn-2025", Year: 2025, Link: "https://arxiv.org/abs/2503.17469",
				Cite: "Tyagi, Sharma: OmniLearn (arXiv 2503.17469, 2025)", Read: "its abstract, and public code"},
			Published: Band{1 / (1 - 0.14), 1 / (1 - 0.85)}, Unit: Times, Where: "abstract, 14 to 85 % less time",
			Says: "On unequal workers training is done in 14 to 85 % less time where each has so much of the batch " +
				"as it can do in the time of the others: 1.16 to 6.67 times faster.",
			Known: "By the same authors as the row on dynamic batching, with the same public code",
			Ours: "One job under Hadar on four GPUs whose speeds are as 6, 6, 4 and 32 CPUs, each drawn within a tenth " +
				"of that; balanced perfectly and at once, against even batches.",
			World: workers(scenario.SplitBalanced, asSet), Movers: balancing,
			Reason: "The range is so wide that nearly any unequal workers lie in it. Accuracy, of which the abstract " +
				"has a figure, too, is not tried: a job here has none."},
	)
}
