// Package csv writes tables as RFC 4180 has them, for programs and for spreadsheets: no cell is taken for a formula. It
// is all that writes such files; what it does without is reading, and encoding/csv, which the page would have to load.
package csv

import (
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cell is a text as a cell. One that a spreadsheet might compute gets an apostrophe before it; numbers stay numbers. It
// is quoted where RFC 4180 asks for it, where spreadsheets of other countries divide, and where spaces would be lost.
func Cell(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "")
	}
	if computed(s) {
		s = "'" + s
	}
	if divided(s) || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

func divided(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case ',', ';', '"', '\r', '\n', '\t':
			return true
		}
	}
	return false
}

// computed says whether a spreadsheet might take a text for a formula: by its first character that is seen, which may
// be of full or of small width, since those are made plain where East Asian text is typed; or by a tab or line end in
// front, which some drop.
func computed(s string) bool {
	if s == "" || plain(s[0]) || number(s) {
		return false
	}
	if strings.ContainsRune("\t\r\n", rune(s[0])) {
		return true
	}
	seen := strings.TrimLeftFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	})
	first, _ := utf8.DecodeRuneInString(seen)
	if first >= '！' && first <= '～' { // the full-width forms of ! to ~
		first -= '！' - '!'
	}
	return strings.ContainsRune("=+-@|%\u2212\ufe62\ufe63\ufe66\ufe6a\ufe6b", first) && seen != ""
}

// plain says of the first byte of most cells, a letter or a digit, that nothing is computed.
func plain(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// number says whether a text is a decimal number as programs write it.
func number(s string) bool {
	if strings.Trim(s, "0123456789.eE+-") != "" {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// Row adds a row to a text.
func Row(b []byte, cells ...string) []byte {
	for i, c := range cells {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, Cell(c)...)
	}
	return append(b, '\n')
}

// Writer writes rows as they come and keeps none.
type Writer struct {
	w   io.Writer
	b   []byte
	err error
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// buffered is how many bytes a Writer gathers before it writes them.
const buffered = 32 << 10

// Row writes a row, and says whether it is of use to write more: not after an error.
func (w *Writer) Row(cells ...string) bool {
	if w.b = Row(w.b, cells...); len(w.b) >= buffered {
		w.Flush()
	}
	return w.err == nil
}

// Flush writes what is left, and gives the first error of all.
func (w *Writer) Flush() error {
	if w.err == nil && len(w.b) > 0 {
		_, w.err = w.w.Write(w.b)
	}
	w.b = w.b[:0]
	return w.err
}
