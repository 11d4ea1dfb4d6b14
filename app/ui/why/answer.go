package why

import (
	"hadarlab/app/run"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Answer is the reason for what a question that asks why is about, the job at the first disagreement in the lane that
// the headline tells of, in a line, and its check in another.
type Answer struct {
	Result *run.Result
	Job    string
	Says   string // the engine's sentence
	Check  string
	Fresh  bool
}

// AnswerOf is the answer, nil where the engine has not weighed that job against another: then the finding answers.
func AnswerOf(s *state.Lab) *Answer {
	r := s.Result
	if r.Diff.First < 0 {
		return nil
	}
	job, e := r.TellingJob(), s.Asks.At(r, r.Diff.First)[r.Tells].E
	c := state.Choice(e, job)
	if c == nil || checked(e, c) == "" {
		return nil
	}
	return &Answer{Result: r, Job: job, Says: c.Sentence, Check: checked(e, c), Fresh: s.Fresh()}
}

// Render draws it.
func (a *Answer) Render() app.UI {
	claim, rest := Lead(a.Says)
	return Set(El("div.answer|data-test=answer",
		El("p", append([]app.UI{Chip(a.Result, a.Job), Text(" "), Bold(claim)}, Defined(rest)...)...),
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

// checked compares what the two jobs weighed would gain, as figures: utility ÷ rounds − cost > that of the other. It
// is empty where no two were weighed.
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
