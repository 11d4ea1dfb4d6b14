package ui

import (
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/share"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/lesson"
	"hadarlab/app/ui/why"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Foot is what lies over the foot of the window: a short report, and under it the reason for what was tapped where the
// Why panel is out of sight.
type Foot struct {
	Toast   *room.Toast
	Writing string   // which file is being written, "" = none
	Offer   string   // what came too late to be opened unasked, "" = nothing
	Peek    *why.Why // nil = the panel is in sight, or nothing was tapped
}

func footOf(s *state.Lab) *Foot {
	f := &Foot{Toast: s.Toast, Writing: s.WritingSays()}
	if s.Offer != nil {
		f.Offer = s.Offer.Says(s.Boot)
	}
	if v := &s.View; !s.Predict.Covered && v.Peek && v.Job != "" && !s.Learn.Going() {
		f.Peek = why.Of(s)
	}
	return f
}

// Render draws what there is.
func (f *Foot) Render() app.UI {
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
		kids = append(kids, f.Peek.Brief())
	}
	return El("div.foot", kids...)
}

func (f *Foot) toast() app.UI {
	kids := []app.UI{Txt("span", f.Toast.Text)}
	if next := f.Toast.Lesson; next != nil {
		kids = append(kids, lesson.Start(next, "toast-lesson"))
	}
	if gone := f.Toast.Forgotten; gone != nil {
		kids = append(kids, elm.On(Say("button.btn|type=button|data-test=toast-keep", "Undo"), "click",
			func(app.Context, app.Event) {
				Do(state.KeepAgain{Kept: platform.Stored(state.SnapshotsName), Snapshot: *gone})
			}, gone.Name))
	}
	if what := f.Toast.Shows; what != room.NoPart {
		label := words.T("Show")
		if what == room.PartStep {
			label = words.T("Go there")
		}
		kids = append(kids, elm.On(Txt("button.btn|type=button|data-test=toast-show", label), "click",
			func(app.Context, app.Event) {
				if elm.Ask(state.Reveal{Part: what}); what == room.PartStep {
					elm.Ask(room.Focus{Part: what})
					Do(room.CloseToast{})
				}
			}, Itoa(int(what))))
	}
	if f.Toast.Undo {
		label := words.T("Undo")
		if f.Toast.Back {
			label = words.T("Back to what I had before")
		}
		kids = append(kids, Button(".btn|data-test=toast-undo", label, "undo", state.Undo{}))
	}
	return El("div.toast|data-test=toast", append(kids, Tool("", "close", "Close", "close", room.CloseToast{}))...)
}

// saving says which file is being written, and lets the reader give it up.
func (f *Foot) saving() app.UI {
	return El("div.toast|data-test=writing", Txt("span", f.Writing),
		Button(".btn|data-test=writing-cancel", "Cancel", "writing-cancel", state.StopSaving{}))
}

// offer says what came late, and lets the reader choose.
func (f *Foot) offer() app.UI {
	return El("div.toast|data-test=offer", Txt("span", f.Offer),
		Button(".btn|data-test=offer-take", "Open it", "offer-take", state.TakeOffer{}),
		Tool("", "close", "Close", "offer-drop", state.DropOffer{}))
}

// colophon is what a printed page ends with. The browser's script fills in the scenario and the link before it prints.
func colophon(s *state.Lab) app.UI {
	return El("footer.colophon|data-test=colophon", Txt("div|id=print-scenario", ""),
		Txt("span", share.Colophon(s.Boot.Engine)), Txt("span|id=print-link", ""))
}
