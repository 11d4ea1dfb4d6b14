package state

import (
	"strings"
	"unicode/utf8"

	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/text"
)

// KeysName is where a browser keeps the reader's own letters.
const KeysName = "hadarlab-keys"

// Letter is a letter of the timeline that the reader may change, and what it does.
type Letter struct{ Key, Does string }

// OwnLetters are those letters. The others are meant by their place, or are signs and digits.
var OwnLetters = [...]Letter{
	{"n", "next disagreement"}, {"p", "previous disagreement"}, {"e", "explain the bar"},
	{"f", "the selected bar or job"},
	{"x", "pin the bar’s node"}, {"c", "fold the bar’s node"},
}

// OwnKeys are the keys of the reader. Its map and list are replaced, never changed, so that it can be compared.
type OwnKeys struct {
	KeyProblem string            // why a letter was not changed, "" = it was
	own        map[string]string // keys that the reader has put in the place of letters
	places     []string          // what the keys at the places of W, A, S and D are called, nil = so
}

// reserved are keys that mean something of their own.
const reserved = "wasd0123456789+-=.,? "

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
		v.KeyProblem = words.F("“{0}” is taken. Choose a letter that no other key has.", text.ClipTo(a.Own, 24))
		s.Spoken = v.KeyProblem
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
	s.View.KeyProblem, s.Spoken = "", ""
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

// KeyOf is the key that the reader presses for a letter.
func (k *OwnKeys) KeyOf(letter string) string {
	if at := strings.Index("WASD", letter); at >= 0 && len(letter) == 1 && k.places != nil {
		return k.places[at]
	}
	if own := k.own[letter]; own != "" {
		return own
	}
	return letter
}

// Meant is the letter that is meant by a key, "" where it was given another.
func (k *OwnKeys) Meant(key string) string {
	for _, l := range OwnLetters {
		if k.KeyOf(l.Key) == strings.ToLower(key) {
			return l.Key
		}
	}
	if k.own[key] != "" {
		return ""
	}
	return key
}
