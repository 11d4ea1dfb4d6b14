package lab_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
)

// TestLimitsOfTheNetwork holds what the manual admits (How far to trust it): gangs that share a node's network card
// do not slow each other, and a gang's shape counts by its tier alone, but where the scenario says shared_links.
func TestLimitsOfTheNetwork(t *testing.T) {
	shared := ""
	ends := func(nodes []int, gangs ...int) (at []float64) {
		doc := `{"kind":"scenario","version":1,"scenario":{"round_s":300,"cluster":{"network":{"node_gb_per_s":130,` +
			`"nic_gb_per_s":1` + shared + `},"nodes":[`
		for i, gpus := range nodes {
			doc += fmt.Sprintf(`{"id":"n%d","gpus":{"v100":%d}},`, i, gpus)
		}
		doc = doc[:len(doc)-1] + `]},"throughputs":{"rows":[{"model":"bert","per_gpu":{"v100":2},` +
			`"gradient_mb":1340}]},"jobs":[`
		for i, gpus := range gangs {
			doc += fmt.Sprintf(`{"id":"j%d","model":"bert","gpus":%d,"steps":3600},`, i, gpus)
		}
		doc = doc[:len(doc)-1] + `],"policies":[{"id":"fifo"}]}}`
		res, failed, diags := lab.Run(&message.RunRequest{Scenario: []byte(doc)})
		if res == nil || len(failed) > 0 {
			t.Fatal(failed, diags)
		}
		for _, j := range res.Runs[0].Jobs {
			at = append(at, *j.FinishS)
		}
		return at
	}
	alone, beside := ends([]int{2, 2, 2}, 3), ends([]int{2, 2, 2}, 3, 3)
	if beside[0] != alone[0] || beside[1] != alone[0] {
		t.Errorf("a gang over two nodes takes %v s alone and %v s beside another on the same card", alone, beside)
	}
	one, two, three := ends([]int{4}, 4), ends([]int{2, 2}, 4), ends([]int{2, 1, 1}, 4)
	if two[0] != three[0] || two[0] == one[0] {
		t.Errorf("4 GPUs take %v s, 2 + 2 %v s, 2 + 1 + 1 %v s", one, two, three)
	}

	// 3600 steps of three GPUs are 1200 of their gang. One computes 1/2 s, then averages 1.34 GB between two GPUs at
	// 130 GB/s, 10.3 ms, and between two nodes at 1 GB/s, 1.34 s, at 1/2 GB/s 2.68 s; with 2 × 10 µs of latency
	// 1.850328 s and 3.190328 s. Two gangs that share the NIC in the middle have 1/2 GB/s each.
	shared = `,"shared_links":true`
	alone, beside = ends([]int{2, 2, 2}, 3), ends([]int{2, 2, 2}, 3, 3)
	near := func(a, b float64) bool { return math.Abs(a-b) < 2e-3 }
	if !near(alone[0], 2220.393) || !near(beside[0], 3828.393) || !near(beside[1], 3828.393) {
		t.Errorf("with shared links it takes %v s alone and %v s beside another", alone, beside)
	}
	// 3600 steps of four are 900. Over three nodes 4/3 of 1.34 GB pass each and there are four steps of the ring, not
	// two: 1.850328 and 2.297004 s.
	two, three = ends([]int{2, 2}, 4), ends([]int{2, 1, 1}, 4)
	if !near(two[0], 1665.295) || !near(three[0], 2067.304) {
		t.Errorf("with shared links 2 + 2 take %v s, 2 + 1 + 1 %v s", two, three)
	}
}

// TestLimitsOfWideGangs holds what the manual admits of gangs that are wider than a GPU type: ρ reckons an equal
// share with time on V100, of which the preset has three, for j4, which asks for four.
func TestLimitsOfWideGangs(t *testing.T) {
	doc, _ := lab.Preset("odd-gpus-out")
	res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc})
	if res == nil || len(failed) > 0 {
		t.Fatal(failed, diags)
	}
	run := &res.Runs[0]
	wide := &run.Jobs[3]
	life, crowd := *wide.FinishS-wide.ArrivalS, 0.0
	for _, j := range run.Jobs {
		crowd += max(0, min(*j.FinishS, *wide.FinishS)-j.ArrivalS) / life
	}
	const steps, gang = 31300, 4
	share := func(types ...[2]float64) float64 { // GPUs, steps/s of one
		rate, time := 0.0, 0.0
		for _, x := range types {
			part := x[0] / (crowd * gang)
			rate, time = rate+part*gang*x[1], time+part
		}
		return rate / max(1, time)
	}
	all, has := life*share([2]float64{3, 5.446}, [2]float64{6, 3.074}, [2]float64{2, 0.982})/steps,
		life*share([2]float64{6, 3.074})/steps
	if got := run.Metrics.FTFMax; wide.ID != "j4" || math.Abs(got-all) > 1e-6 || math.Abs(all-1.505) > 5e-4 ||
		math.Abs(has-0.792) > 5e-4 {
		t.Errorf("%s: ρ is %v, reckoned %v, on types that have enough %v", wide.ID, got, all, has)
	}
}

