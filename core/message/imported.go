package message

import (
	"encoding/json"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// ImportRequest asks for the scenario that a recorded trace, the message's Body, becomes. Its members are options of
// core/imports; cluster and speeds are written as there.
type ImportRequest struct {
	Format   string          `json:"format,omitempty"`  // "" = told from the content
	Cluster  string          `json:"cluster,omitempty"` // as v100=8,p100=16; "" = the template's, or the format's
	Speeds   string          `json:"speeds,omitempty"`  // as a100=2.3,l4=0.6; "" = as measured or estimated
	PerNode  int             `json:"per_node,omitempty"`
	First    int             `json:"first,omitempty"`
	Divisor  float64         `json:"divisor,omitempty"`
	Workload string          `json:"workload,omitempty"`
	Untuned  bool            `json:"untuned,omitempty"`
	Sample   int             `json:"sample,omitempty"`
	Seed     uint64          `json:"seed,omitempty"`
	Template json.RawMessage `json:"template,omitempty"` // a document; its jobs are not looked at
	Most     int             `json:"most"`               // jobs; a larger document is reported and not sent
}

// Imported is what became of a trace. The message's Body is the document; it is empty where there are errors, and where
// it has more jobs than were asked for.
type Imported struct {
	Report ImportReport         `json:"report"`
	Errors []jsondoc.Diagnostic `json:"errors,omitempty"`
}

// ImportReport says what an import did with its input.
type ImportReport struct {
	Format   string   `json:"format"`
	Guessed  bool     `json:"guessed,omitempty"` // the format was told from the content
	Read     int      `json:"read"`              // data rows (Philly: objects)
	Kept     int      `json:"kept"`
	Dropped  int      `json:"dropped"`
	Jobs     int      `json:"jobs"`              // of the document
	Sampled  bool     `json:"sampled,omitempty"` // they are a part of the kept, drawn with Seed
	Seed     uint64   `json:"seed"`
	Reasons  []Drop   `json:"reasons,omitempty"` // of dropped rows, in order of first use
	Unused   []string `json:"unused_columns,omitempty"`
	Workload string   `json:"workload,omitempty"` // that was read, of
	// those of the file, where there are several; rows of others are not read
	Workloads   []string     `json:"workloads,omitempty"`
	Untuned     bool         `json:"untuned,omitempty"` // the file has columns of untuned requests, too
	Assumptions []words.Text `json:"assumptions,omitempty"`
}

// Drop is one reason for leaving rows out.
type Drop struct {
	Reason words.Text `json:"reason"`
	Count  int        `json:"count"`
	Line   int        `json:"line"`    // of the first such row
	First  words.Text `json:"example"` // what was wrong there
}

// texts are all that the report says, in one order.
func (r *ImportReport) texts() (all []*words.Text) {
	for i := range r.Reasons {
		all = append(all, &r.Reasons[i].Reason, &r.Reasons[i].First)
	}
	for i := range r.Assumptions {
		all = append(all, &r.Assumptions[i])
	}
	return all
}

// importedJSON is an Imported with its report's texts in parts, so that they are said in the reader's language: a page
// may change it while a report is shown.
type importedJSON struct {
	plainImported
	Words []words.Parts `json:"words,omitempty"`
}

type plainImported Imported

// MarshalJSON writes it.
func (m Imported) MarshalJSON() ([]byte, error) {
	out := importedJSON{plainImported: plainImported(m)}
	for _, t := range m.Report.texts() {
		out.Words = append(out.Words, words.Parts(*t))
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads it.
func (m *Imported) UnmarshalJSON(b []byte) error {
	var in importedJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*m = Imported(in.plainImported)
	for i, t := range m.Report.texts() {
		if i < len(in.Words) {
			*t = words.Text(in.Words[i])
		}
	}
	return nil
}
