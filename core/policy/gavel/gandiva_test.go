package gavel_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// pairs lets tables a and b share a GPU of any type at the given parts of their speeds alone.
func pairs(p *model.Problem, part float64, tables ...[2]int32) {
	for _, ab := range tables {
		for typ := range p.Cluster.Types {
			x := model.TypeID(typ)
			p.Pairs = append(p.Pairs, model.Pair{A: ab[0], B: ab[1], Type: x,
				RateA: p.Tables[ab[0]].Rate(x, 1, model.OneNode) * unit.Rate(part),
				RateB: p.Tables[ab[1]].Rate(x, 1, model.OneNode) * unit.Rate(part)})
		}
	}
}

// TestGandivaPacks: two jobs, one GPU. Packed at 0.6 of their speed they take 6000 s instead of 7200 s in turns.
func TestGandivaPacks(t *testing.T) {
	build := func(part, second float64) *model.Problem {
		p := simtest.Build(360, []simtest.Node{{"a": 1}},
			[]simtest.Job{simtest.PlainJob(0, 1, 3600), simtest.PlainJob(0, 1, second)},
			model.Costs{})
		if part > 0 {
			pairs(p, part, [2]int32{0, 1})
		}
		return p
	}
	if got := simtest.Finishes(simtest.Run(t, build(0.6, 3600), "gandiva", nil)); !slices.Equal(got,
		[]float64{6000, 6000}) {
		t.Errorf("packed: %v", got)
	}
	for name, got := range map[string][]float64{
		"no pair measured": simtest.Finishes(simtest.Run(t, build(0, 3600), "gandiva", nil)),
		"packing off": simtest.Finishes(simtest.Run(t, build(0.6, 3600), "gandiva",
			map[string]any{"pack": false})),
	} {
		if !slices.Equal(got, []float64{6840, 7200}) {
			t.Errorf("%s: %v, want turns of a round", name, got)
		}
	}
	// A pair at 0.4 loses. That is seen at the next allocation, when a third job comes: 2160 s later, after
	// 864 steps each.
	p := simtest.Build(360, []simtest.Node{{"a": 1}}, []simtest.Job{simtest.PlainJob(0, 1, 3600),
		simtest.PlainJob(0, 1, 3600),
		simtest.PlainJob(2160, 1, 10)}, model.Costs{})
	pairs(p, 0.4, [2]int32{0, 1})
	if got := simtest.Finishes(simtest.Run(t, p, "gandiva", nil)); slices.Max(got) > 2160+2*(3600-864)+10+2*360 ||
		got[0] == got[1] {
		t.Errorf("a pair that loses: %v", got)
	}
	// When the shorter is done at 1800 s the other goes on alone: 1080 of 3600 steps are done, and it is
	// alone from the end of the round on at the latest.
	got := simtest.Finishes(simtest.Run(t, build(0.6, 1080), "gandiva", nil))
	if got[1] != 1800 || got[0] < 1800+2520 || got[0] > 1800+2520+360 {
		t.Errorf("after the partner's end: %v", got)
	}
	// Two GPUs are enough for two jobs: nobody shares.
	p = build(0.6, 3600)
	p.Cluster.Slots[0].Cap = 2
	if got := simtest.Finishes(simtest.Run(t, p, "gandiva", nil)); !slices.Equal(got, []float64{3600, 3600}) {
		t.Errorf("room for both: %v", got)
	}
}

