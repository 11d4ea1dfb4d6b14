package ui

import (
	"hadarlab/app/platform"
	"hadarlab/app/state"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// snapshots lists what this browser keeps.
func (h *Host) snapshots() app.UI {
	all := h.S.Snapshots
	if len(all) == 0 {
		return el("span|hidden=true")
	}
	rows := each(len(all), func(i int) app.UI {
		k := &all[i]
		open := on(el("button.preset|type=button|data-test=snapshot", txt("b", k.Name),
			set(txt("span", k.What), "hidden", flag(k.What == "")), txt("span.mute", k.At)), "click",
			closing(h.on(state.OpenSnapshot{At: i})), k.Name, itoa(i))
		return el("li", open,
			on(set(el("button.btn icon|type=button|data-kind=quiet|data-test=snapshot-forget", icon("trash")),
				"aria-label", words.F("Forget {0}", k.Name)), "click", func(app.Context, app.Event) {
				h.Do(state.DropSnapshot{Kept: platform.Stored(state.SnapshotsName), Name: k.Name})
			}, k.Name))
	})
	return el("div.kept", say("h2", "Snapshots"), say("p.mute",
		"This browser keeps them and may clear them after days without a visit. Save what matters as a file."),
		el("ul", rows...))
}

// keepSnapshot keeps the scenario as it stands.
func (h *Host) keepSnapshot(app.Context, app.Event) {
	h.Do(state.TakeSnapshot{Kept: platform.Stored(state.SnapshotsName), At: platform.Now()})
}

func (h *Host) readSnapshots(app.Context, app.Event) {
	h.Do(state.ListSnapshots{Kept: platform.Stored(state.SnapshotsName)})
}
