package simtest

import (
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	_ "hadarlab/core/policy/all" // registers the policies
	"hadarlab/core/sim"
	"hadarlab/core/trace"
)

// Start prepares a run of the registered policy id with the given parameters.
func Start(t testing.TB, p *model.Problem, id string, params map[string]any, o sim.Options) *sim.Run {
	t.Helper()
	spec, err := policy.Find(id)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	v, bad := spec.Check(params)
	if len(bad) > 0 {
		t.Fatalf("%s: %v", id, bad)
	}
	pub := p.Public()
	pol, err := spec.New(pub, v)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return StartWith(t, p.Under(v), pol, spec.Cadence(pub, v), o)
}

// StartWith prepares a run of any policy.
func StartWith(t testing.TB, p *model.Problem, pol sim.Policy, c sim.Cadence, o sim.Options) *sim.Run {
	t.Helper()
	r, err := sim.New(p, pol, c, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Finish runs to the end and checks every invariant.
func Finish(t testing.TB, p *model.Problem, r *sim.Run) *trace.Trace {
	t.Helper()
	for r.Step() {
	}
	tr, _ := r.Result()
	if f, ended := r.Fault(); ended {
		t.Errorf("the policy ended the run: %v", f.Says)
	}
	for _, bad := range Check(p, tr, r.Cadence().Merge) {
		t.Error(bad)
	}
	return tr
}

// Run is Start and Finish with default options.
func Run(t testing.TB, p *model.Problem, id string, params map[string]any) *trace.Trace {
	t.Helper()
	return Finish(t, p.Under(params), Start(t, p, id, params, sim.Options{MaxEvents: 1e6}))
}
