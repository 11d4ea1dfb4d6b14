package ui

import (
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// broken stands for a view that cannot be drawn. Any event in a part draws the part anew, so that the button for it has
// nothing to do.
func broken(r any) app.UI {
	platform.Log("hadarlab: " + reason(r))
	again := elm.On(Say("button.btn|type=button|data-test=try-again", "Try again"), "click",
		func(app.Context, app.Event) {})
	return El("section.panel|data-test=broken", Note("error",
		Txt("div", words.F("This part of the page cannot be drawn: {0}. The rest goes on, and your scenario is kept.",
			reason(r))), again))
}

// failed says that something went wrong. The state may be broken: nothing else is done with it.
func (h *Host) failed(r any) {
	platform.Log("hadarlab: " + reason(r))
	h.S.Reduce(state.Broke{Why: reason(r)})
}

func reason(r any) string {
	switch r := r.(type) {
	case error:
		return r.Error()
	case string:
		return r
	}
	return words.T("an unknown fault")
}
