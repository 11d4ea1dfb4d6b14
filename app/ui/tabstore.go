package ui

import (
	"encoding/json"
	"slices"
	"strconv"

	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/share"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

const (
	// keptName is where this tab's history is kept, but for its texts: the shell looks whether there is one.
	keptName = "hadarlab"
	// stepName is what the names of the texts begin with. Each has its own, so that a keystroke writes one.
	stepName = "hadarlab-step-"
)

// tab is what the browser keeps of this tab's history.
type tab struct {
	texts map[int64]bool // by the ids of the steps; nil = not known yet
}

// keep keeps k, or as much of it as there is room for; false when not even what stands. The oldest steps go first.
func (t *tab) keep(k state.Kept) bool {
	if t.texts == nil { // an earlier page's, which was not taken up
		t.texts = map[int64]bool{}
		for _, name := range platform.KeptNames(stepName) {
			platform.Unkeep(name)
		}
	}
	for {
		t.drop(k)
		switch {
		case t.write(k):
			return true
		case k.Pos > 0:
			k.Steps, k.Pos = k.Steps[1:], k.Pos-1
		case len(k.Steps) > 1:
			k.Steps = k.Steps[:len(k.Steps)-1]
		default:
			return false
		}
	}
}

// write writes what is not kept yet; what says how it hangs together comes last.
func (t *tab) write(k state.Kept) bool {
	for i := range k.Steps {
		step := &k.Steps[i]
		if t.texts[step.ID] {
			continue
		}
		if !platform.Keep(textName(step.ID), string(step.Text)) {
			return false
		}
		t.texts[step.ID] = true
	}
	b, err := json.Marshal(k)
	return err == nil && platform.Keep(keptName, string(b))
}

// drop forgets the texts that k lacks.
func (t *tab) drop(k state.Kept) {
	for id := range t.texts {
		if !slices.ContainsFunc(k.Steps, func(s edit.Entry) bool { return s.ID == id }) {
			platform.Unkeep(textName(id))
			delete(t.texts, id)
		}
	}
}

func textName(id int64) string { return stepName + strconv.FormatInt(id, 10) }

// openKept goes on with what this tab had, unless ?safe asks for something else. It says whether it does.
func (h *Host) openKept() bool {
	if h.S.Embed || platform.Safe() {
		return false
	}
	var k state.Kept
	if json.Unmarshal([]byte(platform.Kept(keptName)), &k) != nil {
		return false
	}
	h.tab.texts = map[int64]bool{}
	for i := range k.Steps {
		step := &k.Steps[i]
		if text := platform.Kept(textName(step.ID)); text != "" {
			step.Text, h.tab.texts[step.ID] = []byte(text), true
		}
	}
	if h.Do(state.Restore{Kept: k}); !h.S.Resumed {
		h.tab.texts = nil
	}
	return h.S.Resumed
}

// snapshots lists what this browser keeps.
func snapshots(all []share.Snapshot) app.UI {
	if len(all) == 0 {
		return El("span|hidden=true")
	}
	rows := Each(len(all), func(i int) app.UI {
		k := &all[i]
		open := elm.On(El("button.preset|type=button|data-test=snapshot", Txt("b", k.Name),
			Set(Txt("span", k.What), "hidden", Flag(k.What == "")), Txt("span.mute", k.At)), "click",
			Closing(Act(state.OpenSnapshot{At: i})), k.Name, Itoa(i))
		return El("li", open,
			elm.On(Set(El("button.btn icon|type=button|data-kind=quiet|data-test=snapshot-forget", Icon("trash")),
				"aria-label", words.F("Forget {0}", k.Name)), "click", func(app.Context, app.Event) {
				Do(state.DropSnapshot{Kept: platform.Stored(state.SnapshotsName), Name: k.Name})
			}, k.Name))
	})
	return El("div.kept", Say("h2", "Snapshots"), Say("p.mute",
		"This browser keeps them and may clear them after days without a visit. Save what matters as a file."),
		El("ul", rows...))
}

// keepSnapshot keeps the scenario as it stands.
func keepSnapshot(app.Context, app.Event) {
	Do(state.TakeSnapshot{Kept: platform.Stored(state.SnapshotsName), At: platform.Now()})
}

func readSnapshots(app.Context, app.Event) {
	Do(state.ListSnapshots{Kept: platform.Stored(state.SnapshotsName)})
}
