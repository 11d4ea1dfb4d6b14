package state

import (
	"io"

	"hadarlab/app/compare"
	"hadarlab/app/room"
	"hadarlab/app/share"
	"hadarlab/app/words"
	"hadarlab/core/chart/data"
	"hadarlab/core/message"
	"hadarlab/core/unit"
)

type (
	// StopSweep ends a sweep; what is done stays.
	StopSweep struct{ Vary bool }
	// ToggleSweep shows or hides a section.
	ToggleSweep struct{ Vary bool }
	// SaveSweep hands out the runs as CSV, in the columns of the command line, or as a picture's specification.
	SaveSweep struct{ Vary, Vega bool }
)

// askSweep begins a sweep of the document as it stands, if it can be run.
func (s *Lab) askSweep(w *compare.Sweep, req *message.SweepRequest, onServer bool) []Effect {
	if s.Diags.HasErrors() || onServer && (!s.Server.Takes || s.Doc.Recorded()) ||
		!onServer && s.Engine != room.EngineReady {
		return nil
	}
	return s.begin(w, s.Doc, req, onServer)
}

func (a StopSweep) on(s *Lab) []Effect {
	w := s.Sweep(a.Vary)
	if w.ID == 0 || w.Stopping {
		return nil
	}
	w.Stopping = true
	return endSweep(w, false)
}

func (a ToggleSweep) on(s *Lab) []Effect {
	w := s.Sweep(a.Vary)
	w.Open = !w.Open
	if !w.Open {
		return nil
	}
	shows := room.PartReplicates
	if a.Vary {
		shows = room.PartVary
	}
	return []Effect{AskServer{}, Reveal{shows}}
}

func (a SaveSweep) on(s *Lab) []Effect {
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
	if !a.Vega {
		return []Effect{room.Download{Name: s.fileName() + name + ".csv", Type: "text/csv", Data: share.RunsCSV(w)}}
	}
	return s.file(name, ".json", w.Runs(), func(out io.Writer, _ unit.Pace) error {
		return data.Sweep(w.Request.Vary, w.Points).Vega(out, words.Now(), s.Boot.TitleOf(s.Doc))
	})
}

type (
	// SetSeeds types how many seeds are run.
	SetSeeds struct{ Text string }
	// Replicate runs the scenario with its seed and those after it.
	Replicate struct{ OnServer bool }
	// SetNoise types by how many % the lengths of listed jobs vary.
	SetNoise struct{ Text string }
)

func (a SetSeeds) on(s *Lab) []Effect {
	s.Replicates.Seeds = a.Text
	return nil
}

func (a Replicate) on(s *Lab) []Effect {
	n, _ := s.Replicates.Count()
	if s.Replicates.SeedsProblem() != "" {
		return nil
	}
	return s.askSweep(&s.Replicates.Sweep, &message.SweepRequest{Replicates: int(n),
		LengthNoise: s.lengthNoise(s.Doc) / 100}, a.OnServer)
}

func (a SetNoise) on(s *Lab) []Effect {
	s.Replicates.Noise = a.Text
	return nil
}
