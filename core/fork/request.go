package fork

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/primaldual"
)

// Copies that hold what their job asked for (copy: request): its gang on one slot, at most what the slot has. Copies of
// several jobs share a slot, a job has one copy a node, and a GPU is a unit, priced as by Hadar by how many of its slot
// are taken.

// shares is the working memory of planning such copies.
type shares struct {
	prices [][]float64 // by kind of slot, by GPUs taken
	first  []int32     // by slot, the GPUs that phase 1 gave away
	worth  []float64   // by job and kind of slot: what a round there is worth, with a move
	gangs  []int32     // by kind of slot, the gang of all jobs
	column []int32     // by slot, its first place among the columns of the matcher
	order  []int32     // jobs as Hadar queues them
	rank   []float64   // by job, by what
	at     []model.SlotID
	on     [][]int32 // by slot, its jobs in phase 1
	gains  [][]float64
	knew   [][]int32 // by kind and job: the number of copies that the gain reckons with; -1 = none was computed
	least  []int32   // by kind, the smallest gang of a job
}

// fit is the copy that a job could run on a slot: the largest gang with a speed of at most what it asked for.
func (pl *Planner) fit(a asker, s model.SlotID) (x spot) {
	p := pl.prob
	x.gpus, x.rate = largest(a.speed, p.Cluster.Slots[s].Type, min(a.gpus, p.Usable[s]))
	x.units = x.gpus
	return x
}

// shared is the copy that job j could run on a slot, not yet priced.
func (pl *Planner) shared(j int, s model.SlotID) Copy {
	x := &pl.spotsOf(j)[pl.slots.kind[s]]
	return Copy{Node: pl.prob.Cluster.Slots[s].Node, Slot: s, GPUs: x.gpus, Rate: x.rate}
}

// share is phase 1 (4.5): distinct jobs get a copy each, so that the sum of their payoffs per round is as large as can
// be found. Where the gangs of all jobs are equal that is the greatest sum, a transportation problem; else jobs choose
// in Hadar's order and then exchange as long as the sum grows (ours). A job whose payoff would not be positive gets no
// copy in this phase.
func (pl *Planner) share() {
	s := &pl.shares
	s.prices = grow(s.prices, pl.kinds)
	for k := range s.prices {
		c := pl.prob.Usable[pl.slots.sample[k]]
		s.prices[k] = s.prices[k][:0]
		for used := range c + 1 {
			s.prices[k] = append(s.prices[k], primaldual.Price(pl.res.UMin, pl.res.UMax, used, c))
		}
	}
	s.worth = grow(s.worth, len(pl.prob.Jobs)*pl.kinds)
	for j := range pl.prob.Jobs {
		for k, x := range pl.spotsOf(j) {
			s.worth[j*pl.kinds+k] = pl.worth(j, x.rate, true)
		}
	}
	s.at = grow(s.at, len(pl.prob.Jobs))
	s.on = grow(s.on, len(pl.prob.Cluster.Slots))
	for j := range s.at {
		s.at[j] = model.None
	}
	for i := range s.on {
		s.on[i] = s.on[i][:0]
	}
	if pl.alike() {
		pl.sharePlaces()
	} else {
		pl.shareInOrder()
	}
	for at, jobs := range s.on {
		for _, j := range jobs {
			c := pl.shared(int(j), model.SlotID(at))
			c.Used = pl.res.Used[at]
			pl.price(int(j), &c)
			pl.give(int(j), c)
		}
	}
	for _, copies := range pl.res.Copies {
		for i := range copies {
			pl.res.Payoff += copies[i].Payoff / float64(copies[i].Rounds)
		}
	}
	s.first = append(s.first[:0], pl.res.Used...)
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
			s.gangs[k] = x.gpus
		case s.gangs[k] != x.gpus:
			return false
		}
	}
	return true
}

// worthOn is what a round on a slot is worth to job j.
func (pl *Planner) worthOn(j int, s model.SlotID) float64 {
	k := pl.slots.kind[s]
	if job := &pl.prob.Jobs[j]; job.Keep != job.Move && !pl.strange(j, int(pl.prob.Cluster.Slots[s].Node)) {
		return pl.worth(j, pl.spotsOf(j)[k].rate, false)
	}
	return pl.shares.worth[j*pl.kinds+int(k)]
}

