package ui

import (
	"fmt"
	"reflect"
	"testing"

	"hadarlab/app/elm"
	"hadarlab/app/state"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// parts are the views that the page is made of now, by their types.
func (d *desk) parts() map[string][]elm.View {
	all := map[string][]elm.View{}
	elm.Heard = func(v elm.View) {
		name := fmt.Sprintf("%T", v)
		all[name] = append(all[name], v)
	}
	defer func() { elm.Heard = nil }()
	app.HTMLString(&elm.Root{})
	return all
}

// TestWhatStaysIsNotDrawnAnew: a step of the cursor leaves the names and margins beside the lanes, the menus and the
// tabs as they are, and what a run says of how far it is only the bar.
func TestWhatStaysIsNotDrawnAnew(t *testing.T) {
	d := newDesk(t)
	leaves := func(what string, a state.Action, names ...string) {
		t.Helper()
		before := d.parts()
		d.h.Reduce(a)
		after := d.parts()
		for _, name := range names {
			if len(before[name]) == 0 {
				t.Errorf("%s: the page has no %s", what, name)
			}
			if !reflect.DeepEqual(before[name], after[name]) {
				t.Errorf("%s: another %s", what, name)
			}
		}
		if name := "*ui.Top"; what == "news" && reflect.DeepEqual(before[name], after[name]) {
			t.Errorf("%s: the same %s", what, name)
		}
	}
	still := []string{"*timeline.Names", "*timeline.Views", "*timeline.Tabs", "*editor.Margin", "*ui.Opened"}
	leaves("a step", state.Step{By: 1}, still...)
	d.h.Reduce(state.RunNow{})
	leaves("news", state.Answer{Message: &message.Message{V: message.Version, ID: d.h.S.Run.ID,
		Progress: &message.Progress{Round: 7, Finished: 1, Jobs: 4}}},
		append(still, "*timeline.Timeline", "*timeline.LaneView", "*timeline.Charts", "*why.Why")...)
}
