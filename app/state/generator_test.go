package state

import (
	"testing"

	"hadarlab/app/edit"
	"hadarlab/core/scenario"
)

// TestEditsKeepSettings: edits of what the page shows keep what it does not, and a job more writes
// generated jobs out first.
func TestEditsKeepSettings(t *testing.T) {
	doc, diags := scenario.Parse([]byte(`{"scenario":{"cluster":{"nodes":[{"id":"n1","gpus":{"v100":4}}],"changes":[{"at_s":9,"node":"n1","type":"v100","gpus":5}]},
"throughputs":{"rows":[]},"tenants":[{"id":"a"}],"jobs":{"generator":{"count":3}},"faults":{"generator":{"mtbf_h":9,"mttr_s":60,"until_s":1e6}},"knowledge":{"rates":"noisy"}}}`),
		scenario.FileLimits)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	d := doc.Clone()
	if (edit.AddNode{}).Change(d); d.Scenario.Generator == nil || d.Scenario.Faults.Generator == nil ||
		d.Scenario.Knowledge.Rates != "noisy" || len(d.Scenario.Cluster.Changes) != 1 {
		t.Errorf("%s", d.Marshal(true))
	}
	if (edit.AddJob{}).Change(d); d.Scenario.Generator != nil || len(d.Scenario.Jobs) != 4 ||
		d.Scenario.Jobs[3].Tenant != "a" {
		t.Errorf("%s", d.Marshal(true))
	}
	if p, diags := scenario.Compile(d, nil); p == nil {
		t.Error(diags)
	}
}
