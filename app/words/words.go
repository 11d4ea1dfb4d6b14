// Package words holds the catalogue of the page's reader, and says texts and figures in its language. A tab has one
// reader, who reads one language at a time, and everything that the page draws is for them: so the catalogue is held
// once, here, and not handed through six hundred places. The core knows no reader: what it says takes Now.
package words

import (
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// now is replaced as a whole when the reader chooses another language.
var now words.Catalogue

// Now is the catalogue in force.
func Now() words.Catalogue { return now }

// Use puts one in force, nil = English.
func Use(c words.Catalogue) { now = c }

// Load puts one in force from its file. One that cannot be read changes nothing.
func Load(file []byte) error {
	c, err := words.Read(file)
	if err == nil {
		Use(c)
	}
	return err
}

// Tag is that of words.Catalogue, as those below.
func Tag() string { return now.Tag() }

// T is a text.
func T(key string) string { return now.T(key) }

// In is a text where it stands.
func In(place, key string) string { return now.In(place, key) }

// F is a sentence with places.
func F(pattern string, args ...string) string { return now.F(pattern, args...) }

// N is a sentence about a count.
func N(n int, one, many string, args ...string) string { return now.N(n, one, many, args...) }

// Fixed is that of package figure, as those below.
func Fixed(v float64, decimals int) string { return figure.Fixed(now, v, decimals) }

// Sig writes a number with n digits that count.
func Sig(v float64, n int) string { return figure.Sig(now, v, n) }

// Percent writes a ratio.
func Percent(v float64) string { return figure.Percent(now, v) }

// Count is a sentence about n.
func Count(n int, one, many string, args ...string) string {
	return figure.Count(now, n, one, many, args...)
}

// Plural is a count of things.
func Plural(n int, noun string) string { return figure.Plural(now, n, noun) }

// Text is something that is not in a language yet.
type Text = words.Text

// Say makes a Text of a pattern.
func Say(pattern string, args ...any) Text { return words.Say(pattern, args...) }

// Own makes a Text of somebody's own word.
func Own(word string) Text { return words.Own(word) }

// Sentence ends a message as a sentence.
func Sentence(s string) string {
	if s == "" {
		return s
	}
	if last := s[len(s)-1]; last != '.' && last != '!' && last != '?' {
		s += "."
	}
	return s
}
