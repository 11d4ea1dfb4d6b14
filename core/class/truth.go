package class

import (
	"math"
	"strings"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// Truth is the right option of every question, by its id; a question that a run cannot answer is absent, as when a lane
// does not finish its jobs.
type Truth map[string]string

// Revs are the revisions of its lanes' policies, in their order, as this program runs them.
func (a *Assignment) Revs(have scenario.Defaults) (revs []int) {
	for _, p := range a.doc.Scenario.Policies {
		revs = append(revs, have[p.ID].Rev)
	}
	return revs
}

// Old tells whether what was found to be right, by an engine of that version under these revisions, may come out
// otherwise today; see message.Old.
func (a *Assignment) Old(found string, revs []int, engine string, have scenario.Defaults) bool {
	for i, p := range a.doc.Scenario.Policies {
		rev := 0
		if i < len(revs) {
			rev = revs[i]
		}
		if message.Old(found, rev, engine, have[p.ID].Rev) {
			return true
		}
	}
	return false
}

// Truth finds what is right from the lanes of a run of the assignment's scenario, in its order of policies.
func (a *Assignment) Truth(lanes []message.Lane) Truth {
	t := Truth{}
	for i := range a.Questions {
		q := &a.Questions[i]
		right := ""
		switch q.Kind {
		case Fixed:
			right = q.Right
		case Less:
			right = q.least(lanes)
		case Share:
			right = q.band(lanes)
		case Loses:
			right = q.loser(lanes)
		}
		if q.Option(right) != nil {
			t[q.ID] = right
		}
	}
	return t
}

// done says whether the first n lanes are there and have finished all jobs.
func done(lanes []message.Lane, n int) bool {
	for i := range n {
		if i >= len(lanes) || lanes[i].Outcome != "done" {
			return false
		}
	}
	return true
}

// least is the policy of the lane with the least of the metric, Same where two are as good, "" where it is not known.
// The base of what counts as the same is that of every difference: of two lanes the second's figure, of more the next
// best.
func (q *Question) least(lanes []message.Lane) string {
	if !done(lanes, len(lanes)) || len(lanes) < 2 {
		return ""
	}
	best, second, who := math.Inf(1), math.Inf(1), ""
	for i := range lanes {
		switch v := LaneOf(&lanes[i]).Figures.Of(q.Metric); {
		case v < best:
			best, second, who = v, best, lanes[i].Policy
		case v < second:
			second = v
		}
	}
	base := second
	if len(lanes) == 2 {
		base = LaneOf(&lanes[1]).Figures.Of(q.Metric)
	}
	if second-best <= float64(q.Within*base) {
		return Same
	}
	return who
}

// band is the option whose percents hold by what share of the second lane's figure the first differs from it.
func (q *Question) band(lanes []message.Lane) string {
	if !done(lanes, 2) {
		return ""
	}
	a, b := LaneOf(&lanes[0]).Figures.Of(q.Metric), LaneOf(&lanes[1]).Figures.Of(q.Metric)
	share := 100 * math.Abs(message.Against(a, b))
	for _, o := range q.Options {
		if o.From <= share && (o.To == 0 || share < o.To) {
			return o.ID
		}
	}
	return ""
}

// loser is the job that finishes later, by the most, in the first lane than in the second, whose finish is the base: a
// job that ties with it has not lost, and None is right where all do. Where two lose by as much, up to a tie, none of
// the answers is right, "".
func (q *Question) loser(lanes []message.Lane) string {
	if !done(lanes, 2) || len(lanes[0].Jobs) != len(lanes[1].Jobs) {
		return ""
	}
	who, most, second := None, 0.0, 0.0
	from, to := lanes[0].Span()
	for i := from; i < to; i++ {
		a, b := lanes[0].Jobs[i].FinishS, lanes[1].Jobs[i].FinishS
		if a == nil || b == nil || *a <= *b || message.Tied(*a, *b) {
			continue
		}
		if by := *a - *b; by > most {
			who, most, second = lanes[0].Jobs[i].ID, by, most
		} else {
			second = max(second, by)
		}
	}
	if second > 0 && message.Tied(most, second) {
		return ""
	}
	return who
}

// Succeeds says whether the lanes of a submission do what the task asks: the winner has less of the metric than every
// other lane, by more than a tie, and finishes its jobs. Of two lanes the second is the base, as for Gap, whichever is
// to win: what counts as solved is what lies beyond the line of the board's picture.
func (t *Task) Succeeds(lanes []Lane) bool {
	won, ok := 0.0, false
	for i := range lanes {
		if lanes[i].Policy == t.Winner && lanes[i].Outcome == "done" {
			won, ok = lanes[i].Figures.Of(t.Metric), true
		}
	}
	for i := range lanes {
		l := &lanes[i]
		other := l.Figures.Of(t.Metric)
		first, base := won, other
		if t.Above(lanes) {
			first, base = other, won
		}
		if l.Policy != t.Winner && (l.Outcome != "done" || other <= won || message.Tied(first, base)) {
			return false
		}
	}
	return ok && len(lanes) > 1
}

// Ties says whether the lanes of a submission are about the same by what the task compares, which is no win.
func (t *Task) Ties(lanes []Lane) bool {
	gap, ok := t.Gap(t.Metric, lanes)
	return ok && math.Abs(gap) <= message.Tie
}

// ByRounds says that a submission which succeeds does so by when rounds begin: all that it changes are times of arrival
// and the length of a round, and the winner is ahead of another lane by less than one round of the changed scenario. So
// a policy that begins a round with the job that comes beats one whose next round is a while off, at any speed. Of
// figures that are no times it says nothing.
func (a *Assignment) ByRounds(edits []Edit, lanes []Lane) bool {
	if a.Task == nil || a.doc == nil || len(edits) == 0 || message.FindMetric(a.Task.Metric).Unit != message.Time {
		return false
	}
	round, won, next := a.doc.Scenario.RoundS, math.NaN(), math.Inf(1)
	for _, e := range edits {
		arrival := strings.HasPrefix(e.Path, "/scenario/jobs/") && strings.HasSuffix(e.Path, "/arrival_s")
		if e.To == nil || !arrival && e.Path != roundPath {
			return false
		}
		if e.Path == roundPath {
			round = *e.To
		}
	}
	for i := range lanes {
		if v := lanes[i].Figures.Of(a.Task.Metric); lanes[i].Policy == a.Task.Winner {
			won = v
		} else {
			next = min(next, v)
		}
	}
	return math.Abs(next-won) < round
}

const roundPath = "/scenario/round_s"
