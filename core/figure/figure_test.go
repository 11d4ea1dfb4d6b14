package figure

import (
	"math"
	"strings"
	"testing"

	"hadarlab/core/message"
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
		{hour, 12 * unit.Second, "12 seconds"},
		{60 * unit.Second, 12 * unit.Second, "12 seconds"},
	} {
		if got := UnitFor(c.span).Apart(nil, c.apart); got != c.want {
			t.Errorf("%v of %v: %q, want %q", c.apart, c.span, got, c.want)
		}
	}
}

// TestDecimalComma: in a language with a decimal comma every figure has it, whole numbers with thousands included.
func TestDecimalComma(t *testing.T) {
	german := words.Catalogue{"@lang": "de", ".": ",", ",": " "}
	for got, want := range map[string]string{
		Fixed(german, 1234.5, 2):                         "1 234,50",
		Fixed(german, -0.25, 2):                          "−0,25",
		Sig(german, 1200, 2):                             "1 200",
		Sig(german, 100, 4):                              "100",
		Sig(german, 0.0664, 3):                           "0,0664",
		Sig(german, 2.5, 4):                              "2,5",
		Sig(german, 1.25e-6, 3):                          "1,25 × 10⁻⁶",
		Percent(german, 0.005):                           "0,5 %",
		Point(german, "0.0664"):                          "0,0664",
		UnitFor(3600*unit.Second).Long(german, 90000):    "1,5 minutes",
		UnitFor(3600*unit.Second).At(german, 60000):      "minute 1",
		UnitFor(3600*unit.Second).Number(german, 600000): "10,0",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestFixed(t *testing.T) {
	for _, c := range []struct {
		v    float64
		n    int
		want string
	}{{0, 0, "0"}, {1234567, 0, "1,234,567"}, {-1234.5, 1, "−1,234.5"}, {-0.001, 1, "0.0"}, {999.96, 1, "1,000.0"},
		{12, 2, "12.00"}} {
		if got := Fixed(nil, c.v, c.n); got != c.want {
			t.Errorf("Fixed(%v, %d) = %q, want %q", c.v, c.n, got, c.want)
		}
	}
}

func TestSig(t *testing.T) {
	for _, c := range []struct {
		v    float64
		n    int
		want string
	}{{0, 3, "0"}, {1.6432, 3, "1.64"}, {0.0007844, 3, "0.000784"}, {2.4512e-5, 4, "2.451 × 10⁻⁵"}, {12.296, 3, "12.3"},
		{100, 3, "100"}, {1234, 2, "1,234"}, {-3.5, 2, "−3.5"}, {2e12, 3, "2 × 10¹²"},
		{9.9996e-5, 3, "1 × 10⁻⁴"}} {
		if got := Sig(nil, c.v, c.n); got != c.want {
			t.Errorf("Sig(%v, %d) = %q, want %q", c.v, c.n, got, c.want)
		}
	}
}

// TestSpread: two digits of the interval and never more than two decimals.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		mean, half float64
		want       string
	}{{1234.567, 321.9, "1,235 ± 322"}, {12.345, 2.345, "12.3 ± 2.3"}, {12.345, 0.2345, "12.35 ± 0.23"},
		{1.23456, 0.00012, "1.23 ± less than 0.01"}, {1.23456, 0, "1.23 ± 0"}, {1.23456, math.NaN(), "1.23"}} {
		if got := Spread(nil, c.mean, c.half); got != c.want {
			t.Errorf("%v ± %v is %q, want %q", c.mean, c.half, got, c.want)
		}
	}
}

func TestNamesOfTypesReadLikePeople(t *testing.T) {
	for in, want := range map[string]string{"v100": "V100", "a10g": "A10G", "rtx-a2000": "RTX-A2000", "t4": "T4"} {
		if got := TypeTitle(in); got != want {
			t.Errorf("%s becomes %s", in, got)
		}
	}
}

// TestOneOfAUnit: a unit that is a word has its singular after 1, and after nothing else.
func TestOneOfAUnit(t *testing.T) {
	for _, c := range []struct {
		v        float64
		of, want string
	}{{0.001, "", "0.001"}, {0.00012, "", "0.00012"}, {5.67e-6, "", "5.67 × 10⁻⁶"},
		{0.001, "steps/s", "0.001 steps/s"}, {1, "steps/s", "1 step/s"}, {1, "GPU-s", "1 GPU-second"},
		{3600, "GPU-s", "1 GPU-hour"}, {36, "GPU-s", "36 GPU-seconds"}, {0, "", "0"}, {1, "", "1"}, {1, "s", "1 s"}} {
		if got := Say(nil, c.v, c.of); got != c.want {
			t.Errorf("%v %s is %q, want %q", c.v, c.of, got, c.want)
		}
	}
}

// TestDifferencesAreSaidAlike: a share of a base and points of two shares stand on the same side in the same words.
func TestDifferencesAreSaidAlike(t *testing.T) {
	for got, want := range map[string]string{
		Against(nil, -0.25):                   "25 % below",
		Against(nil, 0.25):                    "25 % above",
		Against(nil, 0.02):                    "2 % above",
		Against(nil, -0.0199):                 "2 % below",
		Against(nil, 0.0204):                  "2.04 % above",
		Against(nil, -0.0231):                 "2.3 % below",
		Against(nil, 0.026):                   "3 % above",
		Apart(nil, -12.4, Points(nil, -12.4)): "12 pts below",
		Apart(nil, 1.2, Points(nil, 1.2)):     "1 pt above",
		Apart(nil, 0.44, Points(nil, 0.44)):   "0.4 pts above",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestWhatIsNoTieIsNotWrittenAsOne: up to 2 % is a tie, and nothing above that is written as 2 %.
func TestWhatIsNoTieIsNotWrittenAsOne(t *testing.T) {
	if tie != message.Tie {
		t.Errorf("a tie is %v here and %v in results", tie, message.Tie)
	}
	band := Percent(nil, message.Tie)
	for v := 0.0195; v < 0.03; v += 0.00001 {
		if says := Against(nil, v); v > message.Tie && strings.HasPrefix(says, band+" ") {
			t.Errorf("%v is no tie, and %q", v, says)
		}
	}
}
