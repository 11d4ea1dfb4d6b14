package lab

import (
	"strings"

	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
)

// sentence says what was decided for a job, which the kernel knows, and why, which its policy says.
func (x *explainer) sentence(c *sim.Choice) string {
	name := x.p.Jobs[c.Job].Name
	if c.Altered != nil {
		return x.forcedSentence(c, name)
	}
	does, why := "", x.say(c.Says)
	switch {
	case c.Gangs != nil:
		does = x.begins(c, name, x.gangWords(c.Gangs))
	case c.Action == trace.Preempted:
		does = x.preempted(name, c.Job)
	case x.failed(c.Job):
		does = x.in.F("GPUs of {0} went away, and it waits", name)
	default:
		does = x.in.F("{0} waits", name)
	}
	if why == "" && c.Gangs == nil {
		why = x.byCode(c)
	}
	if why == "" {
		return does + "."
	}
	return x.in.F("{0}: {1}.", does, why)
}

// failed says whether GPUs of the job went out of service, by a fault or by plan, since the decision before.
func (x *explainer) failed(j model.JobID) bool {
	for _, r := range x.t.Reasons[x.t.Rounds[len(x.t.Rounds)-1].Reason:] {
		if r.Code == trace.Failed && r.Job == int32(j) {
			return true
		}
	}
	return false
}

// begins is what a job does with the GPUs that it gets, and with whom.
func (x *explainer) begins(c *sim.Choice, name, gpus string) string {
	if c.Other < 0 {
		switch c.Action {
		case trace.Placed:
			return x.in.F("{0} starts on {1}", name, gpus)
		case trace.Moved:
			return x.in.F("{0} moves to {1}", name, gpus)
		}
		return x.in.F("{0} runs on with {1}", name, gpus)
	}
	with := x.p.Jobs[c.Other].Name
	switch c.Action {
	case trace.Placed:
		return x.in.F("{0} starts on {1}, which it shares with {2}", name, gpus, with)
	case trace.Moved:
		return x.in.F("{0} moves to {1}, which it shares with {2}", name, gpus, with)
	}
	return x.in.F("{0} runs on with {1}, which it shares with {2}", name, gpus, with)
}

// byCode says why a job waits whose policy has no words of its own for it.
func (x *explainer) byCode(c *sim.Choice) string {
	asked, free := figure.Plural(x.in, int(c.Num[0]+0.5), "GPU"), itoa(int(c.Num[1]+0.5))
	switch c.Reason {
	case trace.WaitFull:
		return x.in.F("it needs {0} at once, and the number of free GPUs is {1}", asked, free)
	case trace.WaitShape:
		return figure.Count(x.in, int(c.Num[0]+0.5),
			"it needs {0} GPU, and finds no place among those that are free, {1} in number",
			"it needs {0} GPUs at once and finds no place for them among those that are free, {1} in number", free)
	case trace.WaitRate:
		return x.in.T("it has no speed on any GPU that is free")
	}
	return x.in.T("the policy gave no reason")
}

// gangWords lists GPUs by type, as "1 V100 + 1 P100", with the node where it is one; several gangs are copies.
func (x *explainer) gangWords(gangs [][]model.Shard) string {
	if len(gangs) > 1 {
		all := x.gangWords(gangs[:1])
		for _, g := range gangs[1:] {
			all = x.in.F("{0} and {1}", all, x.gangWords([][]model.Shard{g}))
		}
		return x.in.F("{0} copies, {1}", itoa(len(gangs)), all)
	}
	counts := make([]int32, len(x.p.Cluster.Types))
	nodes := map[model.NodeID]bool{}
	for _, sh := range gangs[0] {
		s := x.p.Cluster.Slots[sh.Slot]
		counts[s.Type] += sh.N
		nodes[s.Node] = true
	}
	var parts []string
	for _, t := range x.p.Cluster.BySpeed {
		if counts[t] > 0 {
			parts = append(parts, itoa(int(counts[t]))+" "+figure.TypeTitle(x.p.Cluster.Types[t].Name))
		}
	}
	s := strings.Join(parts, " + ")
	if len(nodes) > 1 {
		return x.in.F("{0} over {1} nodes", s, itoa(len(nodes)))
	}
	return x.in.F("{0} of {1}", s, x.p.Cluster.Nodes[x.p.Cluster.Slots[gangs[0][0].Slot].Node].Name)
}
