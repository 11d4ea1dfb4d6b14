package state

import (
	"maps"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// Fields are what is being typed.
type Fields struct {
	Drafts map[string]Draft // texts of fields that could not be read, by field
	Typing Typing           // the field that is being typed in
}

// Typing is a field that is being typed in: its text stays as typed until the reader leaves it.
type Typing struct {
	Field, Text string
	// From is what stood there when the typing began. A field that is drawn with it all the while is the reader's own:
	// one that was drawn with what was typed a moment ago would take back what was typed since.
	From string
}

// Draft is what stands in a field that could not be read, and why.
type Draft struct {
	Text    string
	Message string
	Shown   bool               // the reader has left the field
	from    *scenario.Document // from which the text began to differ
}

// draft gives a field a draft, or with nil takes it away, in a copy: a component can tell that something changed.
func (s *Fields) draft(field string, d *Draft) {
	s.Drafts = maps.Clone(s.Drafts)
	if delete(s.Drafts, field); d != nil {
		s.Drafts[field] = *d
	}
}

func shownDrafts(all map[string]Draft) (fields []string, drafts []Draft) {
	for _, k := range jsondoc.Keys(all) {
		if d := all[k]; d.Shown {
			fields, drafts = append(fields, k), append(drafts, d)
		}
	}
	return fields, drafts
}

// JSONField is the field of the text, for its draft.
const JSONField = "json"

// JSONText is the text that stands in the JSON tab, and whether it differs from the document.
func (s *Fields) JSONText(stands *scenario.Document) (text string, draft bool) {
	if d, ok := s.Drafts[JSONField]; ok {
		return d.Text, true
	}
	return string(stands.Marshal(true)), false
}

// JSONBehind says whether the document has changed since the text began to differ from it: to apply the text undoes
// that.
func (s *Fields) JSONBehind(stands *scenario.Document) bool {
	d, ok := s.Drafts[JSONField]
	return ok && d.from != stands
}
