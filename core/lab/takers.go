package lab

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
)

// takers says who begins to hold GPUs of the slots that a preempted job has just lost, by job; that is as near as one
// can say who took them, since the GPUs of a slot are alike. Empty when what it held is not on record.
func (x *explainer) takers(j model.JobID) string {
	s := &x.t.Spans
	at := x.t.Rounds[len(x.t.Rounds)-1].At
	var lost []int32
	for i := s.Len() - 1; i >= 0 && s.To[i] >= at; i-- { // spans stand in the order of their ends
		if s.Job[i] == int32(j) && s.To[i] == at {
			for _, sh := range s.At(i) {
				lost = append(lost, sh.Slot)
			}
		}
	}
	if lost == nil {
		return ""
	}
	var names []string
	for i := range x.d.Choices {
		c := &x.d.Choices[i]
		if c.Job == j || c.Action != trace.Placed && c.Action != trace.Moved {
			continue
		}
		took := false
		for _, g := range c.Gangs {
			for _, sh := range g {
				took = took || slices.Contains(lost, int32(sh.Slot))
			}
		}
		if took {
			names = append(names, x.p.Jobs[c.Job].Name)
		}
	}
	switch n := len(names); {
	case n == 0:
		return ", which nobody takes up at once,"
	case n == 1:
		return " to " + names[0]
	case n == 2:
		return " to " + names[0] + " and " + names[1]
	case n == 3:
		return " to " + names[0] + ", " + names[1] + " and " + names[2]
	default:
		return " to " + names[0] + ", " + names[1] + " and " + itoa(n-2) + " others"
	}
}
