package gavel_test

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"hadarlab/core/figure"
	"hadarlab/core/imports"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
)

// shared is where the reference material lies beside a checkout that has it.
const shared = "../../../../shared/"

// physical imports a Gavel trace on 8 V100, 16 P100 and 24 K80, four a node.
func physical(t testing.TB, trace string) []byte {
	t.Helper()
	return imported(t, trace, imports.Options{}, 360)
}

func imported(t testing.TB, trace string, opts imports.Options, round float64) []byte {
	t.Helper()
	f, err := os.Open(shared + "traces/" + trace)
	if err != nil {
		t.Skipf("the reference traces are not beside this checkout: %v", err)
	}
	defer f.Close()
	return read(t, f, opts, round)
}

// eachType is so many GPUs of each of Gavel's types, one a node, and the first jobs of a trace, so many an hour.
func eachType(gpus, first int, rate float64) imports.Options {
	return imports.Options{GPUsPerNode: 1, First: first, ArrivalDivisor: rate,
		Cluster: []scenario.TypeCount{{Type: "k80", Count: gpus}, {Type: "p100", Count: gpus},
			{Type: "v100", Count: gpus}}}
}

func read(t testing.TB, trace io.Reader, opts imports.Options, round float64) []byte {
	t.Helper()
	rates, err := os.ReadFile(shared + "facts/gavel_throughputs.json")
	if err != nil {
		t.Skipf("the reference throughputs are not beside this checkout: %v", err)
	}
	opts.Throughputs = rates
	doc, rep, diags := imports.Read(trace, "gavel-csv", opts)
	if diags.HasErrors() || rep.Dropped > 0 {
		t.Fatalf("%+v %v", rep, diags)
	}
	doc.Scenario.RoundS = round
	return doc.Marshal(false)
}

func run(t testing.TB, doc []byte, id string, params map[string]any) *message.Lane {
	t.Helper()
	res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc,
		Policies: []message.PolicyRef{{ID: id, Params: params}}})
	if diags.HasErrors() || len(failed) > 0 {
		t.Fatalf("%v %v", failed, diags)
	}
	return &res.Runs[0]
}

// TestGavelAgainstPublishedRuns compares average completion times with the original simulator. The
// programmes' optima are degenerate, so that a solver may move them: by 5 %, for makespan by 12 %.
func TestGavelAgainstPublishedRuns(t *testing.T) {
	const continuous, static = "gavel_physical_continuous.csv", "gavel_physical_static.csv"
	offs := map[string][]float64{}
	for _, c := range []struct {
		policy, trace string
		reset         float64
		want, band    float64
	}{
		{"gavel-las", continuous, 1920, 14622.8, 0.05},
		{"gavel-las", continuous, 0, 14266.8, 0.05},
		{"gavel-las", static, 1920, 35659.0, 0.05},
		{"gavel-waterfill", continuous, 1920, 14377.6, 0.05},
		{"gavel-waterfill", static, 1920, 35655.9, 0.05},
		{"gavel-ftf", continuous, 1920, 15009.7, 0.05},
		{"gavel-ftf", static, 1920, 36333.2, 0.05},
		{"gavel-makespan", continuous, 1920, 22972.6, 0.12},
		{"gavel-makespan", static, 1920, 63774.7, 0.12},
		{"gavel-maxsum", continuous, 1920, 17071.7, 0.05},
		{"gavel-maxsum", static, 1920, 36928.6, 0.05},
	} {
		got := run(t, physical(t, c.trace), c.policy, map[string]any{"min_reset_s": c.reset})
		off := got.Metrics.AvgJCTS/c.want - 1
		offs[c.policy] = append(offs[c.policy], off)
		t.Logf("%s, %s, reset %v s: %.1f s, published %.1f s, %+.2f %%", c.policy, c.trace, c.reset,
			got.Metrics.AvgJCTS, c.want, 100*off)
		if got.Outcome != "done" || math.Abs(off) > c.band {
			t.Errorf("off by more than %v", c.band)
		}
	}
	for id, off := range offs {
		simtest.Result(t, id, simtest.Span(off, 2))
	}
}

