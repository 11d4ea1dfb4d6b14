package ui

import (
	"slices"

	"hadarlab/core/message"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// order is the queue as the policy considered it, around the job; a job that it passed over comes last, with the
// reason.
func (w *Why) order(e *message.Explanation, c *message.JobChoice) app.UI {
	at := slices.Index(e.Order, w.Job)
	from, to := max(0, at-4), min(len(e.Order), max(at, 0)+5)
	kids := []app.UI{txt("span.mute", words.T("Considered in order:")+" ")}
	if from > 0 {
		kids = append(kids, text("… "))
	}
	for i := from; i < to; i++ {
		if i > from {
			kids = append(kids, text(" › "))
		}
		kids = append(kids, w.H.jobButton(e.Order[i]))
	}
	if to < len(e.Order) {
		kids = append(kids, text(" "+words.F("… {0} in all", itoa(len(e.Order)))))
	}
	if at < 0 && c.Reason == "wait-share" {
		kids = append(kids, text(" › "), w.H.jobButton(w.Job), text(words.T(", for which too few are left")))
	}
	return el("p.order|data-test=why-order", kids...)
}
