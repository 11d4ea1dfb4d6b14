package chart

import (
	"math"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// CDF is the share of a run's jobs that are complete within a time after their arrival.
type CDF struct {
	Name  string
	Style string // a, b, c: policies
	Jobs  int    // all of the run
	Steps []CDFStep
}

// CDFStep is one job's completion: Took after its arrival, as the Nth, from 1.
type CDFStep struct {
	Job  int32
	Took unit.Tick
	N    int
}

// NewCDF orders a run's finished jobs by completion time, ties by job.
func NewCDF(t *trace.Trace, name, style string) CDF {
	c := CDF{Name: name, Style: style, Jobs: len(t.Jobs)}
	for i := range t.Jobs {
		if j := &t.Jobs[i]; j.Finish >= 0 {
			c.Steps = append(c.Steps, CDFStep{Job: int32(i), Took: j.Finish - j.Arrive})
		}
	}
	steps := c.Steps
	c.Steps = sorted(steps, func(a, b int32) int { return compare(steps[a].Took, steps[b].Took) })
	for i := range c.Steps {
		c.Steps[i].N = i + 1
	}
	return c
}

// share is a step's height.
func (c *CDF) share(n int) float64 { return float64(n) / float64(max(c.Jobs, 1)) }

// Quantile is the least time within which a share of all jobs is complete, unit.Never when it never is.
func (c *CDF) Quantile(q float64) unit.Tick {
	n := int(math.Ceil(float64(q*float64(c.Jobs)) - 1e-9))
	if n < 1 || n > len(c.Steps) {
		return unit.Never
	}
	return c.Steps[n-1].Took
}

// CDFAxis is the axis of completion times of some curves, not the one of the lanes.
func CDFAxis(curves []CDF) Axis {
	end := unit.Tick(1)
	for i := range curves {
		if n := len(curves[i].Steps); n > 0 {
			end = max(end, curves[i].Steps[n-1].Took)
		}
	}
	return NewAxis(end, 0)
}

// maxKnots is how many steps get a mark of their own.
const maxKnots = 160

// CDFSVG draws the curves, each step marked with its job while there are few.
func CDFSVG(a *Axis, curves []CDF, t *trace.Trace, width float64, title string) string {
	w := &svg{}
	y := cdfScale()
	w.put(`<svg data-role="curves" width="100%" height="$" role="img" aria-label="$">`, itoa(CurveHeight+26), title)
	for i, tick := range y.Ticks {
		role, v := "grid", px(y.down(tick.Value, CurveHeight))
		if i == 0 {
			role = "axis"
		}
		w.put(`<line data-role="$" x1="0" x2="100%" y1="$" y2="$"/>`, role, v, v)
	}
	w.put(`<svg width="100%" height="$" viewBox="$" preserveAspectRatio="none" overflow="visible">`, itoa(CurveHeight), "0 0 1000 "+itoa(CurveHeight))
	for i := range curves {
		c := &curves[i]
		s := Series{T: []unit.Tick{0}, V: []float64{0}, End: a.To}
		for _, step := range c.Steps {
			s.add(step.Took, c.share(step.N)*100)
		}
		w.put(`<path data-series="$" d="$"/>`, c.Style, stepPath(&s, a, &y, CurveHeight, false))
	}
	w.close("svg")
	for i := range curves {
		curves[i].marks(w, a, &y, t)
	}
	w.ticks(a, width, CurveHeight, CurveHeight+18)
	w.close("svg")
	return string(w.b)
}

func cdfScale() Scale {
	return Scale{Max: 100, Ticks: []ScaleTick{{0, "0"}, {50, "50"}, {100, "100"}}}
}

// CDFScaleSVG is the labels beside CDFSVG.
func CDFScaleSVG(width float64) string {
	y := cdfScale()
	return ScaleSVG(&y, "%", width)
}

func (c *CDF) marks(w *svg, a *Axis, y *Scale, t *trace.Trace) {
	if len(c.Steps) > maxKnots {
		return
	}
	for _, s := range c.Steps {
		name := t.Jobs[s.Job].Name
		w.put(`<circle data-role="step" data-series-of="$" data-job="$" cx="$" cy="$" r="3.5">`, c.Style, name, pct(a.X(s.Took)), px(y.down(c.share(s.N)*100, CurveHeight)))
		w.put(`<title>`)
		w.text(words.F("{0} completes in {1} under {2}, as number {3} of {4}", name, a.Unit.Long(s.Took), c.Name, itoa(s.N), itoa(c.Jobs)))
		w.close("title")
		w.close("circle")
	}
}

// CDFMarkSVG rings a job's step on every curve and names it once; it lies over the picture.
func CDFMarkSVG(a *Axis, curves []CDF, job int32, name string) string {
	w := &svg{}
	y := cdfScale()
	w.put(`<svg data-role="cdf-here" width="100%" height="$" aria-hidden="true">`, itoa(CurveHeight+26))
	for i := range curves {
		for _, s := range curves[i].Steps {
			if s.Job != job {
				continue
			}
			x := a.X(s.Took)
			v := y.down(curves[i].share(s.N)*100, CurveHeight)
			w.put(`<circle data-role="here" cx="$" cy="$" r="5.5"/>`, pct(x), px(v))
			dx, anchor := "9", "start"
			if x > 0.8 {
				dx, anchor = "-9", "end"
			}
			w.put(`<text data-part="strong" x="$" dx="$" y="$" text-anchor="$">$</text>`, pct(x), dx, px(min(v+13, CurveHeight-3)), anchor, name+" "+trimZeros(a.Unit.Number(s.Took)))
		}
	}
	w.close("svg")
	return string(w.b)
}

// Nearest is the job whose step is nearest to a place in the picture, x as a share of the width and y in px
// of a picture width px wide; -1 = there is none.
func Nearest(a *Axis, curves []CDF, x, y, width float64) int32 {
	scale := cdfScale()
	best, least := int32(-1), math.Inf(1)
	for i := range curves {
		for _, s := range curves[i].Steps {
			dx, dy := float64((a.X(s.Took)-x)*width), scale.down(curves[i].share(s.N)*100, CurveHeight)-y
			if d := float64(dx*dx) + float64(dy*dy); d < least {
				best, least = s.Job, d
			}
		}
	}
	return best
}

// CDFSentence says how long half of the jobs and the slowest take.
func CDFSentence(curves []CDF, u Unit) Finding {
	f := Finding{Because: words.T("Of a curve further to the left, more jobs are complete sooner.") + " "}
	half := ""
	for i := range curves {
		c := &curves[i]
		if q := c.Quantile(0.5); q < unit.Never {
			if half != "" {
				half += ", "
			}
			half += words.F("{0} under {1}", u.Long(q), c.Name)
		}
		if left := c.Jobs - len(c.Steps); left > 0 {
			f.Because += Count(left, "{0} job never ends under {1}.", "{0} jobs never end under {1}.", c.Name) + " "
		} else if n := len(c.Steps); n > 0 {
			f.Because += words.F("{0}’s slowest takes {1}.", c.Name, u.Long(c.Steps[n-1].Took)) + " "
		}
	}
	f.Claim = words.F("Half of the jobs are complete within {0}.", half)
	if half == "" {
		f.Claim = words.T("Half of the jobs never end.")
	}
	return f
}
