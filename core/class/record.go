package class

import (
	"encoding/json"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// MaxRecord is how many bytes a saved class may have.
const MaxRecord = 16 << 20

var startRecord = words.Say(`A saved class is a JSON document that begins {"kind":"class","version":1,…}: "Everything, JSON" of a board's export.`)

// ParseRecord reads a saved class; it is nil exactly when there are errors. Texts lose what nobody sees.
func ParseRecord(data []byte) (*Record, jsondoc.Diagnostics) {
	var r struct {
		Record
		Assignment json.RawMessage `json:"assignment"`
	}
	var f findings
	if len(data) > MaxRecord || json.Unmarshal(data, &r) != nil || r.Kind != RecordKind {
		f.fail("", "no-record", words.Say("the saved class cannot be read"), startRecord)
		return nil, jsondoc.Diagnostics(f)
	}
	if wrong, bad := jsondoc.Version(r.Version, Version); bad {
		return nil, jsondoc.Diagnostics{wrong}
	}
	a, diags := Parse(r.Assignment)
	if a == nil {
		return nil, diags
	}
	r.Record.Assignment = a
	for i := range r.Students {
		s := &r.Students[i]
		s.Name, s.Tag = jsondoc.Visible(s.Name), jsondoc.Visible(s.Tag)
	}
	for i := range r.Entries {
		r.Entries[i].Text = jsondoc.Visible(r.Entries[i].Text)
	}
	return &r.Record, diags
}
