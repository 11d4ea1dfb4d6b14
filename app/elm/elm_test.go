package elm

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// model is a number, the program around it, and what that has told.
type model struct {
	Program[string, string]
	n      int
	did    []string // effects, in order
	failed []string
	dark   bool
}

// begun is the mounted page of a model, whose screen is of the given views.
func begun(t *testing.T, screen func(m *model) []View) (*model, app.ClientDispatcher) {
	t.Helper()
	rendered = map[string]int{}
	m := &model{}
	m.Reduce = func(a string) []string {
		if a == "panic" {
			panic("in a step")
		}
		m.n++
		return []string{a + " first", a + " second"}
	}
	m.Perform = func(e string) { m.did = append(m.did, e) }
	m.Failed = func(fault any) { m.failed = append(m.failed, fmt.Sprint(fault)) }
	m.Beside = func() string { return fmt.Sprint(m.dark) }
	m.Screen = func() app.UI {
		var parts []app.UI
		for _, v := range screen(m) {
			parts = append(parts, Part(v))
		}
		return app.Div().Body(parts...)
	}
	m.Run()
	page := app.NewClientTester(&Root{})
	t.Cleanup(page.Close)
	clear(rendered) // go-app may render more than once what it mounts
	return m, page
}

// rendered is how often each label was.
var rendered map[string]int

// label is a view that panics where it is told to.
type label struct {
	Name  string
	At    int
	Of    []int
	Fault string
}

func (v label) Render() app.UI {
	rendered[v.Name]++
	if v.Fault != "" {
		panic(v.Fault)
	}
	return app.P().Text(v.Name)
}

// TestAViewIsRenderedWhenItsValueDiffers: then and only then, whatever else happens; or all are, when what they depend
// on beside their values does.
func TestAViewIsRenderedWhenItsValueDiffers(t *testing.T) {
	m, page := begun(t, func(m *model) []View {
		return []View{label{Name: "still", Of: []int{1, 2}}, label{Name: "moves", At: m.n},
			label{Name: "grows", Of: make([]int, m.n/2)}}
	})
	check := func(what string, still, moves, grows int) {
		t.Helper()
		page.Consume()
		if r := rendered; r["still"] != still || r["moves"] != moves || r["grows"] != grows {
			t.Errorf("%s: rendered %v", what, rendered)
		}
	}
	m.Send("a step")
	check("after a step", 0, 1, 0)
	m.Send("another")
	check("after another", 0, 2, 1)
	m.Guard(func() {})
	check("when nothing has changed", 0, 2, 1)
	m.Guard(func() { m.dark = true })
	check("when everything depends on what has", 1, 3, 2)
}

// counter is a view whose handler knows what it was drawn with, and has no name of its own among others.
type counter struct{ At, Before int }

var clicked int

func (c counter) Render() app.UI {
	var kids []app.UI
	for range c.Before {
		kids = append(kids, On(app.Elem("b"), "click", func(app.Context, app.Event) { clicked = -1 }))
	}
	kids = append(kids, On(app.Elem("i"), "click", func(app.Context, app.Event) { clicked = c.At }))
	return app.Div().Body(kids...)
}

// TestHandlersAreOfTheLatestDrawing: the function that an element keeps from its first drawing does what the latest
// says.
func TestHandlersAreOfTheLatestDrawing(t *testing.T) {
	p := &part{}
	for at := 1; at <= 3; at++ {
		p.V = counter{At: at}
		p.Render()
		for name, f := range p.on.of { // what the element's own function looks up
			if name != "click " {
				t.Fatalf("a handler called %q", name)
			}
			f(nil, app.Event{})
		}
		if clicked != at {
			t.Errorf("drawn with %d, the handler knows %d", at, clicked)
		}
	}
	p.V = counter{At: 4, Before: 2}
	p.Render()
	if len(p.on.of) != 3 {
		t.Fatalf("three handlers without names are %d", len(p.on.of))
	}
	if p.on.of["click  #2"](nil, app.Event{}); clicked != 4 {
		t.Errorf("the third of three handlers is %d", clicked)
	}
}

// TestAFaultIsToldOnce: that of a render, of a step and of what the browser calls, each once, and the page goes on.
func TestAFaultIsToldOnce(t *testing.T) {
	m, page := begun(t, func(m *model) []View {
		bad := label{Name: "bad", At: m.n}
		if m.n == 1 {
			bad.Fault = "in a render"
		}
		return []View{bad, label{Name: "fine", At: m.n}}
	})
	check := func(what string, n, fine int, failed ...string) {
		t.Helper()
		page.Consume()
		if m.n != n || rendered["fine"] != fine || !slices.Equal(m.failed, failed) {
			t.Errorf("%s: step %d, drawn %v, told %q", what, m.n, rendered, m.failed)
		}
		m.failed = nil
	}
	m.Send("a step")
	check("a view that panics", 1, 1, "in a render")
	m.Send("another")
	check("once it can be drawn again", 2, 2)
	m.Send("panic")
	check("a step that panics", 2, 2, "in a step")
	m.Try(func() { panic("in a callback") })
	check("a callback that panics", 2, 2, "in a callback")
	m.Try(func() { Do(7) })
	check("what is no action of this program", 2, 2, "interface conversion: elm.Action is int, not string")
	m.Broken = func(fault any) app.UI { return app.P().Text(fault) }
	html := app.HTMLString(Part(label{Fault: "cannot be drawn"}))
	if len(m.failed) > 0 || html != "<p>cannot be drawn</p>" {
		t.Errorf("%s stands for a broken view, told %q", html, m.failed)
	}
}

