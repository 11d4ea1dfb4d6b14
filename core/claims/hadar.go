package claims

import (
	"fmt"
	"math"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

var hadar2024 = &Paper{
	Key: "hadar-2024", Year: 2024, Link: "https://doi.org/10.1109/ipdps57955.2024.00066",
	Cite:  "Sultana, Xu, Yuan, Chen, Tzeng: Hadar (IPDPS 2024)",
	Title: "Hadar: Heterogeneity-Aware Optimization-Based Online Scheduling for Deep Learning Cluster",
	Read:  "its abstract",
	Believe: "That it completes jobs sooner than a queue without preemption is shown: " +
		"{hadar-2024-completion-yarn}, the mean of scenarios in which all jobs come at once, where it is far more, " +
		"and of others in which GPUs are mostly free. Against Gavel’s max-min it is {hadar-2024-completion-gavel}, not 2.5×, " +
		"and by the utility that we remember as the paper’s below 1; against Gavel’s makespan policy, which does " +
		"not look at the mean, it is more. Which of Gavel’s policies is meant, how waiting is " +
		"counted and how jobs arrive decide the row on waiting, Hadar’s utility the one on unfairness. That " +
		"other schedulers can be " +
		"expressed is shown of two objectives, mean completion and fairness, and not of total time, by utilities " +
		"of ours.",
}

var hadar2025 = &Paper{
	Key: "hadar-2025", Year: 2025, Link: "https://arxiv.org/abs/2503.10918",
	Cite:  "Sultana, Pakka, Xu, Yuan, Chen, Tzeng: Hadar and HadarE (arXiv 2503.10918, 2025)",
	Title: "Resource Heterogeneity-Aware and Utilization-Enhanced Scheduling for Deep Learning Clusters",
	Read:  "its abstract and first lines",
	Believe: "HadarE’s copies help where nodes would idle: most with one job, least with more jobs than nodes. " +
		"The time until all is done changes by {hadar-2025-forks-aws} over our mixes on nodes like AWS’s, and by " +
		"{hadar-2025-forks-lab} on those of the laboratory; claimed are −50 and −80 %. Nodes are in use " +
		"{hadar-2025-forks-use} as much. That Hadar itself finishes everything 1.20 times faster than Gavel is " +
		"not shown: it is {hadar-2025-total-time} with jobs like Philly’s. Better models are not shown; " +
		"that each round begins with copies on all nodes is, in every case.",
}

// sixtyGPUs is the experiment of both papers on Hadar as we remember it: 480 jobs on 20 V100, 20 P100 and 20 K80.
type sixtyGPUs struct {
	workload, arrivals string // arrivals "both": a scenario of either
	jobs               int
	stalls             bool
	of, against        study.Lane
	metric             string
}

func (x sixtyGPUs) world() *World {
	arrivals := []string{x.arrivals}
	if x.arrivals == "both" {
		arrivals = []string{"static", "poisson"}
	}
	return &World{Of: x.of, Against: x.against, Value: metricValue(x.metric),
		Docs: func(seed uint64) (docs []*scenario.Document) {
			for _, a := range arrivals {
				c := study.Case{Workload: x.workload, Arrivals: a, Seed: seed, Stalls: x.stalls}
				docs = append(docs, c.Document(x.jobs))
			}
			return docs
		}}
}

// with is the experiment after a change.
func (x sixtyGPUs) with(change func(*sixtyGPUs)) *World {
	change(&x)
	return x.world()
}

// movers are the choices that the abstracts leave open.
func (x sixtyGPUs) movers(against ...study.Lane) []Mover {
	to := func(choice, value string, change func(*sixtyGPUs)) Mover {
		return Mover{Choice: choice, Value: value, World: x.with(change)}
	}
	measured := func(value, metric string) Mover {
		return to("measured as", value, func(x *sixtyGPUs) { x.metric = metric })
	}
	param := func(choice, name string, value any) Mover {
		return to(choice, text(value), func(x *sixtyGPUs) { x.of = study.NewLane("hadar", name, value) })
	}
	out := []Mover{
		to("jobs", "five models, as we remember the paper’s", func(x *sixtyGPUs) { x.workload = "five-models" }),
		to("jobs", "Gavel’s mix", func(x *sixtyGPUs) { x.workload = "gavel-mix" }),
		to("arrivals", "Poisson", func(x *sixtyGPUs) { x.arrivals = "poisson" }),
		to("stalls", "none", func(x *sixtyGPUs) { x.stalls = false }),
		to("number of jobs", "240", func(x *sixtyGPUs) { x.jobs = 240 }),
		to("number of jobs", "960", func(x *sixtyGPUs) { x.jobs = 960 }),
		param("utility (effective is the paper’s, as we remember)", "utility", "effective"),
		param("utility (effective is the paper’s, as we remember)", "utility", "makespan"),
		param("prices charged for", "cost", "round"),
		param("order", "order", "lifetime_density"),
		param("idle GPUs given away", "work_conserving", true),
	}
	if x.arrivals != "static" {
		out = append(out, to("arrivals", "all at 0", func(x *sixtyGPUs) { x.arrivals = "static" }))
	}
	switch x.metric {
	case "avg_queue_s":
		out = append(out, measured("all time without GPUs", "avg_wait_s"))
	case "ftf_avg":
		out = append(out, measured("the median ρ", "ftf_p50"), measured("the worst ρ", "ftf_max"))
	}
	for _, l := range against {
		out = append(out, to("compared with", l.Name, func(x *sixtyGPUs) { x.against = l }))
	}
	return out
}

// lane is a policy under its defaults, or with parameters.
func lane(id string, params ...any) study.Lane { return study.NewLane(id, params...) }

func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return "on"
}

