package insights

import (
	"math"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
)

// TestSentencesAreOfTheWindow: with a window, sentences and curves are of its jobs. On one GPU the first job ends at
// 100; first in, first out j2 goes on to 400 and j3 to 420, the shortest first j3 ends at 130 and j2 at 430. Whoever
// else ends by then differs: j4, which is short, only under the second.
func TestSentencesAreOfTheWindow(t *testing.T) {
	var jobs []simtest.Job
	for _, j := range [][2]float64{{0, 100}, {10, 300}, {20, 20}, {30, 10}, {40, 900}} {
		jobs = append(jobs, simtest.Job{GPUs: 1, Arrive: j[0], Steps: j[1], Rates: map[string]float64{"a": 1}})
	}
	p := simtest.Build(100, []simtest.Node{{"a": 1}}, jobs, model.Costs{})
	p.Window = model.Window{From: 1, To: 3}
	var sides []Side
	for _, id := range []string{"fifo", "sjf"} {
		tr := simtest.Run(t, p, id, nil)
		r := metric.Compute(p, tr)
		sides = append(sides, Side{id, tr, chart.NewLane(tr), &r.Metrics})
	}
	a, b := &sides[0], &sides[1]
	if len(a.Lane.Dones) != 3 || len(b.Lane.Dones) != 4 || a.Lane.Counted != 2 || b.Lane.Counted != 2 {
		t.Fatalf("%d and %d jobs end, of which %d and %d count", len(a.Lane.Dones), len(b.Lane.Dones), a.Lane.Counted,
			b.Lane.Counted)
	}
	f := Find(nil, *a, *b, chart.Compare(a.Trace, b.Trace, a.Lane, b.Lane), 2)
	if want := "fifo’s mean completion is 49 % above sjf’s."; !strings.HasPrefix(f.Claim, want) ||
		!strings.HasSuffix(f.Claim, " Counted are jobs 2 to 3 by arrival.") {
		t.Errorf("the claim is %q", f.Claim)
	}
	curves := []chart.CDF{chart.NewCDF(a.Trace, a.Title, "a"), chart.NewCDF(b.Trace, b.Title, "b")}
	for i := range curves {
		if c := &curves[i]; c.Jobs != 2 || len(c.Steps) != 2 || c.Quantile(1) != max(c.Steps[0].CompletionTime,
			c.Steps[1].CompletionTime) {
			t.Errorf("the curve is of other jobs: %+v", *c)
		}
	}
	if says := CDF(nil, curves, figure.SecondsUnit(400)); strings.Contains(says.Because, "not complete") {
		t.Errorf("all that count are complete: %q", says.Because)
	}
	gains := chart.Gains(a.Trace, b.Trace)
	if len(gains) != 2 || gains[0].Job != 1 || gains[1].Job != 2 {
		t.Errorf("gains are those of other jobs: %+v", gains)
	}
	for _, s := range sides {
		u := s.Lane.UsageByType(s.Trace)
		got, want := u[0].Share[0], s.Metrics.GPUUtilization
		if s.Trace.Outcome != trace.Done || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: the picture says that GPUs are busy for %v of the time, the figures say %v", s.Title, got, want)
		}
	}
}
