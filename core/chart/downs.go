package chart

import (
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Down is a stretch in which adjacent GPUs of one slot are out of service: broken, or not yet there.
type Down struct {
	Slot     int32
	Row, N   int32
	From, To unit.Tick
}

// outages are the stretches in which single GPUs are out of service, by start, then slot. What went last comes back
// first: the trace counts GPUs and does not name them.
func outages(t *trace.Trace) []Down {
	var out []Down
	open := make([][]int, len(t.Slots)) // indices of a slot's stretches that have not ended
	for i, c := range t.Capacity {
		if i+1 < len(t.Capacity) && t.Capacity[i+1].At == c.At && t.Capacity[i+1].Slot == c.Slot {
			continue // the last word of an instant counts
		}
		lost := int(t.Slots[c.Slot].Cap - c.Cap)
		for len(open[c.Slot]) > lost {
			last := len(open[c.Slot]) - 1
			out[open[c.Slot][last]].To = c.At
			open[c.Slot] = open[c.Slot][:last]
		}
		for len(open[c.Slot]) < lost {
			open[c.Slot] = append(open[c.Slot], len(out))
			out = append(out, Down{Slot: c.Slot, N: 1, From: c.At, To: t.End})
		}
	}
	return out
}

// putDown gives outages that have begun by an instant the lowest rows that nobody holds then, and joins those of
// adjacent rows.
func (l *Lane) putDown(a *assigner, at unit.Tick) {
	for len(a.downs) > 0 && a.downs[0].From <= at {
		d := a.downs[0]
		a.downs = a.downs[1:]
		row := a.lowest(d.Slot, 1, d.From)
		if len(row) == 0 || d.From >= d.To {
			continue
		}
		d.Row = row[0]
		a.until[d.Row], a.last[d.Row] = d.To, -1
		if n := len(l.Downs); n > 0 {
			if above := &l.Downs[n-1]; above.Slot == d.Slot && above.Row == d.Row+1 && above.From == d.From &&
				above.To == d.To {
				above.Row, above.N = d.Row, above.N+1
				continue
			}
		}
		l.Downs = append(l.Downs, d)
	}
}
