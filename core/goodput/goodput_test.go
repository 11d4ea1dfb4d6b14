package goodput

import (
	"math"
	"testing"

	"hadarlab/core/model"
)

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want) }

// cifar10 is ResNet-18 on T4 GPUs, by the project's fit of the public measurements.
var cifar10 = model.Perf{AlphaC: 0.01866, BetaC: 0.0006798, AlphaN: 0.09152, BetaN: 0.002525, AlphaR: 0.0154,
	BetaR: 4.728e-8, Gamma: 1.277}

var cifarBatches = model.Batches{Init: 128, Max: 4096, Low: 32, High: 1024}

// TestBestAgainstAll: no feasible batch without accumulation beats the best by more than the grid's coarseness, and
// what Best says of its point is what the point itself says.
func TestBestAgainstAll(t *testing.T) {
	for _, phi := range []float64{0, 50, 3000, 1e6, math.Inf(1)} {
		n := model.Alike(phi)
		for k := int32(1); k <= 64; k += 7 {
			pt, g, ok := Best(&cifar10, &n, cifarBatches, k, k > 4, true)
			if !ok {
				t.Fatalf("φ %v: cannot run on %d GPUs", phi, k)
			}
			if r := float64(Rate(pt, cifarBatches, k)) * 128; !near(r, g) {
				t.Errorf("φ %v, %d GPUs: goodput %v, of its point %v", phi, k, g, r)
			}
			for m := int32(32); m <= 1024 && m*k <= 4096; m++ {
				if s := m * k; s < 128 || k == 1 && s > 128 {
					continue
				}
				all := At(&cifar10, &n, k, m, 0, k > 4)
				if r := float64(Rate(all, cifarBatches, k)) * 128; r > g*1.01 {
					t.Fatalf("φ %v, %d GPUs: batch %d gives %v, the best %v", phi, k, m, r, g)
				}
			}
		}
	}
}

func TestEfficiencyAtTheEnds(t *testing.T) {
	if g := Gain(0, 128, 4096); g != 1 {
		t.Errorf("without noise a larger batch gains %v, want 1", g)
	}
	if g := Gain(math.Inf(1), 128, 4096); g != 32 {
		t.Errorf("with infinite noise 32 times the batch gains %v, want 32", g)
	}
	if e := model.Efficiency(3000, 128, 128); e != 1 {
		t.Errorf("the initial batch has efficiency %v, want 1", e)
	}
}

func TestNoise(t *testing.T) {
	n := model.NewNoise([]int32{128, 512, 2048}, []float64{100, 400, 0})
	for _, c := range [][2]float64{{1, 100}, {128, 100}, {256, 200}, {512, 400}, {2048, 0}, {1e9, 0}} {
		if got := n.At(c[0]); math.Abs(got-c[1]) > 1e-9*c[1]+1e-300 {
			t.Errorf("φ(%v) = %v, want %v", c[0], got, c[1])
		}
	}
	inf := model.NewNoise([]int32{10, 20}, []float64{5, math.Inf(1)})
	if e := model.Efficiency(inf.At(20), 10, 20); e != 1 {
		t.Errorf("the efficiency under infinite noise is %v, want 1", e)
	}
	if one := model.NewNoise([]int32{10}, []float64{7}); one.At(3) != 7 {
		t.Error("one measured batch speaks for all")
	}
}

// TestFixed: the artifact's rule for jobs that keep their batch, by hand.
func TestFixed(t *testing.T) {
	n := model.Alike(1000)
	for _, c := range []struct{ k, total, batch, accum int32 }{
		{1, 128, 128, 0},   // as asked
		{1, 256, 128, 1},   // one GPU above its initial batch accumulates
		{4, 4096, 1024, 0}, // fits
		{2, 4096, 1024, 1}, // 2048 examples a GPU are two passes
		{3, 4096, 682, 1},  // 1366 a GPU, two passes of 683, cut to the most: 4096/6
		{64, 128, 2, 0},    // below what it is worth, but it runs
	} {
		pt, ok := Fixed(&cifar10, &n, cifarBatches, c.k, c.k > 4, c.total)
		if !ok || pt.Batch != c.batch || pt.Accum != c.accum {
			t.Errorf("batch %d on %d GPUs: %+v, want %d and %d", c.total, c.k, pt, c.batch, c.accum)
		}
	}
	if _, ok := Fixed(&cifar10, &n, cifarBatches, 5000, true, 4096); ok {
		t.Error("more GPUs than examples run")
	}
	if _, ok := Fixed(&cifar10, &n, model.Batches{Init: 128, Max: 4096}, 1, false, 128); ok {
		t.Error("it runs where it does not fit")
	}
}

func TestClamp(t *testing.T) {
	n, b := model.Alike(1e9), model.Batches{Init: 8, Max: 30, Low: 4, High: 8}
	pt, _, ok := Best(&cifar10, &n, b, 4, false, true) // 30/4 is 8 rounded up, so that it exceeds the most
	if !ok || pt.Total(4) != 32 {
		t.Fatalf("%+v, want a total of 32", pt)
	}
	cut, ok := Clamp(&cifar10, &n, b, 4, false, pt)
	if !ok || cut.Total(4) != 28 || cut != At(&cifar10, &n, 4, 7, 0, false) {
		t.Errorf("%+v, want batch 7 with its own times", cut)
	}
	if _, ok := Clamp(&cifar10, &n, b, 31, true, pt); ok {
		t.Error("a batch of 30 on 31 GPUs")
	}
}

func BenchmarkBest(b *testing.B) {
	n := model.Alike(3000)
	for i := range b.N {
		Best(&cifar10, &n, cifarBatches, int32(i%16)+1, false, true)
	}
}
