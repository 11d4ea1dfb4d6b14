package scenario

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/simtest/golden"
)

// generated is a document with a generator on a cluster where everything fits.
func generated(t *testing.T, generator string) *Document {
	t.Helper()
	return mustParse(t, `{"scenario":{"seed":11,"cluster":{"nodes":[{"id":"n1","gpus":{"v100":64,"k80":64}}]},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":2,"k80":0.5}}]},"jobs":{"generator":`+generator+`}}}`)
}

// TestFreezeMeansTheSame: the frozen document has no generators and compiles to the same problem.
func TestFreezeMeansTheSame(t *testing.T) {
	d := mustParse(t, strings.Replace(drawn, `"tenants"`,
		`"faults":{"generator":{"mtbf_h":2,"mttr_s":60,"until_s":90000}},"knowledge":{"lengths":"noisy"},"tenants"`, 1))
	before := string(d.Marshal(false))
	frozen := Freeze(d)
	if string(d.Marshal(false)) != before {
		t.Error("freezing changed its input")
	}
	again := mustParse(t, string(frozen.Marshal(true)))
	if s := &again.Scenario; s.Generator != nil || s.Faults.Generator != nil || len(s.Jobs) != 40 ||
		len(s.Faults.List) < 5 || len(s.Throughputs.Rows) != 26 {
		t.Fatalf("%d jobs, %d faults, %d rows", len(s.Jobs), len(s.Faults.List), len(s.Throughputs.Rows))
	}
	p, _ := Compile(d, nil)
	q, diags := Compile(again, nil)
	if p == nil || q == nil {
		t.Fatal(golden.Lines(diags))
	}
	if p.Digest == q.Digest {
		t.Error("a generator and its jobs are two scenarios")
	}
	p.Digest = q.Digest
	if !reflect.DeepEqual(p, q) {
		t.Error("freezing changed the problem")
	}
	if d.JobCount() != 40 || frozen.JobCount() != 40 {
		t.Errorf("%d jobs, frozen %d", d.JobCount(), frozen.JobCount())
	}
	for i, j := range again.Scenario.Jobs {
		if j.GPUs != 1 && j.GPUs != 4 || j.Model == "a3c" && j.GPUs > 1 || j.Tenant == "" ||
			i > 0 && j.ArrivalS < again.Scenario.Jobs[i-1].ArrivalS {
			t.Errorf("job %+v", j)
		}
	}
}

// TestFreezeKeepsHosts: drawn jobs need what their rows say, of nodes that have as much, written out or not.
func TestFreezeKeepsHosts(t *testing.T) {
	d := generated(t, `{"count":5,"gpus":{"2":1},"arrivals":{"process":"static"}}`)
	d.Scenario.Cluster.HostSplit, d.Scenario.Cluster.Nodes[0].CPUs = "tuned", 96
	d.Scenario.Throughputs.Rows[0].CPUs = []HostPoint{{PerGPU: 1, Speed: 0.5}, {PerGPU: 3, Speed: 1}}
	for _, doc := range []*Document{d, Freeze(d), mustParse(t, string(Freeze(d).Marshal(true)))} {
		p, diags := Compile(doc, nil)
		if p == nil {
			t.Fatal(golden.Lines(diags))
		}
		if len(p.Needs) != 5 || len(p.Needs[4].CPUs) != 2 || p.Cluster.Nodes[0].Host.CPUs != 96 || !p.Tuned {
			t.Errorf("needs %v, tuned %v", p.Needs, p.Tuned)
		}
	}
}

// TestStreamsAreSeparate: changing one figure of a generator moves only what depends on it.
func TestStreamsAreSeparate(t *testing.T) {
	base := Freeze(generated(t, `{"count":200,"arrivals":{"process":"poisson","rate_per_h":4}}`)).Scenario.Jobs
	other := Freeze(generated(t,
		`{"count":300,"arrivals":{"process":"bursty","rate_per_h":4},"priority_share":0.5}`)).Scenario.Jobs
	moved, heavy := 0, 0
	for i, a := range base {
		b := other[i]
		if a.GPUs != b.GPUs || a.Steps != b.Steps || a.Model != b.Model {
			t.Fatalf("job %d: %+v and %+v", i, a, b)
		}
		if a.ArrivalS != b.ArrivalS {
			moved++
		}
		if b.Weight == 5 {
			heavy++
		}
	}
	if moved < 150 || heavy < 70 || heavy > 130 {
		t.Errorf("%d arrivals moved, %d jobs are heavy", moved, heavy)
	}
}

