package draw

import (
	"math"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// varied is a figure over the values of a number while it is drawn.
type varied struct {
	*chart.Vary
	in words.Catalogue
}

// VarySVG draws the lines, a mark a run, the crossings, and a band at the value under the cursor, -1 = none. Each value
// has a place to click.
func VarySVG(in words.Catalogue, of *chart.Vary, here int, title string) string {
	v, w := varied{in: in, Vary: of}, &svg{in: in}
	x, y := v.Axis(), v.Scale()
	w.put(`<svg data-role="vary" width="100%" height="$" role="img" aria-label="$">`, itoa(CurveHeight+42), title)
	w.grid(&y)
	for i := range v.X {
		from, to := 0.0, 1.0
		if i > 0 {
			from = (chart.Place(&x, v.X[i-1]) + chart.Place(&x, v.X[i])) / 2
		}
		if i+1 < len(v.X) {
			to = (chart.Place(&x, v.X[i]) + chart.Place(&x, v.X[i+1])) / 2
		}
		mark := ""
		if i == here {
			mark = "true"
		}
		w.put(`<rect data-role="value" data-value="$" data-here="$" x="$" width="$" height="$"><title>`, itoa(i), mark,
			pct(from), pct(to-from), itoa(CurveHeight))
		w.text(v.says(i))
		w.close("title")
		w.close("rect")
	}
	for _, c := range v.Crossings() {
		at, _ := v.Meet(c, &x)
		w.put(`<line data-role="cross" x1="$" x2="$" y1="0" y2="$"/>`, pct(at), pct(at), itoa(CurveHeight))
	}
	w.plot(CurveHeight)
	for _, l := range v.Lines {
		w.put(`<path data-series="$" d="$"/>`, l.Style, v.path(&l, &x, &y))
	}
	w.close("svg")
	v.points(w, &x, &y)
	v.crosses(w, &x, &y)
	v.values(w, &x)
	return w.end()
}

// says names a value and what every policy does there.
func (v varied) says(i int) string {
	s := figure.Sig(v.in, v.X[i], 6) + " " + v.Noun
	for _, l := range v.Lines {
		if !math.IsNaN(l.Y[i]) {
			s += ", " + l.Name + " " + figure.Sig(v.in, l.Y[i], 4)
		}
	}
	return s
}

// path is a line as path data over 1000 units of width, with gaps where there is no run.
func (v varied) path(l *chart.VaryLine, x, y *chart.Scale) string {
	var d []byte
	next := "M"
	for i, value := range l.Y {
		if math.IsNaN(value) {
			next = "M"
			continue
		}
		d = append(append(append(append(d, next...), px(chart.Place(x, v.X[i])*1000)...), ' '),
			px(y.Down(value, CurveHeight))...)
		next = "L"
	}
	return string(d)
}

// cutMark is the outline of a run in which not every job has finished.
const cutMark = "M-4 -4L4 4M4 -4L-4 4"

// points are the runs, and the letter of a policy at its last one.
func (v varied) points(w *svg, x, y *chart.Scale) {
	var taken []float64
	for _, l := range v.Lines {
		last := -1
		for i, value := range l.Y {
			if math.IsNaN(value) {
				continue
			}
			last = i
			at, down := pct(chart.Place(x, v.X[i])), px(y.Down(value, CurveHeight))
			if l.Cut[i] {
				w.put(`<svg x="$" y="$" width="1" height="1" overflow="visible"><path data-role="cut" d="$"/></svg>`,
					at, down, cutMark)
				continue
			}
			w.put(`<circle data-role="step" data-series-of="$" cx="$" cy="$" r="3.5"/>`, l.Style, at, down)
		}
		if last < 0 {
			continue
		}
		down := y.Down(l.Y[last], CurveHeight) + 4
		for _, t := range taken {
			switch gap := down - t; {
			case gap >= 0 && gap < 12:
				down = t + 12
			case gap < 0 && gap > -12:
				down = t - 12
			}
		}
		taken = append(taken, down)
		w.put(`<text data-part="strong" x="$" dx="9" y="$">$</text>`, pct(chart.Place(x, v.X[last])), px(down),
			l.Letter)
	}
}

// crosses are the marks where lines meet.
func (v varied) crosses(w *svg, x, y *chart.Scale) {
	for _, c := range v.Crossings() {
		at, high := v.Meet(c, x)
		w.put(
			`<svg x="$" y="$" width="1" height="1" overflow="visible"><path data-role="crossing" d="$" transform="translate(-6 -6)"/></svg>`,
			pct(at), px(y.Down(high, CurveHeight)), chart.Diamond)
	}
}

// NowMark is the outline of the mark at the scenario's own value; its tip is at the axis.
const NowMark = "M0 0L5 8H-5z"

// Widths as shares of a narrow picture of 190 px: of a digit, and between two labels.
const (
	digitWidth = 0.033
	labelGap   = 0.02
)

// values are the mark of the scenario's own value, the labels below, as many as fit into a narrow picture, and the name
// of the number. The ends and the scenario's own value have the first say.
func (v varied) values(w *svg, x *chart.Scale) {
	if x.Min <= v.Now && v.Now <= x.Max {
		w.put(`<svg x="$" y="$" width="1" height="1" overflow="visible"><path data-role="now" d="$"/></svg>`,
			pct(chart.Place(x, v.Now)), itoa(CurveHeight), NowMark)
	}
	drawn := make([]bool, len(v.X))
	for _, first := range []bool{true, false} {
		for i, value := range v.X {
			if drawn[i] || first && i > 0 && i+1 < len(v.X) && value != v.Now || !v.fits(x, i, drawn) {
				continue
			}
			drawn[i] = true
			w.put(`<text data-role="tick-text" x="$" y="$" text-anchor="middle">$</text>`, pct(chart.Place(x, value)),
				itoa(CurveHeight+20), v.label(i))
		}
	}
	name := v.Name
	if x.Log {
		name = v.in.F("{0} (log scale)", name)
	}
	w.put(`<text data-role="tick-text" x="$" y="$" text-anchor="middle">$</text>`, pct(0.48), itoa(CurveHeight+37),
		name)
}

func (v varied) label(i int) string { return figure.Sig(v.in, v.X[i], 4) }

// fits says whether the label of a value keeps clear of those that are drawn.
func (v varied) fits(x *chart.Scale, i int, drawn []bool) bool {
	for k := range drawn {
		room := labelGap + float64((labelWidth(v.label(i))+labelWidth(v.label(k)))/2)
		if drawn[k] && math.Abs(chart.Place(x, v.X[i])-chart.Place(x, v.X[k])) < room {
			return false
		}
	}
	return true
}

// labelWidth counts what is no digit, as a comma, for half of one.
func labelWidth(s string) float64 {
	halves := 0
	for _, r := range s {
		if halves++; r >= '0' && r <= '9' {
			halves++
		}
	}
	return float64(float64(halves) * (digitWidth / 2))
}
