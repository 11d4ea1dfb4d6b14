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
	Moment int
	Says   string // the engine's sentence
	Note   string // what it says besides, where no two jobs are weighed
	Check  string // "" = no two jobs are weighed
	By     string // what the lane's policy goes by then, as its reasons say it, "" = they do not
	Fresh  bool
}

// AnswerOf is the answer, nil where there is none: then the finding answers.
func AnswerOf(s *state.Lab) *Answer {
	a := state.Answering(s)
	if a.Job == "" {
		return nil
	}
	v := &Answer{Result: s.Result, Job: a.Job, Lane: a.Lane, Moment: a.Moment, Says: a.Choice.Sentence,
		Fresh: s.Fresh()}
	if compare.AsksWhich(s.Doc) {
		v.Which = s.Result.Finding.Claim
	}
	if a.Weighed {
		v.Check = checked(a.E, a.Choice)
		return v
	}
	if i := slices.IndexFunc(a.Choice.Sections, func(p message.Section) bool { return p.Note != "" }); i >= 0 {
		v.Note = a.Choice.Sections[i].Note
	}
	if i := slices.IndexFunc(a.E.Sections, func(p message.Section) bool { return p.Title != "" && !p.Folded }); i >= 0 {
		v.By = a.E.Sections[i].Title
	}
	return v
}

// Render draws it.
func (a *Answer) Render() app.UI {
	var which []app.UI
	if a.Which != "" {
		which = []app.UI{Bold(a.Which), Text(" " + a.Result.Lanes[a.Lane].Title + ": ")}
	}
	if a.Moment != a.Result.Diff.First {
		which = append(which, Text(words.F("In round {0}:", Itoa(a.Moment+1))+" "))
	}
	claim, rest := Lead(a.Says)
	if a.Note != "" {
		rest += " " + a.Note
	}
	return Set(El("div.answer|data-test=answer",
		El("p", slices.Concat(which, []app.UI{Chip(a.Result, a.Job), Text(" "), Bold(claim)}, Defined(rest))...),
		Set(a.proof(), "data-test", "check")),
		"data-stale", OnOff(!a.Fresh))
}

// proof is the check of the sentence, or what the policy goes by that weighs no two jobs.
func (a *Answer) proof() app.UI {
	switch title := a.Result.Lanes[a.Lane].Title; {
	case a.Check == "" && a.By == "":
		return Txt("p.proof", words.F("{0} weighs no two jobs against each other here.", title))
	case a.Check == "":
		return Txt("p.proof", words.F("What {0} goes by: {1}.", title, a.By))
	}
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