// TestLimitsOfNodes holds what glossary, manual and texts admit of gangs that are wider than a node: an equal share,
// best speeds and Gavel's family reckon with the speed on one node.
func TestLimitsOfNodes(t *testing.T) {
	doc := []byte(`{"kind":"scenario","version":1,"scenario":{"cluster":{"nodes":[{"id":"n1","gpus":{"v100":2}},
{"id":"n2","gpus":{"v100":2}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1},"spread":{"v100":{"4":1}}}]},
"jobs":[{"id":"j","model":"m","gpus":4,"steps":4000}],"policies":[{"id":"gavel-ftf"},{"id":"srtf"}]}}`)
	res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc})
	if res == nil || len(failed) > 0 {
		t.Fatal(failed, diags)
	}
	for i := range res.Runs {
		if m := res.Runs[i].Metrics; m.MakespanS != 4000 || math.Abs(m.FTFMax-4) > 1e-9 {
			t.Errorf("%s: %v s, ρ %v", res.Runs[i].Policy, m.MakespanS, m.FTFMax)
		}
	}
	for id, says := range map[string]string{"gavel-ftf": "1,000 ÷ 1,000", "srtf": "4,000 ÷ 4 = 1,000 s"} {
		e, diags := lab.NewSession().Explain(&message.ExplainRequest{Scenario: doc, Policy: message.PolicyRef{ID: id}})
		if e == nil {
			t.Fatal(diags)
		}
		told, noted := false, false
		for _, s := range e.Jobs[0].Sections {
			told = told || strings.Contains(strings.Join(s.Formula, "\n"), says)
			noted = noted || strings.Contains(s.Note, "farther apart it is slower")
		}
		if !told || noted != (id == "gavel-ftf") {
			t.Errorf("%s says %q: %v, and that it is slower over nodes: %v", id, says, told, noted)
		}
	}
}

// TestLimitsOfGPUsAway holds what glossary, manual and reasons admit of GPUs that are not in service: an equal share
// counts them, in ρ and for Themis, and A-SRPT's machine does.
func TestLimitsOfGPUsAway(t *testing.T) {
	for changes, want := range map[string]float64{"": 4. / 3,
		`,"changes":[{"at_s":900000,"node":"n","type":"v100","gpus":8}]`: 2} {
		doc := []byte(`{"kind":"scenario","version":1,"scenario":{"cluster":{"nodes":[{"id":"n","gpus":{"v100":1}}]` +
			changes + `},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":10}}]},"jobs":[
{"id":"a","model":"m","gpus":1,"steps":36000},{"id":"b","model":"m","gpus":1,"steps":36000}],
"policies":[{"id":"fifo"}]}}`)
		res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc})
		if res == nil || len(failed) > 0 {
			t.Fatal(failed, diags)
		}
		if got := res.Runs[0].Metrics.FTFMax; math.Abs(got-want) > 1e-9 {
			t.Errorf("with %q the worst ρ is %v, want %v", changes, got, want)
		}
		for _, id := range []string{"themis", "a-srpt"} {
			e, diags := lab.NewSession().Explain(&message.ExplainRequest{Scenario: doc,
				Policy: message.PolicyRef{ID: id}})
			if e == nil {
				t.Fatal(diags)
			}
			told := false
			for _, s := range e.Sections {
				told = told || strings.Contains(s.Note, "in service now are 1 of 8")
			}
			if told != (changes != "") {
				t.Errorf("%s with %q: told is %v", id, changes, told)
			}
		}
	}
}

// TestGittinsKnowsTheSpread: its order hangs on the true lengths of all jobs, whatever policies are told of them, as
// its source line and the schema say.
func TestGittinsKnowsTheSpread(t *testing.T) {
	runs := map[string]bool{}
	for _, knows := range []string{`{"lengths":"true"}`, `{"lengths":"noisy","error":1}`, `{"lengths":"unknown"}`} {
		res, failed, diags := lab.Run(&message.RunRequest{Scenario: []byte(`{"kind":"scenario","version":1,"scenario":{
"cluster":{"nodes":[{"id":"n","gpus":{"v100":1}}]},"knowledge":` + knows + `,
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},"policies":[{"id":"gittins"}],"jobs":[
{"id":"a","model":"m","gpus":1,"steps":7200},{"id":"b","model":"m","gpus":1,"steps":1800},
{"id":"c","model":"m","gpus":1,"steps":1800},{"id":"d","model":"m","gpus":1,"steps":360},
{"id":"e","model":"m","gpus":1,"steps":900,"arrival_s":3000}]}}`)})
		if res == nil || len(failed) > 0 {
			t.Fatal(failed, diags)
		}
		runs[res.Runs[0].TraceHash] = true
	}
	if len(runs) != 1 || !strings.Contains(string(lab.Catalogue()), "hides lengths or makes them wrong") {
		t.Errorf("%d different runs", len(runs))
	}
}
