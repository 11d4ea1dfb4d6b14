package ui

import (
	"hadarlab/app/learn"
	"hadarlab/app/state"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// predict says what predicting is, or how the last prediction came out.
func predict(p *learn.Predict) app.UI {
	says := text(words.T("Change one thing, or open a scenario. What comes of it stays covered until you have said what it will be."))
	switch {
	case p.Covered:
		says = text(words.T("The result is covered. The question is at the foot of the window."))
	case p.Verdict != "":
		says = bold(p.Verdict)
	}
	tally := txt("span.mute", "")
	if p.All > 0 {
		tally = txt("span.mute", words.F("{0} of {1} right", itoa(p.Right), itoa(p.All)))
	}
	return el("div.predict|data-test=predict|tabindex=-1|role=group|aria-label=Predict first", el("p", says),
		el("div.ways", tally, button(".btn alters|data-test=predict-stop", "Stop predicting", "stop",
			state.TogglePredict{})))
}

// Ask is the question about what is covered.
type Ask struct {
	Edit  string    // what was done, in a sentence
	Lanes [2]string // titles of the lanes that are compared
}

func askOf(s *state.Lab) *Ask {
	v := &Ask{Edit: s.History.Stands().Sentence}
	for k := range v.Lanes {
		if v.Lanes[k] = s.Doc.Scenario.Policies[k].ID; s.Boot.Policy(v.Lanes[k]) != nil {
			v.Lanes[k] = words.T(s.Boot.Policy(v.Lanes[k]).Title)
		}
	}
	return v
}

// render draws it, at the foot of the window: the edit may be anywhere.
func (q *Ask) render() app.UI {
	side := func(k int) app.UI {
		return on(el("button.btn|type=button|data-test=predict-lane", laneTag(k), text(" "+q.Lanes[k])), "click",
			act(state.Guess{Side: k}), itoa(k))
	}
	return el("div.predict|data-test=predict-ask|role=group|aria-labelledby=predict-ask",
		el("div", txt("p.mute xs", q.Edit), say("p|id=predict-ask", "Which completes its jobs sooner on average?")),
		el("div.ways", side(learn.SideFirst), side(learn.SideSecond),
			button(".btn|data-test=predict-alike", "About the same (within 2 %)", "alike",
				state.Guess{Side: learn.SideAlike}),
			button(".btn|data-kind=quiet|data-test=predict-show", "Just show it", "show", state.Uncover{})))
}
