package elm_test

import (
	"fmt"
	"strings"

	"hadarlab/app/elm"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// List is the model: things to do, in order. It knows nothing of how it is drawn.
type List struct {
	Things []string
	Kept   int // how many of them are kept
}

// What may happen to a list: each action is a value, and knows its step.
type (
	Action interface{ On(l *List) []Effect }
	Add    struct{ Thing string }
	Done   struct{ At int }
	Saved  struct{ Things int }
)

// What a step may lead to.
type (
	Effect interface{ effect() }
	Save   struct{ Text string }
)

func (Save) effect() {}

func (l *List) Reduce(a Action) []Effect { return a.On(l) }

func (l *List) save() []Effect { return []Effect{Save{Text: strings.Join(l.Things, ", ")}} }

func (a Add) On(l *List) []Effect {
	l.Things = append(l.Things, a.Thing)
	return l.save()
}

func (a Done) On(l *List) []Effect {
	l.Things = append(l.Things[:a.At:a.At], l.Things[a.At+1:]...)
	return l.save()
}

func (a Saved) On(l *List) []Effect {
	l.Kept = a.Things
	return nil
}

// Line is a view: a value, made from the model by lines, and drawn from nothing else.
type Line struct {
	At    int
	Thing string
}

func (v Line) Render() app.UI {
	line := app.Elem("li").Body(app.Text(v.Thing))
	return elm.On(line, "click", func(app.Context, app.Event) { elm.Do(Done{At: v.At}) })
}

// lines is the selector.
func lines(l *List) (all []elm.View) {
	for i, thing := range l.Things {
		all = append(all, Line{At: i, Thing: thing})
	}
	return all
}

// open makes the page of a list, with a store for what is kept.
func open(l *List, store *[]string) *elm.Program[Action, Effect] {
	p := &elm.Program[Action, Effect]{Reduce: l.Reduce}
	p.Perform = func(e Effect) {
		switch e := e.(type) {
		case Save:
			*store = append(*store, e.Text)
			p.Send(Saved{Things: len(l.Things)}) // as a network would answer, when the page comes to it
		}
	}
	p.Screen = func() app.UI {
		var parts []app.UI
		for _, v := range lines(l) {
			parts = append(parts, elm.Part(v))
		}
		return app.Ul().Body(parts...)
	}
	p.Run()
	return p
}

// text is markup on one line.
func text(node app.UI) string {
	var all []string
	for line := range strings.Lines(app.HTMLString(node)) {
		all = append(all, strings.TrimSpace(line))
	}
	return strings.Join(all, "")
}

// A list of things to do: its model, its page, and a replay. In a browser app.Route and app.RunWhenOnBrowser mount the
// root; here go-app's tester does.
func Example() {
	list, store := &List{}, []string{}
	p := open(list, &store)
	root := &elm.Root{}
	page := app.NewClientTester(root)
	defer page.Close()

	happened := []Action{Add{"water the plants"}, Add{"read"}, Done{At: 0}}
	for _, a := range happened {
		p.Send(a)
	}
	page.Consume()
	fmt.Println(text(root))
	fmt.Printf("saved %q, %d kept\n", store, list.Kept)

	// The same actions lead another list to the same screen, and what is to be done is data.
	again := &List{}
	var effects []Effect
	for _, a := range happened {
		effects = append(effects, again.Reduce(a)...)
	}
	fmt.Println(lines(again)[0] == lines(list)[0], effects[len(effects)-1])

	// Output:
	// <ul><li>read</li></ul>
	// saved ["water the plants" "water the plants, read" "read"], 1 kept
	// true {read}
}
