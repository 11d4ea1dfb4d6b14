package state

import (
	"strings"

	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// calm is how long after a run its outcome is told, in ms: not between two keystrokes or two steps of a number.
const calm = 600

// outcome tells in a while what the reader's edit did to the means, which were something else.
func (s *State) outcome(was string) []Effect {
	says := means(s.Result)
	if says == "" || says == was || s.edited != s.Result.Rev {
		return nil
	}
	return []Effect{After{calm, tellOutcome{s.edited}}}
}

type tellOutcome struct{ rev int64 }

// What the window shows need not be told; a lesson's text tells what a step does, and a prediction's verdict what a
// change did.
func (a tellOutcome) on(s *State) []Effect {
	if a.rev != s.Rev || s.View.Sight.Numbers || s.Learn.Lesson != nil || s.Predict.On {
		return nil
	}
	shows, says := PartNumbers, means(s.Result) // in the language that is spoken by now
	if t := s.Toast; t != nil {
		if !t.Undo || t.Lesson != nil {
			return nil // it is about something else
		}
		says = strings.TrimSuffix(t.Text, ".") + ". " + says
		if t.Shows != NoPart {
			shows = t.Shows
		}
	}
	said := s.Spoken // the run's end: who does better was told with it
	effects := s.toast(says, true)
	s.Toast.Shows, s.Spoken = shows, said
	return effects
}

// means says the mean completions of the compared lanes, or of the first two, the better one first; "" where they do
// not compare.
func means(r *Result) string {
	if r == nil {
		return ""
	}
	i, k := Compared(r)
	if i == k {
		i, k = 0, 1
	}
	if k >= len(r.Lanes) {
		return ""
	}
	a, b := r.Lanes[i], r.Lanes[k]
	if a.Meta.Outcome != "done" || b.Meta.Outcome != "done" {
		return ""
	}
	if b.mean() < a.mean() {
		a, b = b, a
	}
	u := r.Axis.Unit
	return words.F("{0} {1}, {2} {3} on average.", a.Title, u.Say(a.mean()), b.Title, u.Say(b.mean()))
}

func (l *Lane) mean() unit.Tick { return unit.Seconds(l.Meta.Metrics.AvgJCTS) }
