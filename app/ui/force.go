package ui

import (
	"strings"

	"hadarlab/app/edit"
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
	if w.Embed {
		return El("div")
	}
	list, types, before := state.Forcible(r, w.Known, lane, w.Moment, w.Job), typesOf(r.Lanes[lane].Trace),
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

// forcedLine says what is forced upon a lane, what had no effect, and takes the lane away.
func (v *LaneView) forcedLine(l *run.Lane) app.UI {
	if len(l.Policy.Force) == 0 {
		return El("div|hidden=true")
	}
	return Set(forced(v.Fields, v.Result.Doc, v.Lane, l.Meta.Notes, v.Fresh), "data-test", "forced")
}

// forced says what is forced upon a document's lane, with notes after it and a button that takes the lane away.
func forced(h *Fields, d *scenario.Document, lane int, notes []string, fresh bool) app.UI {
	kids := []app.UI{Txt("span", strings.Join(append(edit.Forced(d, lane), notes...), " "))}
	if !h.Embed && len(d.Scenario.Policies) > 1 {
		kids = append(kids, Set(h.button(".btn|data-test=force-remove", "Remove", "unforce"+Itoa(lane),
			state.Do{Edit: edit.RemoveLane{Lane: lane}}),
			"aria-label", words.F("Remove the forced lane {0}", edit.LaneLetter(lane)), "disabled", Flag(!fresh)))
	}
	return El("p.forced", kids...)
}
