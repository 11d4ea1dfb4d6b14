package state

import (
	"hadarlab/core/scenario"
)

// Session is the latest actions of whoever sits before the page, so that a fault can be told with what led to it and
// tests can do it again (app/session). What follows from an action by itself, as answers and timers do, is left out:
// it follows again.
type Session struct {
	Most  int // actions that are kept, 0 = fifty
	steps []step
}

// step is an action and what stood before it. Documents are never changed once they stand.
type step struct {
	did   Action
	doc   *scenario.Document
	first *scenario.Document // before the keystrokes that an edit goes on with, nil = with none
}

// mostJobs is how many jobs the documents before the steps may have together: the last steps on large ones are fewer.
const mostJobs = 50_000

// keep keeps a step, and forgets those that are too many.
func (l *Session) keep(p step) {
	l.steps = append(l.steps, p)
	most, jobs := l.Most, 0
	if most == 0 {
		most = 50
	}
	from := len(l.steps)
	for last := (*scenario.Document)(nil); from > 0 && len(l.steps)-from < most; from-- {
		if d := l.steps[from-1].doc; d != last {
			if jobs, last = jobs+d.JobCount(), d; jobs > mostJobs {
				break
			}
		}
	}
	if from > 0 {
		l.steps = append([]step(nil), l.steps[min(from, len(l.steps)-1):]...)
	}
}
