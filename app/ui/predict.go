package ui

import (
	"hadarlab/app/learn"
	"hadarlab/app/state"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// predict says what predicting is, or how the last prediction came out.
func (h *Host) predict() app.UI {
	p := &h.S.Predict
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
		el("div.ways", tally, h.button(".btn alters|data-test=predict-stop", "Stop predicting", "stop",
			state.TogglePredict{})))
}

// ask is the question about what is covered. It stands at the foot of the window: the edit may be anywhere.
func (h *Host) ask() app.UI {
	side := func(k int) app.UI {
		title := h.S.Doc.Scenario.Policies[k].ID
		if info := h.S.Boot.Policy(title); info != nil {
			title = words.T(info.Title)
		}
		return on(el("button.btn|type=button|data-test=predict-lane", laneTag(k), text(" "+title)), "click",
			h.on(state.Guess{Side: k}), itoa(k))
	}
	return el("div.predict|data-test=predict-ask|role=group|aria-labelledby=predict-ask",
		el("div", txt("p.mute xs", h.S.History.Entries[h.S.History.Pos].Sentence),
			say("p|id=predict-ask", "Which completes its jobs sooner on average?")),
		el("div.ways", side(learn.SideFirst), side(learn.SideSecond),
			h.button(".btn|data-test=predict-alike", "About the same (within 2 %)", "alike",
				state.Guess{Side: learn.SideAlike}),
			h.button(".btn|data-kind=quiet|data-test=predict-show", "Just show it", "show", state.Uncover{})))
}
