package insights

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"

	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TestCDFSentence: the half of the jobs, and those that never end.
func TestCDFSentence(t *testing.T) {
	tr := simtest.TwoNodes().Job("late", 600, 1200).Job("long", 0, 1000).Job("open", 0, -1).
		Span(1, trace.Run, 0, 1000, 0, 1).Rounds(0)
	c := []chart.CDF{chart.NewCDF(tr, "P", "a")}
	a := chart.CDFAxis(c)
	if f := CDF(nil, c, a.Unit); !strings.Contains(f.Because, "1 job is not complete when P’s run ends") ||
		!strings.Contains(f.Claim, "16.7 minutes") {
		t.Errorf("%+v", f)
	}
}

func TestGainsSentenceNamesWinnersAndLosers(t *testing.T) {
	a := simtest.TwoNodes().Job("w", 0, 100).Job("l", 100, 400).Job("only", 0, 50).Job("same", 0, 10).Rounds(0)
	b := simtest.TwoNodes().Job("w", 0, 300).Job("l", 100, 350).Job("only", 0, -1).Job("same", 0, 10).Rounds(0)
	f := Gains(nil, chart.Gains(a, b), a, [2]string{"A", "B"}, figure.UnitFor(400*unit.Second))
	if !strings.Contains(f.Claim, "2 jobs are faster and 1 slower") || !strings.Contains(f.Because,
		"only is complete under A only") ||
		!strings.Contains(f.Because, "slower under A") {
		t.Errorf("%+v", f)
	}
}

func TestRatiosSentenceCountsThoseWorseThanFair(t *testing.T) {
	r := chart.NewRatios([]float64{1.5, 0, 0.5, 1}, "A", "a")
	job := func(j int32) string { return "j" + figure.Int(j) }
	f := Ratios(nil, []chart.Ratios{r}, job)
	if !strings.Contains(f.Claim, "1 of the 3 jobs that are complete under A") ||
		!strings.Contains(f.Because, "worst is j0, 1.50 times") {
		t.Errorf("%+v", f)
	}
}

// TestWhoTiesIsNotTheWorst: where several jobs have the figure that is told as the largest or the worst, none is named
// as if it were alone.
func TestWhoTiesIsNotTheWorst(t *testing.T) {
	job := func(j int32) string { return "j" + figure.Int(j) }
	for want, v := range map[string][]float64{
		"A’s worst is j1, 2.00 times":               {1, 2},
		"A’s worst are j2 and 1 more, 2.00 times":   {1, 1.9999, 2},
		"A’s worst are j2 and 2 others, 1.00 times": {1, 1, 1},
	} {
		r := chart.NewRatios(v, "A", "a")
		if f := Ratios(nil, []chart.Ratios{r}, job); !strings.Contains(f.Because, want) {
			t.Errorf("%v: %q, want %q", v, f.Because, want)
		}
	}
	none := []chart.Ratios{chart.NewRatios([]float64{0, 0}, "A", "a"), chart.NewRatios([]float64{0, 0}, "B", "b")}
	if f := Ratios(nil, none, job); f.Claim != "No run completes a job." || f.Because != "" {
		t.Errorf("of no jobs it says %+v", f)
	}
	for n, want := range map[int]string{1: "under P, j0 has 100 % of the progress,",
		2: "under P, j0 has 50 % of the progress, and the next as much,",
		4: "under P, j0 has 25 % of the progress, and the next as much,"} {
		b := simtest.TwoNodes()
		for j := range n {
			b.Job(job(int32(j)), 0, 1000)
		}
		for j := range n {
			b.Span(j, trace.Run, 1000*j/n, 1000*(j+1)/n, 0, 1)
		}
		runs := []*trace.Trace{b.Rounds(0)}
		axis := chart.NewAxis(1000*unit.Second, 0)
		all := []chart.Shares{chart.NewShares(runs[0], &axis, chart.BestRates(runs), chart.ShareColumns)}
		if f := Shares(nil, all, runs, []string{"P"}); !strings.Contains(f.Claim, want) {
			t.Errorf("%d jobs: %q, want %q", n, f.Claim, want)
		}
	}
}

func TestSpendingSentenceNamesTheDearestCause(t *testing.T) {
	s := chart.Spending(&message.Metrics{BusyGPUS: 60, StallRestartGPUS: 10, IdleFitsGPUS: 30})
	if f := Spending(nil, []string{"A"}, [][]float64{s}); !strings.Contains(f.Claim, "40.0 %") ||
		!strings.Contains(f.Claim, "would fit” (30.0 %)") {
		t.Errorf("%+v", f)
	}
}

