package chart

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// assigner gives GPUs of a slot to holdings, in order of their start.
type assigner struct {
	rows   []Row
	slots  []trace.Slot
	first  []int32     // first row of a slot
	until  []unit.Tick // the row is taken until then
	last   []int32     // job that held the row last, -1 = none
	downs  []Down      // that have not begun
	inTurn []int32     // holdings that begin at one instant
	bars   [][]Bar     // of these, by holding
}

func (l *Lane) newAssigner(t *trace.Trace, first []int32) *assigner {
	a := &assigner{rows: l.Rows, slots: t.Slots, first: first, until: make([]unit.Tick, len(l.Rows)),
		last: make([]int32, len(l.Rows)), downs: outages(t)}
	for i := range a.last {
		a.last[i] = -1
	}
	return a
}

// assignAll makes the bars of all holdings, which are in order of their start.
func (l *Lane) assignAll(t *trace.Trace, first []int32) {
	a := l.newAssigner(t, first)
	for i := range l.Holdings {
		t.Pace.Did(1 + len(l.Holdings[i].Shards))
		l.assign(a, int32(i))
	}
	l.putDown(a, t.End)
}

// assign makes the bars of the holdings that begin with the i-th; for one that does not begin an instant there is
// nothing left to do. At one instant gangs over several slots choose first, so that their parts can meet at the border
// of two nodes; then a job prefers the rows it had, then the first adjacent ones.
func (l *Lane) assign(a *assigner, i int32) {
	at := l.Holdings[i].From
	if i > 0 && l.Holdings[i-1].From == at {
		return
	}
	a.inTurn, a.bars = a.inTurn[:0], a.bars[:0]
	for k := i; int(k) < len(l.Holdings) && l.Holdings[k].From == at; k++ {
		a.inTurn, a.bars = append(a.inTurn, k), append(a.bars, nil)
	}
	slices.SortStableFunc(a.inTurn, func(x, y int32) int {
		return cmp.Compare(len(l.Holdings[y].Shards), len(l.Holdings[x].Shards))
	})
	l.putDown(a, at)
	for _, x := range a.inTurn {
		h := &l.Holdings[x]
		for k, sh := range h.Shards {
			var taken []int32
			switch {
			case len(h.Shards) > 1 && k == 0:
				taken = a.lowest(int32(sh.Slot), sh.N, h.From)
			case len(h.Shards) > 1:
				taken = a.highest(int32(sh.Slot), sh.N, h.From)
			default:
				taken = a.calmest(int32(sh.Slot), sh.N, h.From, h.Job)
			}
			for _, r := range taken {
				a.until[r], a.last[r] = h.To, h.Job
			}
			a.bars[x-i] = append(a.bars[x-i], pieces(x, sh, taken)...)
		}
	}
	for _, b := range a.bars {
		l.Bars = append(l.Bars, b...)
	}
}

// free lists the slot's rows that nobody holds at an instant, top first.
func (a *assigner) free(slot int32, at unit.Tick) []int32 {
	var out []int32
	for k := range a.slots[slot].Cap {
		if r := a.first[slot] + k; a.until[r] <= at {
			out = append(out, r)
		}
	}
	return out
}

func (a *assigner) highest(slot, n int32, at unit.Tick) []int32 {
	f := a.free(slot, at)
	return f[:min(int(n), len(f))]
}

func (a *assigner) lowest(slot, n int32, at unit.Tick) []int32 {
	f := a.free(slot, at)
	return f[max(0, len(f)-int(n)):]
}

// calmest prefers rows that the job held last, then adjacent ones, then any.
func (a *assigner) calmest(slot, n int32, at unit.Tick, job int32) []int32 {
	f := a.free(slot, at)
	if len(f) <= int(n) {
		return f
	}
	var own []int32
	for _, r := range f {
		if a.last[r] == job {
			own = append(own, r)
		}
	}
	if len(own) >= int(n) && own[n-1]-own[0] == n-1 {
		return own[:n]
	}
	for i := 0; i+int(n) <= len(f); i++ {
		if f[i+int(n)-1]-f[i] == n-1 {
			return f[i : i+int(n)]
		}
	}
	return f[:n]
}

// pieces groups rows into bars of adjacent ones.
func pieces(holding int32, sh model.Shard, rows []int32) []Bar {
	var out []Bar
	for _, r := range rows {
		if n := len(out); n > 0 && out[n-1].Row+out[n-1].N == r {
			out[n-1].N++
			continue
		}
		out = append(out, Bar{Holding: holding, Slot: int32(sh.Slot), Row: r, N: 1, Shard: sh.N})
	}
	return out
}
