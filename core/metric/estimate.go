package metric

import (
	"math"
	"strconv"

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
	half := math.Sqrt(squares/(n-1)/n) * student(len(values)-1)
	low, high := digits(e.Mean-half), digits(e.Mean+half)
	e.Low, e.High = &low, &high
	return e
}

// student is the t that Student's t of that many degrees of freedom stays below, in size, as often as Confidence says.
// It is sought as an angle, √degrees · tan(angle), of which the share within has a finite sum (Abramowitz and Stegun,
// 26.7.3 and 26.7.4): a library's inverse for any degrees brought 7 kB along.
func student(degrees int) float64 {
	low, high := 0.0, math.Pi/2
	for range 60 {
		if angle := (low + high) / 2; within(angle, degrees) < Confidence {
			low = angle
		} else {
			high = angle
		}
	}
	return math.Sqrt(float64(degrees)) * math.Tan(low)
}

// within is the share of Student's t at most √degrees · tan(angle) in size.
func within(angle float64, degrees int) float64 {
	sin, cos := math.Sincos(angle)
	sum, term := 0.0, 1.0
	if degrees%2 == 1 {
		term = cos
	}
	for power := degrees % 2; power <= degrees-2; power += 2 {
		sum += term
		term *= float64(power+1) / float64(power+2) * cos * cos
	}
	if degrees%2 == 1 {
		return 2 / math.Pi * (angle + float64(sin*sum))
	}
	return sin * sum
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
