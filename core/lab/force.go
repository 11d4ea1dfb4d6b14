package lab

import (
	"slices"
	"strings"

	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// force finds the jobs and GPUs of the lane's forced choices; false when one is malformed or names what is
// not there.
func (l *lane) force(p *model.Problem) bool {
	list, ok := scenario.Forces(l.ref.Force)
	for i := range list {
		c := sim.Force{Round: list[i].Round,
			Job: model.JobID(slices.IndexFunc(p.Jobs, func(j model.Job) bool { return j.Name == list[i].Job }))}
		ok = ok && c.Job >= 0
		for _, g := range list[i].Gangs {
			var gang []model.Shard
			for _, s := range g {
				gang = append(gang, model.Shard{Slot: slotOf(p, &s), N: int32(s.Count)})
				ok = ok && gang[len(gang)-1].Slot >= 0
			}
			c.Gangs = append(c.Gangs, gang)
		}
		l.forces = append(l.forces, c)
	}
	return ok
}

// slotOf finds a slot by its names, None = there is none.
func slotOf(p *model.Problem, s *scenario.Shard) model.SlotID {
	for i, slot := range p.Cluster.Slots {
		if p.Cluster.Nodes[slot.Node].Name == s.Node && p.Cluster.Types[slot.Type].Name == s.Type {
			return model.SlotID(i)
		}
	}
	return model.None
}

// unforced says which forced choices had no effect on a run, and why. Choices are counted from 1.
func (l *lane) unforced(in words.Catalogue, t *trace.Trace) (notes []string) {
	for i := range l.forces {
		f, why := &l.forces[i], ""
		from, to := len(t.Reasons), len(t.Reasons)
		if f.Round >= len(t.Rounds) {
			why = in.T("the run ended before its round")
		} else {
			from = int(t.Rounds[f.Round].Reason)
		}
		if f.Round+1 < len(t.Rounds) {
			to = int(t.Rounds[f.Round+1].Reason)
		}
		for k := from; k < to; k++ {
			if r := &t.Reasons[k]; r.Code == trace.ForceVoid && r.Job == int32(f.Job) {
				why = void(in, int(r.Num[0]))
			}
		}
		if why != "" {
			notes = append(notes, in.F("Forced choice {0}, for {1}, had no effect: {2}.", itoa(i+1),
				t.Jobs[f.Job].Name, why))
		}
	}
	return notes
}

// void says why a forced choice had no effect.
func void(in words.Catalogue, code int) string {
	switch code {
	case sim.ForceEarly:
		return in.T("the job had not arrived")
	case sim.ForceLate:
		return in.T("the job was done")
	}
	return in.T("under this policy and at that moment, the job could not hold those GPUs")
}

// forcedSentence says what was forced upon a job, or what it lost to a forced choice, and what the policy had
// chosen.
func (x *explainer) forcedSentence(c *sim.Choice, name string) string {
	lost, who := c.Altered.Lost, x.l.short(x.in)
	if c.Altered.By != c.Job {
		by := x.p.Jobs[c.Altered.By].Name
		if c.Gangs != nil {
			return x.in.F("{0} keeps {1}; your choice for {2} took {3} from it.", name, x.gangWords(c.Gangs), by,
				x.gangWords(lost))
		}
		return x.in.F("{0} waits; your choice for {1} took {2} from it.", name, by, x.gangWords(lost))
	}
	had := x.in.F("{0} had let it wait", who)
	switch {
	case sameGangs(lost, c.Gangs):
		had = x.in.F("{0} had chosen the same", who)
	case lost != nil:
		had = x.in.F("{0} had chosen {1}", who, x.gangWords(lost))
	}
	if c.Gangs != nil {
		return x.in.F("{0} was put on {1} by you; {2}.", name, x.gangWords(c.Gangs), had)
	}
	return x.in.F("{0} was made to wait by you; {1}.", name, had)
}

// short is the policy's title up to a comma.
func (l *lane) short(in words.Catalogue) string {
	title, _, _ := strings.Cut(in.T(l.spec.Title), ",")
	return title
}
