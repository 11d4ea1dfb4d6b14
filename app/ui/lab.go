package ui

import (
	"hadarlab/app/elm"
	"hadarlab/app/state"
	"hadarlab/app/ui/board"
	"hadarlab/app/ui/editor"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/lesson"
	"hadarlab/app/ui/numbers"
	"hadarlab/app/ui/student"
	"hadarlab/app/ui/timeline"
	"hadarlab/app/ui/why"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// screen is the one screen. Its parts are rendered again only when their values change.
func (h *Host) screen() app.UI {
	s := h.S
	if s.Room >= state.BoardRoom {
		return board.Screen(s)
	}
	v := &s.View
	if h.nextTurn() {
		h.Later(1, func() { h.Do(state.Nothing{}) })
	}
	turn := func(n int, name string, v elm.View) app.UI { return elm.Part(h.turns.InTurn(n, name, v)) }
	side := elm.View(editor.SideOf(s))
	column := "side"
	if v.Editing {
		column = "editor"
		side = editor.Of(s)
	}
	aside := El("aside.side|aria-label=Scenario", elm.Part(lesson.GuideOf(s)), turn(timeline.LastTurn-1, column, side))
	top := elm.Part(topOf(s))
	if s.Embed {
		aside = El("aside.side|hidden=true")
		top = elm.Part(embedBarOf(s))
	}
	many := El("div|hidden=true")
	if !s.Embed {
		vary := El("span|hidden=true")
		if !s.Spoils() {
			vary = turn(timeline.LastTurn, "vary", numbers.VaryOf(s))
		}
		many = El("div.manies", turn(timeline.LastTurn, "replicates", numbers.ReplicatesOf(s)), vary)
	}
	soFar := El("span|hidden=true")
	if s.Run.SoFar.Shown && s.Run.Busy() && !s.Predict.Covered {
		soFar = elm.Part(soFarOf(s))
	}
	strip := El("span|hidden=true")
	if class := student.Of(s); class != nil {
		strip = elm.Part(class)
	}
	main := El("main.lab|id=main|data-test=lab|tabindex=-1",
		elm.Part(headlineOf(s)),
		aside,
		El("div.mid",
			elm.Part(timeline.Of(s, &h.turns, editor.OnLane)),
			turn(timeline.LastTurn-2, "charts", timeline.ChartsOf(s)),
			many),
		El("aside.rail|aria-label=Results and reasons",
			turn(timeline.LastTurn-1, "numbers", numbers.Of(s)),
			turn(timeline.LastTurn-1, "why", why.Of(s))),
		colophon(s))
	return Set(El("div.page",
		Say("a.skip|href=#main", "Skip to the main part"),
		Say("a.skip|href=#lanes", "Skip to the timeline"),
		app.Raw(Hatches),
		top,
		strip,
		Set(main, "data-state", s.Status(), "data-editing", Flag(v.Editing), "data-lesson", Flag(s.Learn.Lesson != nil),
			"data-covered", covered(s)),
		El("div.meaning|id=meaning|popover=manual|role=tooltip"),
		elm.Part(layersOf(s)),
		soFar,
		elm.Part(lesson.GalleryOf(s)),
		elm.Part(footOf(s)),
		Txt("div.vh|role=status|aria-live=polite|data-test=spoken", s.Spoken),
	), "data-static", Flag(!s.Live))
}

// covered says what is covered: a scenario that was just opened, whose jobs are still to be read, or what an edit does.
func covered(s *state.State) string {
	switch {
	case !s.Predict.Covered:
		return ""
	case s.History.Stands().Edit == nil:
		return "opened"
	}
	return "edited"
}

// failureText is why the last run gave nothing.
func failureText(s *state.State) string {
	if s.Run.Failure == nil {
		return ""
	}
	return s.Run.Failure.Why().In(words.Now())
}
