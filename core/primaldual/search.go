package primaldual

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// search is the dual subroutine: a dynamic programme over the queue whose state is the occupancy of
// the slots. It runs forwards, one job a step, and merges states of equal occupancy. With no limit
// on the number of states that is the exact recursion over (job, occupancy); with one it is a beam.
//
// A beam tries a job's best offer in each state, the exact search the best offer of every set of
// GPU types that FIND_ALLOC's candidates have. With one offer each, all jobs name the fastest type, and the search
// never learns which of them loses least on another.
//
// States stand in the order of their choices, taking before skipping, so that of equal totals the
// first is the one that the recursion prefers: it takes the earlier job.
type search struct {
	cur, next []state
	pool      []occupancy // those of the states of cur, and spare ones
	spare     []int32     // in pool
	heirs     []int32     // by occupancy in pool: states of next that stay and grow from it
	steps     []step
	payoffs   []float64 // of the states of next, for prune
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
	at           int32 // where its occupancy stands in the pool; in next that of the state that it comes from
	took         bool  // in next: its last step is not yet in that
	link         int32 // 1 + the next state of its bucket, 0 = none
	dead         bool  // a later state with the same occupancy is better
}

// step is one job taken on the way to a state. States that share their beginning share its steps,
// so that a decision is read back from its last step to its first.
type step struct {
	prev, job int32
	from, to  int32 // its shards in search.shards
}

// shardsOf is what a state of the next step takes beyond the occupancy that it comes from.
func (d *search) shardsOf(st *state) []model.Shard {
	if !st.took {
		return nil
	}
	return d.of(st.last)
}

// of is the shards of a step.
func (d *search) of(at int32) []model.Shard { return d.shards[d.steps[at].from:d.steps[at].to] }

// jobKey is all that a waiting job's choice on the empty cluster hangs on.
type jobKey struct {
	speed     *model.Throughput
	gpus      int32
	split     *model.Split
	arrive    unit.Tick
	move      unit.Tick
	remaining unit.Work
	scale     float64
}

