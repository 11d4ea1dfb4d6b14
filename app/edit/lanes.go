package edit

import (
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// SetPolicy sets the policy of a lane, with its default parameters.
type SetPolicy struct {
	Lane      int
	ID, Title string
	Rev       int
}

func (e SetPolicy) Change(d *scenario.Document) string {
	p := d.Scenario.Policies
	if e.Lane >= len(p) || p[e.Lane].ID == e.ID {
		return ""
	}
	p[e.Lane] = scenario.Policy{ID: e.ID, Rev: max(1, e.Rev)}
	return words.F("Lane {0}: {1}", LaneLetter(e.Lane), words.T(e.Title))
}

// LaneLetter is A, B or C.
func LaneLetter(lane int) string { return string(rune('A' + lane)) }

// AddLane adds a lane; RemoveLane takes one away.
type AddLane struct {
	ID, Title string
	Rev       int
}

// MaxLanes is how many policies are run side by side.
const MaxLanes = 3

func (e AddLane) Change(d *scenario.Document) string {
	if len(d.Scenario.Policies) >= MaxLanes {
		return ""
	}
	d.Scenario.Policies = append(d.Scenario.Policies, scenario.Policy{ID: e.ID, Rev: max(1, e.Rev)})
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

func (e SetParam) Key() string {
	if e.Param.Kind == "int" || e.Param.Kind == "float" {
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
	return words.F("Lane {0}, {1}: {2} to {3}", LaneLetter(e.Lane), words.T(e.Param.Title), ValueText(old),
		ValueText(e.Value))
}

// MoveLane changes places with the next lane.
type MoveLane struct{ Lane int }

func (e MoveLane) Change(d *scenario.Document) string {
	if !swapped(d.Scenario.Policies, e.Lane) {
		return ""
	}
	return words.F("Lanes {0} and {1} changed places", LaneLetter(e.Lane), LaneLetter(e.Lane+1))
}
