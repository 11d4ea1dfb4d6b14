package generate

import (
	"math"
	"slices"
	"testing"

	"hadarlab/core/unit"
)

// TestMarginals holds sampled durations to the tables they are drawn from.
func TestMarginals(t *testing.T) {
	const n = 100_000
	for i := range workloads {
		w := &workloads[i]
		rng := unit.Stream(5, w.kind)
		for _, z := range w.sizes {
			got := make([]float64, n)
			for k := range got {
				got[k] = w.duration(rng.Float64(), z.gpus)
			}
			slices.Sort(got)
			for i, s := range z.s {
				if w.at[i] < 0.25 || w.at[i] > 0.9 { // steep tails need more draws
					continue
				}
				if q := got[int(w.at[i]*n)]; math.Abs(math.Log(q/s)) > 0.15 {
					t.Errorf("%s on %d GPUs: quantile %v is %v, want %v", w.kind, z.gpus, w.at[i], q, s)
				}
			}
			if w.logs != nil {
				// 0.8 log-uniform over 1.5 decades, 0.2 over the next one: the median and the break.
				if q, want := got[n/2], 60*math.Pow(10, 1.5+1.5*0.5/0.8); math.Abs(q/want-1) > 0.03 {
					t.Errorf("%s: median %v, want %v", w.kind, q, want)
				}
				if q := got[n*8/10]; math.Abs(q/60000-1) > 0.03 {
					t.Errorf("%s: the break is at %v, want 60000", w.kind, q)
				}
			}
		}
	}
}
