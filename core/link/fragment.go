package link

import (
	"strings"
	"unicode"
)

// markAt finds the '#' before a fragment: the first with a version and a codec behind it, since a
// message may hold others ("see #5"); else the first; -1 = none.
func markAt(s string) int {
	for i := range len(s) {
		if s[i] == '#' && begins(s[i+1:]) {
			return i
		}
	}
	return strings.IndexByte(s, '#')
}

// begins says whether a text begins as a fragment does: a version, a codec's letter and a point.
func begins(s string) bool {
	j := 0
	for j < len(s) && s[j] >= '0' && s[j] <= '9' {
		j++
	}
	return j > 0 && j+1 < len(s) && s[j] >= 'a' && s[j] <= 'z' && s[j+1] == '.'
}

// Looks says whether a pasted text may be a share link, or have one in it: what Decode then says is worth showing.
func Looks(s string) bool {
	s = strings.TrimSpace(s)
	s = s[markAt(s)+1:]
	_, payload, _ := strings.Cut(s, ".")
	return begins(s) && payload != "" && isAlnum(payload[0])
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// cleaned is a pasted text without what programs put between its letters, and with its # again.
func cleaned(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || r == '<' || r == '>' {
			return -1 // line breaks of mail programs, soft hyphens, zero-width marks, brackets around links
		}
		return r
	}, s)
	return strings.ReplaceAll(strings.ReplaceAll(s, "%2523", "#"), "%23", "#")
}

// fragment finds the part of a pasted text that holds the scenario, without its view.
func fragment(s string) string {
	s = cleaned(s)
	switch i := markAt(s); {
	case i >= 0:
		s = s[i+1:]
	case strings.Contains(s, "?s="): // the address that spells the scenario out to the server
		_, s, _ = strings.Cut(s, "?s=")
	case strings.Contains(s, "://"):
		return ""
	}
	// quotes and brackets before a bare fragment
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r > 'z' || !isAlnum(byte(r)) })
	s, _ = SplitView(s)
	s, _, _ = strings.Cut(s, "&")
	return s
}

// SplitView cuts a link, or its fragment, into the part that says the scenario and the view after
// "&v=", which is never part of identity and may be empty.
func SplitView(s string) (link, view string) {
	for _, mark := range [...]string{"&v=", "%26v%3D", "%26v="} {
		if i := strings.Index(s, mark); i >= 0 {
			view, _, _ = strings.Cut(s[i+len(mark):], "&")
			return s[:i], view
		}
	}
	return s, ""
}
