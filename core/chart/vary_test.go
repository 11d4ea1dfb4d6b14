package chart

import (
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/message"
)

func line(name, style, letter string, cut int, y ...float64) VaryLine {
	l := VaryLine{Name: name, Style: style, Letter: letter, Y: y, Cut: make([]bool, len(y))}
	if cut >= 0 {
		l.Cut[cut] = true
	}
	return l
}

func crossing() *Vary {
	return &Vary{X: []float64{2, 3, 4, 5}, Now: 3, Name: "V100 on n2, GPUs", Noun: "V100 on n2", What: "mean completion", Good: -1, Lines: []VaryLine{
		line("Hadar", "a", "A", -1, 10, 10, 12, 16), line("Gavel", "b", "B", 3, 20, 16, 12, 10), line("FIFO", "c", "C", -1, 30, Unfinished, 14, 12)}}
}

// TestGoldenSweeps is the pictures of a varied number and of intervals, one element a line.
func TestGoldenSweeps(t *testing.T) {
	low, high, under, over := 3.0, 5.0, -1.5, 0.5
	ws := []Whisker{Whisk(&message.Estimate{Mean: 4, Low: &low, High: &high}, 1, "A", "a"), Whisk(&message.Estimate{Mean: 6}, 1, "B", "b")}
	apart := []Whisker{Whisk(&message.Estimate{Mean: -.5, Low: &under, High: &over}, 1, "B", "b")}
	v := crossing()
	y := v.Scale()
	out := []string{v.SVG(1, "A & B"), ScaleSVG(&y, "", 44), WhiskersSVG(ws, false, "means"), WhiskersSVG(apart, true, "differences")}
	got := strings.ReplaceAll(strings.Join(out, "\n"), "><", ">\n<") + "\n"
	golden(t, "sweeps.svg.txt", got)
}

