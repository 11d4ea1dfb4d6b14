package ui

import (
	"hadarlab/app/edit"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/core/figure"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Side is the scenario in brief, with the numbers that are changed most.
type Side struct {
	Fields
	Unkept bool // the browser keeps nothing for this tab
}

func sideOf(s *state.Lab) *Side { return &Side{fieldsOf(s), s.KeepFailed} }

// render draws the column.
func (c *Side) render() app.UI {
	h, s := &c.Fields, &c.Doc.Scenario
	jobs := words.Plural(len(s.Jobs), "job")
	if s.Generator != nil {
		jobs = words.F("{0}, drawn", words.Plural(h.Doc.JobCount(), "job"))
	}
	unkept := ""
	if c.Unkept {
		unkept = words.T("This browser keeps nothing for the tab: a reload forgets your edits.")
	}
	return el("section.panel sum|aria-labelledby=h-scenario",
		el("header", say("h2|id=h-scenario", "Scenario"), h.button(".btn|id=editor-open|data-test=editor-open",
			"Edit all", "edit", state.ToggleEditor{})),
		h.problems(),
		el("div.cols",
			fold("Cluster", c.gpus(), false,
				c.cluster()...),
			fold("Jobs", jobs, false, c.jobs()...),
			fold("Policies", words.Plural(len(s.Policies), "lane"), true, c.policies()...),
			fold("Speeds", words.T("steps/s of one GPU"), len(s.Throughputs.Rows) <= 4, c.speeds()...),
			fold("Run", words.F("round {0} s", edit.FormatNumber(s.RoundS)), false, c.run()...),
			set(fold("History", words.Plural(h.InForce, "edit"), false, h.history()),
				"hidden", flag(h.InForce == 0))),
		txt("p.xs mute", unkept))
}

func fold(title, brief string, open bool, body ...app.UI) app.UI {
	return set(el("details", el("summary", say("b", title), txt("span", brief)), el("div.body", body...)),
		"open", flag(open))
}

// gpus sums the cluster up: its GPUs by type, where these are few.
func (c *Side) gpus() string {
	s, n := &c.Doc.Scenario, map[string]int{}
	for i := range s.Cluster.Nodes {
		for t, g := range s.Cluster.Nodes[i].GPUs { // a sum: the order is immaterial
			n[t] += g
		}
	}
	types := c.types()
	if len(types) > 2 {
		return words.Plural(len(s.Cluster.Nodes), "node") + ", " + words.Plural(edit.GPUs(c.Doc), "GPU")
	}
	says := ""
	for i, t := range types {
		if i > 0 {
			says += ", "
		}
		says += itoa(n[t]) + " " + figure.TypeTitle(t)
	}
	return says
}

// briefRows is how many rows of a long list the column shows.
const briefRows = 12

// more counts what a short list leaves out.
func (h *Fields) more(n int, what string) app.UI {
	if n <= 0 {
		return nil
	}
	return on(txt("button.btn|type=button|data-kind=quiet|data-test=editor-more",
		words.F("and {0} more under Edit all", what)), "click", act(state.ToggleEditor{}))
}

func (c *Side) cluster() []app.UI {
	h := &c.Fields
	var lines []app.UI
	nodes := h.Doc.Scenario.Cluster.Nodes
	for i := range nodes[:min(len(nodes), briefRows)] {
		name := nodes[i].ID
		for _, t := range h.types() {
			if _, ok := nodes[i].GPUs[t]; !ok {
				continue
			}
			lines = append(lines, el("div.line", txt("span.id", name), typeMark(h.types(), t),
				set(h.stepper(h.gpus(i, t)), "data-node", nodes[i].ID, "data-type", t)))
			name = ""
		}
	}
	return append(lines, h.more(len(nodes)-briefRows, words.Plural(len(nodes)-briefRows, "node")))
}

func (c *Side) jobs() []app.UI {
	h := &c.Fields
	jobs := h.Doc.Scenario.Jobs
	rows := each(min(len(jobs), briefRows), func(i int) app.UI {
		id := jobs[i].ID
		return set(el("tr", el("td", jobButton(h.Result, id, h.Job)), el("td.num",
			set(h.input(h.jobNumber(i, edit.JobGPUs)), "data-job", id)),
			el("td.num", set(h.input(h.jobNumber(i, edit.JobSteps)), "data-job", id))), "data-job", id,
			"aria-selected", onoff(id == c.Job))
	})
	return []app.UI{table("", "Jobs", []app.UI{th("Job"), thNum("GPUs"), thNum("Steps")}, rows),
		h.more(len(jobs)-briefRows, words.Plural(len(jobs)-briefRows, "job")),
		h.button(".btn|data-kind=quiet|data-test=editor-add-job", "+ Add a job", "add", state.Do{Edit: edit.AddJob{}})}
}

func (c *Side) speeds() []app.UI {
	h := &c.Fields
	rows, types := h.Doc.Scenario.Throughputs.Rows, h.types()
	if len(types) > 4 {
		return []app.UI{txt("p.xs mute", words.F("{0} on {1}, under Edit all", words.Plural(len(rows), "model"),
			words.Plural(len(types), "GPU type")))}
	}
	if s := &h.Doc.Scenario.Throughputs; len(rows) == 0 {
		names := each(len(s.Profiles), func(i int) app.UI { return txt("div", s.Profiles[i].Model) })
		return []app.UI{el("div.xs", append([]app.UI{say("div.mute", "profiles of models")}, names...)...)}
	}
	head := append([]app.UI{th("Model")}, each(len(types), func(i int) app.UI {
		return el("th.num|scope=col", typeMark(types, types[i]))
	})...)
	body := each(min(len(rows), briefRows), func(i int) app.UI {
		r := &rows[i]
		cells := []app.UI{set(el("td", txt("span.cut", r.Model)), "title", edit.ModelName(r.Model, r.Batch))}
		for _, t := range types {
			cells = append(cells, heat(txt("td.num", speed(r.PerGPU[t])), r.PerGPU, t))
		}
		return el("tr", cells...)
	})
	return []app.UI{table(".speeds", "Steps per second of one GPU", head, body),
		h.more(len(rows)-briefRows, words.Plural(len(rows)-briefRows, "model"))}
}

// heat tints a cell by its share of the row's best, in ten steps.
func heat(cell app.UI, row map[string]float64, typ string) app.UI {
	best := 0.0
	for _, v := range row { // a maximum: the order is immaterial
		best = max(best, v)
	}
	if best == 0 || row[typ] == 0 {
		return set(cell, "data-heat", "none")
	}
	return set(cell, "data-heat", itoa(int(row[typ]/best*10+0.5)))
}

func speed(v float64) string {
	if v == 0 {
		return "–"
	}
	return words.Sig(v, 3)
}

func (c *Side) policies() []app.UI {
	h := &c.Fields
	return each(len(h.Doc.Scenario.Policies), func(i int) app.UI {
		p := &h.Doc.Scenario.Policies[i]
		if p.Force == nil {
			return el("div.line", laneTag(i), h.picker(i))
		}
		return el("div|data-test=side-forced", laneTag(i), text(" "+c.Boot.PolicyTitle(p.ID)+edit.ForcedMark()),
			forced(h, h.Doc, i, nil, true))
	})
}

func (c *Side) run() []app.UI {
	all, shown := edit.RunForm(), [...]int{edit.Round, edit.Restart, edit.Seed}
	return each(len(shown), func(i int) app.UI {
		f := all[shown[i]]
		return el("div.line", say("span", f.Label), el("span.unit", c.figure(f), say("span.mute", f.Range.Unit)))
	})
}

// history lists the edits, latest first.
func (h *Fields) history() app.UI {
	return el("ol.hist|data-test=history", each(len(h.Edits), func(i int) app.UI {
		return set(el("li", txt("span.nr", itoa(h.InForce+h.Undone-i)), txt("span", h.Edits[i])),
			"data-undone", flag(i < h.Undone))
	})...)
}
