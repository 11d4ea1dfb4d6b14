package state

import (
	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/message"
)

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

func (StartWinnerSearch) on(s *Lab) []Effect {
	h := &s.WinnerSearch
	tries, runs := s.Varying().Plan()
	if runs == 0 {
		return nil
	}
	effects := s.askSweep(&h.Sweep, &message.SweepRequest{}, false)
	if effects != nil {
		*h = compare.WinnerSearch{Sweep: h.Sweep, Tries: tries}
	}
	return effects
}

func (StopWinnerSearch) on(s *Lab) []Effect {
	h := &s.WinnerSearch
	if h.ID == 0 {
		return nil
	}
	id := h.ID
	h.ID = 0 // what it still answers is ignored
	s.Announcement = words.T("Stopped. What was found is shown.")
	return []Effect{End{ID: id}}
}

func (a TryFound) on(s *Lab) []Effect {
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

func (a CurveOf) on(s *Lab) []Effect {
	h, v := &s.WinnerSearch, &s.Vary
	if a.At < 0 || a.At >= len(h.Tries) {
		return nil
	}
	t := &h.Tries[a.At]
	text := compare.Listed(s.Varying().fitting(t.Path, t.Values))
	v.Axes = [2]compare.Axis{{Path: t.Path, Text: text, GivenText: text}}
	return append(RunVary{}.on(s), Reveal{room.PartVaryAxes})
}
