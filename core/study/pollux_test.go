package study_test

import (
	"math"
	"os"
	"reflect"
	"strconv"
	"testing"

	"hadarlab/core/imports"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

func TestPolluxSeries(t *testing.T) {
	all := study.PolluxSeries()
	for i := range all {
		checkSeries(t, &all[i])
	}
}

// TestPolluxWorkloads: the sixth is the preset, all eight are the artifact's where its trace is at hand, and Tiresias
// and Optimus come as close to what was published as the fitted speeds do; the order is the published one.
func TestPolluxWorkloads(t *testing.T) {
	text, _ := lab.Preset("pollux-world")
	preset, _ := scenario.Parse(text, scenario.FileLimits)
	if study.PolluxWorkload(6).ID(lab.Defaults()) != preset.ID(lab.Defaults()) {
		t.Error("workload 6 is not the preset")
	}
	for _, k := range []int{1, 6} {
		d := study.PolluxWorkload(k)
		res, _, _ := lab.Run(&message.RunRequest{Scenario: d.Marshal(false), Policies: []message.PolicyRef{
			study.PolluxLanes()[1].PolicyRef, study.PolluxLanes()[2].PolicyRef}})
		for i := range res.Runs {
			got, want := res.Runs[i].Metrics.AvgJCTS, study.PolluxPublished[i+1][k-1]
			if math.Abs(got/want-1) > 0.06 {
				t.Errorf("workload %d, %s: %v s, published %v s", k, res.Runs[i].Policy, got, want)
			}
		}
	}
	const trace = "../../../shared/traces/pollux_workloads_all8.csv"
	for k := 1; k <= 8; k++ {
		file, err := os.Open(trace)
		if err != nil {
			t.Skip("the rest needs " + trace)
		}
		d, _, found := imports.Read(file, "pollux-csv", imports.Options{Workload: strconv.Itoa(k)})
		file.Close()
		if d == nil {
			t.Fatal(found)
		}
		if !reflect.DeepEqual(d.Scenario.Jobs, study.PolluxWorkload(k).Scenario.Jobs) {
			t.Errorf("workload %d has other jobs", k)
		}
	}
}

// TestPolluxDraws: drawn workloads have the applications, hours and GPUs of the eight, within what chance moves 30 of
// them, in order of arrival; Sia's have the same hours and no ncf, no request above 16 GPUs, and are slower by the
// factors of its artifact; on its three types each has a speed, and these three are faster from type to type.
func TestPolluxDraws(t *testing.T) {
	const draws = 30
	count := func(d *scenario.Document, shares map[string]float64, of float64) {
		last := 0.0
		for _, j := range d.Scenario.Jobs {
			shares[j.Model] += 1 / of
			shares["hour "+strconv.Itoa(int(j.ArrivalS/3600))] += 1 / of
			shares[j.Model+" on "+strconv.Itoa(j.GPUs)] += 1 / of
			if j.ArrivalS < last {
				t.Fatalf("%s: %s comes before the one before it", d.Meta.Title, j.ID)
			}
			last = j.ArrivalS
		}
	}
	theirs, ours := map[string]float64{}, map[string]float64{}
	for k := 1; k <= 8; k++ {
		count(study.PolluxWorkload(k), theirs, 1280)
	}
	for seed := range uint64(draws) {
		count(study.PolluxWorld(seed), ours, draws*160)
	}
	if len(theirs) != len(ours) || len(ours) != 6+8+16 {
		t.Errorf("%d and %d shares", len(theirs), len(ours))
	}
	for what, share := range theirs {
		// the eight are a draw of 1,280 themselves
		if sd := math.Sqrt(share * (1/1280.0 + 1/float64(draws*160))); math.Abs(ours[what]-share) > 3.5*sd {
			t.Errorf("%s: a share of %.4f, in the eight %.4f", what, ours[what], share)
		}
	}
	pollux, sia, mixed := study.PolluxWorld(1), study.SiaWorld(1), study.SiaMixedWorld(1)
	if !reflect.DeepEqual(sia.Scenario.Jobs, mixed.Scenario.Jobs) {
		t.Error("Sia's two sets have other jobs")
	}
	for i, j := range sia.Scenario.Jobs {
		if of := pollux.Scenario.Jobs[i]; j.ArrivalS != of.ArrivalS || j.Model == "ncf" ||
			of.Model != "ncf" && (j.Model != of.Model || j.GPUs != of.GPUs && of.Model != "imagenet") || j.GPUs > 16 ||
			of.Model == "ncf" && j.Model != "cifar10" {
			t.Errorf("%s is %s under Sia", of.ID, j.ID)
		}
	}
	rate := func(d *scenario.Document, name, typ string) float64 {
		p, diags := scenario.Compile(d, lab.Defaults())
		if p == nil {
			t.Fatal(diags)
		}
		for i := range p.Jobs {
			for k := range p.Cluster.Types {
				if p.Jobs[i].Model == name && p.Cluster.Types[k].Name == typ {
					return float64(p.Tables[p.Jobs[i].Phases[0].Tables[1]].Rate(model.TypeID(k), 1, 0))
				}
			}
		}
		t.Fatalf("no job of %s, or no %s", name, typ)
		return 0
	}
	for app, slower := range map[string]float64{"cifar10": 1.8, "bert": 1.2, "imagenet": 1.2} {
		if by := rate(pollux, app, "t4") / rate(sia, app, "t4"); math.Abs(by-slower) > 1e-6 {
			t.Errorf("%s is %v times as slow, want %v", app, by, slower)
		}
		t4, rtx, a100 := rate(mixed, app, "t4"), rate(mixed, app, "rtx2080ti"), rate(mixed, app, "a100")
		if t4 != rate(sia, app, "t4") || rtx <= t4 || a100 <= rtx {
			t.Errorf("%s: %v steps/s on T4, %v on RTX, %v on A100", app, t4, rtx, a100)
		}
	}
}
