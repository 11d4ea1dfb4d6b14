package fork

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
)

// Copies that hold what their job asked for (copy: request): its gang on one slot, at most what the slot has. Copies of
// several jobs share a slot, a job has one copy a node, and a GPU is a unit, priced as by Hadar by how many of its slot
// are taken.

// shares is the working memory of planning such copies.
type shares struct {
	first   []int32   // by slot, the GPUs that phase 1 gave away
	worth   []float64 // by job and kind of slot: what a round there is worth, with a move
	gangs   []int32   // by kind of slot, the gang of all jobs
	largest int32     // of these, or 1
	column  []int32   // by slot, its first place among the columns of the matcher
	order   []int32   // jobs as Hadar queues them, or by place
	rank    []float64 // by job, by what
	at      []model.SlotID
	on      [][]int32 // by slot, its jobs in phase 1
	crowds
	exchanges
	exchanged, moved int // how often the plain form found exchanges and moves that pay
}

// crowds bunch slots by kind and GPUs taken: a job that need not move there finds all of a bunch alike.
type crowds struct {
	taken []int32 // by slot
	from  []int32 // by kind, the first of its bunches, which is the one of empty slots
	crowd []crowd
}

type crowd struct {
	slots  int32
	lowest int32 // no slot before it is among them
	fewest int32 // none has fewer jobs
}

// fit is the copy that a job could run on a slot: the largest gang with a speed of at most what it asked for.
func (pl *Planner) fit(a asker, s model.SlotID) (x spot) {
	p := pl.prob
	x.gpus, x.rate = largest(a.speed, p.Cluster.Slots[s].Type, min(a.gpus, p.Usable[s]))
	x.units = x.gpus
	if x.rate > 0 {
		if x.size = int32(slices.Index(pl.sizes, x.gpus)); x.size < 0 {
			x.size, pl.sizes = int32(len(pl.sizes)), append(pl.sizes, x.gpus)
		}
	}
	return x
}

// alike says whether on each kind of slot all jobs that can run there have the same gang, which it notes.
func (pl *Planner) alike() bool {
	s := &pl.shares
	s.gangs = grow(s.gangs, pl.kinds)
	clear(s.gangs)
	for i := range pl.speed {
		x, k := &pl.speed[i], i%pl.kinds
		switch {
		case x.rate <= 0:
		case s.gangs[k] == 0:
			s.gangs[k], s.largest = x.gpus, max(s.largest, x.gpus)
		case s.gangs[k] != x.gpus:
			return false
		}
	}
	return true
}

// sharePlaces makes the sum of payoffs the greatest where gangs are equal: each slot has as many places as gangs fit,
// every one dearer than the one before, and places are matched with jobs.
func (pl *Planner) sharePlaces() {
	s, p, w := &pl.shares, pl.prob, &pl.worths
	w.kind, s.column = w.kind[:0], append(s.column[:0], 0)
	from := make([]int32, pl.kinds+1) // by kind of slot, its first kind of column
	for k := range pl.kinds {
		from[k+1] = from[k]
		if g := s.gangs[k]; g > 0 {
			from[k+1] += p.Usable[pl.slots.sample[k]] / g
		}
	}
	for slot := range p.Cluster.Slots {
		k := pl.slots.kind[slot]
		for c := from[k]; c < from[k+1]; c++ {
			w.kind = append(w.kind, c)
		}
		s.column = append(s.column, int32(len(w.kind)))
	}
	w.rows, w.columns, w.kinds = len(p.Jobs), len(w.kind), int(from[pl.kinds])
	w.value, w.from, w.overrides = grow(w.value, w.rows*w.kinds), append(w.from[:0], 0), w.overrides[:0]
	for j := range p.Jobs {
		row := w.row(j)
		for k := range int32(pl.kinds) {
			for c := from[k]; c < from[k+1]; c++ {
				row[c] = pl.bid(j, k, s.worth[j*pl.kinds+int(k)], (c-from[k])*s.gangs[k])
			}
		}
		if job := &p.Jobs[j]; job.Keep != job.Move {
			begin := len(w.overrides)
			for i, n := range job.Held {
				if i > 0 && n == job.Held[i-1] {
					continue
				}
				for _, slot := range pl.nodes.of(n) {
					k, worth := pl.slots.kind[slot], pl.worthOn(j, n, slot)
					for c := s.column[slot]; c < s.column[slot+1]; c++ {
						v := pl.bid(j, k, worth, (c-s.column[slot])*s.gangs[k])
						if v != row[w.kind[c]] {
							w.overrides = append(w.overrides, override{c, v})
							o := w.overrides[begin:]
							for i := len(o) - 1; i > 0 && o[i-1].column > c; i-- { // hardly ever
								o[i-1], o[i] = o[i], o[i-1]
							}
						}
					}
				}
			}
		}
		w.from = append(w.from, int32(len(w.overrides)))
	}
	s.order = grow(s.order, len(w.kind)) // by place, 1 + the job that has it
	clear(s.order)
	for j, c := range pl.match.solve(*w) {
		if c >= 0 && w.at(j, int(c)) > 0 {
			s.order[c] = int32(j + 1)
		}
	}
	for slot := range s.on {
		for _, j := range s.order[s.column[slot]:s.column[slot+1]] {
			if j > 0 {
				s.on[slot] = append(s.on[slot], j-1)
			}
		}
	}
}

