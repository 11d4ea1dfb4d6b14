package edit

import "testing"

func TestParseNumber(t *testing.T) {
	r := Range{Min: 0, Max: 1e6, Unit: "s"}
	for text, want := range map[string]float64{"5": 5, "21,600": 21600, " 21 600 ": 21600, "1e3": 1000, "0.5": 0.5,
		"999,999.5": 999999.5} {
		if v, problem := ParseNumber(text, r); v != want || problem != "" {
			t.Errorf("%q gives %v, %q", text, v, problem)
		}
	}
	for _, text := range []string{"", "x", "-1", "1e7", "nan", "inf", "0x10", "1/0", "--1", "1e999", "0,5", "21,6",
		"1.234,5"} {
		if _, problem := ParseNumber(text, r); problem == "" {
			t.Errorf("%q is taken", text)
		}
	}
}
