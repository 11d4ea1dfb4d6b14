package study

import (
	"math"
	"slices"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	_ "hadarlab/core/policy/own/starlark"
	"hadarlab/core/program/templates"
)

var meanCompletion, busy = message.FindMetric("avg_jct_s"), message.FindMetric("gpu_utilization")

// rows makes tries of values by scenario and policy; NaN = refused, +Inf = unfinished.
func rows(values ...[]float64) (out [][]*Try) {
	for _, of := range values {
		var row []*Try
		for k, v := range of {
			t := &Try{Suite: "s", Policy: string(rune('a' + k)), State: Finished, Value: v, Ratio: math.NaN()}
			if math.IsNaN(v) {
				t.State = Refused
			} else if math.IsInf(v, 1) {
				t.State = Unfinished
			}
			row = append(row, t)
		}
		out = append(out, row)
	}
	return out
}

func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Abs(x-y) < 1e-12 || math.IsNaN(x) && math.IsNaN(y)
	})
}

// TestRanks: less or more is better, equal ones share a rank, unfinished ones come last, and who refuses some is
// ranked against the others, whose ranks it does not move.
func TestRanks(t *testing.T) {
	no, never := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name        string
		of          *message.Metric
		in          [][]float64
		rank, ratio [][]float64 // by scenario
	}{
		{"less is better", meanCompletion, [][]float64{{20, 10, 40}}, [][]float64{{2, 1, 3}}, [][]float64{{2, 1, 4}}},
		{"more is better", busy, [][]float64{{0.5, 0.25, 0.1}}, [][]float64{{1, 2, 3}}, [][]float64{{1, 2, 5}}},
		{"equal ones", meanCompletion, [][]float64{{10, 20, 10, 20}}, [][]float64{{1.5, 3.5, 1.5, 3.5}},
			[][]float64{{1, 2, 1, 2}}},
		{"equal but for rounding", meanCompletion, [][]float64{{10, 10.000000001, 11}}, [][]float64{{1.5, 1.5, 3}},
			[][]float64{{1, 1.0000000001, 1.1}}},
		{"unfinished", meanCompletion, [][]float64{{never, 10, never}}, [][]float64{{2.5, 1, 2.5}},
			[][]float64{{no, 1, no}}},
		{"nobody finishes", meanCompletion, [][]float64{{never, never}}, [][]float64{{1.5, 1.5}},
			[][]float64{{no, no}}},
		{"no count at best", message.FindMetric("preemptions"), [][]float64{{0, 3, 0}}, [][]float64{{1.5, 3, 1.5}},
			[][]float64{{1, no, 1}}},
		{"one refuses", meanCompletion, [][]float64{{20, 10, 5}, {10, 20, no}}, [][]float64{{2, 1, 1}, {1, 2, 0}},
			[][]float64{{2, 1, 0.5}, {1, 2, no}}},
		{"all refuse the second", meanCompletion, [][]float64{{20, 10}, {no, no}}, [][]float64{{2, 1}, {0, 0}},
			[][]float64{{2, 1}, {no, no}}},
		{"each refuses one", meanCompletion, [][]float64{{20, no}, {no, 10}}, [][]float64{{1, 0}, {0, 1}},
			[][]float64{{1, no}, {no, 1}}},
	} {
		in := rows(c.in...)
		Rank(in, c.of)
		for i, row := range in {
			var rank, ratio []float64
			for _, try := range row {
				rank, ratio = append(rank, try.Rank), append(ratio, try.Ratio)
			}
			if !same(rank, c.rank[i]) || !same(ratio, c.ratio[i]) {
				t.Errorf("%s: scenario %d has ranks %v and ratios %v, want %v and %v", c.name, i, rank, ratio,
					c.rank[i], c.ratio[i])
			}
		}
	}
}

// TestScores: worked by hand. Policy a has ranks 1, 1, 1, 2: a mean of 1.25 with a deviation of 0.5, so half an
// interval of 3.182 × 0.5 / √4; its ratios are 1, 1, 1, 2, of which the geometric mean is 2^(1/4).
func TestScores(t *testing.T) {
	no, never := math.NaN(), math.Inf(1)
	in := rows([]float64{30, 10, 20, no}, []float64{30, 10, 20, no}, []float64{30, 10, 20, 5},
		[]float64{never, 20, 10, no})
	Rank(in, meanCompletion)
	got := Scores(in)
	order := ""
	for _, s := range got {
		order += s.Policy
	}
	if order != "bcad" {
		t.Fatalf("the order is %s", order)
	}
	b, a, d := got[0], got[2], got[3]
	if b.Rank.Mean != 1.25 || *b.Rank.Low != 1 || math.Abs(*b.Rank.High-2.0456) > 1e-4 || b.Best != 3 ||
		b.Ranked != 4 || math.Abs(b.Ratio-math.Pow(2, 0.25)) > 1e-12 || b.RatioLow != 1 || b.Refused+b.Unfinished != 0 {
		t.Errorf("%+v, %v to %v", b, *b.Rank.Low, *b.Rank.High)
	}
	if a.Rank.Mean != 3 || *a.Rank.Low != 3 || *a.Rank.High != 3 || a.Unfinished != 1 || a.Ranked != 4 || a.Apart {
		t.Errorf("%+v", a)
	}
	if !d.Apart || d.Refused != 3 || d.Ranked != 1 || d.Rank.Mean != 1 || d.Rank.Low != nil || d.Ratio != 0.5 ||
		!math.IsNaN(d.RatioLow) || d.Best != 1 {
		t.Errorf("%+v", d)
	}
}

