package lab

import (
	"slices"

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
			if s := x.slowed(c, from, r.Now()); s.Note != "" {
				s.Title = x.in.T("Slow nodes")
				e.Jobs[i].Sections = append([]message.Section{s}, e.Jobs[i].Sections...)
			}
		}
	}
}

// slowed names the spells that come over a job's nodes between two instants, and has the sums of its speed in them;
// its note is "" where there are none.
func (x *explainer) slowed(c *sim.Choice, from, to unit.Tick) (out message.Section) {
	held := map[model.NodeID]bool{}
	told := x.told(c)
	job := &x.p.Jobs[c.Job]
	for _, g := range c.Gangs {
		for _, sh := range g {
			held[x.p.Cluster.Slots[sh.Slot].Node] = true
		}
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
			if line := x.slowSum(c, told, max(from, s.At)); !line.IsZero() {
				out.Formula = append(out.Formula, x.say(line))
				out.Formula = slices.Compact(out.Formula) // spells that begin together
			}
		}
	}
	switch {
	case spells == 0:
		return out
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
	if r.Fold > 1 && out.Formula != nil {
		fold, full := float64(r.Fold), float64(told)
		says := words.Say("full speed = speed without coding ÷ how often each part is computed = {0} ÷ {1} = {2} steps/s",
			sim.Digits{Value: full * fold, N: 4}, fold, sim.Digits{Value: full, N: 4})
		out.Formula = append([]string{x.say(says)}, out.Formula...)
	}
	out.Note = note
	return out
}

// slowSum is the sum of a job's speed from an instant on at which some of its nodes are slow; zero where more than that
// counts: several types, phases, links or hosts.
func (x *explainer) slowSum(c *sim.Choice, told unit.Rate, at unit.Tick) (line words.Text) {
	job := &x.p.Jobs[c.Job]
	if job.Profile >= 0 || c.Other >= 0 || len(job.Phases) > 1 || x.p.Needs != nil || x.p.Links != nil ||
		job.Shape.Split != nil {
		return line
	}
	speed := make([]float64, len(x.p.Cluster.Nodes))
	for n := range speed {
		speed[n] = 1
	}
	for _, s := range x.p.Speeds {
		if s.At <= at {
			speed[s.Node] = s.Speed
		}
	}
	var parts []float64 // of each GPU's speed
	copies, first := len(c.Gangs) > 1, &c.Gangs[0][0]
	for _, g := range c.Gangs {
		for _, sh := range g {
			slot := &x.p.Cluster.Slots[sh.Slot]
			if slot.Type != x.p.Cluster.Slots[first.Slot].Type || copies && (len(g) > 1 || sh.N != first.N) {
				return line
			}
			for range sh.N {
				parts = append(parts, speed[slot.Node])
			}
		}
	}
	four := func(v float64) sim.Digits { return sim.Digits{Value: v, N: 4} }
	when, full := sim.Instant(at.Seconds()), float64(told)
	if copies {
		least, slow := slices.Min(parts), 0
		for i := 0; i < len(parts); i += int(first.N) {
			if parts[i] < 1 {
				slow++
			}
			if parts[i] < 1 && parts[i] != least {
				return line
			}
		}
		fast := float64(len(c.Gangs) - slow)
		full /= float64(len(c.Gangs))
		return words.Say("speed from {0} on = full speed of a copy × (copies on other nodes + those on slow ones × their part) = {1} × ({2} + {3} × {4}) = {5} steps/s",
			when, four(full), fast, float64(slow), four(least), four(full*(fast+float64(float64(slow)*least))))
	}
	pace := job.Shape.Redundancy.Pace(job.Shape.Size, parts)
	return words.Say("speed from {0} on = full speed × part of the slowest that it waits for = {1} × {2} = {3} steps/s",
		when, four(full), four(pace), four(full*pace))
}
