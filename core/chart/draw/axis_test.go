package draw

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
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