// TestSuites: all presets, and each load of Gavel's mix from as many seeds, no two alike.
func TestSuites(t *testing.T) {
	if got, want := len(Suite("presets", 0, 0)), len(lab.Presets()); got != want || want < 20 {
		t.Errorf("%d presets of %d", got, want)
	}
	if got := Suite("pollux", 0, 0); len(got) != 1 || got[0].Doc == nil {
		t.Errorf("%v", got)
	}
	if got := Suite("none", 5, 10); got != nil {
		t.Errorf("%v", got)
	}
	seen := map[string]bool{}
	for _, m := range Suite("gavel", 5, 10) {
		text := string(m.Doc.Marshal(false))
		if g := m.Doc.Scenario.Generator; g.Count != 10 || !slices.Contains(Loads, g.Arrivals.RatePerH) || seen[text] {
			t.Errorf("%s: %d jobs, %v an hour", m.Name, g.Count, g.Arrivals.RatePerH)
		}
		seen[text] = true
	}
	if len(seen) != 15 || len(Loads) != 3 {
		t.Errorf("%d scenarios of %d loads", len(seen), len(Loads))
	}
}

// TestTries: a try has the metric of the run, and says of one that did not end why. The template of SRTF shares every
// rank with SRTF itself.
func TestTries(t *testing.T) {
	own := func(src string) Lane { return NewLane("own", "program", src) }
	template := templates.All[slices.IndexFunc(templates.All, func(t templates.Template) bool {
		return t.ID == "srtf"
	})]
	lanes := []Lane{NewLane("srtf"), {Name: "own", PolicyRef: message.PolicyRef{ID: "own", Params: template.Values()}},
		NewLane("fifo"), NewLane("pollux"), own("def key(job, cluster):\n    return 1 / (1 - cluster.waiting)\n")}
	on := func() bool { return false }
	var all [][]*Try
	states := map[State]int{}
	for _, m := range Suite("presets", 0, 0) {
		var row []*Try
		for _, l := range lanes {
			try, diags := m.Try(l, meanCompletion, on)
			if try == nil {
				t.Fatal(m.Name, diags)
			}
			states[try.State]++
			if (try.Says != "") != (try.State == Failed || try.State == Refused) {
				t.Errorf("%s, %s: %s says %q", m.Name, l.Name, try.State, try.Says)
			}
			row = append(row, try)
		}
		res, _, _ := lab.Run(&message.RunRequest{Scenario: m.Doc.Marshal(false),
			Policies: []message.PolicyRef{{ID: "srtf"}}})
		if row[0].Value != res.Runs[0].Metrics.AvgJCTS {
			t.Errorf("%s: %v", m.Name, row[0].Value)
		}
		all = append(all, row)
	}
	Rank(all, meanCompletion)
	for _, row := range all {
		if row[0].Rank != row[1].Rank || row[0].Ratio != row[1].Ratio || row[0].Rank == math.Trunc(row[0].Rank) &&
			row[2].Rank != row[0].Rank { // three that are equal have a whole one
			t.Errorf("%s: SRTF has rank %v, its template %v", row[0].Scenario, row[0].Rank, row[1].Rank)
		}
	}
	if states[Finished] < 60 || states[Refused] < 15 || states[Failed] < 10 {
		t.Errorf("%v", states)
	}
	short := Suite("pollux", 0, 0)[0]
	short.Doc.Scenario.HorizonS = 3600
	if try, _ := short.Try(lanes[0], meanCompletion, on); try.State != Unfinished || !(try.Value > 0) {
		t.Errorf("within an hour: %+v", try)
	}
	m := Suite("pollux", 0, 0)[0]
	if try, diags := m.Try(lanes[0], meanCompletion, func() bool { return true }); try != nil || diags != nil {
		t.Errorf("a try that is not wanted: %v, %v", try, diags)
	}
}