// TestGandivaDrawsBySeed: pairs are drawn from the scenario's seed and nothing else.
func TestGandivaDrawsBySeed(t *testing.T) {
	var jobs []simtest.Job
	for i := range 6 {
		jobs = append(jobs, simtest.PlainJob(0, 1, float64(1000+300*i)))
	}
	p := simtest.Build(360, []simtest.Node{{"a": 2}}, jobs, model.Costs{})
	for a := range int32(6) {
		for b := a; b < 6; b++ {
			pairs(p, 0.7, [2]int32{a, b})
		}
	}
	hashes := map[string]bool{}
	for seed := range uint64(8) {
		q := *p
		q.Seed = seed
		tr := simtest.Run(t, &q, "gandiva", nil)
		hashes[tr.Hash()] = true
		if slices.Max(tr.Spans.With) < 0 {
			t.Error("nobody shares a GPU")
		}
		if simtest.Run(t, &q, "gandiva", nil).Hash() != tr.Hash() {
			t.Error("the same seed must give the same run")
		}
	}
	if len(hashes) < 2 {
		t.Error("no seed made a difference")
	}
}

// TestGandivaAgainstPublishedRun compares the average completion time of the first 480 jobs of one GPU, 2.4 an hour on
// 20 GPUs of each type, with the original simulator. Nobody is packed there.
func TestGandivaAgainstPublishedRun(t *testing.T) {
	const want = 55424.158
	got := run(t, imported(t, "gavel_gen_single_seed0.csv", eachType(20, 480, 2.4), 360), "gandiva", nil)
	off := got.Metrics.AvgJCTS/want - 1
	t.Logf("%.1f s, published %.1f s, %+.2f %%", got.Metrics.AvgJCTS, want, 100*off)
	simtest.Result(t, "gandiva", simtest.Span([]float64{off}, 2))
	if math.Abs(off) > 0.01 {
		t.Error("off by more than 1 %")
	}
}

// TestGandivaPackingAgainstPublishedRuns does the same with the measured pairs; the draws differ, so that the
// band is wide.
func TestGandivaPackingAgainstPublishedRuns(t *testing.T) {
	var offs []float64
	for _, c := range []struct {
		trace string
		want  float64
	}{{"gavel_physical_continuous.csv", 17379.4}, {"gavel_physical_static.csv", 35074.7}} {
		doc := physical(t, c.trace)
		s := lab.NewBatch()
		s.Start(&message.RunRequest{Scenario: doc})
		p := *s.Problem()
		measuredPairs(t, &p)
		sum := 0.0
		for seed := range uint64(3) {
			p.Seed = seed
			sum += metric.Compute(&p, simtest.Run(t, &p, "gandiva", nil)).Metrics.AvgJCTS / 3
		}
		off := sum/c.want - 1
		offs = append(offs, off)
		t.Logf("%s: mean of three seeds %.1f s, published seed 0 %.1f s, %+.2f %%", c.trace, sum, c.want, 100*off)
		if math.Abs(off) > 0.1 {
			t.Errorf("off by more than 10 %%")
		}
	}
	simtest.Result(t, "gandiva-packing", simtest.Span(offs, 2))
}

// measuredPairs fills p.Pairs from the reference table.
func measuredPairs(t testing.TB, p *model.Problem) {
	t.Helper()
	data, err := os.ReadFile(shared + "facts/gavel_colocated.json")
	if err != nil {
		t.Skipf("the measured pairs are not beside this checkout: %v", err)
	}
	var file struct {
		Pairs map[string]map[string]map[string][2]float64 `json:"pairs"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for a := range p.Tables {
		for b := a; b < len(p.Tables); b++ {
			for typ := range p.Cluster.Types {
				name := func(i int) string { m, _, _ := strings.Cut(p.Tables[i].Name, " "); return m }
				x, y := name(a), name(b)
				r, ok := file.Pairs[p.Cluster.Types[typ].Name][x][y]
				if !ok {
					r = file.Pairs[p.Cluster.Types[typ].Name][y][x]
					r[0], r[1] = r[1], r[0]
				}
				p.Pairs = append(p.Pairs, model.Pair{A: int32(a), B: int32(b), Type: model.TypeID(typ),
					RateA: unit.Rate(r[0]), RateB: unit.Rate(r[1])})
			}
		}
	}
	if !slices.ContainsFunc(p.Pairs, func(q model.Pair) bool { return q.RateA > 0 }) {
		t.Fatal("no pair was found")
	}
}
