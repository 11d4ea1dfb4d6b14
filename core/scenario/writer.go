package scenario

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hadarlab/core/text"
)

// writer writes JSON in one of two forms: the human one, members in the order they are given, and
// the canonical one of RFC 8785, members sorted by the UTF-16 units of their names.
type writer struct {
	b         []byte
	canonical bool
	def       Defaults
	open      []frame
	spans     []span // members of all open objects, innermost last
	scratch   []byte
}

type frame struct{ start, first int }

type span struct {
	name       string
	start, end int
}

func (w *writer) begin() {
	w.open = append(w.open, frame{len(w.b), len(w.spans)})
	w.b = append(w.b, '{')
}

// member starts a member; its value is to be written next.
func (w *writer) member(name string) {
	if f := w.open[len(w.open)-1]; len(w.spans) > f.first {
		w.spans[len(w.spans)-1].end = len(w.b)
		w.b = append(w.b, ',')
	}
	w.spans = append(w.spans, span{name: name, start: len(w.b)})
	w.text(name)
	w.b = append(w.b, ':')
}

func (w *writer) end() {
	f := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	own := w.spans[f.first:]
	w.spans = w.spans[:f.first]
	if len(own) > 0 {
		own[len(own)-1].end = len(w.b)
	}
	byName := func(a, b span) int { return compareUTF16(a.name, b.name) }
	if w.canonical && !slices.IsSortedFunc(own, byName) {
		slices.SortStableFunc(own, byName)
		w.scratch = append(w.scratch[:0], '{')
		for i, s := range own {
			if i > 0 {
				w.scratch = append(w.scratch, ',')
			}
			w.scratch = append(w.scratch, w.b[s.start:s.end]...)
		}
		w.b = append(w.b[:f.start], w.scratch...)
	}
	w.b = append(w.b, '}')
}

// compareUTF16 orders names by UTF-16 code units. It differs from the order of bytes only where a
// surrogate pair meets a character at or above U+E000.
func compareUTF16(a, b string) int {
	for len(a) > 0 && len(b) > 0 {
		ra, na := utf8.DecodeRuneInString(a)
		rb, nb := utf8.DecodeRuneInString(b)
		if ra != rb {
			if (ra < 0x10000) != (rb < 0x10000) {
				if ra >= 0x10000 {
					ra = 0xD800
				} else {
					rb = 0xD800
				}
			}
			return int(ra) - int(rb)
		}
		a, b = a[na:], b[nb:]
	}
	return len(a) - len(b)
}

func (w *writer) text(s string) {
	const hex = "0123456789abcdef"
	w.b = append(w.b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			w.b = append(w.b, '\\', byte(r))
		case r >= ' ':
			w.b = utf8.AppendRune(w.b, r)
		case strings.IndexByte("\b\t\n\f\r", byte(r)) >= 0:
			w.b = append(w.b, '\\', "btn_fr"[r-'\b'])
		default:
			w.b = append(w.b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		}
	}
	w.b = append(w.b, '"')
}

// quantity writes a number with the digits that count.
func (w *writer) quantity(v float64) { w.b = text.AppendNumber(w.b, text.Round9(v)) }

// textOr, numberOr and whole write a member unless it has its default.
func (w *writer) textOr(name, v, def string) {
	if v != def {
		w.member(name)
		w.text(v)
	}
}

func (w *writer) numberOr(name string, v, def float64) {
	if text.Round9(v) != def {
		w.member(name)
		w.quantity(v)
	}
}

func (w *writer) wholeOr(name string, v, def int) {
	if v != def {
		w.member(name)
		w.whole(v)
	}
}

func (w *writer) whole(v int) { w.b = strconv.AppendInt(w.b, int64(v), 10) }

// extra writes the unknown members, sorted; the canonical form rounds their numbers too.
func (w *writer) extra(e Extra) {
	for _, name := range keys(e) {
		w.member(name)
		w.raw(e[name])
	}
}

func (w *writer) raw(raw json.RawMessage) {
	if !json.Valid(raw) {
		w.b = append(w.b, "null"...)
		return
	}
	if !w.canonical {
		var b bytes.Buffer
		_ = json.Compact(&b, raw)
		w.b = append(w.b, b.Bytes()...)
		return
	}
	t, _ := plant(raw, len(raw))
	r := &reader{findings: &findings{}, t: t}
	w.value(r.value(0))
}

// value writes a policy parameter.
func (w *writer) value(v any) {
	switch v := v.(type) {
	case nil:
		w.b = append(w.b, "null"...)
	case bool:
		if v {
			w.b = append(w.b, "true"...)
		} else {
			w.b = append(w.b, "false"...)
		}
	case string:
		w.text(v)
	case float64:
		w.quantity(v)
	case int:
		w.quantity(float64(v))
	case []any:
		w.list(len(v), func(i int) { w.value(v[i]) })
	case map[string]any:
		w.begin()
		for _, name := range keys(v) {
			w.member(name)
			w.value(v[name])
		}
		w.end()
	default: // integers of other sizes, json.Number, typed lists: as encoding/json has them
		raw, err := json.Marshal(v)
		if err != nil {
			raw = nil
		}
		canonical := w.canonical
		w.canonical = true
		w.raw(raw)
		w.canonical = canonical
	}
}

func (w *writer) list(n int, entry func(i int)) {
	w.b = append(w.b, '[')
	for i := range n {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		entry(i)
	}
	w.b = append(w.b, ']')
}

// lineWidth is the longest object or list that the indented form keeps on one line.
const lineWidth = 118

// indent lays out compact JSON for people: what fits stays on one line, a list of objects has one
// line an entry.
func indent(compact []byte) []byte {
	t, _ := plant(compact, len(compact))
	l := layout{t: t}
	l.value(0, 0, 0)
	return append(l.b, '\n')
}

type layout struct {
	t *tree
	b []byte
}

// value writes node i at a depth, before characters into its line.
func (l *layout) value(i, depth, before int) {
	n := l.t.nodes[i]
	if l.inline(i, 2*depth+before) {
		l.line(l.t.raw(i))
		return
	}
	l.b = append(l.b, l.t.src[n.start])
	for c := i + 1; c < l.t.next(i); c = l.t.next(c) {
		if c > i+1 {
			l.b = append(l.b, ',')
		}
		l.newline(depth + 1)
		before := 0
		if n.kind == kObject {
			before = len(l.t.raw(c)) + 2
			l.b = append(append(l.b, l.t.raw(c)...), ": "...)
			c++
		}
		l.value(c, depth+1, before)
	}
	l.newline(depth)
	l.b = append(l.b, l.t.src[n.end-1])
}

func (l *layout) newline(depth int) {
	l.b = append(l.b, '\n')
	for range depth {
		l.b = append(l.b, ' ', ' ')
	}
}

// inline says whether node i stays on its line, from the column on.
func (l *layout) inline(i, column int) bool {
	n := l.t.nodes[i]
	if n.kind != kObject && n.kind != kList {
		return true
	}
	if column+int(n.end-n.start) > lineWidth {
		return false
	}
	for k := i; k < l.t.next(i); k++ {
		if l.t.kind(k) == kList && l.t.next(k) > k+1 && l.t.kind(k+1) == kObject {
			return false
		}
	}
	return true
}

// line writes compact JSON with a space after its commas and colons.
func (l *layout) line(raw []byte) {
	inText := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		l.b = append(l.b, c)
		switch {
		case inText && c == '\\':
			i++
			l.b = append(l.b, raw[i])
		case c == '"':
			inText = !inText
		case !inText && (c == ',' || c == ':'):
			l.b = append(l.b, ' ')
		}
	}
}
