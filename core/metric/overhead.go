package metric

import (
	"slices"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// overheads splits stalled GPU time by what the stall is for, and adds up each job's stalls.
func (r *Report) overheads(t *trace.Trace, o *order) {
	sp := &t.Spans
	if !slices.Contains(sp.Kind, trace.Stall) {
		return // most scenarios charge nothing, and all of this would add up zeros
	}
	var cause [3]unit.Tick
	ofEnded := o.byJob(t, o.ended)
	for j := range t.Jobs {
		began, ended := o.of(j, o.ofBegan), o.of(j, ofEnded)
		stalled, last, k := unit.Tick(0), 0, 0
		for i := 0; i < len(began); {
			at := sp.From[began[i]]
			to := i
			for to < len(began) && sp.From[began[to]] == at {
				to++
			}
			for k < len(ended) && sp.To[ended[k]] < at {
				k++
			}
			before := k
			for k < len(ended) && sp.To[ended[k]] == at {
				k++
			}
			now := causeOf(t, int32(j), began[i:to], ended[before:k], at, last)
			stall := unit.Tick(0) // gangs of a job stall together
			for _, s := range began[i:to] {
				if sp.Kind[s] != trace.Stall {
					continue
				}
				stall = sp.To[s] - at
				if sp.With[s] >= 0 && sp.With[s] < sp.Job[s] {
					continue // shared GPUs count once
				}
				counts := max(0, sp.To[s]-max(at, r.first))
				for _, sh := range sp.At(int(s)) {
					cause[now] += unit.Tick(sh.N) * counts
				}
			}
			stalled += stall
			last, i = now, to
		}
		r.Jobs[j].StalledS = stalled.Seconds()
	}
	m := &r.Metrics
	m.StallStartGPUS, m.StallRestartGPUS, m.StallMergeGPUS = cause[0].Seconds(), cause[1].Seconds(), cause[2].Seconds()
}

// causeOf says what stalls that begin at an instant are for: 0 a first start, 1 other GPUs than before, 2 the
// same GPUs. A stall that goes on after being cut in two keeps its cause.
func causeOf(t *trace.Trace, job int32, began, ended []int32, at unit.Tick, last int) int {
	sp := &t.Spans
	same := len(began) == len(ended)
	cut := same
	for _, b := range began {
		k := slices.IndexFunc(ended, func(e int32) bool {
			return sp.Gang[e] == sp.Gang[b] &&
				slices.Equal(sp.At(int(e)), sp.At(int(b)))
		})
		same = same && k >= 0
		cut = cut && k >= 0 && sp.Kind[ended[k]] == trace.Stall
	}
	switch {
	case at == t.Jobs[job].Start:
		return 0
	case cut:
		return last
	case same:
		return 2
	}
	return 1
}
