package chart

import (
	"hadarlab/core/words"

	"hadarlab/core/unit"
)

// Ratios are the finish-time fairness of a run's jobs, least first: a job's completion time over that on an equal
// share of the cluster. 1 is fair, more is worse.
type Ratios struct {
	Name  string
	Style string // a, b, c: policies
	Job   []int32
	V     []float64
}

// NewRatios sorts the values by job, ties by job; values that are not positive are unknown and left out.
func NewRatios(of []float64, name, style string) Ratios {
	r := Ratios{Name: name, Style: style}
	for _, i := range unit.Order(len(of), func(a, b int32) int { return compare(of[a], of[b]) }) {
		if of[i] > 0 {
			r.Job, r.V = append(r.Job, i), append(r.V, of[i])
		}
	}
	return r
}

// worse is how many jobs do worse than on an equal share.
func (r *Ratios) worse() int {
	n := 0
	for _, v := range r.V {
		if v > 1 {
			n++
		}
	}
	return n
}

// ratioScale covers all values, and 1.
func ratioScale(curves []Ratios) Scale {
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

// RatiosSVG is the share of jobs with at most a ratio. What is worse than an equal share is shaded and hatched.
func RatiosSVG(curves []Ratios, job func(int32) string, width float64, title string) string {
	w := &svg{}
	x, y := ratioScale(curves), cdfScale()
	w.put(`<svg data-role="curves" width="100%" height="$" role="img" aria-label="$">`, itoa(CurveHeight+26), title)
	one := x.Y(1)
	w.put(`<rect data-role="unfair" x="$" width="$" height="$"/>`, pct(one), pct(1-one), itoa(CurveHeight))
	w.put(`<rect data-role="unfair-hatch" fill="url(#hatch-idle)" x="$" width="$" height="$"/>`, pct(one), pct(1-one), itoa(CurveHeight))
	for i, t := range y.Ticks {
		role, v := "grid", px(y.down(t.Value, CurveHeight))
		if i == 0 {
			role = "axis"
		}
		w.put(`<line data-role="$" x1="0" x2="100%" y1="$" y2="$"/>`, role, v, v)
	}
	w.put(`<line data-role="fair" x1="$" x2="$" y1="0" y2="$"/>`, pct(one), pct(one), itoa(CurveHeight))
	worse := words.T("worse than a fair share")
	if room := (1 - one) * width; room > textWidth(worse)+8 {
		w.put(`<text data-need="$" data-part="strong" x="$" dx="6" y="$">$</text>`, need(1-one, textWidth(worse)+8), pct(one), itoa(CurveHeight-7), worse)
	}
	w.put(`<svg width="100%" height="$" viewBox="$" preserveAspectRatio="none" overflow="visible">`, itoa(CurveHeight), "0 0 1000 "+itoa(CurveHeight))
	for i := range curves {
		c := &curves[i]
		d := []byte("M0 " + itoa(CurveHeight))
		for k, v := range c.V {
			d = append(append(d, 'H'), px(x.Y(v)*1000)...)
			d = append(append(d, 'V'), px(y.down(100*float64(k+1)/float64(len(c.V)), CurveHeight))...)
		}
		w.put(`<path data-series="$" d="$"/>`, c.Style, string(append(d, "H1000"...)))
	}
	w.close("svg")
	for i := range curves {
		c := &curves[i]
		if len(c.V) > maxKnots {
			continue
		}
		for k, v := range c.V {
			w.put(`<circle data-role="step" data-series-of="$" data-job="$" cx="$" cy="$" r="3.5">`, c.Style, job(c.Job[k]), pct(x.Y(v)), px(y.down(100*float64(k+1)/float64(len(c.V)), CurveHeight)))
			w.put(`<title>`)
			w.text(words.F("{0}: {1} times a fair share's time under {2}", job(c.Job[k]), Fixed(v, 2), c.Name))
			w.close("title")
			w.close("circle")
		}
	}
	for _, t := range x.Ticks {
		if at := x.Y(t.Value); t.Value <= x.Max && at < 0.99 {
			anchor := "middle"
			if at < 0.01 {
				anchor = "start"
			}
			w.put(`<text data-role="tick-text" x="$" y="$" text-anchor="$">$</text>`, pct(at), itoa(CurveHeight+18), anchor, t.Label)
		}
	}
	w.close("svg")
	return string(w.b)
}

// RatiosSentence says how many jobs do worse than on an equal share, and who does worst.
func RatiosSentence(curves []Ratios, job func(int32) string) Finding {
	f := Finding{}
	for i := range curves {
		c := &curves[i]
		if i > 0 {
			f.Claim += ", "
		}
		f.Claim += words.F("{0} of {1} under {2}", itoa(c.worse()), Count(len(c.V), "{0} job", "{0} jobs"), c.Name)
		if n := len(c.V); n > 0 {
			f.Because += words.F("{0}’s worst is {1}, {2} times as long.", c.Name, job(c.Job[n-1]), Fixed(c.V[n-1], 2)) + " "
		}
	}
	f.Claim = words.F("Slower than on a fair share of the cluster: {0}.", f.Claim)
	f.Because += words.T("A fair share is 1/n of every GPU type, n the mean number of unfinished jobs in the job's life.")
	return f
}
