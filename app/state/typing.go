package state

import (
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
)

// Typed is a keystroke in a number field. A text that cannot be read stays in the field as a draft and
// changes nothing.
type Typed struct {
	Field string // the field's own name, for its draft and message
	Name  string // what the message calls it, as GPUs of j4
	Text  string
	Range edit.Range
	Empty bool // an empty text means 0
	Edit  edit.Numbered
}

func (a Typed) on(s *Lab) []Effect {
	if s.Typing.Field != a.Field {
		s.History.Seal()
	}
	s.Typing = Typing{Field: a.Field, Text: a.Text}
	v, problem := a.number()
	if problem != "" {
		d := Draft{Text: a.Text, Message: words.Sentence(a.Name + " " + problem), Shown: s.Drafts[a.Field].Shown}
		s.draft(a.Field, &d)
		return s.takeBack(edit.Key(a.Edit.Of(a.Range.Min)))
	}
	s.draft(a.Field, nil)
	return Do{a.Edit.Of(v)}.on(s)
}

// number is what was typed, or why it is none.
func (a *Typed) number() (v float64, problem string) {
	s := a.Text
	if a.Empty && strings.TrimSpace(s) == "" {
		s = "0"
	}
	return edit.ParseNumber(s, a.Range)
}

// TypedModel is a keystroke in a job's model: the name of a row of the throughputs.
type TypedModel struct {
	Field string
	Job   int
	Text  string
}

func (a TypedModel) on(s *Lab) []Effect {
	s.Typing = Typing{Field: a.Field, Text: a.Text}
	rows := s.Doc.Scenario.Throughputs.Rows
	for i := range rows {
		if edit.ModelName(rows[i].Model, rows[i].Batch) == strings.TrimSpace(a.Text) {
			s.draft(a.Field, nil)
			return Do{edit.SetModel{Job: a.Job, Row: i}}.on(s)
		}
	}
	s.draft(a.Field, &Draft{Text: a.Text, Message: words.F("There is no model “{0}”; choose one of the throughputs’ rows.",
		jsondoc.ClipTo(a.Text, 24))})
	return nil
}

// TypedCurve is a keystroke in one of the curves of a row. While it cannot be read, the row keeps the last one that
// could.
type TypedCurve struct {
	edit.Curve
	Name string // what the message calls it
	Text string
}

func (a TypedCurve) on(s *Lab) []Effect {
	field := a.Path()
	if s.Typing.Field != field {
		s.History.Seal()
	}
	s.Typing = Typing{Field: field, Text: a.Text}
	points, problem := edit.ReadCurve(a.Text)
	if problem != "" {
		s.draft(field, &Draft{Text: a.Text, Message: words.Sentence(a.Name + ": " + problem),
			Shown: s.Drafts[field].Shown})
		return nil
	}
	s.draft(field, nil)
	return Do{edit.SetCurve{Curve: a.Curve, Points: points}}.on(s)
}

// TypedFormula is a keystroke in a parameter that is a formula. While it cannot be read, the lane keeps the last one
// that could.
type TypedFormula struct {
	Field string
	Lane  int
	Param string
	Now   string // as the field is drawn
	Text  string
}

func (a TypedFormula) on(s *Lab) []Effect {
	if a.Lane >= len(s.Doc.Scenario.Policies) {
		return nil
	}
	if s.Typing.Field != a.Field {
		s.History.Seal()
		s.Typing = Typing{Field: a.Field, From: a.Now}
	}
	s.Typing.Text = a.Text
	info := s.Boot.Policy(s.Doc.Scenario.Policies[a.Lane].ID)
	if info == nil || info.Param(a.Param) == nil {
		return nil
	}
	p := info.Param(a.Param)
	problem := p.Problem(a.Text)
	if p.Kind == "program" && a.Text == "" { // it is about to be written anew
		problem = words.T("A program cannot be empty; the lane keeps the last one.")
	}
	if problem != "" {
		s.draft(a.Field, &Draft{Text: a.Text, Message: words.Sentence(problem), Shown: s.Drafts[a.Field].Shown})
		return nil
	}
	s.draft(a.Field, nil)
	return Do{edit.SetParam{Lane: a.Lane, Param: p, Value: a.Text}}.on(s)
}

// Left says that the reader left a field or pressed Enter in it: its fault is shown now.
type Left struct{ Field string }

func (a Left) on(s *Lab) []Effect {
	s.History.Seal()
	s.Typing = Typing{}
	if d, ok := s.Drafts[a.Field]; ok && !d.Shown {
		d.Shown = true
		s.draft(a.Field, &d)
		s.Announcement = d.Message
	}
	return nil
}

// Discard puts the value back into a field.
type Discard struct{ Field string }

func (a Discard) on(s *Lab) []Effect {
	s.draft(a.Field, nil)
	return nil
}

// PutBack gives up what is being typed into a field, if it cannot be read.
type PutBack struct{ Field string }

func (a PutBack) on(s *Lab) []Effect {
	if _, ok := s.Drafts[a.Field]; ok {
		s.Typing = Typing{}
		return Discard{a.Field}.on(s)
	}
	return nil
}

// Mend carries out what repairs a finding, and gives up what cannot be read.
type Mend struct{ Edit edit.Edit }

func (a Mend) on(s *Lab) []Effect {
	s.Drafts, s.Typing = map[string]Draft{}, Typing{}
	return Do{a.Edit}.on(s)
}