// TestGavelQueueOnGeneratedTraces is the queue, which has no program, on the first 480 generated jobs and
// 20 GPUs of each type, against the original simulator.
func TestGavelQueueOnGeneratedTraces(t *testing.T) {
	var off []float64
	for _, c := range []struct {
		trace         string
		rate          float64 // jobs per hour
		jct, makespan float64
	}{
		{"gavel_gen_multi_seed0.csv", 1.2, 50555.481, 1999448.972},
		{"gavel_gen_single_seed0.csv", 2.4, 49885.288, 1255102.819},
	} {
		m := run(t, imported(t, c.trace, eachType(20, 480, c.rate), 360), "gavel-fifo", nil).Metrics
		jct, makespan := m.AvgJCTS/c.jct-1, m.MakespanS/c.makespan-1
		off = append(off, jct)
		t.Logf("%s: mean %+.4f %%, makespan %+.4f %%", c.trace, 100*jct, 100*makespan)
		if math.Abs(jct) > 0.015 || math.Abs(makespan) > 0.015 {
			t.Errorf("%s: too far off", c.trace)
		}
	}
	simtest.Result(t, "gavel-fifo-480", simtest.Span(off, 4))
}

// TestResultsOnTheTrace are the figures of Hadar and HadarE on the first 480 jobs that Gavel's generator draws,
// gangs included, without stalls.
func TestResultsOnTheTrace(t *testing.T) {
	cluster := []scenario.TypeCount{{Type: "v100", Count: 20}, {Type: "p100", Count: 20}, {Type: "k80", Count: 20}}
	doc := imported(t, "gavel_gen_multi_seed0.csv",
		imports.Options{First: 480, ArrivalDivisor: 1.2, Cluster: cluster}, 360)
	for _, c := range []struct{ id, policy, copies string }{{"trace-gavel-las", "gavel-las", ""},
		{"trace-hadar", "hadar", ""}, {"trace-hadare", "hadare", "request"}, {"trace-hadare-node", "hadare", "node"}} {
		params := map[string]any(nil)
		if c.copies != "" {
			params = map[string]any{"copy": c.copies}
		}
		lane := run(t, doc, c.policy, params)
		simtest.Result(t, c.id, figure.Fixed(nil, lane.Metrics.AvgJCTS, 0)+" s")
		held := 0.0
		for i := range lane.Jobs {
			held += lane.Jobs[i].GPUS
		}
		if over := lane.Metrics.GPUOverS / held; c.copies != "" {
			simtest.Result(t, c.id+"-over", figure.Percent(nil, over))
		} else if over != 0 {
			t.Errorf("%s holds %v of its GPU time beyond what jobs ask for", c.policy, over)
		}
	}
}

// TestGavelAgainstReferenceRuns compares the policies without a program, job by job, with runs of the
// original mechanism on a float clock.
func TestGavelAgainstReferenceRuns(t *testing.T) {
	files, _ := filepath.Glob(shared + "fixtures/gavel_sim/*.json")
	if len(files) == 0 {
		t.Skip("the reference runs are not beside this checkout")
	}
	means, worst := map[string][]float64{}, map[string]float64{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var ref struct {
			Policy, Trace string
			First         *int    `json:"first_jobs"`
			Divisor       float64 `json:"arrival_divisor"`
			Cluster       map[string]int
			PerServer     int     `json:"gpus_per_server"`
			Round         float64 `json:"round_s"`
			MinReset      float64 `json:"min_reset_s"`
			Expected      struct {
				JCT      float64   `json:"avg_jct_s"`
				Makespan float64   `json:"makespan_s"`
				Jobs     []float64 `json:"jct_s"`
			}
		}
		if err := json.Unmarshal(data, &ref); err != nil {
			t.Fatal(err)
		}
		opts := imports.Options{GPUsPerNode: ref.PerServer, ArrivalDivisor: ref.Divisor}
		for _, typ := range []string{"k80", "p100", "v100"} { // servers are filled in this order
			if n := ref.Cluster[typ]; n > 0 {
				opts.Cluster = append(opts.Cluster, scenario.TypeCount{Type: typ, Count: n})
			}
		}
		if ref.First != nil {
			opts.First = *ref.First
		}
		id := map[string]string{"fifo_perf": "gavel-fifo", "isolated_fixed_order": "gavel-isolated"}[ref.Policy]
		got := run(t, imported(t, ref.Trace, opts, ref.Round), id, map[string]any{"min_reset_s": ref.MinReset})
		var off []float64
		for i, j := range got.Jobs {
			off = append(off, math.Abs((*j.FinishS-j.ArrivalS)/ref.Expected.Jobs[i]-1))
		}
		slices.Sort(off)
		worst[id] = max(worst[id], off[len(off)-1])
		jct, makespan, median := got.Metrics.AvgJCTS/ref.Expected.JCT-1, got.Metrics.MakespanS/ref.Expected.Makespan-1,
			off[len(off)/2]
		t.Logf("%s: mean %+.3f %%, makespan %+.3f %%, median job %.3f %%, worst %.1f %%", filepath.Base(file), 100*jct,
			100*makespan, 100*median, 100*off[len(off)-1])
		means[id] = append(means[id], jct)
		if math.Abs(jct) > 0.015 || math.Abs(makespan) > 0.015 || median > 0.02 {
			t.Errorf("%s: too far off", filepath.Base(file))
		}
	}
	for id, off := range means {
		simtest.Result(t, id+"-96", simtest.Span(off, 2))
		simtest.Result(t, id+"-96-job", figure.Fixed(nil, 100*worst[id], 1)+" %")
	}
}

