package message

import "hadarlab/core/words"

// Window is what a run with a window of jobs has measured: figures of jobs are theirs alone, and GPU time is the whole
// cluster's from FromS to ToS.
type Window struct {
	From    int     `json:"from"`               // jobs that arrive before the first of them
	Jobs    int     `json:"jobs"`               // how many they are
	FromS   float64 `json:"from_s"`             // when the first of them arrives
	ToS     float64 `json:"to_s"`               // when the last of them ends, or the run
	CutOff  int     `json:"cut_off"`            // other jobs that had arrived by then, and had not finished
	ClosedS float64 `json:"closed_s,omitempty"` // for how long before ToS no job was left to arrive
}

// Says tells what was measured, a sentence each.
func (w *Window) Says() []words.Text {
	says := []words.Text{words.Say(
		"Measured are jobs {0} to {1} by arrival. GPU time is the whole cluster’s, from the first arrival among them on.",
		w.From+1, w.From+w.Jobs)}
	if w.CutOff > 0 {
		says = append(says, words.Count(w.CutOff, "At the end {0} other job was there, which is cut off.",
			"At the end {0} other jobs were there, which are cut off."))
	}
	if w.ClosedS > 0 {
		says = append(says, words.Say(
			"The last job of all had arrived before, so that the cluster emptied; with more jobs it stays open."))
	}
	return says
}

// Span is where the rows of the jobs that are measured begin and end: all of them without a window.
func (l *Lane) Span() (from, to int) {
	if w := l.Window; w != nil && w.From >= 0 && w.Jobs > 0 && w.Jobs <= len(l.Jobs)-w.From {
		return w.From, w.From + w.Jobs
	}
	return 0, len(l.Jobs)
}

// Counted are the rows of the jobs that are measured.
func (l *Lane) Counted() []JobRow {
	from, to := l.Span()
	return l.Jobs[from:to]
}
