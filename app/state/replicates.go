package state

import (
	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/core/message"
)

type (
	// SetSeeds types how many seeds are run.
	SetSeeds struct{ Text string }
	// Replicate runs the scenario with its seed and those after it.
	Replicate struct{}
	// MakeRandom gives a scenario something random, and replicates it.
	MakeRandom struct{ Edit edit.Edit }
)

func (a SetSeeds) on(s *State) []Effect {
	s.Replicates.Seeds, s.Replicates.Rev = a.Text, s.Replicates.Rev+1
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
		for k := range p.Params {
			if q := &p.Params[k]; q.Name == p.Draws {
				value, set := ref.Params[q.Name]
				if !set {
					value = q.Default
				}
				if value != false {
					return false
				}
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
