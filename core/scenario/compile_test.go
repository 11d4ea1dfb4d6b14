package scenario

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/simtest/golden"
	"hadarlab/core/unit"
)

func TestCompile(t *testing.T) {
	d := mustParse(t, sample)
	p, diags := Compile(d, testDefaults)
	if p == nil {
		t.Fatal(golden.Lines(diags))
	}
	c := &p.Cluster
	check := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	check("types", c.Types, []model.GPUType{
		{Name: "k80", Watts: 150, USDPerHour: 0.9, MemoryGiB: 12, FP32TFLOPS: 4.1},
		{Name: "p100", Watts: 250, USDPerHour: 2.07, MemoryGiB: 12, FP32TFLOPS: 9.3},
		{Name: "v100", Watts: 250, USDPerHour: 2.48, MemoryGiB: 16, FP32TFLOPS: 15.7}})
	check("by speed", c.BySpeed, []model.TypeID{2, 1, 0})
	check("racks", c.Racks, []string{"r2", "r1", "rent"})
	check("nodes", c.Nodes, []model.Node{{Name: "n1", Rack: 0, Host: model.Host{CPUs: 7.5, MemoryGB: 125}},
		{Name: "n2", Rack: 1}, {Name: "n3", Rack: 0}, {Name: "rent-1", Rack: 2}, {Name: "rent-2", Rack: 2}})
	check("slots", c.Slots, []model.Slot{{Node: 0, Type: 0, Cap: 1}, {Node: 0, Type: 2, Cap: 2},
		{Node: 1, Type: 1, Cap: 5}, {Node: 2, Type: 0, Cap: 4}, {Node: 3, Type: 2, Cap: 2}, {Node: 4, Type: 2, Cap: 2}})
	check("cloud", p.Cloud.Groups, []model.CloudGroup{{Name: "rent", From: 4, To: 6, USDPerHour: 6.12, Start: 90500,
		Idle: 600000, Least: 60000}})
	check("autoscaler", p.Cloud.Autoscaler, model.Predictive)
	for i, g := range p.Cloud.Gone { // 2 nodes, 24 hours, 0.05 an hour: about 2.4
		if len(p.Cloud.Gone) > 12 || g.Slot < 4 || g.Slot > 5 || g.At > p.Horizon ||
			i > 0 && g.At < p.Cloud.Gone[i-1].At {
			t.Errorf("nodes vanish at %v", p.Cloud.Gone)
		}
	}
	check("round", p.Round, 60*unit.Second)
	check("horizon", p.Horizon, unit.Tick(86400500))
	check("seed", p.Seed, uint64(42))
	check("digest", p.Digest, d.Digest(testDefaults))
	usual := model.Costs{Save: 1500, Load: 10000, Merge: 3000, CheckpointEvery: 600000}
	check("costs, those of lm first", p.Costs, []model.Costs{{Save: 1500, Merge: 3000, CheckpointEvery: 60000}, usual,
		usual})
	check("usual costs", p.DefaultCosts, usual)
	check("changes", p.Changes, []model.CapacityChange{{At: 0, Slot: 2, Cap: 3}, {At: 20000, Slot: 1, Cap: 1},
		{At: 40000, Slot: 0, Cap: 0}, {At: 40000, Slot: 1, Cap: 0},
		{At: 50000, Slot: 2, Cap: 5}, {At: 90500, Slot: 3, Cap: 1}})

	order, doc := []string{}, []int32{}
	for _, j := range p.Jobs {
		order, doc = append(order, j.Name), append(doc, j.Doc)
	}
	check("job order", order, []string{"first", "tie", "late"})
	check("document positions", doc, []int32{1, 2, 0})
	late, first := p.Jobs[2], p.Jobs[0]
	check("needs, those of first none", p.Needs, []*model.Need{nil,
		{CPUs: model.Curve{{PerGPU: 1, Speed: 0.35}, {PerGPU: 4, Speed: 1}},
			MemoryGB: model.Curve{{PerGPU: 62.5, Speed: 1}}},
		{CPUs: model.Curve{{PerGPU: 4.5, Speed: 1}}, MemoryGB: model.Curve{{PerGPU: 30.25, Speed: 1}}}})
	check("arrival", late.Arrive, unit.Tick(10000))
	check("weight", late.Weight, 2.5)
	check("shape", late.Shape, model.Shape{Size: 2, Min: 1, Max: 3, Step: 1, Gangs: 5})
	check("rounded work", first.Work, unit.Work(17484476.3))
	check("no batch", first.Batch, int32(0))

	check("speeds of nodes, where one spell follows another at once", p.Speeds, []model.SpeedChange{
		{At: 5000, Node: 2, Speed: 0.4}, {At: 25500, Node: 2, Speed: 0.1}, {At: 30000, Node: 2, Speed: 1}})

	check("tables of used rows, of a job that may use some types only, and of one with redundancy", len(p.Tables), 4)
	resnet, lm, coded := &p.Tables[late.Phases[0].Tables[0]], &p.Tables[1], &p.Tables[first.Phases[0].Tables[0]]
	check("redundancy", first.Shape.Redundancy, model.Redundancy{Fold: 2, Groups: 2, Dynamic: true})
	check("names", []string{resnet.Name, lm.Name}, []string{"resnet50 64 (p100 v100)", "lm"})
	check("size reaches the largest slot", resnet.MaxSize(), int32(5))
	const k80, p100, v100 = 0, 1, 2
	for _, r := range []struct {
		t    *model.Throughput
		typ  model.TypeID
		n    int32
		tier model.Tier
		want unit.Rate
	}{
		{resnet, v100, 1, model.OneNode, 7.25}, {resnet, v100, 2, model.OneNode, 13},
		{resnet, v100, 2, model.Network, 9}, {resnet, v100, 3, model.OneNode, 21.75},
		{resnet, v100, 3, model.Network, 21.75}, {resnet, v100, 4, model.OneNode, 0},
		{resnet, v100, 4, model.Network, 0}, {resnet, p100, 1, model.OneNode, 4},
		{resnet, p100, 2, model.OneNode, 7.8}, {resnet, p100, 3, model.Network, 0},
		{resnet, k80, 1, model.OneNode, 0}, {lm, k80, 1, model.OneNode, 0.123456789},
		{lm, k80, 4, model.Network, 4 * 0.123456789}, {lm, v100, 1, model.OneNode, 0},
		{lm, k80, 6, model.OneNode, 0}, {coded, k80, 4, model.Network, 2 * 0.123456789},
		{coded, k80, 3, model.Network, 3 * 0.123456789},
	} {
		if got := r.t.Rate(r.typ, r.n, r.tier); got != r.want {
			t.Errorf("%s: %d of type %d, tier %v: %v, want %v", r.t.Name, r.n, r.typ, r.tier, got, r.want)
		}
	}
	check("tenants by name, none first", p.Tenants, []model.Tenant{{Weight: 1}, {Name: "alpha", Weight: 1},
		{Name: "zeta", Weight: 2.5, FIFO: true}})
	check("tenant and wish of a job", []any{first.Tenant, first.SLO, late.Tenant, late.SLO},
		[]any{int32(2), unit.Tick(7200500), int32(0), unit.Tick(0)})
	ra, rb := p.PairRates(0, 1, k80)
	check("pair", []unit.Rate{ra, rb}, []unit.Rate{0.5, 0.05})
	rb, ra = p.PairRates(1, 0, k80)
	check("pair the other way", []unit.Rate{ra, rb}, []unit.Rate{0.5, 0.05})
	ra, rb = p.PairRates(0, 1, v100)
	check("one of the two cannot run", []unit.Rate{ra, rb}, []unit.Rate{0, 0})
	ra, _ = p.PairRates(1, 1, k80)
	check("beside its like", ra, unit.Rate(0.06))
	d.Scenario.HorizonS = 0
	if p, _ := Compile(d, nil); p.Horizon != unit.Never {
		t.Error("no horizon is Never")
	}
	d.Scenario.Jobs[0].GPUs = -1
	if p, diags := Compile(d, nil); p != nil || !diags.HasErrors() {
		t.Error("an edited document is checked again")
	}
}

