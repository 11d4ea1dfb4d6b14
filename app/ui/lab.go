package ui

import (
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Lab is the one screen.
type Lab struct {
	app.Compo
	on listeners
}

// OnMount starts the page's life.
func (l *Lab) OnMount(ctx app.Context) { page.start(l, ctx) }

// OnResize measures the plots anew.
func (l *Lab) OnResize(app.Context) { page.try(page.measure) }

// Render draws the screen. Its parts render again only when their fields change.
func (l *Lab) Render() app.UI { return l.on.drawn(page.screen) }

func (h *Host) screen() app.UI {
	s := h.S
	if s.Room >= room.Board {
		return boardScreen(s)
	}
	v := &s.View
	if h.turns.next(plotOf(&s.Lab), s.Live) {
		h.later(1, func() { h.Do(state.Nothing{}) })
	}
	turn := func(n int, name string, v view) app.UI { return part(h.turns.inTurn(n, name, v)) }
	side := view(sideOf(&s.Lab))
	column := "side"
	if v.Editing {
		column = "editor"
		side = editorOf(&s.Lab, &s.Student)
	}
	aside := el("aside.side|aria-label=Scenario", part(guideOf(&s.Lab)), turn(lastTurn-1, column, side))
	top := part(topOf(&s.Lab))
	if s.Embed {
		aside = el("aside.side|hidden=true")
		top = part(embedBarOf(&s.Lab))
	}
	many := el("div|hidden=true")
	if !s.Embed {
		vary := el("span|hidden=true")
		if !s.Student.Spoils() {
			vary = turn(lastTurn, "vary", varyOf(&s.Lab))
		}
		many = el("div.manies", turn(lastTurn, "replicates", replicatesOf(&s.Lab)), vary)
	}
	soFar := el("span|hidden=true")
	if s.Run.SoFar.Shown && s.Run.Busy() && !s.Predict.Covered {
		soFar = part(soFarOf(&s.Lab))
	}
	strip := el("span|hidden=true")
	if class := stripOf(&s.Student, &s.Lab); class != nil {
		strip = part(class)
	}
	main := el("main.lab|id=main|data-test=lab|tabindex=-1",
		part(headlineOf(&s.Lab, &s.Student)),
		aside,
		el("div.mid",
			part(timelineOf(&s.Lab, &h.turns)),
			turn(lastTurn-2, "charts", chartsOf(&s.Lab)),
			many),
		el("aside.rail|aria-label=Results and reasons",
			turn(lastTurn-1, "numbers", numbersOf(&s.Lab)),
			turn(lastTurn-1, "why", whyOf(&s.Lab))),
		colophon(&s.Lab))
	return set(el("div.page",
		say("a.skip|href=#main", "Skip to the main part"),
		say("a.skip|href=#lanes", "Skip to the timeline"),
		app.Raw(hatches),
		top,
		strip,
		set(main, "data-state", s.Status(), "data-editing", flag(v.Editing), "data-lesson", flag(s.Learn.Lesson != nil),
			"data-covered", covered(&s.Lab)),
		el("div.meaning|id=meaning|popover=manual|role=tooltip"),
		part(layersOf(&s.Lab)),
		soFar,
		part(galleryOf(&s.Lab)),
		part(footOf(&s.Lab)),
		txt("div.vh|role=status|aria-live=polite|data-test=spoken", s.Spoken),
	), "data-static", flag(!s.Live))
}

// view is a part of the screen as a value: it is rendered again when a field of it differs.
type view interface{ render() app.UI }

// Part is the component that all views share: each component type costs the program its own copy of
// go-app's component methods.
type Part struct {
	app.Compo
	V    view
	Lang string // another language draws everything anew
	on   listeners
}

func part(v view) app.UI {
	if heard != nil {
		heard(v)
	}
	return &Part{V: v, Lang: words.Tag()}
}

// heard is told of every view that a screen is made of, nil = nobody asks: a test holds what they show to what they are
// said to need.
var heard func(view)

// Render draws the view.
func (p *Part) Render() app.UI { return p.on.drawn(p.V.render) }

// settled is a view with something to do once it stands in the page.
type settled interface{ after() }

// Hook calls a view's after when it has been mounted or rendered anew. It is apart from Part, because
// go-app renders components with such methods twice.
type Hook struct {
	app.Compo
	V settled
}

// Render draws nothing.
func (k *Hook) Render() app.UI { return el("i|hidden=true") }

// OnMount and OnUpdate let the view settle.
func (k *Hook) OnMount(ctx app.Context)  { k.settle(ctx) }
func (k *Hook) OnUpdate(ctx app.Context) { k.settle(ctx) }

func (k *Hook) settle(ctx app.Context) { ctx.Defer(func(app.Context) { page.try(k.V.after) }) }

// covered says what is covered: a scenario that was just opened, whose jobs are still to be read, or what an edit does.
func covered(s *state.Lab) string {
	switch {
	case !s.Predict.Covered:
		return ""
	case s.History.Stands().Edit == nil:
		return "opened"
	}
	return "edited"
}

// failureText is why the last run gave nothing.
func failureText(s *state.Lab) string {
	if s.Run.Failure == nil {
		return ""
	}
	return s.Run.Failure.Why().In(words.Now())
}

// staleNote says why the pictures do not belong to the document.
func staleNote(s *state.Lab) string {
	switch {
	case s.Fresh() || !s.Live:
		return ""
	case s.Diags.HasErrors():
		return words.T("From before your last edits; correct the error to update.")
	case s.Run.Failure != nil:
		return words.T("From before your last edits; the run failed.")
	case s.Run.Stopped:
		return words.T("From before your last edits; the run was stopped.")
	}
	return words.T("From before your last edits.")
}

// hatches are the patterns that stand once on the page.
const hatches = `<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>` +
	`<pattern id="hatch-1" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path data-hatch="1" d="M0 0V7" stroke-width="2.200"></path></pattern>` +
	`<pattern id="hatch-2" width="7" height="7" patternUnits="userSpaceOnUse"><circle data-hatch="dot" cx="2" cy="2" r="1.100"></circle><circle data-hatch="dot" cx="5.500" cy="5.500" r="1.100"></circle></pattern>` +
	`<pattern id="hatch-3" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path data-hatch="1" d="M0 0V7" stroke-width="2.200"></path></pattern>` +
	`<pattern id="hatch-4" width="6" height="6" patternUnits="userSpaceOnUse"><path data-hatch="1" d="M0 3H6" stroke-width="1.600"></path></pattern>` +
	`<pattern id="hatch-5" width="6" height="6" patternUnits="userSpaceOnUse"><path data-hatch="1" d="M3 0V6" stroke-width="1.600"></path></pattern>` +
	`<pattern id="hatch-6" width="7" height="7" patternUnits="userSpaceOnUse"><path data-hatch="1" d="M0 3.500H7M3.500 0V7" stroke-width="1.200"></path></pattern>` +
	`<pattern id="hatch-idle" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path data-hatch="idle" d="M0 0V8" stroke-width="1"></path></pattern>` +
	`</defs></svg>`
