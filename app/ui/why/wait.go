package why

import (
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/run"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// mostNamed is how many rounds of waiting are named at most.
const mostNamed = 6

// elsewhere leads to the rounds in which the job waits in a lane, where it does not at the cursor.
func (w *Why) elsewhere(r *run.Result) app.UI {
	return El("div", Each(len(r.Lanes), func(i int) app.UI {
		at, all := r.Waiting(i, w.Job, w.Moment, mostNamed)
		if all == 0 {
			return El("span")
		}
		more := ""
		if all > len(at) {
			more = words.F("and {0} more", Itoa(all-len(at)))
		}
		return El("p.order", Text(words.F("Under {0}, {1} waits in round", r.Lanes[i].Title, w.Job)+" "),
			El("span.seg|role=group|data-test=why-waits|data-lane="+edit.LaneLetter(i),
				Each(len(at), func(k int) app.UI {
					return elm.On(Txt("button|type=button", Itoa(at[k]+1)), "click",
						Act(state.Go{To: at[k], Why: i + 1}), Itoa(i), Itoa(at[k]))
				})...), Text(" "+more))
	})...)
}
