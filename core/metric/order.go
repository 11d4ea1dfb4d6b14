package metric

import (
	"slices"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// order lists the spans of a trace as they began and as they ended: all, and those of each job.
type order struct {
	began, ended     []int32
	ofBegan, ofEnded []int32 // those of a job lie between at[job] and at[job+1]
	at               []int32
}

func newOrder(t *trace.Trace) *order {
	s := &t.Spans
	o := &order{began: byTick(s.From), ended: byTick(s.To), at: make([]int32, len(t.Jobs)+1)}
	for _, j := range s.Job {
		o.at[j+1]++
	}
	for j := range t.Jobs {
		o.at[j+1] += o.at[j]
	}
	byJob := func(list []int32) []int32 {
		of, next := make([]int32, len(list)), slices.Clone(o.at)
		for _, i := range list {
			j := s.Job[i]
			of[next[j]] = i
			next[j]++
		}
		return of
	}
	o.ofBegan, o.ofEnded = byJob(o.began), byJob(o.ended)
	return o
}

// of is a job's part of a list.
func (o *order) of(job int, list []int32) []int32 { return list[o.at[job]:o.at[job+1]] }

// byTick is the indices of a column of instants, the earliest first and of equals the first: 11 bits at a time, since a
// run has hundreds of thousands of them.
func byTick(column []unit.Tick) []int32 {
	const bits = 11
	list, other := make([]int32, len(column)), make([]int32, len(column))
	if len(column) == 0 {
		return list
	}
	low, high := column[0], column[0]
	for i, t := range column {
		list[i] = int32(i)
		low, high = min(low, t), max(high, t)
	}
	var first [1<<bits + 1]int32
	for shift := 0; uint64(high-low)>>shift > 0; shift += bits {
		digit := func(i int32) int { return int(uint64(column[i]-low) >> shift & (1<<bits - 1)) }
		clear(first[:])
		for _, i := range list {
			first[digit(i)+1]++
		}
		for d := range 1 << bits {
			first[d+1] += first[d]
		}
		for _, i := range list {
			d := digit(i)
			other[first[d]] = i
			first[d]++
		}
		list, other = other, list
	}
	return list
}
