package chart

import (
	"slices"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Series is a step curve: V[i] holds from T[i] until T[i+1], and the last value until End.
type Series struct {
	T   []unit.Tick
	V   []float64
	End unit.Tick
}

// change is a step of a counted quantity.
type change struct {
	at unit.Tick
	by int32
}

// accumulate makes a curve of changes, starting with 0 at time 0.
func accumulate(c []change, end unit.Tick, pace unit.Pace) Series {
	unit.SortByTickPaced(c, func(c *change) unit.Tick { return c.at }, pace)
	s := Series{T: []unit.Tick{0}, V: []float64{0}, End: end}
	n := int32(0)
	for i := 0; i < len(c); {
		at := c[i].at
		for ; i < len(c) && c[i].at == at; i++ {
			pace.Did(1)
			n += c[i].by
		}
		s.add(at, float64(n))
	}
	return s
}

// add appends a step unless it changes nothing.
func (s *Series) add(at unit.Tick, v float64) {
	last := len(s.T) - 1
	switch {
	case last >= 0 && s.T[last] == at:
		s.V[last] = v
	case last < 0 || s.V[last] != v:
		s.T, s.V = append(s.T, at), append(s.V, v)
	}
}

// Max is the greatest value.
func (s *Series) Max() float64 {
	m := 0.0
	for _, v := range s.V {
		m = max(m, v)
	}
	return m
}

// At is the value at an instant, 0 before the first.
func (s *Series) At(t unit.Tick) float64 {
	i, found := slices.BinarySearch(s.T, t)
	if !found {
		i--
	}
	if i < 0 {
		return 0
	}
	return s.V[i]
}

// Busy is the number of GPUs whose job progresses.
func Busy(t *trace.Trace) Series {
	var c []change
	s := &t.Spans
	for i := range s.Job {
		t.Pace.Did(1)
		if s.Kind[i] != trace.Run || s.With[i] >= 0 && s.With[i] < s.Job[i] {
			continue
		}
		n := int32(0)
		for _, sh := range s.At(i) {
			n += sh.N
		}
		c = append(c, change{s.From[i], n}, change{s.To[i], -n})
	}
	return accumulate(c, t.End, t.Pace)
}

// Queue is the number of jobs that wait.
func (l *Lane) Queue(pace unit.Pace) Series {
	var c []change
	for _, w := range l.Waits {
		pace.Did(1)
		c = append(c, change{w.From, 1}, change{w.To, -1})
	}
	return accumulate(c, l.End, pace)
}

// PriceSeries is the price of one GPU of a slot, in the policy's own unit.
type PriceSeries struct {
	Slot   int32
	Series Series
}

// Prices are the curves of all slots that ever had a price, by slot.
func Prices(t *trace.Trace) []PriceSeries {
	prices := t.Points(&trace.Price)
	if len(prices) == 0 {
		return nil
	}
	all := make([]PriceSeries, len(t.Slots))
	for i := range all {
		all[i] = PriceSeries{Slot: int32(i), Series: Series{End: t.End}}
	}
	for _, p := range prices {
		t.Pace.Did(1)
		all[p.Of].Series.add(t.Rounds[p.Round].At, p.Value)
	}
	return slices.DeleteFunc(all, func(s PriceSeries) bool { return len(s.Series.T) == 0 })
}

// Thin keeps at most about four points for each of n columns of the axis: the first, the least, the
// greatest and the last, so that a thinned curve covers the same pixels.
func (s *Series) Thin(a *Axis, n int) Series {
	s = s.Within(a)
	if len(s.T) <= 4*n {
		return *s
	}
	out := Series{End: s.End}
	for i := 0; i < len(s.T); {
		column := int(a.X(s.T[i]) * float64(n))
		lo, hi, j := i, i, i
		for ; j < len(s.T) && int(a.X(s.T[j])*float64(n)) == column; j++ {
			if s.V[j] < s.V[lo] {
				lo = j
			}
			if s.V[j] > s.V[hi] {
				hi = j
			}
		}
		keep := []int{i, min(lo, hi), max(lo, hi), j - 1}
		for k, x := range keep {
			if k == 0 || x > keep[k-1] {
				out.T, out.V = append(out.T, s.T[x]), append(out.V, s.V[x])
			}
		}
		i = j
	}
	return out
}

// Mean keeps one point for each of n columns of the axis, the mean over the column, where the curve has more
// steps than that. It is for quantities whose spikes are shorter than a pixel.
func (s *Series) Mean(a *Axis, n int) Series {
	s = s.Within(a)
	if len(s.T) <= n {
		return *s
	}
	out := Series{End: s.End}
	i := 0
	for column := range n {
		from, to := a.At(float64(column)/float64(n)), min(a.At(float64(column+1)/float64(n)), s.End)
		if from >= to {
			break
		}
		for i+1 < len(s.T) && s.T[i+1] <= from {
			i++
		}
		sum := 0.0
		for k, at := i, from; at < to; k++ {
			next := to
			if k+1 < len(s.T) {
				next = min(to, s.T[k+1])
			}
			if s.T[k] < to {
				sum += float64(s.V[k] * float64(next-max(at, s.T[k])))
			}
			at = next
		}
		out.add(from, sum/float64(to-from))
	}
	return out
}

// Settle leaves out the slivers in which a curve lies below both neighbours, or above both for sign -1. It is for
// drawing only: no figure is made of what remains.
func (s *Series) Settle(a *Axis, sign float64) {
	n := 0
	for i, t := range s.T {
		v := s.V[i]
		for n > 1 && a.Sliver(t-s.T[n-1]) && sign*(v-s.V[n-1]) > 0 && sign*(s.V[n-2]-s.V[n-1]) > 0 {
			n--
		}
		if n == 0 || s.V[n-1] != v {
			s.T[n], s.V[n] = t, v
			n++
		}
	}
	s.T, s.V = s.T[:n], s.V[:n]
}

// Settle readies curves of something that GPUs do for an axis and the table beside it; sign is -1 for one that jobs
// wait for.
func Settle(curves []Curve, a *Axis, sign float64) {
	for i := range curves {
		curves[i].Series.Settle(a, sign)
	}
}

// StepTimes are the instants at which any of the curves steps, in order. Of those that are a sliver apart and read
// alike the last one stands.
func StepTimes(curves []Curve, a *Axis) []unit.Tick {
	var all []unit.Tick
	for i := range curves {
		all = append(all, curves[i].Series.T...)
	}
	slices.Sort(all)
	n := 0
	for _, t := range all {
		if n > 0 && (t == all[n-1] || a.Sliver(t-all[n-1]) && a.Unit.Number(nil, t) == a.Unit.Number(nil, all[n-1])) {
			n--
		}
		all[n] = t
		n++
	}
	return all[:n]
}
