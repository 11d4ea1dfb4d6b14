package state

import (
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/message"
)

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
