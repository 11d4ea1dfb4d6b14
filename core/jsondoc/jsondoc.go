// Package jsondoc reads and writes JSON documents that people edit: a tree of values that knows where each stands, a
// Reader that moves them into Go values, Diagnostics that say what is wrong, where, and the way out, a Writer of the
// human form and of the canonical one (RFC 8785), and changes of one value in a text. It also has numbers as JSON and
// people write them, and what was written cut short for a message.
//
// It knows no kind of document: what a member means, how its objects are called and which values it may have, say its
// users (scenario, allocate, imports). Its messages are texts of words, which whoever shows them puts into a language,
// and its ways out speak of scenarios, the documents that people write most.
package jsondoc

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hadarlab/core/words"
)

// Clip shortens what people wrote to what a message can carry.
func Clip(s string) string { return ClipTo(s, 40) }

// ClipTo shortens a text for a message to so many characters, and shows control characters as what they are.
func ClipTo(s string, most int) string {
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	if strings.ContainsFunc(s, unicode.IsControl) {
		s = strings.Trim(strconv.QuoteToGraphic(s), `"`)
	}
	return s
}

// Quote is Clip in quotation marks.
func Quote(s string) string { return `"` + Clip(s) + `"` }

// Plural counts things: "1 row", "2 rows".
func Plural(n int, what string) words.Text {
	if n != 1 {
		what += "s"
	}
	return words.Say("{0} "+what, n)
}

// LineAt is the line, from 1 on, that holds the byte at an offset.
func LineAt(data []byte, offset int) int { return 1 + bytes.Count(data[:offset], []byte("\n")) }

// Keys are the names of a map in order, so that no result depends on Go's order.
func Keys[T any](m map[string]T) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
