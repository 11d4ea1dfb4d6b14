package class_test

import (
	"strings"
	"testing"

	"hadarlab/core/class"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// TestLarger: a larger run is of the assignment's own scenario, whose lengths vary, or of 480 drawn jobs under the
// class's lanes, or varies a number that the task may change; anything else is refused.
func TestLarger(t *testing.T) {
	for _, id := range scenarios.Assignments {
		text, _ := scenarios.Assignment(id)
		a, diags := class.Parse(text)
		if a == nil {
			t.Fatal(diags)
		}
		noise := 0.1
		if a.Document().Scenario.Generator != nil { // drawn jobs differ anyway
			noise = 0
		}
		q, doc, diags := a.Larger(class.Larger{Replicates: 20, Noise: 1})
		if doc != a.Document() || q.Noise != noise || q.Replicates != 20 {
			t.Errorf("%s: %+v %v", id, q, diags)
		}
		q, doc, diags = a.Larger(class.Larger{Jobs480: true, Replicates: 20})
		if doc == nil {
			t.Fatal(diags)
		}
		lanes := doc.Scenario.Policies
		if doc.JobCount() != 480 || doc.Scenario.Cluster.GPUs() != 60 || q.Noise != 0 || diags.HasErrors() ||
			len(lanes) != len(a.Document().Scenario.Policies) || lanes[0].ID != a.Document().Scenario.Policies[0].ID {
			t.Errorf("%s: %+v, %d jobs under %+v", id, q, doc.JobCount(), lanes)
		}
	}
	text, _ := scenarios.Assignment("hadar-vs-gavel")
	a, _ := class.Parse(text)
	vary := func(path string, values ...float64) class.Larger {
		return class.Larger{Vary: &message.Axis{Path: path, Values: values}}
	}
	if q, doc, diags := a.Larger(vary("/scenario/round_s", 60, 1200)); doc != a.Document() || q.Noise != 0 {
		t.Errorf("%+v %v", q, diags)
	}
	both := vary("/scenario/round_s", 60, 120)
	both.Replicates = 2
	for _, wrong := range []class.Larger{{}, {Replicates: 1}, {Replicates: 201}, {Replicates: -3}, both,
		{Jobs480: true}, vary("/scenario/round_s", 60), vary("/scenario/round_s", 60, 1201),
		vary("/scenario/seed", 1, 2), vary("/scenario/round_s", make([]float64, 51)...)} {
		if _, doc, diags := a.Larger(wrong); doc != nil || !diags.HasErrors() {
			t.Errorf("%+v is taken", wrong)
		}
	}
}

// TestLargerModels: what the 480 jobs' scenario says of their models is so. Each of four trains about a quarter of the
// gangs, CycleGAN none, and of the jobs of one GPU each of the five about a fifth.
func TestLargerModels(t *testing.T) {
	doc, diags := scenario.Parse(scenarios.Larger, scenario.FileLimits)
	if doc == nil || !strings.Contains(doc.Meta.Notes, "CycleGAN runs on one GPU only") {
		t.Fatal(diags, doc)
	}
	single, gangs := map[string]int{}, map[string]int{}
	for seed := range uint64(20) {
		doc.Scenario.Seed = seed
		for _, j := range scenario.Freeze(doc).Scenario.Jobs {
			if j.GPUs == 1 {
				single[j.Model]++
			} else {
				gangs[j.Model]++
			}
		}
	}
	about := func(of map[string]int, models int) {
		all := 0
		for _, n := range of {
			all += n
		}
		for model, n := range of {
			if share := float64(n*models) / float64(all); len(of) != models || share < 0.9 || share > 1.1 {
				t.Errorf("%d of %d jobs train %s, of %d models", n, all, model, len(of))
			}
		}
	}
	about(single, 5)
	if about(gangs, 4); gangs["cyclegan"] > 0 {
		t.Error("a gang trains CycleGAN")
	}
}
