package findings

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
	if f := CDF(nil, c, a.Unit); !strings.Contains(f.Because, "1 job never ends") ||
		!strings.Contains(f.Claim, "16.7 minutes") {
		t.Errorf("%+v", f)
	}
}

func TestGainsSentenceNamesWinnersAndLosers(t *testing.T) {
	a := simtest.TwoNodes().Job("w", 0, 100).Job("l", 100, 400).Job("only", 0, 50).Job("same", 0, 10).Rounds(0)
	b := simtest.TwoNodes().Job("w", 0, 300).Job("l", 100, 350).Job("only", 0, -1).Job("same", 0, 10).Rounds(0)
	f := Gains(nil, chart.Gains(a, b), a, [2]string{"A", "B"}, figure.UnitFor(400*unit.Second))
	if !strings.Contains(f.Claim, "2 jobs are faster and 1 slower") || !strings.Contains(f.Because,
		"only ends under A only") ||
		!strings.Contains(f.Because, "slower under A") {
		t.Errorf("%+v", f)
	}
}

func TestRatiosSentenceCountsThoseWorseThanFair(t *testing.T) {
	r := chart.NewRatios([]float64{1.5, 0, 0.5, 1}, "A", "a")
	job := func(j int32) string { return "j" + figure.Int(j) }
	if f := Ratios(nil, []chart.Ratios{r}, job); !strings.Contains(f.Claim, "1 of 3 jobs under A") ||
		!strings.Contains(f.Because, "worst is j0, 1.50 times") {
		t.Errorf("%+v", f)
	}
}

func TestSpendingSentenceNamesTheDearestCause(t *testing.T) {
	s := chart.Spending(&message.Metrics{BusyGPUS: 60, StallRestartGPUS: 10, IdleFitsGPUS: 30})
	if f := Spending(nil, []string{"A"}, [][]float64{s}); !strings.Contains(f.Claim, "40.0 %") ||
		!strings.Contains(f.Claim, "would fit” (30.0 %)") {
		t.Errorf("%+v", f)
	}
}
