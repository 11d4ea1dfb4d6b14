package lab

import (
	"strings"

	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// sentence says in plain words what was decided for a job and why, from the reason's code and
// numbers alone.
func (x *explainer) sentence(c *sim.Choice) string {
	name := x.p.Jobs[c.Job].Name
	if c.Altered != nil {
		return x.forcedSentence(c, name)
	}
	if c.Gangs != nil {
		return x.holds(c, name) + x.dropped()
	}
	lead := words.F("{0} waits.", name)
	switch {
	case c.Action == trace.Preempted:
		lead = x.preempted(name, c.Job)
	case x.failed(c.Job):
		lead = words.F("A fault took GPUs from {0}, and it waits.", name)
	}
	return lead + " " + x.waits(c) + x.dropped()
}

// dropped says that the shares leave the deadlines out.
func (x *explainer) dropped() string {
	for _, t := range x.d.Terms {
		if t.Name == policy.DeadlinesDropped && t.Value > 0 {
			return " " + words.T("Not all deadlines can be kept together, so the shares leave all of them out.")
		}
	}
	return ""
}

// failed says whether a fault took GPUs from the job since the decision before.
func (x *explainer) failed(j model.JobID) bool {
	for _, r := range x.t.Reasons[x.t.Rounds[len(x.t.Rounds)-1].Reason:] {
		if r.Code == trace.Failed && r.Job == int32(j) {
			return true
		}
	}
	return false
}

// holds explains a gang that was given, kept or changed.
func (x *explainer) holds(c *sim.Choice, name string) string {
	s := x.begins(c, name, x.gangWords(c.Gangs))
	switch {
	case len(c.Gangs) > 1 && c.Valued && c.Payoff > 0:
		return words.F("{0}: a round of its first node is worth {1} and costs {2}, a difference of +{3}", s,
			x.per(c, c.Utility), x.per(c, c.Cost), x.per(c, c.Payoff)) + x.adds(c) + "."
	case c.Valued && c.Payoff > 0 && x.l.worth().PerRound:
		return words.F("{0}: a round there is worth {1} and costs {2}, a difference of +{3}; not to run counts as 0.",
			s, x.per(c, c.Utility), x.per(c, c.Cost), x.per(c, c.Payoff))
	case c.Valued && c.Payoff > 0:
		return words.F("{0}: finishing there is worth {1} and costs {2}, a difference of +{3}; not to run counts as 0.",
			s, x.per(c, c.Utility), x.per(c, c.Cost), x.per(c, c.Payoff))
	case c.Valued && x.l.worth().PerRound:
		return words.F("{0}: a round there is worth {1} and costs {2}, but no GPU may idle beside a waiting job.", s,
			x.per(c, c.Utility), x.per(c, c.Cost))
	case c.Valued:
		return words.F("{0}: it is worth {1} and costs {2}, but no GPU may idle beside a waiting job.", s,
			x.per(c, c.Utility), x.per(c, c.Cost))
	case c.Shares != nil && c.Num[0] == 0:
		return words.F("{0}: it is due no time there for now, but the jobs that are due some leave these GPUs over.", s)
	case c.Shares != nil:
		return words.F(
			"{0}: it is due {1} of the time on {2} and its received share stands at {3}, so its priority (target ÷ received) is {4}.", s, percent(c.Num[1]),
			x.title(x.typeOf(c)), percent(c.Num[2]), rounded(c.Num[0]))
	}
	return s + "."
}

// per is a figure of the job's whole remaining life in the terms in which the policy compares, with its unit.
func (x *explainer) per(c *sim.Choice, v float64) string {
	e := message.Explanation{PerRound: x.l.worth().PerRound}
	return x.amount(e.Of(v, c.Rounds))
}

// amount writes a utility, cost or payoff with its unit.
func (x *explainer) amount(v float64) string {
	s := minus(rounded(v))
	if unit := x.l.worth().Unit; unit != "" {
		s += " " + words.T(unit)
	}
	return s
}

// adds says by how much each copy of a forked job beside its first raises what a round is worth to it.
func (x *explainer) adds(c *sim.Choice) (says string) {
	for i := range c.Candidates {
		if k := &c.Candidates[i]; k.Phase == 2 && k.Chosen {
			says += "; " + words.F("the copy on {0} adds {1}",
				x.p.Cluster.Nodes[x.p.Cluster.Slots[k.Shards[0].Slot].Node].Name, x.amount(k.Utility))
		}
	}
	return says
}

// begins is the beginning of the sentence: what the job does with which GPUs, and with whom.
func (x *explainer) begins(c *sim.Choice, name, gpus string) string {
	if c.Other < 0 {
		switch c.Action {
		case trace.Placed:
			return words.F("{0} starts on {1}", name, gpus)
		case trace.Moved:
			return words.F("{0} moves to {1}", name, gpus)
		}
		return words.F("{0} runs on with {1}", name, gpus)
	}
	with := x.p.Jobs[c.Other].Name
	switch c.Action {
	case trace.Placed:
		return words.F("{0} starts on {1}, which it shares with {2}", name, gpus, with)
	case trace.Moved:
		return words.F("{0} moves to {1}, which it shares with {2}", name, gpus, with)
	}
	return words.F("{0} runs on with {1}, which it shares with {2}", name, gpus, with)
}

func (x *explainer) waits(c *sim.Choice) string {
	asked, free := gpus(c.Num[0]), figure0(c.Num[1])
	switch c.Reason {
	case trace.WaitPrice:
		if x.l.worth().PerRound {
			return words.F(
				"A round on its best placement is worth {0} and costs {1}, a difference of {2}; not to run counts as 0, and it is looked at again next round.",
				x.per(c, c.Num[1]), x.per(c, c.Num[2]), x.per(c, c.Num[0]))
		}
		return words.F(
			"Finishing on its best placement is worth {0} and costs {1}, a difference of {2}; not to run counts as 0, and it is looked at again next round.",
			x.amount(c.Num[1]), x.amount(c.Num[2]), x.amount(c.Num[0]))
	case trace.WaitBeam:
		return words.F(
			"Running would be worth {0} more than it costs, but other jobs together make more of the same GPUs.",
			x.per(c, c.Num[0]))
	case trace.WaitFull:
		if c.Shares != nil && c.Num[1] >= c.Num[0] {
			return words.T("It did not fit when the shares were computed; the next allocation can take it in.")
		}
		if c.Shares != nil {
			return words.F(
				"It is the first in the queue that does not fit: it needs {0} of one type at once, and of no type more than {1} are free.", asked, free)
		}
		return words.F("It needs {0} at once and {1}.", asked, areFree(free))
	case trace.WaitShape:
		if c.Shares != nil {
			return words.F(
				"It needs {0} of one type at once, and no type in this cluster has so many; this policy keeps a gang on one type.", asked)
		}
		return words.F("It needs {0} at once; {1}, at most {2} of one type, and no gang that may run fits on them.",
			asked, areFree(free), figure0(c.Num[2]))
	case trace.WaitOrder:
		if c.Other >= 0 && c.Shares != nil {
			return words.F("{0} came first and did not fit when the shares were computed, and nobody may overtake it.",
				x.p.Jobs[c.Other].Name)
		}
		if c.Other >= 0 {
			return words.F("{0} came first and does not fit, and nobody may overtake it; {1}.", x.p.Jobs[c.Other].Name,
				areFree(free))
		}
		return words.T("A job before it does not fit, and nobody may overtake it.")
	case trace.WaitShare:
		return x.waitsForShare(c)
	case trace.WaitReset:
		if c.Num[0] > 0 {
			return words.F("It is new, and the next allocation that can take it in is {0} s away.", figure0(c.Num[0]))
		}
		return words.T("It is new, and enters with the next allocation.")
	case trace.WaitNodes:
		return words.F("There are {0} nodes for {1} jobs, and the others are worth more on them.", figure0(c.Num[0]),
			figure0(c.Num[1]))
	case trace.WaitMatch:
		if c.Num[0] < 0 {
			return words.T("It is not among the oldest jobs, which alone are matched with GPUs for now.")
		}
		says := words.N(int(c.Num[0]+0.5),
			"All completion times add up to least when {0} job goes before it on {1}, where it takes {2} s.",
			"All completion times add up to least when {0} jobs go before it on {1}, where it takes {2} s.",
			article(x.p.Cluster.Types[int(c.Num[2])].Name), figure0(c.Num[1]))
		for _, t := range c.Terms {
			if t.Name == policy.LeftIdle {
				says += " " +
					words.F(
						"GPUs on which it would take {0} s stay idle beside it: to start there would not make the sum less.", figure0(t.Value))
			}
		}
		return says
	case trace.WaitAuction:
		rho := rounded(c.Num[0])
		switch {
		case c.Num[1] < 0:
			return words.F("Its fairness ρ is {0}. All GPUs are leased; the next lease ends in {1} s.", rho,
				figure0(c.Num[2]))
		case c.Num[0] < c.Num[1]:
			return words.F(
				"Its fairness ρ is {0}; only jobs from {1} upwards bid, and they left no GPUs on which it fits.", rho,
				rounded(c.Num[1]))
		}
		return words.F(
			"Its fairness ρ is {0} and it bids, but other bids for the same GPUs are fairer together, or it fits on none that are for sale.", rho)
	case trace.WaitRate:
		return words.T("It has no speed on any GPU that is free.")
	}
	return words.T("The policy gave no reason.")
}

func gpus(n float64) string { return words.N(int(n+0.5), "{0} GPU", "{0} GPUs") }

// article puts a GPU type into a sentence, as "a V100" or "an A100".
func article(gpu string) string {
	if strings.HasPrefix(gpu, "a") || strings.HasPrefix(gpu, "h") || strings.HasPrefix(gpu, "l") {
		return words.F("an {0}", strings.ToUpper(gpu))
	}
	return words.F("a {0}", strings.ToUpper(gpu))
}

func areFree(n string) string {
	switch n {
	case "0":
		return words.T("none is free")
	case "1":
		return words.T("1 is free")
	}
	return words.F("{0} are free", n)
}

func figure0(v float64) string { return itoa(int(v + 0.5)) }

// minus writes a typographic minus.
func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// gangWords lists GPUs by type, as "1 V100 + 1 P100", with the node where it is one; several gangs are
// copies.
func (x *explainer) gangWords(gangs [][]model.Shard) string {
	if len(gangs) > 1 {
		var copies []string
		for _, g := range gangs {
			copies = append(copies, x.gangWords([][]model.Shard{g}))
		}
		all := copies[0]
		for _, c := range copies[1:] {
			all = words.F("{0} and {1}", all, c)
		}
		return words.F("{0} copies, {1}", itoa(len(gangs)), all)
	}
	counts := make([]int32, len(x.p.Cluster.Types))
	nodes := map[int32]bool{}
	for _, g := range gangs {
		for _, sh := range g {
			s := x.p.Cluster.Slots[sh.Slot]
			counts[s.Type] += sh.N
			nodes[int32(s.Node)] = true
		}
	}
	var parts []string
	for _, t := range x.p.Cluster.BySpeed {
		if counts[t] > 0 {
			parts = append(parts, itoa(int(counts[t]))+" "+strings.ToUpper(x.p.Cluster.Types[t].Name))
		}
	}
	s := strings.Join(parts, " + ")
	switch {
	case len(nodes) > 1:
		s = words.F("{0} over {1} nodes", s, itoa(len(nodes)))
	case len(nodes) == 1:
		s = words.F("{0} of {1}", s, x.p.Cluster.Nodes[x.p.Cluster.Slots[gangs[0][0].Slot].Node].Name)
	}
	return s
}
