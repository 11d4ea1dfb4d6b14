package lab

import (
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// mostSpells is how many spells of slowness a job is told of.
const mostSpells = 3

// addSlow says of each job with GPUs which of its nodes are slow before the next decision is taken, to which the run
// goes on, and what that means to it.
func (x *explainer) addSlow(e *message.Explanation, r *sim.Run) {
	if len(x.p.Speeds) == 0 {
		return
	}
	from, rounds := r.Now(), r.Rounds()
	for r.Rounds() == rounds && r.Step() {
	}
	for i := range x.d.Choices {
		if c := x.d.Choices[i]; c.Gangs != nil {
			if note := x.slowNote(c, from, r.Now()); note != "" {
				e.Jobs[i].Sections = append([]message.Section{{Title: x.in.T("Slow nodes"), Note: note}},
					e.Jobs[i].Sections...)
			}
		}
	}
}

// slowNote names the spells that come over a job's nodes between two instants; "" where there are none.
func (x *explainer) slowNote(c *sim.Choice, from, to unit.Tick) string {
	held := map[model.NodeID]bool{}
	told := unit.Rate(0) // to the policy
	job := &x.p.Jobs[c.Job]
	for _, g := range c.Gangs {
		for _, sh := range g {
			held[x.p.Cluster.Slots[sh.Slot].Node] = true
		}
		told += sim.GangRate(&x.p.Tables[job.Phases[0].Tables[0]], &x.p.Cluster, g, job.Shape.Split)
	}
	note, spells := "", 0
	say := func(t words.Text) {
		if note != "" {
			note += " "
		}
		note += x.say(t)
	}
	for i, s := range x.p.Speeds {
		if !held[s.Node] || s.Speed == 1 || s.At >= to {
			continue
		}
		end := unit.Never
		for _, later := range x.p.Speeds[i+1:] {
			if later.Node == s.Node {
				end = later.At
				break
			}
		}
		if end <= from {
			continue
		}
		if spells++; spells <= mostSpells {
			say(words.Say("{0} runs at {1} of its speed from {2} to {3}.", s.Node, sim.Share(s.Speed),
				sim.Instant(s.At.Seconds()), sim.Instant(end.Seconds())))
		}
	}
	switch {
	case spells == 0:
		return ""
	case spells > mostSpells:
		say(words.Say("{0} more spells follow.", spells-mostSpells))
	}
	r, size := job.Shape.Redundancy, 0
	for _, sh := range c.Gangs[0] {
		size += int(sh.N)
	}
	switch whole := size == int(job.Shape.Size); {
	case len(c.Gangs) > 1:
		say(words.Say("Its copies do not wait for one another: the others go on at their own pace."))
	case r.Backup > 0 && whole:
		say(words.Say("A step takes the {0} fastest of its {1} GPUs.", size-int(r.Backup), size))
	case r.Fold > 1 && whole && r.Groups > 1:
		say(words.Say("A step is done when all but {0} of each of its {1} groups are.", r.Fold-1, r.Groups))
	case r.Fold > 1 && whole:
		say(words.Say("A step is done when {0} of its {1} GPUs are.", size-int(r.Fold)+1, size))
	case size > 1:
		say(words.Say("Its GPUs wait for the slowest at every step."))
	}
	if job.Profile < 0 && c.Other < 0 && c.Rate < told && len(job.Phases) == 1 {
		say(words.Say("Foretold were {0}; at this decision it has {1}.", told, c.Rate))
	}
	return note
}