// mostWaiting is how many waiting jobs, the first in Hadar's order, are tried in exchanges (ours).
const mostWaiting = 32

// shareInOrder gives each job, by what a round would be worth on an empty cluster for each of its GPUs, the slot where
// its payoff is largest, if that is positive, and then lets two jobs exchange their slots, or one give way to another,
// or one go elsewhere, as long as that makes the sum of payoffs larger.
func (pl *Planner) shareInOrder() {
	s := &pl.shares
	pl.queue()
	pl.sortSlots()
	idle := int32(0)
	for _, n := range pl.prob.Usable {
		idle += n
	}
	for _, j := range s.order {
		if idle == 0 {
			break
		}
		if to := pl.choose(int(j)); to >= 0 {
			pl.put(j, to)
			n := pl.spotsOf(int(j))[pl.slots.kind[to]].gpus
			s.take(to, pl.slots.kind[to], s.taken[to]+n, len(s.on[to]))
			idle -= n
		}
	}
	pl.exchange()
}

// queue puts the jobs in Hadar's order.
func (pl *Planner) queue() {
	s, jobs := &pl.shares, len(pl.prob.Jobs)
	s.rank, s.order = grow(s.rank, jobs), s.order[:0]
	for j := range jobs {
		s.rank[j] = 0
		for k, x := range pl.spotsOf(j) {
			if x.rate > 0 {
				v := s.worth[j*pl.kinds+k]
				s.rank[j] = max(s.rank[j], (v-float64(float64(x.gpus)*pl.uMin()))/float64(x.gpus))
			}
		}
		s.order = append(s.order, int32(j))
	}
	slices.SortStableFunc(s.order, func(a, b int32) int { return cmp.Compare(s.rank[b], s.rank[a]) })
}

// exchangers are the jobs that take part in exchanges, in that order: who has a slot, and the first that wait.
func (pl *Planner) exchangers() []int32 {
	var placed, waiting []int32
	for _, j := range pl.shares.order {
		switch {
		case pl.shares.at[j] >= 0:
			placed = append(placed, j)
		case len(waiting) < mostWaiting:
			waiting = append(waiting, j)
		}
	}
	return append(placed, waiting...)
}

// sortSlots bunches the slots, none of which is taken yet.
func (pl *Planner) sortSlots() {
	s, all := &pl.shares, int32(len(pl.prob.Cluster.Slots))
	s.taken, s.from, s.crowd = grow(s.taken, int(all)), s.from[:0], s.crowd[:0]
	clear(s.taken)
	for k := range pl.kinds {
		s.from = append(s.from, int32(len(s.crowd)))
		for range pl.prices[k] {
			s.crowd = append(s.crowd, crowd{0, all, all})
		}
	}
	for slot, k := range pl.slots.kind[:all] {
		s.join(model.SlotID(slot), k, 0, 0)
	}
}

// join adds a slot to the bunch of those with so many GPUs taken, and take moves it there.
func (s *shares) join(slot model.SlotID, k, used int32, jobs int) {
	s.taken[slot] = used
	c := &s.crowd[s.from[k]+used]
	c.slots++
	c.lowest, c.fewest = min(c.lowest, int32(slot)), min(c.fewest, int32(jobs))
}

func (s *shares) take(slot model.SlotID, k, used int32, jobs int) {
	s.crowd[s.from[k]+s.taken[slot]].slots--
	s.join(slot, k, used, jobs)
}

// choose is the slot where the payoff of job j is largest, if that is positive: of equals the first. One slot of each
// bunch is looked at, and those where it need not move.
func (pl *Planner) choose(j int) (best model.SlotID) {
	s, most := &pl.shares, 0.0
	best = model.None
	for k, x := range pl.spotsOf(j) {
		for used := int32(0); x.rate > 0 && int(used+x.gpus) < len(pl.prices[k]); used++ {
			c := &s.crowd[s.from[k]+used]
			if c.slots == 0 {
				continue
			}
			v := pl.payoff(j, int32(k), s.worth[j*pl.kinds+k], used)
			if v <= 0 || v < most {
				continue
			}
			for pl.slots.kind[c.lowest] != int32(k) || s.taken[c.lowest] != used {
				c.lowest++
			}
			if slot := model.SlotID(c.lowest); v > most || slot < best {
				best, most = slot, v
			}
		}
	}
	if !pl.calm(int32(j)) {
		for _, n := range pl.prob.Jobs[j].Held {
			for _, slot := range pl.nodes.of(n) {
				if v := pl.behind(j, slot); v > most || v > 0 && v == most && slot < best {
					best, most = slot, v
				}
			}
		}
	}
	return best
}

// behind is the payoff of job j on a slot behind all that are there; 0 where it can not be had.
func (pl *Planner) behind(j int, slot model.SlotID) float64 {
	k, used := pl.slots.kind[slot], pl.shares.taken[slot]
	if x := &pl.spotsOf(j)[k]; x.rate <= 0 || used+x.gpus > pl.prob.Usable[slot] {
		return 0
	}
	return max(0, pl.payoffOn(int32(j), slot, used))
}

// calm says whether a job is worth the same on all slots of a kind.
func (pl *Planner) calm(j int32) bool {
	job := &pl.prob.Jobs[j]
	return job.Keep == job.Move || len(job.Held) == 0
}
