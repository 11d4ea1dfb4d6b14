package chart

import (
	"cmp"

	"hadarlab/core/message"
	"hadarlab/core/unit"
)

// Ratios are the finish-time fairness of a run's jobs, least first: a job's completion time over that on an equal
// share of the cluster. 1 is fair, more is worse.
type Ratios struct {
	Name  string
	Style string // a, b, c: policies
	Job   []int32
	V     []float64
	Jobs  int // all of the run, also those that are not complete
}

// NewRatios sorts the values by job, ties by job; values that are not positive are unknown and left out.
func NewRatios(of []float64, name, style string) Ratios {
	r := Ratios{Name: name, Style: style, Jobs: len(of)}
	for _, i := range unit.Order(len(of), func(a, b int32) int { return cmp.Compare(of[a], of[b]) }) {
		if of[i] > 0 {
			r.Job, r.V = append(r.Job, i), append(r.V, of[i])
		}
	}
	return r
}

// Fairness are the ratios of a lane's jobs that are measured, as the engine has them.
func Fairness(l *message.Lane, name, style string) Ratios {
	v := make([]float64, len(l.Jobs))
	from, to := l.Span()
	for i := from; i < to; i++ {
		v[i] = l.Jobs[i].FTF
	}
	r := NewRatios(v, name, style)
	r.Jobs = to - from
	return r
}

// Worse is how many jobs do worse than on an equal share.
func (r *Ratios) Worse() int {
	n := 0
	for _, v := range r.V {
		if v > 1 {
			n++
		}
	}
	return n
}

// RatioScale covers all values, and 1.
func RatioScale(curves []Ratios) Scale {
	top := 1.25
	for i := range curves {
		if n := len(curves[i].V); n > 0 {
			top = max(top, curves[i].V[n-1]*1.03)
		}
	}
	s := LinearScale(top, 6)
	s.Max = top
	return s
}
