package queues

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// lazyQueue decides as the plain form of preemptive does, and saves visits. In a long queue most jobs run and go on as
// they are, or wait as before, at most decisions:
//
//   - Who keeps what it holds is visited only while a type on which it would be faster has room for it: its upgrade.
//     While it keeps its gang no other answer changes.
//   - Of jobs that wait, whoever is like one that was refused under the same plan is refused: what may be taken from
//     those behind it is the less, the later it stands.
//   - The whole queue is put in order only when somebody takes GPUs from its end, or when nearly all are visited; until
//     then those to be visited are drawn from a heap, or, where the policy says who moves in the order, looked up.
type lazyQueue struct {
	// bounded is a job's key with what it may be later; nil = nothing is known of that.
	bounded  func(model.JobID) (float64, keyBound)
	bounds   policy.ByJob[keyBound]
	kept     bool // the order is kept from one decision to the next by enter and leave, and not sorted
	upgrades policy.ByJob[upgradeTo]
	queues   []upgradeQueue
	begun    bool // the upgrades of all jobs are known, but for those that changed, wait or were visited
	refused  refusals
	visited  []model.JobID       // those of whom something was decided; the others go on as they are
	stamps   policy.ByJob[int32] // scratch of rank: stamp if it is active, and one more if it was in the order before
	stamp    int32               // goes up by two with each decision

	// Of the present decision:
	walk    walk
	at      int      // the place in the order, but for byHeap
	ahead   []int    // byPlace: places in the order to be visited
	line    []ranked // byHeap: who is to be visited, a heap
	room    uint32   // types of which GPUs are free under the plan
	last    int      // nobody behind it in the order holds GPUs under the plan
	dropped []int    // places in the order of those who lost theirs, front first
}

// walk is how a decision goes through the queue.
type walk int8

const (
	throughAll walk = iota
	byPlace         // of an order that is kept
	byHeap          // of keys that change with time
)

// keyBound is the most that the key of a job is before an instant while its gang and phase stay; the zero value says
// nothing.
type keyBound struct {
	key   float64
	until unit.Tick
}

// upgradeTo is where a job would move to: types on which it would be faster, once one of them has so many free GPUs. It
// holds while the job keeps its gang; with size 0 it is not known. The kind of the job stands beside it, 0 until it is
// known, since it too holds until the kernel says that the job has changed.
type upgradeTo struct {
	types uint32
	size  int32
	kind  int32
}

// upgradeQueue is the jobs with one upgrade, in the order of the queue if that is kept, else by id.
type upgradeQueue struct {
	types uint32
	size  int32
	jobs  []model.JobID
	drawn bool // they stand in line
}

// give is the lazy form of preemptive.give.
func (l *lazyQueue) give(q *preemptive, v sim.View, p *sim.Plan, w *sim.Why) {
	for _, list := range [][]model.JobID{v.Ended(), v.Changed()} {
		for _, j := range list {
			l.set(q, j, upgradeTo{})
			if int(j) < len(l.bounds) {
				l.bounds[j] = keyBound{}
			}
		}
	}
	l.refused.begin()
	l.collect(q, v, w)
	r := ranked{model.None, math.Inf(-1)}
	if l.walk == throughAll && !l.kept {
		l.rank(q, v, r)
	}
	l.visited, l.begun = l.visited[:0], true
	l.room, l.at, l.last, l.dropped = l.types(q, p), -1, len(q.order)-1, l.dropped[:0]
	for {
		var ok bool
		if r, ok = l.next(q, p, r); !ok {
			return
		}
		l.visit(q, v, p, w, r)
	}
}

// visit decides about one job.
func (l *lazyQueue) visit(q *preemptive, v sim.View, p *sim.Plan, w *sim.Why, r ranked) {
	if x := *l.upgrades.Of(r.job, upgradeTo{}); x.size > 0 && w.Detail == nil &&
		(x.types&l.room == 0 || !l.open(q, p, x)) {
		return // it keeps what it holds and can go nowhere
	}
	if sim.Explains && w.Detail != nil {
		w.Detail.Order = append(w.Detail.Order, r.job)
	}
	if x := &l.upgrades[r.job]; !v.Holds(r.job) {
		if x.kind == 0 {
			x.kind = l.refused.of(v, r.job)
		}
		if l.refused.has(p, x.kind) {
			policy.WaitForRoom(q.cluster, v, p, w, r.job)
			return
		}
	}
	l.visited = append(l.visited, r.job)
	switch {
	case p.Keep(r.job):
		l.keep(q, v, p, w, r)
	case q.placer.Fastest(q.cluster, v, p, r.job), l.take(q, v, p, r):
		w.Chose(r.job, r.key, 0, 0)
		l.room = l.types(q, p)
	default:
		if !v.Holds(r.job) { // else it was dropped in vain, and its kind is not known
			l.refused.add(l.upgrades[r.job].kind)
		}
		policy.WaitForRoom(q.cluster, v, p, w, r.job)
	}
}

