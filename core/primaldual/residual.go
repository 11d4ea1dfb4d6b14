package primaldual

import (
	"slices"

	"hadarlab/core/unit"
)

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

// finish computes the final prices, and the two values that weak duality compares: the utility of
// the jobs that run, and the bound on what any schedule could have reached (Hadar 2.9).
func (s *Solver) finish() {
	p, r := s.prob, &s.res
	r.Used = s.now.used
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

// Result is the decision that Solve returned last.
func (s *Solver) Result() *Result { return &s.res }
