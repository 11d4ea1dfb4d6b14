package ui

import (
	"slices"
	"unicode/utf8"

	"hadarlab/app/board"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/ui/charts"
	"hadarlab/app/ui/html"
	"hadarlab/app/ui/timeline"
	"hadarlab/core/chart/data"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// key handles the keys that act anywhere: undo, redo, Escape, and characters.
func (h *Host) key(ctx app.Context, e app.Event) {
	if h.S.Room >= room.Board {
		return // nothing of the lab is there
	}
	key := e.Get("key").String()
	command := e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()
	switch {
	case key == "Escape":
		field := platform.Closest(e.Value, "data-field")
		if _, wrong := h.S.Drafts[field]; wrong {
			h.Do(state.PutBack{Field: field})
		} else {
			h.escape()
		}
	case key == "Enter" && !command:
		field, lines := platform.Closest(e.Value, "data-field"), e.Get("target").Get("tagName").String() == "TEXTAREA"
		if field != "" && !lines { // in a program Enter begins a line
			h.Do(state.Left{Field: field})
		}
	case command && (key == "z" || key == "Z"):
		if inText(e) {
			return // the field's own undo
		}
		e.PreventDefault()
		if e.Get("shiftKey").Bool() {
			h.Do(state.Redo{})
		} else {
			h.Do(state.Undo{})
		}
	case command && (key == "y" || key == "Y"):
		if !inText(e) {
			e.PreventDefault()
			h.Do(state.Redo{})
		}
	case command && (key == "k" || key == "K") && !h.S.Embed:
		e.PreventDefault()
		if !h.S.Dialog() {
			h.Do(state.ToggleCommands{})
		}
	case command && (key == "s" || key == "S"):
		e.PreventDefault()
		keepSnapshot(nil, app.Event{})
	case command || h.S.Dialog() || theirs(e):
	case key == "?" && !h.S.View.LettersOff:
		h.Do(state.ToggleKeys{})
	case key == " " && h.S.View.LettersOff: // it scrolls
	case utf8.RuneCountInString(key) == 1:
		h.timelineKey(e) // its characters work wherever the keyboard is
	}
}

// pasted takes a scenario or a trace that is pasted outside every field.
func (h *Host) pasted(_ app.Context, e app.Event) {
	if inText(e) {
		return
	}
	text := e.Get("clipboardData").Call("getData", "text").String()
	switch {
	case h.S.Room >= room.Board && h.S.Board.Class != nil && h.S.Board.Class.Local():
		h.Do(board.BoardPaste{Text: text})
	case h.S.Room >= room.Board:
	case len(text) <= maxFile:
		h.Do(state.Paste{Text: text})
	}
}

// inText says whether the keyboard is in a text that has an undo of its own.
func inText(e app.Event) bool {
	target := e.Get("target")
	switch target.Get("tagName").String() {
	case "TEXTAREA":
		return true
	case "INPUT":
		kind := target.Get("type").String()
		return kind != "range" && kind != "checkbox"
	}
	return false
}

// theirs says whether a key belongs to what the keyboard is on: a field, a list or a button that it presses.
func theirs(e app.Event) bool {
	key := e.Get("key").String()
	return inText(e) || on(e, "SELECT") || e.Get("defaultPrevented").Bool() ||
		(key == " " || key == "Enter") && on(e, "BUTTON", "SUMMARY", "INPUT", "A")
}

// on says whether the keyboard is on one of the elements.
func on(e app.Event, tags ...string) bool {
	return slices.Contains(tags, e.Get("target").Get("tagName").String())
}

// escape closes the topmost thing, else stops the run.
func (h *Host) escape() {
	s := h.S
	switch {
	case s.Dialog(): // the browser closes it
	case shutMenu():
	case s.Run.Busy():
		h.Do(state.Cancel{})
	case s.Toast != nil:
		h.Do(room.CloseToast{})
	case s.View.Playing:
		h.Do(state.Play{})
	case s.View.Peek:
		h.Do(state.ClosePeek{})
	case s.View.WhyOpen:
		h.Do(state.CloseWhy{})
	}
}

// shutMenu shuts the menu that is open and puts the keyboard on its button; false = none is open.
func shutMenu() bool {
	menu := app.Window().Get("document").Call("querySelector", "details:is(.open, .drop)[open]")
	if !menu.Truthy() {
		return false
	}
	menu.Call("removeAttribute", "open")
	menu.Call("querySelector", "summary").Call("focus")
	return true
}

// Key does what a key means in a part of the page.
func (h *Host) Key(of html.Keyed, e app.Event) {
	if of == html.ChartKeys {
		h.chartKey(e)
	} else if !theirs(e) { // the timeline has fields, lists and buttons, in the margins of its lanes
		h.timelineKey(e)
	}
}

// timelineKey handles the keys of the timeline, which is one stop of the Tab key; its characters come from anywhere.
func (h *Host) timelineKey(e app.Event) {
	if e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() || e.Get("altKey").Bool() {
		return
	}
	key := e.Get("key").String()
	if h.S.View.LettersOff && utf8.RuneCountInString(key) == 1 && key != " " {
		return
	}
	key = h.S.View.Meant(key)
	shift := e.Get("shiftKey").Bool()
	var a state.Action
	switch key {
	case "ArrowLeft":
		a = state.Walk{DX: -1}
		if shift {
			a = state.Step{By: -1}
		}
	case "ArrowRight":
		a = state.Walk{DX: 1}
		if shift {
			a = state.Step{By: 1}
		}
	case "ArrowUp":
		a = state.Walk{DY: -1}
	case "ArrowDown":
		a = state.Walk{DY: 1}
	case ",":
		a = state.Walk{DX: -1}
	case ".":
		a = state.Walk{DX: 1}
	case "Home":
		a = state.Go{To: 0}
	case "End":
		a = state.Go{To: 1 << 30}
	case "n":
		a = state.Disagreement{By: 1}
	case "p":
		a = state.Disagreement{By: -1}
	case " ":
		a = state.Play{}
	case "Enter", "e":
		a = state.SelectBar{At: h.S.View.Bar, Explain: true}
	case "+", "=":
		a = state.ZoomBy{By: 0.5}
	case "-":
		a = state.ZoomBy{By: 2}
	case "0":
		a = state.ZoomBy{}
	case "f":
		a = state.FitSelection{}
	case "x":
		a = state.OfBar{Pin: true}
	case "c":
		a = state.OfBar{}
	default:
		if len(key) == 1 && '1' <= key[0] && int(key[0]-'1') < len(data.Charts()) {
			if to := data.Charts()[key[0]-'1'].ID; charts.Offered(h.S.Result, to) {
				a = state.ChooseChart{Name: to}
				break
			}
			return
		}
		switch e.Get("code").String() { // by their place, so that they lie alike on every keyboard
		case "KeyW":
			a = state.ZoomBy{By: 0.5}
		case "KeyS":
			a = state.ZoomBy{By: 2}
		case "KeyA":
			a = state.Pan{By: -0.25}
		case "KeyD":
			a = state.Pan{By: 0.25}
		default:
			return
		}
	}
	e.PreventDefault()
	h.Do(a)
}

// chartKey walks the tabs from the one that is open now, which may not be drawn yet; Home and End lead to the first and
// the last.
func (h *Host) chartKey(e app.Event) {
	c, tabs := timeline.ChartsOf(&h.S.Lab), data.Charts()
	at, by := charts.At(c.Tab), 1
	switch e.Get("key").String() {
	case "ArrowLeft":
		by = len(tabs) - 1
	case "ArrowRight":
	case "Home":
		at = len(tabs) - 1
	case "End":
		at, by = 0, len(tabs)-1
	default:
		return
	}
	e.PreventDefault()
	for at = (at + by) % len(tabs); !charts.Offered(c.Result, tabs[at].ID); at = (at + by) % len(tabs) {
	}
	to := tabs[at].ID
	h.Do(state.ChooseChart{Name: to})
	platform.Focus("#tab-" + to)
}
