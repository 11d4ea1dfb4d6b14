package ui

import (
	"hadarlab/app/state"
	"hadarlab/core/words"

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
	v := &s.View
	h.nextTurn()
	result := s.Result.ID
	side := view(&Side{H: h, Form: s.Form(), Result: result, Job: v.Job, Kept: !s.KeepFailed})
	if v.Editing {
		side = &Editor{H: h, Form: s.Form(), Result: result, Job: v.Job, JSON: v.JSON, Edits: s.History.Pos,
			All: len(s.History.Entries)}
		if v.JSON {
			side.(*Editor).Place = v.Place
		}
	}
	aside := el("aside.side|aria-label=Scenario", part(&Guide{H: h, Learn: s.Learn, Doc: s.Rev}),
		h.inTurn(lastTurn-1, sideName(v.Editing), side))
	top := part(&Top{H: h, Form: s.Form(), Status: s.Status(), Undo: s.History.CanUndo(), Redo: s.History.CanRedo(),
		Edits:    s.History.Pos,
		Progress: s.Run.Progress, Lanes: s.Run.Lanes, Said: runWords(s), Sharing: s.Share.Open})
	if s.Embed {
		aside = el("aside.side|hidden=true")
		top = part(&EmbedBar{H: h, Title: s.Title(), Link: s.Origin, Status: s.Status()})
	}
	soFar := el("span|hidden=true")
	if s.Run.SoFar.Shown && s.Run.Busy() && !s.Predict.Covered {
		soFar = part(&SoFar{H: h, Run: s.Run.ID, Points: s.Run.SoFar.Points(), Said: leftWords(s),
			Offer: s.Run.Offered && !s.Run.Stopping})
	}
	foot := &Foot{H: h, Toast: s.Toast, Offer: s.Offer}
	if s.Predict.Covered {
		foot.Ask = s.Rev
	} else if v.Peek && v.Job != "" && s.Learn.Lesson == nil {
		foot.Peek = Why{H: h, Result: result, Moment: v.Moment, Job: v.Job, Lane: v.WhyLane, Known: s.Asks.Rev}
	}
	main := el("main.lab|id=main|data-test=lab|tabindex=-1",
		part(&Headline{H: h, Result: result, Notice: s.Notice, Failure: failureText(s), Server: s.Server.Problem,
			Lineage: s.Lineage, Fresh: s.Fresh(), Title: s.Title(), Predict: s.Predict}),
		aside,
		el("div.mid",
			part(&Timeline{H: h, Result: result, Turn: h.turns.at, Moment: v.Moment, Job: v.Job, Bar: v.Bar,
				Playing: v.Playing, PlotW: v.PlotW, Zoom: v.Zoom, Rows: v.Rows, Table: v.Tables[0],
				Page: v.Page, Only: v.OnlyJob, Fresh: s.Fresh(), Note: staleNote(s)}),
			h.inTurn(lastTurn-2, "charts", &Charts{H: h, Result: result, Moment: v.Moment, Job: v.Job, Tab: v.Tab,
				Log: v.LogPrices, Table: v.Tables[1], PlotW: v.PlotW, Zoom: v.Zoom, Fresh: s.Fresh()}),
			h.inTurn(lastTurn, "many", &Many{H: h, Doc: s.Rev, Replicates: s.Replicates.Rev, Vary: s.Vary.Rev,
				WinnerSearch: s.Vary.WinnerSearch.Rev, Table: v.Tables[2], Engine: s.Engine, Embed: s.Embed})),
		el("aside.rail|aria-label=Results and reasons",
			h.inTurn(lastTurn-1, "numbers", &Numbers{H: h, Result: result, All: v.AllFacts, Fresh: s.Fresh()}),
			h.inTurn(lastTurn-1, "why", &Why{H: h, Result: result, Moment: v.Moment, Job: v.Job, Lane: v.WhyLane,
				Known: s.Asks.Rev, Flip: s.Flip.Rev, Fresh: s.Fresh(), Asked: s.Learn.Asked(), Engine: s.Engine,
				Sort: v.Sort})),
		colophon(s))
	return set(el("div.page",
		say("a.skip|href=#main", "Skip to the main part"),
		say("a.skip|href=#lanes", "Skip to the timeline"),
		app.Raw(hatches),
		top,
		set(main, "data-state", s.Status(), "data-editing", flag(v.Editing), "data-lesson", flag(s.Learn.Lesson != nil),
			"data-covered", flag(s.Predict.Covered)),
		el("div.meaning|id=meaning|popover=manual|role=tooltip"),
		part(&Layers{H: h, Share: s.Share, Keys: v.Keys, Own: v.OwnKeys, Import: s.Import,
			Commands: v.Commands, Query: v.Query, Found: v.Found}),
		soFar,
		part(&Gallery{H: h, Learn: s.Learn}),
		part(foot),
		txt("div.vh|role=status|aria-live=polite|data-test=spoken", s.Spoken),
	), "data-static", flag(!s.Live))
}

// view is a part of the screen with what it needs to know. Its fields are small and comparable: it is
// rendered again when one of them has changed.
type view interface{ render() app.UI }

// Part is the component that all views share: each component type costs the program its own copy of
// go-app's component methods.
type Part struct {
	app.Compo
	V    view
	Lang string // another language draws everything anew
	on   listeners
}

func part(v view) app.UI { return &Part{V: v, Lang: words.Tag()} }

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

// sideName tells the two views of the scenario apart.
func sideName(editing bool) string {
	if editing {
		return "editor"
	}
	return "side"
}

// failureText is why the last run gave nothing.
func failureText(s *state.State) string {
	if s.Run.Failure == nil {
		return ""
	}
	return s.Run.Failure.Why().Local()
}

// staleNote says why the pictures do not belong to the document.
func staleNote(s *state.State) string {
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
