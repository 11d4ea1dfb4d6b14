package simtest

import (
	"os"
	"runtime"
	"testing"

	"hadarlab/core/imports"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
)

// shared is where the reference material lies beside a checkout that has it.
const shared = "../../../shared/"

// published is the first 480 jobs of a trace of Gavel's generator at so many an hour on 20 GPUs of each type.
func published(b *testing.B, trace string, perHour float64) *model.Problem {
	f, err := os.Open(shared + "traces/" + trace)
	if err != nil {
		b.Skipf("the reference trace is not beside this checkout: %v", err)
	}
	defer f.Close()
	rates, err := os.ReadFile(shared + "facts/gavel_throughputs.json")
	if err != nil {
		b.Fatal(err)
	}
	doc, _, diags := imports.Read(f, "gavel-csv", imports.Options{Throughputs: rates, First: 480,
		ArrivalDivisor: perHour, Cluster: []scenario.TypeCount{{Type: "v100", Count: 20},
			{Type: "p100", Count: 20}, {Type: "k80", Count: 20}}})
	if diags.HasErrors() {
		b.Fatal(diags)
	}
	p, diags := scenario.Compile(doc, nil)
	if p == nil {
		b.Fatal(diags)
	}
	return p
}

// measure runs the policy on p, from the compiled problem to the trace.
func measure(b *testing.B, p *model.Problem, id string) {
	b.ReportAllocs()
	var r *sim.Run
	var tr *trace.Trace
	before, runs := userTime(), 0
	for b.Loop() {
		runs++
		r = Start(b, p, id, nil, sim.Options{})
		for r.Step() {
		}
		tr, _ = r.Result()
	}
	if tr.Outcome != trace.Done {
		b.Fatalf("the run ends %v", tr.Outcome)
	}
	ms := (userTime() - before).Seconds() * 1000 / float64(runs)
	var mem runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&mem)
	runtime.KeepAlive(r)
	b.ReportMetric(ms, "user-ms/op")
	b.ReportMetric(float64(mem.HeapAlloc)/(1<<20), "MB") // of the problem, the run and its trace at the end
	b.ReportMetric(float64(tr.Events), "events")
	b.ReportMetric(float64(len(tr.Rounds)), "decisions")
}

// Benchmark480 is 480 jobs on 60 GPUs under every policy that can serve them: the published load of 1.2 jobs of
// any size an hour, and for policies of one GPU a job that of 2.4.
func Benchmark480(b *testing.B) {
	p, single := published(b, "gavel_gen_multi_seed0.csv", 1.2), published(b, "gavel_gen_single_seed0.csv", 2.4)
	for _, s := range policy.All() {
		q := p
		if s.Needs.SingleGPU {
			q = single
		}
		if s.Unmet(q) == nil {
			b.Run(s.ID, func(b *testing.B) { measure(b, q, s.ID) })
		}
	}
}

// Benchmark10000 is 10,000 jobs on 1,024 GPUs at the same load a GPU.
func Benchmark10000(b *testing.B) {
	p := Load(1, 10000, 1024, 1.2*1024/60)
	for _, id := range []string{"fifo", "sjf", "srtf", "las", "tiresias", "yarn-cs", "hadar", "hadare", "gavel-las",
		"a-srpt", "elastic-dp"} {
		b.Run(id, func(b *testing.B) { measure(b, p, id) })
	}
}

// Benchmark100000 is 100,000 jobs on 10,000 GPUs.
func Benchmark100000(b *testing.B) {
	p := Load(2, 100000, 10000, 1.2*10000/60)
	b.Run("tiresias", func(b *testing.B) { measure(b, p, "tiresias") })
}
