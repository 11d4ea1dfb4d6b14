package jsondoc

import (
	"strings"
	"unicode/utf8"
)

// Unseen is the first character of a text that nobody sees and that does something: turns the direction of what
// follows, or makes two texts differ that look alike. at is its place in bytes, −1 = there is none. They are the code
// points that Unicode calls default-ignorable, and the braille pattern without dots, which it calls a symbol and no
// space though nothing is drawn. Some are how a script is written, and no such characters where they stand so: a joiner
// after a letter of a script that joins or between the parts of an emoji, variation selectors after what varies, marks
// of direction in a text that has right-to-left letters, and that pattern in one with other braille.
func Unseen(s string) (r rune, at int) {
	at = -1
	eachUnseen(s, func(bad rune, i int) bool {
		r, at = bad, i
		return false
	})
	return r, at
}

// Visible is a text in which each run of such characters is one that is seen, U+FFFD. It has no more characters.
func Visible(s string) string {
	var b strings.Builder
	end := 0
	eachUnseen(s, func(bad rune, i int) bool {
		if i > end || i == 0 {
			b.WriteString(s[end:i])
			b.WriteRune('\ufffd')
		}
		end = i + utf8.RuneLen(bad)
		return true
	})
	return b.String() + s[end:]
}

// eachUnseen calls found for each of them, until it wants no more.
func eachUnseen(s string, found func(r rune, at int) (more bool)) {
	before, joined := rune(0), false
	for i, r := range s {
		if r != blank && !ignorable(r) {
			before, joined = r, false
			continue
		}
		after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		fits := false
		switch {
		case r == '\u200c', r == '\u200d':
			fits = !joined && (joins(before) || r == '\u200d' && pictured(before) && pictured(after))
			joined = true
		case r >= '\ufe00' && r <= '\ufe0f':
			fits = before >= 0x80 || before != 0 && strings.ContainsRune("#*0123456789", before)
		case r == '\u200e', r == '\u200f', r == '\u061c':
			fits = strings.ContainsFunc(s, rightToLeft)
		case r == blank:
			fits = strings.ContainsFunc(s, dotted)
		}
		if !fits && !found(r, i) {
			return
		}
	}
}

// blank is the braille pattern without dots.
const blank = '\u2800'

// dotted says whether a character is another braille pattern.
func dotted(r rune) bool { return r > blank && r <= 0x28ff }

// ignorable says of a code point whether Unicode 16 calls it default-ignorable (DerivedCoreProperties.txt).
func ignorable(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r == 0xad, r == 0x34f, r == 0x61c, r >= 0x115f && r <= 0x1160, r >= 0x17b4 && r <= 0x17b5,
		r >= 0x180b && r <= 0x180f, r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e,
		r >= 0x2060 && r <= 0x206f, r == 0x3164, r >= 0xfe00 && r <= 0xfe0f, r == 0xfeff, r == 0xffa0,
		r >= 0xfff0 && r <= 0xfff8, r >= 0x1bca0 && r <= 0x1bca3, r >= 0x1d173 && r <= 0x1d17a,
		r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

// joins says whether a letter is of a block of scripts that are written with joiners: Arabic to Myanmar, Khmer and
// Mongolian, and their extensions.
func joins(r rune) bool {
	return r >= 0x600 && r <= 0x109f || r >= 0x1780 && r <= 0x18af || r >= 0xa800 && r <= 0xabff ||
		r >= 0xfb50 && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc || r >= 0x10a00 && r <= 0x11fff
}

// pictured says whether a character can be part of an emoji.
func pictured(r rune) bool {
	return r >= 0x2190 && r <= 0x2bff || r >= 0x1f000 && r <= 0x1faff
}

func rightToLeft(r rune) bool {
	return r >= 0x590 && r <= 0x8ff && r != '\u061c' || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}
