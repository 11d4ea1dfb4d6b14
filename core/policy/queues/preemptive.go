package queues

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
)

// preemptive gives GPUs to a queue whose front may take them from its end. Its plain form stands here; a lazy one that
// decides the same looks at fewer jobs.
type preemptive struct {
	cluster *model.Cluster
	mover   mover
	placer  place.Placer
	key     func(model.JobID) float64 // the least goes first, of equal ones the older job
	// before, if there is one, says whether a goes before b. It agrees with the keys, and says more than they do.
	before func(a, b model.JobID) bool
	order  []ranked // the queue, first first
	lazy   *lazyQueue
}

// newPreemptive makes a queue, which its policy gives a key or an order.
func newPreemptive(c *model.Cluster, m mover, p place.Placer) preemptive {
	q := preemptive{cluster: c, mover: m, placer: p}
	if !policy.Plain {
		q.lazy = &lazyQueue{}
	}
	return q
}

// fresh is the same with scratch memory of its own.
func (q *preemptive) fresh() preemptive {
	return newPreemptive(q.cluster, mover{on: q.mover.on, left: q.mover.left},
		place.Placer{MostFree: q.placer.MostFree})
}

// give gives GPUs in the order of the queue. A job that holds some keeps them, or moves to faster free ones. One that
// does not gets free ones, or takes them from the last in the queue.
func (q *preemptive) give(v sim.View, p *sim.Plan, w *sim.Why) {
	q.mover.moved = q.mover.moved[:0]
	if q.lazy != nil {
		q.lazy.give(q, v, p, w)
		return
	}
	q.sort(v.Active())
	for i, r := range q.order {
		if sim.Explains && w.Detail != nil {
			w.Detail.Order = append(w.Detail.Order, r.job)
		}
		switch {
		case p.Keep(r.job): // and nobody behind it can take them
			if q.mover.try(q.cluster, &q.placer, v, p, r.job) || w.Detail != nil {
				w.Chose(r.job, r.key, 0, 0)
			}
		case q.placer.Fastest(q.cluster, v, p, r.job), q.take(v, p, i):
			w.Chose(r.job, r.key, 0, 0)
		default:
			policy.WaitForRoom(q.cluster, v, p, w, r.job)
		}
	}
}

// take places the i-th in the queue on GPUs that those behind it lose, the last first, until it fits. If it never does,
// they keep them all. More may have been taken than the gang needed, since GPUs of another type or node do not help:
// whoever finds its own still free goes on as if nothing had been.
func (q *preemptive) take(v sim.View, p *sim.Plan, i int) bool {
	before := p.Mark()
	for k := len(q.order) - 1; k > i; k-- {
		if !p.Holds(q.order[k].job) {
			continue
		}
		p.Drop(q.order[k].job)
		if q.placer.Fastest(q.cluster, v, p, q.order[i].job) {
			for _, r := range q.order[i+1:] {
				p.Keep(r.job)
			}
			return true
		}
	}
	p.Undo(before)
	return false
}

// sort makes the queue of the jobs.
func (q *preemptive) sort(jobs []model.JobID) {
	q.order = q.order[:0]
	for _, j := range jobs {
		q.order = append(q.order, ranked{j, q.key(j)})
	}
	slices.SortFunc(q.order, func(a, b ranked) int {
		if q.before != nil {
			return q.compare(a.job, b.job)
		}
		return a.compare(b)
	})
}

// compare is before as a search asks it.
func (q *preemptive) compare(a, b model.JobID) int {
	switch {
	case a == b:
		return 0
	case q.before(a, b):
		return -1
	}
	return 1
}

// stands is where in the order j stands, if it does.
func (q *preemptive) stands(j model.JobID) (at int, ok bool) {
	return slices.BinarySearchFunc(q.order, j, func(r ranked, j model.JobID) int { return q.compare(r.job, j) })
}

// leave comes before whatever changes where j stands in the order, and enter after it. The plain form, which sorts the
// queue anew at each decision, need not know.
func (q *preemptive) leave(j model.JobID) {
	if q.lazy != nil {
		q.lazy.leave(q, j)
	}
}

func (q *preemptive) enter(j model.JobID) {
	if q.lazy != nil {
		q.lazy.enter(q, j)
	}
}

// visited are the jobs of whom something was decided; the others go on as they are.
func (q *preemptive) visited(v sim.View) []model.JobID {
	if q.lazy != nil {
		return q.lazy.visited
	}
	return v.Active()
}

// before says whether r goes before x.
func (r ranked) before(x ranked) bool { return r.compare(x) < 0 }

// compare is less than 0 if r goes before x.
func (r ranked) compare(x ranked) int {
	switch {
	case r.key < x.key:
		return -1
	case r.key > x.key:
		return 1
	}
	return int(r.job - x.job)
}

// explain says where each job stands by the measure, and what moves gain.
func (q *preemptive) explain(v sim.View, p *sim.Plan, w *sim.Why, m measure) {
	m.takes = true
	explainQueue(q.cluster, v, p, w, q.order, model.None, m)
	q.mover.explain(w.Detail)
}
