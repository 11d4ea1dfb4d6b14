package state

import (
	"slices"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/words"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// openPoint makes the scenario that of a sweep with these values, which have run, as one edit that a short report tells
// of.
func (s *Lab) openPoint(w *compare.Sweep, axes []message.Axis, values []float64, said, report string) []Effect {
	if w.Stale(s.Doc) {
		report = words.F("This is the scenario of those runs, with {0}. Undo brings yours back.", said)
	}
	raw := []byte(w.Request.Scenario)
	for i, value := range values {
		raw, _ = scenario.SetNumber(raw, axes[i].Path, value) // it has run
	}
	doc, _ := scenario.Parse(raw, scenario.FileLimits)
	if doc == nil {
		return nil
	}
	effects := Do{edit.Rewrite{Sentence: said, Make: func(d *scenario.Document) { *d = *doc }}}.on(s)
	w.Opened(s.Doc)
	return append(effects, s.Tell(report, true)...)
}

type (
	// ChooseVariable chooses a number for an axis; Free asks for a pointer.
	ChooseVariable struct {
		Axis int
		Path string
		Free bool
	}
	// TypeValues types the values of an axis.
	TypeValues struct {
		Axis int
		Text string
	}
	// RunVary runs all points.
	RunVary struct{ OnServer bool }
	// WalkPoint moves the cursor over the values.
	WalkPoint struct{ By int }
	// OpenPoint makes the scenario that of a point; OpenWalked that of the one under the cursor.
	OpenPoint  struct{ Point int }
	OpenWalked struct{}
)

func (a ChooseVariable) on(s *Lab) []Effect {
	v := s.Varying()
	axis := v.Axis(a.Axis)
	if a.Free && !axis.Free {
		axis.GivenPath = a.Path
	}
	axis.Path, axis.Free = a.Path, a.Free
	k := v.Variable(a.Path)
	if text := compare.Offered(&k, v.fitting(k.Path, v.usual()(&k)), a.Axis); !a.Free && text != axis.GivenText {
		axis.Text, axis.GivenText = text, text
	}
	s.Vary.Axes[a.Axis] = axis
	return nil
}

func (a TypeValues) on(s *Lab) []Effect {
	axis := s.Varying().Axis(a.Axis)
	axis.Text = a.Text
	s.Vary.Axes[a.Axis] = axis
	return nil
}

func (a RunVary) on(s *Lab) []Effect {
	now := s.Varying()
	if now.Problem() != "" {
		return nil
	}
	v := &s.Vary
	cursor, variables, req := 0, []edit.Variable{}, &message.SweepRequest{}
	for i := range v.Axes {
		axis := now.Axis(i)
		if axis.Path == "" {
			continue
		}
		values, _ := now.values(i)
		k := now.Variable(axis.Path)
		if variables = append(variables, k); i == 0 {
			cursor = max(0, slices.Index(values, k.Value))
		}
		req.Vary = append(req.Vary, message.Axis{Path: axis.Path, Values: values})
	}
	effects := s.askSweep(&v.Sweep, req, a.OnServer)
	if effects != nil {
		v.Cursor, v.Variables = cursor, variables
	}
	return effects
}

func (a WalkPoint) on(s *Lab) []Effect {
	v := &s.Vary
	if v.Request != nil {
		v.Cursor = min(max(0, v.Cursor+a.By), len(v.Request.Vary[0].Values)-1)
	}
	return nil
}

func (OpenWalked) on(s *Lab) []Effect {
	if s.Vary.Request == nil {
		return nil
	}
	return OpenPoint{s.Vary.Point(s.Vary.Cursor, 0)}.on(s)
}

func (a OpenPoint) on(s *Lab) []Effect {
	v := &s.Vary
	if a.Point < 0 || a.Point >= len(v.Points) {
		return nil
	}
	if v.Cursor = a.Point; len(v.Request.Vary) > 1 {
		v.Cursor /= len(v.Request.Vary[1].Values)
	}
	said := v.Says(a.Point)
	return s.openPoint(&v.Sweep, v.Request.Vary, v.Points[a.Point].Values, said,
		words.F("The scenario now has {0}.", said))
}
