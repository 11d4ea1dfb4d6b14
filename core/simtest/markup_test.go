package simtest

import (
	"strings"
	"testing"
)

// TestBlemishesAreFound: of what no picture may hold each is found, wherever it stands, and no word that only looks so.
func TestBlemishesAreFound(t *testing.T) {
	fine := `<p class="Info">Information, Infinity-free, <rect x="-3" data-over="-1" width="3"/> NaNs</p>`
	for bad, found := range map[string]bool{`NaN`: true, `"Inf"`: true, ` +Inf `: true, `<rect width="-0.5"/>`: true,
		`<rect height="-1"/>`: true, `<circle r="-2"/>`: true, `<ellipse ry="-2"/>`: true, `x="-2"`: false,
		"Info": false} {
		for _, markup := range []string{bad + fine, fine + bad, fine + bad + fine} {
			if got := Blemish(markup); (got != "") != found || !strings.Contains(markup, got) {
				t.Errorf("%q in %q", got, markup)
			}
		}
	}
}
