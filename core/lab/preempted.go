package lab

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
)

// preempted says that a job loses its GPUs, and to whom: to the jobs that begin to hold GPUs of the slots that it has
// just lost. That is as near as one can say who took them, since the GPUs of a slot are alike; where several jobs begin
// with more than it lost, not all have theirs from it. What the job held may not be on record.
func (x *explainer) preempted(name string, j model.JobID) string {
	lost := x.lostSlots(j)
	if lost == nil {
		return x.in.F("{0} loses its GPUs and waits", name)
	}
	count, most := 0, 0 // GPUs that it had, and that others begin to hold where it had them
	for _, sh := range lost {
		count += int(sh.N)
	}
	its := x.in.N(count, "its GPU", "its GPUs")
	var names []string
	for i := range x.d.Choices {
		c := x.d.Choices[i]
		if c.Job == j || c.Action != trace.Placed && c.Action != trace.Moved {
			continue
		}
		took := false
		for _, g := range c.Gangs {
			for _, sh := range g {
				if slices.ContainsFunc(lost, func(l model.Shard) bool { return l.Slot == sh.Slot }) {
					took = true
					if c.Other < 0 || c.Other > c.Job { // two that share GPUs get them once
						most += int(sh.N)
					}
				}
			}
		}
		if took {
			names = append(names, x.p.Jobs[c.Job].Name)
		}
	}
	who := ""
	switch n := len(names); n {
	case 0:
		return x.in.F("{0} loses {1}, which nobody takes up at once, and waits", name, its)
	case 1:
		who = names[0]
	case 2:
		who = x.in.F("{0} and {1}", names[0], names[1])
	case 3:
		who = x.in.F("{0}, {1} and {2}", names[0], names[1], names[2])
	default:
		who = x.in.F("{0}, {1} and {2} others", names[0], names[1], itoa(n-2))
	}
	if len(names) > 1 && most > count {
		return x.in.F("{0} loses {1} and waits, while {2} get GPUs there", name, its, who)
	}
	return x.in.F("{0} loses {1} to {2} and waits", name, its, who)
}

// lostSlots are the GPUs of the gangs of j that end at the last decision.
func (x *explainer) lostSlots(j model.JobID) (lost []model.Shard) {
	s := &x.t.Spans
	at := x.t.Rounds[len(x.t.Rounds)-1].At
	for i := s.Len() - 1; i >= 0 && s.To[i] >= at; i-- { // spans stand in the order of their ends
		if s.Job[i] == int32(j) && s.To[i] == at {
			lost = append(lost, s.At(i)...)
		}
	}
	return lost
}
