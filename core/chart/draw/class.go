package draw

import (
	"math"

	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// Answer is how many chose an option: sure, fairly sure, by a guess; and in the second vote, where there was one.
type Answer struct {
	Sure, Fairly, Guess int
	Again               [3]int
	Voted               bool
}

// parts are the counts of first answers.
func (a *Answer) parts() [3]int { return [3]int{a.Sure, a.Fairly, a.Guess} }

// Heights of an answer's bars in px.
const (
	answerHigh = 34
	voteHigh   = 14
	voteGap    = 4
)

// AnswerSVG draws how many chose an option as one bar in three shades, told apart by pattern and number; below it,
// lower, that of the second vote. most is how many the whole width stands for.
func AnswerSVG(in words.Catalogue, a *Answer, most int, title string) string {
	w := &svg{in: in}
	high := answerHigh
	if a.Voted {
		high += voteGap + voteHigh
	}
	w.put(`<svg data-role="answer" width="100%" height="$" role="img" aria-label="$">`, itoa(high), title)
	w.shades(a.parts(), most, 0, answerHigh)
	if a.Voted {
		w.shades(a.Again, most, answerHigh+voteGap, voteHigh)
	}
	return w.end()
}

// shades draws counts side by side.
func (w *svg) shades(parts [3]int, most, y, high int) {
	from := 0
	for i, n := range parts {
		if n == 0 {
			continue
		}
		x, wide := float64(from)/float64(max(most, 1)), float64(n)/float64(max(most, 1))
		fill := ""
		if i == 1 {
			fill = "url(#hatch-fairly)"
		}
		w.put(`<svg x="$" y="$" width="$" height="$" overflow="visible">`, pct(x), itoa(y), pct(wide), itoa(high))
		w.put(`<rect data-conf="$" width="100%" height="$"/>`, itoa(3-i), itoa(high))
		w.put(`<rect data-conf="hatch" width="100%" height="$" fill="$"/>`, itoa(high), fill)
		if high > 20 && wide > 0.045 {
			middle := itoa(high/2 + 6)
			if i == 1 {
				w.put(`<rect data-part="plate" x="50%" y="$" width="24" height="20" rx="2" transform="translate(-12 0)"/>`,
					itoa(high/2-10))
			}
			w.put(`<text data-conf="$" x="50%" y="$" text-anchor="middle">$</text>`, itoa(3-i), middle, itoa(n))
		}
		w.close("svg")
		from += n
	}
}

// Spot is a mark in a picture of two figures.
type Spot struct {
	Label              string
	X, Y               float64
	People             int
	Base, Front, Works bool
	Picked             int // 1 and 2 are chosen to be laid side by side
}

// Spots is a picture of two differences as shares of their bases. From Wins on, to the left where it is below 0 and to
// the right where it is above, x is what is asked for.
type Spots struct {
	Of   []Spot
	Wins float64
	Zone string // what that means
}

// SpotsHigh is the height of the picture of spots in px, and the width for which its labels are placed.
const (
	SpotsHigh = 254

	spotsWide = 380
	spotsFoot = 24
	spotsEdge = 48 // for the numbers of the axis at the right

	spotLetter = 6.6
)

// span covers values and 0, with a margin, and says at which step its lines stand.
type span struct{ from, to, step float64 }

func spanOf(values func(*Spot) float64, spots []Spot) span {
	lo, hi := 0.0, 0.0
	for i := range spots {
		lo, hi = min(lo, values(&spots[i])), max(hi, values(&spots[i]))
	}
	margin := max(float64(0.18*(hi-lo)), 0.01)
	s := span{from: lo - margin, to: hi + margin, step: 0.01}
	for k := 0; float64(s.step*6) < s.to-s.from; k++ {
		s.step *= []float64{2, 2.5, 2}[k%3]
	}
	return s
}

func (s span) at(v float64) float64 { return (v - s.from) / (s.to - s.from) }

// ticks are the lines of a span.
func (s span) ticks() (out []float64) {
	for k := math.Ceil(s.from / s.step); float64(k*s.step) <= s.to; k++ {
		out = append(out, k*s.step)
	}
	return out
}

// signed writes a tick in percent.
func signed(in words.Catalogue, v float64) string {
	n := figure.Fixed(in, v*100, 0)
	if v > 0 {
		n = "+" + n
	}
	return n + " %"
}

// SpotsSVG draws the picture. The unchanged scenario, those that no other beats in both and what most people did have
// labels where there is room; each spot has its words under the mouse.
func SpotsSVG(in words.Catalogue, s *Spots, title string) string {
	w := &svg{in: in}
	x := spanOf(func(p *Spot) float64 { return p.X }, s.Of)
	y := spanOf(func(p *Spot) float64 { return p.Y }, s.Of)
	down := func(v float64) float64 { return float64(SpotsHigh * (1 - y.at(v))) }
	w.put(`<svg data-role="spots" width="100%" height="$" role="img" aria-label="$">`, itoa(SpotsHigh+spotsFoot), title)
	edge, label, dx, anchor := x.at(s.Wins), "0", 6, "start"
	if s.Wins < 0 {
		w.put(`<rect data-role="zone" width="$" height="$"/>`, pct(max(edge, 0)), itoa(SpotsHigh))
	} else {
		label, dx, anchor = "100%", -spotsEdge, "end"
		w.put(`<rect data-role="zone" x="$" width="$" height="$"/>`, pct(min(edge, 1)), pct(max(1-edge, 0)),
			itoa(SpotsHigh))
	}
	for _, t := range x.ticks() {
		role := "grid"
		if t == 0 {
			role = "axis"
		}
		w.put(`<line data-role="$" x1="$" x2="$" y2="$"/>`, role, pct(x.at(t)), pct(x.at(t)), itoa(SpotsHigh))
		anchor := "middle"
		if x.at(t) < 0.08 {
			anchor = "start"
		} else if x.at(t) > 0.92 {
			anchor = "end"
		}
		w.put(`<text x="$" y="$" text-anchor="$">$</text>`, pct(x.at(t)), itoa(SpotsHigh+18), anchor, signed(in, t))
	}
	for _, t := range y.ticks() {
		role := "grid"
		if t == 0 {
			role = "axis"
		}
		w.put(`<line data-role="$" x2="100%" y1="$" y2="$"/>`, role, px(down(t)), px(down(t)))
		w.put(`<text x="100%" dx="-2" y="$" text-anchor="end">$</text>`, px(max(down(t)-4, 12)), signed(in, t))
	}
	w.put(`<text data-part="zone" x="$" dx="$" y="16" text-anchor="$">$</text>`, label, itoa(dx), anchor, s.Zone)
	places := newPlaces()
	for i := range s.Of { // no label lies on a spot
		p := &s.Of[i]
		places.taken = append(places.taken, box{float64(spotsWide*x.at(p.X)) - 8, down(p.Y) - 8, 16, 16})
	}
	for i := range s.Of {
		p := &s.Of[i]
		cx, cy := pct(x.at(p.X)), px(down(p.Y))
		w.put(`<circle data-role="spot" data-base="$" data-works="$" data-picked="$" cx="$" cy="$" r="$"><title>`, on(p.Base),
			on(p.Works), picked(p.Picked), cx, cy, px(min(5.5+float64(float64(p.People)/2), 12)))
		w.text(p.Label)
		w.close("title")
		w.close("circle")
	}
	for _, most := range []func(*Spot) bool{func(p *Spot) bool { return p.Base || p.Picked > 0 },
		func(p *Spot) bool { return p.Front }, func(p *Spot) bool { return p.People > 1 },
		func(*Spot) bool { return true }} {
		for i := range s.Of {
			if p := &s.Of[i]; most(p) && !places.named[i] {
				places.name(w, i, p, x.at(p.X), down(p.Y))
			}
		}
	}
	return w.end()
}

func on(b bool) string {
	if b {
		return "true"
	}
	return ""
}

func picked(n int) string {
	if n == 0 {
		return ""
	}
	return itoa(n)
}

// box is where something stands, in px.
type box struct{ x, y, wide, high float64 }

func (b box) meets(o box) bool {
	return b.x < o.x+o.wide && o.x < b.x+b.wide && b.y < o.y+o.high && o.y < b.y+b.high
}

// places are where labels stand.
type places struct {
	taken []box
	named map[int]bool
}

func newPlaces() *places {
	return &places{taken: []box{{0, 0, 110, 22}}, named: map[int]bool{}}
}

// name writes the label of a spot beside it, if there is room: right, left, above or below.
func (l *places) name(w *svg, i int, p *Spot, x, y float64) {
	text := p.Label
	if p.People > 1 {
		text += " ×" + itoa(p.People)
	}
	wide, at := float64(spotLetter*float64(len([]rune(text)))), float64(spotsWide*x)
	for _, far := range []float64{0, 22, 44} { // further off with a line
		for _, c := range []struct {
			box
			dx, dy float64
			anchor string
		}{{box{at + 12, y - 9, wide, 18}, 13, 5, "start"}, {box{at - 12 - wide, y - 9, wide, 18}, -13, 5, "end"},
			{box{at - float64(wide/2), y - 28 - far, wide, 18}, 0, -14 - far, "middle"},
			{box{at - float64(wide/2), y + 10 + far, wide, 18}, 0, 24 + far, "middle"},
			{box{at - 8, y + 10 + far, wide, 18}, -8, 24 + far, "start"},
			{box{at - 8, y - 28 - far, wide, 18}, -8, -14 - far, "start"},
			{box{at + 8 - wide, y + 10 + far, wide, 18}, 8, 24 + far, "end"},
			{box{at + 8 - wide, y - 28 - far, wide, 18}, 8, -14 - far, "end"}} {
			free := c.x >= 0 && c.x+c.wide <= spotsWide-spotsEdge && c.y >= 0 && c.y+c.high <= SpotsHigh
			for _, o := range l.taken {
				free = free && !o.meets(c.box)
			}
			if !free {
				continue
			}
			if far > 0 {
				end := y + c.dy + 3
				if c.dy > 0 {
					end = y + c.dy - 12
				}
				w.put(`<line data-role="lead" x1="$" x2="$" y1="$" y2="$"/>`, pct(x), pct(x), px(y), px(end))
			}
			w.put(`<text data-part="label" x="$" y="$" dx="$" text-anchor="$">$</text>`, pct(x), px(y+c.dy), px(c.dx),
				c.anchor, text)
			l.taken, l.named[i] = append(l.taken, c.box), true
			return
		}
	}
}
