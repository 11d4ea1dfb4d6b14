package elastic_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// stretch lets job j have 1 to len(speeds) GPUs, on which it runs at these steps per second.
func stretch(p *model.Problem, j int, speeds ...float64) {
	tab := model.NewThroughput(p.Tables[j].Name, len(p.Cluster.Types), int32(len(speeds)))
	for t := range p.Cluster.Types {
		for n, r := range speeds {
			tab.Set(model.TypeID(t), int32(n+1), unit.Rate(r), unit.Rate(r), unit.Rate(r))
		}
	}
	p.Tables[j] = tab
	p.Jobs[j].Shape.Min, p.Jobs[j].Shape.Max = 1, int32(len(speeds))
}

// heldAt lists how many GPUs each job holds at an instant.
func heldAt(tr *trace.Trace, at unit.Tick) []int32 {
	held := make([]int32, len(tr.Jobs))
	for i := range tr.Spans.Len() {
		if tr.Spans.From[i] <= at && at < tr.Spans.To[i] {
			for _, sh := range tr.Spans.At(i) {
				held[tr.Spans.Job[i]] += sh.N
			}
		}
	}
	return held
}

// TestElasticExample is a worked example on eight GPUs. j1 gains 1, 1, 1, ... by each GPU, j2 1, 0.8, 0.4, 0.2, and
// j3 needs two. The best division is 5, 1 and 2 with a sum of 5 + 1 + 1.5. When j3 is done at 300, j1 has 7, which
// raises the sum from 6 to 8; j4 came at 100 and gets a GPU at the same time, so that 6 are left for j1.
func TestElasticExample(t *testing.T) {
	p := simtest.Build(60, []simtest.Node{{"a": 8}}, []simtest.Job{simtest.PlainJob(0, 4, 2000),
		simtest.PlainJob(0, 2, 1000),
		simtest.PlainJob(0, 2, 300), simtest.PlainJob(100, 1, 5000)}, model.Costs{})
	stretch(p, 0, 1, 2, 3, 4, 5, 6, 7, 8)
	stretch(p, 1, 1, 1.8, 2.2, 2.4)
	p.Tables[2].Set(0, 2, 1.5, 1.5, 1.5)
	p.Jobs[2].Work = 450
	tr := simtest.Run(t, p, "elastic-dp", nil)
	for at, want := range map[float64][]int32{0: {5, 1, 2, 0}, 299: {5, 1, 2, 0}, 300: {6, 1, 0, 1}} {
		if got := heldAt(tr, unit.Seconds(at)); !slices.Equal(got, want) {
			t.Errorf("at %v s: %v, want %v", at, got, want)
		}
	}
	if tr.Jobs[2].Finish != 300*unit.Second {
		t.Errorf("j3 ends at %v", tr.Jobs[2].Finish)
	}
}

// TestElasticThreshold: of four GPUs one comes free, and a third would make j1 faster by 4 % of the sum.
func TestElasticThreshold(t *testing.T) {
	p := simtest.Build(60, []simtest.Node{{"a": 4}},
		[]simtest.Job{simtest.PlainJob(0, 2, 2000), simtest.PlainJob(0, 1, 1000), simtest.PlainJob(0, 1, 100)},
		model.Costs{})
	stretch(p, 0, 1, 2, 2.12, 2.12)
	tr := simtest.Run(t, p, "elastic-dp", nil)
	if got := heldAt(tr, 200*unit.Second); !slices.Equal(got, []int32{2, 1, 0}) {
		t.Errorf("below the threshold: %v", got)
	}
	tr = simtest.Run(t, p, "elastic-dp", map[string]any{"hysteresis": 0.03})
	if got := heldAt(tr, 200*unit.Second); !slices.Equal(got, []int32{3, 1, 0}) {
		t.Errorf("above it: %v", got)
	}
}

// TestElasticQueue: who comes between two divisions waits for the next; who does not fit beside the least sizes of the
// others blocks those behind it.
func TestElasticQueue(t *testing.T) {
	p := simtest.Build(60, []simtest.Node{{"a": 2}}, []simtest.Job{simtest.PlainJob(0, 1, 5000),
		simtest.PlainJob(10, 1, 1000),
		simtest.PlainJob(20, 2, 50), simtest.PlainJob(30, 1, 50)}, model.Costs{})
	stretch(p, 0, 1, 2)
	tr := simtest.Run(t, p, "elastic-dp", nil)
	if j := tr.Jobs; j[1].Start != 600*unit.Second || j[2].Start < j[1].Finish || j[3].Start < j[2].Start {
		t.Errorf("starts %v, %v, %v", tr.Jobs[1].Start, tr.Jobs[2].Start, tr.Jobs[3].Start)
	}
	if !simtest.HasReason(tr, trace.WaitOrder, 3) {
		t.Error("j4 waits for j3")
	}
}

