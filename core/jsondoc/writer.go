package jsondoc

import (
	"bytes"
	"encoding/json"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Writer writes JSON in one of two forms: the human one, members in the order they are given, and
// the canonical one of RFC 8785, members sorted by the UTF-16 units of their names.
type Writer struct {
	b         []byte
	Canonical bool
	open      []frame
	spans     []span // members of all open objects, innermost last
	scratch   []byte
}

type frame struct{ start, first int }

type span struct {
	name       string
	start, end int
}

// NewWriter gives a writer of the canonical form or the human one.
func NewWriter(canonical bool) *Writer { return &Writer{Canonical: canonical} }

// Bytes is what has been written.
func (w *Writer) Bytes() []byte { return w.b }

// Begin starts an object.
func (w *Writer) Begin() {
	w.open = append(w.open, frame{len(w.b), len(w.spans)})
	w.b = append(w.b, '{')
}

// Member starts a member; its value is to be written next.
func (w *Writer) Member(name string) {
	if f := w.open[len(w.open)-1]; len(w.spans) > f.first {
		w.spans[len(w.spans)-1].end = len(w.b)
		w.b = append(w.b, ',')
	}
	w.spans = append(w.spans, span{name: name, start: len(w.b)})
	w.Text(name)
	w.b = append(w.b, ':')
}

// End closes the object that was begun last, and sorts its members in the canonical form.
func (w *Writer) End() {
	f := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	own := w.spans[f.first:]
	w.spans = w.spans[:f.first]
	if len(own) > 0 {
		own[len(own)-1].end = len(w.b)
	}
	byName := func(i, j int) bool { return compareUTF16(own[i].name, own[j].name) < 0 }
	if w.Canonical && !sort.SliceIsSorted(own, byName) {
		sort.SliceStable(own, byName)
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

// Text writes a text.
func (w *Writer) Text(s string) {
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

// Quantity writes a number with the digits that count.
func (w *Writer) Quantity(v float64) { w.b = AppendNumber(w.b, Round9(v)) }

// Unsigned writes a whole number, all its digits.
func (w *Writer) Unsigned(v uint64) { w.b = strconv.AppendUint(w.b, v, 10) }

// Whole writes a whole number, all its digits.
func (w *Writer) Whole(v int) { w.b = strconv.AppendInt(w.b, int64(v), 10) }

// Extra writes the unknown members, sorted; the canonical form rounds their numbers too.
func (w *Writer) Extra(e Extra) {
	if len(e) == 0 {
		return
	}
	for _, name := range Keys(e) {
		w.Member(name)
		w.Raw(e[name])
	}
}

// Raw writes JSON; what is none becomes null.
func (w *Writer) Raw(raw json.RawMessage) {
	if !json.Valid(raw) {
		w.b = append(w.b, "null"...)
		return
	}
	if !w.Canonical {
		var b bytes.Buffer
		_ = json.Compact(&b, raw)
		w.b = append(w.b, b.Bytes()...)
		return
	}
	t, _ := Plant(raw, len(raw))
	w.Value(NewReader(t, &Collector{}).Value(0))
}

// Value writes a value of plain Go types.
func (w *Writer) Value(v any) {
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
		w.Text(v)
	case float64:
		w.Quantity(v)
	case int:
		w.Quantity(float64(v))
	case []any:
		w.List(len(v), func(i int) { w.Value(v[i]) })
	case map[string]any:
		w.Begin()
		for _, name := range Keys(v) {
			w.Member(name)
			w.Value(v[name])
		}
		w.End()
	default: // integers of other sizes, json.Number, typed lists: as encoding/json has them
		raw, err := json.Marshal(v)
		if err != nil {
			raw = nil
		}
		canonical := w.Canonical
		w.Canonical = true
		w.Raw(raw)
		w.Canonical = canonical
	}
}

// List writes a list of n entries.
func (w *Writer) List(n int, entry func(i int)) {
	w.b = append(w.b, '[')
	for i := range n {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		entry(i)
	}
	w.b = append(w.b, ']')
}

// Mapping writes an object whose names are data. Without entries it is left out; the canonical form
// also leaves it out when no entry says anything.
func (w *Writer) Mapping(name string, n int, fill func()) {
	object := func() {
		w.Begin()
		fill()
		w.End()
	}
	switch {
	case n == 0:
	case w.Canonical:
		w.Filled(name, object)
	default:
		w.Member(name)
		object()
	}
}

// Filled writes a member that is an object, unless that is empty.
func (w *Writer) Filled(name string, object func()) {
	before, spans := len(w.b), len(w.spans)
	w.Member(name)
	inside := len(w.b)
	object()
	if len(w.b) == inside+len("{}") {
		w.b, w.spans = w.b[:before], w.spans[:spans]
	}
}
