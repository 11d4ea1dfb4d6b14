package scenario

import (
	"strings"
	"testing"

	"hadarlab/core/model"
)

// TestTypesOfAJob: a job that may use some types only has its model's speeds there and none elsewhere, as measured, of
// a profile, as believed and beside another job; others keep theirs, and the order of the types changes nothing.
func TestTypesOfAJob(t *testing.T) {
	text := `{"kind":"scenario","version":1,"scenario":{"seed":3,
"cluster":{"nodes":[{"id":"n1","gpus":{"a100":2,"v100":2}}]},
"throughputs":{"rows":[{"model":"m","per_gpu":{"a100":4,"v100":2},"spread":{"a100":{"2":7}}},{"model":"o","per_gpu":{"a100":1,"v100":1}}],
"pairs":[{"a":{"model":"m"},"b":{"model":"o"},"rates":{"a100":[3,0.9],"v100":[1.5,0.8]}},
 {"a":{"model":"m"},"b":{"model":"m"},"rates":{"a100":[2.5,2.5],"v100":[1.2,1.2]}}],
"profiles":[{"model":"f","init_batch":8,"max_batch":64,"types":[{"type":"v100","alpha_c":0.1,"beta_c":0.01,"alpha_n":0.1,"beta_n":0,"alpha_r":0.1,"beta_r":0,"gamma":1,"low":1,"high":32}],"noise":[{"until":0.5,"phi":{"8":100}},{"until":1,"phi":{"8":200}}]}]},
"knowledge":{"rates":"noisy"},
"jobs":[{"id":"all","model":"m","gpus":1,"steps":10},{"id":"big","model":"m","gpus":1,"steps":10,"types":["a100"]},
{"id":"both","model":"m","gpus":1,"steps":10,"types":["v100","a100"]},{"id":"same","model":"m","gpus":1,"steps":10,"types":["a100","v100"]},
{"id":"other","model":"o","gpus":1,"steps":10},
{"id":"prof","model":"f","batch":8,"gpus":1,"steps":10,"types":["v100"]},{"id":"free","model":"f","batch":8,"gpus":1,"steps":10}]}}`
	p, found := Compile(mustParse(t, text), nil)
	if p == nil {
		t.Fatal(found)
	}
	const a100, v100 = 0, 1
	table := func(job, phase, point int) *model.Throughput {
		return &p.Tables[p.Jobs[job].Phases[phase].Tables[point]]
	}
	for _, c := range []struct {
		job, typ int
		want     float64
	}{{0, a100, 4}, {0, v100, 2}, {1, a100, 4}, {1, v100, 0}, {2, a100, 4}, {2, v100, 2}} {
		if got := float64(table(c.job, 0, 0).Rate(model.TypeID(c.typ), 1, model.OneNode)); got != c.want {
			t.Errorf("%s on type %d: %v, want %v", p.Jobs[c.job].Name, c.typ, got, c.want)
		}
	}
	if far := table(1, 0, 0).Rate(a100, 2, model.Network); far != 7 {
		t.Errorf("over nodes %v", far)
	}
	if p.Jobs[2].Phases[0].Tables[0] != p.Jobs[3].Phases[0].Tables[0] {
		t.Error("the order of the types makes another table")
	}
	for phase := range 2 {
		for point := range 2 {
			here, there := table(5, phase, point), table(6, phase, point)
			for n := int32(1); n <= 2; n++ {
				if here.Rate(a100, n, model.OneNode) != 0 || there.Rate(a100, n, model.OneNode) <= 0 ||
					here.Rate(v100, n, model.OneNode) != there.Rate(v100, n, model.OneNode) {
					t.Errorf("profile, phase %d, point %d, %d GPUs: %v and %v on v100", phase, point, n,
						here.Rate(v100, n, model.OneNode), there.Rate(v100, n, model.OneNode))
				}
			}
		}
	}
	at := func(job int) int32 { return p.Jobs[job].Phases[0].Tables[0] }
	pair := func(a, b int, typ model.TypeID) [2]float64 {
		x, y := p.PairRates(at(a), at(b), typ)
		return [2]float64{float64(x), float64(y)}
	}
	for _, c := range []struct {
		a, b int
		typ  model.TypeID
		want [2]float64
	}{{0, 4, v100, [2]float64{1.5, 0.8}}, {1, 4, a100, [2]float64{3, 0.9}}, {1, 4, v100, [2]float64{}},
		{0, 1, a100, [2]float64{2.5, 2.5}}, {1, 0, v100, [2]float64{}}, {1, 1, a100, [2]float64{2.5, 2.5}},
		{2, 1, v100, [2]float64{}}, {2, 0, v100, [2]float64{1.2, 1.2}}} {
		if got := pair(c.a, c.b, c.typ); got != c.want {
			t.Errorf("%s beside %s on type %d: %v, want %v", p.Jobs[c.a].Name, p.Jobs[c.b].Name, c.typ, got, c.want)
		}
	}
	// A model is believed to be as fast for whoever may use less of the cluster, and others as without such jobs.
	if a, b := p.Know.Tables[at(0)].Rate(a100, 1, model.OneNode), p.Know.Tables[at(1)].Rate(a100, 1,
		model.OneNode); a != b || a == 4 {
		t.Errorf("believed %v and %v", a, b)
	}
	free, _ := Compile(mustParse(t, strings.NewReplacer(`,"types":["a100"]`, "", `,"types":["v100","a100"]`, "",
		`,"types":["a100","v100"]`, "").Replace(text)), nil)
	if a, b := p.Know.Tables[at(4)].Rate(v100, 1, model.OneNode),
		free.Know.Tables[free.Jobs[4].Phases[0].Tables[0]].Rate(v100, 1, model.OneNode); a != b {
		t.Errorf("another model is believed %v, without such jobs %v", a, b)
	}
}
