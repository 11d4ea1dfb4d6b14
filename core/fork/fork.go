// Package fork is HadarE's planner for one round: every job may be forked into copies that train at
// the same time on separate nodes. It assigns nodes to jobs in two phases, splits a round's steps
// over the copies of a job by their speeds, and gives the weights with which the copies' parameters
// are merged afterwards. A Problem goes in, a Result comes out; it does not see the simulator.
//
// HadarE is reconstructed from its published abstract; section numbers are those of the notes on
// Hadar (4.x). Choices of ours are marked "(ours)".
package fork

import (
	"cmp"
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Job is one unfinished, arrived job.
type Job struct {
	ID        model.JobID
	Arrive    unit.Tick
	Total     unit.Work
	Remaining unit.Work
	Outlived  bool // it has done more than it was believed to need: Remaining limits no round
	Speed     *model.Throughput
	Held      []model.NodeID // nodes of its present copies, ascending
	Keep      unit.Tick      // stall of this round if its set of nodes stays: the merge
	Move      unit.Tick      // stall of this round if it changes, at least Keep
}

// Problem is one round's decision.
type Problem struct {
	Now     unit.Tick
	Round   unit.Tick
	Cluster *model.Cluster
	Usable  []int32 // GPUs that may be used, by slot
	Jobs    []Job   // in order of arrival
}

// Settings tune the planner. The zero value is the default.
type Settings struct {
	Effective bool      // utility Q/d in place of t*/d. Default false
	Eta       float64   // fixed η; 0 = the smallest legal one. Default 0
	Horizon   unit.Tick // fixed absolute horizon; 0 = a serial worst case. Default 0
}

// Copy is one copy of a job: a gang on one node.
type Copy struct {
	Node  model.NodeID
	Slot  model.SlotID
	GPUs  int32
	Rate  unit.Rate
	Steps unit.Work // its part of this round's steps
	Left  int32     // GPUs of the node that it leaves idle
	Phase int       // 1: Hadar on whole nodes, 2: an idle node given to the job it helps most
	// Rounds is how many rounds the job would need there alone; phase 1 only.
	Rounds int64
	// Utility, Cost and Payoff are, in phase 1, μ and its parts over the job's remaining life; in phase 2 Utility is
	// by how much the node raises what a round is worth to the job, and Cost is 0.
	Utility, Cost, Payoff float64
}

// Result is one round's decision. Slices belong to the Planner and hold until its next call.
type Result struct {
	Copies     [][]Copy // by job, nodes ascending; none = it waits
	Owner      []int32  // by node, the index of the job whose copy runs there; -1 = none
	Stall      []unit.Tick
	UMin, UMax float64 // price of an empty and of a taken node
	Eta, Alpha float64
	Horizon    unit.Tick
	Payoff     float64 // sum of phase 1, per round
	// Gain is, by job and node, by how much the node would have raised what a round is worth to the job when
	// phase 2 gave it away; it has a meaning for the nodes that phase 2 gave away only, and once Weigh was called.
	Gain []float64
}

// Planner holds the working memory of successive rounds. The zero value is ready to use.
type Planner struct {
	prob   *Problem
	set    Settings
	nodes  nodes
	tables map[*model.Throughput]int32
	table  []int32 // by job, which of the tables is its own
	speed  []spot  // by table and kind of node
	best   []unit.Rate
	worst  []unit.Rate
	scale  []float64
	total  []unit.Rate // of the copies so far
	moved  []bool      // by job: a copy so far is on a node that the job did not hold
	worths worths      // by job, and by job's own node where staying is worth more
	match  matcher
	spare  leftovers
	res    Result
}

// spot is the copy that a job could run on a node; without a rate it can run none.
type spot struct {
	at   int32 // its slot among those of the node
	gpus int32
	left int32
	rate unit.Rate
}

// Plan decides one round: phase 1 gives distinct jobs a node each, phase 2 the nodes that are left
// to whom they help most, and then each job's steps are split over its copies.
func (pl *Planner) Plan(p *Problem, set Settings) *Result {
	pl.prob, pl.set = p, set
	pl.nodes.sort(p.Cluster, p.Usable)
	pl.clear(len(p.Jobs), len(p.Cluster.Nodes))
	pl.spots()
	pl.constants()
	pl.assign()
	pl.fill()
	pl.split()
	return &pl.res
}

// clear empties all that the last round has left, and makes room for this one's jobs and nodes.
func (pl *Planner) clear(jobs, nodes int) {
	pl.table, pl.scale = grow(pl.table, jobs), grow(pl.scale, jobs)
	pl.total, pl.moved = grow(pl.total, jobs), grow(pl.moved, jobs)
	pl.res.Owner = grow(pl.res.Owner, nodes)
	pl.res.Copies, pl.res.Stall = grow(pl.res.Copies, jobs), grow(pl.res.Stall, jobs)
	clear(pl.total)
	clear(pl.moved)
	for n := range pl.res.Owner {
		pl.res.Owner[n] = -1
	}
	for j := range pl.res.Copies {
		pl.res.Copies[j] = pl.res.Copies[j][:0]
	}
	pl.res.Gain = nil
}

// spots finds the copy that each job could run on each node: the largest gang with a speed, of the
// job's fastest type on the node. The rest of the node stays idle, because a copy owns its node
// (4.2, ours). Jobs with one table of speeds are alike in this, and so are nodes of one kind.
func (pl *Planner) spots() {
	p := pl.prob
	if pl.tables == nil {
		pl.tables = map[*model.Throughput]int32{}
	}
	clear(pl.tables)
	pl.speed, pl.best, pl.worst = pl.speed[:0], pl.best[:0], pl.worst[:0]
	for j := range p.Jobs {
		speed := p.Jobs[j].Speed
		t, known := pl.tables[speed]
		if !known {
			t = int32(len(pl.tables))
			pl.tables[speed] = t
			best, worst := unit.Rate(0), unit.Rate(0)
			for _, n := range pl.nodes.sample {
				x := pl.find(speed, n)
				if best = max(best, x.rate); x.rate > 0 && (worst == 0 || x.rate < worst) {
					worst = x.rate
				}
				pl.speed = append(pl.speed, x)
			}
			pl.best, pl.worst = append(pl.best, best), append(pl.worst, worst)
		}
		pl.table[j] = t
	}
}

// find is the copy that a job with a table of speeds could run on a node.
func (pl *Planner) find(speed *model.Throughput, n model.NodeID) (x spot) {
	p := pl.prob
	for i, s := range pl.nodes.of(n) {
		for m := p.Usable[s]; m > 0; m-- {
			r := speed.Rate(p.Cluster.Slots[s].Type, m, model.OneNode)
			if r <= 0 {
				continue
			}
			if r > x.rate {
				x.at, x.gpus, x.rate = int32(i), m, r
			}
			break
		}
		x.left += p.Usable[s]
	}
	x.left -= x.gpus
	return x
}

// spotsOf are the spots of job j, by kind of node.
func (pl *Planner) spotsOf(j int) []spot {
	kinds, t := len(pl.nodes.sample), int(pl.table[j])
	return pl.speed[t*kinds : (t+1)*kinds]
}

// copy is the copy that job j could run on node n.
func (pl *Planner) copy(j, n int) Copy {
	x := &pl.spotsOf(j)[pl.nodes.kind[n]]
	c := Copy{Node: model.NodeID(n), GPUs: x.gpus, Rate: x.rate, Left: x.left}
	if x.rate > 0 {
		c.Slot = pl.nodes.of(c.Node)[x.at]
	}
	return c
}

// fastest and slowest are the best and the worst speed of job j over the nodes on which it can run.
func (pl *Planner) fastest(j int) unit.Rate { return pl.best[pl.table[j]] }
func (pl *Planner) slowest(j int) unit.Rate { return pl.worst[pl.table[j]] }

// constants are Hadar's price constants with a node as the unit, that is c = 1 and W = 1 (4.5): the
// most and the least that a round on a node can be worth, η, the horizon and α. Utilities are in
// 1/s of lifetime or in steps per second, as the settings say.
func (pl *Planner) constants() {
	p, r := pl.prob, &pl.res
	serial := int64(0)
	for j := range p.Jobs {
		serial += rounds(p.Jobs[j].Remaining, pl.slowest(j), p.Round)
		pl.scale[j] = float64(p.Jobs[j].Total)
		if !pl.set.Effective && pl.fastest(j) > 0 {
			pl.scale[j] = max(pl.scale[j]/float64(pl.fastest(j)), p.Round.Seconds())
		}
	}
	r.Horizon = p.Now + unit.Tick(serial)*p.Round
	if pl.set.Horizon > p.Now {
		r.Horizon = pl.set.Horizon
	}
	left := float64(r.Horizon-p.Now) / float64(p.Round)
	r.Eta, r.UMax, r.UMin, r.Alpha = pl.set.Eta, 0, 0, 1
	low := -1.0
	for j := range p.Jobs {
		worst := float64(rounds(p.Jobs[j].Remaining, pl.slowest(j), p.Round))
		if worst == 0 {
			continue
		}
		if pl.set.Eta <= 0 {
			r.Eta = max(r.Eta, float64(left*float64(len(p.Cluster.Nodes)))/worst)
		}
		r.UMax = max(r.UMax, pl.utility(j, p.Now.Seconds()+float64(p.Jobs[j].Remaining)/float64(pl.fastest(j))))
		if u := pl.utility(j, r.Horizon.Seconds()) / worst; low < 0 || u < low {
			low = u
		}
	}
	if r.UMax > 0 {
		r.UMin = low / float64(4*r.Eta)
		if !(r.UMin < r.UMax) || r.UMin <= 0 {
			r.UMin = r.UMax / 2.718281828459045
		}
		r.Alpha = max(1, unit.Log(r.UMax)-unit.Log(r.UMin))
	}
}

// rounds is n = ⌈R/(rate·L)⌉, the rounds that a job with w steps left needs at a speed; 0 without a
// speed.
func rounds(w unit.Work, rate unit.Rate, round unit.Tick) int64 {
	per := float64(rate.Over(round))
	if per <= 0 {
		return 0
	}
	return max(1, unit.CeilRounds(float64(w)/per))
}

// utility is U_j of job j if it finishes at f seconds: its best possible time, or its steps, over
// its lifetime.
func (pl *Planner) utility(j int, f float64) float64 {
	d := f - pl.prob.Jobs[j].Arrive.Seconds()
	if !pl.set.Effective { // it has its nodes for a whole round, so no time counts as less
		d = max(d, pl.prob.Round.Seconds())
	}
	if d <= 0 {
		return 0
	}
	return pl.scale[j] / d
}

// at is the utility of job j if it went on at a rate from now to its end. It stalls first: as for a
// move if moves is set, since one of its nodes is then new to it, and as for a merge otherwise.
func (pl *Planner) at(j int, rate unit.Rate, moves bool) float64 {
	if rate <= 0 {
		return 0
	}
	p := pl.prob
	stall := p.Jobs[j].Keep
	if moves {
		stall = p.Jobs[j].Move
	}
	return pl.utility(j, (p.Now+stall).Seconds()+float64(p.Jobs[j].Remaining)/float64(rate))
}

// worth is what one round is worth to job j: the utility of its whole remaining life over the
// rounds that this takes. Jobs compete for the nodes of one round, and a figure for the whole life
// would send the longest job first after a wait.
func (pl *Planner) worth(j int, rate unit.Rate, moves bool) float64 {
	if rate <= 0 {
		return 0
	}
	return pl.at(j, rate, moves) / float64(rounds(pl.prob.Jobs[j].Remaining, rate, pl.prob.Round))
}

// strange says whether node n is new to job j, so that going there costs a move.
func (pl *Planner) strange(j, n int) bool {
	_, held := slices.BinarySearch(pl.prob.Jobs[j].Held, model.NodeID(n))
	return !held
}

// assign is phase 1 (4.2): distinct jobs get distinct nodes so that the sum of their payoffs per
// round, at the price of an empty node, is the greatest. Of sums alike within 1e-9 the one on
// faster nodes wins. A job whose payoff is negative on a node does not get it in this phase.
func (pl *Planner) assign() {
	p, r, w := pl.prob, &pl.res, &pl.worths
	kinds := len(pl.nodes.sample)
	w.rows, w.columns, w.kinds, w.kind = len(p.Jobs), len(p.Cluster.Nodes), kinds, pl.nodes.kind
	w.value, w.from, w.odd = grow(w.value, w.rows*kinds), append(w.from[:0], 0), w.odd[:0]
	for j := range p.Jobs {
		row := w.row(j)
		for k := range row {
			row[k] = pl.bid(j, k, true)
		}
		if p.Jobs[j].Keep != p.Jobs[j].Move {
			last, value := int32(-1), 0.0
			for i, n := range p.Jobs[j].Held {
				if i > 0 && n == p.Jobs[j].Held[i-1] {
					continue
				}
				if k := pl.nodes.kind[n]; k != last {
					last, value = k, pl.bid(j, int(k), false)
				}
				if value != row[last] {
					w.odd = append(w.odd, odd{int32(n), value})
				}
			}
		}
		w.from = append(w.from, int32(len(w.odd)))
	}
	r.Payoff = 0
	for j, n := range pl.match.solve(*w) {
		if n < 0 || w.at(j, int(n)) <= 0 {
			continue
		}
		c := pl.Offer(j, int(n))
		r.Payoff += c.Payoff / float64(c.Rounds)
		pl.give(j, c)
	}
}

// bid is what phase 1 makes as large as possible in sum: the payoff per round of job j on a node of kind k. It is no
// larger where the job has to move.
func (pl *Planner) bid(j, k int, moves bool) float64 {
	x := &pl.spotsOf(j)[k]
	if x.rate <= 0 {
		return 0
	}
	payoff := pl.worth(j, x.rate, moves) - pl.res.UMin
	return even(max(0, payoff+float64(payoff*1e-9*float64(x.rate/pl.fastest(j)))), pl.res.UMax)
}

// even is a bid as a whole multiple of 2^-50 of the least power of 2 above U_max, which no bid exceeds by more than
// 1e-9 of it. All sums and differences in the search for the greatest sum are exact then, so that bids that are alike
// tie, and it is the order of jobs and nodes that decides, not rounding (ours).
func even(bid, most float64) float64 {
	_, e := math.Frexp(most)
	coarse := math.Ldexp(6, e) // numbers of this size are such multiples
	return float64(bid+coarse) - coarse
}

// Offer is what phase 1 weighed of job j on node n: the copy and its payoff at the price of an empty node.
// Its Rate is 0 where the job cannot run. It holds until the next Plan.
func (pl *Planner) Offer(j, n int) Copy {
	p, c := pl.prob, pl.copy(j, n)
	c.Phase = 1
	if c.Rate > 0 {
		c.Rounds = rounds(p.Jobs[j].Remaining, c.Rate, p.Round)
		c.Utility, c.Cost = pl.at(j, c.Rate, pl.strange(j, n)), float64(float64(c.Rounds)*pl.res.UMin)
		c.Payoff = c.Utility - c.Cost
	}
	return c
}

// give adds a copy of job j to the plan, with the copies in order of their nodes.
func (pl *Planner) give(j int, c Copy) {
	pl.res.Owner[c.Node] = int32(j)
	pl.total[j] += c.Rate
	pl.moved[j] = pl.moved[j] || pl.strange(j, int(c.Node))
	list := append(pl.res.Copies[j], c)
	for i := len(list) - 1; i > 0 && list[i-1].Node > list[i].Node; i-- {
		list[i-1], list[i] = list[i], list[i-1]
	}
	pl.res.Copies[j] = list
}

// split gives each copy its steps of the round (4.3). The stall comes first, for the whole job:
// copies are merged before any of them goes on.
func (pl *Planner) split() {
	p := pl.prob
	for j := range p.Jobs {
		copies := pl.res.Copies[j]
		pl.res.Stall[j] = p.Jobs[j].Move
		if sameNodes(copies, p.Jobs[j].Held) {
			pl.res.Stall[j] = p.Jobs[j].Keep
		}
		remaining := p.Jobs[j].Remaining
		if p.Jobs[j].Outlived {
			remaining = unlimited
		}
		Split(copies, remaining, p.Round-pl.res.Stall[j])
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

// Split sets the copies' steps for a round of which so much time is left after the stall (4.3). If
// the job needs more steps than the copies can do, each does all that it can. Otherwise they share
// what remains in proportion to their speeds, so that all end together: in whole steps by largest
// remainder, ties to the lower node. The fraction of a step that a job may have left goes with the
// last whole one handed out.
func Split(copies []Copy, remaining unit.Work, left unit.Tick) {
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
		return
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

// Weights are the weights with which copies are merged: by the steps each did (4.4, ours), or plain
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

// grow gives b the length n and keeps its memory where that is enough.
func grow[T any](b []T, n int) []T {
	if cap(b) < n {
		return append(b[:cap(b)], make([]T, n-cap(b))...)
	}
	return b[:n]
}
