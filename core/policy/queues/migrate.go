package queues

import (
	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// migrateParam lets a preemptive queue move running jobs. Without it a job that has started on slow GPUs stays there
// beside idle fast ones.
var migrateParam = policy.Param{Name: "migrate", Title: "Move to faster free GPUs", Kind: policy.Bool, Default: true,
	Help: "A running job goes to free GPUs of another, faster type when that is believed to save more time than moving costs; who knows no lengths takes a job to be half done, and Gittins takes the mean of what lengths leave."}

// mover moves running jobs to faster free GPUs (ours: the papers have one GPU type). It remembers the
// moves of a decision for its explanation.
type mover struct {
	on bool
	// left is how many steps the job is believed to have left.
	left  func(v sim.View, j model.JobID) float64
	moved []move
}

// move is a job that moves: when it would be done on the GPUs that it has and on the new ones, in seconds from now.
type move struct {
	job         model.JobID
	stay, leave float64
}

// knownLeft is how many steps a job has left, for policies that know lengths.
func knownLeft(v sim.View, j model.JobID) float64 {
	left, _ := v.Remaining(j)
	return float64(left)
}

// doneSoFar takes a job that has run for long to have as much before it, for policies that do not know
// lengths.
func doneSoFar(v sim.View, j model.JobID) float64 { return float64(v.Done(j)) }

// try moves j, which keeps what it holds under the plan, if it is done sooner on free GPUs of another
// type. The stall of the move counts, so that a job near its end stays.
func (m *mover) try(c *model.Cluster, pl *place.Placer, v sim.View, p *sim.Plan, j model.JobID) bool {
	if !m.on || v.Gangs(j) != 1 {
		return false
	}
	gang := pl.Faster(c, v, p, j)
	if gang == nil {
		return false
	}
	left, held := m.left(v, j), v.Gang(j, 0)
	ends := func(on []model.Shard) float64 {
		rate := float64(v.Rate(j, 0, on))
		if rate <= 0 {
			return float64(unit.Never)
		}
		return v.Charge(j, on).Seconds() + left/rate
	}
	stay, leave := ends(held), ends(gang)
	if leave >= stay {
		return false
	}
	before := p.Mark()
	p.Drop(j)
	if !place.Put(p, j, 0, gang) {
		p.Undo(before)
		return false
	}
	m.moved = append(m.moved, move{j, stay, leave})
	return true
}

// explain gives the figures of the moves of this decision.
func (m *mover) explain(d *sim.Detail) {
	for _, x := range m.moved {
		c := d.Of(x.job)
		c.Sections = append(c.Sections, &sim.Section{Terms: []sim.Term{
			sim.Named("time left where it was, as believed", x.stay, "s"),
			sim.Named("time left where it goes, with the stall", x.leave, "s")}})
	}
}