// TestEffectsAreCarriedOutInOrder: of one step after the other, those that a view asks for among them, and what comes
// before the page stands waits for it.
func TestEffectsAreCarriedOutInOrder(t *testing.T) {
	m, settled := &model{}, 0
	m.Reduce = func(a string) []string { return []string{a + " first", a + " second"} }
	m.Perform = func(e string) { m.did = append(m.did, e) }
	m.Settled = func() { settled = len(m.did) }
	m.Screen = func() app.UI { return app.Div() }
	m.Run()
	m.Send("early")
	if len(m.did) > 0 || m.Stands() {
		t.Error("the page stands before it is mounted")
	}
	page := app.NewClientTester(&Root{})
	defer page.Close()
	m.Guard(func() {
		Do("one")
		Ask("asked")
		Do("two")
	})
	page.Consume()
	want := []string{"early first", "early second", "one first", "one second", "asked", "two first", "two second"}
	if !slices.Equal(m.did, want) || settled != len(want) {
		t.Errorf("carried out %q, settled after %d", m.did, settled)
	}
}

// TestActionsArriveOnThePagesGoroutine: those that others send are taken one at a time, none is lost.
func TestActionsArriveOnThePagesGoroutine(t *testing.T) {
	m, page := begun(t, func(m *model) []View { return []View{label{Name: "n", At: m.n}} })
	const each, senders = 50, 8
	var wait sync.WaitGroup
	for range senders {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for range each {
				m.Send("sent")
			}
		}()
	}
	wait.Wait()
	if m.n != 0 {
		t.Error("a step was taken on another goroutine")
	}
	if page.Consume(); m.n != each*senders {
		t.Errorf("%d of %d actions arrived", m.n, each*senders)
	}
}

// TestLaterIsOfThePage: what is put off comes back to the page's goroutine, and the page is drawn only when what was
// put off by an instant has come.
func TestLaterIsOfThePage(t *testing.T) {
	m, page := begun(t, func(m *model) []View { return nil })
	var timers []func()
	m.After = func(_ int, f func()) { timers = append(timers, f) }
	drawn, late := false, false
	m.Later(Instant, func() { m.n = 7 })
	m.Later(10*Instant, func() { late = true })
	m.Drawn(func() { drawn = true })
	turn := func() {
		now := timers
		timers = nil
		for _, f := range now {
			f()
		}
		page.Consume()
	}
	timers, late = timers[:1], false // the other is not due
	if m.n != 0 || drawn {
		t.Error("nothing was put off")
	}
	turn()
	page.Consume()
	if m.n != 7 || !drawn || late {
		t.Errorf("after an instant: %d, drawn %v, late %v", m.n, drawn, late)
	}
}

// TestLongWorkIsDoneInSlices: between which the page goes on; it ends once nobody wants it, and its panic is told.
func TestLongWorkIsDoneInSlices(t *testing.T) {
	m, page := begun(t, func(m *model) []View { return nil })
	var timers []func()
	m.After = func(_ int, f func()) { timers = append(timers, f) }
	slices := 0
	run := func() {
		for slices = 0; len(timers) > 0 && slices < 100; slices++ {
			f := timers[0]
			timers = timers[1:]
			f()
			page.Consume()
		}
	}
	left, gaveUp, fault := 3, false, any(nil)
	wanted := func() bool { return left != 2 }
	slowly := func(ms int, spend func() bool) {
		m.Slowly(ms, spend, wanted, func() { gaveUp = true }, func(f any) { fault = f })
		run()
	}
	slowly(1000, func() bool { left--; return true })
	if left != 2 || !gaveUp || slices != 1 {
		t.Errorf("%d left, given up: %v, in %d slices", left, gaveUp, slices)
	}
	left, gaveUp = 10, false
	slowly(1000, func() bool { left++; return left < 1000 })
	if left != 1000 || gaveUp || slices != 1 {
		t.Errorf("%d done, given up: %v, in %d slices", left, gaveUp, slices)
	}
	if slowly(1000, func() bool { panic("in the work") }); fault != "in the work" {
		t.Errorf("told %v", fault)
	}
	if slowly(0, func() bool { return false }); slices != 100 {
		t.Errorf("slices of no time end after %d", slices)
	}
}

// TestTurnsComeOneByOne: a part shows what it had until its turn, and all of it at once where nothing is gained.
func TestTurnsComeOneByOne(t *testing.T) {
	var turns Turns
	screen := func(at int) (shown []int) {
		for i := range 3 {
			v := turns.InTurn(i+1, fmt.Sprint(i), label{At: at})
			shown = append(shown, v.(label).At)
		}
		return shown
	}
	step := func(what string, anew, atOnce bool, at int, more bool, want ...int) {
		t.Helper()
		if m := turns.Next(3, anew, atOnce); m != more {
			t.Errorf("%s: more is %v", what, m)
		}
		if got := screen(at); !slices.Equal(got, want) {
			t.Errorf("%s: shown %v", what, got)
		}
	}
	step("the first time", true, false, 1, false, 1, 1, 1)
	step("anew", true, false, 2, true, 1, 1, 1)
	step("the first turn", false, false, 2, true, 2, 1, 1)
	step("the second", false, false, 2, true, 2, 2, 1)
	step("anew meanwhile", true, false, 3, true, 2, 2, 1)
	step("at once", true, true, 4, false, 4, 4, 4)
	step("nothing new", false, false, 4, false, 4, 4, 4)
}
