package text

import (
	"slices"
	"strconv"
	"strings"
)

// Level says how much a diagnostic matters.
type Level string

// An error keeps the document from being used, a warning names a risk, a note an unusual thing.
const (
	LevelError   Level = "error"
	LevelWarning Level = "warning"
	LevelNote    Level = "note"
)

// Diagnostic is one finding about an input: where, what, and the way out.
type Diagnostic struct {
	Path    string `json:"path"`           // RFC 6901 pointer into the document
	Line    int    `json:"line,omitempty"` // 1-based, 0 = unknown
	Level   string `json:"level"`          // error | warning | note
	Code    string `json:"code"`           // stable name of the rule
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"`
}

// Finding is a Diagnostic that names no line.
func Finding(level Level, path, code, msg, fix string) Diagnostic {
	return Diagnostic{Path: path, Level: string(level), Code: code, Message: msg, Fix: fix}
}

// Diagnostics are findings in the order of the document.
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

// Errors are the findings of level error.
func (d Diagnostics) Errors() Diagnostics {
	var out Diagnostics
	for i := range d {
		if d[i].Level == string(LevelError) {
			out = append(out, d[i])
		}
	}
	return out
}

// PerCode is how many findings of one code are listed one by one; a million bad rows are counted.
const PerCode = 100

// Findings collects diagnostics. At a path that is wrong, and below it, no further error counts: it
// would only follow from the first and send people the wrong way.
type Findings struct {
	found Diagnostics
	wrong map[string]bool // paths of errors
	taint map[string]bool // and of everything around them
	count map[string]int  // findings by code
	codes []string        // in order of first use
	broke bool            // an error about the text as a whole

	ErrorsOnly bool // drop warnings and notes
}

// aboutText reports a finding about the text as a whole, at a line already known.
func (f *Findings) aboutText(level Level, line int, code, msg, fix string) {
	f.broke = f.broke || level == LevelError
	f.found = append(f.found, Diagnostic{Line: line, Level: string(level), Code: code, Message: msg, Fix: fix})
}

// Add reports a finding about the value at a path.
func (f *Findings) Add(level Level, path, code, msg, fix string) {
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
		f.found = append(f.found, Finding(level, path, code, msg, fix))
	}
}

// IsWrong says whether path, or something that holds it, has an error.
func (f *Findings) IsWrong(path string) bool {
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
func (f *Findings) Tainted(path string) bool { return f.taint[path] }

// Fail reports an error.
func (f *Findings) Fail(path, code, msg, fix string) { f.Add(LevelError, path, code, msg, fix) }

// Seen is how many findings of a code there are so far.
func (f *Findings) Seen(code string) int { return f.count[code] }

// HasErrors says whether an error was found.
func (f *Findings) HasErrors() bool { return f.broke || len(f.wrong) > 0 }

// Finish gives every finding its line, sorts by position, and closes with what was only counted. It asks
// for the tree only when there is something to place.
func (f *Findings) Finish(source func() *Tree) Diagnostics {
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
		slices.SortStableFunc(order, func(a, b placed) int { return a.offset - b.offset })
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
				Message: strconv.Itoa(more) + " more findings of this kind are not listed"})
		}
	}
	return f.found
}

// Within checks low ≤ v ≤ high.
func (f *Findings) Within(p Place, who, name string, v, low, high float64, unit string) {
	if v >= low && v <= high {
		return
	}
	bound, word := high, "most"
	if !(v >= low) {
		bound, word = low, "least"
	}
	f.Fail(p.String(), CodeRange,
		Colon(who)+name+" is "+Number(v)+unit+"; the "+word+" is "+Number(bound)+unit,
		"Set "+name+" to "+Number(bound)+" or "+map[string]string{"most": "less", "least": "more"}[word]+".")
}

// Most checks that there are at most so many entries of a kind at a path.
func (f *Findings) Most(path, what string, n, most int) {
	if n > most {
		f.Fail(path, CodeMany, "there are "+strconv.Itoa(n)+" "+what+"; the most is "+strconv.Itoa(most),
			"Take some out.")
	}
}

// Colon sets a name off from the message behind it; without a name there is none.
func Colon(who string) string {
	if who == "" {
		return ""
	}
	return who + ": "
}

// Place is a path that is only written out when something is wrong there.
type Place struct {
	list  string // pointer of a list, or of the object itself when index < 0
	index int
	field string // pointer below it, without the first slash
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
	if p.field != "" {
		s += "/" + p.field
	}
	return s
}

// At is the same place with the member field, or with map keys below it.
func (p Place) At(field string, keys ...string) Place {
	p.field = Escape(field)
	for _, key := range keys {
		p.field += "/" + Escape(key)
	}
	return p
}
