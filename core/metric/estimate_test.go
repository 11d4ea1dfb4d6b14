package metric

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"hadarlab/core/message"
	"hadarlab/core/unit"
)

func TestEstimate(t *testing.T) {
	// 1, 2, 3, 4, -5: mean 1, standard deviation √12.5, t(4) = 2.77645.
	e := Estimate("x", []float64{1, 2, 3, 4, -5})
	half := 2.77645 * math.Sqrt(12.5/5)
	if e.Mean != 1 || e.N != 5 || e.SameSign != 4 || math.Abs(*e.Low-(1-half)) > 1e-5 ||
		math.Abs(*e.High-(1+half)) > 1e-5 {
		t.Errorf("%+v [%v, %v]", e, *e.Low, *e.High)
	}
	if e := Estimate("x", []float64{3}); e.Low != nil || e.High != nil || e.Mean != 3 || e.SameSign != 1 {
		t.Errorf("one value has no interval: %+v", e)
	}
	if e := Estimate("x", []float64{0, 0, 0}); *e.Low != 0 || *e.High != 0 || e.SameSign != 3 {
		t.Errorf("%+v", e)
	}
}

// TestEstimateCovers draws means whose interval should hold the truth 95 times in 100.
func TestEstimateCovers(t *testing.T) {
	n := distuv.Normal{Mu: 10, Sigma: 3, Src: source(7)}
	held := 0
	for range 4000 {
		values := make([]float64, 6)
		for i := range values {
			values[i] = n.Rand()
		}
		if e := Estimate("x", values); *e.Low <= 10 && 10 <= *e.High {
			held++
		}
	}
	if held < 3740 || held > 3860 { // 0.935 to 0.965: over four standard deviations
		t.Errorf("%d of 4000 intervals hold the mean", held)
	}
}

func TestSameJobs(t *testing.T) {
	at := func(v float64) *float64 { return &v }
	a := []message.JobRow{{ID: "a", ArrivalS: 10, FinishS: at(110)}, {ID: "b", FinishS: at(50)}, {ID: "c"}}
	b := []message.JobRow{{ID: "c", FinishS: at(9)}, {ID: "b", FinishS: at(80)},
		{ID: "a", ArrivalS: 10, FinishS: at(120)}, {ID: "d", FinishS: at(1)}}
	if d, ok := SameJobs(a, b); !ok || d != 20 { // a is 10 s later, b 30 s
		t.Errorf("%v %v", d, ok)
	}
	if _, ok := SameJobs(a[2:], b); ok {
		t.Error("no job finishes under both")
	}
}

func source(seed uint64) *rand.PCG { return unit.Source(seed, "estimate") }