const (
	sixtyKnown = "As we remember: 480 jobs of the Philly trace on 60 GPUs of three types, rounds of 360 s, by " +
		"simulation"
	sixtyOurs = "Jobs are drawn, with Philly’s lengths and its gangs of up to 8 GPUs, and Gavel’s measured " +
		"speeds; nodes of four GPUs; a restart stalls 20 s, a checkpoint 10 s. Hadar goes by the lab’s own " +
		"utility and order (“normalised”, “density”); Gavel is its max-min policy, gavel-las. "
	sixtyObjective = "Jobs are drawn, with Philly’s lengths and its gangs of up to 8 GPUs, and Gavel’s measured " +
		"speeds; nodes of four GPUs; a restart stalls 20 s, a checkpoint 10 s. How the objective becomes a utility is " +
		"ours (the manual’s page on Hadar); set for throughput is “effective”, the paper’s own as we remember. "
	sixtyBoth = "Each seed has all jobs at 0 and, as a second scenario, Poisson arrivals."
	sixtyOnce = "All jobs come at 0: with Poisson arrivals GPUs are mostly free, and jobs wait for little but " +
		"the next decision: Hadar’s rounds are 360 s apart, Gavel’s allocations 1,920 s or more."
	sixtyCut = "240 jobs, all at 0"
)

