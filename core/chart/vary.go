package chart

import (
	"math"

	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Vary is one figure over the values of a number that was varied, a line a policy.
type Vary struct {
	X     []float64 // ascending
	Now   float64   // of the scenario as it stands; it is marked where the values reach it
	Name  string    // of the number with its unit, as Restart, s
	Noun  string    // after a value of X, as V100 on n2
	What  string    // the figure, as mean completion
	Good  int       // -1: less is better, 1: more is better
	Lines []VaryLine
}

// VaryLine is one policy's figure; NaN = no run. Where not every job has finished it is not comparable.
type VaryLine struct {
	Name, Style, Letter string
	Y                   []float64
	Cut                 []bool // not every job has finished
}

// Crossing is where the lead changes between two lines: between the values at I and K, line To overtakes From.
type Crossing struct{ I, K, From, To int }

// lead is -1 where line a is better than b at a value, 1 where it is worse, 0 where they are alike or not comparable.
func (v *Vary) lead(a, b *VaryLine, i int) int {
	if !comparable(a, b, i) {
		return 0
	}
	return Lead(a.Y[i], b.Y[i], v.Good)
}

// Lead is -1 where figure a is better than b, 1 where it is worse, 0 where they are alike; good is -1 where less is
// better, else 1.
func Lead(a, b float64, good int) int {
	switch d := (a - b) * float64(good); {
	case math.Abs(d) <= 1e-9*max(math.Abs(a), math.Abs(b)):
		return 0
	case d > 0:
		return -1
	}
	return 1
}

// comparable says whether both lines have a whole run at a value.
func comparable(a, b *VaryLine, i int) bool {
	return !math.IsNaN(a.Y[i]) && !math.IsNaN(b.Y[i]) && !a.Cut[i] && !b.Cut[i]
}

// Crossings are the changes of the lead between any two lines, by pair and value. Values at which two are alike
// belong to the change around them.
func (v *Vary) Crossings() []Crossing {
	var out []Crossing
	for a := range v.Lines {
		for b := a + 1; b < len(v.Lines); b++ {
			last := -1
			for i := range v.X {
				now := v.lead(&v.Lines[a], &v.Lines[b], i)
				if now == 0 {
					continue
				}
				if last >= 0 && now != v.lead(&v.Lines[a], &v.Lines[b], last) {
					c := Crossing{I: last, K: i, From: a, To: b}
					if now < 0 {
						c.From, c.To = b, a
					}
					out = append(out, c)
				}
				last = i
			}
		}
	}
	return out
}

// axis is the scale of the values, logarithmic where they span more than a power of ten.
func (v *Vary) axis() Scale {
	lo, hi := v.X[0], v.X[len(v.X)-1]
	return Scale{Min: lo, Max: hi, Log: lo > 0 && hi >= 12*lo}
}

// place is a value's place across the picture: there is room for marks at both ends.
func place(s *Scale, x float64) float64 { return 0.05 + float64(0.86*s.Y(x)) }

// Scale is the vertical scale: from 0, since lengths are compared.
func (v *Vary) Scale() Scale {
	top := 0.0
	for _, l := range v.Lines {
		for _, y := range l.Y {
			if y > top {
				top = y
			}
		}
	}
	return LinearScale(top, 4)
}

// SVG draws the lines, a mark a run, the crossings, and a band at the value under the cursor, -1 = none. Each value has
// a place to click.
func (v *Vary) SVG(here int, title string) string {
	w := &svg{}
	x, y := v.axis(), v.Scale()
	w.put(`<svg data-role="vary" width="100%" height="$" role="img" aria-label="$">`, itoa(CurveHeight+42), title)
	for i, t := range y.Ticks {
		role, at := "grid", px(y.down(t.Value, CurveHeight))
		if i == 0 {
			role = "axis"
		}
		w.put(`<line data-role="$" x1="0" x2="100%" y1="$" y2="$"/>`, role, at, at)
	}
	for i := range v.X {
		from, to := 0.0, 1.0
		if i > 0 {
			from = (place(&x, v.X[i-1]) + place(&x, v.X[i])) / 2
		}
		if i+1 < len(v.X) {
			to = (place(&x, v.X[i]) + place(&x, v.X[i+1])) / 2
		}
		mark := ""
		if i == here {
			mark = "true"
		}
		w.put(`<rect data-role="value" data-value="$" data-here="$" x="$" width="$" height="$"><title>`, itoa(i), mark, pct(from), pct(to-from), itoa(CurveHeight))
		w.text(v.says(i))
		w.close("title")
		w.close("rect")
	}
	for _, c := range v.Crossings() {
		at, _ := v.meet(c, &x)
		w.put(`<line data-role="cross" x1="$" x2="$" y1="0" y2="$"/>`, pct(at), pct(at), itoa(CurveHeight))
	}
	w.put(`<svg width="100%" height="$" viewBox="$" preserveAspectRatio="none" overflow="visible">`, itoa(CurveHeight), "0 0 1000 "+itoa(CurveHeight))
	for _, l := range v.Lines {
		w.put(`<path data-series="$" d="$"/>`, l.Style, v.path(&l, &x, &y))
	}
	w.close("svg")
	v.points(w, &x, &y)
	v.crosses(w, &x, &y)
	v.values(w, &x)
	w.close("svg")
	return string(w.b)
}

// says names a value and what every policy does there.
func (v *Vary) says(i int) string {
	s := Sig(v.X[i], 6) + " " + v.Noun
	for _, l := range v.Lines {
		if !math.IsNaN(l.Y[i]) {
			s += ", " + l.Name + " " + Sig(l.Y[i], 4)
		}
	}
	return s
}

// meet is where the two lines of a crossing meet, across the picture and in the figure: at a value at which they are
// alike, else on the straight way between two.
func (v *Vary) meet(c Crossing, x *Scale) (across, y float64) {
	a, b := &v.Lines[c.From], &v.Lines[c.To]
	for i := c.I + 1; i < c.K; i++ {
		if comparable(a, b, i) {
			return place(x, v.X[i]), a.Y[i]
		}
	}
	before, after := a.Y[c.I]-b.Y[c.I], a.Y[c.K]-b.Y[c.K]
	share := before / (before - after)
	from := place(x, v.X[c.I])
	return from + float64(share*(place(x, v.X[c.K])-from)), a.Y[c.I] + float64(share*(a.Y[c.K]-a.Y[c.I]))
}

// path is a line as path data over 1000 units of width, with gaps where there is no run.
func (v *Vary) path(l *VaryLine, x, y *Scale) string {
	var d []byte
	next := "M"
	for i, value := range l.Y {
		if math.IsNaN(value) {
			next = "M"
			continue
		}
		d = append(append(append(append(d, next...), px(place(x, v.X[i])*1000)...), ' '), px(y.down(value, CurveHeight))...)
		next = "L"
	}
	return string(d)
}

// cutMark is the outline of a run in which not every job has finished.
const cutMark = "M-4 -4L4 4M4 -4L-4 4"

// points are the runs, and the letter of a policy at its last one.
func (v *Vary) points(w *svg, x, y *Scale) {
	var taken []float64
	for _, l := range v.Lines {
		last := -1
		for i, value := range l.Y {
			if math.IsNaN(value) {
				continue
			}
			last = i
			at, down := pct(place(x, v.X[i])), px(y.down(value, CurveHeight))
			if l.Cut[i] {
				w.put(`<svg x="$" y="$" width="1" height="1" overflow="visible"><path data-role="cut" d="$"/></svg>`, at, down, cutMark)
				continue
			}
			w.put(`<circle data-role="step" data-series-of="$" cx="$" cy="$" r="3.5"/>`, l.Style, at, down)
		}
		if last < 0 {
			continue
		}
		down := y.down(l.Y[last], CurveHeight) + 4
		for _, t := range taken {
			switch gap := down - t; {
			case gap >= 0 && gap < 12:
				down = t + 12
			case gap < 0 && gap > -12:
				down = t - 12
			}
		}
		taken = append(taken, down)
		w.put(`<text data-part="strong" x="$" dx="9" y="$">$</text>`, pct(place(x, v.X[last])), px(down), l.Letter)
	}
}

// crosses are the marks where lines meet.
func (v *Vary) crosses(w *svg, x, y *Scale) {
	for _, c := range v.Crossings() {
		at, high := v.meet(c, x)
		w.put(`<svg x="$" y="$" width="1" height="1" overflow="visible"><path data-role="crossing" d="$" transform="translate(-6 -6)"/></svg>`,
			pct(at), px(y.down(high, CurveHeight)), marks[3])
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
func (v *Vary) values(w *svg, x *Scale) {
	if x.Min <= v.Now && v.Now <= x.Max {
		w.put(`<svg x="$" y="$" width="1" height="1" overflow="visible"><path data-role="now" d="$"/></svg>`, pct(place(x, v.Now)), itoa(CurveHeight), NowMark)
	}
	drawn := make([]bool, len(v.X))
	for _, first := range []bool{true, false} {
		for i, value := range v.X {
			if drawn[i] || first && i > 0 && i+1 < len(v.X) && value != v.Now || !v.fits(x, i, drawn) {
				continue
			}
			drawn[i] = true
			w.put(`<text data-role="tick-text" x="$" y="$" text-anchor="middle">$</text>`, pct(place(x, value)), itoa(CurveHeight+20), v.label(i))
		}
	}
	name := v.Name
	if x.Log {
		name = words.F("{0} (log scale)", name)
	}
	w.put(`<text data-role="tick-text" x="$" y="$" text-anchor="middle">$</text>`, pct(0.48), itoa(CurveHeight+37), name)
}

func (v *Vary) label(i int) string { return Sig(v.X[i], 4) }

// fits says whether the label of a value keeps clear of those that are drawn.
func (v *Vary) fits(x *Scale, i int, drawn []bool) bool {
	for k := range drawn {
		room := labelGap + float64((labelWidth(v.label(i))+labelWidth(v.label(k)))/2)
		if drawn[k] && math.Abs(place(x, v.X[i])-place(x, v.X[k])) < room {
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

// Finding says where the lead changes, or who leads.
func (v *Vary) Finding() Finding {
	f := Finding{}
	cut := 0
	for i := range v.X {
		for _, l := range v.Lines {
			if l.Cut[i] {
				cut++
				break
			}
		}
	}
	if cut > 0 {
		f.Because = Count(cut, "At one value not every job finishes; its runs have a cross and are not compared.", "At {0} values not every job finishes; those runs have a cross and are not compared.")
	}
	if len(v.Lines) < 2 {
		f.Claim = v.alone()
		return f
	}
	crossings := v.Crossings()
	for i, c := range crossings {
		if i == 3 {
			f.Because = Count(len(crossings)-i, "The lead changes once more.", "The lead changes {0} times more.") + " " + f.Because
			break
		}
		if i > 0 {
			f.Claim += " "
		}
		f.Claim += words.F("{0} becomes better than {1} in {2} between {3} and {4} {5}.", v.Lines[c.To].Name, v.Lines[c.From].Name, v.What, Sig(v.X[c.I], 6), Sig(v.X[c.K], 6), v.Noun)
	}
	if len(crossings) == 0 {
		f.Claim = v.steady()
	}
	return f
}

// steady says which of the first two leads where the lead never changes.
func (v *Vary) steady() string {
	a, b := &v.Lines[0], &v.Lines[1]
	leads, seen, apart := 0, 0, 0
	most, least := 0.0, math.Inf(1)
	for i := range v.X {
		if !comparable(a, b, i) {
			continue
		}
		seen++
		if now := v.lead(a, b, i); now != 0 {
			leads = now
			apart++
			gap := math.Abs(a.Y[i]-b.Y[i]) / max(a.Y[i], b.Y[i])
			most, least = max(most, gap), min(least, gap)
		}
	}
	if leads > 0 {
		a, b = b, a
	}
	at := words.T("at every value")
	if seen < len(v.X) {
		at = Count(seen, "at the one value that can be compared", "at the {0} values that can be compared")
	}
	switch {
	case seen == 0:
		return words.T("There is nothing to compare yet.")
	case leads == 0:
		return words.F("{0} and {1} are alike in {2} {3}.", a.Name, b.Name, v.What, at)
	case apart < seen:
		return words.F("{0} is better than {1} in {2} or alike {3}, by up to {4}.", a.Name, b.Name, v.What, at, Percent(most))
	}
	if Percent(least) == Percent(most) {
		return words.F("{0} is better than {1} in {2} {3}, by {4}.", a.Name, b.Name, v.What, at, Percent(most))
	}
	return words.F("{0} is better than {1} in {2} {3}, by {4} to {5}.", a.Name, b.Name, v.What, at, Percent(least), Percent(most))
}

// alone says where the one line is best.
func (v *Vary) alone() string {
	best := -1
	l := &v.Lines[0]
	for i, y := range l.Y {
		if !math.IsNaN(y) && !l.Cut[i] && (best < 0 || (y-l.Y[best])*float64(v.Good) > 0) {
			best = i
		}
	}
	if best < 0 {
		return words.T("There is no run to speak of yet.")
	}
	return words.F("{0} does best in {1} at {2} {3}.", l.Name, v.What, Sig(v.X[best], 6), v.Noun)
}

// Unfinished is the figure of a run that is not there.
var Unfinished = math.NaN()

// SecondsUnit is the unit for times up to so many seconds.
func SecondsUnit(s float64) Unit { return UnitFor(unit.Tick(s * 1000)) }
