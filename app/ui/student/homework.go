package student

import (
	"hadarlab/app/class"
	. "hadarlab/app/ui/html"
	course "hadarlab/core/class"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// ownSteps are the steps of a student in a homework, and where they stand by what they have handed in.
func (c *Strip) ownSteps() app.UI {
	st := &c.Student
	now := course.Pace("")
	switch {
	case st.State.Phase == course.Closed:
		now = course.OwnDone
	case st.Works():
		now = st.Assignment.Pace(st.Entries)
	}
	past := "past"
	if now == "" {
		past = ""
	}
	var items []app.UI
	for _, p := range st.Assignment.Paces() {
		item := Txt("li", class.PaceTitle(p))
		if p == now {
			item, past = Set(item, "aria-current", "step"), ""
		}
		items = append(items, Set(item, "data-step", past))
	}
	return El("ol.steps|aria-label=Steps of the class", items...)
}
