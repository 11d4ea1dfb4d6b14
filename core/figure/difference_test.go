package figure

import (
	"math"
	"testing"

	"hadarlab/core/words"
)

// TestDifferenceFollows: what is left comes out of the two numbers as they are written.
func TestDifferenceFollows(t *testing.T) {
	german := words.Catalogue{"@lang": "de", ".": ",", ",": "\u202f"}
	s := Scale{Per: 1}
	for _, c := range []struct {
		in      words.Catalogue
		a, b    float64
		x, y, d string
	}{{nil, 0.15, 0.000317, "0.15", "0.000317", "+0.149683"}, {german, 0.15, 0.000317, "0,15", "0,000317", "+0,149683"},
		{nil, 0.15, 0.0718, "0.15", "0.0718", "+0.0782"}, {nil, 0.12, 0.15, "0.12", "0.15", "−0.03"},
		{nil, 1234, 0.5, "1,234", "0.5", "+1,233.5"}, {nil, 0.1, 0.1, "0.1", "0.1", "0"},
		{nil, 0.15, 0.00005, "0.15", "5 × 10⁻⁵", "+0.14995"}, {nil, 2, 0, "2", "0", "+2"},
		{nil, math.Inf(1), 1, "–", "1", "–"}} {
		if x, y, d := s.Difference(c.in, c.a, c.b); x != c.x || y != c.y || d != c.d {
			t.Errorf("%v − %v: %s − %s = %s", c.a, c.b, x, y, d)
		}
	}
}
