// Package words turns texts into a reader's language. As in gettext the English text is its own key: no catalogue
// speaks English, and so does every text that a catalogue lacks.
//
// It knows no language, opens no file, and keeps nothing: who makes a text for a reader is handed that reader's
// catalogue. Command line, server and tests hand nil, so that what they print and what goldens hold does not depend on
// it. Machine words (ids, attributes, exports) never come here.
package words

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

// Catalogue is a language: translations by English text, nil = English. It is never changed once it has been read.
type Catalogue map[string]string

// Read reads a catalogue's file, a JSON object of texts. An empty file means English.
func Read(file []byte) (c Catalogue, err error) {
	if len(file) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(file, &c); err != nil {
		return nil, err
	}
	return c, nil
}

// Tag is the catalogue's language as in BCP 47, which it holds under the key "@lang"; "en" without one.
func (c Catalogue) Tag() string { return cmp.Or(c["@lang"], "en") }

// T is a text in the catalogue's language. One that the catalogue holds untranslated is English with a mark behind it,
// so that a reader sees why; one that it does not hold is somebody's own, or the same in every language.
func (c Catalogue) T(key string) string {
	text, held := c[key]
	if held && text == "" {
		return key + Untranslated
	}
	return cmp.Or(text, key)
}

// Untranslated marks an English text that stands for one in the reader's language.
const Untranslated = " (en)"

// In is a short text whose translation depends on where it stands, as "Run" on a button and over a list. The catalogue
// holds it under "Run@button", or else under the text alone.
func (c Catalogue) In(place, key string) string {
	if text := c[key+"@"+place]; text != "" {
		return text
	}
	return c.T(key)
}

// F is a sentence with places: {0} is the first of args. A translation may have them in another order, or more than
// once.
func (c Catalogue) F(pattern string, args ...string) string { return fill(c.T(pattern), args) }

// N is a sentence about a count: one for exactly 1, many for all others. {0} is the count, {1} the first of args. Two
// forms are enough for English and German.
func (c Catalogue) N(n int, one, many string, args ...string) string {
	if n == 1 {
		many = one
	}
	return fill(c.T(many), append([]string{strconv.Itoa(n)}, args...))
}

// fill puts args into the places of a pattern. A brace that is no place stays as it is.
func fill(pattern string, args []string) string {
	out := ""
	for {
		i := strings.IndexByte(pattern, '{')
		if i < 0 || i+2 >= len(pattern) {
			return out + pattern
		}
		if at := int(pattern[i+1] - '0'); pattern[i+2] == '}' && at >= 0 && at < len(args) {
			out, pattern = out+pattern[:i]+args[at], pattern[i+3:]
		} else {
			out, pattern = out+pattern[:i+1], pattern[i+1:]
		}
	}
}
