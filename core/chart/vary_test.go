package chart

import (
	"math"
	"slices"
	"testing"
)

func line(name, style, letter string, cut int, y ...float64) VaryLine {
	l := VaryLine{Name: name, Style: style, Letter: letter, Y: y, Cut: make([]bool, len(y))}
	if cut >= 0 {
		l.Cut[cut] = true
	}
	return l
}

func crossing() *Vary {
	return &Vary{X: []float64{2, 3, 4, 5}, Now: 3, Name: "V100 on n2, GPUs", Noun: "V100 on n2",
		What: "mean completion", Good: -1, Lines: []VaryLine{
			line("Hadar", "a", "A", -1, 10, 10, 12, 16), line("Gavel", "b", "B", 3, 20, 16, 12, 10),
			line("FIFO", "c", "C", -1, 30, Unfinished, 14, 12)}}
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
	x := v.Axis()
	if at, y := v.Meet(v.Crossings()[0], &x); len(v.Crossings()) != 1 || at != Place(&x, 4) || y != 12 {
		t.Errorf("they meet at %v, %v", at, y)
	}
	v.Lines[1].Y[2] = 14
	if at, y := v.Meet(v.Crossings()[0], &x); math.Abs(at-Place(&x, 4.25)) > 1e-12 || math.Abs(y-13) > 1e-12 {
		t.Errorf("they meet at %v, %v", at, y)
	}
}
