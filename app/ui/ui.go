// Package ui is the page's views, whose screens are the rooms below, and the host that carries out effects. Views
// render the state and turn events into actions; they decide nothing. A view is a value that a selector (topOf,
// editor.SideOf …) has taken from the state, and is rendered from nothing else, so that it is rendered again exactly
// when that value differs.
//
// The same views make the page's first paint, natively, from the same state.
//
// A file uses only files below it: views and the host's type at the bottom, then the dialogs and keys, which have the
// host do things, and open, files, language and parts, which are such things; effects carries out what the state asks
// for, screen puts the views together, and this file starts it all.
package ui

import (
	"runtime/debug"
	"time"

	"hadarlab/app/elm"
	"hadarlab/app/engine"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/ui/editor"
	"hadarlab/app/ui/html"
	"hadarlab/app/ui/numbers"
	"hadarlab/app/ui/timeline"
	"hadarlab/app/words"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// newHost is the host of a state, whose page is the one that runs from now on.
func newHost(s *state.State) *Host {
	h := &Host{S: s}
	h.Reduce, h.Perform, h.Settled = s.Reduce, h.carryOut, h.settled
	h.Screen, h.Mounted, h.Resized = h.screen, h.start, h.measure
	h.Beside, h.After = words.Tag, platform.After
	h.Failed, h.Broken = h.failed, broken
	h.Run()
	html.DrawnFor(h)
	page = h
	return h
}

// Markup is the first paint: the page as it stands before the program runs.
func Markup(boot *room.Boot) (string, error) {
	s, err := state.New(boot)
	if err != nil {
		return "", err
	}
	newHost(s)
	return app.HTMLString(&elm.Root{}), nil
}

// EarlyMarkup is what of the first screen is another with that many GPUs where it changes them: the headline, the
// figures and the timeline.
func EarlyMarkup(boot *room.Boot, gpus int) (string, error) {
	s, err := state.New(boot)
	if err != nil {
		return "", err
	}
	s.Reduce(state.Early{GPUs: gpus})
	h := newHost(s)
	h.nextTurn()
	out := ""
	for _, v := range []elm.View{headlineOf(&s.Lab, &s.Student), numbers.FirstOf(&s.Lab),
		timeline.Of(&s.Lab, &h.turns, editor.OnLane)} {
		out += app.HTMLString(v.Render())
	}
	return out, nil
}

// StartPage starts the page in the browser and does not return. The boot data are those of the document. Between
// its steps the browser may take its turn.
func StartPage() {
	breathe()
	catalogue, lost := platform.Words()
	if words.Load(catalogue) != nil {
		catalogue, lost = nil, true
	}
	breathe()
	boot, err := room.ParseBoot(platform.Boot())
	if err != nil {
		panic(err)
	}
	breathe()
	s, err := state.New(boot)
	if err != nil {
		panic(err)
	}
	h := newHost(s)
	h.catalogue, h.wordless = catalogue, lost
	h.open()
	breathe()
	app.RouteWithRegexp("^/.*", &elm.Root{})
	app.RunWhenOnBrowser()
}

// breathe lets the browser handle what has come in.
func breathe() { time.Sleep(time.Millisecond) }

// settled does what follows each step.
func (h *Host) settled() {
	h.unveil()
	if h.S.Embed {
		h.tellSelection()
	}
}

// unveil shows the page as soon as what is to be opened stands, or cannot. Only the lab waits for its run.
func (h *Host) unveil() {
	s := h.S
	waits := s.Room == room.Lab && (s.Fetching() || !s.Fresh() && s.Status() != "error" && s.Notice == nil)
	if h.seen || !h.started || waits {
		return
	}
	h.seen = true
	platform.Unveil()
	if s.Embed {
		h.listen()
	}
}

// open starts the engine and brings the state to what the visitor asked for, before anything is drawn: the engine works
// while the page is drawn, and that is drawn once.
func (h *Host) open() {
	platform.Failed = func(r any) { h.Guard(func() { h.failed(r) }) }
	h.engine = engine.New(engine.Options{
		Engines: platform.Engines(),
		Spawn: func(programs bool, onMessage func([]byte), onFailure func(string)) engine.Link {
			return platform.NewWorker(programs, func(b []byte) { h.Guard(func() { onMessage(b) }) },
				func(why string) { h.Guard(func() { onFailure(why) }) })
		},
		Later: h.Later,
		Deliver: func(m *message.Message) {
			if len(m.Body) > longBody {
				debug.SetGCPercent(100)
			}
			h.Do(state.Answer{Message: m})
		},
		Loads: func() { h.Do(state.EngineLoads{}) },
		Died:  func(why string, again bool) { h.Do(state.EngineDied{Message: why, Again: again}) },
	})
	h.reword()
	h.Do(state.GoLive{})
	if platform.Embedded() {
		h.Do(state.EmbedOn{})
	}
	kept := false
	h.Try(func() { kept = h.openKept() }) // what others have written opens, or is told; the page starts in any case
	h.Try(func() { h.openAddress(!kept) })
	if n := platform.Early(); n >= 0 {
		h.Do(state.Early{GPUs: n})
	}
	if h.wordless {
		h.Do(state.Reworded{Lost: true})
	}
	h.Do(state.TakeKeys{Own: platform.Stored(state.KeysName), Off: platform.Stored(state.LettersName) != ""})
}

// longBody is the length in bytes of a trace from which memory counts for more than the time of collections: what main
// allows for the page of a few megabytes would be eight times such a trace.
const longBody = 4 << 20

// start makes the mounted page work: what it listens to.
func (h *Host) start() {
	platform.Layout(func(keys string) { h.Guard(func() { h.Do(state.Layout{Keys: keys}) }) })
	h.started = true
	h.unveil()
	platform.OnAddress(func() { h.Guard(func() { h.openAddress(false) }) })
	if !h.S.Embed {
		platform.OnDrop(maxFile, h.entry, h.file)
	}
	platform.OnPrint(func() string {
		return platform.Home() + state.ResultLink(h.S.Result, h.S.Defaults) + "\n" + state.OnPaper(h.S.Result, h.S.Boot)
	})
	platform.OnSight(selectors[room.PartWhy], selectors[room.PartNumbers], func() { h.Guard(h.see) })
	app.Window().AddEventListener("keydown", func(ctx app.Context, e app.Event) { // the keyboard may be nowhere
		h.Try(func() { h.key(ctx, e) })
	})
	app.Window().AddEventListener("paste", func(ctx app.Context, e app.Event) {
		h.Try(func() { h.pasted(ctx, e) })
	})
	platform.OnDrawn(h.Drawn)
	h.Try(h.measure)
}
