package claims

import (
	"math"
	"strconv"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

var (
	sia2023 = &Paper{
		Key: "sia-2023", Year: 2023,
		Cite:  "Jayaram Subramanya, Arfeen, Lin, Qiao, Jia, Ganger: Sia (SOSP 2023)",
		Title: "Sia: Heterogeneity-aware, goodput-optimized ML-cluster scheduling",
		Read:  "its abstract, and its artifact, with the paper as submitted",
		Believe: "That it gains where GPUs are mixed is shown, in mean completion ({sia-2023-mixed} against " +
			"Pollux, just below what the rounded hours allow, with intervals that overlap), in total time and in " +
			"GPU time. On equal GPUs it is {sia-2023-homogeneous}, which does not exclude that there is no " +
			"difference. Against Gavel, which does not adapt jobs, it is {sia-2023-gavel}, more than published.",
	}
	pollux2021 = &Paper{
		Key: "pollux-2021", Year: 2021,
		Cite:  "Qiao, Choe, Subramanya, Neiswanger, Ho, Zhang, Ganger, Xing: Pollux (OSDI 2021)",
		Title: "Pollux: Co-adaptive Cluster Scheduling for Goodput-Optimized Deep Learning",
		Read:  "its abstract, its artifact, and the results that come with it",
		Believe: "It comes out as in the artifact’s own simulated runs: {pollux-2021-tiresias} against tuned " +
			"Tiresias and {pollux-2021-optimus} against tuned Optimus, on the artifact’s kind of jobs, with " +
			"profiles in place of measured tables. Of Tiresias that is less than the abstract’s 37 to 50 %.",
	}
	elastic2020 = &Paper{
		Key: "elastic-2020", Year: 2020, Link: "https://arxiv.org/abs/2006.13878",
		Cite: "Effective Elastic Scaling of Deep Learning Workloads (arXiv 2006.13878, 2020)",
		Read: "its abstract",
	}
	optimus2018 = &Paper{
		Key: "optimus-2018", Year: 2018,
		Cite:  "Peng, Bao, Chen, Wu, Guo: Optimus (EuroSys 2018)",
		Title: "Optimus: An Efficient Dynamic Resource Scheduler for Deep Learning Clusters",
		Read:  "its abstract",
	}
)

// heldGPUs are the GPU-seconds for which jobs hold GPUs.
func heldGPUs(o *Outcome) float64 {
	return o.Metrics.BusyGPUS + o.Metrics.StalledGPUS + o.Metrics.HoldGPUS
}

// one is a world of one scenario a seed.
func one(doc func(seed uint64) *scenario.Document) drawn {
	return func(seed uint64) []*scenario.Document { return []*scenario.Document{doc(seed)} }
}

// first is a scenario with its first jobs only.
func first(doc func(seed uint64) *scenario.Document, jobs int) drawn {
	return changed(one(doc), func(s *scenario.Scenario) { s.Jobs = s.Jobs[:min(jobs, len(s.Jobs))] })
}

func init() {
	lanes := study.PolluxLanes()
	pollux, tiresias, optimus := lanes[0], lanes[1].Named("tiresias, tuned"), lanes[2].Named("optimus, tuned")
	jct := metricValue("avg_jct_s")
	row := func(c *Claim, doc func(uint64) *scenario.Document, of, against study.Lane, small int) *Claim {
		c.World = &World{Docs: one(doc), Of: of, Against: against, Value: jct}
		c.Small = &World{Docs: first(doc, small), Of: of, Against: against, Value: jct}
		c.Cut = "the first " + strconv.Itoa(small) + " jobs"
		return c
	}
	move := func(c *Claim, choice, value string, change func(*World)) {
		w := *c.World
		change(&w)
		c.Movers = append(c.Movers, Mover{Choice: choice, Value: value, World: &w})
	}
	const theEight = "workloads 1 to 5 themselves"
	half := func(w *World) { w.Docs = first(study.PolluxWorld, 80) }
	free := func(w *World) { // of what a restart costs
		w.Docs = changed(w.Docs, func(s *scenario.Scenario) { s.Overheads = scenario.Overheads{} })
	}
	const polluxKnown = "160 jobs in 8 hours on 64 T4, from eight workloads that the artifact has; jobs tuned by " +
		"hand; a restart stalls 30 s"
	const polluxOurs = "Workloads like the eight, drawn; applications by our fit of the artifact’s model, which " +
		"makes Pollux 5 to 8 % faster than its measured tables do."
	vs := func(c *Claim, against study.Lane) *Claim {
		row(c, study.PolluxWorld, pollux, against, 20)
		c.Paper, c.Where, c.Published, c.Unit = pollux2021, "abstract", Band{0.37, 0.50}, Less
		c.Known, c.Ours = polluxKnown, polluxOurs
		c.Form = Form{Axis: "workloads", Own: theEight, OwnTitle: "1 to 5 themselves", Published: map[string]Points{},
			Source: "Published are the simulated runs of the first " + strconv.Itoa(MoverSeeds) + " of the eight " +
				"workloads that come with the artifact, in the group of those workloads; the abstract’s own are " +
				"of a testbed. Drawn workloads are lighter on the mean than these, as each draws how many long " +
				"jobs it has."}
		for i, l := range []study.Lane{pollux, tiresias, optimus} {
			c.Form.Published[l.Name] = Points{Y: []float64{
				mean([][]float64{study.PolluxPublished[i][:MoverSeeds]}, -1, 3600).Mean}}
		}
		for _, other := range []study.Lane{tiresias, optimus} {
			if other.Name != against.Name {
				move(c, "compared with", other.Name, func(w *World) { w.Against = other })
			}
		}
		move(c, "jobs", "half as many", half)
		move(c, "jobs", theEight, func(w *World) {
			w.Docs = func(seed uint64) []*scenario.Document {
				return []*scenario.Document{study.PolluxWorkload(int(seed-1)%8 + 1)}
			}
		})
		move(c, "restart", "none", free)
		return c
	}
	fairer := vs(&Claim{ID: "pollux-2021-fairness", As: DirectionOnly,
		Says: "Jobs that compete for GPUs are treated more fairly, by a measure of useful progress.",
		Reason: "Against Tiresias, under which long jobs wait, by far; against Optimus, which gives each job a GPU, the " +
			"interval holds no difference, too. What a job would take alone is that with the GPUs it was tuned to."}, tiresias)
	fairer.Where, fairer.Published, fairer.Unit, fairer.Form = "abstract, without a figure", better, Times, Form{}
	fairer.Ours += " The worst ρ of a run stands for fairness, time over that alone on a fair share."
	fairness := func(w *World) { w.Value = metricValue("ftf_max") }
	fairness(fairer.World)
	fairness(fairer.Small)
	for i := range fairer.Movers {
		fairness(fairer.Movers[i].World)
	}
	move(fairer, "measured as", "the mean ρ", func(w *World) { w.Value = metricValue("ftf_avg") })
	optimal := row(&Claim{ID: "optimus-2018-completion", Paper: optimus2018, As: DirectionOnly, Published: at(2.39),
		Unit: Times, Where: "abstract, better by 139 %",
		Says:  "Jobs are completed 2.39 times as fast as under usual schedulers.",
		Known: "Nine jobs with parameter servers on 13 machines",
		Ours: "Nine jobs of Pollux’s kind on its 64 T4, averaging without servers, in the oracle form of Pollux’s " +
			"artifact; the usual scheduler is first in, first out.",
		Reason: "Nine jobs on so many GPUs hardly wait, so that what is gained is the GPUs that nobody asked for."},
		func(seed uint64) *scenario.Document { return first(study.PolluxWorld, 9)(seed)[0] }, optimus, lane("fifo"), 9)
	optimal.Small, optimal.Cut = nil, ""
	move(optimal, "jobs", "40", func(w *World) { w.Docs = first(study.PolluxWorld, 40) })
	move(optimal, "jobs", "160", func(w *World) { w.Docs = one(study.PolluxWorld) })
	move(optimal, "compared with", "tiresias, tuned", func(w *World) { w.Against = tiresias })
	sooner := *optimal
	sooner.ID, sooner.Published, sooner.Where = "optimus-2018-total-time", at(1.63), "abstract, better by 63 %"
	sooner.As = NotReproduced
	sooner.Says, sooner.Movers = "All jobs are done 1.63 times faster than under usual schedulers.", nil
	for _, m := range append([]Mover{{World: optimal.World}}, optimal.Movers...) {
		w := *m.World
		w.Value = metricValue("makespan_s")
		if m.Choice == "" {
			sooner.World = &w
		} else {
			sooner.Movers = append(sooner.Movers, Mover{Choice: m.Choice, Value: m.Value, World: &w})
		}
	}
	grown := row(&Claim{ID: "elastic-2020-completion", Paper: elastic2020, As: DirectionOnly, Published: at(10),
		Unit: Times, Where: "abstract, up to about 10 times",
		Says: "Choosing batches with GPUs completes jobs up to about 10 times as fast as scaling GPUs at a fixed " +
			"batch.",
		Known: "That jobs accept a range of batches; cluster and jobs are not known",
		Ours: "Pollux’s kind of jobs on its 64 T4. Elastic DP chooses batches by goodput; scaling at a fixed " +
			"batch is Optimus, as tuned there.",
		Reason: "How much a larger batch brings is all in what jobs are assumed to gain from it: by goodput, a " +
			"large batch is worth less for each example."},
		study.PolluxWorld, lane("elastic-dp"), optimus, 30)
	move(grown, "jobs", "half as many", half)
	move(grown, "compared with", "tiresias, tuned", func(w *World) { w.Against = tiresias })
	leads := row(&Claim{ID: "sia-2023-homogeneous", Paper: sia2023, As: Reproduced,
		Published: Band{1, 2.05 / 1.85}, Unit: Times,
		Where:  "its table for 64 T4, 1.9 and 2.0 h, each rounded",
		Says:   "On 64 equal GPUs mean completion under Sia is about 1.05 times better than under Pollux.",
		Known:  "Pollux’s workloads, as its artifact changes them, over measured tables",
		Ours:   "Workloads like those, drawn; applications by our fit of Pollux’s model.",
		Reason: "The two are close where GPUs are equal: what sets Sia apart is that it knows types."},
		study.SiaWorld, lane("sia"), lane("pollux"), 12)
	shorter := func(c *Claim) { // a job that lasts a day keeps the search of a thousand rounds busy
		c.Small.Docs = changed(c.Small.Docs, func(s *scenario.Scenario) {
			for i := range s.Jobs {
				s.Jobs[i].Steps = math.Ceil(s.Jobs[i].Steps / 4)
			}
		})
		c.Cut += ", each a quarter as long"
	}
	hours := func(sia, pollux float64) Form {
		return Form{Source: "Published bars are the hours of its table, rounded to a tenth; ours are of drawn " +
			"workloads and of applications by fits, so that hours differ, and the factor is what is claimed.",
			Published: map[string]Points{"sia": {Y: []float64{sia}}, "pollux": {Y: []float64{pollux}}}}
	}
	leads.Form = hours(1.9, 2)
	shorter(leads)
	move(leads, "jobs", "half as many", func(w *World) { w.Docs = first(study.SiaWorld, 80) })
	move(leads, "restart", "none", free)
	mixed := row(&Claim{ID: "sia-2023-mixed", Paper: sia2023, As: Reproduced,
		Published: Band{0.95 / 0.65, 1.05 / 0.55}, Unit: Times,
		Where: "its table for Philly’s jobs, 0.6 and 1.0 h, each rounded",
		Says:  "On mixed GPUs mean completion under Sia is about 1.67 times better than under Pollux.",
		Known: "24 T4, 24 RTX 2080 Ti and 16 A100; Pollux’s workloads, as its artifact changes them",
		Ours: "Workloads like those, drawn; applications by our fits of what both artifacts measured; the " +
			"application in a pipeline is left out.",
		Reason: "Pollux takes one GPU for another, so that what a job gains depends on where it happens to lie; " +
			"Sia knows."},
		study.SiaMixedWorld, lane("sia"), lane("pollux"), 12)
	mixed.Form = hours(0.6, 1)
	shorter(mixed)
	move(mixed, "jobs", "half as many", func(w *World) { w.Docs = first(study.SiaMixedWorld, 80) })
	move(mixed, "GPUs", "64 T4", func(w *World) { w.Docs = one(study.SiaWorld) })
	sixMinutes := func(seed uint64) *scenario.Document { // Sia is asked each minute all the same
		d := study.SiaMixedWorld(seed)
		d.Scenario.RoundS = 360
		return d
	}
	rigid := row(&Claim{ID: "sia-2023-gavel", Paper: sia2023, As: DirectionOnly,
		Published: Band{1.85 / 0.65, 1.95 / 0.55}, Unit: Times,
		Where: "its table for Philly’s jobs, 0.6 and 1.9 h, each rounded",
		Says:  "On mixed GPUs mean completion under Sia is about 3 times better than under Gavel with tuned jobs.",
		Known: "24 T4, 24 RTX 2080 Ti and 16 A100; Gavel decides every six minutes, Sia every minute",
		Ours: "The scenarios of the rows above, in rounds of six minutes; Gavel is gavel-maxsum. Jobs ask for what " +
			"Pollux’s artifact tuned them to.",
		Reason: "Whatever Gavel’s policy, it is further behind than published. How jobs were tuned for it there is " +
			"not known to us; ours ask for what was tuned on T4 alone."},
		sixMinutes, lane("sia"), lane("gavel-maxsum"), 12)
	rigid.Form = Form{Source: "Published bars are the hours of its table, rounded to a tenth.",
		Published: map[string]Points{"sia": {Y: []float64{0.6}}, "gavel-maxsum": {Y: []float64{1.9}}}}
	shorter(rigid)
	move(rigid, "compared with", "gavel-las", func(w *World) { w.Against = lane("gavel-las") })
	move(rigid, "compared with", "gavel-ftf", func(w *World) { w.Against = lane("gavel-ftf") })
	move(rigid, "jobs", "half as many", func(w *World) { w.Docs = first(sixMinutes, 80) })
	more := func(c *Claim, value Value, sia, pollux float64) *Claim { // of the same runs
		d := *mixed
		d.ID, d.As, d.Says, d.Where, d.Published, d.Unit, d.Reason = c.ID, c.As, c.Says, c.Where, c.Published, c.Unit,
			c.Reason
		world := func(w *World) *World {
			x := *w
			x.Value = value
			return &x
		}
		d.World, d.Small, d.Movers, d.Form = world(mixed.World), world(mixed.Small), nil, hours(sia, pollux)
		for _, m := range mixed.Movers {
			m.World = world(m.World)
			d.Movers = append(d.Movers, m)
		}
		return &d
	}
	held := Value{"GPU time that jobs hold", message.GPUTime, -1, heldGPUs}
	add(
		leads,
		mixed,
		more(&Claim{ID: "sia-2023-mixed-makespan", As: Reproduced, Published: Band{24.45 / 14.25, 24.55 / 14.15},
			Unit: Times, Where: "its table for Philly’s jobs, 14.2 and 24.5 h; abstract, 28 to 95 % less",
			Says: "On mixed GPUs all jobs are done 1.73 times faster under Sia than under Pollux.",
			Reason: "The interval is wide: the last to end is one of a few long jobs, and what it gains " +
				"hangs on which GPUs Pollux happens to give it."},
			metricValue("makespan_s"), 14.2, 24.5),
		more(&Claim{ID: "sia-2023-mixed-tail", As: DirectionOnly, Published: Band{14.85 / 9.55, 14.95 / 9.45},
			Unit: Times, Where: "its table for Philly’s jobs, 9.5 and 14.9 h; abstract, 28 to 95 % less",
			Says: "On mixed GPUs the 99th percentile of completion is 1.57 times better under Sia than under Pollux.",
			Reason: "Of 160 jobs it is the second longest, so that one job decides. Whether the published one is of " +
				"each workload or of all jobs together is not known to us."},
			metricValue("p99_jct_s"), 9.5, 14.9),
		more(&Claim{ID: "sia-2023-mixed-gpu-time", As: Reproduced,
			Published: Band{1 - 4.05/5.55, 1 - 3.95/5.65}, Unit: Less,
			Where:  "its table for Philly’s jobs, 4.0 and 5.6 GPU-h a job; abstract, 12 to 55 % less",
			Says:   "On mixed GPUs jobs hold 29 % less GPU time under Sia than under Pollux.",
			Reason: "On equal GPUs nothing is saved: it is all in giving each job the type that suits it."},
			held, 160*4.0, 160*5.6),
		rigid,
		vs(&Claim{ID: "pollux-2021-tiresias", As: DirectionOnly,
			Says:   "Mean completion is 37 to 50 % shorter than under Tiresias with jobs that were tuned by hand.",
			Reason: "The simulated runs that come with the artifact are 32 % apart (2,751 and 4,038 s), as ours are."},
			tiresias),
		vs(&Claim{ID: "pollux-2021-optimus", As: Reproduced,
			Says:   "Mean completion is 37 to 50 % shorter than under Optimus with jobs that were tuned by hand.",
			Reason: "Of the artifact’s simulated runs it is 52 % (2,751 and 5,682 s)."},
			optimus),
		fairer,
		&Claim{ID: "pollux-2021-cost", Paper: pollux2021, As: CannotBeTried, Published: better, Unit: Times,
			Where: "abstract, without a figure",
			Says:  "In a cloud that grows and shrinks by goodput training costs less.",
			Known: "One large job on nodes that are rented by the hour",
			Untried: "In the lab a cluster grows and shrinks by autoscalers, which know no goodput, not by its " +
				"scheduler’s decisions."},
		grown,
		&Claim{ID: "elastic-2020-jobs", Paper: elastic2020, As: CannotBeTried, Published: at(2), Unit: Times,
			Where: "abstract, up to about 2 times",
			Says:  "Choosing batches with GPUs completes up to twice as many jobs as scaling GPUs at a fixed batch.",
			Known: "That jobs which find no room may be turned away",
			Untried: "Nobody is turned away in the lab, so that every job is completed in the end, and there is " +
				"nothing to count."},
		optimal,
		&sooner,
	)
}