func init() {
	x := sixtyGPUs{workload: "philly", arrivals: "both", jobs: 480, stalls: true, of: lane("hadar"),
		against: lane("gavel-las"), metric: "makespan_s"}
	row := func(c *Claim, x sixtyGPUs, others ...study.Lane) *Claim {
		c.Known, c.Ours, c.Cut = sixtyKnown, sixtyOurs+sixtyBoth, sixtyCut
		c.Form = Form{Axis: "arrivals", Groups: []string{"all at 0", "Poisson"}}
		if x.arrivals == "static" {
			c.Ours, c.Form = sixtyOurs+sixtyOnce, Form{}
		}
		c.World = x.world()
		c.Small = x.with(func(x *sixtyGPUs) { x.jobs, x.arrivals = 240, "static" })
		c.Movers = x.movers(others...)
		return c
	}
	of := func(metric string, against study.Lane) sixtyGPUs {
		y := x
		y.metric, y.against = metric, against
		if metric == "avg_queue_s" {
			y.arrivals = "static" // see sixtyOnce
		}
		return y
	}
	gavel, makespan, ftf := lane("gavel-las"), lane("gavel-makespan"), lane("gavel-ftf")
	add(
		row(&Claim{ID: "hadar-2025-total-time", As: NotReproduced,
			Paper: hadar2025, Where: "abstract", Published: at(1.20), Unit: Times,
			Says: "Hadar finishes all jobs 1.20 times faster than Gavel.",
			Reason: "The last finish is decided by the longest jobs. Hadar as it is rebuilt here prefers short " +
				"ones, so that long ones end alone; which jobs and which of Gavel’s policies the paper took is " +
				"not known to us."},
			of("makespan_s", gavel), makespan, ftf),
		row(&Claim{ID: "hadar-2024-completion-yarn", As: Reproduced,
			Paper: hadar2024, Where: "abstract", Published: at(3), Unit: Times,
			Says: "Mean completion is 3 times better under Hadar than under YARN-CS.",
			Reason: "With all jobs at 0, and with more of them, the queue is long and a blocked head costs much; " +
				"with Poisson arrivals it blocks in some draws only. The published factor lies between."},
			of("avg_jct_s", lane("yarn-cs"))),
		row(&Claim{ID: "hadar-2024-completion-gavel", As: DirectionOnly,
			Paper: hadar2024, Where: "abstract", Published: at(2.5), Unit: Times,
			Says: "Mean completion is 2.5 times better under Hadar than under Gavel.",
			Reason: "Which of Gavel’s policies was compared decides, and the abstract does not say it: against " +
				"its makespan policy the published factor lies in the interval. So does Hadar’s utility: by the one " +
				"that we remember as the paper’s Gavel’s max-min is better."},
			of("avg_jct_s", gavel), makespan, ftf),
		row(&Claim{ID: "hadar-2024-queueing", As: NotReproduced,
			Paper: hadar2024, Where: "abstract", Published: at(0.13), Unit: Less,
			Says: "Jobs wait 13 % less in the queue under Hadar.",
			Reason: "The abstract does not say which of Gavel’s policies is meant. We take the time from arrival to " +
				"the first start, which a scheduler that lets all jobs take turns keeps short by giving each " +
				"little."},
			of("avg_queue_s", gavel), lane("yarn-cs"), makespan),
		row(&Claim{ID: "hadar-2024-fairness", As: DirectionOnly,
			Paper: hadar2024, Where: "abstract", Published: at(0.015), Unit: Less,
			Says: "Unfairness, the finish-time ratio ρ, is 1.5 % lower under Hadar.",
			Reason: "The abstract does not say which of Gavel’s policies is meant nor which mean; here it is the " +
				"mean ρ of all jobs against Gavel’s max-min, of which less is fairer. Short jobs that wait make " +
				"the mean, and Hadar prefers short ones. By the utility that we remember as the paper’s the mean " +
				"comes out worse than Gavel’s, not better."},
			of("ftf_avg", gavel), ftf, lane("yarn-cs")),
		objective("completion", "avg_jct", "avg_jct_s", gavel, DirectionOnly,
			"Set for mean completion, Hadar completes jobs sooner on the mean than set for throughput.",
			"Where many jobs wait it does; with Poisson arrivals few wait, and what they are ordered by hardly "+
				"matters. The lab’s own utility, the inverse slowdown, does as well."),
		objective("total-time", "makespan", "makespan_s", makespan, NotReproduced,
			"Set for total time, Hadar finishes all jobs sooner than set for throughput.",
			"But for stalls, what is left of a job cancels out of this utility, so that a long remainder bids no more than "+
				"a short one, and less by the round (ours) if it needs more of them: the last finish stays where it was. "+
				"Gavel’s makespan policy ends sooner."),
		objective("fairness", "ftf", "ftf_max", ftf, DirectionOnly,
			"Set for finish-time fairness, Hadar treats the worst-treated job better than set for throughput.",
			"By throughput, jobs that count in coarse steps are outbid and wait long where all come at once. The lab’s "+
				"own utility, which is free of units, mends that, too: against it no difference is shown."),
		&Claim{ID: "hadar-2024-competitive", As: Reproduced,
			Paper: hadar2024, Where: "not read: as we remember, and as its family has it",
			Published: at(1), Unit: Bound,
			Says:  "Hadar’s total utility is at least 1/(2α) of the best possible.",
			Known: "A theorem of online primal-dual schedulers; α is the logarithm of the ratio of the prices",
			Ours: "Drawn cases of 4 to 12 jobs on up to 24 GPUs in place of the proof, whose premises (small " +
				"jobs, constants known beforehand) do not hold here: 40 a seed. The figure is 2α over the ratio " +
				"of a bound on the best schedule’s utility to Hadar’s, in the worst case of a seed: below 1 the " +
				"claim would be broken.",
			World: competitive(40, false, asSet),
			Small: competitive(4, false, asSet),
			Cut:   "four cases a seed",
			Movers: []Mover{
				{Choice: "utility", Value: "effective, the paper’s, as we remember", World: competitive(40, true, asSet)},
				{Choice: "gangs", Value: "none", World: competitive(40, false, func(s *scenario.Scenario) {
					for i := range s.Jobs {
						s.Jobs[i].GPUs = 1
					}
				})},
			},
			Reason: "The bound is far from being reached. That says little of Hadar: a bound so loose holds of " +
				"many schedulers."},
	)
}

