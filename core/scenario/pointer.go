package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Faults of a pointer to a number.
var (
	ErrPointer  = errors.New("scenario: a pointer begins with / and names a member or a place in a list, as /scenario/round_s")
	ErrNoNumber = errors.New("scenario: no number stands there")
)

// SetNumber gives a document's text with another number at an RFC 6901 pointer. A member that is absent, because
// it has its default, is written; whether the document has such a member, Parse says.
func SetNumber(doc []byte, pointer string, v float64) ([]byte, error) {
	steps := strings.Split(pointer, "/")
	if len(steps) < 2 || steps[0] != "" || !utf8.ValidString(pointer) {
		return nil, ErrPointer
	}
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber() // all others stay as they are written
	var root any
	if err := d.Decode(&root); err != nil {
		return nil, err
	}
	at := root
	for i, step := range steps[1:] {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		last := i == len(steps)-2
		number := json.Number(appendNumber(nil, v))
		switch held := at.(type) {
		case map[string]any:
			next, there := held[step]
			switch _, is := next.(json.Number); {
			case last && there && !is:
				return nil, ErrNoNumber
			case last:
				held[step] = number
			case !there:
				next = map[string]any{}
				held[step] = next
			}
			at = next
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(held) || strconv.Itoa(n) != step {
				return nil, ErrNoNumber
			}
			if _, is := held[n].(json.Number); last && !is {
				return nil, ErrNoNumber
			} else if last {
				held[n] = number
			}
			at = held[n]
		default:
			return nil, ErrNoNumber
		}
	}
	return json.Marshal(root)
}
