package metric

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/mathext"

	"hadarlab/core/message"
)

// Confidence of the intervals of Estimate.
const Confidence = 0.95

// Estimate gives the mean of one figure over seeds, its 95 % interval by Student's t, and how many values
// have the sign of the mean. It needs a value; the interval needs two. It is for people: nothing is decided by it, and
// the ends of the interval have nine digits, which are the same on every target.
func Estimate(name string, values []float64) message.Estimate {
	e := message.Estimate{Metric: name, N: len(values)}
	apart := make([]float64, len(values)) // from the first, so that equal values have no width
	sum := 0.0
	for i, v := range values {
		apart[i] = v - values[0]
		sum += apart[i]
	}
	n := float64(len(values))
	e.Mean = values[0] + sum/n
	for _, v := range values {
		if v > 0 && e.Mean > 0 || v < 0 && e.Mean < 0 || v == 0 && e.Mean == 0 {
			e.SameSign++
		}
	}
	if len(values) < 2 {
		return e
	}
	squares := 0.0
	for _, v := range apart {
		squares += float64((v - sum/n) * (v - sum/n))
	}
	// Student's t by the inverse of the incomplete beta function: the package that calls it so brings matrices along.
	x := mathext.InvRegIncBeta((n-1)/2, 0.5, 1-Confidence)
	half := math.Sqrt(float64((n-1)*(1-x)/x) * (squares / (n - 1) / n))
	low, high := digits(e.Mean-half), digits(e.Mean+half)
	e.Low, e.High = &low, &high
	return e
}

// digits is v with nine significant digits.
func digits(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 9, 64), 64) // it is in range
	return v
}

// SameJobs is the mean over the jobs that finish in both runs of the completion time in b minus that in
// a, in s. ok is false when there is no such job.
func SameJobs(a, b []message.JobRow) (mean float64, ok bool) {
	in := make(map[string]float64, len(a))
	for i := range a {
		if a[i].FinishS != nil {
			in[a[i].ID] = *a[i].FinishS - a[i].ArrivalS
		}
	}
	sum, n := 0.0, 0
	for i := range b {
		if was, both := in[b[i].ID]; both && b[i].FinishS != nil {
			sum += *b[i].FinishS - b[i].ArrivalS - was
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	return sum / float64(n), true
}
