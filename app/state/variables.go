package state

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"hadarlab/app/edit"
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Variable is a number of the document that can be varied.
type Variable struct {
	Path  string
	Group string
	Name  string // of the number, as in lists
	Noun  string // after values of it, in sentences
	Value float64
	Range edit.Range
	// Instant says that it is a time in the run, not a length: an arrival.
	Instant bool
}

// Axis names the number with its unit, as Restart, s.
func (k *Variable) Axis() string {
	if k.Range.Unit == "" {
		return k.Name
	}
	return k.Name + ", " + words.T(k.Range.Unit)
}

// Bounds of what is listed by name; all other numbers are named by their pointer.
const (
	listedNodes  = 24
	listedJobs   = 12
	listedSpeeds = 40
)

// Variables are the numbers of the document that have names, those that are varied most first.
func (s *State) Variables() []Variable { return variables(s.Doc, s.params) }

// params are the parameters of a policy, nil where the catalogue lacks it.
func (s *State) params(policy string) []edit.Param {
	if p := s.Boot.Policy(policy); p != nil {
		return p.Params
	}
	return nil
}

// variables are the numbers of a document that have names; params are those of a policy.
func variables(d *scenario.Document, params func(policy string) []edit.Param) []Variable {
	sc := &d.Scenario
	var out []Variable
	add := func(group, path, name, noun string, value float64, r edit.Range) {
		if noun == "" {
			noun = words.F("of {0}", lower(name))
			if r.Unit != "" {
				noun = words.T(r.Unit) + " " + noun
			}
		}
		out = append(out, Variable{path, group, name, noun, value, r, false})
	}
	figures := func(group string, of []edit.Figure) {
		for _, f := range of {
			add(group, f.Path, words.T(f.Name), "", f.Holds(d), f.Range)
		}
	}
	for i := range sc.Cluster.Nodes[:min(listedNodes, len(sc.Cluster.Nodes))] {
		n := &sc.Cluster.Nodes[i]
		for _, t := range text.Keys(n.GPUs) {
			name := words.F("{0} on {1}", figure.TypeTitle(t), n.ID)
			add(words.T("GPUs of a node"), "/scenario/cluster/nodes/"+itoa(i)+"/gpus/"+t, name, name,
				float64(n.GPUs[t]), edit.Range{Min: 0, Max: 4096, Whole: true, Unit: "GPUs"})
		}
	}
	figures(words.T("Run and overheads"), []edit.Figure{edit.SettingForm(edit.Round), edit.SettingForm(edit.Restart),
		edit.SettingForm(edit.Checkpoint), edit.SettingForm(edit.Merge), edit.CheckpointPeriod()})
	if sc.Generator != nil {
		_, of := edit.GeneratorForm()
		figures(words.T("Generated jobs"), of)
	}
	for i := range sc.Policies {
		of := params(sc.Policies[i].ID)
		for k := range of {
			q := &of[k]
			value, ok := sc.Policies[i].Params[q.Name].(float64)
			if !ok {
				if value, ok = q.Default.(float64); !ok {
					continue
				}
			}
			add(words.T("Policies"), "/scenario/policies/"+itoa(i)+"/params/"+q.Name,
				words.F("Lane {0}, {1}", edit.LaneLetter(i), words.T(q.Title)), "", value,
				edit.Range{Min: q.Min, Max: q.Max, Whole: q.Kind == "int", Unit: q.Unit})
		}
	}
	for i := range sc.Jobs[:min(listedJobs, len(sc.Jobs))] {
		for field := range edit.JobSLO {
			f, noun := edit.JobForm(i, field), ""
			if field == edit.JobGPUs {
				noun = words.F("GPUs of {0}", sc.Jobs[i].ID)
			}
			add(words.T("Jobs"), f.Path, words.F("{0} of {1}", f.Name, sc.Jobs[i].ID), noun, f.Get(d), f.Range)
			out[len(out)-1].Instant = field == edit.JobArrival
		}
	}
	_, of := edit.KnowledgeForm()
	figures(words.T("Knowledge"), of)
	if sc.Faults.Generator != nil {
		figures(words.T("Faults"), edit.FailingForm())
	}
	types := nodeTypes(d)
	for i := range sc.Throughputs.Rows {
		r := &sc.Throughputs.Rows[i]
		if (i+1)*len(types) > listedSpeeds {
			break
		}
		for _, t := range types {
			if v, ok := r.PerGPU[t]; ok {
				add(words.T("Speeds"), "/scenario/throughputs/rows/"+itoa(i)+"/per_gpu/"+t,
					words.F("{0} on {1}", edit.ModelName(r.Model, r.Batch), figure.TypeTitle(t)), "", v,
					edit.SpeedRange)
			}
		}
	}
	return out
}

