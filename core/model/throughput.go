package model

import "hadarlab/core/unit"

// Throughput is the compiled speed table of one model at one operating point: steps per second of a
// whole gang, by GPU type, gang size and tier. Every entry is finite and ≥ 0; 0 means "cannot run".
type Throughput struct {
	Name string // model and batch, for messages
	max  int32  // largest gang size held
	// rates are [type*(max+1)+size], by tier.
	rates [Tiers][]unit.Rate
	// points are the same for a profiled job: on one node, and over several. nil = not profiled.
	points   [2][]Point
	training *Training // of a profiled job; nil = copies of it add up
	// Gradients is how many bytes a step averages between nodes over links that gangs share (Problem.Links); 0 = its
	// speeds stay as they are here.
	Gradients float64
	// What its speeds have of a job's redundancy, whose gangs are of so many GPUs.
	redundancy Redundancy
	size       int32
}

// NewThroughput makes an empty table for gangs of up to max GPUs on the given number of types.
func NewThroughput(name string, types int, max int32) Throughput {
	t := Throughput{Name: name, max: max}
	for tier := range t.rates {
		t.rates[tier] = make([]unit.Rate, types*int(max+1))
	}
	return t
}

// Set stores the rates in steps per second of a gang of size GPUs of type t: on one node, on several of one rack, and
// over several racks.
func (t *Throughput) Set(typ TypeID, size int32, node, rack, network unit.Rate) {
	i := t.at(typ, size)
	t.rates[OneNode][i], t.rates[OneRack][i], t.rates[Network][i] = node, rack, network
}

// SetPoints stores how a profiled job runs on a gang: on one node, and over several.
func (t *Throughput) SetPoints(typ TypeID, size int32, node, several Point) {
	for k, p := range [...]Point{node, several} {
		if t.points[k] == nil {
			t.points[k] = make([]Point, len(t.rates[OneNode]))
		}
		t.points[k][t.at(typ, size)] = p
	}
}

// SetTraining stores what an example is worth to a profiled job in the table's phase.
func (t *Throughput) SetTraining(in Training) { t.training = &in }

// Training is what an example is worth to a profiled job in the table's phase; nil = the job has no profile.
func (t *Throughput) Training() *Training { return t.training }

func (t *Throughput) at(typ TypeID, size int32) int32 { return int32(typ)*(t.max+1) + size }

// MaxSize is the largest gang size in the table.
func (t *Throughput) MaxSize() int32 { return t.max }

// Rate is the speed in steps per second of a gang of size GPUs, all of type typ, that lies so far apart. Sizes beyond
// the table cannot run. A mixed gang runs at the least Rate, at its whole size, over the types it uses (barrier
// between the GPUs of a gang; hadar.md, The problem), and as fast as the job's Split says where it has one.
func (t *Throughput) Rate(typ TypeID, size int32, tier Tier) unit.Rate {
	if size <= 0 || size > t.max {
		return 0
	}
	return t.rates[tier][t.at(typ, size)]
}

// Point is how a profiled job runs on such a gang; ok is false when it has no profile or cannot run.
func (t *Throughput) Point(typ TypeID, size int32, tier Tier) (p Point, ok bool) {
	of := t.points[min(tier, 1)]
	if of == nil || t.Rate(typ, size, tier) <= 0 {
		return Point{}, false
	}
	return of[t.at(typ, size)], true
}

// Pair is the measured speed of two throughput tables sharing the GPUs of one type.
type Pair struct {
	A, B         int32 // throughput tables, A <= B
	Type         TypeID
	RateA, RateB unit.Rate // steps per second of each member
}

// PairRates looks up the speeds of tables a and b sharing GPUs of type t; both 0 when not measured.
func (p *Problem) PairRates(a, b int32, t TypeID) (ra, rb unit.Rate) {
	return PairRates(p.Pairs, a, b, t)
}

// PairRates looks up the speeds of tables a and b sharing GPUs of type t in sorted pairs; both 0 when
// not measured.
func PairRates(pairs []Pair, a, b int32, t TypeID) (ra, rb unit.Rate) {
	swap := a > b
	if swap {
		a, b = b, a
	}
	lo, hi := 0, len(pairs)
	for lo < hi {
		mid := (lo + hi) / 2
		if q := &pairs[mid]; q.A < a || q.A == a && (q.B < b || q.B == b && q.Type < t) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(pairs) || pairs[lo].A != a || pairs[lo].B != b || pairs[lo].Type != t {
		return 0, 0
	}
	if swap {
		return pairs[lo].RateB, pairs[lo].RateA
	}
	return pairs[lo].RateA, pairs[lo].RateB
}

// Scaled is a copy of t with the speeds of each type multiplied by its factor.
func (t *Throughput) Scaled(factor []float64) Throughput {
	s := NewThroughput(t.Name, len(factor), t.max)
	s.points, s.training, s.Gradients = t.points, t.training, t.Gradients
	s.size, s.redundancy = t.size, t.redundancy
	for tier := range s.rates {
		for i, r := range t.rates[tier] {
			s.rates[tier][i] = unit.Rate(float64(r) * factor[i/int(t.max+1)])
		}
	}
	return s
}
