package state

import (
	"strings"
	"unicode/utf8"

	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
)

// ToggleKeys opens or closes the list of keys.
type ToggleKeys struct{}

func (ToggleKeys) on(s *Lab) []Effect { s.View.Keys = !s.View.Keys; return nil }

// Letters switches the keys that are single characters.
type Letters struct{ Off bool }

func (a Letters) on(s *Lab) []Effect {
	s.View.LettersOff = a.Off
	off := ""
	if a.Off {
		off = "off"
	}
	return []Effect{room.Store{Name: LettersName, Text: off}}
}

// Rekey gives a letter of the timeline another key; its own or none puts it back.
type Rekey struct{ Key, Own string }

func (a Rekey) on(s *Lab) []Effect {
	v := &s.View
	a.Own = strings.ToLower(strings.TrimSpace(a.Own))
	taken := utf8.RuneCountInString(a.Own) > 1 || a.Own != "" && strings.Contains(reserved, a.Own)
	for _, l := range OwnLetters {
		taken = taken || l.Key != a.Key && a.Own != "" && v.KeyOf(l.Key) == a.Own
	}
	if v.KeyProblem = ""; taken {
		v.KeyProblem = words.F("“{0}” is taken. Choose a letter that no other key has.", jsondoc.ClipTo(a.Own, 24))
		s.Announcement = v.KeyProblem
		return nil
	}
	own := map[string]string{}
	text := ""
	for _, l := range OwnLetters {
		key := v.KeyOf(l.Key)
		if l.Key == a.Key {
			key = a.Own
		}
		if key != "" && key != l.Key {
			own[l.Key] = key
			text += l.Key + key + " "
		}
	}
	v.own = own
	return []Effect{room.Store{Name: KeysName, Text: text}}
}

// TakeKeys takes up what a browser has kept: the reader's own letters, and that single characters are no keys.
type TakeKeys struct {
	Own string
	Off bool
}

func (a TakeKeys) on(s *Lab) []Effect {
	s.View.LettersOff = a.Off
	for _, pair := range strings.Fields(a.Own) {
		for _, l := range OwnLetters {
			if own, ok := strings.CutPrefix(pair, l.Key); ok {
				Rekey{l.Key, own}.on(s)
			}
		}
	}
	s.View.KeyProblem, s.Announcement = "", ""
	return nil
}

// Layout says what the keys at the places of W, A, S and D are called on the reader's keyboard.
type Layout struct{ Keys string }

func (a Layout) on(s *Lab) []Effect {
	if keys := strings.Fields(strings.ToUpper(a.Keys)); len(keys) == 4 {
		s.View.places = keys
	}
	return nil
}
