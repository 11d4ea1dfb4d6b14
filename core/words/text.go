package words

import (
	"encoding/json"
	"fmt"
)

// Text is something to say that has not been put into a language yet: a sentence with what stands at its places, or a
// word of somebody's own. A finding keeps it, so that whoever shows the finding chooses the language. The zero Text
// says nothing.
type Text struct {
	pattern string // English, as catalogues have it
	args    []Text // at the places of the pattern
	own     string // in place of a pattern
}

// Own is somebody's own word: a name, a number, a piece of a document. It is never translated.
func Own(word string) Text { return Text{own: word} }

// Say is the sentence of a pattern, which is a key of the catalogue. {0} is the first of args; each of them is a Text,
// or somebody's own word as fmt prints it.
func Say(pattern string, args ...any) Text {
	t := Text{pattern: pattern, args: make([]Text, len(args))}
	for i, a := range args {
		switch a := a.(type) {
		case Text:
			t.args[i] = a
		case string:
			t.args[i] = Own(a)
		default:
			t.args[i] = Own(fmt.Sprint(a))
		}
	}
	return t
}

// IsZero says whether there is nothing to say.
func (t Text) IsZero() bool { return t.pattern == "" && t.own == "" }

// String is the text in English.
func (t Text) String() string { return t.in(func(key string) string { return key }) }

// Local is the text in the reader's language.
func (t Text) Local() string { return t.in(T) }

func (t Text) in(language func(key string) string) string {
	if t.pattern == "" {
		return t.own
	}
	args := make([]string, len(t.args))
	for i := range args {
		args[i] = t.args[i].in(language)
	}
	return fill(language(t.pattern), args)
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
	if p.pattern == "" {
		return json.Marshal(p.own)
	}
	list := []any{p.pattern}
	for _, a := range p.args {
		list = append(list, Parts(a))
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads it.
func (p *Parts) UnmarshalJSON(b []byte) error {
	*p = Parts{}
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &p.own)
	}
	var list []Parts // the pattern is a word of its own there
	if err := json.Unmarshal(b, &list); err != nil || len(list) == 0 {
		return err
	}
	p.pattern = list[0].own
	for _, a := range list[1:] {
		p.args = append(p.args, Text(a))
	}
	return nil
}
