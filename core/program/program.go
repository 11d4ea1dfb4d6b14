// Package program knows the text of a program that somebody wrote for the policy own, and not what it does: how long it
// may be, how its pieces look, and which numbers in it are meant to be changed. Package star reads and runs it.
package program

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"hadarlab/core/words"
)

// Longest is how many bytes a program may have.
const Longest = 16 << 10

// Error is what is wrong with a program, and where.
type Error struct {
	Line, Col int // from 1; 0 = it is no place
	Reason    words.Text
}

// Error is the place and the reason in English.
func (e *Error) Error() string { return e.Told().String() }

// Told is the place and the reason.
func (e *Error) Told() words.Text {
	if e.Line == 0 {
		return e.Reason
	}
	return words.Say("line {0}, character {1}: {2}", e.Line, e.Col, e.Reason)
}

// Check says what is wrong with any text as a program. An error is an *Error.
func Check(src string) error {
	switch {
	case len(src) > Longest:
		return &Error{Reason: words.Say("The program has {0} bytes; it may have {1}.", len(src), Longest)}
	case !utf8.ValidString(src):
		return &Error{Reason: words.Say("The program is not valid UTF-8.")}
	}
	return nil
}

// longestName is how many characters of a program's name are taken.
const longestName = 24

// Name is what a program calls itself, on a line of its own; "" = nothing.
//
//	NAME = "Patient"
func Name(src string) string {
	for line := range strings.Lines(src) {
		if name, ok := named(line); ok {
			runes := []rune(strings.TrimSpace(name))
			return string(runes[:min(len(runes), longestName)])
		}
	}
	return ""
}

// named reads such a line.
func named(line string) (name string, ok bool) {
	left, right, _ := strings.Cut(line, "=")
	right = strings.TrimSpace(right)
	if strings.TrimRight(left, " ") != "NAME" || right == "" || right[0] != '"' && right[0] != '\'' {
		return "", false
	}
	n := quoted(right) // a # in it begins no comment
	name, closed := strings.CutSuffix(right[1:n], right[:1])
	rest := strings.TrimSpace(right[n:])
	return name, closed && !strings.Contains(name, "\\") && (rest == "" || rest[0] == '#')
}

// Knob is a number of a program that is meant to be changed: on a line of its own, in capitals.
//
//	PATIENCE = 600  # s that a job waits before it may overtake
type Knob struct {
	Name  string
	Value float64
	Means string // what stands behind it after #
	from  int    // where its number stands
	to    int
}

// Knobs are a program's, in its order; of those of the same name the first counts.
func Knobs(src string) (list []Knob) {
	at := 0
	for line := range strings.Lines(src) {
		if k, ok := knob(line); ok && Find(list, k.Name) < 0 {
			k.from, k.to = k.from+at, k.to+at
			list = append(list, k)
		}
		at += len(line)
	}
	return list
}

// Find is the place of a knob in a list, -1 = it is not there.
func Find(list []Knob, name string) int {
	for i := range list {
		if list[i].Name == name {
			return i
		}
	}
	return -1
}

// knob reads a line.
func knob(line string) (k Knob, ok bool) {
	name, rest, ok := strings.Cut(line, "=")
	k.Name = strings.TrimRight(name, " ")
	if !ok || !capital(k.Name) {
		return k, false
	}
	number, means, _ := strings.Cut(rest, "#")
	k.Means = strings.TrimSpace(means)
	text := strings.TrimSpace(number)
	if strings.Trim(text, "0123456789.e+-") != "" {
		return k, false
	}
	v, err := strconv.ParseFloat(text, 64)
	k.Value = v
	k.from = len(name) + 1 + strings.Index(rest, text)
	k.to = k.from + len(text)
	return k, err == nil
}

// capital says whether a text is a name in capitals.
func capital(name string) bool {
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "" &&
		strings.Trim(name[:1], "0123456789") != ""
}

// Turn is the program with another value of a knob; ok is false where it has no such knob.
func Turn(src, name string, value float64) (turned string, ok bool) {
	list := Knobs(src)
	i := Find(list, name)
	if i < 0 {
		return src, false
	}
	k := &list[i]
	return src[:k.from] + strconv.FormatFloat(value, 'g', -1, 64) + src[k.to:], true
}

// Mentions says whether a program has one of the words, not as the beginning of a longer one.
func Mentions(src string, list ...string) bool {
	for _, word := range list {
		for rest := src; ; {
			i := strings.Index(rest, word)
			if i < 0 {
				break
			}
			rest = rest[i+len(word):]
			if rest == "" || strings.Trim(rest[:1], nameSigns) != "" {
				return true
			}
		}
	}
	return false
}
