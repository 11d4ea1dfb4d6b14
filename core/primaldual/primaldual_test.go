package primaldual

import (
	"math"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

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
			tab.Set(model.TypeID(typ), n, r, r)
		}
	}
	return Job{ID: model.JobID(id), Doc: id, GPUs: gpus, Total: work, Remaining: work, Speed: &tab}
}

// notes62 is the worked example 6.2: A has 2 V, B has 3 K, a round is one second.
func notes62(order ...int) *Problem {
	all := []Job{job(0, 2, 400, 20, 5), job(1, 1, 120, 12, 6), job(2, 2, 240, 10, 8)}
	p := &Problem{Round: unit.Second, Cluster: cluster([]string{"V", "K"}, [2]int32{0, 2}, [2]int32{1, 3}), Usable: []int32{2, 3}}
	for _, i := range order {
		p.Jobs = append(p.Jobs, all[i])
	}
	return p
}

func TestWorkedExample61PriceTable(t *testing.T) {
	for used, want := range []float64{0.02, 0.632456, 20} {
		near(t, "c=2", Price(0.02, 20, int32(used), 2), want)
	}
	for used, want := range []float64{0.02, 0.112468, 0.632456, 3.556559, 20} {
		near(t, "c=4", Price(0.02, 20, int32(used), 4), want)
	}
}

func TestWorkedExample62Constants(t *testing.T) {
	var s Solver
	r := s.Solve(notes62(0, 1, 2), Settings{})
	c := r.Constants
	exactly(t, "T", c.Horizon.Seconds(), 75)
	exactly(t, "eta", c.Eta, 18.75)
	near(t, "alpha", c.Alpha, 10.02127)
	for typ := range 2 {
		exactly(t, "U_max", c.UMax[typ], 20)
		near(t, "U_min", c.UMin[typ], 0.000888889)
		exactly(t, "ratio", c.UMax[typ]/c.UMin[typ], 22500)
	}
	for used, want := range []float64{0.000889, 0.133333, 20} {
		near(t, "A/V", s.price(0, int32(used)), want)
	}
	for used, want := range []float64{0.000889, 0.025094, 0.708439, 20} {
		near(t, "B/K", s.price(1, int32(used)), want)
	}
	r = s.Solve(notes62(0, 1, 2), Settings{Eta: 1})
	near(t, "U_min at eta 1", r.Constants.UMin[0], 0.016667)
	for used, want := range []float64{0.0167, 0.1771, 1.8821, 20} {
		near(t, "B/K at eta 1", s.price(1, int32(used)), want)
	}
}

func TestWorkedExample63EmptyCluster(t *testing.T) {
	var s Solver
	s.Solve(notes62(0, 1, 2), Settings{})
	used := []int32{0, 0}
	for _, c := range []struct {
		job                   int
		shard                 Shard
		rate, n, u, cost, pay float64
	}{
		{0, Shard{0, 2}, 40, 10, 40, 0.0178, 39.9822}, {0, Shard{1, 2}, 10, 40, 10, 0.0711, 9.9289},
		{1, Shard{0, 1}, 12, 10, 12, 0.0089, 11.9911}, {1, Shard{1, 1}, 6, 20, 6, 0.0178, 5.9822},
		{2, Shard{0, 2}, 20, 12, 20, 0.0213, 19.9787}, {2, Shard{1, 2}, 16, 15, 16, 0.0267, 15.9733},
	} {
		o := Offer{Shards: []Shard{c.shard}}
		if !s.value(c.job, &o, used) {
			t.Fatalf("J%d cannot run on %v", c.job+1, c.shard)
		}
		exactly(t, "rate", float64(o.Rate), c.rate)
		exactly(t, "rounds", float64(o.Rounds), c.n)
		exactly(t, "utility", o.Utility, c.u)
		near(t, "cost", o.Cost, c.cost)
		near(t, "payoff", o.Payoff, c.pay)
	}
}

func TestWorkedExample63QueueOrders(t *testing.T) {
	for _, c := range []struct {
		order       []int
		total, cost float64
	}{
		{[]int{0, 1, 2}, 61.2116, 0.7884},
		{[]int{0, 2, 1}, 55.9556, 0.0444}, {[]int{1, 0, 2}, 55.9556, 0.0444},
		{[]int{2, 0, 1}, 45.9644, 0.0356},
		{[]int{1, 2, 0}, 39.9822, 0.0178}, {[]int{2, 1, 0}, 39.9822, 0.0178},
	} {
		var s Solver
		r := s.Solve(notes62(c.order...), Settings{Order: ByArrival, Search: Exact, NoResidual: true})
		near(t, "total payoff", r.Payoff, c.total)
		cost := 0.0
		for _, o := range r.Chosen {
			if len(o.Shards) > 0 {
				cost += o.Cost
			}
		}
		near(t, "cost", cost, c.cost)
	}
	var s Solver
	r := s.Solve(notes62(0, 1, 2), Settings{})
	if r.Order[0] != 0 || r.Order[1] != 1 || r.Order[2] != 2 {
		t.Errorf("density order is %v, want J1 J2 J3", r.Order)
	}
	near(t, "J3's payoff", r.Chosen[2].Payoff, 15.2472)
	near(t, "sum of utilities", r.Primal, 62)
	r = s.Solve(notes62(0, 1, 2), Settings{RoundCost: true, Order: ByArrival})
	near(t, "round cost, J1 J2 J3", r.Payoff, 61.9471)
	r = s.Solve(notes62(0, 2, 1), Settings{RoundCost: true, Order: ByArrival})
	near(t, "round cost, J1 J3 J2", r.Payoff, 61.2880)
}

