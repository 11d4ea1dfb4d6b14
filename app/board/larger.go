package board

import (
	"cmp"
	"encoding/json"
	"slices"

	teach "hadarlab/app/class"
	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/class"
	"hadarlab/core/message"
)

// Larger is what a board or a wall has of the larger run of its class.
type Larger struct {
	ID     string               // that Points are of
	Points []message.SweepPoint // one with a summary where seeds were run, else one a value
	Path   string               // of the number that the board offers to vary, "" = the first
	Text   string               // its values, as typed, "" = those that are offered

	asked string // the id whose result is being fetched
}

// Of gives what came of a larger run, nil while it is not here.
func (l *Larger) Of(r *class.LargerRun) []message.SweepPoint {
	if r.Ended() && l.ID == r.ID {
		return l.Points
	}
	return nil
}

// Varied is a number of the assignment that a larger run may vary, and the values that are offered.
type Varied struct {
	edit.Variable
	Values []float64
}

// Typed are the values of a number that are to be run: those that are typed, else those that are offered. The message
// names what is wrong with them.
func (l *Larger) Typed(k *Varied) ([]float64, string) {
	if l.Text == "" {
		return k.Values, ""
	}
	values, problem := compare.ParseValues(l.Text, k.Range, class.MaxLargerValues)
	if problem != "" {
		problem = words.F("{0} {1}.", k.Name, problem)
	}
	return values, problem
}

// Variables are the numbers that the task may change, in its range, each with two values at least that can be run.
func Variables(b *teach.Board, boot *room.Boot) (out []Varied) {
	a := b.Assignment
	doc := a.Document()
	end := 0.0
	for i := range b.Base {
		end = max(end, b.Base[i].Figures.MakespanS)
	}
	for _, k := range edit.Variables(doc, boot.Params) {
		open, ok := a.OpenAt(k.Path)
		if !ok {
			continue
		}
		usual := compare.Usual(&k, cmp.Or(doc.Scenario.RoundS, 360), compare.Span(doc, end))
		values := slices.DeleteFunc(usual, func(v float64) bool {
			changed, ok := a.Apply([]class.Edit{{Path: k.Path, To: &v}}) // of the present value it makes nothing
			return v < open.From || v > open.To || v != k.Value && (!ok || boot.Findings(changed).HasErrors())
		})
		k.Range.Open = k.Range.Open && k.Range.Min >= open.From
		k.Range.Min, k.Range.Max = max(k.Range.Min, open.From), min(k.Range.Max, open.To)
		if len(values) > 1 {
			out = append(out, Varied{k, values})
		}
	}
	return out
}

type (
	// StartLarger has the class's server run more: many seeds, or the values of one number.
	StartLarger struct{ class.Larger }
	// StopLarger ends that, and takes it off the walls.
	StopLarger struct{}
	// VaryLarger chooses the number that is offered to be varied.
	VaryLarger struct{ Path string }
	// TypeLarger types its values.
	TypeLarger struct{ Text string }
	gotLarger  struct {
		id     string
		status int
		body   []byte
	}
)

func (a StartLarger) on(m *Model) []room.Effect {
	return []room.Effect{m.callClass("POST", "/larger", a.Larger, func(status int, body []byte) action {
		return changed{status, body}
	})}
}

func (StopLarger) on(m *Model) []room.Effect {
	return []room.Effect{m.callClass("DELETE", "/larger", nil, func(status int, body []byte) action {
		return changed{status, body}
	})}
}

func (a VaryLarger) on(m *Model) []room.Effect { m.Larger.Path, m.Larger.Text = a.Path, ""; return nil }
func (a TypeLarger) on(m *Model) []room.Effect { m.Larger.Text = a.Text; return nil }

// hearLarger takes how the larger run stands now.
func (m *Model) hearLarger(r *class.LargerRun) []room.Effect {
	if r == nil && m.Class.State.LargerRun == nil {
		return nil
	}
	m.Class = m.Class.HearLarger(r)
	return m.getLarger()
}

// getLarger fetches what came of the larger run, once.
func (m *Model) getLarger() []room.Effect {
	r, l := m.Class.State.LargerRun, &m.Larger
	if !r.Ended() || l.ID == r.ID || l.asked == r.ID {
		return nil
	}
	l.asked = r.ID
	code := m.Class.Code
	then := func(status int, body []byte) room.Action { return forBoard{code, gotLarger{r.ID, status, body}} }
	return []room.Effect{room.Call{Method: "GET", Path: r.Path() + "/result", Then: then}}
}

func (a gotLarger) on(m *Model) []room.Effect {
	l := &m.Larger
	if l.asked != a.id {
		return nil
	}
	var r struct {
		Runs    []message.Lane
		Summary *message.Summary
		Points  []message.SweepPoint
	}
	switch {
	case room.Unreached(a.status): // with the next news
		l.asked = ""
		return nil
	case a.status != 200 || json.Unmarshal(a.body, &r) != nil:
		return nil // it is kept for a while only
	case r.Summary != nil:
		r.Points = []message.SweepPoint{{Runs: r.Runs, Summary: r.Summary}}
	}
	for i := range r.Points { // what one job did is nothing for a wall
		for k := range r.Points[i].Runs {
			r.Points[i].Runs[k].Jobs = nil
		}
	}
	l.ID, l.Points = a.id, r.Points
	return nil
}
