package simtest

import (
	"flag"
	"os"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// plain runs every test of the package with the plain forms of algorithms alone.
var plain = flag.Bool("plain", false, "policies decide by the plain forms of their algorithms alone")

func TestMain(m *testing.M) {
	flag.Parse()
	policy.Plain = *plain
	os.Exit(m.Run())
}

// runPlain is Run with the plain forms.
func runPlain(t *testing.T, p *model.Problem, id string, params map[string]any) *trace.Trace {
	t.Helper()
	was := policy.Plain
	policy.Plain = true
	defer func() { policy.Plain = was }()
	return Run(t, p, id, params)
}

// TestPlainAndFastAgree: the form of an algorithm that the literature writes, and the faster one that stands behind the
// same face, give the same run, on small scenarios with all that a document may have, and on loads in which jobs crowd
// or nearly all run.
func TestPlainAndFastAgree(t *testing.T) {
	for _, c := range []struct {
		id     string
		params map[string]any
	}{
		{"srtf", nil}, {"srtf", map[string]any{"migrate": false}}, {"las", nil}, {"gittins", nil}, {"tiresias", nil},
		{"tiresias", map[string]any{"promote": 2.0, "limit2_gpu_s": 90000.0}},
		{"tiresias", map[string]any{"order": "entry", "place": "most-free", "limit_gpu_s": 3000.0}},
		{"tiresias", map[string]any{"every_s": 60.0, "migrate": false}},
		{"hadar", nil}, {"hadar", map[string]any{"homogeneous": true, "dp": "exact"}},
		{"hadar", map[string]any{"cost": "round", "utility": "effective", "comm": "ring"}},
		{"hadare", nil}, {"hadare", map[string]any{"copy": "node"}}, {"hadare", map[string]any{"utility": "effective"}},
	} {
		agree := func(name string, seed uint64, p *model.Problem) {
			if got, want := Run(t, p, c.id, c.params), runPlain(t, p, c.id, c.params); got.Hash() != want.Hash() {
				t.Errorf("%s %v, %s %d: another run by the plain form", c.id, c.params, name, seed)
			}
		}
		spec, _ := policy.Find(c.id)
		for seed := range uint64(*scenarios) {
			if p := Wild(unit.Stream(seed, "plain")); spec.Unmet(p) == nil {
				agree("wild", seed, p)
			}
		}
		for seed := range uint64(3) {
			if c.id == "hadar" {
				break // to weigh every placement of so many jobs takes minutes
			}
			agree("crowded", seed, crowded(seed))
			agree("calm", seed, calm(seed))
		}
	}
}

// BenchmarkPlain is what the faster forms save: on a job an hour, and for HadarE, which a light load gives little to
// choose, on five.
func BenchmarkPlain(b *testing.B) {
	light, heavy := Load(1, 480, 60, 1), Load(1, 480, 60, 5)
	for _, id := range []string{"srtf", "las", "gittins", "tiresias", "hadar", "hadare"} {
		p := light
		if id == "hadare" {
			p = heavy
		}
		for name, plain := range map[string]bool{"plain": true, "fast": false} {
			b.Run(id+"/"+name, func(b *testing.B) {
				policy.Plain = plain
				defer func() { policy.Plain = false }()
				for b.Loop() {
					Finish(b, p, Start(b, p, id, nil, sim.Options{}))
				}
			})
		}
	}
}
