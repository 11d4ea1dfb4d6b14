package metric

import (
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// over adds up the GPU time that jobs held beyond what they asked for, as copies of a forked job and elastic jobs may.
func (r *Report) over(t *trace.Trace) {
	sp := &t.Spans
	beyond := make([]bool, len(t.Jobs)) // it may have been so
	for i := range sp.Len() {
		if j := sp.Job[i]; r.of.Has(model.JobID(j)) && (sp.Gang[i] > 0 || size(t, i) > t.Jobs[j].GPUs) {
			beyond[j] = true
		}
	}
	type change struct {
		at   unit.Tick
		gpus int32
	}
	changes := make([][]change, len(t.Jobs))
	for i := range sp.Len() {
		if j := sp.Job[i]; beyond[j] {
			n := size(t, i)
			changes[j] = append(changes[j], change{sp.From[i], n}, change{sp.To[i], -n})
		}
	}
	sum := unit.Tick(0)
	for j, list := range changes {
		unit.SortByTick(list, func(c *change) unit.Tick { return c.at })
		held := int32(0)
		for i, c := range list {
			if i > 0 {
				sum += unit.Tick(max(0, held-t.Jobs[j].GPUs)) * (c.at - list[i-1].at)
			}
			held += c.gpus
		}
	}
	r.Metrics.GPUOverS = sum.Seconds()
}

// size is the number of GPUs of a span.
func size(t *trace.Trace, i int) (n int32) {
	for _, sh := range t.Spans.At(i) {
		n += sh.N
	}
	return n
}
