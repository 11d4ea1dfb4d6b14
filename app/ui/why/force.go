package why

import (
	"hadarlab/app/run"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/message"
	"hadarlab/core/scenario"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// forceButton forces a choice for the panel's job upon the lane's decision at the cursor: its gangs, one that is empty
// = it waits.
func (w *Why) forceButton(lane int, all ...[]message.Shard) app.UI {
	var gangs [][]scenario.Shard
	says := words.T("wait")
	if len(all[0]) > 0 {
		gangs = state.Gangs(all...)
		says = scenario.GangWords(words.Now(), gangs)
	}
	return Set(Button(".btn|data-test=force", "Force", Itoa(lane)+says, state.ForceHere{Lane: lane, Gangs: gangs}),
		"aria-label", words.F("Force this here: {0}", says), "disabled", Flag(!w.Fresh))
}

// forcible is a table of choices that can be forced where the policy names no candidates, and of what it chose.
func (w *Why) forcible(r *run.Result, lane int, c *message.JobChoice) app.UI {
	if info := w.Boot.Policy(r.Lanes[lane].Policy.ID); info != nil && info.Recorded {
		return Say("p.mute|data-test=why-recorded",
			"A record holds what was decided; what another choice would have led to is not in it.")
	}
	if w.Embed {
		return El("div")
	}
	list, types, before := state.Forcible(r, w.Known, lane, w.Moment, w.Job), TypesOf(r.Lanes[lane].Trace),
		r.Held(lane, r.Round(lane, w.Moment), w.Job)
	rows := Each(len(list), func(i int) app.UI {
		g := list[i]
		cell, held := gang(types, g), len(c.Gangs) == 1 && same(g, c.Gangs[0])
		switch {
		case len(g) == 0:
			cell, held = []app.UI{Say("span", "wait")}, len(c.Gangs) == 0
		case same(g, before):
			cell = append(cell, Say("span.mute", "keep what it holds"))
		}
		return Set(El("tr", El("th|scope=row", cell...), w.verdict(lane, made(c, held), held, g)),
			"aria-selected", OnOff(held))
	})
	return El("details.force", Say("summary", "What if it had chosen differently?"),
		Table(".rows", words.F("Other choices for {0}", w.Job), []app.UI{Th("Placement"), Th("Verdict")}, rows))
}

// same says whether two gangs are the same GPUs.
func same(a, b []message.Shard) bool {
	return scenario.GangWords(nil, state.Gangs(a)) == scenario.GangWords(nil, state.Gangs(b))
}
