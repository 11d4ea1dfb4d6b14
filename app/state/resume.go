package state

import "slices"

// SavedLesson is a lesson in progress as it is kept for the tab.
type SavedLesson struct {
	ID      string         `json:"id"`
	Step    int            `json:"step"`
	Answers []LessonAnswer `json:"answers"`
	Entry   int64          `json:"entry"` // of the history that the reader had before
}

// saved is the lesson in progress, nil = none.
func (l *Learn) saved() *SavedLesson {
	if l.Lesson == nil {
		return nil
	}
	return &SavedLesson{ID: l.Lesson.ID, Step: l.Step, Answers: slices.Clone(l.Answers), Entry: l.before}
}

// resume goes on with a lesson after a reload, where this page still has it as it was. The document stands already.
func (l *Learn) resume(saved *SavedLesson) {
	if saved == nil {
		return
	}
	lesson := lessonOf(saved.ID)
	if lesson == nil || saved.Step < 0 || saved.Step >= len(lesson.Steps) || len(saved.Answers) != len(lesson.Steps) {
		return
	}
	for i, a := range saved.Answers {
		options := 0
		if ask := lesson.Steps[i].Ask; ask != nil {
			options = len(ask.Options)
		}
		if a.Picked < -1 || a.Picked >= options || a.Shown && a.Picked < 0 {
			return
		}
	}
	l.Lesson, l.Step, l.Answers, l.waiting = lesson, saved.Step, saved.Answers, true
	l.before = saved.Entry
	l.Rev++
}
