package ui

import (
	"math"

	"hadarlab/app/compare"
	"hadarlab/app/state"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/findings"
	"hadarlab/core/message"
	"hadarlab/core/unit"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Replicates is the section that says how sure the comparison is: the scenario with many seeds.
type Replicates struct {
	H      *Host
	Doc    int64
	Rev    int64
	Engine state.EngineState
}

// render draws the section.
func (c *Replicates) render() app.UI {
	h, u := c.H, &c.H.S.Replicates
	if !u.Open {
		return h.many("sure", "How sure is this?", "the same with other seeds", false)
	}
	problem, steady := u.SeedsProblem(), h.S.NothingRandom()
	seeds := on(
		set(el("input.field num|id=sure-seeds|type=text|inputmode=numeric|autocomplete=off|data-test=sure-seeds"),
			"value", "20", "aria-invalid", flag(problem != "")), "input", func(ctx app.Context, _ app.Event) {
			h.Do(state.SetSeeds{Text: ctx.JSSrc().Get("value").String()})
		})
	fixes := h.S.RandomFixes()
	var kinds []app.UI
	for i := range fixes {
		if fixes[i].Says != "" {
			kinds = append(kinds, txt("p.mute help|data-test=sure-draws", fixes[i].Says))
		}
	}
	ways := each(len(fixes), func(i int) app.UI {
		return h.button(".btn|data-test=sure-fix", fixes[i].Label, fixes[i].Label,
			state.MakeRandom{Edit: fixes[i].Edit})
	})
	wrong := h.wrong(problem, &u.Sweep, ways...)
	if steady && problem == "" && !u.Busy() {
		wrong = set(note("note",
			say("b", "Nothing in this scenario is random: every seed would give the same run. Make something random:"),
			ways...), "data-test", "many-problem")
	}
	kids := []app.UI{
		say(
			"p.mute help",
			"Everything random is drawn from the seed: generated jobs and faults, noisy beliefs, policies that draw. Each seed is run under every policy, and the policies are compared seed by seed."),
		el("div.line", say("label|for=sure-seeds", "Seeds"), seeds,
			say("span.mute", "starting with the scenario’s own seed, 2 to 200")),
		h.going(false, "Run them", problem, steady, state.Replicate{}), wrong, el("div", kinds...),
		h.staleSweep(&u.Sweep)}
	if of := u.Estimates(); of != nil {
		kids = append(kids, c.estimates(of)...)
	}
	return h.many("sure", "How sure is this?", "the same with other seeds", false, kids...)
}

// estimated is how a figure is shown: its unit and how many of its own make one.
func (f *measure) estimated(of []message.PolicySummary) (name string, size float64) {
	switch f.kind {
	case "time":
		top := 0.0
		for i := range of {
			if e := compare.Estimate(of[i].Metrics, f.name); e != nil {
				top = max(top, e.Mean)
			}
		}
		u := figure.SecondsUnit(top)
		return u.Short, float64(u.Length) / float64(unit.Second)
	case "ratio":
		return "%", 0.01
	}
	return "", 1
}

// replicateFigures is how many of the figures have a row.
const replicateFigures = 9

// estimates are the sentences, the pictures of the main figures and the table of all.
func (c *Replicates) estimates(of []message.PolicySummary) []app.UI {
	u := &c.H.S.Replicates
	var kids []app.UI
	differences := []chart.Whisker{}
	for i := 1; i < len(of); i++ {
		if d := compare.Estimate(of[i].Differences, "jct_s"); d != nil {
			f := findings.Replicates(u.Titles[i], u.Titles[0], d)
			kids = append(kids, says("sure-says", f.Claim, f.Because))
			differences = append(differences, chart.Whisk(d, 1, u.Letters[i], laneStyle(i)))
		}
	}
	kids = append(kids, laneKey(u.Titles, u.Letters))
	var pictures []app.UI
	picture := func(title string, ws []chart.Whisker, zero bool) {
		said := title + ":"
		for i := range ws {
			said += " " + ws[i].Letter + " " + ws[i].Spread() + "."
		}
		pictures = append(pictures,
			set(el("figure", txt("figcaption", title), app.Raw(draw.WhiskersSVG(ws, zero, said))),
				"data-test", "whiskers"))
	}
	for k := range varied {
		f := &figures[k]
		name, size := f.estimated(of)
		var ws []chart.Whisker
		for i := range of {
			if e := compare.Estimate(of[i].Metrics, f.name); e != nil {
				ws = append(ws, chart.Whisk(e, size, u.Letters[i], laneStyle(i)))
			}
		}
		picture(titled(words.T(f.title), name), ws, false)
	}
	if len(differences) > 0 {
		w := figure.SecondsUnit(math.Abs(differences[0].Mean))
		for i := range differences {
			size := float64(w.Length) / float64(unit.Second)
			d := &differences[i]
			d.Mean, d.Low, d.High = d.Mean/size, d.Low/size, d.High/size
		}
		picture(words.F("The same jobs, {0} later than under {1}", w.Short, u.Titles[0]), differences, true)
	}
	return append(kids, el("div.multi", pictures...), say("p.xs mute",
		"A dot is the mean over the seeds, a line its 95 % interval by Student's t."),
		scrolling("Means over the seeds", c.table(of)))
}

func titled(title, unit string) string {
	if unit == "" {
		return title
	}
	return title + ", " + unit
}

// table has a row a figure: each policy's mean, and its difference to the first, seed by seed.
func (c *Replicates) table(of []message.PolicySummary) string {
	titles := c.H.S.Replicates.Titles
	head := []string{"Mean ± half the 95 % interval"}
	for i := range of {
		head = append(head, "#"+titles[i])
	}
	for i := 1; i < len(of); i++ {
		head = append(head, "#"+titles[i]+" − "+titles[0], "#sign agrees")
	}
	t := newTextTable(`data-test="sure-table"`, "Means over the seeds", head...)
	for k := range figures[:replicateFigures] {
		f := &figures[k]
		name, size := f.estimated(of)
		cells := []string{titled(words.T(f.title), name)}
		for i := range of {
			cells = append(cells, spreadCell(compare.Estimate(of[i].Metrics, f.name), size))
		}
		for i := 1; i < len(of); i++ {
			e := compare.Estimate(of[i].Differences, f.name)
			cells = append(cells, spreadCell(e, size))
			if e == nil {
				cells = append(cells, "#–")
			} else {
				cells = append(cells, "#"+words.F("{0} of {1}", itoa(e.SameSign), itoa(e.N)))
			}
		}
		t.row(` data-metric="`+f.name+`"`, cells...)
	}
	return t.String()
}

func spreadCell(e *message.Estimate, size float64) string {
	if e == nil {
		return "#–"
	}
	w := chart.Whisk(e, size, "", "")
	return "#" + w.Spread()
}
