package ui

import (
	"strings"
	"testing"

	"hadarlab/app/elm"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// bad is a view that cannot be drawn, and fine one beside it.
type bad struct{ off *bool }

func (b bad) Render() app.UI {
	if !*b.off {
		var none []int
		_ = none[len(*new(string))]
	}
	return Txt("p", "drawn again")
}

type fine struct{}

func (fine) Render() app.UI { return Txt("p", "drawn all the same") }

// TestABrokenViewIsAlone: it says so where it stands, and nowhere else; drawing it again, as any event in it does,
// brings it back.
func TestABrokenViewIsAlone(t *testing.T) {
	h := newHost(&state.State{})
	off := false
	first := elm.Part(bad{&off})
	all := El("div", first, elm.Part(fine{}))
	tester := app.NewClientTester(all)
	defer tester.Close()
	markup := app.HTMLString(all)
	for _, want := range []string{"cannot be drawn", "index out of range", "Try again", "drawn all the same"} {
		if !strings.Contains(markup, want) {
			t.Errorf("%q is not in %s", want, markup)
		}
	}
	if h.S.Notice != nil {
		t.Errorf("a notice is given, too: %+v", h.S.Notice)
	}
	off = true
	first.(interface{ Update() }).Update()
	tester.Consume()
	if markup = app.HTMLString(all); !strings.Contains(markup, "drawn again") ||
		strings.Contains(markup, "cannot be drawn") {
		t.Errorf("after another try: %s", markup)
	}
}

// TestAFaultIsTold: a handler that panics leaves a notice, and what the browser calls too.
func TestAFaultIsTold(t *testing.T) {
	page := newHost(&state.State{})
	page.Try(func() { panic("secret of a handler") })
	if n := page.S.Notice; n == nil || !strings.Contains(n.Title, "secret of a handler") ||
		!strings.Contains(n.Title, "kept") {
		t.Errorf("notice %+v", n)
	}
	page.Try(func() { page.Do(nil) }) // not even an action
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
