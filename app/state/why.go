package state

import (
	"slices"

	"hadarlab/app/compare"
	"hadarlab/app/room"
	"hadarlab/core/chart"
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
		if asked := together(s); asked > first {
			keys = append(keys, askKeyOf(s.Result, s.Result.Tells, asked))
		}
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

// Answered is what answers a question that asks why: what a lane decided for a job at a moment. An empty job = the
// question asks something else, or nothing is known.
type Answered struct {
	E            *message.Explanation
	Choice       *message.JobChoice
	Job          string
	Lane, Moment int
	Weighed      bool // against another job
}

// Answering is what was decided at the first disagreement for the job that the question names, else for the one that
// tells the disagreement, in the lane that the headline tells of, else in another, where the engine has weighed it
// against another job. An answer to which lane is better is of one of the two that the headline compares. Where nothing
// is weighed it is what the lane that the headline tells of says of the job, as soon as all jobs that the question
// names have GPUs.
func Answering(s *Lab) Answered {
	r := s.Result
	if r.Diff.First < 0 || !compare.AsksWhy(s.Doc) {
		return Answered{}
	}
	known, lanes := s.Asks.At(r, r.Diff.First), []int{r.Tells}
	a, b := r.Pair()
	for i, l := range r.Lanes {
		if i != r.Tells && (l == a || l == b || !compare.AsksWhich(s.Doc)) {
			lanes = append(lanes, i)
		}
	}
	jobs := append(compare.Named(s.Doc), r.TellingJob())
	for _, job := range jobs {
		for _, lane := range lanes {
			if c := ChoiceFor(known[lane].E, job); c != nil && slices.ContainsFunc(c.Sections, weighs) {
				return Answered{known[lane].E, c, job, lane, r.Diff.First, true}
			}
		}
	}
	moment := together(s)
	known = s.Asks.At(r, moment)
	for _, job := range jobs {
		if c := ChoiceFor(known[r.Tells].E, job); c != nil {
			return Answered{known[r.Tells].E, c, job, r.Tells, moment, false}
		}
	}
	return Answered{}
}

// together is the first moment, from the first disagreement on, at which all jobs that a question for reasons names
// have GPUs in the lane that the headline tells of; without such a one it is the first disagreement.
func together(s *Lab) int {
	r := s.Result
	named, lane := compare.Named(s.Doc), r.RanLane(r.Tells)
	if r.Diff.First < 0 || len(named) < 2 || lane == nil || !compare.AsksWhy(s.Doc) {
		return r.Diff.First
	}
	for i := r.Diff.First; i < len(r.Diff.Moments); i++ {
		at, all := r.Diff.Moments[i].At, true
		for _, job := range named {
			all = all && slices.ContainsFunc(lane.Chart.Holdings, func(h chart.Holding) bool {
				return lane.Trace.Jobs[h.Job].Name == job && h.From <= at && at < h.To
			})
		}
		if all {
			return i
		}
	}
	return r.Diff.First
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
