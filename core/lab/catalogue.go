package lab

import (
	"encoding/json"
	"strconv"

	"hadarlab/core/message"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// PolicyInfo describes a registered policy for pickers and forms.
type PolicyInfo struct {
	ID      string         `json:"id"`
	Alias   string         `json:"alias,omitempty"` // another id that documents may use
	Title   string         `json:"title"`
	Summary string         `json:"summary"`
	Source  string         `json:"source"`
	Formula string         `json:"formula"`
	Rev     int            `json:"rev"`
	Past    []string       `json:"past,omitempty"` // the last releases that ran the revisions before, from 1 on
	Params  []policy.Param `json:"params"`
	Needs   policy.Needs   `json:"needs"`
	Whole   policy.Setting `json:"whole_nodes"` // under which a job gets nodes as wholes
	// from a random stream: "" never, "always", the switch that makes it do so, NAME=CHOICE, or the program that may
	Draws string `json:"draws,omitempty"`
	// it takes recorded decisions: it comes with a file, and is not chosen
	Recorded bool `json:"recorded,omitempty"`
}

// Policies lists the registered policies by id.
func Policies() []PolicyInfo {
	var out []PolicyInfo
	for _, s := range policy.All() {
		params := s.Params
		if params == nil {
			params = []policy.Param{}
		}
		out = append(out, PolicyInfo{s.ID, s.Alias, s.Title, s.Summary, s.Source, s.Formula, s.Rev, s.LastReleases,
			params, s.Needs, s.WholeNodes, draws(s), s.Recorded})
	}
	return out
}

// draws says when a policy draws from a random stream: "always", while a switch is on, by NAME, or where a choice is
// made, by NAME=CHOICE. It is "" if it never does.
func draws(s *policy.Spec) string {
	if s.Random == nil {
		return ""
	}
	values, _ := s.Check(nil)
	byDefault := s.Random(values)
	for i := range s.Params {
		p := &s.Params[i]
		if p.Kind == policy.Program {
			return p.Name // if it asks for a random number
		}
		for _, choice := range p.Choices {
			if values[p.Name] = choice; !byDefault && s.Random(values) {
				return p.Name + "=" + choice
			}
		}
		values[p.Name] = p.Default
		if p.Kind != policy.Bool {
			continue
		}
		if values[p.Name] = false; !s.Random(values) {
			return p.Name
		}
		values[p.Name] = p.Default
	}
	return "always"
}

// Defaults are the parameters' default values, which the canonical form of a document omits.
func Defaults() scenario.Defaults {
	d := scenario.Defaults{}
	for _, s := range policy.All() {
		m := map[string]any{}
		for _, p := range s.Params {
			m[p.Name] = p.Default
		}
		m[policy.Fusion.Name] = policy.Fusion.Default
		d[s.ID] = scenario.PolicyDefaults{Rev: s.Rev, Params: m}
	}
	return d
}

// Old tells whether a result of an engine of that version, with these runs, may come out otherwise today: its minor
// version is another one, or the revision of one of its own policies.
func Old(engine string, runs []message.Lane) bool {
	for i := range runs {
		if RunOld(engine, runs[i].Policy, runs[i].Rev) {
			return true
		}
	}
	return message.Minor(engine) != message.Minor(Engine)
}

// RunOld tells the same of one run; see message.Old.
func RunOld(engine, id string, rev int) bool {
	have := 0
	if s, err := policy.Find(id); err == nil {
		have = s.Rev
	}
	return message.Old(engine, rev, Engine, have)
}

// PresetInfo describes a preset.
type PresetInfo struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Question string `json:"question"`
	Jobs     int    `json:"jobs"`
	GPUs     int    `json:"gpus"`
}

// Presets lists the embedded presets in the order in which they are taught.
func Presets() []PresetInfo {
	var out []PresetInfo
	for _, name := range scenarios.Names {
		data, _ := scenarios.Preset(name)
		doc, _ := scenario.Parse(data, scenario.FileLimits)
		info := PresetInfo{ID: name, Title: doc.Meta.Title, Question: doc.Meta.Question, Jobs: doc.JobCount()}
		for _, n := range doc.Scenario.Cluster.Nodes {
			for _, g := range n.GPUs {
				info.GPUs += g
			}
		}
		out = append(out, info)
	}
	return out
}

// Preset gives the document of a preset; false when there is none of that name.
func Preset(name string) ([]byte, bool) { return scenarios.Preset(name) }

// Catalogue is what a page needs to know of the engine before anything runs, as JSON.
func Catalogue() []byte {
	presets := []json.RawMessage{}
	for _, name := range scenarios.Names {
		data, _ := scenarios.Preset(name)
		presets = append(presets, data)
	}
	b, err := json.Marshal(struct {
		Engine   string            `json:"engine"`
		Policies []PolicyInfo      `json:"policies"`
		Presets  []PresetInfo      `json:"presets"`
		Docs     []json.RawMessage `json:"docs"` // the presets' documents, in the same order
	}{Engine, Policies(), Presets(), presets})
	if err != nil {
		panic("lab: catalogue: " + err.Error())
	}
	return b
}

func policyIDs() string {
	s := ""
	for i, p := range policy.All() {
		if i > 0 {
			s += ", "
		}
		s += p.ID
	}
	return s
}

func itoa(n int) string { return strconv.Itoa(n) }

// Title is what a policy is called, its id where there is none.
func Title(id string) string {
	for _, s := range policy.All() {
		if s.ID == id {
			return s.Title
		}
	}
	return id
}
