package draw

import (
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"

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

// TestGoldenSweeps is the pictures of a varied number and of intervals, one element a line.
func TestGoldenSweeps(t *testing.T) {
	low, high, under, over := 3.0, 5.0, -1.5, 0.5
	ws := []chart.Whisker{chart.Whisk(&message.Estimate{Mean: 4, Low: &low, High: &high}, 1, "A", "a"),
		chart.Whisk(&message.Estimate{Mean: 6}, 1, "B", "b")}
	apart := []chart.Whisker{chart.Whisk(&message.Estimate{Mean: -.5, Low: &under, High: &over}, 1, "B", "b")}
	v := crossing()
	y := v.Scale()
	out := []string{VarySVG(nil, v, 1, "A & B"), ScaleSVG(nil, &y, "", 44), WhiskersSVG(nil, ws, false, "means"),
		WhiskersSVG(nil, apart, true, "differences")}
	got := strings.ReplaceAll(strings.Join(out, "\n"), "><", ">\n<") + "\n"
	golden(t, "sweeps.svg.txt", got)
}

// TestLabelsOfValues: every value that fits has its label, the ends and the scenario's own value first, and the axis
// says that it is logarithmic.
func TestLabelsOfValues(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		now  float64
		want []string // the labels, then the name
	}{
		{[]float64{0, 60, 120, 180, 240, 300}, 120, []string{"0", "120", "300", "60", "180", "240", "Round, s"}},
		{[]float64{90, 180, 360, 720, 1440, 2880}, 360, []string{"90", "360", "2,880", "180", "720", "1,440",
			"Round, s (log scale)"}},
		{[]float64{10001, 10002, 10003, 10004, 10005, 10006, 10007, 10008, 10009}, 10004,
			[]string{"10,001", "10,004", "10,009", "10,006", "Round, s"}},
		{[]float64{1, 1.01, 1.02, 50}, 1.01, []string{"1", "50", "Round, s (log scale)"}},
	} {
		v := &chart.Vary{X: c.x, Now: c.now, Name: "Round, s"}
		w, x := &svg{}, v.Axis()
		varied{Vary: v}.values(w, &x)
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
		v := &chart.Vary{X: []float64{0, 300}, Now: now}
		if n := strings.Count(VarySVG(nil, v, -1, ""), `data-role="now"`); n != want {
			t.Errorf("%d marks at %v, want %d", n, now, want)
		}
	}
}

// TestWhiskerAlone: a mean without an interval is drawn whole.
func TestWhiskerAlone(t *testing.T) {
	svg := WhiskersSVG(nil, []chart.Whisker{chart.Whisk(&message.Estimate{Mean: 1}, 1, "A", "a")}, false, "")
	if bad := simtest.Blemish(svg); bad != "" {
		t.Error(bad)
	}
}
