package claims

import (
	"fmt"
	"strconv"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
	"hadarlab/core/train"
)

// mixes is HadarE on the mixes of jobs on five nodes, of which one figure is the mean.
func mixes(docs drawn, of, against study.Lane, metric string) *World {
	return &World{Docs: docs, Of: of, Against: against, Value: metricValue(metric)}
}

// changed are scenarios after a change of each.
func changed(docs drawn, change func(*scenario.Scenario)) drawn {
	return func(seed uint64) []*scenario.Document {
		list := docs(seed)
		for _, d := range list {
			change(&d.Scenario)
		}
		return list
	}
}

// asSet is no change.
func asSet(*scenario.Scenario) {}

// some are the scenarios from, to, counted from 0.
func some(docs drawn, from, to int) drawn {
	return func(seed uint64) []*scenario.Document { return docs(seed)[from:to] }
}

const mixesOurs = "Ten mixes of 1 to 12 jobs of one GPU; which models, how long, and the speeds of GPUs that " +
	"nobody has measured are our choices; rounds of 360 s, a restart or a merge of copies stalls 20 s. The figure of a " +
	"seed is the geometric mean over its ten mixes."

// byRate is what Gavel's order of types does on the nodes like AWS's; on those of the laboratory it is that of speeds.
const byRate = " Under Gavel types choose by single-precision rate, so that an A10G chooses before a V100, which is " +
	"faster here."

// againstGavel is whom they are compared with.
const againstGavel = " The abstract does not say whether Hadar or Gavel is compared: here it is gavel-las."

func init() {
	hadare, hadar, gavel := lane("hadare"), lane("hadar"), lane("gavel-las")
	movers := func(docs drawn, w World) (out []Mover) {
		to := func(choice, value string, change func(*World)) {
			x := w
			change(&x)
			out = append(out, Mover{Choice: choice, Value: value, World: &x})
		}
		to("jobs", "one job", func(w *World) { w.Docs = some(docs, 0, 1) })
		to("jobs", "2 to 5 jobs", func(w *World) { w.Docs = some(docs, 1, 5) })
		to("jobs", "6 to 12 jobs", func(w *World) { w.Docs = some(docs, 5, 10) })
		set := func(choice, value string, change func(*scenario.Scenario)) {
			to(choice, value, func(w *World) { w.Docs = changed(docs, change) })
		}
		set("merge", "0 s", func(s *scenario.Scenario) { s.Overheads.MergeS = 0 })
		set("merge", "60 s", func(s *scenario.Scenario) { s.Overheads.MergeS = 60 })
		set("round", "90 s", func(s *scenario.Scenario) { s.RoundS = 90 })
		set("round", "720 s", func(s *scenario.Scenario) { s.RoundS = 720 })
		to("copies hold", "whole nodes", func(w *World) { w.Of = lane("hadare", "copy", "node") })
		other := hadar
		if w.Against.ID == "hadar" {
			other = gavel
		}
		to("compared with", other.Name, func(w *World) { w.Against = other })
		return out
	}
	sizes := Form{Axis: "jobs in the mix"}
	for _, jobs := range study.MixSizes {
		sizes.Groups = append(sizes.Groups, strconv.Itoa(jobs))
	}
	five := mixes(study.Mixes, hadare, gavel, "makespan_s")
	laboratory := mixes(study.Laboratory, hadare, gavel, "makespan_s")
	use := mixes(study.Mixes, hadare, hadar, "node_utilization")
	add(
		&Claim{ID: "hadar-2025-forks-aws", As: DirectionOnly,
			Paper: hadar2025, Where: "abstract", Published: at(0.50), Unit: Less,
			Says:  "On nodes of AWS all jobs are done in 50 % less time under HadarE.",
			Known: "As we weakly remember: five nodes, with V100, K80, T4 (here two) and A10G, and mixes of a few jobs",
			Ours:  mixesOurs + byRate + againstGavel, World: five,
			Small: mixes(some(study.Mixes, 0, 1), hadare, gavel, "makespan_s"),
			Cut:   "the mix of one job", Movers: movers(study.Mixes, *five), Form: sizes,
			Reason: "Copies gain where nodes would idle: much with one job, little once there are jobs for all nodes."},
		&Claim{ID: "hadar-2025-forks-lab", As: DirectionOnly,
			Paper: hadar2025, Where: "abstract", Published: at(0.80), Unit: Less,
			Says:  "On nodes of a laboratory all jobs are done in 80 % less time under HadarE.",
			Known: "As we weakly remember: five nodes, with Titan RTX, T4, T400, RTX 3090 and RTX A2000",
			Ours: mixesOurs + againstGavel + " Speeds are the V100’s, which were measured, times the lesser ratio " +
				"of peak rate and memory bandwidth on the makers’ sheets.",
			World: laboratory, Small: mixes(some(study.Laboratory, 0, 1), hadare, gavel, "makespan_s"),
			Cut: "the mix of one job", Movers: movers(study.Laboratory, *laboratory), Form: sizes,
			Reason: "Two of these nodes do 71 % of what all five can: while two jobs hold these, copies on the others " +
				"add 42 % at most. A lone job gains more. Which GPUs they are is a weak recollection, and how " +
				"fast these models are on each nobody has " +
				"measured."},
		&Claim{ID: "hadar-2025-forks-use", As: DirectionOnly,
			Paper: hadar2025, Where: "abstract", Published: at(1.45), Unit: Times,
			Says:  "Nodes are in use 1.45 times as much under HadarE.",
			Known: "As in the rows above; the baseline is not named",
			Ours:  mixesOurs + " The nodes are those like AWS’s, and Hadar is compared, which are our choices.",
			World: use, Small: mixes(some(study.Mixes, 4, 5), hadare, hadar, "node_utilization"),
			Cut: "the mix of five jobs", Movers: movers(study.Mixes, *use), Form: sizes,
			Reason: "With few jobs most nodes idle without copies, so that the mean over mixes depends on how " +
				"many of them are small."},
		&Claim{ID: "hadar-2025-theorem", As: Reproduced,
			Paper: hadar2025, Where: "not read: as we remember", Published: at(1), Unit: Bound,
			Says:  "With as many copies of each job as there are nodes, nodes are used as much as they can be.",
			Known: "A theorem; its statement is ours: no round that has a job to begin with leaves a node without a copy",
			Ours: "Drawn cases of 1 to 6 jobs on 1 to 5 nodes of 1 to 4 GPUs, jobs that come one after another, and " +
				"merges that stall up to 40 s, in place of the proof: 40 a seed. Copies hold whole nodes. The figure is " +
				"the part of the nodes that copies hold at the beginning of a round, in the worst round of a seed: " +
				"below 1 the claim would be broken.",
			World: heldNodes(lane("hadare", "copy", "node"), 40), Small: heldNodes(lane("hadare", "copy", "node"), 4),
			Cut: "four cases a seed",
			Movers: []Mover{{Choice: "copies", Value: "none (hadar)", World: heldNodes(lane("hadar"), 40)},
				{Choice: "copies hold", Value: "as many GPUs as the job asks for",
					World: heldNodes(lane("hadare"), 40)}},
			Reason: "It holds in each round of each case, and would by any rule that gives each idle node to some job. " +
				"Time in which nodes are held is not all work: a merge stalls all copies of a job in each round."},
		&Claim{ID: "hadar-2025-models", As: NotReproduced,
			Paper: hadar2025, Where: "abstract", Published: better, Unit: More,
			Says:  "Models trained by HadarE’s copies infer better than Hadar’s.",
			Known: "That it was measured on the nodes above; no figure in the abstract",
			Ours: "A small model on synthetic data in place of the paper’s: the copies’ merged model less that of " +
				"one node, after as many steps, in accuracy on held-out points.",
			World: trained(20, nil), Small: trained(5, nil), Cut: "5 rounds",
			Movers: []Mover{
				{Choice: "rounds", Value: "5", World: trained(5, nil)},
				{Choice: "rounds", Value: "80", World: trained(80, nil)},
				{Choice: "compared after", Value: "as much time", World: trained(20, func(m *miniature) {
					m.same = train.SameTime
				})},
				{Choice: "copies averaged", Value: "plainly", World: trained(20, func(m *miniature) {
					m.lane = train.Plain
				})},
				{Choice: "data of a copy", Value: "all points", World: trained(20, func(m *miniature) {
					m.Sharding = "none"
				})},
			},
			Reason: "A miniature says nothing about large models; but the mechanism, averaging copies that have " +
				"seen different data, brings no gain here by itself; neither do more rounds, as much time as one node " +
				"has, or all data for each copy. README and manual train it for 10 rounds over 20 seeds, here it is 20 " +
				"rounds over 10."},
	)
}

