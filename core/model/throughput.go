package model

import "hadarlab/core/unit"

// Throughput is the compiled speed table of one model at one batch size: steps per second of a
// whole gang, by GPU type and gang size. Every entry is finite and ≥ 0; 0 means "cannot run".
type Throughput struct {
	Name string // model and batch, for messages
	max  int32  // largest gang size held
	// together and spread are [type*(max+1)+size]: the gang on one node, and over several.
	together, spread []unit.Rate
}

// NewThroughput makes an empty table for gangs of up to max GPUs on the given number of types.
func NewThroughput(name string, types int, max int32) Throughput {
	n := types * int(max+1)
	return Throughput{Name: name, max: max, together: make([]unit.Rate, n), spread: make([]unit.Rate, n)}
}

// Set stores the rates in steps per second of a gang of size GPUs of type t, on one node and spread.
func (t *Throughput) Set(typ TypeID, size int32, together, spread unit.Rate) {
	i := int32(typ)*(t.max+1) + size
	t.together[i], t.spread[i] = together, spread
}

// MaxSize is the largest gang size in the table.
func (t *Throughput) MaxSize() int32 { return t.max }

// Rate is the speed in steps per second of a gang of size GPUs, all of type typ; spread says that it
// lies on more than one node. Sizes beyond the table cannot run. A mixed gang runs at the least
// Rate, at its whole size, over the types it uses (barrier between the GPUs of a gang, Hadar 1.3).
func (t *Throughput) Rate(typ TypeID, size int32, spread bool) unit.Rate {
	if size <= 0 || size > t.max {
		return 0
	}
	i := int32(typ)*(t.max+1) + size
	if spread {
		return t.spread[i]
	}
	return t.together[i]
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
	for i := range t.together {
		f := factor[i/int(t.max+1)]
		s.together[i], s.spread[i] = unit.Rate(float64(t.together[i])*f), unit.Rate(float64(t.spread[i])*f)
	}
	return s
}
