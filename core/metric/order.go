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
	o := &order{began: byTick(s.From), ended: byTick(s.To), at: make([]int32, len(t.Jobs)+1)}
	for _, j := range s.Job {
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
		j := t.Spans.Job[i]
		of[next[j]] = i
		next[j]++
	}
	return of
}

// of is a job's part of a list.
func (o *order) of(job int, list []int32) []int32 { return list[o.at[job]:o.at[job+1]] }

// byTick is the indices of a column of instants, the earliest first and of equals the first. Those that are in order
// already, as ends of spans are, stay as they are, and those of rounds, of which each is soon in its place, move there.
func byTick(column []unit.Tick) []int32 {
	list := make([]int32, len(column))
	const most = 8 // places that one moves by on average, beyond which sorting by digits is faster
	moved := 0
	for i, t := range column {
		k := i
		for ; k > 0 && column[list[k-1]] > t; k-- {
			list[k] = list[k-1]
		}
		list[k] = int32(i)
		if moved += i - k; moved > most*len(column) {
			return byDigits(column, list)
		}
	}
	return list
}

// byDigits is byTick by 12 bits at a time, since a run has hundreds of thousands of spans. It uses up list.
func byDigits(column []unit.Tick, list []int32) []int32 {
	const bits = 12
	low, high := unit.Never, -unit.Never
	for i, t := range column {
		list[i] = int32(i)
		low, high = min(low, t), max(high, t)
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
