package draw

import (
	"hadarlab/core/chart"
)

// need is the least class in which a share of the plot is wide px, empty for the least of all.
func need(share, wide float64) string {
	for i, c := range chart.Widths {
		if share*float64(c) >= wide {
			if i == 0 {
				return ""
			}
			return itoa(c)
		}
	}
	return itoa(chart.Widths[len(chart.Widths)-1])
}

// never marks a label that does not stand at all.
const never = "never"

// needs is, for each of n labels, the least class from which on it stands, up to a width; stands says which
// of them do at a width.
func needs(n int, width float64, stands func(width float64) []bool) []string {
	out := make([]string, n)
	top := stands(width)
	for i := range out {
		if !top[i] {
			out[i] = never
		}
	}
	settled := make([]bool, n)
	last := px(width) // class above the one looked at
	for k := len(chart.Widths) - 1; k >= 0; k-- {
		c := float64(chart.Widths[k])
		if c > width {
			continue
		}
		here := stands(c)
		for i := range out {
			switch {
			case out[i] == never || settled[i]:
			case !here[i]:
				settled[i], out[i] = true, last
			}
		}
		last = itoa(chart.Widths[k])
	}
	return out
}

// label is a text in the middle of a box that has a share of the plot's width.
type label struct {
	share, width, high float64
	name, rest         string  // rest stands where there is room for both
	plate              bool    // under it, of the box's colour; in an empty box the style sheet outlines the letters
	edge               float64 // px that are taken at the box's right
}

// label writes a label. A plate leaves the box its border, and is as wide as the text may be at most.
func (w *svg) label(l *label) {
	share, high, off, size := l.share, l.high, labelMargins+l.edge, sizeIn(l.high)
	name, rest := l.fitted()
	if name == "" {
		return
	}
	half, tall := float64(high/2), min(size+3, high-4)
	plate := func(class, says string) {
		if !l.plate {
			return
		}
		w.put(`<rect data-part="plate" data-need="$" x="3" y="$" width="$" height="$" rx="2"/>`, class,
			px(half-float64(tall/2)), px(wide(says, size)+8), px(tall))
	}
	short, long := need(share, wide(name, size)+off), ""
	if rest != "" {
		long = need(share, wide(name+rest, size)+off)
		plate(long, name+rest)
	}
	if rest == "" || long != "" {
		plate(short, name)
	}
	w.words(short, long, name, rest, "data-large", marked(size), "x", px(labelAt), "y", px(middle(high, size)))
}

// px that a label keeps before its text, and before and behind it.
const (
	labelAt      = 7
	labelMargins = 11
)

// fitted is what of a label fits its box, "" where nothing does.
func (l *label) fitted() (name, rest string) {
	size, room := sizeIn(l.high), float64(l.share*l.width)-(labelMargins+l.edge)
	if name = fitAt(l.name, room, size); name != "" && l.rest != "" && wide(name+l.rest, size) <= room {
		rest = l.rest
	}
	return name, rest
}

// words is a text whose rest may need more room than its beginning.
func (w *svg) words(short, long, name, rest string, attrs ...string) {
	w.open("text", append(attrs, "data-need", short)...)
	w.text(name)
	if rest != "" && long == short {
		w.text(rest)
	} else if rest != "" {
		w.put(`<tspan data-need="$">`, long)
		w.text(rest)
		w.close("tspan")
	}
	w.close("text")
}

// ticks writes the labels of a time axis so that they keep apart; the last one, which names the unit, comes
// first.
func (w *svg) ticks(a *chart.Axis, width, line, base float64) {
	label := func(i int) (x float64, anchor, text string) {
		t := a.Ticks[i]
		x, anchor, text = a.X(t.At), "middle", a.Label(w.in, t)
		if x < 0.01 {
			anchor = "start"
		}
		if i == len(a.Ticks)-1 {
			if text[len(text)-1] <= '9' { // days on a clock have their unit
				text += " " + a.Unit.Short
			}
			if x > 0.97 {
				anchor = "end"
			}
		}
		return x, anchor, text
	}
	span := func(i int, width float64) (from, to float64) {
		x, anchor, text := label(i)
		at, long := float64(x*width), wide(text, large)
		switch anchor {
		case "start":
			return at, at + long
		case "end":
			return at - long, at
		}
		half := float64(long / 2)
		return at - half, at + half
	}
	n := len(a.Ticks)
	need := needs(n, width, func(width float64) []bool {
		out := make([]bool, n)
		if n == 0 {
			return out
		}
		end, _ := span(n-1, width)
		taken := -1e9
		for i := range n {
			if from, to := span(i, width); i == n-1 || from >= taken+5 && to <= end-5 {
				out[i], taken = true, to
			}
		}
		return out
	})
	for i := range n {
		x, anchor, text := label(i)
		w.put(`<line data-role="tick" x1="$" x2="$" y1="$" y2="$"/>`, pct(x), pct(x), px(line), px(line+3))
		if need[i] != never {
			w.put(`<text data-role="tick-text" data-large="1" data-need="$" x="$" y="$" text-anchor="$">$</text>`, need[i],
				pct(x), px(base), anchor, text)
		}
	}
}
