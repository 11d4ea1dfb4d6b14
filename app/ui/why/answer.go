package why

import (
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Answer is the reason for what a question that asks why is about, the job at the first disagreement in the lane that
// the headline tells of, in a line, and its check in another.
type Answer struct{ Why }

// AnswerOf is the answer, nil where the runs do not differ.
func AnswerOf(s *state.Lab) *Answer {
	r := s.Result
	if r.Diff.First < 0 {
		return nil
	}
	return &Answer{Why{Result: r, Boot: s.Boot, Moment: r.Diff.First, Job: r.TellingJob(), Lane: r.Tells,
		Known: s.Asks.At(r, r.Diff.First), Fresh: s.Fresh()}}
}

// Render draws it: the engine's sentence, or what the picture shows while that is not known.
func (a *Answer) Render() app.UI {
	says, check := a.plain(a.Result, a.Lane), ""
	e := a.Known[a.Lane].E
	if c := state.Choice(e, a.Job); c != nil {
		says, check = c.Sentence, checked(e, c)
	}
	claim, rest := Lead(says)
	return Set(El("div.answer|data-test=answer",
		El("p", append([]app.UI{Chip(a.Result, a.Job), Text(" "), Bold(claim)}, Defined(rest)...)...),
		Set(El("p.proof|data-test=check", Say("span", "worth − cost:"), Text(" "), Bold(check)), "hidden",
			Flag(check == ""))), "data-stale", OnOff(!a.Fresh))
}

// checked compares what the two jobs weighed would gain, as figures: worth − cost > worth − cost. It is empty where no
// two were weighed.
func checked(e *message.Explanation, c *message.JobChoice) string {
	worth := figure.ScaleFor(e.Most, e.Unit)
	for i := range c.Sections {
		w := c.Sections[i].Weighed
		if len(w) != 2 {
			continue
		}
		gain := func(p *message.Weighed) string {
			return worth.Number(words.Now(), p.Worth) + " − " + worth.Number(words.Now(), p.Cost)
		}
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
