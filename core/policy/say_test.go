package policy

import (
	"testing"

	"hadarlab/core/figure"
)

// TestPrioritiesHaveEqualDigits: numbers that a sentence sets beside each other are written alike, and apart where they
// differ.
func TestPrioritiesHaveEqualDigits(t *testing.T) {
	for _, c := range []struct {
		v    float64
		than []float64
		want string
	}{
		{1.2427, []float64{1.24273}, "1.24270 1.24273"},
		{2.961, []float64{10.31, 11.9}, "2.96 10.31 11.90"},
		{1.5, []float64{1.5}, "1.50 1.50"},
		{0.0004, []float64{2}, "0.0004 2.0000"},
	} {
		decimals := 2
		for _, v := range c.than {
			decimals = Apart(decimals, c.v, v)
		}
		got := figure.Fixed(nil, c.v, decimals)
		for _, v := range c.than {
			got += " " + figure.Fixed(nil, v, decimals)
		}
		if got != c.want {
			t.Errorf("%v and %v: %s, want %s", c.v, c.than, got, c.want)
		}
	}
}