// TestPricesSentence: GPUs that cost nothing are neither the cheapest nor left out unsaid.
func TestPricesSentence(t *testing.T) {
	tr := simtest.TwoNodes().Job("a", 0, 100).Rounds(0)
	for _, c := range []struct {
		prices []trace.Point
		want   string
	}{
		{nil, "P sets no prices."},
		{[]trace.Point{{Of: 0}}, "All prices that P sets are 0."},
		{[]trace.Point{{Of: 0, Value: 2}, {Of: 1, Value: 1}}, "and the cheapest costs 1. The"},
		{[]trace.Point{{Of: 0, Value: 2}, {Of: 1, Value: 1e-7}},
			"and the cheapest costs less than 0.0001. The"},
		{[]trace.Point{{Of: 0, Value: 2}, {Of: 0, Value: 1}}, "The dearest GPU is a V100 on n1 at 2,"},
		{[]trace.Point{{Of: 0, Value: 2}, {Of: 1, Value: 1}, {Of: 1, Value: 2}},
			"The dearest GPUs, a V100 on n1 among them, cost 2, and the cheapest costs 1."},
		{[]trace.Point{{Of: 0, Value: 2}, {Of: 1}, {Of: 1, Value: 1}},
			"and the cheapest that is not free costs 1. The"},
		{[]trace.Point{{Of: 0, Value: 2}, {Of: 1, Value: 2}}, "All GPUs cost the same all the while: 2. The"},
		{[]trace.Point{{Of: 0, Value: 2}, {Of: 1, Value: 2.0001}},
			"All GPUs cost nearly the same all the while: 2. The"},
		{[]trace.Point{{Of: 0, Value: 2}, {Of: 1}},
			"All GPUs that are not free cost the same all the while: 2. The"},
	} {
		tr.Series = []trace.Series{{Quantity: trace.Price, Points: c.prices}}
		if f := Prices(nil, tr, "P", ""); !strings.Contains(f.Claim+" "+f.Because, c.want) {
			t.Errorf("%v: %q %q", c.prices, f.Claim, f.Because)
		}
	}
}

// TestSizesOfEachRun: the job that one run resizes is told, though eight others change more in the other run.
func TestSizesOfEachRun(t *testing.T) {
	a, b := simtest.NewTrace([3]any{"n1", "v100", 40}), simtest.NewTrace([3]any{"n1", "v100", 40})
	for j := range 10 {
		a.Job("j"+figure.Int(j), 0, 400)
		b.Job("j"+figure.Int(j), 0, 400)
		for k := range 4 {
			n, m := int32(1), int32(1)
			if j > 0 && k%2 == 1 {
				n = 2
			}
			if j == 0 && k > 1 {
				m = 2
			}
			a.Span(j, trace.Run, 100*k, 100*k+100, 0, n)
			b.Span(j, trace.Run, 100*k, 100*k+100, 0, m)
		}
	}
	x, y := a.Rounds(0), b.Rounds(0)
	f := Sizes(nil, []Side{{Title: "A", Trace: x}, {Title: "B", Trace: y}}, chart.Sizes([]*trace.Trace{x, y}, -1))
	if want := "Under A, j1 changes its size 3 times, none more often. Under B, j0 changes its size once, none more often."; f.Claim != want {
		t.Errorf("%q, want %q", f.Claim, want)
	}
}