// TestElasticTypes: four jobs share two types as an equal share makes them fastest, and a gang that no type can hold
// runs over both.
func TestElasticTypes(t *testing.T) {
	two := func() simtest.Job {
		return simtest.Job{GPUs: 1, Steps: 1000, Rates: map[string]float64{"a": 2, "b": 1.5}}
	}
	p := simtest.Build(60, []simtest.Node{{"a": 4}, {"b": 4}}, []simtest.Job{two(), two(), two(), two()}, model.Costs{})
	for j := range p.Jobs {
		p.Jobs[j].Shape.Max = 4
	}
	p.Cluster.BySpeed = []model.TypeID{0, 1}
	tr := simtest.Run(t, p, "elastic-dp", nil)
	// j1 runs at 8 on all of a. j2 runs at 6 on all of b, at 4 on half of a; j3 at 4 on half of a, at 3 on half of b;
	// j4 at 2 on a third of a, at 3 on half of b. Of equal divisions older jobs have more.
	if got := heldAt(tr, 0); !slices.Equal(got, []int32{3, 3, 1, 1}) {
		t.Errorf("sizes %v", got)
	}
	p.Jobs[3].Shape = model.Shape{Size: 6, Min: 6, Max: 6, Step: 1, Gangs: 1}
	p.Tables[3] = model.NewThroughput("wide", 2, 6)
	p.Tables[3].Set(0, 6, 6, 6, 6)
	p.Tables[3].Set(1, 6, 6, 6, 6)
	tr = simtest.Run(t, p, "elastic-dp", nil)
	if tr.Outcome != trace.Done || tr.Jobs[3].Start < tr.Jobs[2].Finish {
		t.Errorf("%v, the wide gang starts at %v", tr.Outcome, tr.Jobs[3].Start)
	}
}

// TestElasticIsBest compares the division of up to eight GPUs among up to four jobs, whose speeds are neither
// monotonic nor concave, with all others.
func TestElasticIsBest(t *testing.T) {
	for seed := range uint64(300) {
		rng := unit.Stream(seed, "elastic")
		k := 4 + rng.IntN(5)
		jobs := make([]simtest.Job, 1+rng.IntN(4))
		for j := range jobs {
			jobs[j] = simtest.PlainJob(0, 1, 500)
		}
		p := simtest.Build(60, []simtest.Node{{"a": int32(k)}}, jobs, model.Costs{})
		speeds := make([][]float64, len(jobs))
		for j := range jobs {
			for range 1 + rng.IntN(k) {
				speeds[j] = append(speeds[j], 0.5+float64(rng.IntN(40))/10)
			}
			stretch(p, j, speeds[j]...)
		}
		sum := 0.0
		for j, n := range heldAt(simtest.Run(t, p, "elastic-dp", nil), 0) {
			sum += speeds[j][n-1] / speeds[j][0]
		}
		if want := mostSpeedup(speeds, k); math.Abs(sum-want) > 1e-5 {
			t.Fatalf("seed %d: speedups of %v, brute force %v", seed, sum, want)
		}
	}
}

// mostSpeedup is the largest sum of speedups of all divisions of k GPUs.
func mostSpeedup(speeds [][]float64, k int) float64 {
	if len(speeds) == 0 {
		return 0
	}
	best := math.Inf(-1)
	for n := 1; n <= min(k, len(speeds[0])); n++ {
		best = max(best, speeds[0][n-1]/speeds[0][0]+mostSpeedup(speeds[1:], k-n))
	}
	return best
}

// TestSpeedupsAreAgainstWhatRuns: the speedup of a job that cannot run on one GPU is against a GPU of its least gang,
// and that is what its line says: 3 ÷ 0.5 = 6.
func TestSpeedupsAreAgainstWhatRuns(t *testing.T) {
	p := simtest.Build(60, []simtest.Node{{"a": 5}}, []simtest.Job{simtest.PlainJob(0, 2, 2000),
		simtest.PlainJob(0, 1, 1000)}, model.Costs{})
	stretch(p, 0, 0, 1, 2, 3)
	simtest.EachDecision(t, p, "elastic-dp", nil, 1, func(_ int, _ *sim.Run, d *sim.Detail) {
		f := d.Choices[0].Sections[0].Formula
		if len(f) != 1 || !strings.Contains(f[0].Pattern(), "speed of each of its least gang") ||
			fmt.Sprint(f[0].Args()[1:]...) != fmt.Sprint(policy.Four(3), policy.Four(0.5), policy.Four(6)) {
			t.Errorf("%+v", f)
		}
		for _, s := range d.Sections {
			if strings.Contains(s.Title.In(nil), "one GPU") {
				t.Errorf("%q, and it cannot run on one", s.Title.In(nil))
			}
		}
	})
}

// TestElasticExplains: the curve of a job's speedup and its size on it are part of the explanation.
func TestElasticExplains(t *testing.T) {
	p := simtest.Build(60, []simtest.Node{{"a": 4}}, []simtest.Job{simtest.PlainJob(0, 2, 2000),
		simtest.PlainJob(0, 1, 1000)}, model.Costs{})
	stretch(p, 0, 1, 1.5, 1.9, 2.1)
	r := simtest.Start(t, p, "elastic-dp", nil, sim.Options{})
	r.Explain(0)
	for r.Explained() == nil && r.Step() {
	}
	d := r.Explained()
	if d == nil || len(d.Choices) != 2 {
		t.Fatalf("%+v", d)
	}
	c := d.Choices[0]
	if len(c.Sections) != 1 || c.Sections[0].Curve == nil || !strings.Contains(c.Says.Pattern(), "larger sum") {
		t.Fatalf("%+v", c)
	}
	if k := c.Sections[0].Curve; k.From != 0 || k.To != 3 || len(k.Values) != 5 || math.Abs(k.Values[3]-1.9) > 1e-6 {
		t.Errorf("%+v", k)
	}
}
