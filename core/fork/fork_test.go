package fork

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// table is a model that runs at x[n] steps per second on the single GPU of node n, each of its own type.
func table(x ...float64) *model.Throughput {
	t := model.NewThroughput("toy", len(x), 1)
	for i, v := range x {
		t.Set(model.TypeID(i), 1, unit.Rate(v), unit.Rate(v), unit.Rate(v))
	}
	return &t
}

// single makes n nodes with one GPU each, all of different types.
func single(n int) (*model.Cluster, []int32) {
	c := &model.Cluster{}
	usable := make([]int32, n)
	for i := range n {
		c.Types = append(c.Types, model.GPUType{Name: string(rune('a' + i))})
		c.Nodes = append(c.Nodes, model.Node{Name: string(rune('a' + i))})
		c.Slots = append(c.Slots, model.Slot{Node: model.NodeID(i), Type: model.TypeID(i), Cap: 1})
		usable[i] = 1
	}
	return c, usable
}

func steps(copies []Copy) []unit.Work {
	var s []unit.Work
	for _, c := range copies {
		s = append(s, c.Steps)
	}
	return s
}

func TestSplitOfOneJob(t *testing.T) {
	c, usable := single(5)
	job := Job{GPUs: 1, Total: 100000, Remaining: 100000, Speed: table(6, 5, 3, 2, 1), Keep: 20 * unit.Second,
		Move: 20 * unit.Second}
	var pl Planner
	r := pl.Plan(&Problem{Round: 360 * unit.Second, Cluster: c, Usable: usable, Jobs: []Job{job}}, Settings{})
	if got, want := steps(r.Copies[0]), []unit.Work{2040, 1700, 1020, 680, 340}; !slices.Equal(got, want) {
		t.Errorf("full round %v, want %v", got, want)
	}
	job.Remaining = 1740
	r = pl.Plan(&Problem{Now: 17 * 360 * unit.Second, Round: 360 * unit.Second, Cluster: c, Usable: usable,
		Jobs: []Job{job}}, Settings{})
	if got, want := steps(r.Copies[0]), []unit.Work{614, 512, 307, 205, 102}; !slices.Equal(got, want) {
		t.Errorf("last round %v, want %v", got, want)
	}
}

func TestWeights(t *testing.T) {
	w := Weights([]unit.Work{2040, 1700, 1020, 680, 340}, false)
	values := []float64{1.0, 1.2, 0.8, 1.4, 2.0}
	mean, plain := 0.0, 0.0
	for i, p := range Weights(make([]unit.Work, 5), true) {
		mean += w[i] * values[i]
		plain += p * values[i]
	}
	for i, want := range []float64{0.3529, 0.2941, 0.1765, 0.1176, 0.0588} {
		if math.Abs(w[i]-want) > 5e-5 {
			t.Errorf("weight %d is %v, want %v", i, w[i], want)
		}
	}
	if math.Abs(mean-1.129412) > 5e-7 || math.Abs(plain-1.28) > 1e-12 {
		t.Errorf("weighted %v, plain %v; want 1.129412, 1.28", mean, plain)
	}
}

func TestTwoJobsOnThreeNodes(t *testing.T) {
	c, usable := single(3)
	a := Job{GPUs: 1, Total: 6000, Remaining: 6000, Speed: table(6, 3, 1), Keep: 20 * unit.Second,
		Move: 20 * unit.Second}
	b := a
	b.ID, b.Speed = 1, table(4, 3, 2)
	var pl Planner
	r := pl.Plan(&Problem{Round: 360 * unit.Second, Cluster: c, Usable: usable, Jobs: []Job{a, b}}, Settings{})
	if got := r.Copies[0]; len(got) != 1 || got[0].Node != 0 || got[0].Steps != 2040 || got[0].Phase != 1 {
		t.Errorf("A: %+v, want node 1 with 2040 steps", got)
	}
	if got := r.Copies[1]; len(got) != 2 || got[0].Node != 1 || got[0].Steps != 1020 || got[1].Steps != 680 ||
		got[1].Phase != 2 {
		t.Errorf("B: %+v, want nodes 2 and 3 with 1020 and 680 steps", got)
	}
}

