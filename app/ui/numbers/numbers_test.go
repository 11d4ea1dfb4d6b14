package numbers

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/app/compare"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/unit"
)

// TestEveryFigureIsOneOfARun: the table's rows are found among the figures of a run by their names.
func TestEveryFigureIsOneOfARun(t *testing.T) {
	l := &message.Lane{Outcome: "done", Bounds: &message.Bounds{MakespanS: 1, AvgJCTS: 1}, Metrics: message.Metrics{
		MakespanS: 1, AvgJCTS: 1, P50JCTS: 1, P95JCTS: 1, P99JCTS: 1, BusyGPUS: 1, RentUSD: 1, RentIdleUSD: 1,
		FTFAvg: 1, FTFP50: 1, FTFP95: 1, FTFMax: 1}}
	for i := range figures {
		if math.IsNaN(figures[i].of(l)) {
			t.Errorf("no figure %s", figures[i].Name)
		}
	}
}

// TestADifferenceIsThatOfTheShownFigures: a reader who subtracts the two columns finds the third.
func TestADifferenceIsThatOfTheShownFigures(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b float64
		want string
	}{
		{"ftf_max", 1.4352, 2.4648, "1.02 below"}, // shown as 1.44 and 2.46
		{"ftf_max", 2.4648, 1.4352, "1.02 above"},
		{"preemptions", 0, 10, "10 below"},
		{"busy_gpu_s", 3600, 5418, "0.51 below"}, // 1.00 and 1.51 GPU-h
		{"cost_usd", 120.4, 99.5, "21 % above"},
		{"rounds", 1500, 2, "1,498 above"},
		{"avg_jct_s", 60, 120, "50 % below"},
		{"ftf_max", 1.001, 1.002, "alike"},
	} {
		for i := range figures {
			if figures[i].Name != c.name {
				continue
			}
			if got := figures[i].gap(c.a, c.b, figure.UnitFor(unit.Second)); got != c.want {
				t.Errorf("%s, %v against %v: %q, want %q", c.name, c.a, c.b, got, c.want)
			}
		}
	}
}

// TestAPointWithoutAFigureSaysSo: of a run in which no job finishes there is no mean completion to tell, nor a dash.
func TestAPointWithoutAFigureSaysSo(t *testing.T) {
	c := &Vary{Of: compare.Vary{Sweep: compare.Sweep{Titles: []string{"Hadar", "FIFO"},
		Points: []message.SweepPoint{{Runs: []message.Lane{{Metrics: message.Metrics{AvgJCTS: 90}}, {}}}}}}}
	if got, want := c.at(0, scale{"s", 1}), ". Hadar 90 s. FIFO: no job finishes."; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// TestAShareIsThatOfTheShownTimes: a reader who divides two columns finds the third, within a per cent, whatever
// unit times are shown in that are a fifth of the longest or more.
func TestAShareIsThatOfTheShownTimes(t *testing.T) {
	f := &figures[slices.IndexFunc(figures, func(m measure) bool { return m.Name == "avg_jct_s" })]
	for _, end := range []float64{3000, 14_000, 40_000, 72_360, 300_000, 2_000_000} {
		u := figure.SecondsUnit(end)
		for k := 20; k < 90; k++ {
			a, b := end*float64(k)/97, end*float64(k+3)/97
			x, errA := strconv.ParseFloat(f.say(a, u), 64)
			y, errB := strconv.ParseFloat(f.say(b, u), 64)
			told, errC := strconv.ParseFloat(strings.TrimSuffix(f.gap(a, b, u), " % below"), 64)
			if errA != nil || errB != nil || errC != nil || math.Abs(100*(1-x/y)-told) > 1 {
				t.Errorf("%s and %s %s are told as %s", f.say(a, u), f.say(b, u), u.Short, f.gap(a, b, u))
			}
		}
	}
}
