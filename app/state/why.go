package state

import (
	"slices"

	"hadarlab/app/compare"
	"hadarlab/app/room"
	"hadarlab/core/message"
)

// askDelay is how long the cursor must rest before the engine is asked why, in ms.
const askDelay = 50

// ask plans the questions of the present view.
func (s *Lab) ask() []Effect {
	if !s.Live || s.Engine != room.EngineReady {
		return nil
	}
	s.Asks.want = s.Seq()
	return []Effect{room.After{Ms: askDelay, Action: askNow{s.Asks.want}}}
}

type askNow struct{ seq int64 }

func (a askNow) on(s *Lab) []Effect {
	if a.seq != s.Asks.want {
		return nil
	}
	keys := make([]askKey, 0, len(s.Result.Lanes)+1)
	for lane := range s.Result.Lanes {
		keys = append(keys, askKeyOf(s.Result, lane, s.View.Moment))
	}
	if first := s.Result.Diff.First; first >= 0 { // of which the headline tells
		keys = append(keys, askKeyOf(s.Result, s.Result.Tells, first))
	}
	var effects []Effect
	for _, k := range keys {
		if _, asked := s.Asks.known[k]; k.round < 0 || asked {
			continue
		}
		l := s.Result.Lanes[k.lane]
		id := s.Seq()
		s.Asks.sent[id], s.Asks.known[k] = k, Explained{}
		effects = append(effects, room.Ask{Request: &message.Message{ID: id,
			Explain: &message.ExplainRequest{Scenario: s.Result.Text, Policy: l.Policy, Round: k.round}}})
	}
	return effects
}

// Answering is what answers a question that asks why: what was decided at the first disagreement for the job that the
// question names, else for the one that tells the disagreement, in the lane that the headline tells of, else in
// another, where the engine has weighed it against another job. An answer to which lane is better is of one of the two
// that the headline compares. An empty job = nothing has been weighed, or the question asks something else.
func Answering(s *Lab) (e *message.Explanation, job string, lane int) {
	r := s.Result
	if r.Diff.First < 0 || !compare.AsksWhy(s.Doc) {
		return nil, "", 0
	}
	known, lanes := s.Asks.At(r, r.Diff.First), []int{r.Tells}
	a, b := r.Pair()
	for i, l := range r.Lanes {
		if i != r.Tells && (l == a || l == b || !compare.AsksWhich(s.Doc)) {
			lanes = append(lanes, i)
		}
	}
	for _, job := range append(compare.Named(s.Doc), r.TellingJob()) {
		for _, lane := range lanes {
			if c := ChoiceFor(known[lane].E, job); c != nil && slices.ContainsFunc(c.Sections, weighs) {
				return known[lane].E, job, lane
			}
		}
	}
	return nil, "", 0
}

// weighs says whether a section weighs two jobs.
func weighs(s message.Section) bool { return len(s.Weighed) == 2 }

// ChoiceFor is what a lane decided for a job at the cursor, nil when the job was not there to decide on.
func ChoiceFor(e *message.Explanation, job string) *message.JobChoice {
	if e == nil {
		return nil
	}
	for i := range e.Jobs {
		if e.Jobs[i].ID == job {
			return &e.Jobs[i]
		}
	}
	return nil
}

func (a AskFlip) on(s *Lab) []Effect {
	l := s.Result.RanLane(a.Lane)
	if s.Engine != room.EngineReady || l == nil || s.View.Job == "" {
		return nil
	}
	effects := s.Flip.stop()
	s.Flip = Flip{at: flipKeyOf(s.Result, a.Lane, &s.View), id: s.Seq()}
	return append(effects, room.Ask{Request: &message.Message{ID: s.Flip.id,
		Flip: &message.FlipRequest{Scenario: s.Result.Text, Policy: l.Policy, Lane: a.Lane, Round: s.Flip.at.round,
			Job: s.View.Job}}})
}

type (
	// AskFlip searches what would change a lane's decision for the selected job at the cursor.
	AskFlip struct{ Lane int }
	// StopFlip gives the search up.
	StopFlip struct{}
)

func (StopFlip) on(s *Lab) []Effect { return s.Flip.stop() }
