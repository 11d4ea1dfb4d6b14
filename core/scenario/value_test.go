package scenario

import (
	"encoding/json"
	"hadarlab/core/jsondoc"
	"strconv"
	"testing"
)

func TestAlterSetsOneValue(t *testing.T) {
	doc := &Document{Scenario: Scenario{Cluster: Cluster{Nodes: []Node{{ID: "n1", GPUs: map[string]int{"v100": 2}}},
		Network: &Network{}},
		Jobs: []Job{{ID: "a", GPUs: 1, Steps: 10, Weight: 1}}, Policies: []Policy{{ID: "hadar"}}}}
	for _, c := range []struct {
		pointer string
		value   any
		ok      bool
	}{
		{"/scenario/cluster/nodes/0/gpus/v100", 3.0, true},
		{"/scenario/cluster/nodes/0/gpus/v100", 2.0, false}, // as it is
		{"/scenario/cluster/nodes/1/gpus/v100", 3.0, false},
		{"/scenario/cluster/nodes/00/gpus/v100", 3.0, false},
		{"/scenario/jobs/0/gpus", 2.0, true},
		{"/scenario/jobs/0/steps", 11.0, true},
		{"/scenario/jobs/0/weight", "2", false},
		{"/scenario/cluster/network/shared_links", true, true},
		{"/scenario/cluster/network/shared_links", false, false}, // as it is
		{"/scenario/cluster/network/shared_links", 1.0, false},
		{"/scenario/cluster/network/overlap", true, false},
		{"/scenario/jobs/0/id", 2.0, false},
		{"/scenario/policies/0/params/eta", 2.0, true},
		{"/scenario/policies/0/params/utility", "normalised", true},
		{"/scenario/policies/-1/params/eta", 2.0, false},
		{"scenario/jobs/0/gpus", 2.0, false},
		{"", 1.0, false},
	} {
		d := doc.Clone()
		if got := d.Alter(c.pointer, c.value); got != c.ok {
			t.Errorf("%s to %v: %v", c.pointer, c.value, got)
		}
		if doc.Scenario.Policies[0].Params != nil || doc.Scenario.Jobs[0].GPUs != 1 ||
			doc.Scenario.Cluster.Nodes[0].GPUs["v100"] != 2 {
			t.Fatal("the original is changed")
		}
	}
}

// wholeText has every kind of object whose numbers have names; drawnText has those that exclude others.
const (
	wholeText = `{"kind":"scenario","version":1,"scenario":{"seed":3,"round_s":300,"horizon_s":1000000,
"cluster":{"nodes":[{"id":"n1","gpus":{"v100":4}}],"changes":[{"at_s":5,"node":"n1","type":"v100","gpus":2}]},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":3},"gang":{"v100":{"2":5}}}]},"tenants":[{"id":"t","weight":2,"order":"fifo"}],
"jobs":[{"id":"a","model":"m","gpus":1,"steps":10,"arrival_s":4,"weight":2,"tenant":"t","slo_s":99}],
"overheads":{"checkpoint_s":1,"restart_s":2,"merge_s":3,"checkpoint_every_s":4,"models":[{"model":"m","restart_s":5}]},
"faults":[{"node":"n1","at_s":7,"gpus":1,"repair_s":8}],"knowledge":{"lengths":"noisy","error":0.5,"rate_error":0.2},
"policies":[{"id":"fifo"}]}}`
	drawnText = `{"kind":"scenario","version":1,"scenario":{"cluster":{"nodes":[{"id":"n1","gpus":{"v100":4}}]},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":3}}]},
"jobs":{"generator":{"kind":"philly","count":9,"priority_share":0.5,"slo_share":0.25,
"arrivals":{"process":"bursty","rate_per_h":4,"burst":3,"burst_gap_s":5},"gpus":{"1":2,"4":1},
"models":[{"model":"m","share":2}],"lengths":{"median_s":60,"sigma":0.5,"scale":2,"min_s":3,"max_s":4000}}},
"faults":{"generator":{"mtbf_h":9,"mttr_s":60,"until_s":5000}},"policies":[{"id":"fifo"}]}}`
)

// TestValueIsThatOfTheText: a number set by its pointer is the one that a person would change in the text, and every
// number of the document is found.
func TestValueIsThatOfTheText(t *testing.T) {
	found := 0
	for _, in := range []string{wholeText, drawnText} {
		doc, diags := Parse([]byte(in), FileLimits)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		var tree any
		if err := json.Unmarshal([]byte(in), &tree); err != nil {
			t.Fatal(err)
		}
		var walk func(at string, v any)
		walk = func(at string, v any) {
			switch v := v.(type) {
			case map[string]any:
				for name, w := range v {
					walk(at+"/"+name, w)
				}
			case []any:
				for i, w := range v {
					walk(at+"/"+strconv.Itoa(i), w)
				}
			case float64:
				value, ok := doc.Clone().Value(at)
				if ours := at != "/version"; ok != ours {
					t.Errorf("%s is described: %v", at, ok)
				} else if !ours {
					return
				}
				found++
				if n, has := value.Number(); n != v || !has {
					t.Errorf("%s is %v, %v; the text has %v", at, n, has, v)
				}
				to := v / 2
				if value.Whole {
					to = v + 1
				}
				if to < value.Low || to > value.High || value.Above && to == value.Low {
					t.Fatalf("%s: %v is not allowed from %v to %v", at, to, value.Low, value.High)
				}
				changed, err := jsondoc.SetNumber([]byte(in), at, to)
				if err != nil {
					t.Fatal(err)
				}
				want, diags := Parse(changed, FileLimits)
				if diags.HasErrors() {
					t.Fatal(at, diags)
				}
				d := doc.Clone()
				mine, _ := d.Value(at)
				mine.SetNumber(to)
				if got := d.Canonical(nil); string(got) != string(want.Canonical(nil)) {
					t.Errorf("%s to %v: %s", at, to, got)
				}
			}
		}
		walk("", tree)
	}
	if found < 35 {
		t.Errorf("only %d numbers were tried", found)
	}
}

// TestValueOfNothing: what a value may be is known without its object, and setting it does nothing.
func TestValueOfNothing(t *testing.T) {
	d := &Document{}
	for _, at := range []string{"/scenario/jobs/0/steps", "/scenario/jobs/generator/lengths/scale",
		"/scenario/faults/generator/mtbf_h", "/scenario/tenants/2/weight", "/scenario/jobs/generator/gpus/8"} {
		v, ok := d.Value(at)
		if v.SetNumber(5); !ok || v.Found() || v.High == 0 {
			t.Errorf("%s: %+v", at, v)
		}
	}
	if v, ok := d.Value("/scenario/cluster/network/shared_links"); !ok || v.Text() != "" || len(v.Choices) != 2 {
		t.Errorf("shared_links: %+v", v)
	}
	if v, _ := d.Value("/scenario/knowledge/lengths"); v.Text() != "true" || len(v.Choices) != 3 {
		t.Errorf("lengths: %+v", v)
	}
	for _, at := range []string{"", "/", "/scenario", "/scenario/jobs", "/scenario/jobs/x/steps",
		"/scenario/jobs/0/steps/", "/meta/title", "/scenario/jobs/-1/steps"} {
		if v, ok := d.Value(at); ok {
			t.Errorf("%q: %+v", at, v)
		}
	}
	if string(d.Canonical(nil)) != string((&Document{}).Canonical(nil)) {
		t.Error("a document without objects was changed")
	}
}