func TestWorkedExample64RefusesAnIdleGPU(t *testing.T) {
	p := notes62(0, 1, 2)
	var s Solver
	s.Solve(p, Settings{})
	o := Offer{Shards: []Shard{{1, 1}}}
	s.value(1, &o, []int32{2, 2})
	near(t, "price", s.price(1, 2), 0.708439)
	near(t, "cost", o.Cost, 14.1688)
	near(t, "payoff", o.Payoff, -8.1688)
	s.Solve(p, Settings{RoundCost: true})
	o = Offer{Shards: []Shard{{1, 1}}}
	s.value(1, &o, []int32{2, 2})
	near(t, "payoff for one round", o.Payoff, 5.2916)

	// J1, J3, J2 leaves one K idle beside J2, unless GPUs may not idle.
	q := notes62(0, 2, 1)
	if r := s.Solve(q, Settings{Order: ByArrival}); len(r.Chosen[2].Shards) != 0 {
		t.Error("J2 must wait: its price is above its worth")
	}
	if r := s.Solve(q, Settings{Order: ByArrival, WorkConserving: true}); len(r.Chosen[2].Shards) != 1 {
		t.Error("work conserving: J2 must get the last K")
	}
}

func TestMixedGangsAndTheHomogeneousSwitch(t *testing.T) {
	// Second case of 6.5: J1 needs three GPUs and no type has more than two.
	p := &Problem{Round: unit.Second, Cluster: cluster([]string{"V", "P"}, [2]int32{0, 2}, [2]int32{1, 2}), Usable: []int32{2, 2},
		Jobs: []Job{job(0, 3, 90, 10, 6), job(1, 1, 24, 12, 6)}}
	var s Solver
	r := s.Solve(p, Settings{})
	if len(r.Chosen[0].Shards) != 2 || r.Chosen[0].Rate != 18 {
		t.Errorf("J1 gets %v at %v/s, want a gang of both types at 18/s", r.Chosen[0].Shards, r.Chosen[0].Rate)
	}
	if r.Chosen[1].Rate != 12 {
		t.Errorf("J2 runs at %v/s, want a V100", r.Chosen[1].Rate)
	}
	if r = s.Solve(p, Settings{Homogeneous: true}); len(r.Chosen[0].Shards) != 0 {
		t.Error("job level: J1 fits on no type")
	}
}

// TestBeamMatchesExhaustive compares the forward programme with a plain recursion over job and
// occupancy on random rounds.
func TestExactSearchEqualsPlainRecursion(t *testing.T) {
	rng := unit.Stream(3, "primaldual")
	for range 60 {
		p := &Problem{Round: 360 * unit.Second, Cluster: cluster([]string{"a", "b"}, [2]int32{0, 2}, [2]int32{1, 3}, [2]int32{0, 1}), Usable: []int32{2, 3, 1}}
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

func (s *Solver) recurse(at int, used []int32) float64 {
	if at == len(s.res.Order) {
		return 0
	}
	best := s.recurse(at+1, used)
	o := *s.findAlloc(int(s.res.Order[at]), used)
	if len(o.Shards) == 0 || o.Payoff <= 0 {
		return best
	}
	next := append([]int32(nil), used...)
	for _, sh := range o.Shards {
		next[sh.Slot] += sh.N
	}
	return math.Max(best, o.Payoff+s.recurse(at+1, next))
}

// TestLaws checks what must hold whatever the switches: capacity, gang sizes, rising prices, payoff
// signs, invariance under a common scale of all utilities.
func TestLaws(t *testing.T) {
	rng := unit.Stream(4, "primaldual")
	sets := []Settings{{}, {RoundCost: true}, {Utility: Normalised}, {Utility: AvgJCT}, {Utility: Makespan}, {Utility: FTF},
		{TypeBounds: true}, {Homogeneous: true}, {WorkConserving: true}, {Search: Greedy}, {Search: Beam, Beam: 2}, {Order: ByArrival}, {Order: ByID}, {Comm: Ring, RingBytes: 1e8, RingBytesPerS: 1e9}, {Comm: NoComm}}
	for range 40 {
		p := &Problem{Now: 7200 * unit.Second, Round: 360 * unit.Second,
			Cluster: cluster([]string{"a", "b", "c"}, [2]int32{0, 4}, [2]int32{1, 2}, [2]int32{2, 4}, [2]int32{1, 1}), Usable: []int32{4, 2, 4, 1}}
		for i := range int32(1 + rng.IntN(12)) {
			j := job(i, int32(1+rng.IntN(4)), unit.Work(1000+rng.IntN(900000)), 1+9*rng.Float64(), 1+9*rng.Float64(), 1+9*rng.Float64())
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
	p := notes62(0, 1, 2)
	var s Solver
	s.Solve(p, Settings{})
	used := []int32{1, 1}
	b.ReportAllocs()
	for b.Loop() {
		s.findAlloc(0, used)
	}
}
