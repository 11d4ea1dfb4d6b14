package lesson

import (
	"hadarlab/app/elm"
	"hadarlab/app/learn"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Predict says what predicting is, or how the last prediction came out.
func Predict(p *learn.Predict) app.UI {
	says := Text(words.T("Change one thing, or open a scenario. What comes of it stays covered until you have said what it will be."))
	switch {
	case p.Covered:
		says = Text(words.T("The result is covered until you have answered."))
	case p.Verdict != "":
		says = Bold(p.Verdict)
	}
	tally := Txt("span.mute", "")
	if p.All > 0 {
		tally = Txt("span.mute", words.F("{0} of {1} right", Itoa(p.Right), Itoa(p.All)))
	}
	return El("div.predict|data-test=predict|tabindex=-1|role=group|aria-label=Predict first", El("p", says),
		El("div.ways", tally, Button(".btn alters|data-test=predict-stop", "Stop predicting", "stop",
			state.TogglePredict{})))
}

// Ask is the question about what is covered.
type Ask struct {
	Edit  string    // what was done, in a sentence
	Lanes [2]string // titles of the lanes that are compared
}

func AskOf(s *state.Lab) *Ask {
	v := &Ask{Edit: s.History.Stands().Sentence}
	for k := range v.Lanes {
		if v.Lanes[k] = s.Doc.Scenario.Policies[k].ID; s.Boot.Policy(v.Lanes[k]) != nil {
			v.Lanes[k] = words.T(s.Boot.Policy(v.Lanes[k]).Title)
		}
	}
	return v
}

// Render draws it. It stands at the foot of the window, as the edit may be anywhere, but for a wide first screen, whose
// number is in sight: there it stands where the answer will be.
func (q *Ask) Render() app.UI {
	side := func(k int) app.UI {
		return elm.On(El("button.btn|type=button|data-test=predict-lane", LaneTag(k), Text(" "+q.Lanes[k])), "click",
			Act(state.Guess{Side: k}), Itoa(k))
	}
	return El("div.predict ask|data-test=predict-ask|role=group|aria-labelledby=predict-ask",
		El("div", Txt("p.mute xs", q.Edit), Say("p|id=predict-ask", "Which completes its jobs sooner on average?")),
		El("div.ways", side(learn.SideFirst), side(learn.SideSecond),
			Button(".btn|data-test=predict-alike", "About the same (within 2 %)", "alike",
				state.Guess{Side: learn.SideAlike}),
			Button(".btn|data-kind=quiet|data-test=predict-show", "Just show it", "show", state.Uncover{})))
}
