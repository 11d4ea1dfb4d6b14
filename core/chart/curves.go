package chart

import (
	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// Curve is one line of a step chart.
type Curve struct {
	Name   words.Text
	Style  string // a, b: policies; 1 to 4: dashes for GPU types
	Mark   string // outline drawn where the line steps, empty = none
	Spiky  bool   // drawn as means where steps are closer than pixels
	Series Series
}

// maxPriceLines is how many slots get a line of their own; beyond, each GPU type gets the line of its
// dearest node.
const maxPriceLines = 8

// PriceCurves are the price lines of a run, one a slot or one a GPU type, and whether they are the latter.
func PriceCurves(t *trace.Trace) (curves []Curve, byType bool) {
	prices := Prices(t)
	if len(prices) <= maxPriceLines {
		for i, p := range prices {
			s := t.Slots[p.Slot]
			curves = append(curves, Curve{Name: words.Own(t.Nodes[s.Node] + " " + figure.TypeTitle(t.Types[s.Type])),
				Style: figure.Int(i%4 + 1),
				Mark:  Mark(t.Types, t.Types[s.Type]), Series: p.Series})
		}
		return curves, false
	}
	for typ := range t.Types {
		var of []PriceSeries
		for _, p := range prices {
			if t.Slots[p.Slot].Type == int32(typ) {
				of = append(of, p)
			}
		}
		if len(of) > 0 {
			curves = append(curves, Curve{Name: words.Say("dearest {0}", figure.TypeTitle(t.Types[typ])),
				Style: figure.Int(typ%4 + 1), Mark: Mark(t.Types, t.Types[typ]), Series: highest(t, of)})
		}
	}
	return curves, true
}

// highest is the upper envelope of price curves, which step at decisions only.
func highest(t *trace.Trace, of []PriceSeries) Series {
	out := Series{End: t.End}
	next := make([]int, len(of))
	for _, d := range t.Rounds {
		t.Pace.Did(1)
		top := 0.0
		for i := range of {
			s := &of[i].Series
			for next[i] < len(s.T) && s.T[next[i]] <= d.At {
				next[i]++
			}
			if next[i] > 0 {
				top = max(top, s.V[next[i]-1])
			}
		}
		if top > 0 {
			out.add(d.At, top)
		}
	}
	return out
}
