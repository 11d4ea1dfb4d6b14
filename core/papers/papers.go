// Package papers holds a text for each scheduler that is more than its code: what could be read of its paper, what is
// done here, and where the two differ, with formulas and worked examples. Comments cite these texts by file and
// section. The manual prints them; tests work every example out anew, and look up what the texts name.
package papers

import (
	"embed"
	"strings"
)

//go:embed *.md
var files embed.FS

// Text is one of them, in Markdown: sections (##), parts (###), paragraphs, lists, tables, and
// formulas, indented by four spaces, where _ lowers and ^ raises what follows.
type Text struct {
	Name, Title, Lead string
	Body              string // what follows the lead
	of                []string
}

// All are the texts, in the order in which they are to be read.
func All() []Text {
	list := []Text{{Name: "hadar", of: []string{"hadar", "hadare"}}, {Name: "gavel", of: []string{"gavel-"}},
		{Name: "pollux", of: []string{"pollux"}}, {Name: "sia", of: []string{"sia"}},
		{Name: "dally", of: []string{"dally"}}, {Name: "a-srpt", of: []string{"a-srpt"}},
		{Name: "stragglers"}, {Name: "hosts"}, {Name: "fusion"}, {Name: "clouds"},
		{Name: "scarce", of: []string{"venn"}}}
	for i := range list {
		t := &list[i]
		b, err := files.ReadFile(t.Name + ".md")
		if err != nil {
			panic(err) // it is compiled in
		}
		head, body, _ := strings.Cut(string(b), "\n## ")
		title, lead, _ := strings.Cut(strings.TrimPrefix(head, "# "), "\n")
		t.Title, t.Lead, t.Body = title, strings.Join(strings.Fields(lead), " "), "## "+body
	}
	return list
}

// Is says whether the text is about a policy.
func (t *Text) Is(policy string) bool {
	for _, id := range t.of {
		if policy == id || strings.HasSuffix(id, "-") && strings.HasPrefix(policy, id) ||
			strings.HasPrefix(policy, id+"-") {
			return true
		}
	}
	return false
}

// Source is the text as it is in its file.
func (t *Text) Source() string {
	b, _ := files.ReadFile(t.Name + ".md") // All has read it
	return string(b)
}
