package lab

import (
	"slices"
	"strings"

	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// array is the array that a job is in in this lane, nil = it trains for itself.
func (x *explainer) array(j model.JobID) *model.Array {
	if x.p.Fusion == nil {
		return nil
	}
	for i := range x.p.Fusion.Arrays {
		for _, m := range x.p.Fusion.Arrays[i].Members {
			if m == j {
				return &x.p.Fusion.Arrays[i]
			}
		}
	}
	return nil
}

// faces is the problem in which the job that stands for an array is called as the oldest of it that still trains: it is
// the one of whom the trace speaks.
func (x *explainer) faces() *model.Problem {
	if x.p.Fusion == nil {
		return x.p
	}
	named := *x.p
	named.Jobs = slices.Clone(x.p.Jobs)
	for i := range named.Jobs {
		a := x.array(model.JobID(i))
		if a == nil || a.Members[0] != model.JobID(i) {
			continue
		}
		if k := slices.IndexFunc(a.Members, func(m model.JobID) bool { return x.t.Jobs[m].Finish < 0 }); k > 0 {
			named.Jobs[i].Name = x.t.Jobs[a.Members[k]].Name
		}
	}
	return &named
}

// standsFor is the name of the job that the policy knows for one: the oldest member of its array.
func (x *explainer) standsFor(name string) string {
	for i := range x.p.Jobs {
		if x.p.Jobs[i].Name == name {
			if a := x.array(model.JobID(i)); a != nil && a.At <= x.now() {
				return x.p.Jobs[a.Members[0]].Name
			}
		}
	}
	return name
}

// now is the instant of the decision.
func (x *explainer) now() unit.Tick { return x.t.Rounds[len(x.t.Rounds)-1].At }

// addFused says of each array who trains in it, what each was held for, and what a step of theirs takes against one
// alone.
func (x *explainer) addFused(e *message.Explanation) {
	for i, c := range x.d.Choices {
		a := x.array(c.Job)
		if a == nil {
			continue
		}
		var names, held []string
		for _, m := range a.Members {
			job, name := &x.p.Jobs[m], x.t.Jobs[m].Name
			if f := x.t.Jobs[m].Finish; f < 0 {
				names = append(names, name)
			}
			held = append(held, name+" "+x.say(words.Say("{0}", sim.Seconds((a.At-job.Arrive).Seconds()))))
		}
		k := len(names)
		stretch, gain := a.Curve.Stretch(k), a.Curve.Of(k)
		alone := x.p.Tables[a.Tables[0]]
		note := x.say(words.Say("{0} train as one wide model. Held until the array was full, or for so long: {1}.",
			strings.Join(names, ", "), strings.Join(held, ", ")))
		if k < 2 {
			note = x.say(words.Say("It trains alone by now, or nobody else came. Held for: {0}.",
				strings.Join(held, ", ")))
		}
		s := message.Section{Title: x.in.T("Fusion"), Note: note}
		if k > 1 {
			s.Note += " " + x.say(words.Say(
				"A step of {0} takes max(1 + {1} × {2}, {0} × {3}) = {4} times as long as of one, so that together they do {0} ÷ {4} = {5} times as much.",
				k, a.Curve.Beta, k-1, a.Curve.Use, sim.Fixed{Value: stretch, Decimals: 3},
				sim.Fixed{Value: gain, Decimals: 3}))
			if c.Gangs != nil {
				one := alone.Rate(x.p.Cluster.Slots[c.Gangs[0][0].Slot].Type, 1, model.OneNode)
				s.Note += " " + x.say(words.Say("Alone each would do {0}, and does {0} ÷ {1} = {2}.", one,
					sim.Fixed{Value: stretch, Decimals: 3}, x.p.Tables[a.Tables[k-1]].Rate(
						x.p.Cluster.Slots[c.Gangs[0][0].Slot].Type, 1, model.OneNode)))
			}
		}
		s.Terms = []message.NamedValue{{Key: "fusion/members", Value: float64(k)},
			{Key: "fusion/stretch", Value: stretch}, {Key: "fusion/gain", Value: gain}}
		e.Jobs[i].Sections = append([]message.Section{s}, e.Jobs[i].Sections...)
	}
	for i := range x.p.Jobs {
		j := &x.p.Jobs[i]
		if a := x.array(model.JobID(i)); a != nil && j.Arrive <= x.now() && x.now() < a.At {
			e.Jobs = append(e.Jobs, message.JobChoice{ID: j.Name, Action: "waits", Reason: trace.WaitFusion.String(),
				Sentence: x.say(words.Say("{0} waits: it is held for others of its sweep until {1}.", j.Name,
					sim.Instant(a.At.Seconds())))})
		}
	}
}
