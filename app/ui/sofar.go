package ui

import (
	"hadarlab/app/edit"
	"hadarlab/core/chart/draw"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// SoFar is the picture of a run that takes a while: jobs finished over simulated time, lane by lane. It lies over
// the page, so that nothing moves when it comes and goes.
type SoFar struct {
	H      *Host
	Run    int64
	Points int
	Said   string
	Offer  bool
}

// render draws the card.
func (c *SoFar) render() app.UI {
	r := &c.H.S.Run
	lanes := c.H.S.Doc.Scenario.Policies
	kids := []app.UI{say("b", "Jobs finished so far")}
	for i := range min(len(lanes), len(r.SoFar.Lanes)) {
		done := r.SoFar.Lanes[i].Max()
		kids = append(kids, el("span", laneTag(i), text(" "+c.H.S.PolicyTitle(lanes[i].ID)+" "),
			bold(words.F("{0} of {1}", edit.FormatNumber(done), edit.FormatNumber(float64(r.SoFar.Jobs))))))
	}
	kids = []app.UI{el("div.names|aria-hidden=true", kids...), app.Raw(draw.SoFarSVG(&r.SoFar.SoFar)), c.H.runsWhere()}
	return el("aside.sofar|data-test=so-far|aria-label=Run under way", kids...)
}