// payoff is what a round on a slot brings job j, of whose GPUs so many are taken before it. Of payoffs alike within
// 1e-9 the one on a faster slot is larger.
func (pl *Planner) payoff(j int, k int32, worth float64, used int32) float64 {
	x := &pl.spotsOf(j)[k]
	p := worth - float64(float64(x.gpus)*pl.shares.prices[k][used])
	if p <= 0 {
		return p
	}
	return p + float64(p*1e-9*float64(x.rate/pl.fastest(j).rate))
}

// sharePlaces makes the sum of payoffs the greatest where gangs are equal: each slot has as many places as gangs fit,
// every one dearer than the one before, and places are matched with jobs.
func (pl *Planner) sharePlaces() {
	s, p, w := &pl.shares, pl.prob, &pl.worths
	most := int32(1)
	w.kind, s.column = w.kind[:0], append(s.column[:0], 0)
	from := make([]int32, pl.kinds+1) // by kind of slot, its first kind of column
	for k := range pl.kinds {
		from[k+1] = from[k]
		if g := s.gangs[k]; g > 0 {
			from[k+1] += p.Usable[pl.slots.sample[k]] / g
			most = max(most, g)
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
	w.value, w.from, w.odd = grow(w.value, w.rows*w.kinds), append(w.from[:0], 0), w.odd[:0]
	bid := func(j int, k, place int32, worth float64) float64 {
		if pl.spotsOf(j)[k].rate <= 0 {
			return 0
		}
		return even(max(0, pl.payoff(j, k, worth, place*s.gangs[k])), float64(pl.res.UMax*float64(most)))
	}
	for j := range p.Jobs {
		row := w.row(j)
		for k := range int32(pl.kinds) {
			for c := from[k]; c < from[k+1]; c++ {
				row[c] = bid(j, k, c-from[k], s.worth[j*pl.kinds+int(k)])
			}
		}
		if job := &p.Jobs[j]; job.Keep != job.Move {
			begin := len(w.odd)
			for i, n := range job.Held {
				if i > 0 && n == job.Held[i-1] {
					continue
				}
				for _, slot := range pl.nodes.of(n) {
					k, worth := pl.slots.kind[slot], pl.worthOn(j, slot)
					for c := s.column[slot]; c < s.column[slot+1]; c++ {
						if v := bid(j, k, c-s.column[slot], worth); v != row[w.kind[c]] {
							w.odd = append(w.odd, odd{c, v})
						}
					}
				}
			}
			slices.SortFunc(w.odd[begin:], func(a, b odd) int { return cmp.Compare(a.column, b.column) })
		}
		w.from = append(w.from, int32(len(w.odd)))
	}
	got := pl.match.solve(*w)
	s.order = s.order[:0]
	for j, c := range got {
		if c >= 0 && w.at(j, int(c)) > 0 {
			s.order = append(s.order, int32(j))
		}
	}
	slices.SortFunc(s.order, func(a, b int32) int { return cmp.Compare(got[a], got[b]) })
	slot := 0
	for _, j := range s.order { // by place
		for got[j] >= s.column[slot+1] {
			slot++
		}
		s.on[slot] = append(s.on[slot], j)
	}
}

// mostWaiting is how many waiting jobs, the first in Hadar's order, are tried in exchanges (ours).
const mostWaiting = 32

// shareInOrder gives each job, by what a round would be worth on an empty cluster for each of its GPUs, the slot where
// its payoff is largest, if that is positive, and then lets two jobs exchange their slots, or one give way to another,
// or one go elsewhere, as long as that makes the sum of payoffs larger.
func (pl *Planner) shareInOrder() {
	s, jobs := &pl.shares, len(pl.prob.Jobs)
	s.rank, s.order = grow(s.rank, jobs), s.order[:0]
	for j := range jobs {
		s.rank[j] = 0
		for k, x := range pl.spotsOf(j) {
			if x.rate > 0 {
				v := s.worth[j*pl.kinds+k]
				s.rank[j] = max(s.rank[j], (v-float64(float64(x.gpus)*pl.res.UMin))/float64(x.gpus))
			}
		}
		s.order = append(s.order, int32(j))
	}
	slices.SortStableFunc(s.order, func(a, b int32) int { return cmp.Compare(s.rank[b], s.rank[a]) })
	used, idle := pl.res.Used, int32(0) // nothing is taken before this phase
	for _, n := range pl.prob.Usable {
		idle += n
	}
	taken := make([]int32, len(used))
	for _, j := range s.order {
		if idle == 0 {
			break
		}
		best, most := -1, 0.0
		for slot := range taken {
			k := pl.slots.kind[slot]
			x := &pl.spotsOf(int(j))[k]
			if x.rate <= 0 || x.gpus > pl.prob.Usable[slot]-taken[slot] {
				continue
			}
			if v := pl.payoff(int(j), k, pl.worthOn(int(j), model.SlotID(slot)), taken[slot]); v > most {
				best, most = slot, v
			}
		}
		if best >= 0 {
			pl.put(j, model.SlotID(best))
			n := pl.spotsOf(int(j))[pl.slots.kind[best]].gpus
			taken[best] += n
			idle -= n
		}
	}
	pl.exchange()
}

// put puts job j on a slot, behind those that are there.
func (pl *Planner) put(j int32, to model.SlotID) {
	pl.shares.at[j] = to
	if to >= 0 {
		pl.shares.on[to] = append(pl.shares.on[to], j)
	}
}

// exchange lets pairs of jobs exchange what they have, as long as the sum of payoffs grows.
func (pl *Planner) exchange() {
	s := &pl.shares
	var placed, waiting []int32
	for _, j := range s.order {
		switch {
		case s.at[j] >= 0:
			placed = append(placed, j)
		case len(waiting) < mostWaiting:
			waiting = append(waiting, j)
		}
	}
	all := append(placed, waiting...)
	for grew, passes := true, 0; grew && passes < 8; passes++ {
		grew = false
		for i, a := range all {
			for _, b := range all[i+1:] {
				if s.at[a] != s.at[b] && pl.better(a, b) {
					grew = true
				}
			}
			for to := range s.on {
				if s.at[a] != model.SlotID(to) && pl.move(a, model.SlotID(to)) {
					grew = true
				}
			}
		}
	}
}

// move lets job a go to another slot, behind those that are there, if it fits and the sum of payoffs grows.
func (pl *Planner) move(a int32, to model.SlotID) bool {
	s, from := &pl.shares, pl.shares.at[a]
	if from >= 0 && pl.slots.kind[from] == pl.slots.kind[to] && pl.calm(a) && len(s.on[to]) >= len(s.on[from]) {
		return false
	}
	before := pl.sum(from, model.None, model.None) + pl.sum(to, model.None, model.None)
	left := slices.Clone(s.on[to])
	s.on[to] = append(s.on[to], a)
	there, fits := pl.sumWith(to, model.None, model.None)
	s.on[to] = left
	if !fits {
		return false
	}
	rest := 0.0
	var stay []int32
	if from >= 0 {
		stay = slices.DeleteFunc(slices.Clone(s.on[from]), func(j int32) bool { return j == a })
		was := s.on[from]
		s.on[from] = stay
		rest = pl.sum(from, model.None, model.None)
		s.on[from] = was
	}
	if !(rest+there > before+float64(1e-9*pl.res.UMax)) {
		return false
	}
	if from >= 0 {
		s.on[from] = stay
	}
	pl.put(a, to)
	return true
}

// better exchanges what two jobs have if both fit and the sum of payoffs grows by more than rounding.
func (pl *Planner) better(a, b int32) bool {
	s := &pl.shares
	from, to := s.at[a], s.at[b]
	if from >= 0 && to >= 0 && pl.slots.kind[from] == pl.slots.kind[to] && pl.calm(a) && pl.calm(b) {
		return false // it would change nothing but who stands first
	}
	before := pl.sum(from, model.None, model.None) + pl.sum(to, model.None, model.None)
	one, fits := pl.sumWith(from, a, b)
	other, fit := pl.sumWith(to, b, a)
	if !fits || !fit || !(one+other > before+float64(1e-9*pl.res.UMax)) {
		return false
	}
	s.swap(from, a, b)
	s.swap(to, b, a)
	s.at[a], s.at[b] = to, from
	return true
}

// calm says whether a job is worth the same on all slots of a kind.
func (pl *Planner) calm(j int32) bool {
	job := &pl.prob.Jobs[j]
	return job.Keep == job.Move || len(job.Held) == 0
}

// swap puts job b in the place of a on a slot.
func (s *shares) swap(at model.SlotID, a, b int32) {
	if at < 0 {
		return
	}
	for i, j := range s.on[at] {
		if j == a {
			s.on[at][i] = b
		}
	}
}

// sum is the sum of payoffs on a slot, with job b in the place of job out.
func (pl *Planner) sum(at model.SlotID, out, b int32) float64 {
	v, _ := pl.sumWith(at, out, b)
	return v
}

// sumWith is sum, and whether all fit and can run.
func (pl *Planner) sumWith(at model.SlotID, out, b int32) (sum float64, fits bool) {
	if at < 0 {
		return 0, true
	}
	k, used := pl.slots.kind[at], int32(0)
	for _, j := range pl.shares.on[at] {
		if j == out {
			j = b
		}
		x := &pl.spotsOf(int(j))[k]
		if x.rate <= 0 || used+x.gpus > pl.prob.Usable[at] {
			return 0, false
		}
		v := pl.payoff(int(j), k, pl.worthOn(int(j), at), used)
		if v <= 0 {
			return 0, false
		}
		sum += v
		used += x.gpus
	}
	return sum, true
}

// fillShares is phase 2: node by node, the GPUs that are left go to the jobs whose round they make worth most more for
// each GPU, with what moving costs, as long as a gang fits of a job that has no copy there. They go whatever the payoff
// is: the utilisation theorem (4.6) rests on no room staying idle that a copy could use.
func (pl *Planner) fillShares() {
	s, p := &pl.shares, pl.prob
	jobs := len(p.Jobs)
	s.gains, s.knew, s.least = grow(s.gains, pl.kinds), grow(s.knew, pl.kinds), grow(s.least, pl.kinds)
	for k := range pl.kinds {
		s.gains[k], s.knew[k], s.least[k] = grow(s.gains[k], jobs), grow(s.knew[k], jobs), 0
		for j := range s.knew[k] {
			s.knew[k][j] = -1
		}
	}
	for i := range pl.speed {
		if x, k := &pl.speed[i], i%pl.kinds; x.rate > 0 && (s.least[k] == 0 || x.gpus < s.least[k]) {
			s.least[k] = x.gpus
		}
	}
	for n := range p.Cluster.Nodes {
		for pl.fillOne(model.NodeID(n)) {
		}
	}
}

// fillOne gives one copy on a node to the job that gains most by it for each of its GPUs: of equals to the older job,
// and to the first slot. It is false if none fits.
func (pl *Planner) fillOne(n model.NodeID) bool {
	s, p := &pl.shares, pl.prob
	best, at, most := -1, model.SlotID(model.None), 0.0
	for _, slot := range pl.nodes.of(n) {
		k, free := pl.slots.kind[slot], p.Usable[slot]-pl.res.Used[slot]
		if s.least[k] == 0 || free < s.least[k] {
			continue
		}
		for j := range p.Jobs {
			x := &pl.spotsOf(j)[k]
			if x.rate <= 0 || x.gpus > free || pl.has(j, n) {
				continue
			}
			gain, can := pl.gainOn(j, slot)
			gain /= float64(x.gpus)
			if can && (best < 0 || gain > most || gain == most && j < best) {
				best, at, most = j, slot, gain
			}
		}
	}
	if best < 0 {
		return false
	}
	c := pl.shared(best, at)
	gain, _ := pl.gainOn(best, at)
	c.Phase, c.Used, c.Utility, c.Payoff = 2, pl.res.Used[at], gain, gain
	pl.give(best, c)
	pl.res.Gifts = append(pl.res.Gifts, Gift{Node: n, Slot: at, Job: int32(best)})
	return true
}

// has says whether job j has a copy on a node.
func (pl *Planner) has(j int, n model.NodeID) bool {
	for i := range pl.res.Copies[j] {
		if pl.res.Copies[j][i].Node == n {
			return true
		}
	}
	return false
}

// gainOn is gain on a slot. It is the same on all slots of a kind that are new to the job, until it gets a copy.
func (pl *Planner) gainOn(j int, at model.SlotID) (gain float64, can bool) {
	s, k := &pl.shares, pl.slots.kind[at]
	x := &pl.spotsOf(j)[k]
	if job := &pl.prob.Jobs[j]; job.Keep != job.Move && !pl.strange(j, int(pl.prob.Cluster.Slots[at].Node)) {
		return pl.gain(j, at, x, false)
	}
	copies := int32(len(pl.res.Copies[j]))
	if s.knew[k][j] != copies {
		if gain, can = pl.gain(j, at, x, true); !can {
			gain = refused
		}
		s.gains[k][j], s.knew[k][j] = gain, copies
	}
	gain = s.gains[k][j]
	return gain, gain != refused
}

// refused stands for the gain of a job that may have no copy more.
const refused = -1e300
