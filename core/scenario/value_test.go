package scenario

import "testing"

func TestAlterSetsOneValue(t *testing.T) {
	doc := &Document{Scenario: Scenario{Cluster: Cluster{Nodes: []Node{{ID: "n1", GPUs: map[string]int{"v100": 2}}}},
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
