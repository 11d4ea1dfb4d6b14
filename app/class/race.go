package class

import (
	"cmp"
	"slices"

	"hadarlab/app/words"
	"hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/message"
)

// Place is a place of a race in words.
type Place struct {
	N     string // of a score, "" = there is none
	Name  string
	Score string
	Share float64 // the score, of 1 for the rival's
	Says  string  // why there is no score, and whose program is the same
	Rival bool    // a lane of the assignment
	Below bool    // of the first rival, by more than a tie
	Seq   int64
	Code  string // what was written, "" = it is not told
}

// Places are those of a board's race, the best first; title is that of a policy.
func Places(b *Board, title func(policy string) string) (out []Place) {
	a := b.Assignment
	for i := range b.Tally.Race {
		r := &b.Tally.Race[i]
		p := Place{Name: r.Name, Rival: r.Policy != "", Seq: r.Seq, Code: Code(a, r.Written)}
		if k := slices.IndexFunc(b.Students, func(s class.Student) bool { return s.N == r.Student }); k >= 0 {
			p.Name = cmp.Or(p.Name, b.Students[k].Name)
		}
		if p.Rival {
			p.Name = title(r.Policy)
		}
		if r.Score > 0 {
			p.N, p.Score, p.Share = itoa(i+1), figure.Percent(words.Now(), r.Score), r.Score
			p.Below = r.Score < 1-message.Tie
		}
		p.Says = Broke(a, r)
		if r.Verdict == class.Pending {
			p.Says = words.T("is being run")
		} else if r.Verdict == class.Differs || r.Verdict == class.Other {
			p.Says = VerdictText(r.Verdict)
		}
		if r.Alike > 0 && p.Says == "" {
			p.Says = words.Count(r.Alike, "the same as {0} other", "the same as {0} others", itoa(r.Alike))
		}
		out = append(out, p)
	}
	return out
}

// Broke says why a racer has no score, "" = it may have one.
func Broke(a *class.Assignment, r *class.Racer) string {
	switch r.Broke {
	case "":
		return ""
	case class.Unfinished:
		return words.T("not every job ends in one of the scenarios")
	}
	for _, b := range a.Task.Race.Bounds {
		if b.Metric == r.Broke {
			return words.F("{0}: above {1} in one of the scenarios", metricTitle(b.Metric), figureOf(b))
		}
	}
	return ""
}

func metricTitle(metric string) string { return words.T(message.FindMetric(metric).Title) }

// figureOf is a bound as people read it.
func figureOf(b class.Bound) string {
	m := message.FindMetric(b.Metric)
	if m.Unit == message.Time {
		u := figure.SecondsUnit(b.Most)
		return u.Seconds(words.Now(), b.Most) + "\u00a0" + u.Short
	}
	return figure.Sig(words.Now(), b.Most, 4)
}

// Code is what was written in a race: the program, else the expression.
func Code(a *class.Assignment, written map[string]any) string {
	for _, name := range []string{"program", "key"} {
		if text, ok := written[name].(string); ok && text != "" {
			return text
		}
	}
	return ""
}

// Leads says who is ahead in a race, by the title of its first rival.
func Leads(places []Place, rival string) string {
	switch {
	case len(places) == 0:
		return words.T("Nobody has handed in a program yet.")
	case places[0].N == "":
		return words.T("No program has a score yet.")
	case places[0].Rival:
		return words.F("Nobody is ahead of {0} yet.", places[0].Name)
	}
	return words.F("{0} leads, at {1} of {2}.", places[0].Name, places[0].Score, rival)
}

// RaceMeans says what the score of a race is, by the title of its first rival.
func RaceMeans(a *class.Assignment, rival string) string {
	return words.F("Score: {0} as a share of what {1} has in the same scenario, mean over {2} scenarios. Less is better.",
		metricTitle(a.Task.Metric), rival, itoa(a.Task.Race.Count()))
}

// Scored says what a submission of a race came to, "" while that is not told.
func (s *Student) Scored(e *class.Entry, rival string) string {
	a := s.Assignment
	switch e.Verdict {
	case class.Pending:
		return words.T("It is being run where you do not see it.")
	case class.Verified:
	default:
		return ""
	}
	r := a.Place(e)
	if why := Broke(a, &r); why != "" {
		return words.F("No score: {0}.", why)
	}
	if r.Score <= 0 {
		return ""
	}
	return words.F("Score: {0} of {1}.", figure.Percent(words.Now(), r.Score), rival)
}

// TriesLeft is how many attempts a student has left in a race.
func (s *Student) TriesLeft() int {
	n := s.Assignment.Task.Race.Tries()
	for i := range s.Entries {
		if s.Entries[i].Kind == class.Submission {
			n--
		}
	}
	return max(n, 0)
}
