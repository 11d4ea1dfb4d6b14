package ui

import (
	"strconv"

	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/core/chart"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// zoomKeys are meant by their place, so that they lie alike on every keyboard.
var zoomKeys = map[string]state.Action{
	"KeyW": state.Zoom{By: 0.5}, "KeyS": state.Zoom{By: 2}, "KeyA": state.Pan{By: -0.25}, "KeyD": state.Pan{By: 0.25},
	"NumpadAdd": state.Zoom{By: 0.5}, "NumpadSubtract": state.Zoom{By: 2},
}

// zoombar is the buttons of the time axis and what is seen of it. Fit is there whenever something is cut off.
func (t *Timeline) zoombar(r *run.Result) app.UI {
	h := t.H
	from, to, _ := r.Shares(t.Zoom)
	a := r.View(t.Zoom)
	var kids []app.UI
	if !t.Zoom.Whole() {
		kids = append(kids, t.zoomIn(r),
			h.tool("|data-kind=quiet|data-test=zoom-out", "minus", "Zoom out (−)", "out", state.Zoom{By: 2}),
			set(h.tool("|data-kind=quiet|data-test=pan-left", "back", "Earlier (A)", "a", state.Pan{By: -0.5}),
				"disabled", flag(from == 0)),
			set(h.tool("|data-kind=quiet|data-test=pan-right", "forward", "Later (D)", "d", state.Pan{By: 0.5}),
				"disabled", flag(to == 1)),
			on(set(el("button.btn|type=button|data-test=zoom-fit", icon("fit"), say("span", "Fit")),
				"title", words.T("Show the whole axis (0)")), "click", h.on(state.Zoom{}), "fit"),
			app.Raw(
				`<svg class="map" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true"><rect y="3" width="1000" height="2"></rect><rect data-part="seen" x="`+
					strconv.Itoa(int(from*1000))+`" width="`+strconv.Itoa(max(8, int((to-from)*1000)))+
					`" height="8"></rect></svg>`),
			txt("span|data-test=zoom-says|role=status", words.F("Shown: {0} to {1} of {2}", chart.Clock(&a, a.From),
				chart.Clock(&a, a.To), a.Unit.Long(r.Axis.To-r.Axis.From))))
	}
	return set(el("div.zoombar|data-test=zoombar|role=group|aria-label=Zoom", kids...),
		"hidden", flag(t.Zoom.Whole()), "data-from", exact(a.From.Seconds()), "data-to", exact(a.To.Seconds()))
}

// zoomIn shows half of what is seen. It stands in the menu until there is something cut off.
func (t *Timeline) zoomIn(r *run.Result) app.UI {
	from, to, least := r.Shares(t.Zoom)
	return set(t.H.tool("|data-kind=quiet|data-test=zoom-in", "plus", "Zoom in (+)", "in", state.Zoom{By: 0.5}),
		"disabled", flag(to-from <= least))
}

// zoomed tells the gestures what is drawn now.
func (h *Host) zoomed() {
	from, to, least := h.S.Result.Shares(h.S.View.Zoom)
	platform.Zoomed(from, to, least, func(from, to float64) {
		h.guard(func() { h.Do(state.SetWindow{From: from, To: to}) })
	})
}
