package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/words"
)

func init() { register(9, "overheads", "Overheads", overheads) }

func overheads(t *Table, s *Source) words.Text {
	return t.spent(s, chart.Causes[:], words.Say("Part of the GPU time"),
		func(r *Run) []float64 { return chart.Spending(&r.Meta.Metrics) })
}
