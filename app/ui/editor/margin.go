package editor

import (
	"maps"
	"math"
	"slices"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Margin is what stands beside a lane on the first screen: its policy, and beside the first lane the number that is
// changed most, the jobs' lengths and who can use one GPU type only, beside the second the speeds.
type Margin struct {
	Fields
	Lane int
}

// marginRows is how many rows of a list the margin has.
const marginRows = 5

// Render draws it.
func (m *Margin) Render() app.UI {
	kids := []app.UI{m.policy()}
	switch m.Lane {
	case 0:
		kids = append(kids, m.one(), m.lengths())
	case 1:
		kids = append(kids, m.speeds())
	}
	if n := len(m.Doc.Scenario.Policies); n == 1 {
		p := m.Boot.Policy(edit.NextLane(m.Doc))
		kids = append(kids, m.button(".btn|data-test=first-add-lane", "+ Add a lane", "first-lane",
			state.Do{Edit: edit.AddLane{ID: p.ID, Title: p.Title}}))
	}
	return El("div.margin", kids...)
}

// policy chooses the lane's policy. What is forced upon a lane, and a lane that an edit has taken away, have none.
func (m *Margin) policy() app.UI {
	lanes := m.Doc.Scenario.Policies
	if m.Lane >= len(lanes) || len(lanes[m.Lane].Force) > 0 {
		return nil
	}
	kids := []app.UI{El("div.choice", LaneTag(m.Lane), Set(m.picker(m.Lane), "data-test", "lane-picker"))}
	return El("div.policy", append(append(kids, m.formulas(m.Lane, "lane-")...), m.ways(m.Lane, "lane-")...)...)
}

// one is the number to change in view of the lanes.
func (m *Margin) one() app.UI {
	h := &m.Fields
	node, typ := edit.FirstGPUs(h.Doc)
	if node < 0 {
		return nil
	}
	n := h.GPUs(node, typ)
	return Set(El("div.one|data-test=first-gpus", El("span", Txt("b", h.Doc.Scenario.Cluster.Nodes[node].ID), Text(" "),
		TypeMark(h.types(), typ)), h.stepper(n)), "data-gpus", Itoa(int(n.value)))
}

// lengths are the jobs' lengths in steps, as bars in the jobs' colours, and which jobs can use one GPU type only: the
// speeds, which are of models, do not tell.
func (m *Margin) lengths() app.UI {
	jobs := m.Doc.Scenario.Jobs
	if len(jobs) == 0 {
		return nil
	}
	most, shown := 0.0, min(len(jobs), marginRows)
	for i := range jobs[:shown] {
		most = max(most, float64(jobs[i].Steps))
	}
	rows := Each(shown, func(i int) app.UI {
		j := &jobs[i]
		return El("li", JobButton(m.Result, j.ID, m.Job),
			HuedBar(m.Result.Look(j.ID).Hue, float64(j.Steps)/max(most, 1)),
			Txt("span", edit.FormatNumber(math.Round(float64(j.Steps)))))
	})
	kids := []app.UI{Say("p", "Length in steps"), El("ul", rows...)}
	if n := len(jobs) - shown; n > 0 {
		kids = append(kids, Txt("p", words.F("and {0} more", Itoa(n))))
	}
	only := edit.SoleTypes(m.Doc)
	for _, typ := range slices.Sorted(maps.Keys(only)) {
		names := only[typ]
		says := strings.Join(names[:min(len(names), marginRows)], ", ")
		if n := len(names) - marginRows; n > 0 {
			says += ", " + words.F("and {0} more", Itoa(n))
		}
		kids = append(kids, Txt("p|data-test=only", words.F("{0} only: {1}", strings.ToUpper(typ), says)))
	}
	return El("div.lengths", kids...)
}

// speeds are those of one GPU of each type, of the first models.
func (m *Margin) speeds() app.UI {
	rows, types := m.Doc.Scenario.Throughputs.Rows, m.types()
	if len(rows) == 0 {
		return nil // profiles have them by sizes and batches
	}
	r, most := &rows[0], 0.0
	for _, t := range types {
		most = max(most, r.PerGPU[t])
	}
	bars := Each(min(len(types), marginRows), func(i int) app.UI {
		v := r.PerGPU[types[i]]
		return El("li", TypeMark(types, types[i]), HuedBar(0, v/max(most, 1e-300)), Txt("span", speed(v)))
	})
	kids := []app.UI{Say("p", "Steps/s of one GPU"), El("ul", bars...)}
	if len(rows) > 1 {
		kids = append(kids, Txt("p", words.F("{0}, and {1} more", edit.ModelName(r.Model, r.Batch),
			words.Plural(len(rows)-1, "model"))))
	}
	return El("div.lengths", kids...)
}
