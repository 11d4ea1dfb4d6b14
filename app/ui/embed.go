package ui

import (
	"hadarlab/app/platform"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/core/unit"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// EmbedBar is the bar of an embed: what is shown, and the way to the whole lab.
type EmbedBar struct {
	Standing
	Title, Link string
}

func embedBarOf(s *state.Lab) *EmbedBar {
	return &EmbedBar{Standing: standingOf(s), Title: s.Title(), Link: s.History.Stands().Address}
}

// Render draws the bar. The lab opens in a tab of its own: inside the frame it would have no room.
func (b *EmbedBar) Render() app.UI {
	link := b.Link
	if link == "" {
		link = "/"
	}
	return El("header.top|data-test=embed-bar",
		Txt("h1", b.Title),
		El("div.acts",
			Set(Txt("span.state", b.words()), "data-state", b.Status),
			Set(Say("a.btn|target=_blank|rel=noopener|data-test=open-lab", "Open in Hadarlab"), "href", link)))
}

// listen takes part in the conversation with the page around an embed. What it sends is checked in embed.js.
func (h *Host) listen() {
	platform.OnMessage(func(kind, job string, round int) {
		h.Guard(func() {
			switch kind {
			case "hadarlab:setRound":
				h.Do(state.GoRound{Round: round})
			case "hadarlab:select":
				h.Do(state.Select{Job: job})
			}
		})
	})
}

// tellSelection tells the page around an embed what is looked at, when that has changed.
func (h *Host) tellSelection() {
	if sel := h.S.View.Selection(h.S.Result); h.seen && sel != h.told {
		h.told = sel
		platform.Tell(sel.Job, sel.Round, float64(sel.At)/float64(unit.Second))
	}
}
