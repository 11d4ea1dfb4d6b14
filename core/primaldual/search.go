package primaldual

import (
	"hadarlab/core/model"
	"math"
	"slices"
)

// search is the dual subroutine: a dynamic programme over the queue whose state is the occupancy of
// the slots. It runs forwards, one job a step, and merges states of equal occupancy. With no limit
// on the number of states that is the exact recursion over (job, occupancy); with one it is a beam.
//
// A beam tries a job's best offer in each state, the exact search the best offer of every set of
// GPU types. With one offer each, all jobs name the fastest type, and the search never learns which
// of them loses least on another.
//
// States stand in the order of their choices, taking before skipping, so that of equal totals the
// first is the one that the recursion prefers: it takes the earlier job.
type search struct {
	cur, next []state
	used      [2][]int32 // occupancy of the states of cur and next
	steps     []step
	shards    []model.Shard
	order     []int32
	heads     []int32 // 1 + the last state of next in each bucket of hashes, 0 = none
	buckets   int     // a power of two
	floor     float64 // the total that an exact search has to reach
	rest      float64 // what the jobs still to come could add to it
}

// state is one occupancy that the jobs so far can lead to, with the best total that reaches it.
type state struct {
	payoff, cost float64
	hash         uint64
	last         int32 // index of the last step taken, -1 = none
	free         int32 // GPUs left
	at           int32 // where its occupancy stands
	link         int32 // 1 + the next state of its bucket, 0 = none
	dead         bool  // a later state with the same occupancy is better
}

// step is one job taken on the way to a state. States that share their beginning share its steps,
// so that a decision is read back from its last step to its first.
type step struct {
	prev  int32
	job   int32
	offer Offer
	at    [2]int32 // its shards in search.shards
}

// alone finds each job's choice on the empty cluster.
func (s *Solver) alone() {
	n := len(s.prob.Jobs)
	s.res.Alone = growOffers(s.res.Alone, n)
	s.res.Used = grow(s.res.Used, len(s.prob.Cluster.Slots))
	clear(s.res.Used)
	for i := range n {
		s.res.Alone[i].take(s.findAlloc(i, s.res.Used))
	}
}

// growOffers gives n empty offers that keep the memory of their shards.
func growOffers(b []Offer, n int) []Offer {
	b = grow(b, n)
	for i := range b {
		b[i] = Offer{Shards: b[i].Shards[:0]}
	}
	return b
}

// take copies an offer and its shards.
func (o *Offer) take(from *Offer) {
	keep := append(o.Shards[:0], from.Shards...)
	*o = *from
	o.Shards = keep
}

// queue orders the jobs for the dual subroutine. By density those come first that bring most per
// GPU and round, so that a beam of few states keeps good ones.
func (s *Solver) queue() {
	p := s.prob
	q := grow(s.res.Order, len(p.Jobs))
	for i := range q {
		q[i] = int32(i)
	}
	switch s.set.Order {
	case ByID:
		// as the others sort: one sort less in the module
		slices.SortStableFunc(q, func(a, b int32) int { return int(p.Jobs[a].Doc - p.Jobs[b].Doc) })
	case ByDensity, ByLifetimeDensity:
		density := func(i int32) float64 {
			o := &s.res.Alone[i]
			if len(o.Shards) == 0 {
				return 0
			}
			share := o.Payoff / float64(p.Jobs[i].GPUs)
			if s.set.Order == ByDensity {
				share /= float64(o.Rounds)
			}
			return share
		}
		slices.SortStableFunc(q, func(a, b int32) int { // stable: jobs come by age
			if da, db := density(a), density(b); !tie(da, db) {
				return sign(da > db)
			}
			return 0
		})
	}
	s.res.Order = q
}

// mostStates is how many states a step the exact search keeps: gangs of several types can reach more occupancies than
// anybody would wait for, and on trials 64 found the same total (ours).
const mostStates = 1024

