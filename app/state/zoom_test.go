package state

import (
	"testing"

	"hadarlab/core/unit"
)

// TestZoomStaysOnTheAxis: whatever is asked for, the window lies on the axis, and the cursor and the selection stay.
func TestZoomStaysOnTheAxis(t *testing.T) {
	d := newDesk(t)
	s := d.s
	moment, job, bar := s.View.Moment, s.View.Job, s.View.Bar
	whole := s.Result.Axis
	for _, a := range []Action{Pan{1}, ZoomBy{0.5}, ZoomBy{0.5}, Pan{-100}, Pan{0.25}, Pan{1e9}, ZoomBy{1e-12}, Pan{-1},
		SetWindow{0.2, 0.4}, SetWindow{-5, 7}, SetWindow{0.9, 0.1}, ZoomBy{0.25}, FitSelection{}} {
		s.Reduce(a)
		v := s.Result.View(s.View.Zoom)
		if v.From < whole.From || v.To > whole.To || v.From >= v.To ||
			v.To-v.From < min(unit.Second, whole.To-whole.From) {
			t.Fatalf("after %T%+v %v to %v are seen of %v to %v", a, a, v.From, v.To, whole.From, whole.To)
		}
	}
	if s.View.Moment != moment || s.View.Job != job || s.View.Bar != bar {
		t.Error("zooming moves the cursor or the selection")
	}
	s.Reduce(SelectBar{At: BarAt{0, 0}})
	s.Reduce(FitSelection{})
	if s.View.Zoom.Whole() {
		t.Error("fitting the selection shows everything")
	}
	s.Reduce(ZoomBy{})
	if !s.View.Zoom.Whole() {
		t.Error("fit does not show everything")
	}
	s.Reduce(SetWindow{0.25, 0.5})
	from, to, _ := s.Result.Shares(s.View.Zoom)
	if from < 0.249 || from > 0.251 || to < 0.499 || to > 0.501 {
		t.Errorf("a quarter to a half is %v to %v", from, to)
	}
}
