package editor

import (
	"hadarlab/app/edit"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// stragglers are the nodes that are slow for a while, and what jobs do against it.
func (c *Editor) stragglers() app.UI {
	h := &c.Fields
	s := &h.Doc.Scenario
	list := s.Stragglers.List
	brief := words.T("none")
	switch {
	case s.Stragglers.Generator != nil:
		brief = words.T("nodes are slow at random")
	case len(list) > 0:
		brief = words.N(len(list), "{0} spell of slowness", "{0} spells of slowness")
	}
	var kids []app.UI
	if s.Stragglers.Generator != nil {
		kids = append(h.form(nil, edit.SlowingForm()), h.button(".btn", "No random spells", "nospells",
			state.Do{Edit: edit.SlowAtRandom(false)}))
	} else {
		kids = append(kids, h.button(".btn|data-test=editor-random-spells", "Let nodes be slow at random", "spells",
			state.Do{Edit: edit.SlowAtRandom(true)}))
	}
	for i := range list[:min(len(list), briefRows)] {
		kids = append(kids, Set(h.entryRow(list[i].Node, edit.SpellForm(i), "editor-remove-spell",
			words.F("Remove spell {0}", Itoa(i+1)), edit.RemoveSpell(i)), "data-spell", Itoa(i)))
	}
	more := max(0, len(list)-briefRows)
	rows, left := c.redundancies()
	kids = append(kids, rows...)
	if more += left; more > 0 {
		kids = append(kids, Txt("p.mute help", words.F("{0} more stand in the JSON tab.", Itoa(more))))
	}
	add := []app.UI{c.ofNode("editor-add-spell", words.T("+ Let a node be slow…"),
		func(node int) edit.Edit { return edit.AddSpell(s.Cluster.Nodes[node].ID) })}
	options := []app.UI{Option("", words.T("+ Redundancy of a job…"), true)}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.Redundancy == nil && edit.Redundant(j) && len(options) < 200 {
			options = append(options, Option(Itoa(i), j.ID, false))
		}
	}
	if len(options) > 1 {
		add = append(add, c.adder("editor-add-redundancy", words.T("Redundancy of a job"), options,
			func(v string) edit.Edit {
				i := WholeNumber(v)
				return edit.SetRedundancy(i, s.Jobs[i].ID, edit.Backups)
			}))
	}
	if len(s.Jobs) > 0 {
		all := []app.UI{Option("", words.T("Redundancy of all jobs…"), true),
			Option("none", edit.RedundancyTitle(""), false)}
		for _, kind := range edit.Redundancies {
			all = append(all, Option(kind, edit.RedundancyTitle(kind), false))
		}
		add = append(add, c.adder("editor-add-redundancies", words.T("Redundancy of all jobs"), all,
			func(v string) edit.Edit {
				if v == "none" {
					v = ""
				}
				return edit.RedundancyOfAll(v)
			}))
	}
	kids = append(kids, El("div.line", add...), Say("p.mute help",
		"A gang goes at the pace of its slowest GPU, and no policy knows of a spell beforehand. Backups are among the GPUs of the job. With coding every part of the batch is computed several times, so that steps take so many times as long."))
	return shut("editor-stragglers", "Stragglers", brief, kids...)
}

// redundancies are the rows of the jobs that have some, and how many more there are.
func (c *Editor) redundancies() (rows []app.UI, left int) {
	h := &c.Fields
	jobs := h.Doc.Scenario.Jobs
	for i := range jobs {
		kind := edit.RedundancyOf(&jobs[i])
		if kind == "" {
			continue
		}
		if len(rows) == briefRows {
			left++
			continue
		}
		name := jobs[i].ID
		kinds := Each(len(edit.Redundancies), func(k int) app.UI {
			of := edit.Redundancies[k]
			return Option(of, edit.RedundancyTitle(of), of == kind)
		})
		kids := []app.UI{Bold(name), Given(Set(El("select.field|data-test=editor-redundancy", kinds...),
			"data-path", "/scenario/jobs/"+Itoa(i)+"/redundancy", "aria-label", words.F("Redundancy of {0}", name)),
			"change", func(s string) state.Action { return state.Do{Edit: edit.SetRedundancy(i, name, s)} }, Itoa(i),
			name)}
		for _, f := range edit.RedundancyForm(i, kind) {
			kids = append(kids, El("span.unit", Say("span.mute", f.Label), h.figure(f)))
		}
		rows = append(rows, Set(El("div.line", append(kids, h.tool("|data-kind=quiet|data-test=editor-remove-redundancy",
			"trash", words.F("No redundancy of {0}", name), name, state.Do{Edit: edit.SetRedundancy(i, name, "")}))...),
			"data-job", name))
	}
	return rows, left
}
