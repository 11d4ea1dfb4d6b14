package fork

import (
	"slices"

	"hadarlab/core/model"
)

// exchanges are what is known while jobs exchange slots. What an exchange brings is worked out only where a bound of it
// lets hope, which nearly always spares it.
type exchanges struct {
	sum  []float64 // by slot, of its payoffs
	fits []bool    // by slot: all that are there fit, and each has a payoff
	bids []reach   // by job and kind of slot, and of no slot
	rise []float64 // by job and size of gang: by how much its slot's sum rises with such a gang in its place, all but
	// what that job is worth there
	hopes   []int32 // by kind: a slot with more GPUs taken is no good for the job that roams
	restful bool    // all jobs are calm
	place   []int32 // by job, among those that exchange
	blocks  []block // of these
}

// block is what so many jobs in a row offer at most to one of another kind and size.
type block struct {
	best   []float64 // by their kind, the size of the other, its kind and their size there
	unsure int       // how often they are looked at one by one before this is worth knowing
}

var blockJobs = 64 // which tests change

const (
	looks  = 4  // at one by one, which take as long as looking for the best of all
	widest = 64 // kinds × sizes: with more it would take longer than to look at them one by one
)

// reach is what a job brings to a kind of slot, at most, all but the price of its gang.
type reach struct {
	most float64
	size int32
}

// bidsOf are the bids of job j, by kind; the last one is for no slot.
func (pl *Planner) bidsOf(j int32) []reach {
	k := int32(pl.kinds + 1)
	return pl.shares.bids[j*k : (j+1)*k]
}

// risesOf are how much the sum of the slot of job j rises, by the size of the gang in its place.
func (pl *Planner) risesOf(j int32) []float64 {
	n := int32(len(pl.sizes))
	return pl.shares.rise[j*n : (j+1)*n]
}

// kindAt is the kind of a slot, and of no slot.
func (pl *Planner) kindAt(at model.SlotID) int32 {
	if at < 0 {
		return int32(pl.kinds)
	}
	return pl.slots.kind[at]
}

// grows is by how much the sum of payoffs must grow, so that it is not by rounding. Bounds are held to half of it:
// what they are rounded by is far less than the other half.
func (pl *Planner) grows() float64 { return float64(1e-9 * pl.uMax()) }

// exchange lets pairs of jobs exchange what they have, as long as the sum of payoffs grows.
func (pl *Planner) exchange() {
	all := pl.exchangers()
	pl.bound(all)
	for grew, passes := true, 0; grew && passes < 8; passes++ {
		grew = false
		for i, a := range all {
			for at := pl.partner(a, all, i+1); at < len(all); at = pl.partner(a, all, at+1) {
				grew = pl.better(a, all[at]) || grew
			}
			grew = pl.roam(a) || grew
		}
	}
}

// bound readies what is known of jobs and of slots.
func (pl *Planner) bound(all []int32) {
	s, jobs := &pl.shares, len(pl.prob.Jobs)
	s.sum, s.fits = grow(s.sum, len(s.on)), grow(s.fits, len(s.on))
	s.bids, s.rise = grow(s.bids, jobs*(pl.kinds+1)), grow(s.rise, jobs*len(pl.sizes))
	clear(s.rise)
	s.place, s.restful = grow(s.place, jobs), true
	s.blocks = grow(s.blocks, (len(all)+blockJobs-1)/blockJobs)
	for i, j := range all {
		s.place[j], s.restful = int32(i), s.restful && pl.calm(j)
		row := pl.bidsOf(j)
		for k, x := range pl.spotsOf(int(j)) {
			row[k] = reach{-far, x.size}
			if x.rate > 0 {
				v := s.worth[int(j)*pl.kinds+k]
				if !pl.calm(j) {
					v = pl.worth(int(j), x.rate, false)
				}
				row[k].most = v + float64(v*1e-9*float64(x.rate/pl.fastest(int(j)).rate))
			}
		}
		row[pl.kinds] = reach{}
	}
	for i := range s.blocks {
		s.blocks[i].unsure = looks
	}
	for slot := range s.on {
		pl.settle(model.SlotID(slot))
	}
}

