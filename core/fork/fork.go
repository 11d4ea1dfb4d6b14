// Package fork is HadarE's planner for one round: every job may be forked into copies that train at
// the same time on separate nodes. It assigns GPUs to jobs in two phases, splits a round's steps
// over the copies of a job by their speeds, and gives the weights with which the copies' parameters
// are merged afterwards. A Problem goes in, a Result comes out; it does not see the simulator.
//
// A copy holds what its job asked for, and several copies of different jobs share a node, each on GPUs of its own
// (request.go), or it has a node to itself (whole.go). Prices are Hadar's: those of a GPU, or of a node.
//
// HadarE is reconstructed from its published abstract. core/papers/hadar.md is the whole account, whose sections are
// cited by name. Choices of ours are marked "(ours)".
package fork

import (
	"cmp"
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/primaldual"
	"hadarlab/core/unit"
)

// Job is one unfinished, arrived job.
type Job struct {
	ID        model.JobID
	Arrive    unit.Tick
	GPUs      int32 // W, what it asked for, at least 1
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
	Whole     bool      // a copy has its node to itself, and W does not limit it. Default false
	Effective bool      // utility Q/d in place of t*/d. Default false
	Eta       float64   // fixed η; 0 = the smallest legal one. Default 0
	Horizon   unit.Tick // fixed absolute horizon; 0 = a serial worst case. Default 0
	Plain     bool      // both phases by their plain forms, which decide the same. Default false
}

// Copy is one copy of a job: a gang on one node.
type Copy struct {
	Node  model.NodeID
	Slot  model.SlotID
	GPUs  int32
	Rate  unit.Rate
	Steps unit.Work // its part of this round's steps
	Left  int32     // GPUs of a node of its own that it leaves idle
	Used  int32     // units of its place that were taken before it (phase 1): GPUs of the slot, or 0 of the whole node
	Phase int       // 1: Hadar, one copy a job; 2: idle GPUs given to the job that they help most
	// Rounds is how many rounds the job would need there alone; phase 1 only.
	Rounds int64
	// Utility, Cost and Payoff are, in phase 1, μ and its parts over the job's remaining life; in phase 2 Utility is
	// by how much the copy raises what a round is worth to the job, and Cost is 0.
	Utility, Cost, Payoff float64
}

// Result is one round's decision. Slices belong to the Planner and hold until its next call.
type Result struct {
	Copies     [][]Copy // by job, nodes ascending; none = it waits
	Owner      []int32  // by node, the index of the job whose copy has it to itself; -1 = none
	Used       []int32  // by slot, the GPUs taken
	Stall      []unit.Tick
	Ends       []bool  // by job: it ends within the round, and its copies share what remains
	UMin, UMax float64 // price of an empty and of a full unit, a round: a GPU, or a whole node
	Eta, Alpha float64
	Horizon    unit.Tick
	Serial     int64 // of these three, see primaldual.Constants
	Demand     primaldual.Demand
	Bounds     primaldual.Bounds
	Payoff     float64 // sum of phase 1, per round
	Gifts      []Gift  // of phase 2, in the order in which they were given
}

// Gift is what phase 2 gave away. Gains are, by job, by how much it would have raised what a round is worth; NaN where
// the job could not use it. They are there once Weigh was called.
type Gift struct {
	Node  model.NodeID
	Slot  model.SlotID
	Job   int32
	Gains []float64
}

// Planner holds the working memory of successive rounds. The zero value is ready to use.
type Planner struct {
	prob   *Problem
	set    Settings
	nodes  nodes
	slots  slots
	tables map[asker]int32
	table  []int32 // by job, which of the tables is its own
	kinds  int     // of nodes where copies have them to themselves, else of slots
	sizes  []int32 // of gangs, each once; one that stands for all where copies have nodes to themselves
	speed  []spot  // by table and kind
	best   []spot  // by table, the fastest and the slowest
	worst  []spot
	scale  []float64
	team   []model.Together // the copies so far
	moved  []bool           // by job: a copy so far is on a node that the job did not hold
	worths worths           // by job, and by job's own node where staying is worth more
	match  matcher
	spare  leftovers
	shares shares
	res    Result
}

// asker is what decides which copies a job could run. Without GPUs the whole node is asked for.
type asker struct {
	speed *model.Throughput
	gpus  int32
}

// spot is the copy that a job could run on a node, or on a slot; without a rate it can run none.
type spot struct {
	at    int32 // its slot among those of the node
	gpus  int32
	left  int32
	units int32 // that it pays for: 1 node, or its GPUs
	size  int32 // of the gang, which of the sizes
	rate  unit.Rate
}

