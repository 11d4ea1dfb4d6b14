package scenario

import (
	"slices"
	"testing"

	"hadarlab/scenarios"
)

func TestCompareInWords(t *testing.T) {
	text, _ := scenarios.Preset("odd-gpus-out")
	a, b := mustParse(t, string(text)), mustParse(t, string(text))
	if c := Compare(nil, a, b, nil); len(c) != 0 {
		t.Errorf("equal documents differ: %v", c)
	}
	b.Meta.Title, b.Scenario.RoundS = "Another title", 240
	b.Scenario.Jobs = slices.Delete(b.Scenario.Jobs, 0, 1)
	b.Scenario.Jobs[2].GPUs = 3
	b.Scenario.Throughputs.Rows[0].PerGPU["v100"] = 9
	b.Scenario.Cluster.Nodes[0].GPUs["k80"] = 1
	b.Scenario.Policies = append(b.Scenario.Policies, Policy{ID: "fifo"})
	b.Scenario.Cluster.HostSplit, b.Scenario.Cluster.Nodes[1].CPUs, b.Scenario.Jobs[2].MemoryGB = "tuned", 24, 60
	b.Scenario.Throughputs.Rows[0].CPUs = []HostPoint{{PerGPU: 1, Speed: 0.35}, {PerGPU: 4, Speed: 1}}
	want := []Difference{
		{"/scenario/cluster/host_split", "cluster, host split: now tuned"},
		{"/scenario/cluster/nodes/0/gpus/k80", "cluster, node n1, gpus, k80: now 1"},
		{"/scenario/cluster/nodes/1/cpus", "cluster, node n2, cpus: now 24"},
		{"/scenario/jobs/2/gpus", "job j4, gpus: 4 to 3"},
		{"/scenario/jobs/2/memory_gb", "job j4, memory gb: now 60"},
		{"/scenario/jobs/0", "job j1: removed"},
		{"/scenario/policies/2", "policy fifo: added"},
		{"/scenario/round_s", "round s: now 240"},
		{"/scenario/throughputs/rows/0/cpus", "throughputs, speeds of resnet-50 at batch 64, cpus: " +
			`now [{"per_gpu":1,"speed":0.35},{"per_gpu":4,"speed":1}]`},
		{"/scenario/throughputs/rows/0/per_gpu/v100",
			"throughputs, speeds of resnet-50 at batch 64, per gpu, v100: 4.395 to 9"},
	}
	if got := Compare(nil, a, b, nil); !slices.Equal(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
	slices.Reverse(a.Scenario.Jobs)
	same := a.Clone()
	slices.Reverse(same.Scenario.Jobs)
	if got := Compare(nil, a, same, nil); len(got) != 1 || got[0].Words != "jobs: in another order" {
		t.Errorf("reversed jobs: %v", got)
	}
}

// TestCompareForcedChoices: a forced lane is told apart from the same policy that chooses for itself.
func TestCompareForcedChoices(t *testing.T) {
	text, _ := scenarios.Preset("odd-gpus-out")
	a, b := mustParse(t, string(text)), mustParse(t, string(text))
	force := Force{Round: 3, Job: "j3",
		Gangs: [][]Shard{{{Node: "n1", Type: "v100", Count: 2}, {Node: "n2", Type: "p100", Count: 1}}}}
	id := a.Scenario.Policies[0].ID
	b.Scenario.Policies = append(b.Scenario.Policies, Policy{ID: id, Force: []Force{force}})
	c := b.Clone()
	c.Scenario.Policies[2].Force = []Force{{Round: 0, Job: "j1"}}
	for _, x := range []struct {
		from, to *Document
		want     string
	}{
		{a, b, "policy " + id + ", forced: added. In the policy’s round 4, j3 is put on 2 V100 of n1 + 1 P100 of n2."},
		{b, a, "policy " + id + ", forced: removed"},
		{b, c, "policy " + id + ", forced: In the policy’s round 1, j1 has to wait."},
	} {
		if got := Compare(nil, x.from, x.to, nil); len(got) != 1 || got[0].Words != x.want {
			t.Errorf("got %v, want %s", got, x.want)
		}
	}
}

// TestCompareOfPresets: whatever differs in identity is named, and nothing else.
func TestCompareOfPresets(t *testing.T) {
	var docs []*Document
	for _, name := range scenarios.Names {
		text, _ := scenarios.Preset(name)
		docs = append(docs, mustParse(t, string(text)))
	}
	for i, a := range docs {
		for j, b := range docs {
			if got := Compare(nil, a, b, nil); (len(got) == 0) != (i == j) {
				t.Errorf("%s to %s: %d changes", scenarios.Names[i], scenarios.Names[j], len(got))
			}
		}
	}
}
