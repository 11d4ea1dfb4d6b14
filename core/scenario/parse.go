package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strconv"
	"unicode/utf8"

	"hadarlab/core/text"
)

// Parse reads a document and reports everything that is wrong or unusual with it at once, in the
// order of the text. Absent members get their defaults and numbers are rounded to 9 significant
// digits. The document is nil only when the text is no JSON object within the limits of size and
// depth; with errors it holds what could be read, to show, edit and export.
//
// When there are errors, the findings include those that Compile would report; otherwise Compile
// adds its own, and the two lists hold nothing twice. Parse keeps data, which must not change.
func Parse(data []byte, lim Limits) (*Document, Diagnostics) {
	return parse(data, lim, false)
}

// parse reads a document; a short one (the payload of a link) says neither kind nor version.
func parse(data []byte, lim Limits, short bool) (*Document, Diagnostics) {
	f := &findings{}
	t := open(data, lim, f, `Start with {"kind":"scenario","version":1,"scenario":{…}}.`)
	if t == nil {
		return nil, f.finish(func() *tree { return nil })
	}
	d := &Document{src: t.src}
	r := &reader{t: t, findings: f, short: short}
	r.document(d)
	c := &checker{findings: f, d: d, lim: lim}
	c.values()
	if f.hasErrors() {
		c.whole()
	}
	return d, f.finish(func() *tree { return t })
}

// open gives the tree of a text that is one JSON object within the limits, nil with findings. start
// shows how such an object begins.
func open(data []byte, lim Limits, f *findings, start string) *tree {
	if len(data) > lim.Bytes {
		f.aboutText(LevelError, 0, CodeTooBig, "the text has "+strconv.Itoa(len(data))+" bytes; the most is "+
			strconv.Itoa(lim.Bytes),
			"Drop jobs, or use the command line for large scenarios.")
		return nil
	}
	t := grow(clean(data, f), lim, f)
	if t == nil {
		return nil
	}
	if t.kind(0) != kObject {
		f.aboutText(LevelError, t.line(int(t.nodes[0].start)), codeObject,
			"the document is "+describe(t, 0)+"; it must be an object", start)
		return nil
	}
	t.repeated(func(name, value int) {
		f.fail(t.pointer(value), CodeTwice, text.Quote(t.text(name))+" comes twice in one object",
			"Keep one of the two.")
	})
	return t
}

// Unmarshal reads a JSON object into a Go value as encoding/json does, and words what goes wrong as
// findings with a path and a line. Members that the value does not have are skipped. start shows how
// such a document begins.
func Unmarshal(data []byte, lim Limits, start string, into any) Diagnostics {
	f := &findings{}
	t := open(data, lim, f, start)
	if t == nil || f.hasErrors() {
		return f.finish(func() *tree { return t })
	}
	var wrong *json.UnmarshalTypeError
	switch err := json.Unmarshal(t.src, into); {
	case errors.As(err, &wrong):
		at := t.around(int(wrong.Offset) - 1)
		want := "of another kind"
		switch k := wrong.Type.Kind(); {
		case k == reflect.String:
			want = "a text"
		case k == reflect.Map || k == reflect.Struct:
			want = "an object"
		case k == reflect.Slice:
			want = "a list"
		case k >= reflect.Int && k <= reflect.Uintptr:
			want = "a whole number"
		case k == reflect.Float64:
			want = "a number"
		}
		f.fail(t.pointer(at), codeType, describe(t, at)+" stands here; it must be "+want, rewrite(t, at, want))
	case err != nil:
		f.aboutText(LevelError, 0, codeJSON, "the document cannot be read: "+err.Error(), start)
	}
	return f.finish(func() *tree { return t })
}

// clean strips a byte order mark and reports bytes that are no UTF-8.
func clean(data []byte, f *findings) []byte {
	data, cut := bytes.CutPrefix(data, []byte("\xef\xbb\xbf"))
	if cut {
		f.aboutText(LevelNote, 1, codeBOM, "the text starts with a byte order mark, which is skipped",
			"Save it as UTF-8 without a mark.")
	}
	bad := 0
	for rest := data; len(rest) > 0; rest = data[bad:] {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 {
			f.aboutText(LevelError, text.LineAt(data, bad), codeUTF8, "byte "+strconv.Itoa(bad+1)+" is not UTF-8 text",
				"Save the file as UTF-8.")
			break
		}
		bad += n
	}
	return data
}

