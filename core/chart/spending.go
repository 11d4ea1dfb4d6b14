package chart

import (
	"hadarlab/core/message"
	"hadarlab/core/words"
)

// Spent is one way in which GPU time went.
type Spent struct {
	ID, Name string
	Hatch    int                            // its pattern, 0 = plain
	Of       func(*message.Metrics) float64 // GPU-seconds
}

// Title is its name.
func (s *Spent) Title() words.Text { return words.Say(s.Name) }

// Causes are all ways, in the order in which they are stacked; they sum to GPUs × time.
var Causes = [...]Spent{
	{"busy", "progress", 0, func(m *message.Metrics) float64 { return m.BusyGPUS }},
	{"start", "first starts", 1, func(m *message.Metrics) float64 { return m.StallStartGPUS }},
	{"restart", "restarts and moves", 2, func(m *message.Metrics) float64 { return m.StallRestartGPUS }},
	{"merge", "merging copies", 3, func(m *message.Metrics) float64 { return m.StallMergeGPUS }},
	{"hold", "held until the next decision", 0, func(m *message.Metrics) float64 { return m.HoldGPUS }},
	{"fits", "idle, a waiting job would fit", 4, func(m *message.Metrics) float64 { return m.IdleFitsGPUS }},
	{"misfit", "idle, no waiting job fits at the size asked for", 5, func(m *message.Metrics) float64 { return m.IdleMisfitGPUS }},
	{"nobody", "idle, nobody waits", 0, func(m *message.Metrics) float64 { return m.IdleNobodyGPUS }},
	{"down", "away", 6, func(m *message.Metrics) float64 { return m.DownGPUS }},
}

// Spending is the share of each cause, in the order of Causes.
func Spending(m *message.Metrics) []float64 {
	out := make([]float64, len(Causes))
	sum := 0.0
	for i := range Causes {
		out[i] = Causes[i].Of(m)
		sum += out[i]
	}
	for i := range out {
		if sum > 0 {
			out[i] /= sum
		}
	}
	return out
}
