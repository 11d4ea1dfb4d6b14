package draw

import (
	"slices"

	"hadarlab/core/chart"
)

// dones marks the ends, each with its name and time where these collide with nothing; see placeDones. What stands
// elsewhere in a narrower plot is written for each of its places.
func (p *Picture) dones(w *svg) {
	f, ends := p.Frame, p.ends()
	says, rows := p.saysOf(ends), 1+int((f.Height-f.DoneY-chart.DoneH)/doneRow)
	var widths []float64 // the classes up to the plot's own width, and that
	var places [][]donePlace
	last := -1
	for i := 0; last < 0 || widths[last] < f.Width; i++ {
		width := f.Width
		if i < len(chart.Widths) {
			width = min(width, float64(chart.Widths[i]))
		}
		widths, places, last = append(widths, width), append(places, bestDones(says, width, rows)), last+1
	}
	seen := newPainted(finest, 1)
	for i, d := range ends {
		x := p.Axis.X(d.At)
		if len(ends) > mostEnds && places[last][i].side == 0 && seen.has(0, x, x) {
			continue
		}
		w.put(`<svg data-role="done" data-job="$" x="$" y="$" width="1" height="$" overflow="visible">`,
			p.Trace.Jobs[d.Job].Name, pct(x), px(f.DoneY), px(chart.DoneH))
		w.put(`<line x1="0" x2="0" y1="3" y2="18"/>`)
		need := ""
		for k := range last {
			if places[k+1][i] != places[k][i] {
				below := px(widths[k+1])
				says[i].put(w, places[k][i], need, below)
				need = below
			}
		}
		says[i].put(w, places[last][i], need, "")
		w.close("svg")
	}
}

// put is what an end is called in plots from one width to below another, and the way of its mark to a lower row.
func (e *doneSays) put(w *svg, at donePlace, need, below string) {
	if at.side == 0 {
		return
	}
	y, x, anchor := middle(chart.DoneH, large), "5", ""
	if at.side < 0 {
		x, anchor = "-5", "end"
	}
	if at.row > 0 {
		y += float64(doneRow * at.row)
		w.put(`<line data-need="$" data-below="$" x1="0" x2="0" y1="3" y2="$"/>`, need, below, itoa(18+doneRow*at.row))
	}
	w.put(`<text data-large="1" data-need="$" data-below="$" x="$" y="$" text-anchor="$">$</text>`, need, below, x,
		px(y), anchor, e.text[timed(at.timed)])
}

// mostEnds is how many ends are all marked, even where one mark lies upon another.
const mostEnds = 1000

// doneRow is how much lower each row of ends is than the one above, in px, and doneRows how many there are at most.
const (
	doneRow  = 18
	doneRows = 3
)

// donePlace is where the name of an end stands, and whether with its time.
type donePlace struct {
	side  int // 1 = right of its mark, -1 = left, 0 = nowhere
	row   int // below the first
	timed bool
}

// doneSays is what is said of an end: a job's name, and with it when it ended.
type doneSays struct {
	x    float64 // share of the width
	seen float64 // share of the width that is seen, 0 = all of it
	text [2]string
	long [2]float64 // px
}

// timed is the place of a text with the time, or without.
func timed(is bool) int {
	if is {
		return 1
	}
	return 0
}

// saysOf is what is said of ends.
func (p *Picture) saysOf(ends []chart.Done) []doneSays {
	out := make([]doneSays, len(ends))
	for i, d := range ends {
		e, name := &out[i], p.Trace.Jobs[d.Job].Name
		e.x, e.seen, e.text = p.Axis.X(d.At), p.Seen, [2]string{name, name + " " + p.Axis.Unit.Brief(p.In, d.At)}
		e.long = [2]float64{wide(e.text[0], large), wide(e.text[1], large)}
	}
	return out
}

// FitEnds makes room for a second row of ends where it tells more than one row, and for a third where that tells all:
// few ends that lie close together in a narrow plot.
func (p *Picture) FitEnds() *Picture {
	ends, f, rows := p.saysOf(p.ends()), p.Frame, 1
	most := told(bestDones(ends, f.Width, 1))
	for n := 2; n <= doneRows; n++ {
		if all := told(bestDones(ends, f.Width, n)); all > most && (n == 2 || all == 3*len(ends)) {
			rows, most = n, all
		}
	}
	if rows > 1 {
		f.Height = f.DoneY + chart.DoneH + float64(doneRow*(rows-1))
	}
	return p
}

// told counts what is said of ends: names, and times twice, as a name can be had from the bar.
func told(places []donePlace) (n int) {
	for _, at := range places {
		if at.side != 0 {
			n++
		}
		if at.timed {
			n += 2
		}
	}
	return n
}

// bestDones places the ends in a plot of a width so that most is told of them: to the right of their marks where that
// does, and in one row.
func bestDones(ends []doneSays, width float64, rows int) (best []donePlace) {
	for n := range 2 * rows {
		if at := placeDones(ends, width, n/2+1, 1-n%2*2); best == nil || told(at) > told(best) {
			best = at
		}
	}
	return best
}

// placeDones places the ends from left to right: with the time wherever it fits beside the mark, on the side that comes
// first or on the other, in the first row that has room; else without it. A mark reaches from the first row to the one
// of its name.
func placeDones(ends []doneSays, width float64, rows, first int) []donePlace {
	out := make([]donePlace, len(ends))
	const edge = 10              // px beside a text, its distance from the mark among them
	taken := [doneRows]float64{} // px up to which a row is written
	for i := range ends {
		at, most := float64(ends[i].x*width), width+9
		if seen := ends[i].seen; seen > 0 { // nothing may stand over the border
			most = float64(seen*width) + 5
		}
		next := most
		if i+1 < len(ends) {
			next = min(next, float64(ends[i+1].x*width))
		}
	place:
		for _, with := range []bool{true, false} {
			long := ends[i].long[timed(with)] + edge
			for row := range rows {
				if row > 0 && slices.Max(taken[:row]) > at { // its mark would run through a name
					break
				}
				for _, side := range []int{first, -first} {
					end := at
					if side > 0 {
						end += long
					}
					if end-long < taken[row] || row == 0 && end > next || end > most {
						continue
					}
					out[i], taken[row] = donePlace{side, row, with}, end
					break place
				}
			}
		}
		for row := range out[i].row + 1 {
			taken[row] = max(taken[row], at)
		}
	}
	return out
}

// ends are the ends of jobs that lie on the axis.
func (p *Picture) ends() []chart.Done {
	all := p.Lane.Dones // by time
	for len(all) > 0 && !p.Axis.Has(all[0].At) {
		all = all[1:]
	}
	for len(all) > 0 && (!p.Axis.Has(all[len(all)-1].At) || p.Seen > 0 && p.Axis.X(all[len(all)-1].At) > p.Seen) {
		all = all[:len(all)-1]
	}
	return all
}