// BenchmarkPhysical is the 96-job trace under each policy, from document to figures.
func BenchmarkPhysical(b *testing.B) {
	doc := physical(b, "gavel_physical_continuous.csv")
	var ids []struct{ ID string }
	list, _ := json.Marshal(lab.Policies())
	if err := json.Unmarshal(list, &ids); err != nil {
		b.Fatal(err)
	}
	for _, p := range ids {
		b.Run(p.ID, func(b *testing.B) {
			for b.Loop() {
				run(b, doc, p.ID, nil)
			}
		})
	}
}

// TestAgnosticShufflesBySeed: the order of types is drawn from the scenario's seed and nothing else.
func TestAgnosticShufflesBySeed(t *testing.T) {
	j := simtest.Job{GPUs: 1, Steps: 5000, Rates: map[string]float64{"a": 4, "b": 2, "c": 1}}
	p := simtest.Build(360, []simtest.Node{{"a": 1}, {"b": 1}, {"c": 1}}, []simtest.Job{j, j}, model.Costs{})
	hashes := map[string]bool{}
	for seed := range uint64(8) {
		q := *p
		q.Seed = seed
		h := simtest.Run(t, &q, "gavel-las-agnostic", nil).Hash()
		if again := simtest.Run(t, &q, "gavel-las-agnostic", nil).Hash(); again != h {
			t.Error("the same seed must give the same run")
		}
		hashes[h] = true
	}
	if len(hashes) < 2 {
		t.Error("no seed made a difference")
	}
}

// TestBlindCounterparts: who cannot tell types apart is slower, draws follow from the seed and nothing else, nobody
// waits for a type that it cannot use, and where types are alike it is the same to know them.
func TestBlindCounterparts(t *testing.T) {
	blind := map[string]any{"blind": true}
	build := func(rates map[string]float64, seed uint64, widest int) *model.Problem {
		var jobs []simtest.Job
		for i := range 9 {
			jobs = append(jobs, simtest.Job{GPUs: int32(1 + i%widest), Steps: 20000, Arrive: float64(1000 * i),
				Rates: rates})
		}
		p := simtest.Build(360, []simtest.Node{{"a": 2}, {"b": 2}, {"c": 2}}, jobs, model.Costs{})
		p.Seed = seed
		return p
	}
	unlike, partly := map[string]float64{"a": 8, "b": 2, "c": 1}, map[string]float64{"a": 8, "b": 2}
	alike := map[string]float64{"a": 2, "b": 2, "c": 2}
	for _, id := range []string{"gavel-ftf", "gavel-fifo"} {
		hashes := map[string]bool{}
		for seed := range uint64(6) {
			tr := simtest.Run(t, build(unlike, seed, 2), id, blind)
			if again := simtest.Run(t, build(unlike, seed, 2), id, blind); again.Hash() != tr.Hash() {
				t.Errorf("%s: the same seed must give the same run", id)
			}
			hashes[tr.Hash()] = true
			known := simtest.Run(t, build(unlike, seed, 2), id, nil)
			if a, b := mean(known), mean(tr); a >= b {
				t.Errorf("%s, seed %d: a mean of %v s with types, %v s without", id, seed, a, b)
			}
			if some := simtest.Run(t, build(partly, seed, 2), id, blind); some.Outcome != trace.Done {
				t.Errorf("%s, seed %d: %v", id, seed, some.Outcome)
			}
			same := []float64{mean(simtest.Run(t, build(alike, seed, 1), id, nil)),
				mean(simtest.Run(t, build(alike, seed, 1), id, blind))}
			if math.Abs(same[1]/same[0]-1) > 0.03 {
				t.Errorf("%s, seed %d: of types that are alike a mean of %v s with and %v s without", id, seed, same[0],
					same[1])
			}
		}
		if len(hashes) < 3 {
			t.Errorf("%s: %d different runs from six seeds", id, len(hashes))
		}
	}
}

// mean is the mean completion time in s.
func mean(tr *trace.Trace) (sum float64) {
	for i := range tr.Jobs {
		sum += (tr.Jobs[i].Finish - tr.Jobs[i].Arrive).Seconds() / float64(len(tr.Jobs))
	}
	return sum
}
