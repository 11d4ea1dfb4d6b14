package primaldual

import (
	"math"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Price is k(γ) = U_min·(U_max/U_min)^(γ/c) for γ of c GPUs taken: U_min on empty GPUs, U_max on
// full ones, exponential in between (Hadar 2.1).
func Price(uMin, uMax float64, used, capacity int32) float64 {
	switch {
	case used <= 0 || uMin <= 0:
		return uMin
	case used >= capacity:
		return uMax
	}
	ln := unit.Log(uMin) + float64(float64(used)/float64(capacity)*(unit.Log(uMax)-unit.Log(uMin)))
	return unit.Exp(ln)
}

// constants computes U_max, U_min, η, T and α of the round over the unfinished arrived jobs with
// their remaining work (Hadar 2.2; computing them anew each round is ours).
//
// U_max of a type is the greatest utility per GPU that a job could reach on it, so that full GPUs
// admit nobody. U_min is the least utility per GPU and round, at the horizon, over 4η, which keeps
// the prices of an empty cluster so low that the dual begins at no more than half the optimum. α, the
// largest logarithm of their ratio, sets the claimed bound on the competitive ratio, 2α (Hadar 2.9).
func (s *Solver) constants() {
	p, c := s.prob, &s.res.Constants
	serial := int64(0)
	for i := range p.Jobs {
		serial += s.terms[i].tMax
	}
	c.Horizon = p.Now + unit.Tick(serial)*p.Round
	if s.set.Horizon > p.Now {
		c.Horizon = s.set.Horizon
	}
	left := float64(c.Horizon-p.Now) / float64(p.Round)
	c.Eta = s.set.Eta
	if c.Eta <= 0 {
		for i := range p.Jobs {
			if t := &s.terms[i]; t.tMax > 0 {
				c.Eta = max(c.Eta, float64(left*float64(s.usable))/float64(float64(t.tMax)*float64(p.Jobs[i].GPUs)))
			}
		}
	}
	s.utilityScales()
	c.UMax, c.UMin = grow(c.UMax, s.types), grow(c.UMin, s.types)
	c.Alpha = 1
	for r := range s.types {
		hi, lo := 0.0, math.Inf(1)
		for i := range p.Jobs {
			j, t := &p.Jobs[i], &s.terms[i]
			v := j.Speed.Rate(model.TypeID(r), j.GPUs, model.OneNode)
			if v <= 0 {
				continue
			}
			best := t.best
			if s.set.TypeBounds {
				best = s.bestRate(j, model.TypeID(r))
			}
			// Exact durations: in whole rounds, a job that ends within its last one would be worth more than full GPUs
			// cost.
			w := float64(j.GPUs)
			hi = max(hi, s.utilityAt(i, p.Now.Seconds()+float64(j.Remaining)/float64(best))/w)
			lo = min(lo, s.utilityAt(i, c.Horizon.Seconds())/float64(float64(t.tMax)*w))
		}
		if hi <= 0 {
			c.UMax[r], c.UMin[r] = 0, 0
			continue
		}
		lo = lo / float64(4*c.Eta)
		if !(lo < hi) || lo <= 0 {
			lo = hi / math.E
		}
		c.UMax[r], c.UMin[r] = hi, lo
		c.Alpha = max(c.Alpha, unit.Log(hi)-unit.Log(lo))
	}
}

// utilityScales computes the numerator of each job's utility. The denominator is a time, so that a
// utility is a number of the unit that the setting names: none if normalised, steps per second if
// effective.
func (s *Solver) utilityScales() {
	p := s.prob
	n := float64(len(p.Jobs))
	for i := range p.Jobs {
		j, t := &p.Jobs[i], &s.terms[i]
		switch s.set.Utility {
		case Effective:
			t.scale = float64(j.Total)
		case Normalised:
			t.scale = max(ratio(float64(j.Total), float64(t.best)), p.Round.Seconds())
		case AvgJCT:
			// A common D of twice the oldest job's worst lifetime keeps every utility positive.
			t.scale = float64(2 * (s.res.Constants.Horizon - p.Jobs[0].Arrive).Seconds())
		case Makespan:
			t.scale = ratio(float64(float64(j.Remaining)*float64(j.GPUs)), float64(t.best))
		case FTF:
			t.iso = s.isolated(j, n)
			t.scale = j.Alone + ratio(float64(j.Remaining), t.iso) // I
			if j.Unfair > 0 {
				t.scale = float64(t.scale * j.Unfair)
			}
		}
	}
}

// ratio is a/b, and 0 where b is not positive: a job without a speed is worth nothing.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return a / b
}

// isolated is the speed in steps per second on a 1/n share of the cluster: the job has the part
// c_r/(n·W) of the time on each type, and all of its time at most (Gavel's isolated normaliser).
func (s *Solver) isolated(j *Job, n float64) float64 {
	rate, sum := 0.0, 0.0
	for r := range s.types {
		y := float64(s.prob.Cluster.Count(model.TypeID(r))) / float64(n*float64(j.GPUs))
		sum += y
		rate += float64(y * float64(j.Speed.Rate(model.TypeID(r), j.GPUs, model.OneNode)))
	}
	return rate / max(1, sum)
}

// Isolated is job i's speed on a 1/n share of the cluster, in steps/s; it has a meaning after Solve with FTF.
func (s *Solver) Isolated(i int) float64 { return s.terms[i].iso }

// utilityAt is U_j(f − a_j) of job i finishing at f seconds, which need not be a whole tick.
func (s *Solver) utilityAt(i int, f float64) float64 {
	j, t := &s.prob.Jobs[i], &s.terms[i]
	switch s.set.Utility {
	case Normalised: // it holds its GPUs for a whole round, so no time counts as less
		return ratio(t.scale, max(f-j.Arrive.Seconds(), s.prob.Round.Seconds()))
	case AvgJCT:
		return max(0, t.scale-(f-j.Arrive.Seconds()))
	case Makespan:
		return ratio(t.scale, f-s.prob.Now.Seconds())
	}
	return ratio(t.scale, f-j.Arrive.Seconds())
}

// priceTables tabulates the price of every kind of slot by GPUs taken, since a power costs more than all the rest of
// weighing a placement.
func (s *Solver) priceTables() {
	c := &s.res.Constants
	s.prices = s.prices[:0]
	for i := range s.kinds {
		k := &s.kinds[i]
		k.prices = int32(len(s.prices))
		for used := int32(0); used <= k.capacity; used++ {
			s.prices = append(s.prices, Price(c.UMin[k.typ], c.UMax[k.typ], used, k.capacity))
		}
	}
}

// price is that of one GPU of a slot when so many of it are taken, in the unit of the utility per
// round.
func (s *Solver) price(slot int, used int32) float64 {
	return s.prices[s.kinds[s.kindOf[slot]].prices+used]
}
