package chart

import (
	"os"
	"strings"
	"testing"
)

// The golden is the picture of worked example 6.5, one element a line.
func TestGoldenLane(t *testing.T) {
	a, b := taskLevel(), jobLevel()
	la, lb := NewLane(a), NewLane(b)
	axis := NewAxis(max(a.End, b.End), a.Round)
	d := Compare(a, b, la, lb)
	var out []string
	for _, p := range []*Picture{{Lane: la, Trace: a, Axis: &axis, Frame: NewFrame(la, 500), Policy: "hadar", Title: "Task level"},
		{Lane: lb, Trace: b, Axis: &axis, Frame: NewFrame(lb, 500), Policy: "homogeneous", Title: "Job level"}} {
		out = append(out, p.SVG(), p.Lane.GutterSVG(p.Trace, p.Frame, 92))
	}
	out = append(out, AxisSVG(&axis, d, 500), StripSVG(&axis, d, 500))
	got := strings.ReplaceAll(strings.Join(out, "\n"), "><", ">\n<") + "\n"
	golden(t, "lanes.svg.txt", got)
}

// golden holds got to a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = "testdata/" + name
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: the picture has changed; look at it, then UPDATE_GOLDEN=1", name)
	}
}

func TestFinding(t *testing.T) {
	a, b := taskLevel(), jobLevel()
	la, lb := NewLane(a), NewLane(b)
	d := Compare(a, b, la, lb)
	ma, mb := metrics(1800, 1464), metrics(2448, 1680)
	got := Find(Side{"Hadar", a, la, &ma}, Side{"Gavel", b, lb, &mb}, d)
	if want := "Hadar ends 10.8 minutes sooner."; got.Claim != want {
		t.Errorf("claim %q, want %q", got.Claim, want)
	}
	if want := "They first differ in round 1: Hadar runs j3 on a P100 plus a V100 that Gavel leaves idle."; got.Because != want {
		t.Errorf("because %q, want %q", got.Because, want)
	}
	got = Find(Side{"Gavel", b, lb, &mb}, Side{"Hadar", a, la, &ma}, Compare(b, a, lb, la))
	if !strings.HasPrefix(got.Claim, "Hadar ends") || !strings.Contains(got.Because, "Gavel leaves idle") || got.Side != 1 {
		t.Errorf("seen from the other side: %q %q, side %d", got.Claim, got.Because, got.Side)
	}
	// The last finish and the mean completion disagree: the claim says both.
	long := metrics(1800, 2100)
	got = Find(Side{"Hadar", a, la, &long}, Side{"Gavel", b, lb, &mb}, d)
	if want := "Hadar ends 10.8 minutes sooner, but its mean completion is 25 % longer."; got.Claim != want {
		t.Errorf("claim %q, want %q", got.Claim, want)
	}
	same := Compare(a, a, la, la)
	if got := Find(Side{"A", a, la, &ma}, Side{"B", a, la, &ma}, same); got.Claim != "Both policies decide alike in all 5 rounds." {
		t.Errorf("no difference: %q", got.Claim)
	}
}
