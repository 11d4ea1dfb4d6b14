// Package elm is the Elm architecture on go-app v9. A model takes a step by an action and answers with effects; whoever
// holds the page carries these out, in order; the screen is drawn from the model as views, each a value that is
// rendered again exactly when it differs. Whatever comes in, an event, an answer of the network, a timer, becomes an
// action on the page's own goroutine, and no panic on its way ends the page.
//
// It knows no model and no browser: a program hands both in. The package's example is a whole one.
package elm

import (
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

type (
	// Action is something that has happened. A program knows which there are; views only hand them on.
	Action any
	// Effect is something to be done outside the model, as data: what a step leads to can be compared, and replayed
	// without doing it.
	Effect any
)

// Program is a page with its model, which is what Reduce closes over. A is the type of its actions and E that of its
// effects, so that nothing else can be mistaken for one.
type Program[A, E any] struct {
	Page
	Reduce  func(A) []E // takes a step of the model
	Perform func(E)     // does one of the things that a step leads to
	Settled func()      // after each step with all that it leads to; nil = nothing
}

// Do takes a step and carries out what it leads to, in order. It must be called on the page's own goroutine.
func (p *Program[A, E]) Do(a A) {
	for _, e := range p.Reduce(a) {
		p.Perform(e)
	}
	if p.Settled != nil {
		p.Settled()
	}
}

// Send is Do from anywhere else: the step is taken when the page comes to it.
func (p *Program[A, E]) Send(a A) {
	p.Guard(func() { p.Do(a) })
}

// Run makes p the page that Root, parts and listeners belong to. There is one at a time: go-app makes its components
// itself, so they find it here.
func (p *Program[A, E]) Run() {
	p.do = func(a Action) { p.Do(a.(A)) }
	p.ask = func(e Effect) { p.Perform(e.(E)) }
	running = &p.Page
}

// Do takes a step of the running program. It is the only thing that a view can do to the model, and all that it knows
// of the page; it must be called on the page's own goroutine, as listeners are.
func Do(a Action) { running.do(a) }

// Ask has the running program carry out an effect that changes nothing in the model, as to show a part of the page.
func Ask(e Effect) { running.ask(e) }

// Guard is Page.Guard of the running program, for what the browser calls a view back with.
func Guard(f func()) { running.Guard(f) }

// Slowly is Page.Slowly of the running program.
func Slowly(ms int, spend func() (more bool), wanted func() bool, giveUp func(), failed func(fault any)) {
	running.Slowly(ms, spend, wanted, giveUp, failed)
}

// Stands is Page.Stands of the running program.
func Stands() bool { return running.stands }

// Page is what a program is drawn on, without its types: the part of it that components know.
type Page struct {
	Screen  func() app.UI          // draws everything, of parts
	Mounted func()                 // the page stands, and what waited for that is done; nil = nobody asks
	Resized func()                 // the window has another size; nil = nobody asks
	Beside  func() string          // what views depend on beside their values, as a language; nil = nothing
	After   func(ms int, f func()) // calls f once, later; nil = by Go's timers
	Failed  func(fault any)        // is told what a handler, a step or a callback has panicked with
	Broken  func(fault any) app.UI // what stands for a view that panics; nil = Failed is told, and nothing is drawn
	do      func(Action)
	ask     func(Effect)
	ctx     app.Context // of the mounted root
	stands  bool        // that is
	waiting []func()    // for it
	soon    int         // how many steps are put off by an instant
}

// running is the page.
var running = &Page{}

// Stands says whether the page is mounted. What happens before waits (Guard).
func (p *Page) Stands() bool { return p.stands }

// mounted does what waited for the page.
func (p *Page) mounted(ctx app.Context) {
	p.ctx, p.stands = ctx, true
	for _, f := range p.waiting {
		p.Try(f)
	}
	p.waiting = nil
	if p.Mounted != nil {
		p.Mounted()
	}
}

// Instant is what is put off only until a reader's hand or the layout has come to rest, in ms: it belongs to the step
// before.
const Instant = 60

// Later calls f on the page's goroutine after some ms.
func (p *Page) Later(ms int, f func()) {
	soon := 0
	if ms <= Instant {
		soon = 1
	}
	p.soon += soon
	p.after(ms, func() {
		p.Guard(func() {
			p.soon -= soon
			f()
		})
	})
}

func (p *Page) after(ms int, f func()) {
	if p.After != nil {
		p.After(ms, f)
		return
	}
	time.AfterFunc(time.Duration(ms)*time.Millisecond, f)
}

// Drawn calls done when all that has come in is drawn, with what was put off by an instant.
func (p *Page) Drawn(done func()) {
	p.ctx.Defer(func(app.Context) {
		if p.soon > 0 {
			p.Drawn(done)
			return
		}
		p.Try(done)
	})
}

// Slowly does long work in slices of some ms, between which the page handles what has come in. Spend does a little of
// it and says whether more is left. It is given up once it is not wanted any more; failed is told of a panic, nil = it
// is as any other.
func (p *Page) Slowly(ms int, spend func() (more bool), wanted func() bool, giveUp func(), failed func(fault any)) {
	if failed == nil {
		failed = p.fail
	}
	on := func() {}
	soon := func() { p.after(1, func() { p.Guard(on) }) }
	on = func() {
		defer func() {
			if r := recover(); r != nil {
				failed(r)
			}
		}()
		// As a number: a time.Time within a value that is used through an interface brings all that can be made of it.
		for until := time.Now().UnixMilli() + int64(ms); time.Now().UnixMilli() < until; {
			if !wanted() {
				giveUp()
				return
			}
			if !spend() {
				return
			}
		}
		soon()
	}
	soon()
}