// TestCrossings: the lead of each pair, with ties inside the change and runs that are not whole left out.
func TestCrossings(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		good int
		want []Crossing
	}{
		{[]float64{1, 2, 4}, []float64{3, 3, 3}, -1, []Crossing{{1, 2, 0, 1}}},
		{[]float64{1, 2, 4}, []float64{3, 3, 3}, 1, []Crossing{{1, 2, 1, 0}}},
		{[]float64{1, 3, 3, 4}, []float64{3, 3, 3, 3}, -1, []Crossing{{0, 3, 0, 1}}},
		{[]float64{1, 3, 1}, []float64{3, 3, 3}, -1, nil},
		{[]float64{1, math.NaN(), 4, 1}, []float64{3, 3, 3, 3}, -1, []Crossing{{0, 2, 0, 1}, {2, 3, 1, 0}}},
		{[]float64{3, 3 + 1e-12}, []float64{3, 3}, -1, nil},
	} {
		v := &Vary{Good: c.good, Lines: []VaryLine{line("A", "a", "A", -1, c.a...), line("B", "b", "B", -1, c.b...)}}
		for i := range c.a {
			v.X = append(v.X, float64(i))
		}
		if got := v.Crossings(); !slices.Equal(got, c.want) {
			t.Errorf("%v against %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	v := crossing()
	v.Lines = v.Lines[:2]
	v.Lines[1].Cut[3] = false
	x := v.axis()
	if at, y := v.meet(v.Crossings()[0], &x); len(v.Crossings()) != 1 || at != place(&x, 4) || y != 12 {
		t.Errorf("they meet at %v, %v", at, y)
	}
	v.Lines[1].Y[2] = 14
	if at, y := v.meet(v.Crossings()[0], &x); math.Abs(at-place(&x, 4.25)) > 1e-12 || math.Abs(y-13) > 1e-12 {
		t.Errorf("they meet at %v, %v", at, y)
	}
}

// TestLabelsOfValues: every value that fits has its label, the ends and the scenario's own value first, and the axis says
// that it is logarithmic.
func TestLabelsOfValues(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		now  float64
		want []string // the labels, then the name
	}{
		{[]float64{0, 60, 120, 180, 240, 300}, 120, []string{"0", "120", "300", "60", "180", "240", "Round, s"}},
		{[]float64{90, 180, 360, 720, 1440, 2880}, 360, []string{"90", "360", "2,880", "180", "720", "1,440", "Round, s (log scale)"}},
		{[]float64{10001, 10002, 10003, 10004, 10005, 10006, 10007, 10008, 10009}, 10004, []string{"10,001", "10,004", "10,009", "10,006", "Round, s"}},
		{[]float64{1, 1.01, 1.02, 50}, 1.01, []string{"1", "50", "Round, s (log scale)"}},
	} {
		v := &Vary{X: c.x, Now: c.now, Name: "Round, s"}
		w, x := &svg{}, v.axis()
		v.values(w, &x)
		var got []string
		for _, part := range strings.Split(string(w.b), "</text>") {
			if _, label, ok := strings.Cut(part, `"middle">`); ok {
				got = append(got, label)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: labels %q, want %q", c.x, got, c.want)
		}
	}
	for now, want := range map[float64]int{0: 1, 45: 1, 300: 1, 301: 0, math.Inf(-1): 0} {
		v := &Vary{X: []float64{0, 300}, Now: now}
		if n := strings.Count(v.SVG(-1, ""), `data-role="now"`); n != want {
			t.Errorf("%d marks at %v, want %d", n, now, want)
		}
	}
}

func TestVarySentences(t *testing.T) {
	all := crossing()
	two, one, half := *all, *all, *all
	two.Lines = []VaryLine{line("Hadar", "a", "A", -1, 10, 10, 12, 16), line("Gavel", "b", "B", -1, 20, 16, 13, 12)}
	one.Lines = all.Lines[:1]
	half.Lines = []VaryLine{line("Hadar", "a", "A", -1, 10, 10, Unfinished, Unfinished), line("Gavel", "b", "B", -1, 20, 10, Unfinished, Unfinished)}
	for _, c := range []struct {
		v              *Vary
		claim, because string
	}{
		{&two, "Gavel becomes better than Hadar in mean completion between 4 and 5 V100 on n2.", ""},
		{all, "FIFO becomes better than Hadar in mean completion between 4 and 5 V100 on n2.", "At one value not every job finishes; its runs have a cross and are not compared."},
		{&one, "Hadar does best in mean completion at 2 V100 on n2.", ""},
		{&half, "Hadar is better than Gavel in mean completion or alike at the 2 values that can be compared, by up to 50 %.", ""},
		{&Vary{X: []float64{1, 2}, What: "GPU utilisation", Good: 1, Lines: []VaryLine{line("A", "a", "A", -1, 50, 60), line("B", "b", "B", -1, 80, 80)}}, "B is better than A in GPU utilisation at every value, by 25 % to 38 %.", ""},
		{&Vary{X: []float64{1, 2}, What: "x", Good: -1, Lines: []VaryLine{line("A", "a", "A", -1, 5, 5), line("B", "b", "B", -1, 10, 10)}}, "A is better than B in x at every value, by 50 %.", ""},
		{&Vary{X: []float64{1, 2}, What: "x", Good: 1, Lines: []VaryLine{line("A", "a", "A", -1, 5, 6), line("B", "b", "B", -1, 5, 6)}}, "A and B are alike in x at every value.", ""},
		{&Vary{X: []float64{1}, What: "x", Good: 1, Lines: []VaryLine{line("A", "a", "A", 0, 5), line("B", "b", "B", -1, 5)}}, "There is nothing to compare yet.", "At one value not every job finishes; its runs have a cross and are not compared."},
	} {
		if got := c.v.Finding(); got.Claim != c.claim || got.Because != c.because {
			t.Errorf("%q %q, want %q %q", got.Claim, got.Because, c.claim, c.because)
		}
	}
}

func TestSureSentences(t *testing.T) {
	estimate := func(mean, low, high float64, same, n int) *message.Estimate {
		return &message.Estimate{Mean: mean, Low: &low, High: &high, SameSign: same, N: n}
	}
	for _, c := range []struct {
		e              *message.Estimate
		claim, because string
	}{
		{estimate(252, 186, 318, 18, 20), "Under Gavel a job completes 4.2 ± 1.1 minutes later than the same job under Hadar; the sign agrees in 18 of 20 seeds.", "leaves 0 out"},
		{estimate(-30, -90, 30, 4, 6), "Under Gavel a job completes 30 ± 60 seconds sooner than the same job under Hadar; the sign agrees in 4 of 6 seeds.", "holds 0"},
		{estimate(0, 0, 0, 5, 5), "Gavel and Hadar complete the same jobs alike with each of 5 seeds.", ""},
		{estimate(60, 60, 60, 5, 5), "Under Gavel a job completes 60.00 seconds later than the same job under Hadar; the sign agrees in 5 of 5 seeds.", "same difference"},
		{&message.Estimate{Mean: 60, N: 1}, "One seed is done: there is no interval yet.", ""},
	} {
		if got := SureSentence("Gavel", "Hadar", c.e); got.Claim != c.claim || !strings.Contains(got.Because, c.because) {
			t.Errorf("%q %q, want %q", got.Claim, got.Because, c.claim)
		}
	}
}

// TestSpread: two digits of the interval and never more than two decimals.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		mean, half float64
		want       string
	}{{1234.567, 321.9, "1,235 ± 322"}, {12.345, 2.345, "12.3 ± 2.3"}, {12.345, 0.2345, "12.35 ± 0.23"}, {1.23456, 0.00012, "1.23 ± less than 0.01"}, {1.23456, 0, "1.23"}, {1.23456, math.NaN(), "1.23"}} {
		if got := Spread(c.mean, c.half); got != c.want {
			t.Errorf("%v ± %v is %q, want %q", c.mean, c.half, got, c.want)
		}
	}
}
