package imports

import (
	"os"
	"strings"
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/link"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest/golden"
	"hadarlab/core/unit"
)

const (
	sharedTrace = "../../../shared/traces/gavel_physical_continuous.csv"
	sharedTable = "../../../shared/facts/gavel_throughputs.json"
)

func importShared(t *testing.T, o Options) *scenario.Document {
	t.Helper()
	trace, err := os.Open(sharedTrace)
	if err != nil {
		t.Skip("shared traces are absent")
	}
	defer trace.Close()
	table, err := os.ReadFile(sharedTable)
	if err != nil {
		t.Skip("shared facts are absent")
	}
	o.Throughputs = table
	d, report, diags := Read(trace, "gavel-csv", o)
	if len(diags) > 0 || report.Dropped > 0 {
		t.Fatalf("%+v\n%s", report, golden.Lines(diags))
	}
	return d
}

func TestImportPhysicalTrace(t *testing.T) {
	cluster, err := scenario.ParseCluster("v100=8,p100=16,k80=24")
	if err != nil {
		t.Fatal(err)
	}
	d := importShared(t, Options{Cluster: cluster, GPUsPerNode: 4})
	p, diags := scenario.Compile(d, nil)
	if p == nil || len(diags) > 0 {
		t.Fatal(golden.Lines(diags))
	}
	if len(p.Jobs) != 96 || len(p.Cluster.Nodes) != 12 || p.Cluster.GPUs() != 48 || p.Round != 360*unit.Second {
		t.Errorf("%d jobs, %d nodes, %d GPUs, round %d", len(p.Jobs), len(p.Cluster.Nodes), p.Cluster.GPUs(), p.Round)
	}
	for i := range p.Cluster.Slots {
		if p.Cluster.Slots[i].Cap != 4 {
			t.Errorf("slot %d has %d GPUs", i, p.Cluster.Slots[i].Cap)
		}
	}
	j := p.Jobs[0] // row 0: resnet-18-b128, 4 GPUs, 925982 steps
	v100, k80 := p.Cluster.BySpeed[0], p.Cluster.BySpeed[2]
	one := 17.9949062 // per_gpu of a V100
	table := &p.Tables[j.Phases[0].Tables[0]]
	if j.Name != "j0" || j.Work != 925982 || j.Shape.Size != 4 || table.Rate(v100, 4, model.OneNode) != 69.9505177 ||
		table.Rate(k80, 1, model.OneNode) != 1.80652979 ||
		table.Rate(v100, 4, model.Network) != table.Rate(v100, 4, model.OneNode) ||
		table.Rate(v100, 3, model.OneNode) != unit.Rate(3*one) {
		t.Errorf("job 0 is %+v at %v, %v", j, table.Rate(v100, 4, model.OneNode), table.Rate(k80, 1, model.OneNode))
	}
	text := d.Marshal(true)
	again, diags := scenario.Parse(text, scenario.LinkLimits)
	if len(diags) > 0 || again.ID(nil) != d.ID(nil) {
		t.Errorf("the import reads back with findings or another id: %s", golden.Lines(diags))
	}
	if link := link.Encode(d, nil); len(link) > 4000 {
		t.Errorf("its link has %d characters", len(link))
	}
}

func TestImportOptions(t *testing.T) {
	d := importShared(t, Options{Cluster: []scenario.TypeCount{{Type: "v100", Count: 5}},
		GPUsPerNode: 2, First: 10, ArrivalDivisor: 4,
		Spread: true})
	full := importShared(t, Options{})
	if len(d.Scenario.Jobs) != 10 || len(d.Scenario.Cluster.Nodes) != 3 ||
		d.Scenario.Cluster.Nodes[2].GPUs["v100"] != 1 {
		t.Errorf("%d jobs on %+v", len(d.Scenario.Jobs), d.Scenario.Cluster.Nodes)
	}
	if a, b := d.Scenario.Jobs[9].ArrivalS, full.Scenario.Jobs[9].ArrivalS; a != jsondoc.Round9(b/4) {
		t.Errorf("arrival %v of %v", a, b)
	}
	if d.Scenario.Throughputs.Rows[0].Spread["v100"]["4"] == 0 || full.Scenario.Throughputs.Rows[0].Spread != nil {
		t.Error("spread rates come only when asked for")
	}
	for _, o := range []Options{{GPUsPerNode: -1}, {First: -1}, {ArrivalDivisor: -2},
		{Cluster: []scenario.TypeCount{{Type: "V100", Count: 2}}},
		{Cluster: []scenario.TypeCount{{Type: "v100", Count: 0}}}} {
		o.Throughputs = []byte(smallTable)
		if d, _, diags := Read(strings.NewReader("a,b\n"), "gavel-csv", o); d != nil ||
			len(diags) != 1 || diags[0].Code != codeBadOption {
			t.Errorf("%+v: %s", o, golden.Lines(diags))
		}
	}
	for _, bad := range []string{"", "v100", "v100=", "v100=0", "V100=2", "v100=2,v100=3", "v100=2,,k80=1",
		"v100=99999999"} {
		if _, err := scenario.ParseCluster(bad); err == nil {
			t.Errorf("scenario.ParseCluster(%q) passes", bad)
		}
	}
}
