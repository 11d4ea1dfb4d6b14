package insights

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/message"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
)

func TestFinding(t *testing.T) {
	a, b := simtest.TaskLevel(), simtest.JobLevel()
	la, lb := chart.NewLane(a), chart.NewLane(b)
	d := chart.Compare(a, b, la, lb)
	ma, mb := metrics(1800, 1464), metrics(2448, 1680)
	got := Find(nil, Side{"Hadar", a, la, &ma}, Side{"Gavel", b, lb, &mb}, d, 2)
	if want := "Hadar’s mean completion is 13 % below Gavel’s."; got.Claim != want {
		t.Errorf("claim %q, want %q", got.Claim, want)
	}
	if want := "They first differ in round 1: Hadar runs j3 on a P100 plus a V100 that Gavel leaves idle."; got.Because != want {
		t.Errorf("because %q, want %q", got.Because, want)
	}
	got = Find(nil, Side{"Gavel", b, lb, &mb}, Side{"Hadar", a, la, &ma}, chart.Compare(b, a, lb, la), 2)
	if got.Claim != "Gavel’s mean completion is 15 % above Hadar’s." || !strings.Contains(got.Because, "Gavel leaves idle") ||
		got.Side != 1 {
		t.Errorf("seen from the other side: %q %q, side %d", got.Claim, got.Because, got.Side)
	}
	// The last finish and the mean completion disagree: the claim says both.
	long := metrics(1800, 2100)
	got = Find(nil, Side{"Hadar", a, la, &long}, Side{"Gavel", b, lb, &mb}, d, 2)
	if want := "Hadar’s mean completion is 25 % above Gavel’s. Hadar’s last finish is 26 % below Gavel’s."; got.Claim != want {
		t.Errorf("claim %q, want %q", got.Claim, want)
	}
	near := metrics(2448, 1700)
	got = Find(nil, Side{"Hadar", a, la, &near}, Side{"Gavel", b, lb, &mb}, d, 2)
	if want := "Hadar and Gavel tie: Hadar’s mean completion is 1 % above Gavel’s, and up to 2 % is a tie."; got.Claim != want {
		t.Errorf("claim %q, want %q", got.Claim, want)
	}
	got = Find(nil, Side{"Hadar", a, la, &ma}, Side{"Gavel", b, lb, &mb}, d, 3)
	if want := "Hadar has the best mean completion of 3, 13 % below the next, Gavel."; got.Claim != want {
		t.Errorf("claim %q, want %q", got.Claim, want)
	}
	more := ma
	more.BusyGPUS, more.StalledGPUS, more.GPUOverS = 70, 30, 25
	got = Find(nil, Side{"Hadar", a, la, &ma}, Side{"HadarE", b, lb, &more}, d, 2)
	if want := " Under HadarE jobs hold more GPUs than they asked for: 25 % of their GPU time."; !strings.HasSuffix(
		got.Because, want) {
		t.Errorf("because %q, want %q", got.Because, want)
	}
	same := chart.Compare(a, a, la, la)
	if got := Find(nil, Side{"A", a, la, &ma}, Side{"B", a, la, &ma},
		same, 2); got.Claim != "A and B give every job the same GPUs in all 5 rounds." {
		t.Errorf("no difference: %q", got.Claim)
	}
	if got := Find(nil, Side{"A", a, la, &ma}, Side{"B", a, la, &ma}, same, 4); got.Claim !=
		"A and B give every job the same GPUs in all 5 rounds. Of 4 lanes none has a better mean completion." {
		t.Errorf("no difference of the best two: %q", got.Claim)
	}
	// The same GPUs in every round are not the same result: a merge may be charged.
	got = Find(nil, Side{"HadarE", a, la, &mb}, Side{"Hadar", a, la, &ma}, same, 2)
	if want := "In all 5 rounds both give every job the same GPUs."; got.Claim != "HadarE’s mean completion is 15 % above Hadar’s." ||
		got.Because != want || got.Side != 1 {
		t.Errorf("the same GPUs: %+v", got)
	}
	// Where no job is complete there is no mean.
	x := simtest.TwoNodes().Job("a", 0, -1).Span(0, trace.Run, 0, 100, 0, 1).Rounds(0)
	y := simtest.TwoNodes().Job("a", 0, -1).Span(0, trace.Run, 0, 100, 1, 1).Rounds(0)
	lx, ly, none := chart.NewLane(x), chart.NewLane(y), metrics(0, 0)
	got = Find(nil, Side{"Hadar", x, lx, &none}, Side{"Gavel", y, ly, &none}, chart.Compare(x, y, lx, ly), 2)
	if want := "No job is complete under Hadar or Gavel when the runs end."; got.Claim != want {
		t.Errorf("claim %q, want %q", got.Claim, want)
	}
}

func metrics(makespan, jct float64) message.Metrics {
	return message.Metrics{MakespanS: makespan, AvgJCTS: jct}
}
