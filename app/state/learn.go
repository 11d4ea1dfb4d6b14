package state

import (
	"hadarlab/app/learn"
	"hadarlab/app/room"
	"hadarlab/app/words"
)

type (
	// OpenGallery opens the gallery; CloseGallery closes it.
	OpenGallery  struct{}
	CloseGallery struct{}
	// FilterIdea and FilterPolicy choose what the gallery shows, "" = all.
	FilterIdea   struct{ Idea string }
	FilterPolicy struct{ ID string }
	// OpenCard opens a preset from the gallery.
	OpenCard struct{ Name string }
)

func (OpenGallery) on(s *Lab) []Effect {
	s.Learn.Gallery = true
	return s.Need()
}

func (CloseGallery) on(s *Lab) []Effect {
	s.Learn.Gallery = false
	return []Effect{room.Focus{Part: room.PartPresets}}
}

func (a FilterIdea) on(s *Lab) []Effect { s.Learn.Idea = a.Idea; return nil }

func (a FilterPolicy) on(s *Lab) []Effect { s.Learn.Policy = a.ID; return nil }

func (a OpenCard) on(s *Lab) []Effect {
	return append(CloseGallery{}.on(s), LoadPreset{a.Name}.on(s)...)
}

type (
	// StartLesson begins a lesson; LeaveLesson ends it, wherever it stands. Done says that it was worked to its end.
	StartLesson struct{ ID string }
	LeaveLesson struct{ Done bool }
	// LessonStep goes to another step.
	LessonStep struct{ By int }
	// UnfoldLesson shows the whole step in a narrow window, or its title alone.
	UnfoldLesson struct{}
	// LessonPick chooses an option of the step's question; LessonCheck shows which one is right.
	LessonPick  struct{ Option int }
	LessonCheck struct{}
	// LessonChange makes the step's change.
	LessonChange struct{}
)

func (a StartLesson) on(s *Lab) []Effect {
	if s.Boot.LessonTitle(a.ID) == "" {
		return nil
	}
	effects := LeaveLesson{}.on(s)
	lesson := s.Teaching.Lesson(a.ID)
	if lesson == nil {
		s.Learn.Await(learn.Saved{ID: a.ID})
		return append(append(effects, room.Measure{}, room.Focus{Part: room.PartLesson}), s.Need()...)
	}
	s.Learn.Begin(lesson, s.History.Stands().ID)
	s.History.Seal()
	s.Notice, s.Toast, s.View.Editing = nil, nil, false
	return append(append(effects, room.Measure{}), s.toStep()...)
}

// LeaveLesson keeps what stands, and makes the lesson one entry of the history: one undo brings back what
// the reader had before.
func (a LeaveLesson) on(s *Lab) []Effect {
	l := s.Learn.Lesson
	effects := []Effect{room.Measure{}, room.Focus{Part: room.PartPresets}}
	switch {
	case !s.Learn.Going():
		return nil
	case l == nil: // it never came
		s.Learn.Leave()
		return append(effects, s.save())
	}
	changed := s.History.Fold(s.Learn.Leave(), words.F("Lesson “{0}”", words.T(l.Title)))
	switch next := s.Teaching.Next(l); {
	case a.Done && next != nil:
		effects = append(effects, s.Tell(words.F("Lesson finished. Next: {0}.", words.T(next.Title)), changed)...)
		s.Toast.Lesson, s.Toast.Back = next, true
	case a.Done:
		effects = append(effects, s.Tell(words.T("Lesson finished. It was the last one."), changed)...)
		s.Toast.Back = true
	case changed:
		effects = append(effects, s.Tell(words.T("Lesson left."), true)...)
		s.Toast.Back = true
	}
	return append(effects, s.save())
}

// FetchTeaching fetches what teaches once more, which could not be had.
type FetchTeaching struct{}

func (FetchTeaching) on(s *Lab) []Effect { return s.Need() }

