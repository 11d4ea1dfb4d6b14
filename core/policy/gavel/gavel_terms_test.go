package gavel_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// explained is the detail of the first decision.
func explained(t *testing.T, p *model.Problem, id string, params map[string]any) *sim.Detail {
	t.Helper()
	r := simtest.Start(t, p, id, params, sim.Options{})
	r.Explain(0)
	for r.Rounds() == 0 && r.Step() {
	}
	return r.Explained()
}

// target is a job's share of the time on the GPU type that stands first or later in its table.
func target(c *sim.Choice, at int) float64 {
	return simtest.Rows(c.Sections, "shares")[at]["target"].(float64)
}

// two is one GPU of each of two types; the fast job runs at 1 and 4 steps/s, the even one at 1 and 2.
func two() *model.Problem {
	return simtest.Build(360, []simtest.Node{{"a": 1}, {"b": 1}}, []simtest.Job{
		{GPUs: 1, Steps: 3e5, Rates: map[string]float64{"a": 1, "b": 4}},
		{GPUs: 1, Steps: 2e5, Rates: map[string]float64{"a": 1, "b": 2}, Weight: 2}}, model.Costs{})
}

// TestGavelTermsByHand: with a share y of b for the first job, rates are 1+3y and 2-y.
func TestGavelTermsByHand(t *testing.T) {
	for _, c := range []struct {
		id, whole, job string
		objective      float64
		want           [2]float64
	}{
		{"gavel-las", "least normalised throughput", "normalised throughput", 7 / 11.5, [2]float64{7 / 11.5, 7 / 11.5}},
		{"gavel-waterfill", "first level", "level", 7 / 11.5, [2]float64{7 / 11.5, 7 / 11.5}},
		{"gavel-packed", "least normalised throughput", "normalised throughput", 7 / 11.5,
			[2]float64{7 / 11.5, 7 / 11.5}},
		{"gavel-makespan", "time to the end of the last job when the shares were computed",
			"time to its end when the shares were computed", 9e5 / 7, [2]float64{9e5 / 7, 9e5 / 7}}, // y = 4/9
		{"gavel-maxsum", "total throughput", "throughput", 5, [2]float64{4, 1}},
		{"gavel-mincost", "steps/s per USD/h", "throughput", 5, [2]float64{4, 1}},
		{"gavel-ftf", "largest rho", "fairness ρ", 1, [2]float64{1, 1}},
		{"gavel-fifo", "", "place in the queue", 0, [2]float64{1, 2}},
		{"gavel-isolated", "", "isolated throughput", 0, [2]float64{2.5, 1.5}},
	} {
		d := explained(t, two(), c.id, nil)
		for _, s := range d.Sections {
			if !s.Folded && !math.IsNaN(simtest.Term([]*sim.Section{s}, "relative gap")) {
				t.Errorf("%s: the solver's figures are not folded away", c.id)
			}
		}
		if c.whole != "" && !(math.Abs(simtest.Term(d.Sections, c.whole)/c.objective-1) < 1e-6 &&
			simtest.Term(d.Sections, "relative gap") < 1e-7) {
			t.Errorf("%s: %+v, want %v", c.id, d.Sections, c.objective)
		}
		for i := range c.want {
			if got := simtest.Term(d.Choices[i].Sections, c.job); !(math.Abs(got/c.want[i]-1) < 1e-6) {
				t.Errorf("%s: job %d: %+v, want %v", c.id, i, d.Choices[i].Sections, c.want[i])
			}
		}
	}
}

// TestTenantsByHand: of two tenants of weights 1 and 3 on one GPU the second has three quarters; inside it
// the first to come has all of it, inside the other the two share one to two.
func TestTenantsByHand(t *testing.T) {
	var jobs []simtest.Job
	for i := range 4 {
		jobs = append(jobs, simtest.Job{GPUs: 1, Steps: 1e6, Rates: map[string]float64{"a": 1},
			Weight: float64(1 + i%2)})
	}
	p := simtest.Build(360, []simtest.Node{{"a": 1}}, jobs, model.Costs{})
	p.Tenants = []model.Tenant{{Name: "fair", Weight: 1}, {Name: "queue", Weight: 3, FIFO: true}}
	p.Jobs[2].Tenant, p.Jobs[3].Tenant = 1, 1
	d := explained(t, p, "gavel-hierarchical", nil)
	for i, want := range []float64{0.25 / 3, 0.5 / 3, 0.75, 0} {
		if c := d.Choices[i]; math.Abs(target(c, 0)-want) > 1e-6 ||
			math.Abs(simtest.Term(c.Sections, "level")-want) > 1e-6 {
			t.Errorf("job %d: %+v, want %v", i, c, want)
		}
	}
	if w := simtest.Term(d.Choices[3].Sections, "weight of tenant {0}, first in first out"); w != 3 {
		t.Errorf("%+v", d.Choices[3].Sections)
	}
}

// TestDeadlines: what can be kept is kept, what cannot is dropped and said, what has passed asks for nothing.
func TestDeadlines(t *testing.T) {
	for _, c := range []struct {
		slo     float64 // s, of the even job
		dropped bool
		b       float64 // its share of the fast type
	}{{125e3, false, 0.6}, {50e3, true, 0}, {0, false, 0}} {
		p := two()
		p.Jobs[1].SLO = unit.Seconds(c.slo)
		d := explained(t, p, "gavel-mincost-slo", nil)
		left := func(s *sim.Section) bool {
			return !s.Note.IsZero() && strings.HasPrefix(s.Note.Pattern(), "Not all deadlines")
		}
		if got := slices.ContainsFunc(d.Sections, left); got != c.dropped {
			t.Errorf("%v s: dropped is %v", c.slo, got)
		}
		if got := target(d.Choices[1], 1); math.Abs(got-c.b) > 1e-6 {
			t.Errorf("%v s: the even job has %v of the fast type, want %v", c.slo, got, c.b)
		}
	}
	p := two()
	p.Jobs[1].SLO = 125e6
	p.Cluster.Types[0].USDPerHour, p.Cluster.Types[1].USDPerHour = 0.5, 2
	d := explained(t, p, "gavel-mincost-slo", map[string]any{"objective": "ratio"})
	if got := simtest.Term(d.Sections, "steps/s per USD/h"); math.Abs(got/1.52-1) > 1e-6 {
		t.Errorf("%+v", d.Sections)
	}
	p.Cluster.Types[0].USDPerHour = 0
	spec, _ := policy.Find("gavel-mincost")
	v, _ := spec.Check(nil)
	if _, err := spec.New(p.Public(), v); err == nil {
		t.Error("a type without a price must be refused")
	}
}
