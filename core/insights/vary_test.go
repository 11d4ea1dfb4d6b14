package insights

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/message"
)

func line(name, style, letter string, cut int, y ...float64) chart.VaryLine {
	l := chart.VaryLine{Name: name, Style: style, Letter: letter, Y: y, Cut: make([]bool, len(y))}
	if cut >= 0 {
		l.Cut[cut] = true
	}
	return l
}

func crossing() *chart.Vary {
	return &chart.Vary{X: []float64{2, 3, 4, 5}, Now: 3, Name: "V100 on n2, GPUs", Noun: "V100 on n2",
		What: "mean completion", Good: -1, Lines: []chart.VaryLine{
			line("Hadar", "a", "A", -1, 10, 10, 12, 16), line("Gavel", "b", "B", 3, 20, 16, 12, 10),
			line("FIFO", "c", "C", -1, 30, chart.Unfinished, 14, 12)}}
}

func TestVarySentences(t *testing.T) {
	all := crossing()
	two, one, half := *all, *all, *all
	two.Lines = []chart.VaryLine{line("Hadar", "a", "A", -1, 10, 10, 12, 16),
		line("Gavel", "b", "B", -1, 20, 16, 13, 12)}
	one.Lines = all.Lines[:1]
	half.Lines = []chart.VaryLine{line("Hadar", "a", "A", -1, 10, 10, chart.Unfinished, chart.Unfinished),
		line("Gavel", "b", "B", -1, 20, 10, chart.Unfinished, chart.Unfinished)}
	for _, c := range []struct {
		v              *chart.Vary
		claim, because string
	}{
		{&two, "Gavel becomes better than Hadar in mean completion between 4 and 5 V100 on n2.", ""},
		{all, "FIFO becomes better than Hadar in mean completion between 4 and 5 V100 on n2.",
			"At one value not every run finishes its jobs; one that does not has a cross and is not compared."},
		{&one, "Hadar does best in mean completion at 2 V100 on n2, and at other values as well.", ""},
		{&chart.Vary{X: []float64{1, 2}, What: "x", Good: -1, Noun: "s", Lines: []chart.VaryLine{
			line("A", "a", "A", -1, 5, 4)}}, "A does best in x at 2 s.", ""},
		{&chart.Vary{X: []float64{1, 2}, What: "x", Good: -1, Noun: "s", Lines: []chart.VaryLine{
			line("A", "a", "A", -1, 5, 5)}}, "A does equally well in x at every value.", ""},
		{&chart.Vary{X: []float64{1, 2, 3}, What: "x", Good: -1, Noun: "s", Lines: []chart.VaryLine{
			line("A", "a", "A", 2, 5, 5, 9)}}, "A does equally well in x at the 2 values that can be compared.",
			"At one value not every run finishes its jobs; one that does not has a cross and is not compared."},
		{
			&half,
			"Hadar’s mean completion is 50 % below Gavel’s or ties with it, at the 2 values that can be compared.", ""},
		{&chart.Vary{X: []float64{1, 2}, What: "GPU utilisation", Good: 1, Share: true,
			Lines: []chart.VaryLine{line("A", "a", "A", -1, 50, 60), line("B", "b", "B", -1, 80, 80)}},
			"A’s GPU utilisation is between 20 pts and 30 pts below B’s, at every value.", ""},
		{&chart.Vary{X: []float64{1, 2}, What: "x", Good: -1, Lines: []chart.VaryLine{line("A", "a", "A", -1, 5, 5),
			line("B", "b", "B", -1, 10, 10)}}, "A’s x is 50 % below B’s, at every value.", ""},
		{&chart.Vary{X: []float64{1, 2}, What: "mean wait", Good: -1, Lines: []chart.VaryLine{
			line("A", "a", "A", -1, 5, 5), line("B", "b", "B", -1, 0, 1)}},
			"A’s mean wait is above B’s, at every value.", ""},
		{&chart.Vary{X: []float64{1, 2}, What: "mean wait", Good: -1, Lines: []chart.VaryLine{
			line("A", "a", "A", -1, 5, 0), line("B", "b", "B", -1, 0, 0)}},
			"A’s mean wait is above B’s or ties with it, at every value.", ""},
		{&chart.Vary{X: []float64{1, 2}, What: "GPUs busy", Good: 1, Share: true,
			Lines: []chart.VaryLine{line("A", "a", "A", -1, 50, 60), line("B", "b", "B", -1, 0, 50)}},
			"A’s GPUs busy is between 10 pts and 50 pts above B’s, at every value.", ""},
		{&chart.Vary{X: []float64{1, 2}, What: "x", Good: 1, Lines: []chart.VaryLine{line("A", "a", "A", -1, 5, 6),
			line("B", "b", "B", -1, 5, 6)}}, "A and B tie in x at every value: they differ by at most 2 %.", ""},
		{&chart.Vary{X: []float64{1}, What: "x", Good: 1, Lines: []chart.VaryLine{line("A", "a", "A", 0, 5),
			line("B", "b", "B", -1, 5)}}, "There is nothing to compare yet.",
			"At one value not every run finishes its jobs; one that does not has a cross and is not compared."},
	} {
		if got := Vary(nil, c.v); got.Claim != c.claim || got.Because != c.because {
			t.Errorf("%q %q, want %q %q", got.Claim, got.Because, c.claim, c.because)
		}
	}
}

func TestReplicatesSentences(t *testing.T) {
	estimate := func(mean, low, high float64, same, n int) *message.Estimate {
		return &message.Estimate{Mean: mean, Low: &low, High: &high, SameSign: same, N: n}
	}
	for _, c := range []struct {
		e              *message.Estimate
		claim, because string
	}{
		{estimate(252, 186, 318, 18, 20),
			"On average a job completes 4.2 ± 1.1 minutes later under Gavel than the same job under Hadar; the sign agrees in 18 of 20 seeds.", "a single seed need not"},
		{estimate(-30, -90, 30, 4, 6),
			"On average a job completes 30 ± 60 seconds sooner under Gavel than the same job under Hadar; the sign agrees in 4 of 6 seeds.", "contains 0"},
		{estimate(0, 0, 0, 5, 5), "Gavel and Hadar complete the same jobs alike with each of 5 seeds.", ""},
		{estimate(60, 60, 60, 5, 5),
			"On average a job completes 60.00 ± 0 seconds later under Gavel than the same job under Hadar; the sign agrees in 5 of 5 seeds.", "same difference"},
		{&message.Estimate{Mean: 60, N: 1}, "One seed is done: there is no interval yet.", ""},
	} {
		if got := Replicates(nil, "Gavel", "Hadar", c.e); got.Claim != c.claim ||
			!strings.Contains(got.Because, c.because) {
			t.Errorf("%q %q, want %q", got.Claim, got.Because, c.claim)
		}
	}
}
