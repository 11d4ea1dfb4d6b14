// Package text has the small tools that whatever reads a text of a person needs to answer: numbers as JSON and people
// write them, what was written cut short for a message, and the line of a byte. It knows nothing of scenarios, holds
// no sentence, and leaves the language of the reader to words.
package text

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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
func Plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// LineAt is the line, from 1 on, that holds the byte at an offset.
func LineAt(data []byte, offset int) int { return 1 + bytes.Count(data[:offset], []byte("\n")) }
