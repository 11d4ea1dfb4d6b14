// Package record is the text of recorded decisions: a line of JSON for what they are of, one for each decision, and one
// for the end; a program that plans ahead can write one too, without the last. Times are seconds from the scenario's
// start. Members are only ever added. Package replay below core/policy/own makes a policy of it.
//
// Nobody vouches for a record: what Read accepts is bounded, and every number in it names something that is there.
package record

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"hadarlab/core/words"
)

// Kind and Version begin a record.
const (
	Kind    = "decisions"
	Version = 1
)

// Policy is the id under which a document has a lane of recorded decisions.
const Policy = "recorded"

// Head is the first line: what the decisions are of, and when there is one.
type Head struct {
	Kind     string   `json:"kind"`
	Version  int      `json:"version"`
	Scenario string   `json:"scenario,omitempty"` // its id, for people
	Policy   string   `json:"policy,omitempty"`   // that decided, for people
	Every    float64  `json:"every_s,omitempty"`  // a decision at each multiple of it
	On       []string `json:"on"`                 // and at these happenings
	Merge    bool     `json:"merge,omitempty"`    // copies are merged at each decision
	Slots    []Slot   `json:"slots"`
	Jobs     []string `json:"jobs"` // names; others name a job by its place, which is the order of arrival
	// Document is the scenario as it was run; who only takes the decisions again has no need of it.
	Document json.RawMessage `json:"document,omitempty"`
}

// Slot is a number of equal GPUs of one node; others name it by its place in the list.
type Slot struct {
	Node string `json:"node"`
	Type string `json:"type"`
	GPUs int32  `json:"gpus"`
}

// Decision is one decision. A job that keeps nothing and is in no gang holds nothing.
type Decision struct {
	Now     float64  `json:"now_s"`
	Arrived []int32  `json:"arrived,omitempty"` // since the last one
	Ended   []int32  `json:"ended,omitempty"`
	Keep    []int32  `json:"keep,omitempty"` // jobs that go on with what they hold
	Gangs   []Gang   `json:"gangs"`
	Wake    *float64 `json:"wake_s,omitempty"` // asks for a decision at that time
	Line    int      `json:"-"`                // of the record, from 1
}

// Gang is what a job holds from the decision on.
type Gang struct {
	Job    int32      `json:"job"`
	GPUs   [][2]int32 `json:"gang"`             // of [slot, GPUs]
	Quota  *float64   `json:"quota,omitempty"`  // steps, then it waits for the next decision
	Copy   bool       `json:"copy,omitempty"`   // a forked copy
	Config int32      `json:"config,omitempty"` // which of its batches it trains with, 0 = as asked
	With   []Member   `json:"with,omitempty"`   // jobs that share the GPUs
}

// Member is a job that shares another's gang.
type Member struct {
	Job   int32    `json:"job"`
	Quota *float64 `json:"quota,omitempty"`
}

// End is the last line.
type End struct {
	Outcome string `json:"outcome"`
	Trace   string `json:"trace_hash"` // of the run that was recorded
}

// Record is what was recorded.
type Record struct {
	Head
	Decisions []Decision
	End       // zero where the record ends without it
}

// Happenings are what calls for a decision, by name.
var Happenings = []string{"arrival", "arrival_idle", "finish", "phase_end", "capacity"}

// Limits bound what is read: bytes in all, bytes of a line, of which the first may have four times as many, decisions.
type Limits struct{ Bytes, Line, Decisions int }

var (
	// OnDisk bounds what a command reads from a file.
	OnDisk = Limits{Bytes: 1 << 30, Line: 16 << 20, Decisions: 10_000_000}
	// InPage bounds what a document holds.
	InPage = Limits{Bytes: 8 << 20, Line: 1 << 20, Decisions: 100_000}
)

const (
	longestName = 80   // characters of the name of a job, node or type, as in documents
	longestOf   = 200  // of what decided
	latest      = 1e12 // s
)

// Error is what is wrong with a record, and in which line, from 1; 0 = with all of it.
type Error struct {
	Line int
	Says words.Text
}

// Error is the line and the reason in English.
func (e *Error) Error() string { return e.Told().String() }

// Told is the line and the reason.
func (e *Error) Told() words.Text {
	if e.Line == 0 {
		return e.Says
	}
	return words.Say("line {0}: {1}", e.Line, e.Says)
}

// Read reads a record. An error is an *Error.
func Read(from io.Reader, lim Limits) (*Record, error) {
	text, err := io.ReadAll(io.LimitReader(from, int64(lim.Bytes)+1))
	if err != nil {
		return nil, &Error{0, words.Own(err.Error())}
	}
	rec, rest, err := begin(text, lim)
	if err != nil {
		return nil, err
	}
	if says := rec.Head.wrong(); !says.IsZero() {
		return nil, &Error{1, says}
	}
	for n := 2; len(rest) > 0; n++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if says := rec.add(line, n, lim); !says.IsZero() {
			return nil, &Error{n, says}
		}
	}
	return rec, nil
}

