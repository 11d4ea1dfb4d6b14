package state

import (
	"cmp"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/scenario"
)

// Varying is what may be varied of the scenario, and what is to be.
type Varying struct {
	Edition int64 // of the document
	Doc     *scenario.Document
	Boot    *room.Boot
	Ran     float64 // how long the last result lasts, in s
	Chosen  [2]compare.Axis
}

// Varying is what may be varied now.
func (s *Lab) Varying() *Varying {
	v := &Varying{Edition: s.edition, Doc: s.Doc, Boot: s.Boot, Chosen: s.Vary.Axes}
	for _, l := range s.Result.Lanes {
		v.Ran = max(v.Ran, l.Meta.Metrics.MakespanS)
	}
	return v
}

// Variables are the numbers of the document that have names, those that are varied most first.
func (v *Varying) Variables() []edit.Variable { return edit.Variables(v.Doc, v.Boot.Params) }

// Variable is the number at a pointer. Where it has no name its value is not known, and the engine says what it may be.
func (v *Varying) Variable(path string) edit.Variable { return edit.VariableAt(v.Variables(), path) }

// usual gives the values that are offered for a number.
func (v *Varying) usual() func(k *edit.Variable) []float64 {
	span := compare.Span(v.Doc, v.Ran)
	return func(k *edit.Variable) []float64 {
		return compare.Usual(k, cmp.Or(v.Doc.Scenario.RoundS, 360), span)
	}
}

// Axis is what stands for an axis: until something is chosen, the first number of the document.
func (v *Varying) Axis(i int) compare.Axis {
	a := v.Chosen[i]
	if i == 0 && a == (compare.Axis{}) {
		if variables := v.Variables(); len(variables) > 0 {
			text := compare.Listed(v.usual()(&variables[0]))
			return compare.Axis{Path: variables[0].Path, Text: text, GivenText: text}
		}
	}
	return a
}

// values are those of an axis, or what is wrong with it.
func (v *Varying) values(i int) ([]float64, string) {
	a, most := v.Axis(i), compare.MaxValues
	if i > 0 {
		most = compare.MaxSecond
	}
	k := v.Variable(a.Path)
	values, problem := compare.ParseValues(a.Text, k.Range, most)
	if problem != "" {
		problem = words.F("{0} {1}.", k.Name, problem)
	}
	return values, problem
}

// Problem is what is wrong with the request as it stands, "" = nothing.
func (v *Varying) Problem() string {
	first, second := v.Axis(0), v.Axis(1)
	switch _, problem := v.values(0); {
	case first.Path == "":
		return words.T("Choose a number.")
	case problem != "":
		return problem
	case second.Path == first.Path:
		return words.T("The second number is the first one.")
	case second.Path == "" && !second.Free:
		return ""
	case second.Path == "":
		return words.T("Name the second number by its pointer, or choose none.")
	}
	_, problem := v.values(1)
	return problem
}

// Amount says how many runs it would be, "" where that is not known yet.
func (v *Varying) Amount() string {
	if v.Problem() != "" {
		return ""
	}
	a := amountOf(v.Doc, v.Boot)
	for i := len(v.Chosen) - 1; i >= 0; i-- {
		if v.Axis(i).Path != "" {
			values, _ := v.values(i)
			a.times(len(values), words.N(len(values), "{0} value", "{0} values"))
		}
	}
	return a.String()
}

// fewJobs is up to how many jobs the page itself looks whether values fit.
const fewJobs = 500

// fitting are the values with which the scenario has no errors: one alone would keep a sweep from running.
func (v *Varying) fitting(path string, values []float64) []float64 {
	if v.Doc.JobCount() > fewJobs {
		return values
	}
	var out []float64
	raw := v.Doc.Marshal(false)
	for _, value := range values {
		changed, err := scenario.SetNumber(raw, path, value)
		if err != nil {
			continue
		}
		doc, diags := scenario.Parse(changed, scenario.FileLimits)
		if doc == nil || diags.HasErrors() {
			continue
		}
		if !v.Boot.Findings(doc).HasErrors() {
			out = append(out, value)
		}
	}
	return out
}

// Plan are the numbers that a search for what changes the winner tries, and how many runs that takes at most: none
// where there are no two policies.
func (v *Varying) Plan() (tries []compare.Tried, runs int) {
	runs = 1
	usual := v.usual()
	for _, k := range v.Variables() {
		t := compare.NewTried(k, usual(&k))
		tries = append(tries, t)
		runs += t.Ahead()
	}
	if titles, _ := run.Titles(v.Doc, v.Boot.WholeTitle); len(titles) > 1 {
		return tries, runs * len(titles)
	}
	return nil, 0
}
