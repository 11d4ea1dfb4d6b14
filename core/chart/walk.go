package chart

import (
	"slices"

	"hadarlab/core/unit"
)

// Stops are what the keyboard walks: the bars, and after them the waits where each is drawn.
func (l *Lane) Stops() int {
	if l.WaitRows > maxWaitRows {
		return len(l.Bars)
	}
	return len(l.Bars) + len(l.Waits)
}

// Stop is the job and the stretch of a stop.
func (l *Lane) Stop(i int) (job int32, from, to unit.Tick) {
	if i < len(l.Bars) {
		h := &l.Holdings[l.Bars[i].Holding]
		return h.Job, h.From, h.To
	}
	w := &l.Waits[i-len(l.Bars)]
	return w.Job, w.From, w.To
}

// Walk is the stop reached from stop i by an arrow: along the row (dx ±1), or to the nearest in time on another row
// (dy ±1); the waits lie below all bars. From -1 it is the first bar. It stays where it is at an end. order is the
// rows from the top, nil = as they are numbered.
func (l *Lane) Walk(i, dx, dy int, order []int32) int {
	if i >= len(l.Bars) && i < l.Stops() {
		if dy < 0 {
			return l.nearest(i, 0, len(l.Bars))
		}
		return min(max(i+dx, len(l.Bars)), l.Stops()-1)
	}
	next := l.walkBars(i, dx, dy, order)
	if next == i && i >= 0 && dy > 0 {
		return l.nearest(i, len(l.Bars), l.Stops())
	}
	return next
}

// nearest is the stop of those from a to b that begins nearest to the beginning of stop i, the lowest bar of several; i
// where there is none.
func (l *Lane) nearest(i, a, b int) int {
	best, least := i, unit.Never
	_, start, _ := l.Stop(i)
	for k := a; k < b; k++ {
		_, from, _ := l.Stop(k)
		if d := max(from-start, start-from); d < least || d == least && k < len(l.Bars) &&
			l.Bars[k].Row > l.Bars[best].Row {
			best, least = k, d
		}
	}
	return best
}

func (l *Lane) walkBars(i, dx, dy int, order []int32) int {
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