// settle works out anew what is known of a slot and of its jobs.
func (pl *Planner) settle(at model.SlotID) {
	if at < 0 {
		return
	}
	s, k, used := &pl.shares, pl.slots.kind[at], int32(0)
	for _, j := range s.on[at] {
		used += pl.spotsOf(int(j))[k].gpus
	}
	s.take(at, k, used, len(s.on[at]))
	s.sum[at], s.fits[at] = pl.sumWith(at, model.None, model.None)
	before := int32(0)
	for i, j := range s.on[at] {
		s.unsure(j)
		own := pl.spotsOf(int(j))[k].gpus
		v := pl.payoffOn(j, at, before)
		for size, gang := range pl.sizes {
			rise := &pl.risesOf(j)[size]
			if *rise = -far; used-own+gang > pl.prob.Usable[at] {
				continue
			}
			*rise = -v - float64(float64(gang)*pl.prices[k][before])
			for u, behind := before+own, s.on[at][i+1:]; len(behind) > 0 && gang != own; behind = behind[1:] {
				b := behind[0]
				*rise += pl.payoffOn(b, at, u+gang-own) - pl.payoffOn(b, at, u)
				u += pl.spotsOf(int(b))[k].gpus
			}
		}
		before += own
	}
}

// unsure notes that what job j offers has changed.
func (s *shares) unsure(j int32) { s.blocks[int(s.place[j])/blockJobs].unsure = looks }

// partner is the place of the first job, from one on, with which an exchange could pay for job a.
func (pl *Planner) partner(a int32, all []int32, from int) int {
	s, at, kinds, sizes := &pl.shares, pl.shares.at[a], int32(pl.kinds+1), int32(len(pl.sizes))
	kind, calm := pl.kindAt(at), pl.calm(a)
	own, rises, least := pl.bidsOf(a), pl.risesOf(a), pl.grows()/2
	bids, rise := s.bids[kind:], s.rise
	for from < len(all) {
		end := min(from/blockJobs*blockJobs+blockJobs, len(all))
		if pl.hopeless(a, all, from/blockJobs) {
			from = end
		}
		for ; from < end; from++ {
			b := all[from]
			to := s.at[b]
			k := pl.kindAt(to)
			x, y := &bids[b*kinds], &own[k]
			if x.most+rises[x.size]+y.most+rise[b*sizes+y.size] <= least {
				continue
			}
			if to == at || at >= 0 && k == kind && calm && pl.calm(b) {
				continue // it would change nothing but who stands first
			}
			return from
		}
	}
	return from
}

// hopeless says whether job a surely has no partner in the n-th block.
func (pl *Planner) hopeless(a int32, all []int32, n int) bool {
	s, kinds, sizes := &pl.shares, pl.kinds+1, len(pl.sizes)
	if kinds*sizes > widest {
		return false
	}
	q, kind, least := &s.blocks[n], int(pl.kindAt(s.at[a])), pl.grows()/2
	if q.unsure > 0 {
		if q.unsure--; q.unsure == 0 {
			pl.survey(q, all[n*blockJobs:min((n+1)*blockJobs, len(all))])
		}
		return false
	}
	for k, y := range pl.bidsOf(a) {
		if k == kind && (s.restful || k == pl.kinds) {
			continue
		}
		best := q.best[((k*sizes+int(y.size))*kinds+kind)*sizes:]
		for size, rise := range pl.risesOf(a) {
			if best[size]+rise+y.most > least {
				return false
			}
		}
	}
	return true
}

// survey finds what jobs offer.
func (pl *Planner) survey(q *block, jobs []int32) {
	kinds, sizes := pl.kinds+1, len(pl.sizes)
	q.best = grow(q.best, kinds*sizes*kinds*sizes)
	for i := range q.best {
		q.best[i] = -far
	}
	for _, j := range jobs {
		k := int(pl.kindAt(pl.shares.at[j]))
		for size, rise := range pl.risesOf(j) {
			best := q.best[(k*sizes+size)*kinds*sizes:]
			for to, x := range pl.bidsOf(j) {
				b := &best[to*sizes+int(x.size)]
				*b = max(*b, x.most+rise)
			}
		}
	}
}

// better exchanges what two jobs have if both fit and the sum of payoffs grows by more than rounding.
func (pl *Planner) better(a, b int32) bool {
	s := &pl.shares
	from, to := s.at[a], s.at[b]
	one, fits := pl.sumWith(from, a, b)
	other, fit := pl.sumWith(to, b, a)
	if !fits || !fit || !(one+other > s.sumOn(from)+s.sumOn(to)+pl.grows()) {
		return false
	}
	s.swap(from, a, b)
	s.swap(to, b, a)
	s.at[a], s.at[b] = to, from
	for _, j := range []int32{a, b} {
		clear(pl.risesOf(j)) // for good where it has no slot
		s.unsure(j)
		pl.settle(s.at[j])
	}
	return true
}

