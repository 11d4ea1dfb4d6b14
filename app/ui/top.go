package ui

import (
	"hadarlab/app/platform"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Top is the bar: what is open, the state of things, undo, share and run.
type Top struct {
	H        *Host
	Form     state.Form
	Status   string
	Progress message.Progress
	Lanes    int
	Said     string // how far the run is
	Sharing  bool
	Room     state.Room
}

// render draws the bar.
func (t *Top) render() app.UI {
	h := t.H
	running := t.Status == "running"
	return el("header.top",
		t.brand(),
		t.title(),
		el("nav.guides|aria-label=Learn",
			h.button(".btn|data-kind=quiet|data-test=gallery-open", "Gallery and lessons", "gallery",
				state.OpenGallery{}),
			say("a.btn|data-kind=quiet|data-test=manual|href=/docs|hreflang=en", "Manual"),
			say("a.btn|data-kind=quiet|data-test=class-open|href=/#teach", "Class")),
		el("div.acts",
			set(txt("span.state", t.stateWords()), "data-state", t.Status),
			set(h.tool("|data-test=undo|data-kind=quiet", "undo", "Undo", "undo", state.Undo{}),
				"disabled", flag(!h.S.History.CanUndo())),
			set(h.tool("|data-test=redo|data-kind=quiet", "redo", "Redo", "redo", state.Redo{}),
				"disabled", flag(!h.S.History.CanRedo())),
			on(set(el("button.btn|id=share|type=button|aria-label=Share", icon("share"), say("span.long", "Share")),
				"data-test", t.shareHook()), "click", h.on(state.Share{}), "share"),
			set(el("span.runs",
				h.button(".btn run|data-test=run|title=Everything runs again by itself after each change", words.In("button", "Run"), "run",
					state.RunNow{}),
				set(h.button(".btn cancel|data-test=cancel|title=Stop the run (Esc)", words.T("Cancel"), "cancel",
					state.Cancel{}), "disabled", flag(!running)),
			), "data-busy", onoff(running)),
			h.nextLanguage(),
			el("details.drop|data-test=more",
				el("summary.btn icon|data-kind=quiet|aria-label=More|title=More", icon("more")),
				el("div.menu", h.save("Commands and jobs (Ctrl K)", state.ToggleCommands{}, "commands-open"),
					h.save("Keys (?)", state.ToggleKeys{}, "keys-open"),
					on(say("button.btn|type=button|data-kind=quiet|data-test=theme", "Light or dark"), "click",
						closing(func(app.Context, app.Event) { platform.ToggleTheme() }), "theme"))),
		),
		set(el("progress.runbar|data-test=progress|max=1000|aria-label=Run"), "data-busy", onoff(running),
			"value", itoa(int(1000*h.S.Run.Share())),
			"data-round", itoa(t.Progress.Round)),
	)
}

// brand leads to the beginning, which is the class for a student.
func (t *Top) brand() app.UI {
	home := "/"
	if t.Room == state.StudentRoom {
		home = "/join"
	}
	return set(txt("a.brand", "Hadarlab"), "href", home)
}

// shareHook is where tests find the link: the button until the dialog is open, the link's field then.
func (t *Top) shareHook() string {
	if t.Sharing {
		return "share-open"
	}
	return "share-link"
}

// title names the document and opens another one.
func (t *Top) title() app.UI {
	h := t.H
	presets := each(len(h.S.Boot.Presets), func(i int) app.UI {
		p := &h.S.Boot.Presets[i]
		return on(set(el("button.preset|type=button|data-test=preset", say("b", p.Title), say("span", p.Question),
			txt("span.mute", words.F("{0} on {1}", words.Plural(p.Jobs, "job"), words.Plural(p.GPUs, "GPU")))),
			"data-preset", p.Name), "click", closing(h.on(state.LoadPreset{Name: p.Name})), p.Name)
	})
	return on(el("details.open|id=presets|data-test=presets",
		el("summary", txt("h1", h.S.Title()), txt("span.sub", t.origin()), icon("down")),
		el("div.menu", h.language(), say("p.mute", "Start from a preset. Undo brings yours back."),
			el("div.menu-row",
				on(say("button.btn|type=button|data-test=keep-snapshot|title=Ctrl S", "Keep a snapshot"), "click",
					h.keepSnapshot)),
			h.snapshots(),
			el("div.presets", presets...),
			el("div.menu-row",
				on(say("button.btn|type=button|data-test=open-file", "Open a file…"), "click", closing(h.pick), "open"),
				on(say("button.btn|type=button|data-test=save-scenario", "Save the scenario"), "click",
					closing(h.on(state.SaveScenario{})), "save")),
			say("p.mute", "A scenario or a trace can also be dropped on the page, or its text pasted."))), "toggle",
		h.readSnapshots)
}

// closing shuts the menu around the button after its action.
func closing(f app.EventHandler) app.EventHandler {
	return func(ctx app.Context, e app.Event) {
		if d := ctx.JSSrc().Call("closest", "details"); d.Truthy() {
			d.Call("removeAttribute", "open")
			d.Call("querySelector", "summary").Call("focus")
		}
		f(ctx, e)
	}
}

// pick lets the reader choose a file.
func (h *Host) pick(app.Context, app.Event) {
	platform.PickFile(".json,.csv,.tsv,.txt,.swf,.trace,application/json,text/*", maxFile, h.entry, h.file)
}

// origin says where the document came from.
func (t *Top) origin() string {
	e := t.H.S.History.Stands()
	from := words.T("own scenario")
	switch {
	case e.Preset != "":
		from = words.T("preset")
	case e.Address != "":
		from = words.T("shared link")
	}
	if e.Edited {
		return words.F("{0}, edited", from)
	}
	return from
}

func (t *Top) stateWords() string {
	s := t.H.S
	switch t.Status {
	case "static":
		return words.T("Ready-made result")
	case "loading":
		return words.T("Starting the engine")
	case "running":
		return t.Said
	case "stale":
		if s.Run.Stopped {
			return words.T("Stopped")
		}
		return words.T("Not up to date")
	case "error":
		if n := s.Faults(); n > 0 {
			return words.Plural(n, "error")
		}
		return words.T("Run failed")
	}
	n := len(s.Result.Ran())
	if n < len(s.Result.Lanes) {
		return words.F("Ready, {0} of {1} runs", itoa(n), itoa(len(s.Result.Lanes)))
	}
	return words.F("Ready, {0}", words.Plural(n, "run"))
}
