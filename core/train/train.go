// Package train tries in miniature what HadarE's paper says of its models: that they infer better than Hadar's. The
// paper trained real networks; here a small perceptron learns synthetic data, and only the planner, the split of the
// steps and the merge are HadarE's (core/fork). What comes out says something of averaging copies, and nothing of the
// paper's models.
//
// Each round the planner splits the steps over the nodes by their speeds; each copy starts from the common parameters
// and does its steps of stochastic gradient descent; then the parameters are averaged, by steps or plainly. Beside them
// the same model is trained on the fastest node alone, and synchronously on all nodes, which average every gradient.
//
// The lanes are alike in all that is not the question. Each has the model and the points of its seed, and a learning
// rate that falls along a cosine over the steps which the lane itself has, to the same end: the last of many steps at a
// constant rate is a noisy model, and whatever averages would win by taking that noise away. One node and synchronous
// training are done twice, with the steps that the copies do and with the time that they take. The points are dealt
// anew to the nodes each round, to each as many as its part of the round's work, so that every point is used as often:
// a round's data divided among the copies is how the paper's split is rebuilt here, and a copy may be elsewhere in the
// next round. Nodes, model, data and learning rate are our choice.
//
// It is pure, and the same seed gives the same bytes on every machine: sums are plain loops.
package train

import (
	"fmt"
	"slices"
	"strconv"

	"hadarlab/core/unit"
)

// The model and its batches.
const (
	hidden = 32
	batch  = 16 // examples of a step
)

// Lanes that are compared. OneNode stands beside every other.
const (
	BySteps     = "copies, by steps" // HadarE: averaged with weights by the steps that each copy did
	Plain       = "copies, plain"    // averaged with equal weights
	Synchronous = "synchronous"      // one model, its gradients averaged over all nodes at each update
	OneNode     = "one node"         // one model on the fastest node
)

// What two lanes have had alike when they are compared.
const (
	SameSteps = "steps" // as many steps as the copies do, so the same number of examples
	SameTime  = "time"  // as much simulated time as the copies take
	sameBoth  = "both"
)

// EndRate is the learning rate of a lane's last step, as a part of the highest.
const EndRate = 0.01

// Settings are what an experiment depends on, besides the constants of its model and data.
type Settings struct {
	Seed   uint64 `json:"seed"`   // of the first model; the next have the next ones
	Seeds  int    `json:"seeds"`  // models trained in each lane
	Rounds int    `json:"rounds"` // rounds of the forked training
	// Speeds are the steps/s of one copy, by node.
	Speeds       []float64 `json:"speeds"`
	RoundS       float64   `json:"round_s"`       // length of a round in s
	StallS       float64   `json:"stall_s"`       // time of a start in s, and of a merge in each round of the copies
	LearningRate float64   `json:"learning_rate"` // highest of each lane; see EndRate
	Averaging    string    `json:"averaging"`     // lanes of copies: steps, plain or both
	Points       int       `json:"points"`        // to train on
	Sharding     string    `json:"sharding"`      // each round, or none: every node takes from all points
}

// Averagings are the values of Settings.Averaging.
var Averagings = []string{"both", "steps", "plain"}

// Shardings are the values of Settings.Sharding.
var Shardings = []string{"rounds", "none"}

// Defaults is the experiment that the manual shows. The nodes are those of the ten mixes of core/study: a V100, a K80,
// two T4 and an A10G, at the speeds of a Transformer with batches of 128 (the V100's and the K80's are Gavel's
// measurements, the others by hardware figures); rounds and stalls are the mixes', too.
func Defaults() Settings {
	return Settings{Seed: 1, Seeds: 20, Rounds: 10, Speeds: []float64{5.446, 0.982, 1.9364, 1.9364, 3.6307},
		RoundS: 360, StallS: 20, LearningRate: 1, Averaging: "both", Points: 8192, Sharding: "rounds"}
}

// rate is the learning rate of the step with which a lane has done the part p of all that it has to do.
func (s *Settings) rate(p float64) float64 {
	cos, _ := circle(p / 2)
	return s.LearningRate * (EndRate + float64((1-EndRate)*(1+cos)/2))
}

// Limits of Settings.
const (
	MostSeeds  = 100
	MostRounds = 1000
	MostNodes  = 32
	MostSpeed  = 1e4       // steps/s
	MostRoundS = 24 * 3600 // s
	MostRate   = 10        // learning rate
	MostPoints = 100_000
	MostSteps  = 20_000_000 // of the copies, over all seeds
)

