package sim

import (
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// event is the instant at which a job next does something by itself. They stand in a heap, ties by id. Each job knows
// its position there, so that a changed instant is mended in place and nothing is ever left behind.
type event struct {
	at  unit.Tick
	job model.JobID
}

// before orders events; at one instant the job with the lower id goes first, on every machine.
func (e event) before(f event) bool { return e.at < f.at || e.at == f.at && e.job < f.job }

// heapFix moves j to where its next event belongs: in, out for Never, up or down.
func (r *Run) heapFix(j model.JobID, at unit.Tick) {
	s := &r.jobs[j]
	if at == unit.Never {
		if s.heapPos >= 0 {
			r.heapRemove(int(s.heapPos))
		}
		return
	}
	if s.heapPos < 0 {
		s.heapPos = int32(len(r.heap))
		r.heap = append(r.heap, event{})
	}
	r.heapMend(int(s.heapPos), event{at, j})
}

// heapRemove takes out the event at position i. The last one takes its place and may have to move either way.
func (r *Run) heapRemove(i int) {
	last := len(r.heap) - 1
	r.jobs[r.heap[i].job].heapPos = -1
	e := r.heap[last]
	r.heap = r.heap[:last]
	if i != last {
		r.heapMend(i, e)
	}
}

// heapMend puts e in place of what stands at position i: above all that come after it, or below those of its children
// that come before it.
func (r *Run) heapMend(i int, e event) {
	from := i
	for i > 0 {
		up := (i - 1) / 2
		if !e.before(r.heap[up]) {
			break
		}
		r.heapSet(i, r.heap[up])
		i = up
	}
	for i >= from { // it has not moved up
		c := 2*i + 1
		if c >= len(r.heap) {
			break
		}
		if c+1 < len(r.heap) && r.heap[c+1].before(r.heap[c]) {
			c++
		}
		if !r.heap[c].before(e) {
			break
		}
		r.heapSet(i, r.heap[c])
		i = c
	}
	r.heapSet(i, e)
}

// heapSet puts e at position i and lets its job know.
func (r *Run) heapSet(i int, e event) {
	r.heap[i] = e
	r.jobs[e.job].heapPos = int32(i)
}
