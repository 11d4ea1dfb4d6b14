package state

import (
	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/core/chart"
	"hadarlab/core/message"
	"hadarlab/core/words"
)

// WinnerSearchPlan are the numbers that are tried, and how many runs that takes at most: none where there are no two
// policies.
func (s *State) WinnerSearchPlan() (tries []compare.Tried, runs int) {
	runs = 1
	for _, k := range s.Variables() {
		t := compare.NewTried(k, s.usual(&k))
		tries = append(tries, t)
		runs += t.Ahead()
	}
	if titles, _ := run.Titles(s.Doc, s.PolicyTitle); len(titles) > 1 {
		return tries, runs * len(titles)
	}
	return nil, 0
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
	h := &s.WinnerSearch
	tries, runs := s.WinnerSearchPlan()
	if runs == 0 {
		return nil
	}
	effects := s.askSweep(&h.Sweep, &message.SweepRequest{})
	if effects != nil {
		*h = compare.WinnerSearch{Sweep: h.Sweep, Tries: tries}
	}
	return effects
}

func (StopWinnerSearch) on(s *State) []Effect {
	h := &s.WinnerSearch
	if h.ID == 0 {
		return nil
	}
	id := h.ID
	h.ID = 0 // what it still answers is ignored
	s.Spoken = words.T("Stopped. What was found is shown.")
	return []Effect{End{ID: id}}
}

// searched takes news of the value under way.
func (s *State) searched(m *message.Message) []Effect {
	h := &s.WinnerSearch
	if !h.Tried(m) {
		return nil
	}
	var effects []Effect
	value, first := h.Next()
	if first {
		effects = []Effect{Reveal{PartWinnersSays}}
	}
	if value != nil {
		h.ID = s.seq()
		return append(effects, Ask{&message.Message{ID: h.ID, Sweep: value}})
	}
	if h.Over {
		s.Spoken = words.T("All numbers are tried.")
	}
	return effects
}

func (a TryFound) on(s *State) []Effect {
	h := &s.WinnerSearch
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
	h, v := &s.WinnerSearch, &s.Vary
	if a.At < 0 || a.At >= len(h.Tries) {
		return nil
	}
	t := &h.Tries[a.At]
	text := compare.Listed(s.fitting(t.Path, t.Values))
	v.Axes = [2]compare.Axis{{Path: t.Path, Text: text, GivenText: text}}
	return append(RunVary{}.on(s), Reveal{PartVaryAxes})
}