// Plan decides one round: phase 1 gives distinct jobs a copy each, phase 2 the GPUs that are left
// to whom they help most, and then each job's steps are split over its copies.
func (pl *Planner) Plan(p *Problem, set Settings) *Result {
	pl.prob, pl.set = p, set
	pl.nodes.sort(p.Cluster, p.Usable)
	if pl.kinds = len(pl.nodes.sample); !set.Whole {
		pl.slots.sort(p.Cluster, p.Usable)
		pl.kinds = len(pl.slots.sample)
	}
	pl.clear(len(p.Jobs), len(p.Cluster.Nodes), len(p.Cluster.Slots))
	pl.spots()
	pl.constants()
	switch {
	case !unit.Small && set.Whole && set.Plain:
		pl.plainAssign()
		pl.plainFill()
	case set.Whole:
		pl.assign()
		pl.fill()
	case !unit.Small && set.Plain:
		pl.share()
		pl.plainFillShares()
	default:
		pl.share()
		pl.fillShares()
	}
	pl.split()
	return &pl.res
}

// clear empties all that the last round has left, and makes room for this one's jobs, nodes and slots.
func (pl *Planner) clear(jobs, nodes, slots int) {
	r := &pl.res
	pl.table, pl.scale = grow(pl.table, jobs), grow(pl.scale, jobs)
	pl.team, pl.moved = grow(pl.team, jobs), grow(pl.moved, jobs)
	r.Owner, r.Used = grow(r.Owner, nodes), grow(r.Used, slots)
	r.Copies, r.Stall, r.Ends = grow(r.Copies, jobs), grow(r.Stall, jobs), grow(r.Ends, jobs)
	r.Payoff, r.Gifts = 0, r.Gifts[:0]
	clear(pl.team)
	clear(pl.moved)
	clear(r.Used)
	for n := range r.Owner {
		r.Owner[n] = -1
	}
	for j := range r.Copies {
		r.Copies[j] = r.Copies[j][:0]
	}
}

// spots finds the copy that each job could run on each node or slot. Jobs with one table of speeds that ask for as many
// GPUs are alike in this, and so are nodes, or slots, of one kind.
func (pl *Planner) spots() {
	p := pl.prob
	if pl.tables == nil {
		pl.tables = map[asker]int32{}
	}
	clear(pl.tables)
	if pl.sizes = pl.sizes[:0]; pl.set.Whole {
		pl.sizes = append(pl.sizes, 0)
	}
	pl.speed, pl.best, pl.worst = pl.speed[:0], pl.best[:0], pl.worst[:0]
	for j := range p.Jobs {
		a := asker{p.Jobs[j].Speed, p.Jobs[j].GPUs}
		if pl.set.Whole {
			a.gpus = 0
		}
		t, known := pl.tables[a]
		if !known {
			t = int32(len(pl.tables))
			pl.tables[a] = t
			var best, worst spot
			for k := range pl.kinds {
				var x spot
				if pl.set.Whole {
					x = pl.find(a.speed, pl.nodes.sample[k])
				} else {
					x = pl.fit(a, pl.slots.sample[k])
				}
				if x.rate > best.rate {
					best = x
				}
				if x.rate > 0 && (worst.rate == 0 || x.rate < worst.rate) {
					worst = x
				}
				pl.speed = append(pl.speed, x)
			}
			pl.best, pl.worst = append(pl.best, best), append(pl.worst, worst)
		}
		pl.table[j] = t
	}
}

// largest is the largest gang of at most so many GPUs of a type that has a speed.
func largest(speed *model.Throughput, typ model.TypeID, most int32) (gpus int32, rate unit.Rate) {
	for m := most; m > 0; m-- {
		if r := speed.Rate(typ, m, model.OneNode); r > 0 {
			return m, r
		}
	}
	return 0, 0
}

// spotsOf are the spots of job j, by kind.
func (pl *Planner) spotsOf(j int) []spot {
	t := int(pl.table[j])
	return pl.speed[t*pl.kinds : (t+1)*pl.kinds]
}

// fastest and slowest are the best and the worst copy of job j.
func (pl *Planner) fastest(j int) *spot { return &pl.best[pl.table[j]] }
func (pl *Planner) slowest(j int) *spot { return &pl.worst[pl.table[j]] }

