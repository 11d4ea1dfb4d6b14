package elastic_test

import (
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"hadarlab/core/figure"
	"hadarlab/core/imports"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// polluxDocument is a workload of Pollux's as the importer reads it; the test is skipped where the trace is absent.
func polluxDocument(t *testing.T, workload string) *model.Problem {
	const trace = "../../../../shared/traces/pollux_workloads_all8.csv"
	file, err := os.Open(trace)
	if err != nil {
		t.Skip("needs " + trace)
	}
	defer file.Close()
	d, _, found := imports.Read(file, "pollux-csv", imports.Options{Workload: workload})
	if d == nil {
		t.Fatal(found)
	}
	p, found := scenario.Compile(d, nil)
	if p == nil {
		t.Fatal(found)
	}
	return p
}

// TestPolluxBaselines: the artifact's Tiresias, Optimus and Pollux bring the 160 jobs of each workload to these mean
// completion times, in s, in the same profile world; and a job's starts and moves are the changes of its GPUs.
func TestPolluxBaselines(t *testing.T) {
	offs := map[string][]float64{}
	for _, c := range []struct {
		workload string
		policy   string
		want     float64
		within   float64
	}{{"6", "tiresias", 3494, 0.02}, {"6", "optimus", 5317, 0.04}, {"1", "tiresias", 2488, 0.02},
		{"1", "optimus", 4114, 0.04}, {"3", "tiresias", 3440, 0.02}, {"3", "optimus", 3751, 0.04},
		{"6", "pollux", 2261, 0.04}} {
		params := map[string]any{"every_s": 60.0, "threshold": 0.0}
		switch c.policy {
		case "pollux":
			params = nil
		case "tiresias":
			params = map[string]any{"every_s": 60.0, "limit_gpu_s": 57600.0, "place": "most-free", "order": "entry",
				"migrate": false}
		}
		tr := simtest.Run(t, polluxDocument(t, c.workload), c.policy, params)
		mean, restarts := 0.0, 0.0
		changes := simtest.Changes(tr)
		for i := range tr.Jobs {
			j := &tr.Jobs[i]
			if j.Starts+j.Moved != changes[i] {
				t.Errorf("workload %s, %s: job %s starts %d times and moves %d times, its GPUs change %d times",
					c.workload,
					c.policy, j.Name, j.Starts, j.Moved, changes[i])
			}
			if j.Finish < 0 {
				t.Fatalf("job %s does not finish", j.Name)
			}
			mean += (j.Finish - j.Arrive).Seconds() / float64(len(tr.Jobs))
			restarts += float64(j.Starts-1+j.Moved) / float64(len(tr.Jobs))
		}
		t.Logf("workload %s, %s: %.0f s, %+.1f %%, %.2f restarts a job", c.workload, c.policy, mean,
			100*(mean/c.want-1), restarts)
		offs[c.policy] = append(offs[c.policy], mean/c.want-1)
		if c.policy == "pollux" {
			simtest.Result(t, "pollux-mean", figure.Fixed(nil, mean, 0)+" s")
			simtest.Result(t, "pollux-restarts", figure.Fixed(nil, restarts, 2))
		}
		if math.Abs(mean/c.want-1) > c.within {
			t.Errorf("workload %s, %s: %.0f s, the reference's %.0f s", c.workload, c.policy, mean, c.want)
		}
	}
	for id, off := range offs {
		simtest.Result(t, id+"-profiles", simtest.Span(off, 1))
	}
}

// TestPolluxAgainstPublishedRuns compares the mean completion times of the eight workloads, in s, with the published
// runs of the artifact, which replay measured tables where the jobs here follow the model that Pollux fits.
func TestPolluxAgainstPublishedRuns(t *testing.T) {
	var off []float64
	for i, published := range []float64{2089, 3323, 2189, 2721, 2674, 2446, 3616, 2952} {
		mean, _ := polluxMean(t, polluxWorkload(t, strconv.Itoa(i+1), false, sixteenT4), "pollux", nil)
		off = append(off, mean/published-1)
		t.Logf("workload %d: %.0f s, published %.0f s, %+.1f %%", i+1, mean, published, 100*off[i])
	}
	if slices.Min(off) < -0.1 || slices.Max(off) > 0 {
		t.Errorf("off by %v, not 0 to a tenth faster", off)
	}
	simtest.Result(t, "pollux-published", simtest.Span(off, 1))
}

// twoSizes are two jobs of 1 to 4 GPUs, on each of which they do a step a second, on one node of four.
func twoSizes(short, long float64, restart unit.Tick) *model.Problem {
	rates := map[string]float64{"a": 1}
	p := simtest.Build(60, []simtest.Node{{"a": 4}}, []simtest.Job{{GPUs: 1, Steps: short, Rates: rates},
		{GPUs: 1, Steps: long, Rates: rates}}, model.Costs{Load: restart})
	for i := range p.Jobs {
		p.Jobs[i].Shape = model.Shape{Size: 1, Min: 1, Max: 4, Step: 1, Gangs: 1}
	}
	return p
}

// TestOptimusGivesToTheLargestGain: of 100 and 400 s, the second GPU would save the short job 50 s, and the second and
// third the long one 200 and 67 s.
func TestOptimusGivesToTheLargestGain(t *testing.T) {
	of, _ := sizes(simtest.Run(t, twoSizes(100, 400, 0), "optimus", nil))
	if of[0][0] != 1 || of[1][0] != 3 {
		t.Errorf("the short job has %d GPUs, the long one %d; want 1 and 3", of[0][0], of[1][0])
	}
}

// TestOptimusThreshold: when the short job is done, a fourth GPU would save the long one 850 s, less than two restarts.
func TestOptimusThreshold(t *testing.T) {
	for threshold, want := range map[float64]int32{0: 4, 2: 3} {
		of, _ := sizes(simtest.Run(t, twoSizes(300, 12000, unit.Seconds(1000)), "optimus",
			map[string]any{"threshold": threshold, "every_s": 1400.0}))
		if got := of[1][len(of[1])-1]; got != want {
			t.Errorf("threshold %v: the long job ends on %d GPUs, want %d", threshold, got, want)
		}
	}
}
