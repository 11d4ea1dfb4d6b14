package jsondoc

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Faults of a pointer to a value.
var (
	errPointer = errors.New(
		"text: a pointer begins with / and names a member or a place in a list, as /scenario/round_s")
	errNoValue = errors.New("text: no value of that kind stands there; a number, a word, true or false can be set")
)

// SetNumber gives a document's text with another number at an RFC 6901 pointer. A member that is absent, because
// it has its default, is written; whether the document has such a member, its reader says.
func SetNumber(doc []byte, pointer string, v float64) ([]byte, error) {
	return SetValue(doc, pointer, v)
}

// alike says whether two plain values are of one kind.
func alike(a, b any) bool {
	switch a.(type) {
	case json.Number:
		_, is := b.(json.Number)
		return is
	case string:
		_, is := b.(string)
		return is
	}
	_, is := b.(bool)
	return is
}

// SetValue is SetNumber for a bool, float64 or string. What stands there must be of the same kind.
func SetValue(doc []byte, pointer string, v any) ([]byte, error) {
	switch held := v.(type) {
	case bool, string:
	case float64:
		v = json.Number(AppendNumber(nil, held))
	default:
		return nil, errNoValue
	}
	steps := strings.Split(pointer, "/")
	if len(steps) < 2 || steps[0] != "" || !utf8.ValidString(pointer) {
		return nil, errPointer
	}
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber() // all others stay as they are written
	var root any
	if err := d.Decode(&root); err != nil {
		return nil, err
	}
	at := root
	for i, step := range steps[1:] {
		step = Unescape(step)
		last := i == len(steps)-2
		switch held := at.(type) {
		case map[string]any:
			next, there := held[step]
			switch {
			case last && there && !alike(v, next):
				return nil, errNoValue
			case last:
				held[step] = v
			case !there:
				next = map[string]any{}
				held[step] = next
			}
			at = next
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(held) || strconv.Itoa(n) != step {
				return nil, errNoValue
			}
			if last && !alike(v, held[n]) {
				return nil, errNoValue
			} else if last {
				held[n] = v
			}
			at = held[n]
		default:
			return nil, errNoValue
		}
	}
	return json.Marshal(root)
}
