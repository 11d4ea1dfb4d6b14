package ui

import (
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// mostNamed is how many rounds of waiting are named at most.
const mostNamed = 6

// elsewhere leads to the rounds in which the job waits in a lane, where it does not at the cursor.
func (w *Why) elsewhere(r *run.Result) app.UI {
	return el("div", each(len(r.Lanes), func(i int) app.UI {
		at, all := r.Waiting(i, w.Job, w.Moment, mostNamed)
		if all == 0 {
			return el("span")
		}
		more := ""
		if all > len(at) {
			more = words.F("and {0} more", itoa(all-len(at)))
		}
		return el("p.order", text(words.F("Under {0}, {1} waits in round", r.Lanes[i].Title, w.Job)+" "),
			el("span.seg|role=group|data-test=why-waits|data-lane="+edit.LaneLetter(i),
				each(len(at), func(k int) app.UI {
					return elm.On(txt("button|type=button", itoa(at[k]+1)), "click",
						act(state.Go{To: at[k], Why: i + 1}), itoa(i), itoa(at[k]))
				})...), text(" "+more))
	})...)
}
