package policy

import (
	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/share"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"slices"
)

// place gives the picks of each type their GPUs: large gangs first; among gangs of one size those
// that ran on this type keep their GPUs if all are still free; the rest fill node after node.
func (g *gavel) place(v sim.View, p *sim.Plan, picks []share.Pick) {
	for from := 0; from < len(picks); {
		to := from
		for to < len(picks) && picks[to].Type == picks[from].Type {
			to++
		}
		g.group = append(g.group[:0], picks[from:to]...)
		from = to
		slices.SortStableFunc(g.group,
			func(a, b share.Pick) int { return int(g.cands[b.At].GPUs - g.cands[a.At].GPUs) })
		for a := 0; a < len(g.group); {
			b := a
			for b < len(g.group) && g.cands[g.group[b].At].GPUs == g.cands[g.group[a].At].GPUs {
				b++
			}
			for k := range g.group[a:b] {
				if q := &g.group[a+k]; q.Allocated && (g.keeps(v, p, q, q.Job) ||
					q.Pair >= 0 && g.keeps(v, p, q, q.Mate)) {
					g.run(v, p, q)
					q.Allocated = false // done
				}
			}
			for k := range g.group[a:b] {
				if q := &g.group[a+k]; q.Allocated && g.fill(p, q) {
					g.run(v, p, q)
				}
			}
			a = b
		}
	}
}

// keeps puts the GPUs that job j of the pick has held into g.gang if they are of the type and still free.
func (g *gavel) keeps(v sim.View, p *sim.Plan, q *share.Pick, j model.JobID) bool {
	gang, ok := place.Kept(g.gang, g.cluster, v, p, j, q.Type)
	g.gang = gang
	return ok
}

// fill puts the first free GPUs of the type, node after node, into g.gang.
func (g *gavel) fill(p *sim.Plan, q *share.Pick) bool {
	gang, ok := place.FirstFree(g.gang, g.cluster, p, q.Type, g.cands[q.At].GPUs)
	g.gang = gang
	return ok
}

// run states the gang with the whole steps it does in this round; a pair runs until the later of the two
// is done.
func (g *gavel) run(v sim.View, p *sim.Plan, q *share.Pick) {
	p.Open(q.Job, 0)
	for _, sh := range g.gang {
		p.Take(sh.Slot, sh.N)
	}
	var end unit.Tick
	if q.Pair < 0 {
		end = g.quota(v, p, q.Job)
	} else {
		end = g.quota(v, p, q.Job, q.Mate)
		p.Join(q.Mate)
		end = max(end, g.quota(v, p, q.Mate, q.Job))
	}
	if p.Close() {
		g.tasks = append(g.tasks, task{q.Job, q.Pair, q.Type, end})
	}
}

// quota sets the steps of the member of the open gang named last, and gives their end.
func (g *gavel) quota(v sim.View, p *sim.Plan, j model.JobID, with ...model.JobID) unit.Tick {
	now := v.Now()
	stall := v.Charge(j, g.gang)
	rate := v.Rate(j, 0, g.gang, with...)
	quota := rate.WholeSteps(g.round - stall)
	if quota == 0 {
		// Less than one step a round: whole steps would never progress.
		quota = rate.Over(max(0, g.round-stall))
	}
	if left, ok := v.Remaining(j); ok && !v.Outlived(j) {
		quota = min(quota, left)
	}
	p.Quota(quota)
	if quota > 0 {
		return now + stall + rate.Until(quota)
	}
	return now + g.round
}
