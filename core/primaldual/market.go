package primaldual

import "hadarlab/core/unit"

// What a placement is worth to a job, and what it pays, beside the prices (hadar.md, Utility and Payoff). Hadar's gangs
// and HadarE's copies are reckoned with alike.

// Market is one round as prices and payoffs see it. Hadar sells GPUs, and so does HadarE, or it sells whole nodes: they
// are the units.
type Market struct {
	Now     unit.Tick
	Round   unit.Tick // L
	Units   int32     // that there are
	Utility Utility
	Eta     float64   // fixed η; 0 = the smallest legal one
	Horizon unit.Tick // fixed absolute horizon T, which counts if it lies ahead; else a serial worst case
	Jobs    []Bidder
}

// Bidder is a job as prices and payoffs see it.
type Bidder struct {
	Arrive      unit.Tick // a_j
	Remaining   unit.Work // R_j
	Best        unit.Rate // its best speed, 0 = it has none
	Most, Least int32     // units that it holds where it is fastest, and where it is slowest
	Rounds      int64     // n_max, those that it needs where it is slowest
	Scale       float64   // numerator of its utility
}

// Rounds is n = ⌈R/(rate·L)⌉, the rounds that a job with R steps left needs at a speed in steps per second when a round
// lasts L. It is at least 1, since a job keeps its GPUs for the whole of its last round, and 0 when the rate is 0.
func (m *Market) Rounds(left unit.Work, rate unit.Rate) int64 {
	per := float64(rate.Over(m.Round))
	if per <= 0 {
		return 0
	}
	return max(1, unit.CeilRounds(float64(left)/per))
}

// ScaleOf is the numerator of the two utilities that need nothing but the job: its best possible time, or its steps.
func (m *Market) ScaleOf(total unit.Work, best unit.Rate) float64 {
	if m.Utility == Effective {
		return float64(total)
	}
	return max(ratio(float64(total), float64(best)), m.Round.Seconds())
}

// UtilityAt is U_j(f − a_j) of a job that finishes at f seconds, which need not be a whole tick.
func (m *Market) UtilityAt(b *Bidder, f float64) float64 {
	switch m.Utility {
	case Normalised: // it holds its GPUs for a whole round, so no time counts as less
		return ratio(b.Scale, max(f-b.Arrive.Seconds(), m.Round.Seconds()))
	case AvgJCT:
		return max(0, b.Scale-(f-b.Arrive.Seconds()))
	case Makespan:
		return ratio(b.Scale, f-m.Now.Seconds())
	}
	return ratio(b.Scale, f-b.Arrive.Seconds())
}

// UtilityOf is that of a job that stands still for the stall and then goes on at a rate to its end.
func (m *Market) UtilityOf(b *Bidder, rate unit.Rate, stall unit.Tick) float64 {
	return m.UtilityAt(b, (m.Now+stall).Seconds()+float64(b.Remaining)/float64(rate))
}

// ratio is a/b, and 0 where b is not positive: a job without a speed is worth nothing.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return a / b
}

// Deal is what a placement is worth to a job over its whole remaining life, and what it costs, in the unit of the
// utility. Divided by the rounds they are what one round is worth.
type Deal struct {
	Rounds  int64   // n, those that it still needs there
	Utility float64 // U
	Cost    float64
	Payoff  float64 // μ
}

// Charge makes it pay a price a round, in all rounds that it needs or in the coming one alone.
func (d *Deal) Charge(price float64, alone bool) {
	d.Cost = price
	if !alone {
		d.Cost = float64(float64(d.Rounds) * price)
	}
	d.Payoff = d.Utility - d.Cost
}
