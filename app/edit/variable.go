package edit

import (
	"math"

	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
	"hadarlab/core/program"
	"hadarlab/core/scenario"
)

// Types are the GPU types of a document's nodes, sorted.
func Types(d *scenario.Document) []string {
	have := map[string]bool{}
	for i := range d.Scenario.Cluster.Nodes {
		for t := range d.Scenario.Cluster.Nodes[i].GPUs {
			have[t] = true
		}
	}
	return jsondoc.Keys(have)
}

// GPUs is how many a document's nodes have.
func GPUs(d *scenario.Document) (n int) {
	for i := range d.Scenario.Cluster.Nodes {
		for _, g := range d.Scenario.Cluster.Nodes[i].GPUs { // a sum: the order is immaterial
			n += g
		}
	}
	return n
}

// Variable is a number of the document that can be varied.
type Variable struct {
	Path  string
	Group string
	Name  string // of the number, as in lists
	Noun  string // after values of it, in sentences
	Value float64
	Range Range
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

// Variables are the numbers of a document that have names; params are those of a policy.
func Variables(d *scenario.Document, params func(policy string) []Param) []Variable {
	sc := &d.Scenario
	var out []Variable
	add := func(group, path, name, noun string, value float64, r Range) {
		if noun == "" {
			noun = words.F("of {0}", lower(name))
			if r.Unit != "" {
				noun = words.T(r.Unit) + " " + noun
			}
		}
		out = append(out, Variable{path, group, name, noun, value, r, false})
	}
	figures := func(group string, of []Figure) {
		for _, f := range of {
			add(group, f.Path, words.T(f.Name), "", f.Holds(d), f.Range)
		}
	}
	for i := range sc.Cluster.Nodes[:min(listedNodes, len(sc.Cluster.Nodes))] {
		n := &sc.Cluster.Nodes[i]
		for _, t := range jsondoc.Keys(n.GPUs) {
			name := words.F("{0} on {1}", figure.TypeTitle(t), n.ID)
			add(words.T("GPUs of a node"), "/scenario/cluster/nodes/"+itoa(i)+"/gpus/"+t, name, name,
				float64(n.GPUs[t]), Range{Min: 0, Max: 4096, Whole: true, Unit: "GPUs"})
		}
	}
	for i := range sc.Cluster.Nodes[:min(listedNodes, len(sc.Cluster.Nodes))] {
		for k, f := range NodeHostForm(i, sc.Cluster.Nodes[i].ID) {
			noun := ""
			if f.Range.Open = true; k == 0 { // 0 is no bound
				noun, f.Range.Unit = f.Name, ""
			}
			if v := f.Get(d); v > 0 {
				add(words.T("CPUs and memory"), f.Path, f.Name, noun, v, f.Range)
			}
		}
	}
	run := RunForm()
	figures(words.T("Run and overheads"), []Figure{run[Round], run[Restart], run[Checkpoint], run[Merge],
		CheckpointPeriod()})
	if sc.Generator != nil {
		_, of := GeneratorForm()
		figures(words.T("Generated jobs"), of)
	}
	for i := range sc.Policies {
		of := params(sc.Policies[i].ID)
		for k := range of {
			q := &of[k]
			stands, _ := q.Of(&sc.Policies[i])
			if src, _ := stands.(string); q.Kind == "program" {
				for _, knob := range program.Knobs(src) {
					add(words.T("Policies"), "/scenario/policies/"+itoa(i)+"/params/"+q.Name+"/"+knob.Name,
						words.F("Lane {0}, {1}", LaneLetter(i), knob.Name), "", knob.Value, AnyNumber)
				}
			}
			value, ok := stands.(float64)
			if !ok {
				continue
			}
			add(words.T("Policies"), "/scenario/policies/"+itoa(i)+"/params/"+q.Name,
				words.F("Lane {0}, {1}", LaneLetter(i), words.T(q.Title)), "", value,
				q.Range())
		}
	}
	for i := range sc.Jobs[:min(listedJobs, len(sc.Jobs))] {
		for field := range JobSLO {
			f, noun := JobForm(i, field), ""
			if field == JobGPUs {
				noun = words.F("GPUs of {0}", sc.Jobs[i].ID)
			}
			add(words.T("Jobs"), f.Path, words.F("{0} of {1}", f.Name, sc.Jobs[i].ID), noun, f.Get(d), f.Range)
			out[len(out)-1].Instant = field == JobArrival
		}
	}
	_, of := KnowledgeForm()
	figures(words.T("Knowledge"), of)
	if sc.Faults.Generator != nil {
		figures(words.T("Faults"), FailingForm())
	}
	types := Types(d)
	for i := range sc.Throughputs.Rows {
		r := &sc.Throughputs.Rows[i]
		if (i+1)*len(types) > listedSpeeds {
			break
		}
		for _, t := range types {
			if v, ok := r.PerGPU[t]; ok {
				add(words.T("Speeds"), "/scenario/throughputs/rows/"+itoa(i)+"/per_gpu/"+t,
					words.F("{0} on {1}", ModelName(r.Model, r.Batch), figure.TypeTitle(t)), "", v,
					SpeedRange)
			}
		}
	}
	return out
}

// VariableAt is the number at a pointer. Where it has no name its value is not known, and the engine says what it may
// be.
func VariableAt(of []Variable, path string) Variable {
	for _, k := range of {
		if k.Path == path {
			return k
		}
	}
	return Variable{Path: path, Name: path, Noun: words.F("at {0}", path), Value: math.Inf(-1),
		Range: AnyNumber}
}

// lower is a name as it stands within a sentence; German nouns stay as they are.
func lower(s string) string {
	if words.Tag() == "en" && len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'a' && s[1] <= 'z' {
		return string(s[0]-'A'+'a') + s[1:]
	}
	return s
}
