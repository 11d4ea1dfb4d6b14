package ui

import (
	"slices"

	"hadarlab/app/edit"
	"hadarlab/app/state"
	"hadarlab/core/figure"
	"hadarlab/core/scenario"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// generator are the jobs that are drawn from the seed.
func (c *Editor) generator() app.UI {
	h := c.H
	g := h.S.Doc.Scenario.Generator
	if g == nil {
		return shut("editor-generator", "Generated jobs", words.T("none: the jobs are listed"),
			say("p.mute help",
				"Jobs can be drawn from the seed: how many, how they arrive, how long they are. They take the place of the listed ones; undo brings those back."),
			h.button(".btn|data-test=editor-generate", "Draw the jobs instead", "draw",
				state.Do{Edit: edit.Generate(len(h.S.Doc.Scenario.Jobs))}))
	}
	lists, figures := edit.GeneratorForm()
	of := edit.RunForm()[edit.Seed]
	seed := h.number(of, "editor-draw-", func(v float64) edit.Edit { return edit.SetFigure{Figure: of, Value: v} })
	seed.id += "draw" // the run's own field has the other
	kids := append(h.form(append(lists, edit.ReferenceForm(h.types())), figures),
		el("div.line", say("span", "Seed"), el("span.unit", h.input(seed)),
			say("span.mute help",
				"sizes, lengths, models, arrivals, weights and deadlines have a stream each: a change of one leaves the others as they are")))
	kids = append(append(append(kids, c.sizes()...), c.mix(g)...),
		set(h.button(".btn|data-test=editor-freeze", "Freeze to jobs", "freeze", state.Do{Edit: edit.Freeze()}),
			"disabled", flag(h.S.Diags.HasErrors())))
	brief := words.F("{0}, {1} arrivals", lists[0].Title(h.S.Doc), lists[1].Title(h.S.Doc))
	if g.Count > 0 {
		brief = figure.Plural(g.Count, "job") + ", " + brief
	}
	return set(shut("editor-generator", "Generated jobs", brief, kids...), "data-on", "true")
}

// portions is a list of relative shares that replaces what is drawn without it.
func (h *Host) portions(test, title, without, list, back string, on bool, make func(bool) edit.Edit, rows []app.UI,
	add app.UI) []app.UI {
	if !on {
		return []app.UI{el("div.line", say("span", title), say("span.mute", without),
			h.button(".btn|data-test="+test, list, test, state.Do{Edit: make(true)}))}
	}
	first := el("div.line", say("span", title), say("span.mute", "relative shares of the jobs"),
		h.button(".btn|data-test="+test+"-back", back, test+"back", state.Do{Edit: make(false)}))
	return append(append([]app.UI{first}, rows...), el("div.line", add))
}

// share is one of the shares, with a way to take it away.
func (h *Host) share(test string, f edit.Figure, remove edit.Edit) app.UI {
	return el("div.line", txt("span", f.Label), el("span.unit", h.figure(f)),
		h.tool("|data-kind=quiet|data-test="+test, "trash", words.F("Remove: {0}", f.Label), f.Path+f.Label,
			state.Do{Edit: remove}))
}

// drawnSizes are the gang sizes that are offered.
var drawnSizes = [...]string{"1", "2", "3", "4", "6", "8", "12", "16", "24", "32", "48", "64", "128"}

func (c *Editor) sizes() []app.UI {
	h, sizes := c.H, edit.Sizes(c.H.S.Doc)
	options := []app.UI{option("", words.T("+ A gang size…"), true)}
	for _, s := range drawnSizes {
		if !slices.Contains(sizes, s) {
			options = append(options, option(s, edit.SizeForm(s).Label, false))
		}
	}
	rows := each(len(sizes), func(i int) app.UI {
		return h.share("editor-remove-size", edit.SizeForm(sizes[i]), edit.RemoveSize(sizes[i]))
	})
	return h.portions("editor-sizes", "Gang sizes", "as the kind has them", "Set their shares", "As the kind has them",
		len(sizes) > 0, edit.ListSizes, rows, c.adder("editor-add-size", words.T("A gang size"), options,
			edit.AddSize))
}

func (c *Editor) mix(g *scenario.Generator) []app.UI {
	h := c.H
	options := []app.UI{option("", words.T("+ A model…"), true)}
	for i := range h.S.Doc.Scenario.Throughputs.Rows {
		r := &h.S.Doc.Scenario.Throughputs.Rows[i]
		if !slices.ContainsFunc(g.Models, func(m scenario.ModelShare) bool {
			return m.Model == r.Model &&
				m.Batch == r.Batch
		}) {
			options = append(options, option(itoa(i), edit.ModelName(r.Model, r.Batch), false))
		}
	}
	rows := each(min(len(g.Models), 4*briefRows), func(i int) app.UI {
		return h.share("editor-remove-mix", edit.MixForm(i, &g.Models[i]), edit.RemoveMix(i))
	})
	return h.portions("editor-mix", "Models", "every row of the throughputs alike", "Set their shares", "All alike",
		len(g.Models) > 0, edit.ListMix, rows,
		c.adder("editor-add-mix", words.T("A model of the mix"), options,
			func(v string) edit.Edit { return edit.AddMix(wholeNumber(v)) }))
}
