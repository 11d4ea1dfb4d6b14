package network_test

import (
	"cmp"
	"flag"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

var dallySeeds = flag.Int("dally", 100, "random problems on which two implementations of the Dally-style policy agree")

// second, whose times are in ticks, is the Dally-style policy written once more from dally.md, as plainly and slowly as
// can be. What that leaves open it reads as the policy does:
//
//   - closeness goes before a type's speed; among types that are equally close the one that is fastest anywhere goes
//     first; a job that no type can hold takes the fastest mix;
//   - a job is slowed at a level as on the type that is fastest there, and without end where none runs;
//   - an upgrade compares the gangs themselves; the saving of an eviction is that of the refused level, in GPU-seconds;
//   - who gives way need not rank below the candidate; a victim counts with the GPUs that it has in the place;
//   - of sets that cost the same the fewest give way, then the youngest, then the first place, then the type;
//   - no place is cleared that has room already; victims are asked last in the second offers;
//   - who does not know lengths takes a job to be half done.
type second struct {
	c        *model.Cluster
	timers   [2]float64
	tune     bool
	clock    string
	order    string
	upgrade  bool
	evict    bool
	minRun   float64
	moves    [2]int // upgrades and evictions so far
	job      map[model.JobID]*spell
	samples  map[key][]sample
	previous map[key]float64 // timers as tuned last
}

type key struct{ gpus, level int32 }

type sample struct{ at, waited float64 }

// spell is what is known of one job; instants are in ticks, negative = none.
type spell struct {
	holds                 bool
	refused, freed, start float64
	evictions             int
	offered               model.Tier
	declined              bool // at this decision
}

func (d *second) Clone() sim.Policy { panic("not used") }

// offer is the best gang that the free GPUs allow, by the rules of 1.2.
func (d *second) offer(v sim.View, j model.JobID, free func(model.SlotID) int32) (g []model.Shard, level model.Tier) {
	size := v.Shape(j).Size
	types := d.types(v, j)
	for level = model.OneNode; level <= model.Network; level++ {
		for _, t := range types {
			if v.Speed(j, 0).Rate(t, size, level) > 0 {
				if g = d.gang(t, size, level, free); g != nil {
					return g, level
				}
			}
		}
	}
	return nil, 0
}

// types are those on which j runs at all, the fastest first.
func (d *second) types(v sim.View, j model.JobID) (types []model.TypeID) {
	size := v.Shape(j).Size
	top := func(t model.TypeID) (r unit.Rate) {
		for level := model.OneNode; level <= model.Network; level++ {
			r = max(r, v.Speed(j, 0).Rate(t, size, level))
		}
		return r
	}
	for t := range d.c.Types {
		if top(model.TypeID(t)) > 0 {
			types = append(types, model.TypeID(t))
		}
	}
	slices.SortStableFunc(types, func(a, b model.TypeID) int { return cmp.Compare(top(b), top(a)) })
	return types
}

// gang takes size free GPUs of a type within a level.
func (d *second) gang(t model.TypeID, size int32, level model.Tier, free func(model.SlotID) int32) []model.Shard {
	type room struct {
		slot model.SlotID
		rack int32
		free int32
	}
	var rooms []room
	racks := make([]int32, len(d.c.Racks))
	for s, slot := range d.c.Slots {
		if n := free(model.SlotID(s)); slot.Type == t && n > 0 {
			rack := d.c.Nodes[slot.Node].Rack
			rooms = append(rooms, room{model.SlotID(s), rack, n})
			racks[rack] += n
		}
	}
	less := func(a, b room) int { return cmp.Or(cmp.Compare(a.free, b.free), cmp.Compare(a.slot, b.slot)) }
	more := func(a, b room) int { return cmp.Or(cmp.Compare(b.free, a.free), cmp.Compare(a.slot, b.slot)) }
	switch level {
	case model.OneNode:
		rooms = slices.DeleteFunc(rooms, func(r room) bool { return r.free < size })
		slices.SortFunc(rooms, less)
		rooms = rooms[:min(len(rooms), 1)]
	case model.OneRack:
		best := -1
		for r, n := range racks {
			if n >= size && (best < 0 || n < racks[best]) {
				best = r
			}
		}
		rooms = slices.DeleteFunc(rooms, func(r room) bool { return int(r.rack) != best })
		slices.SortFunc(rooms, more)
	default:
		slices.SortFunc(rooms, func(a, b room) int {
			return cmp.Or(cmp.Compare(racks[b.rack], racks[a.rack]), cmp.Compare(a.rack, b.rack), more(a, b))
		})
	}
	var g []model.Shard
	for _, r := range rooms {
		if n := min(size, r.free); n > 0 {
			g, size = append(g, model.Shard{Slot: r.slot, N: n}), size-n
		}
	}
	if size > 0 {
		return nil
	}
	slices.SortFunc(g, func(a, b model.Shard) int { return int(a.Slot - b.Slot) })
	return g
}

// best is the level that the whole cluster could give j, and its speed there; false = no type can hold it.
func (d *second) best(v sim.View, j model.JobID) (level model.Tier, rate float64, ok bool) {
	g, level := d.offer(v, j, v.Capacity)
	if g == nil {
		return 0, 0, false
	}
	return level, float64(v.Rate(j, 0, g)), true
}

// slow is s_j(l): how many times as long a step takes at a level.
func (d *second) slow(v sim.View, j model.JobID, level model.Tier) float64 {
	b, rate, ok := d.best(v, j)
	size := v.Shape(j).Size
	if !ok || level <= b || size == 1 {
		return 1
	}
	there := 0.0
	for t := range d.c.Types {
		if v.CapacityOf(model.TypeID(t)) >= size {
			there = max(there, float64(v.Speed(j, 0).Rate(model.TypeID(t), size, level)))
		}
	}
	return max(1, rate/there)
}

// worse is the slowdown at the next worse level.
func (d *second) worse(v sim.View, j model.JobID) float64 {
	b, _, ok := d.best(v, j)
	if !ok {
		return d.slow(v, j, model.OneRack)
	}
	return d.slow(v, j, min(b+1, model.Network))
}

// progress is e_j.
func (d *second) progress(v sim.View, j model.JobID) float64 {
	_, rate, ok := d.best(v, j)
	held := v.Attained(j).Seconds() / float64(v.Shape(j).Size)
	if !ok || held <= 0 {
		return 1
	}
	return min(1, float64(v.Done(j))/rate/held)
}

// harmed orders by score, the most harmed first.
func (d *second) harmed(v sim.View, jobs []model.JobID) {
	slices.SortFunc(jobs, func(a, b model.JobID) int {
		return cmp.Or(cmp.Compare(d.progress(v, a), d.progress(v, b)), cmp.Compare(d.worse(v, b), d.worse(v, a)),
			cmp.Compare(a, b))
	})
}

func (d *second) waited(v sim.View, j model.JobID) float64 {
	now, s := float64(v.Now()), d.job[j]
	switch {
	case d.clock == "submit":
		return now - float64(v.Arrive(j))
	case d.clock == "last_held":
		return now - s.freed
	case s.refused < 0:
		return 0
	}
	return now - s.refused
}

// timer is W_l(g), tuned with the defaults of 1.5.
func (d *second) timer(now float64, gpus, level int32) float64 {
	if !d.tune {
		return d.timers[level]
	}
	power := int32(1)
	for 2*power < gpus {
		power *= 2
	}
	for _, g := range []int32{gpus, power} {
		k := key{g, level}
		list := slices.DeleteFunc(d.samples[k], func(s sample) bool { return s.at < now-86400e3 })
		list = list[max(0, len(list)-256):]
		d.samples[k] = list
		if len(list) >= 3 {
			n, sum, squares := float64(len(list)), 0.0, 0.0
			for _, s := range list {
				sum += s.waited
			}
			for _, s := range list {
				squares += (s.waited - sum/n) * (s.waited - sum/n)
			}
			d.previous[k] = min(max(1.25*(sum/n+2*math.Sqrt(squares/n)), 3600e3), 86400e3)
		}
		if was, ok := d.previous[k]; ok {
			return was
		}
	}
	return d.timers[level]
}

func (d *second) accept(gpus, level int32, at, waited float64) {
	if gpus > 1 {
		d.samples[key{gpus, level}] = append(d.samples[key{gpus, level}], sample{at, waited})
	}
}

func (d *second) put(p *sim.Plan, j model.JobID, g []model.Shard) bool {
	return place.Put(p, j, 0, g)
}

func (d *second) left(v sim.View, j model.JobID) float64 {
	if left, ok := v.Remaining(j); ok {
		return float64(left)
	}
	return float64(v.Done(j))
}

// settled: it runs, and may be moved.
func (d *second) settled(v sim.View, j model.JobID) bool {
	ran := float64(v.Now()) - d.job[j].start
	return v.Holds(j) && ran > 0 && ran >= d.minRun
}

// Decide is a round: upgrades, offers, evictions, offers once more.
func (d *second) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	now := float64(v.Now())
	var queue, running []model.JobID
	for _, j := range v.Active() {
		s := d.job[j]
		if s == nil {
			s = &spell{refused: -1, freed: float64(v.Arrive(j))}
			d.job[j] = s
		}
		s.declined = false
		if s.holds && !v.Holds(j) {
			s.holds, s.refused, s.freed = false, -1, now
		}
		if v.Holds(j) {
			running = append(running, j)
		} else {
			queue = append(queue, j)
		}
	}
	budget := max(1, len(running)/20)
	if d.order == "score" {
		d.harmed(v, queue)
	}
	if d.upgrade {
		budget -= d.upgrades(v, p, slices.Clone(running), min(8, budget))
	}
	d.offers(v, p, queue)
	if d.evict {
		if out := d.evictions(v, p, queue, running, budget); out != nil {
			d.offers(v, p, append(queue, out...))
		}
	}
	for _, j := range v.Active() {
		s := d.job[j]
		if !p.Holds(j) {
			if s.holds {
				s.holds, s.refused, s.freed = false, -1, now
			}
			w.Wait(j, trace.WaitFull, 0, 0, 0)
			continue
		}
		if !s.holds {
			s.start = now
		}
		s.holds, s.refused = true, -1
		w.Chose(j, 0, 0, 0)
	}
}