// keep has a job go on as it is, or move.
func (l *lazyQueue) keep(q *preemptive, v sim.View, p *sim.Plan, w *sim.Why, r ranked) {
	moved := q.mover.try(q.cluster, &q.placer, v, p, r.job)
	if moved || w.Detail != nil {
		w.Chose(r.job, r.key, 0, 0)
	}
	switch {
	case moved:
		l.room = l.types(q, p)
	case l.upgrades[r.job].size == 0 && v.Gangs(r.job) == 1:
		types, size := q.placer.FasterTypes(q.cluster, v, r.job)
		if !q.mover.on {
			types = 0
		}
		l.set(q, r.job, upgradeTo{types: types, size: size})
	}
}

// take is the lazy form of preemptive.take. The order has to be known for it, and those who lose GPUs are to be visited
// in their turn.
func (l *lazyQueue) take(q *preemptive, v sim.View, p *sim.Plan, r ranked) bool {
	if l.walk == byHeap {
		l.rank(q, v, r)
		l.at, _ = slices.BinarySearchFunc(q.order, r, ranked.compare)
		l.last, l.walk = len(q.order)-1, throughAll
	}
	before, lost := p.Mark(), len(l.dropped)
	// Those at the end who hold nothing have nothing to take; they are passed once and for all.
	for l.last > l.at && !p.Holds(q.order[l.last].job) {
		l.last--
	}
	placed := false
	for k := l.last; k > l.at && !placed; k-- {
		if p.Holds(q.order[k].job) {
			p.Drop(q.order[k].job)
			l.dropped = append(l.dropped, k)
			placed = q.placer.Fastest(q.cluster, v, p, r.job)
		}
	}
	if !placed {
		p.Undo(before)
		l.dropped = l.dropped[:lost]
		return false
	}
	for _, k := range l.dropped[lost:] {
		l.set(q, q.order[k].job, upgradeTo{})
		l.ahead = append(l.ahead, k)
	}
	slices.Sort(l.ahead)
	l.ahead = slices.Compact(l.ahead)
	again := slices.Clone(l.dropped)
	slices.Sort(again)
	for _, k := range again {
		if k > l.at && p.Keep(q.order[k].job) {
			l.last = max(l.last, k)
		}
	}
	return true
}

// collect notes those of whom something has to be decided, if they are few: who waits, who has changed, and whose
// upgrade is not known. Others are not, unless there is room for theirs.
func (l *lazyQueue) collect(q *preemptive, v sim.View, w *sim.Why) {
	l.walk, l.ahead, l.line = throughAll, l.ahead[:0], l.line[:0]
	if !l.begun || w.Detail != nil ||
		8*(len(v.Waiting())+len(v.Changed())+len(l.visited)) > len(v.Active()) {
		return
	}
	l.walk = byHeap
	if l.kept {
		l.walk = byPlace
	}
	for k := range l.queues {
		l.queues[k].drawn = false
	}
	for i, list := range [][]model.JobID{v.Waiting(), v.Changed(), l.visited} {
		for _, j := range list {
			if int(j) < len(l.upgrades) && l.upgrades[j].size > 0 || i > 0 && !v.Holds(j) {
				continue
			}
			if !l.kept {
				l.line = unit.HeapPush(l.line, ranked{j, q.key(j)}, ranked.before)
			} else if at, ok := q.stands(j); ok {
				l.ahead = append(l.ahead, at)
			}
		}
	}
	slices.Sort(l.ahead)
	l.ahead = slices.Compact(l.ahead)
}

// next is who is visited after r.
func (l *lazyQueue) next(q *preemptive, p *sim.Plan, r ranked) (ranked, bool) {
	if l.walk == byHeap {
		return l.nextByKey(q, p, r)
	}
	if l.at++; l.walk == byPlace {
		if l.at = l.wanted(q, p, l.at); len(l.ahead) > 0 && l.ahead[0] <= l.at {
			l.at, l.ahead = l.ahead[0], l.ahead[1:]
		}
	}
	if l.at == len(q.order) {
		return r, false
	}
	return q.order[l.at], true
}

// nextByKey is the first after r of those in line and of those for whose upgrade there is room.
func (l *lazyQueue) nextByKey(q *preemptive, p *sim.Plan, r ranked) (ranked, bool) {
	for k := range l.queues {
		u := &l.queues[k]
		if u.drawn || len(u.jobs) == 0 || !l.open(q, p, upgradeTo{types: u.types, size: u.size}) {
			continue
		}
		u.drawn = true
		for _, j := range u.jobs {
			l.line = unit.HeapPush(l.line, ranked{j, q.key(j)}, ranked.before)
		}
	}
	for len(l.line) > 0 {
		var first ranked
		first, l.line = unit.HeapPop(l.line, ranked.before)
		if r.compare(first) < 0 { // some stand there twice, or were drawn when their turn was over
			return first, true
		}
	}
	return r, false
}