// sumOn is the sum of payoffs on a slot.
func (s *shares) sumOn(at model.SlotID) float64 {
	if at < 0 {
		return 0
	}
	return s.sum[at]
}

// swap puts job b in the place of a on a slot.
func (s *shares) swap(at model.SlotID, a, b int32) {
	if at >= 0 {
		s.on[at][slices.Index(s.on[at], a)] = b
	}
}

// sumWith is the sum of payoffs on a slot with job b in the place of job out, or nobody, and whether all fit and can
// run.
func (pl *Planner) sumWith(at model.SlotID, out, b int32) (sum float64, fits bool) {
	if at < 0 {
		return 0, true
	}
	k, used := pl.slots.kind[at], int32(0)
	for _, j := range pl.shares.on[at] {
		if j == out {
			if j = b; j < 0 {
				continue
			}
		}
		x := &pl.spotsOf(int(j))[k]
		if x.rate <= 0 || used+x.gpus > pl.prob.Usable[at] {
			return 0, false
		}
		v := pl.payoffOn(j, at, used)
		if v <= 0 {
			return 0, false
		}
		sum += v
		used += x.gpus
	}
	return sum, true
}

// roam lets job a go to one slot after another, behind those that are there, if it fits and the sum of payoffs grows.
func (pl *Planner) roam(a int32) (grew bool) {
	s := &pl.shares
	for to := 0; to < len(s.on); {
		rest, _ := pl.sumWith(s.at[a], a, model.None)
		if !pl.restless(a, rest) {
			break
		}
		for moved := false; to < len(s.on) && !moved; to++ {
			if s.taken[to] <= s.hopes[pl.slots.kind[to]] {
				moved = pl.move(a, model.SlotID(to), rest)
				grew = grew || moved
			}
		}
	}
	return grew
}

// restless says whether there could be a slot for job a to go to, when the others on its own have so much, and notes
// where: one of each bunch is looked at, and those where it need not move.
func (pl *Planner) restless(a int32, rest float64) (some bool) {
	s, j, at := &pl.shares, int(a), pl.shares.at[a]
	least, calm := s.sumOn(at)-rest+float64(pl.grows()/2), pl.calm(a)
	s.hopes = grow(s.hopes, pl.kinds)
	for k, x := range pl.spotsOf(j) {
		s.hopes[k] = -1
		for used := int32(0); x.rate > 0 && int(used+x.gpus) < len(pl.prices[k]); used++ {
			c := &s.crowd[s.from[k]+used]
			if c.slots == 0 || calm && pl.kindAt(at) == int32(k) && int(c.fewest) >= len(s.on[at]) {
				continue
			}
			if pl.payoff(j, int32(k), s.worth[j*pl.kinds+k], used) > least {
				s.hopes[k], some = used, true
			}
		}
	}
	if !calm {
		for _, n := range pl.prob.Jobs[a].Held {
			for _, slot := range pl.nodes.of(n) {
				if slot != at && pl.behind(j, slot) > least {
					k := pl.slots.kind[slot]
					s.hopes[k], some = max(s.hopes[k], s.taken[slot]), true
				}
			}
		}
	}
	return some
}

// move lets job a go to another slot, behind those that are there, if it fits and the sum of payoffs grows. rest is the
// sum of the others where it is.
func (pl *Planner) move(a int32, to model.SlotID, rest float64) bool {
	s, from := &pl.shares, pl.shares.at[a]
	if to == from || !s.fits[to] || from >= 0 && pl.slots.kind[from] == pl.slots.kind[to] &&
		len(s.on[to]) >= len(s.on[from]) && pl.calm(a) {
		return false
	}
	v := pl.behind(int(a), to)
	if v <= 0 || !(rest+(s.sum[to]+v) > s.sumOn(from)+s.sum[to]+pl.grows()) {
		return false
	}
	if from >= 0 {
		i := slices.Index(s.on[from], a)
		s.on[from] = append(s.on[from][:i], s.on[from][i+1:]...)
		pl.settle(from)
	}
	pl.put(a, to)
	pl.settle(to)
	return true
}