// heldNodes is the least part of the nodes that are held at the beginning of a round, in so many drawn cases a seed.
func heldNodes(l study.Lane, cases int) *World {
	return &World{Docs: one(study.ForkWorld), Of: l,
		Value: Value{"Part of the nodes held, the least of all rounds", message.Plain, 1, nil},
		Alone: func(seed uint64) (float64, error) {
			least := 1.0
			for i := range uint64(cases) {
				part, err := study.HeldNodes(study.ForkWorld(seed+1000*i), l)
				if err != nil {
					return 0, fmt.Errorf("case %d of seed %d: %w", i, seed, err)
				}
				least = min(least, part)
			}
			return least, nil
		}}
}

// miniature is a training of copies and of one node, and what of it is compared.
type miniature struct {
	train.Settings
	lane, same string
}

// trained tries copies on a small model from a seed, for so many rounds; change, if any, makes choices otherwise.
func trained(rounds int, change func(*miniature)) *World {
	return &World{Value: Value{"accuracy, copies less one node", message.Plain, 1, nil},
		Alone: func(seed uint64) (float64, error) {
			m := miniature{train.Defaults(), train.BySteps, train.SameSteps}
			m.Seed, m.Seeds, m.Rounds = seed, 1, rounds
			if change != nil {
				change(&m)
			}
			e, err := train.New(m.Settings)
			if err != nil {
				return 0, err
			}
			for e.Spend() {
			}
			d := e.Result().Less(m.lane, m.same)
			if d == nil {
				return 0, fmt.Errorf("no lane %s was trained with as much %s", m.lane, m.same)
			}
			return d.Accuracy.Mean, nil
		}}
}
