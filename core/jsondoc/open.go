package jsondoc

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"hadarlab/core/words"
)

// TextLimits bounds the text of a JSON document.
type Limits struct {
	Bytes int // its length
	Depth int // objects and lists inside one another
}

// MaxDepth is the greatest depth that any document may have.
const MaxDepth = 64

// Open gives the tree of a text that is one JSON object within the limits, nil with diagnostics. start
// shows how such an object begins.
func Open(data []byte, lim Limits, f *Collector, start words.Text) *Tree {
	if len(data) > lim.Bytes {
		f.aboutText(LevelError, 0, CodeTooBig,
			words.Say("the text has {0} bytes; the most is {1}", len(data), lim.Bytes),
			words.Say("Drop jobs, or use the command line for large scenarios."))
		return nil
	}
	t := grow(clean(data, f), lim, f)
	if t == nil {
		return nil
	}
	if t.Kind(0) != KindObject {
		f.aboutText(LevelError, t.line(int(t.nodes[0].start)), codeObject,
			words.Say("the document is {0}; it must be an object", describe(t, 0)), start)
		return nil
	}
	t.repeated(func(name, value int) {
		f.Fail(t.pointer(value), CodeTwice, words.Say("{0} comes twice in one object", Quote(t.Text(name))),
			words.Say("Keep one of the two."))
	})
	return t
}

// clean strips a byte order mark and reports bytes that are no UTF-8.
func clean(data []byte, f *Collector) []byte {
	data, cut := bytes.CutPrefix(data, []byte("\xef\xbb\xbf"))
	if cut {
		f.aboutText(LevelNote, 1, codeBOM, words.Say("the text starts with a byte order mark, which is skipped"),
			words.Say("Save it as UTF-8 without a mark."))
	}
	bad := 0
	for rest := data; len(rest) > 0; rest = data[bad:] {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 {
			f.aboutText(LevelError, LineAt(data, bad), codeUTF8, words.Say("byte {0} is not UTF-8 text", bad+1),
				words.Say("Save the file as UTF-8."))
			break
		}
		bad += n
	}
	return data
}

// grow judges the grammar and builds the tree, nil when there is none to build.
func grow(data []byte, lim Limits, f *Collector) *Tree {
	report := func(code string, msg, fix words.Text, offset int) {
		start := bytes.LastIndexByte(data[:offset], '\n') + 1
		column := 1 + utf8.RuneCount(data[start:offset])
		f.aboutText(LevelError, LineAt(data, offset), code, words.Say("{0} (column {1})", msg, column), fix)
	}
	tooDeep := func(offset int) {
		report(codeDeep, words.Say("objects and lists lie more than {0} deep", lim.Depth),
			words.Say("Take the inner ones out; a scenario needs 6."), offset)
	}
	if !json.Valid(data) {
		dec := json.NewDecoder(bytes.NewReader(data))
		if dec.Decode(new(json.RawMessage)) != nil {
			msg, fix, offset := Syntax(data)
			// the standard library has a limit of its own, far beyond ours
			if deep := depth(data[:offset], lim.Depth); deep >= 0 {
				tooDeep(deep)
			} else {
				report(codeJSON, msg, fix, offset)
			}
			return nil
		}
		end := int(dec.InputOffset())
		more := len(data) - len(bytes.TrimLeft(data[end:], " \t\r\n"))
		report(codeTrailing, words.Say("the document is over, and {0} more bytes follow", len(data)-more),
			words.Say("Remove what follows the last bracket."), more)
		data = data[:end]
	}
	t, deep := Plant(data, lim.Depth)
	if deep >= 0 {
		tooDeep(deep)
		return nil
	}
	return t
}

// depth is the offset of the first bracket within more than most others of a text that is valid as far as it goes, -1
// when there is none.
func depth(text []byte, most int) int {
	open, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if open++; open > most {
				return i
			}
		case c == '}' || c == ']':
			open--
		}
	}
	return -1
}
