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
		kids := []app.UI{text(words.N(all, "Under {1}, {2} waits in another round:", "Under {1}, {2} waits in other rounds:", l.Title, w.Job))}
		for _, k := range at {
			kids = append(kids, text(" "), on(txt("button.btn|type=button|data-test=why-waits|data-lane="+state.LaneLetter(i), itoa(k+1)), "click", w.H.on(state.Go{To: k, Why: i + 1}), itoa(i), itoa(k)))
		}
		if all > len(at) {
			kids = append(kids, text(" "+words.F("and {0} more", itoa(all-len(at)))))
		}
		lanes = append(lanes, el("p.order", kids...))
	}
	return lanes
}
