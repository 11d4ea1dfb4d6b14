// Package ui is the page's components. They render the state and turn events into actions; they decide
// nothing. A view is a value that a selector (topOf, sideOf …) has taken from the state, and is rendered from
// nothing else, so that it is rendered again exactly when that value differs.
//
// The same components make the page's first paint, natively, from the same state.
package ui

import (
	"runtime/debug"
	"time"

	"hadarlab/app/engine"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Host holds the state and carries out effects. There is one; every component points to it.
type Host struct {
	S        *state.State
	engine   *engine.Client
	root     *Lab
	before   []func()    // what waits until the page is mounted
	ctx      app.Context // of the mounted root
	tab      tab
	turns    turns
	started  bool // what is to be opened has been asked for
	seen     bool // the page is shown
	told     state.Selection
	chosen   any             // of the list of commands, until that is closed
	soon     int             // how many steps are put off by an instant
	reading  int64           // the trace that is being read
	saves    int64           // the file that is being written
	painting map[int]*Canvas // those that are being painted, by lane
	// catalogue is the file of the language in force, empty = English; wordless says that another was wanted at the
	// start.
	catalogue []byte
	wordless  bool
}

// page is the page's host. go-app makes its components itself, so they find it here.
var page *Host

// Markup is the first paint: the page as it stands before the program runs.
func Markup(boot *room.Boot) (string, error) {
	s, err := state.New(boot)
	if err != nil {
		return "", err
	}
	page = &Host{S: s}
	return app.HTMLString(&Lab{}), nil
}

// Run starts the page in the browser and does not return. The boot data are those of the document. Between
// its steps the browser may take its turn.
func Run() {
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
	page = &Host{S: s, catalogue: catalogue, wordless: lost}
	page.open()
	breathe()
	app.RouteWithRegexp("^/.*", &Lab{})
	app.RunWhenOnBrowser()
}

// breathe lets the browser handle what has come in.
func breathe() { time.Sleep(time.Millisecond) }

// Do applies an action and carries out its effects. It must be called on the page's own goroutine.
func (h *Host) Do(a state.Action) {
	for _, e := range h.S.Reduce(a) {
		h.carryOut(e)
	}
	h.unveil()
	if h.S.Embed {
		h.tellSelection()
	}
}

// unveil shows the page as soon as what is to be opened stands, or cannot.
func (h *Host) unveil() {
	s := h.S
	if h.seen || !h.started || s.Fetching() || !s.Fresh() && s.Status() != "error" && s.Notice == nil {
		return
	}
	h.seen = true
	platform.Unveil()
	if s.Embed {
		h.listen()
	}
}

// send is Do from anywhere else.
func (h *Host) send(a state.Action) {
	h.guard(func() { h.Do(a) })
}

// open starts the engine and brings the state to what the visitor asked for, before anything is drawn: the engine works
// while the page is drawn, and that is drawn once.
func (h *Host) open() {
	h.engine = engine.New(engine.Options{
		Engines: platform.Engines(),
		Spawn: func(onMessage func([]byte), onFailure func(string)) engine.Link {
			return platform.NewWorker(func(b []byte) { h.guard(func() { onMessage(b) }) },
				func(why string) { h.guard(func() { onFailure(why) }) })
		},
		Later: h.later,
		Deliver: func(m *message.Message) {
			if len(m.Body) > longBody {
				debug.SetGCPercent(100)
			}
			h.Do(state.Answer{Message: m})
		},
		Died: func(why string, again bool) { h.Do(state.EngineDied{Message: why, Again: again}) },
	})
	h.reword()
	h.Do(state.GoLive{})
	if platform.Embedded() {
		h.Do(state.EmbedOn{})
	}
	kept := false
	h.try(func() { kept = h.openKept() }) // what others have written opens, or is told; the page starts in any case
	h.try(func() { h.openAddress(!kept) })
	if h.wordless {
		h.Do(state.Reworded{Lost: true})
	}
	h.Do(state.TakeKeys{Own: platform.Stored(state.KeysName), Off: platform.Stored(state.LettersName) != ""})
}

// longBody is the length in bytes of a trace from which memory counts for more than the time of collections: what main
// allows for the page of a few megabytes would be eight times such a trace.
const longBody = 4 << 20

// start makes the mounted page work: what waited for it, and what it listens to.
func (h *Host) start(root *Lab, ctx app.Context) {
	h.root, h.ctx = root, ctx
	platform.Failed = func(r any) { ctx.Dispatch(func(app.Context) { h.failed(r) }) }
	for _, f := range h.before {
		h.try(f)
	}
	h.before = nil
	platform.Layout(func(keys string) { h.guard(func() { h.Do(state.Layout{Keys: keys}) }) })
	h.started = true
	h.unveil()
	platform.OnAddress(func() { h.guard(func() { h.openAddress(false) }) })
	if !h.S.Embed {
		platform.OnDrop(maxFile, h.entry, h.file)
	}
	platform.OnPrint(func() string {
		return platform.Home() + state.ResultLink(h.S.Result, h.S.Defaults) + "\n" + state.OnPaper(h.S.Result, h.S.Boot)
	})
	platform.OnSight(selectors[room.PartWhy], selectors[room.PartNumbers], func() { h.guard(h.see) })
	app.Window().AddEventListener("keydown", func(ctx app.Context, e app.Event) { // the keyboard may be nowhere
		h.try(func() { h.key(ctx, e) })
	})
	app.Window().AddEventListener("paste", func(ctx app.Context, e app.Event) {
		h.try(func() { h.pasted(ctx, e) })
	})
	platform.OnDrawn(h.drawn)
	h.try(h.measure)
}

// measure tells the state how wide the plots are.
func (h *Host) measure() {
	if w := platform.Width("[data-part=plot]"); w > 0 {
		h.Do(state.PlotWidth{Px: w, Names: platform.Width(".axisrow > :first-child")})
	}
}
