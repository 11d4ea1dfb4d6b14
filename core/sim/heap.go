package sim

import (
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// The heap orders jobs by their next self event, ties by id. Each job knows its position, so that a
// changed key is mended in place and nothing is ever left behind.

// before orders jobs by their next event; at one instant the job with the lower id goes first, on every machine.
func (r *Run) before(a, b model.JobID) bool {
	x, y := r.jobs[a].next, r.jobs[b].next
	return x < y || x == y && a < b
}

// heapFix moves j to where its key belongs: in, out, up or down.
func (r *Run) heapFix(j model.JobID) {
	s := &r.jobs[j]
	if s.next == unit.Never {
		if s.heapPos >= 0 {
			r.heapRemove(int(s.heapPos))
		}
		return
	}
	if s.heapPos < 0 {
		s.heapPos = int32(len(r.heap))
		r.heap = append(r.heap, j)
	}
	if !r.heapUp(int(s.heapPos)) {
		r.heapDown(int(s.heapPos))
	}
}

// heapRemove takes out the job at position i. The last one takes its place and may have to move either way.
func (r *Run) heapRemove(i int) {
	last := len(r.heap) - 1
	r.jobs[r.heap[i]].heapPos = -1
	if i != last {
		r.heapSet(i, r.heap[last])
	}
	r.heap = r.heap[:last]
	if i != last && !r.heapUp(i) {
		r.heapDown(i)
	}
}

// heapSet puts j at position i and lets it know.
func (r *Run) heapSet(i int, j model.JobID) {
	r.heap[i] = j
	r.jobs[j].heapPos = int32(i)
}

// heapUp moves the job at i towards the top while it comes before its parent; it says whether it moved.
func (r *Run) heapUp(i int) (moved bool) {
	j := r.heap[i]
	for i > 0 {
		up := (i - 1) / 2
		if !r.before(j, r.heap[up]) {
			break
		}
		r.heapSet(i, r.heap[up])
		i, moved = up, true
	}
	r.heapSet(i, j)
	return moved
}

// heapDown moves the job at i away from the top while one of its two children comes before it.
func (r *Run) heapDown(i int) {
	j := r.heap[i]
	for {
		c := 2*i + 1
		if c >= len(r.heap) {
			break
		}
		if c+1 < len(r.heap) && r.before(r.heap[c+1], r.heap[c]) {
			c++
		}
		if !r.before(r.heap[c], j) {
			break
		}
		r.heapSet(i, r.heap[c])
		i = c
	}
	r.heapSet(i, j)
}
