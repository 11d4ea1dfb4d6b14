package state

import (
	"hadarlab/app/compare"
	"hadarlab/app/edit"
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
	titles, letters := run.Titles(s.Doc, s.PolicyTitle)
	*w = compare.Begin(s.seq(), req, s.Doc, titles, letters)
	return append(effects, Ask{&message.Message{ID: w.ID, Sweep: req}})
}

// Amount says how many runs a sweep would be, "" where that is not known yet.
func (s *State) Amount(vary bool) string {
	titles, _ := run.Titles(s.Doc, s.PolicyTitle)
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

// sweepAnswered takes news of a sweep.
func (s *State) sweepAnswered(w *compare.Sweep, m *message.Message) {
	if said := w.Answered(m); said != "" {
		s.Spoken = said
	}
}

func (a StopSweep) on(s *State) []Effect {
	w := s.Sweep(a.Vary)
	if w.ID == 0 || w.Stopping {
		return nil
	}
	w.Stopping = true
	return []Effect{End{ID: w.ID}}
}

func (a ToggleSweep) on(s *State) []Effect {
	w := s.Sweep(a.Vary)
	w.Open = !w.Open
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

type (
	// SetSeeds types how many seeds are run.
	SetSeeds struct{ Text string }
	// Replicate runs the scenario with its seed and those after it.
	Replicate struct{}
	// MakeRandom gives a scenario something random, and replicates it.
	MakeRandom struct{ Edit edit.Edit }
)

func (a SetSeeds) on(s *State) []Effect {
	s.Replicates.Seeds = a.Text
	return nil
}

func (Replicate) on(s *State) []Effect {
	n, problem := s.Replicates.Count()
	if problem != "" {
		return nil
	}
	return s.askSweep(&s.Replicates.Sweep, &message.SweepRequest{Replicates: int(n)})
}

func (a MakeRandom) on(s *State) []Effect {
	return append(Try{a.Edit}.on(s), Replicate{}.on(s)...)
}

// NothingRandom says that every seed would give the same run. The engine judges for itself.
func (s *State) NothingRandom() bool {
	for i := range s.Doc.Scenario.Policies {
		ref := &s.Doc.Scenario.Policies[i]
		p := s.Boot.Policy(ref.ID)
		if p == nil || p.Draws == "always" {
			return false
		}
		if q := p.Param(p.Draws); q != nil {
			if value, _ := q.Of(ref); value != false {
				return false
			}
		}
	}
	return len(s.Doc.Drawn()) == 0
}

// RandomFixes are the ways offered where nothing is random, nil when that is not what is wrong.
func (s *State) RandomFixes() []compare.RandomFix {
	if s.Replicates.Code != "no-random-part" && !s.NothingRandom() {
		return nil
	}
	return compare.RandomFixes(s.Doc)
}
