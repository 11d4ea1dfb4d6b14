package edit

import (
	"maps"
	"math"
	"slices"
	"strings"

	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/program"
	"hadarlab/core/program/templates"
	"hadarlab/core/record"
	"hadarlab/core/scenario"
)

// SetPolicy sets the policy of a lane, with its default parameters.
type SetPolicy struct {
	Lane      int
	ID, Title string
}

func (e SetPolicy) Change(d *scenario.Document) string {
	p := d.Scenario.Policies
	if e.Lane >= len(p) || p[e.Lane].ID == e.ID {
		return ""
	}
	p[e.Lane] = scenario.Policy{ID: e.ID}
	return words.F("Lane {0}: {1}", LaneLetter(e.Lane), words.T(e.Title))
}

// LaneLetter is A, B or C.
func LaneLetter(lane int) string { return string(rune('A' + lane)) }

// AddLane adds a lane; RemoveLane takes one away.
type AddLane struct {
	ID, Title string
}

// MaxLanes is how many policies are run side by side.
const MaxLanes = 4

// usual are what a new lane is tried as, in turn: what most comparisons are with.
var usual = []string{"gavel-las", "fifo", "srtf", "pollux"}

// NextLane is the policy that a new lane starts with, the first of the usual ones that has none.
func NextLane(d *scenario.Document) string {
	for _, id := range usual {
		if !slices.ContainsFunc(d.Scenario.Policies, func(p scenario.Policy) bool { return p.ID == id }) {
			return id
		}
	}
	return usual[0]
}

func (e AddLane) Change(d *scenario.Document) string {
	if len(d.Scenario.Policies) >= MaxLanes {
		return ""
	}
	d.Scenario.Policies = append(d.Scenario.Policies, scenario.Policy{ID: e.ID})
	return words.F("Lane {0} added: {1}", LaneLetter(len(d.Scenario.Policies)-1), words.T(e.Title))
}

type RemoveLane struct{ Lane int }

func (e RemoveLane) Change(d *scenario.Document) string {
	p := d.Scenario.Policies
	if e.Lane >= len(p) || len(p) == 1 {
		return ""
	}
	d.Scenario.Policies = removed(p, e.Lane)
	return words.F("Lane {0} removed", LaneLetter(e.Lane))
}

// SetParam sets a parameter of a lane's policy.
type SetParam struct {
	Lane  int
	Param *Param
	Value any
}

// Of is the edit with another number.
func (e SetParam) Of(v float64) Edit {
	e.Value = v
	return e
}

func (e SetParam) Key() string {
	if e.Param.Kind == "int" || e.Param.Kind == "float" || e.Param.Kind == "formula" || e.Param.Kind == "program" {
		return "param " + itoa(e.Lane) + " " + e.Param.Name
	}
	return ""
}
func (e SetParam) Change(d *scenario.Document) string {
	p := &d.Scenario.Policies[e.Lane]
	old, _ := e.Param.Of(p)
	if old == e.Value {
		return ""
	}
	if p.Params == nil {
		p.Params = map[string]any{}
	}
	p.Params[e.Param.Name] = e.Value
	if e.Value == e.Param.Default {
		delete(p.Params, e.Param.Name)
	}
	if e.Param.Kind == "program" {
		return words.F("Lane {0}: another program", LaneLetter(e.Lane))
	}
	return words.F("Lane {0}, {1}: {2} to {3}", LaneLetter(e.Lane), words.T(e.Param.Title), ValueText(old),
		ValueText(e.Value))
}

// SetKnob sets a number of a lane's program.
type SetKnob struct {
	Lane  int
	Param *Param
	Name  string
	Value float64
}

// Of is the edit with another number.
func (e SetKnob) Of(v float64) Edit {
	e.Value = v
	return e
}

// Key makes one entry of the history of what is typed into one field.
func (e SetKnob) Key() string { return "knob " + itoa(e.Lane) + " " + e.Name }

// Change is the program with the number.
func (e SetKnob) Change(d *scenario.Document) string {
	p := &d.Scenario.Policies[e.Lane]
	src, _ := p.Params[e.Param.Name].(string)
	turned, ok := program.Turn(src, e.Name, e.Value)
	if !ok || turned == src {
		return ""
	}
	old := program.Knobs(src)[program.Find(program.Knobs(src), e.Name)].Value
	p.Params[e.Param.Name] = turned
	return words.F("Lane {0}, {1}: {2} to {3}", LaneLetter(e.Lane), e.Name, FormatNumber(old), FormatNumber(e.Value))
}

// StartProgram makes a lane a program of one's own, from a template.
type StartProgram struct {
	Lane     int
	Template string
}

// Change sets the program with the parameters under which it is what its title says.
func (e StartProgram) Change(d *scenario.Document) string {
	for i := range templates.All {
		t := &templates.All[i]
		if t.ID != e.Template || e.Lane >= len(d.Scenario.Policies) {
			continue
		}
		d.Scenario.Policies[e.Lane] = scenario.Policy{ID: "own", Params: t.Values()}
		return words.F("Lane {0}: a program, from “{1}”", LaneLetter(e.Lane), words.T(t.Title))
	}
	return ""
}