// constants are Hadar's price constants (hadar.md), one set for the cluster: the most and the least that a round on a
// unit, a GPU or a whole node, can be worth, η, the horizon and α. Utilities are in 1/s of lifetime or in steps per
// second, as the settings say.
func (pl *Planner) constants() {
	p, r := pl.prob, &pl.res
	serial := int64(0)
	for j := range p.Jobs {
		serial += rounds(p.Jobs[j].Remaining, pl.slowest(j).rate, p.Round)
		pl.scale[j] = float64(p.Jobs[j].Total)
		if best := pl.fastest(j).rate; !pl.set.Effective && best > 0 {
			pl.scale[j] = max(pl.scale[j]/float64(best), p.Round.Seconds())
		}
	}
	units := int32(len(p.Cluster.Nodes))
	if !pl.set.Whole {
		units = 0
		for _, n := range p.Usable {
			units += n
		}
	}
	r.Horizon = primaldual.Horizon(p.Now, p.Round, serial, pl.set.Horizon)
	left := float64(r.Horizon-p.Now) / float64(p.Round)
	r.Eta, r.Alpha = pl.set.Eta, 1
	r.Serial, r.Demand, r.Bounds = serial, primaldual.Demand{}, primaldual.Bounds{}
	for j := range p.Jobs {
		best, worst := pl.fastest(j), pl.slowest(j)
		n := rounds(p.Jobs[j].Remaining, worst.rate, p.Round)
		if n == 0 {
			continue
		}
		if pl.set.Eta <= 0 {
			d := primaldual.Demand{Job: j, Left: left, Units: units, Rounds: n, Gang: worst.units}
			if d.Eta() > r.Eta {
				r.Eta, r.Demand = d.Eta(), d
			}
		}
		soonest := p.Now.Seconds() + float64(p.Jobs[j].Remaining)/float64(best.rate)
		r.Bounds.Add(primaldual.Worth{Job: j, Utility: pl.utility(j, soonest), Rounds: 1, Gang: best.units},
			primaldual.Worth{Job: j, Utility: pl.utility(j, r.Horizon.Seconds()), Rounds: n, Gang: worst.units})
	}
	if r.UMin, r.UMax = r.Bounds.Prices(r.Eta); r.UMax > 0 {
		r.Alpha = primaldual.Alpha(r.UMin, r.UMax)
	}
}

