package chart

import (
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// mostShares is how many jobs have an area of their own.
const mostShares = 8

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
		j := s.Job[i]
		if s.Kind[i] != trace.Run || !(best[j] > 0) || !a.sees(s.From[i], s.To[i]) {
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
	by := unit.Order(len(total), func(x, y int32) int { return compare(total[y], total[x]) })
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

// SharesHeight is the height in px of SharesSVG.
const SharesHeight = 92

// idle says whether nobody progresses in a column.
func (s *Shares) idle(column int) bool {
	for _, v := range s.V {
		if v[column] > 0 {
			return false
		}
	}
	return true
}

// SharesSVG stacks the parts from below, one area a job, the others on top.
func SharesSVG(s *Shares, t *trace.Trace, title string) string {
	w := &svg{}
	w.put(`<svg data-role="shares" width="100%" height="$" role="img" aria-label="$">`, itoa(SharesHeight), title)
	w.put(`<svg width="100%" height="$" viewBox="$" preserveAspectRatio="none">`, itoa(SharesHeight), "0 0 1000 100")
	columns, whole := len(s.V[0]), float64(len(s.V[0]))
	for columns > 1 && s.idle(columns-1) { // behind the run's end nothing is drawn
		columns--
	}
	low := make([]float64, columns)
	for k := range s.V {
		d := []byte{}
		top := make([]float64, columns)
		for c := range columns {
			top[c] = low[c] + s.V[k][c]
		}
		line := func(c int, x, y float64) {
			d = append(append(append(append(d, "ML"[min(c, 1)]), px(x)...), ' '), px(100-float64(y*100))...)
		}
		at := func(c int) float64 { return float64(c) * 1000 / whole }
		for c := range columns {
			line(2*c, at(c), top[c])
			line(2*c+1, at(c+1), top[c])
		}
		for c := columns - 1; c >= 0; c-- {
			line(1, at(c+1), low[c])
			line(1, at(c), low[c])
		}
		low = top
		if k == len(s.Jobs) {
			if s.Mean[k] > 0 {
				w.put(`<g data-role="share" data-others="1"><title>$</title><path data-part="box" d="$"/></g>`, words.T("others"), string(append(d, 'Z')))
			}
			continue
		}
		j := s.Jobs[k]
		w.put(`<g data-role="share" data-job="$" data-hue="$"><title>$</title><path data-part="box" d="$"/></g>`, t.Jobs[j].Name, itoa(Hue(j)),
			words.F("{0}: {1} of the progress seen", t.Jobs[j].Name, Percent(s.Mean[k])), string(append(d, 'Z')))
	}
	w.close("svg")
	w.close("svg")
	return string(w.b)
}

// SharesSentence names the job with the largest part of each run.
func SharesSentence(all []Shares, runs []*trace.Trace, titles []string) Finding {
	f := Finding{Because: words.T("A job's progress is its speed over the greatest that it reaches in any lane, a measure of ours: steps of different models do not compare.")}
	for i := range all {
		best := -1
		for k := range all[i].Jobs {
			if best < 0 || all[i].Mean[k] > all[i].Mean[best] {
				best = k
			}
		}
		if best < 0 {
			continue
		}
		if f.Claim != "" {
			f.Claim += "; "
		}
		f.Claim += words.F("under {0}, {1} makes {2} of the progress seen", titles[i], runs[i].Jobs[all[i].Jobs[best]].Name, Percent(all[i].Mean[best]))
	}
	if f.Claim == "" {
		return Finding{Claim: words.T("Nobody progresses in what is seen.")}
	}
	f.Claim = words.F("The largest part: {0}.", f.Claim)
	return f
}