// begin reads the first line of a record, and gives the lines after it.
func begin(text []byte, lim Limits) (rec *Record, rest []byte, err error) {
	rec = &Record{}
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	says := words.Text{}
	switch {
	case len(text) > lim.Bytes:
		return nil, nil, &Error{0, words.Say("a record may have {0} bytes here, and this has more", lim.Bytes)}
	case len(text) == 0:
		says = words.Say("the file is empty")
	case len(line) > 4*lim.Line:
		says = words.Say("a line may have {0} bytes here, and this has more", 4*lim.Line)
	case json.Unmarshal(line, &rec.Head) != nil || rec.Kind != Kind:
		says = words.Say("no record of decisions begins so; `hadarlab export --format decisions` writes one")
	case rec.Version != Version:
		says = words.Say("version is {0}; this release reads {1}", rec.Version, Version)
	}
	if !says.IsZero() {
		return nil, nil, &Error{1, says}
	}
	return rec, rest, nil
}

// add reads a line after the first.
func (rec *Record) add(b []byte, n int, lim Limits) words.Text {
	if len(b) > lim.Line {
		return words.Say("a line may have {0} bytes here, and this has more", lim.Line)
	}
	var line struct {
		Decision
		End
	}
	if err := json.Unmarshal(b, &line); err != nil {
		return words.Own(err.Error())
	}
	if rec.Outcome != "" {
		return words.Say("nothing follows the end of a record")
	}
	if line.Outcome != "" {
		rec.End = line.End
		return words.Text{}
	}
	if len(rec.Decisions) == lim.Decisions {
		return words.Say("a record may have {0} decisions here, and this has more", lim.Decisions)
	}
	slices.Sort(line.Keep)
	line.Line = n
	rec.Decisions = append(rec.Decisions, line.Decision)
	return rec.wrong(&line.Decision)
}

// wrong is what a head may not say.
func (h *Head) wrong() words.Text {
	for _, name := range h.On {
		if !slices.Contains(Happenings, name) {
			return words.Say("on: {0} calls for no decision", strconv.Quote(name[:min(len(name), longestName)]))
		}
	}
	if !(h.Every >= 0 && h.Every < latest) || h.Every < 0.0005 && len(h.On) == 0 {
		return words.Say("every_s and on: nothing calls for a decision")
	}
	if len(h.Policy) > longestOf {
		return words.Say("policy: a name may have {0} characters, and this has {1}", longestOf, len(h.Policy))
	}
	names := slices.Clone(h.Jobs)
	for _, s := range h.Slots {
		names = append(names, s.Node, s.Type)
	}
	for _, name := range names {
		if len(name) > 4*longestName {
			return words.Say("jobs and slots: a name may have {0} characters, and one has more", longestName)
		}
	}
	return words.Text{}
}

// wrong is what a decision of the record may not say.
func (rec *Record) wrong(d *Decision) words.Text {
	if !(d.Now >= 0 && d.Now < latest) || d.Wake != nil && !(*d.Wake >= 0 && *d.Wake < latest) {
		return words.Say("now_s and wake_s are times from 0 s")
	}
	for _, list := range [][]int32{d.Arrived, d.Ended, d.Keep} {
		for _, j := range list {
			if says := rec.unknown(j); !says.IsZero() {
				return says
			}
		}
	}
	for i := range d.Gangs {
		g := &d.Gangs[i]
		members := append([]Member{{g.Job, g.Quota}}, g.With...)
		for _, m := range members {
			if says := rec.unknown(m.Job); !says.IsZero() {
				return says
			}
			if m.Quota != nil && *m.Quota < 0 {
				return words.Say("job {0} has a quota of {1} steps, which is below 0", m.Job, *m.Quota)
			}
		}
		if len(g.GPUs) == 0 {
			return words.Say("a gang of job {0} has no GPUs", g.Job)
		}
		for _, part := range g.GPUs {
			if part[0] < 0 || int(part[0]) >= len(rec.Slots) || part[1] < 1 {
				return words.Say("there is no slot {0}, or {1} of it cannot be held", part[0], part[1])
			}
		}
	}
	return words.Text{}
}

// unknown says that there is no such job, if so.
func (rec *Record) unknown(j int32) words.Text {
	if j >= 0 && int(j) < len(rec.Jobs) {
		return words.Text{}
	}
	return words.Say("there is no job {0} among those of the first line", j)
}
