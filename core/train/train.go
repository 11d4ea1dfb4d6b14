// Package train tries in miniature what HadarE's paper says of its models: that one which was trained in forked copies
// is as good as one trained on a single node, or better. The paper trained real networks; here a small perceptron
// learns synthetic data, and only the planner, the split of the steps and the merge are HadarE's (core/fork). What
// comes out says something of averaging copies, and nothing of the paper's models.
//
// Each round the planner splits the steps over the nodes by their speeds; each copy starts from the common parameters
// and does its steps of stochastic gradient descent on batches in an order of its own; then the parameters are averaged
// with the planner's weights. The same model trained on the fastest node alone stands beside it, at the same simulated
// time and after the same number of steps. Nodes, model, data and learning rate are our choice.
//
// It is pure, and the same seed gives the same table on one machine. Matrix products are gonum's, whose assembly sums
// in another order than its portable code, and training makes much of last bits: on another architecture a figure of
// one seed may differ in its second digit. Nothing is decided by it.
package train

import (
	"fmt"
	"strconv"

	"hadarlab/core/fork"
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// The model and its batches.
const (
	hidden = 32
	batch  = 16
)

// Lanes that are compared. OneNode stands beside every other.
const (
	BySteps = "copies, by steps" // HadarE: averaged with weights by the steps that each copy did
	Plain   = "copies, plain"    // averaged with equal weights
	OneNode = "one node"         // trained on the fastest node alone
)

// Settings are what an experiment depends on, besides the constants of its model and data.
type Settings struct {
	Seed   uint64 `json:"seed"`   // of the first model; the next have the next ones
	Seeds  int    `json:"seeds"`  // models trained in each lane
	Rounds int    `json:"rounds"` // rounds of the forked training, whose steps every lane does
	// Speeds are the steps/s of one copy, by node.
	Speeds       []float64 `json:"speeds"`
	RoundS       float64   `json:"round_s"`       // length of a round in s
	StallS       float64   `json:"stall_s"`       // time of a round that starting or merging the copies takes, in s
	LearningRate float64   `json:"learning_rate"` // of every step
	Averaging    string    `json:"averaging"`     // steps, plain or both
}

// Averagings are the values of Settings.Averaging.
var Averagings = []string{"both", "steps", "plain"}

// Defaults is the published experiment. The nodes are those of the ten mixes of core/study: a V100, a K80, two T4 and
// an A10G, at the speeds of a Transformer with batches of 128 (the V100's and the K80's are Gavel's measurements, the
// others by hardware figures); rounds and stalls are the mixes', too.
func Defaults() Settings {
	return Settings{Seed: 1, Seeds: 10, Rounds: 10, Speeds: []float64{5.446, 0.982, 1.9364, 1.9364, 3.6307},
		RoundS: 360, StallS: 20, LearningRate: 0.1, Averaging: "both"}
}

// Limits of Settings.
const (
	MostSeeds  = 100
	MostRounds = 1000
	MostNodes  = 32
	MostSpeed  = 1e4        // steps/s
	MostRoundS = 24 * 3600  // s
	MostRate   = 10         // learning rate
	MostSteps  = 20_000_000 // of a lane, over all seeds
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
	}
	left, all := unit.Seconds(s.RoundS)-unit.Seconds(s.StallS), 0.0
	for i, v := range s.Speeds {
		if !(v > 0 && v <= MostSpeed) {
			return &Fault{"speeds", fmt.Sprintf("node %d has %g steps/s", i+1, v),
				fmt.Sprintf("choose above 0, to %g", MostSpeed)}
		}
		steps := unit.Rate(v).WholeSteps(left)
		if steps < 1 {
			return &Fault{"speeds", fmt.Sprintf("node %d at %g steps/s does no step in a round", i+1, v),
				"choose a longer round, or leave the node out"}
		}
		all += float64(steps)
	}
	if all *= float64(s.Rounds) * float64(s.Seeds); all > MostSteps {
		return &Fault{"rounds", fmt.Sprintf("%d rounds for each of %d seeds are %.0f steps, over the limit of %d",
			s.Rounds, s.Seeds, all, MostSteps), "choose fewer rounds, fewer seeds or a shorter round"}
	}
	return nil
}

