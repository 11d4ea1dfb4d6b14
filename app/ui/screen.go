package ui

import (
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/ui/board"
	"hadarlab/app/ui/editor"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/lesson"
	"hadarlab/app/ui/numbers"
	"hadarlab/app/ui/student"
	"hadarlab/app/ui/timeline"
	"hadarlab/app/ui/why"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// screen is the one screen. Its parts are rendered again only when their values change.
func (h *Host) screen() app.UI {
	s := h.S
	if s.Room >= room.Board {
		return board.Screen(s)
	}
	v := &s.View
	more := h.nextTurn()
	if more {
		h.Later(1, func() { h.Do(state.Nothing{}) })
	}
	turn := func(n int, name string, v elm.View) app.UI { return elm.Part(h.turns.InTurn(n, name, v)) }
	side := elm.View(editor.SideOf(&s.Lab))
	column := "side"
	if v.Editing {
		column = "editor"
		side = editor.Of(&s.Lab, &s.Student)
	}
	guide := elm.Part(lesson.GuideOf(&s.Lab))
	aside := El("aside.side|aria-label=Scenario", guide, turn(timeline.LastTurn-1, column, side))
	top := elm.Part(topOf(&s.Lab))
	if s.Embed {
		aside = El("aside.side|hidden=true")
		top = elm.Part(embedBarOf(&s.Lab))
	}
	many := El("div|hidden=true")
	if !s.Embed {
		vary := El("span|hidden=true")
		if !s.Student.Spoils() {
			vary = turn(timeline.LastTurn, "vary", numbers.VaryOf(&s.Lab))
		}
		many = El("div.manies", turn(timeline.LastTurn, "replicates", numbers.ReplicatesOf(&s.Lab)), vary)
	}
	first := El("span|hidden=true")
	if !s.Embed {
		first = elm.Part(numbers.FirstOf(&s.Lab))
	}
	soFar := El("span|hidden=true")
	if s.Run.SoFar.Shown && s.Run.Busy() && !s.Predict.Covered {
		soFar = elm.Part(soFarOf(&s.Lab))
	}
	opening := El("span|hidden=true")
	if s.Live && !h.seen && !s.Fetching() && !s.Predict.On {
		opening = elm.Part(openingOf(&s.Lab))
	}
	strip, inClass := El("span|hidden=true"), false
	if class := student.Of(&s.Student, &s.Lab); class != nil {
		strip, inClass = elm.Part(class), true
	}
	main := El("main.lab|id=main|data-test=lab|tabindex=-1",
		elm.Part(headlineOf(&s.Lab, &s.Student)),
		opening,
		first,
		aside,
		El("div.mid",
			elm.Part(timeline.Of(&s.Lab, &h.turns, editor.OnLane)),
			moreEvidence(),
			turn(timeline.LastTurn-2, "charts", timeline.ChartsOf(&s.Lab)),
			many),
		El("aside.rail|aria-label=Results and reasons",
			turn(timeline.LastTurn-1, "numbers", numbers.Of(&s.Lab)),
			turn(timeline.LastTurn-1, "why", why.Of(&s.Lab))),
		colophon(&s.Lab))
	return Set(El("div.page",
		Say("a.skip|href=#main", "Skip to the main part"),
		Say("a.skip|href=#lanes", "Skip to the timeline"),
		app.Raw(Hatches),
		top,
		strip,
		Set(main, "data-state", h.status(more), "data-elsewhere", h.elsewhere(),
			"data-editing", Flag(v.Editing), "data-lesson", Flag(s.Learn.Going()),
			"data-covered", covered(&s.Lab), "data-why", Flag(v.WhyOpen), "data-class", Flag(inClass)),
		El("div.meaning|id=meaning|popover=manual|role=tooltip"),
		elm.Part(layersOf(&s.Lab)),
		soFar,
		elm.Part(lesson.GalleryOf(&s.Lab)),
		elm.Part(footOf(&s.Lab)),
		Txt("div.vh|role=status|aria-live=polite|data-test=spoken", s.Announcement),
	), "data-static", Flag(!s.Live))
}

// moreEvidence leads from the first screen, one picture and three figures, to all that there is, and back. The shell
// remembers which, and has it before anything is drawn.
func moreEvidence() app.UI {
	return El("p.evidence", Button(".btn|id=first-edit|data-kind=quiet|data-test=first-edit", "Edit all", "first-edit",
		state.ToggleEditor{}), elm.On(El("button.btn|type=button|data-kind=quiet|data-test=evidence",
		Say("span.more", "More evidence"), Say("span.less", "Less evidence")), "click",
		func(app.Context, app.Event) { platform.ToggleEvidence() }, "evidence"))
}

// covered says what is covered: a scenario that was just opened, whose jobs are still to be read, or what an edit does,
// behind a blank or the old picture.
func covered(s *state.Lab) string {
	switch {
	case !s.Predict.Covered:
		return ""
	case s.Predict.Old:
		return "old"
	case s.History.Stands().Edit == nil:
		return "opened"
	}
	return "edited"
}