// objective is a row of the claim that Hadar's framework can express other schedulers: with the utility for an
// objective it reaches that better than with the paper's own. of is Gavel's policy with the same objective.
func objective(name, utility, metric string, of study.Lane, as Verdict, says, reason string) *Claim {
	set := func(utility string) study.Lane {
		return lane("hadar", "utility", utility).Named("hadar, " + utility)
	}
	x := sixtyGPUs{workload: "philly", arrivals: "both", jobs: 480, stalls: true, of: set(utility),
		against: set("effective"), metric: metric}
	c := &Claim{ID: "hadar-2024-for-" + name, As: as, Paper: hadar2024, Published: better, Unit: Times, Says: says,
		Where:  "abstract, that other schedulers can be expressed, without a figure",
		Known:  sixtyKnown + "; that the text names three objectives, mean completion, total time and fairness",
		Ours:   sixtyObjective + sixtyBoth,
		World:  x.world(),
		Small:  x.with(func(x *sixtyGPUs) { x.jobs, x.arrivals = 240, "static" }),
		Cut:    sixtyCut,
		Form:   Form{Axis: "arrivals", Groups: []string{"all at 0", "Poisson"}},
		Reason: reason}
	for _, m := range x.movers(lane("hadar").Named("hadar, as it is set"), of) {
		switch {
		case m.World.Of.Name != x.of.Name: // it sets Hadar otherwise
		case m.Choice == "arrivals", m.Choice == "compared with", m.Value == "240", m.Value == "Gavel’s mix":
			c.Movers = append(c.Movers, m)
		}
	}
	return c
}

// competitive is Hadar on small drawn cases after a change of each, with our utility or the paper's, as we remember it:
// the least of 2α over the measured ratio, of so many a seed.
func competitive(cases int, papers bool, change func(*scenario.Scenario)) *World {
	which := 0 // of study.BoundLanes
	if papers {
		which = 1
	}
	docs := changed(one(study.BoundWorld), change)
	return &World{Docs: docs, Of: study.BoundLanes()[which],
		Value: Value{"2α over the measured ratio, the least of the cases", message.Plain, 1, nil},
		Alone: func(seed uint64) (float64, error) {
			least := math.Inf(1)
			for i := range uint64(cases) {
				of, diags := study.Bounds(docs(seed + 1000*i)[0])
				if of == nil {
					return 0, fmt.Errorf("case %d of seed %d: %v", i, seed, diags)
				}
				b := &of[which]
				least = min(least, float64(2*b.Alpha)*b.Ratio())
			}
			return least, nil
		}}
}