func (d *second) upgrades(v sim.View, p *sim.Plan, running []model.JobID, most int) (moved int) {
	d.harmed(v, running)
	for _, j := range running {
		b, _, ok := d.best(v, j)
		_, level := sim.Measure(d.c, v.Gang(j, 0))
		if moved == most || !ok || !d.settled(v, j) || level <= b || d.slow(v, j, level) < 1.25 {
			continue
		}
		mark := p.Mark()
		p.Drop(j)
		g, to := d.offer(v, j, p.Free)
		if g != nil && to < level {
			saving := d.left(v, j)/float64(v.Rate(j, 0, v.Gang(j, 0))) - d.left(v, j)/float64(v.Rate(j, 0, g))
			if saving > 0 && saving >= 10*v.Charge(j, g).Seconds() && d.put(p, j, g) {
				d.job[j].start = float64(v.Now())
				moved++
				d.moves[0]++
				continue
			}
		}
		p.Undo(mark)
	}
	return moved
}

func (d *second) offers(v sim.View, p *sim.Plan, queue []model.JobID) {
	now := float64(v.Now())
	for _, j := range queue {
		if p.Holds(j) {
			continue
		}
		b, _, ok := d.best(v, j)
		if !ok {
			var placer place.Placer
			placer.Fastest(d.c, v, p, j)
			continue
		}
		g, level := d.offer(v, j, p.Free)
		if g == nil {
			continue
		}
		size, s := v.Shape(j).Size, d.job[j]
		patience := 0.0
		for l := b; l < level; l++ {
			patience += d.timer(now, size, int32(l))
		}
		waited := d.waited(v, j)
		if waited < patience {
			if s.refused < 0 {
				s.refused = now
			}
			s.declined, s.offered = true, level
			continue
		}
		if !d.put(p, j, g) {
			continue
		}
		s.declined = false
		if s.refused >= 0 {
			for l := b; l < level; l++ {
				d.accept(size, int32(l), now, d.timer(now, size, int32(l)))
			}
		}
		if level < model.Network {
			d.accept(size, int32(level), now, waited)
		}
	}
}

