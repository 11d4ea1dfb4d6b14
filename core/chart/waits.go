package chart

import (
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
		t.Pace.Did(1)
		l.Waits = append(l.Waits, Wait{Job: w.Job, From: w.From, To: w.To})
	}
	unit.SortByTickPaced(l.Waits, func(w *Wait) unit.Tick { return w.From }, t.Pace) // by job already
	l.stackWaits(t)
}

// stackWaits gives each wait the first row that is free when it begins.
func (l *Lane) stackWaits(t *trace.Trace) {
	var free, taken rowHeap // rows that are free, and those that are not, by the end of their wait
	for i := range l.Waits {
		t.Pace.Did(1)
		w := &l.Waits[i]
		for len(taken) > 0 && taken[0].until <= w.From {
			free.push(heapRow{row: taken.pop().row})
		}
		r := heapRow{row: l.WaitRows}
		if len(free) > 0 {
			r = free.pop()
		} else {
			l.WaitRows++
		}
		w.Row, r.until = r.row, w.To
		taken.push(r)
	}
}

// rowHeap has the row that is free first in front, and of those the first one.
type rowHeap []heapRow

type heapRow struct {
	until unit.Tick
	row   int32
}

func (h rowHeap) less(i, k int) bool {
	return h[i].until < h[k].until || h[i].until == h[k].until && h[i].row < h[k].row
}

func (h *rowHeap) push(r heapRow) {
	*h = append(*h, r)
	for i := len(*h) - 1; i > 0 && h.less(i, (i-1)/2); i = (i - 1) / 2 {
		(*h)[i], (*h)[(i-1)/2] = (*h)[(i-1)/2], (*h)[i]
	}
}

func (h *rowHeap) pop() heapRow {
	all := *h
	first, n := all[0], len(all)-1
	all[0] = all[n]
	*h = all[:n]
	for i := 0; ; {
		least := i
		for k := 2*i + 1; k <= 2*i+2 && k < n; k++ {
			if h.less(k, least) {
				least = k
			}
		}
		if least == i {
			return first
		}
		all[i], all[least] = all[least], all[i]
		i = least
	}
}

// nameWaits gives each wait the reason recorded first inside it. What a fault did is told at the next
// decision, which may end the wait. Waits of a job do not overlap and decisions come in order of time, so each job
// needs its present wait only.
func (l *Lane) nameWaits(t *trace.Trace) {
	next := make([]int32, len(l.Waits)) // the job's wait after this one, -1 = none
	present, last := make([]int32, len(t.Jobs)), make([]int32, len(t.Jobs))
	for j := range present {
		present[j] = -1
	}
	for i := range l.Waits {
		t.Pace.Did(1)
		next[i] = -1
		if j := l.Waits[i].Job; present[j] < 0 {
			present[j] = int32(i)
		} else {
			next[last[j]] = int32(i)
		}
		last[l.Waits[i].Job] = int32(i)
	}
	for k, d := range t.Rounds {
		t.Pace.Did(1)
		for _, r := range reasons(t, k) {
			t.Pace.Did(1)
			failed := r.Code == trace.Failed
			if !r.Code.Waits() && !failed || r.Job < 0 {
				continue
			}
			for present[r.Job] >= 0 && l.Waits[present[r.Job]].To < d.At {
				present[r.Job] = next[present[r.Job]]
			}
			// one that ends at the decision, and one that begins there
			for i := present[r.Job]; i >= 0 && l.Waits[i].From <= d.At; i = next[i] {
				if w := &l.Waits[i]; w.Why == trace.NoReason && (d.At < w.To || failed) {
					w.Why = r.Code
				}
			}
		}
	}
}

// idler finds when GPUs are held by no one, and whether a job waits meanwhile.
type idler struct {
	l       *Lane
	t       *trace.Trace
	waiting []stretch   // in which any job waits
	busy    [][]stretch // by row
	leavers [][]leaver  // by node
	open    []int       // idles of the row above, that the next row may extend
}

// findIdles finds the idle stretches, row by row.
func (l *Lane) findIdles(t *trace.Trace) {
	z := l.newIdler(t)
	for i := range l.Bars {
		z.occupy(&l.Bars[i])
	}
	for r := range l.Rows {
		z.row(int32(r))
	}
}

func (l *Lane) newIdler(t *trace.Trace) idler {
	z := idler{l: l, t: t, waiting: make([]stretch, 0, len(l.Waits)), busy: make([][]stretch, len(l.Rows)),
		leavers: l.leavers(t)}
	for _, w := range l.Waits {
		t.Pace.Did(1)
		z.waiting = append(z.waiting, stretch{w.From, w.To})
	}
	z.waiting = union(z.waiting)
	for i := range l.Downs {
		d := &l.Downs[i]
		for r := d.Row; r < d.Row+d.N; r++ {
			z.busy[r] = append(z.busy[r], stretch{d.From, d.To})
		}
	}
	return z
}

// occupy takes up what a bar holds.
func (z *idler) occupy(b *Bar) {
	z.t.Pace.Did(int(b.N))
	h := &z.l.Holdings[b.Holding]
	for r := b.Row; r < b.Row+b.N; r++ {
		z.busy[r] = append(z.busy[r], stretch{h.From, h.To})
	}
}

// row adds the idle stretches of the next row.
func (z *idler) row(r int32) {
	busy := z.busy[r]
	z.busy[r] = nil
	unit.SortByTickPaced(busy, func(s *stretch) unit.Tick { return s.from }, z.t.Pace)
	var here []int
	by := z.leavers[z.t.Slots[z.l.Rows[r].Slot].Node]
	for _, g := range gaps(busy, 0, z.l.End) {
		z.t.Pace.Did(1)
		for _, whole := range split(g, z.waiting) {
			for len(by) > 0 && by[0].ended <= whole.From {
				by = by[1:]
			}
			for _, part := range cut(whole, by) {
				z.t.Pace.Did(1)
				for len(z.open) > 0 && z.l.Idles[z.open[0]].From < part.From {
					z.open = z.open[1:]
				}
				here = append(here, z.l.addIdle(part, r, z.open))
			}
		}
	}
	z.open = here
}

// addIdle extends the equal stretch of the row above, which begins the list above if there is one, or adds one.
func (l *Lane) addIdle(part Idle, row int32, above []int) int {
	if len(above) > 0 {
		i := above[0]
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
