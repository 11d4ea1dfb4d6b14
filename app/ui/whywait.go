package ui

import (
	"hadarlab/app/state"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// mostNamed is how many rounds of waiting are named at most.
const mostNamed = 6

// elsewhere leads to the rounds in which the job waits in a lane, where it does not at the cursor.
func (w *Why) elsewhere(r *state.Result) (lanes []app.UI) {
	for i, l := range r.Lanes {
		at, all := w.H.S.Waiting(i, w.Job, mostNamed)
		if all == 0 {
			continue
		}
		kids := []app.UI{laneTag(i), text(" " + words.N(all, "Under {1}, {2} waits in another round:", "Under {1}, {2} waits in other rounds:", l.Title, w.Job))}
		for _, k := range at {
			kids = append(kids, text(" "), on(set(txt("button.btn|type=button|data-test=why-waits", itoa(k+1)),
				"aria-label", words.F("Explain {0} in round {1}", l.Title, itoa(k+1)), "data-lane", state.LaneLetter(i)), "click", w.H.on(state.GoWhy{To: k, Lane: i}), itoa(i)+" "+itoa(k)))
		}
		if all > len(at) {
			kids = append(kids, text(" "+words.F("and {0} more", itoa(all-len(at)))))
		}
		lanes = append(lanes, el("p.order", kids...))
	}
	return lanes
}
