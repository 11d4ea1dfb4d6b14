package draw

import "hadarlab/core/chart"

// dones marks the ends, with names where they do not collide: to the right of the mark, else to its left; with the time
// if there is room, else without.
func (p *Picture) dones(w *svg) {
	f := p.Frame
	ends := p.ends()
	n := len(ends)
	sides := p.doneSides(f.Width)
	stands := needs(n, f.Width, func(width float64) []bool {
		return pickDones(p.doneSides(width), func(i int, d doneSide) bool {
			return d.side != 0 &&
				d.side == sides[i].side
		})
	})
	timed := needs(n, f.Width, func(width float64) []bool {
		return pickDones(p.doneSides(width), func(i int, d doneSide) bool { return d.timed && d.side == sides[i].side })
	})
	seen := newPainted(finest, 1)
	for i, d := range ends {
		x := p.Axis.X(d.At)
		if n > mostEnds && stands[i] == never && seen.has(0, x, x) {
			continue
		}
		name := p.Trace.Jobs[d.Job].Name
		w.put(`<svg data-role="done" data-job="$" x="$" y="$" width="1" height="$" overflow="visible">`, name,
			pct(p.Axis.X(d.At)), px(f.DoneY), px(chart.DoneH))
		w.put(`<line x1="0" x2="0" y1="3" y2="16"/>`)
		if stands[i] != never {
			x, anchor, rest := "5", "", ""
			if sides[i].side < 0 {
				x, anchor = "-5", "end"
			}
			if timed[i] != never {
				rest = p.doneTime(d)
			}
			w.words(stands[i], timed[i], name, rest, "x", x, "y", "14", "text-anchor", anchor)
		}
		w.close("svg")
	}
}

// mostEnds is how many ends are all marked, even where one mark lies upon another.
const mostEnds = 1000

// doneTime is when, after the name.
func (p *Picture) doneTime(d chart.Done) string {
	return " " + p.Axis.Unit.Brief(p.In, d.At)
}

// doneSide is where a mark's name stands, 1 = right, -1 = left, 0 = nowhere, and whether with the time.
type doneSide struct {
	side  int
	timed bool
}

func pickDones(all []doneSide, is func(i int, d doneSide) bool) []bool {
	out := make([]bool, len(all))
	for i, d := range all {
		out[i] = is(i, d)
	}
	return out
}

// doneSides places the names in a plot of a width, from left to right.
func (p *Picture) doneSides(width float64) []doneSide {
	dones := p.ends()
	out := make([]doneSide, len(dones))
	taken := 0.0 // px up to which the row is written
	for i, d := range dones {
		at, next := float64(p.Axis.X(d.At)*width), width+40
		if i+1 < len(dones) {
			next = float64(p.Axis.X(dones[i+1].At) * width)
		}
		name := p.Trace.Jobs[d.Job].Name
		long, short := textWidth(name+p.doneTime(d))+10, textWidth(name)+10
		right, left := min(next, width+4)-at, at-taken
		switch { // the side first: a name that changes it with the width would be gone between two widths
		case long <= right:
			out[i], taken = doneSide{1, true}, at+long
		case short <= right:
			out[i], taken = doneSide{1, false}, at+short
		case long <= left:
			out[i], taken = doneSide{-1, true}, at
		case short <= left:
			out[i], taken = doneSide{-1, false}, at
		}
		taken = max(taken, at+3)
	}
	return out
}

// ends are the ends of jobs that lie on the axis.
func (p *Picture) ends() []chart.Done {
	all := p.Lane.Dones // by time
	for len(all) > 0 && !p.Axis.Has(all[0].At) {
		all = all[1:]
	}
	for len(all) > 0 && !p.Axis.Has(all[len(all)-1].At) {
		all = all[:len(all)-1]
	}
	return all
}
