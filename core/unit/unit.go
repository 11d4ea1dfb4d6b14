// Package unit holds the quantities every other package computes with: simulated time, training
// steps and rates, plus the arithmetic that must give the same bits on every target (rounded
// products, exp, log) and the named random streams. It knows nothing of clusters or jobs.
//
// It stands at the bottom of the flow and imports only the standard library.
package unit

import "math"

// Tick is simulated time in whole milliseconds since the scenario's start.
type Tick int64

// Second is one second of simulated time.
const Second Tick = 1000

// Never is later than any instant that a run can reach.
const Never Tick = math.MaxInt64

// Seconds converts seconds to the nearest tick, halves upwards. Values outside the range of a
// Tick saturate.
func Seconds(s float64) Tick {
	ms := math.Floor(float64(s*1000) + 0.5)
	if ms >= float64(1<<62) {
		return Never
	}
	if ms <= -float64(1<<62) {
		return -Never
	}
	return Tick(ms)
}

// Seconds gives t in seconds.
func (t Tick) Seconds() float64 { return float64(t) / 1000 }

// Work is an amount of training in steps. It may be fractional: generated traces hold such totals.
type Work float64

// Rate is a speed in training steps per second, the unit of every published table. It is not kept
// per tick: 0.3 steps/s over 360 s must give 108 steps and not 107.99….
type Rate float64

// Over is the work done in d at rate r: one rounded product and one division, never fused.
func (r Rate) Over(d Tick) Work {
	return Work(float64(float64(r)*float64(d)) / 1000)
}

// Until is the shortest duration d with r.Over(d) >= w, 0 when w <= 0 and Never when r cannot
// get there.
func (r Rate) Until(w Work) Tick {
	if w <= 0 {
		return 0
	}
	if !(r > 0) {
		return Never
	}
	ms := math.Ceil(float64(float64(w)*1000) / float64(r))
	if ms >= float64(1<<52) {
		return Never
	}
	d := Tick(ms)
	for d > 0 && r.Over(d-1) >= w {
		d--
	}
	for r.Over(d) < w {
		d++
	}
	return d
}

const (
	// Rounding is the share by which sums of the same numbers may differ that were added up in different orders. What
	// differs by less counts as equal, and what is within as much of a whole number as that number.
	Rounding = 1e-9
	// Tiny stands for no speed, or for none of what it is compared with: to divide by it gives a number, which is
	// larger than every other.
	Tiny = 1e-300
)

// WholeSteps is the number of whole steps that r completes in d, as a round-based scheduler books
// them: ⌊steps per second × seconds + 1e-9⌋ (Gavel, mechanism step 8).
func (r Rate) WholeSteps(d Tick) Work {
	if d <= 0 || !(r > 0) {
		return 0
	}
	return Work(math.Floor(float64(r.Over(d)) + Rounding))
}

// CeilRounds is ⌈v − 1e-9⌉ as an integer, at least 0: the number of whole rounds in v rounds.
func CeilRounds(v float64) int64 {
	if !(v > 0) {
		return 0
	}
	c := math.Ceil(v - Rounding)
	if c >= float64(1<<62) {
		return 1 << 62
	}
	return int64(c)
}
