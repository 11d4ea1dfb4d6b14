// Package share is what is handed on: a link with the scenario and what is looked at, what a scenario was made from,
// the snapshots that a browser keeps, reports and tables. It makes texts and knows nobody who copies or stores them.
package share

import (
	"strings"

	"hadarlab/app/run"
	"hadarlab/core/scenario"
)

// State is the share dialog, and the links that were opened.
type State struct {
	Open     bool
	Link     string // path and fragment, for the page's own origin
	TooLong  bool   // for a page to open Link: a short link or a file has to do
	Stays    bool   // a lane is a record of decisions: there is no link, and a file has to do
	View     string // what is looked at, as a link says it
	KeepView bool   // Address ends in it
	Predict  bool   // whoever opens Address predicts first
	Copied   string // the text that is on the clipboard
	Posting  bool
	Lineage  *Lineage // what was changed on the way to Link, nil = nothing
	Short    string   // path of the short link, "" = none made
	Problem  string
	Posted   *scenario.Document // that MakeShort has sent
	Doc      *scenario.Document // that Link is of, nil = there is none yet
}

// Address is the link that is handed on: path and fragment.
func (s *State) Address() string { return s.Link + s.view("&v=") }

// view is what the links say of where to look, behind a mark; "" = nothing.
func (s *State) view(mark string) string {
	var parts []string
	if s.Predict {
		parts = append(parts, "p")
	}
	if s.KeepView && s.View != "" {
		parts = append(parts, s.View)
	}
	if parts == nil {
		return ""
	}
	return mark + strings.Join(parts, ".")
}

// ShortAddress is the short link that is handed on, empty before it is made.
func (s *State) ShortAddress() string {
	if s.Short == "" {
		return ""
	}
	return s.Short + s.view("#v=")
}

// EmbedCode is the HTML that shows a scenario in another page: by its short id where there is one, else by its link.
func (s *State) EmbedCode(origin string) string {
	path := strings.Replace(s.Address(), "/#", "/e#", 1)
	if s.Short != "" {
		path = strings.Replace(s.ShortAddress(), "/s/", "/e/", 1)
	}
	return `<iframe src="` + origin + path + `" title="Hadarlab" width="100%" height="1000" loading="lazy"></iframe>`
}

// Partial is what the names of files say when a lane was cancelled before it was done.
func Partial(r *run.Result) string {
	for _, l := range r.Lanes {
		if l.Trace == nil || l.Stopped() {
			return "-partial"
		}
	}
	return ""
}

// FileName is a title in characters that every system takes.
func FileName(title string) string {
	name := strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-")
	if name == "" {
		return "scenario"
	}
	return name[:min(len(name), 60)]
}
