package class

import (
	"slices"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// Homework is the phase of a class that nobody leads: it opens and closes by the server's clock, and between these each
// student goes at their own pace. It is in no plan. Closed follows, when the teacher releases the feedback.
const Homework Phase = "homework"

// Bounds of a homework, in ms. Both together are less than a class is kept.
const (
	day         = 24 * 60 * 60 * 1000
	maxHomework = 28 * day // from opening to closing
	maxAhead    = 28 * day // from its beginning to opening
)

// Hours are when a homework opens and closes: the server's clock, Unix time in milliseconds, both 0 in a class that is
// led.
type Hours struct {
	OpensMS  int64 `json:"opens_ms,omitempty"`
	ClosesMS int64 `json:"closes_ms,omitempty"`
}

// Homework says that there are hours: the class is, or was, a homework.
func (h Hours) Homework() bool { return h.ClosesMS != 0 }

// Ahead, Open and Over say where a moment lies: before a homework opens, in it, or when it has closed.
func (h Hours) Ahead(nowMS int64) bool { return h.Homework() && nowMS < h.OpensMS }
func (h Hours) Open(nowMS int64) bool  { return nowMS >= h.OpensMS && nowMS < h.ClosesMS }
func (h Hours) Over(nowMS int64) bool  { return h.Homework() && nowMS >= h.ClosesMS }

// Next is the moment at which a homework opens or closes next, 0 = it has closed.
func (h Hours) Next(nowMS int64) int64 {
	switch {
	case nowMS < h.OpensMS:
		return h.OpensMS
	case nowMS < h.ClosesMS:
		return h.ClosesMS
	}
	return 0
}

// Check says what is wrong with the hours of a homework that begins, or is given others, at a moment.
func (h Hours) Check(nowMS int64) jsondoc.Diagnostics {
	var f findings
	const days = maxHomework / day
	switch {
	case h.ClosesMS == 0:
		f.fail("/closes_ms", "missing-member", words.Say("a homework has no closing time"),
			words.Say("say when it closes, at most {0} days after it opens", days))
	case h.OpensMS-nowMS > maxAhead:
		f.fail("/opens_ms", "too-late", words.Say("it opens more than {0} days from now", maxAhead/day),
			words.Say("choose an earlier opening time, or begin it later"))
	case h.ClosesMS <= h.OpensMS:
		f.fail("/closes_ms", "closes-first", words.Say("it closes before it opens, or just then"),
			words.Say("choose a closing time after the opening time"))
	case h.ClosesMS <= nowMS:
		f.fail("/closes_ms", "closed-already", words.Say("its closing time is past"),
			words.Say("choose a closing time that is still to come"))
	case h.ClosesMS-h.OpensMS > maxHomework:
		f.fail("/closes_ms", "too-long", words.Say("it is open for more than {0} days", days),
			words.Say("choose a closing time at most {0} days after the opening time", days))
	}
	return jsondoc.Diagnostics(f)
}

// Pace is what a student does in a homework, one after another. It is never kept: it follows from what they have
// handed in.
type Pace string

// The paces. Nothing is handed in for OwnRun, in which a student looks at what their own device runs; it is over with
// the first thing that is handed in after it.
const (
	OwnPredict Pace = "predict"
	OwnRun     Pace = "run"
	OwnChange  Pace = "change"
	OwnWrite   Pace = "write"
	OwnDone    Pace = "done"
)

// Paces are those that an assignment has, in their order.
func (a *Assignment) Paces() (all []Pace) {
	if len(a.Questions) > 0 {
		all = append(all, OwnPredict)
	}
	all = append(all, OwnRun)
	if a.Task != nil {
		all = append(all, OwnChange)
	}
	if a.Explain != "" {
		all = append(all, OwnWrite)
	}
	return append(all, OwnDone)
}

// Pace is where a student is who has handed these in: at the first of the assignment's paces that lacks its entry.
func (a *Assignment) Pace(mine []Entry) Pace {
	has := func(kind string) bool { return slices.ContainsFunc(mine, func(e Entry) bool { return e.Kind == kind }) }
	for _, p := range a.Paces() {
		switch {
		case p == OwnPredict && !has(Answers):
			return p
		case p == OwnRun && (a.Task != nil || a.Explain != "") && !has(Submission) && !has(Sentence):
			return p
		case p == OwnChange && !has(Submission):
			return p
		case p == OwnWrite && !has(Sentence):
			return p
		}
	}
	return OwnDone
}

// Unjudged are a student's entries without what the server found of them, which is told with the feedback: no verdict,
// and no figures, which may be its own.
func Unjudged(mine []Entry) []Entry {
	out := slices.Clone(mine)
	for i := range out {
		out[i].Verdict, out[i].Lanes, out[i].Races = "", nil, nil
	}
	return out
}
