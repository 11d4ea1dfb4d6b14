package draw

import (
	"strings"
	"testing"
)

func TestCaptionsBreakAnywhereButWithinACharacter(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"abc", []string{"abc"}},
		{"abcdefgh", []string{"abcd", "efgh"}},
		{"abcdefghi", []string{"abcd", "efgh", "i"}},
		{"ab\ncdefg\n", []string{"ab", "cdef", "g"}},
		{"abcd\nef", []string{"abcd", "ef"}},
		{"abcé fgh", []string{"abcé", " fgh"}},
	} {
		if got := broken(c.text, 4); strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%q is broken into %q, want %q", c.text, got, c.want)
		}
	}
	if SheetSVG(nil, nil, "title", "caption") != "" {
		t.Error("a sheet without lanes has a text")
	}
}
