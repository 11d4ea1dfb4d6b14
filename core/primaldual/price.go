package primaldual

import (
	"math"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Price is k(γ) = U_min·(U_max/U_min)^(γ/c) for γ of c GPUs taken: U_min on empty GPUs, U_max on
// full ones, exponential in between (hadar.md, Prices).
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

// Horizon is T, by which all jobs are done one after another where each is slowest, in serial rounds from now on; a
// fixed one counts if it lies ahead (hadar.md, Price constants).
func Horizon(now, round unit.Tick, serial int64, fixed unit.Tick) unit.Tick {
	if fixed > now {
		return fixed
	}
	return now + unit.Tick(serial)*round
}

// Demand is what a job asks of η: the rounds left until the horizon on all units, over those that it needs where it is
// slowest (hadar.md, Price constants). A unit is a GPU, or a whole node.
type Demand struct {
	Job    int     // its place in Problem.Jobs
	Left   float64 // rounds until the horizon
	Units  int32   // that there are
	Rounds int64   // that it needs
	Gang   int32   // its units
}

// Eta is the least η that fulfils the demand.
func (d Demand) Eta() float64 {
	return float64(d.Left*float64(d.Units)) / float64(float64(d.Rounds)*float64(d.Gang))
}

// Worth is what a unit of its gang is worth to a job, a round.
type Worth struct {
	Job     int // its place in Problem.Jobs
	Utility float64
	Rounds  int64
	Gang    int32 // its units
}

// Value is the utility over all that the gang holds.
func (w Worth) Value() float64 { return w.Utility / float64(float64(w.Rounds)*float64(w.Gang)) }

// Bounds gathers the most and the least that a job could be worth for each unit of its gang (hadar.md, Price
// constants).
type Bounds struct {
	// Most is of a job that ends as soon as it can, in exact time and for one round: in whole rounds one that ends
	// within its last would be worth more than full GPUs cost. Least is of one that ends at the horizon.
	Most, Least Worth
}

// Add adds what a job is worth at best and at worst.
func (b *Bounds) Add(most, least Worth) {
	if b.Least.Gang == 0 || least.Value() < b.Least.Value() {
		b.Least = least
	}
	if b.Most.Gang == 0 || most.Value() > b.Most.Value() {
		b.Most = most
	}
}

// Prices are U_min, of an empty GPU, and U_max, of a full one, which admits nobody. U_min is the least worth over 4η,
// which keeps the prices of an empty cluster so low that the dual begins at no more than half the optimum. Both are 0
// where nobody can run.
func (b *Bounds) Prices(eta float64) (uMin, uMax float64) {
	if b.Most.Gang == 0 || b.Most.Value() <= 0 {
		return 0, 0
	}
	uMin, uMax = b.Least.Value()/float64(4*eta), b.Most.Value()
	if !(uMin < uMax) || uMin <= 0 {
		uMin = uMax / math.E
	}
	return uMin, uMax
}

// Alpha is the logarithm of the ratio of the prices, at least 1: 2α is the claimed bound on the competitive ratio
// (hadar.md, The bound).
func Alpha(uMin, uMax float64) float64 { return max(1, unit.Log(uMax)-unit.Log(uMin)) }

// constants computes U_max, U_min, η, T and α of the round over the unfinished arrived jobs with their remaining work
// (hadar.md, Price constants; computing them anew each round is ours), the bounds by type.
func (s *Solver) constants() {
	p, c := s.prob, &s.res.Constants
	serial := int64(0)
	for i := range p.Jobs {
		serial += s.terms[i].maxRounds
	}
	c.Serial, c.Horizon = serial, Horizon(p.Now, p.Round, serial, s.set.Horizon)
	left := float64(c.Horizon-p.Now) / float64(p.Round)
	c.Eta, c.Demand = s.set.Eta, Demand{}
	if c.Eta <= 0 {
		for i := range p.Jobs {
			if t := &s.terms[i]; t.maxRounds > 0 {
				if d := (Demand{i, left, s.usable, t.maxRounds, p.Jobs[i].GPUs}); d.Eta() > c.Eta {
					c.Eta, c.Demand = d.Eta(), d
				}
			}
		}
	}
	s.utilityScales()
	c.UMax, c.UMin, c.Bounds = grow(c.UMax, s.types), grow(c.UMin, s.types), grow(c.Bounds, s.types)
	c.Alpha = 1
	for r := range s.types {
		b := &c.Bounds[r]
		*b = Bounds{}
		for i := range p.Jobs {
			j, t := &p.Jobs[i], &s.terms[i]
			if j.Speed.Rate(model.TypeID(r), j.GPUs, model.OneNode) <= 0 {
				continue
			}
			best := t.best
			if s.set.TypeBounds {
				best = s.bestRate(j, model.TypeID(r))
			}
			soonest := p.Now.Seconds() + float64(j.Remaining)/float64(best)
			b.Add(Worth{i, s.utilityAt(i, soonest), 1, j.GPUs},
				Worth{i, s.utilityAt(i, c.Horizon.Seconds()), t.maxRounds, j.GPUs})
		}
		c.UMin[r], c.UMax[r] = b.Prices(c.Eta)
		if c.UMax[r] > 0 {
			c.Alpha = max(c.Alpha, Alpha(c.UMin[r], c.UMax[r]))
		}
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

// Best is job i's best speed.
func (s *Solver) Best(i int) unit.Rate { return s.terms[i].best }

// BestOn is that on one type.
func (s *Solver) BestOn(i int, r model.TypeID) unit.Rate { return s.bestRate(&s.prob.Jobs[i], r) }

// Scale is the numerator of job i's utility, or that from which its lifetime is taken.
func (s *Solver) Scale(i int) float64 { return s.terms[i].scale }

// Stall is how long job i stands still before it runs on an offer.
func (s *Solver) Stall(i int, o *Offer) unit.Tick { return s.stall(&s.prob.Jobs[i], o.held) }

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
