package train

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/study"
	"hadarlab/core/unit"
)

func close(a, b, by float64) bool { return math.Abs(a-b) <= by }

// TestStepByHand: one hidden unit that is on, x = (1, 2), y = 1. θ: weights 0.5, 0.25, bias 0; then 1 and bias −1.
// h = 1, z = 0, p = 1/2, loss ln 2; the slope by z is −1/2, so by w2 −1/2, by b2 −1/2, by b1 −1/2, by w1 −1/2 and −1.
func TestStepByHand(t *testing.T) {
	n, theta := newNet(1), []float64{0.5, 0.25, 0, 1, -1}
	p := &points{[][inputs]float64{{1, 2}}, []float64{1}}
	if loss := crossEntropy(n.output(theta, p.x[0]), 1); !close(loss, math.Ln2, 1e-15) {
		t.Errorf("loss %v, want ln 2", loss)
	}
	n.step(theta, p, []int{0}, 0.5)
	if want := []float64{0.75, 0.75, 0.25, 1.25, -0.75}; !slices.Equal(theta, want) {
		t.Errorf("%v after a step, want %v", theta, want)
	}
}

// TestSlope holds every slope against the difference of losses.
func TestSlope(t *testing.T) {
	p, n := spirals(3, "slope", 12, 0.1), newNet(5)
	theta, batch := n.draw(3), []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	n.slope(theta, p, batch)
	slopes := slices.Clone(n.grad)
	for i, was := range theta {
		const by = 1e-6
		var loss [2]float64
		for k, v := range []float64{was - by, was + by} {
			theta[i] = v
			for at, x := range p.x {
				loss[k] += crossEntropy(n.output(theta, x), p.y[at]) / 12
			}
		}
		theta[i] = was
		if want := (loss[1] - loss[0]) / (2 * by); !close(slopes[i], want, 1e-7) {
			t.Errorf("slope %d is %v, by differences %v", i, slopes[i], want)
		}
	}
}

// TestCircle holds the circle against the library's.
func TestCircle(t *testing.T) {
	for k := range 4001 {
		turns := float64(k) / 1000
		sin, cos := math.Sincos(2 * math.Pi * turns)
		if c, s := circle(turns); !close(c, cos, 4e-15) || !close(s, sin, 4e-15) {
			t.Errorf("%v turns: %v, %v, want %v, %v", turns, c, s, cos, sin)
		}
	}
	if c, s := circle(0.5); c != -1 || s != 0 {
		t.Errorf("half a turn: %v, %v", c, s)
	}
}

// TestCopiesOfEqualShares: one step of each of two copies, on half of a batch each, averages to one step of one model
// on the whole batch, which is a synchronous update; copies that did the same average to what each is.
func TestCopiesOfEqualShares(t *testing.T) {
	p, n := spirals(5, "shares", 8, 0), newNet(4)
	start := n.draw(5)
	after := func(batch []int, steps int) []float64 {
		theta := slices.Clone(start)
		for range steps {
			n.step(theta, p, batch, 0.2)
		}
		return theta
	}
	first, second := []int{0, 1, 2, 3}, []int{4, 5, 6, 7}
	got := make([]float64, len(start))
	average(got, [][]float64{after(first, 1), after(second, 1)}, []float64{0.5, 0.5})
	for i, want := range after(append(first, second...), 1) {
		if !close(got[i], want, 1e-15) {
			t.Errorf("parameter %d: %v of two copies, %v of one model", i, got[i], want)
		}
	}
	average(got, [][]float64{after(first, 9), after(first, 9)}, []float64{0.5, 0.5})
	if want := after(first, 9); !slices.Equal(got, want) {
		t.Errorf("copies that did the same give %v, one model %v", got, want)
	}
	average(got, [][]float64{{1: 8}, {1: 4}}, []float64{0.75, 0.25})
	if got[0] != 0 || got[1] != 7 {
		t.Errorf("three parts of 8 and one of 4 are %v, not 7", got[1])
	}
}

