package insights

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// Differences says how far the runs differ.
func Differences(in words.Catalogue, d *chart.Diff) string {
	if d.First < 0 {
		return figure.Count(in, len(d.Moments), "In the only round both give every job the same GPUs.",
			"In all {0} rounds both give every job the same GPUs.")
	}
	n := 0
	for _, m := range d.Moments {
		if m.Differ > 0 {
			n++
		}
	}
	rounds := figure.Count(in, len(d.Moments), "{0} round", "{0} rounds")
	return in.F("They differ in {0} of {1}, first in round {2}, where {3} of {4} are used differently.",
		figure.Int(n), rounds, figure.Int(d.First+1), figure.Int(d.Moments[d.First].Differ),
		figure.Count(in, int(d.GPUs), "{0} GPU", "{0} GPUs"))
}
