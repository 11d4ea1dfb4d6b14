package draw

import (
	"cmp"
	"strconv"

	"hadarlab/core/figure"
)

// finest is how many columns of a picture can be told apart on any screen.
const finest = 4000

// mostBars is how many bars a picture has with all that belongs to each. A file of one for each of 350,000 would have
// 335 MB, and no program would open it.
const mostBars = 20_000

// denseColumns is how many columns a picture of more has: every other pixel of a file, each the end of a bar.
const denseColumns = 1000

// dense says whether the bars are too many to have an element each.
func (p *Picture) dense() bool {
	most := cmp.Or(p.Most, mostBars)
	return len(p.Lane.Bars)+len(p.Lane.Downs)+len(p.Lane.Idles) > 3*most || len(p.Lane.Bars) > most
}

// denseBars draws what can be told apart: of bars narrower than a column the first in it, with their colours and
// nothing else. A path has those of one colour.
func (p *Picture) denseBars(w *svg) {
	paths := map[string][]byte{}
	f := p.Frame
	rows := int(f.Height) + 1 // those of less than a pixel share it
	put := func(seen *painted, of string, row, n int32, x0, x1 float64) {
		top, high := f.Span(row, n)
		if x0 == x1 || seen.has(int32(top), x0, x1) {
			return
		}
		b := append(paths[of], 'M')
		b = append(strconv.AppendFloat(b, x0*denseColumns, 'f', 1, 64), ' ')
		b = append(append(b, px(top)...), 'h')
		b = append(strconv.AppendFloat(b, max(1, (x1-x0)*denseColumns), 'f', 1, 64), 'v')
		b = append(append(b, px(high)...), "H"...)
		b = append(strconv.AppendFloat(b, x0*denseColumns, 'f', 1, 64), 'z')
		paths[of] = b
	}
	idle, down, bars := newPainted(denseColumns, rows), newPainted(denseColumns, rows), newPainted(denseColumns, rows)
	for _, d := range p.Lane.Idles {
		p.Trace.Pace.Did(1)
		if d.Waste && p.Axis.Sees(d.From, d.To) {
			put(&idle, "idle", d.Row, d.N, p.Axis.X(d.From), p.Axis.X(d.To))
		}
	}
	for i := range p.Lane.Downs {
		p.Trace.Pace.Did(1)
		if d := &p.Lane.Downs[i]; p.Axis.Sees(d.From, d.To) {
			put(&down, "down", d.Row, d.N, p.Axis.X(d.From), p.Axis.X(d.To))
		}
	}
	for i := range p.Lane.Bars {
		p.Trace.Pace.Did(1)
		b := &p.Lane.Bars[i]
		if h := &p.Lane.Holdings[b.Holding]; p.Axis.Sees(h.From, h.To) {
			put(&bars, p.hue(h.Job), b.Row, b.N, p.Axis.X(h.From), p.Axis.X(h.To))
		}
	}
	w.put(`<svg width="100%" height="$" viewBox="$" preserveAspectRatio="none">`, px(f.Height),
		"0 0 "+itoa(denseColumns)+" "+px(f.Height))
	for _, of := range []string{"idle", "down", "1", "2", "3", "4", "5", "6", "7", "8"} {
		switch d := string(paths[of]); {
		case d == "":
		case of == "idle":
			w.put(`<g data-role="idle"><path fill="url(#hatch-idle)" d="$"/></g>`, d)
		case of == "down":
			w.put(`<g data-role="down"><path data-part="box" d="$"/></g>`, d)
		default:
			w.put(`<g data-role="bars" data-hue="$"><path data-part="box" stroke="none" d="$"/></g>`, of, d)
		}
	}
	w.close("svg")
}

// Dense says of a picture that does not show every bar over which it is told; empty for others.
func (p *Picture) Dense() string {
	if !p.dense() {
		return ""
	}
	return p.In.F("{0} in {1}: the picture shows as many as can be told apart.",
		figure.Count(p.In, len(p.Lane.Bars), "{0} bar", "{0} bars"),
		figure.Count(p.In, len(p.Trace.Rounds), "{0} round", "{0} rounds"))
}
