package words

import (
	"encoding/json"
	"fmt"
)

// Text is something to say that has not been put into a language yet: a sentence with what stands at its places, or a
// word of somebody's own. A finding keeps it, so that whoever shows the finding chooses the language. The zero Text
// says nothing. It never changes, so that it is passed on as lightly as a pointer.
type Text struct{ of *parts }

type parts struct {
	pattern string // English, as catalogues have it
	args    []Text // at the places of the pattern
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
// or somebody's own word as fmt prints it.
func Say(pattern string, args ...any) Text {
	of := &parts{pattern: pattern, args: make([]Text, len(args))}
	for i, a := range args {
		switch a := a.(type) {
		case Text:
			of.args[i] = a
		case string:
			of.args[i] = Own(a)
		default:
			of.args[i] = Own(fmt.Sprint(a))
		}
	}
	return Text{of}
}

// IsZero says whether there is nothing to say.
func (t Text) IsZero() bool { return t.of == nil }

// String is the text in English.
func (t Text) String() string { return t.In(nil) }

// In is the text in a catalogue's language.
func (t Text) In(c Catalogue) string {
	switch {
	case t.of == nil:
		return ""
	case t.of.pattern == "":
		return t.of.own
	}
	args := make([]string, len(t.of.args))
	for i := range args {
		args[i] = t.of.args[i].In(c)
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
		list = append(list, Parts(a))
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
