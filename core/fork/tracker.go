package fork

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// The tracker (hadar.md, Tracker): how a round's steps are split over the copies of a job, and how these are merged.

// split gives each copy its steps of the round (hadar.md, Tracker). The stall comes first, for the whole job:
// copies are merged before any of them goes on.
func (pl *Planner) split() {
	p := pl.prob
	for j := range p.Jobs {
		copies := pl.res.Copies[j]
		pl.res.Stall[j] = p.Jobs[j].Move
		if sameNodes(copies, p.Jobs[j].Held) {
			pl.res.Stall[j] = p.Jobs[j].Keep
		}
		for i := range copies { // what an example is worth is known once all are
			c := &copies[i]
			c.Rate = pl.team[j].Part(p.Jobs[j].Speed, p.Cluster.Slots[c.Slot].Type, c.GPUs, c.Rate)
		}
		remaining := p.Jobs[j].Remaining
		if p.Jobs[j].Outlived {
			remaining = unlimited
		}
		pl.res.Ends[j] = Split(copies, remaining, p.Round-pl.res.Stall[j])
	}
}

// sameNodes says whether the copies are on exactly the nodes that the job holds, so that it need
// not move.
func sameNodes(copies []Copy, held []model.NodeID) bool {
	if len(copies) != len(held) {
		return false
	}
	for i := range held {
		if copies[i].Node != held[i] {
			return false
		}
	}
	return true
}

// unlimited is more steps than any round has.
const unlimited unit.Work = 1 << 62

// Split sets the copies' steps for a round of which so much time is left after the stall (hadar.md, Tracker). If
// the job needs more steps than the copies can do, each does all that it can. Otherwise they share
// what remains in proportion to their speeds, so that all end together: in whole steps by largest
// remainder, ties to the lower node. The fraction of a step that a job may have left goes with the
// last whole one handed out. It is true in that case.
func Split(copies []Copy, remaining unit.Work, left unit.Tick) (ends bool) {
	all, rate := unit.Work(0), unit.Rate(0)
	for i := range copies {
		copies[i].Steps = copies[i].Rate.WholeSteps(left)
		all += copies[i].Steps
		rate += copies[i].Rate
	}
	if all == 0 && left > 0 { // less than one step a round: whole steps would never progress
		for i := range copies {
			copies[i].Steps = copies[i].Rate.Over(left)
			all += copies[i].Steps
		}
	}
	if remaining > all || rate <= 0 {
		return false
	}
	rest := remaining
	var room [16]float64
	share := room[:0]
	for i := range copies {
		share = append(share, float64(float64(remaining)*float64(copies[i].Rate))/float64(rate))
		copies[i].Steps = unit.Work(floor(share[i]))
		rest -= copies[i].Steps
	}
	if rest > 0 {
		extra(copies, share, rest)
	}
	return true
}

// extra gives the rest of the steps one by one to the copies of whose shares the largest remainders are left. A later
// copy must be ahead by more than 1e-12.
func extra(copies []Copy, share []float64, rest unit.Work) {
	var room [16]int32
	order := room[:0]
	left := func(i int32) float64 { return share[i] - float64(copies[i].Steps) }
	for i := range int32(len(copies)) {
		if left(i) >= 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(left(b), left(a)), cmp.Compare(a, b)) })
	near := false // some differ by so little that the order is not that of their size
	for at := 1; at < len(order); at++ {
		d := left(order[at-1]) - left(order[at])
		near = near || d > 0 && d < 1e-11
	}
	if near {
		slices.Sort(order)
	}
	for ; rest > 0; rest-- {
		at, to := 0, int32(0)
		if len(order) > 0 {
			for k := 1; k < len(order) && near; k++ {
				if left(order[k]) > left(order[at])+1e-12 {
					at = k
				}
			}
			to = order[at]
			order = slices.Delete(order, at, at+1)
		}
		copies[to].Steps += min(rest, 1)
	}
}

// floor cuts a share of steps to whole ones; shares that are whole but for rounding stay whole.
func floor(v float64) float64 { return float64(int64(v + 1e-9)) }

// Weights are the weights with which copies are merged: by the steps each did (ours; hadar.md, Tracker), or plain
// averages. Copies without steps weigh nothing under the first.
func Weights(steps []unit.Work, plain bool) []float64 {
	w := make([]float64, len(steps))
	sum := unit.Work(0)
	for _, s := range steps {
		sum += s
	}
	for i, s := range steps {
		switch {
		case plain || sum <= 0:
			w[i] = 1 / float64(len(steps))
		default:
			w[i] = float64(s) / float64(sum)
		}
	}
	return w
}
