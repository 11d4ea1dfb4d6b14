package state

import (
	"io"
	"math"

	"hadarlab/app/compare"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/share"
	"hadarlab/app/words"
	"hadarlab/core/chart/data"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
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

// Comparisons are the sections that run a scenario many times.
type Comparisons struct {
	*room.Shared
	Replicates   compare.Replicates
	Vary         compare.Vary
	WinnerSearch compare.WinnerSearch
}

// Sweep is the many runs of one of the first two sections.
func (s *Comparisons) Sweep(vary bool) *compare.Sweep {
	if vary {
		return &s.Vary.Sweep
	}
	return &s.Replicates.Sweep
}

// askSweep begins a sweep of the document as it stands, if it can be run.
func (s *Lab) askSweep(w *compare.Sweep, req *message.SweepRequest, onServer bool) []Effect {
	if s.Diags.HasErrors() || onServer && !s.Server.Takes || !onServer && s.Engine != room.EngineReady {
		return nil
	}
	return s.begin(w, s.Doc, req, onServer)
}

// begin begins a sweep of a document, here or on the server; one that is under way is given up.
func (s *Comparisons) begin(w *compare.Sweep, d *scenario.Document, req *message.SweepRequest,
	onServer bool) []Effect {
	effects := endSweep(w, true)
	req.Scenario = d.Marshal(false)
	titles, letters := run.Titles(d, s.Boot.WholeTitle)
	*w = compare.Begin(s.Seq(), req, d, titles, letters)
	if w.OnServer = onServer; !onServer {
		return append(effects, room.Ask{Request: &message.Message{ID: w.ID, Sweep: req}})
	}
	// Lanes with forced choices are about one run. The engine leaves them out, and a server runs what it is sent.
	for i := range d.Scenario.Policies {
		if p := &d.Scenario.Policies[i]; len(p.Force) == 0 {
			req.Policies = append(req.Policies, p.Ref())
		}
	}
	return append(effects, SendSweep{w.ID, req})
}

// endSweep ends a sweep that is under way, if one is. Unless all is dropped, the server answers with what it has done.
func endSweep(w *compare.Sweep, drop bool) []Effect {
	switch {
	case w.ID == 0:
		return nil
	case w.OnServer:
		return []Effect{StopSweepOnServer{w.ID, drop}}
	}
	return []Effect{End{ID: w.ID}}
}

// amount is how many runs something would be, and how that comes about.
type amount struct {
	n    int
	says string
}

// amountOf is a run of each policy of a document.
func amountOf(d *scenario.Document, b *room.Boot) amount {
	titles, _ := run.Titles(d, b.WholeTitle)
	return amount{len(titles), words.N(len(titles), "{0} policy", "{0} policies")}
}

func (a *amount) times(n int, says string) { a.n, a.says = a.n*n, says+" × "+a.says }

func (a *amount) String() string { return a.says + " = " + words.N(a.n, "{0} run", "{0} runs") }

// SeedsAmount says how many runs the seeds would be, "" where that is not known yet.
func (s *Comparisons) SeedsAmount(d *scenario.Document) string {
	seeds, problem := s.Replicates.Count()
	if problem != "" {
		return ""
	}
	a := amountOf(d, s.Boot)
	a.times(int(seeds), words.N(int(seeds), "{0} seed", "{0} seeds"))
	return a.String()
}

// answered takes an answer of the engine's; false where it is to something else.
func (s *Comparisons) answered(m *message.Message) (effects []Effect, own bool) {
	switch m.ID {
	case s.Replicates.ID:
		s.sweepAnswered(&s.Replicates.Sweep, m)
	case s.Vary.ID:
		return s.varied(m), true
	case s.WinnerSearch.ID:
		return s.searched(m), true
	default:
		return nil, false
	}
	return nil, true
}

// engineDied says of what the engine was asked for that it will not be answered.
func (s *Comparisons) engineDied(why string) {
	s.Replicates.EngineDied(why)
	s.Vary.EngineDied(why)
	s.WinnerSearch.EngineDied(why)
}

// sweepAnswered takes news of a sweep.
func (s *Comparisons) sweepAnswered(w *compare.Sweep, m *message.Message) {
	if said := w.Answered(m); said != "" {
		s.Spoken = said
	}
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

// lengthNoise is by how many % the lengths of the listed jobs vary from seed to seed; drawn jobs differ anyway.
func (s *Comparisons) lengthNoise(d *scenario.Document) float64 {
	percent, problem := s.Replicates.NoisePercent()
	if problem != "" || d.Scenario.Generator != nil {
		return 0
	}
	return percent
}

// Draws says, a sentence each, what a seed draws anew and what stays; none where every seed gives the same run.
func (s *Comparisons) Draws(d *scenario.Document) (says []string) {
	for _, part := range d.Drawn() {
		switch part {
		case "jobs":
			says = append(says, words.T("Other jobs: other numbers of GPUs, models, lengths and, unless all come at once, arrivals."))
		case "faults":
			says = append(says, words.T("Other failures of nodes, and other repairs."))
		case "lengths":
			says = append(says, words.T("What policies wrongly believe of the jobs' lengths."))
		case "rates":
			says = append(says, words.T("What policies wrongly believe of the speeds."))
		}
	}
	for i := range d.Scenario.Policies {
		if ref := &d.Scenario.Policies[i]; draws(s.Boot, ref) {
			says = append(says, words.F("What {0} decides by chance.", run.Short(s.Boot.WholeTitle(ref.ID))))
		}
	}
	if e := s.lengthNoise(d) / 100; e > 0 {
		says = append(says, words.F(
			"The jobs stay as they are listed, but each takes longer or shorter, on every GPU alike: a factor for each job, two in three between {0} and {1}. Policies are told these lengths as they are told any.",
			words.Fixed(math.Exp(-e), 2), words.Fixed(math.Exp(e), 2)))
	}
	return says
}

// draws says whether a lane's policy draws anything. The engine judges for itself.
func draws(b *room.Boot, ref *scenario.Policy) bool {
	p := b.Policy(ref.ID)
	if p == nil || p.Draws == "always" {
		return true
	}
	if q := p.Param(p.Draws); q != nil {
		value, _ := q.Of(ref)
		return value != false
	}
	return false
}
