package edit

import (
	"math"
	"strconv"

	"hadarlab/core/figure"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

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
	return words.F("{0}: speeds relative to {1}, steps of {2} converted", name, typ, figure.Plural(jobs, "job"))
}

// CanNormalise says whether a row has speeds, and others than relative ones.
func CanNormalise(r *scenario.Row) bool {
	_, best := Fastest(r)
	return best > 0 && best != 1
}

// Fastest is the GPU type on which a row is fastest, the first by name of those that are alike, and its steps/s.
func Fastest(r *scenario.Row) (typ string, best float64) {
	for _, t := range text.Keys(r.PerGPU) {
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