// Fault is a setting that is out of range: its JSON name, what is wrong, and the way out.
type Fault struct{ Field, Wrong, Fix string }

func (f *Fault) Error() string { return f.Field + ": " + f.Wrong + " (" + f.Fix + ")" }

// Check returns the first fault of the settings as a *Fault, or nil.
func (s *Settings) Check() error {
	out := func(field string, v float64, of, fix string) error {
		return &Fault{field, strconv.FormatFloat(v, 'g', -1, 64) + " " + of + " out of range", "choose " + fix}
	}
	switch {
	case s.Seeds < 1 || s.Seeds > MostSeeds:
		return out("seeds", float64(s.Seeds), "seeds are", "1 to "+strconv.Itoa(MostSeeds))
	case s.Rounds < 1 || s.Rounds > MostRounds:
		return out("rounds", float64(s.Rounds), "rounds are", "1 to "+strconv.Itoa(MostRounds))
	case len(s.Speeds) < 1 || len(s.Speeds) > MostNodes:
		return out("speeds", float64(len(s.Speeds)), "nodes are", "1 to "+strconv.Itoa(MostNodes)+" speeds")
	case !(s.RoundS >= 1 && s.RoundS <= MostRoundS):
		return out("round_s", s.RoundS, "s is", "1 to "+strconv.Itoa(MostRoundS))
	case !(s.StallS >= 0 && s.StallS < s.RoundS):
		return out("stall_s", s.StallS, "s is",
			"0 to less than the round's "+strconv.FormatFloat(s.RoundS, 'g', -1, 64))
	case !(s.LearningRate > 0 && s.LearningRate <= MostRate):
		return out("learning_rate", s.LearningRate, "is", "above 0, to "+strconv.Itoa(MostRate))
	case s.Averaging != "both" && s.Averaging != "steps" && s.Averaging != "plain":
		return &Fault{"averaging", strconv.Quote(s.Averaging) + " is not known", "choose both, steps or plain"}
	case s.Points < 1 || s.Points > MostPoints:
		return out("points", float64(s.Points), "points are", "1 to "+strconv.Itoa(MostPoints))
	case s.Sharding != "rounds" && s.Sharding != "none":
		return &Fault{"sharding", strconv.Quote(s.Sharding) + " is not known", "choose rounds or none"}
	}
	for i, v := range s.Speeds {
		if !(v > 0 && v <= MostSpeed) {
			return &Fault{"speeds", fmt.Sprintf("node %d has %g steps/s", i+1, v),
				fmt.Sprintf("choose above 0, to %g", MostSpeed)}
		}
	}
	work, all := s.work(), 0.0
	for i, steps := range work {
		if steps < 1 {
			return &Fault{"speeds", fmt.Sprintf("node %d at %g steps/s does no step in a round", i+1, s.Speeds[i]),
				"choose a longer round, or leave the node out"}
		}
		all += float64(steps)
	}
	least := slices.Index(work, slices.Min(work))
	if s.Sharding != "none" && float64(work[least])*float64(s.Points) < all {
		return &Fault{"points", fmt.Sprintf("%d are too few for node %d to get one of them", s.Points, least+1),
			"choose more points, or sharding none"}
	}
	if all *= float64(s.Rounds) * float64(s.Seeds); all > MostSteps {
		return &Fault{"rounds", fmt.Sprintf("%d rounds for each of %d seeds are %.0f steps, over the limit of %d",
			s.Rounds, s.Seeds, all, MostSteps), "choose fewer rounds, fewer seeds or a shorter round"}
	}
	return nil
}

// Row is one model at one instant.
type Row struct {
	Seed     uint64
	Lane     string
	Same     string // the budget: steps, time, or both of the copies
	TimeS    float64
	Steps    int
	Accuracy float64 // part of the held-out points that it classifies rightly
	Loss     float64 // mean cross entropy over them, in nats
}

// Experiment is a comparison that is worked off in slices.
type Experiment struct {
	set   Settings
	lanes []lane
	seed  int // how many seeds are done
	lane  int
	run   *run
	rows  []Row
	done  int
}

// New prepares an experiment; the error is a *Fault.
func New(s Settings) (*Experiment, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return &Experiment{set: s, lanes: s.lanes()}, nil
}

// Progress tells how many of how many steps have been worked off, over all lanes and seeds.
func (e *Experiment) Progress() (done, of int) {
	for i := range e.lanes {
		of += e.lanes[i].steps()
	}
	return e.done, of * e.set.Seeds
}

// Seeds is for how many seeds every lane is complete.
func (e *Experiment) Seeds() int { return e.seed }

