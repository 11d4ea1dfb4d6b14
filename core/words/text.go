package words

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Text is something to say that has not been put into a language yet: a sentence with what stands at its places, or a
// word of somebody's own. Who makes one hands it on, so that whoever shows it chooses the language. The zero Text
// says nothing. It never changes, so that it is passed on as lightly as a pointer.
type Text struct{ of *parts }

type parts struct {
	pattern string // English, as catalogues have it
	args    []any  // at the places of the pattern
	own     string // in place of a pattern
}

// Own is somebody's own word: a name, a number, a piece of a document. It is never translated.
func Own(word string) Text {
	if word == "" {
		return Text{}
	}
	return Text{&parts{own: word}}
}

// Say is the sentence of a pattern, which is a key of the catalogue. {0} is the first of args; each of them is a Text,
// a string that is somebody's own word, or something whose word is found when the text is said: a number, an id. A
// *Text is one that is filled in until then.
func Say(pattern string, args ...any) Text {
	return Text{&parts{pattern: pattern, args: slices.Clone(args)}}
}

// Count is a sentence about n things: one for exactly 1, many for all others. {0} is the count, {1} the first of args.
func Count(n int, one, many string, args ...any) Text {
	if n == 1 {
		many = one
	}
	return Text{&parts{pattern: many, args: append([]any{n}, args...)}}
}

// Pattern is the sentence without what stands at its places; a word of somebody's own has none.
func (t Text) Pattern() string {
	if t.of == nil {
		return ""
	}
	return t.of.pattern
}

// Args are what stands at the places of the pattern.
func (t Text) Args() []any {
	if t.of == nil {
		return nil
	}
	return t.of.args
}

// IsZero says whether there is nothing to say.
func (t Text) IsZero() bool { return t.of == nil }

// String is the text in English.
func (t Text) String() string { return t.In(nil) }

// In is the text in a catalogue's language. What has no word of its own is written as fmt prints it, but for numbers.
func (t Text) In(c Catalogue) string { return t.With(c, plain) }

func plain(a any) string {
	if v, ok := a.(float64); ok {
		return Number(v, -1)
	}
	return fmt.Sprint(a)
}

// Number writes a number with so many digits that count, -1 = as many as it has; a whole one, such as a count, with all
// of its own up to 1e15, and never by a power of ten.
func Number(v float64, digits int) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}

// With is the text in a catalogue's language, with what has no word of its own, such as a number, as somebody says it.
func (t Text) With(c Catalogue, word func(any) string) string {
	switch {
	case t.of == nil:
		return ""
	case t.of.pattern == "":
		return t.of.own
	}
	args := make([]string, len(t.of.args))
	for i, a := range t.of.args {
		switch a := a.(type) {
		case Text:
			args[i] = a.With(c, word)
		case *Text:
			args[i] = a.With(c, word)
		case string:
			args[i] = a
		default:
			args[i] = word(a)
		}
	}
	return fill(c.T(t.of.pattern), args)
}

// MarshalText writes the English text, which is what programs are told.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads a text that somebody else has put into words.
func (t *Text) UnmarshalText(b []byte) error {
	*t = Own(string(b))
	return nil
}

// Parts is a Text as JSON that can be translated where it is read: a list of the pattern and what stands at its
// places, each of these a Parts, or a string for somebody's own word.
type Parts Text

// MarshalJSON writes it.
func (p Parts) MarshalJSON() ([]byte, error) {
	if p.of == nil || p.of.pattern == "" {
		return json.Marshal(Text(p).String())
	}
	list := []any{p.of.pattern}
	for _, a := range p.of.args {
		if t, ok := a.(Text); ok {
			list = append(list, Parts(t))
		} else {
			list = append(list, plain(a))
		}
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads it.
func (p *Parts) UnmarshalJSON(b []byte) error {
	*p = Parts{}
	if len(b) > 0 && b[0] == '"' {
		var word string
		err := json.Unmarshal(b, &word)
		*p = Parts(Own(word))
		return err
	}
	var list []Parts // the pattern is a word of its own there
	if err := json.Unmarshal(b, &list); err != nil || len(list) == 0 {
		return err
	}
	of := &parts{pattern: Text(list[0]).String()}
	for _, a := range list[1:] {
		of.args = append(of.args, Text(a))
	}
	*p = Parts{of}
	return nil
}