// TestShards: parts are apart, hold all, and are as large as the work; two of 8 to 6 of 8 of 4 points are 1 and 3.
func TestShards(t *testing.T) {
	list := []int{4, 7, 5, 6}
	if got := shards(list, []int{2, 6}); !slices.Equal(got[0], list[:1]) || !slices.Equal(got[1], list[1:]) {
		t.Errorf("%v", got)
	}
	if got := shards(list, []int{0, 16, 0}); len(got[0]) != 0 || !slices.Equal(got[1], list) || len(got[2]) != 0 {
		t.Errorf("%v", got)
	}
	// 28.2, 23.5, 14.1, 9.4 and 4.7
	if got := divide(80, []float64{6, 5, 3, 2, 1}); !slices.Equal(got, []int{28, 24, 14, 9, 5}) {
		t.Errorf("%v", got)
	}
}

// TestPlan is worked example 6.6: five nodes of 6, 5, 3, 2, 1 steps/s do 5780 steps in a round of 360 s.
func TestPlan(t *testing.T) {
	s := Defaults()
	s.Speeds, s.Rounds = []float64{6, 5, 3, 2, 1}, 3
	rounds, total := s.plan(false)
	if len(rounds) != 3 || total != 3*5780 || !slices.Equal(rounds[0].steps, []int{2040, 1700, 1020, 680, 340}) ||
		rounds[1].end != 720*unit.Second {
		t.Fatalf("%d steps in all, %+v", total, rounds)
	}
	for i, want := range []float64{0.3529, 0.2941, 0.1765, 0.1176, 0.0588} {
		if plain, _ := s.plan(true); !close(rounds[0].weights[i], want, 5e-5) || plain[0].weights[i] != 0.2 {
			t.Errorf("weight %d is %v and %v", i, rounds[0].weights[i], plain[0].weights[i])
		}
	}
	s = Defaults()
	rounds, total = s.plan(false)
	for _, r := range rounds {
		sum := 0.0
		for i, w := range r.weights {
			sum += w
			total -= r.steps[i]
		}
		if !close(sum, 1, 1e-12) {
			t.Errorf("weights add up to %v", sum)
		}
	}
	if total != 0 || len(rounds) != s.Rounds {
		t.Errorf("%d rounds leave %d steps", len(rounds), total)
	}
}

// TestNodesAreTheMixes: the default speeds are those of the ten mixes' nodes.
func TestNodesAreTheMixes(t *testing.T) {
	mix := study.Mixes(1)[0].Scenario
	for i, n := range mix.Cluster.Nodes {
		for typ := range n.GPUs {
			if got, want := Defaults().Speeds[i], mix.Throughputs.Rows[0].PerGPU[typ]; got != want {
				t.Errorf("node %d, %s: %v steps/s, the mixes' %v", i+1, typ, got, want)
			}
		}
	}
}

func small() Settings {
	s := Defaults()
	s.Seeds, s.Rounds, s.Speeds, s.RoundS, s.StallS, s.LearningRate = 3, 4, []float64{6, 3}, 100, 0, 0.3
	s.Points = 512
	return s
}

func all(t *testing.T, s Settings) *Experiment {
	t.Helper()
	e, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	for e.Spend() {
	}
	if done, of := e.Progress(); done != of || e.Seeds() != s.Seeds {
		t.Fatalf("%d of %d steps, %d seeds", done, of, e.Seeds())
	}
	return e
}

// TestTraining: every lane learns, and does the steps that it should when it should; the same seed does the same.
func TestTraining(t *testing.T) {
	e := all(t, small())
	r := e.Result()
	if len(r.Lanes) != 6 || len(r.Ends) != 8 || len(r.Differences) != 6 {
		t.Fatalf("%+v", r)
	}
	for _, l := range r.Lanes {
		last := len(l.TimeS) - 1
		if l.Accuracy[last] < l.Accuracy[0]+0.2 || l.Loss[last] >= l.Loss[0] || l.Steps[0] != 0 {
			t.Errorf("%s: accuracy %v, loss %v", l.Lane, l.Accuracy, l.Loss)
		}
		for i := 1; i <= last; i++ {
			if l.TimeS[i] <= l.TimeS[i-1] || l.Steps[i] <= l.Steps[i-1] {
				t.Errorf("%s: times %v, steps %v", l.Lane, l.TimeS, l.Steps)
			}
		}
	}
	if again := all(t, small()); !slices.Equal(again.Rows(), e.Rows()) {
		t.Error("the same seed trains other models")
	}
	other := small()
	other.Seed, other.Seeds = 2, 1
	if rows := all(t, other).Rows(); !slices.Equal(rows, e.Rows()[len(rows):2*len(rows)]) || rows[3] == e.Rows()[3] {
		t.Error("a seed's models are its own, whichever others are trained")
	}
}

