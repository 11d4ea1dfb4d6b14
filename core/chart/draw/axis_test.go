package draw

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TestNumbersOverNarrowMoments: a narrow moment has its number where those of its neighbours leave room, and only
// there.
func TestNumbersOverNarrowMoments(t *testing.T) {
	a := chart.NewAxis(20*60*unit.Second, 0)
	d := &chart.Diff{First: -1}
	for at := unit.Tick(0); at < 20*60; {
		wide := unit.Tick(60)
		if n := len(d.Moments); n == 11 || n == 15 || n == 16 { // the last two lie beside each other
			wide = 6
		}
		d.Moments = append(d.Moments, chart.Moment{At: at * unit.Second, End: (at + wide) * unit.Second})
		at += wide
	}
	for width, want := range map[float64]bool{900: true, 500: false} {
		svg := AxisSVG(nil, &a, d, width, "")
		if got := strings.Contains(svg, ">12<"); got != want {
			t.Errorf("at %v px the number of a narrow moment stands: %t", width, got)
		}
		if !strings.Contains(svg, ">13<") || strings.Contains(svg, ">16<") && strings.Contains(svg, ">17<") {
			t.Errorf("at %v px numbers are left out or collide: %s", width, svg)
		}
	}
}

// TestPartedTimeIsShaded: what is shaded is when the runs differ, and of thousands of moments no more is drawn than can
// be told apart.
func TestPartedTimeIsShaded(t *testing.T) {
	a := chart.Axis{To: 100 * unit.Second}
	d := &chart.Diff{GPUs: 4}
	for at := unit.Tick(0); at < 100; at += 10 {
		m := chart.Moment{At: at * unit.Second, End: (at + 10) * unit.Second}
		if at == 20 || at == 30 || at == 60 {
			m.Differ = 2
		}
		d.Moments = append(d.Moments, m)
	}
	w := &svg{}
	w.parted(&a, d, 50)
	want := `<rect data-role="parted" x="20.000%" width="20.000%" y="0" height="50"/>` +
		`<rect data-role="parted" x="60.000%" width="10.000%" y="0" height="50"/>`
	if string(w.b) != want {
		t.Errorf("shaded is %s, not %s", w.b, want)
	}
	d.Moments = nil
	for at := unit.Tick(0); at < 100*unit.Second; at += 2 {
		d.Moments = append(d.Moments, chart.Moment{At: at, End: at + 2, Differ: int32(at / 2 % 2)})
	}
	w = &svg{}
	w.parted(&a, d, 50)
	if n := strings.Count(string(w.b), "<rect"); n != 1 {
		t.Errorf("%d stretches are shaded where one can be seen", n)
	}
}

// TestMeasuredTimeHasABracket: where a window of jobs is measured, its time is marked, with an end where one is seen.
func TestMeasuredTimeHasABracket(t *testing.T) {
	tr := simtest.TwoNodes().Job("a", 0, 100).Job("b", 20, 60).Job("c", 30, 80).Rounds(0)
	a := chart.NewAxis(100*unit.Second, 0)
	a.Measure(tr)
	d := &chart.Diff{First: -1, Job: -1}
	const role = `data-role="measured"`
	if svg := AxisSVG(nil, &a, d, 500, ""); a.Measured[1] != 0 || strings.Contains(svg, role) {
		t.Errorf("all jobs are measured, and marked: %v", a.Measured)
	}
	tr.Window = model.Window{From: 1, To: 3}
	a.Measure(tr)
	if want := [2]unit.Tick{20 * unit.Second, 80 * unit.Second}; a.Measured != want {
		t.Fatalf("measured are %v, want %v", a.Measured, want)
	}
	other := *tr
	other.Outcome, other.End = trace.Horizon, 90*unit.Second // a run that was cut off is measured up to its end
	a.Measure(&other)
	if a.Measured[1] != 90*unit.Second {
		t.Errorf("of two runs the later end is %v", a.Measured[1])
	}
	count := func(from, to unit.Tick) int {
		part := a.Window(from*unit.Second, to*unit.Second)
		_, svg, ok := strings.Cut(AxisSVG(nil, &part, d, 500, ""), role)
		if !ok {
			return 0
		}
		svg, _, _ = strings.Cut(svg, "</g>")
		return strings.Count(svg, "<line")
	}
	for _, c := range []struct {
		from, to unit.Tick
		lines    int
	}{{0, 102, 3}, {0, 50, 2}, {30, 50, 1}, {0, 10, 0}} {
		if got := count(c.from, c.to); got != c.lines {
			t.Errorf("from %d to %d s a bracket has %d lines, want %d", c.from, c.to, got, c.lines)
		}
	}
}
