// Package editor draws the scenario: in brief in the column beside the lanes, and in the editor with all of its
// fields, its sheets and its text.
package editor

import (
	"slices"
	"strings"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/student"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/scenario"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Editor is the whole scenario: the form or the text, over one document.
type Editor struct {
	Fields
	JSON   bool   // the text is shown
	Text   string // as it stands, where it is
	Draft  bool   // it differs from the document
	Behind bool   // the document has been changed since it began to
	Place  string // where its cursor is
	At     string // that in words
	Task   bool   // a class's task waits beside the editor
	Trials compare.Trials
	Ready  bool // the engine
	Hosted bool // the document says something of CPUs or memory
}

func Of(s *state.Lab, m *student.Model) *Editor {
	c := &Editor{Fields: FieldsOf(s), JSON: s.View.JSON, Task: m.Student != nil && m.Changes(),
		Trials: s.Trials, Ready: s.Engine == room.EngineReady, Hosted: edit.Hosted(s.Doc)}
	if _, c.Draft = s.Drafts[state.JSONField]; c.JSON {
		c.Text, _ = s.JSONText(s.Doc)
		c.Behind, c.Place, c.At = s.JSONBehind(s.Doc), s.View.Place, s.PlaceWords()
	}
	return c
}

// Render draws the editor.
func (c *Editor) Render() app.UI {
	h := &c.Fields
	kids := []app.UI{El("header", Say("h2|id=h-editor|tabindex=-1", "Edit the scenario"),
		El("span.seg|role=group|aria-label=Form or text",
			Set(h.button("|data-test=editor-form", "Form", "form", state.ShowJSON{On: false}),
				"aria-pressed", OnOff(!c.JSON)),
			Set(elm.On(Say("button|type=button|data-test=editor-json-tab", "JSON"), "click", c.json),
				"aria-pressed", OnOff(c.JSON), "data-draft", Flag(c.Draft))),
		elm.On(Say("button.btn|type=button|data-test=editor-open-file", "Open a file…"), "click",
			Picks(ScenarioFiles)),
		h.tool("|data-kind=quiet|data-test=editor-close", "close", "Close the editor", "close", state.ToggleEditor{})),
		h.problems("")}
	if c.JSON {
		kids = append(kids, c.text())
	} else {
		kids = append(kids, c.title(), c.cluster(), c.speeds(), c.jobs(), c.policies(), c.run())
		kids = append(kids, c.extras()...)
		kids = append(kids, chapter("History", words.F("{0} in force; undo covers all of them",
			words.Plural(h.InForce, "edit")), h.history()))
	}
	if c.Task { // it stands far above on a phone
		kids = append(kids, h.button(".btn|data-test=editor-back", "Back to the task", "close", state.ToggleEditor{}))
	}
	kids = append(kids, elm.Hook(standsAs{c.JSON, c.Text}))
	return El("section.panel editor|aria-labelledby=h-editor|data-test=editor", kids...)
}

// json turns to the text, at the field that had the focus last.
func (c *Editor) json(app.Context, app.Event) {
	if !c.JSON {
		Do(state.ShowJSON{On: true, Field: platform.Field()})
	}
}

// chapter is a part of the form, which folds to its title, the name of a member, and a line that sums it up.
func chapter(title, brief string, kids ...app.UI) app.UI {
	head := Set(El("summary.parthead", Say("h3", title), Txt("span.mute", brief)),
		"data-path", "/scenario/"+strings.ToLower(title))
	return El("section.part", El("details|open=true", head, El("div.chapter", kids...)))
}

func (c *Editor) title() app.UI {
	h := &c.Fields
	return El("div.part titlerow", Say("label|for=editor-title", "Title"),
		elm.On(Given(
			Set(El("input.field|id=editor-title|type=text|data-test=editor-title|data-path=/meta/title|maxlength=80"),
				"value", h.Doc.Meta.Title), "input",
			func(title string) state.Action { return state.Do{Edit: edit.Rename{Title: title}} }),
			"blur", Act(state.SealField{})))
}

func (c *Editor) cluster() app.UI {
	h := &c.Fields
	nodes := h.Doc.Scenario.Cluster.Nodes
	cards := Each(len(nodes), func(i int) app.UI { return c.node(i, &nodes[i]) })
	return chapter("Cluster", words.Plural(len(nodes), "node")+", "+words.Plural(edit.GPUs(h.Doc), "GPU")+", "+
		words.Plural(len(h.types()), "GPU type"),
		El("div.nodes", append(cards, h.button(".node add|data-test=editor-add-node", "+ Add a node", "node",
			state.Do{Edit: edit.AddNode{}}))...), c.racks())
}

// racks are the groups of nodes, which are edited together.
func (c *Editor) racks() app.UI {
	h := &c.Fields
	names, nodes := edit.Racks(&h.Doc.Scenario.Cluster)
	kids := Each(len(names), func(i int) app.UI {
		name := names[i]
		return Set(El("span.rack", h.name(words.F("Name of rack {0}", name), name, "editor-rack-name", "", "rack"+name,
			func(s string) edit.Edit { return edit.RenameRack{Rack: name, Name: s} }),
			Txt("span.mute", words.Plural(nodes[i], "node")),
			h.tool("|data-kind=quiet|data-test=editor-copy-rack", "copy", words.F("Copy rack {0} with its nodes", name),
				"cpr"+name, state.Do{Edit: edit.CopyRack{Rack: name}}),
			h.tool("|data-kind=quiet|data-test=editor-remove-rack", "trash",
				words.F("Remove rack {0} with its nodes", name), "rmr"+name,
				state.Do{Edit: edit.RemoveRack{Rack: name}})), "data-rack", name)
	})
	kids = append([]app.UI{Say("b", "Racks")},
		append(kids, h.button(".btn|data-test=editor-add-rack", "+ Add a rack", "addrack",
			state.Do{Edit: edit.AddRack{}}))...)
	return El("div.line racks", kids...)
}

// rackOf chooses the rack of a node.
func (c *Editor) rackOf(i int, n *scenario.Node) app.UI {
	h := &c.Fields
	names, _ := edit.Racks(&h.Doc.Scenario.Cluster)
	options := Each(len(names),
		func(k int) app.UI { return Option(names[k], words.F("rack {0}", names[k]), names[k] == edit.Rack(n)) })
	options = append(options, Option("", words.T("a new rack"), false))
	return Given(Set(El("select.field|data-test=editor-rack", options...), "aria-label", words.F("Rack of {0}", n.ID),
		"data-node", n.ID, "data-path", "/scenario/cluster/nodes/"+Itoa(i)+"/rack"), "change",
		func(rack string) state.Action { return state.Do{Edit: edit.SetRack{Node: i, Rack: rack}} }, Itoa(i), n.ID)
}

func (c *Editor) node(i int, n *scenario.Node) app.UI {
	h := &c.Fields
	types := h.types()
	kids := []app.UI{El("div.line", h.name(words.F("Name of node {0}", n.ID), n.ID, "editor-node-name",
		"/scenario/cluster/nodes/"+Itoa(i)+"/id", "node"+Itoa(i),
		func(s string) edit.Edit { return edit.RenameNode{Node: i, ID: s} }),
		h.tool("|data-kind=quiet|data-test=editor-copy-node", "copy", words.F("Copy {0}", n.ID), "cp"+Itoa(i),
			state.Do{Edit: edit.CopyNode{Node: i}}),
		h.tool("|data-kind=quiet|data-test=editor-remove-node", "trash", words.F("Remove {0}", n.ID), "rm"+Itoa(i),
			state.Do{Edit: edit.RemoveNode{Node: i}}))}
	for _, t := range types {
		if _, ok := n.GPUs[t]; ok {
			kids = append(kids, El("div.line", TypeMark(types, t),
				Set(h.stepper(h.GPUs(i, t)), "data-node", n.ID, "data-type", t),
				h.tool("|data-kind=quiet", "close", words.F("Take {0} off {1}", figure.TypeTitle(t), n.ID), n.ID+t,
					state.Do{Edit: edit.RemoveType{Node: i, Type: t}})))
		}
	}
	if c.Hosted {
		host := edit.NodeHostForm(i, n.ID)
		kids = append(kids, El("div.line", Say("span.mute", "CPUs"), h.figure(host[0]), Say("span.mute", "GB"),
			h.figure(host[1])))
	}
	options := []app.UI{Option("", words.T("+ GPU type"), true)}
	for _, t := range c.missing(n, types) {
		options = append(options, Option(t, figure.TypeTitle(t), false))
	}
	add := c.adder("editor-add-type", words.F("Add a GPU type to {0}", n.ID), options,
		func(t string) edit.Edit { return edit.SetGPUs{Node: i, Type: t, N: 1} })
	return Set(El("div.node", append(kids, El("div.line", add, c.rackOf(i, n)))...), "data-node", n.ID)
}

// missing are the GPU types that could be added to a node: those of the cluster first, then the catalogue.
func (c *Editor) missing(n *scenario.Node, types []string) []string {
	out := slices.Clone(types)
	for _, t := range scenario.Catalogue() {
		if !slices.Contains(types, t.Name) {
			out = append(out, t.Name)
		}
	}
	return slices.DeleteFunc(out, func(t string) bool { _, has := n.GPUs[t]; return has })
}

func (c *Editor) speeds() app.UI {
	h := &c.Fields
	rows, types := h.Doc.Scenario.Throughputs.Rows, h.types()
	head := append([]app.UI{Th("Model")}, Each(len(types), func(i int) app.UI {
		return El("th.num|scope=col", TypeMark(types, types[i]))
	})...)
	gradients := edit.Gradients(h.Doc)
	body := Each(len(rows), func(i int) app.UI {
		r := &rows[i]
		batch := ""
		if r.Batch > 0 {
			batch = " " + words.F("batch {0}", Itoa(r.Batch))
		}
		cells := []app.UI{El("th|scope=row", h.name(words.F("Model of row {0}", Itoa(i+1)), r.Model, "editor-model",
			"/scenario/throughputs/rows/"+Itoa(i)+"/model", "row"+Itoa(i),
			func(s string) edit.Edit { return edit.RenameModel{Row: i, Name: s} }), Txt("small", batch))}
		for k, t := range types {
			cells = append(cells,
				heat(El("td", cellAt(Set(h.input(c.cell(i, r, t)), "placeholder", words.T("does not fit"),
					"data-model", r.Model, "data-batch", Itoa(r.Batch), "data-type", t), i, k)), r.PerGPU, t))
		}
		if gradients {
			f := edit.GradientForm(i)
			f.Name = words.F("Gradients of {0}", r.Model)
			cells = append(cells, El("td", cellAt(h.figure(f), i, len(types))))
		}
		if c.Hosted {
			cells = append(cells, curve(h, edit.Curve{Row: i}, words.F("Speed of {0} by CPUs", r.Model)),
				curve(h, edit.Curve{Row: i, Memory: true}, words.F("Speed of {0} by memory", r.Model)))
		}
		return El("tr", append(cells, Say("td.src", r.Source), El("td.act",
			Set(h.tool("|data-kind=quiet|data-test=editor-normalise", "ratio",
				words.F(
					"Relative speeds: the fastest GPU type of {0} gets 1 step/s; the steps of its jobs are converted, so that each takes as long as before on the same GPUs", r.Model), "norm"+Itoa(i), state.Try{Edit: edit.Normalise{Row: i}}), "disabled", Flag(!edit.CanNormalise(r))),
			h.tool("|data-kind=quiet|data-test=editor-copy-row", "copy", words.F("Copy {0}", r.Model), "cprow"+Itoa(i),
				state.Do{Edit: edit.AddRow{Row: i}}),
			h.tool("|data-kind=quiet|data-test=editor-remove-row", "trash", words.F("Remove {0}", r.Model),
				"rmrow"+Itoa(i), state.Do{Edit: edit.RemoveRow{Row: i}})))...)
	})
	if gradients {
		head = append(head, ThNum("Gradients, MB"))
	}
	if c.Hosted {
		head = append(head, curveHead("Speed by CPUs"), curveHead("Speed by GB"))
	}
	return chapter("Throughputs",
		words.T("steps per second of one GPU; tint: share of the row’s best; empty: does not fit"),
		El("div.scroll", sheet(Table(".sheet|data-test=editor-speeds", "Steps per second of one GPU",
			append(head, Th("Source"), El("th|scope=col", Say("span.vh", "Relative speeds, copy or remove"))), body),
			"speeds",
			func(row, column int, _ string, cells [][]string) {
				Do(state.PasteSpeeds{Row: row, Column: column, Types: h.types(), Cells: cells})
			})),
		El("div.line", h.button(".btn|data-test=editor-add-row", "+ Add a model", "row",
			state.Do{Edit: edit.AddRow{Row: -1}}), c.catalogue(),
			Say("span.mute help", "Cells of a spreadsheet can be pasted; arrows and Enter move between cells.")))
}

func (c *Editor) cell(row int, r *scenario.Row, t string) number {
	return number{state.Typed{Field: "speed/" + Itoa(row) + "/" + t, Range: edit.SpeedRange, Empty: true,
		Name: words.F("Speed of {0} on {1}", r.Model, figure.TypeTitle(t)),
		Edit: edit.SetSpeed{Row: row, Type: t}},
		r.PerGPU[t], "editor-speed", "/scenario/throughputs/rows/" + Itoa(row) + "/per_gpu/" + t}
}

// curve is the field of one of a row's curves.
func curve(h *Fields, of edit.Curve, name string) app.UI {
	field := of.Path()
	in := Set(El("input.field|type=text|autocomplete=off|spellcheck=false|data-test=editor-curve"), "data-field", field,
		"aria-label", name, "placeholder", words.T("with any"), "value", h.FieldText(field, of.Text(h.Doc)))
	in = Given(h.faulty(in, field, field), "input", func(text string) state.Action {
		return state.TypedCurve{Curve: of, Name: name, Text: text}
	}, field)
	return El("td.txt", elm.On(in, "blur", Act(state.Left{Field: field}), field))
}

// curveHead heads the curves, and says how they are written.
func curveHead(title string) app.UI {
	return Set(Th(title), "title",
		words.T("what each GPU has and the part of full speed with it, as in 1 0.35, 4 1; straight between two points"))
}

const sheetRows = state.JobRows

func (c *Editor) jobs() app.UI {
	h := &c.Fields
	jobs := h.Doc.Scenario.Jobs
	from := min(h.JobPage*sheetRows, max(0, (len(jobs)-1)/sheetRows*sheetRows))
	to := min(len(jobs), from+sheetRows)
	wide, ranges, batches := c.wide(), c.ranges(), len(h.Doc.Scenario.Throughputs.Profiles) > 0
	split, shown, limits := edit.Balanced(h.Doc), jobFields(wide, ranges, c.Hosted), edit.JobMost+1
	if edit.Learned(h.Doc) {
		limits = edit.JobBand + 1
	}
	body := Each(to-from, func(k int) app.UI {
		i := from + k
		id := jobs[i].ID
		cell := func(field int) app.UI {
			return El("td", cellAt(jobField(h, i, field), i, slices.Index(shown, field)))
		}
		cells := []app.UI{El("th|scope=row", JobButton(h.Result, id, h.Job)), El("td.txt", c.model(i)),
			cell(edit.JobGPUs), cell(edit.JobSteps), cell(edit.JobArrival), cell(edit.JobWeight)}
		if wide {
			cells = append(cells, El("td", c.tenantOf(i)), cell(edit.JobSLO))
		}
		if ranges {
			cells = append(cells, cell(edit.JobMin), cell(edit.JobMax))
			if batches && jobs[i].Elastic == nil {
				cells = append(cells, Td("–"))
			} else if batches {
				cells = append(cells, El("td", Set(h.word(edit.BatchForm(i)), "data-job", id)))
			}
		}
		if split {
			cells = append(cells, El("td", Set(h.word(edit.SplitForm(i)), "data-job", id)))
			for field := edit.JobOverhead; field < limits; field++ {
				if jobs[i].BatchSplit == "" || field > edit.JobMost && jobs[i].BatchSplit != scenario.SplitLearned {
					cells = append(cells, Td("–"))
				} else {
					cells = append(cells, El("td", Set(h.input(h.JobNumber(i, field)), "data-job", id, "placeholder",
						noLimits[field-edit.JobOverhead])))
				}
			}
		}
		if c.Hosted {
			cells = append(cells, cell(edit.JobCPUs), cell(edit.JobMemory))
		}
		return Set(El("tr", append(cells,
			El("td.act", Set(h.tool("|data-kind=quiet|data-test=editor-move-job", "swap",
				words.F("Change places with the next job: {0}", id), "mv"+id+Itoa(i),
				state.Do{Edit: edit.MoveJob{Job: i}}), "disabled", Flag(i+1 == len(jobs))),
				h.tool("|data-kind=quiet|data-test=editor-copy-job", "copy", words.F("Copy {0}", id), "cp"+id+Itoa(i),
					state.Do{Edit: edit.AddJob{CopyOf: i + 1}}),
				h.tool("|data-kind=quiet|data-test=editor-delete-job", "trash", words.F("Delete {0}", id),
					"rm"+id+Itoa(i), state.Do{Edit: edit.RemoveJob{Job: i}})))...),
			"data-job", id, "aria-selected", OnOff(id == c.Job))
	})
	head := []app.UI{Th("Job"), Th("Model"), ThNum("GPUs"), ThNum("Steps"), ThNum("Arrives, s"), ThNum("Weight")}
	if wide {
		head = append(head, Th("Tenant"), ThNum("Deadline, s"))
	}
	if ranges {
		head = append(head, ThNum("Least GPUs"), ThNum("Most GPUs"))
		if batches {
			head = append(head, Th("Batch"))
		}
	}
	if split {
		w := edit.SplitForm(0)
		head = append(head, Set(Th("Batch split"), "title", words.T(w.Help)))
		share := words.T("of a GPU, in even shares")
		head = append(head, []app.UI{
			Set(ThNum("Overhead"), "title",
				words.T("part of a step at the even share that does not shrink with a GPU’s share")),
			Set(ThNum("Least share"), "title", share), Set(ThNum("Greatest share"), "title", share),
			Set(ThNum("Checks, s"), "title",
				words.T("of training from one check of a learned split to the next")),
			Set(ThNum("Change, s"), "title",
				words.T("that a gang stands still when a check moves the shares")),
			Set(ThNum("Dead band"), "title",
				words.T("a check moves the shares where a GPU’s time is at least this part of the mean off it")),
		}[:limits-edit.JobOverhead]...)
	}
	if c.Hosted {
		why := words.T("of all its GPUs, with which it runs at full speed; empty: as its model")
		head = append(head, Set(ThNum("CPUs"), "title", why), Set(ThNum("Memory, GB"), "title", why))
	}
	head = append(head, El("th|scope=col", Say("span.vh", "Move, copy or delete")))
	elastic := h.button(".btn|data-test=editor-elastic", "Make the jobs elastic", "elastic",
		state.Do{Edit: edit.MakeElastic{}})
	if edit.Rigid(h.Doc) == 0 {
		elastic = h.button(".btn|data-test=editor-rigid", "Make the jobs rigid", "rigid",
			state.Do{Edit: edit.MakeElastic{Off: true}})
	}
	foot := []app.UI{h.button(".btn|data-test=editor-add-job", "+ Add a job", "add", state.Do{Edit: edit.AddJob{}}),
		elastic, Set(h.button(".btn|data-test=editor-ranges", "Ranges of sizes", "ranges",
			state.ShowDeadlines{Ranges: true}),
			"aria-pressed", OnOff(ranges), "hidden", Flag(edit.Rigid(h.Doc) < len(jobs)))}
	if split {
		foot = append(foot, h.button(".btn|data-test=editor-alike", "Split batches alike", "alike",
			state.Do{Edit: edit.Balance{Off: true}}))
	} else if edit.Mixable(h.Doc) {
		foot = append(foot, h.button(".btn|data-test=editor-balance", "Split batches by speed", "balance",
			state.Do{Edit: edit.Balance{}}))
	}
	if len(jobs) > sheetRows {
		foot = append(foot, Set(h.button(".btn", "Earlier jobs", "back", state.TurnJobs{To: from/sheetRows - 1}),
			"disabled", Flag(from == 0)),
			Txt("span", words.F("{0} to {1} of {2}", Itoa(from+1), Itoa(to), Itoa(len(jobs)))),
			Set(h.button(".btn", "Later jobs", "on", state.TurnJobs{To: from/sheetRows + 1}),
				"disabled", Flag(to == len(jobs))))
	}
	return chapter("Jobs", words.Plural(len(jobs), "job"), c.models(),
		El("div.scroll", sheet(Table(".sheet|data-test=editor-jobs", "Jobs", head, body), "jobs",
			func(row, column int, text string, cells [][]string) {
				shown := jobFields(c.wide(), c.ranges(), c.Hosted)
				field := shown[column]
				next := field + 1
				for slices.Contains(shown, next) {
					next++
				}
				Do(state.PasteJobs{Job: row, Field: field, Fields: next, Cells: cells, Text: text})
			})), El("div.line", foot...))
}

// noLimits are what empty fields of what a split by speed can do mean.
var noLimits = [...]string{"0", "0", "∞", "60", "0", "0.2"}

// ranges says whether the table of jobs shows their ranges of sizes.
func (c *Editor) ranges() bool {
	jobs := c.Doc.Scenario.Jobs
	return c.Ranges || edit.Rigid(c.Doc) < len(jobs)
}

// jobFields are the numbers of a job that the table shows, by column.
func jobFields(wide, ranges, hosted bool) []int {
	fields := []int{edit.JobGPUs, edit.JobSteps, edit.JobArrival, edit.JobWeight}
	if wide {
		fields = append(fields, edit.JobSLO)
	}
	if ranges {
		fields = append(fields, edit.JobMin, edit.JobMax)
	}
	if hosted {
		fields = append(fields, edit.JobCPUs, edit.JobMemory)
	}
	return fields
}

// jobField is a number of a job; where it has no range, what it asks for shows through, and where it needs no CPUs or
// memory of its own, that those are its model's.
func jobField(h *Fields, i, field int) app.UI {
	j := &h.Doc.Scenario.Jobs[i]
	in := Set(h.input(h.JobNumber(i, field)), "data-job", j.ID)
	switch field {
	case edit.JobMin, edit.JobMax:
		in = Set(in, "placeholder", Itoa(j.GPUs))
	case edit.JobCPUs, edit.JobMemory:
		in = Set(in, "placeholder", "–")
	}
	return in
}

// models are the rows of the throughputs as suggestions for the models of all jobs.
func (c *Editor) models() app.UI {
	rows := c.Doc.Scenario.Throughputs.Rows
	options := ""
	for i := range rows {
		options += `<option value="` + draw.Escape(edit.ModelName(rows[i].Model, rows[i].Batch)) + `"></option>`
	}
	return app.Raw(`<datalist id="models">` + options + `</datalist>`)
}

// model names a job's row of the throughputs.
func (c *Editor) model(job int) app.UI {
	h := &c.Fields
	j := &h.Doc.Scenario.Jobs[job]
	field, name, path := "model/"+Itoa(job), edit.ModelName(j.Model, j.Batch), "/scenario/jobs/"+Itoa(job)+"/model"
	in := Set(El("input.field|type=text|list=models|autocomplete=off|data-test=editor-job-model"), "data-job", j.ID,
		"data-field", field, "aria-label", words.F("Model of {0}", j.ID), "value", h.FieldText(field, name))
	in = Given(h.faulty(in, field, path), "input", func(text string) state.Action {
		return state.TypedModel{Field: field, Job: job, Text: text}
	}, field)
	return elm.On(in, "blur", Act(state.Left{Field: field}), field)
}

func (c *Editor) run() app.UI {
	return chapter("Run", words.T("the same for every lane"), c.form(nil, edit.RunForm())...)
}

// text is the document as JSON.
func (c *Editor) text() app.UI {
	h := &c.Fields
	about := words.T("This is the scenario as it stands.")
	if c.Draft {
		about = words.T("Not applied yet.")
	}
	if c.Behind {
		about = words.T("The scenario has been changed elsewhere since then; applying this text undoes that change.")
	}
	return El("div.part json",
		elm.On(Given(Txt(
			"textarea.code|id=editor-json|data-test=editor-json|spellcheck=false|aria-label=The scenario as JSON", c.Text),
			"input", func(text string) state.Action { return state.TypedJSON{Text: text} }),
			"caret", func(_ app.Context, e app.Event) { Do(state.Caret{At: e.Get("detail").Int()}) }),
		El("div.line at|data-test=editor-at", Txt("span", c.At), Txt("code", c.Place),
			Set(h.button(".btn|data-test=editor-show", "Show in the form", c.Place,
				state.ShowPlace{Path: c.Place, Form: true}), "disabled", Flag(c.Place == ""))),
		El("div.line",
			Set(h.button(".btn|data-kind=primary|data-test=editor-json-apply", "Apply", "apply", state.ApplyJSON{}),
				"disabled", Flag(!c.Draft)),
			Set(h.button(".btn|data-test=editor-json-discard", "Put the scenario back", "discard",
				state.Discard{Field: "json"}), "disabled", Flag(!c.Draft)),
			h.button(".btn", "Save as a file", "save", state.SaveScenario{}),
			Txt("span.mute", about)))
}

// standsAs keeps the text area's text at the document's: its content is no attribute.
type standsAs struct {
	shown bool
	text  string
}

func (s standsAs) After() {
	if area := app.Window().GetElementByID("editor-json"); area.Truthy() && area.Get("value").String() != s.text {
		area.Set("value", s.text)
	}
}
