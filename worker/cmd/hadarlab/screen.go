//go:build !js

package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// screen writes text that is only shown: control characters other than line ends and tabs, and those that turn the
// direction of writing, come out as \u001b. Documents and errors hold text of anybody's, and on a terminal such
// characters write over other lines or change the terminal itself.
type screen struct {
	w        io.Writer
	terminal bool
	cut      []byte // the beginning of a character whose end has not come
}

// shown is s as it may stand on a terminal.
func shown(s string) string {
	harmful := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= '\u202a' && r <= '\u202e' ||
			r >= '\u2066' && r <= '\u2069'
	}
	if utf8.ValidString(s) && !strings.ContainsFunc(s, harmful) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case harmful(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// line is shown for a text that must stay in its line.
func line(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(shown(s))
}

func (s *screen) Write(b []byte) (int, error) {
	text := append(s.cut, b...)
	whole := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if at := len(text) - back; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				whole = at
			}
			break
		}
	}
	s.cut = append([]byte(nil), text[whole:]...)
	if _, err := io.WriteString(s.w, shown(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// protect puts screens before a program's streams: always before the errors, and before the output where it is a
// terminal, since programs that read it want its bytes as they are.
func (std streams) protect() streams {
	std.err = &screen{w: std.err, terminal: isTerminal(std.err)}
	if isTerminal(std.out) {
		std.out = &screen{w: std.out, terminal: true}
	}
	return std
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}
