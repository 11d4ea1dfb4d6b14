package chart

import "hadarlab/core/trace"

// Placements are the lane's holdings with the GPUs that their bars lie on, for exports.
func (l *Lane) Placements(t *trace.Trace) []trace.Placement {
	first, n := make([]int32, len(t.Slots)), int32(0)
	for i, s := range t.Slots {
		first[i] = n
		n += s.Cap
	}
	out := make([]trace.Placement, len(l.Holdings))
	for i := range l.Holdings {
		t.Pace.Did(1)
		h := &l.Holdings[i]
		t.Pace.Did(len(h.Pauses))
		p := trace.Placement{Job: h.Job, With: h.With, Others: h.Others, From: h.From, To: h.To}
		for _, pause := range h.Pauses {
			p.Pauses = append(p.Pauses, trace.Pause{Kind: pause.Kind, From: pause.From, To: pause.To})
		}
		out[i] = p
	}
	for _, b := range l.Bars { // by holding, then row: GPUs ascend where slots and rows do
		t.Pace.Did(1)
		for r := b.Row; r < b.Row+b.N; r++ {
			row := l.Rows[r]
			out[b.Holding].GPUs = append(out[b.Holding].GPUs, first[row.Slot]+row.Index)
		}
	}
	return out
}

// Counters are the lane's curves for exports: jobs waiting, share of GPUs that progress, prices.
func (l *Lane) Counters(t *trace.Trace) []trace.Counter {
	queue, busy := l.Queue(t.Pace), Busy(t)
	share := make([]float64, len(busy.V))
	for i, v := range busy.V {
		t.Pace.Did(1)
		share[i] = v / float64(max(1, t.GPUs()))
	}
	out := []trace.Counter{{Name: "queue", Unit: "jobs", Slot: -1, T: queue.T, V: queue.V},
		{Name: "utilization", Unit: "ratio", Slot: -1, T: busy.T, V: share}}
	for _, p := range Prices(t) {
		out = append(out, trace.Counter{Name: "price", Unit: "per_s", Slot: p.Slot, T: p.Series.T, V: p.Series.V})
	}
	return out
}
