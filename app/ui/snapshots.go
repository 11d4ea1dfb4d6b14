package ui

import (
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/share"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

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
