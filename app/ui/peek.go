package ui

import (
	"hadarlab/app/state"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Peek is the reason for what was tapped, at the foot of a window that is too narrow to show the Why panel beside
// the timeline.
type Peek struct{ Why }

// render draws the strip.
func (p *Peek) render() app.UI {
	h, r := p.H, p.H.S.Result
	lane := min(max(p.Lane, 0), len(r.Lanes)-1)
	e, _ := h.S.Explanation(lane)
	says := p.plain(r, lane)
	if c := state.Choice(e, p.Job); c != nil {
		says = c.Sentence
	}
	claim, rest := lead(says)
	return el("aside.peek|data-test=peek|aria-label=Why, in brief",
		el("p", laneTag(lane), text(" "), h.chip(p.Job), text(" "), bold(claim), text(rest)),
		el("div.ways", h.button(".btn|data-kind=primary|data-test=peek-why", "Why in full", "peek-why", state.ShowWhy{}),
			h.tool("|data-kind=quiet", "close", "Close", "peek-close", state.ClosePeek{})))
}
