package study_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

// TestGavelSeries: there is a series for each load and each number of jobs.
func TestGavelSeries(t *testing.T) {
	all := study.GavelSeries()
	if want := len(study.GavelLoads) + len(study.GavelGangLoads) + len(study.GavelMakespanJobs); len(all) != want {
		t.Errorf("%d series, want %d", len(all), want)
	}
	for i := range all {
		checkSeries(t, &all[i])
	}
}

// TestGavelDraws: jobs are of one GPU or in the generator's gangs, arrive at the load that was asked for, go on after
// the window, and are the same ones for each number of jobs of one seed.
func TestGavelDraws(t *testing.T) {
	of := func(d *scenario.Document) []scenario.Job { return scenario.Freeze(d).Scenario.Jobs }
	for _, gangs := range []bool{false, true} {
		load, most := study.GavelLoad, 1
		if gangs {
			load, most = study.GavelGangLoad, 8
		}
		jobs, widest := of(load(2, 1)), 0
		for i := range jobs {
			widest = max(widest, jobs[i].GPUs)
		}
		w := load(2, 1).Scenario.Window
		last := w.From + w.Jobs - 1
		if rate := float64(last) / (jobs[last].ArrivalS / 3600); widest != most || math.Abs(rate/2-1) > 0.05 ||
			w.From != 4000 || w.Jobs != 1000 || len(jobs) < last+1000 {
			t.Errorf("gangs %v: %d jobs of up to %d GPUs, %v an hour", gangs, len(jobs), widest, rate)
		}
	}
	all := study.GavelMakespan(1)
	last := of(all[len(all)-1])
	for i, d := range all {
		jobs := of(d)
		if len(jobs) != study.GavelMakespanJobs[i] {
			t.Errorf("%d jobs, want %d", len(jobs), study.GavelMakespanJobs[i])
		}
		for k := range jobs {
			if jobs[k].Steps != last[k].Steps || jobs[k].GPUs != last[k].GPUs || jobs[k].ArrivalS != 0 {
				t.Fatalf("of %d jobs, job %d is another one", len(jobs), k)
			}
		}
	}
}

// TestGavelLanes: in a small cut of the experiment whoever knows types is faster, and only the window's jobs count;
// with few jobs total time is that of the longest for all who know them.
func TestGavelLanes(t *testing.T) {
	d := study.GavelLoad(5.6, 1)
	d.Scenario.Generator.Count, d.Scenario.Window = 400, &scenario.Window{From: 200, Jobs: 100}
	runs, means := ran(t, d), map[string]float64{}
	for i := range runs {
		sum := 0.0
		for _, j := range runs[i].Jobs[200:300] {
			sum += *j.FinishS - j.ArrivalS
		}
		if mean := runs[i].Metrics.AvgJCTS; math.Abs(mean/sum*100-1) > 1e-9 {
			t.Errorf("%s: mean %v, of the window %v", runs[i].Policy, mean, sum/100)
		}
		means[study.GavelLoadLanes()[i].Name] = sum
	}
	for name, mean := range means {
		if blind := map[string]string{"gavel-las": "gavel-las-agnostic", "gavel-ftf": "gavel-ftf blind",
			"gavel-fifo": "gavel-fifo blind"}[name]; blind != "" && mean >= means[blind] {
			t.Errorf("types are worth nothing to %s: %v", name, means)
		}
	}
	few := ran(t, study.GavelMakespan(1)[0])
	for i := range few {
		x, name := few[i].Metrics.MakespanS/few[0].Metrics.MakespanS, study.GavelMakespanLanes()[i].Name
		if few[i].Outcome != "done" || x < 0.999 || (x > 1.05) != (name == "gavel-fifo blind") {
			t.Errorf("100 jobs: %s takes %v times as long as %s", name, x, few[0].Policy)
		}
	}
}

