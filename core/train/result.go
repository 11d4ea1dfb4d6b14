package train

import (
	"math"

	"hadarlab/core/metric"
)

// Figure is the mean of a figure over seeds with half its 95 % interval by Student's t, 0 of a single seed; both have
// four decimals.
type Figure struct {
	Mean float64 `json:"mean"`
	Half float64 `json:"half"`
}

// Lane is how the models of a lane came on: columns with a row an instant. Before its end a lane's learning rate is
// still high, so that only ends tell lanes apart.
type Lane struct {
	Lane         string    `json:"lane"`
	Same         string    `json:"same"` // the budget: steps, time, or both of the copies
	TimeS        []float64 `json:"time_s"`
	Steps        []int     `json:"steps"`
	Accuracy     []float64 `json:"accuracy"`
	AccuracyHalf []float64 `json:"accuracy_half"`
	Loss         []float64 `json:"loss"`
	LossHalf     []float64 `json:"loss_half"`
}

// End is the models of a lane after their last step, and seed by seed.
type End struct {
	Lane       string    `json:"lane"`
	Same       string    `json:"same"` // what all lanes of this comparison have had alike: steps or time
	TimeS      float64   `json:"time_s"`
	Steps      int       `json:"steps"`
	Accuracy   Figure    `json:"accuracy"`
	Loss       Figure    `json:"loss"`
	Accuracies []float64 `json:"accuracies"` // by seed
	Losses     []float64 `json:"losses"`
}

// Difference is a lane's models less those of one node, seed by seed, since both begin from the same parameters and
// data.
type Difference struct {
	Lane     string `json:"lane"`
	Same     string `json:"same"` // what both have had alike: steps or time
	Accuracy Figure `json:"accuracy"`
	Loss     Figure `json:"loss"`
	Better   int    `json:"better"` // seeds whose accuracy is higher
	Lower    int    `json:"lower"`  // seeds whose loss is lower
}

// Result is an experiment's outcome over the seeds that are done.
type Result struct {
	Data string `json:"data"`
	Settings
	EndRate     float64      `json:"end_rate"` // learning rate of every lane's last step
	Weights     []float64    `json:"weights"`  // of a full round's merge by steps, by node
	Lanes       []Lane       `json:"lanes"`
	Ends        []End        `json:"ends"` // all lanes with the same steps, then all with the same time
	Differences []Difference `json:"differences"`
}

// Less is a lane's difference from one node with the same steps or time; nil for one node itself.
func (r *Result) Less(lane, same string) *Difference {
	for i := range r.Differences {
		if d := &r.Differences[i]; d.Lane == lane && d.Same == same {
			return d
		}
	}
	return nil
}

// Rows are the models at every instant that was measured, of the seeds that are done.
func (e *Experiment) Rows() []Row { return e.rows[:e.seed*e.perSeed()] }

// perSeed is how many instants are measured of one seed.
func (e *Experiment) perSeed() int {
	n := 0
	for i := range e.lanes {
		n += len(e.lanes[i].stretches)
	}
	return n
}

// at are the models of a lane at its i-th instant, a row a seed.
func (e *Experiment) at(lane, i int) (rows []Row) {
	for _, l := range e.lanes[:lane] {
		i += len(l.stretches)
	}
	for all := e.Rows(); i < len(all); i += e.perSeed() {
		rows = append(rows, all[i])
	}
	return rows
}

// Result sums up the seeds that are done; it is nil while none is.
func (e *Experiment) Result() *Result {
	if e.seed == 0 {
		return nil
	}
	r := &Result{Data: Data, Settings: e.set, EndRate: e.set.rate(1), Differences: []Difference{}}
	r.Settings.Seeds = e.seed
	rounds, _ := e.set.plan(false)
	for _, w := range rounds[0].weights {
		r.Weights = append(r.Weights, round4(w))
	}
	for i := range e.lanes {
		r.Lanes = append(r.Lanes, e.course(i))
	}
	for _, same := range []string{SameSteps, SameTime} {
		var ends [][]Row
		for i, l := range e.lanes {
			if l.same == same || l.same == sameBoth {
				ends = append(ends, e.at(i, len(l.stretches)-1))
			}
		}
		one := ends[len(ends)-1]
		for i, rows := range ends {
			r.Ends = append(r.Ends, end(same, rows))
			if i < len(ends)-1 {
				r.Differences = append(r.Differences, difference(same, rows, one))
			}
		}
	}
	return r
}

// course is how the models of a lane came on.
func (e *Experiment) course(i int) Lane {
	l := &e.lanes[i]
	lane := Lane{Lane: l.name, Same: l.same}
	for k := range l.stretches {
		rows := e.at(i, k)
		accuracy, loss := figure(column(rows, accuracyOf)), figure(column(rows, lossOf))
		lane.TimeS, lane.Steps = append(lane.TimeS, rows[0].TimeS), append(lane.Steps, rows[0].Steps)
		lane.Accuracy = append(lane.Accuracy, accuracy.Mean)
		lane.AccuracyHalf = append(lane.AccuracyHalf, accuracy.Half)
		lane.Loss, lane.LossHalf = append(lane.Loss, loss.Mean), append(lane.LossHalf, loss.Half)
	}
	return lane
}

func accuracyOf(r *Row) float64 { return r.Accuracy }
func lossOf(r *Row) float64     { return r.Loss }

func column(rows []Row, of func(*Row) float64) (out []float64) {
	for i := range rows {
		out = append(out, of(&rows[i]))
	}
	return out
}

func end(same string, rows []Row) End {
	x := End{Lane: rows[0].Lane, Same: same, TimeS: rows[0].TimeS, Steps: rows[0].Steps,
		Accuracies: column(rows, accuracyOf), Losses: column(rows, lossOf)}
	x.Accuracy, x.Loss = figure(x.Accuracies), figure(x.Losses)
	for i := range rows {
		x.Accuracies[i], x.Losses[i] = round4(x.Accuracies[i]), round4(x.Losses[i])
	}
	return x
}

func difference(same string, rows, one []Row) Difference {
	d := Difference{Lane: rows[0].Lane, Same: same}
	accuracy, loss := column(rows, accuracyOf), column(rows, lossOf)
	for i := range one {
		accuracy[i] -= one[i].Accuracy
		loss[i] -= one[i].Loss
		if accuracy[i] > 0 {
			d.Better++
		}
		if loss[i] < 0 {
			d.Lower++
		}
	}
	d.Accuracy, d.Loss = figure(accuracy), figure(loss)
	return d
}

// figure is the mean of values and half its 95 % interval.
func figure(values []float64) Figure {
	e := metric.Estimate("", values)
	half, _ := e.Half()
	return Figure{Mean: round4(e.Mean), Half: round4(half)}
}

func round4(v float64) float64 { return math.Round(v*1e4) / 1e4 }
