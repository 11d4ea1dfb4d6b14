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

// Demand is what a job asks of η: the rounds left until the horizon on all units, over those that it needs where it is
// slowest (hadar.md, Price constants). A unit is a GPU, or a whole node.
type Demand struct {
	Job    int     // its place in Market.Jobs
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
	Job     int // its place in Market.Jobs
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

// Constants are the price constants of the round, by GPU type (hadar.md, Price constants); where all units have one
// price, of one type that stands for all. A type that no job can use has both bounds 0.
type Constants struct {
	UMax, UMin []float64
	Eta        float64
	Alpha      float64   // max over types of max(1, ln(UMax/UMin))
	Horizon    unit.Tick // the absolute time T
	// Where they come from, so that they can be worked out again.
	Serial int64    // rounds of all jobs one after another, each where it is slowest
	Demand Demand   // the largest that set η; none with a fixed one
	Bounds []Bounds // by type
}

// Open computes T, by which all jobs are done one after another where each is slowest, and η, the least that fulfils
// all demands, unless they are fixed. It makes room for the bounds of so many types, which follow, since a utility may
// hang on T.
func (c *Constants) Open(m *Market, types int) {
	c.UMax, c.UMin, c.Bounds = grow(c.UMax, types), grow(c.UMin, types), grow(c.Bounds, types)
	c.Serial, c.Alpha = 0, 1
	for i := range m.Jobs {
		c.Serial += m.Jobs[i].Rounds
	}
	if c.Horizon = m.Horizon; c.Horizon <= m.Now {
		c.Horizon = m.Now + unit.Tick(c.Serial)*m.Round
	}
	left := float64(c.Horizon-m.Now) / float64(m.Round)
	c.Eta, c.Demand = m.Eta, Demand{}
	for i := range m.Jobs {
		if b := &m.Jobs[i]; m.Eta <= 0 && b.Rounds > 0 {
			if d := (Demand{i, left, m.Units, b.Rounds, b.Least}); d.Eta() > c.Eta {
				c.Eta, c.Demand = d.Eta(), d
			}
		}
	}
}

// Bound computes U_max and U_min of a type, and α, over the jobs that can use it: best is a job's best speed, with
// which it ends as soon as it can, and 0 if it cannot.
func (c *Constants) Bound(m *Market, typ int, best func(i int) unit.Rate) {
	b := &c.Bounds[typ]
	*b = Bounds{}
	for i := range m.Jobs {
		j, v := &m.Jobs[i], best(i)
		if v <= 0 || j.Rounds == 0 {
			continue
		}
		soonest := m.Now.Seconds() + float64(j.Remaining)/float64(v)
		b.Add(Worth{i, m.UtilityAt(j, soonest), 1, j.Most},
			Worth{i, m.UtilityAt(j, c.Horizon.Seconds()), j.Rounds, j.Least})
	}
	c.UMin[typ], c.UMax[typ] = b.Prices(c.Eta)
	if c.UMax[typ] > 0 {
		c.Alpha = max(c.Alpha, Alpha(c.UMin[typ], c.UMax[typ]))
	}
}

// Tabulate adds to a table the price of a unit of a type when none, one and so on to all of so many are taken, since a
// power costs more than all the rest of weighing a placement.
func (c *Constants) Tabulate(table []float64, typ int, capacity int32) []float64 {
	for used := range capacity + 1 {
		table = append(table, Price(c.UMin[typ], c.UMax[typ], used, capacity))
	}
	return table
}

// constants computes the price constants of the round over the unfinished arrived jobs with their remaining work
// (computing them anew each round is ours).
func (s *Solver) constants() {
	p, m, c := s.prob, &s.market, &s.res.Constants
	c.Open(m, s.types)
	s.utilityScales()
	for r := range s.types {
		typ := model.TypeID(r)
		c.Bound(m, r, func(i int) unit.Rate {
			j := &p.Jobs[i]
			switch {
			case j.Speed.Rate(typ, j.GPUs, model.OneNode) <= 0:
				return 0
			case s.set.TypeBounds:
				return s.bestRate(j, typ)
			}
			return m.Jobs[i].Best
		})
	}
}

// utilityScales computes the numerator of each job's utility. The denominator is a time, so that a
// utility is a number of the unit that the setting names: none if normalised, steps per second if
// effective.
func (s *Solver) utilityScales() {
	p := s.prob
	n := float64(len(p.Jobs))
	var gpus []int32 // by type
	if s.set.Utility == FTF {
		gpus = p.Cluster.Counts()
	}
	for i := range p.Jobs {
		j, b := &p.Jobs[i], &s.market.Jobs[i]
		switch s.set.Utility {
		case Normalised, Effective:
			b.Scale = s.market.ScaleOf(j.Total, b.Best)
		case AvgJCT:
			// A common D of twice the oldest job's lifetime until T: the utility of who ends by T is positive.
			b.Scale = float64(2 * (s.res.Constants.Horizon - p.Jobs[0].Arrive).Seconds())
		case Makespan:
			b.Scale = ratio(float64(float64(j.Remaining)*float64(j.GPUs)), float64(b.Best))
		case FTF:
			t := &s.terms[i]
			t.iso = isolated(gpus, j, n)
			b.Scale = j.Alone + ratio(float64(j.Remaining), t.iso) // I
			if j.Unfair > 0 {
				b.Scale = float64(b.Scale * j.Unfair)
			}
		}
	}
}

// isolated is the speed in steps per second on a 1/n share of the cluster: the job has the part c_r/(n·W) of the time
// on each type, of which the cluster has c_r gpus, and all of its time at most (Gavel's isolated normaliser).
func isolated(gpus []int32, j *Job, n float64) float64 {
	rate, sum := 0.0, 0.0
	for r, all := range gpus {
		y := float64(all) / float64(n*float64(j.GPUs))
		sum += y
		rate += float64(y * float64(j.Speed.Rate(model.TypeID(r), j.GPUs, model.OneNode)))
	}
	return rate / max(1, sum)
}

// Isolated is job i's speed on a 1/n share of the cluster, in steps/s; it has a meaning after Solve with FTF.
func (s *Solver) Isolated(i int) float64 { return s.terms[i].iso }

// Best is job i's best speed.
func (s *Solver) Best(i int) unit.Rate { return s.market.Jobs[i].Best }

// BestOn is that on one type.
func (s *Solver) BestOn(i int, r model.TypeID) unit.Rate { return s.bestRate(&s.prob.Jobs[i], r) }

// Scale is the numerator of job i's utility, or that from which its lifetime is taken.
func (s *Solver) Scale(i int) float64 { return s.market.Jobs[i].Scale }

// Stall is how long job i stands still before it runs on an offer.
func (s *Solver) Stall(i int, o *Offer) unit.Tick { return s.stall(&s.prob.Jobs[i], o.held) }

// priceTables tabulates the prices of every kind of slot.
func (s *Solver) priceTables() {
	s.prices = s.prices[:0]
	for i := range s.kinds {
		k := &s.kinds[i]
		k.prices = int32(len(s.prices))
		s.prices = s.res.Constants.Tabulate(s.prices, int(k.typ), k.capacity)
	}
}

// price is that of one GPU of a slot when so many of it are taken, in the unit of the utility per
// round.
func (s *Solver) price(slot int, used int32) float64 {
	return s.prices[s.kinds[s.kindOf[slot]].prices+used]
}
