package chart

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// svg builds SVG text. Every attribute value and text is escaped, so that a hostile name stays a name. Its
// methods are called from hundreds of places and not inlined: that would cost the page 20 kB.
type svg struct{ b []byte }

// put writes markup in which each $ stands for one of the values, escaped. An attribute whose value is empty
// is left out.
//
//go:noinline
func (w *svg) put(markup string, values ...string) {
	for _, v := range values {
		before, after, _ := strings.Cut(markup, "$")
		w.b, markup = append(w.b, before...), after
		if v == "" && strings.HasSuffix(before, `="`) {
			w.b = w.b[:bytes.LastIndexByte(w.b, ' ')]
			markup = markup[1:]
			continue
		}
		w.text(v)
	}
	w.b = append(w.b, markup...)
}

// open writes a start tag; attributes are name and value in turn, empty values are left out.
//
//go:noinline
func (w *svg) open(tag string, attrs ...string) {
	w.b = append(append(w.b, '<'), tag...)
	for i := 0; i+1 < len(attrs); i += 2 {
		if attrs[i+1] == "" {
			continue
		}
		w.b = append(append(append(w.b, ' '), attrs[i]...), `="`...)
		w.text(attrs[i+1])
		w.b = append(w.b, '"')
	}
	w.b = append(w.b, '>')
}

//go:noinline
func (w *svg) close(tag string) { w.b = append(append(append(w.b, "</"...), tag...), '>') }

// text writes s with the characters that mean something in markup escaped. Control characters, which
// no SVG may hold, become spaces.
//
//go:noinline
func (w *svg) text(s string) {
	for _, r := range s {
		switch {
		case r == '&':
			w.b = append(w.b, "&amp;"...)
		case r == '<':
			w.b = append(w.b, "&lt;"...)
		case r == '>':
			w.b = append(w.b, "&gt;"...)
		case r == '"':
			w.b = append(w.b, "&quot;"...)
		case r < ' ':
			w.b = append(w.b, ' ')
		default:
			w.b = append(w.b, string(r)...)
		}
	}
}

// Escape is s as it may stand in markup, in text or between double quotes.
//
//go:noinline
func Escape(s string) string {
	w := svg{}
	w.text(s)
	return string(w.b)
}

// px writes a length with at most two decimals.
//
//go:noinline
func px(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

//go:noinline
func itoa[T int | int32 | int64](v T) string { return strconv.FormatInt(int64(v), 10) }

// seconds writes a time in seconds for programs.
//
//go:noinline
func seconds(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) }

// textWidth estimates the width of s in px at 12 px semi-bold, rather too wide than too narrow.
//
//go:noinline
func textWidth(s string) float64 {
	n := 0.0
	for _, r := range s {
		switch {
		case r == 'i' || r == 'l' || r == '.' || r == ',' || r == ' ' || r == 'j' || r == 't' || r == 'f':
			n += 4.8
		case r == 'm' || r == 'w' || r == 'M' || r == 'W':
			n += 10.5
		case r >= 'A' && r <= 'Z':
			n += 8.4
		default:
			n += 7.1
		}
	}
	return n
}

// fit is s, cut with an ellipsis where it is wider than room px; empty where even that is too wide.
//
//go:noinline
func fit(s string, room float64) string {
	if textWidth(s) <= room {
		return s
	}
	r := []rune(s)
	for n := len(r) - 1; n >= 3; n-- {
		if c := string(r[:n]) + "…"; textWidth(c) <= room {
			return c
		}
	}
	return ""
}

// Hue is the number of a job's colour, 1 to 8, and Hatch that of its pattern, 0 = plain to 6. Together
// they tell 56 jobs apart; names tell all.
func Hue(job int32) int   { return int(job%8) + 1 }
func Hatch(job int32) int { return int((job + job/8) % 7) }

// marks are the outlines of GPU types in a box of 12 by 12, in order of fallback.
var marks = [...]string{
	"M6 1 11.500 11H.5z", // triangle
	"M1 1h10v10H1z",      // square
	"M6 .8a5.200 5.200 0 1 1 0 10.400A5.200 5.200 0 1 1 6 .8z",                 // circle
	"M6 .3 11.700 6 6 11.700.3 6z",                                             // diamond
	"M3.200 1h5.600L11.600 6 8.800 11H3.200L.4 6z",                             // hexagon
	"M4.200.8h3.600v3.400h3.400v3.600H7.800v3.400H4.200V7.800H.8V4.200h3.400z", // cross
}

// Mark is the outline that stands for a GPU type, as path data in a box of 12 by 12.
//
//go:noinline
func Mark(name string, index int32) string {
	for i, known := range []string{"v100", "p100", "k80", "t4", "a100", "a10g"} {
		if name == known {
			return marks[i]
		}
	}
	return marks[int(index)%len(marks)]
}