// width is how many states the search keeps after each job. Auto keeps fewer the more jobs there
// are, so that a round takes a bounded time.
func (s *Solver) width() int {
	n := len(s.prob.Jobs)
	switch s.set.Search {
	case Exact:
		return mostStates
	case Greedy:
		return 1
	case Beam:
		if s.set.Beam > 0 {
			return s.set.Beam
		}
		return 4
	}
	switch {
	case n <= 8:
		return mostStates
	case n <= 32:
		return 16
	}
	return 4
}

// subroutine picks the set of jobs of greatest total payoff. The exact search comes after a beam of one state and
// leaves out every state from which the beam's total is out of reach; on a cluster with room for all that is nearly
// every one.
func (s *Solver) subroutine() {
	d, width := &s.search, s.width()
	if width < mostStates {
		s.choose(s.explore(width, false))
		return
	}
	s.choose(s.explore(1, false))
	d.floor = float64(s.res.Payoff * (1 - 4e-9)) // ties with it are not out of reach
	if best := s.explore(width, true); best != nil && best.payoff >= d.floor {
		s.choose(best)
	}
}

// explore runs over the queue and returns the best state, nil when none is left. An exact search tries every set of
// types and knows the total to reach.
func (s *Solver) explore(width int, exact bool) *state {
	p, d := s.prob, &s.search
	slots := len(p.Cluster.Slots)
	greedy := s.set.Search == Greedy
	s.find.bySet, d.rest = exact, math.Inf(1)
	if exact {
		d.rest = 0
		for i := range p.Jobs {
			d.rest += s.most(i)
		}
	}
	for d.buckets = 16; d.buckets < 4*width; {
		d.buckets *= 2
	}
	d.heads = grow(d.heads, d.buckets)
	d.steps, d.shards = d.steps[:0], d.shards[:0]
	d.cur = append(d.cur[:0], state{last: -1, free: s.usable})
	d.used[0] = grow(d.used[0], slots)
	clear(d.used[0])
	for _, i := range s.res.Order {
		d.next = d.next[:0]
		clear(d.heads)
		if exact {
			d.rest -= s.most(int(i))
		}
		for k := range d.cur {
			st := d.cur[k]
			used := d.used[0][int(st.at)*slots : (int(st.at)+1)*slots]
			took := false
			if st.free >= p.Jobs[i].GPUs {
				took = s.tryAll(st, used, slots, i)
			}
			if !greedy || !took {
				s.push(st, used, slots)
			}
		}
		s.prune(width)
	}
	s.find.bySet = false
	var best *state
	for k := range d.cur {
		if best == nil || s.ahead(&d.cur[k], best) {
			best = &d.cur[k]
		}
	}
	return best
}

// most bounds what job i could add to the sum: its best speed, at no cost. The exact search leaves
// out states that cannot reach the floor even so.
func (s *Solver) most(i int) float64 {
	j, t := &s.prob.Jobs[i], &s.terms[i]
	o := Offer{Rounds: roundsFor(j.Remaining, t.best, s.prob.Round)}
	if o.Rounds == 0 {
		return 0
	}
	o.Utility = s.utilityAt(i, s.prob.Now.Seconds()+float64(j.Remaining)/float64(t.best))
	o.Payoff = o.Utility
	payoff, _ := s.added(&o)
	return payoff
}

// choose makes a state the decision.
func (s *Solver) choose(best *state) {
	d, p := &s.search, s.prob
	s.res.Payoff = best.payoff
	s.res.Chosen = growOffers(s.res.Chosen, len(p.Jobs))
	clear(s.res.Used)
	s.free = best.free
	for at := best.last; at >= 0; at = d.steps[at].prev {
		st := &d.steps[at]
		o := &s.res.Chosen[st.job]
		keep := append(o.Shards[:0], d.shards[st.at[0]:st.at[1]]...)
		*o = st.offer
		o.Shards = keep
		for _, sh := range o.Shards {
			s.res.Used[sh.Slot] += sh.N
		}
	}
}

