package primaldual

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// residual admits, in queue order and at the final occupancy, jobs that the subroutine left out and
// that still pay; with WorkConserving then those that do not (both ours; hadar.md, A round). It
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
			if o := s.room(i); len(o.Shards) > 0 && o.Payoff > 0 {
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
			if o := s.room(i); len(o.Shards) > 0 && (best < 0 || o.Payoff > keep.Payoff) {
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
			r.Best[i].take(s.room(int32(i)))
		}
	}
}

// room is the best offer for job i at the final occupancy so far; an offer without shards says that
// nothing fits. Where fewer GPUs are free than the gang needs, nothing is searched.
func (s *Solver) room(i int32) *Offer {
	if s.free < s.prob.Jobs[i].GPUs {
		return &Offer{}
	}
	return s.findAlloc(int(i), &s.now)
}

// admit gives job i the offer after the dual subroutine has ended.
func (s *Solver) admit(i int32, o *Offer) {
	s.res.Chosen[i].take(o)
	s.res.Late[i] = true
	s.takeAll(&s.now, o.Shards)
	s.free -= s.prob.Jobs[i].GPUs
}

// finish computes the final prices, and the two values that weak duality compares: the utility of the jobs that run,
// and the bound on what a schedule until T on these GPUs could have reached in which a job has only the gang that it
// asks for (hadar.md, The bound).
func (s *Solver) finish() {
	p, r := s.prob, &s.res
	r.Used = s.now.used
	r.Prices = grow(r.Prices, len(p.Cluster.Slots))
	r.Primal, r.Dual = 0, 0
	worth, least := 0.0, math.Inf(1)
	for sl := range r.Prices {
		r.Prices[sl] = s.price(sl, r.Used[sl])
		if p.Usable[sl] > 0 {
			worth += float64(float64(p.Usable[sl]) * r.Prices[sl])
			least = min(least, r.Prices[sl])
		}
	}
	for i := range r.Chosen {
		if len(r.Chosen[i].Shards) > 0 {
			r.Primal += r.Chosen[i].Utility
		}
		// Its gangs may change from round to round, and what it lost to others now it may have later: all that is sure
		// is that it runs at its top speed at most, on the cheapest GPUs at best.
		if j, t := &p.Jobs[i], &s.terms[i]; t.top > 0 && s.usable >= j.GPUs {
			lasts := float64(j.Remaining) / float64(t.top)
			cost := float64(float64(lasts/p.Round.Seconds()) * float64(float64(j.GPUs)*least))
			r.Dual += max(0, s.market.UtilityOf(&s.market.Jobs[i], t.top, 0)-cost)
		}
	}
	left := float64(r.Constants.Horizon-p.Now) / float64(p.Round)
	r.Dual += float64(left * worth)
}

// Before is how many GPUs of each slot were taken when job i's turn came: by the jobs placed before it if it runs, by
// all of them if it waits. It may be called after Solve, for the same problem, as may Candidates and Instead.
func (s *Solver) Before(i int) []int32 {
	r := &s.res
	if len(r.Chosen[i].Shards) == 0 {
		return slices.Clone(r.Used)
	}
	used := make([]int32, len(r.Used))
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
	return used
}

// Candidates lists what FIND_ALLOC weighs for job i when so many GPUs of each slot are taken, best first.
func (s *Solver) Candidates(i int, used []int32) []Offer {
	s.find.collect = true
	s.findAlloc(i, s.occupied(used))
	s.find.collect = false
	all := slices.Clone(s.find.all)
	unit.Sort(all, func(a, b Offer) int {
		switch {
		case s.better(&a, &b):
			return -1
		case s.better(&b, &a):
			return 1
		}
		return 0
	})
	return all
}

// Instead is what job i could have in the place of job k: the same GPUs where it needs as many and can use them, else
// its best placement on what would be free without k; an offer without shards says that there is none.
func (s *Solver) Instead(i, k int) Offer {
	used := slices.Clone(s.res.Used)
	for _, sh := range s.res.Chosen[k].Shards {
		used[sh.Slot] -= sh.N
	}
	if s.prob.Jobs[i].GPUs == s.prob.Jobs[k].GPUs {
		o := Offer{Shards: slices.Clone(s.res.Chosen[k].Shards)}
		if s.value(i, &o, used) {
			return o
		}
	}
	o := *s.findAlloc(i, s.occupied(used))
	o.Shards = slices.Clone(o.Shards)
	return o
}

// Sum is what all that run bring together, as the dual subroutine adds it up: each at the prices that it finds behind
// those that were placed before it.
func (s *Solver) Sum() float64 {
	return s.sum(func(i int32) ([]model.Shard, bool) { return s.res.Chosen[i].Shards, s.res.Late[i] })
}

// Exchanged is that sum if job i had these GPUs, job k had none and all others kept theirs; k may be i. It is -Inf
// where they do not fit or job i cannot run on them.
func (s *Solver) Exchanged(i, k int, gang []model.Shard) float64 {
	return s.sum(func(x int32) ([]model.Shard, bool) {
		switch int(x) {
		case i:
			return gang, s.res.Late[k]
		case k:
			return nil, false
		}
		return s.res.Chosen[x].Shards, s.res.Late[x]
	})
}

// sum adds up what jobs bring on their GPUs: those of the dual subroutine in the order of the queue, then those that
// come late.
func (s *Solver) sum(has func(i int32) (gang []model.Shard, late bool)) (sum float64) {
	used := slices.Clone(s.empty.used)
	for _, second := range []bool{false, true} {
		for _, i := range s.res.Order {
			gang, late := has(i)
			if late != second || len(gang) == 0 {
				continue
			}
			o := Offer{Shards: gang}
			for _, sh := range gang {
				if used[sh.Slot]+sh.N > s.prob.Usable[sh.Slot] {
					return math.Inf(-1)
				}
			}
			if !s.value(int(i), &o, used) {
				return math.Inf(-1)
			}
			brings, _ := s.added(&o)
			sum += brings
			for _, sh := range gang {
				used[sh.Slot] += sh.N
			}
		}
	}
	return sum
}

// Result is the decision that Solve returned last.
func (s *Solver) Result() *Result { return &s.res }
