package edit

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// SpeedRange are the speeds that a cell takes, in steps/s; an empty cell means that it does not fit.
var SpeedRange = Range{Min: 0, Max: 1e9, Unit: "steps/s"}

// SetSpeed sets the speed of one GPU of a type; 0 = the model does not fit there.
type SetSpeed struct {
	Row   int
	Type  string
	Value float64
}

// Of is the edit with another number.
func (e SetSpeed) Of(v float64) Edit {
	e.Value = v
	return e
}

func (e SetSpeed) Key() string { return "speed " + itoa(e.Row) + " " + e.Type }
func (e SetSpeed) Change(d *scenario.Document) string {
	r := &d.Scenario.Throughputs.Rows[e.Row]
	old := r.PerGPU[e.Type]
	if old == e.Value {
		return ""
	}
	if r.PerGPU == nil {
		r.PerGPU = map[string]float64{}
	}
	r.PerGPU[e.Type] = e.Value
	if e.Value == 0 {
		delete(r.PerGPU, e.Type)
	}
	delete(r.Gang, e.Type) // measured for the old speed
	delete(r.Spread, e.Type)
	r.Source = marked(r.Source, edited)
	return words.F("{0} on {1}: {2} to {3}", ModelName(r.Model, r.Batch), figure.TypeTitle(e.Type), speedWords(old),
		speedWords(e.Value))
}

// Sources of rows that nobody measured, and what a row says whose numbers were changed here.
const (
	madeUp     = "made up"
	edited     = ", edited"
	normalised = ", normalised"
)

// marked is a source that says once what was done to its numbers.
func marked(source, mark string) string {
	if source == "" || source == madeUp || strings.Contains(source, mark) {
		return source
	}
	return source + mark
}

func speedWords(v float64) string {
	if v == 0 {
		return words.T("does not fit")
	}
	return FormatNumber(v)
}

// AddRow adds a row of throughputs like one, the last with Row < 0, under a name of its own.
type AddRow struct{ Row int }

func (e AddRow) Change(d *scenario.Document) string {
	t := &d.Scenario.Throughputs
	r, at := scenario.Row{PerGPU: map[string]float64{}, Source: madeUp}, len(t.Rows)
	if e.Row >= 0 && e.Row < len(t.Rows) {
		at = e.Row + 1
		maps.Copy(r.PerGPU, t.Rows[e.Row].PerGPU)
		r.CPUs, r.MemoryGB = t.Rows[e.Row].CPUs, t.Rows[e.Row].MemoryGB
	}
	r.Model = freeID("model-", len(t.Rows)+1, func(id string) bool {
		return slices.ContainsFunc(t.Rows, func(r scenario.Row) bool { return r.Model == id })
	})
	t.Rows = inserted(t.Rows, at, r)
	return words.F("{0} added to the throughputs", r.Model)
}

// RemoveRow takes a row of throughputs away.
type RemoveRow struct{ Row int }

func (e RemoveRow) Change(d *scenario.Document) string {
	t := &d.Scenario.Throughputs
	name := ModelName(t.Rows[e.Row].Model, t.Rows[e.Row].Batch)
	t.Rows = removed(t.Rows, e.Row)
	return words.F("{0} removed from the throughputs", name)
}

// RenameModel renames the model of a row, and of the jobs that train it.
type RenameModel struct {
	Row  int
	Name string
}

func (e RenameModel) Change(d *scenario.Document) string {
	r, jobs := &d.Scenario.Throughputs.Rows[e.Row], 0
	old, changed := renamed(&r.Model, e.Name)
	if !changed {
		return ""
	}
	for i := range d.Scenario.Jobs {
		if j := &d.Scenario.Jobs[i]; j.Model == old && j.Batch == r.Batch {
			j.Model = r.Model
			jobs++
		}
	}
	return words.F("Model {0} renamed to {1}, {2} with it", ModelName(old, r.Batch), jsondoc.ClipTo(r.Model, 24),
		words.Plural(jobs, "job"))
}

// Normalise makes the speeds of a row relative to its fastest GPU type, which has 1 step/s then. A step becomes what
// that type does in a second: the steps of the jobs that train the model are converted, so that they take as long as
// before on every type, but for rounding to whole steps. Drawn jobs have lengths in seconds and follow by themselves.
type Normalise struct{ Row int }

func (e Normalise) Change(d *scenario.Document) string {
	t := &d.Scenario.Throughputs
	if e.Row < 0 || e.Row >= len(t.Rows) || !CanNormalise(&t.Rows[e.Row]) {
		return ""
	}
	r := &t.Rows[e.Row]
	typ, best := Fastest(r)
	scale(r.PerGPU, best)
	for _, sizes := range r.Gang { // steps/s too, of whole gangs
		scale(sizes, best)
	}
	for _, sizes := range r.Spread {
		scale(sizes, best)
	}
	for i := range t.Pairs {
		p := &t.Pairs[i]
		for k, v := range p.Rates {
			for side, of := range [...]*scenario.RowName{&p.A, &p.B} {
				if of.Model == r.Model && of.Batch == r.Batch {
					v[side] = relative(v[side], best)
				}
			}
			p.Rates[k] = v
		}
	}
	jobs := 0
	for i := range d.Scenario.Jobs {
		// what is wrong stays wrong
		if j := &d.Scenario.Jobs[i]; j.Model == r.Model && j.Batch == r.Batch && j.Steps > 0 {
			j.Steps = max(1, math.Round(j.Steps/best))
			jobs++
		}
	}
	r.Source = marked(r.Source, normalised)
	name, typ := ModelName(r.Model, r.Batch), figure.TypeTitle(typ)
	switch {
	case d.Scenario.Generator != nil:
		return words.F("{0}: speeds relative to {1}; drawn jobs take as long as before", name, typ)
	case jobs == 0:
		return words.F("{0}: speeds relative to {1}", name, typ)
	}
	return words.F("{0}: speeds relative to {1}, steps of {2} converted", name, typ, words.Plural(jobs, "job"))
}

// CanNormalise says whether a row has speeds, and others than relative ones.
func CanNormalise(r *scenario.Row) bool {
	_, best := Fastest(r)
	return best > 0 && best != 1 && r.GradientMB == 0 // averaging gradients takes its time whatever a step is
}

// Fastest is the GPU type on which a row is fastest, the first by name of those that are alike, and its steps/s.
func Fastest(r *scenario.Row) (typ string, best float64) {
	for _, t := range jsondoc.Keys(r.PerGPU) {
		if v := r.PerGPU[t]; v > best {
			typ, best = t, v
		}
	}
	return typ, best
}

func scale(speeds map[string]float64, best float64) {
	for k, v := range speeds {
		speeds[k] = relative(v, best)
	}
}

// relative is v/best to six digits, as many as a cell shows.
func relative(v, best float64) float64 {
	q, _ := strconv.ParseFloat(strconv.FormatFloat(v/best, 'g', 6, 64), 64)
	return q
}
