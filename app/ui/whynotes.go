package ui

import (
	"slices"

	"hadarlab/app/state"
	"hadarlab/core/chart"
	"hadarlab/core/message"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// none says on which types the job has no speed because its gang is larger than the type has GPUs.
func (w *Why) none(r *state.Result, lane int, c *message.JobChoice) string {
	t, list := r.Lanes[lane].Trace, ""
	n := t.Jobs[r.Jobs[w.Job]].GPUs
	for i := range c.Shares {
		has, typ := int32(0), c.Shares[i].Type
		for _, s := range t.Slots {
			if t.Types[s.Type] == typ {
				has += s.Cap
			}
		}
		if c.Shares[i].RatePerS > 0 || has >= n {
			continue
		}
		if list != "" {
			list += ", "
		}
		list += chart.TypeTitle(typ)
	}
	if list == "" {
		return ""
	}
	return words.F("0 steps/s on {0}: {1} of one type do not fit, and this policy keeps a gang on one type.", list, plural(int(n), "GPU")) + " "
}

// bounds are the lowest and the highest price of each GPU type, between which the price follows how full a node is.
func (w *Why) bounds(r *state.Result, lane int, c *message.Constants) app.UI {
	types := typesOf(r.Lanes[lane].Trace)
	return el("dl.named|data-test=why-bounds", each(len(types), func(i int) app.UI {
		return el("div", txt("dt", words.F("price of a {0}, U_min empty to U_max full", chart.TypeTitle(types[i]))),
			txt("dd", chart.Sig(c.UMin[types[i]], 3)+" – "+chart.Sig(c.UMax[types[i]], 3)+" "+words.T("1/s")))
	})...)
}

// utility says what a policy that prices GPUs sets against the price.
func (w *Why) utility(info *state.PolicyInfo) app.UI {
	for _, p := range info.Params {
		if p.Name == "utility" {
			return txt("p", words.T("Utility is what the job is worth if it is placed like this: the sooner it finishes there, the more.")+" "+words.T(p.Help))
		}
	}
	return el("span|hidden=true")
}

// order is the queue as the policy considered it, around the job; a job that it passed over comes last, with the reason.
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
