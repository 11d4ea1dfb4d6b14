package elm

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// View is a part of the screen as a value. It is filled from the model and has nothing else to be drawn from, so that
// it cannot show what it does not depend on; go-app compares it field by field.
type View interface{ Render() app.UI }

// part is the component that all views share: each component type costs the program its own copy of go-app's component
// methods.
type part struct {
	app.Compo
	V      View
	Beside string // what it depends on but its value
	on     listeners
}

// Part puts a view in its place.
func Part(v View) app.UI {
	if Heard != nil {
		Heard(v)
	}
	p := &part{V: v}
	if running.Beside != nil {
		p.Beside = running.Beside()
	}
	return p
}

// Heard is told of every view that a screen is made of, nil = nobody asks: tests hold what views show to what they are
// said to need.
var Heard func(View)

// Render draws the view.
func (p *part) Render() app.UI { return p.on.drawn(p.V.Render) }

// Root is the one component that is not a view: the screen, which is composed anew at each step. Its parts are rendered
// again only where their values differ.
type Root struct {
	app.Compo
	on listeners
}

// OnMount begins the page's life.
func (r *Root) OnMount(ctx app.Context) { running.mounted(ctx) }

// OnResize tells of the window.
func (r *Root) OnResize(app.Context) {
	if running.Resized != nil {
		running.Try(running.Resized)
	}
}

// Render draws the screen.
func (r *Root) Render() app.UI { return r.on.drawn(running.Screen) }

// Settler is a value with something to do once it stands in the page, where an attribute does not say it: a scroll, a
// canvas, the text of a field.
type Settler interface{ After() }

// hook is apart from part, because go-app renders components with such methods twice.
type hook struct {
	app.Compo
	V Settler
}

// Hook calls After when the element that holds it has been mounted, or v differs.
func Hook(v Settler) app.UI { return &hook{V: v} }

// Render draws nothing.
func (k *hook) Render() app.UI { return app.Elem("i").Attr("hidden", "true") }

// OnMount and OnUpdate let the value settle.
func (k *hook) OnMount(ctx app.Context)  { k.settle(ctx) }
func (k *hook) OnUpdate(ctx app.Context) { k.settle(ctx) }

func (k *hook) settle(ctx app.Context) { ctx.Defer(func(app.Context) { running.Try(k.V.After) }) }

// Turns lets the parts of a screen be drawn one after the other, one a frame. A step that changes most of the screen,
// drawn in one go, would hold up the page for longer than a reader's next key.
type Turns struct {
	at    int             // turns up to this one have come
	shown map[string]View // what waiting parts go on showing
}

// Next is called once for each drawing of the screen. Anew says that turns begin again, atOnce that none is needed. It
// says whether another turn is to come.
func (t *Turns) Next(last int, anew, atOnce bool) (more bool) {
	switch {
	case t.shown == nil:
		t.at, t.shown = last, map[string]View{}
	case atOnce:
		t.at = last
	case anew:
		t.at = 0
	case t.at < last:
		t.at++
	}
	return t.at < last
}

// InTurn is the view that is shown of a part which is drawn from a turn on; before, that is the old one.
func (t *Turns) InTurn(turn int, name string, v View) View {
	if old, ok := t.shown[name]; ok && t.at < turn {
		return old
	}
	t.shown[name] = v
	return v
}
