package insights

import (
	"slices"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Earlier is when a run's decision was made, if that is of an earlier time than the moment at which it is looked at.
func Earlier(t *trace.Trace, round int, at unit.Tick) (made unit.Tick, ok bool) {
	if round < 0 || round >= len(t.Rounds) {
		return 0, false
	}
	made = t.Rounds[round].At
	return made, at-made > t.Round/20
}

// Rhythm says how a run's decision number round, -1 = none yet, stands to the moment at which it is looked at: that it
// is of an earlier time, or came before a full round had passed. It is empty for one that was made just then, in its
// turn.
func Rhythm(in words.Catalogue, t *trace.Trace, l *chart.Lane, round int, at unit.Tick, u figure.Unit,
	title string) string {
	made, earlier := Earlier(t, round, at)
	switch {
	case earlier && round+1 < len(t.Rounds):
		return in.F("{0} last decided at {1} and will decide again at {2}.", title, u.At(in, made),
			u.At(in, t.Rounds[round+1].At))
	case earlier:
		return in.F("{0} last decided at {1}, and not again before the run ended.", title, u.At(in, made))
	}
	if round <= 0 || round >= len(t.Rounds) || t.Round <= 0 || made-t.Rounds[round-1].At > t.Round-t.Round/20 {
		return ""
	}
	ended := false
	for i := range l.Holdings {
		h := &l.Holdings[i]
		if h.From < made && (made < h.To || made == h.To && t.Jobs[h.Job].Finish != made) {
			return "" // it ran until then, and perhaps on
		}
		ended = ended || t.Rounds[round-1].At < h.To && h.To == made
	}
	if !ended || !inRounds(t, l) {
		return ""
	}
	return in.F("Nothing ran any more, so {0} decided before a full round had passed.", title)
}

// inRounds says whether a run shows that its policy decides in rounds: a job ended while another was there, and it let
// the round go on; and a round in which something ran all the while was a whole one.
func inRounds(t *trace.Trace, l *chart.Lane) bool {
	waited := slices.ContainsFunc(l.Dones, func(d chart.Done) bool {
		k := t.RoundAt(d.At)
		return k >= 0 && t.Rounds[k].At < d.At && slices.ContainsFunc(t.Jobs, func(j trace.Job) bool {
			return j.Arrive <= d.At && (j.Finish < 0 || j.Finish > d.At)
		})
	})
	return waited && slices.ContainsFunc(l.Holdings, func(h chart.Holding) bool {
		k := t.RoundAt(h.From)
		return k >= 0 && k+1 < len(t.Rounds) && t.Rounds[k+1].At <= h.To &&
			t.Rounds[k+1].At-t.Rounds[k].At > t.Round-t.Round/20
	})
}