// share is one round of the plan.
type share struct {
	steps   []int     // by copy
	weights []float64 // of the merge, by copy; they add up to 1
	plain   []float64
	end     unit.Tick // when all copies have done their steps
}

// plan is what core/fork decides for one job on the nodes, round by round, and the steps in all.
func (s *Settings) plan() (rounds []share, total int) {
	job := fork.Job{Keep: unit.Seconds(s.StallS), Move: unit.Seconds(s.StallS)}
	prob := fork.Problem{Round: unit.Seconds(s.RoundS), Cluster: &model.Cluster{}}
	speed := model.NewThroughput("perceptron", len(s.Speeds), 1)
	for i, v := range s.Speeds {
		name := "n" + strconv.Itoa(i+1)
		c, rate := prob.Cluster, unit.Rate(v)
		c.Types, c.Nodes = append(c.Types, model.GPUType{Name: name}), append(c.Nodes, model.Node{Name: name})
		c.Slots = append(c.Slots, model.Slot{Node: model.NodeID(i), Type: model.TypeID(i), Cap: 1})
		prob.Usable = append(prob.Usable, 1)
		speed.Set(model.TypeID(i), 1, rate, rate, rate)
		total += s.Rounds * int(rate.WholeSteps(prob.Round-job.Keep))
	}
	job.Speed, job.Total, job.Remaining = &speed, unit.Work(total), unit.Work(total)
	var planner fork.Planner
	for job.Remaining > 0 {
		prob.Jobs = []fork.Job{job}
		r := planner.Plan(&prob, fork.Settings{})
		var next share
		var did []unit.Work
		job.Held = nil
		for _, c := range r.Copies[0] {
			job.Held, did = append(job.Held, c.Node), append(did, c.Steps)
			next.steps = append(next.steps, int(c.Steps))
			next.end = max(next.end, prob.Now+r.Stall[0]+c.Rate.Until(c.Steps))
			job.Remaining -= c.Steps
		}
		next.weights, next.plain = fork.Weights(did, false), fork.Weights(did, true)
		rounds = append(rounds, next)
		prob.Now += prob.Round
	}
	return rounds, total
}

// fastest is the node with the highest speed, the first of equals.
func (s *Settings) fastest() int {
	best := 0
	for i, v := range s.Speeds {
		if v > s.Speeds[best] {
			best = i
		}
	}
	return best
}

// Row is one model at one instant.
type Row struct {
	Seed     uint64
	Lane     string
	TimeS    float64
	Steps    int
	Accuracy float64 // part of the held-out points that it classifies rightly
	Loss     float64 // mean cross entropy over them, in nats
}

// Experiment is a comparison that is worked off in slices.
type Experiment struct {
	set    Settings
	rounds []share
	total  int
	names  []string
	times  [][]unit.Tick // by lane, when its models are measured; the first is 0
	seed   int           // how many seeds are done
	lane   int
	run    *run
	rows   []Row
	done   int
}

// New prepares an experiment; the error is a *Fault.
func New(s Settings) (*Experiment, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	e := &Experiment{set: s}
	e.rounds, e.total = s.plan()
	merges := []unit.Tick{0}
	for i := range e.rounds {
		merges = append(merges, e.rounds[i].end)
	}
	for _, l := range []struct{ name, averaging string }{{BySteps, "steps"}, {Plain, "plain"}} {
		if s.Averaging == "both" || s.Averaging == l.averaging {
			e.names, e.times = append(e.names, l.name), append(e.times, merges)
		}
	}
	// The single node is measured when the copies are, and goes on each round until it has done as many steps.
	alone := merges[:len(merges):len(merges)]
	round := unit.Seconds(s.RoundS)
	end := unit.Seconds(s.StallS) + unit.Rate(s.Speeds[s.fastest()]).Until(unit.Work(e.total))
	for t := (alone[len(alone)-1]/round + 1) * round; t < end; t += round {
		alone = append(alone, t)
	}
	if end > alone[len(alone)-1] {
		alone = append(alone, end)
	}
	e.names, e.times = append(e.names, OneNode), append(e.times, alone)
	return e, nil
}

