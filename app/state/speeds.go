package state

import (
	"strings"

	"hadarlab/core/figure"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// SpeedRange are the speeds that a cell takes, in steps/s; an empty cell means that it does not fit.
var SpeedRange = Range{Min: 0, Max: 1e9, Unit: "steps/s"}

// SetSpeed sets the speed of one GPU of a type; 0 = the model does not fit there.
type SetSpeed struct {
	Row   int
	Type  string
	Value float64
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
