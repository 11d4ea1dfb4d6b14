package state

import (
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// ToggleEditor opens or closes the editor.
type ToggleEditor struct{}

func (ToggleEditor) on(s *Lab) []Effect {
	s.View.Editing = !s.View.Editing
	if s.View.Editing {
		s.View.Peek = false
		return []Effect{room.Focus{Part: room.PartEditor}, room.Measure{}}
	}
	return []Effect{room.Focus{Part: room.PartOpenEditor}, room.Measure{}}
}

// NewScenario begins a scenario of one's own, with its form open. The one that stood is a step back.
type NewScenario struct{}

func (NewScenario) on(s *Lab) []Effect {
	s.View.Editing = true
	said := words.T("New scenario")
	return Load{Doc: edit.New(), Sentence: said, Toast: said, Opens: true}.on(s)
}

// JobRows is how many jobs the form shows at once: more would not be drawn in one go.
const JobRows = 20

// TurnJobs turns the page of the editor's jobs.
type TurnJobs struct{ To int }

func (a TurnJobs) on(s *Lab) []Effect {
	s.View.JobPage = min(max(0, a.To), max(0, len(s.Doc.Scenario.Jobs)-1)/JobRows)
	return nil
}

// ShowDeadlines shows or hides the columns of tenants and deadlines, or those of the ranges of sizes.
type ShowDeadlines struct{ Ranges bool }

func (a ShowDeadlines) on(s *Lab) []Effect {
	at := &s.View.Deadlines
	if a.Ranges {
		at = &s.View.Ranges
	}
	*at = !*at
	return nil
}

// ShowPlace shows a value of the document: in the text where that is open, unless the form is asked for, otherwise its
// field.
type ShowPlace struct {
	Path string
	Form bool
}

func (a ShowPlace) on(s *Lab) []Effect {
	v := &s.View
	v.Place = a.Path
	if v.Editing && v.JSON && !a.Form {
		return s.selectPlace(s.Doc, v.Place)
	}
	v.Editing, v.JSON = true, false
	if a.Path == "" {
		a.Path = "/scenario"
	}
	if job, field := edit.JobPath(a.Path); job >= 0 {
		v.JobPage = job / JobRows
		v.Deadlines = v.Deadlines || field == "slo_s" || field == "tenant"
		v.Ranges = v.Ranges || field == "elastic" || field == "elastic/min" || field == "elastic/max"
	}
	return []Effect{room.Measure{}, Point{Path: a.Path}}
}

// ShowJSON turns between the form and the text. Field is the pointer to the value whose field had the focus since the
// text was left, "" = none: it is selected in the text, otherwise what its cursor was at.
type ShowJSON struct {
	On    bool
	Field string
}

func (a ShowJSON) on(s *Lab) []Effect {
	v := &s.View
	if v.JSON = a.On; a.Field != "" {
		v.Place = a.Field
	}
	if !a.On || v.Place == "" {
		return nil
	}
	return s.selectPlace(s.Doc, v.Place)
}

// TypedJSON is a keystroke in the document's text.
type TypedJSON struct{ Text string }

func (a TypedJSON) on(s *Lab) []Effect {
	d := Draft{Text: a.Text, from: s.Doc}
	if old, ok := s.Drafts[JSONField]; ok {
		d.from = old.from
	}
	s.draft(JSONField, &d)
	return nil
}

// ApplyJSON takes the text as the document. With errors the document stays, and the notice says why.
type ApplyJSON struct{}

func (ApplyJSON) on(s *Lab) []Effect {
	text, draft := s.JSONText(s.Doc)
	if !draft {
		return nil
	}
	if isTable(text) {
		s.draft(JSONField, nil)
		return s.openTrace(words.T("Pasted text"), []byte(text), s.Doc)
	}
	return s.open(0, []byte(text), Load{Sentence: words.T("JSON applied"), Edited: true,
		Preset: s.History.Stands().Preset, Toast: words.T("The text is now the scenario.")},
		words.T("This text cannot be used. The scenario stays as it was."), true)
}

// Caret says at which byte of the document's text the cursor has come to rest.
type Caret struct{ At int }

func (a Caret) on(s *Lab) []Effect {
	shown, _ := s.JSONText(s.Doc)
	if path := jsondoc.PointerAt([]byte(shown), a.At); path != s.View.Place {
		s.View.Place = path
		s.Announcement = s.PlaceWords() + " " + path
	}
	return nil
}

// PlaceWords names the value at the cursor of the text, as the document has it: the number, or the job that it belongs
// to. It names none while the text is another.
func (s *Lab) PlaceWords() string {
	at, path := words.T("At the cursor:"), s.View.Place
	if _, draft := s.Drafts[JSONField]; draft {
		return at
	}
	name := s.Varying().Variable(path).Name
	if job, _ := edit.JobPath(path); name == path && job >= 0 && job < len(s.Doc.Scenario.Jobs) {
		name = s.Doc.Scenario.Jobs[job].ID
	}
	if name == path {
		return at
	}
	return at + " " + name
}

// selectPlace selects the value that is looked at, or the nearest around it, in the text.
func (s *Fields) selectPlace(stands *scenario.Document, place string) []Effect {
	shown, _ := s.JSONText(stands)
	span, ok := jsondoc.Locate([]byte(shown), place)
	if !ok {
		return nil
	}
	return []Effect{Point{From: span.From, To: span.To}}
}
