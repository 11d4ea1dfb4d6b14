package chart

import "hadarlab/core/unit"

// Window is the part of the axis from one instant to another, with ticks of its own. Its unit stays, so that a
// number means the same at every zoom. Both ends are kept inside, and the part is never empty.
func (a *Axis) Window(from, to unit.Tick) Axis {
	from = min(max(from, a.From), a.To-1)
	to = min(max(to, from+1), a.To)
	if from == a.From && to == a.To {
		return *a
	}
	w := Axis{From: from, To: to, Unit: a.Unit, Measured: a.Measured, round: a.round}
	for _, t := range a.Rounds {
		if from <= t && t <= to {
			w.Rounds = append(w.Rounds, t)
		}
	}
	w.tickNice()
	return w
}

// Sees says whether any of a stretch of time lies on the axis.
func (a *Axis) Sees(from, to unit.Tick) bool { return from < a.To && to > a.From }

// Has says whether an instant lies on the axis.
func (a *Axis) Has(t unit.Tick) bool { return a.From <= t && t <= a.To }

// Part is a stretch as shares of what is seen of another one around it.
func (a *Axis) Part(from, to, wholeFrom, wholeTo unit.Tick) (x, width float64) {
	lo, hi := max(wholeFrom, a.From), min(wholeTo, a.To)
	from, to = min(max(from, lo), hi), min(max(to, lo), hi)
	whole := float64(max(hi-lo, 1))
	return float64(from-lo) / whole, float64(to-from) / whole
}

// Within is the part of a curve that lies on the axis, with the value it comes in with.
func (s *Series) Within(a *Axis) *Series {
	n := len(s.T)
	if n == 0 || s.T[0] >= a.From && s.T[n-1] <= a.To {
		return s
	}
	first, end := 0, n
	for first+1 < n && s.T[first+1] <= a.From {
		first++
	}
	for end > first && s.T[end-1] > a.To {
		end--
	}
	return &Series{T: s.T[first:end], V: s.V[first:end], End: min(s.End, a.To)}
}
