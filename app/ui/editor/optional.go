package editor

import (
	"slices"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/scenario"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// extras are the parts of a scenario that most do without. Each is shut, with its state in one line.
func (c *Editor) extras() []app.UI {
	return []app.UI{c.generator(), c.window(), c.tenants(), c.knowledge(), c.faults(), c.stragglers(), jobTypes(c),
		fusion(c), c.overheads(), c.hosts(), network(c), cloud(c)}
}

// network is what averaging gradients costs.
func network(c *Editor) app.UI {
	if !edit.Networked(c.Doc) {
		return shut("editor-network", "Network", words.T("none"),
			Say("p.mute help",
				"With a network, gangs average their gradients over it: the table of speeds has a column for how many MB. Gangs over several nodes share network cards and uplinks."),
			c.button(".btn|data-test=editor-add-network", "Put a network between the nodes", "network",
				state.Do{Edit: edit.AddNetwork()}))
	}
	lists, figures := edit.NetworkForm()
	return shut("editor-network", "Network", words.T("what averaging gradients costs"), append(c.form(lists, figures),
		c.button(".btn|data-test=editor-remove-network", "Take the network away", "network",
			state.Do{Edit: edit.RemoveNetwork()}))...)
}

func shut(test, title, brief string, kids ...app.UI) app.UI {
	head := Set(El("summary", Say("h3", title), Txt("span.mute", brief)),
		"data-path", "/scenario/"+strings.TrimPrefix(test, "editor-"))
	return El("section.part extra", Set(El("details", append([]app.UI{head}, kids...)...), "data-test", test))
}

// word is the list of a word alone.
func (h *Fields) word(w edit.Word) app.UI {
	now := w.Get(h.Doc)
	options := Each(len(w.Choices),
		func(i int) app.UI { return Option(w.Choices[i], words.T(w.Titles[i]), w.Choices[i] == now) })
	return Given(Set(El("select.field|data-test=editor-word", options...), "data-path", w.Path,
		"aria-label", words.T(w.Name)), "change",
		func(s string) state.Action { return state.Do{Edit: edit.SetWord{Word: w, Value: s}} }, w.Path)
}

// form are words and figures, one a line with unit and help.
func (h *Fields) form(lists []edit.Word, figures []edit.Figure) []app.UI {
	var out []app.UI
	for _, w := range lists {
		out = append(out, El("div.line", Say("span", w.Label), El("span.unit", h.word(w)),
			Say("span.mute help", w.Help)))
	}
	for _, f := range figures {
		out = append(out, El("div.line", Say("span", f.Label),
			El("span.unit", h.figure(f), Say("span.mute", f.Range.Unit)), Say("span.mute help", f.Help)))
	}
	return out
}

// entryRow is an entry of a list: its name, its figures side by side, and the way to take it away.
func (h *Fields) entryRow(name string, figures []edit.Figure, test, label string, remove edit.Edit) app.UI {
	kids := []app.UI{Bold(name)}
	for _, f := range figures {
		kids = append(kids, El("span.unit", Say("span.mute", f.Label), h.figure(f), Say("span.mute", f.Range.Unit)))
	}
	return El("div.line", append(kids, h.tool("|data-kind=quiet|data-test="+test, "trash", label, name,
		state.Do{Edit: remove}))...)
}

func (c *Editor) knowledge() app.UI {
	lists, figures := edit.KnowledgeForm()
	k := &c.Doc.Scenario.Knowledge
	brief := words.T("policies know the truth")
	if k.Lengths != "" && k.Lengths != "true" || k.Rates != "" && k.Rates != "true" {
		brief = words.F("lengths {0}, speeds {1}", lists[0].Title(c.Doc), lists[1].Title(c.Doc))
	}
	return shut("editor-knowledge", "Knowledge", brief, c.form(lists, figures)...)
}

func (c *Editor) tenants() app.UI {
	h := &c.Fields
	tenants := h.Doc.Scenario.Tenants
	brief := words.T("none")
	if len(tenants) > 0 {
		brief = words.Plural(len(tenants), "tenant")
	}
	kids := Each(len(tenants), func(i int) app.UI {
		id := tenants[i].ID
		order, weight := edit.TenantForm(i)
		return Set(El("div.line", h.name(words.F("Name of tenant {0}", id), id, "editor-tenant-name",
			"/scenario/tenants/"+Itoa(i)+"/id", "tenant"+Itoa(i),
			func(s string) edit.Edit { return edit.RenameTenant(i, id, s) }),
			El("span.unit", Say("span.mute", weight.Label), h.figure(weight)), h.word(order),
			h.tool("|data-kind=quiet|data-test=editor-remove-tenant", "trash", words.F("Remove tenant {0}", id),
				"rmt"+Itoa(i)+id, state.Do{Edit: edit.RemoveTenant(i, id)})), "data-tenant", id)
	})
	return shut("editor-tenants", "Tenants and deadlines", brief, append(kids,
		Say("p.mute help",
			"Tenants share the cluster by weight under policies that know them; jobs without one form a tenant together. The table of jobs has columns for tenant and deadline then."),
		El("div.line", h.button(".btn|data-test=editor-add-tenant", "+ Add a tenant", "tenant"+Itoa(len(tenants)),
			state.Do{Edit: edit.AddTenant(len(tenants))}),
			Set(h.button(".btn|data-test=editor-deadlines", "Show deadlines of jobs", "slo", state.ShowDeadlines{}),
				"aria-pressed", OnOff(h.Deadlines))))...)
}

// wide says whether the table of jobs shows tenants and deadlines.
func (c *Editor) wide() bool {
	s := &c.Doc.Scenario
	if c.Deadlines || len(s.Tenants) > 0 {
		return true
	}
	for i := range s.Jobs {
		if s.Jobs[i].SLOS > 0 || s.Jobs[i].Tenant != "" {
			return true
		}
	}
	return false
}

// tenantOf chooses the tenant of a job.
func (c *Editor) tenantOf(job int) app.UI {
	h := &c.Fields
	j := &h.Doc.Scenario.Jobs[job]
	options := []app.UI{Option("", words.In("tenant", "none"), j.Tenant == "")}
	known := j.Tenant == ""
	for i := range h.Doc.Scenario.Tenants {
		id := h.Doc.Scenario.Tenants[i].ID
		known = known || id == j.Tenant
		options = append(options, Option(id, id, id == j.Tenant))
	}
	if !known {
		options = append(options, Option(j.Tenant, j.Tenant, true))
	}
	name := j.ID
	return Given(Set(El("select.field|data-test=editor-job-tenant", options...), "data-job", name,
		"data-path", "/scenario/jobs/"+Itoa(job)+"/tenant", "aria-label", words.F("Tenant of {0}", name)), "change",
		func(id string) state.Action { return state.Do{Edit: edit.SetTenant(job, name, id)} }, Itoa(job), name)
}

func (c *Editor) faults() app.UI {
	h := &c.Fields
	s := &h.Doc.Scenario
	list, changes := s.Faults.List, s.Cluster.Changes
	brief := words.T("none")
	switch {
	case s.Faults.Generator != nil:
		brief = words.T("nodes fail at random")
	case len(list) > 0:
		brief = words.Plural(len(list), "fault")
	}
	if n := len(changes); n > 0 {
		brief += ", " + words.N(n, "{0} change of the cluster", "{0} changes of the cluster")
	}
	var kids []app.UI
	if s.Faults.Generator != nil {
		kids = append(h.form(nil, edit.FailingForm()), h.button(".btn", "No random faults", "norandom",
			state.Do{Edit: edit.FailAtRandom(false)}))
	} else {
		kids = append(kids, h.button(".btn|data-test=editor-random-faults", "Let nodes fail at random", "random",
			state.Do{Edit: edit.FailAtRandom(true)}))
	}
	for i := range list[:min(len(list), briefRows)] {
		kids = append(kids, Set(h.entryRow(list[i].Node+" "+list[i].Type, edit.FaultForm(i), "editor-remove-fault",
			words.F("Remove fault {0}", Itoa(i+1)), edit.RemoveFault(i)), "data-fault", Itoa(i)))
	}
	for i := range changes[:min(len(changes), briefRows)] {
		kids = append(kids, Set(h.entryRow(changes[i].Node+", "+figure.TypeTitle(changes[i].Type), edit.GrowthForm(i),
			"editor-remove-change", words.F("Remove change {0}", Itoa(i+1)), edit.RemoveChange(i)),
			"data-change", Itoa(i)))
	}
	if n := max(0, len(list)-briefRows) + max(0, len(changes)-briefRows); n > 0 {
		kids = append(kids, Txt("p.mute help", words.F("{0} more stand in the JSON tab.", Itoa(n))))
	}
	kids = append(kids, El("div.line", c.ofNode("editor-add-fault", words.T("+ Let a node fail…"),
		func(node int) edit.Edit { return edit.AddFault(s.Cluster.Nodes[node].ID) }),
		c.ofNode("editor-add-change", words.T("+ Let a node grow or shrink…"), func(node int) edit.Edit {
			n := &s.Cluster.Nodes[node]
			for _, t := range h.types() {
				if g, ok := n.GPUs[t]; ok {
					return edit.AddChange(n.ID, t, g+1)
				}
			}
			return edit.AddChange(n.ID, "v100", 1)
		})))
	return shut("editor-faults", "Faults and growth", brief, kids...)
}

// ofNode is a list of nodes that adds something to the chosen one.
func (c *Editor) ofNode(test, label string, change func(node int) edit.Edit) app.UI {
	nodes := c.Doc.Scenario.Cluster.Nodes
	options := append([]app.UI{Option("", label, true)}, Each(min(len(nodes), 200),
		func(i int) app.UI { return Option(Itoa(i), nodes[i].ID, false) })...)
	return c.adder(test, label, options, func(v string) edit.Edit { return change(WholeNumber(v)) })
}

// adder is a list whose choice adds something.
func (c *Editor) adder(test, label string, options []app.UI, change func(v string) edit.Edit) app.UI {
	return elm.On(Set(El("select.field", options...), "data-test", test, "aria-label", label), "change",
		func(ctx app.Context, _ app.Event) {
			if v := ctx.JSSrc().Get("value").String(); v != "" {
				ctx.JSSrc().Set("value", "")
				Do(state.Do{Edit: change(v)})
			}
		}, test)
}

func (c *Editor) overheads() app.UI {
	h := &c.Fields
	o := &h.Doc.Scenario.Overheads
	brief := words.T("the same for all models")
	if n := len(o.Models); n > 0 {
		brief = words.N(n, "{0} model with its own", "{0} models with their own")
	}
	if o.CheckpointEveryS > 0 {
		brief += ", " + words.F("a checkpoint every {0} s", edit.FormatNumber(o.CheckpointEveryS))
	}
	kids := h.form(nil, []edit.Figure{edit.CheckpointPeriod()})
	has := map[string]bool{}
	for i := range o.Models {
		model := o.Models[i].Model
		has[model] = true
		kids = append(kids, Set(h.entryRow(model, edit.OverheadForm(i), "editor-remove-overheads",
			words.F("Let {0} stall as the others", model), edit.RemoveOverheads(i, model)), "data-model", model))
	}
	options := []app.UI{Option("", words.T("+ A model with its own…"), true)}
	for i := range h.Doc.Scenario.Throughputs.Rows {
		if m := h.Doc.Scenario.Throughputs.Rows[i].Model; !has[m] {
			has[m] = true
			options = append(options, Option(m, m, false))
		}
	}
	return shut("editor-overheads", "Overheads by model", brief,
		append(kids, c.adder("editor-add-overheads", words.T("A model with its own overheads"), options,
			edit.AddOverheads))...)
}

// hosts are the CPUs and the memory of nodes, whose numbers stand with the nodes, the throughputs and the jobs.
func (c *Editor) hosts() app.UI {
	h := &c.Fields
	if !c.Hosted {
		return shut("editor-hosts", "Hosts", words.T("as much as anybody could use"),
			Say("p.mute help",
				"Jobs on a node share its CPUs and its memory, and those that lack some are slower. Nodes get what a server of the Synergy paper has for each GPU, models what such a model was measured to need: image models much, language models little."),
			h.button(".btn|data-test=editor-add-hosts", "Let CPUs and memory count", "hosts",
				state.Do{Edit: edit.MakeHosts{}}))
	}
	w := edit.HostSplitForm()
	return Set(shut("editor-hosts", "Hosts", w.Title(h.Doc), append(h.form([]edit.Word{w}, nil),
		Say("p.mute help",
			"Nodes, throughputs and jobs have fields for them above. A curve lists what each GPU has and the part of full speed with it, as in 1 0.35, 4 1."),
		h.button(".btn|data-test=editor-no-hosts", "Let them count no more", "nohosts",
			state.Do{Edit: edit.MakeHosts{Off: true}}))...), "data-on", "true")
}

// generator are the jobs that are drawn from the seed.
func (c *Editor) generator() app.UI {
	h := &c.Fields
	g := h.Doc.Scenario.Generator
	if g == nil {
		return shut("editor-generator", "Generated jobs", words.T("none: the jobs are listed"),
			Say("p.mute help",
				"Jobs can be drawn from the seed: how many, how they arrive, how long they are. They take the place of the listed ones; undo brings those back."),
			h.button(".btn|data-test=editor-generate", "Draw the jobs instead", "draw",
				state.Do{Edit: edit.Generate(len(h.Doc.Scenario.Jobs))}))
	}
	lists, figures := edit.GeneratorForm()
	of := edit.RunForm()[edit.Seed]
	seed := h.number(of, "editor-draw-", edit.SetFigure{Figure: of})
	seed.Field += "draw" // the run's own field has the other
	kids := append(h.form(append(lists, edit.ReferenceForm(h.types())), figures),
		El("div.line", Say("span", "Seed"), El("span.unit", h.input(seed)),
			Say("span.mute help",
				"sizes, lengths, models, arrivals, weights and deadlines have a stream each: a change of one leaves the others as they are")))
	kids = append(append(append(append(kids, h.load("editor-load")), c.sizes()...), c.mix(g)...),
		Set(h.button(".btn|data-test=editor-freeze", "Freeze to jobs", "freeze", state.Do{Edit: edit.Freeze()}),
			"disabled", Flag(h.Diags.HasErrors())))
	brief := words.F("{0}, {1} arrivals", lists[0].Title(h.Doc), lists[1].Title(h.Doc))
	if g.Count > 0 {
		brief = words.Plural(g.Count, "job") + ", " + brief
	}
	return Set(shut("editor-generator", "Generated jobs", brief, kids...), "data-on", "true")
}

// window are the jobs that are measured.
func (c *Editor) window() app.UI {
	h := &c.Fields
	w := h.Doc.Scenario.Window
	if w == nil {
		return shut("editor-window", "Measured jobs", words.T("all"),
			Say("p.mute help",
				"Where jobs go on arriving, those of the middle show a steady state: figures are theirs, the run ends when they have finished, and whoever is there then is cut off."),
			Set(h.button(".btn|data-test=editor-measure", "Measure some of them", "measure",
				state.Do{Edit: edit.MeasureSome(h.Doc.JobCount())}), "disabled", Flag(h.Diags.HasErrors())))
	}
	kids := append(h.form(nil, edit.WindowForm()), h.load("editor-window-load"),
		h.button(".btn|data-test=editor-measure-all", "Measure all jobs", "measure", state.Do{Edit: edit.MeasureAll()}))
	brief := words.F("{0} to {1} by arrival", Itoa(w.From+1), Itoa(w.From+w.Jobs))
	return Set(shut("editor-window", "Measured jobs", brief, kids...), "data-on", "true")
}

// load says how much work the jobs offer, where they come one after the other.
func (h *Fields) load(test string) app.UI {
	var says []string
	if h.Offered != nil {
		for _, text := range h.Offered.Says() {
			says = append(says, text.In(words.Now()))
		}
	}
	return Set(El("div.line", Txt("span.mute", strings.Join(says, " "))), "data-test", test,
		"hidden", Flag(says == nil))
}

// portions is a list of relative shares that replaces what is drawn without it.
func (h *Fields) portions(test, title, without, list, back string, on bool, make func(bool) edit.Edit, rows []app.UI,
	add app.UI) []app.UI {
	if !on {
		return []app.UI{El("div.line", Say("span", title), Say("span.mute", without),
			h.button(".btn|data-test="+test, list, test, state.Do{Edit: make(true)}))}
	}
	first := El("div.line", Say("span", title), Say("span.mute", "relative shares of the jobs"),
		h.button(".btn|data-test="+test+"-back", back, test+"back", state.Do{Edit: make(false)}))
	return append(append([]app.UI{first}, rows...), El("div.line", add))
}

// share is one of the shares, with a way to take it away.
func (h *Fields) share(test string, f edit.Figure, remove edit.Edit) app.UI {
	return El("div.line", Txt("span", f.Label), El("span.unit", h.figure(f)),
		h.tool("|data-kind=quiet|data-test="+test, "trash", words.F("Remove: {0}", f.Label), f.Path+f.Label,
			state.Do{Edit: remove}))
}

// drawnSizes are the gang sizes that are offered.
var drawnSizes = [...]string{"1", "2", "3", "4", "6", "8", "12", "16", "24", "32", "48", "64", "128"}

func (c *Editor) sizes() []app.UI {
	h, sizes := &c.Fields, edit.Sizes(c.Doc)
	options := []app.UI{Option("", words.T("+ A gang size…"), true)}
	for _, s := range drawnSizes {
		if !slices.Contains(sizes, s) {
			options = append(options, Option(s, edit.SizeForm(s).Label, false))
		}
	}
	rows := Each(len(sizes), func(i int) app.UI {
		return h.share("editor-remove-size", edit.SizeForm(sizes[i]), edit.RemoveSize(sizes[i]))
	})
	return h.portions("editor-sizes", "Gang sizes", "as the kind has them", "Set their shares", "As the kind has them",
		len(sizes) > 0, edit.ListSizes, rows, c.adder("editor-add-size", words.T("A gang size"), options,
			edit.AddSize))
}

func (c *Editor) mix(g *scenario.Generator) []app.UI {
	h := &c.Fields
	options := []app.UI{Option("", words.T("+ A model…"), true)}
	for i := range h.Doc.Scenario.Throughputs.Rows {
		r := &h.Doc.Scenario.Throughputs.Rows[i]
		if !slices.ContainsFunc(g.Models, func(m scenario.ModelShare) bool {
			return m.Model == r.Model &&
				m.Batch == r.Batch
		}) {
			options = append(options, Option(Itoa(i), edit.ModelName(r.Model, r.Batch), false))
		}
	}
	rows := Each(min(len(g.Models), 4*briefRows), func(i int) app.UI {
		return h.share("editor-remove-mix", edit.MixForm(i, &g.Models[i]), edit.RemoveMix(i))
	})
	return h.portions("editor-mix", "Models", "every row of the throughputs alike", "Set their shares", "All alike",
		len(g.Models) > 0, edit.ListMix, rows,
		c.adder("editor-add-mix", words.T("A model of the mix"), options,
			func(v string) edit.Edit { return edit.AddMix(WholeNumber(v)) }))
}