// wanted is the first place in the order from at on where a job stands for whose upgrade there is room, or the end.
func (l *lazyQueue) wanted(q *preemptive, p *sim.Plan, at int) int {
	first := len(q.order)
	for k := range l.queues {
		u := &l.queues[k]
		if at >= first || len(u.jobs) == 0 || !l.open(q, p, upgradeTo{types: u.types, size: u.size}) {
			continue
		}
		next, _ := slices.BinarySearchFunc(u.jobs, q.order[at].job, q.compare)
		if next == len(u.jobs) {
			continue
		}
		if here, _ := q.stands(u.jobs[next]); here < first {
			first = here
		}
	}
	return first
}

// rank puts the active jobs in the order of the present values of their key. It begins with the order in which they
// were last, in which few are out of place. Who goes before r even with the greatest key that it may have is not asked,
// and stands there in any order: it has had its turn.
func (l *lazyQueue) rank(q *preemptive, v sim.View, r ranked) {
	active := v.Active()
	if n := len(active); n > 0 {
		l.stamps.Of(active[n-1], 0)
		l.bounds.Of(active[n-1], keyBound{})
	}
	least := min(float64(r.key*(1-unit.Rounding)), float64(r.key*(1+unit.Rounding))) // by rounding a key may be greater
	l.stamp += 2
	for _, j := range active {
		l.stamps[j] = l.stamp
	}
	order := q.order[:0]
	for _, x := range q.order {
		if l.stamps[x.job] != l.stamp {
			continue
		}
		l.stamps[x.job]++
		if b := &l.bounds[x.job]; v.Now() >= b.until || b.key >= least {
			if l.bounded != nil {
				x.key, *b = l.bounded(x.job)
			} else {
				x.key = q.key(x.job)
			}
		} // else the key that it had is no greater either
		order = append(order, x)
	}
	for _, j := range active {
		if l.stamps[j] == l.stamp {
			order = append(order, ranked{j, q.key(j)})
		}
	}
	q.order = order
	for i, moves := 1, 0; i < len(order); i++ {
		x, k := order[i], i
		for ; k > 0 && x.compare(order[k-1]) < 0; k-- {
			order[k] = order[k-1]
		}
		order[k] = x
		if moves += i - k; moves > 16*len(order) {
			slices.SortFunc(order, ranked.compare)
			return
		}
	}
}

// enter puts j where it stands in the order that is kept.
func (l *lazyQueue) enter(q *preemptive, j model.JobID) {
	at, _ := q.stands(j)
	q.order = slices.Insert(q.order, at, ranked{j, q.key(j)})
	l.list(q, j, true)
}

// leave takes j out of it.
func (l *lazyQueue) leave(q *preemptive, j model.JobID) {
	l.list(q, j, false)
	at, _ := q.stands(j)
	q.order = slices.Delete(q.order, at, at+1)
}

// set notes where a job would move to.
func (l *lazyQueue) set(q *preemptive, j model.JobID, to upgradeTo) {
	if int(j) >= len(l.upgrades) {
		return // nothing is known of it
	}
	l.list(q, j, false)
	l.upgrades[j] = to
	l.list(q, j, true)
}

// list has a job stand in the queue of its upgrade, or not; where it stands in the order must be what it was then.
func (l *lazyQueue) list(q *preemptive, j model.JobID, in bool) {
	if int(j) >= len(l.upgrades) || l.upgrades[j].types == 0 {
		return
	}
	x, compare := l.upgrades[j], func(a, b model.JobID) int { return int(a - b) }
	if l.kept {
		compare = q.compare
	}
	k := slices.IndexFunc(l.queues, func(u upgradeQueue) bool { return u.types == x.types && u.size == x.size })
	if k < 0 {
		k = len(l.queues)
		l.queues = append(l.queues, upgradeQueue{types: x.types, size: x.size})
	}
	jobs := &l.queues[k].jobs
	at, found := slices.BinarySearchFunc(*jobs, j, compare)
	switch {
	case in && !found:
		*jobs = slices.Insert(*jobs, at, j)
	case !in && found:
		*jobs = slices.Delete(*jobs, at, at+1)
	}
}

// open says whether a type of an upgrade has as many free GPUs as it takes.
func (l *lazyQueue) open(q *preemptive, p *sim.Plan, x upgradeTo) bool {
	for t := range q.cluster.Types {
		if x.types&place.TypeBit(model.TypeID(t)) != 0 && p.FreeOf(model.TypeID(t)) >= x.size {
			return true
		}
	}
	return false
}

// types is the set of those of which GPUs are free under the plan.
func (l *lazyQueue) types(q *preemptive, p *sim.Plan) (types uint32) {
	for t := range q.cluster.Types {
		if p.FreeOf(model.TypeID(t)) > 0 {
			types |= place.TypeBit(model.TypeID(t))
		}
	}
	return types
}

// refusals are the kinds of jobs for which no place was found in a plan that has not changed since.
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
