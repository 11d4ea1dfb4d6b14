package state

import (
	"slices"

	"hadarlab/app/edit"
	"hadarlab/core/chart"
	"hadarlab/core/message"
	"hadarlab/core/words"
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
	Variable
	Values []float64 // that it takes, the present one among them
	Found  bool
	To     float64    // nearest of them that changes the winner
	JCT    [2]float64 // mean completions in s there
	Lost   []float64  // values that cannot be compared: refused, or not every job finishes
	now    float64    // value under way
	ahead  []float64  // values that are still to be run, the nearest first
}

// Ran are the values that were compared, the present one among them.
func (t *Tried) Ran() (values []float64) {
	for _, v := range t.Values {
		if !slices.Contains(t.ahead, v) && !slices.Contains(t.Lost, v) {
			values = append(values, v)
		}
	}
	return values
}

// WinnerSearchPlan are the numbers that are tried, and how many runs that takes at most: none where there are no two
// policies.
func (s *State) WinnerSearchPlan() (tries []Tried, runs int) {
	runs = 1
	for _, k := range s.Variables() {
		values := s.usual(&k)
		ahead := outward(values, k.Value)
		if len(ahead) > 0 && ahead[0] == k.Value {
			ahead = ahead[1:]
		}
		tries = append(tries, Tried{Variable: k, Values: values, ahead: ahead})
		runs += len(ahead)
	}
	if titles, _ := s.laneTitles(); len(titles) > 1 {
		return tries, runs * len(titles)
	}
	return nil, 0
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

type (
	// StartWinnerSearch begins the search.
	StartWinnerSearch struct{}
	// StopWinnerSearch ends it; what is found stays.
	StopWinnerSearch struct{}
	// TryFound gives a number the value that changes the winner.
	TryFound struct{ At int }
	// CurveOf varies a number over the values that were tried.
	CurveOf struct{ At int }
)

func (StartWinnerSearch) on(s *State) []Effect {
	h := &s.Vary.WinnerSearch
	tries, runs := s.WinnerSearchPlan()
	if runs == 0 {
		return nil
	}
	effects := s.askSweep(&h.Sweep, &message.SweepRequest{})
	if effects != nil {
		*h = WinnerSearch{Sweep: h.Sweep, Tries: tries}
	}
	return effects
}

func (StopWinnerSearch) on(s *State) []Effect {
	h := &s.Vary.WinnerSearch
	if h.id == 0 {
		return nil
	}
	id := h.id
	h.id, h.Rev = 0, h.Rev+1 // what it still answers is ignored
	s.Spoken = words.T("Stopped. What was found is shown.")
	return []Effect{CancelRun{id}}
}

// searched takes news of the value under way.
func (s *State) searched(m *message.Message) []Effect {
	h := &s.Vary.WinnerSearch
	switch {
	case m.Swept != nil:
		h.take(m.Swept)
		if !m.Swept.Over {
			return nil
		}
		h.judge()
	case h.based:
		h.lose()
	default: // the scenario as it stands does not run
		h.id, h.Rev, h.Problem = 0, h.Rev+1, words.Say("the engine gives no reason")
		if m.Failure != nil {
			h.Problem = m.Failure.Why()
		}
		return nil
	}
	return s.searchOn()
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

// searchOn asks for the next value.
func (s *State) searchOn() []Effect {
	h := &s.Vary.WinnerSearch
	var effects []Effect
	h.Points = nil
	if h.id = 0; h.Unfit {
		h.Rev++
		return nil
	}
	for h.Done < len(h.Tries) {
		t := &h.Tries[h.Done]
		if !t.Found && len(t.ahead) > 0 {
			t.now, t.ahead, h.id = t.ahead[0], t.ahead[1:], s.seq()
			return append(effects,
				StartSweep{h.id, &message.SweepRequest{Scenario: h.Request.Scenario,
					Vary: []message.Axis{{Path: t.Path, Values: []float64{t.now}}}}})
		}
		if h.Done == 0 {
			effects = []Effect{Reveal{PartWinnersSays}}
		}
		h.Done, h.Rev = h.Done+1, h.Rev+1
	}
	h.Over = true
	s.Spoken = words.T("All numbers are tried.")
	return effects
}

func (a TryFound) on(s *State) []Effect {
	h := &s.Vary.WinnerSearch
	if a.At < 0 || a.At >= len(h.Tries) || !h.Tries[a.At].Found {
		return nil
	}
	t := &h.Tries[a.At]
	said, wins := words.F("{0}: {1} to {2}", t.Name, edit.FormatNumber(t.Value), t.Range.Say(t.To)), h.Titles[0]
	if chart.Lead(t.JCT[0], t.JCT[1], -1) > 0 {
		wins = h.Titles[1]
	}
	return s.openPoint(&h.Sweep, []message.Axis{{Path: t.Path}}, []float64{t.To}, said,
		words.F("{0}. Now {1} wins in mean completion.", said, wins))
}

func (a CurveOf) on(s *State) []Effect {
	h, v := &s.Vary.WinnerSearch, &s.Vary
	if a.At < 0 || a.At >= len(h.Tries) {
		return nil
	}
	t := &h.Tries[a.At]
	text := Listed(s.fitting(t.Path, t.Values))
	v.Axes = [2]Axis{{Path: t.Path, Text: text, GivenText: text}}
	v.Rev++
	return append(RunVary{}.on(s), Reveal{PartVaryAxes})
}
