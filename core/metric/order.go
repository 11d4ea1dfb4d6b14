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

// byTick is the indices of a column of instants, the earliest first and of equals the first: 12 bits at a time, since a
// run has hundreds of thousands of them. Those that are in order already, as ends of spans are, stay as they are.
func byTick(column []unit.Tick) []int32 {
	const bits = 12
	list := make([]int32, len(column))
	low, high, sorted := unit.Never, -unit.Never, true
	for i, t := range column {
		list[i] = int32(i)
		sorted = sorted && t >= high
		low, high = min(low, t), max(high, t)
	}
	if sorted {
		return list
	}
	other := make([]int32, len(column))
	for shift := 0; uint64(high-low)>>shift > 0; shift += bits {
		digit := func(t unit.Tick) int { return int(uint64(t-low) >> shift & (1<<bits - 1)) }
		var first [1<<bits + 1]int32
		for _, t := range column {
			first[digit(t)+1]++
		}
		for d := range 1 << bits {
			first[d+1] += first[d]
		}
		for _, i := range list {
			d := digit(column[i])
			other[first[d]] = i
			first[d]++
		}
		list, other = other, list
	}
	return list
}
