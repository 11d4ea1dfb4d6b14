package jsondoc

import (
	"encoding/json"
	"sort"
	"strconv"
	"strings"

	"hadarlab/core/words"
)

// Level says how much a diagnostic matters.
type Level string

// An error keeps the document from being used, a warning names a risk, a note an unusual thing.
const (
	LevelError   Level = "error"
	LevelWarning Level = "warning"
	LevelNote    Level = "note"
)

// Diagnostic is one remark about an input: where, what, and the way out.
type Diagnostic struct {
	Path    string     `json:"path"`           // RFC 6901 pointer into the document
	Line    int        `json:"line,omitempty"` // 1-based, 0 = unknown
	At      *At        `json:"at,omitempty"`   // in the text that stands at the path, nil = all of it
	Level   string     `json:"level"`          // error | warning | note
	Code    string     `json:"code"`           // stable name of the rule
	Message words.Text `json:"message"`
	Fix     words.Text `json:"fix,omitzero"`
}

// At is a place in a text: line and character, from 1.
type At struct {
	Line int `json:"line"`
	Col  int `json:"character"`
}

// MarshalJSON writes message and fix in English and, beside them, the patterns that a page needs to say them in the
// language of its reader.
func (d Diagnostic) MarshalJSON() ([]byte, error) {
	type plain Diagnostic
	return json.Marshal(struct {
		plain
		Words [2]words.Parts `json:"words"`
	}{plain(d), [2]words.Parts{words.Parts(d.Message), words.Parts(d.Fix)}})
}

// UnmarshalJSON reads it. Without patterns message and fix stay as they are written.
func (d *Diagnostic) UnmarshalJSON(b []byte) error {
	type plain Diagnostic
	in := struct {
		*plain
		Words [2]words.Parts `json:"words"`
	}{plain: (*plain)(d)}
	err := json.Unmarshal(b, &in)
	if said := words.Text(in.Words[0]); !said.IsZero() {
		d.Message, d.Fix = said, words.Text(in.Words[1])
	}
	return err
}

// NewDiagnostic is a Diagnostic that names no line.
func NewDiagnostic(level Level, path, code string, msg, fix words.Text) Diagnostic {
	return Diagnostic{Path: path, Level: string(level), Code: code, Message: msg, Fix: fix}
}

// Error is a diagnostic that keeps the input from being used.
func Error(path, code string, msg, fix words.Text) Diagnostic {
	return NewDiagnostic(LevelError, path, code, msg, fix)
}

// Version is what is wrong with the version that a document says of its format, of which this release reads those from
// 1 to latest.
func Version(v, latest int) (d Diagnostic, bad bool) {
	switch {
	case v > latest:
		return Error("/version", CodeTooNew, words.Say("version is {0}; this release reads up to {1}", v, latest),
			words.Say("Open it with a newer release, or ask for the file in version {0}.", latest)), true
	case v < 1:
		return Error("/version", CodeVersion, words.Say("version is {0}; versions start at 1", v),
			words.Say("Set version to {0}.", latest)), true
	}
	return d, false
}

// Diagnostics stand in the order of the document.
type Diagnostics []Diagnostic

// HasErrors says whether one of them is an error.
func (d Diagnostics) HasErrors() bool {
	for i := range d {
		if d[i].Level == string(LevelError) {
			return true
		}
	}
	return false
}

// Errors are the diagnostics of level error.
func (d Diagnostics) Errors() Diagnostics {
	var out Diagnostics
	for i := range d {
		if d[i].Level == string(LevelError) {
			out = append(out, d[i])
		}
	}
	return out
}

// PerCode is how many diagnostics of one code are listed one by one; a million bad rows are counted.
const PerCode = 100

// Collector collects diagnostics. At a path that is wrong, and below it, no further error counts: it
// would only follow from the first and send people the wrong way.
type Collector struct {
	found Diagnostics
	wrong map[string]bool // paths of errors
	taint map[string]bool // and of everything around them
	count map[string]int  // diagnostics by code
	codes []string        // in order of first use
	broke bool            // an error about the text as a whole

	ErrorsOnly bool // drop warnings and notes
}

// aboutText reports a diagnostic about the text as a whole, at a line already known.
func (f *Collector) aboutText(level Level, line int, code string, msg, fix words.Text) {
	f.broke = f.broke || level == LevelError
	f.found = append(f.found, Diagnostic{Line: line, Level: string(level), Code: code, Message: msg, Fix: fix})
}

// Add reports a diagnostic about the value at a path.
func (f *Collector) Add(level Level, path, code string, msg, fix words.Text) {
	if f.ErrorsOnly && level != LevelError {
		return
	}
	if level == LevelError {
		if f.IsWrong(path) {
			return
		}
		if f.wrong == nil {
			f.wrong, f.taint = map[string]bool{}, map[string]bool{}
		}
		f.wrong[path] = true
		for up := path; !f.taint[up]; up = up[:max(strings.LastIndexByte(up, '/'), 0)] {
			f.taint[up] = true
		}
	}
	if f.count == nil {
		f.count = map[string]int{}
	}
	if f.count[code]++; f.count[code] == 1 {
		f.codes = append(f.codes, code)
	}
	if f.count[code] <= PerCode {
		f.found = append(f.found, NewDiagnostic(level, path, code, msg, fix))
	}
}

