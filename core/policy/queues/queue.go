// Package queues has the policies that put jobs in an order and serve them from its front: FIFO, SJF, SRTF, LAS,
// Gittins, Tiresias, YARN-CS and Venn-style. They share the queue, with the jobs in front allowed to take GPUs
// from those behind or not, the move of a running job to faster free GPUs, and the way in which a place in a queue is
// explained: by a number, by what is before it and by what is left.
package queues

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// The textbook queues. They place a gang on its fastest free type.

func init() {
	policy.Register(&policy.Spec{
		ID: "fifo", Title: "FIFO", Rev: 1,
		Summary: "First come, first served, without preemption; a job that does not fit blocks those behind it.",
		Source:  "textbook; placement ours",
		Formula: "arrival time, earliest first; nobody passes",
		Cadence: policy.Fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Params: []policy.Param{{Name: "skip", Title: "Skip jobs that do not fit", Kind: policy.Bool, Default: false,
			Help: "Jobs behind a blocked one may start if they fit. Off shows head-of-line blocking."}},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return &fifo{cluster: m.Cluster, skip: v.Bool("skip")}, nil
		},
	})
	policy.Register(&policy.Spec{
		ID: "srtf", Title: "SRTF", Rev: 2, LastReleases: []string{"0.1.0"},
		Summary: "Shortest remaining time first, with preemption, knowing job lengths as the scenario lets it, true or noisy.",
		Source:  "textbook; remaining time is remaining steps over the job's best speed, and moves to faster types (ours)",
		Formula: "steps left ÷ best speed, least first",
		Cadence: policy.Fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Needs:   policy.Needs{Lengths: true},
		Params:  []policy.Param{migrateParam},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			o := newOrdered(m.Cluster, remaining, mover{on: v.Bool("migrate"), left: knownLeft}, shortestLeft)
			o.neverRises = true
			return o, nil
		},
	})
}

func init() {
	policy.Register(&policy.Spec{
		ID: "sjf", Title: "SJF", Rev: 1,
		Summary: "Shortest job first, without preemption, knowing job lengths as the scenario lets it, true or noisy.",
		Source:  "textbook; length is steps over the job's best speed (ours)",
		Formula: "steps ÷ best speed, least first",
		Cadence: policy.Fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Needs:   policy.Needs{Lengths: true},
		Params: []policy.Param{{Name: "skip", Title: "Skip jobs that do not fit", Kind: policy.Bool, Default: true,
			Help: "Off: the shortest job blocks the others until it fits."}},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return &fifo{cluster: m.Cluster, skip: v.Bool("skip"), shortest: true}, nil
		},
	})
	policy.Register(&policy.Spec{
		ID: "las", Title: "LAS", Rev: 2, LastReleases: []string{"0.1.0"},
		Summary: "Least attained service first: whoever has had the least GPU time goes first, with preemption.",
		Source:  "textbook; attained service in GPU-seconds, looked at each round, and moves to faster types (ours)",
		Formula: "attained service = GPUs × time held, least first",
		Cadence: func(m model.Public, _ policy.Values) sim.Cadence {
			return sim.Cadence{Every: m.Round, On: sim.Arrival | sim.Finish | sim.Capacity}
		},
		Params: []policy.Param{migrateParam},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return newOrdered(m.Cluster, attained, mover{on: v.Bool("migrate"), left: doneSoFar}, leastServed), nil
		},
	})
}

// fifo is a queue without preemption, in order of arrival or, if shortest is set, of length. Nobody who
// runs is disturbed, so it looks at the waiting jobs only.
type fifo struct {
	cluster  *model.Cluster
	skip     bool
	shortest bool
	placer   place.Placer
	order    []model.JobID // the shortest first, kept between decisions: no key changes while a job waits
}

// Clone copies the parameters; the order is made anew at the next decision.
func (f *fifo) Clone() sim.Policy {
	return &fifo{cluster: f.cluster, skip: f.skip, shortest: f.shortest}
}