// TestLeftoverNodeIsValuedWithTheMove: 3,600 steps at one step a second and node. On two nodes a job ends at 1,800 s,
// so that each of five rounds is worth 0.4, against ten of 0.1 on one node; with a move of 120 s it ends at 1,920 s,
// and each is worth 0.375. The node goes to the younger job, which holds it; if moving is free, to the older.
func TestLeftoverNodeIsValuedWithTheMove(t *testing.T) {
	c, usable := single(3)
	for _, tt := range []struct {
		move  unit.Tick
		gains [2]float64
		gets  int
	}{{120 * unit.Second, [2]float64{0.275, 0.3}, 1}, {0, [2]float64{0.3, 0.3}, 0}} {
		job := Job{GPUs: 1, Total: 3600, Remaining: 3600, Speed: table(1, 1, 1), Move: tt.move}
		older, younger := job, job
		older.Held, younger.ID, younger.Held = []model.NodeID{0}, 1, []model.NodeID{1, 2}
		var pl Planner
		r := pl.Plan(&Problem{Round: 360 * unit.Second, Cluster: c, Usable: usable, Jobs: []Job{older, younger}},
			Settings{})
		pl.Weigh()
		for j, want := range tt.gains {
			if got := r.Gifts[0].Gains[j]; math.Abs(got-want) > 1e-12 {
				t.Errorf("a move of %v: the node adds %v to job %d, want %v", tt.move, got, j, want)
			}
		}
		if len(r.Copies[tt.gets]) != 2 || len(r.Copies[1-tt.gets]) != 1 {
			t.Errorf("a move of %v: copies %+v", tt.move, r.Copies)
		}
	}
}

// TestEqualSumsGoToTheFasterNode: a job that ends within its first round on either node is worth as much on both.
func TestEqualSumsGoToTheFasterNode(t *testing.T) {
	c, usable := single(2)
	job := Job{GPUs: 1, Total: 100, Remaining: 100, Speed: table(1, 2)}
	var pl Planner
	r := pl.Plan(&Problem{Round: 360 * unit.Second, Cluster: c, Usable: usable, Jobs: []Job{job}}, Settings{})
	if o := pl.Offers(0); o[0].Payoff != o[1].Payoff {
		t.Fatalf("payoffs %v and %v are not alike", o[0].Payoff, o[1].Payoff)
	}
	if got := r.Copies[0]; len(got) != 2 || got[0].Phase != 2 || got[1].Phase != 1 {
		t.Errorf("copies %+v, want phase 1 on the second node", got)
	}
}

// TestSumsOfBidsAreExact: bids are rounded by no more than half of 2^-50 of the power of 2 above the largest, and
// three of them, or differences of three, are added without rounding.
func TestSumsOfBidsAreExact(t *testing.T) {
	rng := unit.Stream(6, "bids")
	for range 5000 {
		most := math.Ldexp(1+rng.Float64(), rng.IntN(80)-40)
		if rng.IntN(10) == 0 {
			most = math.Ldexp(1, rng.IntN(80)-40)
		}
		_, e := math.Frexp(most)
		sum, exact := 0.0, new(big.Float).SetPrec(200)
		for range 3 {
			bid := most * (1 + 1e-9) * math.Pow(rng.Float64(), float64(rng.IntN(20)))
			x := even(bid, most)
			if math.Abs(x-bid) > math.Ldexp(1, e-51) {
				t.Fatalf("of at most %v, %v is rounded to %v", most, bid, x)
			}
			if rng.IntN(2) == 0 {
				x = -x
			}
			sum += x
			exact.Add(exact, big.NewFloat(x))
		}
		if exact.Cmp(big.NewFloat(sum)) != 0 {
			t.Fatalf("of at most %v: %v for %v", most, sum, exact)
		}
	}
}

// TestPhaseOneIsOptimal compares the assignment with all permutations.
func TestPhaseOneIsOptimal(t *testing.T) {
	rng := unit.Stream(5, "fork")
	for range 300 {
		rows, columns := 1+rng.IntN(5), 1+rng.IntN(5)
		value := make([]float64, rows*columns)
		for i := range value {
			value[i] = float64(rng.IntN(20))
		}
		var m matcher
		got, seen := 0.0, map[int32]bool{}
		for i, j := range m.solve(dense(value, rows, columns)) {
			if j < 0 {
				continue
			}
			if seen[j] {
				t.Fatal("a column twice")
			}
			seen[j] = true
			got += value[i*columns+int(j)]
		}
		if want := brute(value, rows, columns, 0, 0); got != want {
			t.Fatalf("%dx%d %v: %v, best is %v", rows, columns, value, got, want)
		}
	}
}