func TestCompileRunsTheRoundedDocument(t *testing.T) {
	a, b := mustParse(t, sample), mustParse(t, sample)
	b.Scenario.Jobs[1].Steps += 1e-3
	b.Scenario.Throughputs.Rows[1].PerGPU["v100"] += 1e-12
	b.Scenario.RoundS += 1e-9
	pa, _ := Compile(a, nil)
	pb, _ := Compile(b, nil)
	if !reflect.DeepEqual(pa, pb) {
		t.Error("what differs beyond 9 digits compiles to the same Problem")
	}
}

// wide is a document with n jobs on a cluster of one-type nodes.
func wide(nodes, perNode, rows, gpus int) *Document {
	d := &Document{Scenario: Scenario{RoundS: 360}}
	s := &d.Scenario
	for i := range nodes {
		s.Cluster.Nodes = append(s.Cluster.Nodes, Node{ID: "n" + strconv.Itoa(i),
			GPUs: map[string]int{"v100": perNode}})
	}
	for i := range rows {
		name := "m" + strconv.Itoa(i)
		s.Throughputs.Rows = append(s.Throughputs.Rows, Row{Model: name, PerGPU: map[string]float64{"v100": 1}})
		s.Jobs = append(s.Jobs, Job{ID: "j" + strconv.Itoa(i), Model: name, GPUs: gpus, Steps: 1, Weight: 1})
	}
	return d
}

