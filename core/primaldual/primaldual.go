// Package primaldual is Hadar's allocator for one round: exponential prices of GPUs, the payoff of a
// placement, FIND_ALLOC over packed and spread placements with mixed GPU types, and the dual
// subroutine that picks a set of jobs. A Problem goes in, a Result comes out; it does not see the
// simulator, and it keeps nothing from one round to the next but memory to reuse.
//
// Hadar is reconstructed from its published abstract and the primal-dual family (OASiS). core/papers/hadar.md is the
// whole account, whose sections are cited by name. Choices of ours are marked "(ours)".
package primaldual

import (
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Job is one unfinished, arrived job.
type Job struct {
	ID        model.JobID
	Doc       int32     // position in the document, for Order = ByID
	Arrive    unit.Tick // a_j
	GPUs      int32     // W_j
	Total     unit.Work // Q_j in steps
	Remaining unit.Work // R_j in steps
	Speed     *model.Throughput
	Split     *model.Split  // of a mixed gang's batch; nil = even, at the pace of the slowest GPU
	Held      []model.Shard // present gang in slot order, empty while waiting
	Keep      unit.Tick     // stall still to come if it keeps Held
	Move      unit.Tick     // stall if it gets any other GPUs
	Alone     float64       // isolated seconds of the work done so far, for FTF
	Unfair    float64       // ρ̂ at the previous decision, for FTF; 0 = there was none, which counts as 1
}

// Problem is one round's decision.
type Problem struct {
	Now     unit.Tick
	Round   unit.Tick // L
	Cluster *model.Cluster
	Usable  []int32 // GPUs that may be used, by slot
	Jobs    []Job   // in order of arrival
}

// Utility selects U_j (hadar.md, Utility).
type Utility uint8

const (
	// t*/d with t* = Q over the best speed and neither below a round: 1 = as soon as alone on GPUs all of its best type
	// (ours); the default
	Normalised Utility = iota
	// Q/d, steps per second of lifetime, as we remember the paper, unread; steps of unlike models are unlike units
	Effective
	AvgJCT   // D − d with a common D: the sum is a constant minus the total duration (ours)
	Makespan // remaining GPU-seconds at best speed over the time left: GPUs × the part of the best speed (ours)
	FTF      // ρ̂·I/d, weighted by the unfairness of the round that ended (ours)
)

// Order selects the queue order of the dual subroutine.
type Order uint8

const (
	ByDensity         Order = iota // payoff on the empty cluster per GPU and round, then age; the default
	ByLifetimeDensity              // payoff on the empty cluster per GPU, then age
	ByArrival
	ByID
)

// Search selects how the dual subroutine explores take/skip.
type Search uint8

const (
	Auto   Search = iota // exact up to 8 jobs, beam 16 up to 32, beam 4 above; the default
	Exact                // every reachable occupancy, as long as a step has no more than mostStates
	Beam                 // Settings.Beam states a step
	Greedy               // one state: take whatever pays
)

// Comm selects what a gang over several nodes is believed to lose (hadar.md, Distance).
type Comm uint8

const (
	Measured Comm = iota // the scenario's spread speeds, which the kernel uses too; the default
	Ring                 // analytic ring all-reduce
	NoComm               // nothing
)

// Settings are Hadar's switches. The zero value is the default everywhere.
type Settings struct {
	RoundCost      bool      // charge this round only, not the job's remaining lifetime. Default false
	Utility        Utility   // default Normalised
	TypeBounds     bool      // U_max of a type with the job's own speed on it. Default false
	Eta            float64   // fixed η; 0 = the smallest legal one. Default 0
	Horizon        unit.Tick // fixed absolute horizon T; 0 = a serial worst case. Default 0
	Order          Order     // default ByDensity
	LifetimeValue  bool      // the dual subroutine adds whole-life payoffs in place of payoffs per round. Default false
	Search         Search    // default Auto
	Beam           int       // states kept when Search is Beam; 0 = 4. Default 0
	NoResidual     bool      // leave the residual pass out. Default false
	WorkConserving bool      // give idle GPUs to waiting jobs whatever their payoff. Default false
	Homogeneous    bool      // single-type gangs only: a job-level baseline. Default false
	Comm           Comm      // default Measured
	RingBytes      float64   // model size for Ring, in bytes. Default 0: no loss
	RingBytesPerS  float64   // bandwidth for Ring, in bytes per second. Default 0: no loss
	FreeMoves      bool      // leave stalls out of the payoff. Default false
	Plain          bool      // FIND_ALLOC by its plain form alone, which finds the same. Default false
}

// Offer is one placement of one job, with what it is worth and costs.
type Offer struct {
	Shards []model.Shard // in slot order
	Rate   unit.Rate
	Deal
	nodes int32
	types uint64    // its set of GPU types, a bit each
	speed unit.Rate // of its fastest type, for ties
	held  bool      // the GPUs it has already
}

// Result is one round's decision. Slices belong to the Solver and hold until its next call.
type Result struct {
	Constants Constants
	Order     []int32   // positions in Problem.Jobs, in queue order
	Alone     []Offer   // by job: the choice on an empty cluster; no shards = fits nowhere
	Chosen    []Offer   // by job: the gang it gets; no shards = it waits
	Late      []bool    // by job: admitted by the residual or work-conserving pass
	Best      []Offer   // by waiting job: its best placement at the final prices; no shards = none fits
	Used      []int32   // by slot, after the decision
	Prices    []float64 // by slot, after the decision
	// the sum that the dual subroutine maximised, before the residual pass: Σ μ_j/n_j, or Σ μ_j with LifetimeValue
	Payoff float64
	Primal float64 // Σ utility of the jobs that run
	Dual   float64 // Σ max(0, μ_j at top speed and the least price) + (T−t)·Σ c·k at the final prices, in rounds
}

// Solver holds the working memory of successive rounds. The zero value is ready to use.
type Solver struct {
	set  Settings
	prob *Problem

	types      int
	kinds      []kind
	kindOf     []int32   // kind of each slot
	typeKinds  [][]int32 // kinds of each type
	prices     []float64 // by kind and GPUs taken
	nodeSlots  []int32   // slots of node n are nodeSlots[n]:nodeSlots[n+1] in slot order
	empty      occupancy
	now        occupancy // after the decision so far
	market     Market
	terms      []jobTerms // by job, what else holds for the whole round
	usable     int32
	free       int32 // GPUs that the decision so far leaves
	mixedNodes bool  // some node has several types

	res    Result
	find   finder
	search search

	parts    []model.Part   // scratch of value
	alike    map[jobKey]int // scratch of alone: the first job of each
	endings  []ending       // of job endingOf, as far as they were asked for
	endingOf int
}

// jobTerms are a job's figures that hold for the whole round, whatever the prices are. They are
// computed once because the search weighs the job again in every state.
type jobTerms struct {
	top    unit.Rate // no placement is faster
	iso    float64   // speed on a 1/n share of the cluster, for FTF
	order  []int32   // types by descending speed, those it can use
	rank   []int32   // place of each type in order, -1 = cannot be used
	packed []ending  // by type, of those it can use: on one slot that it has not already
	kept   ending    // on the one slot that it has
}

// Solve decides one round. Constants and prices come first, because the worth of every placement
// depends on them; then each job's choice on the empty cluster gives the order of the queue, and
// the dual subroutine picks the set of jobs. The residual pass fills what it leaves.
func (s *Solver) Solve(p *Problem, set Settings) *Result {
	s.prob, s.set = p, set
	s.prepare()
	s.constants()
	s.priceTables()
	s.alone()
	s.queue()
	s.subroutine()
	s.residual()
	s.finish()
	return &s.res
}

// prepare indexes the cluster and computes what does not depend on prices.
func (s *Solver) prepare() {
	p := s.prob
	c := p.Cluster
	s.endingOf, s.find.fast.job = -1, -1
	s.types = len(c.Types)
	s.nodeSlots = grow(s.nodeSlots, len(c.Nodes)+1)
	clear(s.nodeSlots)
	s.usable, s.mixedNodes = 0, false
	s.sortSlots()
	for i := range c.Slots {
		s.nodeSlots[c.Slots[i].Node+1] = int32(i + 1)
		s.usable += p.Usable[i]
	}
	for n := range c.Nodes {
		s.nodeSlots[n+1] = max(s.nodeSlots[n+1], s.nodeSlots[n])
		s.mixedNodes = s.mixedNodes || s.nodeSlots[n+1]-s.nodeSlots[n] > 1
	}
	s.terms = grow(s.terms, len(p.Jobs))
	s.market = Market{p.Now, p.Round, s.usable, s.set.Utility, s.set.Eta, s.set.Horizon,
		grow(s.market.Jobs, len(p.Jobs))}
	for i := range p.Jobs {
		s.market.Jobs[i] = s.prepareJob(&p.Jobs[i], &s.terms[i])
	}
}

// prepareJob computes a job's figures that no price changes: its types by descending speed, its
// best speed, and how many rounds it needs at the worst. A job may be slower spread over
// nodes than on its slowest type packed, and is then slowest there.
func (s *Solver) prepareJob(j *Job, t *jobTerms) Bidder {
	order, rank, packed := t.order[:0], grow(t.rank, s.types), grow(t.packed, s.types)
	*t = jobTerms{}
	best, worst := unit.Rate(0), unit.Rate(0) // over types at its size, packed or spread
	for r := range s.types {
		v := j.Speed.Rate(model.TypeID(r), j.GPUs, model.OneNode)
		if v <= 0 {
			continue
		}
		i := len(order)
		order = append(order, int32(r))
		for ; i > 0 && j.Speed.Rate(model.TypeID(order[i-1]), j.GPUs, model.OneNode) < v; i-- {
			order[i] = order[i-1]
		}
		order[i] = int32(r)
		best = max(best, s.bestRate(j, model.TypeID(r)))
		if worst == 0 || v < worst {
			worst = v
		}
		far := s.spreadRate(j, model.TypeID(r), s.mostNodes(j), model.Network)
		if far > 0 && far < worst {
			worst = far
		}
		t.top = max(t.top, best, far) // a table may have gangs that are faster over racks
	}
	t.order, t.rank, t.packed = order, rank, packed
	clear(packed)
	for r := range rank {
		rank[r] = -1
	}
	for k, r := range order {
		rank[r] = int32(k)
	}
	return Bidder{Arrive: j.Arrive, Remaining: j.Remaining, Best: best, Most: j.GPUs, Least: j.GPUs,
		Rounds: s.market.Rounds(j.Remaining, worst)}
}

// bestRate is the job's speed on type r, packed or, where it may be, spread: some tables have gangs that are faster
// over two nodes.
func (s *Solver) bestRate(j *Job, r model.TypeID) unit.Rate {
	v := j.Speed.Rate(r, j.GPUs, model.OneNode)
	if v > 0 && s.mostNodes(j) > 1 {
		v = max(v, s.spreadRate(j, r, 2, model.OneRack))
	}
	return v
}

// mostNodes is the greatest number of nodes that the job's gang can lie on: one GPU of each, if
// there are so many nodes.
func (s *Solver) mostNodes(j *Job) int32 {
	return min(j.GPUs, int32(len(s.prob.Cluster.Nodes)))
}

// spreadRate is the speed in steps per second that the settings believe of a gang on GPUs of type r
// over several nodes, so far apart (hadar.md, Distance). Ring adds to each step what an all-reduce moves per node,
// 2·(m−1)/m of the model, at the given bandwidth.
func (s *Solver) spreadRate(j *Job, r model.TypeID, nodes int32, tier model.Tier) unit.Rate {
	switch s.set.Comm {
	case Measured:
		return j.Speed.Rate(r, j.GPUs, tier)
	case Ring:
		v := j.Speed.Rate(r, j.GPUs, model.OneNode)
		if v <= 0 || s.set.RingBytesPerS <= 0 {
			return v
		}
		w := float64(j.GPUs)
		m := float64(nodes)
		step := w/float64(v) + float64(2*(m-1)/m)*s.set.RingBytes/s.set.RingBytesPerS
		return unit.Rate(w / step)
	}
	return j.Speed.Rate(r, j.GPUs, model.OneNode)
}

// grow gives b the length n and keeps its memory where that is enough, so that a solver that has
// seen its largest problem allocates nothing. What the slice holds is left as it is.
func grow[T any](b []T, n int) []T {
	if cap(b) < n {
		return append(b[:cap(b)], make([]T, n-cap(b))...)
	}
	return b[:n]
}
