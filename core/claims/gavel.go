package claims

import (
	"slices"
	"strconv"

	"hadarlab/core/figure"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

var gavel2020 = &Paper{
	Key: "gavel-2020", Year: 2020, Link: "https://github.com/stanford-futuredata/gavel",
	Cite:  "Narayanan, Santhanam, Kazhamiaka, Phanishayee, Zaharia: Gavel (OSDI 2020)",
	Title: "Heterogeneity-Aware Cluster Scheduling Policies for Deep Learning Workloads",
	Read:  "its abstract, its program, and the curves in its public repository",
	Believe: "Its experiments can be built nearly as they were, and the hours of its curves come out, in the five rows " +
		"on them somewhat longer. So do the gains of knowing types, nearly or wholly: {gavel-2020-las} for max-min " +
		"fairness at 5.6 jobs/h, where its curves are 3.46 times apart. They belong to that load, the highest on " +
		"the blind form’s curve, where its queue grows from job to job; at moderate ones they are far smaller. " +
		"That a higher load is served is to be seen in " +
		"the curves. Pairs of jobs on one GPU gain, too, at that load: {gavel-2020-packing} for max-min fairness and " +
		"{gavel-2020-gandiva} for Gandiva.",
}

// gavelLoad is Gavel's continuous experiment: the mean completion of a window of jobs while others go on arriving.
type gavelLoad struct {
	gangs         bool
	perHour       float64
	jobs          int  // drawn
	from, counted int  // of these, the window
	part          int  // of the cluster, every so manieth node; 0 = all
	pairs         bool // with the speeds of jobs that share a GPU
	stalls        bool // of restarts and checkpoints; Gavel's simulator has none
	of, against   study.Lane
}

// curves are those of Gavel's figure with these names, in the order of the lanes whose counterparts they are.
func curves(figure string, lanes []study.Lane, names ...string) map[string]Points {
	out := map[string]Points{}
	for _, c := range study.GavelCurves() {
		if i := slices.Index(names[:len(lanes)], c.Name); i >= 0 && c.Figure == figure {
			out[lanes[i].Name] = Points{c.X, c.Y}
		}
	}
	return out
}

const (
	curvesSource = "The paper’s curves, means of three seeds of its own, are read from the vector figures in its " +
		"public repository"
	loadSource  = curvesSource + "; what lay above 105 h is cut there."
	totalSource = curvesSource + "."
)

func (x gavelLoad) world() *World {
	return &World{Of: x.of, Against: x.against, Value: metricValue("avg_jct_s"),
		Docs: func(seed uint64) []*scenario.Document {
			make := study.GavelLoad
			if x.gangs {
				make = study.GavelGangLoad
			}
			doc := make(x.perHour, seed)
			doc.Scenario.Generator.Count = x.jobs
			if nodes := doc.Scenario.Cluster.Nodes; x.part > 0 {
				doc.Scenario.Cluster.Nodes = nil
				for i := 0; i < len(nodes); i += x.part {
					doc.Scenario.Cluster.Nodes = append(doc.Scenario.Cluster.Nodes, nodes[i])
				}
			}
			if x.pairs {
				doc.Scenario.Throughputs.Pairs = study.GavelPairs()
			}
			if x.stalls {
				doc.Scenario.Overheads = scenario.Overheads{CheckpointS: 10, RestartS: 20}
			}
			doc.Scenario.Window = &scenario.Window{From: x.from, Jobs: x.counted}
			return []*scenario.Document{doc}
		}}
}

// jobsAnHour is a load in words.
func jobsAnHour(load float64) string { return strconv.FormatFloat(load, 'f', -1, 64) + " jobs/h" }

// mover is the experiment with a choice made otherwise.
func (x gavelLoad) mover(choice, value string, change func(*gavelLoad)) Mover {
	change(&x)
	return Mover{Choice: choice, Value: value, World: x.world()}
}

// open are choices that a reader of any row on this experiment asks for: where its window lies, which says whether
// queues go on growing, and what a move costs, which is nothing in Gavel's simulator.
func (x gavelLoad) open() []Mover {
	return []Mover{
		x.mover("jobs before the counted ones", figure.Int(x.from/4), func(x *gavelLoad) {
			x.from, x.jobs = x.from/4, x.jobs-x.from+x.from/4
		}),
		x.mover("a restart stalls", "20 s, a checkpoint 10 s", func(x *gavelLoad) { x.stalls = true }),
	}
}

// rest fills a row in that tries this experiment, with the loads as movers.
func (x gavelLoad) rest(c *Claim, loads ...float64) *Claim {
	c.Paper, c.World = gavel2020, x.world()
	c.Known = "36 V100, 36 P100 and 36 K80, one a node, rounds of 360 s, no stalls; mean completion of jobs 4000 " +
		"to 4999 in order of arrival, over three seeds"
	c.Ours = "The program’s shares of jobs and its measured speeds, drawn by random numbers of our own; arrivals " +
		"end 2,000 jobs after the window."
	small := x
	small.jobs, small.from, small.counted, small.part, small.perHour = 150, 75, 45, 9, x.perHour/9
	c.Small, c.Cut = small.world(), "a ninth of the cluster and of the load, 150 jobs, of which 45 are counted"
	for _, at := range loads {
		y := x
		y.perHour = at
		c.Movers = append(c.Movers,
			Mover{"load", jobsAnHour(at), y.world(), at})
	}
	c.Movers = append(c.Movers, x.open()...)
	kind, names := "load", map[string]string{"gavel-las": "LAS", "gavel-ftf": "FTF", "allox": "AlloX",
		"gavel-fifo": "FIFO"}
	if x.gangs {
		kind = "gang-load"
	}
	name := names[x.of.ID]
	c.Form = Form{Axis: "jobs/h", Choice: "load", At: x.perHour, Source: loadSource,
		Published: curves(kind, c.World.lanes(), name, name+" blind")}
	return c
}

// blindForm is a policy's own form that knows no GPU types.
func blindForm(of study.Lane) study.Lane {
	return study.NewLane(of.ID, "blind", true).Named(of.ID + ", blind")
}

// gavelTotal is Gavel's experiment on total time: so many jobs at 0, from all of which it is the same first ones.
func gavelTotal(jobs int, of, against study.Lane) *World {
	return &World{Of: of, Against: against, Value: metricValue("makespan_s"),
		Docs: one(func(seed uint64) *scenario.Document {
			doc := study.GavelMakespan(seed)[0]
			doc.Scenario.Generator.Count = jobs
			doc.Meta.Title = "Gavel’s total time, " + strconv.Itoa(jobs) + " jobs, seed " + strconv.Itoa(int(seed))
			return doc
		})}
}

func init() {
	las, blind, none := lane("gavel-las"), lane("gavel-las-agnostic"), study.Lane{}
	x := gavelLoad{perHour: 5.6, jobs: 7000, from: 4000, counted: 1000, of: las, against: blind}
	only := func(of study.Lane, gangs bool, perHour float64) gavelLoad {
		y := x
		y.of, y.against, y.gangs, y.perHour = of, none, gangs, perHour
		return y
	}
	against := func(of study.Lane, gangs bool, perHour float64) gavelLoad { // its own form that is blind to types
		y := only(of, gangs, perHour)
		y.against = blindForm(of)
		return y
	}
	third := func(c *Claim, of, against study.Lane, hours [2]float64, others ...study.Lane) *Claim {
		y := x // a program with all pairs takes long, so that it is a third of the experiment
		y.of, y.against, y.pairs = of, against, true
		y.jobs, y.from, y.counted, y.part, y.perHour = 2400, 1300, 400, 3, x.perHour/3
		y.rest(c)
		small := y
		small.jobs, small.from, small.counted, small.part, small.perHour = 150, 75, 45, 9, x.perHour/9
		c.Small, c.Published, c.Unit = small.world(), at(hours[1]/hours[0]), Times
		c.Known += "; speeds of pairs of jobs on one GPU, measured"
		c.Ours = "A third of the cluster and of the load: of 2,400 jobs, drawn by random numbers of our own, 1301 to " +
			"1700 are counted."
		for _, other := range others {
			z := y
			z.against = other
			c.Movers = append(c.Movers, Mover{Choice: "compared with", Value: other.Name, World: z.world()})
		}
		for _, load := range []float64{4, 4.8} {
			z := y
			z.perHour = load / 3
			value := "as " + jobsAnHour(load) + " on the whole cluster"
			c.Movers = append(c.Movers, Mover{Choice: "load", Value: value, World: z.world()})
		}
		c.Form = Form{Source: "Published are curves at three times the load on three times the cluster, means of three " +
			"seeds, read from the vector figures in its public repository.", Published: map[string]Points{
			of.Name: {Y: hours[:1]}, against.Name: {Y: hours[1:]}}}
		return c
	}
	total := func(c *Claim, jobs int, of, against study.Lane) *Claim {
		c.Paper, c.World = gavel2020, gavelTotal(jobs, of, against)
		c.Known = "36 V100, 36 P100 and 36 K80, one a node; so many jobs with gangs, all at 0; three seeds"
		c.Ours = "The program’s shares of jobs and its measured speeds, drawn by random numbers of our own."
		c.Small, c.Cut = gavelTotal(150, of, against), "150 jobs"
		for _, n := range study.GavelMakespanJobs {
			if n != jobs {
				c.Movers = append(c.Movers, Mover{"jobs", strconv.Itoa(n), gavelTotal(n, of, against), float64(n)})
			}
		}
		small := gavelTotal(jobs, of, against)
		small.Docs = changed(small.Docs, func(s *scenario.Scenario) { s.Generator.GPUs = map[string]float64{"1": 1} })
		c.Movers = append(c.Movers, Mover{Choice: "gangs", Value: "none", World: small})
		c.Form = Form{Axis: "jobs", Choice: "jobs", At: float64(jobs), Source: totalSource,
			Published: curves("makespan", c.World.lanes(), "makespan", "FIFO")}
		return c
	}
	queued := total(&Claim{ID: "gavel-2020-total-fifo", As: DirectionOnly, Published: at(619.52 / 244.23), Unit: Times,
		Where: "curves at 700 jobs, 619.52 and 244.23 h",
		Says:  "Under Gavel’s makespan policy 700 jobs are done in 2.54 times less time than first in, first out.",
		Reason: "Which queue the curve is of is not known: the program has one that knows types, which is " +
			"compared here, and one that is blind and over-commits. A blind one of ours, which does not, is further " +
			"behind. Gangs at the queue’s head are not it: without any gang the factor is as large."},
		700, lane("gavel-makespan"), lane("gavel-fifo"))
	blindQueue := blindForm(lane("gavel-fifo"))
	queued.Movers = append(queued.Movers, Mover{Choice: "compared with", Value: blindQueue.Name,
		World: gavelTotal(700, lane("gavel-makespan"), blindQueue)})
	add(
		x.rest(&Claim{ID: "gavel-2020-las", As: DirectionOnly, Published: at(91.29 / 26.42), Unit: Times,
			Where: "abstract, up to 3.5 times; the curves at 5.6 jobs/h are 91.29 and 26.42 h",
			Says: "Max-min fairness that knows GPU types has up to 3.5 times less mean completion than one that " +
				"does not.",
			Reason: "The factor is that of a load which the blind policy can hardly serve any more, so that its queue " +
				"grows from job to job; at lower loads, and of earlier jobs, it is far smaller."},
			2, 2.8, 3.6, 4, 4.4, 4.8, 5.2),
		only(las, false, 4).rest(&Claim{ID: "gavel-2020-hours", As: Reproduced, Published: at(16.26), Unit: Hours,
			Where: "curve at 4.0 jobs/h",
			Says:  "Under max-min fairness at 4.0 jobs/h of one GPU mean completion is 16.26 h.",
			Reason: "The same rules and measured speeds in a program of our own. The hours come out, somewhat " +
				"longer, as do all five rows of hours."}, 2, 2.8, 3.6, 4.4, 4.8, 5.2, 5.6, 6),
		only(las, true, 2).rest(&Claim{ID: "gavel-2020-hours-gangs", As: Reproduced, Published: at(18.69), Unit: Hours,
			Where:  "curve at 2.0 jobs/h",
			Says:   "With gangs, at 2.0 jobs/h, mean completion under max-min fairness is 18.69 h.",
			Reason: "Here, too, the hours come out, somewhat longer."}, 1, 1.6, 2.2, 2.4, 2.6),
		only(lane("gavel-ftf"), false, 5.6).rest(&Claim{ID: "gavel-2020-fairness-hours", As: Reproduced,
			Published: at(27.89), Unit: Hours, Where: "curve at 5.6 jobs/h",
			Says: "Under finish-time fairness at 5.6 jobs/h of one GPU mean completion is 27.89 h.",
			Reason: "Near the load at which queues grow without end a few jobs more or less move the mean by " +
				"hours."}, 2, 4, 4.4, 4.8, 5.2, 6),
		only(lane("allox"), false, 4).rest(&Claim{ID: "gavel-2020-allox-hours", As: Reproduced, Published: at(16.53),
			Unit: Hours, Where: "curve at 4.0 jobs/h",
			Says: "Under AlloX at 4.0 jobs/h of one GPU mean completion is 16.53 h.",
			Reason: "AlloX as Gavel’s program has it, a matching anew when jobs have come or gone, every 1,920 s " +
				"at most."}, 2, 2.8, 4.8, 5.2, 5.6),
		against(lane("gavel-ftf"), false, 5.6).rest(&Claim{ID: "gavel-2020-fairness", As: Reproduced,
			Published: at(83.22 / 27.89), Unit: Times, Where: "curves at 5.6 jobs/h, 83.22 and 27.89 h",
			Says: "Finish-time fairness that knows GPU types has 2.98 times less mean completion than one that " +
				"does not.",
			Reason: "As with max-min fairness, the factor is that of the highest load on the blind form’s " +
				"curve, at which its queue grows from job to job."},
			2, 4, 4.4, 4.8, 5.2),
		against(lane("gavel-fifo"), true, 2).rest(&Claim{ID: "gavel-2020-fifo", As: Reproduced,
			Published: at(31.08 / 20.38), Unit: Times, Where: "curves at 2.0 jobs/h with gangs, 31.08 and 20.38 h",
			Says: "First in, first out that knows GPU types has 1.53 times less mean completion than one that " +
				"does not.",
			Reason: "The program’s blind queue sends jobs to types that are full, by a slip, so that its curve is " +
				"no queue’s; ours draws a type that has room."},
			1, 1.4, 1.6, 1.8),
		third(&Claim{ID: "gavel-2020-packing", As: Reproduced, Where: "curves at 5.6 jobs/h, 26.42 and 19.08 h",
			Says: "Pairs of jobs on one GPU make mean completion under max-min fairness 1.38 times better.",
			Reason: "Pairs gain where GPUs are short: by the published curves nothing at 4.8 jobs an hour. A third " +
				"of the cluster scatters more than all of it would."},
			lane("gavel-packed"), las, [2]float64{19.08, 26.42}, blind, lane("gandiva")),
		third(&Claim{ID: "gavel-2020-gandiva", As: DirectionOnly, Where: "curves at 5.6 jobs/h, 91.29 and 39.49 h",
			Says: "Gandiva’s pairs make mean completion 2.31 times better than max-min fairness that is blind to " +
				"GPU types.",
			Reason: "It is the pairs: without them Gandiva, which shares time equally, is as slow. It draws them at " +
				"random, and max-min fairness that knows types is faster without any. At lower loads, and of earlier jobs, " +
				"less is gained."},
			lane("gandiva"), blind, [2]float64{39.49, 91.29}, las,
			lane("gandiva", "pack", false).Named("gandiva without pairs")),
		&Claim{ID: "gavel-2020-cost", Paper: gavel2020, As: CannotBeTried, Published: better, Unit: Times,
			Where: "not read: as we remember, without a figure",
			Says:  "A policy that knows what GPU types cost makes the same jobs cost less, also with deadlines.",
			Known: "Jobs with and without deadlines in a cloud",
			Untried: "Neither its figure nor the jobs, deadlines and prices of its experiment are at hand. The lab has " +
				"both policies as the program has them, and the cost of each run."},
		total(&Claim{ID: "gavel-2020-total", As: Reproduced, Published: at(244.23), Unit: Hours,
			Where: "curve at 700 jobs",
			Says:  "Under Gavel’s makespan policy 700 jobs with gangs take 244 h in all.",
			Reason: "So many jobs keep the cluster busy longer than any of them lasts. Of their work four fifths are a " +
				"fifth of the jobs, of 17 hours to a week each, so that seeds differ by up to a half."},
			700, lane("gavel-makespan"), none),
		queued,
	)
}
