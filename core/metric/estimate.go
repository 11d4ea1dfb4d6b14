package metric

import (
	"math"

	"hadarlab/core/message"
)

// Confidence of the intervals of Estimate.
const Confidence = 0.95

// studentT are the 0.975 quantiles of Student's t distribution for 1 to 30 degrees of freedom.
var studentT = [...]float64{
	12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600, 2.26216, 2.22814,
	2.20099, 2.17881, 2.16037, 2.14479, 2.13145, 2.11991, 2.10982, 2.10092, 2.09302, 2.08596,
	2.07961, 2.07387, 2.06866, 2.06390, 2.05954, 2.05553, 2.05183, 2.04841, 2.04523, 2.04227,
}

// quantile is the 0.975 quantile for any number of degrees of freedom: beyond the table the first terms of
// its expansion around the normal quantile (Abramowitz and Stegun 26.7.5).
func quantile(freedom int) float64 {
	if freedom <= len(studentT) {
		return studentT[freedom-1]
	}
	const z = 1.959963985
	const first, second = (z*z*z + z) / 4, (5*z*z*z*z*z + 16*z*z*z + 3*z) / 96
	n := float64(freedom)
	return z + first/n + second/(n*n)
}

// Estimate gives the mean of one figure over seeds, its 95 % interval by Student's t, and how many values
// have the sign of the mean. It needs a value; the interval needs two. It is for people: nothing is decided by it.
func Estimate(name string, values []float64) message.Estimate {
	e := message.Estimate{Metric: name, N: len(values)}
	sum := 0.0
	for _, v := range values {
		sum += v - values[0] // so that equal values have no width
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
	for _, v := range values {
		squares += float64((v - e.Mean) * (v - e.Mean))
	}
	half := float64(quantile(len(values)-1) * math.Sqrt(squares/(n-1)/n))
	low, high := e.Mean-half, e.Mean+half
	e.Low, e.High = &low, &high
	return e
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
