package findings

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

func TestWorthSentence(t *testing.T) {
	run := simtest.TwoNodes().Job("a", 0, 100).Job("b", 0, 100).Rounds(0)
	all := []chart.Worth{
		{Jobs: []chart.Amount{{Read: 200, Worth: 150}, {}}, Sum: chart.Amount{Read: 200, Worth: 150}},
		{Jobs: []chart.Amount{{Read: 150, Worth: 150}, {}}, Sum: chart.Amount{Read: 150, Worth: 150}}}
	sides := []Side{{Title: "P", Trace: run}, {Title: "Q", Trace: run}}
	f := Worth(nil, sides, all, 0)
	if f.Claim != "Under P, 25.0 % of the examples bring nothing. Under Q every example counts in full." ||
		!strings.HasSuffix(f.Because, "Of a it is 25.0 % under P. Of a every one counts under Q.") {
		t.Errorf("%+v", f)
	}
	if f := Worth(nil, sides, all, 1); strings.Contains(f.Because, "Of b") {
		t.Errorf("of a job that has no examples it says %q", f.Because)
	}
}

func TestTimersSentence(t *testing.T) {
	series := func(v ...float64) chart.Series {
		s := chart.Series{V: v}
		for i := range v {
			s.T = append(s.T, unit.Tick(i)*unit.Second)
		}
		return s
	}
	all := []chart.Timer{
		{GPUs: 2, Runs: []chart.Series{series(3600), series(3600), series(0), {}}, Turns: make([]int, 4),
			Endless: []bool{false, false, true, false}},
		{GPUs: 4, Tier: 1, Runs: []chart.Series{series(7200, 5400), series(7200), series(0), {}},
			Turns: []int{1, 0, 0, 0}, Endless: []bool{false, false, true, false}}}
	sides := []Side{{Title: "P"}, {Title: "Q"}, {Title: "R"}, {Title: "S"}}
	const want = "Under P the timer “4 GPUs, then for a rack” goes from 2 hours to 1.5 hours. " +
		"Under Q no timer changes; “2 GPUs, for a node” is 1 hour. " +
		"Under R jobs wait for closer GPUs without end. Under S no job asks for several GPUs."
	if f := Timers(nil, sides, all, figure.UnitFor(8*3600*unit.Second)); f.Claim != want {
		t.Errorf("it says %q", f.Claim)
	}
}
