package lab

import (
	"cmp"
	"slices"
	"strings"

	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// maxForces is the most forced choices of a lane.
const maxForces = 100

// force resolves the lane's forced choices. fail reports those that this policy could never follow.
func (l *lane) force(p *model.Problem, path string, fail func(path, code, msg, fix string)) {
	if len(l.ref.Force) > maxForces {
		fail(path, "too-many", "there are "+itoa(len(l.ref.Force))+" forced choices; the most is "+itoa(maxForces), "Take some out.")
		return
	}
	forks := l.spec.Cadence(p.Public(), l.values).Merge
	for i, f := range l.ref.Force {
		at, who := path+"/"+itoa(i), "forced choice "+itoa(i+1)+": "
		job := slices.IndexFunc(p.Jobs, func(j model.Job) bool { return j.Name == f.Job })
		if job < 0 {
			fail(at+"/job", "no-job", who+"there is no job "+f.Job, "Name a job of the scenario.")
			continue
		}
		c := sim.Force{Round: f.Round, Job: model.JobID(job)}
		for k, g := range f.Gangs {
			gang, size, lacks := shardsOf(p, g)
			if lacks != nil {
				fail(at+"/gangs/"+itoa(k), "no-node", who+"there are no "+itoa(lacks.Count)+" "+lacks.Type+" on "+lacks.Node, "Name GPUs of the cluster.")
			}
			if asked := p.Jobs[job].Shape.Min; !forks && lacks == nil && (size < int(asked) || size > int(p.Jobs[job].Shape.Max)) {
				fail(at+"/gangs/"+itoa(k), "bad-gang", who+f.Job+" asks for "+gpus(float64(asked))+", and the gang has "+itoa(size), "Give it "+itoa(int(asked))+".")
			}
			c.Gangs = append(c.Gangs, gang)
		}
		if len(f.Gangs) > 1 && !forks {
			fail(at+"/gangs", "bad-gang", who+"several gangs are copies, and "+l.spec.Title+" forks no job", "Give one gang.")
		}
		l.forces = append(l.forces, c)
	}
}

// shardsOf finds GPUs by their names, in slot order; lacks is what the cluster does not have.
func shardsOf(p *model.Problem, g []message.Shard) (out []sim.Shard, size int, lacks *message.Shard) {
	for i := range g {
		slot := slices.IndexFunc(p.Cluster.Slots, func(s model.Slot) bool {
			return p.Cluster.Nodes[s.Node].Name == g[i].Node && p.Cluster.Types[s.Type].Name == g[i].Type
		})
		if slot < 0 || g[i].Count < 1 || g[i].Count > int(p.Cluster.Slots[slot].Cap) {
			return nil, 0, &g[i]
		}
		out = append(out, sim.Shard{Slot: model.SlotID(slot), N: int32(g[i].Count)})
		size += g[i].Count
	}
	unit.SortStable(out, func(a, b sim.Shard) int { return cmp.Compare(a.Slot, b.Slot) })
	return out, size, nil
}

// unforced says which forced choices had no effect on a run, and why. Rounds are counted from 0, as in the
// document.
func (l *lane) unforced(t *trace.Trace) (notes []string) {
	for i := range l.forces {
		f := &l.forces[i]
		says := "The choice forced for " + t.Jobs[f.Job].Name + " in round " + itoa(f.Round) + " had no effect: "
		if f.Round >= len(t.Rounds) {
			notes = append(notes, says+"the run ended before that round.")
			continue
		}
		end := int32(len(t.Reasons))
		if f.Round+1 < len(t.Rounds) {
			end = t.Rounds[f.Round+1].Reason
		}
		for _, r := range t.Reasons[t.Rounds[f.Round].Reason:end] {
			if r.Code == trace.ForceVoid && r.Job == int32(f.Job) {
				notes = append(notes, says+voids[int(r.Num[0])]+".")
			}
		}
	}
	return notes
}

var voids = [...]string{sim.ForceEarly: "the job had not arrived", sim.ForceLate: "the job was done", sim.ForceMisfits: "the GPUs could not be had at that moment"}

// forcedSentence says what was forced upon a job, or what it lost to a forced choice, and what the policy had
// chosen.
func (x *explainer) forcedSentence(c *sim.Choice, name string) string {
	own, who := c.Altered.Own, x.l.short()
	had := who + " had let it wait"
	if own != nil {
		had = who + " had chosen " + x.gangWords(own)
	}
	if sameGangs(own, c.Gangs) {
		had = who + " had chosen the same"
	}
	switch by := x.p.Jobs[c.Altered.By].Name; {
	case by == name && c.Gangs != nil:
		return name + " was put on " + x.gangWords(c.Gangs) + " by you; " + had + "."
	case by == name:
		return name + " was made to wait by you; " + had + "."
	case c.Gangs != nil:
		return name + " keeps " + x.gangWords(c.Gangs) + "; your choice for " + by + " took the rest of what " + who + " had chosen, " + x.gangWords(own) + "."
	case c.Action == trace.Preempted:
		return name + " loses its GPUs to your choice for " + by + " and waits; " + had + "."
	default:
		return name + " waits, because your choice for " + by + " took its GPUs; " + had + "."
	}
}

// short is the policy's title up to a comma.
func (l *lane) short() string {
	title, _, _ := strings.Cut(l.spec.Title, ",")
	return title
}

func sameForce(a, b sim.Force) bool {
	return a.Round == b.Round && a.Job == b.Job && sameGangs(a.Gangs, b.Gangs)
}

func sameGangs(a, b [][]sim.Shard) bool {
	return slices.EqualFunc(a, b, func(x, y []sim.Shard) bool { return slices.Equal(x, y) })
}
