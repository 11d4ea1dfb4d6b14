package claims

import (
	"strconv"

	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

var (
	sia2023 = &Paper{
		Key: "sia-2023", Year: 2023,
		Cite: "Jayaram Subramanya, Arfeen, Lin, Qiao, Jia, Ganger: Sia (SOSP 2023)",
		Read: "its artifact, with the paper as submitted",
		Believe: "That it gains where GPUs are mixed is shown: {sia-2023-mixed} against Pollux there, a part of " +
			"what rounded hours allow, and {sia-2023-homogeneous} on equal ones, which does not exclude that " +
			"there is no difference.",
	}
	pollux2021 = &Paper{
		Key: "pollux-2021", Year: 2021,
		Cite: "Qiao, Choe, Subramanya, Neiswanger, Ho, Zhang, Ganger, Xing: Pollux (OSDI 2021)",
		Read: "its abstract, its artifact, and the results that come with it",
		Believe: "It comes out as in the artifact’s own simulated runs: {pollux-2021-tiresias} against tuned " +
			"Tiresias and {pollux-2021-optimus} against tuned Optimus, on the artifact’s kind of jobs, with " +
			"profiles in place of measured tables. Of Tiresias that is less than the abstract’s 37 to 50 %, which " +
			"were measured on a testbed.",
	}
	elastic2020 = &Paper{
		Key: "elastic-2020", Year: 2020, Link: "https://arxiv.org/abs/2006.13878",
		Cite: "Effective Elastic Scaling of Deep Learning Workloads (arXiv 2006.13878, 2020)",
		Read: "its abstract",
	}
	optimus2018 = &Paper{
		Key: "optimus-2018", Year: 2018,
		Cite: "Peng, Bao, Chen, Wu, Guo: Optimus (EuroSys 2018)",
		Read: "its abstract",
	}
)

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
		c.Movers = append(c.Movers, Mover{choice, value, &w})
	}
	half := func(w *World) { w.Docs = first(study.PolluxWorld, 80) }
	const polluxKnown = "160 jobs in 8 hours on 64 T4, from eight workloads that the artifact has; jobs tuned by " +
		"hand; a restart stalls 30 s"
	const polluxOurs = "Workloads like the eight, drawn; applications by our fit of the artifact’s model, which " +
		"is 5 to 8 % faster than its measured tables."
	vs := func(c *Claim, against study.Lane) *Claim {
		row(c, study.PolluxWorld, pollux, against, 30)
		c.Paper, c.Where, c.Published, c.Unit = pollux2021, "abstract", Band{0.37, 0.50}, Less
		c.Known, c.Ours = polluxKnown, polluxOurs
		move(c, "jobs", "half as many", half)
		move(c, "jobs", "the eight workloads themselves", func(w *World) {
			w.Docs = func(seed uint64) []*scenario.Document {
				return []*scenario.Document{study.PolluxWorkload(int(seed-1)%8 + 1)}
			}
		})
		move(c, "restart", "none", func(w *World) {
			w.Docs = changed(w.Docs, func(s *scenario.Scenario) { s.Overheads = scenario.Overheads{} })
		})
		return c
	}
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
			sooner.Movers = append(sooner.Movers, Mover{m.Choice, m.Value, &w})
		}
	}
	grown := row(&Claim{ID: "elastic-2020-completion", Paper: elastic2020, As: DirectionOnly, Published: at(10),
		Unit: Times, Where: "abstract, about 10 times",
		Says:  "Choosing batches with GPUs completes jobs about 10 times as fast as scaling GPUs at a fixed batch.",
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
	move(leads, "jobs", "half as many", func(w *World) { w.Docs = first(study.SiaWorld, 80) })
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
	move(mixed, "jobs", "half as many", func(w *World) { w.Docs = first(study.SiaMixedWorld, 80) })
	move(mixed, "GPUs", "64 T4", func(w *World) { w.Docs = one(study.SiaWorld) })
	add(
		leads,
		mixed,
		&Claim{ID: "sia-2023-gavel", Paper: sia2023, As: CannotBeTried,
			Published: Band{1.85 / 0.65, 1.95 / 0.55}, Unit: Times,
			Where: "its table for Philly’s jobs, 0.6 and 1.9 h, each rounded",
			Says:  "On mixed GPUs mean completion under Sia is about 3 times better than under Gavel with tuned jobs.",
			Known: "The same GPUs and jobs; Gavel decides every six minutes there, Sia every minute",
			Untried: "A scenario has one length of rounds, and in rounds of a minute Gavel moves jobs faster than " +
				"the longest restarts take."},
		vs(&Claim{ID: "pollux-2021-tiresias", As: DirectionOnly,
			Says: "Mean completion is 37 to 50 % shorter than under Tiresias with jobs that were tuned by hand.",
			Reason: "The published figures are of a testbed. The simulated runs that come with the artifact are " +
				"32 % apart (2,751 and 4,038 s), as ours are."},
			tiresias),
		vs(&Claim{ID: "pollux-2021-optimus", As: Reproduced,
			Says:   "Mean completion is 37 to 50 % shorter than under Optimus with jobs that were tuned by hand.",
			Reason: "Of the artifact’s simulated runs it is 52 % (2,751 and 5,682 s)."},
			optimus),
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
