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
	n := newNet([]float64{0.5, 0.25, 0, 1, -1}, 2, 1)
	r := newRoom(1, 2, 1)
	copy(r.x.RawMatrix().Data, []float64{1, 2})
	r.y.Set(0, 0, 1)
	n.forward(r)
	if loss, _ := r.judge(); !close(loss, math.Ln2, 1e-15) {
		t.Errorf("loss %v, want ln 2", loss)
	}
	n.step(r, 0.5)
	if want := []float64{0.75, 0.75, 0.25, 1.25, -0.75}; !slices.Equal(n.theta, want) {
		t.Errorf("%v after a step, want %v", n.theta, want)
	}
}

// TestSlope holds every slope against the difference of losses.
func TestSlope(t *testing.T) {
	points := spirals(3, "slope", 12, 0.1)
	theta := make([]float64, netSize(inputs, 5))
	n, r := newNet(theta, inputs, 5), newRoom(12, inputs, 5)
	n.draw(3)
	newStream(points, nil).batch(r)
	n.forward(r)
	n.slope(r)
	for i, was := range theta {
		const by = 1e-6
		var loss [2]float64
		for k, v := range []float64{was - by, was + by} {
			theta[i] = v
			n.forward(r)
			loss[k], _ = r.judge()
		}
		theta[i] = was
		if got, want := r.grad.theta[i], (loss[1]-loss[0])/(2*by); !close(got, want, 1e-7) {
			t.Errorf("slope %d is %v, by differences %v", i, got, want)
		}
	}
}

// TestCopiesOfEqualShares: one step of each of two copies, on half of a batch each, averages to one step of one model
// on the whole batch; more steps on the same points, to that model itself.
func TestCopiesOfEqualShares(t *testing.T) {
	whole := spirals(5, "shares", 8, 0)
	half := func(from int) *stream {
		return newStream(&points{whole.x[from*inputs : (from+4)*inputs], whole.y[from : from+4]}, nil)
	}
	theta := make([]float64, netSize(inputs, 4))
	newNet(theta, inputs, 4).draw(5)
	run := func(s *stream, size, steps int) []float64 {
		mine := slices.Clone(theta)
		n, r := newNet(mine, inputs, 4), newRoom(size, inputs, 4)
		for range steps {
			s.batch(r)
			n.step(r, 0.2)
		}
		return mine
	}
	got := make([]float64, len(theta))
	average(got, [][]float64{run(half(0), 4, 1), run(half(4), 4, 1)}, []float64{0.5, 0.5})
	for i, want := range run(newStream(whole, nil), 8, 1) {
		if !close(got[i], want, 1e-15) {
			t.Errorf("parameter %d: %v of two copies, %v of one model", i, got[i], want)
		}
	}
	average(got, [][]float64{run(half(0), 4, 9), run(half(0), 4, 9)}, []float64{0.5, 0.5})
	if want := run(half(0), 4, 9); !slices.Equal(got, want) {
		t.Errorf("copies that did the same give %v, one model %v", got, want)
	}
	average(got, [][]float64{{1: 8}, {1: 4}}, []float64{0.75, 0.25})
	if got[0] != 0 || got[1] != 7 {
		t.Errorf("three parts of 8 and one of 4 are %v, not 7", got[1])
	}
}

// TestPlan is worked example 6.6: five nodes of 6, 5, 3, 2, 1 steps/s do 5780 steps in a round of 360 s.
func TestPlan(t *testing.T) {
	s := Defaults()
	s.Speeds, s.Rounds = []float64{6, 5, 3, 2, 1}, 3
	rounds, total := s.plan()
	if len(rounds) != 3 || total != 3*5780 || !slices.Equal(rounds[0].steps, []int{2040, 1700, 1020, 680, 340}) ||
		rounds[1].end != 720*unit.Second {
		t.Fatalf("%d steps in all, %+v", total, rounds)
	}
	for i, want := range []float64{0.3529, 0.2941, 0.1765, 0.1176, 0.0588} {
		if !close(rounds[0].weights[i], want, 5e-5) || rounds[0].plain[i] != 0.2 {
			t.Errorf("weight %d is %v and %v", i, rounds[0].weights[i], rounds[0].plain[i])
		}
	}
	s = Defaults()
	rounds, total = s.plan()
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
		t.Fatalf("%d of %d rounds, %d seeds", done, of, e.Seeds())
	}
	return e
}

// TestTraining: every lane learns, does the steps that it should when it should, and the same seed does the same.
func TestTraining(t *testing.T) {
	e := all(t, small())
	r := e.Result()
	if len(r.Lanes) != 3 || len(r.Ends) != 4 || len(r.Differences) != 4 {
		t.Fatalf("%+v", r)
	}
	for _, l := range r.Lanes {
		last := len(l.TimeS) - 1
		if l.Accuracy[last] < l.Accuracy[0]+0.2 || l.Loss[last] >= l.Loss[0] || l.Steps[last] != 3600 {
			t.Errorf("%s: accuracy %v, loss %v, %d steps", l.Lane, l.Accuracy, l.Loss, l.Steps[last])
		}
		for i := 1; i <= last; i++ {
			if l.TimeS[i] <= l.TimeS[i-1] || l.Steps[i] <= l.Steps[i-1] {
				t.Errorf("%s: times %v, steps %v", l.Lane, l.TimeS, l.Steps)
			}
		}
	}
	if one := r.Ends[3]; one.TimeS != 400 || one.Steps != 2400 || r.Ends[2].TimeS != 600 || r.Ends[0].TimeS != 400 {
		t.Errorf("ends %+v", r.Ends)
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

// TestOneCopyIsOneModel: forked onto a single node, both averages are the model that the node trains alone.
func TestOneCopyIsOneModel(t *testing.T) {
	s := small()
	s.Speeds, s.Seeds = []float64{5}, 1
	rows := all(t, s).Rows()
	for i := range 5 {
		a, b, c := rows[i], rows[i+5], rows[i+10]
		b.Lane, c.Lane = a.Lane, a.Lane
		if a != b || a != c {
			t.Errorf("%+v, %+v, %+v", a, b, c)
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
	} {
		s := Defaults()
		c.set(&s)
		_, err := New(s)
		if fault := (*Fault)(nil); !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