// Price is k(γ) of a slot with so many of its GPUs taken, or of its node, of which nothing or all is taken (hadar.md,
// Prices).
func (pl *Planner) Price(s model.SlotID, used int32) float64 {
	if pl.set.Whole {
		return primaldual.Price(pl.res.UMin, pl.res.UMax, min(used, 1), 1)
	}
	return pl.shares.prices[pl.slots.kind[s]][used]
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

// add adds a copy to a team; it is false where the batch of all would be too large.
func (pl *Planner) add(t *model.Together, j int, s model.SlotID, gpus int32, rate unit.Rate) bool {
	return t.Add(pl.prob.Jobs[j].Speed, pl.prob.Cluster.Slots[s].Type, gpus, rate)
}

// gain is by how much a copy raises what a round is worth to job j, which has the copies that it got so far. It can be
// below 0, for what moving costs; can is false where it may have no such copy.
func (pl *Planner) gain(j int, s model.SlotID, x *spot, moves bool) (gain float64, can bool) {
	if x.rate <= 0 {
		return 0, false
	}
	with, moved := pl.team[j], pl.moved[j]
	before := with.Rate()
	if !pl.add(&with, j, s, x.gpus, x.rate) {
		return 0, false
	}
	return pl.worth(j, with.Rate(), moved || moves) - pl.worth(j, before, moved), true
}

// strange says whether node n is new to job j, so that going there costs a move.
func (pl *Planner) strange(j, n int) bool {
	_, held := slices.BinarySearch(pl.prob.Jobs[j].Held, model.NodeID(n))
	return !held
}

// even is a bid as a whole multiple of 2^-50 of the least power of 2 above U_max, which no bid exceeds by more than
// 1e-9 of it. All sums and differences in the search for the greatest sum are exact then, so that bids that are alike
// tie, and it is the order of jobs and nodes that decides, not rounding (ours).
func even(bid, most float64) float64 {
	_, e := math.Frexp(most)
	coarse := math.Ldexp(6, e) // numbers of this size are such multiples
	return float64(bid+coarse) - coarse
}

// price makes c the copy that phase 1 weighs: what it is worth over the job's remaining life, and what the units cost
// that it takes behind those that were taken before it.
func (pl *Planner) price(j int, c *Copy) {
	if c.Phase = 1; c.Rate <= 0 {
		return
	}
	units := c.GPUs
	if pl.set.Whole {
		units = 1
	}
	c.Rounds = rounds(pl.prob.Jobs[j].Remaining, c.Rate, pl.prob.Round)
	c.Utility = pl.at(j, c.Rate, pl.strange(j, int(c.Node)))
	c.Cost = float64(float64(c.Rounds) * float64(float64(units)*pl.Price(c.Slot, c.Used)))
	c.Payoff = c.Utility - c.Cost
}

// Sums are job j's best speed, and how long it stalls before a copy of phase 1 runs.
func (pl *Planner) Sums(j int, c *Copy) (best unit.Rate, stall unit.Tick) {
	job := &pl.prob.Jobs[j]
	if stall = job.Keep; pl.strange(j, int(c.Node)) {
		stall = job.Move
	}
	return pl.fastest(j).rate, stall
}

// Offers are the copies that phase 1 weighed of job j, in the order of nodes and slots, at the price that it would find
// behind the other jobs that phase 1 put there. They hold until the next Plan.
func (pl *Planner) Offers(j int) (out []Copy) {
	if pl.set.Whole {
		for n := range pl.prob.Cluster.Nodes {
			if c := pl.weighed(j, n); c.Rate > 0 {
				out = append(out, c)
			}
		}
		return out
	}
	for s := range pl.prob.Cluster.Slots {
		if c := pl.shared(j, model.SlotID(s)); c.Rate > 0 {
			c.Used = pl.shares.first[s]
			for _, own := range pl.res.Copies[j] {
				if own.Slot == c.Slot && own.Phase == 1 {
					c.Used = own.Used
				}
			}
			pl.price(j, &c)
			out = append(out, c)
		}
	}
	return out
}

// Weigh works out the gains of what phase 2 of the last Plan gave away, which takes longer than the plan itself.
func (pl *Planner) Weigh() {
	p, r := pl.prob, &pl.res
	clear(pl.team)
	clear(pl.moved)
	free, on := slices.Clone(p.Usable), make([][]model.NodeID, len(p.Jobs))
	take := func(j int, n model.NodeID, s model.SlotID, x *spot) {
		pl.add(&pl.team[j], j, s, x.gpus, x.rate)
		pl.moved[j] = pl.moved[j] || pl.strange(j, int(n))
		free[s] -= x.gpus
		on[j] = append(on[j], n)
	}
	for j := range p.Jobs {
		for _, c := range r.Copies[j] {
			if c.Phase == 1 {
				_, x := pl.spotAt(j, c.Node, c.Slot)
				take(j, c.Node, c.Slot, x)
			}
		}
	}
	for i := range r.Gifts {
		g := &r.Gifts[i]
		g.Gains = make([]float64, len(p.Jobs))
		for j := range p.Jobs {
			g.Gains[j] = math.NaN()
			s, x := pl.spotAt(j, g.Node, g.Slot)
			if x.gpus > free[s] || slices.Contains(on[j], g.Node) {
				continue
			}
			if gain, can := pl.gain(j, s, x, pl.strange(j, int(g.Node))); can {
				g.Gains[j] = gain
			}
		}
		_, x := pl.spotAt(int(g.Job), g.Node, g.Slot)
		take(int(g.Job), g.Node, g.Slot, x)
	}
}

// spotAt is the copy that job j could run on a slot, or in its place on the whole node, and where it would be.
func (pl *Planner) spotAt(j int, n model.NodeID, s model.SlotID) (model.SlotID, *spot) {
	if !pl.set.Whole {
		return s, &pl.spotsOf(j)[pl.slots.kind[s]]
	}
	x := &pl.spotsOf(j)[pl.nodes.kind[n]]
	return pl.nodes.of(n)[x.at], x
}

// give adds a copy of job j to the plan, with the copies in order of their nodes.
func (pl *Planner) give(j int, c Copy) {
	if pl.set.Whole {
		pl.res.Owner[c.Node] = int32(j)
	}
	pl.res.Used[c.Slot] += c.GPUs
	pl.add(&pl.team[j], j, c.Slot, c.GPUs, c.Rate)
	pl.moved[j] = pl.moved[j] || pl.strange(j, int(c.Node))
	list := append(pl.res.Copies[j], c)
	for i := len(list) - 1; i > 0 && list[i-1].Node > list[i].Node; i-- {
		list[i-1], list[i] = list[i], list[i-1]
	}
	pl.res.Copies[j] = list
}

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

// grow gives b the length n and keeps its memory where that is enough.
func grow[T any](b []T, n int) []T {
	if cap(b) < n {
		return append(b[:cap(b)], make([]T, n-cap(b))...)
	}
	return b[:n]
}
