package draw

import (
	"os"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"
)

// The golden is the picture of worked example 6.5, one element a line.
func TestGoldenLane(t *testing.T) {
	a, b := simtest.TaskLevel(), simtest.JobLevel()
	la, lb := chart.NewLane(a), chart.NewLane(b)
	axis := chart.NewAxis(max(a.End, b.End), a.Round)
	d := chart.Compare(a, b, la, lb)
	var out []string
	for _, p := range []*Picture{{Lane: la, Trace: a, Axis: &axis, Frame: chart.NewFrame(la, 500), Policy: "hadar",
		Title: "Task level", Diff: d},
		{Lane: lb, Trace: b, Axis: &axis, Frame: chart.NewFrame(lb, 500), Policy: "homogeneous", Title: "Job level",
			Diff: d}} {
		out = append(out, p.SVG(), GutterSVG(nil, p.Lane, p.Trace, p.Frame, 92))
	}
	out = append(out, AxisSVG(nil, &axis, d, 500,
		"They differ in 5 of 7 rounds, first in round 1, where 2 of 6 GPUs go to different jobs."))
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
