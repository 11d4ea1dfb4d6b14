package state

import (
	"hadarlab/app/compare"
	"hadarlab/app/run"
	"hadarlab/app/share"
	"hadarlab/core/message"
	"hadarlab/core/words"
)

type (
	// StopSweep ends a sweep; what is done stays.
	StopSweep struct{ Vary bool }
	// ToggleSweep shows or hides a section.
	ToggleSweep struct{ Vary bool }
	// SaveSweep hands out the runs as CSV, in the columns of the command line.
	SaveSweep struct{ Vary bool }
)

// Sweep is the many runs of one of the two sections.
func (s *State) Sweep(vary bool) *compare.Sweep {
	if vary {
		return &s.Vary.Sweep
	}
	return &s.Replicates.Sweep
}

// askSweep begins a sweep of the document as it stands; one that is under way is given up.
func (s *State) askSweep(w *compare.Sweep, req *message.SweepRequest) []Effect {
	if s.Engine != EngineReady || s.Diags.HasErrors() {
		return nil
	}
	var effects []Effect
	if w.ID != 0 {
		effects = append(effects, End{ID: w.ID})
	}
	req.Scenario = s.Doc.Marshal(false)
	titles, letters := s.laneTitles()
	rev := w.Rev
	*w = compare.Begin(s.seq(), req, s.Doc, titles, letters)
	w.Rev = rev + 1
	return append(effects, Ask{&message.Message{ID: w.ID, Sweep: req}})
}

// Amount says how many runs a sweep would be, "" where that is not known yet.
func (s *State) Amount(vary bool) string {
	titles, _ := s.laneTitles()
	n, said := len(titles), words.N(len(titles), "{0} policy", "{0} policies")
	by := func(times int, text string) { n, said = n*times, text+" × "+said }
	if vary {
		if s.VaryProblem() != "" {
			return ""
		}
		for i := len(s.Vary.Axes) - 1; i >= 0; i-- {
			if s.Axis(i).Path != "" {
				values, _ := s.values(i)
				by(len(values), words.N(len(values), "{0} value", "{0} values"))
			}
		}
	} else {
		seeds, problem := s.Replicates.Count()
		if problem != "" {
			return ""
		}
		by(int(seeds), words.N(int(seeds), "{0} seed", "{0} seeds"))
	}
	return said + " = " + words.N(n, "{0} run", "{0} runs")
}

// laneTitles are the document's lanes as results call them, but for those with forced choices.
func (s *State) laneTitles() (titles, letters []string) { return run.Titles(s.Doc, s.PolicyTitle) }

// sweepAnswered takes news of a sweep.
func (s *State) sweepAnswered(w *compare.Sweep, m *message.Message) []Effect {
	if said := w.Answered(m); said != "" {
		s.Spoken = said
	}
	return nil
}

func (a StopSweep) on(s *State) []Effect {
	w := s.Sweep(a.Vary)
	if w.ID == 0 || w.Stopping {
		return nil
	}
	w.Stopping, w.Rev = true, w.Rev+1
	return []Effect{End{ID: w.ID}}
}

func (a ToggleSweep) on(s *State) []Effect {
	w := s.Sweep(a.Vary)
	w.Open, w.Rev = !w.Open, w.Rev+1
	if !w.Open {
		return nil
	}
	if a.Vary {
		return []Effect{Reveal{PartVary}}
	}
	return []Effect{Reveal{PartReplicates}}
}

func (a SaveSweep) on(s *State) []Effect {
	w := s.Sweep(a.Vary)
	if w.Runs() == 0 {
		return nil
	}
	name := "-replicates"
	if a.Vary {
		name = "-sweep"
	}
	if !w.Over {
		name += "-partial"
	}
	return []Effect{Download{s.fileName() + name + ".csv", "text/csv", share.RunsCSV(w)}}
}