// Progress tells how many of how many rounds have been worked off, over all lanes and seeds.
func (e *Experiment) Progress() (done, of int) {
	for _, t := range e.times {
		of += len(t)
	}
	return e.done, of * e.set.Seeds
}

// Seeds is for how many seeds every lane is complete.
func (e *Experiment) Seeds() int { return e.seed }

// Spend works off a round of one lane, and tells whether there is more to do.
func (e *Experiment) Spend() (more bool) {
	if e.seed == e.set.Seeds {
		return false
	}
	if e.run == nil {
		e.run = newRun(&e.set, e.set.Seed+uint64(e.seed))
	}
	name, at := e.names[e.lane], e.run.measured
	switch {
	case at == 0: // as it was drawn
	case name == OneNode:
		e.run.alone(&e.set, e.times[e.lane][at], e.total)
	default:
		r := &e.rounds[at-1]
		weights := r.weights
		if name == Plain {
			weights = r.plain
		}
		e.run.round(r.steps, weights, e.set.LearningRate)
	}
	row := e.run.measure()
	row.Lane, row.TimeS = name, e.times[e.lane][at].Seconds()
	e.rows = append(e.rows, row)
	e.done++
	if e.run.measured == len(e.times[e.lane]) {
		e.run = nil
		if e.lane++; e.lane == len(e.names) {
			e.lane = 0
			e.seed++
		}
	}
	return e.seed < e.set.Seeds
}

// run is the training of one model in one lane.
type run struct {
	seed     uint64
	common   []float64   // its parameters
	copies   [][]float64 // those of its copies
	streams  []*stream   // of the copies
	room     *room       // for a batch
	held     *stream     // of the points held out
	steps    int
	measured int
}

// newRun draws model and data of a seed, the same in every lane, as is the order in which a node takes its points.
func newRun(s *Settings, seed uint64) *run {
	r := &run{seed: seed, common: make([]float64, netSize(inputs, hidden)), room: newRoom(batch, inputs, hidden)}
	newNet(r.common, inputs, hidden).draw(seed)
	points := spirals(seed, "training data", trainPoints, flipped)
	r.held = newStream(spirals(seed, "held-out data", heldPoints, 0), nil)
	for i := range s.Speeds {
		r.copies = append(r.copies, make([]float64, len(r.common)))
		r.streams = append(r.streams, newStream(points, unit.Stream(seed, "order of node "+strconv.Itoa(i+1))))
	}
	return r
}

// round trains each copy from the common parameters for its steps and averages the copies.
func (r *run) round(steps []int, weights []float64, rate float64) {
	for i, n := range steps {
		copy(r.copies[i], r.common)
		r.descend(r.copies[i], i, n, rate)
	}
	average(r.common, r.copies, weights)
}

// alone trains on the fastest node until an instant, for total steps at most.
func (r *run) alone(s *Settings, until unit.Tick, total int) {
	node := s.fastest()
	steps := min(total, int(unit.Rate(s.Speeds[node]).WholeSteps(until-unit.Seconds(s.StallS))))
	r.descend(r.common, node, steps-r.steps, s.LearningRate)
}

// descend does steps of gradient descent on parameters, with a node's points.
func (r *run) descend(theta []float64, node, steps int, rate float64) {
	n := newNet(theta, inputs, hidden)
	for range steps {
		r.streams[node].batch(r.room)
		n.step(r.room, rate)
	}
	r.steps += steps
}

// measure tries the common parameters on the points held out, in batches so small that gonum multiplies them without
// goroutines.
func (r *run) measure() Row {
	n, all, row := newNet(r.common, inputs, hidden), 0, Row{Seed: r.seed, Steps: r.steps}
	for range heldPoints / batch {
		r.held.batch(r.room)
		n.forward(r.room)
		loss, right := r.room.judge()
		row.Loss += loss / (heldPoints / batch)
		all += right
	}
	row.Accuracy = float64(all) / heldPoints
	r.measured++
	return row
}
