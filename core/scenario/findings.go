package scenario

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/message"
)

// PerCode is how many findings of one code are listed one by one; a million bad rows are counted.
const PerCode = 100

// findings collects diagnostics. At a path that is wrong, and below it, no further error counts: it
// would only follow from the first and send people the wrong way.
type findings struct {
	found Diagnostics
	wrong map[string]bool // paths of errors
	taint map[string]bool // and of everything around them
	count map[string]int  // findings by code
	codes []string        // in order of first use
	broke bool            // an error about the text as a whole

	errorsOnly bool // drop warnings and notes
}

// aboutText reports a finding about the text as a whole, at a line already known.
func (f *findings) aboutText(level Level, line int, code, msg, fix string) {
	f.broke = f.broke || level == LevelError
	f.found = append(f.found, message.Diagnostic{Line: line, Level: string(level), Code: code, Message: msg, Fix: fix})
}

func (f *findings) add(level Level, path, code, msg, fix string) {
	if f.errorsOnly && level != LevelError {
		return
	}
	if level == LevelError {
		if f.isWrong(path) {
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
		f.found = append(f.found, message.Diagnostic{Path: path, Level: string(level), Code: code, Message: msg,
			Fix: fix})
	}
}

// isWrong says whether path, or something that holds it, has an error.
func (f *findings) isWrong(path string) bool {
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

// tainted says whether path, or something below it, has an error.
func (f *findings) tainted(path string) bool { return f.taint[path] }

func (f *findings) fail(path, code, msg, fix string) { f.add(LevelError, path, code, msg, fix) }

func (f *findings) hasErrors() bool { return f.broke || len(f.wrong) > 0 }

// finish gives every finding its line, sorts by position, and closes with what was only counted. It asks
// for the tree only when there is something to place.
func (f *findings) finish(source func() *tree) Diagnostics {
	if len(f.found) == 0 {
		return nil
	}
	if t := source(); t != nil {
		type placed struct {
			message.Diagnostic
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
			f.found = append(f.found, message.Diagnostic{Level: level, Code: code,
				Message: strconv.Itoa(more) + " more findings of this kind are not listed"})
		}
	}
	return f.found
}

// place is a path that is only written out when something is wrong there.
type place struct {
	list  string // pointer of a list, or of the object itself when index < 0
	index int
	field string // pointer below it, without the first slash
}

func (p place) String() string {
	s := p.list
	if p.index >= 0 {
		s += "/" + strconv.Itoa(p.index)
	}
	if p.field != "" {
		s += "/" + p.field
	}
	return s
}

// at is the same place with the member field, or with map keys below it.
func (p place) at(field string, keys ...string) place {
	p.field = escape(field)
	for _, key := range keys {
		p.field += "/" + escape(key)
	}
	return p
}

// Pointers of the parts of a document.
const (
	atScenario  = "/scenario"
	atCluster   = "/scenario/cluster"
	atNodes     = "/scenario/cluster/nodes"
	atTypes     = "/scenario/cluster/gpu_types"
	atRows      = "/scenario/throughputs/rows"
	atJobs      = "/scenario/jobs"
	atOverheads = "/scenario/overheads"
	atPolicies  = "/scenario/policies"
)

// nearest is the candidate most like s, "" when none is close enough to be a slip of the pen.
func nearest(s string, candidates []string) string {
	best, least := "", 1+max(2, len(s)/3)
	for _, c := range candidates {
		if len(c) > 2*len(s)+2 || len(s) > 2*len(c)+2 {
			continue
		}
		if d := distance(s, c); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance is the number of single-byte edits between two short texts.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 0; i < len(a); i++ {
		diagonal := row[0]
		row[0] = i + 1
		for j := 0; j < len(b); j++ {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
