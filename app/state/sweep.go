package state

import (
	"hadarlab/app/edit"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// Sweep is many runs that were asked for: of one scenario with several seeds, or of one whose numbers vary. Points
// that have come stay when it is stopped or fails.
type Sweep struct {
	Open     bool // its section is shown
	Request  *message.SweepRequest
	Titles   []string // of the lanes, and their letters; those with forced choices are about one run and left out
	Letters  []string
	Points   []message.SweepPoint
	At       message.SweepProgress
	Over     bool // it has run to its end
	Stopping bool
	Problem  words.Text // why it gave nothing, or no more
	Code     string     // of the finding behind Problem
	Fix      words.Text // of it, in words
	Rev      int64      // raised by every answer

	id   int64                // of the request under way, 0 = none
	docs []*scenario.Document // the one it is of, and those that were opened from its points
}

// Busy says whether runs are still to come.
func (w *Sweep) Busy() bool { return w.id != 0 }

// Runs is how many runs have come.
func (w *Sweep) Runs() int {
	n := 0
	for i := range w.Points {
		n += len(w.Points[i].Runs)
	}
	return n
}

// Stale says that what has come is of another scenario than the one that stands.
func (s *State) Stale(w *Sweep) bool {
	for _, d := range w.docs {
		if d == s.Doc {
			return false
		}
	}
	return true
}

type (
	// StartSweep asks the engine for many runs.
	StartSweep struct {
		ID      int64
		Request *message.SweepRequest
	}
	// StopSweep ends a sweep; what is done stays.
	StopSweep struct{ Vary bool }
	// ToggleSweep shows or hides a section.
	ToggleSweep struct{ Vary bool }
	// SaveSweep hands out the runs as CSV, in the columns of the command line.
	SaveSweep struct{ Vary bool }
)

func (StartSweep) effect() {}

func (s *State) sweep(vary bool) *Sweep {
	if vary {
		return &s.Vary.Sweep
	}
	return &s.Replicates.Sweep
}

// askSweep begins a sweep of the document as it stands; one that is under way is given up.
func (s *State) askSweep(w *Sweep, req *message.SweepRequest) []Effect {
	if s.Engine != EngineReady || s.Diags.HasErrors() {
		return nil
	}
	var effects []Effect
	if w.id != 0 {
		effects = append(effects, CancelRun{w.id})
	}
	req.Scenario = s.Doc.Marshal(false)
	titles, letters := s.laneTitles()
	runs := len(titles) * max(1, req.Replicates)
	for i := range req.Vary {
		runs *= len(req.Vary[i].Values)
	}
	*w = Sweep{Open: true, Request: req, Titles: titles, Letters: letters, At: message.SweepProgress{Runs: runs},
		Rev: w.Rev + 1, id: s.seq(), docs: []*scenario.Document{s.Doc}}
	return append(effects, StartSweep{w.id, req})
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
		seeds, problem := edit.ParseNumber(s.Replicates.Seeds, seedRange)
		if problem != "" {
			return ""
		}
		by(int(seeds), words.N(int(seeds), "{0} seed", "{0} seeds"))
	}
	return said + " = " + words.N(n, "{0} run", "{0} runs")
}

// laneTitles are the document's lanes as results call them, but for those with forced choices.
func (s *State) laneTitles() (titles, letters []string) {
	var lanes []*Lane
	for i := range s.Doc.Scenario.Policies {
		if p := &s.Doc.Scenario.Policies[i]; len(p.Force) == 0 {
			lanes, letters = append(lanes, &Lane{Policy: p.Ref(), Title: Short(s.title(p.ID))}),
				append(letters, edit.LaneLetter(i))
		}
	}
	nameTwins(lanes)
	for _, l := range lanes {
		titles = append(titles, l.Title)
	}
	return titles, letters
}

// sweepAnswered takes news of a sweep.
func (s *State) sweepAnswered(w *Sweep, m *message.Message) []Effect {
	w.Rev++
	switch {
	case m.Swept != nil:
		w.take(m.Swept)
		if !m.Swept.Over {
			return nil
		}
		w.Over = !m.Swept.Stopped
		s.Spoken = words.T("All runs are done.")
		if m.Swept.Stopped {
			s.Spoken = words.T("Stopped. What was simulated is shown.")
		}
	case m.Failure != nil && !w.Stopping:
		w.Problem = m.Failure.Why()
		s.Spoken = w.Problem.Local()
		if len(m.Failure.Diagnostics) > 0 {
			w.Code, w.Fix = m.Failure.Diagnostics[0].Code, m.Failure.Diagnostics[0].Fix
		}
	}
	w.id, w.Stopping = 0, false
	return nil
}

// take adds the new runs.
func (w *Sweep) take(n *message.SweepNews) {
	w.At = n.SweepProgress
	for i := range n.Points {
		p := n.Points[i]
		if at := n.From + i; at < len(w.Points) {
			was := &w.Points[at]
			was.Runs, was.Summary = append(was.Runs, p.Runs...), p.Summary
		} else {
			w.Points = append(w.Points, p)
		}
	}
}

// fall ends a sweep whose engine died.
func (w *Sweep) engineDied(why string) {
	if w.id != 0 {
		w.id, w.Stopping, w.Problem, w.Rev = 0, false, words.Own(why), w.Rev+1
	}
}

func (a StopSweep) on(s *State) []Effect {
	w := s.sweep(a.Vary)
	if w.id == 0 || w.Stopping {
		return nil
	}
	w.Stopping, w.Rev = true, w.Rev+1
	return []Effect{CancelRun{w.id}}
}

func (a ToggleSweep) on(s *State) []Effect {
	w := s.sweep(a.Vary)
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
	w := s.sweep(a.Vary)
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
	return []Effect{Download{s.fileName() + name + ".csv", "text/csv", w.CSV()}}
}

// CSV is one row a run: the values of its point, then the columns of the command line.
func (w *Sweep) CSV() []byte {
	var b []byte
	line := func(cells []string) {
		for i, c := range cells {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, c...)
		}
		b = append(b, '\n')
	}
	var head []string
	for i := range w.Request.Vary {
		head = append(head, csvText(w.Request.Vary[i].Path))
	}
	line(append(head, message.RunHead()...))
	for i := range w.Points {
		var at []string
		for _, v := range w.Points[i].Values {
			at = append(at, message.Number(v))
		}
		for k := range w.Points[i].Runs {
			line(append(at[:len(at):len(at)], w.Points[i].Runs[k].Row()...))
		}
	}
	return b
}
