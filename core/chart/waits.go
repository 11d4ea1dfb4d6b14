package chart

import (
	"cmp"
	"slices"

	"hadarlab/core/metric"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// stretch is a half-open interval of time.
type stretch struct{ from, to unit.Tick }

// gaps are the parts of [from, to) outside the sorted stretches.
func gaps(busy []stretch, from, to unit.Tick) []stretch {
	var out []stretch
	for _, b := range busy {
		if b.from > from {
			out = append(out, stretch{from, min(b.from, to)})
		}
		from = max(from, b.to)
		if from >= to {
			return out
		}
	}
	if from < to {
		out = append(out, stretch{from, to})
	}
	return out
}

// union joins sorted stretches that touch or overlap.
func union(s []stretch) []stretch {
	var out []stretch
	for _, x := range s {
		if n := len(out); n > 0 && x.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, x.to)
			continue
		}
		out = append(out, x)
	}
	return out
}

// findWaits stacks the run's waits without overlap.
func (l *Lane) findWaits(t *trace.Trace) {
	for _, w := range metric.Waits(t) {
		l.Waits = append(l.Waits, Wait{Job: w.Job, From: w.From, To: w.To})
	}
	unit.Sort(l.Waits, func(a, b Wait) int { return cmp.Compare(a.From, b.From) }) // by job already
	var until []unit.Tick
	for i := range l.Waits {
		w := &l.Waits[i]
		row := slices.IndexFunc(until, func(u unit.Tick) bool { return u <= w.From })
		if row < 0 {
			row = len(until)
			until = append(until, 0)
		}
		w.Row, until[row] = int32(row), w.To
	}
	l.WaitRows = int32(len(until))
	l.nameWaits(t)
}

// nameWaits gives each wait the reason recorded first inside it. What a fault did is told at the next
// decision, which may end the wait.
func (l *Lane) nameWaits(t *trace.Trace) {
	of := make([][]int32, len(t.Jobs)) // waits of a job, by start
	for i := range l.Waits {
		of[l.Waits[i].Job] = append(of[l.Waits[i].Job], int32(i))
	}
	for k, d := range t.Rounds {
		for _, r := range reasons(t, k) {
			failed := r.Code == trace.Failed
			if !r.Code.Waits() && !failed || r.Job < 0 {
				continue
			}
			for _, i := range of[r.Job] {
				if w := &l.Waits[i]; w.From <= d.At && (d.At < w.To || failed && d.At == w.To) &&
					w.Why == trace.NoReason {
					w.Why = r.Code
				}
			}
		}
	}
}

// findIdles finds when GPUs are held by no one, and whether a job waits meanwhile.
func (l *Lane) findIdles(t *trace.Trace) {
	waiting := make([]stretch, 0, len(l.Waits))
	for _, w := range l.Waits {
		waiting = append(waiting, stretch{w.From, w.To})
	}
	waiting = union(waiting)
	busy := make([][]stretch, len(l.Rows))
	for _, b := range l.Bars {
		h := &l.Holdings[b.Holding]
		for r := b.Row; r < b.Row+b.N; r++ {
			busy[r] = append(busy[r], stretch{h.From, h.To})
		}
	}
	for i := range l.Downs {
		d := &l.Downs[i]
		for r := d.Row; r < d.Row+d.N; r++ {
			busy[r] = append(busy[r], stretch{d.From, d.To})
		}
	}
	leavers := l.leavers(t)
	open := []int{} // idles of the row above, that this row may extend
	for r := range l.Rows {
		unit.Sort(busy[r], func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
		var here []int
		for _, g := range gaps(busy[r], 0, l.End) {
			for _, whole := range split(g, waiting) {
				for _, part := range cut(whole, leavers[t.Slots[l.Rows[r].Slot].Node]) {
					here = append(here, l.addIdle(part, int32(r), open))
				}
			}
		}
		open = here
	}
}

// addIdle extends the equal stretch of the row above, or adds one.
func (l *Lane) addIdle(part Idle, row int32, above []int) int {
	for _, i := range above {
		d := &l.Idles[i]
		if d.Slot == l.Rows[row].Slot && d.Row+d.N == row && d.From == part.From && d.To == part.To &&
			d.Waste == part.Waste && d.By == part.By {
			d.N++
			return i
		}
	}
	part.Slot, part.Row, part.N = l.Rows[row].Slot, row, 1
	l.Idles = append(l.Idles, part)
	return len(l.Idles) - 1
}

// split cuts an idle stretch where jobs begin or cease to wait.
func split(g stretch, waiting []stretch) []Idle {
	i, _ := slices.BinarySearchFunc(waiting, g.from, func(w stretch, at unit.Tick) int {
		if w.to <= at {
			return -1
		}
		return 1
	})
	var out []Idle
	for ; i < len(waiting) && waiting[i].from < g.to; i++ {
		w := waiting[i]
		if w.from > g.from {
			out = append(out, Idle{From: g.from, To: w.from, By: -1})
		}
		from, to := max(g.from, w.from), min(g.to, w.to)
		out = append(out, Idle{From: from, To: to, Waste: true, By: -1})
		g.from = to
	}
	if g.from < g.to {
		out = append(out, Idle{From: g.from, To: g.to, By: -1})
	}
	return out
}

// reasons are those of round k.
func reasons(t *trace.Trace, k int) []trace.Reason {
	end := int32(len(t.Reasons))
	if k+1 < len(t.Rounds) {
		end = t.Rounds[k+1].Reason
	}
	return t.Reasons[t.Rounds[k].Reason:end]
}