// Decide starts jobs in order. Unless skip is set, the first that does not fit blocks those behind it.
func (f *fifo) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	waiting := f.waiting(v)
	key := func(j model.JobID) float64 { return f.key(v, j) }
	head := serve(f.cluster, &f.placer, v, p, w, waiting, f.skip, key, func(at int, head model.JobID) []model.JobID {
		if f.shortest {
			return waiting[at:]
		}
		return younger(v, w, head)
	})
	if sim.Explains && w.Detail != nil {
		w.Detail.Order = append(w.Detail.Order, waiting...)
		var all []ranked
		for _, j := range f.sort(v, slices.Clone(v.Active())) {
			all = append(all, ranked{j, f.key(v, j)})
		}
		explainQueue(f.cluster, v, p, w, all, head, f.measure(v))
	}
}

// serve starts waiting jobs in their order. Unless skip is set, the first that does not fit, the head, blocks those
// behind it, of whom behind lists whom to tell; at is the place of the first. Without a head it is None.
func serve(c *model.Cluster, pl *place.Placer, v sim.View, p *sim.Plan, w *sim.Why, waiting []model.JobID, skip bool,
	key func(model.JobID) float64, behind func(at int, head model.JobID) []model.JobID) (head model.JobID) {
	head = model.None
	for at, j := range waiting {
		if head >= 0 && !skip {
			free, _ := place.Free(c, p)
			block(v, w, behind(at, head), head, free)
			break
		}
		switch {
		case pl.Fastest(c, v, p, j):
			w.Chose(j, key(j), 0, 0)
		case head < 0:
			head = j
			fallthrough
		default:
			policy.WaitForRoom(c, v, p, w, j)
		}
	}
	return head
}

// block tells jobs behind the head why they wait while so many GPUs are free. Jobs whose reason is recorded are
// passed, unless this decision is being explained.
func block(v sim.View, w *sim.Why, behind []model.JobID, head model.JobID, free int32) {
	for _, j := range behind {
		if w.Detail != nil || !v.Explained(j) {
			w.WaitFor(j, trace.WaitOrder, head, float64(v.Shape(j).Size), float64(free), 0)
		}
	}
}

// younger lists the waiting jobs younger than j of which block has to tell.
func younger(v sim.View, w *sim.Why, j model.JobID) []model.JobID {
	list := v.Unexplained()
	if sim.Explains && w.Detail != nil {
		list = v.Waiting()
	}
	at, _ := slices.BinarySearch(list, j+1)
	return list[at:]
}

// waiting lists the waiting jobs in the order of the queue.
func (f *fifo) waiting(v sim.View) []model.JobID {
	if !f.shortest {
		return v.Waiting()
	}
	f.order = slices.DeleteFunc(f.order, func(j model.JobID) bool { return !v.Explained(j) })
	for _, j := range v.Unexplained() {
		at, _ := slices.BinarySearchFunc(f.order, j, func(a, b model.JobID) int { return f.compare(v, a, b) })
		f.order = slices.Insert(f.order, at, j)
	}
	if len(f.order) != len(v.Waiting()) { // at the first decision of a clone, or after a choice forced upon the policy
		f.order = f.sort(v, append(f.order[:0], v.Waiting()...))
	}
	return f.order
}

// sort puts jobs in the order of the queue.
func (f *fifo) sort(v sim.View, jobs []model.JobID) []model.JobID {
	if f.shortest {
		slices.SortFunc(jobs, func(a, b model.JobID) int { return f.compare(v, a, b) })
	}
	return jobs
}

// compare puts the shorter job first, and of equal ones the older.
func (f *fifo) compare(v sim.View, a, b model.JobID) int {
	return cmp.Or(cmp.Compare(f.key(v, a), f.key(v, b)), cmp.Compare(a, b))
}

