package editor

import (
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/figure"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Side is the scenario in brief, with the numbers that are changed most.
type Side struct {
	Fields
	Unkept bool // the browser keeps nothing for this tab
}

func SideOf(s *state.Lab) *Side { return &Side{FieldsOf(s), s.KeepFailed} }

// Render draws the column.
func (c *Side) Render() app.UI {
	h, s := &c.Fields, &c.Doc.Scenario
	jobs := words.Plural(len(s.Jobs), "job")
	if s.Generator != nil {
		jobs = words.F("{0}, drawn", words.Plural(h.Doc.JobCount(), "job"))
	}
	unkept := ""
	if c.Unkept {
		unkept = words.T("This browser keeps nothing for the tab: a reload forgets your edits.")
	}
	return El("section.panel sum|aria-labelledby=h-scenario",
		El("header", Say("h2|id=h-scenario", "Scenario"), h.button(".btn|id=editor-open|data-test=editor-open",
			"Edit all", "edit", state.ToggleEditor{})),
		h.problems(""),
		El("div.cols",
			fold("Cluster", c.gpus(), false,
				c.cluster()...),
			fold("Jobs", jobs, false, c.jobs()...),
			fold("Policies", words.Plural(len(s.Policies), "lane"), true, c.policies()...),
			fold("Speeds", words.T("steps/s of one GPU"), len(s.Throughputs.Rows) <= 4, c.speeds()...),
			fold("Run", words.F("round {0} s", edit.FormatNumber(s.RoundS)), false, c.run()...),
			Set(fold("History", words.Plural(h.InForce, "edit"), false, h.history()),
				"hidden", Flag(h.InForce == 0))),
		Txt("p.xs mute", unkept))
}

// Problems are what keeps the scenario from being run, where neither the column nor the editor says it.
type Problems struct{ Fields }

func ProblemsOf(s *state.Lab) *Problems { return &Problems{FieldsOf(s)} }

// Render draws them with their ways out.
func (f *Problems) Render() app.UI {
	return El("div.faults", f.problems("first-"))
}

func fold(title, brief string, open bool, body ...app.UI) app.UI {
	return Set(El("details", El("summary", Say("b", title), Txt("span", brief)), El("div.body", body...)),
		"open", Flag(open))
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
		says += Itoa(n[t]) + " " + figure.TypeTitle(t)
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
	return elm.On(Txt("button.btn|type=button|data-kind=quiet|data-test=editor-more",
		words.F("and {0} more under Edit all", what)), "click", Act(state.ToggleEditor{}))
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
			lines = append(lines, El("div.line", Txt("span.id", name), TypeMark(h.types(), t),
				Set(h.stepper(h.GPUs(i, t)), "data-node", nodes[i].ID, "data-type", t)))
			name = ""
		}
	}
	return append(lines, h.more(len(nodes)-briefRows, words.Plural(len(nodes)-briefRows, "node")))
}

func (c *Side) jobs() []app.UI {
	h := &c.Fields
	jobs := h.Doc.Scenario.Jobs
	rows := Each(min(len(jobs), briefRows), func(i int) app.UI {
		id := jobs[i].ID
		return Set(El("tr", El("td", JobButton(h.Result, id, h.Job)), El("td.num",
			Set(h.input(h.JobNumber(i, edit.JobGPUs)), "data-job", id)),
			El("td.num", Set(h.input(h.JobNumber(i, edit.JobSteps)), "data-job", id))), "data-job", id,
			"aria-selected", OnOff(id == c.Job))
	})
	return []app.UI{Table("", "Jobs", []app.UI{Th("Job"), ThNum("GPUs"), ThNum("Steps")}, rows),
		h.more(len(jobs)-briefRows, words.Plural(len(jobs)-briefRows, "job")),
		h.button(".btn|data-kind=quiet|data-test=editor-add-job", "+ Add a job", "add", state.Do{Edit: edit.AddJob{}})}
}

func (c *Side) speeds() []app.UI {
	h := &c.Fields
	rows, types := h.Doc.Scenario.Throughputs.Rows, h.types()
	if len(types) > 4 {
		return []app.UI{Txt("p.xs mute", words.F("{0} on {1}, under Edit all", words.Plural(len(rows), "model"),
			words.Plural(len(types), "GPU type")))}
	}
	if s := &h.Doc.Scenario.Throughputs; len(rows) == 0 {
		names := Each(len(s.Profiles), func(i int) app.UI { return Txt("div", s.Profiles[i].Model) })
		return []app.UI{El("div.xs", append([]app.UI{Say("div.mute", "profiles of models")}, names...)...)}
	}
	head := append([]app.UI{Th("Model")}, Each(len(types), func(i int) app.UI {
		return El("th.num|scope=col", TypeMark(types, types[i]))
	})...)
	body := Each(min(len(rows), briefRows), func(i int) app.UI {
		r := &rows[i]
		cells := []app.UI{Set(El("td", Txt("span.cut", r.Model)), "title", edit.ModelName(r.Model, r.Batch))}
		for _, t := range types {
			cells = append(cells, heat(Txt("td.num", speed(r.PerGPU[t])), r.PerGPU, t))
		}
		return El("tr", cells...)
	})
	return []app.UI{Table(".speeds", "Steps per second of one GPU", head, body),
		h.more(len(rows)-briefRows, words.Plural(len(rows)-briefRows, "model"))}
}

// heat tints a cell by its share of the row's best, in ten steps.
func heat(cell app.UI, row map[string]float64, typ string) app.UI {
	best := 0.0
	for _, v := range row { // a maximum: the order is immaterial
		best = max(best, v)
	}
	if best == 0 || row[typ] == 0 {
		return Set(cell, "data-heat", "none")
	}
	return Set(cell, "data-heat", Itoa(int(row[typ]/best*10+0.5)))
}

func speed(v float64) string {
	if v == 0 {
		return "–"
	}
	return words.Sig(v, 3)
}

func (c *Side) policies() []app.UI {
	h := &c.Fields
	return Each(len(h.Doc.Scenario.Policies), func(i int) app.UI {
		p := &h.Doc.Scenario.Policies[i]
		if p.Force == nil {
			line := El("div.line", LaneTag(i), h.picker(i))
			return El("div.policy", append(append([]app.UI{line}, h.formulas(i, "side-")...),
				h.ways(i, "side-")...)...)
		}
		return El("div|data-test=side-forced", LaneTag(i), Text(" "+c.Boot.PolicyTitle(p.ID)+edit.ForcedMark()),
			forced(h, h.Doc, i, nil, true))
	})
}

func (c *Side) run() []app.UI {
	all, shown := edit.RunForm(), [...]int{edit.Round, edit.Restart, edit.Seed}
	return Each(len(shown), func(i int) app.UI {
		f := all[shown[i]]
		return El("div.line", Say("span", f.Label), El("span.unit", c.figure(f), Say("span.mute", f.Range.Unit)))
	})
}

// history lists the edits, latest first.
func (h *Fields) history() app.UI {
	return El("ol.hist|data-test=history", Each(len(h.Edits), func(i int) app.UI {
		return Set(El("li", Txt("span.nr", Itoa(h.InForce+h.Undone-i)), Txt("span", h.Edits[i])),
			"data-undone", Flag(i < h.Undone))
	})...)
}
