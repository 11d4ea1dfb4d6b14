package insights

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// Spending says which overhead costs most, and in which run.
func Spending(in words.Catalogue, titles []string, all [][]float64) Finding {
	f := Finding{
		Because: in.T(
			"Busy, stalled, held and idle time and that of GPUs that are away add up to all GPU time from the first arrival of the jobs that count to their last finish, or to the end of a run that leaves some unfinished.")}
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
		lost, part := 1-all[i][0], all[i][worst]
		title, cause := titles[i], chart.Causes[worst].Title().In(in)
		if 2*part > lost {
			f.Claim += in.F("{0} loses {1} of its GPU time, most of it as “{2}” ({3}).", title,
				some(in, figure.Percent1, lost), cause, some(in, figure.Percent1, part))
		} else {
			f.Claim += in.F("{0} loses {1} of its GPU time, the largest part as “{2}” ({3}).", title,
				some(in, figure.Percent1, lost), cause, some(in, figure.Percent1, part))
		}
	}
	return f
}
