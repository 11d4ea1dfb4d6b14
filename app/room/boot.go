package room

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	teach "hadarlab/app/class"
	"hadarlab/app/edit"
	"hadarlab/app/learn"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// Boot is what the page is born with: the engine's catalogue, the first preset's result, and the results of other
// values of the number that the first screen changes, all made by the engine at build time; and an index of what
// teaches.
type Boot struct {
	Catalogue
	Baked
	Early []EarlyResult `json:"early"`
	scenarios.Index
}

// Baked is a result, and why its lanes decided as they did where the page lands.
type Baked struct {
	Lanes        []BakedLane        `json:"lanes"`
	Explanations []BakedExplanation `json:"explanations"`
}

// EarlyResult is what comes of the first preset with that many GPUs where the first screen changes them.
type EarlyResult struct {
	GPUs int `json:"gpus"`
	Baked
}

// Catalogue is what the engine says of itself: version, policies, presets and the presets' documents.
type Catalogue struct {
	Engine   string            `json:"engine"`
	Policies []PolicyInfo      `json:"policies"`
	Presets  []learn.Preset    `json:"presets"`
	Docs     []json.RawMessage `json:"docs"` // in the order of Presets
}

// PolicyInfo describes a policy, as the engine's catalogue lists it.
type PolicyInfo struct {
	ID      string       `json:"id"`
	Alias   string       `json:"alias"`
	Title   string       `json:"title"`
	Summary string       `json:"summary"`
	Source  string       `json:"source"`
	Formula string       `json:"formula"`
	Rev     int          `json:"rev"`
	Past    []string     `json:"past"`
	Whole   setting      `json:"whole_nodes"`
	Needs   needs        `json:"needs"`
	Params  []edit.Param `json:"params"`
	Draws   string       `json:"draws"` // from a random stream: as lab.PolicyInfo has it
	// It takes recorded decisions: it comes with a file, and is not chosen.
	Recorded bool `json:"recorded"`
}

// setting is the value of a parameter under which something holds; without a parameter it never does.
type setting struct {
	Param string `json:"param"`
	Value string `json:"value"`
}

// in says whether a lane has it. A parameter that is not named has its default.
func (s setting) in(info *PolicyInfo, params map[string]any) bool {
	param := info.Param(s.Param)
	if param == nil {
		return false
	}
	v, ok := params[s.Param]
	if !ok {
		v = param.Default
	}
	return v == s.Value
}

// needs are what a policy needs of a scenario, by name.
type needs = map[string]bool

// BakedLane is one lane of the first preset's result.
type BakedLane struct {
	Lane  message.Lane `json:"lane"`
	Trace []byte       `json:"trace"`
}

// BakedExplanation is why, at the moment on which the page lands.
type BakedExplanation struct {
	Lane        int                  `json:"lane"`
	Explanation *message.Explanation `json:"explanation"`
}

// ParseBoot reads the page's data.
func ParseBoot(data []byte) (*Boot, error) {
	b := &Boot{}
	if err := json.Unmarshal(data, b); err != nil {
		return nil, errors.Join(errors.New("room: the page's data cannot be read"), err)
	}
	if len(b.Presets) == 0 || len(b.Presets) != len(b.Docs) || len(b.Policies) == 0 || len(b.Lanes) == 0 {
		return nil, errors.New("room: the page's data lack presets, policies or a result")
	}
	return b, nil
}

// Policy looks a policy up by id or alias, nil = unknown.
func (b *Boot) Policy(id string) *PolicyInfo {
	for i := range b.Policies {
		if p := &b.Policies[i]; p.ID == id || p.Alias != "" && p.Alias == id {
			return p
		}
	}
	return nil
}

// WholeTitle is a policy's title in the reader's language, its id when the catalogue lacks it.
func (b *Boot) WholeTitle(id string) string {
	if p := b.Policy(id); p != nil {
		return words.T(p.Title)
	}
	return id
}

// PolicyTitle is that up to its first comma.
func (b *Boot) PolicyTitle(id string) string { return run.Short(b.WholeTitle(id)) }

// LessonTitle is what a lesson is called, "" = there is none.
func (b *Boot) LessonTitle(id string) string {
	for _, l := range b.Lessons {
		if l.ID == id {
			return l.Title
		}
	}
	return ""
}

// Values names the values of an assignment, in the language that is spoken now.
func (b *Boot) Values(a *class.Assignment) teach.Values { return teach.NewValues(a, b.Params) }

// PresetLink is where a preset opens.
func (b *Boot) PresetLink(at int, defaults scenario.Defaults) string {
	doc, _ := scenario.Parse(b.Docs[at], scenario.FileLimits)
	if doc == nil {
		return "" // it comes with the page
	}
	return "/#" + link.Encode(doc, defaults)
}

