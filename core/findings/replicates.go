package findings

import (
	"math"
	"strconv"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/words"
)

// Replicates says how one policy differs from another in the completion time of the same jobs, and whether the
// seeds settle it. The difference is in s.
func Replicates(in words.Catalogue, name, base string, d *message.Estimate) Finding {
	u := figure.SecondsUnit(max(math.Abs(d.Mean), 1))
	w := chart.Whisk(d, float64(u.Length)/1000, "", "")
	seeds := strconv.Itoa(d.N)
	f := Finding{}
	switch {
	case d.N < 2:
		f.Claim = in.T("One seed is done: there is no interval yet.")
		return f
	case d.Mean == 0 && w.High == w.Low:
		f.Claim = in.F("{0} and {1} complete the same jobs alike with each of {2} seeds.", name, base, seeds)
		return f
	}
	half := w.Half()
	apart, agree := figure.Spread(in, math.Abs(w.Mean), half)+" "+in.T(u.Many), strconv.Itoa(d.SameSign)
	if d.Mean < 0 {
		f.Claim = in.F(
			"On average a job completes {2} sooner under {0} than the same job under {1}; the sign agrees in {3} of {4} seeds.",
			name, base, apart, agree, seeds)
	} else {
		f.Claim = in.F(
			"On average a job completes {2} later under {0} than the same job under {1}; the sign agrees in {3} of {4} seeds.",
			name, base, apart, agree, seeds)
	}
	switch {
	case half == 0:
		f.Because = in.T("Every seed gives the same difference.")
	case *d.Low > 0 || *d.High < 0:
		f.Because = in.T("The 95 % interval of the mean does not contain 0: the mean over other seeds would most likely have the same sign, a single seed need not.")
	default:
		f.Because = in.T("The 95 % interval of the mean contains 0: these seeds do not settle which of the two is better.")
	}
	return f
}
