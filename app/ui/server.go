package ui

import (
	"encoding/json"

	"hadarlab/app/edit"
	"hadarlab/app/platform"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/chart/draw"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// runWords say how far the run under way is: rounds, jobs, and the time left once that can be told.
func runWords(s *state.Lab) string {
	p, left := &s.Run.Progress, leftWords(s)
	at := []string{Itoa(p.Round + 1), Itoa(p.Finished), Itoa(p.Jobs), left}
	switch {
	case p.Jobs == 0 && s.Run.OnServer:
		return words.T("On the server, waiting for its turn")
	case p.Jobs == 0:
		return words.T("Running")
	case left != "":
		return words.F("Round {0}, {1} of {2} jobs done, {3} left", at...)
	}
	return words.F("Round {0}, {1} of {2} jobs done", at...)
}

// leftWords say how long the run may still take, no finer than anybody can know.
func leftWords(s *state.Lab) string {
	n := s.Run.LeftS()
	switch {
	case n == 0:
		return ""
	case n > 5400:
		return words.F("about {0} h", Itoa((n+1800)/3600))
	case n > 90:
		return words.F("about {0} min", Itoa((n+30)/60))
	case n > 10:
		n = (n + 2) / 5 * 5
	}
	return words.F("about {0} s", Itoa(n))
}

// where says where the run under way is and how long it may take. One that is long or large here has a way to the
// server.
func (c *SoFar) where() app.UI {
	switch {
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

// serverProblem says why a run on the server gave nothing, or not all.
func serverProblem(problem string) app.UI {
	return Set(Note("error", Txt("div", problem),
		Button(".btn|data-test=run-here", words.T("Run it here"), "here", state.RunNow{}),
		Button(".btn|data-test=server-again", words.T("Try the server again"), "again", state.RunOnServer{})),
		"data-test", "server-problem")
}

// asJSON hands a request on as it is sent to the server; a document that stands is JSON.
func asJSON(request any, send func(body []byte)) {
	if body, err := json.Marshal(request); err == nil {
		send(body)
	}
}

// serverAnswers takes a message in which the server's answers are told.
func (h *Host) serverAnswers(b []byte) {
	if m, err := message.Decode(b); err == nil {
		h.Guard(func() { h.Do(state.Answer{Message: m}) })
	}
}

// tick tells the time, and what is known of the server where that is asked.
func (h *Host) tick(e state.Clock) {
	h.Do(state.Ticked{Run: e.Run, Ms: platform.Millis(), Takes: e.Ask && platform.TakesRuns(h.S.Boot.Engine)})
}

// SoFar is the picture of a run that takes a while: jobs finished over simulated time, lane by lane. It lies over
// the page, so that nothing moves when it comes and goes.
type SoFar struct {
	Lanes             []string // titles
	Done              []float64
	Jobs              int
	Picture           string // SVG
	Left              string // how long it may still take, "" = unknown
	OnServer, Waiting bool
	Offered, Stopping bool
}

func soFarOf(s *state.Lab) *SoFar {
	r := &s.Run
	lanes := s.Doc.Scenario.Policies
	v := &SoFar{Jobs: r.SoFar.Jobs, Picture: draw.SoFarSVG(words.Now(), &r.SoFar.SoFar), Left: leftWords(s),
		OnServer: r.OnServer, Waiting: r.Progress.Jobs == 0, Offered: r.Offered, Stopping: r.Stopping}
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
