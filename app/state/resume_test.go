package state

import (
	"encoding/json"
	"slices"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/learn"
	"hadarlab/scenarios"
)

// kept is the latest thing kept for the tab, through the text that it is kept as.
func (d *desk) kept() Restore {
	d.t.Helper()
	for _, e := range slices.Backward(d.log) {
		if s, ok := e.(Save); ok {
			return Restore{reloaded(d.t, s.Kept)}
		}
	}
	d.t.Fatal("nothing was kept")
	return Restore{}
}

// reloaded is what comes back of what was kept.
func reloaded(t testing.TB, k Kept) (back Kept) {
	t.Helper()
	text, err := json.Marshal(k)
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range back.Steps { // each is kept under a name of its own
		back.Steps[i].Text = slices.Clone(k.Steps[i].Text)
	}
	return back
}

// TestLessonSurvivesAReload: step, answers and the change made are there again, and leaving brings back what the
// reader had before.
func TestLessonSurvivesAReload(t *testing.T) {
	lessons, err := scenarios.Lessons()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		d := newDesk(t)
		d.edit(edit.SetGPUs{Node: 0, N: 1, Type: "v100"})
		own := string(d.s.Doc.Marshal(false))
		d.do(StartLesson{l.ID})
		for i := range l.Steps {
			d.pass(1000)
			if l.Steps[i].Ask != nil {
				d.do(LessonPick{0})
				d.do(LessonCheck{})
			}
			if l.Steps[i].Change != nil {
				d.do(LessonChange{})
				d.pass(1000)
			}
			again := newDesk(t)
			again.do(d.kept())
			again.pass(1000)
			a, b := &d.s.Learn, &again.s.Learn
			if b.Lesson == nil || b.Lesson.ID != l.ID || b.Step != i || !slices.Equal(a.Answers, b.Answers) ||
				d.s.Learn.Changed(d.s.Doc) != again.s.Learn.Changed(again.s.Doc) {
				t.Fatalf("%s, step %d: after a reload %+v", l.ID, i+1, b)
			}
			if string(again.s.Doc.Marshal(false)) != string(d.s.Doc.Marshal(false)) || again.s.Status() != "ready" {
				t.Errorf("%s, step %d: another scenario stands", l.ID, i+1)
			}
			if v := l.Steps[i].View; v != nil && again.s.View.Job != v.Job {
				t.Errorf("%s, step %d: it does not point at %s", l.ID, i+1, v.Job)
			}
			again.do(LeaveLesson{})
			again.do(Undo{})
			if string(again.s.Doc.Marshal(false)) != own {
				t.Errorf("%s, step %d: what stood before does not come back", l.ID, i+1)
			}
			if i+1 < len(l.Steps) {
				d.do(LessonStep{1})
			}
		}
		d.do(LeaveLesson{})
		if d.kept().Lesson != nil {
			t.Errorf("%s: a lesson that was left is kept", l.ID)
		}
	}
}

// TestDamagedLessonIsDropped: what does not fit this page's lessons is as if nothing had been kept.
func TestDamagedLessonIsDropped(t *testing.T) {
	lessons, err := scenarios.Lessons()
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	d.do(StartLesson{lessons[0].ID})
	d.pass(1000)
	for name, damage := range map[string]func(s *learn.Saved){
		"unknown":       func(s *learn.Saved) { s.ID = "gone" },
		"before it":     func(s *learn.Saved) { s.Step = -1 },
		"behind it":     func(s *learn.Saved) { s.Step = 999 },
		"short answers": func(s *learn.Saved) { s.Answers = nil },
		"no option":     func(s *learn.Saved) { s.Answers[0].Picked = 99 },
		"no pick":       func(s *learn.Saved) { s.Answers[0] = learn.Answer{Picked: -1, Shown: true} },
	} {
		r := d.kept()
		damage(r.Lesson)
		again := newDesk(t)
		again.do(r)
		again.pass(1000)
		if again.s.Learn.Lesson != nil || again.s.Status() != "ready" {
			t.Errorf("%s: the lesson goes on, status %s", name, again.s.Status())
		}
	}
}
