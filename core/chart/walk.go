package chart

import "slices"

// Walk is the bar reached from bar i by an arrow: along the row (dx ±1), or to the nearest bar in time
// on another row (dy ±1). From -1 it is the first bar. It stays where it is at an end. order is the rows
// from the top, nil = as they are numbered.
func (l *Lane) Walk(i, dx, dy int, order []int32) int {
	if i < 0 || i >= len(l.Bars) {
		if len(l.Bars) == 0 {
			return -1
		}
		return l.firstBar(order)
	}
	from := &l.Bars[i]
	start := l.Holdings[from.Holding].From
	best := i
	better := func(k int) bool { // k is nearer to bar i than best
		a, b := l.Holdings[l.Bars[k].Holding].From-start, l.Holdings[l.Bars[best].Holding].From-start
		return best == i || max(a, -a) < max(b, -b)
	}
	for at := above(order, from.Row); ; {
		at += dy
		if at < 0 || at >= len(l.Rows) {
			return best
		}
		row := int32(at)
		if order != nil {
			row = order[at]
		}
		for k := range l.Bars {
			b := &l.Bars[k]
			begins := l.Holdings[b.Holding].From
			if k == i || row < b.Row || row >= b.Row+b.N || dy != 0 && from.Row <= b.Row && b.Row < from.Row+from.N ||
				dx > 0 && begins <= start || dx < 0 && begins >= start {
				continue
			}
			if better(k) {
				best = k
			}
		}
		if best != i || dy == 0 {
			return best
		}
	}
}

// above is how many rows lie above a row.
func above(order []int32, row int32) int {
	if order == nil {
		return int(row)
	}
	return slices.Index(order, row)
}

func (l *Lane) firstBar(order []int32) int {
	best := 0
	for k := range l.Bars {
		a, b := l.Holdings[l.Bars[k].Holding].From, l.Holdings[l.Bars[best].Holding].From
		if a < b || a == b && above(order, l.Bars[k].Row) < above(order, l.Bars[best].Row) {
			best = k
		}
	}
	return best
}
