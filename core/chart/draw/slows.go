package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/unit"
)

// slows draws when a node is slow: a line along the top of its rows, between them and those above, so that it crosses
// no name.
func (p *Picture) slows(w *svg) {
	for _, s := range p.Lane.Slows {
		p.Trace.Pace.Did(1)
		if !p.Axis.Sees(s.From, s.To) || p.Axis.Sliver(s.To-s.From) {
			continue
		}
		top, _ := p.Frame.Span(s.Row, s.N)
		p.box(w, s.From, s.To, top+1-slowHigh, slowHigh, "data-role", "slow")
		w.put(`<title>`)
		w.text(p.slowWords(&s))
		w.put(`</title><rect data-part="box" width="100%" height="100%"/>`)
		w.close("svg")
	}
}

// slowHigh is how many px the line of a spell is high, and slowTold how many spells a bar tells of.
const (
	slowHigh = 3
	slowTold = 3
)

// slowWords says how slow a node is, and when.
func (p *Picture) slowWords(s *chart.Slow) string {
	u := p.Axis.Unit
	return p.In.F("{0} at {1} of its speed, {2} to {3}", p.Trace.Nodes[s.Node],
		figure.Say(p.In, s.Speed, unit.Share), u.At(p.In, s.From), u.Brief(p.In, s.To))
}

// slowOf says which nodes of a holding are slow meanwhile.
func (p *Picture) slowOf(h *chart.Holding) (s string) {
	for i, slow := range p.Lane.SlowsOf(p.Trace, h) {
		if i == slowTold {
			return s + "; …"
		}
		s += "; " + p.slowWords(&slow)
	}
	return s
}