// Params are the parameters of a policy, nil where the catalogue lacks it.
func (b *Boot) Params(policy string) []edit.Param {
	if p := b.Policy(policy); p != nil {
		return p.Params
	}
	return nil
}

// Param looks a parameter up, nil = unknown.
func (p *PolicyInfo) Param(name string) *edit.Param {
	if name == edit.Fusing.Name {
		return &edit.Fusing
	}
	for i := range p.Params {
		if p.Params[i].Name == name {
			return &p.Params[i]
		}
	}
	return nil
}

// Defaults are what a policy has where a document does not say it.
func (b *Boot) Defaults() scenario.Defaults {
	d := scenario.Defaults{}
	for _, p := range b.Policies {
		values := map[string]any{}
		for _, q := range p.Params {
			values[q.Name] = q.Default
		}
		values[edit.Fusing.Name] = edit.Fusing.Default
		d[p.ID] = scenario.PolicyDefaults{Rev: p.Rev, Params: values}
	}
	return d
}

// TitleOf is a document's title: a preset's in the reader's language, any other as its author wrote it; one without a
// title goes by what it has.
func (b *Boot) TitleOf(d *scenario.Document) string {
	title, changed := edit.SplitTitle(d.Meta.Title)
	if title == "" {
		return words.F("{0} on {1}", words.Plural(d.JobCount(), "job"),
			words.Plural(d.Scenario.Cluster.GPUs(), "GPU"))
	}
	for i := range b.Presets {
		if p := &b.Presets[i]; p.Title == title {
			title = words.T(p.Title)
		}
	}
	switch {
	case changed && strings.ContainsAny(title[len(title)-1:], "?!."): // no comma after the end of a sentence
		return words.F("{0} (changed)", title)
	case changed:
		return words.F("{0}, changed", title)
	}
	return title
}

// Preset is the preset with a content id, nil = none.
func (b *Boot) Preset(id string, defaults scenario.Defaults) *scenario.Document {
	for _, text := range b.Docs {
		if d, diags := scenario.Parse(text, scenario.FileLimits); d != nil && !diags.HasErrors() &&
			d.ID(defaults) == id {
			return d
		}
	}
	return nil
}

// PresetNamed is a preset's document, nil = there is none.
func (b *Boot) PresetNamed(name string) *scenario.Document {
	at := slices.IndexFunc(b.Presets, func(p learn.Preset) bool { return p.Name == name })
	if at < 0 {
		return nil
	}
	doc, _ := scenario.Parse(b.Docs[at], scenario.FileLimits)
	return doc
}

// Findings are what is wrong with a document, in the reader's language.
func (b *Boot) Findings(d *scenario.Document) jsondoc.Diagnostics {
	return append(scenario.Check(d), b.checkPolicies(d)...)
}

// checkPolicies finds policies and parameters that the engine would refuse.
func (b *Boot) checkPolicies(d *scenario.Document) jsondoc.Diagnostics {
	var out jsondoc.Diagnostics
	fail := func(path, code string, msg, fix words.Text) {
		out = append(out, jsondoc.Error(path, code, msg, fix))
	}
	for i := range d.Scenario.Policies {
		p := &d.Scenario.Policies[i]
		at := "/scenario/policies/" + figure.Int(int64(i))
		info := b.Policy(p.ID)
		if info == nil {
			fail(at+"/id", "unknown-policy", words.Say("there is no policy {0}", p.ID),
				words.Say("Choose one from the list."))
			continue
		}
		if other, ok := message.Revision(at, info.Title, p.Rev, info.Rev, info.Past); !ok {
			out = append(out, other)
			continue
		}
		crowded, ok := message.Crowded(at, info.Title, d.JobCount(), len(d.Scenario.Cluster.Nodes))
		if !ok && info.Whole.in(info, p.Params) {
			out = append(out, crowded)
		}
		for _, name := range jsondoc.Keys(p.Params) {
			param := info.Param(name)
			switch {
			case param == nil && name == edit.Autoscaler && d.Scenario.Cloud == nil:
				fail(at+"/params/"+name, "no-cloud",
					words.Say("The scenario has no cloud, so that no lane has an autoscaler."),
					words.Say("Remove the parameter, or add a cloud."))
			case param == nil && name == edit.Autoscaler && slices.Contains(scenario.Autoscalers, edit.AutoscalerOf(p)):
			case param == nil:
				fail(at+"/params/"+name, "unknown-param", words.Say("{0} has no parameter {1}", words.Say(info.Title),
					name), words.Say("Remove it."))
			default:
				if msg := param.Problem(p.Params[name]); msg != "" {
					fail(at+"/params/"+name, "bad-param", words.Own(msg), words.Say("The default is {0}.",
						edit.ValueText(param.Default)))
				}
			}
		}
	}
	return out
}
