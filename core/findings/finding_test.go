package findings

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/message"
	"hadarlab/core/simtest"
)

func TestFinding(t *testing.T) {
	a, b := simtest.TaskLevel(), simtest.JobLevel()
	la, lb := chart.NewLane(a), chart.NewLane(b)
	d := chart.Compare(a, b, la, lb)
	ma, mb := metrics(1800, 1464), metrics(2448, 1680)
	got := Find(nil, Side{"Hadar", a, la, &ma}, Side{"Gavel", b, lb, &mb}, d)
	if want := "Hadar ends 10.8 minutes sooner."; got.Claim != want {
		t.Errorf("claim %q, want %q", got.Claim, want)
	}
	if want := "They first differ in round 1: Hadar runs j3 on a P100 plus a V100 that Gavel leaves idle."; got.Because != want {
		t.Errorf("because %q, want %q", got.Because, want)
	}
	got = Find(nil, Side{"Gavel", b, lb, &mb}, Side{"Hadar", a, la, &ma}, chart.Compare(b, a, lb, la))
	if !strings.HasPrefix(got.Claim, "Hadar ends") || !strings.Contains(got.Because, "Gavel leaves idle") ||
		got.Side != 1 {
		t.Errorf("seen from the other side: %q %q, side %d", got.Claim, got.Because, got.Side)
	}
	// The last finish and the mean completion disagree: the claim says both.
	long := metrics(1800, 2100)
	got = Find(nil, Side{"Hadar", a, la, &long}, Side{"Gavel", b, lb, &mb}, d)
	if want := "Hadar ends 10.8 minutes sooner, but its mean completion is 25 % longer."; got.Claim != want {
		t.Errorf("claim %q, want %q", got.Claim, want)
	}
	same := chart.Compare(a, a, la, la)
	if got := Find(nil, Side{"A", a, la, &ma}, Side{"B", a, la, &ma},
		same); got.Claim != "Both policies decide alike in all 5 rounds." {
		t.Errorf("no difference: %q", got.Claim)
	}
}

func metrics(makespan, jct float64) message.Metrics {
	return message.Metrics{MakespanS: makespan, AvgJCTS: jct}
}
