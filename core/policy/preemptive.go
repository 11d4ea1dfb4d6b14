package policy

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

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
	key     func(model.JobID) (float64, ceiling)
	tops    []ceiling // of the keys, by job
	wishers []wishers
	looked  bool          // the wishes of all jobs are known, but for those that changed, wait or were visited
	ahead   []int         // scratch of look: places in the order that is kept
	line    []ranked      // scratch of look and draw, as a heap
	visited []model.JobID // those of whom something was decided; the others go on as they are
	refused refusals
	seen    []int32 // scratch of rank, by job: times if it is active, and one more if it was in the order before
	times   int32   // goes up by two with each decision
}

// ceiling is the most that the key of a job is before an instant while its gang and phase stay; the zero value says
// nothing.
type ceiling struct {
	key   float64
	until unit.Tick
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
			if int(j) < len(q.tops) {
				q.tops[j] = ceiling{}
			}
		}
	}
	q.refused.begin()
	few := q.look(v, w)
	drawing := few && q.before == nil // from the line, not along the order
	first := ranked{model.None, math.Inf(-1)}
	if !few && q.before == nil {
		q.rank(v, first)
	}
	q.mover.moved, q.visited, q.looked = q.mover.moved[:0], q.visited[:0], true
	room := q.room(p)
	last := len(q.order) - 1 // nobody behind it holds GPUs under the plan
	var dropped []int        // positions of those who lost theirs, front first
	for i, r := -1, first; ; {
		if drawing {
			if r = q.draw(p, r); r.job < 0 {
				break
			}
		} else {
			if i++; few {
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
		if drawing { // who is last has to be known
			q.rank(v, r)
			i, _ = slices.BinarySearchFunc(q.order, r, ranked.compare)
			last, few, drawing = len(q.order)-1, false, false
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

// rank puts the active jobs in the order of the present values of their key, least first; of equal keys the older job
// goes first. It begins with the order in which they were last, in which few are out of place. Who goes before r even
// with the greatest key that it may have is not asked, and stands there in any order: it has had its turn.
func (q *preemptive) rank(v sim.View, r ranked) {
	active := v.Active()
	if n := len(active); n > 0 && int(active[n-1]) >= len(q.seen) {
		more := int(active[n-1]) + 1 - len(q.seen)
		q.seen, q.tops = append(q.seen, make([]int32, more)...), append(q.tops, make([]ceiling, more)...)
	}
	least := min(float64(r.key*(1-1e-9)), float64(r.key*(1+1e-9))) // by rounding a key may be greater
	q.times += 2
	for _, j := range active {
		q.seen[j] = q.times
	}
	kept := q.order[:0]
	for _, x := range q.order {
		if q.seen[x.job] != q.times {
			continue
		}
		q.seen[x.job]++
		if top := &q.tops[x.job]; v.Now() >= top.until || top.key >= least {
			x.key, *top = q.key(x.job)
		} // else the key that it had is no greater either
		kept = append(kept, x)
	}
	for _, j := range active {
		if q.seen[j] == q.times {
			kept = append(kept, q.ranked(j))
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

// ranked is a job with its key.
func (q *preemptive) ranked(j model.JobID) ranked {
	key, _ := q.key(j)
	return ranked{j, key}
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
				q.line = append(q.line, q.ranked(j))
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
			q.line = append(q.line, q.ranked(j))
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
	m.takes = true
	explainQueue(q.cluster, v, p, w, q.order, model.None, m)
	q.mover.explain(w.Detail)
}
