package claims

import (
	"math"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

var (
	asrpt2025 = &Paper{
		Key: "a-srpt-2025", Year: 2025, Link: "https://arxiv.org/abs/2501.05563",
		Cite: "Luo, Liu, Lee, Shroff: A-SRPT (arXiv 2501.05563, 2025)", Read: "its abstract",
		Title: "Prediction-Assisted Online Distributed Deep Learning Workload Scheduling in GPU Clusters",
	}
	themis2020 = &Paper{
		Key: "themis-2020", Year: 2020, Read: "its first page, and notes of others",
		Cite:  "Mahajan, Balasubramanian, Singhvi, Venkataraman, Akella, Phanishayee, Chawla: Themis (NSDI 2020)",
		Title: "Themis: Fair and Efficient GPU Cluster Scheduling",
	}
	allox2020 = &Paper{
		Key: "allox-2020", Year: 2020, Read: "its abstract, and its form among Gavel’s baselines",
		Link:  "https://github.com/lenhattan86/allox",
		Cite:  "Le, Sun, Chowdhury, Liu: AlloX (EuroSys 2020)",
		Title: "AlloX: Compute Allocation in Hybrid Clusters",
	}
	tiresias2019 = &Paper{
		Key: "tiresias-2019", Year: 2019, Read: "its abstract, its public simulator, and notes of others",
		Link:  "https://www.usenix.org/conference/nsdi19/presentation/gu",
		Cite:  "Gu, Chowdhury, Shin, Zhu, Jeon, Qian, Liu, Guo: Tiresias (NSDI 2019)",
		Title: "Tiresias: A GPU Cluster Manager for Distributed Deep Learning",
	}
	gandiva2018 = &Paper{
		Key: "gandiva-2018", Year: 2018, Read: "its abstract, notes of others, and its forms among the baselines " +
			"of Gavel and Tiresias",
		Cite:  "Xiao and others: Gandiva (OSDI 2018)",
		Title: "Gandiva: Introspective Cluster Scheduling for Deep Learning",
	}
)

// equalGPUs puts the jobs of an experiment on 60 V100.
func equalGPUs(w *World) *World {
	w.Docs = changed(w.Docs, func(s *scenario.Scenario) {
		for i := range s.Cluster.Nodes {
			s.Cluster.Nodes[i].GPUs = map[string]int{"v100": 4}
		}
	})
	return w
}

func init() {
	held := Value{"GPU time that jobs hold", message.GPUTime, -1, heldGPUs}
	row := func(c *Claim, x sixtyGPUs, value *Value) *Claim {
		world := func(change func(*sixtyGPUs)) *World {
			w := equalGPUs(x.with(change))
			if value != nil {
				w.Value = *value
			}
			return w
		}
		c.World = world(func(*sixtyGPUs) {})
		c.Small, c.Cut = world(func(x *sixtyGPUs) { x.jobs = 240 }), "240 jobs"
		c.Ours = "480 jobs on 60 V100 in nodes of four, with Philly’s lengths and its gangs of up to 8 GPUs, all " +
			"at 0; a restart stalls 20 s, a checkpoint 10 s."
		for _, m := range []struct {
			choice, value string
			change        func(*sixtyGPUs)
		}{
			{"arrivals", "Poisson", func(x *sixtyGPUs) { x.arrivals = "poisson" }},
			{"jobs", "Gavel’s mix", func(x *sixtyGPUs) { x.workload = "gavel-mix" }},
			{"number of jobs", "240", func(x *sixtyGPUs) { x.jobs = 240 }},
			{"number of jobs", "960", func(x *sixtyGPUs) { x.jobs = 960 }},
			{"compared with", "fifo", func(x *sixtyGPUs) { x.against = lane("fifo") }},
			{"compared with", "srtf", func(x *sixtyGPUs) { x.against = lane("srtf") }},
		} {
			if m.choice == "compared with" && (m.value == x.against.Name || x.against.ID == "srtf") {
				continue
			}
			c.Movers = append(c.Movers, Mover{Choice: m.choice, Value: m.value, World: world(m.change)})
		}
		return c
	}
	x := sixtyGPUs{workload: "philly", arrivals: "static", jobs: 480, stalls: true}
	tiresias, themis := x, x
	load := gavelLoad{perHour: 5.6, jobs: 7000, from: 4000, counted: 1000, of: lane("allox"),
		against: lane("gavel-las-agnostic")}
	tiresias.of, tiresias.against, tiresias.metric = lane("tiresias"), lane("yarn-cs"), "avg_jct_s"
	themis.of, themis.against, themis.metric = lane("themis"), lane("tiresias"), "ftf_max"
	knowing := tiresias
	knowing.against = lane("srtf")
	matched := load.rest(&Claim{ID: "allox-2020-completion", As: DirectionOnly, Published: at(0.95), Unit: Less,
		Where: "abstract, up to 95 % where the load is high",
		Says: "Matching jobs with resources that can stand in for each other makes mean completion up to 95 % " +
			"shorter.",
		Reason: "Whom it is compared with is not known, and decides: against a blind queue more is won, against max-min " +
			"fairness that knows types nothing that is shown. The more of the load is in the queue, the more any order " +
			"wins; and AlloX, which moves jobs seldom, wins more where a restart costs time. Gavel’s authors’ own curves " +
			"of the two are 74 % apart at this load."}, 4, 4.8, 5.2)
	for _, other := range []study.Lane{lane("gavel-las"), blindForm(lane("gavel-fifo"))} {
		matched.Movers = append(matched.Movers, load.mover("compared with", other.Name, func(x *gavelLoad) {
			x.against = other
		}))
	}
	matched.Paper = allox2020
	matched.Known = "Processors and GPUs of a small cluster, and larger ones by simulation; fairness among users"
	matched.Ours = "Gavel’s experiment with jobs of one GPU on three types of GPU, at 5.6 jobs/h, the highest " +
		"on its curve of the blind form, " +
		"and AlloX as its program has it, without users; it is compared with max-min fairness that is blind to types."
	matched.Form.Published = curves("load", matched.World.lanes(), "AlloX", "LAS blind")
	add(
		&Claim{ID: "a-srpt-2025-bound", Paper: asrpt2025, As: CannotBeTried, Published: better, Unit: More,
			Where: "abstract, without a figure",
			Says:  "A-SRPT’s schedule is within a proven factor of the best possible.",
			Known: "Jobs that recur, stages with mixed parallelism, predicted iterations",
			Untried: "The abstract has neither the factor nor a figure or baseline of its experiments; a summary of " +
				"others has 23 to 41 %, of what is not said. Of A-SRPT-style only the imagined machine is the " +
				"paper’s. The lab shows that machine’s bound beside each run."},
		row(&Claim{ID: "themis-2020-fairness", Paper: themis2020, As: Reproduced,
			Published: Band{2.25, math.Inf(1)}, Unit: Times,
			Where: "first page, over 2.25 times",
			Says:  "Finish-time fairness is more than 2.25 times better than under schedulers before it.",
			Known: "Apps of several jobs that tune hyper-parameters",
			Reason: "It hangs on the jobs, and still more on whom Themis is compared with: the worst ρ of a run " +
				"is that of one short " +
				"job that waits long. With Poisson arrivals, and with Gavel’s mix, nothing is gained. An app is " +
				"one job here, and the scheduler before it is Tiresias."},
			themis, nil),
		row(&Claim{ID: "themis-2020-efficiency", Paper: themis2020, As: NotReproduced, Published: Band{1.05, 3.5},
			Unit: Times, Where: "first page, 5 to 250 % more efficient",
			Says:  "The same jobs take 1.05 to 3.5 times less GPU time.",
			Known: "The same traces",
			Reason: "Jobs hold the same GPUs for the same work under both, where neither wastes them: what a bid " +
				"for closer GPUs saves is little in this experiment."},
			themis, &held),
		matched,
		row(&Claim{ID: "tiresias-2019-completion", Paper: tiresias2019, As: DirectionOnly, Published: at(5.5),
			Unit: Times, Where: "abstract, up to 5.5 times",
			Says:  "Mean completion is up to 5.5 times better than under YARN-CS.",
			Known: "480 jobs on 60 GPUs of a testbed, and traces",
			Reason: "How far apart the two are is a question of load: the longer the queue, the more a blocked " +
				"head costs."},
			tiresias, nil),
		row(&Claim{ID: "tiresias-2019-knowledge", Paper: tiresias2019, As: NotReproduced, Published: at(1),
			Unit: Times, Where: "abstract, “comparable”, without a figure; here as 1×",
			Says:  "Mean completion is as good as under schedulers that know how long jobs last.",
			Known: "60 GPUs of a testbed, and traces by simulation",
			Reason: "The one that knows is srtf, least remaining time first. A job has to run before Tiresias can " +
				"tell that it is long, which costs the more, the more jobs wait."},
			knowing, nil),
		&Claim{ID: "gandiva-2018-use", Paper: gandiva2018, As: CannotBeTried, Published: at(1.26), Unit: Times,
			Where: "abstract, 26 %",
			Says:  "Time slices, packing and migration use a cluster of 180 GPUs 26 % better.",
			Known: "A real workload on 180 GPUs; time slices of a minute, jobs in pairs on one GPU, jobs that grow",
			Untried: "The lab has its packing as Gavel’s baselines model it (a row of Gavel’s), without slices, " +
				"migration and growth, and the workload is not public."},
		&Claim{ID: "gandiva-2018-search", Paper: gandiva2018, As: CannotBeTried, Published: at(10), Unit: Times,
			Where:   "abstract, up to an order of magnitude",
			Says:    "Searches for hyper-parameters are up to ten times faster.",
			Known:   "Many trials of one search, of which early results end most",
			Untried: "Trials that share GPUs by slices and are ended by their early results are not in the lab."},
	)
}
