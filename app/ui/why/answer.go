package why

import (
	"slices"

	"hadarlab/app/compare"
	"hadarlab/app/run"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Answer is the reason for what a question that asks why is about, in a line, and its check in another: for the job
// that it names, else for the one at the first disagreement, in the lane that the headline tells of, else in another.
// Where the question is first which lane is better, the headline's claim comes first, and the lane is named.
type Answer struct {
	Result *run.Result
	Which  string // lane is better, and by what, "" = that is not asked
	Job    string
	Lane   int
	Says   string // the engine's sentence
	Check  string
	Fresh  bool
}

// AnswerOf is the answer, nil where there is none: then the finding answers.
func AnswerOf(s *state.Lab) *Answer {
	e, job, lane := state.Answering(s)
	if job == "" {
		return nil
	}
	c, which := state.ChoiceFor(e, job), ""
	if compare.AsksWhich(s.Doc) {
		which = s.Result.Finding.Claim
	}
	return &Answer{s.Result, which, job, lane, c.Sentence, checked(e, c), s.Fresh()}
}

// Render draws it.
func (a *Answer) Render() app.UI {
	var which []app.UI
	if a.Which != "" {
		which = []app.UI{Bold(a.Which), Text(" " + a.Result.Lanes[a.Lane].Title + ": ")}
	}
	claim, rest := Lead(a.Says)
	return Set(El("div.answer|data-test=answer",
		El("p", slices.Concat(which, []app.UI{Chip(a.Result, a.Job), Text(" "), Bold(claim)}, Defined(rest))...),
		Set(a.proof(), "data-test", "check")),
		"data-stale", OnOff(!a.Fresh))
}

// proof is the check of the sentence.
func (a *Answer) proof() app.UI {
	return El("p.proof", Say("span", "utility ÷ rounds − cost:"), Text(" "), Bold(a.Check))
}

// share is a round's worth as the share that it is of a utility, else the worth alone.
func share(p *message.Weighed, worth figure.Scale) string {
	if p.Rounds <= 0 {
		return worth.Number(words.Now(), p.Worth)
	}
	return worth.Number(words.Now(), p.Utility) + " ÷ " + words.Fixed(float64(p.Rounds), 0)
}

// checked compares what the two jobs weighed would gain, as figures: utility ÷ rounds − cost > that of the other.
func checked(e *message.Explanation, c *message.JobChoice) string {
	worth := figure.ScaleFor(e.Most, e.Unit)
	for i := range c.Sections {
		w := c.Sections[i].Weighed
		if len(w) != 2 {
			continue
		}
		gain := func(p *message.Weighed) string { return share(p, worth) + " − " + worth.Number(words.Now(), p.Cost) }
		sign := " > "
		if a, b := w[0].Worth-w[0].Cost, w[1].Worth-w[1].Cost; a < b {
			sign = " < "
		} else if a == b {
			sign = " = "
		}
		return gain(&w[0]) + sign + gain(&w[1])
	}
	return ""
}