// evictions gives who was evicted, nil = nobody.
func (d *second) evictions(v sim.View, p *sim.Plan, queue, running []model.JobID, budget int) (out []model.JobID) {
	for _, j := range queue {
		b, rate, ok := d.best(v, j)
		s := d.job[j]
		if !ok || budget == 0 || !s.declined || p.Holds(j) || d.worse(v, j) < 1.5 {
			continue
		}
		who, costs := d.cheapest(v, p, j, b, running, budget)
		size := float64(v.Shape(j).Size)
		saving := (d.left(v, j)/rate*d.slow(v, j, s.offered) - d.left(v, j)/rate) * size
		if who == nil || saving <= 0 || saving < 2*costs {
			continue
		}
		mark := p.Mark()
		for _, x := range who {
			p.Drop(x)
		}
		g, level := d.offer(v, j, p.Free)
		if g == nil || level > b || !d.put(p, j, g) {
			p.Undo(mark)
			continue
		}
		if b < model.Network {
			d.accept(v.Shape(j).Size, int32(b), float64(v.Now()), d.waited(v, j))
		}
		s.declined = false
		budget -= len(who)
		for _, x := range who { // the youngest is asked first
			d.job[x].evictions++
			d.job[x].holds, d.job[x].refused, d.job[x].freed = false, -1, float64(v.Now())
			out = append(out, x)
			d.moves[1]++
		}
	}
	return out
}

