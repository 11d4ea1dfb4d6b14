package simtest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	_ "hadarlab/core/policy/own/starlark"
	"hadarlab/core/program"
	"hadarlab/core/program/templates"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// Each template is a policy here, so that all that holds for every policy is asked of programs, too.
func init() {
	spec, _ := policy.Find("own")
	for i := range templates.All {
		of := &templates.All[i]
		values, _ := spec.Check(of.Values())
		s := *spec
		s.ID, s.Params = "program-"+of.ID, nil
		s.Needs.Lengths = program.Mentions(of.Text, ".steps_left")
		s.Cadence = func(m model.Public, _ policy.Values) sim.Cadence { return spec.Cadence(m, values) }
		s.New = func(m model.Public, _ policy.Values) (sim.Policy, error) { return spec.New(m, values) }
		policy.Register(&s)
	}
}

// TestFormulasAreTheQueues: what the queues of the literature decide, one expression says. Random scenarios have all
// that a document may have.
func TestFormulasAreTheQueues(t *testing.T) {
	best := "job.steps_left / job.speed"
	for id, params := range map[string]map[string]any{
		"fifo": {"key": "job.arrival"},
		"sjf":  {"key": "job.steps / job.speed", "skip": true},
		"srtf": {"key": best, "preempt": true},
		"las":  {"key": "job.service", "preempt": true, "rounds": true},
	} {
		spec, _ := policy.Find(id)
		ran := 0
		for seed := range uint64(max(*scenarios, 1000)) {
			p := Wild(unit.Stream(seed, "own"))
			if spec.Unmet(p) != nil {
				continue
			}
			ran++
			if got, want := Finishes(Run(t, p, "own", params)), Finishes(Run(t, p, id, nil)); !slices.Equal(got, want) {
				t.Errorf("%s, scenario %d: the formula's jobs finish at %v, the queue's at %v", id, seed, got, want)
			}
		}
		if ran < 500 {
			t.Errorf("%s ran %d scenarios", id, ran)
		}
	}
}

// TestOneTypeAGang: with the switch no gang of a formula or key program mixes types, and whom no type holds is told so;
// without it such a job runs.
func TestOneTypeAGang(t *testing.T) {
	mixed, told := 0, 0
	for name, params := range map[string]map[string]any{
		"formula":    {"key": "job.gpus"},
		"preempting": {"key": "job.gpus", "preempt": true},
		"program":    {"program": "def key(job, cluster):\n    return job.gpus\n", "skip": true},
	} {
		for seed := range uint64(200) {
			p := Wild(unit.Stream(seed, "one type"))
			mixes := func(one bool) (n int) {
				values := maps.Clone(params)
				values["homogeneous"] = one
				r := Start(t, p, "own", values, sim.Options{MaxEvents: 1e6})
				for k := 0; r.Step(); k++ {
					r.Explain(k + 1)
					if d := r.Explained(); d != nil {
						for _, c := range d.Choices {
							if strings.Contains(c.Says.String(), "must be of one type") {
								told++
							}
						}
					}
				}
				tr, _ := r.Result()
				for i := range tr.Spans.Len() {
					g := tr.Spans.At(i)
					if slices.ContainsFunc(g, func(sh model.Shard) bool {
						return p.Cluster.Slots[sh.Slot].Type != p.Cluster.Slots[g[0].Slot].Type
					}) {
						n++
					}
				}
				return n
			}
			mixed += mixes(false)
			if n := mixes(true); n > 0 {
				t.Errorf("%s, scenario %d: %d spans mix types", name, seed, n)
			}
		}
	}
	if mixed == 0 || told == 0 {
		t.Errorf("%d spans mix types without the switch, %d jobs are told with it", mixed, told)
	}
}

// TestTemplatesAreTheQueues: a program that says that it is a policy of the literature finishes every job when it does.
func TestTemplatesAreTheQueues(t *testing.T) {
	for i := range templates.All {
		of := &templates.All[i]
		if of.Like == "" || of.Says != "" {
			continue
		}
		spec, _ := policy.Find(of.Like)
		ran := 0
		for seed := range uint64(max(*scenarios, 1000)) {
			p := Wild(unit.Stream(seed, "own"))
			if spec.Unmet(p) != nil {
				continue
			}
			ran++
			got, want := Finishes(Run(t, p, "own", of.Values())), Finishes(Run(t, p, of.Like, nil))
			if !slices.Equal(got, want) {
				t.Fatalf("%s, scenario %d: the program's jobs finish at %v, the policy's at %v", of.ID, seed, got, want)
			}
		}
		if ran < 500 {
			t.Errorf("%s ran %d scenarios", of.ID, ran)
		}
	}
}
