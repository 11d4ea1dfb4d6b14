package chart

import (
	"cmp"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// mostShares is how many jobs have an area of their own.
const mostShares = 8

// ShareColumns is how finely charts and their tables divide the axis.
const ShareColumns = 200

// Shares is how a run's progress is divided among its jobs over the axis: in column i, job k of Jobs makes V[k][i]
// of it, and the others together the last row; a column sums to 1, or to 0 where nobody progresses.
//
// A job's progress is its speed over the greatest that it reaches in any of the runs: steps of different models do
// not compare. The measure is ours.
type Shares struct {
	Jobs []int32 // those with the largest parts, by job
	V    [][]float64
	Mean []float64 // of each row, over the columns in which somebody progresses
}

// BestRates are the greatest speeds that jobs reach in any of some runs of one scenario, in steps/s.
func BestRates(runs []*trace.Trace) []float64 {
	best := make([]float64, len(runs[0].Jobs))
	for _, t := range runs {
		for i := range t.Spans.Len() {
			t.Pace.Did(1)
			if j := t.Spans.Job[i]; int(j) < len(best) {
				best[j] = max(best[j], t.Spans.Rate[i])
			}
		}
	}
	return best
}

// NewShares divides a run into columns of the axis.
func NewShares(t *trace.Trace, a *Axis, best []float64, columns int) Shares {
	all := make([][]float64, len(t.Jobs))
	total := make([]float64, len(t.Jobs))
	wide := float64(a.To-a.From) / float64(columns)
	s := &t.Spans
	for i := range s.Len() {
		t.Pace.Did(1)
		j := s.Job[i]
		if s.Kind[i] != trace.Run || !(best[j] > 0) || !a.Sees(s.From[i], s.To[i]) {
			continue
		}
		if all[j] == nil {
			all[j] = make([]float64, columns)
		}
		from, to := max(float64(s.From[i]-a.From)/wide, 0), min(float64(s.To[i]-a.From)/wide, float64(columns))
		for c := int(from); c < columns && float64(c) < to; c++ {
			v := float64(s.Rate[i] / best[j] * (min(to, float64(c+1)) - max(from, float64(c))))
			all[j][c] += v
			total[j] += v
		}
	}
	mean, column := make([]float64, len(total)), make([]float64, columns)
	for _, of := range all {
		for c, v := range of {
			column[c] += v
		}
	}
	for j, of := range all {
		for c, v := range of {
			if v > 0 {
				mean[j] += v / column[c]
			}
		}
	}
	by := unit.Order(len(total), func(x, y int32) int { return cmp.Compare(mean[y], mean[x]) })
	out := Shares{}
	own := make([]bool, len(total))
	for _, j := range by[:min(mostShares, len(by))] {
		own[j] = total[j] > 0
	}
	rest := make([]float64, columns)
	for j := range all {
		switch {
		case own[j]:
			out.Jobs, out.V = append(out.Jobs, int32(j)), append(out.V, all[j])
		case all[j] != nil:
			for c, v := range all[j] {
				rest[c] += v
			}
		}
	}
	out.V = append(out.V, rest)
	out.Mean = make([]float64, len(out.V))
	busy := 0.0
	for c := range columns {
		sum := 0.0
		for k := range out.V {
			sum += out.V[k][c]
		}
		if sum == 0 {
			continue
		}
		busy++
		for k := range out.V {
			out.V[k][c] /= sum
			out.Mean[k] += out.V[k][c]
		}
	}
	for k := range out.Mean {
		out.Mean[k] /= max(busy, 1)
	}
	return out
}

// Idle says whether nobody progresses in a column.
func (s *Shares) Idle(column int) bool {
	for _, v := range s.V {
		if v[column] > 0 {
			return false
		}
	}
	return true
}
