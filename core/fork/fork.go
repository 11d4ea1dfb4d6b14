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
	// In phase 1 it is what the copy is worth were it the only one of its job. In phase 2 Utility is by how much it
	// raises what a round is worth to the job, and nothing is charged.
	primaldual.Deal
}

// Result is one round's decision. Slices belong to the Planner and hold until its next call.
type Result struct {
	Copies    [][]Copy // by job, nodes ascending; none = it waits
	Owner     []int32  // by node, the index of the job whose copy has it to itself; -1 = none
	Used      []int32  // by slot, the GPUs taken
	Stall     []unit.Tick
	Ends      []bool               // by job: it ends within the round, and its copies share what remains
	Constants primaldual.Constants // one set for all units: GPUs, or whole nodes
	Payoff    float64              // sum of phase 1, per round
	Gifts     []Gift               // of phase 2, in the order in which they were given
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
	market primaldual.Market
	prices [][]float64      // by kind, by units taken
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
	pl.first()
	pl.second()
	pl.split()
	return &pl.res
}

// first is phase 1 (hadar.md, Two phases): distinct jobs get a copy each, so that the sum of their payoffs per round is
// as large as can be found. A job whose payoff would not be positive gets no copy in this phase.
func (pl *Planner) first() {
	s := &pl.shares
	s.worth = grow(s.worth, len(pl.prob.Jobs)*pl.kinds)
	for j := range pl.prob.Jobs {
		for k, x := range pl.spotsOf(j) {
			s.worth[j*pl.kinds+k] = pl.worth(j, x.rate, true)
		}
	}
	s.at = grow(s.at, len(pl.prob.Jobs))
	s.on = grow(s.on, len(pl.prob.Cluster.Slots))
	for j := range s.at {
		s.at[j] = model.None
	}
	for i := range s.on {
		s.on[i] = s.on[i][:0]
	}
	s.largest = 1
	switch alike := pl.set.Whole || pl.alike(); {
	case !unit.Small && pl.set.Plain:
		pl.plainFirst(alike)
	case pl.set.Whole:
		pl.assign()
	case alike:
		pl.sharePlaces()
	default:
		pl.shareInOrder()
	}
	for at, jobs := range s.on {
		for _, j := range jobs {
			c := pl.copyOn(int(j), model.SlotID(at))
			c.Used = pl.res.Used[at]
			pl.price(int(j), &c)
			pl.give(int(j), c)
		}
	}
	for _, copies := range pl.res.Copies {
		for i := range copies {
			pl.res.Payoff += copies[i].Payoff / float64(copies[i].Rounds)
		}
	}
	s.first = append(s.first[:0], pl.res.Used...)
}

// put lets phase 1 put job j on a slot, behind those that are there.
func (pl *Planner) put(j int32, to model.SlotID) {
	pl.shares.at[j] = to
	if to >= 0 {
		pl.shares.on[to] = append(pl.shares.on[to], j)
	}
}

// second is phase 2: node by node, what is left goes to the jobs whose round it makes worth most more, with what moving
// costs, as long as a copy fits of a job that has none there. It goes whatever the payoff is: the utilisation theorem
// (hadar.md) rests on no room staying idle that a copy could use.
func (pl *Planner) second() {
	switch {
	case !unit.Small && pl.set.Plain:
		pl.plainSecond()
	case pl.set.Whole:
		pl.fill()
	default:
		pl.fillShares()
	}
}

// gift gives job j a copy of phase 2 on a slot.
func (pl *Planner) gift(j int, at model.SlotID) {
	c := pl.copyOn(j, at)
	_, x := pl.spotAt(j, c.Node, at)
	gain, _ := pl.gain(j, at, x, pl.isNewNode(j, int(c.Node)))
	c.Phase, c.Used, c.Utility, c.Payoff = 2, pl.res.Used[at], gain, gain
	pl.give(j, c)
	pl.res.Gifts = append(pl.res.Gifts, Gift{Node: c.Node, Slot: at, Job: int32(j)})
}

// clear empties all that the last round has left, and makes room for this one's jobs, nodes and slots.
func (pl *Planner) clear(jobs, nodes, slots int) {
	r := &pl.res
	pl.table, pl.team, pl.moved = grow(pl.table, jobs), grow(pl.team, jobs), grow(pl.moved, jobs)
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

// give adds a copy of job j to the plan, with the copies in order of their nodes.
func (pl *Planner) give(j int, c Copy) {
	if pl.set.Whole {
		pl.res.Owner[c.Node] = int32(j)
	}
	pl.res.Used[c.Slot] += c.GPUs
	pl.add(&pl.team[j], j, c.Slot, c.GPUs, c.Rate)
	pl.moved[j] = pl.moved[j] || pl.isNewNode(j, int(c.Node))
	list := append(pl.res.Copies[j], c)
	for i := len(list) - 1; i > 0 && list[i-1].Node > list[i].Node; i-- {
		list[i-1], list[i] = list[i], list[i-1]
	}
	pl.res.Copies[j] = list
}

// grow gives b the length n and keeps its memory where that is enough.
func grow[T any](b []T, n int) []T {
	if cap(b) < n {
		return append(b[:cap(b)], make([]T, n-cap(b))...)
	}
	return b[:n]
}
