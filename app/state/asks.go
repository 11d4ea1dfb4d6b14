package state

import (
	"slices"

	"hadarlab/app/compare"
	"hadarlab/app/room"
	"hadarlab/app/run"
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

func askKeyOf(r *run.Result, lane, moment int) askKey {
	return askKey{r.ID, lane, r.Round(lane, moment)}
}

// At is what is known of each lane at a moment of a result.
func (a *Asks) At(r *run.Result, moment int) []Explained {
	out := make([]Explained, len(r.Lanes))
	for lane := range out {
		out[lane] = a.known[askKeyOf(r, lane, moment)]
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

// answered takes an answer of the engine's; false where it is to something else.
func (a *Asks) answered(m *message.Message) bool {
	k, asked := a.sent[m.ID]
	delete(a.sent, m.ID)
	switch {
	case !asked:
		return false
	case m.Explanation != nil:
		a.known[k] = Explained{E: m.Explanation}
	case m.Failure != nil:
		a.known[k] = Explained{Problem: m.Failure.Why().In(words.Now())}
	}
	return true
}

// Answering is what answers a question that asks why: what was decided at the first disagreement for the job that the
// question names, else for the one that tells the disagreement, in the lane that the headline tells of, else in
// another, where the engine has weighed it against another job. An empty job = nothing has been weighed, or the
// question asks something else.
func Answering(s *Lab) (e *message.Explanation, job string, lane int) {
	r := s.Result
	if r.Diff.First < 0 || !compare.AsksWhy(s.Doc) {
		return nil, "", 0
	}
	known, lanes := s.Asks.At(r, r.Diff.First), []int{r.Tells}
	for i := range r.Lanes {
		if i != r.Tells {
			lanes = append(lanes, i)
		}
	}
	for _, job := range append(compare.Named(s.Doc), r.TellingJob()) {
		for _, lane := range lanes {
			if c := Choice(known[lane].E, job); c != nil && slices.ContainsFunc(c.Sections, weighs) {
				return known[lane].E, job, lane
			}
		}
	}
	return nil, "", 0
}

// weighs says whether a section weighs two jobs.
func weighs(s message.Section) bool { return len(s.Weighed) == 2 }

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

// At is the search about a lane's decision for the job and at the moment that are looked at, nil when nobody asked.
func (f *Flip) At(r *run.Result, lane int, v *View) *Flip {
	if f.at != flipKeyOf(r, lane, v) {
		return nil
	}
	return f
}

func flipKeyOf(r *run.Result, lane int, v *View) flipKey {
	return flipKey{r.ID, lane, r.Round(lane, v.Moment), v.Job}
}

type (
	// AskFlip searches what would change a lane's decision for the selected job at the cursor.
	AskFlip struct{ Lane int }
	// StopFlip gives the search up.
	StopFlip struct{}
)

func (a AskFlip) on(s *Lab) []Effect {
	l := ranLane(s.Result, a.Lane)
	if s.Engine != room.EngineReady || l == nil || s.View.Job == "" {
		return nil
	}
	effects := s.Flip.stop()
	s.Flip = Flip{at: flipKeyOf(s.Result, a.Lane, &s.View), id: s.Seq()}
	return append(effects, room.Ask{Request: &message.Message{ID: s.Flip.id,
		Flip: &message.FlipRequest{Scenario: s.Result.Text, Policy: l.Policy, Lane: a.Lane, Round: s.Flip.at.round,
			Job: s.View.Job}}})
}

func (StopFlip) on(s *Lab) []Effect { return s.Flip.stop() }

// stop gives the search up.
func (f *Flip) stop() []Effect {
	id := f.id
	*f = Flip{}
	if id == 0 {
		return nil
	}
	return []Effect{End{ID: id}}
}

// answered takes an answer to the search under way, and gives its sentence.
func (f *Flip) answered(m *message.Message) (says string) {
	switch {
	case m.Progress != nil:
		f.Tried, f.All = m.Progress.Finished, m.Progress.Jobs
		return ""
	case m.Flipped != nil:
		f.Result, says = m.Flipped, m.Flipped.Sentence
	case m.Failure != nil:
		f.Problem = m.Failure.Why()
	}
	f.id = 0
	return says
}
