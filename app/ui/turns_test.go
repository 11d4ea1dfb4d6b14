package ui

import (
	"regexp"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/state"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// TestNoLaneOutlivesItsScenario: a large result is drawn in turns. Until the last has come the page says that it is at
// work, and what waits for its turn is marked as of another scenario where one was opened, so that the style sheet
// hides it; of an earlier state of the same scenario it stays.
func TestNoLaneOutlivesItsScenario(t *testing.T) {
	d := newDesk(t)
	hash := regexp.MustCompile(`data-hash="(\w+)"`)
	draw := func() (says, elsewhere string, stale bool, lanes []string) {
		page := app.HTMLString(&elm.Root{})
		_, main, _ := strings.Cut(page, `id="main"`)
		tag, _, _ := strings.Cut(page[strings.LastIndex(page[:len(page)-len(main)], "<main"):], ">")
		of := func(name string) string {
			_, v, _ := strings.Cut(tag, " "+name+`="`)
			v, _, _ = strings.Cut(v, `"`)
			return v
		}
		for _, m := range hash.FindAllStringSubmatch(page, -1) {
			lanes = append(lanes, m[1])
		}
		return of("data-state"), of("data-elsewhere"), strings.Contains(main, `data-stale="true"`), lanes
	}
	drawn := func(what, wait string) {
		t.Helper()
		for turns := 0; ; turns++ {
			says, elsewhere, stale, lanes := draw()
			old := false
			for i, l := range d.h.S.Result.Lanes {
				old = old || i >= len(lanes) || lanes[i] != l.Meta.TraceHash
			}
			switch {
			case says == "ready" && (old || stale || elsewhere != ""):
				t.Errorf("%s: ready in turn %d with old lanes: %v, stale: %v, %q", what, turns, old, stale, elsewhere)
			case says == "ready" && turns < 3:
				t.Errorf("%s is drawn in %d turns", what, turns)
			case old && elsewhere != wait:
				t.Errorf("%s, turn %d: old lanes stay as %q, want %q", what, turns, elsewhere, wait)
			}
			if says == "ready" {
				return
			}
			if turns > 20 {
				t.Fatalf("%s is %s after %d turns", what, says, turns)
			}
		}
	}
	draw()
	d.do(state.LoadPreset{Name: "sixty-measured-jobs"})
	drawn("another scenario", "drawing")
	d.do(state.Do{Edit: edit.SetGPUs{Node: 0, Type: "v100", N: 5}})
	drawn("an edit", "")
	d.do(state.Undo{})
	d.do(state.Undo{})
	if _, elsewhere, _, _ := draw(); elsewhere != "" {
		t.Errorf("a small result of another scenario is drawn at once, and marked %q", elsewhere)
	}
}