// AddRecord adds a lane of recorded decisions, packed as record.Pack packs them. Where there is no room it takes the
// place of the last lane, and where a lane is already of the same decider, of that one.
type AddRecord struct{ Of, Packed string }

func (e AddRecord) Change(d *scenario.Document) string {
	p := d.Scenario.Policies
	at := slices.IndexFunc(p, func(q scenario.Policy) bool { return q.ID == record.Policy && q.Params["of"] == e.Of })
	if at < 0 {
		at = min(len(p), MaxLanes-1)
	}
	if at == len(p) {
		p = append(p, scenario.Policy{})
	} else if maps.Equal(p[at].Params, e.Lane().Params) {
		return ""
	}
	p[at] = *e.Lane()
	d.Scenario.Policies = p
	return words.F("Lane {0} is now {1}.", LaneLetter(at), RecordTitle(e.Of))
}

// Lane is the lane.
func (e AddRecord) Lane() *scenario.Policy {
	p := &scenario.Policy{ID: record.Policy, Params: map[string]any{"decisions": e.Packed}}
	if e.Of != "" {
		p.Params["of"] = e.Of
	}
	return p
}

// RecordTitle is what a lane of recorded decisions is called, by who decided.
func RecordTitle(of string) string {
	if of == "" {
		return words.T("Recorded decisions")
	}
	return words.F("Record of {0}", jsondoc.ClipTo(of, 32))
}

// RecordSize says how large a lane's record is where it is saved.
func RecordSize(p *scenario.Policy) string {
	packed, _ := p.Params["decisions"].(string)
	return words.F("A saved scenario holds the record: {0} kB. Links, servers and classes do not.",
		FormatNumber(math.Ceil(float64(len(packed))/1000)))
}

// MoveLane changes places with the next lane.
type MoveLane struct{ Lane int }

func (e MoveLane) Change(d *scenario.Document) string {
	if !swapped(d.Scenario.Policies, e.Lane) {
		return ""
	}
	return words.F("Lanes {0} and {1} changed places", LaneLetter(e.Lane), LaneLetter(e.Lane+1))
}

// AddForce puts a lane with a forced choice beside the one that it is forced upon.
type AddForce struct {
	Upon  int
	Force scenario.Force
	Title string
	At    int // where it went
}

func (e *AddForce) Change(d *scenario.Document) string {
	p := d.Scenario.Policies
	made := p[e.Upon]
	// Choices forced before stay; later ones belong to a course of events that is left.
	made.Force = nil
	for _, f := range p[e.Upon].Force {
		if f.Round < e.Force.Round || f.Round == e.Force.Round && f.Job != e.Force.Job {
			made.Force = append(made.Force, f)
		}
	}
	made.Force = append(made.Force, e.Force)
	if e.At = forcedLane(p, e.Upon); e.At == len(p) {
		p = append(p, made)
	}
	p[e.At] = made
	d.Scenario.Policies = p
	return words.F("Lane {0} is now {1}.", LaneLetter(e.At), strings.TrimSuffix(e.Title,
		ForcedMark())+ForcedMark()) + " " + e.Force.Words(words.Now())
}

// forcedLane is where a forced lane goes: the forced one that is there, else a new one, else the last that it is
// not forced upon.
func forcedLane(p []scenario.Policy, upon int) int {
	for i := len(p) - 1; i >= 0; i-- {
		if len(p[i].Force) > 0 {
			return i
		}
	}
	switch {
	case len(p) < MaxLanes:
		return len(p)
	case upon == len(p)-1:
		return upon - 1
	}
	return len(p) - 1
}

// Forced says what is forced upon a document's lane.
func Forced(d *scenario.Document, lane int) (says []string) {
	for i := range d.Scenario.Policies[lane].Force {
		says = append(says, d.Scenario.Policies[lane].Force[i].Words(words.Now()))
	}
	return says
}

// ForcedMark follows the title of a lane with forced choices.
func ForcedMark() string { return words.T(", forced") }

// RemoveForce takes a forced choice away, and with the last one of a lane the lane, where another is left.
type RemoveForce struct{ Lane, Choice int }

func (e RemoveForce) Change(d *scenario.Document) string {
	p := d.Scenario.Policies
	if e.Lane >= len(p) || e.Choice >= len(p[e.Lane].Force) {
		return ""
	}
	if len(p[e.Lane].Force) == 1 && len(p) > 1 {
		return RemoveLane{Lane: e.Lane}.Change(d)
	}
	p[e.Lane].Force = slices.Delete(p[e.Lane].Force, e.Choice, e.Choice+1)
	return words.F("Lane {0}: a forced choice removed", LaneLetter(e.Lane))
}

// ForcePath reads lane and choice of a pointer into forced choices, -1 where it points elsewhere.
func ForcePath(path string) (lane, choice int) {
	rest, ok := strings.CutPrefix(path, "/scenario/policies/")
	index, choices, found := strings.Cut(rest, "/force/")
	if !ok || !found {
		return -1, -1
	}
	return LeadingIndex(index), LeadingIndex(choices)
}
