package state

import (
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/message"
)

// askDelay is how long the cursor must rest before the engine is asked why, in ms.
const askDelay = 50

// Asks holds the explanations that were asked for.
type Asks struct {
	known map[askKey]Explained
	sent  map[int64]askKey // questions that are not answered yet, by the ids of their requests
	want  int64            // sequence of the latest wish
}

type askKey struct {
	result      int64
	lane, round int
}

// Explained is why a lane decided as it did. E is nil while it is not known; Problem then says what went wrong, if
// anything did.
type Explained struct {
	E       *message.Explanation
	Problem string
}

// drop forgets explanations of earlier results, and what they were asked for.
func (a *Asks) drop() { a.known, a.sent = map[askKey]Explained{}, map[int64]askKey{} }

func (s *Lab) askKey(lane int) askKey {
	return askKey{s.Result.ID, lane, s.Result.Round(lane, s.View.Moment)}
}

// Explained is what is known of each lane at the cursor.
func (s *Lab) Explained() []Explained {
	out := make([]Explained, len(s.Result.Lanes))
	for lane := range out {
		out[lane] = s.Asks.known[s.askKey(lane)]
	}
	return out
}

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
	var effects []Effect
	for lane, l := range s.Result.Lanes {
		k := s.askKey(lane)
		if _, asked := s.Asks.known[k]; k.round < 0 || asked {
			continue
		}
		id := s.Seq()
		s.Asks.sent[id], s.Asks.known[k] = k, Explained{}
		effects = append(effects, room.Ask{Request: &message.Message{ID: id,
			Explain: &message.ExplainRequest{Scenario: s.Result.Text, Policy: l.Policy, Round: k.round}}})
	}
	return effects
}

// explained takes an answer to why.
func (s *Lab) explained(m *message.Message) []Effect {
	k := s.Asks.sent[m.ID]
	delete(s.Asks.sent, m.ID)
	switch {
	case m.Explanation != nil:
		s.Asks.known[k] = Explained{E: m.Explanation}
	case m.Failure != nil:
		s.Asks.known[k] = Explained{Problem: m.Failure.Why().In(words.Now())}
	}
	return nil
}

// Choice is what a lane decided for a job at the cursor, nil when the job was not there to decide on.
func Choice(e *message.Explanation, job string) *message.JobChoice {
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

// Flip is the search for what would change one decision: the latest that was asked for.
type Flip struct {
	at      flipKey
	id      int64 // of the request under way, 0 = none
	Tried   int
	All     int
	Result  *message.FlipResult
	Problem words.Text
}

type flipKey struct {
	result      int64
	lane, round int
	job         string
}

// Busy says whether the search goes on.
func (f *Flip) Busy() bool { return f.id != 0 }

// FlipHere is the search about a lane's decision for the selected job at the cursor, nil when nobody asked.
func (s *Lab) FlipHere(lane int) *Flip {
	if s.Flip.at != s.flipKey(lane) {
		return nil
	}
	return &s.Flip
}

func (s *Lab) flipKey(lane int) flipKey {
	return flipKey{s.Result.ID, lane, s.Result.Round(lane, s.View.Moment), s.View.Job}
}

type (
	// AskFlip searches what would change a lane's decision for the selected job at the cursor.
	AskFlip struct{ Lane int }
	// StopFlip gives the search up.
	StopFlip struct{}
)

func (a AskFlip) on(s *Lab) []Effect {
	l := s.ranLane(a.Lane)
	if s.Engine != room.EngineReady || l == nil || s.View.Job == "" {
		return nil
	}
	effects := s.stopFlip()
	s.Flip = Flip{at: s.flipKey(a.Lane), id: s.Seq()}
	return append(effects, room.Ask{Request: &message.Message{ID: s.Flip.id,
		Flip: &message.FlipRequest{Scenario: s.Result.Text, Policy: l.Policy, Lane: a.Lane, Round: s.Flip.at.round,
			Job: s.View.Job}}})
}

func (StopFlip) on(s *Lab) []Effect { return s.stopFlip() }

func (s *Lab) stopFlip() []Effect {
	id := s.Flip.id
	s.Flip = Flip{}
	if id == 0 {
		return nil
	}
	return []Effect{End{ID: id}}
}

// flipAnswered takes an answer to the search under way.
func (s *Lab) flipAnswered(m *message.Message) []Effect {
	f := &s.Flip
	switch {
	case m.Progress != nil:
		f.Tried, f.All = m.Progress.Finished, m.Progress.Jobs
		return nil
	case m.Flipped != nil:
		f.Result = m.Flipped
		s.Spoken = m.Flipped.Sentence
	case m.Failure != nil:
		f.Problem = m.Failure.Why()
	}
	f.id = 0
	return nil
}
