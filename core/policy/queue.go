package policy

import (
	"cmp"
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// The textbook queues. They place a gang on its fastest free type.

func init() {
	register(&Spec{
		ID: "fifo", Title: "FIFO", Rev: 1,
		Summary: "First come, first served, without preemption; a job that does not fit blocks those behind it.",
		Source:  "textbook; placement ours",
		Formula: "arrival time, earliest first; nobody passes",
		Cadence: fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Params: []Param{{Name: "skip", Title: "Skip jobs that do not fit", Kind: Bool, Default: false,
			Help: "Jobs behind a blocked one may start if they fit. Off shows head-of-line blocking."}},
		New: func(m model.Public, v Values) (sim.Policy, error) {
			return &fifo{cluster: m.Cluster, skip: v.Bool("skip")}, nil
		},
	})
	register(&Spec{
		ID: "srtf", Title: "SRTF", Rev: 1,
		Summary: "Shortest remaining time first, with preemption and perfect knowledge of job lengths.",
		Source:  "textbook; remaining time is remaining steps over the job's best speed (ours)",
		Formula: "steps left ÷ best speed, least first",
		Cadence: fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Needs:   Needs{Lengths: true},
		Params:  []Param{migrateParam},
		New: func(m model.Public, v Values) (sim.Policy, error) {
			return newOrdered(m.Cluster, remaining, mover{on: v.Bool("migrate"), left: knownLeft}, shortestLeft), nil
		},
	})
}

func init() {
	register(&Spec{
		ID: "sjf", Title: "SJF", Rev: 1,
		Summary: "Shortest job first, without preemption, with perfect knowledge of job lengths.",
		Source:  "textbook; length is steps over the job's best speed (ours)",
		Formula: "steps ÷ best speed, least first",
		Cadence: fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Needs:   Needs{Lengths: true},
		Params: []Param{{Name: "skip", Title: "Skip jobs that do not fit", Kind: Bool, Default: true,
			Help: "Off: the shortest job blocks the others until it fits."}},
		New: func(m model.Public, v Values) (sim.Policy, error) {
			return &fifo{cluster: m.Cluster, skip: v.Bool("skip"), shortest: true}, nil
		},
	})
	register(&Spec{
		ID: "las", Title: "LAS", Rev: 1,
		Summary: "Least attained service first: whoever has had the least GPU time goes first, with preemption.",
		Source:  "textbook; attained service in GPU-seconds, looked at each round (ours)",
		Formula: "attained service = GPUs × time held, least first",
		Cadence: func(m model.Public, _ Values) sim.Cadence {
			return sim.Cadence{Every: m.Round, On: sim.Arrival | sim.Finish | sim.Capacity}
		},
		Params: []Param{migrateParam},
		New: func(m model.Public, v Values) (sim.Policy, error) {
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
	waiting, head := f.waiting(v), model.JobID(model.None)
	for i, j := range waiting {
		if head >= 0 && !f.skip {
			behind := waiting[i:]
			if !f.shortest {
				behind = younger(v, w, head)
			}
			free, _ := place.Free(f.cluster, p)
			block(v, w, behind, head, free)
			break
		}
		switch {
		case f.placer.Fastest(f.cluster, v, p, j):
			w.Chose(j, f.key(v, j), 0, 0)
		case head < 0:
			head = j
			fallthrough
		default:
			waitForRoom(f.cluster, v, p, w, j)
		}
	}
	if w.Detail != nil {
		w.Detail.Order = append(w.Detail.Order, waiting...)
		var all []ranked
		for _, j := range f.sort(v, slices.Clone(v.Active())) {
			all = append(all, ranked{j, f.key(v, j)})
		}
		explainQueue(f.cluster, v, p, w, all, head, f.measure(v))
	}
}

// block tells jobs behind the head why they wait while so many GPUs are free. Who has been told is told again only
// where that is heard.
func block(v sim.View, w *sim.Why, behind []model.JobID, head model.JobID, free int32) {
	for _, j := range behind {
		if w.Detail != nil || !v.Told(j) {
			w.WaitFor(j, trace.WaitOrder, head, float64(v.Shape(j).Size), float64(free), 0)
		}
	}
}

// younger lists the waiting jobs younger than j of which block has to tell.
func younger(v sim.View, w *sim.Why, j model.JobID) []model.JobID {
	list := v.Untold()
	if w.Detail != nil {
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
	f.order = slices.DeleteFunc(f.order, func(j model.JobID) bool { return !v.Told(j) })
	for _, j := range v.Untold() {
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
	return float64(total) / max(bestRate(f.cluster, v, j), 1e-300)
}

// measure is arrival, or length.
func (f *fifo) measure(v sim.View) measure {
	if !f.shortest {
		return byArrival(v)
	}
	return byNumber("The shortest goes first", "Length", "s", "it takes {0} at its best speed",
		func(j model.JobID) float64 { return f.key(v, j) })
}

// waitForRoom records that j's gang does not fit on what is free: too few GPUs are, or there would be
// enough but not where the gang could use them. Who has been told is told again only where that is heard.
func waitForRoom(c *model.Cluster, v sim.View, p *sim.Plan, w *sim.Why, j model.JobID) {
	if w.Detail == nil && v.Told(j) {
		return
	}
	size := v.Shape(j).Size
	free, one := place.Free(c, p)
	code := trace.WaitShape
	if free < size {
		code = trace.WaitFull
	}
	w.Wait(j, code, float64(size), float64(free), float64(one))
}

// ordered is a preemptive queue by a key, least first, ties by age.
type ordered struct {
	preemptive
	key     func(c *model.Cluster, v sim.View, j model.JobID) float64
	measure func(key func(model.JobID) float64) measure
}

// newOrdered makes a preemptive queue by a key, which moves running jobs as m says; by tells what the key is.
func newOrdered(c *model.Cluster, key func(*model.Cluster, sim.View, model.JobID) float64, m mover,
	by func(func(model.JobID) float64) measure) *ordered {
	return &ordered{preemptive{cluster: c, mover: m}, key, by}
}

// shortestLeft is the measure of SRTF.
func shortestLeft(key func(model.JobID) float64) measure {
	return byNumber("The shortest remaining time goes first", "Time left", "s", "it still needs {0} at its best speed", key)
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

// rank puts the active jobs in the order of the present values of their key, least first; of equal keys the older job
// goes first. It begins with the order in which they were last, in which few are out of place.
func (q *preemptive) rank(v sim.View) {
	active := v.Active()
	if n := len(active); n > 0 && int(active[n-1]) >= len(q.seen) {
		q.seen = append(q.seen, make([]int32, int(active[n-1])+1-len(q.seen))...)
	}
	q.times += 2
	for _, j := range active {
		q.seen[j] = q.times
	}
	kept := q.order[:0]
	for _, r := range q.order {
		if q.seen[r.job] == q.times {
			q.seen[r.job]++
			kept = append(kept, ranked{r.job, q.key(r.job)})
		}
	}
	for _, j := range active {
		if q.seen[j] == q.times {
			kept = append(kept, ranked{j, q.key(j)})
		}
	}
	q.order = kept
	for i, moves := 1, 0; i < len(kept); i++ {
		r, k := kept[i], i
		for ; k > 0 && r.compare(kept[k-1]) < 0; k-- {
			kept[k] = kept[k-1]
		}
		kept[k] = r
		if moves += i - k; moves > 16*len(kept) {
			slices.SortFunc(kept, ranked.compare)
			return
		}
	}
}

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

// remaining is the job's remaining time in seconds at its best speed. Jobs without a speed go last.
func remaining(c *model.Cluster, v sim.View, j model.JobID) float64 {
	left, _ := v.Remaining(j)
	return float64(left) / max(bestRate(c, v, j), 1e-300)
}

// attained is the job's service so far in GPU-seconds.
func attained(_ *model.Cluster, v sim.View, j model.JobID) float64 { return v.Attained(j).Seconds() }

// bestRate is the job's speed on its best type, at its size.
func bestRate(c *model.Cluster, v sim.View, j model.JobID) float64 {
	best := unit.Rate(0)
	for t := range c.Types {
		best = max(best, v.Speed(j, 0).Rate(model.TypeID(t), v.Shape(j).Size, model.OneNode))
	}
	return float64(best)
}

// Clone copies the parameters; the order is made anew at each decision.
func (o *ordered) Clone() sim.Policy { return &ordered{o.fresh(), o.key, o.measure} }

// Decide serves the active jobs in the order of the present values of their key.
func (o *ordered) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	o.preemptive.key = func(j model.JobID) float64 { return o.key(o.cluster, v, j) }
	o.give(v, p, w)
	if w.Detail != nil {
		o.explain(v, p, w, o.measure(func(j model.JobID) float64 { return keyOf(o.order, j) }))
	}
}

// preemptive gives GPUs to a queue whose front may take them from its end.
type preemptive struct {
	cluster *model.Cluster
	mover   mover
	placer  place.Placer
	order   []ranked // the queue, first first
	wishes  []wish   // by job
	// before says whether a stands before b in the order, which then is kept from one decision to the next by enter and
	// leave. Without it there is a key, least first, whose values change with time, and all are put in order only where
	// the order of some does not do.
	before  func(a, b model.JobID) bool
	key     func(model.JobID) float64
	wishers []wishers
	looked  bool          // the wishes of all jobs are known, but for those that changed, wait or were visited
	ahead   []int         // scratch of look: places in the order that is kept
	line    []ranked      // scratch of look and draw, as a heap
	visited []model.JobID // those of whom something was decided; the others go on as they are
	refused refusals
	seen    []int32 // scratch of rank, by job: times if it is active, and one more if it was in the order before
	times   int32   // goes up by two with each decision
}

// wish is where a job would move to: types on which it would be faster, once one of them has so many free GPUs. It
// holds while the job keeps its gang; with size 0 it is not known. The kind of the job stands beside it, 0 until it is
// known, since it too holds until the kernel says that the job has changed.
type wish struct {
	types uint32
	size  int32
	kind  int32
}

// wishers are the jobs of one wish, in the order of the queue if that is kept, else by id.
type wishers struct {
	types uint32
	size  int32
	jobs  []model.JobID
	drawn bool // they stand in line
}

// refusals are the kinds of jobs for which no place was found in a plan that has not changed since: none is found for
// another job of the kind either. What may be taken from those behind it is the less, the later it stands.
type refusals struct {
	kinds []alike
	at    sim.Mark // of the plan
	round int32    // goes up with each decision and each change of the plan
}

// alike is what the search for a place reads of a job. refused is the last round in which one was refused.
type alike struct {
	shape   model.Shape
	speed   *model.Throughput
	refused int32
}

// mostKinds is how many kinds are told apart: where jobs are of more, looking for theirs costs more than it spares.
const mostKinds = 256

// begin forgets the refusals of the decision before.
func (r *refusals) begin() {
	r.at = 0
	r.round++
}

// of is one more than the number of the kind of j; -1 = it is of none that is told apart.
func (r *refusals) of(v sim.View, j model.JobID) int32 {
	shape, speed := v.Shape(j), v.Speed(j, 0)
	for i := range r.kinds {
		if k := &r.kinds[i]; k.speed == speed && k.shape == shape {
			return int32(i + 1)
		}
	}
	if len(r.kinds) == mostKinds {
		return -1
	}
	r.kinds = append(r.kinds, alike{shape, speed, 0})
	return int32(len(r.kinds))
}

// has says whether a job of the kind was refused in the plan as it is.
func (r *refusals) has(p *sim.Plan, kind int32) bool {
	if at := p.Mark(); r.at != at {
		r.at = at
		r.round++
	}
	return kind > 0 && r.kinds[kind-1].refused == r.round
}

// add notes that a job of the kind was refused. The caller has asked has before, and the plan is as it was then.
func (r *refusals) add(kind int32) {
	if kind > 0 {
		r.kinds[kind-1].refused = r.round
	}
}

// fresh is the same with scratch memory of its own.
func (q *preemptive) fresh() preemptive {
	return preemptive{cluster: q.cluster, mover: mover{on: q.mover.on, left: q.mover.left},
		placer: place.Placer{MostFree: q.placer.MostFree}}
}

// give gives GPUs in the order of the queue. A job that holds some keeps them, or moves to faster free
// ones. One that does not may take them from the last in the queue, who lose theirs one by one until it
// fits. If it does not fit even so, all get theirs back; and whoever was dropped in vain does in any
// case.
func (q *preemptive) give(v sim.View, p *sim.Plan, w *sim.Why) {
	for _, list := range [][]model.JobID{v.Ended(), v.Changed()} {
		for _, j := range list {
			q.wish(j, wish{})
		}
	}
	q.refused.begin()
	sparse := q.look(v, w)
	if !sparse && q.before == nil {
		q.rank(v)
	}
	q.mover.moved, q.visited, q.looked = q.mover.moved[:0], q.visited[:0], true
	room := q.room(p)
	last := len(q.order) - 1 // nobody behind it holds GPUs under the plan
	var dropped []int        // positions of those who lost theirs, front first
	for i, r := -1, (ranked{model.None, math.Inf(-1)}); ; {
		if sparse && q.before == nil {
			if r = q.draw(p, r); r.job < 0 {
				break
			}
		} else {
			if i++; sparse {
				if i = q.wanted(p, i); len(q.ahead) > 0 && q.ahead[0] <= i {
					i, q.ahead = q.ahead[0], q.ahead[1:]
				}
			}
			if i == len(q.order) {
				break
			}
			r = q.order[i]
		}
		for int(r.job) >= len(q.wishes) {
			q.wishes = append(q.wishes, wish{})
		}
		if x := q.wishes[r.job]; x.size > 0 && w.Detail == nil && (x.types&room == 0 || !q.open(p, x)) {
			continue // it keeps what it holds and can go nowhere
		}
		if w.Detail != nil {
			w.Detail.Order = append(w.Detail.Order, r.job)
		}
		if x := &q.wishes[r.job]; !v.Holds(r.job) {
			if x.kind == 0 {
				x.kind = q.refused.of(v, r.job)
			}
			if q.refused.has(p, x.kind) {
				waitForRoom(q.cluster, v, p, w, r.job)
				continue
			}
		}
		q.visited = append(q.visited, r.job)
		if p.Keep(r.job) { // and nobody behind it can take them
			moved := q.mover.try(q.cluster, &q.placer, v, p, r.job)
			if moved || w.Detail != nil {
				w.Chose(r.job, r.key, 0, 0)
			}
			if moved {
				room = q.room(p)
			} else if q.wishes[r.job].size == 0 && v.Gangs(r.job) == 1 {
				types, size := q.placer.FasterTypes(q.cluster, v, r.job)
				if !q.mover.on {
					types = 0
				}
				q.wish(r.job, wish{types: types, size: size})
			}
			continue
		}
		if q.placer.Fastest(q.cluster, v, p, r.job) {
			w.Chose(r.job, r.key, 0, 0)
			room = q.room(p)
			continue
		}
		if sparse && q.before == nil { // who is last has to be known
			q.rank(v)
			i, _ = slices.BinarySearchFunc(q.order, r, ranked.compare)
			last, sparse = len(q.order)-1, false
		}
		before, lost, placed := p.Mark(), len(dropped), false
		// Those at the end who hold nothing have nothing to take; they are passed once and for all.
		for last > i && !p.Holds(q.order[last].job) {
			last--
		}
		for k := last; k > i && !placed; k-- {
			if p.Holds(q.order[k].job) {
				p.Drop(q.order[k].job)
				dropped = append(dropped, k)
				placed = q.placer.Fastest(q.cluster, v, p, r.job)
			}
		}
		if !placed {
			p.Undo(before)
			dropped = dropped[:lost]
			if !v.Holds(r.job) { // else it was dropped in vain, and its kind is not known
				q.refused.add(q.wishes[r.job].kind)
			}
			waitForRoom(q.cluster, v, p, w, r.job)
			continue
		}
		w.Chose(r.job, r.key, 0, 0)
		for _, k := range dropped[lost:] {
			q.wish(q.order[k].job, wish{}) // it is to be looked at in its turn
			q.ahead = append(q.ahead, k)
		}
		slices.Sort(q.ahead)
		q.ahead = slices.Compact(q.ahead)
		// More may have been dropped than the gang needed, since GPUs of another type or node do not
		// help. Whoever finds its GPUs still free goes on as if nothing had been.
		again := slices.Clone(dropped)
		slices.Sort(again)
		for _, k := range again {
			if k > i && p.Keep(q.order[k].job) {
				last = max(last, k)
			}
		}
		room = q.room(p)
	}
}

// wish notes where a job would move to.
func (q *preemptive) wish(j model.JobID, to wish) {
	if int(j) >= len(q.wishes) {
		return // nothing is known of it
	}
	q.list(j, false)
	q.wishes[j] = to
	q.list(j, true)
}

// list has a job stand among the wishers, or not; where it stands in the order must be what it was then.
func (q *preemptive) list(j model.JobID, in bool) {
	if int(j) >= len(q.wishes) || q.wishes[j].types == 0 {
		return
	}
	x := q.wishes[j]
	k := slices.IndexFunc(q.wishers, func(l wishers) bool { return l.types == x.types && l.size == x.size })
	if k < 0 {
		k = len(q.wishers)
		q.wishers = append(q.wishers, wishers{types: x.types, size: x.size})
	}
	jobs := &q.wishers[k].jobs
	at, found := slices.BinarySearchFunc(*jobs, j, q.compare)
	switch {
	case in && !found:
		*jobs = slices.Insert(*jobs, at, j)
	case !in && found:
		*jobs = slices.Delete(*jobs, at, at+1)
	}
}

// wanted is the first place in the order from at on where a job stands whose wish could come true, or the end.
func (q *preemptive) wanted(p *sim.Plan, at int) int {
	first := len(q.order)
	for k := range q.wishers {
		l := &q.wishers[k]
		if at >= first || len(l.jobs) == 0 || !q.open(p, wish{types: l.types, size: l.size}) {
			continue
		}
		next, _ := slices.BinarySearchFunc(l.jobs, q.order[at].job, q.compare)
		if next == len(l.jobs) {
			continue
		}
		if here, _ := q.stands(l.jobs[next]); here < first {
			first = here
		}
	}
	return first
}

// stands is where in the order j stands, if it does.
func (q *preemptive) stands(j model.JobID) (at int, ok bool) {
	return slices.BinarySearchFunc(q.order, j, func(r ranked, j model.JobID) int { return q.compare(r.job, j) })
}

// enter puts j where it stands in the order.
func (q *preemptive) enter(j model.JobID, key float64) {
	at, _ := q.stands(j)
	q.order = slices.Insert(q.order, at, ranked{j, key})
	q.list(j, true)
}

// leave takes j out of the order. It comes before whatever changes where j stands.
func (q *preemptive) leave(j model.JobID) {
	q.list(j, false)
	at, _ := q.stands(j)
	q.order = slices.Delete(q.order, at, at+1)
}

// compare is before as a search asks it.
func (q *preemptive) compare(a, b model.JobID) int {
	switch {
	case q.before == nil:
		return int(a - b)
	case a == b:
		return 0
	case q.before(a, b):
		return -1
	}
	return 1
}

// look notes those of whom something has to be decided, if they are few: who waits, who has changed, and whose wish is
// not known. Others are not, unless there is what they wish.
func (q *preemptive) look(v sim.View, w *sim.Why) (few bool) {
	q.ahead, q.line = q.ahead[:0], q.line[:0]
	if !q.looked || w.Detail != nil ||
		8*(len(v.Waiting())+len(v.Changed())+len(q.visited)) > len(v.Active()) {
		return false
	}
	for k := range q.wishers {
		q.wishers[k].drawn = false
	}
	for i, list := range [][]model.JobID{v.Waiting(), v.Changed(), q.visited} {
		for _, j := range list {
			if int(j) < len(q.wishes) && q.wishes[j].size > 0 || i > 0 && !v.Holds(j) {
				continue
			}
			if q.before == nil {
				q.line = append(q.line, ranked{j, q.key(j)})
			} else if at, ok := q.stands(j); ok {
				q.ahead = append(q.ahead, at)
			}
		}
	}
	q.heap()
	slices.Sort(q.ahead)
	q.ahead = slices.Compact(q.ahead)
	return true
}

// draw is the first after r of those in line and of those whose wish could come true; no job = there is none.
func (q *preemptive) draw(p *sim.Plan, r ranked) ranked {
	for k := range q.wishers {
		l := &q.wishers[k]
		if l.drawn || len(l.jobs) == 0 || !q.open(p, wish{types: l.types, size: l.size}) {
			continue
		}
		l.drawn = true
		for _, j := range l.jobs {
			q.line = append(q.line, ranked{j, q.key(j)})
		}
		q.heap()
	}
	for n := len(q.line) - 1; n >= 0; n-- {
		first := q.line[0]
		q.line[0] = q.line[n]
		q.line = q.line[:n]
		q.sink(0)
		if r.compare(first) < 0 { // some stand there twice, or were drawn when their turn was over
			return first
		}
	}
	return ranked{job: model.None}
}

// heap makes a heap of the line, the first first.
func (q *preemptive) heap() {
	for i := len(q.line)/2 - 1; i >= 0; i-- {
		q.sink(i)
	}
}

// sink has the one at i change places with those below it that go before it.
func (q *preemptive) sink(i int) {
	for {
		first := i
		for _, k := range [...]int{2*i + 1, 2*i + 2} {
			if k < len(q.line) && q.line[k].compare(q.line[first]) < 0 {
				first = k
			}
		}
		if first == i {
			return
		}
		q.line[i], q.line[first] = q.line[first], q.line[i]
		i = first
	}
}

// open says whether a type of a wish has as many free GPUs as it takes.
func (q *preemptive) open(p *sim.Plan, x wish) bool {
	for t := range q.cluster.Types {
		if x.types&place.TypeBit(model.TypeID(t)) != 0 && p.FreeOf(model.TypeID(t)) >= x.size {
			return true
		}
	}
	return false
}

// room is the set of types of which GPUs are free under the plan.
func (q *preemptive) room(p *sim.Plan) (types uint32) {
	for t := range q.cluster.Types {
		if p.FreeOf(model.TypeID(t)) > 0 {
			types |= place.TypeBit(model.TypeID(t))
		}
	}
	return types
}

// explain says where each job stands by the measure, and what moves gain.
func (q *preemptive) explain(v sim.View, p *sim.Plan, w *sim.Why, m measure) {
	explainQueue(q.cluster, v, p, w, q.order, model.None, m)
	q.mover.explain(w.Detail)
}
