package ui

import (
	"hadarlab/app/elm"
	"hadarlab/app/learn"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/share"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Top is the bar: what is open, the state of things, undo, share and run.
type Top struct {
	Standing
	Opened           *Opened
	Home             string // where the brand leads
	CanUndo, CanRedo bool
	Sharing          bool
	Share            int // of the run that is done, in thousandths
	Round            int // in which the run is
}

// Opened is what is open, with the menu that opens another one: apart from the bar, which changes with every word of
// the run.
type Opened struct {
	Title, Origin string
	Presets       []learn.Preset
	Snapshots     []share.Snapshot
}

func topOf(s *state.Lab) *Top {
	home := "/"
	if s.Room == room.Student {
		home = "/join"
	}
	return &Top{Standing: standingOf(s), Opened: &Opened{s.Title(), originOf(s), s.Boot.Presets, s.Snapshots},
		Home: home, CanUndo: s.History.CanUndo(), CanRedo: s.History.CanRedo(), Sharing: s.Share.Open,
		Share: int(1000 * s.Run.Share()), Round: s.Run.Progress.Round}
}

// Render draws the bar.
func (t *Top) Render() app.UI {
	running := t.Status == "running"
	return El("header.top",
		Set(Txt("a.brand", "Hadarlab"), "href", t.Home),
		elm.Part(t.Opened),
		El("details.drop guides|data-test=learn", Say("summary.btn|data-kind=quiet", "Learn"),
			El("nav.menu|aria-label=Learn", Save("Gallery and lessons", state.OpenGallery{}, "gallery-open"),
				Say("a.btn|data-kind=quiet|data-test=papers|href=/docs/claims|hreflang=en", "Papers: is it true?"),
				Say("a.btn|data-kind=quiet|data-test=manual|href=/docs|hreflang=en", "Manual"),
				Say("a.btn|data-kind=quiet|data-test=class-open|href=/#teach", "Class"))),
		El("div.acts",
			Set(Txt("span.state", t.words()), "data-state", t.Status),
			Set(Tool("|data-test=undo|data-kind=quiet", "undo", "Undo", "undo", state.Undo{}),
				"disabled", Flag(!t.CanUndo)),
			Set(Tool("|data-test=redo|data-kind=quiet", "redo", "Redo", "redo", state.Redo{}),
				"disabled", Flag(!t.CanRedo)),
			elm.On(Set(El("button.btn|id=share|type=button|aria-label=Share", Icon("share"), Say("span.long", "Share")),
				"data-test", t.shareHook()), "click", Act(state.OpenShare{}), "share"),
			Set(El("span.runs",
				Button(".btn run|data-test=run|title=Everything runs again by itself after each change", words.In("button", "Run"), "run",
					state.RunNow{}),
				Set(Button(".btn cancel|data-test=cancel|title=Stop the run (Esc)", words.T("Cancel"), "cancel",
					state.Cancel{}), "disabled", Flag(!running)),
			), "data-busy", OnOff(running)),
			NextLanguage(),
			El("details.drop|data-test=more",
				El("summary.btn icon|data-kind=quiet|aria-label=More|title=More", Icon("more")),
				El("div.menu", Save("Commands and jobs (Ctrl K)", state.ToggleCommands{}, "commands-open"),
					Save("Keys (?)", state.ToggleKeys{}, "keys-open"),
					elm.On(Say("button.btn|type=button|data-kind=quiet|data-test=theme", "Light or dark"), "click",
						Closing(func(app.Context, app.Event) { platform.ToggleTheme() }), "theme"),
					elm.On(Say("button.btn|type=button|data-kind=quiet|data-test=patterns", "Patterns on bars"), "click",
						Closing(func(app.Context, app.Event) { platform.TogglePatterns() }), "patterns"))),
		),
		Set(El("progress.runbar|data-test=progress|max=1000|aria-label=Run"), "data-busy", OnOff(running),
			"value", Itoa(t.Share), "data-round", Itoa(t.Round)),
	)
}

// shareHook is where tests find the link: the button until the dialog is open, the link's field then.
func (t *Top) shareHook() string {
	if t.Sharing {
		return "share-open"
	}
	return "share-link"
}

// Render names the document and opens another one.
func (t *Opened) Render() app.UI {
	presets := Each(len(t.Presets), func(i int) app.UI {
		p := &t.Presets[i]
		return elm.On(Set(El("button.preset|type=button|data-test=preset", Say("b", p.Title), Say("span", p.Question),
			Txt("span.mute", words.F("{0} on {1}", words.Plural(p.Jobs, "job"), words.Plural(p.GPUs, "GPU")))),
			"data-preset", p.Name), "click", Closing(Act(state.LoadPreset{Name: p.Name})), p.Name)
	})
	return elm.On(El("details.open|id=presets|data-test=presets",
		El("summary", Txt("h1", t.Title), Txt("span.sub", t.Origin), Icon("down")),
		El("div.menu", Language(), Say("p.mute", "Start from a preset. Undo brings yours back."),
			El("div.menu-row",
				elm.On(Say("button.btn|type=button|data-test=new-scenario", "New scenario"), "click",
					Closing(Act(state.NewScenario{})), "new"),
				elm.On(Say("button.btn|type=button|data-test=keep-snapshot|title=Ctrl S", "Keep a snapshot"), "click",
					keepSnapshot)),
			snapshots(t.Snapshots),
			El("div.presets", presets...),
			El("div.menu-row",
				elm.On(Say("button.btn|type=button|data-test=open-file", "Open a file…"), "click", Closing(Picks(ScenarioFiles)), "open"),
				elm.On(Say("button.btn|type=button|data-test=save-scenario", "Save the scenario"), "click",
					Closing(Act(state.SaveScenario{})), "save")),
			Say("p.mute", "A scenario, a trace or a record of decisions can also be dropped on the page, or its text pasted."))),
		"toggle",
		readSnapshots)
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