// dense makes every column a kind of its own.
func dense(value []float64, rows, columns int) worths {
	w := worths{rows: rows, columns: columns, kinds: columns, value: value, from: make([]int32, rows+1)}
	for j := range int32(columns) {
		w.kind = append(w.kind, j)
	}
	return w
}

func brute(value []float64, rows, columns, row, used int) float64 {
	if row == rows {
		return 0
	}
	best := brute(value, rows, columns, row+1, used)
	for j := range columns {
		if used>>j&1 == 0 {
			best = math.Max(best, value[row*columns+j]+brute(value, rows, columns, row+1, used|1<<j))
		}
	}
	return best
}

// TestSplitConservesSteps: parts add up, nobody does more than fits, and all end within a step of one
// another.
func TestSplitConservesSteps(t *testing.T) {
	rng := unit.Stream(6, "split")
	for range 2000 {
		copies := make([]Copy, 1+rng.IntN(6))
		for i := range copies {
			copies[i].Rate = unit.Rate(0.1 + 10*rng.Float64())
		}
		left := unit.Tick(1+rng.IntN(400)) * unit.Second
		remaining := unit.Work(rng.Float64() * 5000)
		Split(copies, remaining, left)
		sum, full := unit.Work(0), unit.Work(0)
		for _, c := range copies {
			if c.Steps < 0 || float64(c.Steps) > float64(c.Rate)*left.Seconds()+1+1e-9 {
				t.Fatalf("%v steps at %v/s in %v", c.Steps, c.Rate, left)
			}
			sum += c.Steps
			full += c.Rate.WholeSteps(left)
		}
		if want := min(remaining, full); full > 0 && math.Abs(float64(sum-want)) > 1e-6 {
			t.Fatalf("%v of %v steps handed out, %v fit", sum, remaining, full)
		}
	}
}

// TestSplitTies: of equal remainders the lower node's comes first, and the fraction of a step with the last.
func TestSplitTies(t *testing.T) {
	for _, c := range []struct {
		rates     []unit.Rate
		remaining unit.Work
		want      []unit.Work
	}{
		{[]unit.Rate{1, 1, 1}, 10, []unit.Work{4, 3, 3}},
		{[]unit.Rate{1, 1, 1}, 11, []unit.Work{4, 4, 3}},
		{[]unit.Rate{2, 1, 1}, 10, []unit.Work{5, 3, 2}}, // 5, 2.5 and 2.5
		{[]unit.Rate{1, 1, 1}, 10.5, []unit.Work{4, 3.5, 3}},
		{[]unit.Rate{1, 1, 2}, 9, []unit.Work{2, 2, 5}}, // 2.25, 2.25 and 4.5
	} {
		copies := make([]Copy, len(c.rates))
		for i, r := range c.rates {
			copies[i].Rate = r
		}
		if ends := Split(copies, c.remaining, 360*unit.Second); !ends || !slices.Equal(steps(copies), c.want) {
			t.Errorf("%v steps at %v: %v, want %v", c.remaining, c.rates, steps(copies), c.want)
		}
	}
}

func TestMultiGPUNodes(t *testing.T) {
	c := &model.Cluster{Types: []model.GPUType{{Name: "a"}, {Name: "b"}}, Nodes: []model.Node{{Name: "n"}},
		Slots: []model.Slot{{Node: 0, Type: 0, Cap: 2}, {Node: 0, Type: 1, Cap: 4}}}
	speed := model.NewThroughput("toy", 2, 4)
	for n := int32(1); n <= 4; n++ {
		speed.Set(0, n, unit.Rate(3*n), unit.Rate(3*n), unit.Rate(3*n))
		if n < 4 {
			speed.Set(1, n, unit.Rate(n), unit.Rate(n), unit.Rate(n))
		}
	}
	var pl Planner
	r := pl.Plan(&Problem{Round: 360 * unit.Second, Cluster: c, Usable: []int32{2, 4},
		Jobs: []Job{{GPUs: 1, Total: 9000, Remaining: 9000, Speed: &speed}}}, Settings{Whole: true})
	if k := r.Copies[0][0]; k.Slot != 0 || k.GPUs != 2 || k.Left != 4 || k.Rate != 6 {
		t.Errorf("%+v: the two fast GPUs run, four are left by the copy", k)
	}
}
