package metric

import (
	"slices"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// order lists the spans of a trace as they began and as they ended: all, and those of each job.
type order struct {
	began, ended []int32
	ofBegan      []int32 // those of a job lie between at[job] and at[job+1]
	at           []int32
}

func newOrder(t *trace.Trace) *order {
	s := &t.Spans
	o := &order{began: unit.ByTick(s.From, t.Pace), ended: unit.ByTick(s.To, t.Pace), at: make([]int32, len(t.Jobs)+1)}
	for _, j := range s.Job {
		t.Pace.Did(1)
		o.at[j+1]++
	}
	for j := range t.Jobs {
		o.at[j+1] += o.at[j]
	}
	o.ofBegan = o.byJob(t, o.began)
	return o
}

// byJob is a list job by job.
func (o *order) byJob(t *trace.Trace, list []int32) []int32 {
	of, next := make([]int32, len(list)), slices.Clone(o.at)
	for _, i := range list {
		t.Pace.Did(1)
		j := t.Spans.Job[i]
		of[next[j]] = i
		next[j]++
	}
	return of
}

// of is a job's part of a list.
func (o *order) of(job int, list []int32) []int32 { return list[o.at[job]:o.at[job+1]] }
