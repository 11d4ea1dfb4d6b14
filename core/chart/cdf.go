package chart

import (
	"math"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// CDF is the share of a run's jobs, those that are measured, that are complete within a time after their arrival.
type CDF struct {
	Name  string
	Style string // a, b, c: policies
	Jobs  int    // all of the run
	Steps []CDFStep
}

// CDFStep is one job's completion: CompletionTime after its arrival, as the Nth, from 1.
type CDFStep struct {
	Job            int32
	CompletionTime unit.Tick
	N              int
}

// Dotted says whether a curve over so many jobs has a dot for each.
func Dotted(jobs int) bool { return jobs > 0 && jobs <= 160 }

// NewCDF orders a run's finished jobs by completion time, ties by job.
func NewCDF(t *trace.Trace, name, style string) CDF {
	w := t.Measured()
	c := CDF{Name: name, Style: style, Jobs: int(w.To - w.From)}
	for i := w.From; i < w.To; i++ {
		if d := t.Jobs[i].CompletionTime(); d != unit.Never {
			c.Steps = append(c.Steps, CDFStep{Job: int32(i), CompletionTime: d})
		}
	}
	unit.SortByTick(c.Steps, func(s *CDFStep) unit.Tick { return s.CompletionTime })
	for i := range c.Steps {
		c.Steps[i].N = i + 1
	}
	return c
}

// Share is the height of the nth step, of 1.
func (c *CDF) Share(n int) float64 { return float64(n) / float64(max(c.Jobs, 1)) }

// Series is the curve up to an instant, in per cent of all jobs.
func (c *CDF) Series(end unit.Tick) Series {
	s := Series{T: []unit.Tick{0}, V: []float64{0}, End: end}
	for _, step := range c.Steps {
		s.add(step.CompletionTime, c.Share(step.N)*100)
	}
	return s
}

// Quantile is the least time within which a share of all jobs is complete, unit.Never when it never is.
func (c *CDF) Quantile(q float64) unit.Tick {
	n := int(math.Ceil(float64(q*float64(c.Jobs)) - 1e-9))
	if n < 1 || n > len(c.Steps) {
		return unit.Never
	}
	return c.Steps[n-1].CompletionTime
}

// CDFAxis is the axis of completion times of some curves, not the one of the lanes.
func CDFAxis(curves []CDF) Axis {
	end := unit.Tick(1)
	for i := range curves {
		if n := len(curves[i].Steps); n > 0 {
			end = max(end, curves[i].Steps[n-1].CompletionTime)
		}
	}
	return NewAxis(end, 0)
}

// CDFScale is the scale of per cent that all these curves have.
func CDFScale() Scale {
	return Scale{Max: 100, Ticks: []float64{0, 50, 100}}
}
