package ui

import (
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Opening is what is known of a scenario before its first result is there: it stands under the question while the page
// shows nothing else, as a large one takes seconds. What is still fetched is not known, and a question might tell what
// is to be predicted.
type Opening struct {
	Standing
	Size     string
	Policies string // that are being run
}

func openingOf(s *state.Lab) *Opening {
	v := &Opening{Standing: standingOf(s)}
	v.Size = words.F("{0} on {1}", words.Plural(s.Doc.JobCount(), "job"), words.Plural(edit.GPUs(s.Doc), "GPU"))
	var titles []string
	for i := range s.Doc.Scenario.Policies {
		titles = append(titles, s.Boot.PolicyTitle(s.Doc.Scenario.Policies[i].ID))
	}
	v.Policies = strings.Join(titles, ", ")
	return v
}

// Render draws it.
func (o *Opening) Render() app.UI {
	return El("section.underway|data-test=underway", Txt("p", o.Size+" · "+o.Policies),
		Txt("p", o.words()))
}
