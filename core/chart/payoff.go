package chart

import (
	"hadarlab/core/message"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// PriceAt is Hadar's price of a GPU of a slot when used of capacity are taken, in 1/s: it rises from lo to hi
// by equal factors.
func PriceAt(lo, hi float64, used, capacity int) float64 {
	switch {
	case used <= 0 || !(lo > 0) || capacity <= 0:
		return lo
	case used >= capacity:
		return hi
	}
	share := float64(used) / float64(capacity)
	return lo * unit.Exp(float64(share*unit.Log(hi/lo)))
}

// PricePosition is where a gang stands on the price curve of one of its slots.
type PricePosition struct {
	Node, Type     string
	Used, Capacity int // taken before the gang
	Count          int // that the gang takes
	Price          float64
}

// Positions are where a job's gang stands in an explanation: what others had taken before it, in the order
// of consideration, and the price it met there. charge is rounds × Σ count × price; it equals the recorded
// cost unless the job came in by another way, such as the residual pass.
func Positions(e *message.Explanation, c *message.JobChoice) (at []PricePosition, charge float64) {
	if e.Constants == nil || len(c.Gangs) == 0 {
		return nil, 0
	}
	for _, sh := range c.Gangs[0] {
		p := PricePosition{Node: sh.Node, Type: sh.Type, Count: sh.Count}
		for _, slot := range e.Prices {
			if slot.Node == sh.Node && slot.Type == sh.Type {
				p.Capacity = slot.Capacity
			}
		}
		p.Used = usedBefore(e, c.ID, sh.Node, sh.Type)
		p.Price = PriceAt(e.Constants.UMin[sh.Type], e.Constants.UMax[sh.Type], p.Used, p.Capacity)
		charge += float64(float64(sh.Count) * p.Price)
		at = append(at, p)
	}
	if c.Rounds != nil {
		charge = float64(charge * float64(*c.Rounds))
	}
	return at, charge
}

// usedBefore counts the GPUs of a slot that jobs before id in the order hold after the decision.
func usedBefore(e *message.Explanation, id, node, typ string) int {
	n := 0
	for _, before := range e.Order {
		if before == id {
			return n
		}
		for i := range e.Jobs {
			if e.Jobs[i].ID != before {
				continue
			}
			for _, g := range e.Jobs[i].Gangs {
				for _, sh := range g {
					if sh.Node == node && sh.Type == typ {
						n += sh.Count
					}
				}
			}
		}
	}
	return n
}

// curveRoom is the least width in px that a price curve is drawn in.
const curveRoom = 280

// PriceCurveSVG is the price of a GPU against how many of its slot are taken, log scale, with the gang's
// position.
func PriceCurveSVG(lo, hi float64, p PricePosition, label string) string {
	const height, left, right = 72.0, 0.16, 0.97
	y := LogScale(lo, hi, 3)
	at := func(used int) float64 {
		return left + 0.05 + float64((right-left-0.1)*float64(used)/float64(max(p.Capacity, 1)))
	}
	w := &svg{}
	w.put(`<svg data-role="price-curve" width="100%" height="96" role="img" aria-label="$">`, words.F("Price of a {0} on {1} as it fills, from {2} to {3}. {4} with {5} of {6} taken.", TypeTitle(p.Type), p.Node, Sig(lo, 3), Sig(hi, 3), label, itoa(p.Used), itoa(p.Capacity)))
	w.put(`<svg y="8" width="100%" height="88" overflow="visible">`)
	for _, t := range y.Ticks {
		v := px(y.down(t.Value, height))
		w.put(`<line data-role="grid" x1="$" x2="$" y1="$" y2="$"/>`, pct(left), pct(right), v, v)
		w.put(`<text x="$" y="$" text-anchor="end">$</text>`, pct(left-0.015), px(y.down(t.Value, height)+4), t.Label)
	}
	for k := 0; k <= p.Capacity; k++ {
		x, v := at(k), PriceAt(lo, hi, k, p.Capacity)
		if k > 0 {
			w.put(`<line data-role="curve" x1="$" y1="$" x2="$" y2="$"/>`, pct(at(k-1)), px(y.down(PriceAt(lo, hi, k-1, p.Capacity), height)), pct(x), px(y.down(v, height)))
		}
	}
	x, v := pct(at(p.Used)), px(y.down(p.Price, height))
	w.put(`<line data-role="drop" x1="$" x2="$" y1="$" y2="$"/>`, x, x, v, px(height))
	for k := 0; k <= p.Capacity; k++ {
		if p.Capacity <= 8 || k == 0 || k == p.Capacity {
			cy := px(y.down(PriceAt(lo, hi, k, p.Capacity), height))
			w.put(`<circle data-role="point" cx="$" cy="$" r="3.5"/>`, pct(at(k)), cy)
			text := itoa(k)
			if none := words.T("none taken"); k == 0 && (p.Capacity > 8 || float64(textWidth(none)/2)+10 <= (right-left-0.1)*curveRoom/float64(p.Capacity)) {
				text = none
			}
			w.put(`<text x="$" y="$" text-anchor="middle">$</text>`, pct(at(k)), px(height+15), text)
		}
	}
	w.put(`<circle data-role="here" cx="$" cy="$" r="5.5"/>`, x, v)
	// The curve leaves the upper left and the lower right free.
	if y.Y(p.Price) < 0.5 {
		w.put(`<text data-part="strong" x="$" dx="8" y="9">$</text>`, pct(left), label)
	} else {
		w.put(`<text data-part="strong" x="$" dx="-4" y="$" text-anchor="end">$</text>`, pct(right), px(height-8), label)
	}
	w.close("svg")
	w.close("svg")
	return string(w.b)
}

// PayoffSVG splits a utility into cost and payoff.
func PayoffSVG(utility, cost float64) string {
	whole := max(utility, cost)
	if !(whole > 0) {
		return ""
	}
	paid := min(max(cost/whole, 0.006), 1)
	gain := utility - cost
	w := &svg{}
	w.put(`<svg data-role="payoff" width="100%" height="22" role="img" aria-label="$">`, words.F("Utility {0} minus cost {1} is payoff {2}", Sig(utility, 4), Sig(cost, 4), Sig(gain, 4)))
	w.put(`<rect data-part="pay" width="100%" height="22" rx="3"/>`)
	w.put(`<rect data-part="cost" width="$" height="22" rx="3"/>`, pct(paid))
	if gain < 0 {
		w.put(`<line data-part="worth" x1="$" x2="$" y1="0" y2="22"/>`, pct(utility/whole), pct(utility/whole))
	}
	costText, payText := words.F("cost {0}", Sig(cost, 3)), words.F("payoff {0}", signed(gain))
	if paid*300 > textWidth(costText)+12 {
		w.put(`<text data-part="on-cost" x="6" y="15.300">$</text>`, costText)
	}
	if (1-paid)*300 > textWidth(payText)+12 {
		w.put(`<text data-part="on-pay" x="100%" dx="-6" y="15.300" text-anchor="end">$</text>`, payText)
	}
	w.close("svg")
	return string(w.b)
}

func signed(v float64) string {
	if v > 0 {
		return "+" + Sig(v, 4)
	}
	return Sig(v, 4)
}

// Signed writes v with its sign.
func Signed(v float64) string { return signed(v) }