// TestBudgets: with the same steps all lanes end with the copies' steps, with the same time at their end. By hand: two
// nodes of 6 and 3 steps/s, 4 rounds of 100 s without stalls, 3600 steps of the copies; one node does 2400 in 400 s
// and needs 600 s for all. A synchronous update is on 32 examples, 21 and 11 of them (21.33, 10.67), which take the
// first node 21/96 s and the second 11/48 = 0.229 s: 1745 updates in 400 s, and 412.5 s for 1800.
func TestBudgets(t *testing.T) {
	r := all(t, small()).Result()
	want := []End{{Lane: BySteps, Steps: 3600, TimeS: 400}, {Lane: Plain, Steps: 3600, TimeS: 400},
		{Lane: Synchronous, Steps: 3600, TimeS: 412.5}, {Lane: OneNode, Steps: 3600, TimeS: 600},
		{Lane: BySteps, Steps: 3600, TimeS: 400}, {Lane: Plain, Steps: 3600, TimeS: 400},
		{Lane: Synchronous, Steps: 3490, TimeS: 400}, {Lane: OneNode, Steps: 2400, TimeS: 400}}
	for i, e := range r.Ends {
		w := want[i]
		if w.Same = SameSteps; i >= 4 {
			w.Same = SameTime
		}
		if e.Lane != w.Lane || e.Steps != w.Steps || !close(e.TimeS, w.TimeS, 0.0011) || e.Same != w.Same {
			t.Errorf("%s, same %s: %d steps, %v s; want %+v", e.Lane, e.Same, e.Steps, e.TimeS, w)
		}
		if d := r.Less(e.Lane, e.Same); (d == nil) != (e.Lane == OneNode) {
			t.Errorf("%s less one node: %+v", e.Lane, d)
		}
	}
}

// TestExamples: with the same steps every lane goes through the same number of examples, though they are no multiple
// of those of a synchronous update.
func TestExamples(t *testing.T) {
	s := small()
	s.Speeds, s.Rounds, s.RoundS = []float64{6, 3, 2}, 1, 11 // 121 steps: 40 updates of three and one more
	for _, l := range s.lanes() {
		if l.same == SameTime {
			continue
		}
		r := newRun(&s, 1)
		for r.next = range l.stretches {
			r.stretch(&l)
		}
		if l.steps() != 121 || r.trained != 121*batch {
			t.Errorf("%s: %d steps on %d examples, want 121 on %d", l.name, l.steps(), r.trained, 121*batch)
		}
	}
}

// TestEdges: the least that Check lets through is trained, too: a point for the slowest node, a part of a synchronous
// update that is none, no synchronous update in the copies' time.
func TestEdges(t *testing.T) {
	for _, speeds := range [][]float64{{200, 1}, {50, 1, 1, 1, 1, 1, 1}, {1, 1, 1.4}, {3, 2, 2, 2, 2, 2, 2, 2, 2}} {
		s := small()
		s.Speeds, s.Seeds, s.Rounds, s.RoundS = speeds, 1, 2, 1
		s.Points = 1
		for s.Check() != nil {
			s.Points++
		}
		ends := all(t, s).Result().Ends
		for _, e := range ends {
			if e.Same == SameSteps && e.Steps != ends[0].Steps {
				t.Errorf("%v, %d points: %+v", speeds, s.Points, e)
			}
		}
	}
}

// TestRates: every lane's learning rate begins just below the highest, only falls along a copy, and ends alike.
func TestRates(t *testing.T) {
	s := small()
	for _, l := range s.lanes() {
		r, first := newRun(&s, 1), 0.0
		for r.next = range l.stretches {
			was := r.rate
			r.stretch(&l)
			if r.next == 1 {
				first = r.rate
			} else if r.next > 1 && r.rate >= was {
				t.Errorf("%s: %v after %v", l.name, r.rate, was)
			}
		}
		if first >= s.LearningRate || first < 0.5*s.LearningRate || r.rate != s.rate(1) {
			t.Errorf("%s, same %s: from %v to %v", l.name, l.same, first, r.rate)
		}
	}
	if !close(s.rate(0), 0.3, 1e-15) || !close(s.rate(1), 0.003, 1e-15) || !close(s.rate(0.5), 0.1515, 1e-15) {
		t.Errorf("%v, %v, %v", s.rate(0), s.rate(0.5), s.rate(1))
	}
}

