package findings

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// Spending says which overhead costs most, and in which run.
func Spending(in words.Catalogue, titles []string, all [][]float64) Finding {
	f := Finding{
		Because: in.T(
			"Busy, stalled, held, idle and broken time add up to all GPU time from the first arrival to the last finish.")}
	for i := range all {
		worst := 1
		for k := 2; k < len(chart.Causes); k++ {
			if all[i][k] > all[i][worst] {
				worst = k
			}
		}
		if i > 0 {
			f.Claim += " "
		}
		if all[i][worst] == 0 {
			f.Claim += in.F("{0} loses no GPU time.", titles[i])
			continue
		}
		f.Claim += in.F("{0} loses {1} of its GPU time, most of it as “{2}” ({3}).", titles[i],
			figure.Percent1(in, 1-all[i][0]), chart.Causes[worst].Title().In(in), figure.Percent1(in, all[i][worst]))
	}
	return f
}