// cheapest tries every set of running jobs, on every node or in every rack and of every type.
func (d *second) cheapest(v sim.View, p *sim.Plan, j model.JobID, b model.Tier, running []model.JobID, budget int) (
	best []model.JobID, costs float64) {
	places := len(d.c.Nodes)
	if b == model.OneRack {
		places = len(d.c.Racks)
	}
	least := unit.Tick(0)
	for at := range places {
		for t := range d.c.Types {
			inside := func(s model.SlotID) bool {
				slot := d.c.Slots[s]
				return slot.Type == model.TypeID(t) && (b == model.OneNode && int(slot.Node) == at ||
					b == model.OneRack && int(d.c.Nodes[slot.Node].Rack) == at)
			}
			if b == model.Network || v.Speed(j, 0).Rate(model.TypeID(t), v.Shape(j).Size, b) <= 0 {
				continue
			}
			need := v.Shape(j).Size
			for s := range d.c.Slots {
				if inside(model.SlotID(s)) {
					need -= max(0, p.Free(model.SlotID(s)))
				}
			}
			var may []model.JobID
			var frees []int32
			for _, x := range running {
				n := int32(0)
				for _, sh := range v.Gang(x, 0) {
					if inside(sh.Slot) {
						n += sh.N
					}
				}
				if n > 0 && p.Holds(x) && d.settled(v, x) && d.job[x].evictions < 3 &&
					d.slow(v, x, model.OneRack) <= 1.1 && d.slow(v, x, model.Network) <= 1.1 {
					may, frees = append(may, x), append(frees, n)
				}
			}
			var here []model.JobID // the best set here
			hereCosts := unit.Tick(0)
			for set := uint(1); need > 0 && set < 1<<len(may); set++ {
				var who []model.JobID
				sum, cost := int32(0), unit.Tick(0)
				for i, x := range may {
					if set>>i&1 > 0 {
						who, sum = append(who, x), sum+frees[i]
						cost += unit.Tick(v.Shape(x).Size) * v.Charge(x, nil)
					}
				}
				if sum < need || bits.OnesCount(set) > budget {
					continue
				}
				slices.SortFunc(who, func(a, b model.JobID) int { return int(b - a) }) // youngest first
				if here == nil || cmp.Or(cmp.Compare(cost, hereCosts), cmp.Compare(len(who), len(here)),
					-slices.Compare(who, here)) < 0 {
					here, hereCosts = who, cost
				}
			}
			if here != nil && (best == nil ||
				cmp.Or(cmp.Compare(hereCosts, least), cmp.Compare(len(here), len(best))) < 0) {
				best, least = here, hereCosts
			}
		}
	}
	return best, least.Seconds()
}

