package jsondoc

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"

	"hadarlab/core/words"
)

// Syntax words a grammar error and finds its offset. The standard library says which byte cannot
// stand there; what people meant is guessed from the bytes around it.
func Syntax(data []byte) (msg, fix words.Text, offset int) {
	err := json.NewDecoder(bytes.NewReader(data)).Decode(new(json.RawMessage))
	offset = len(data)
	if e, ok := err.(*json.SyntaxError); ok {
		offset = int(e.Offset) - 1
	}
	if err == io.EOF {
		return words.Say("there is no text"), words.Say("Paste a scenario, or start from a preset."), 0
	}
	if err == io.ErrUnexpectedEOF || offset >= len(data) || offset < 0 {
		return words.Say("the text ends too early: a bracket, a brace or a quote is still open"),
			words.Say("Check that the whole text arrived."), len(data)
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
		return words.Say("a text is not closed before the end of its line"),
			words.Say(`Close it with ". A line break inside a text is written \n.`), offset
	case startsValue && (c == 'N' || c == 'I' || bytes.HasPrefix(rest, []byte("nan")) ||
		bytes.HasPrefix(rest, []byte("inf"))),
		last == '-' && (c == 'I' || c == 'i' || c == 'N'):
		return words.Say("NaN and Infinity are no numbers here"), words.Say("Write a number, or leave the member out."),
			offset
	case c == 'a' && last == 'n': // nan; its first letter could have begun null
		return words.Say("NaN and Infinity are no numbers here"), words.Say("Write a number, or leave the member out."),
			offset - 1
	case c == '\'':
		return words.Say("a text is in single quotes"), words.Say(`Use double quotes, as in "v100".`), offset
	case (c == '}' || c == ']') && last == ',':
		return words.Say("a comma stands before the closing bracket"), words.Say("Remove the comma."), offset
	case c == '/' || c == '#':
		return words.Say("a comment stands here, and JSON has none"),
			words.Say(`Remove it; notes go into "meta":{"notes":"…"}.`), offset
	case c == '<' && last == 0:
		return words.Say("this is a web page, not a scenario"), words.Say("Download the scenario itself."), offset
	case last == '\\' || bytes.HasSuffix(before, []byte(`\u`)):
		return words.Say("a backslash in a text is followed by {0}", Quote(string(rune(c)))),
			words.Say(`Write \\ for a backslash.`), offset
	case c == '"' || c == '{' || c == '[':
		if last == '{' || last == ',' {
			return words.Say("a member name is missing"), words.Say(`Write it in double quotes, as in "gpus": 4.`),
				offset
		}
		return words.Say("a comma is missing before this"), words.Say("Put a comma between the two."), offset
	case c == '+' || c == '.' || c >= '0' && c <= '9' && last >= '0' && last <= '9':
		return words.Say("a number is written in a way that JSON does not have"),
			words.Say("Write it as 0.5, 12 or 3e6."), offset
	case (last == '{' || last == ',') && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'):
		return words.Say("a member name is without quotes"), words.Say(`Put it in double quotes, as in "gpus": 4.`),
			offset
	}
	r, _ := utf8.DecodeRune(rest)
	return words.Say("{0} cannot stand here", Quote(string(r))),
		words.Say("Check the commas, quotes and brackets just before it."), offset
}
