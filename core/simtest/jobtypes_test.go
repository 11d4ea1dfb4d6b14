package simtest

import (
	"fmt"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// typed is a generated scenario of which about half the jobs may use some of its GPU types only, whose nodes come and
// go, and whose models may share GPUs; with the types of each job by its name, none = all.
func typed(t *testing.T, seed uint64) (*model.Problem, map[string][]string) {
	rng := unit.Stream(seed, "job types")
	d, _ := scenario.Parse(Document(int(seed)), scenario.FileLimits)
	s := &d.Scenario
	var types []string
	for i := range s.Cluster.Nodes {
		for typ := range s.Cluster.Nodes[i].GPUs {
			types = append(types, typ)
		}
		if rng.IntN(3) == 0 {
			s.Faults.List = append(s.Faults.List, scenario.Fault{Node: s.Cluster.Nodes[i].ID,
				AtS: float64(rng.IntN(5000)), RepairS: float64(60 + rng.IntN(3000))})
		}
	}
	slices.Sort(types)
	types = slices.Compact(types)
	for a := range s.Throughputs.Rows {
		for b := range a + 1 {
			rates := map[string][2]float64{}
			for _, typ := range types {
				v, w := s.Throughputs.Rows[a].PerGPU[typ], s.Throughputs.Rows[b].PerGPU[typ]
				rates[typ] = [2]float64{v * 0.7, w * 0.7}
			}
			s.Throughputs.Pairs = append(s.Throughputs.Pairs, scenario.Pair{Rates: rates,
				A: scenario.RowName{Model: s.Throughputs.Rows[a].Model},
				B: scenario.RowName{Model: s.Throughputs.Rows[b].Model}})
		}
	}
	allowed := map[string][]string{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for _, typ := range types {
			if rng.IntN(2) == 0 {
				j.Types = append(j.Types, typ)
			}
		}
		rng.Shuffle(len(j.Types), func(a, b int) { j.Types[a], j.Types[b] = j.Types[b], j.Types[a] })
		if scenario.Check(d).HasErrors() { // it would run nowhere
			j.Types = nil
		}
		allowed[j.ID] = j.Types
	}
	p, found := scenario.Compile(d, nil)
	if p == nil {
		t.Fatal(seed, found)
	}
	return p, allowed
}

// TestPolicyJobTypes: no gang holds a GPU of a type that its job may not use (I16), under any policy, neither alone nor
// as copies nor beside another job; all other invariants hold, and the reference engine agrees.
func TestPolicyJobTypes(t *testing.T) {
	var allowed map[string][]string
	seen := 0
	all := eachPolicyOn(t, max(10, *scenarios/30), func(seed uint64) (p *model.Problem) {
		p, allowed = typed(t, seed)
		return p
	}, func(t *testing.T, p *model.Problem, s *policy.Spec) {
		tr := invariant(t, p, s)
		refers(t, p, s)
		held, bad := strayGPUs(p, tr, allowed)
		if seen += held; bad != "" {
			t.Error(bad)
		}
	})
	if all && seen < 1000 {
		t.Errorf("only %d spans of jobs that may not run everywhere", seen)
	}
}

// strayGPUs finds a span of a job on a type that it may not use, and counts the spans of jobs to which that could have
// happened.
func strayGPUs(p *model.Problem, tr *trace.Trace, allowed map[string][]string) (seen int, bad string) {
	for i := range tr.Spans.Len() {
		of := allowed[tr.Jobs[tr.Spans.Job[i]].Name]
		if len(of) == 0 {
			continue
		}
		seen++
		for _, sh := range tr.Spans.At(i) {
			if typ := p.Cluster.Types[p.Cluster.Slots[sh.Slot].Type].Name; !slices.Contains(of, typ) {
				bad = fmt.Sprintf("I16: %s holds %d of %s at %v and may use %v only", tr.Jobs[tr.Spans.Job[i]].Name,
					sh.N, typ, tr.Spans.From[i], of)
			}
		}
	}
	return seen, bad
}
