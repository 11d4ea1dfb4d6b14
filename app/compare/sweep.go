package compare

import (
	"slices"

	"hadarlab/app/words"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
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
	OnServer bool
	Problem  words.Text // why it gave nothing, or no more
	Fix      words.Text // of it

	ID   int64                // of the request under way, 0 = none
	docs []*scenario.Document // the one it is of, and those that were opened from its points
}

// Busy says whether runs are still to come.
func (w *Sweep) Busy() bool { return w.ID != 0 }

// Runs is how many runs have come.
func (w *Sweep) Runs() int {
	n := 0
	for i := range w.Points {
		n += len(w.Points[i].Runs)
	}
	return n
}

// Stale says that what has come is of another document than this one.
func (w *Sweep) Stale(d *scenario.Document) bool { return !slices.Contains(w.docs, d) }

// Doc is the document that it is of.
func (w *Sweep) Doc() *scenario.Document { return w.docs[0] }

// Opened says that a document is one of its points.
func (w *Sweep) Opened(d *scenario.Document) { w.docs = append(w.docs, d) }

// Begin is a sweep that has just been asked for under a number, of a document's lanes with these titles and letters.
func Begin(id int64, req *message.SweepRequest, d *scenario.Document, titles, letters []string) Sweep {
	runs := len(titles) * max(1, req.Replicates)
	for i := range req.Vary {
		runs *= len(req.Vary[i].Values)
	}
	return Sweep{Open: true, Request: req, Titles: titles, Letters: letters, At: message.SweepProgress{Runs: runs},
		ID: id, docs: []*scenario.Document{d}}
}

// Answered takes the engine's news, and says how the sweep ended, "" = it goes on.
func (w *Sweep) Answered(m *message.Message) (said string) {
	switch {
	case m.Swept != nil:
		w.take(m.Swept)
		if !m.Swept.Over {
			return ""
		}
		w.Over = !m.Swept.Stopped
		said = words.T("All runs are done.")
		if m.Swept.Stopped {
			said = words.T("Stopped. What was simulated is shown.")
		}
	case m.Failure != nil && !w.Stopping:
		if w.Problem = m.Failure.Why(); w.OnServer {
			w.Problem = words.Say("The server refused: {0}", w.Problem)
			if m.Failure.Message == "" && len(m.Failure.Diagnostics) == 0 {
				w.Problem = words.Say("The server cannot be reached.")
			}
		}
		said = w.Problem.In(words.Now())
		if len(m.Failure.Diagnostics) > 0 {
			w.Fix = m.Failure.Diagnostics[0].Fix
		}
	}
	w.ID, w.Stopping = 0, false
	return said
}

// take adds the new runs to a copy: views compare the points with those that they show.
func (w *Sweep) take(n *message.SweepNews) {
	w.At, w.Points = n.SweepProgress, slices.Clone(w.Points)
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

// EngineDied ends a sweep whose engine died; that of the server goes on.
func (w *Sweep) EngineDied(why string) {
	if w.ID != 0 && !w.OnServer {
		w.ID, w.Stopping, w.Problem = 0, false, words.Own(why)
	}
}
