package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/words"
)

func init() { register(11, "locality", "Locality", locality) }

func locality(t *Table, s *Source) words.Text {
	return t.spent(s, chart.Tiers[:], words.Say("Part of the GPU time of gangs"), func(r *Run) []float64 {
		racks := chart.NewRacks(r.Trace, s.Rack)
		return r.lane().Locality(r.Trace, &racks)
	})
}
