package state

import (
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/learn"
	"hadarlab/app/room"
)

// TestPredict: an edit is covered until the reader has said who will do better, whether the run is done by then or not;
// the verdict is true, and nothing that is told before gives it away.
func TestPredict(t *testing.T) {
	for _, early := range []bool{false, true} {
		d := newDesk(t)
		s, p := d.s, &d.s.Predict
		d.do(TogglePredict{})
		if !p.On || p.Covered {
			t.Fatalf("predicting begins with on %v, covered %v", p.On, p.Covered)
		}
		for i, side := range []int{learn.SideFirst, learn.SideSecond, learn.SideAlike} {
			d.held = early
			d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: i + 1}})
			if !p.Covered {
				t.Fatal("an edit's result is not covered")
			}
			d.pass(5000)
			if !early {
				for _, given := range []string{s.Announcement, p.Verdict} {
					if strings.Contains(given, "average") || strings.Contains(given, s.Result.Finding.Claim) {
						t.Errorf("it is given away: %q", given)
					}
				}
				if s.Toast != nil {
					t.Errorf("it is given away: %q", s.Toast.Text)
				}
			}
			d.do(Guess{side})
			if p.Covered || early && p.Verdict != "" {
				t.Errorf("after the guess covered %v, verdict %q", p.Covered, p.Verdict)
			}
			d.held = false
			d.answer()
			d.pass(1000)
			a, b := s.Result.Lanes[0].Meta.Metrics.AvgJCTS, s.Result.Lanes[1].Meta.Metrics.AvgJCTS
			truth := learn.SideAlike
			if a < 0.98*b {
				truth = learn.SideFirst
			} else if b < 0.98*a {
				truth = learn.SideSecond
			}
			if right := strings.HasPrefix(p.Verdict, "You were right: "); right != (truth == side) || p.All != i+1 ||
				!right && !strings.HasPrefix(p.Verdict, "It turned out differently: ") {
				t.Errorf("means %v and %v, guess %d: %q, %d of %d", a, b, side, p.Verdict, p.Right, p.All)
			}
		}
		all := p.All
		d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 1}})
		d.do(Undo{})
		if p.Covered {
			t.Error("undo covers what was seen")
		}
		d.do(Redo{})
		if !p.Covered {
			t.Error("redo gives away what was not predicted")
		}
		d.do(LoadPreset{s.Boot.Presets[1].Name})
		d.do(Guess{learn.SideAlike})
		d.do(Uncover{})
		if d.pass(1000); p.All > all+1 || p.Covered {
			t.Errorf("%d judged, covered %v", p.All, p.Covered)
		}
		d.do(TogglePredict{})
		d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 5}})
		if p.Covered || p.On {
			t.Error("it covers when it is off")
		}
	}
}

// TestNobodyPredicted: a run that nobody predicted is told as ever.
func TestNobodyPredicted(t *testing.T) {
	d := newDesk(t)
	d.do(RunNow{})
	if d.pass(1000); !strings.HasPrefix(d.s.Announcement, "Run finished.") || d.s.Predict != (learn.Predict{}) {
		t.Errorf("it says %q, %+v", d.s.Announcement, d.s.Predict)
	}
}

// TestPredictIsNotGivenAwayLater: neither the figures before an undo nor a reload tell what was covered.
func TestPredictIsNotGivenAwayLater(t *testing.T) {
	d := newDesk(t)
	d.do(TogglePredict{})
	d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 1}})
	d.pass(1000)
	var save Save
	for _, e := range d.log {
		if s, ok := e.(Save); ok {
			save = s
		}
	}
	d.do(Undo{})
	d.pass(1000)
	for i, l := range d.s.Result.Lanes {
		if l.Before != nil {
			t.Errorf("lane %d says that its mean was %v", i, l.Before.Meta.Metrics.AvgJCTS)
		}
	}
	fresh := newDesk(t)
	fresh.do(Restore{save.Kept})
	fresh.pass(1000)
	if p := &fresh.s.Predict; !p.On || !p.Covered {
		t.Errorf("after a reload predicting is on %v, covered %v", p.On, p.Covered)
	}
	fresh.log = nil
	fresh.do(Guess{learn.SideAlike})
	if p := &fresh.s.Predict; p.All != 1 || p.Covered {
		t.Errorf("after the guess %d are judged, covered %v", p.All, p.Covered)
	}
	if save, ok := fresh.log[0].(Save); !ok || save.Predict != learn.PredictOn {
		t.Errorf("what is kept then: %+v", fresh.log[0])
	}
}

// TestTheOldPictureStays: behind an edit that is to be predicted the lanes are those before it; after the guess they
// are the new ones, with the reason and its bar.
func TestTheOldPictureStays(t *testing.T) {
	d := newDesk(t)
	s := d.s
	d.do(RunNow{})
	d.pass(1000)
	old := s.Result
	d.do(TogglePredict{})
	for _, n := range []int{2, 4} { // a second edit is set against what was seen, too
		d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: n}})
		d.pass(1000)
		if s.Result != old || !s.Predict.Old || s.Predict.Behind == nil || s.Status() != "ready" {
			t.Fatalf("with %d GPUs the picture is another: %t, %+v, %s", n, s.Result != old, s.Predict, s.Status())
		}
	}
	s.View.Job = ""
	d.do(Guess{learn.SideFirst})
	if s.Result == old || !s.Fresh() || s.Predict.Behind != nil || s.Predict.All != 1 {
		t.Errorf("after the guess the old picture stays: %+v", s.Predict)
	}
	if !strings.HasSuffix(s.Predict.Verdict, s.Result.Finding.Because) || s.View.Job != s.Result.TellingJob() {
		t.Errorf("the reason is %q, its job %q", s.Predict.Verdict, s.View.Job)
	}
	d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 3}})
	d.do(TogglePredict{})
	if d.pass(1000); !s.Fresh() || s.Predict.Old {
		t.Error("who stops predicting sees the old picture")
	}
	d.do(TogglePredict{})
	d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 2}})
	d.pass(1000)
	d.do(TogglePredict{})
	if !s.Fresh() {
		t.Error("who stops predicting once the run is done sees the old picture")
	}
}

// TestPredictHidesNoFault: what cannot run, or has one lane, is not covered.
func TestPredictHidesNoFault(t *testing.T) {
	d := newDesk(t)
	d.do(TogglePredict{})
	d.do(Do{edit.SetJob{Job: 0, Field: edit.JobGPUs, Value: 0}})
	if !d.s.Diags.HasErrors() || d.s.Predict.Covered {
		t.Error("a fault is covered")
	}
	d.do(Undo{})
	d.do(Do{edit.RemoveLane{Lane: 1}})
	if d.s.Predict.Covered {
		t.Error("one lane alone is covered")
	}
}

// TestPresetIsPredicted: what the gallery opens is covered once predicting was chosen there.
func TestPresetIsPredicted(t *testing.T) {
	d := newDesk(t)
	d.do(OpenGallery{})
	d.log = nil
	d.do(TogglePredict{})
	for _, e := range d.log {
		if _, moved := e.(room.Focus); moved {
			t.Error("the keyboard leaves the gallery")
		}
	}
	d.do(OpenCard{d.s.Boot.Presets[2].Name})
	if d.pass(1000); !d.s.Predict.Covered || strings.Contains(d.s.Announcement, d.s.Result.Finding.Claim) {
		t.Errorf("covered %v, says %q", d.s.Predict.Covered, d.s.Announcement)
	}
}