// Variable is the number at a pointer. Where it has no name its value is not known, and the engine says what it may be.
func (s *State) Variable(path string) Variable { return variable(s.Variables(), path) }

func variable(of []Variable, path string) Variable {
	for _, k := range of {
		if k.Path == path {
			return k
		}
	}
	return Variable{Path: path, Name: path, Noun: words.F("at {0}", path), Value: math.Inf(-1),
		Range: edit.Range{Min: -1e15, Max: 1e15}}
}

// usual are the values that are offered for a number, ascending, with the present one among them: they are in
// proportion to it and to the lengths of the scenario.
func (s *State) usual(k *Variable) []float64 {
	v, round := k.Value, cmp.Or(s.Doc.Scenario.RoundS, 360)
	of := []float64{v / 4, v / 2, v, 2 * v, 4 * v, 8 * v}
	switch {
	case k.Range.Max <= 1:
		of = []float64{v, 0, 0.25, 0.5, 0.75, 1}
	case k.Instant:
		of = []float64{v}
		axis := chart.NewAxis(unit.Seconds(s.span()), 0)
		for _, t := range axis.Ticks {
			of = append(of, float64(t.At)/float64(unit.Second))
		}
	case v == 0 && k.Range.Unit == "s":
		of = []float64{0, round / 24, round / 12, round / 6, round / 3, round / 2}
	case v == 0:
		of = []float64{0, 1, 2, 4, 8}
	case k.Range.Whole && v < 16:
		of = []float64{v / 4, v / 2, v - 2, v - 1, v, v + 1, v + 2, 2 * v, 4 * v}
	case k.Range.Unit == "s" && k.Range.Min == 0:
		of = append(of, 0, round/2) // stalls of a whole round leave no time to work
	}
	values := of[:0]
	for _, x := range of {
		if k.Range.Whole {
			x = math.Round(x)
		} else if x != v {
			x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64) // always a number
		}
		if x >= k.Range.Min && x <= k.Range.Max && !(k.Range.Open && x == k.Range.Min) {
			values = append(values, x)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// span is how long the scenario lasts, in s: to its last arrival, and to the end of the last result.
func (s *State) span() float64 {
	end := 0.0
	for i := range s.Doc.Scenario.Jobs {
		end = max(end, s.Doc.Scenario.Jobs[i].ArrivalS)
	}
	if s.Result != nil {
		for _, l := range s.Result.Lanes {
			end = max(end, l.Meta.Metrics.MakespanS)
		}
	}
	return end
}

// outward puts values in order by their distance in the list from the present one, which comes first; the next larger
// is second.
func outward(values []float64, now float64) (out []float64) {
	at := max(0, slices.Index(values, now))
	for d := 0; d <= len(values); d++ {
		for _, i := range []int{at + d, at - d} {
			if i >= 0 && i < len(values) && (d > 0 || len(out) == 0) {
				out = append(out, values[i])
			}
		}
	}
	return out
}

// lower is a name as it stands within a sentence; German nouns stay as they are.
func lower(s string) string {
	if words.Tag() == "en" && len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'a' && s[1] <= 'z' {
		return string(s[0]-'A'+'a') + s[1:]
	}
	return s
}
