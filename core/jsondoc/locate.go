package jsondoc

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Span is where a value stands in a text, in bytes: from From up to To. Member is where the name of its member begins;
// what is no member has From there too.
type Span struct{ Member, From, To int }

// Locate finds the value at an RFC 6901 pointer in a JSON text, or the nearest one around it. It is not ok where the
// text is no JSON.
func Locate(text []byte, pointer string) (s Span, ok bool) {
	if !json.Valid(text) {
		return s, false
	}
	t, deep := Plant(text, MaxDepth)
	if deep >= 0 {
		return s, false
	}
	at, around := t.reach(pointer)
	n := t.nodes[at]
	s = Span{int(n.start), int(n.start), int(n.end)}
	if at > 0 && t.Kind(around) == KindObject {
		s.Member = int(t.nodes[at-1].start)
	}
	return s, true
}

// level is an object or a list that is open at the cursor.
type level struct {
	list  bool
	name  []byte // of the member at hand, as it is written; nil between members
	entry int
}

// PointerAt gives the RFC 6901 pointer of the innermost value that holds an offset of a text, or touches it; a member
// is held from its name on. Between values it is that of the list or object around. A text that is no JSON is read up
// to the offset and as far as it makes sense; whatever it is, that takes a time in proportion to its length.
func PointerAt(text []byte, offset int) string {
	var open []level
	for i := 0; i < len(text) && i <= offset; {
		c, start := text[i], i
		at := &level{list: true} // the whole, which has no step
		if len(open) > 0 {
			at = &open[len(open)-1]
		}
		switch c {
		case ' ', '\t', '\r', '\n':
			i++
			continue
		case ',', ':', '}', ']':
			if i == offset || c > ',' && c != ':' && (len(open) == 0 || at.list != (c == ']')) {
				return steps(open, false)
			}
			i++
			switch c {
			case ',':
				at.name = nil
				at.entry++
				continue
			case ':':
				continue
			}
			open = open[:len(open)-1]
		case '{', '[':
			if i < offset {
				if len(open) == MaxDepth {
					return steps(open, true)
				}
				open = append(open, level{list: c == '['})
				i++
				continue
			}
		case '"':
			end, closed := quoted(text, i)
			if i = end; closed && !at.list && at.name == nil {
				at.name = text[start:end]
				if offset <= end {
					return steps(open, true)
				}
				continue
			}
		default:
			for i++; i < len(text) && strings.IndexByte(" \t\r\n,:{}[]\"", text[i]) < 0; i++ {
			}
		}
		if offset <= i { // a value ends here, or it begins
			return steps(open, true)
		}
		if len(open) > 0 {
			open[len(open)-1].name = nil
		}
	}
	return steps(open, false)
}

// quoted is the end of a text that begins at i. One that is not closed ends with its line.
func quoted(text []byte, i int) (end int, closed bool) {
	for i++; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1, true
		}
	}
	return min(i, len(text)), false
}

// steps is the pointer of what is open, with the step of the value at hand if the cursor is at one.
func steps(open []level, value bool) (pointer string) {
	for i := range open {
		switch l := &open[i]; {
		case l.name != nil:
			pointer += "/" + Escape(unquoted(l.name))
		case l.list && (value || i < len(open)-1):
			pointer += "/" + strconv.Itoa(l.entry)
		}
	}
	return pointer
}
