package state

import "hadarlab/core/words"

// calm is how long after a run its outcome is told, in ms: not between two keystrokes or two steps of a number.
const calm = 600

const numbersHook = "[aria-labelledby=h-numbers]"

// outcome tells in a while what the reader's edit did to the means, which were something else.
func (s *State) outcome(was string) []Effect {
	says := s.Result.means()
	if says == "" || says == was || s.edited != s.Result.Rev {
		return nil
	}
	return []Effect{After{calm, tellOutcome{s.edited, says}}}
}

type tellOutcome struct {
	rev  int64
	says string
}

// What the window shows need not be told, and a lesson's text tells what a step does.
func (a tellOutcome) on(s *State) []Effect {
	if a.rev != s.Rev || s.View.Sight.Numbers || s.Learn.Lesson != nil {
		return nil
	}
	shows := numbersHook
	if t := s.Toast; t != nil {
		if !t.Undo || t.Lesson != nil {
			return nil // it is about something else
		}
		a.says = t.Text + " " + a.says
		if t.Shows != "" {
			shows = t.Shows
		}
	}
	said := s.Spoken // the run's end: who does better was told with it
	effects := s.toast(a.says, true)
	s.Toast.Shows, s.Spoken = shows, said
	return effects
}

// means says the mean completions of the compared lanes, or of the first two, the better one first; "" where they do not
// compare.
func (r *Result) means() string {
	if r == nil {
		return ""
	}
	i, k := r.Compared()
	if i == k {
		i, k = 0, 1
	}
	if k >= len(r.Lanes) || r.Lanes[i].Meta.Outcome != "done" || r.Lanes[k].Meta.Outcome != "done" {
		return ""
	}
	if r.Lanes[k].Meta.Metrics.AvgJCTS < r.Lanes[i].Meta.Metrics.AvgJCTS {
		i, k = k, i
	}
	say := func(l *Lane) string { return r.Axis.Unit.Seconds(l.Meta.Metrics.AvgJCTS) + " " + r.Axis.Unit.Short }
	return words.F("{0} {1}, {2} {3} on average.", r.Lanes[i].Title, say(r.Lanes[i]), r.Lanes[k].Title, say(r.Lanes[k]))
}