// grow judges the grammar and builds the tree, nil when there is none to build.
func grow(data []byte, lim Limits, f *findings) *tree {
	report := func(code, msg, fix string, offset int) {
		start := bytes.LastIndexByte(data[:offset], '\n') + 1
		column := 1 + utf8.RuneCount(data[start:offset])
		f.aboutText(LevelError, text.LineAt(data, offset), code, msg+" (column "+strconv.Itoa(column)+")", fix)
	}
	tooDeep := func(offset int) {
		report(codeDeep, "objects and lists lie more than "+strconv.Itoa(lim.Depth)+" deep",
			"Take the inner ones out; a scenario needs 6.", offset)
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
		report(codeTrailing, "the document is over, and "+strconv.Itoa(len(data)-more)+" more bytes follow",
			"Remove what follows the last bracket.", more)
		data = data[:end]
	}
	t, deep := plant(data, lim.Depth)
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

// Syntax words a grammar error and finds its offset. The standard library says which byte cannot
// stand there; what people meant is guessed from the bytes around it.
func Syntax(data []byte) (msg, fix string, offset int) {
	err := json.NewDecoder(bytes.NewReader(data)).Decode(new(json.RawMessage))
	offset = len(data)
	if e, ok := err.(*json.SyntaxError); ok {
		offset = int(e.Offset) - 1
	}
	if err == io.EOF {
		return "there is no text", "Paste a scenario, or start from a preset.", 0
	}
	if err == io.ErrUnexpectedEOF || offset >= len(data) || offset < 0 {
		return "the text ends too early: a bracket, a brace or a quote is still open",
			"Check that the whole text arrived.", len(data)
	}
	c := data[offset]
	before := bytes.TrimRight(data[:offset], " \t\r\n")
	last := byte(0)
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	rest := data[offset:]
	startsValue := last == 0 || last == ':' || last == '[' || last == ','
	switch {
	case c < ' ':
		return "a text is not closed before the end of its line",
			`Close it with ". A line break inside a text is written \n.`, offset
	case startsValue && (c == 'N' || c == 'I' || bytes.HasPrefix(rest, []byte("nan")) ||
		bytes.HasPrefix(rest, []byte("inf"))),
		last == '-' && (c == 'I' || c == 'i' || c == 'N'):
		return "NaN and Infinity are no numbers here", "Write a number, or leave the member out.", offset
	case c == 'a' && last == 'n': // nan; its first letter could have begun null
		return "NaN and Infinity are no numbers here", "Write a number, or leave the member out.", offset - 1
	case c == '\'':
		return "a text is in single quotes", `Use double quotes, as in "v100".`, offset
	case (c == '}' || c == ']') && last == ',':
		return "a comma stands before the closing bracket", "Remove the comma.", offset
	case c == '/' || c == '#':
		return "a comment stands here, and JSON has none", `Remove it; notes go into "meta":{"notes":"…"}.`, offset
	case c == '<' && last == 0:
		return "this is a web page, not a scenario", "Download the scenario itself.", offset
	case last == '\\' || bytes.HasSuffix(before, []byte(`\u`)):
		return "a backslash in a text is followed by " + text.Quote(string(rune(c))),
			`Write \\ for a backslash.`, offset
	case c == '"' || c == '{' || c == '[':
		if last == '{' || last == ',' {
			return "a member name is missing", `Write it in double quotes, as in "gpus": 4.`, offset
		}
		return "a comma is missing before this", "Put a comma between the two.", offset
	case c == '+' || c == '.' || c >= '0' && c <= '9' && last >= '0' && last <= '9':
		return "a number is written in a way that JSON does not have", "Write it as 0.5, 12 or 3e6.", offset
	case (last == '{' || last == ',') && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'):
		return "a member name is without quotes", `Put it in double quotes, as in "gpus": 4.`, offset
	}
	r, _ := utf8.DecodeRune(rest)
	return text.Quote(string(r)) + " cannot stand here", "Check the commas, quotes and brackets just before it.", offset
}
