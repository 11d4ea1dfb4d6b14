package ui

import (
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Foot is what lies over the foot of the window: a short report, and under it the reason for what was tapped where the
// Why panel is out of sight.
type Foot struct {
	Toast   *room.Toast
	Writing string // which file is being written, "" = none
	Offer   string // what came too late to be opened unasked, "" = nothing
	Peek    *Why   // nil = the panel is in sight, or nothing was tapped
	Ask     *Ask   // nil = nothing is covered
}

func footOf(s *state.Lab) *Foot {
	f := &Foot{Toast: s.Toast, Writing: s.WritingSays()}
	if s.Offer != nil {
		f.Offer = s.Offer.Says(s.Boot)
	}
	if v := &s.View; s.Predict.Covered {
		f.Ask = askOf(s)
	} else if v.Peek && v.Job != "" && s.Learn.Lesson == nil {
		f.Peek = whyOf(s)
	}
	return f
}

// render draws what there is.
func (f *Foot) render() app.UI {
	var kids []app.UI
	if f.Toast != nil {
		kids = append(kids, f.toast())
	}
	if f.Writing != "" {
		kids = append(kids, f.saving())
	}
	if f.Offer != "" {
		kids = append(kids, f.offer())
	}
	if f.Peek != nil {
		kids = append(kids, f.Peek.brief())
	}
	if f.Ask != nil {
		kids = append(kids, f.Ask.render())
	}
	return el("div.foot", kids...)
}

func (f *Foot) toast() app.UI {
	kids := []app.UI{txt("span", f.Toast.Text)}
	if next := f.Toast.Lesson; next != nil {
		kids = append(kids, startLesson(next, "toast-lesson"))
	}
	if gone := f.Toast.Forgotten; gone != nil {
		kids = append(kids, on(say("button.btn|type=button|data-test=toast-keep", "Undo"), "click",
			func(app.Context, app.Event) {
				do(state.KeepAgain{Kept: platform.Stored(state.SnapshotsName), Snapshot: *gone})
			}, gone.Name))
	}
	if what := f.Toast.Shows; what != room.NoPart {
		label := words.T("Show")
		if what == room.PartStep {
			label = words.T("Go there")
		}
		kids = append(kids, on(txt("button.btn|type=button|data-test=toast-show", label), "click",
			func(app.Context, app.Event) {
				if page.carryOut(state.Reveal{Part: what}); what == room.PartStep {
					page.carryOut(room.Focus{Part: what})
					do(room.CloseToast{})
				}
			}, itoa(int(what))))
	}
	if f.Toast.Undo {
		label := words.T("Undo")
		if f.Toast.Back {
			label = words.T("Back to what I had before")
		}
		kids = append(kids, button(".btn|data-test=toast-undo", label, "undo", state.Undo{}))
	}
	return el("div.toast|data-test=toast", append(kids, tool("", "close", "Close", "close", room.CloseToast{}))...)
}

// offer says what came late, and lets the reader choose.
func (f *Foot) offer() app.UI {
	return el("div.toast|data-test=offer", txt("span", f.Offer),
		button(".btn|data-test=offer-take", "Open it", "offer-take", state.TakeOffer{}),
		tool("", "close", "Close", "offer-drop", state.DropOffer{}))
}

// brief is the strip with the reason's first sentence.
func (w *Why) brief() app.UI {
	lane := w.Lane
	says := w.plain(w.Result, lane)
	if c := state.Choice(w.Known[lane].E, w.Job); c != nil {
		says = c.Sentence
	}
	claim, rest := lead(says)
	return el("aside.peek|data-test=peek|aria-label=Why, in brief",
		el("p", laneTag(lane), text(" "), chip(w.Result, w.Job), text(" "), bold(claim), text(rest)),
		el("div.ways", button(".btn|data-kind=primary|data-test=peek-why", "Why in full", "peek-why",
			state.ShowWhy{}),
			tool("|data-kind=quiet", "close", "Close", "peek-close", state.ClosePeek{})))
}
