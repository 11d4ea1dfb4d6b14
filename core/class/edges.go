package class

import (
	"fmt"
	"math"
	"strconv"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/words"
)

// Room is how many percentage points lie at least between what is right and the edge of an answer.
const Room = 3

// Near are warnings about questions in which what is right hangs on which lane's figure a difference is a share of, or
// on a little of it: the edge of a band, or of what counts as the same, is nearer than Room to the difference as a
// share of the second lane's figure, or of the first's, or lies between the two. Figures that are equal are so under
// every reading. lanes are those of a run of the assignment's scenario, in its order of policies.
func (a *Assignment) Near(lanes []Lane) (out jsondoc.Diagnostics) {
	for i := range a.Questions {
		q, at := &a.Questions[i], fmt.Sprintf("/questions/%d", i)
		one, other, ok := q.pair(lanes)
		if !ok || one == other {
			continue
		}
		by := readings(one, other)
		if q.Kind == Less {
			out = append(out, by.warn(at+"/within", 100*q.Within, by.within())...)
			continue
		}
		for k := range q.Options {
			at := fmt.Sprintf("%s/options/%d", at, k)
			if o := &q.Options[k]; o.From > 0 {
				out = append(out, by.warn(at, o.From, by.edges())...)
			}
			if o := &q.Options[k]; o.To > 0 {
				out = append(out, by.warn(at+"/to", o.To, by.edges())...)
			}
		}
	}
	return out
}

// shares are a difference in percent of the second figure and of the first.
type shares [2]float64

// readings are the two shares; where one figure is 0 there is one.
func readings(one, other float64) shares {
	by := shares{100 * math.Abs(message.Against(one, other)), 100 * math.Abs(message.Against(other, one))}
	for i := range by {
		if math.IsNaN(by[i]) {
			by[i] = by[1-i]
		}
	}
	return by
}

// span is where no edge may lie.
func (by shares) span() (low, high float64) {
	return min(by[0], by[1]) - Room, max(by[0], by[1]) + Room
}

// warn is a warning about an edge that is too near, none where it is not.
func (by shares) warn(path string, edge float64, fix words.Text) jsondoc.Diagnostics {
	const tiny = 1e-9 // points, of rounding
	if low, high := by.span(); edge <= low+tiny || edge >= high-tiny {
		return nil
	}
	tenth := func(v float64) string { return spelt(math.Round(10*v) / 10) }
	return jsondoc.Diagnostics{jsondoc.NewDiagnostic(jsondoc.LevelWarning, path, "near-edge", words.Say("the two differ by {0} or {1} %, as a share of the one or of the other, and the edge at {2} % lies between these or nearer than {3} points",
		tenth(by[0]), tenth(by[1]), spelt(edge), Room), fix)}
}

// edges says where the edge of a band may lie.
func (by shares) edges() words.Text {
	low, high := by.span()
	below, above := spelt(math.Floor(low)), spelt(math.Ceil(high))
	if low < 1 {
		return words.Say("put the edge at {0} % or above, here and in the answer beside it, or change the scenario", above)
	}
	return words.Say("put the edge at {0} % or below, or at {1} % or above, here and in the answer beside it, or change the scenario",
		below, above)
}

// within says up to where figures may count as the same.
func (by shares) within() words.Text {
	low, high := by.span()
	if low < 0 {
		return words.Say("change the scenario until they differ by more, or count as the same what differs by {0}",
			spelt(math.Ceil(high)/100))
	}
	return words.Say("count as the same what differs by {0} at most, or change the scenario",
		spelt(math.Floor(low)/100))
}

// pair are the figures that a question compares: of the first two lanes, or the best and the next of which has least.
func (q *Question) pair(lanes []Lane) (one, other float64, ok bool) {
	if len(lanes) < 2 || q.Kind != Less && q.Kind != Share {
		return 0, 0, false
	}
	one, other = lanes[0].Figures.Of(q.Metric), lanes[1].Figures.Of(q.Metric)
	for i := range lanes {
		if lanes[i].Outcome != "done" && (i < 2 || q.Kind == Less) {
			return 0, 0, false
		}
		if v := lanes[i].Figures.Of(q.Metric); i >= 2 && q.Kind == Less && v < max(one, other) {
			one, other = min(one, other), v
		}
	}
	return one, other, !math.IsNaN(one) && !math.IsNaN(other)
}

// spelt is a number as messages have it, with three digits behind the point at most.
func spelt(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64) }