// TestEqualWeights: on nodes of one speed both averages are the same.
func TestEqualWeights(t *testing.T) {
	s := small()
	s.Speeds, s.Seeds = []float64{4, 4, 4, 4}, 1
	r := all(t, s).Result()
	if a, b := r.Ends[0], r.Ends[1]; a.Lane != BySteps || b.Lane != Plain || a.Accuracy != b.Accuracy ||
		a.Loss != b.Loss {
		t.Errorf("%+v, %+v", a, b)
	}
}

// TestOneCopyIsOneModel: on a single node all lanes are the model that the node trains alone.
func TestOneCopyIsOneModel(t *testing.T) {
	for _, sharding := range Shardings {
		s := small()
		s.Speeds, s.Seeds, s.Sharding = []float64{5}, 1, sharding
		rows := all(t, s).Rows()
		for i, r := range rows {
			r.Lane, r.Same = rows[i%5].Lane, rows[i%5].Same
			if r != rows[i%5] {
				t.Errorf("%+v, %+v", rows[i], rows[i%5])
			}
		}
	}
}

// TestFigures: 1, 2 and 3 have the mean 2 and, with t = 4.3027 for two degrees of freedom, 2 ± 2.4841.
func TestFigures(t *testing.T) {
	if f := figure([]float64{1, 2, 3}); f.Mean != 2 || !close(f.Half, 2.4841, 1e-9) {
		t.Errorf("%+v", f)
	}
	if f := figure([]float64{0.5}); f != (Figure{0.5, 0}) {
		t.Errorf("%+v", f)
	}
}

// TestStops: what is done of a seed that is not complete does not count.
func TestStops(t *testing.T) {
	e, err := New(small())
	if err != nil || e.Result() != nil || len(e.Rows()) != 0 {
		t.Fatal(err)
	}
	for range e.perSeed() + 2 {
		e.Spend()
	}
	if r := e.Result(); r.Seeds != 1 || len(e.Rows()) != e.perSeed() || len(r.Ends[0].Accuracies) != 1 {
		t.Errorf("%+v", r)
	}
}

// TestFaults: what is out of range is named with its limit and the way out.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		set  func(*Settings)
		want string
	}{
		{func(s *Settings) { s.Seeds = 0 }, "seeds: 0 seeds are out of range (choose 1 to 100)"},
		{func(s *Settings) { s.Seeds = 101 }, "seeds: 101"},
		{func(s *Settings) { s.Rounds = 0 }, "rounds: 0"},
		{func(s *Settings) { s.Rounds = 1000 }, "over the limit of 20000000 (choose fewer rounds"},
		{func(s *Settings) { s.Speeds = nil }, "speeds: 0 nodes are out of range (choose 1 to 32 speeds)"},
		{func(s *Settings) { s.Speeds = []float64{6, -1} }, "speeds: node 2 has -1 steps/s (choose above 0, to 10000)"},
		{func(s *Settings) { s.Speeds = []float64{math.NaN()} }, "speeds: node 1 has NaN"},
		{func(s *Settings) { s.Speeds = []float64{math.Inf(1)} }, "speeds: node 1 has +Inf"},
		{func(s *Settings) { s.Speeds = []float64{6, 0.001} }, "node 2 at 0.001 steps/s does no step in a round"},
		{func(s *Settings) { s.RoundS = math.NaN() }, "round_s: NaN"},
		{func(s *Settings) { s.RoundS = 1e9 }, "round_s: 1e+09 s is out of range (choose 1 to 86400)"},
		{func(s *Settings) { s.StallS = 360 }, "stall_s: 360 s is out of range (choose 0 to less than the round's 360)"},
		{func(s *Settings) { s.LearningRate = 0 }, "learning_rate: 0 is out of range (choose above 0, to 10)"},
		{func(s *Settings) { s.Averaging = "median" }, `averaging: "median" is not known`},
		{func(s *Settings) { s.Sharding = "some" }, `sharding: "some" is not known (choose rounds or none)`},
		{func(s *Settings) { s.Points = 0 }, "points: 0 points are out of range (choose 1 to 100000)"},
		{func(s *Settings) { s.Points = 14 }, "points: 14 are too few for node 2 to get one of them (choose more"},
	} {
		s := Defaults()
		c.set(&s)
		_, err := New(s)
		if fault := (*Fault)(nil); !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
