package state

import (
	"strings"
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