// tryAll takes job i in a state: in its best placement or, in the exact search, in the best of each set of types.
// It is false when none pays.
func (s *Solver) tryAll(st state, used []int32, slots int, i int32) (took bool) {
	o := s.findAlloc(int(i), used)
	if !s.find.bySet {
		if took = len(o.Shards) > 0 && o.Payoff > 0; took {
			s.pushTake(st, used, slots, i, o)
		}
		return took
	}
	for k := range s.find.sets {
		if o := &s.find.sets[k]; o.Payoff > 0 {
			s.pushTake(st, used, slots, i, o)
			took = true
		}
	}
	return took
}

// added is what the dual subroutine adds up for an offer, and what of it is cost. All of them compete for the GPUs of
// one round, so they are compared by what this round brings: the payoff of a job that needs n rounds comes in over n
// (ours).
func (s *Solver) added(o *Offer) (payoff, cost float64) {
	if s.set.LifetimeValue {
		return o.Payoff, o.Cost
	}
	n := float64(o.Rounds)
	return o.Payoff / n, o.Cost / n
}

// push adds st to the next step, merged with an equal occupancy if there is one.
func (s *Solver) push(st state, used []int32, slots int) {
	d := &s.search
	if st.payoff+d.rest < d.floor {
		return
	}
	head := &d.heads[int(st.hash)&(d.buckets-1)]
	for k := int(*head) - 1; k >= 0; k = int(d.next[k].link) - 1 {
		x := &d.next[k]
		if !x.dead && x.hash == st.hash && x.free == st.free && slices.Equal(d.used[1][k*slots:(k+1)*slots], used) {
			if !s.ahead(&st, x) {
				return
			}
			x.dead = true // its place in the order of choices is not the new one's
			break
		}
	}
	k := len(d.next)
	st.at, st.link = int32(k), *head
	*head = int32(k + 1)
	d.next = append(d.next, st)
	d.used[1] = grow(d.used[1], (k+1)*slots)
	copy(d.used[1][k*slots:], used)
}

// pushTake adds to the next step the state in which job i has taken the offer. used is changed and
// changed back.
func (s *Solver) pushTake(st state, used []int32, slots int, i int32, o *Offer) {
	d := &s.search
	from := int32(len(d.shards))
	d.shards = append(d.shards, o.Shards...)
	d.steps = append(d.steps, step{prev: st.last, job: i, offer: *o, at: [2]int32{from, int32(len(d.shards))}})
	d.steps[len(d.steps)-1].offer.Shards = nil
	for _, sh := range o.Shards {
		used[sh.Slot] += sh.N
		st.free -= sh.N
		// Zobrist-like: the sum of mixed (slot, count) increments identifies an occupancy.
		st.hash += mix(uint64(sh.Slot)) * uint64(sh.N)
	}
	payoff, cost := s.added(o)
	st.payoff += payoff
	st.cost += cost
	st.last = int32(len(d.steps) - 1)
	s.push(st, used, slots)
	for _, sh := range d.shards[from:] {
		used[sh.Slot] -= sh.N
	}
}

// mix spreads the bits of x (the finaliser of SplitMix64), so that sums of it rarely meet.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// ahead says whether a is strictly the better of two states: payoff, then lower cost.
func (s *Solver) ahead(a, b *state) bool {
	if !tie(a.payoff, b.payoff) {
		return a.payoff > b.payoff
	}
	return !tie(a.cost, b.cost) && a.cost < b.cost
}

// prune makes next the current step and cuts it to the width states that are ahead. They keep their
// old order, which decides between equal totals later.
func (s *Solver) prune(width int) {
	d := &s.search
	d.order = d.order[:0]
	for k := range d.next {
		if !d.next[k].dead {
			d.order = append(d.order, int32(k))
		}
	}
	if len(d.order) > width {
		slices.SortStableFunc(d.order, func(a, b int32) int {
			x, y := &d.next[a], &d.next[b]
			switch {
			case s.ahead(x, y):
				return -1
			case s.ahead(y, x):
				return 1
			}
			return 0
		})
		d.order = d.order[:width]
		slices.Sort(d.order)
	}
	d.cur = d.cur[:0]
	for _, k := range d.order {
		d.cur = append(d.cur, d.next[k])
	}
	d.used[0], d.used[1] = d.used[1], d.used[0]
}