// Spend works off a stretch of one lane, and tells whether there is more to do.
func (e *Experiment) Spend() (more bool) {
	if e.seed == e.set.Seeds {
		return false
	}
	if e.run == nil {
		e.run = newRun(&e.set, e.set.Seed+uint64(e.seed))
	}
	l := &e.lanes[e.lane]
	e.run.stretch(l)
	row := e.run.measure()
	st := &l.stretches[e.run.next]
	row.Lane, row.Same, row.TimeS = l.name, l.same, st.end.Seconds()
	e.rows = append(e.rows, row)
	if e.run.next > 0 {
		e.done += st.steps - l.stretches[e.run.next-1].steps
	}
	if e.run.next++; e.run.next == len(l.stretches) {
		e.run = nil
		if e.lane++; e.lane == len(e.lanes) {
			e.lane = 0
			e.seed++
		}
	}
	return e.seed < e.set.Seeds
}

// run is the training of one model in one lane.
type run struct {
	set     *Settings
	seed    uint64
	net     *net
	common  []float64   // its parameters
	copies  [][]float64 // those of its copies
	points  *points
	dealer  stream   // deals the points
	streams []stream // those of each node
	held    *points
	batch   []int   // of a step
	trained int     // examples so far, on all nodes together
	rate    float64 // of the last step
	next    int     // the stretch that comes
}

// newRun draws model and data of a seed, the same in every lane, as are the order in which points are dealt and that in
// which a node takes its own.
func newRun(s *Settings, seed uint64) *run {
	r := &run{set: s, seed: seed, net: newNet(hidden)}
	r.common = r.net.draw(seed)
	r.points = spirals(seed, "training data", s.Points, flipped)
	r.held = spirals(seed, "held-out data", heldPoints, 0)
	all := make([]int, s.Points)
	for i := range all {
		all[i] = i
	}
	r.dealer.random = unit.Stream(seed, "shards")
	r.dealer.deal(all)
	r.streams = make([]stream, len(s.Speeds))
	for i := range r.streams {
		r.copies = append(r.copies, make([]float64, len(r.common)))
		r.streams[i].random = unit.Stream(seed, "order of node "+strconv.Itoa(i+1))
		r.streams[i].deal(all)
	}
	return r
}

// stretch trains what a lane does next.
func (r *run) stretch(l *lane) {
	if r.next == 0 {
		return // as it was drawn
	}
	was, st := &l.stretches[r.next-1], &l.stretches[r.next]
	r.deal(l.work)
	from, to := 0.0, 0.0
	if planned := float64(l.planned()); planned > 0 {
		from, to = float64(was.count())/planned, float64(st.count())/planned
	}
	if st.round == nil {
		n := st.updates - was.updates
		for k := 1; k <= n; k++ {
			parts := l.parts
			if was.updates+k == l.planned() {
				parts = l.last
			}
			r.step(r.common, parts, from, to, k, n)
		}
		return
	}
	own := make([]int, len(r.copies))
	for i, n := range st.round.steps {
		copy(r.copies[i], r.common)
		own[i] = batch
		for k := 1; k <= n; k++ {
			r.step(r.copies[i], own, from, to, k, n)
		}
		own[i] = 0
	}
	average(r.common, r.copies, st.round.weights)
}

// deal gives each node points in proportion to its work, drawn anew.
func (r *run) deal(work []int) {
	if r.set.Sharding == "none" {
		return
	}
	for i, part := range shards(r.dealer.take(nil, r.set.Points), work) {
		r.streams[i].deal(part)
	}
}

// step is step k of n, which together lead a lane from one part of all that it does to another, on so many examples of
// each node.
func (r *run) step(theta []float64, examples []int, from, to float64, k, n int) {
	r.batch = r.batch[:0]
	for i, m := range examples {
		r.batch = r.streams[i].take(r.batch, m)
	}
	r.trained += len(r.batch)
	r.rate = r.set.rate((float64(from*float64(n-k)) + float64(to*float64(k))) / float64(n))
	r.net.step(theta, r.points, r.batch, r.rate)
}

// measure tries the common parameters on the points held out.
func (r *run) measure() Row {
	row, right := Row{Seed: r.seed, Steps: r.trained / batch}, 0
	for i, x := range r.held.x {
		z := r.net.output(r.common, x)
		row.Loss += crossEntropy(z, r.held.y[i]) / heldPoints
		if (z > 0) == (r.held.y[i] > 0) {
			right++
		}
	}
	row.Accuracy = float64(right) / heldPoints
	return row
}
