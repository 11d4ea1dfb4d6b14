package draw

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"hadarlab/core/words"
)

// pct writes a place in per cent with three decimals.
func pct(x float64) string { return strconv.FormatFloat(x*100, 'f', 3, 64) + "%" }

// svg builds SVG text. Every attribute value and text is escaped, so that a hostile name stays a name.
type svg struct {
	in words.Catalogue // of what it says
	b  []byte
}

// put writes markup in which each $ stands for one of the values, escaped. An attribute whose value is empty
// is left out.
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

func (w *svg) close(tag string) { w.b = append(append(append(w.b, "</"...), tag...), '>') }

// end closes a picture and is all of it.
func (w *svg) end() string {
	w.close("svg")
	return string(w.b)
}

// gutter opens a picture beside another one.
func (w *svg) gutter(width, height float64) {
	w.put(`<svg data-role="gutter" width="$" height="$" aria-hidden="true">`, px(width), px(height))
}

// text writes s with the characters that mean something in markup escaped. Control characters, which
// no SVG may hold, become spaces.
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
func Escape(s string) string {
	w := svg{}
	w.text(s)
	return string(w.b)
}

// px writes a length with at most two decimals.
func px(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

func itoa[T int | int32 | int64](v T) string { return strconv.FormatInt(int64(v), 10) }

// seconds writes a time in seconds for programs.
func seconds(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) }

// The sizes in px of text: of a lane's names, times and ticks, and of what has less room than that or belongs to a
// chart. Style sheets take them from the mark of large text.
const (
	large = 15.0
	small = 12.0
	roomy = 17 // px, the least height that holds large text
)

// sizeIn is the size of a text that has so many px from its top to its bottom.
func sizeIn(high float64) float64 {
	if high < roomy {
		return small
	}
	return large
}

// marked is the mark of a size.
func marked(size float64) string { return yes(size == large) }

// wide estimates the width of s in px at a size.
func wide(s string, size float64) float64 { return float64(textWidth(s) * size / small) }

// middle is the base line of a text in the middle of so many px.
func middle(high, size float64) float64 { return float64(high/2) + float64(0.36*size) }

// fitAt is fit at a size.
func fitAt(s string, room, size float64) string { return fit(s, room*small/size) }

// textWidth estimates the width of s in px at 12 px semi-bold, rather too wide than too narrow.
func textWidth(s string) float64 {
	n := 0.0
	for _, r := range s {
		switch {
		case r == 'i' || r == 'l' || r == '.' || r == ',' || r == ' ' || r == '\u00a0' ||
			r == 'j' || r == 't' || r == 'f':
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
