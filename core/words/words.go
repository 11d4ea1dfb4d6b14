// Package words turns the texts that a reader sees into the reader's language. As in gettext the English text is its
// own key: a program that sets no catalogue speaks English, and so does every text that a catalogue lacks.
//
// It knows no language and opens no file. Command line, server and tests set nothing, so that what they print and what
// goldens hold does not depend on it. Machine words (ids, attributes, exports) never come here.
package words

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"sync/atomic"
)

// catalogue is the translation in force, nil = English.
var catalogue atomic.Pointer[map[string]string]

// Use sets the catalogue for the whole program: translations by English text. Nil means English. The map must not be
// changed afterwards.
func Use(m map[string]string) { catalogue.Store(&m) }

// Load sets the catalogue from its file, a JSON object of texts. An empty file means English; one that cannot be read
// changes nothing.
func Load(file []byte) error {
	var m map[string]string
	if len(file) > 0 {
		if err := json.Unmarshal(file, &m); err != nil {
			return err
		}
	}
	Use(m)
	return nil
}

// found is what the catalogue holds under a key, "" = nothing.
func found(key string) string {
	if c := catalogue.Load(); c != nil {
		return (*c)[key]
	}
	return ""
}

// Tag is the catalogue's language as in BCP 47, which it holds under the key "@lang"; "en" without one.
func Tag() string { return cmp.Or(found("@lang"), "en") }

// T is a text in the reader's language.
func T(key string) string { return cmp.Or(found(key), key) }

// In is a short text whose translation depends on where it stands, as "Run" on a button and over a list. The catalogue
// holds it under "Run@button", or else under the text alone.
func In(place, key string) string { return cmp.Or(found(key+"@"+place), T(key)) }

// F is a sentence with places: {0} is the first of args. A translation may have them in another order, or more than
// once.
func F(pattern string, args ...string) string { return fill(T(pattern), args) }

// N is a sentence about a count: one for exactly 1, many for all others. {0} is the count, {1} the first of args. Two
// forms are enough for English and German.
func N(n int, one, many string, args ...string) string {
	if n == 1 {
		many = one
	}
	return fill(T(many), append([]string{strconv.Itoa(n)}, args...))
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
