package goodput

import (
	"math"
	"testing"

	"hadarlab/core/model"
)

// filled is a search that knows its tasks and holds one member, given by row.
func filled(s *Search, tasks []Task, capacity []int32, rows [][]int32) int32 {
	s.prepare(tasks, capacity)
	m := s.take()
	clear(s.of(m))
	for j, row := range rows {
		for n, v := range row {
			s.row(m, j)[n>>3] |= uint64(v) << (n & 7 * 8)
		}
	}
	return m
}

func TestFitnessFixture(t *testing.T) {
	var doc struct {
		Power float64
		Delay float64 `json:"restart_delay_s"`
		Cases []struct {
			ID      string
			Nodes   int
			PerNode int32                    `json:"gpus_per_node"`
			Current [][]int32                `json:"current_allocation"`
			Fair    struct{ Replicas int32 } `json:"fair_share"`
			Jobs    []struct {
				jobDoc
				Profiled bool
				Age      float64 `json:"age_s"`
				Restarts int32
			}
			States []struct {
				Allocation [][]int32
				Speedup    []float64 `json:"speedup_vs_fair_share"`
				Fitness    float64
				Utility    float64
			}
		}
	}
	fixture(t, "fitness.json", &doc)
	for _, c := range doc.Cases {
		var capacity []int32
		for range c.Nodes {
			capacity = append(capacity, c.PerNode)
		}
		tasks := make([]Task, len(c.Jobs))
		for i := range c.Jobs {
			j := &c.Jobs[i]
			tasks[i] = Task{ID: int32(i), Curve: &Curve{}, Least: 1, Most: 64, Step: 1, Nodes: 16, Now: c.Current[i],
				Discount: Discount(j.Age, doc.Delay, j.Restarts)}
			if j.Profiled {
				n := j.noise()
				tasks[i].Curve.Set(j.Perf.perf(), n.all, j.batches())
			}
		}
		s := Search{Power: doc.Power}
		for k, state := range c.States {
			m := filled(&s, tasks, capacity, state.Allocation)
			if s.Fair() != c.Fair.Replicas {
				t.Errorf("%s: a fair share of %d GPUs, want %d", c.ID, s.Fair(), c.Fair.Replicas)
			}
			for j, want := range state.Speedup {
				gpus, nodes := int32(0), 0
				for _, v := range state.Allocation[j] {
					if gpus += v; v > 0 {
						nodes++
					}
				}
				if got := s.Speedup(j, gpus, nodes > 1); gpus > 0 && !near(got, want) || gpus == 0 && want != 0 {
					t.Errorf("%s state %d: speedup of job %d is %v, want %v", c.ID, k, j, got, want)
				}
			}
			s.evaluate(m)
			x := &s.members[m]
			if got := mean(s.Power, x.cost, len(tasks)); !near(got, state.Fitness) || !near(-x.idle, state.Utility) {
				t.Errorf("%s state %d: fitness %v and utility %v, want %v and %v", c.ID, k, got, -x.idle,
					state.Fitness, state.Utility)
			}
		}
	}
}

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
		n, c, adapts := Alike(3000), Curve{}, Curve{}
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
	n := Alike(3000)
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