// IsWrong says whether path, or something that holds it, has an error.
func (f *Collector) IsWrong(path string) bool {
	for len(f.wrong) > 0 {
		if f.wrong[path] {
			return true
		}
		up := strings.LastIndexByte(path, '/')
		if up < 0 {
			break
		}
		path = path[:up]
	}
	return false
}

// Tainted says whether path, or something below it, has an error.
func (f *Collector) Tainted(path string) bool { return f.taint[path] }

// Fail reports an error.
func (f *Collector) Fail(path, code string, msg, fix words.Text) {
	f.Add(LevelError, path, code, msg, fix)
}

// Seen is how many diagnostics of a code there are so far.
func (f *Collector) Seen(code string) int { return f.count[code] }

// HasErrors says whether an error was found.
func (f *Collector) HasErrors() bool { return f.broke || len(f.wrong) > 0 }

// Finish gives every diagnostic its line, sorts by position, and closes with what was only counted. It asks
// for the tree only when there is something to place.
func (f *Collector) Finish(source func() *Tree) Diagnostics {
	if len(f.found) == 0 {
		return nil
	}
	if t := source(); t != nil {
		type placed struct {
			Diagnostic
			offset int
		}
		order := make([]placed, len(f.found))
		for i, m := range f.found {
			order[i] = placed{m, -1} // what is about the text as a whole comes first
			if m.Path != "" || m.Line == 0 {
				order[i].offset = t.find(m.Path)
				order[i].Line = t.line(order[i].offset)
			}
		}
		sort.SliceStable(order, func(i, j int) bool { return order[i].offset < order[j].offset })
		for i := range order {
			f.found[i] = order[i].Diagnostic
		}
	}
	for _, code := range f.codes {
		if more := f.count[code] - PerCode; more > 0 {
			level := ""
			for i := range f.found {
				if f.found[i].Code == code {
					level = f.found[i].Level
				}
			}
			f.found = append(f.found, Diagnostic{Level: level, Code: code,
				Message: words.Say("{0} more findings of this kind are not listed", more)})
		}
	}
	return f.found
}

// Within checks low ≤ v ≤ high.
func (f *Collector) Within(p Place, who words.Text, name string, v, low, high float64, unit string) {
	switch {
	case v >= low && v <= high:
	case v > high:
		f.Fail(p.String(), CodeRange,
			words.Say("{0} is {1}; the most is {2}", Of(who, name), Number(v)+unit, Number(high)+unit),
			words.Say("Set {0} to {1} or less.", name, Number(high)))
	default:
		f.Fail(p.String(), CodeRange,
			words.Say("{0} is {1}; the least is {2}", Of(who, name), Number(v)+unit, Number(low)+unit),
			words.Say("Set {0} to {1} or more.", name, Number(low)))
	}
}

// Most checks that there are at most so many entries of a kind at a path.
func (f *Collector) Most(path string, what words.Text, n, most int) {
	if n > most {
		f.Fail(path, CodeMany, words.Say("there are {0} {1}; the most is {2}", n, what, most),
			words.Say("Take some out."))
	}
}

// Of sets the entry of a list that a diagnostic is about, if there is one, before what is wrong in it: "j4: gpus".
func Of(who words.Text, what any) words.Text {
	if who.IsZero() {
		return words.Say("{0}", what)
	}
	return words.Say("{0}: {1}", who, what)
}

// Place is a path that is only written out when something is wrong there.
type Place struct {
	list  string // pointer of a list, or of the object itself when index < 0
	index int
	below [3]string // a member of it, and map keys below that
	deep  int       // how many of them
}

// ObjectAt is the place of the object at a pointer.
func ObjectAt(pointer string) Place { return Place{list: pointer, index: -1} }

// EntryAt is the place of an entry of the list at a pointer.
func EntryAt(list string, index int) Place { return Place{list: list, index: index} }

// String is the RFC 6901 pointer.
func (p Place) String() string {
	s := p.list
	if p.index >= 0 {
		s += "/" + strconv.Itoa(p.index)
	}
	for _, name := range p.below[:p.deep] {
		s += "/" + Escape(name)
	}
	return s
}

// At is the place of a member, or of what stands in it below map keys.
func (p Place) At(field string, keys ...string) Place {
	p.below[0], p.deep = field, 1+copy(p.below[1:], keys)
	return p
}

// Under is the place of what a map key leads to.
func (p Place) Under(key string) Place {
	p.below[p.deep] = key
	p.deep++
	return p
}

// Label names a member with the map keys below it: "gang v100 4".
func (p Place) Label() string {
	label := p.below[0]
	for _, key := range p.below[1:p.deep] {
		label += " " + Clip(key)
	}
	return label
}