// TestWhoWaitsIsToldForWhat: what a waiting job lacks, that it is a gap between two decisions, or that the policy let
// it wait; never only since when.
func TestWhoWaitsIsToldForWhat(t *testing.T) {
	tr := simtest.TwoNodes().Job("a", 0, 900).Job("b", 0, 900).Job("waits", 0, 1800).Job("late", 150, 1800).
		Span(0, trace.Run, 0, 900, 0, 3).Span(1, trace.Run, 0, 100, 1, 2).Span(1, trace.Run, 100, 900, 1, 1).
		Span(2, trace.Run, 1200, 1800, 0, 2).Span(3, trace.Run, 1200, 1800, 1, 2).Rounds(0, 600, 1200)
	for j, gpus := range []int32{3, 2, 2, 2} {
		tr.Jobs[j].GPUs = gpus
	}
	l := chart.NewLane(tr)
	for _, c := range []struct {
		job  int32
		at   int
		says string
	}{{2, 50, "waits has been waiting since second 0: it asks for 2 GPUs, and all that is free is 1 P100."},
		{2, 300, "it asks for 2 GPUs; free is 2 P100, not all of it at the last decision, and the next is at second 600."},
		{3, 300, "it asks for 2 GPUs and came between two decisions; free until the next, at second 600, is 2 P100."},
		{3, 700, "it asks for 2 GPUs; at second 600 its policy decided that it gets none of what is free, 2 P100."}} {
		got := Standing(nil, tr, l, c.job, unit.Tick(c.at)*unit.Second, figure.UnitFor(100*unit.Second))
		if !strings.HasSuffix(got, c.says) {
			t.Errorf("job %d at %d s: %q, not %q", c.job, c.at, got, c.says)
		}
	}
	for code, says := range map[trace.Code]string{
		trace.WaitRate:   "it asks for 2 GPUs and has no speed on what is free, 2 P100.",
		trace.WaitShape:  "it asks for 2 GPUs; at second 600 its policy found no place for it in what is free, 2 P100.",
		trace.WaitChoice: "it asks for 2 GPUs; at second 600 its policy decided that it gets none of what is free, 2 P100."} {
		tr.Reasons = []trace.Reason{{Job: 3, Code: code}, {Job: 2, Code: trace.WaitOrder}}
		tr.Rounds[2].Reason = 2
		got := Standing(nil, tr, l, 3, 700*unit.Second, figure.UnitFor(100*unit.Second))
		if !strings.HasSuffix(got, says) {
			t.Errorf("%v: %q, not %q", code, got, says)
		}
	}
}

// TestWhoCameBetweenDecisionsIsToldSo: an elastic job may run on fewer GPUs than it asks for, and waits for the next
// decision.
func TestWhoCameBetweenDecisionsIsToldSo(t *testing.T) {
	tr := simtest.TwoNodes().Job("a", 0, 900).Job("late", 150, 1800).Span(0, trace.Run, 0, 900, 0, 3).
		Span(0, trace.Run, 0, 900, 1, 2).Span(1, trace.Run, 600, 900, 1, 1).Rounds(0, 600)
	tr.Jobs[0].GPUs, tr.Jobs[1].GPUs = 5, 2
	got := Standing(nil, tr, chart.NewLane(tr), 1, 300*unit.Second, figure.UnitFor(100*unit.Second))
	if want := "it asks for 2 GPUs and came between two decisions; free until the next, at second 600, is 1 P100."; !strings.HasSuffix(
		got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSharesAreOfTheTime: a job that runs alone for half of the time and does a quarter of the progress has half of it
// on average over the time, and that is how it is said.
func TestSharesAreOfTheTime(t *testing.T) {
	tr := simtest.TwoNodes().Job("x", 0, 1000).Job("a", 1000, 2000).Job("b", 1000, 2000).Job("c", 1000, 2000).
		Span(0, trace.Run, 0, 1000, 0, 1).Span(1, trace.Run, 1000, 2000, 0, 1).Span(2, trace.Run, 1000, 2000, 0, 1).
		Span(3, trace.Run, 1000, 2000, 0, 1).Rounds(0)
	runs := []*trace.Trace{tr}
	axis := chart.NewAxis(2000*unit.Second, 0)
	all := []chart.Shares{chart.NewShares(tr, &axis, chart.BestRates(runs), chart.ShareColumns)}
	const want = "The largest part: under P, x has 50 % of the progress, averaged over the time that is shown."
	if f := Shares(nil, all, runs, []string{"P"}); f.Claim != want {
		t.Errorf("it says %q", f.Claim)
	}
}

// TestUsageIsOfTheGPUsTime: where one GPU of three stands idle beside a waiting job all the while, that is a third of
// their time, and not of the time.
func TestUsageIsOfTheGPUsTime(t *testing.T) {
	tr := simtest.NewTrace([3]any{"n1", "v100", 3}).Job("a", 0, 900).Job("waits", 0, -1).
		Span(0, trace.Run, 0, 900, 0, 2).Rounds(0)
	tr.Outcome = trace.Starved
	l := chart.NewLane(tr)
	f := Usage(nil, []Side{{Title: "P", Trace: tr, Lane: l}}, [][]chart.Usage{l.UsageByType(tr)})
	if want := "Under P, V100 GPUs stand idle for 33 % of their GPU time while a job waits."; f.Claim != want {
		t.Errorf("it says %q", f.Claim)
	}
}
