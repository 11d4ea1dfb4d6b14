package elm

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Nothing that a view or a handler does ends the page. go-app draws and handles everything on one goroutine, on which a
// panic ends the program, so that each way from it into the program has its recover here: Whole for views, On for
// events, Guard for what is dispatched.

// Guard runs f on the page's goroutine, once the page stands, and keeps its panic from ending the program.
func (p *Page) Guard(f func()) {
	if !p.stands {
		p.waiting = append(p.waiting, f)
		return
	}
	p.ctx.Dispatch(func(app.Context) { p.Try(f) })
}

// Try keeps a panic of f from ending the program.
func (p *Page) Try(f func()) {
	defer p.recover()
	f()
}

// recover is deferred where a panic would end the program.
func (p *Page) recover() {
	if r := recover(); r != nil {
		p.fail(r)
	}
}

func (p *Page) fail(fault any) {
	if p.Failed != nil {
		p.Failed(fault)
	}
}

// Whole draws a view, or what stands for one that cannot be drawn. Any event in a part draws it anew.
func Whole(render func() app.UI) (node app.UI) {
	defer func() {
		if r := recover(); r != nil {
			if running.Broken != nil {
				node = running.Broken(r)
				return
			}
			running.fail(r)
			node = app.Elem("div")
		}
	}()
	return render()
}

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

// On listens to an event of an element, one that app.Elem has made. Names tell handlers of one event apart where
// elements come and go, so that those that stay are not put on anew.
func On(node app.UI, event string, f app.EventHandler, names ...string) app.UI {
	l := current
	name := l.add(event+" "+strings.Join(names, " "), f)
	return node.(app.HTMLElem).On(event, func(ctx app.Context, e app.Event) {
		defer running.recover()
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
		name += " #" + strconv.Itoa(n)
	}
	l.of[name] = f
	return name
}

// drawn draws a part, whose handlers are those of this drawing from now on.
func (l *listeners) drawn(render func() app.UI) app.UI {
	outer := current
	defer func() { current = outer }()
	l.of, l.alike, current = nil, nil, l
	return Whole(render)
}
