package compare

import (
	"slices"

	"hadarlab/app/edit"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/message"
)

// WinnerSearch is a search for single numbers of the scenario that change which of the first two policies has the
// better mean completion, compared as the charts of a varied number do. Every number takes its usual values, the
// nearest first, until one changes the winner. Each value is a sweep of its own, so that one the engine refuses spoils
// no other. The Sweep's points are those of the value under way.
type WinnerSearch struct {
	Sweep
	Tries []Tried
	Done  int        // of them are tried, the first ones
	Now   [2]float64 // mean completions in s as the scenario stands
	Leads int        // of them: -1 the first is better, 1 the second, 0 they are alike
	Unfit bool       // they cannot be compared
	based bool       // Now is known
}

// Tried is a number and what was found of it.
type Tried struct {
	edit.Variable
	Values []float64 // that it takes, the present one among them
	Found  bool
	To     float64    // nearest of them that changes the winner
	JCT    [2]float64 // mean completions in s there
	Lost   []float64  // values that cannot be compared: refused, or not every job finishes
	now    float64    // value under way
	ahead  []float64  // values that are still to be run, the nearest first
}

// Ahead is how many values are still to be run.
func (t *Tried) Ahead() int { return len(t.ahead) }

// Ran are the values that were compared, the present one among them.
func (t *Tried) Ran() (values []float64) {
	for _, v := range t.Values {
		if !slices.Contains(t.ahead, v) && !slices.Contains(t.Lost, v) {
			values = append(values, v)
		}
	}
	return values
}

// NewTried is a number that takes these values, the nearest first.
func NewTried(k edit.Variable, values []float64) Tried {
	ahead := Outward(values, k.Value)
	if len(ahead) > 0 && ahead[0] == k.Value {
		ahead = ahead[1:]
	}
	return Tried{Variable: k, Values: values, ahead: ahead}
}

// Winners are the numbers that change the winner, by their place in Tries.
func (h *WinnerSearch) Winners() (at []int) {
	for i := range h.Tries {
		if h.Tries[i].Found {
			at = append(at, i)
		}
	}
	return at
}

// Tried takes news of the value under way, and says whether that is judged.
func (h *WinnerSearch) Tried(m *message.Message) bool {
	switch {
	case m.Swept != nil:
		h.take(m.Swept)
		if !m.Swept.Over {
			return false
		}
		h.judge()
	case h.based:
		h.lose()
	default: // the scenario as it stands does not run
		h.ID, h.Problem = 0, words.Say("the engine gives no reason")
		if m.Failure != nil {
			h.Problem = m.Failure.Why()
		}
		return false
	}
	return true
}

// lose says that the value under way cannot be compared.
func (h *WinnerSearch) lose() {
	t := &h.Tries[h.Done]
	t.Lost = append(t.Lost, t.now)
}

// judge compares the first two policies at the value that has run.
func (h *WinnerSearch) judge() {
	var jct [2]float64
	for i := range jct {
		if len(h.Points) == 0 || i >= len(h.Points[0].Runs) || h.Points[0].Runs[i].Outcome != "done" {
			if h.Unfit = !h.based; h.based {
				h.lose()
			}
			return
		}
		jct[i] = h.Points[0].Runs[i].Metrics.AvgJCTS
	}
	lead := chart.Lead(jct[0], jct[1], -1)
	if !h.based {
		h.Now, h.Leads, h.based = jct, lead, true
		return
	}
	if lead != 0 && lead != h.Leads {
		t := &h.Tries[h.Done]
		t.Found, t.To, t.JCT = true, t.now, jct
	}
}

// Next is the request for the next value, nil where none is left or the policies cannot be compared. first says that
// all is known of the first number.
func (h *WinnerSearch) Next() (value *message.SweepRequest, first bool) {
	h.Points = nil
	if h.ID = 0; h.Unfit {
		return nil, false
	}
	for h.Done < len(h.Tries) {
		t := &h.Tries[h.Done]
		if !t.Found && len(t.ahead) > 0 {
			t.now, t.ahead = t.ahead[0], t.ahead[1:]
			return &message.SweepRequest{Scenario: h.Request.Scenario,
				Vary: []message.Axis{{Path: t.Path, Values: []float64{t.now}}}}, first
		}
		first = first || h.Done == 0
		h.Done++
	}
	h.Over = true
	return nil, first
}
