package gavel

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/sim"
	"hadarlab/core/timeshare"
	"hadarlab/core/unit"
)

// place gives the picks their GPUs, type by type, large gangs first. Among gangs of one size, or among all if
// stayFirst is set, those that can keep their GPUs go first; the rest fill node after node.
func (r *rounds) place(v sim.View, p *sim.Plan) {
	r.queue, r.lost = r.queue[:0], r.lost[:0]
	for _, t := range r.types { // one number says which goes first: the larger gang, then the earlier pick
		from := len(r.queue)
		for i := range r.picks {
			if q := &r.picks[i]; q.Type == t && q.Allocated {
				r.queue = append(r.queue, int64(math.MaxInt32-q.GPUs)<<32|int64(i))
			}
		}
		slices.Sort(r.queue[from:])
	}
	// Before from there is no free GPU of the type: none is given back here, so that full slots are passed by once.
	from, typ := 0, model.TypeID(-1)
	for todo := r.queue; len(todo) > 0; {
		end := 1
		for end < len(todo) && (r.stayFirst || r.alike(todo[end], todo[0])) {
			end++
		}
		moving := todo[:0]
		for _, n := range todo[:end] {
			if q := &r.picks[uint32(n)]; r.stays(v, p, q) {
				r.run(v, p, q)
			} else {
				moving = append(moving, n)
			}
		}
		for _, n := range moving {
			q := &r.picks[uint32(n)]
			if q.Type != typ {
				from, typ = 0, q.Type
			}
			for ; from < len(r.cluster.Slots); from++ {
				if r.cluster.Slots[from].Type == typ && p.Free(model.SlotID(from)) > 0 {
					break
				}
			}
			gang, ok := place.FirstFree(r.gang, r.cluster, p, q.Type, q.GPUs, from)
			if r.gang = gang; ok {
				r.run(v, p, q)
			} else {
				r.lost = append(r.lost, q)
			}
		}
		todo = todo[end:]
	}
}

// alike says whether two picks of the queue are gangs of one size on one type.
func (r *rounds) alike(a, b int64) bool {
	return a>>32 == b>>32 && r.picks[uint32(a)].Type == r.picks[uint32(b)].Type
}

// stays puts the GPUs that the pick has held into r.gang if they are of its type and still free.
func (r *rounds) stays(v sim.View, p *sim.Plan, q *timeshare.Pick) (ok bool) {
	r.gang, ok = place.Kept(r.gang, r.cluster, v, p, q.Job, q.Type)
	if !ok && q.Mate >= 0 && !r.stayOlder {
		r.gang, ok = place.Kept(r.gang, r.cluster, v, p, q.Mate, q.Type)
	}
	return ok
}

// run states r.gang with the steps that its members do in this round. A pair runs until the later of
// the two is done, and is booked for that long.
func (r *rounds) run(v sim.View, p *sim.Plan, q *timeshare.Pick) {
	p.Open(q.Job, 0)
	for _, sh := range r.gang {
		p.Take(sh.Slot, sh.N)
	}
	var end unit.Tick
	if q.Mate < 0 {
		end = r.quota(v, p, q.Job)
	} else {
		end = r.quota(v, p, q.Job, q.Mate)
		p.Join(q.Mate)
		end = max(end, r.quota(v, p, q.Mate, q.Job))
	}
	if p.Close() {
		r.tasks = append(r.tasks, task{q.Job, q.Pair, q.Type, end})
	} else {
		r.lost = append(r.lost, q)
	}
}

// quota sets the steps of the member of the open gang named last, and gives the instant at which they
// are done. A job does whole steps only, as the published simulator has it, and holds its GPUs for the
// rest of the round. A job that has outlived its believed length is not limited by that belief, or it
// would decide anew after every few steps.
func (r *rounds) quota(v sim.View, p *sim.Plan, j model.JobID, with ...model.JobID) unit.Tick {
	stall := v.Charge(j, r.gang)
	rate := v.Rate(j, 0, r.gang, with...)
	steps := rate.WholeSteps(r.round - stall)
	if steps == 0 {
		// Less than one step a round: whole steps would never progress.
		steps = rate.Over(max(0, r.round-stall))
	}
	if left, ok := v.Remaining(j); ok && !v.Outlived(j) {
		steps = min(steps, left)
	}
	p.Quota(steps)
	if steps > 0 {
		return v.Now() + stall + rate.Until(steps)
	}
	return v.Now() + r.round
}
