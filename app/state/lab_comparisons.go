package state

import (
	"math"
	"strconv"
	"strings"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/message"
	"hadarlab/core/program"
	"hadarlab/core/scenario"
)

// Comparisons are the sections that run a scenario many times.
type Comparisons struct {
	*room.Shared
	Replicates   compare.Replicates
	Vary         compare.Vary
	WinnerSearch compare.WinnerSearch
	Trials       compare.Trials // of a program
}

// Sweep is the many runs of one of the first two sections.
func (s *Comparisons) Sweep(vary bool) *compare.Sweep {
	if vary {
		return &s.Vary.Sweep
	}
	return &s.Replicates.Sweep
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

// answered takes an answer of the engine's; false where it is to something else.
func (s *Comparisons) answered(m *message.Message) (effects []Effect, own bool) {
	switch m.ID {
	case s.Replicates.ID:
		s.sweepAnswered(&s.Replicates.Sweep, m)
	case s.Vary.ID:
		return s.varied(m), true
	case s.WinnerSearch.ID:
		return s.searched(m), true
	case s.Trials.ID:
		return s.tried(m), true
	default:
		return nil, false
	}
	return nil, true
}

// sweepAnswered takes news of a sweep.
func (s *Comparisons) sweepAnswered(w *compare.Sweep, m *message.Message) {
	if said := w.Answered(m); said != "" {
		s.Announcement = said
	}
}

// varied takes news of the varied number.
func (s *Comparisons) varied(m *message.Message) []Effect {
	first := len(s.Vary.Points) == 0
	s.sweepAnswered(&s.Vary.Sweep, m)
	if first && len(s.Vary.Points) > 0 {
		return []Effect{Reveal{room.PartVarySays}}
	}
	return nil
}

// searched takes news of the value under way.
func (s *Comparisons) searched(m *message.Message) []Effect {
	h := &s.WinnerSearch
	if !h.Tried(m) {
		return nil
	}
	var effects []Effect
	value, first := h.Next()
	if first {
		effects = []Effect{Reveal{room.PartWinnersSays}}
	}
	if value != nil {
		h.ID = s.Seq()
		return append(effects, room.Ask{Request: &message.Message{ID: h.ID, Sweep: value}})
	}
	if h.Over {
		s.Announcement = words.T("All numbers are tried.")
	}
	return effects
}

// tryNext asks for the next case of a test.
func (s *Comparisons) tryNext() []Effect {
	next := s.Trials.Next()
	if next == nil {
		s.Announcement = words.F("The program is tested: it comes through {0} of {1} cases.",
			strconv.Itoa(s.Trials.Sound()), strconv.Itoa(len(s.Trials.Cases)))
		return nil
	}
	s.Trials.ID = s.Seq()
	return []Effect{room.Ask{Request: &message.Message{ID: s.Trials.ID, Sweep: next}}}
}

// tried takes news of the case under way.
func (s *Comparisons) tried(m *message.Message) []Effect {
	if s.Trials.Answered(m) {
		return s.tryNext()
	}
	return nil
}

// engineDied says of what the engine was asked for that it will not be answered.
func (s *Comparisons) engineDied(why string) {
	s.Replicates.EngineDied(why)
	s.Vary.EngineDied(why)
	s.WinnerSearch.EngineDied(why)
	s.Trials.EngineDied(why)
}

// reword names lanes and numbers of what has been run many times anew.
func (s *Comparisons) reword() {
	v := &s.Vary
	for _, w := range []*compare.Sweep{&s.Replicates.Sweep, &v.Sweep, &s.WinnerSearch.Sweep} {
		if w.Request != nil {
			w.Titles, w.Letters = run.Titles(w.Doc(), s.Boot.WholeTitle)
		}
	}
	if v.Request != nil {
		names := edit.Variables(v.Doc(), s.Boot.Params)
		for i := range v.Request.Vary {
			v.Variables[i] = edit.VariableAt(names, v.Request.Vary[i].Path)
		}
	}
	if h := &s.WinnerSearch; len(h.Tries) > 0 {
		names := edit.Variables(h.Doc(), s.Boot.Params)
		for i := range h.Tries {
			h.Tries[i].Variable = edit.VariableAt(names, h.Tries[i].Path)
		}
	}
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
		case "stragglers":
			says = append(says, words.T("Other nodes that are slow, at other times."))
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
	name, choice, chosen := strings.Cut(p.Draws, "=")
	if q := p.Param(name); q != nil {
		value, _ := q.Of(ref)
		switch src, is := value.(string); {
		case chosen:
			return value == choice
		case is:
			return program.Mentions(src, "random")
		}
		return value != false
	}
	return false
}