// TestGavelCurves: the table has the points of the fact file, where it is at hand; each curve's lane is one of its
// experiment; every load that is tried has a published point, and the paper's 3.5 times is among them.
func TestGavelCurves(t *testing.T) {
	curves, at := study.GavelCurves(), map[string]*study.Curve{}
	for i := range curves {
		c := &curves[i]
		lanes := map[string][]study.Lane{"load": study.GavelLoadLanes(), "gang-load": study.GavelGangLoadLanes(),
			"makespan": study.GavelMakespanLanes()}[c.Figure]
		if c.Lane != "" && !slices.ContainsFunc(lanes, func(l study.Lane) bool { return l.Name == c.Lane }) ||
			len(lanes) == 0 || len(c.X) != len(c.Y) || len(c.X) < 7 || at[c.Figure+c.Name] != nil {
			t.Errorf("%s, %s, lane %q: %d and %d points", c.Figure, c.Name, c.Lane, len(c.X), len(c.Y))
		}
		at[c.Figure+c.Name] = c
	}
	for figure, xs := range map[string][]float64{"loadLAS": study.GavelLoads, "loadLAS blind": study.GavelLoads,
		"gang-loadLAS": study.GavelGangLoads, "gang-loadFTF blind": study.GavelGangLoads} {
		for _, x := range xs {
			if y, ok := at[figure].At(x); !ok || y < 10 || y > 105 {
				t.Errorf("%s at %v: %v, %v", figure, x, y, ok)
			}
		}
	}
	blind, _ := at["loadLAS blind"].At(5.6)
	aware, _ := at["loadLAS"].At(5.6)
	if math.Abs(blind/aware-3.5) > 0.05 {
		t.Errorf("%v times at 5.6 jobs/h", blind/aware)
	}
	const facts = "../../../shared/facts/gavel_paper_curves.json"
	data, err := os.ReadFile(facts)
	if err != nil {
		t.Skip("the rest needs " + facts)
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string][2]string{"loadLAS": {"single_gpu_las", "las_aware"},
		"loadLAS blind": {"single_gpu_las", "las_agnostic"}, "loadLAS shared": {"single_gpu_las", "las_aware_packing"},
		"loadLAS Gandiva": {"single_gpu_las", "las_agnostic_with_gandiva_packing"},
		"loadFTF":         {"single_gpu_ftf", "ftf_aware"}, "loadFTF blind": {"single_gpu_ftf", "ftf_agnostic"},
		"loadAlloX": {"single_gpu_las", "allox"}, "gang-loadLAS": {"multi_gpu_las", "las_aware"},
		"gang-loadLAS shared": {"multi_gpu_las", "las_aware_packing"}, "gang-loadFTF": {"multi_gpu_ftf", "ftf_aware"},
		"gang-loadFTF blind": {"multi_gpu_ftf", "ftf_agnostic"}, "gang-loadFIFO": {"multi_gpu_fifo", "fifo_aware"},
		"gang-loadFIFO blind": {"multi_gpu_fifo", "fifo_agnostic"},
		"makespanFIFO":        {"multi_gpu_makespan_hours_vs_jobs", "fifo"},
		"makespanGandiva":     {"multi_gpu_makespan_hours_vs_jobs", "gandiva"},
		"makespanmakespan":    {"multi_gpu_makespan_hours_vs_jobs", "makespan_aware"},
		"makespanmakespan shared": {"multi_gpu_makespan_hours_vs_jobs",
			"makespan_aware_packing"}} {
		var points map[string][][2]float64
		if err := json.Unmarshal(file[of[0]], &points); err != nil {
			t.Fatal(err)
		}
		c, want := at[name], points[of[1]]
		delete(at, name)
		if c == nil || len(want) != len(c.X) {
			t.Errorf("%s: no curve of %d points", name, len(want))
			continue
		}
		for i, p := range want {
			if c.X[i] != p[0] || c.Y[i] != p[1] {
				t.Errorf("%s: %v at %v, want %v", name, c.Y[i], c.X[i], p)
			}
		}
	}
	if len(at) > 0 {
		t.Errorf("%d curves are in no fact file", len(at))
	}
}

// TestGavelPairs: there are as many pairs as their comment has, all of kinds of jobs that have speeds, and two jobs
// that are alike do the same. Where the fact file is at hand they are those in it.
func TestGavelPairs(t *testing.T) {
	count := map[string]int{}
	at := map[string][2]float64{}
	for _, p := range study.GavelPairs() {
		for typ, v := range p.Rates {
			count[typ]++
			if p.A.Model == p.B.Model && p.A.Batch == p.B.Batch && v[0] != v[1] || v[0] <= 0 || v[1] <= 0 {
				t.Errorf("%v beside %v on %s: %v", p.A, p.B, typ, v)
			}
			at[fmt.Sprint(typ, p.A.Model, p.A.Batch, p.B.Model, p.B.Batch)] = v
		}
	}
	if count["k80"] != 306 || count["p100"] != 340 || count["v100"] != 330 {
		t.Errorf("%v pairs", count)
	}
	d := study.GavelLoad(5.6, 1)
	d.Scenario.Throughputs.Pairs = study.GavelPairs()
	if p, diags := scenario.Compile(d, lab.Defaults()); p == nil || len(p.Pairs) != 306+340+330 {
		t.Errorf("%d pairs of the scenario's jobs: %v", len(p.Pairs), diags)
	}
	const facts = "../../../shared/facts/gavel_colocated.json"
	data, err := os.ReadFile(facts)
	if err != nil {
		t.Skip("the rest needs " + facts)
	}
	var file struct {
		Pairs map[string]map[string]map[string][2]float64 `json:"pairs"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	name := func(s string) string {
		model, batch, _ := strings.Cut(s, "-b")
		return model + cmp.Or(batch, "0")
	}
	for typ, of := range file.Pairs {
		for a, others := range of {
			for b, want := range others {
				got := at[typ+name(a)+name(b)]
				if math.Abs(got[0]/want[0]-1) > 1e-3 || math.Abs(got[1]/want[1]-1) > 1e-3 {
					t.Errorf("%s beside %s on %s: %v, want %v", a, b, typ, got, want)
				}
			}
		}
	}
}
