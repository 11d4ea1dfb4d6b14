// Package message holds the versioned messages between page, engine and server, and the result
// documents that programs read: bytes and plain structs only. It knows how nothing is computed.
//
// A message on the wire is a 4-byte little-endian length, that many bytes of JSON (a Message), then
// a raw body: the encoded trace of a finished lane, the file to be imported or the document that it became, empty
// otherwise.
package message

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// Version is the wire version; Decode refuses any other.
const Version = 1

// ErrMessage is returned for bytes that are not a message of this version.
var ErrMessage = errors.New("message: not a message of this version, or cut short")

// Message is one message. Exactly one of the pointers is set, but for Words, Cancel and Ready.
type Message struct {
	V  int   `json:"v"`
	ID int64 `json:"id"` // the request it belongs to; answers repeat it

	// page → engine
	Run     *RunRequest     `json:"run,omitempty"`
	Explain *ExplainRequest `json:"explain,omitempty"`
	Flip    *FlipRequest    `json:"flip,omitempty"`
	Words   json.RawMessage `json:"words,omitempty"` // the catalogue of core/words from now on, {} = English; no answer
	Sweep   *SweepRequest   `json:"sweep,omitempty"`
	Import  *ImportRequest  `json:"import,omitempty"` // Body is the trace
	Cancel  bool            `json:"cancel,omitempty"` // stop request ID; lanes so far are answered as stopped
	Bare    bool            `json:"bare,omitempty"`   // of Run: lanes without traces, of which nobody will ask more
	Help    bool            `json:"help,omitempty"`   // another engine has time for a part of request ID; Lent answers
	Settled *Settled        `json:"settled,omitempty"`

	// engine → page
	Ready       bool         `json:"ready,omitempty"` // the engine has started
	Progress    *Progress    `json:"progress,omitempty"`
	Lane        *Lane        `json:"lane,omitempty"` // one policy is done; Body is its trace
	At          int          `json:"at,omitempty"`   // place of Lane in its request
	Finished    bool         `json:"finished,omitempty"`
	Explanation *Explanation `json:"explanation,omitempty"`
	Flipped     *FlipResult  `json:"flipped,omitempty"`
	Swept       *SweepNews   `json:"swept,omitempty"` // the last one is Over
	Lent        *Lent        `json:"lent,omitempty"`
	Imported    *Imported    `json:"imported,omitempty"` // Body is the document
	Failure     *Failure     `json:"failure,omitempty"`

	Body []byte `json:"-"`
}

// RunRequest asks for one run per policy. Policies empty = those of the document.
type RunRequest struct {
	Scenario json.RawMessage `json:"scenario"`
	Policies []PolicyRef     `json:"policies,omitempty"`
}

// Lent is a part of a request that another engine is to run: a lane of a run, or a run of a sweep.
type Lent struct {
	Part int         `json:"part"`
	Run  *RunRequest `json:"run,omitempty"` // nil = there is nothing to lend
}

// Settled tells an engine what has become of a part that it has lent.
type Settled struct {
	Part  int    `json:"part"`
	Back  bool   `json:"back,omitempty"`  // nothing: it has to run it itself
	Lanes []Lane `json:"lanes,omitempty"` // of a sweep's run
}

// PolicyRef names a policy, the parameters that differ from its defaults and the choices made in its place.
type PolicyRef struct {
	ID     string         `json:"id"`
	Rev    int            `json:"rev,omitempty"` // the revision asked for, 0 = the one at hand
	Params map[string]any `json:"params,omitempty"`
	// Force are the choices, as they stand in the scenario document.
	Force json.RawMessage `json:"force,omitempty"`
}

// ExplainRequest asks for one decision of one policy with every number.
type ExplainRequest struct {
	Scenario json.RawMessage `json:"scenario"`
	Policy   PolicyRef       `json:"policy"`
	Round    int             `json:"round"`
	Job      string          `json:"job,omitempty"` // empty = all active jobs
}

// Progress of a request. Lane counts from 0.
type Progress struct {
	Lane     int     `json:"lane"`
	Policy   string  `json:"policy"`
	Round    int     `json:"round"`
	TimeS    float64 `json:"time_s"`
	Finished int     `json:"finished"` // jobs finished
	Jobs     int     `json:"jobs"`     // jobs in all
}

// Failure is why a request, or one lane of it, gave nothing.
type Failure struct {
	Lane        int                  `json:"lane"` // -1 = the whole request
	Policy      string               `json:"policy,omitempty"`
	Message     string               `json:"message"`
	Diagnostics []jsondoc.Diagnostic `json:"errors,omitempty"`
}

// Why is its first error, where it has one, and else its message, which is in the language of the engine's reader.
func (f *Failure) Why() words.Text {
	if found := jsondoc.Diagnostics(f.Diagnostics).Errors(); len(found) > 0 {
		return found[0].Message
	}
	return words.Own(f.Message)
}

// Encode writes m with its body.
func (m *Message) Encode() ([]byte, error) {
	m.V = Version
	head, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 4, 4+len(head)+len(m.Body))
	binary.LittleEndian.PutUint32(b, uint32(len(head)))
	return append(append(b, head...), m.Body...), nil
}

// Decode reads what Encode wrote. Body aliases b.
func Decode(b []byte) (*Message, error) {
	if len(b) < 4 {
		return nil, ErrMessage
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n < 0 || n > len(b)-4 {
		return nil, ErrMessage
	}
	m := &Message{}
	if err := json.Unmarshal(b[4:4+n], m); err != nil || m.V != Version {
		return nil, ErrMessage
	}
	m.Body = b[4+n:]
	return m, nil
}
