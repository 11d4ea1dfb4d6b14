package primaldual

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// splits are ways to share a mixed gang's batch.
var splits = []*model.Split{nil, nil, {}, {Overhead: 0.4, Most: 1.5}, {Learned: true, Band: 0.2, Overhead: 0.3}}

// near says whether got agrees with a figure printed to a few digits.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 6e-7+math.Abs(want)*6e-5 && math.Abs(got-want) > 6e-5 {
		t.Errorf("%s = %.7g, want %.7g", what, got, want)
	}
}

func exactly(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

// cluster makes one node per entry, each with one slot of the given type.
func cluster(types []string, nodes ...[2]int32) *model.Cluster {
	c := &model.Cluster{Racks: []string{"r1"}}
	for _, name := range types {
		c.Types = append(c.Types, model.GPUType{Name: name})
	}
	for i, n := range nodes {
		c.Nodes = append(c.Nodes, model.Node{Name: string(rune('A' + i))})
		c.Slots = append(c.Slots, model.Slot{Node: model.NodeID(i), Type: model.TypeID(n[0]), Cap: n[1]})
	}
	return c
}

// job makes a job whose single GPU does x[type] steps per second and whose gangs scale linearly.
func job(id int32, gpus int32, work unit.Work, x ...float64) Job {
	tab := model.NewThroughput("toy", len(x), gpus)
	for typ, v := range x {
		for n := int32(1); n <= gpus; n++ {
			r := unit.Rate(v * float64(n))
			tab.Set(model.TypeID(typ), n, r, r, r)
		}
	}
	return Job{ID: model.JobID(id), Doc: id, GPUs: gpus, Total: work, Remaining: work, Speed: &tab}
}

// threeJobs is an example (hadar.md, Example: constants): A has 2 V, B has 3 K, a round is one second.
func threeJobs(order ...int) *Problem {
	all := []Job{job(0, 2, 400, 20, 5), job(1, 1, 120, 12, 6), job(2, 2, 240, 10, 8)}
	p := &Problem{Round: unit.Second, Cluster: cluster([]string{"V", "K"}, [2]int32{0, 2}, [2]int32{1, 3}),
		Usable: []int32{2, 3}}
	for _, i := range order {
		p.Jobs = append(p.Jobs, all[i])
	}
	return p
}

func TestPriceTable(t *testing.T) {
	for used, want := range []float64{0.02, 0.632456, 20} {
		near(t, "c=2", Price(0.02, 20, int32(used), 2), want)
	}
	for used, want := range []float64{0.02, 0.112468, 0.632456, 3.556559, 20} {
		near(t, "c=4", Price(0.02, 20, int32(used), 4), want)
	}
}

// effective is what the examples use, and first what Hadar was read as at first.
var (
	effective = Settings{Utility: Effective}
	first     = Settings{Utility: Effective, Order: ByLifetimeDensity, LifetimeValue: true}
)

func TestConstants(t *testing.T) {
	var s Solver
	for _, set := range []Settings{effective, first} {
		c := s.Solve(threeJobs(0, 1, 2), set).Constants
		exactly(t, "T", c.Horizon.Seconds(), 75)
		exactly(t, "eta", c.Eta, 18.75)
		near(t, "alpha", c.Alpha, 10.02127)
		for typ := range 2 {
			exactly(t, "U_max", c.UMax[typ], 20)
			near(t, "U_min", c.UMin[typ], 0.000888889)
			exactly(t, "ratio", c.UMax[typ]/c.UMin[typ], 22500)
		}
		prices(t, &s, 0, 0.000889, 0.133333, 20)
		prices(t, &s, 1, 0.000889, 0.025094, 0.708439, 20)
	}
	set := effective
	set.Eta = 1
	near(t, "U_min at eta 1", s.Solve(threeJobs(0, 1, 2), set).Constants.UMin[0], 0.016667)
	prices(t, &s, 1, 0.0167, 0.1771, 1.8821, 20)

	c := s.Solve(threeJobs(0, 1, 2), Settings{}).Constants
	exactly(t, "normalised U_max", c.UMax[0], 1)
	exactly(t, "normalised ratio", c.UMax[0]/c.UMin[0], 45000)
	prices(t, &s, 0, 0.0000222, 0.00471405, 1)
	prices(t, &s, 1, 0.0000222, 0.000790421, 0.0281144, 1)
}

// prices holds a slot's prices to those wanted, by GPUs taken.
func prices(t *testing.T, s *Solver, slot int, want ...float64) {
	t.Helper()
	for used, p := range want {
		near(t, "price", s.price(slot, int32(used)), p)
	}
}

func TestEmptyCluster(t *testing.T) {
	var s Solver
	s.Solve(threeJobs(0, 1, 2), effective)
	used := []int32{0, 0}
	for _, c := range []struct {
		job                          int
		shard                        model.Shard
		rate, n, u, cost, pay, round float64
	}{
		{0, model.Shard{Slot: 0, N: 2}, 40, 10, 40, 0.0178, 39.9822, 3.9982},
		{0, model.Shard{Slot: 1, N: 2}, 10, 40, 10, 0.0711, 9.9289, 0.2482},
		{1, model.Shard{Slot: 0, N: 1}, 12, 10, 12, 0.0089, 11.9911, 1.1991},
		{1, model.Shard{Slot: 1, N: 1}, 6, 20, 6, 0.0178, 5.9822, 0.2991},
		{2, model.Shard{Slot: 0, N: 2}, 20, 12, 20, 0.0213, 19.9787, 1.6649},
		{2, model.Shard{Slot: 1, N: 2}, 16, 15, 16, 0.0267, 15.9733, 1.0649},
	} {
		o := Offer{Shards: []model.Shard{c.shard}}
		if !s.value(c.job, &o, used) {
			t.Fatalf("J%d cannot run on %v", c.job+1, c.shard)
		}
		exactly(t, "rate", float64(o.Rate), c.rate)
		exactly(t, "rounds", float64(o.Rounds), c.n)
		exactly(t, "utility", o.Utility, c.u)
		near(t, "cost", o.Cost, c.cost)
		near(t, "payoff", o.Payoff, c.pay)
		got, _ := s.added(&o)
		near(t, "payoff per round", got, c.round)
	}
}

// orders are all orders of them.
var orders = [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

func TestExactTriesEverySetOfTypes(t *testing.T) {
	for _, order := range orders {
		set := effective
		set.Order, set.Search, set.NoResidual = ByArrival, Exact, true
		var s Solver
		r := s.Solve(threeJobs(order...), set)
		total, sum := 5.0631, 56.0
		if at := func(j int) int { return slices.Index(order, j) }; at(1) < at(2) { // J2 before J3
			total, sum = 5.3138, 62
		}
		near(t, "total per round", r.Payoff, total)
		exactly(t, "sum of utilities", r.Primal, sum)
	}
}

// TestOneOffer is the same with one offer a state, as beams have it; late are the jobs that the
// residual pass adds.
func TestOneOffer(t *testing.T) {
	for _, c := range []struct {
		order        []int
		total, whole float64
		late         int
	}{
		{orders[0], 5.3138, 61.2116, 0}, {orders[1], 5.0631, 55.9556, 0}, {orders[2], 5.0631, 55.9556, 0},
		{orders[4], 4.2973, 45.9644, 1}, {orders[3], 3.9982, 39.9822, 2}, {orders[5], 3.9982, 39.9822, 1},
	} {
		for _, whole := range []bool{false, true} {
			var s Solver
			r := s.Solve(threeJobs(c.order...), Settings{Utility: Effective, LifetimeValue: whole, Order: ByArrival,
				Search: Beam, Beam: 256})
			want := c.total
			if whole {
				want = c.whole
			}
			near(t, "total", r.Payoff, want)
			late := 0
			for _, l := range r.Late {
				if l {
					late++
				}
			}
			if late != c.late {
				t.Errorf("order %v: the residual pass adds %d jobs, want %d", c.order, late, c.late)
			}
		}
	}
	var s Solver
	near(t, "greedy on J3, J2, J1", s.Solve(threeJobs(2, 1, 0),
		Settings{Utility: Effective, Order: ByArrival, Search: Greedy}).Payoff, 2.1638)
}

func TestQueueAndTotals(t *testing.T) {
	var s Solver
	for _, c := range []struct {
		set      Settings
		queue    [3]int32
		payoff   float64
		utility  float64
		j3payoff float64
	}{
		{effective, [3]int32{0, 1, 2}, 5.3138, 62, 15.2472},
		{first, [3]int32{0, 1, 2}, 61.2116, 62, 15.2472},
		{Settings{}, [3]int32{1, 0, 2}, 0.176686, 0, 0},
	} {
		r := s.Solve(threeJobs(0, 1, 2), c.set)
		if [3]int32(r.Order) != c.queue {
			t.Errorf("the queue is %v, want %v", r.Order, c.queue)
		}
		near(t, "total", r.Payoff, c.payoff)
		if c.utility > 0 {
			near(t, "sum of utilities", r.Primal, c.utility)
			near(t, "J3's payoff", r.Chosen[2].Payoff, c.j3payoff)
		}
	}
	for i, want := range []float64{0.0999556, 0.0249778, 0.0517523} {
		got, _ := s.added(&s.res.Chosen[i])
		near(t, "normalised payoff per round", got, want)
	}
	for i, want := range []float64{0.04998, 0.09998, 0.04164} {
		got, _ := s.added(&s.res.Alone[i])
		near(t, "normalised density", got/float64(s.prob.Jobs[i].GPUs), want)
	}
	set := Settings{Utility: Effective, RoundCost: true, Order: ByArrival}
	near(t, "round cost, J1 J2 J3", s.Solve(threeJobs(0, 1, 2), set).Payoff, 5.3631)
	near(t, "round cost, J1 J3 J2", s.Solve(threeJobs(0, 2, 1), set).Payoff, 5.3309)
	set.LifetimeValue = true
	near(t, "round cost over the life, J1 J2 J3", s.Solve(threeJobs(0, 1, 2), set).Payoff, 61.9471)
	near(t, "round cost over the life, J1 J3 J2", s.Solve(threeJobs(0, 2, 1), set).Payoff, 61.2880)
}

func TestRefusesAnIdleGPU(t *testing.T) {
	p := threeJobs(0, 1, 2)
	var s Solver
	for _, c := range []struct {
		set               Settings
		price, cost, pays float64
		round             float64 // payoff when the coming round alone is charged
	}{
		{effective, 0.708439, 14.1688, -8.1688, 5.2916},
		{Settings{}, 0.0281144, 0.562288, -0.0622884, 0.471886},
	} {
		s.Solve(p, c.set)
		o := Offer{Shards: []model.Shard{{Slot: 1, N: 1}}}
		s.value(1, &o, []int32{2, 2})
		near(t, "price", s.price(1, 2), c.price)
		near(t, "cost", o.Cost, c.cost)
		near(t, "payoff", o.Payoff, c.pays)
		c.set.RoundCost = true
		s.Solve(p, c.set)
		o = Offer{Shards: []model.Shard{{Slot: 1, N: 1}}}
		s.value(1, &o, []int32{2, 2})
		near(t, "payoff for one round", o.Payoff, c.round)
	}

	// J1, J3, J2 leaves one K idle beside J2, unless GPUs may not idle.
	q := threeJobs(0, 2, 1)
	set := Settings{Utility: Effective, Order: ByArrival, Search: Beam, Beam: 256}
	if r := s.Solve(q, set); len(r.Chosen[2].Shards) != 0 {
		t.Error("J2 must wait: its price is above its worth")
	}
	set.WorkConserving = true
	if r := s.Solve(q, set); len(r.Chosen[2].Shards) != 1 {
		t.Error("work conserving: J2 must get the last K")
	}
}

func TestMixedGangsAndTheHomogeneousSwitch(t *testing.T) {
	// hadar.md, Example: a gang wider than any type: J1 needs three GPUs and no type has more than two.
	p := &Problem{Round: unit.Second, Cluster: cluster([]string{"V", "P"}, [2]int32{0, 2}, [2]int32{1, 2}),
		Usable: []int32{2, 2},
		Jobs:   []Job{job(0, 3, 90, 10, 6), job(1, 1, 24, 12, 6)}}
	var s Solver
	r := s.Solve(p, Settings{})
	if len(r.Chosen[0].Shards) != 2 || r.Chosen[0].Rate != 18 {
		t.Errorf("J1 gets %v at %v/s, want a gang of both types at 18/s", r.Chosen[0].Shards, r.Chosen[0].Rate)
	}
	if r.Chosen[1].Rate != 12 {
		t.Errorf("J2 runs at %v/s, want a V100", r.Chosen[1].Rate)
	}
	if r.Order[0] != 1 {
		t.Error("the queue is J2, J1")
	}
	near(t, "J2's payoff", r.Chosen[1].Payoff, 0.998765)
	near(t, "J1's payoff", r.Chosen[0].Payoff, 0.469565)
	near(t, "total", r.Payoff, 0.593296)
	// Balanced, the two V and one P run at (2 · 30 + 18)/3 and a V and two P at (30 + 2 · 18)/3.
	p.Jobs[0].Split = &model.Split{}
	v := float64(0)
	for _, sh := range s.Solve(p, Settings{}).Chosen[0].Shards {
		v += float64(sh.N) * []float64{30, 18}[p.Cluster.Slots[sh.Slot].Type] / 3
	}
	exactly(t, "J1's balanced speed", float64(s.Result().Chosen[0].Rate), v)
	if v <= 18 {
		t.Errorf("J1 runs at %v/s", v)
	}
	// With 1.1 even shares a V at most, those of the two V leave 0.8 to a P, 18/0.8; that of one leaves 0.95 to each
	// of two.
	p.Jobs[0].Split = &model.Split{Most: 1.1}
	r = s.Solve(p, Settings{})
	want := 18 / 0.95
	if r.Chosen[0].Shards[0].N == 2 {
		want = 18 / 0.8
	}
	exactly(t, "J1's speed within bounds", float64(r.Chosen[0].Rate), want)
	if r = s.Solve(p, Settings{Homogeneous: true}); len(r.Chosen[0].Shards) != 0 {
		t.Error("job level: J1 fits on no type")
	}
}

// TestGangsOfOneTypeBesidePartlyFreeFasterOnes: W = 4 on nodes of 2 V, 2 K and 2 K. The mixture takes the two V at
// the pace of the K; the four K alone do as much and leave the V to others.
func TestGangsOfOneTypeBesidePartlyFreeFasterOnes(t *testing.T) {
	p := &Problem{Round: unit.Second, Cluster: cluster([]string{"V", "K"}, [2]int32{0, 2}, [2]int32{1, 2},
		[2]int32{1, 2}), Usable: []int32{2, 2, 2},
		Jobs: []Job{job(0, 4, 400, 10, 2)}}
	var s Solver
	four := []model.Shard{{Slot: 1, N: 2}, {Slot: 2, N: 2}}
	if got := s.Solve(p, Settings{Homogeneous: true}).Chosen[0].Shards; !slices.Equal(got, four) {
		t.Errorf("with one type a gang it gets %v, want the four K", got)
	}
	s.Solve(p, Settings{})
	if all := s.Candidates(0, s.Before(0)); !slices.ContainsFunc(all,
		func(o Offer) bool { return slices.Equal(o.Shards, four) }) {
		t.Errorf("the four K are no candidate: %v", all)
	}
}

// TestPricesOfFullGPUsAreOutOfReach: 75 steps at 10 a second last 7.5 rounds of a second. In whole rounds they would
// be 8, and the bound 75/8 lower than the job's worth.
func TestPricesOfFullGPUsAreOutOfReach(t *testing.T) {
	p := &Problem{Round: unit.Second, Cluster: cluster([]string{"V"}, [2]int32{0, 1}), Usable: []int32{1},
		Jobs: []Job{job(0, 1, 75, 10)}}
	var s Solver
	r := s.Solve(p, effective)
	exactly(t, "U_max", r.Constants.UMax[0], 10)
	exactly(t, "utility", r.Chosen[0].Utility, 10)
}

// TestComparativeAdvantage is 6.8's: A does 10 or 9 steps/s, B 10 or 1. One offer a state has both ask for the V.
func TestComparativeAdvantage(t *testing.T) {
	p := &Problem{Round: 360 * unit.Second, Cluster: cluster([]string{"V", "K"}, [2]int32{0, 1}, [2]int32{1, 1}),
		Usable: []int32{1, 1},
		Jobs:   []Job{job(0, 1, 36000, 10, 9), job(1, 1, 36000, 10, 1)}}
	var s Solver
	if r := s.Solve(p, Settings{}); r.Chosen[0].Rate != 9 || r.Chosen[1].Rate != 10 {
		t.Errorf("A runs at %v and B at %v, want 9 and 10", r.Chosen[0].Rate, r.Chosen[1].Rate)
	}
	if r := s.Solve(p, Settings{Search: Beam, Beam: 16}); r.Chosen[0].Rate != 10 {
		t.Errorf("one offer a state: A runs at %v, want 10", r.Chosen[0].Rate)
	}
}

// TestExactSearchEqualsPlainRecursion compares the forward programme with a plain recursion over job and
// occupancy on random rounds.
func TestExactSearchEqualsPlainRecursion(t *testing.T) {
	rng := unit.Stream(3, "primaldual")
	for range 60 {
		p := &Problem{Round: 360 * unit.Second, Cluster: cluster([]string{"a", "b"}, [2]int32{0, 2}, [2]int32{1, 3},
			[2]int32{0, 1}), Usable: []int32{2, 3, 1}}
		for i := range int32(2 + rng.IntN(5)) {
			w := int32(1 + rng.IntN(3))
			p.Jobs = append(p.Jobs, job(i, w, unit.Work(1000+rng.IntN(90000)), 1+9*rng.Float64(), 1+9*rng.Float64()))
		}
		var s Solver
		got := s.Solve(p, Settings{Search: Exact}).Payoff
		want := s.recurse(0, []int32{0, 0, 0})
		if math.Abs(got-want) > 1e-9*math.Max(1, want) {
			t.Fatalf("total payoff %v, recursion %v", got, want)
		}
		if b := s.Solve(p, Settings{Search: Beam, Beam: 4}).Payoff; b > got+1e-9 {
			t.Fatalf("a beam of 4 found %v, more than the exact %v", b, got)
		}
	}
}

// recurse is the dual subroutine as written: skip job i, or take it in the best placement on each set of types.
func (s *Solver) recurse(at int, used []int32) float64 {
	if at == len(s.res.Order) {
		return 0
	}
	best := s.recurse(at+1, used)
	i := int(s.res.Order[at])
	s.find.collect = true
	s.findAlloc(i, s.occupied(used))
	s.find.collect = false
	bySet := map[uint64]Offer{}
	for _, o := range s.find.all {
		if old, ok := bySet[o.types]; !ok || s.better(&o, &old) {
			bySet[o.types] = o
		}
	}
	for _, o := range bySet {
		if o.Payoff <= 0 {
			continue
		}
		next := append([]int32(nil), used...)
		for _, sh := range o.Shards {
			next[sh.Slot] += sh.N
		}
		best = math.Max(best, o.Payoff/float64(o.Rounds)+s.recurse(at+1, next))
	}
	return best
}

// TestGangsOverNodesEqualPlainSort compares the spread gangs that gather leads to with those from all free slots of the
// types, sorted, on random occupancies with many equal slots.
func TestGangsOverNodesEqualPlainSort(t *testing.T) {
	rng := unit.Stream(5, "primaldual")
	var s Solver
	for n := range 2000 {
		nodes := make([][2]int32, 2+rng.IntN(40))
		p := &Problem{Round: 360 * unit.Second}
		for k := range nodes {
			nodes[k] = [2]int32{int32(rng.IntN(3)), int32(1 + rng.IntN(4))}
			p.Usable = append(p.Usable, nodes[k][1]-int32(rng.IntN(2)))
		}
		p.Cluster = cluster([]string{"a", "b", "c"}, nodes...)
		speed := 1 + 9*rng.Float64()
		p.Jobs = []Job{job(0, int32(2+rng.IntN(8)), 50000, speed, 1+9*rng.Float64(), speed)}
		s.Solve(p, Settings{})
		used := make([]int32, len(nodes))
		for k := range used {
			used[k] = int32(rng.IntN(int(p.Usable[k]) + 1))
		}
		f, j, want := &s.find, &p.Jobs[0], p.Jobs[0].GPUs
		f.fast.mixed.clear()
		var all []slotKey
		for _, typ := range s.terms[0].order {
			from := len(all)
			for sl := range used {
				if p.Cluster.Slots[sl].Type == model.TypeID(typ) && p.Usable[sl] > used[sl] {
					all = append(all, s.key(j, int32(sl), used))
				}
			}
			s.gather(j, typ, s.occupied(used))
			s.mix(j)
			for _, c := range []struct {
				got  *spread
				keys []slotKey
			}{{&f.fast.alone, all[from:]}, {&f.fast.mixed, all}} {
				free := int32(0)
				for _, k := range c.keys {
					free += k.free
				}
				if min(c.got.free, want) != min(free, want) {
					t.Fatalf("case %d: %d GPUs free, want %d", n, c.got.free, free)
				}
				if free < want {
					continue
				}
				for _, o := range []struct {
					got []slotKey
					cmp func(a, b slotKey) int
				}{{c.got.cheap, byPrice}, {c.got.roomy, byFree}} {
					f.fill(slices.SortedFunc(slices.Values(c.keys), o.cmp), want)
					plain := slices.Clone(f.shards)
					if f.fill(o.got, want); !slices.Equal(f.shards, plain) {
						t.Fatalf("case %d: the gang is %v, sorted %v", n, f.shards, plain)
					}
				}
			}
		}
	}
}

// TestBestIsTheBestOfAll compares the gang that is found with the best of all that an explanation lists, which leaves
// none out: over tables that have gangs that are faster apart, ties, GPUs that are held, and nodes of two types.
func TestBestIsTheBestOfAll(t *testing.T) {
	rng := unit.Stream(9, "primaldual")
	sets := []Settings{{}, {RoundCost: true}, {Comm: Measured}, {Comm: Measured, RoundCost: true}, {Homogeneous: true},
		{Comm: Ring, RingBytes: 1e8, RingBytesPerS: 1e8, Utility: AvgJCT}, {Comm: Measured, Utility: Effective},
		{Eta: 1e12, RoundCost: true}}
	var s Solver
	apart := 0
	for n := range 40000 {
		p := &Problem{Now: 7200 * unit.Second, Round: 360 * unit.Second}
		nodes := make([][2]int32, 2+rng.IntN(7))
		for k := range nodes {
			nodes[k] = [2]int32{int32(rng.IntN(3)), int32(1 + rng.IntN(6))}
			p.Usable = append(p.Usable, nodes[k][1])
		}
		p.Cluster = cluster([]string{"a", "b", "c"}, nodes...)
		p.Cluster.Racks = []string{"r1", "r2"}
		for k := range p.Cluster.Nodes {
			p.Cluster.Nodes[k].Rack = int32(rng.IntN(2))
		}
		if slots := p.Cluster.Slots; n%4 == 0 && slots[0].Type != slots[1].Type {
			slots[1].Node = 0
		}
		j := job(0, int32(1+rng.IntN(6)), unit.Work(1000+rng.IntN(90000)), 1, 1, 1)
		for typ := range model.TypeID(3) {
			v := unit.Rate(rng.IntN(5)) * unit.Rate(j.GPUs)
			near := v * unit.Rate([]float64{1, 1, 0.9, 0.5, 1.2}[rng.IntN(5)])
			j.Speed.Set(typ, j.GPUs, v, near, near*unit.Rate([]float64{1, 1, 0.8, 0.5, 1.3}[rng.IntN(5)]))
		}
		j.Move = unit.Tick(rng.IntN(3)*900) * unit.Second
		j.Keep = min(j.Move, unit.Tick(rng.IntN(2)*60)*unit.Second)
		j.Split = splits[rng.IntN(len(splits))]
		used := make([]int32, len(nodes))
		for k := range used {
			if rng.IntN(2) == 0 {
				used[k] = int32(rng.IntN(int(p.Usable[k]) + 1))
			}
		}
		if need, most := j.GPUs, int32(1+rng.IntN(6)); rng.IntN(2) == 0 { // it holds the first that are free
			for k := range used {
				if n := min(need, most, p.Usable[k]-used[k]); n > 0 {
					j.Held = append(j.Held, model.Shard{Slot: model.SlotID(k), N: n})
					need -= n
				}
			}
			if need > 0 {
				j.Held = nil
			}
		}
		p.Jobs = []Job{j, job(1, 1, 50000, 3, 2, 1)}
		s.Solve(p, sets[n%len(sets)])
		s.set.Plain = true
		plain := *s.findAlloc(0, s.occupied(used))
		s.set.Plain = false
		got := *s.findAlloc(0, s.occupied(used))
		got.Shards = slices.Clone(got.Shards)
		if !slices.Equal(plain.Shards, got.Shards) || len(got.Shards) > 0 && plain.Payoff != got.Payoff {
			t.Fatalf("case %d: found %+v, by the plain form %+v", n, got, plain)
		}
		all := s.Candidates(0, used)
		if len(all) == 0 {
			if len(got.Shards) > 0 {
				t.Fatalf("case %d: found %+v, and nothing is to be had", n, got)
			}
			continue
		}
		if !slices.Equal(got.Shards, all[0].Shards) || got.Payoff != all[0].Payoff {
			t.Fatalf("case %d: found %+v, the best is %+v", n, got, all[0])
		}
		if len(got.Shards) > 1 {
			apart++
		}
	}
	if apart < 500 {
		t.Errorf("only %d gangs lie on several nodes", apart)
	}
}

// TestKnownAnswersAreThoseFoundAnew asks for a job at many occupancies in turn, of which many read alike to it, and
// compares what is remembered with what is found anew.
func TestKnownAnswersAreThoseFoundAnew(t *testing.T) {
	rng := unit.Stream(6, "primaldual")
	var s Solver
	again := 0
	for n := range 300 {
		p := &Problem{Round: 360 * unit.Second, Usable: []int32{4, 4, 3, 2, 4, 4}, Cluster: cluster([]string{"a", "b"},
			[2]int32{0, 4}, [2]int32{0, 4}, [2]int32{0, 4}, [2]int32{1, 2}, [2]int32{1, 4}, [2]int32{1, 4})}
		p.Jobs = []Job{job(0, int32(1+rng.IntN(6)), 50000, 1+9*rng.Float64(), 1+9*rng.Float64())}
		if slot := rng.IntN(6); p.Usable[slot] >= p.Jobs[0].GPUs {
			p.Jobs[0].Held = []model.Shard{{Slot: model.SlotID(slot), N: p.Jobs[0].GPUs}}
			p.Jobs[0].Move = 60 * unit.Second
		}
		s.Solve(p, Settings{})
		f := &s.find
		f.bySet = n%2 == 0
		used := make([]int32, len(p.Usable))
		for range 100 {
			k := rng.IntN(len(used))
			used[k] = int32(rng.IntN(int(p.Usable[k]) + 1))
			o, few := s.occupied(used), f.fast.few
			got := *s.findAlloc(0, o)
			sets := slices.Clone(f.sets)
			if got.Shards = slices.Clone(got.Shards); f.fast.few == few {
				again++
			}
			var anew Solver
			anew.Solve(p, Settings{})
			anew.find.bySet = f.bySet
			want := anew.findAlloc(0, o)
			same := func(a, b Offer) bool {
				none := len(a.Shards) == 0 && len(b.Shards) == 0
				return none || slices.Equal(a.Shards, b.Shards) && a.Payoff == b.Payoff && a.Cost == b.Cost &&
					a.held == b.held
			}
			if !same(got, *want) || f.bySet && !slices.EqualFunc(sets, anew.find.sets, same) {
				t.Fatalf("case %d: remembered %+v, found %+v", n, got, *want)
			}
		}
		f.bySet, f.fast.job = false, -1
	}
	if again < 1000 {
		t.Errorf("only %d answers were remembered", again)
	}
}

// TestJobsAlikeChooseAlike gives half of the jobs of random rounds the figures of others, and compares the decision
// with that for jobs that have a table each, with the same speeds, of which none is like another.
func TestJobsAlikeChooseAlike(t *testing.T) {
	rng := unit.Stream(8, "primaldual")
	sets := []Settings{{}, {RoundCost: true}, {Utility: Effective}, {Utility: AvgJCT}, {Utility: Makespan},
		{Utility: FTF}, {Search: Greedy}}
	for n := range 500 {
		p := &Problem{Now: 7200 * unit.Second, Round: 360 * unit.Second, Cluster: cluster([]string{"a", "b"},
			[2]int32{0, 4}, [2]int32{0, 4}, [2]int32{1, 4}), Usable: []int32{4, 4, 4}}
		for i := range int32(6 + rng.IntN(40)) {
			j := job(i, int32(1+rng.IntN(6)), unit.Work(1000+rng.IntN(90000)), 1+9*rng.Float64(), 1+9*rng.Float64())
			j.Arrive, j.Move = unit.Tick(rng.IntN(7200))*unit.Second, unit.Tick(rng.IntN(60))*unit.Second
			if i > 0 && rng.IntN(2) == 0 {
				j = p.Jobs[rng.IntN(int(i))]
				j.ID, j.Doc = model.JobID(i), i
				switch rng.IntN(8) {
				case 0:
					j.Remaining /= 2
				case 1:
					j.Arrive += 60 * unit.Second
				case 2:
					j.Move += 60 * unit.Second
				case 3:
					j.Total *= 2
				case 4:
					j.GPUs = max(1, j.GPUs-1)
				case 5:
					j.Split = splits[rng.IntN(len(splits))]
				}
			}
			p.Jobs = append(p.Jobs, j)
		}
		slices.SortStableFunc(p.Jobs, func(a, b Job) int { return cmp.Compare(a.Arrive, b.Arrive) })
		apart := *p
		apart.Jobs = slices.Clone(p.Jobs)
		for i := range apart.Jobs {
			own := *p.Jobs[i].Speed
			apart.Jobs[i].Speed = &own
		}
		var s, plain Solver
		got, want := s.Solve(p, sets[n%len(sets)]), plain.Solve(&apart, sets[n%len(sets)])
		for i := range p.Jobs {
			a, b := got.Alone[i], want.Alone[i]
			if !slices.Equal(a.Shards, b.Shards) || a.Payoff != b.Payoff || a.Rounds != b.Rounds {
				t.Fatalf("case %d: job %d alone has %+v, with a table of its own %+v", n, i, a, b)
			}
			if !slices.Equal(got.Chosen[i].Shards, want.Chosen[i].Shards) {
				t.Fatalf("case %d: job %d gets %v, with a table of its own %v", n, i, got.Chosen[i].Shards,
					want.Chosen[i].Shards)
			}
		}
	}
}

// TestBeamEndsAsGreedyWhereThatIsAhead compares a beam with the state that greedy says is ahead of all others, on
// random rounds from nearly empty to crowded.
func TestBeamEndsAsGreedyWhereThatIsAhead(t *testing.T) {
	rng := unit.Stream(7, "primaldual")
	sets := []Settings{{}, {RoundCost: true}, {Utility: AvgJCT}, {Utility: Makespan}, {LifetimeValue: true},
		{Order: ByArrival}, {Homogeneous: true}}
	spared, searched := 0, 0
	for n := range 1500 {
		p := &Problem{Now: 7200 * unit.Second, Round: 360 * unit.Second, Cluster: cluster([]string{"a", "b", "c"},
			[2]int32{0, 4}, [2]int32{0, 4}, [2]int32{1, 4}, [2]int32{1, 4}, [2]int32{2, 4}),
			Usable: []int32{4, 4, 4, 4, 4}}
		spread := 1 + 4*rng.Float64() // how unlike the types are
		for i := range int32(5 + rng.IntN(9)) {
			j := job(i, []int32{1, 1, 1, 2, 4}[rng.IntN(5)], unit.Work(1000+rng.IntN(90000)),
				1+spread*rng.Float64(), 1+spread*rng.Float64(), 1+spread*rng.Float64())
			j.Arrive = unit.Tick(rng.IntN(7200)) * unit.Second
			p.Jobs = append(p.Jobs, j)
		}
		set := sets[n%len(sets)]
		set.Search, set.Beam = Beam, 16
		var s Solver
		s.Solve(p, set)
		ahead := s.greedy(true)
		if ahead == nil {
			searched++
			continue
		}
		spared++
		s.choose(ahead)
		chosen := make([][]model.Shard, len(p.Jobs))
		for i := range chosen {
			chosen[i] = slices.Clone(s.res.Chosen[i].Shards)
		}
		total := s.res.Payoff
		if s.choose(s.explore(16, false)); s.res.Payoff != total {
			t.Fatalf("case %d: the beam's total is %v, greedy's %v", n, s.res.Payoff, total)
		}
		for i := range chosen {
			if !slices.Equal(s.res.Chosen[i].Shards, chosen[i]) {
				t.Fatalf("case %d: the beam gives job %d %v, greedy %v", n, i, s.res.Chosen[i].Shards, chosen[i])
			}
		}
	}
	if spared < 200 || searched < 200 {
		t.Errorf("%d rounds spared, %d searched", spared, searched)
	}
}

// TestLaws checks what must hold whatever the switches: capacity, gang sizes, rising prices, payoff
// signs, invariance under a common scale of all utilities.
func TestLaws(t *testing.T) {
	rng := unit.Stream(4, "primaldual")
	sets := []Settings{{}, {RoundCost: true}, {Utility: Effective}, {Utility: AvgJCT}, {Utility: Makespan},
		{Utility: FTF},
		{TypeBounds: true}, {Homogeneous: true}, {WorkConserving: true}, {Search: Greedy}, {Search: Beam, Beam: 2},
		{Order: ByArrival}, {Order: ByID}, {Order: ByLifetimeDensity}, {LifetimeValue: true}, first,
		{Comm: Ring, RingBytes: 1e8, RingBytesPerS: 1e9}, {Comm: NoComm}}
	for range 40 {
		p := &Problem{Now: 7200 * unit.Second, Round: 360 * unit.Second,
			Cluster: cluster([]string{"a", "b", "c"}, [2]int32{0, 4}, [2]int32{1, 2}, [2]int32{2, 4}, [2]int32{1, 1}),
			Usable:  []int32{4, 2, 4, 1}}
		for i := range int32(1 + rng.IntN(12)) {
			j := job(i, int32(1+rng.IntN(4)), unit.Work(1000+rng.IntN(900000)), 1+9*rng.Float64(), 1+9*rng.Float64(),
				1+9*rng.Float64())
			j.Arrive = unit.Tick(i) * 100 * unit.Second
			j.Remaining = j.Total * unit.Work(0.1+0.9*rng.Float64())
			p.Jobs = append(p.Jobs, j)
		}
		for k, set := range sets {
			var s Solver
			r := s.Solve(p, set)
			used := make([]int32, 4)
			for i, o := range r.Chosen {
				n := int32(0)
				for _, sh := range o.Shards {
					used[sh.Slot] += sh.N
					n += sh.N
				}
				if n != 0 && n != p.Jobs[i].GPUs {
					t.Fatalf("set %d: job %d holds %d of %d GPUs", k, i, n, p.Jobs[i].GPUs)
				}
				for typ := range p.Cluster.Types {
					full := r.Constants.UMax[typ]
					if uses := slices.ContainsFunc(o.Shards,
						func(
							x model.Shard) bool {
							return p.Cluster.Slots[x.Slot].Type == model.TypeID(typ)
						}); uses && o.Utility/float64(n) > full*(1+1e-9) {
						t.Fatalf("set %d: job %d is worth %v a GPU where full GPUs cost %v", k, i, o.Utility/float64(n),
							full)
					}
				}
				if n > 0 && o.Payoff <= 0 && !set.WorkConserving {
					t.Fatalf("set %d: job %d was admitted at payoff %v", k, i, o.Payoff)
				}
				if a := r.Alone[i]; set == (Settings{}) && a.Payoff <= 0 {
					t.Fatalf("job %d does not pay on the empty cluster: %v", i, a.Payoff)
				}
			}
			for sl, n := range used {
				if n > p.Usable[sl] || n != r.Used[sl] {
					t.Fatalf("set %d: slot %d holds %d, says %d, has %d", k, sl, n, r.Used[sl], p.Usable[sl])
				}
				for g := int32(1); g <= p.Usable[sl]; g++ {
					if s.price(sl, g) <= s.price(sl, g-1) {
						t.Fatalf("set %d: price does not rise at %d", k, g)
					}
				}
			}
			if r.Dual < r.Primal-1e-9*math.Abs(r.Primal) && set == (Settings{}) {
				t.Fatalf("dual bound %v is below the primal value %v", r.Dual, r.Primal)
			}
		}
	}
}

func BenchmarkFindAlloc(b *testing.B) {
	p := threeJobs(0, 1, 2)
	var s Solver
	s.Solve(p, Settings{})
	used := s.occupied([]int32{1, 1})
	b.ReportAllocs()
	for b.Loop() {
		s.findAlloc(0, used)
	}
}

// BenchmarkFairScales is the constants of a round with the FTF utility: 400 jobs on 500 nodes of three types.
func BenchmarkFairScales(b *testing.B) {
	p := &Problem{Round: unit.Second}
	var slots [][2]int32
	for n := range int32(500) {
		slots, p.Usable = append(slots, [2]int32{n % 3, 4}), append(p.Usable, 4)
	}
	p.Cluster = cluster([]string{"V", "P", "K"}, slots...)
	for i := range 400 {
		p.Jobs = append(p.Jobs, job(int32(i), 2, unit.Work(4000+i), 20, 12, 5))
	}
	var s Solver
	s.set, s.prob = Settings{Utility: FTF}, p
	s.prepare()
	b.ReportAllocs()
	for b.Loop() {
		s.constants()
	}
}
