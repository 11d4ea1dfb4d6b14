package chart

import (
	"testing"

	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// TestApart: a difference that reads as a small part of an hour or a day is written in the next smaller unit.
func TestApart(t *testing.T) {
	hour := 3600 * unit.Second
	for _, c := range []struct {
		span, apart unit.Tick
		want        string
	}{
		{15 * hour, 700 * unit.Second, "11.7 minutes"},
		{15 * hour, hour / 2, "0.5 hours"},
		{15 * hour, 2 * hour, "2 hours"},
		{20 * 24 * hour, 700 * unit.Second, "11.7 minutes"},
		{20 * 24 * hour, 3 * hour, "3 hours"},
		{20 * 24 * hour, 30 * hour, "1.2 days"},
		{hour, 12 * unit.Second, "0.2 minutes"},
		{60 * unit.Second, 12 * unit.Second, "12 seconds"},
	} {
		if got := UnitFor(c.span).apart(c.apart); got != c.want {
			t.Errorf("%v of %v: %q, want %q", c.apart, c.span, got, c.want)
		}
	}
}

// TestDecimalComma: in a language with a decimal comma every figure has it, whole numbers with thousands included.
func TestDecimalComma(t *testing.T) {
	words.Use(map[string]string{"@lang": "de", ".": ",", ",": " "})
	defer words.Use(nil)
	for got, want := range map[string]string{
		Fixed(1234.5, 2):                        "1 234,50",
		Fixed(-0.25, 2):                         "−0,25",
		Sig(1200, 2):                            "1 200",
		Sig(100, 4):                             "100",
		Sig(0.0664, 3):                          "0,0664",
		Sig(2.5, 4):                             "2,5",
		Sig(1.25e-6, 3):                         "1,25e−6",
		Percent(0.005):                          "0,5 %",
		Point("0.0664"):                         "0,0664",
		UnitFor(3600 * unit.Second).Long(90000): "1,5 minutes",
		UnitFor(3600 * unit.Second).At(60000):   "minute 1",
		UnitFor(3600 * unit.Second).Number(600000): "10,0",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
