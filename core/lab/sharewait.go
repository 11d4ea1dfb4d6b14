package lab

import (
	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/words"
)

// waitsForShare says why a job waits that has a share of the time. The policy serves each type by priority, then by
// what is owed from before, target and arrival; so the sentence names who went before the job on the type on which its
// priority is highest, for they took the GPUs first.
func (x *explainer) waitsForShare(c *sim.Choice) string {
	var at *sim.Share
	can := 0
	for i := range c.Shares {
		s := &c.Shares[i]
		if s.Rate > 0 {
			can++
		}
		if s.Priority > 0 && (at == nil || s.Priority > at.Priority) {
			at = s
		}
	}
	if at == nil {
		return words.T("It is due no time for now, and the jobs that are due some leave too few GPUs.")
	}
	typ, needs := x.title(at.Type), ""
	if asked := float64(x.p.Jobs[c.Job].Shape.Min); asked > 1 && can == 1 {
		needs = words.F("It needs {0} of one type at once, and only {1} will do.", gpus(asked), typ) + " "
	} else if asked > 1 {
		needs = words.F("It needs {0} of one type at once.", gpus(asked)) + " "
	}
	var first []*sim.Choice
	ties := 0
	for i := range x.d.Choices {
		if k := &x.d.Choices[i]; x.wentBefore(k, c, at) {
			if first = append(first, k); k.Num[0] == at.Priority {
				ties++
			}
		}
	}
	write := enoughDecimals(at.Priority, first)
	who := x.namePriorities(first, ties < len(first), write)
	if ties > 0 && ties == len(first) {
		return needs +
			words.F(
				"On {0} its priority (target ÷ received) is {1}, as high as that of {2}; on a tie goes first who is owed more from before, then whose target is larger, then the older job. Too few are left.", typ, write(at.Priority), who)
	}
	says := needs + words.F("On {0} its priority (target ÷ received) is {1}; {2} came first, and too few are left.",
		typ, write(at.Priority), who)
	if ties > 0 {
		says += " " +
			words.T(
				"On a tie goes first who is owed more from before, then whose target is larger, then the older job.")
	}
	return says
}

// namePriorities lists the first two jobs by name, with their priorities if asked for.
func (x *explainer) namePriorities(first []*sim.Choice, priorities bool, write func(float64) string) string {
	who := words.T("others")
	for i, k := range first {
		one := x.p.Jobs[k.Job].Name
		if priorities {
			one += " (" + write(k.Num[0]) + ")"
		}
		switch i {
		case 0:
			who = one
		case 1:
			who += ", " + one
		case 2:
			who += " …"
		}
	}
	return who
}

// enoughDecimals writes the priorities of a job and of those before it with equally many decimals: two, or as many more
// as are needed to tell the job's from theirs and from 0.
func enoughDecimals(v float64, first []*sim.Choice) func(float64) string {
	decimals := 2
	write := func(v float64) string { return figure.Fixed(v, decimals) }
	for i := -1; i < len(first); i++ {
		other := 0.0
		if i >= 0 {
			other = first[i].Num[0]
		}
		for decimals < 20 && other != v && write(other) == write(v) {
			decimals++
		}
	}
	return write
}

// wentBefore says whether k was given GPUs of a type before c had its turn there; at is where c stands on it.
func (x *explainer) wentBefore(k, c *sim.Choice, at *sim.Share) bool {
	if k.Gangs == nil || k.Altered != nil || x.typeOf(k) != at.Type {
		return false
	}
	if k.Num[0] != at.Priority {
		return k.Num[0] > at.Priority
	}
	for i := range k.Shares {
		if s := &k.Shares[i]; s.Type == at.Type && k.Other < 0 {
			return s.Deficit > at.Deficit || s.Deficit == at.Deficit &&
				(s.Target > at.Target || s.Target == at.Target && k.Job < c.Job)
		}
	}
	return false
}

func (x *explainer) title(t model.TypeID) string { return figure.TypeTitle(x.p.Cluster.Types[t].Name) }

// typeOf is the GPU type of a gang that keeps to one.
func (x *explainer) typeOf(c *sim.Choice) model.TypeID {
	return x.p.Cluster.Slots[c.Gangs[0][0].Slot].Type
}
