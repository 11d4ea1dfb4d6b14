package ui

import (
	"encoding/json"
	"time"

	"hadarlab/app/edit"
	"hadarlab/app/platform"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/core/chart/draw"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// runWords say how far the run under way is: rounds, jobs, and the time left once that can be told.
func runWords(s *state.State) string {
	p, left := &s.Run.Progress, leftWords(s)
	at := []string{itoa(p.Round + 1), itoa(p.Finished), itoa(p.Jobs), left}
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
func leftWords(s *state.State) string {
	n := s.Run.LeftS()
	switch {
	case n == 0:
		return ""
	case n > 5400:
		return words.F("about {0} h", itoa((n+1800)/3600))
	case n > 90:
		return words.F("about {0} min", itoa((n+30)/60))
	case n > 10:
		n = (n + 2) / 5 * 5
	}
	return words.F("about {0} s", itoa(n))
}

// runsWhere says where the run under way is and how long it may take. One that is long or large here has a way to the
// server.
func (h *Host) runsWhere() app.UI {
	r, left := &h.S.Run, leftWords(h.S)
	switch {
	case r.OnServer && r.Progress.Jobs == 0:
		return say("p", "On the server, waiting for its turn")
	case r.OnServer && left == "":
		return say("p", "On the server")
	case r.OnServer:
		return txt("p", words.F("On the server, {0} left", left))
	case left == "" && !r.Offered || r.Stopping:
		return txt("p", "")
	case !r.Offered:
		return txt("p", words.F("{0} left", left))
	}
	why := words.T("This run is large for a browser tab.")
	if left != "" {
		why = words.F("This run may take {0} more here.", left)
	}
	return el("div.offer|data-test=offer", txt("p", why),
		h.button(".btn|data-kind=primary|data-test=run-on-server", words.T("Run on the server"), "away",
			state.RunOnServer{}))
}

// serverProblem says why a run on the server gave nothing, or not all.
func (h *Host) serverProblem() app.UI {
	return set(note("error", txt("div", h.S.Server.Problem),
		h.button(".btn|data-test=run-here", words.T("Run it here"), "here", state.RunNow{}),
		h.button(".btn|data-test=server-again", words.T("Try the server again"), "again", state.RunOnServer{})),
		"data-test", "server-problem")
}

// sendToServer sends a run to the server, which answers as the engine does.
func (h *Host) sendToServer(e state.SendToServer) {
	request, err := json.Marshal(e.Request)
	if err != nil {
		return // a document that stands is JSON
	}
	platform.RunOnServer(e.ID, request, h.serverAnswers)
}

// sendSweep sends a sweep, or replicates, to the server.
func (h *Host) sendSweep(e state.SendSweep) {
	request, err := json.Marshal(e.Request)
	if err != nil {
		return // a document that stands is JSON
	}
	platform.SweepOnServer(e.ID, len(e.Request.Vary) > 0, request, h.serverAnswers)
}

// serverAnswers takes a message in which the server's answers are told.
func (h *Host) serverAnswers(b []byte) {
	if m, err := message.Decode(b); err == nil {
		h.guard(func() { h.Do(state.Answer{Message: m}) })
	}
}

// tick tells the time, and what is known of the server where that is asked.
func (h *Host) tick(e state.Clock) {
	h.Do(state.Ticked{Run: e.Run, Ms: time.Now().UnixMilli(), Takes: e.Ask && platform.TakesRuns(h.S.Boot.Engine)})
}

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
	kids = []app.UI{el("div.names|aria-hidden=true", kids...), app.Raw(draw.SoFarSVG(words.Now(), &r.SoFar.SoFar)),
		c.H.runsWhere()}
	return el("aside.sofar|data-test=so-far|aria-label=Run under way", kids...)
}
