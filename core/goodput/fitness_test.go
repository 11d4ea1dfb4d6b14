package goodput

import (
	"math"
	"testing"

	"hadarlab/core/model"
)

func TestDiscount(t *testing.T) {
	for _, c := range []struct {
		age, delay float64
		restarts   int32
		want       float64
	}{{0, 30, 0, 0}, {60, 30, 0, 60. / 90}, {60, 30, 2, 0}, {60, 30, 5, 0}, {970, 30, 4, 0.85}, {0, 0, 0, 1},
		{50, 0, 9, 1}} {
		if got := Discount(c.age, c.delay, c.restarts); !near(got, c.want) {
			t.Errorf("age %v, %d restarts of %v: %v, want %v", c.age, c.restarts, c.delay, got, c.want)
		}
	}
}

func TestPowerMeans(t *testing.T) {
	xs := []float64{0.25 - floor, 1 - floor, 4 - floor}
	for _, c := range [][2]float64{{-1, 3 / 5.25}, {0, 1}, {1, 1.75}, {-2, math.Sqrt(3 / (16 + 1 + 1./16))},
		{0.5, 49. / 36}} {
		cost := 0.0
		for _, x := range xs {
			cost += term(c[0], x)
		}
		if got := mean(c[0], cost, len(xs)); !near(got, c[1]) {
			t.Errorf("p = %v: %v, want %v", c[0], got, c[1])
		}
	}
}

// TestCurveOfAKeptBatch: what a job that keeps its batch believes, when its belief is the truth, is the speed that its
// table has at that batch, and nothing where a GPU would have fewer examples than its least.
func TestCurveOfAKeptBatch(t *testing.T) {
	for _, total := range []int32{128, 500, 2048} {
		b := cifarBatches
		b.Kept = total
		n, c, adapts := model.Alike(3000), Curve{}, Curve{}
		c.Set(&cifar10, 3000, b)
		adapts.Set(&cifar10, 3000, cifarBatches)
		for k := int32(1); k <= 64; k++ {
			several := k > 4
			pt, ok := Fixed(&cifar10, &n, cifarBatches, k, several, total)
			want := float64(Rate(pt, cifarBatches, k)) * 128
			if few := pt.Batch < cifarBatches.Low; !ok || few {
				pt, want = model.Point{}, 0
			}
			got, known := c.Point(k, several)
			if got != pt || known != (want > 0) || !near(c.Goodput(k, several), want) {
				t.Errorf("%d on %d GPUs: %+v with a goodput of %v, want %+v with %v", total, k, got,
					c.Goodput(k, several), pt, want)
			}
			if most := b.GPUs(); want > 0 && k > most || want == 0 && k <= most {
				t.Errorf("%d runs on %d GPUs at most; on %d its goodput is %v", total, most, k, want)
			}
			if want > adapts.Goodput(k, several)*1.01 { // the search tries 50 batches
				t.Errorf("%d on %d GPUs: kept %v, adapted %v", total, k, want, adapts.Goodput(k, several))
			}
		}
	}
}

// TestCurveForgets: what was worked out holds until the belief changes.
func TestCurveForgets(t *testing.T) {
	var c Curve
	if c.Goodput(5, true) != 5 {
		t.Error("a job that measured nothing gains as much from each GPU")
	}
	c.Set(&cifar10, 3000, cifarBatches)
	a := c.Goodput(4, false)
	n := model.Alike(3000)
	if _, g, _ := Best(&cifar10, &n, cifarBatches, 4, false, true); a != g {
		t.Errorf("goodput %v, want %v", a, g)
	}
	c.Set(&cifar10, 6000, cifarBatches)
	if b := c.Goodput(4, false); b <= a {
		t.Errorf("more noise makes the goodput %v of %v", b, a)
	}
	slow := cifar10
	slow.AlphaC *= 2
	c.Set(&slow, 3000, cifarBatches)
	if b := c.Goodput(4, false); b >= a {
		t.Errorf("a slower job has goodput %v, before %v", b, a)
	}
	if p, ok := c.Point(4, false); !ok || p.Total(4) < 128 {
		t.Errorf("point %+v", p)
	}
	var none model.Point
	if p, ok := (&Curve{}).Point(4, false); ok || p != none {
		t.Error("a job that measured nothing has no batch")
	}
}