// crowded is a cluster of two racks that is too small for its jobs, of which half do not mind distance. Some cannot run
// over nodes, or over racks; on some clusters there are faults.
func crowded(rng *rand.Rand) *model.Problem {
	types := []string{"a", "b"}[:1+rng.IntN(2)]
	nodes := make([]simtest.Node, 4+rng.IntN(4))
	for i := range nodes {
		nodes[i] = simtest.Node{types[rng.IntN(len(types))]: int32(2 + rng.IntN(3))}
	}
	var jobs []simtest.Job
	at := 0.0
	for range 8 + rng.IntN(8) {
		j := simtest.Job{Arrive: at, GPUs: int32(1 + rng.IntN(6)), Steps: float64(100 * (5 + rng.IntN(200))),
			Rates: map[string]float64{}}
		for _, typ := range types {
			j.Rates[typ] = float64(1+rng.IntN(8)) / 4
		}
		if rng.IntN(2) == 0 {
			j.Spread = float64(1+rng.IntN(4)) / 5
			j.Far = j.Spread * float64(1+rng.IntN(5)) / 5
		}
		jobs = append(jobs, j)
		at += float64(100 * rng.IntN(15))
	}
	p := simtest.Build(300, nodes, jobs, model.Costs{Load: unit.Tick(rng.IntN(4)) * 10 * unit.Second})
	p.Cluster.Racks = []string{"r1", "r2"}
	for i := range p.Cluster.Nodes {
		p.Cluster.Nodes[i].Rack = int32(rng.IntN(2))
	}
	for i := range p.Tables {
		reach := rng.IntN(8) // 0: one node only, 1: one rack
		for typ := range p.Cluster.Types {
			for n := int32(1); n <= p.Tables[i].MaxSize() && reach < 2; n++ {
				r := p.Tables[i].Rate(model.TypeID(typ), n, model.OneNode)
				p.Tables[i].Set(model.TypeID(typ), n, r,
					p.Tables[i].Rate(model.TypeID(typ), n, model.OneRack)*unit.Rate(reach), 0)
			}
		}
	}
	if rng.IntN(3) == 0 {
		down := unit.Tick(1+rng.IntN(60)) * 100 * unit.Second
		slot := model.SlotID(rng.IntN(len(p.Cluster.Slots)))
		p.Changes = []model.CapacityChange{{At: down, Slot: slot},
			{At: down + 1000*unit.Second, Slot: slot, Cap: p.Cluster.Slots[slot].Cap}}
	}
	return p
}

// TestDallySecond: on random problems every job starts and ends, under every clock and order, when the second
// implementation says, for all defaults and where timers are short and jobs may soon be moved.
func TestDallySecond(t *testing.T) {
	all, moves := 0, [2]int{}
	for seed := range uint64(*dallySeeds) {
		rng := unit.Stream(seed, "dally second")
		p := crowded(rng)
		short := map[string]any{"w0_s": float64(100 * rng.IntN(20)), "w1_s": float64(100 * rng.IntN(20)),
			"min_run_s": float64(100 * rng.IntN(5)),
			"clock":     []string{"first_refusal", "last_held", "submit"}[rng.IntN(3)],
			"order":     []string{"score", "arrival"}[rng.IntN(2)]}
		for _, c := range []struct {
			id     string
			params map[string]any
		}{{"dally", nil}, {"dally-manual", nil}, {"dally-nowait", nil}, {"dally", short}, {"dally-manual", short},
			{"dally-manual", with(short, "evict", false)}, {"dally-manual", with(short, "upgrade", false)}} {
			spec, _ := policy.Find(c.id)
			v, bad := spec.Check(c.params)
			if len(bad) > 0 {
				t.Fatal(bad)
			}
			other := &second{c: &p.Cluster, timers: [2]float64{1000 * v.Float("w0_s"), 1000 * v.Float("w1_s")},
				tune: c.id == "dally", clock: "first_refusal", order: "score", upgrade: v.Bool("upgrade"),
				evict: v.Bool("evict"), minRun: 1000 * v.Float("min_run_s"), job: map[model.JobID]*spell{},
				samples: map[key][]sample{}, previous: map[key]float64{}}
			if c.params != nil {
				other.clock, other.order = c.params["clock"].(string), c.params["order"].(string)
			}
			want := simtest.Finish(t, p, simtest.StartWith(t, p, other, spec.Cadence(p.Public(), v),
				sim.Options{MaxEvents: 1e6}))
			got := simtest.Run(t, p, c.id, c.params)
			moves[0], moves[1] = moves[0]+other.moves[0], moves[1]+other.moves[1]
			all++
			if !slices.Equal(got.Jobs, want.Jobs) {
				t.Errorf("seed %d, %s, %v:\n%+v, the second\n%+v", seed, c.id, c.params, got.Jobs, want.Jobs)
			}
		}
	}
	t.Logf("%d runs, %d upgrades, %d evictions", all, moves[0], moves[1])
	if moves[0] < *dallySeeds/10 || moves[1] < *dallySeeds/10 {
		t.Error("too few moves to trust the test")
	}
}