// key is the job's length in seconds at its best speed, or 0 in order of arrival. Jobs without a speed go last.
func (f *fifo) key(v sim.View, j model.JobID) float64 {
	if !f.shortest {
		return 0
	}
	total, _ := v.Total(j)
	return float64(total) / max(policy.BestRate(f.cluster, v, j), unit.Tiny)
}

// measure is arrival, or length.
func (f *fifo) measure(v sim.View) measure {
	if !f.shortest {
		return byArrival(v)
	}
	m := ofSpeed(byNumber("The shortest goes first", "Length", "s", "it takes {0} at its best speed",
		func(j model.JobID) float64 { return f.key(v, j) }))
	m.sum = func(j model.JobID) []words.Text {
		total, _ := v.Total(j)
		return append(policy.TimeSum("length = steps ÷ best speed = {0} ÷ {1} = {2} s", total, policy.BestRate(f.cluster, v, j)),
			policy.BestOutOfReach(f.cluster, v, j)...)
	}
	return m
}

// ordered is a preemptive queue by a key, least first, ties by age.
type ordered struct {
	preemptive
	key        func(c *model.Cluster, v sim.View, j model.JobID) float64
	measure    func(key func(model.JobID) float64) measure
	neverRises bool // the key of a job, while its gang and phase stay
}

// newOrdered makes a preemptive queue by a key, which moves running jobs as m says; by tells what the key is.
func newOrdered(c *model.Cluster, key func(*model.Cluster, sim.View, model.JobID) float64, m mover,
	by func(func(model.JobID) float64) measure) *ordered {
	return &ordered{preemptive: newPreemptive(c, m, place.Placer{}), key: key, measure: by}
}

// shortestLeft is the measure of SRTF.
func shortestLeft(key func(model.JobID) float64) measure {
	return ofSpeed(byNumber("The shortest remaining time goes first", "Time left", "s",
		"it still needs {0} at its best speed", key))
}

// leastServed is the measure of LAS.
func leastServed(key func(model.JobID) float64) measure {
	return byNumber("Whoever has had least service goes first", "Attained service", "GPU-s",
		"it has had {0} of service", key)
}

// ranked is a job with its sort key; keys are computed once, for sorting asks for them often.
type ranked struct {
	job model.JobID
	key float64
}

// keyOf is a job's key in a queue.
func keyOf(order []ranked, j model.JobID) float64 {
	return order[slices.IndexFunc(order, func(r ranked) bool { return r.job == j })].key
}

// remaining is the job's remaining time in seconds at its best speed. Jobs without a speed go last.
func remaining(c *model.Cluster, v sim.View, j model.JobID) float64 {
	left, _ := v.Remaining(j)
	return float64(left) / max(policy.BestRate(c, v, j), unit.Tiny)
}

// attained is the job's service so far in GPU-seconds.
func attained(_ *model.Cluster, v sim.View, j model.JobID) float64 { return v.Attained(j).Seconds() }

// Clone copies the parameters; the order is made anew at the next decision.
func (o *ordered) Clone() sim.Policy { return &ordered{o.fresh(), o.key, o.measure, o.neverRises} }

// Decide serves the active jobs in the order of the present values of their key.
func (o *ordered) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	o.preemptive.key = func(j model.JobID) float64 { return o.key(o.cluster, v, j) }
	if o.lazy != nil && o.neverRises {
		o.lazy.bounded = func(j model.JobID) (float64, keyBound) {
			key := o.preemptive.key(j)
			return key, keyBound{key, unit.Never}
		}
	}
	o.give(v, p, w)
	if sim.Explains && w.Detail != nil {
		m := o.measure(func(j model.JobID) float64 { return keyOf(o.order, j) })
		if o.neverRises {
			m.sum = func(j model.JobID) []words.Text {
				left, _ := v.Remaining(j)
				return append(policy.TimeSum("time left = steps left ÷ best speed = {0} ÷ {1} = {2} s",
					left, policy.BestRate(o.cluster, v, j)), policy.BestOutOfReach(o.cluster, v, j)...)
			}
		}
		o.explain(v, p, w, m)
	}
}
