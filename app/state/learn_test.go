package state

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/scenarios"
)

// TestLessonStepsPointWhereTheySay walks every lesson forth and back.
func TestLessonStepsPointWhereTheySay(t *testing.T) {
	lessons, err := scenarios.Lessons()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		d := newDesk(t)
		d.edit(edit.SetGPUs{Node: 0, N: 1, Type: "v100"})
		own := d.s.Doc
		d.do(StartLesson{l.ID})
		check := func(i int) {
			t.Helper()
			d.pass(1000)
			v := l.Steps[i].View
			if v == nil {
				return
			}
			w := &d.s.View
			if got := d.s.Result.Round(w.WhyLane, w.Moment); got != v.Round ||
				!v.Names(w.WhyLane, d.s.Result.Lanes[w.WhyLane].Policy.ID) || w.Job != v.Job {
				t.Errorf("%s, step %d: round %d of lane %d, job %s, want %+v", l.ID, i+1, got, w.WhyLane, w.Job, v)
			}
		}
		for i := range l.Steps {
			check(i)
			if l.Steps[i].Change != nil {
				was := d.hash(0) + d.hash(1)
				if d.s.Learn.Changed(d.s.Doc) {
					t.Errorf("%s, step %d: the change is made before it is asked for", l.ID, i+1)
				}
				d.do(LessonChange{})
				check(i)
				same := d.hash(0)+d.hash(1) == was
				if same != l.Steps[i].Change.Same || !d.s.Learn.Changed(d.s.Doc) {
					t.Errorf("%s, step %d: that the lanes stay the same is %v", l.ID, i+1, same)
				}
			}
			d.do(LessonStep{1})
		}
		for i := len(l.Steps) - 2; i >= 0; i-- {
			d.do(LessonStep{-1})
			check(i)
		}
		d.do(LeaveLesson{})
		d.do(Undo{})
		if d.s.Doc != own || d.s.Learn.Present() != nil {
			t.Errorf("%s: one undo does not bring back what stood before", l.ID)
		}
	}
}

func TestLessonAnswersAreHiddenUntilOneIsChosen(t *testing.T) {
	d := newDesk(t)
	d.do(StartLesson{"hadars-price"})
	d.do(LessonCheck{})
	if d.s.Learn.Answers[0].Shown || !d.s.Learn.Asked() {
		t.Error("the answer is shown before one is chosen")
	}
	d.do(LessonPick{1})
	d.do(LessonCheck{})
	d.do(LessonPick{2})
	if a := d.s.Learn.Answers[0]; d.s.Learn.Asked() || !a.Shown || a.Picked != 1 {
		t.Errorf("%+v: a choice can be changed after the answer is known", a)
	}
	if !strings.HasPrefix(d.s.Announcement, "Not quite.") {
		t.Errorf("readers hear %q", d.s.Announcement)
	}
}

// TestLeavingAnUnchangedLessonOffersNoUndo: it would undo an edit of before.
func TestLeavingAnUnchangedLessonOffersNoUndo(t *testing.T) {
	d := newDesk(t)
	d.edit(edit.SetGPUs{Node: 0, N: 1, Type: "v100"})
	d.do(LoadPreset{"odd-gpus-out"})
	d.pass(20000)
	entries := len(d.s.History.Entries)
	d.do(StartLesson{"hadar-against-gavel"})
	d.do(LeaveLesson{})
	if d.s.Toast != nil || len(d.s.History.Entries) != entries {
		t.Errorf("%d entries became %d, toast %+v", entries, len(d.s.History.Entries), d.s.Toast)
	}
}

// TestFinishedLessonLeadsToTheNext: the report names it and begins it; the last lesson leads nowhere.
func TestFinishedLessonLeadsToTheNext(t *testing.T) {
	lessons, err := scenarios.Lessons()
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	for i := range lessons {
		d.do(StartLesson{lessons[i].ID})
		d.pass(1000)
		d.do(LessonStep{1})
		d.do(LeaveLesson{Done: true})
		toast := d.s.Toast
		if toast == nil || !strings.HasPrefix(toast.Text, "Lesson finished.") || !toast.Undo {
			t.Fatalf("%s ends with %+v", lessons[i].ID, toast)
		}
		if i+1 == len(lessons) {
			if toast.Lesson != nil {
				t.Errorf("after the last comes %s", toast.Lesson.ID)
			}
			break
		}
		if next := lessons[i+1]; toast.Lesson == nil || toast.Lesson.ID != next.ID ||
			!strings.Contains(toast.Text, next.Title) {
			t.Errorf("%s ends with %+v", lessons[i].ID, toast)
		}
	}
}

func TestExports(t *testing.T) {
	d := newDesk(t)
	for _, a := range []Action{SaveChrome{}, SaveEvents{0}, SavePNG{"x"}} {
		effects := d.s.Reduce(a)
		if len(effects) != 1 {
			t.Fatalf("%T gives %d effects", a, len(effects))
		}
		if f, ok := effects[0].(room.Download); ok && !bytes.HasSuffix(f.Data, []byte("\n")) {
			t.Errorf("%s has no end", f.Name)
		}
	}
}

// TestLessonStepShowsWhatItSpeaksOf: worth and cost stand in the Why panel, not in the lane.
func TestLessonStepShowsWhatItSpeaksOf(t *testing.T) {
	d := newDesk(t)
	d.do(StartLesson{"hadars-price"})
	d.pass(1000)
	for i, want := range []room.Part{0: room.PartLane, 2: room.PartPayoff} {
		if i > 0 {
			d.log = nil
			d.do(LessonStep{1})
			d.pass(1000)
		}
		if want == room.NoPart {
			continue // a question folds the panel
		}
		if !slices.Contains(d.log, Effect(Reveal{want})) {
			t.Errorf("step %d does not show part %d: %v", i+1, want, d.log)
		}
	}
}