// TestDefaultMix holds the jobs of the default kind to what Gavel's generator gives.
func TestDefaultMix(t *testing.T) {
	jobs := Freeze(generated(t, `{"count":20000}`)).Scenario.Jobs
	count := map[int]float64{}
	sum := 0.0
	for _, j := range jobs {
		count[j.GPUs]++
		sum += j.Steps / (2 * float64(j.GPUs))
	}
	for size, want := range map[int]float64{1: 0.7, 2: 0.1, 4: 0.15, 8: 0.05} {
		if got := count[size] / 20000; math.Abs(got-want) > 0.01 {
			t.Errorf("a share of %v has %d GPUs, want %v", got, size, want)
		}
	}
	if mean := sum / 20000 / 3600; math.Abs(mean-16.8) > 0.6 { // Gavel's mean duration on a V100
		t.Errorf("mean duration %v h, want 16.8", mean)
	}
}

func TestArrivalProcesses(t *testing.T) {
	gaps := func(generator string) (at []float64, mean, cv float64) {
		for _, j := range Freeze(generated(t, generator)).Scenario.Jobs {
			at = append(at, j.ArrivalS)
		}
		n, sum, squares := float64(len(at)-1), 0.0, 0.0
		for i := 1; i < len(at); i++ {
			d := at[i] - at[i-1]
			sum, squares = sum+d, squares+d*d
		}
		mean = sum / n
		return at, mean, math.Sqrt(squares/n-mean*mean) / mean
	}
	if at, _, _ := gaps(`{"count":5}`); !slices.Equal(at, make([]float64, 5)) {
		t.Errorf("static: %v", at)
	}
	at, mean, cv := gaps(`{"count":20000,"arrivals":{"process":"poisson","rate_per_h":10}}`)
	if at[0] != 0 || math.Abs(mean/360-1) > 0.03 || math.Abs(cv-1) > 0.05 {
		t.Errorf("poisson: first %v, mean %v, variation %v; want 0, 360 and 1", at[0], mean, cv)
	}
	if _, mean, cv = gaps(`{"count":20000,"arrivals":{"process":"bursty","rate_per_h":10}}`); math.Abs(
		mean/360-1) > 0.08 || cv < 3 {
		t.Errorf("bursty: mean %v, variation %v; want 360 and well above 1", mean, cv)
	}
	at, mean, _ = gaps(`{"count":20000,"arrivals":{"process":"diurnal","rate_per_h":10}}`)
	byHour := [24]float64{}
	for _, t := range at {
		byHour[int(t/3600)%24]++
	}
	if busy := byHour[7] / byHour[14]; math.Abs(mean/360-1) > 0.05 || math.Abs(busy/(2.09/0.64)-1) > 0.15 {
		t.Errorf("diurnal: mean %v, hour 7 is %v times as busy as hour 14; want 360 and %v", mean, busy, 2.09/0.64)
	}
	at, _, _ = gaps(`{"duration_s":36000,"arrivals":{"process":"poisson","rate_per_h":10}}`)
	if n := len(at); n < 70 || n > 130 || at[n-1] > 36000 {
		t.Errorf("in 10 h %d jobs arrive, the last at %v", n, at[n-1])
	}
}

// TestBuiltInSpeeds: without rows, generated jobs train Gavel's job types on the cluster's GPUs.
func TestBuiltInSpeeds(t *testing.T) {
	rows := measuredRows([]string{"k80", "p100", "v100"})
	if len(rows) != 26 {
		t.Fatalf("%d job types", len(rows))
	}
	for _, c := range []struct {
		model string
		batch int
		typ   string
		n     int
		want  float64
	}{{"resnet-50", 64, "v100", 1, 4.395}, {"resnet-50", 64, "k80", 8, 4.569}, {"resnet-50", 128, "k80", 2, 0},
		{"cyclegan", 0, "p100", 1, 2.403}, {"a3c", 0, "v100", 2, 0},
		{"lm", 5, "v100", 8, 698.8}, {"recommendation", 512, "k80", 1, 32.86}} {
		i := slices.IndexFunc(rows, func(r Row) bool { return r.Model == c.model && r.Batch == c.batch })
		if got := rows[i].Speed(c.typ, c.n); got != c.want {
			t.Errorf("%s %d on %d %s: %v, want %v", c.model, c.batch, c.n, c.typ, got, c.want)
		}
	}
	for _, r := range measuredRows([]string{"k80", "h100"}) {
		if len(r.PerGPU) != 1 {
			t.Errorf("%s has speeds for types that the cluster lacks: %v", r.Model, r.PerGPU)
		}
	}
}
