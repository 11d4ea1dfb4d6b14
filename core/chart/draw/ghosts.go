package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Ghost is an earlier run that a lane's picture is set against.
type Ghost struct {
	Lane  *chart.Lane
	Trace *trace.Trace
}

// ghosts outlines where bars stood in the earlier run. They lie beneath everything, so that they are seen where GPUs
// are free now.
func (p *Picture) ghosts(w *svg) {
	if p.Was == nil {
		return
	}
	w.put(`<g data-role="ghosts">`)
	for _, g := range p.gone() {
		top, high := p.Frame.Span(g.row, g.n)
		x0, x1 := p.Axis.X(g.from), p.Axis.X(g.to)
		w.put(`<rect x="$" y="$" width="$" height="$" rx="2"/>`, pct(x0), px(top), pct(x1-x0), px(high))
	}
	w.close("g")
}

// Ghosts says whether outlines of the earlier run are drawn.
func (p *Picture) Ghosts() bool { return len(p.gone()) > 0 }

// gone are the bars of the earlier run that are seen and stand there no longer.
func (p *Picture) gone() (out []placed) {
	if p.Was == nil {
		return nil
	}
	was, rows, stands := p.Was.Lane, p.rowsOf(p.Was), p.bars()
	for i := range was.Bars {
		p.Trace.Pace.Did(1)
		b := &was.Bars[i]
		h := &was.Holdings[b.Holding]
		first, n := rows[b.Row], int32(1)
		for n < b.N && first >= 0 && rows[b.Row+n] == first+n {
			n++
		}
		g := placed{p.Was.Trace.Jobs[h.Job].Name, first, n, h.From, h.To}
		if first >= 0 && p.Axis.Sees(h.From, h.To) && !p.Axis.Sliver(h.To-h.From) && !stands[g] {
			out = append(out, g)
		}
	}
	return out
}

// placed is a bar of a job, where it stands.
type placed struct {
	job      string
	row, n   int32
	from, to unit.Tick
}

// bars are those of the present run, behind which an earlier one would only roughen their edges.
func (p *Picture) bars() map[placed]bool {
	out := map[placed]bool{}
	for i := range p.Lane.Bars {
		b := &p.Lane.Bars[i]
		h := &p.Lane.Holdings[b.Holding]
		out[placed{p.Trace.Jobs[h.Job].Name, b.Row, b.N, h.From, h.To}] = true
	}
	return out
}

// rowsOf is for each row of the earlier run that of the same GPU in this one, -1 = there is none.
func (p *Picture) rowsOf(g *Ghost) []int32 {
	type gpu struct {
		node, typ string
		index     int32
	}
	of := func(l *chart.Lane, t *trace.Trace, row int) gpu {
		r := &l.Rows[row]
		slot := t.Slots[r.Slot]
		return gpu{t.Nodes[slot.Node], t.Types[slot.Type], r.Index}
	}
	now := map[gpu]int32{}
	for i := range p.Lane.Rows {
		now[of(p.Lane, p.Trace, i)] = int32(i)
	}
	out := make([]int32, len(g.Lane.Rows))
	for i := range out {
		out[i] = -1
		if row, ok := now[of(g.Lane, g.Trace, i)]; ok {
			out[i] = row
		}
	}
	return out
}
