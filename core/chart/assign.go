package chart

import (
	"cmp"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// assigner gives GPUs of a slot to holdings, in order of their start.
type assigner struct {
	rows  []Row
	slots []trace.Slot
	first []int32     // first row of a slot
	until []unit.Tick // the row is taken until then
	last  []int32     // job that held the row last, -1 = none
}

// assign makes the bars. At one instant gangs over several slots choose first, so that their parts can
// meet at the border of two nodes; then a job prefers the rows it had, then the first adjacent ones.
func (l *Lane) assign(t *trace.Trace, first []int32) {
	a := assigner{rows: l.Rows, slots: t.Slots, first: first, until: make([]unit.Tick, len(l.Rows)),
		last: make([]int32, len(l.Rows))}
	for i := range a.last {
		a.last[i] = -1
	}
	inTurn := unit.Order(len(l.Holdings), func(x, y int32) int {
		hx, hy := &l.Holdings[x], &l.Holdings[y]
		return cmp.Or(cmp.Compare(hx.From, hy.From), cmp.Compare(len(hy.Shards), len(hx.Shards)))
	})
	bars := make([][]Bar, len(l.Holdings))
	downs := outages(t)
	for _, i := range inTurn {
		h := &l.Holdings[i]
		downs = l.putDown(&a, downs, h.From)
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
			bars[i] = append(bars[i], pieces(i, sh, taken)...)
		}
	}
	l.putDown(&a, downs, t.End)
	for _, b := range bars {
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
