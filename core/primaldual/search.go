package primaldual

import (
	"slices"

	"hadarlab/core/unit"
)

// search is the dual subroutine: a dynamic programme over the queue whose state is the occupancy.
// It runs forwards, one job a step, and merges states of equal occupancy; with no limit on the
// number of states that is the exact recursion over (job, occupancy), otherwise a beam. States stand
// in the order of their choices, take before skip, so that of equal totals the first is the one that
// the recursion prefers: it takes the earlier job.
type search struct {
	cur, next []state
	used      [2][]int32 // occupancy of the states of cur and next
	steps     []step
	shards    []Shard
	order     []int32
	taken     []int32 // scratch: chosen step by queue position
}

type state struct {
	payoff, cost float64
	hash         uint64
	last         int32 // index of the last step taken, -1 = none
	free         int32 // GPUs left
	at           int32 // where its occupancy stands
	dead         bool  // a later state with the same occupancy is better
}

// step is one job taken.
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

// queue orders the jobs for the dual subroutine.
func (s *Solver) queue() {
	p := s.prob
	q := grow(s.res.Order, len(p.Jobs))
	for i := range q {
		q[i] = int32(i)
	}
	switch s.set.Order {
	case ByID:
		slices.SortStableFunc(q, func(a, b int32) int { return int(p.Jobs[a].Doc - p.Jobs[b].Doc) }) // as the others sort: one sort less in the module
	case ByDensity:
		density := func(i int32) float64 {
			if len(s.res.Alone[i].Shards) == 0 {
				return 0
			}
			return s.res.Alone[i].Payoff / float64(p.Jobs[i].GPUs)
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

func (s *Solver) width() int {
	n := len(s.prob.Jobs)
	switch s.set.Search {
	case Exact:
		return 1 << 20
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
		return 1 << 20
	case n <= 32:
		return 16
	}
	return 4
}

// subroutine picks the set of jobs of greatest total payoff.
func (s *Solver) subroutine() {
	p, d := s.prob, &s.search
	slots := len(p.Cluster.Slots)
	width := s.width()
	greedy := s.set.Search == Greedy
	d.steps, d.shards = d.steps[:0], d.shards[:0]
	d.cur = append(d.cur[:0], state{last: -1, free: s.usable})
	d.used[0] = grow(d.used[0], slots)
	clear(d.used[0])
	for _, i := range s.res.Order {
		d.next = d.next[:0]
		for k := range d.cur {
			st := d.cur[k]
			used := d.used[0][int(st.at)*slots : (int(st.at)+1)*slots]
			var o *Offer
			if st.free >= p.Jobs[i].GPUs {
				o = s.findAlloc(int(i), used)
			}
			took := o != nil && len(o.Shards) > 0 && o.Payoff > 0
			if took {
				s.pushTake(st, used, slots, i, o)
			}
			if !greedy || !took {
				s.push(st, used, slots)
			}
		}
		s.prune(width)
	}
	best := 0
	for k := 1; k < len(d.cur); k++ {
		if s.ahead(&d.cur[k], &d.cur[best]) {
			best = k
		}
	}
	s.res.Payoff = d.cur[best].payoff
	s.res.Chosen = growOffers(s.res.Chosen, len(p.Jobs))
	clear(s.res.Used)
	for at := d.cur[best].last; at >= 0; at = d.steps[at].prev {
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

// push adds st to the next step, merged with an equal occupancy if there is one.
func (s *Solver) push(st state, used []int32, slots int) {
	d := &s.search
	for k := range d.next {
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
	st.at = int32(k)
	d.next = append(d.next, st)
	d.used[1] = grow(d.used[1], (k+1)*slots)
	copy(d.used[1][k*slots:], used)
}

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
	st.payoff += o.Payoff
	st.cost += o.Cost
	st.last = int32(len(d.steps) - 1)
	s.push(st, used, slots)
	for _, sh := range d.shards[from:] {
		used[sh.Slot] -= sh.N
	}
}

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

// prune makes next the current step, cut to the best width states in their old order.
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

// residual admits, in queue order and at the final occupancy, jobs that the subroutine left out and
// that still pay; with WorkConserving then those that do not (both ours, Hadar 2.6 and 2.4). It
// leaves in Best what each waiting job could have had.
func (s *Solver) residual() {
	p, r := s.prob, &s.res
	r.Best = growOffers(r.Best, len(p.Jobs))
	r.Late = grow(r.Late, len(p.Jobs))
	clear(r.Late)
	if !s.set.NoResidual {
		for _, i := range r.Order {
			if len(r.Chosen[i].Shards) > 0 {
				continue
			}
			if o := s.findAlloc(int(i), r.Used); len(o.Shards) > 0 && o.Payoff > 0 {
				s.admit(i, o)
			}
		}
	}
	for s.set.WorkConserving {
		best := int32(-1)
		var keep Offer
		for _, i := range r.Order {
			if len(r.Chosen[i].Shards) > 0 {
				continue
			}
			if o := s.findAlloc(int(i), r.Used); len(o.Shards) > 0 && (best < 0 || o.Payoff > keep.Payoff) {
				best = i
				keep.take(o)
			}
		}
		if best < 0 {
			break
		}
		s.admit(best, &keep)
	}
	for i := range p.Jobs {
		if len(r.Chosen[i].Shards) == 0 {
			r.Best[i].take(s.findAlloc(i, r.Used))
		}
	}
}

func (s *Solver) admit(i int32, o *Offer) {
	s.res.Chosen[i].take(o)
	s.res.Late[i] = true
	for _, sh := range o.Shards {
		s.res.Used[sh.Slot] += sh.N
	}
}

// finish computes the final prices and the values of the decision.
func (s *Solver) finish() {
	p, r := s.prob, &s.res
	r.Prices = grow(r.Prices, len(p.Cluster.Slots))
	r.Primal, r.Dual = 0, 0
	worth := 0.0
	for sl := range r.Prices {
		r.Prices[sl] = s.price(sl, r.Used[sl])
		worth += float64(float64(p.Usable[sl]) * r.Prices[sl])
	}
	for i := range r.Chosen {
		if len(r.Chosen[i].Shards) > 0 {
			r.Primal += r.Chosen[i].Utility
			r.Dual += max(0, r.Chosen[i].Payoff)
		} else if len(r.Best[i].Shards) > 0 {
			r.Dual += max(0, r.Best[i].Payoff)
		}
	}
	left := float64(r.Constants.Horizon-p.Now) / float64(p.Round)
	r.Dual += float64(left * worth)
}

// Candidates lists the best of what FIND_ALLOC weighed for job i when its turn came: jobs that run,
// with the jobs placed before them; jobs that wait, at the final occupancy. Best first. It may be
// called after Solve, for the same problem.
func (s *Solver) Candidates(i int, most int) []Offer {
	r := &s.res
	used := make([]int32, len(r.Used))
	if len(r.Chosen[i].Shards) == 0 {
		copy(used, r.Used)
	} else {
		before := true
		for _, k := range r.Order {
			before = before && k != int32(i)
			// The residual pass comes after the whole subroutine.
			if r.Late[k] != r.Late[i] && r.Late[k] || r.Late[k] == r.Late[i] && !before {
				continue
			}
			for _, sh := range r.Chosen[k].Shards {
				used[sh.Slot] += sh.N
			}
		}
	}
	s.find.collect = true
	s.findAlloc(i, used)
	s.find.collect = false
	all := unit.InOrder(s.find.all, func(a, b *Offer) int {
		switch {
		case s.better(a, b):
			return -1
		case s.better(b, a):
			return 1
		}
		return 0
	})
	return all[:min(most, len(all))]
}
