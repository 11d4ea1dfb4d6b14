package ui

import (
	"hadarlab/app/room"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
)

// Standing is how things stand, in a word or two.
type Standing struct {
	Status  string // of the state
	Said    string // how far the run under way is
	Stopped bool
	Faults  int // of the scenario
	Lanes   int // of the result
	Ran     int // of these
}

func standingOf(s *state.Lab) Standing {
	return Standing{s.Status(), runWords(s), s.Run.Stopped, s.Faults(), len(s.Result.Lanes), len(s.Result.Ran())}
}

// words say it.
func (s *Standing) words() string {
	switch s.Status {
	case "static":
		return words.T("Ready-made result")
	case "loading":
		return words.T("Starting the engine")
	case "running":
		return s.Said
	case "stale":
		if s.Stopped {
			return words.T("Stopped")
		}
		return words.T("Not up to date")
	case "error":
		if s.Faults > 0 {
			return words.Plural(s.Faults, "error")
		}
		return words.T("Run failed")
	}
	if s.Ran < s.Lanes {
		return words.F("Ready, {0} of {1} runs", Itoa(s.Ran), Itoa(s.Lanes))
	}
	return words.F("Ready, {0}", words.Plural(s.Ran, "run"))
}

// runWords say how far the run under way is: rounds, jobs, and the time left once that can be told.
func runWords(s *state.Lab) string {
	p, left := &s.Run.Progress, leftWords(s)
	at := []string{Itoa(p.Round + 1), Itoa(p.Finished), Itoa(p.Jobs), left}
	switch {
	case p.Jobs == 0 && s.Run.OnServer:
		return words.T("On the server, waiting for its turn")
	case s.Engine == room.EngineLoading:
		return words.T("Loading the engine for programs: 2 MB, once")
	case p.Jobs == 0:
		return words.T("Running")
	case left != "":
		return words.F("Round {0}, {1} of {2} jobs done, {3} left", at...)
	}
	return words.F("Round {0}, {1} of {2} jobs done", at...)
}

// leftWords say how long the run may still take, no finer than anybody can know.
func leftWords(s *state.Lab) string {
	n := s.Run.LeftS()
	switch {
	case n == 0:
		return ""
	case n > 5400:
		return words.F("about {0} h", Itoa((n+1800)/3600))
	case n > 90:
		return words.F("about {0} min", Itoa((n+30)/60))
	case n > 10:
		n = (n + 2) / 5 * 5
	}
	return words.F("about {0} s", Itoa(n))
}
