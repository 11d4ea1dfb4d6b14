package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
)

// tieRoom is the least width in px of a round whose copies are tied together.
const tieRoom = 9

// forks ties the copies of a job together, once a round: at the merge, where they become one.
func (p *Picture) forks(w *svg) {
	said := map[int][]saying{}
	for i := range p.Lane.Forks {
		f := &p.Lane.Forks[i]
		if p.Frame.Wide(p.Axis.X(f.From), p.Axis.X(f.To)) >= tieRoom {
			p.tie(w, f, said, "fork")
		}
	}
}

// tie is a line through the copies of a round with a knot on each, none where it would cross a label.
func (p *Picture) tie(w *svg, f *chart.Fork, said map[int][]saying, role string) {
	if !p.Axis.Sees(f.From, f.To) {
		return
	}
	first, last := p.reach(f)
	class := p.clear(f, said, first, last)
	if class == never {
		return
	}
	name := p.Trace.Jobs[f.Job].Name
	p.box(w, f.From, f.To, first, last-first, "data-role", role, "data-job", name, "data-hue", p.hue(f.Job),
		"data-from", seconds(int64(f.From)), "data-need", class, "overflow", "visible")
	at, _ := p.Axis.Part(p.Lane.MergeAt(f), f.To, f.From, f.To)
	x := pct(at)
	w.put(`<line data-part="halo" x1="$" x2="$" y1="0" y2="100%"/>`, x, x)
	w.put(`<line data-part="tie" x1="$" x2="$" y1="0" y2="100%"/>`, x, x)
	for _, b := range f.Bars {
		w.put(`<circle data-part="knot" cx="$" cy="$" r="3"/>`, x, px(p.middleOf(b)-first))
	}
	w.close("svg")
}

// reach is from where to where a tie goes, in px.
func (p *Picture) reach(f *chart.Fork) (first, last float64) {
	first = p.middleOf(f.Bars[0])
	last = first
	for _, b := range f.Bars {
		y := p.middleOf(b)
		first, last = min(first, y), max(last, y)
	}
	return first, last
}

// middleOf is the height in px of a bar's middle.
func (p *Picture) middleOf(bar int32) float64 {
	b := &p.Lane.Bars[bar]
	top, high := p.Frame.Span(b.Row, b.N)
	return top + float64(high/2)
}

// parts are a copy's name and its steps, round by round.
func (p *Picture) parts(h *chart.Holding, high float64) (out []saying) {
	name, size := p.Trace.Jobs[h.Job].Name, sizeIn(high)
	for i, part := range h.Parts {
		from := h.Works(part)
		if !p.Axis.Sees(from, part.To) && from < part.To {
			continue
		}
		share := p.share(from, part.To)
		room := p.Frame.Wide(0, share) - 14
		steps := figure.Fixed(p.In, part.Steps, 0)
		says, rest := steps, " "+p.In.T("steps")
		if i == 0 {
			if says, rest = name, ", "+p.In.F("{0} steps", steps); room < wide(says+rest, size) {
				rest = ", " + steps
			}
		}
		if i > 0 && room < wide(says, size) {
			continue // a cut number would be another number
		}
		if i == 0 && room < wide(name, size) { // the name has the whole bar then
			return []saying{p.named(h, high)}
		}
		out = append(out, saying{from: from, to: part.To, part: true, label: label{share: share, width: p.Frame.Width,
			high: high, name: says, rest: rest, plate: true}})
	}
	return out
}

// clear is the class of plot widths from which on a tie keeps off the labels that it would cross, never where it does
// not: a word is read, and that copies are merged the dark piece at the beginning of each round says, too. said keeps
// the labels of bars.
func (p *Picture) clear(f *chart.Fork, said map[int][]saying, first, last float64) string {
	const knot = 4 // px to either side
	merge, least := p.Lane.MergeAt(f), 0.0
	for i := range p.Lane.Bars {
		p.Trace.Pace.Did(1)
		b := &p.Lane.Bars[i]
		h := &p.Lane.Holdings[b.Holding]
		if h.From >= f.To {
			break // bars are by start
		}
		if mid := p.middleOf(int32(i)); h.To <= f.From || mid < first-knot || mid > last+knot {
			continue
		}
		if _, ok := said[i]; !ok {
			said[i] = p.sayings(i)
		}
		for _, s := range said[i] {
			name, rest := s.fitted()
			after := p.Axis.X(merge) - p.Axis.X(s.from)
			end := labelAt + wide(name+rest, sizeIn(s.high)) + knot
			switch off := float64(after * p.Frame.Width); {
			case name == "" || s.to <= merge || off <= labelAt-knot: // a label keeps within its box
			case off < end:
				return never
			default:
				least = max(least, float64(end/after))
			}
		}
	}
	return need(1, least)
}