// sizeCases exceed limits that are too large to write out.
var sizeCases = map[string]*Document{
	codeTooMuch:      wide(101, MaxSlotGPUs, 1, 1),
	codeTables:       wide(11, MaxSlotGPUs, 42, MaxGangGPUs),
	jsondoc.CodeMany: wide(1, 1, MaxRows+1, 1),
}

func TestLimitsOfSize(t *testing.T) {
	for code, d := range sizeCases {
		if p, diags := Compile(d, nil); p != nil || len(diags) != 1 || diags[0].Code != code {
			t.Errorf("%s: %s", code, golden.Lines(diags))
		}
	}
}

// TestRecordsStayInFiles: a document with a record is read from a file, and not where others get it from.
func TestRecordsStayInFiles(t *testing.T) {
	text := []byte(strings.Replace(sample, `"policies":[`, `"policies":[{"id":"recorded","params":{"of":"mine"}},`, 1))
	if d, diags := Parse(text, FileLimits); diags.HasErrors() || !d.Recorded() {
		t.Errorf("a file: %s", golden.Lines(diags))
	}
	for _, lim := range []Limits{LinkLimits, SharedLimits} {
		_, diags := Parse(text, lim)
		found := diags.Errors()
		if len(found) != 1 || found[0].Code != codeRecord || found[0].Path != "/scenario/policies/0/id" {
			t.Errorf("%s", golden.Lines(diags))
		}
	}
	if mustParse(t, sample).Recorded() {
		t.Error("the sample has no record")
	}
}

func TestManyFindingsAreCounted(t *testing.T) {
	diags := wide(1, 2, 250, 3).Check()
	if last := diags[len(diags)-1]; len(diags) != jsondoc.PerCode+1 ||
		last.Message.String() != "150 more findings of this kind are not listed" || last.Code != codeTooLarge ||
		last.Level != "error" {
		t.Errorf("%d findings, last %+v", len(diags), last)
	}
}

func TestFindingsOfParseAndCompileDoNotRepeat(t *testing.T) {
	doc := strings.Replace(sample, `"policies":[`, `"policies":[{"id":"fifo"},{"id":"fifo"},`, 1)
	doc = strings.Replace(doc, `"nodes":[`, `"nodes":[{"id":"bare","gpus":{"h100":1}},`, 1) // where nothing runs
	_, first := Parse([]byte(doc), FileLimits)
	_, second := Compile(mustParse(t, doc), nil)
	if len(first) == 0 || len(second) == 0 {
		t.Fatal("the sample gives warnings and notes on both sides")
	}
	for _, m := range second {
		same := func(d jsondoc.Diagnostic) bool { return reflect.DeepEqual(d, m) }
		if slices.ContainsFunc(first, same) {
			t.Errorf("reported twice: %+v", m)
		}
		if m.Line == 0 {
			t.Errorf("no line: %+v", m)
		}
	}
}