// alone finds each job's choice on the empty cluster. Of waiting jobs that are alike, as those of one batch are, only
// the first is asked.
func (s *Solver) alone() {
	n := len(s.prob.Jobs)
	s.res.Alone = growOffers(s.res.Alone, n)
	if s.alike == nil {
		s.alike = map[jobKey]int{}
	}
	clear(s.alike)
	for i := range n {
		j, t := &s.prob.Jobs[i], &s.terms[i]
		if len(j.Held) == 0 {
			l := jobKey{j.Speed, j.GPUs, j.Split, j.Arrive, j.Move, j.Remaining, s.market.Jobs[i].Scale}
			if first, ok := s.alike[l]; ok {
				copy(t.packed, s.terms[first].packed)
				s.res.Alone[i].take(&s.res.Alone[first])
				continue
			}
			s.alike[l] = i
		}
		for _, typ := range t.order {
			t.packed[typ] = s.endingAt(i, s.typeRate(j, typ), s.stall(j, false))
		}
		if len(j.Held) == 1 {
			if e := &t.packed[s.prob.Cluster.Slots[j.Held[0].Slot].Type]; e.rate > 0 {
				t.kept = s.endingAt(i, e.rate, s.stall(j, true))
			}
		}
		s.res.Alone[i].take(s.findAlloc(i, &s.empty))
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
		density := grow(s.search.payoffs, len(q))
		s.search.payoffs = density
		for i := range q {
			o := &s.res.Alone[i]
			if density[i] = o.Payoff / float64(p.Jobs[i].GPUs); len(o.Shards) == 0 {
				density[i] = 0
			} else if s.set.Order == ByDensity {
				density[i] /= float64(o.Rounds)
			}
		}
		slices.SortStableFunc(q, func(a, b int32) int { // stable: jobs come by age
			if da, db := density[a], density[b]; !tie(da, db) {
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

// subroutine picks the set of jobs of greatest total payoff. A beam is spared where it could only end as taking
// whatever pays does. The exact search comes after a beam of one state and leaves out every state from which the
// beam's total is out of reach; on a cluster with room for all that is nearly every one.
func (s *Solver) subroutine() {
	d, width := &s.search, s.width()
	if s.set.Search == Greedy {
		s.choose(s.greedy(false))
		return
	}
	if width < mostStates {
		best := (*state)(nil)
		if width > 4 { // so few cost hardly more themselves
			best = s.greedy(true)
		}
		if best == nil {
			best = s.explore(width, false)
		}
		s.choose(best)
		return
	}
	s.choose(s.explore(1, false))
	d.floor = float64(s.res.Payoff * (1 - 4e-9)) // ties with it are not out of reach
	if best := s.explore(width, true); best != nil && best.payoff >= d.floor {
		s.choose(best)
	}
}

// start leaves the search with one state, the empty cluster.
func (s *Solver) start(exact bool) {
	d := &s.search
	s.find.bySet, s.find.fast.job = exact, -1
	d.steps, d.shards = d.steps[:0], d.shards[:0]
	d.spare = d.spare[:0]
	for at := range d.pool {
		d.spare = append(d.spare, int32(at))
	}
	d.cur = append(d.cur[:0], state{last: -1, free: s.usable, at: d.copyOf(&s.empty)})
}

// greedy runs over the queue with one state, which takes whatever pays. With ahead it gives up and returns nil unless
// nothing can come near that state: what each job brings is more than all that the jobs after it lose against their
// greatest payoff, and so more than they could bring in its place. A beam then has this state ahead of all others after
// every job, and ends with it.
func (s *Solver) greedy(ahead bool) *state {
	d := &s.search
	s.start(false)
	st := &d.cur[0]
	lost := 0.0         // by the jobs so far
	most := math.Inf(1) // that may be lost: the least of what a job brings over what is lost up to it
	for _, i := range s.res.Order {
		brings := 0.0
		if st.free >= s.prob.Jobs[i].GPUs {
			if o := s.findAlloc(int(i), &d.pool[st.at]); len(o.Shards) > 0 && o.Payoff > 0 {
				brings, _ = s.added(o)
				s.extend(st, i, o)
				s.takeAll(&d.pool[st.at], o.Shards)
			}
		}
		if !ahead {
			continue
		}
		lost += max(0, s.most(int(i))-brings)
		if brings > 0 {
			most = min(most, lost+brings)
		}
		if most <= lost+float64(4e-9*(lost+st.payoff)) { // ties are not ahead
			return nil
		}
	}
	return st
}

// explore runs over the queue and returns the best state, nil when none is left. An exact search tries every set of
// types and knows the total to reach.
func (s *Solver) explore(width int, exact bool) *state {
	p, d := s.prob, &s.search
	d.rest = math.Inf(1)
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
	s.start(exact)
	for _, i := range s.res.Order {
		d.next = d.next[:0]
		clear(d.heads)
		if exact {
			d.rest -= s.most(int(i))
		}
		for k := range d.cur {
			st := &d.cur[k]
			if st.free >= p.Jobs[i].GPUs {
				s.tryAll(st, i)
			}
			s.push(st)
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

// most bounds what job i could add to the sum: its top speed, at once and at no cost.
func (s *Solver) most(i int) float64 {
	b, top := &s.market.Jobs[i], s.terms[i].top
	o := Offer{Deal: Deal{Rounds: s.market.Rounds(b.Remaining, top)}}
	if o.Rounds == 0 {
		return 0
	}
	o.Utility = s.market.UtilityOf(b, top, 0)
	o.Payoff = o.Utility
	payoff, _ := s.added(&o)
	return payoff
}

// choose makes a state the decision.
func (s *Solver) choose(best *state) {
	d, p := &s.search, s.prob
	s.res.Payoff = best.payoff
	s.res.Chosen = growOffers(s.res.Chosen, len(p.Jobs))
	s.now.set(&s.empty)
	s.free = best.free
	d.order = d.order[:0]
	for at := best.last; at >= 0; at = d.steps[at].prev {
		d.order = append(d.order, at)
	}
	for k := len(d.order) - 1; k >= 0; k-- { // each at the prices that it was taken at
		at := d.order[k]
		i := d.steps[at].job
		o := &s.res.Chosen[i]
		o.Shards = append(o.Shards, d.of(at)...)
		s.value(int(i), o, s.now.used)
		s.takeAll(&s.now, o.Shards)
	}
}

// tryAll takes job i in a state: in its best placement or, in the exact search, in the best of each set of types, if
// they pay.
func (s *Solver) tryAll(st *state, i int32) {
	o := s.findAlloc(int(i), &s.search.pool[st.at])
	if !s.find.bySet {
		if len(o.Shards) > 0 && o.Payoff > 0 {
			s.pushTake(st, i, o)
		}
		return
	}
	for k := range s.find.sets {
		if o := &s.find.sets[k]; o.Payoff > 0 {
			s.pushTake(st, i, o)
		}
	}
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
func (s *Solver) push(st *state) {
	d := &s.search
	if st.payoff+d.rest < d.floor {
		return
	}
	head := &d.heads[int(st.hash)&(d.buckets-1)]
	for k := int(*head) - 1; k >= 0; k = int(d.next[k].link) - 1 {
		x := &d.next[k]
		if !x.dead && x.hash == st.hash && x.free == st.free && d.same(x, st) {
			if !s.ahead(st, x) {
				return
			}
			x.dead = true // its place in the order of choices is not the new one's
			break
		}
	}
	k := len(d.next)
	d.next = append(d.next, *st)
	d.next[k].link, *head = *head, int32(k+1)
}

// same says whether two states of the next step have the same occupancy.
func (d *search) same(a, b *state) bool {
	if a.at == b.at {
		return slices.Equal(d.shardsOf(a), d.shardsOf(b))
	}
	add := func(st *state, sign int32) []int32 {
		used := d.pool[st.at].used
		for _, sh := range d.shardsOf(st) {
			used[sh.Slot] += sign * sh.N
		}
		return used
	}
	same := slices.Equal(add(a, 1), add(b, 1))
	add(a, -1)
	add(b, -1)
	return same
}

// copyOf puts a copy of an occupancy into the pool.
func (d *search) copyOf(o *occupancy) (at int32) {
	if n := len(d.spare) - 1; n >= 0 {
		at, d.spare = d.spare[n], d.spare[:n]
	} else {
		at = int32(len(d.pool))
		d.pool = append(d.pool, occupancy{})
	}
	d.pool[at].set(o)
	return at
}

// pushTake adds to the next step the state in which job i has taken the offer.
func (s *Solver) pushTake(from *state, i int32, o *Offer) {
	st := *from
	s.extend(&st, i, o)
	st.took = true
	s.push(&st)
}

// extend adds to a state the step in which job i takes the offer.
func (s *Solver) extend(st *state, i int32, o *Offer) {
	d := &s.search
	at := int32(len(d.shards))
	d.shards = append(d.shards, o.Shards...)
	d.steps = append(d.steps, step{st.last, i, at, int32(len(d.shards))})
	for _, sh := range o.Shards {
		st.free -= sh.N
		// Zobrist-like: the sum of mixed (slot, count) increments identifies an occupancy.
		st.hash += mix(uint64(sh.Slot)) * uint64(sh.N)
	}
	payoff, cost := s.added(o)
	st.payoff += payoff
	st.cost += cost
	st.last = int32(len(d.steps) - 1)
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
	s.cut(width)
	d.heirs = grow(d.heirs, len(d.pool))
	clear(d.heirs)
	for k := range d.next {
		if st := &d.next[k]; !st.dead {
			d.heirs[st.at]++
		}
	}
	for k := range d.cur {
		if at := d.cur[k].at; d.heirs[at] == 0 {
			d.spare = append(d.spare, at)
		}
	}
	d.cur = d.cur[:0]
	for k := range d.next {
		if d.next[k].dead {
			continue
		}
		d.cur = append(d.cur, d.next[k])
		st := &d.cur[len(d.cur)-1]
		if d.heirs[st.at]--; d.heirs[st.at] > 0 { // the last of them goes on with the occupancy itself
			st.at = d.copyOf(&d.pool[st.at])
		}
		s.takeAll(&d.pool[st.at], d.shardsOf(st))
		st.took = false
	}
}

// cut makes all states of next dead but the width that are ahead, and of equals the first.
func (s *Solver) cut(width int) {
	d := &s.search
	d.payoffs = d.payoffs[:0]
	for k := range d.next {
		if !d.next[k].dead {
			d.payoffs = append(d.payoffs, d.next[k].payoff)
		}
	}
	if len(d.payoffs) <= width {
		return
	}
	least := nthGreatest(d.payoffs, width)
	d.order = d.order[:0]
	for k := range d.next {
		switch st := &d.next[k]; {
		case st.dead:
		case tie(st.payoff, least):
			d.order = append(d.order, int32(k))
		case st.payoff < least:
			st.dead = true
		default:
			width--
		}
	}
	slices.SortStableFunc(d.order, func(a, b int32) int {
		return sign(s.ahead(&d.next[a], &d.next[b])) // a stable sort asks for nothing else
	})
	for _, k := range d.order[min(max(width, 0), len(d.order)):] {
		d.next[k].dead = true
	}
}

// nthGreatest is the n-th greatest of v, from 1 on; v gets another order (Hoare's selection).
func nthGreatest(v []float64, n int) float64 {
	lo, hi := 0, len(v)-1
	for n--; lo < hi; {
		pivot := v[(lo+hi)/2]
		a, b := lo, hi
		for a <= b {
			for v[a] > pivot {
				a++
			}
			for v[b] < pivot {
				b--
			}
			if a <= b {
				v[a], v[b] = v[b], v[a]
				a++
				b--
			}
		}
		switch {
		case n <= b:
			hi = b
		case n >= a:
			lo = a
		default:
			return v[n]
		}
	}
	return v[n]
}
