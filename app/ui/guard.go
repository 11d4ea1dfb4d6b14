package ui

import (
	"strings"

	"hadarlab/app/platform"
	"hadarlab/app/state"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Nothing that a view or a handler does ends the page. go-app draws and handles everything on one goroutine, on which a
// panic ends the program, so that each way from it into this package has its recover here: drawn for views, on for
// events, guard for what is dispatched, and platform's callbacks for what the browser calls.

// listeners are the handlers of a part as it was drawn last, by name. go-app compares the handlers of an element that
// is drawn anew by their code, and keeps the first with all that it knew. So what it is given knows a name only, and
// looks the handler up when the event comes: no handler is of an earlier drawing.
type listeners struct {
	of    map[string]app.EventHandler
	alike map[string]int // how many asked for a name
}

// current are the listeners of the part that is being drawn. One is drawn at a time: go-app draws those inside it
// later.
var current = &listeners{}

// on listens to an event of an element. Names tell handlers of one event apart where elements come and go, so that
// those that stay are not put on anew.
func on(node app.UI, event string, f app.EventHandler, names ...string) app.UI {
	l := current
	name := l.add(event+" "+strings.Join(names, " "), f)
	return node.(app.HTMLElem).On(event, func(ctx app.Context, e app.Event) {
		defer page.recover()
		if f := l.of[name]; f != nil { // else the element has just gone
			f(ctx, e)
		}
	}, name)
}

func (l *listeners) add(name string, f app.EventHandler) string {
	if l.of == nil {
		l.of, l.alike = map[string]app.EventHandler{}, map[string]int{}
	}
	n := l.alike[name]
	l.alike[name]++
	if n > 0 {
		name += " #" + itoa(n)
	}
	l.of[name] = f
	return name
}

// drawn draws a part, whose handlers are those of this drawing from now on.
func (l *listeners) drawn(render func() app.UI) app.UI {
	outer := current
	defer func() { current = outer }()
	l.of, l.alike, current = nil, nil, l
	return whole(render)
}

// whole draws a view, or says that it cannot be drawn. Any event in a part draws the part anew, so that the button for
// it has nothing to do.
func whole(render func() app.UI) (node app.UI) {
	defer func() {
		if r := recover(); r != nil {
			platform.Log("hadarlab: " + reason(r))
			again := on(say("button.btn|type=button|data-test=try-again", "Try again"), "click",
				func(app.Context, app.Event) {})
			node = el("section.panel|data-test=broken", note("error",
				txt("div", words.F(
					"This part of the page cannot be drawn: {0}. The rest goes on, and your scenario is kept.",
					reason(r))), again))
		}
	}()
	return render()
}

// guard runs f on the page's goroutine and keeps its panic from ending the program.
func (h *Host) guard(f func()) {
	if h.root == nil {
		h.before = append(h.before, f)
		return
	}
	h.ctx.Dispatch(func(app.Context) { h.try(f) })
}

// try keeps a panic of f from ending the program.
func (h *Host) try(f func()) {
	defer h.recover()
	f()
}

// recover is deferred where a panic would end the program.
func (h *Host) recover() {
	if r := recover(); r != nil {
		h.failed(r)
	}
}

// failed says that something went wrong. The state may be broken: nothing else is done with it.
func (h *Host) failed(r any) {
	platform.Log("hadarlab: " + reason(r))
	h.S.Reduce(state.Broke{Why: reason(r)})
}

func reason(r any) string {
	switch r := r.(type) {
	case error:
		return r.Error()
	case string:
		return r
	}
	return words.T("an unknown fault")
}
