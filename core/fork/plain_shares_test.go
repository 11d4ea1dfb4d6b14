package fork

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/primaldual"
	"hadarlab/core/unit"
)

// TestSharesAreThoseOfThePlainMethod plays rounds of random problems and compares all that is decided and told, to the
// bit, with the planner that looks at every job with every slot and every other job.
func TestSharesAreThoseOfThePlainMethod(t *testing.T) {
	exchanged, moved, gifts, usual := 0, 0, 0, blockJobs
	defer func() { blockJobs = usual }()
	for seed := range uint64(500) {
		rng := unit.Stream(seed, "shares")
		types := 1 + rng.IntN(3)
		blockJobs = []int{3, 10, usual}[rng.IntN(3)]
		c := &model.Cluster{Types: make([]model.GPUType, types)}
		p := &Problem{Round: 360 * unit.Second, Cluster: c}
		most, mixed := 1+rng.IntN(8), rng.IntN(3) == 0
		for n := range 1 + rng.IntN(30) {
			c.Nodes = append(c.Nodes, model.Node{})
			for more := true; more; more = mixed && rng.IntN(2) == 0 {
				g := int32(most)
				if rng.IntN(4) == 0 {
					g = int32(1 + rng.IntN(most))
				}
				typ := model.TypeID(rng.IntN(types))
				c.Slots = append(c.Slots, model.Slot{Node: model.NodeID(n), Type: typ, Cap: g})
			}
		}
		if rng.IntN(4) == 0 {
			rng.Shuffle(len(c.Slots), func(i, j int) { c.Slots[i], c.Slots[j] = c.Slots[j], c.Slots[i] })
		}
		for s := range c.Slots {
			p.Usable = append(p.Usable, c.Slots[s].Cap)
		}
		even := rng.IntN(2) == 0 // speeds and lengths that make ties
		var tables []*model.Throughput
		for range 1 + rng.IntN(5) {
			x := model.NewThroughput("toy", types, int32(most))
			profiled := rng.IntN(4) == 0
			for typ := range types {
				of := 0.1 + 9*rng.Float64()
				if even {
					of = float64(1 + rng.IntN(3))
				}
				for g := range int32(most) {
					r := unit.Rate(float64(g+1) * of)
					if rng.IntN(8) > 0 {
						x.Set(model.TypeID(typ), g+1, r, r, r)
						at := model.Point{Batch: 8, Iter: 8 / float64(r), Phi: 8}
						x.SetPoints(model.TypeID(typ), g+1, at, model.Point{})
					}
				}
			}
			if profiled {
				x.SetTraining(model.Training{Noise: model.Alike(8), Init: 8, Max: int32(8 + rng.IntN(60))})
			}
			tables = append(tables, &x)
		}
		free := rng.IntN(2) == 0 // moving costs as much as staying
		set := Settings{Effective: rng.IntN(4) == 0}
		if rng.IntN(4) == 0 {
			set.Eta, set.Horizon = 5, 86400*unit.Second
		}
		var pl Planner
		var plain plainShares
		crowd := 1 + rng.IntN(25)
		for round := range 10 {
			for range rng.IntN(crowd) {
				j := Job{ID: model.JobID(len(p.Jobs)), Arrive: p.Now, GPUs: int32(1 + rng.IntN(most)),
					Total: unit.Work(100 + 50000*rng.Float64()), Speed: tables[rng.IntN(len(tables))],
					Keep: unit.Tick(rng.IntN(40)) * unit.Second}
				if even {
					j.Total, j.GPUs = unit.Work(1000*(1+rng.IntN(3))), int32(1)<<rng.IntN(4)
				}
				if j.Move = j.Keep; !free {
					j.Move += unit.Tick(rng.IntN(90)) * unit.Second
				}
				j.Remaining = j.Total
				p.Jobs = append(p.Jobs, j)
			}
			if rng.IntN(3) == 0 {
				s := rng.IntN(len(p.Usable))
				p.Usable[s] = int32(rng.IntN(int(c.Slots[s].Cap) + 1))
			}
			got, want := pl.Plan(p, set), plain.Plan(p, set)
			gifts += len(got.Gifts)
			pl.Weigh()
			plain.Weigh()
			if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); a != b {
				t.Fatalf("seed %d, round %d:\n%s\nplain:\n%s", seed, round, a, b)
			}
			for j := range p.Jobs {
				if a, b := pl.Offers(j), plain.Offers(j); !slices.Equal(a, b) {
					t.Fatalf("seed %d, round %d: %+v are offered, %+v plainly", seed, round, a, b)
				}
			}
			var left []Job
			for j, job := range p.Jobs {
				job.Held = nil
				for _, k := range got.Copies[j] {
					job.Held = append(job.Held, k.Node)
					job.Remaining -= k.Steps
				}
				if rng.IntN(6) == 0 { // as after choices that were forced
					job.Held = append(job.Held, model.NodeID(rng.IntN(len(c.Nodes))))
					slices.Sort(job.Held)
				}
				if job.Remaining > 0 {
					left = append(left, job)
				}
			}
			p.Jobs, p.Now = left, p.Now+p.Round
		}
		exchanged, moved = exchanged+plain.exchanges, moved+plain.moves
	}
	t.Logf("%d exchanges, %d moves, %d gifts", exchanged, moved, gifts)
	if exchanged < 1000 || moved < 1000 || gifts < 1000 {
		t.Error("too few to tell anything")
	}
}

