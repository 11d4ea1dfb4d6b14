package claims

import (
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

var dally2024 = &Paper{
	Key: "dally-2024", Year: 2024, Link: "https://arxiv.org/abs/2401.16492",
	Cite:  "Sharma, Bhasi, Singh, Kesidis, Kandemir, Das: Dally (arXiv 2401.16492, 2024)",
	Title: "GPU Cluster Scheduling for Network-Sensitive Deep Learning",
	Read:  "its abstract",
	Believe: "Every formula of Dally-style is ours, so that these rows judge our rebuilding. On a congested " +
		"network the last finish changes by {dally-2024-makespan} against a scheduler that always waits for the " +
		"closest GPUs, and by far more against one that never waits. Mean completion is longer, by our default " +
		"order, and communication is no cheaper than where everybody waits.",
}

func init() {
	tiers := func(jobs int, congestion float64) drawn {
		return one(func(seed uint64) *scenario.Document { return study.Tiers(seed, jobs, congestion, false) })
	}
	// The lane that does not wait is the prevailing kind that minds no distance; the consolidating one waits for ever.
	plain := []any{"order", "arrival", "evict", false, "upgrade", false}
	consolidated := lane("dally-consolidated", plain...).Named("consolidating")
	nowait := lane("dally-nowait", plain...).Named("never waiting")
	communication := Value{"GPU time that goes into communication", message.Ratio, -1,
		func(o *Outcome) float64 { return o.Communication }}
	const known = "That it was simulated on traces of real clusters against schedulers that consolidate"
	row := func(c *Claim, value Value, against study.Lane, congestion float64) *Claim {
		w := &World{Docs: tiers(500, congestion), Of: lane("dally"), Against: against, Value: value}
		c.Paper, c.Unit, c.Known, c.World = dally2024, Less, known, w
		c.Where = "abstract, “up to”"
		c.Ours = "A batch of 500 jobs with gradients, made up, on 512 GPUs in eight racks, congested: NICs carry a " +
			"tenth, and gangs do not share them. Never waiting and consolidating go by arrival and move no job. The claims " +
			"are “up to”: they hold of the paper’s best case, and ours is a mean."
		c.Small = &World{Docs: tiers(200, congestion), Of: w.Of, Against: against, Value: value}
		c.Cut = "200 jobs"
		to := func(choice, value string, change func(*World)) {
			x := *w
			change(&x)
			c.Movers = append(c.Movers, Mover{Choice: choice, Value: value, World: &x})
		}
		to("order", "by arrival", func(w *World) {
			w.Of = lane("dally", "order", "arrival").Named("dally, by arrival")
		})
		to("network", "not congested", func(w *World) { w.Docs = tiers(500, 1) })
		to("network", "congested 3 times", func(w *World) { w.Docs = tiers(500, 3) })
		to("links", "shared by gangs", func(w *World) {
			w.Docs = one(func(seed uint64) *scenario.Document { return study.Tiers(seed, 500, congestion, true) })
		})
		to("load", "200 jobs", func(w *World) { w.Docs = tiers(200, congestion) })
		for _, l := range []study.Lane{consolidated, nowait, lane("tiresias")} {
			if l.Name != against.Name {
				to("compared with", l.Name, func(w *World) { w.Against = l })
			}
		}
		to("moves", "none", func(w *World) {
			w.Of = lane("dally", "upgrade", false, "evict", false).Named("dally without moves")
		})
		return c
	}
	add(
		row(&Claim{ID: "dally-2024-makespan", As: DirectionOnly, Published: at(0.69),
			Says: "The last finish comes up to 69 % sooner than under schedulers that consolidate.",
			Reason: "Against a scheduler that always waits for the closest GPUs little is won, and that by order " +
				"and moves; against Tiresias, or one that neither waits nor moves jobs later, a long job in a bad " +
				"place decides, and as much is won as published. The paper’s second version gives 68 % as a mean."},
			metricValue("makespan_s"), consolidated, 10),
		row(&Claim{ID: "dally-2024-completion", As: NotReproduced, Published: at(0.83),
			Says: "Mean completion is up to 83 % shorter.",
			Reason: "Our default order, who was harmed most goes first, is weak for the mean where many jobs " +
				"wait: by arrival it is better. The abstract leaves the order open."},
			metricValue("avg_jct_s"), consolidated, 10),
		row(&Claim{ID: "dally-2024-communication", As: NotReproduced, Published: at(0.98),
			Says: "Communication is up to 98 % cheaper in a congested network.",
			Reason: "Gangs wider than a node have to communicate wherever they lie; only what is avoidable can be " +
				"saved, and who always waits saves all of that. Against one that never waits it is cheaper here, " +
				"too."},
			communication, consolidated, 10),
	)
}
