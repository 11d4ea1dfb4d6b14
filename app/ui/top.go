package ui

import (
	"hadarlab/app/learn"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/share"
	"hadarlab/app/state"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Standing is how things stand, in a word or two.
type Standing struct {
	Status  string // of the state
	Said    string // how far the run under way is
	Stopped bool
	Faults  int // of the scenario
	Lanes   int // of the result
	Ran     int // of these
}

func standingOf(s *state.Lab) Standing {
	return Standing{s.Status(), runWords(s), s.Run.Stopped, s.Faults(), len(s.Result.Lanes), len(s.Result.Ran())}
}

// Top is the bar: what is open, the state of things, undo, share and run.
type Top struct {
	Standing
	Title, Origin    string
	Home             string // where the brand leads
	CanUndo, CanRedo bool
	Sharing          bool
	Share            int // of the run that is done, in thousandths
	Round            int // in which the run is
	Presets          []learn.Preset
	Snapshots        []share.Snapshot
}

func topOf(s *state.Lab) *Top {
	home := "/"
	if s.Room == room.Student {
		home = "/join"
	}
	return &Top{Standing: standingOf(s), Title: s.Title(), Origin: originOf(s), Home: home,
		CanUndo: s.History.CanUndo(), CanRedo: s.History.CanRedo(), Sharing: s.Share.Open,
		Share: int(1000 * s.Run.Share()), Round: s.Run.Progress.Round, Presets: s.Boot.Presets, Snapshots: s.Snapshots}
}

// render draws the bar.
func (t *Top) render() app.UI {
	running := t.Status == "running"
	return el("header.top",
		set(txt("a.brand", "Hadarlab"), "href", t.Home),
		t.title(),
		el("nav.guides|aria-label=Learn",
			button(".btn|data-kind=quiet|data-test=gallery-open", "Gallery and lessons", "gallery",
				state.OpenGallery{}),
			say("a.btn|data-kind=quiet|data-test=manual|href=/docs|hreflang=en", "Manual"),
			say("a.btn|data-kind=quiet|data-test=class-open|href=/#teach", "Class")),
		el("div.acts",
			set(txt("span.state", t.words()), "data-state", t.Status),
			set(tool("|data-test=undo|data-kind=quiet", "undo", "Undo", "undo", state.Undo{}),
				"disabled", flag(!t.CanUndo)),
			set(tool("|data-test=redo|data-kind=quiet", "redo", "Redo", "redo", state.Redo{}),
				"disabled", flag(!t.CanRedo)),
			on(set(el("button.btn|id=share|type=button|aria-label=Share", icon("share"), say("span.long", "Share")),
				"data-test", t.shareHook()), "click", act(state.Share{}), "share"),
			set(el("span.runs",
				button(".btn run|data-test=run|title=Everything runs again by itself after each change", words.In("button", "Run"), "run",
					state.RunNow{}),
				set(button(".btn cancel|data-test=cancel|title=Stop the run (Esc)", words.T("Cancel"), "cancel",
					state.Cancel{}), "disabled", flag(!running)),
			), "data-busy", onoff(running)),
			nextLanguage(),
			el("details.drop|data-test=more",
				el("summary.btn icon|data-kind=quiet|aria-label=More|title=More", icon("more")),
				el("div.menu", save("Commands and jobs (Ctrl K)", state.ToggleCommands{}, "commands-open"),
					save("Keys (?)", state.ToggleKeys{}, "keys-open"),
					on(say("button.btn|type=button|data-kind=quiet|data-test=theme", "Light or dark"), "click",
						closing(func(app.Context, app.Event) { platform.ToggleTheme() }), "theme"))),
		),
		set(el("progress.runbar|data-test=progress|max=1000|aria-label=Run"), "data-busy", onoff(running),
			"value", itoa(t.Share), "data-round", itoa(t.Round)),
	)
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
	presets := each(len(t.Presets), func(i int) app.UI {
		p := &t.Presets[i]
		return on(set(el("button.preset|type=button|data-test=preset", say("b", p.Title), say("span", p.Question),
			txt("span.mute", words.F("{0} on {1}", words.Plural(p.Jobs, "job"), words.Plural(p.GPUs, "GPU")))),
			"data-preset", p.Name), "click", closing(act(state.LoadPreset{Name: p.Name})), p.Name)
	})
	return on(el("details.open|id=presets|data-test=presets",
		el("summary", txt("h1", t.Title), txt("span.sub", t.Origin), icon("down")),
		el("div.menu", language(), say("p.mute", "Start from a preset. Undo brings yours back."),
			el("div.menu-row",
				on(say("button.btn|type=button|data-test=keep-snapshot|title=Ctrl S", "Keep a snapshot"), "click",
					keepSnapshot)),
			snapshots(t.Snapshots),
			el("div.presets", presets...),
			el("div.menu-row",
				on(say("button.btn|type=button|data-test=open-file", "Open a file…"), "click", closing(pick), "open"),
				on(say("button.btn|type=button|data-test=save-scenario", "Save the scenario"), "click",
					closing(act(state.SaveScenario{})), "save")),
			say("p.mute", "A scenario or a trace can also be dropped on the page, or its text pasted."))), "toggle",
		readSnapshots)
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
func pick(app.Context, app.Event) {
	platform.PickFile(".json,.csv,.tsv,.txt,.swf,.trace,application/json,text/*", maxFile, page.entry, page.file)
}

// originOf says where the document came from.
func originOf(s *state.Lab) string {
	e := s.History.Stands()
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

// words say it.
func (s *Standing) words() string {
	switch s.Status {
	case "static":
		return words.T("Ready-made result")
	case "loading":
		return words.T("Starting the engine")
	case "running":
		return s.Said
	case "stale":
		if s.Stopped {
			return words.T("Stopped")
		}
		return words.T("Not up to date")
	case "error":
		if s.Faults > 0 {
			return words.Plural(s.Faults, "error")
		}
		return words.T("Run failed")
	}
	if s.Ran < s.Lanes {
		return words.F("Ready, {0} of {1} runs", itoa(s.Ran), itoa(s.Lanes))
	}
	return words.F("Ready, {0}", words.Plural(s.Ran, "run"))
}
