package ui

import (
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/app/state"
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
	return set(button(".btn|data-test=force", "Force", itoa(lane)+says, state.ForceHere{Lane: lane, Gangs: gangs}),
		"aria-label", words.F("Force this here: {0}", says), "disabled", flag(!w.Fresh))
}

// forcible is a table of choices that can be forced where the policy names no candidates, and of what it chose.
func (w *Why) forcible(r *run.Result, lane int, c *message.JobChoice) app.UI {
	if w.Embed {
		return el("div")
	}
	list, types, before := state.Forcible(r, w.Known, lane, w.Moment, w.Job), typesOf(r.Lanes[lane].Trace),
		r.Held(lane, r.Round(lane, w.Moment), w.Job)
	rows := each(len(list), func(i int) app.UI {
		g := list[i]
		cell, held := gang(types, g), len(c.Gangs) == 1 && same(g, c.Gangs[0])
		switch {
		case len(g) == 0:
			cell, held = []app.UI{say("span", "wait")}, len(c.Gangs) == 0
		case same(g, before):
			cell = append(cell, say("span.mute", "keep what it holds"))
		}
		return set(el("tr", el("th|scope=row", cell...), w.verdict(lane, made(c, held), held, g)),
			"aria-selected", onoff(held))
	})
	return el("details.force", say("summary", "What if it had chosen differently?"),
		table(".rows", words.F("Other choices for {0}", w.Job), []app.UI{th("Placement"), th("Verdict")}, rows))
}

// same says whether two gangs are the same GPUs.
func same(a, b []message.Shard) bool {
	return scenario.GangWords(nil, state.Gangs(a)) == scenario.GangWords(nil, state.Gangs(b))
}

// forcedLine says what is forced upon a lane, what had no effect, and takes the lane away.
func (v *LaneView) forcedLine(l *run.Lane) app.UI {
	if len(l.Policy.Force) == 0 {
		return el("div|hidden=true")
	}
	return set(forced(v.Fields, v.Result.Doc, v.Lane, l.Meta.Notes, v.Fresh), "data-test", "forced")
}

// forced says what is forced upon a document's lane, with notes after it and a button that takes the lane away.
func forced(h *Fields, d *scenario.Document, lane int, notes []string, fresh bool) app.UI {
	kids := []app.UI{txt("span", strings.Join(append(edit.Forced(d, lane), notes...), " "))}
	if !h.Embed && len(d.Scenario.Policies) > 1 {
		kids = append(kids, set(h.button(".btn|data-test=force-remove", "Remove", "unforce"+itoa(lane),
			state.Do{Edit: edit.RemoveLane{Lane: lane}}),
			"aria-label", words.F("Remove the forced lane {0}", edit.LaneLetter(lane)), "disabled", flag(!fresh)))
	}
	return el("p.forced", kids...)
}
