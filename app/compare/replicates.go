package compare

import (
	"hadarlab/app/edit"
	"hadarlab/app/words"
	"hadarlab/core/message"
)

// Replicates are runs of the scenario with many seeds: how sure the comparison of the lanes is.
type Replicates struct {
	Sweep
	Seeds string // how many, as typed
	Noise string // by how many % the lengths of listed jobs vary, as typed
}

// seedRange is how many seeds the page asks for; one has no interval.
var seedRange = edit.Range{Min: 2, Max: 200, Whole: true}

// Count is how many seeds are asked for, or what is wrong with that.
func (u *Replicates) Count() (float64, string) { return edit.ParseNumber(u.Seeds, seedRange) }

// SeedsProblem says what is wrong with the number of seeds or the noise, "" = nothing.
func (u *Replicates) SeedsProblem() string {
	if _, problem := u.Count(); problem != "" {
		return words.F("The number of seeds {0}.", problem)
	}
	if _, problem := u.NoisePercent(); problem != "" {
		return words.F("The variation of lengths {0}.", problem)
	}
	return ""
}

// noiseRange is by how much the page lets lengths vary, in %.
var noiseRange = edit.Range{Min: 0, Max: 100, Unit: "%"}

// NoisePercent is by how much lengths are to vary, in %, or what is wrong with that.
func (u *Replicates) NoisePercent() (float64, string) { return edit.ParseNumber(u.Noise, noiseRange) }

// Estimates are a policy's means over the seeds that are done, and its differences to the first policy; nil while
// there are none.
func (w *Sweep) Estimates() []message.PolicySummary {
	if len(w.Points) == 0 || w.Points[0].Summary == nil {
		return nil
	}
	return w.Points[0].Summary.Policies
}

// Against is by what a figure of the first policy differs from that of another, nil = unknown: the first against the
// second, as the headline says it.
func Against(of []message.PolicySummary, other int, metric string) *message.Estimate {
	e := Estimate(of[other].Differences, metric)
	if e == nil {
		return nil
	}
	d := e.Turned()
	return &d
}

// Estimate looks a figure up, nil = unknown.
func Estimate(of []message.Estimate, metric string) *message.Estimate {
	for i := range of {
		if of[i].Metric == metric {
			return &of[i]
		}
	}
	return nil
}
