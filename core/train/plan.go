package train

import (
	"math"
	"slices"
	"strconv"

	"hadarlab/core/fork"
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// lane is one way to train a model, with all that it does.
type lane struct {
	name string
	same string // which budget it uses up: SameSteps, SameTime, or sameBoth as the copies, which set both
	work []int  // by node, in proportion to which points are dealt
	// parts are the examples of an update, by node, and last those of the last update, where one model is trained.
	parts, last []int
	stretches   []stretch // the first is the model as it was drawn
}

// stretch is what a lane does between two measurements of its model.
type stretch struct {
	end     unit.Tick
	steps   int    // done by its end, on all nodes together
	updates int    // done by its end, where one model is trained
	round   *share // what copies do
}

// share is one round of the copies.
type share struct {
	steps   []int     // by copy
	weights []float64 // of the merge, by copy; they add up to 1
	end     unit.Tick // when all copies have done their steps
}

// planned is what all stretches come to, in updates or, of copies, in steps.
func (l *lane) planned() int { return l.stretches[len(l.stretches)-1].count() }

// steps are all that a lane does, on all nodes together.
func (l *lane) steps() int { return l.stretches[len(l.stretches)-1].steps }

// count is how far a lane has come by the stretch's end.
func (s *stretch) count() int {
	if s.round != nil {
		return s.steps
	}
	return s.updates
}

// plan is what core/fork decides for one job on the nodes, round by round, and the steps in all.
func (s *Settings) plan(plain bool) (rounds []share, total int) {
	job := fork.Job{GPUs: 1, Keep: unit.Seconds(s.StallS), Move: unit.Seconds(s.StallS)}
	prob := fork.Problem{Round: unit.Seconds(s.RoundS), Cluster: &model.Cluster{}}
	speed := model.NewThroughput("perceptron", len(s.Speeds), 1)
	for i, v := range s.Speeds {
		name := "n" + strconv.Itoa(i+1)
		c, rate := prob.Cluster, unit.Rate(v)
		c.Types, c.Nodes = append(c.Types, model.GPUType{Name: name}), append(c.Nodes, model.Node{Name: name})
		c.Slots = append(c.Slots, model.Slot{Node: model.NodeID(i), Type: model.TypeID(i), Cap: 1})
		prob.Usable = append(prob.Usable, 1)
		speed.Set(model.TypeID(i), 1, rate, rate, rate)
	}
	for _, steps := range s.work() {
		total += s.Rounds * steps
	}
	job.Speed, job.Total, job.Remaining = &speed, unit.Work(total), unit.Work(total)
	var planner fork.Planner
	for range s.Rounds {
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
		next.weights = fork.Weights(did, plain)
		rounds = append(rounds, next)
		prob.Now += prob.Round
	}
	return rounds, total
}

// lanes are all ways of training with all that they do. The copies come first: their steps and their time are the
// budgets of the others.
func (s *Settings) lanes() (list []lane) {
	for _, plain := range []bool{false, true} {
		l := lane{name: BySteps, same: sameBoth, work: s.work(), stretches: []stretch{{}}}
		if plain {
			l.name = Plain
		}
		rounds, _ := s.plan(plain)
		steps := 0
		for i := range rounds {
			for _, n := range rounds[i].steps {
				steps += n
			}
			l.stretches = append(l.stretches, stretch{end: rounds[i].end, steps: steps, round: &rounds[i]})
		}
		if s.Averaging == "both" || plain == (s.Averaging == "plain") {
			list = append(list, l)
		}
	}
	copies := list[0].stretches
	alone := make([]float64, len(s.Speeds))
	alone[s.fastest()] = 1
	for _, same := range []string{SameSteps, SameTime} {
		list = append(list, s.together(Synchronous, same, s.Speeds, len(s.Speeds)*batch, copies),
			s.together(OneNode, same, alone, batch, copies))
	}
	return list
}

// together is a lane that trains one model: each update is on examples of all nodes that have a weight, divided by the
// weights, and takes as long as the slowest of them needs for its part; what nodes tell each other takes no time. It is
// measured when the copies are merged, then each round until its end.
func (s *Settings) together(name, same string, weights []float64, examples int, copies []stretch) lane {
	l := lane{name: name, same: same, work: s.work(), parts: divide(examples, weights)}
	l.last = l.parts
	pace := unit.Rate(math.Inf(1)) // updates/s
	for i, n := range l.parts {
		if weights[i] == 0 {
			l.work[i] = 0
		}
		if n > 0 {
			pace = min(pace, unit.Rate(s.Speeds[i]*batch/float64(n)))
		}
	}
	stall, round := unit.Seconds(s.StallS), unit.Seconds(s.RoundS)
	budget, each := copies[len(copies)-1], examples/batch
	end, updates := budget.end, int(pace.WholeSteps(budget.end-stall))
	total := updates * each
	if same == SameSteps {
		total = budget.steps
		updates = (total + each - 1) / each
		end = stall + pace.Until(unit.Work(updates))
		if rest := total % each; rest > 0 {
			l.last = divide(rest*batch, weights)
		}
	}
	var times []unit.Tick
	for _, c := range copies {
		if c.end < end {
			times = append(times, c.end)
		}
	}
	for t := (budget.end/round + 1) * round; t < end; t += round {
		times = append(times, t)
	}
	for _, t := range append(times, end) {
		st := stretch{end: t, steps: total, updates: updates}
		if t < end {
			st.updates = min(updates, int(pace.WholeSteps(max(0, t-stall))))
			st.steps = min(total, st.updates*each)
		}
		l.stretches = append(l.stretches, st)
	}
	return l
}

// divide splits n by weights, the rest of whole numbers to the largest fractions, the first of equals.
func divide(n int, weights []float64) []int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	parts, rests, left := make([]int, len(weights)), make([]float64, len(weights)), n
	for i, w := range weights {
		v := float64(float64(n) * (w / sum))
		parts[i] = int(v)
		rests[i] = v - float64(parts[i])
		left -= parts[i]
	}
	for ; left > 0; left-- {
		i := slices.Index(rests, slices.Max(rests))
		parts[i]++
		rests[i] = -1
	}
	return parts
}

// work is the steps of a full round, by node.
func (s *Settings) work() (steps []int) {
	for _, v := range s.Speeds {
		steps = append(steps, int(unit.Rate(v).WholeSteps(unit.Seconds(s.RoundS)-unit.Seconds(s.StallS))))
	}
	return steps
}

// fastest is the node with the highest speed, the first of equals.
func (s *Settings) fastest() int { return slices.Index(s.Speeds, slices.Max(s.Speeds)) }
