package state

import (
	"hadarlab/core/chart"
	"hadarlab/core/words"
)

// Knob is a number of the document that can be varied.
type Knob struct {
	Path  string
	Group string
	Name  string // of the number, as in lists
	Noun  string // after values of it, in sentences
	Value float64
	Range Range
}

// Bounds of what is listed by name; all other numbers are named by their pointer.
const (
	knobNodes  = 24
	knobJobs   = 12
	knobSpeeds = 40
)

// Knobs are the numbers of the document that have names, those that are varied most first.
func (s *State) Knobs() []Knob {
	sc := &s.Doc.Scenario
	var out []Knob
	add := func(group, path, name, noun string, value float64, r Range) {
		if noun == "" {
			noun = words.F("of {0}", lower(name))
			if r.Unit != "" {
				noun = words.T(r.Unit) + " " + noun
			}
		}
		out = append(out, Knob{path, group, name, noun, value, r})
	}
	figures := func(group string, of []Figure) {
		for _, f := range of {
			add(group, f.Path, words.T(f.Name), "", f.Get(s.Doc), f.Range)
		}
	}
	for i := range sc.Cluster.Nodes[:min(knobNodes, len(sc.Cluster.Nodes))] {
		n := &sc.Cluster.Nodes[i]
		for _, t := range sortedKeys(n.GPUs) {
			name := words.F("{0} on {1}", chart.TypeTitle(t), n.ID)
			add(words.T("GPUs of a node"), "/scenario/cluster/nodes/"+itoa(i)+"/gpus/"+t, name, name, float64(n.GPUs[t]), Range{Min: 0, Max: 4096, Whole: true})
		}
	}
	for _, which := range []int{Round, Restart, Checkpoint, Merge} {
		title, r := Setting(which)
		add(words.T("Run and overheads"), SettingPath(which), title, "", SettingValue(s.Doc, which), r)
	}
	figures(words.T("Run and overheads"), []Figure{CheckpointPeriod()})
	if sc.Generator != nil {
		_, of := GeneratorForm()
		figures(words.T("Generated jobs"), of)
	}
	for i := range sc.Policies {
		p := s.Boot.Policy(sc.Policies[i].ID)
		for k := 0; p != nil && k < len(p.Params); k++ {
			q := &p.Params[k]
			value, ok := sc.Policies[i].Params[q.Name].(float64)
			if !ok {
				if value, ok = q.Default.(float64); !ok {
					continue
				}
			}
			add(words.T("Policies"), "/scenario/policies/"+itoa(i)+"/params/"+q.Name, words.F("Lane {0}, {1}", LaneLetter(i), words.T(q.Title)), "", value, Range{Min: q.Min, Max: q.Max, Whole: q.Kind == "int", Unit: q.Unit})
		}
	}
	for i := range sc.Jobs[:min(knobJobs, len(sc.Jobs))] {
		for field := range JobSLO {
			name, r := JobField(field)
			noun := ""
			if field == JobGPUs {
				noun = words.F("GPUs of {0}", sc.Jobs[i].ID)
			}
			add(words.T("Jobs"), JobPath(i, field), words.F("{0} of {1}", name, sc.Jobs[i].ID), noun, JobValue(&sc.Jobs[i], field), r)
		}
	}
	_, of := KnowledgeForm()
	figures(words.T("Knowledge"), of)
	if sc.Faults.Generator != nil {
		figures(words.T("Faults"), FailingForm())
	}
	types := s.Types()
	for i := range sc.Throughputs.Rows {
		r := &sc.Throughputs.Rows[i]
		if (i+1)*len(types) > knobSpeeds {
			break
		}
		for _, t := range types {
			if v, ok := r.PerGPU[t]; ok {
				add(words.T("Speeds"), "/scenario/throughputs/rows/"+itoa(i)+"/per_gpu/"+t, words.F("{0} on {1}", ModelName(r.Model, r.Batch), chart.TypeTitle(t)), "", v, SpeedRange)
			}
		}
	}
	return out
}

// Knob is the number at a pointer; what it may be, the engine says where it has no name.
func (s *State) Knob(path string) Knob {
	for _, k := range s.Knobs() {
		if k.Path == path {
			return k
		}
	}
	return Knob{Path: path, Name: path, Noun: words.F("at {0}", path), Range: Range{Min: -1e15, Max: 1e15}}
}

// lower is a name as it stands within a sentence; German nouns stay as they are.
func lower(s string) string {
	if words.Tag() == "en" && len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'a' && s[1] <= 'z' {
		return string(s[0]-'A'+'a') + s[1:]
	}
	return s
}
