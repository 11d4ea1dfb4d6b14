package lab

import (
	"strings"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
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
	lead := name + " waits. "
	switch {
	case c.Action == trace.Preempted:
		lead = name + " loses its GPUs" + x.takers(c.Job) + " and waits. "
	case x.failed(c.Job):
		lead = "A fault took GPUs from " + name + ", and it waits. "
	}
	return lead + x.waits(c) + x.dropped()
}

// dropped says that the shares leave the deadlines out.
func (x *explainer) dropped() string {
	for _, t := range x.d.Terms {
		if t.Name == policy.DeadlinesDropped && t.Value > 0 {
			return " Not all deadlines can be kept together, so the shares leave all of them out."
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
	verb := "runs on with"
	switch c.Action {
	case trace.Placed:
		verb = "starts on"
	case trace.Moved:
		verb = "moves to"
	}
	s := name + " " + verb + " " + x.gangWords(c.Gangs)
	if c.Other >= 0 {
		s += ", which it shares with " + x.p.Jobs[c.Other].Name
	}
	switch {
	case c.Valued && c.Payoff > 0:
		s += ": finishing there is worth " + figure(c.Utility) + " and costs " + figure(c.Cost) + ", so its payoff is +" + figure(c.Payoff) + "; waiting pays 0."
	case c.Valued:
		s += ": it is worth " + figure(c.Utility) + " and costs " + figure(c.Cost) + ", but no GPU may idle beside a waiting job."
	case c.Shares != nil:
		s += ": its share of the type's time is " + percent(c.Num[1]) + " and it has received " + percent(c.Num[2]) +
			", priority " + figure(c.Num[0]) + "."
	default:
		s += "."
	}
	return s
}

func (x *explainer) waits(c *sim.Choice) string {
	asked, free := figure0(c.Num[0]), figure0(c.Num[1])
	switch c.Reason {
	case trace.WaitPrice:
		return "Its best placement is worth " + figure(c.Num[1]) + " and costs " + figure(c.Num[2]) + ", so its payoff is " + minus(figure(c.Num[0])) + "; waiting pays 0."
	case trace.WaitBeam:
		return "It would pay " + figure(c.Num[0]) + ", but other jobs together pay more for the same GPUs."
	case trace.WaitFull:
		if c.Shares != nil && c.Num[1] >= c.Num[0] {
			return "It did not fit when the shares were computed; the next allocation can take it in."
		}
		if c.Shares != nil {
			return "It is the first in the queue that does not fit: it needs " + gpus(asked) + " of one type at once, and of no type more than " + free + " are free."
		}
		return "It needs " + gpus(asked) + " at once and " + areFree(free) + "."
	case trace.WaitShape:
		if c.Shares != nil {
			return "It needs " + gpus(asked) + " of one type at once, and no type in this cluster has so many; this policy keeps a gang on one type."
		}
		return "It needs " + gpus(asked) + " at once; " + areFree(free) + ", at most " + figure0(c.Num[2]) + " of one type, and no gang that may run fits on them."
	case trace.WaitOrder:
		if c.Other >= 0 && c.Shares != nil {
			return x.p.Jobs[c.Other].Name + " came first and did not fit when the shares were computed, and nobody may overtake it."
		}
		if c.Other >= 0 {
			return x.p.Jobs[c.Other].Name + " came first and does not fit, and nobody may overtake it; " + areFree(free) + "."
		}
		return "A job before it does not fit, and nobody may overtake it."
	case trace.WaitShare:
		return "Its share of a type's time is " + percent(c.Num[0]) + " and it has received " + percent(c.Num[1]) + ", priority " + figure(c.Num[2]) +
			"; jobs that are owed more took the GPUs, and a gang must keep to one type."
	case trace.WaitReset:
		if c.Num[0] > 0 {
			return "It is new, and the next allocation that can take it in is " + figure0(c.Num[0]) + " s away."
		}
		return "It is new, and enters with the next allocation."
	case trace.WaitNodes:
		return "There are " + figure0(c.Num[0]) + " nodes for " + figure0(c.Num[1]) + " jobs, and the others are worth more on them."
	case trace.WaitMatch:
		if c.Num[0] < 0 {
			return "It is not among the oldest jobs, which alone are matched with GPUs for now."
		}
		return "All completion times add up to least when " + jobs(figure0(c.Num[0])) + " before it on " + article(x.p.Cluster.Types[int(c.Num[2])].Name) +
			", where it takes " + figure0(c.Num[1]) + " s."
	case trace.WaitAuction:
		rho := "Its fairness ρ is " + figure(c.Num[0])
		switch {
		case c.Num[1] < 0:
			return rho + ". All GPUs are leased; the next lease ends in " + figure0(c.Num[2]) + " s."
		case c.Num[0] < c.Num[1]:
			return rho + "; only jobs from " + figure(c.Num[1]) + " upwards bid, and they left no GPUs on which it fits."
		}
		return rho + " and it bids, but other bids for the same GPUs are fairer together, or it fits on none that are for sale."
	case trace.WaitRate:
		return "It has no speed on any GPU that is free."
	}
	return "The policy gave no reason."
}

func gpus(n string) string {
	if n == "1" {
		return "1 GPU"
	}
	return n + " GPUs"
}

func jobs(n string) string {
	if n == "1" {
		return "1 job goes"
	}
	return n + " jobs go"
}

// article puts a GPU type into a sentence, as "a V100" or "an A100".
func article(gpu string) string {
	if strings.HasPrefix(gpu, "a") || strings.HasPrefix(gpu, "h") || strings.HasPrefix(gpu, "l") {
		return "an " + strings.ToUpper(gpu)
	}
	return "a " + strings.ToUpper(gpu)
}

func areFree(n string) string {
	switch n {
	case "0":
		return "none is free"
	case "1":
		return "1 is free"
	}
	return n + " are free"
}

func figure0(v float64) string { return itoa(int(v + 0.5)) }

// minus writes a typographic minus.
func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// gangWords lists GPUs by type, as "1 V100 + 1 P100", with the node where it is one; several gangs are
// copies.
func (x *explainer) gangWords(gangs [][]sim.Shard) string {
	if len(gangs) > 1 {
		var copies []string
		for _, g := range gangs {
			copies = append(copies, x.gangWords([][]sim.Shard{g}))
		}
		return itoa(len(gangs)) + " copies, " + strings.Join(copies, " and ")
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
		s += " over " + itoa(len(nodes)) + " nodes"
	case len(nodes) == 1:
		s += " of " + x.p.Cluster.Nodes[x.p.Cluster.Slots[gangs[0][0].Slot].Node].Name
	}
	return s
}
