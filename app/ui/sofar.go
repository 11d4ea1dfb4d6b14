package ui

import (
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/chart/draw"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// SoFar is the picture of a run that takes a while: jobs finished over simulated time, lane by lane. It lies over
// the page, so that nothing moves when it comes and goes.
type SoFar struct {
	Lanes             []string // titles
	Done              []float64
	Jobs              int
	Picture           string // SVG
	Left              string // how long it may still take, "" = unknown
	OnServer, Waiting bool
	Loading           string // what it waits for, "" = nothing
	Offered, Stopping bool
}

func soFarOf(s *state.Lab) *SoFar {
	r := &s.Run
	lanes := s.Doc.Scenario.Policies
	v := &SoFar{Jobs: r.SoFar.Jobs, Picture: draw.SoFarSVG(words.Now(), &r.SoFar.SoFar), Left: leftWords(s),
		OnServer: r.OnServer, Waiting: r.Progress.Jobs == 0, Offered: r.Offered, Stopping: r.Stopping}
	if s.Engine == room.EngineLoading {
		v.Loading = runWords(s)
	}
	for i := range min(len(lanes), len(r.SoFar.Lanes)) {
		v.Lanes, v.Done = append(v.Lanes, s.Boot.PolicyTitle(lanes[i].ID)), append(v.Done, r.SoFar.Lanes[i].Max())
	}
	return v
}

// Render draws the card.
func (c *SoFar) Render() app.UI {
	kids := []app.UI{Say("b", "Jobs finished so far")}
	for i := range c.Lanes {
		kids = append(kids, El("span", LaneTag(i), Text(" "+c.Lanes[i]+" "),
			Bold(words.F("{0} of {1}", edit.FormatNumber(c.Done[i]), edit.FormatNumber(float64(c.Jobs))))))
	}
	kids = []app.UI{El("div.names|aria-hidden=true", kids...), app.Raw(c.Picture), c.where()}
	return El("aside.sofar|data-test=so-far|aria-label=Run under way", kids...)
}

// where says where the run under way is and how long it may take. One that is long or large here has a way to the
// server.
func (c *SoFar) where() app.UI {
	switch {
	case c.Loading != "":
		return Txt("p", c.Loading)
	case c.OnServer && c.Waiting:
		return Say("p", "On the server, waiting for its turn")
	case c.OnServer && c.Left == "":
		return Say("p", "On the server")
	case c.OnServer:
		return Txt("p", words.F("On the server, {0} left", c.Left))
	case c.Left == "" && !c.Offered || c.Stopping:
		return Txt("p", "")
	case !c.Offered:
		return Txt("p", words.F("{0} left", c.Left))
	}
	why := words.T("This run is large for a browser tab.")
	if c.Left != "" {
		why = words.F("This run may take {0} more here.", c.Left)
	}
	return El("div.offer|data-test=offer", Txt("p", why),
		Button(".btn|data-kind=primary|data-test=run-on-server", words.T("Run on the server"), "away",
			state.RunOnServer{}))
}