// plainShares is the planner of copies that hold what their job asked for, without anything that is kept or looked at
// once for many: the reference.
type plainShares struct {
	Planner
	exchanges, moves int
}

func (pl *plainShares) Plan(p *Problem, set Settings) *Result {
	pl.prob, pl.set = p, set
	pl.nodes.sort(p.Cluster, p.Usable)
	pl.slots.sort(p.Cluster, p.Usable)
	pl.kinds = len(pl.slots.sample)
	pl.clear(len(p.Jobs), len(p.Cluster.Nodes), len(p.Cluster.Slots))
	pl.spots()
	pl.constants()
	pl.share()
	pl.fillShares()
	pl.split()
	return &pl.res
}

// share is phase 1 (hadar.md): distinct jobs get a copy each, so that the sum of their payoffs per round is as large as
// can be found. Where the gangs of all jobs are equal that is the greatest sum, a transportation problem; else jobs
// choose in Hadar's order and then exchange as long as the sum grows (ours). A job whose payoff would not be positive
// gets no copy in this phase.
func (pl *plainShares) share() {
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

// shareInOrder gives each job, by what a round would be worth on an empty cluster for each of its GPUs, the slot where
// its payoff is largest, if that is positive, and then lets two jobs exchange their slots, or one give way to another,
// or one go elsewhere, as long as that makes the sum of payoffs larger.
func (pl *plainShares) shareInOrder() {
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

// exchange lets pairs of jobs exchange what they have, as long as the sum of payoffs grows.
func (pl *plainShares) exchange() {
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
func (pl *plainShares) move(a int32, to model.SlotID) bool {
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
	pl.moves++
	return true
}

// better exchanges what two jobs have if both fit and the sum of payoffs grows by more than rounding.
func (pl *plainShares) better(a, b int32) bool {
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
	pl.swap(from, a, b)
	pl.swap(to, b, a)
	s.at[a], s.at[b] = to, from
	pl.exchanges++
	return true
}

// swap puts job b in the place of a on a slot.
func (pl *plainShares) swap(at model.SlotID, a, b int32) {
	if at < 0 {
		return
	}
	for i, j := range pl.shares.on[at] {
		if j == a {
			pl.shares.on[at][i] = b
		}
	}
}

// sum is the sum of payoffs on a slot, with job b in the place of job out.
func (pl *plainShares) sum(at model.SlotID, out, b int32) float64 {
	v, _ := pl.sumWith(at, out, b)
	return v
}

// sumWith is sum, and whether all fit and can run.
func (pl *plainShares) sumWith(at model.SlotID, out, b int32) (sum float64, fits bool) {
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
// is: the utilisation theorem (hadar.md) rests on no room staying idle that a copy could use.
func (pl *plainShares) fillShares() {
	p := pl.prob
	for n := range p.Cluster.Nodes {
		for pl.fillOne(model.NodeID(n)) {
		}
	}
}

// fillOne gives one copy on a node to the job that gains most by it for each of its GPUs: of equals to the older job,
// and to the first slot. It is false if none fits.
func (pl *plainShares) fillOne(n model.NodeID) bool {
	p := pl.prob
	best, at, most := -1, model.SlotID(model.None), 0.0
	for _, slot := range pl.nodes.of(n) {
		k, free := pl.slots.kind[slot], p.Usable[slot]-pl.res.Used[slot]
		for j := range p.Jobs {
			x := &pl.spotsOf(j)[k]
			if x.rate <= 0 || x.gpus > free || pl.has(j, n) {
				continue
			}
			gain, can := pl.gain(j, slot, x, pl.strange(j, int(n)))
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
	gain, _ := pl.gain(best, at, &pl.spotsOf(best)[pl.slots.kind[at]], pl.strange(best, int(n)))
	c.Phase, c.Used, c.Utility, c.Payoff = 2, pl.res.Used[at], gain, gain
	pl.give(best, c)
	pl.res.Gifts = append(pl.res.Gifts, Gift{Node: n, Slot: at, Job: int32(best)})
	return true
}

// has says whether job j has a copy on a node.
func (pl *plainShares) has(j int, n model.NodeID) bool {
	return slices.ContainsFunc(pl.res.Copies[j], func(c Copy) bool { return c.Node == n })
}
