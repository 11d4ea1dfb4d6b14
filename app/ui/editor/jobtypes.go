package editor

import (
	"slices"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// jobTypes are the jobs that may use some GPU types only.
func jobTypes(c *Editor) app.UI {
	h := &c.Fields
	jobs := h.Doc.Scenario.Jobs
	var kids []app.UI
	count := 0
	options := []app.UI{Option("", words.T("+ GPU types of a job…"), true)}
	for i := range jobs {
		if len(jobs[i].Types) == 0 {
			if len(options) < 200 {
				options = append(options, Option(Itoa(i), jobs[i].ID, false))
			}
			continue
		}
		if count++; count > briefRows {
			continue
		}
		name := jobs[i].ID
		line := []app.UI{Bold(name)}
		all := append(edit.UsableTypes(h.Doc, i), jobs[i].Types...)
		slices.Sort(all)
		for _, typ := range slices.Compact(all) {
			does := state.Do{Edit: edit.SwitchType{Job: i, Type: typ}}
			button := elm.On(Txt("button.btn|type=button|data-test=editor-job-type", strings.ToUpper(typ)), "click",
				Act(does), name+typ+Itoa(i))
			line = append(line, h.allowed(Set(button, "aria-pressed", OnOff(slices.Contains(jobs[i].Types, typ)),
				"data-path", "/scenario/jobs/"+Itoa(i)+"/types"), does))
		}
		free := h.tool("|data-kind=quiet|data-test=editor-remove-types", "trash", words.F("All GPU types for {0}", name),
			name+Itoa(i), state.Do{Edit: edit.SwitchType{Job: i, All: true}})
		kids = append(kids, Set(El("div.line", append(line, free)...), "data-job", name))
	}
	if count > briefRows {
		kids = append(kids, Txt("p.mute help", words.F("{0} more stand in the JSON tab.", Itoa(count-briefRows))))
	}
	if len(options) > 1 {
		kids = append(kids, El("div.line", c.adder("editor-add-types", words.T("GPU types of a job"), options,
			func(v string) edit.Edit { return edit.SwitchType{Job: WholeNumber(v), All: true} })))
	}
	kids = append(kids, Say("p.mute help",
		"A job may be for some GPU types only, as one that needs the memory of a large GPU. It runs nowhere else, under any policy. Nodes that only some jobs may use are a GPU type of their own."))
	brief := words.T("every job may use all")
	if count > 0 {
		brief = words.N(count, "{0} job may use some only", "{0} jobs may use some only")
	}
	return shut("editor-types", "GPU types of jobs", brief, kids...)
}
