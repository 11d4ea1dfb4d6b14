package state

import (
	"slices"

	"hadarlab/scenarios"
)

// SavedLesson is a lesson in progress as it is kept for the tab.
type SavedLesson struct {
	ID      string         `json:"id"`
	Step    int            `json:"step"`
	Answers []LessonAnswer `json:"answers"`
	Entry   int64          `json:"entry"` // of the history that the reader had before
}

// savedLesson is the lesson in progress, nil = none.
func (s *State) savedLesson() *SavedLesson {
	l := &s.Learn
	if l.Lesson == nil {
		return nil
	}
	return &SavedLesson{ID: l.Lesson.ID, Step: l.Step, Answers: slices.Clone(l.Answers), Entry: l.before}
}

// resume goes on with a lesson after a reload, where this page still has it as it was. The document stands already.
func (s *State) resume(saved *SavedLesson) {
	list, err := scenarios.Lessons()
	if err != nil || saved == nil {
		return
	}
	at := slices.IndexFunc(list, func(l scenarios.Lesson) bool { return l.ID == saved.ID })
	if at < 0 || saved.Step < 0 || saved.Step >= len(list[at].Steps) || len(saved.Answers) != len(list[at].Steps) {
		return
	}
	for i, a := range saved.Answers {
		options := 0
		if ask := list[at].Steps[i].Ask; ask != nil {
			options = len(ask.Options)
		}
		if a.Picked < -1 || a.Picked >= options || a.Shown && a.Picked < 0 {
			return
		}
	}
	l := &s.Learn
	l.Lesson, l.Step, l.Answers, l.waiting = &list[at], saved.Step, saved.Answers, true
	l.before = saved.Entry
	l.Rev++
	s.FormRev++
}