// resume goes on with the lesson that the tab had.
func resume(s *Lab, saved *learn.Saved) []Effect {
	if saved == nil || saved.Answers == nil {
		return nil
	}
	s.Learn.Await(*saved)
	if s.Teaching != nil {
		return taught(s)
	}
	return s.Need()
}

// taught goes on with what has waited for what teaches.
func taught(s *Lab) []Effect {
	if s.Learn.Gallery {
		return []Effect{room.Focus{Part: room.PartGallery}}
	}
	if s.Teaching == nil {
		return nil
	}
	saved, begins := s.Learn.Came()
	switch {
	case saved == nil:
		return nil
	case begins:
		return StartLesson{saved.ID}.on(s)
	}
	s.Learn.Resume(s.Teaching.Lesson(saved.ID), saved)
	return append(s.showLessonTarget(), room.Measure{})
}

func (UnfoldLesson) on(s *Lab) []Effect {
	l := &s.Learn
	l.Unfolded = !l.Unfolded
	if !l.Unfolded {
		return nil
	}
	return []Effect{room.After{Ms: sheetMs, Action: uncover{}}}
}

// uncover shows what the step is about, which it may cover since it was unfolded; that is drawn within sheetMs.
type uncover struct{}

const sheetMs = 100

func (uncover) on(s *Lab) []Effect {
	if step := s.Learn.Present(); s.Learn.Unfolded && step != nil && step.View != nil {
		return []Effect{Reveal{room.ShownParts[step.View.Show]}}
	}
	return nil
}

func (a LessonStep) on(s *Lab) []Effect {
	l := &s.Learn
	to := l.Step + a.By
	if l.Lesson == nil || to < 0 || to >= len(l.Lesson.Steps) {
		return nil
	}
	l.Step = to
	return s.toStep()
}

// toStep shows a step. The document becomes what the step's text is about: the last preset opened with the
// changes of the steps before. Where that replaces something, undo brings it back.
func (s *Lab) toStep() []Effect {
	l := &s.Learn
	step := l.Present()
	s.Announcement = words.F("Step {0} of {1}: {2}", itoa(l.Step+1), itoa(len(l.Lesson.Steps)), words.T(step.Title))
	effects := []Effect{room.Focus{Part: room.PartLesson}}
	doc, preset, changed := s.Learn.Subject(s.Boot.PresetNamed, s.Defaults)
	if doc == nil {
		return effects
	}
	l.Waiting = true
	if string(doc.Marshal(false)) != string(s.Doc.Marshal(false)) {
		effects = append(effects,
			Load{Doc: doc, Sentence: words.F("Lesson, step {0}: “{1}”", itoa(l.Step+1), s.Boot.TitleOf(doc)),
				Preset: preset, Edited: changed}.on(s)...)
	}
	return append(append(effects, s.save()), s.showLessonTarget()...)
}

func (a LessonPick) on(s *Lab) []Effect {
	if l := &s.Learn; l.Present() == nil || l.Answers[l.Step].Shown {
		return nil
	}
	s.Learn.Choose(a.Option, false)
	return []Effect{s.save()}
}

func (LessonCheck) on(s *Lab) []Effect {
	l := &s.Learn
	step := l.Present()
	if step == nil || step.Ask == nil || l.Answers[l.Step].Picked < 0 {
		return nil
	}
	l.Choose(l.Answers[l.Step].Picked, true)
	s.Announcement = learn.Verdict(step.Ask, l.Answers[l.Step].Picked) + " " + step.Ask.Because
	return []Effect{s.save(), room.Focus{Part: room.PartLessonBecause}}
}

func (LessonChange) on(s *Lab) []Effect {
	step := s.Learn.Present()
	if step == nil || step.Change == nil {
		return nil
	}
	effects := Do{learn.ChangeOf(step.Change)}.on(s)
	if effects != nil {
		s.Learn.Waiting = true
	}
	return effects
}
