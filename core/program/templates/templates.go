// Package templates has programs to begin with. It stands apart from what every build needs of a program's text.
package templates

import (
	"embed"
	"strings"
)

//go:embed *.star
var files embed.FS

// Template is a program to begin with.
type Template struct {
	ID    string
	Title string   // of a menu
	Says  string   // in what it differs from what it is like; "" = in nothing
	Like  string   // the policy that it is, or is like
	Near  []string // presets on which its mean completion time is within 5 % of that policy's
	Text  string
	// Params are the parameters of the policy own beside the program under which it is what its title says.
	Params map[string]any
}

// Values are the parameters of the policy own under the template, with its program.
func (t *Template) Values() map[string]any {
	v := map[string]any{"program": t.Text}
	for name, of := range t.Params {
		v[name] = of
	}
	return v
}

// All are those that come with the lab, the shortest first.
var All = []Template{
	{ID: "fifo", Title: "First come, first served", Like: "fifo"},
	{ID: "srtf", Title: "Shortest remaining time first", Like: "srtf", Params: map[string]any{"preempt": true}},
	{ID: "las", Title: "Least attained service", Like: "las", Params: map[string]any{"preempt": true, "rounds": true}},
	{ID: "backfill", Title: "Backfilling", Says: "Without a like among the built-in policies; lengths must be known."},
	{ID: "maxmin", Title: "Max-min fairness, like Gavel's", Like: "gavel-las", Params: map[string]any{"rounds": true},
		Near: []string{"fastest-for-whom", "comparative-advantage", "price-spike", "too-much-work",
			"three-generations"},
		Says: "Gavel's linear program finds all shares at once; here each job in turn takes its fastest free GPUs."},
	{ID: "price", Title: "A price, like Hadar's", Like: "hadar", Params: map[string]any{"rounds": true},
		Near: []string{"fastest-for-whom", "price-spike", "two-jobs-three-gpus", "exact-tie", "one-slow-link"},
		Says: "Hadar's gangs may mix types, and it searches over the order of jobs; here the shortest is asked first."},
}

func init() {
	for i := range All {
		t := &All[i]
		text, _ := files.ReadFile(t.ID + ".star") // a missing one shows as empty, which the tests refuse
		t.Text = strings.TrimSpace(string(text)) + "\n"
	}
}
