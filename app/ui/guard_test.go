package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/app/state"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// TestOneWayIn: events, tasks and callbacks come into the page through the functions that keep their panics, and
// nowhere else; handlers through the one that finds those of the latest drawing.
func TestOneWayIn(t *testing.T) {
	allowed := map[string]string{ // call → function that may make it
		"On": "on", "FuncOf": "callback", "AddEventListener": "start", "go": "",
		"Dispatch": "guard start", "Defer": "settle drawn",
	}
	for _, dir := range []string{".", "charts", "markup", "../platform", "../engine", "../state", "../room",
		"../student", "../board", "../edit", "../run", "../compare", "../learn", "../share"} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, path, src, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				name := ""
				if fn, ok := d.(*ast.FuncDecl); ok {
					name = fn.Name.Name
				}
				check := func(call string, at token.Pos) {
					if in, known := allowed[call]; known && !strings.Contains(" "+in+" ", " "+name+" ") {
						t.Errorf("%s: %s in %s: only %s may", fset.Position(at), call, name, in)
					}
				}
				ast.Inspect(d, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.GoStmt:
						check("go", n.Pos())
					case *ast.CallExpr:
						if s, ok := n.Fun.(*ast.SelectorExpr); ok {
							call := s.Sel.Name
							if of, ok := s.X.(*ast.Ident); ok && of.Name == "platform" {
								return true // what the package offers goes through its callbacks
							}
							if dir == "." && strings.HasPrefix(call, "On") && call != "On" && call != "OnPaper" {
								t.Errorf("%s: %s: handlers are put on by on", fset.Position(n.Pos()), call)
							}
							check(call, n.Pos())
						}
					}
					return true
				})
			}
		}
	}
}

// counter is a view whose handler knows what it was drawn with, and has no name of its own among others.
type counter struct{ at, before int }

var clicked int

func (c counter) render() app.UI {
	kids := each(c.before,
		func(int) app.UI { return on(el("b"), "click", func(app.Context, app.Event) { clicked = -1 }) })
	return el("div", append(kids, on(el("i"), "click", func(app.Context, app.Event) { clicked = c.at }))...)
}

// TestHandlersAreOfTheLatestDrawing: the function that an element keeps from its first drawing does what the latest
// says.
func TestHandlersAreOfTheLatestDrawing(t *testing.T) {
	p := &Part{}
	for at := 1; at <= 3; at++ {
		p.V = counter{at: at}
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
	p.V = counter{at: 4, before: 2}
	p.Render()
	if len(p.on.of) != 3 {
		t.Fatalf("three handlers without names are %d", len(p.on.of))
	}
	if p.on.of["click  #2"](nil, app.Event{}); clicked != 4 {
		t.Errorf("the third of three handlers is %d", clicked)
	}
}

// broken is a view that cannot be drawn, and fine one beside it.
type broken struct{ off *bool }

func (b broken) render() app.UI {
	if !*b.off {
		var none []int
		_ = none[len(*new(string))]
	}
	return txt("p", "drawn again")
}

type fine struct{}

func (fine) render() app.UI { return txt("p", "drawn all the same") }

// TestABrokenViewIsAlone: it says so where it stands; drawing it again, as any event in it does, brings it back.
func TestABrokenViewIsAlone(t *testing.T) {
	page = &Host{S: &state.State{}}
	off := false
	bad := &Part{V: broken{&off}}
	all := el("div", bad, &Part{V: fine{}})
	tester := app.NewClientTester(all)
	defer tester.Close()
	markup := app.HTMLString(all)
	for _, want := range []string{"cannot be drawn", "index out of range", "Try again", "drawn all the same"} {
		if !strings.Contains(markup, want) {
			t.Errorf("%q is not in %s", want, markup)
		}
	}
	off = true
	bad.Update()
	tester.Consume()
	if markup = app.HTMLString(all); !strings.Contains(markup, "drawn again") ||
		strings.Contains(markup, "cannot be drawn") {
		t.Errorf("after another try: %s", markup)
	}
}

// TestAFaultIsTold: a handler that panics leaves a notice, and what the browser calls too.
func TestAFaultIsTold(t *testing.T) {
	page = &Host{S: &state.State{}}
	page.try(func() { panic("secret of a handler") })
	if n := page.S.Notice; n == nil || !strings.Contains(n.Title, "secret of a handler") ||
		!strings.Contains(n.Title, "kept") {
		t.Errorf("notice %+v", n)
	}
	page.try(func() { page.Do(nil) }) // not even an action
	if n := page.S.Notice; n == nil || !strings.Contains(n.Title, "nil pointer") {
		t.Errorf("notice %+v", n)
	}
}

// TestWhatIsChosenIsDone: of the list of commands, an action or what the host does itself, once.
func TestWhatIsChosenIsDone(t *testing.T) {
	d, times := newDesk(t), 0
	for _, chosen := range []any{func(*Host) { times++ }, state.ToggleKeys{}, nil} {
		d.h.chosen = chosen
		d.h.commandsShut(nil, app.Event{})
	}
	if times != 1 || !d.h.S.View.Keys || d.h.chosen != nil {
		t.Errorf("%d times, keys %v, %v", times, d.h.S.View.Keys, d.h.chosen)
	}
}
