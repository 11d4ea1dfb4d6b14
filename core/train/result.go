package train

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Figure is the mean of a figure over seeds with half its 95 % interval by Student's t, 0 of a single seed; both have
// four decimals.
type Figure struct {
	Mean float64 `json:"mean"`
	Half float64 `json:"half"`
}

// Lane is how the models of a lane came on: columns with a row an instant.
type Lane struct {
	Lane         string    `json:"lane"`
	TimeS        []float64 `json:"time_s"`
	Steps        []int     `json:"steps"`
	Accuracy     []float64 `json:"accuracy"`
	AccuracyHalf []float64 `json:"accuracy_half"`
	Loss         []float64 `json:"loss"`
	LossHalf     []float64 `json:"loss_half"`
}

// End is the models of a lane at an instant that counts, and seed by seed.
type End struct {
	Lane       string    `json:"lane"`
	TimeS      float64   `json:"time_s"`
	Steps      int       `json:"steps"`
	Accuracy   Figure    `json:"accuracy"`
	Loss       Figure    `json:"loss"`
	Accuracies []float64 `json:"accuracies"` // by seed
	Losses     []float64 `json:"losses"`
}

// Difference is the copies' models less those of one node, seed by seed, since both begin from the same parameters
// and data.
type Difference struct {
	Lane string `json:"lane"`
	// Same is what both have had alike: "time", when the copies are done, or "steps", when one node has done as many.
	Same     string `json:"same"`
	Accuracy Figure `json:"accuracy"`
	Loss     Figure `json:"loss"`
	Better   int    `json:"better"` // seeds whose accuracy is higher
}

// Result is an experiment's outcome over the seeds that are done.
type Result struct {
	Data string `json:"data"`
	Settings
	Weights     []float64    `json:"weights"` // of a full round's merge by steps, by node
	Lanes       []Lane       `json:"lanes"`
	Ends        []End        `json:"ends"` // each lane at its last step, then one node when the copies are done
	Differences []Difference `json:"differences"`
}

// Rows are the models at every instant that was measured, of the seeds that are done.
func (e *Experiment) Rows() []Row { return e.rows[:e.seed*e.perSeed()] }

// perSeed is how many instants are measured of one seed.
func (e *Experiment) perSeed() int {
	n := 0
	for _, t := range e.times {
		n += len(t)
	}
	return n
}

// at are the models of a lane at its i-th instant, a row a seed.
func (e *Experiment) at(lane, i int) (rows []Row) {
	for _, t := range e.times[:lane] {
		i += len(t)
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
	r := &Result{Data: Data, Settings: e.set, Differences: []Difference{}}
	r.Settings.Seeds = e.seed
	for _, w := range e.rounds[0].weights {
		r.Weights = append(r.Weights, round4(w))
	}
	for l, name := range e.names {
		lane := Lane{Lane: name}
		for i := range e.times[l] {
			rows := e.at(l, i)
			accuracy, loss := figure(column(rows, accuracyOf)), figure(column(rows, lossOf))
			lane.TimeS, lane.Steps = append(lane.TimeS, rows[0].TimeS), append(lane.Steps, rows[0].Steps)
			lane.Accuracy = append(lane.Accuracy, accuracy.Mean)
			lane.AccuracyHalf = append(lane.AccuracyHalf, accuracy.Half)
			lane.Loss, lane.LossHalf = append(lane.Loss, loss.Mean), append(lane.LossHalf, loss.Half)
		}
		r.Lanes = append(r.Lanes, lane)
		r.Ends = append(r.Ends, end(e.at(l, len(e.times[l])-1)))
	}
	one := len(e.names) - 1
	merged := len(e.rounds) // the instant of the copies' last merge, in every lane
	r.Ends = append(r.Ends, end(e.at(one, merged)))
	for l, name := range e.names[:one] {
		copies := e.at(l, merged)
		r.Differences = append(r.Differences, difference(name, "time", copies, e.at(one, merged)),
			difference(name, "steps", copies, e.at(one, len(e.times[one])-1)))
	}
	return r
}

func accuracyOf(r *Row) float64 { return r.Accuracy }
func lossOf(r *Row) float64     { return r.Loss }

func column(rows []Row, of func(*Row) float64) (out []float64) {
	for i := range rows {
		out = append(out, of(&rows[i]))
	}
	return out
}

func end(rows []Row) End {
	x := End{Lane: rows[0].Lane, TimeS: rows[0].TimeS, Steps: rows[0].Steps, Accuracies: column(rows, accuracyOf),
		Losses: column(rows, lossOf)}
	x.Accuracy, x.Loss = figure(x.Accuracies), figure(x.Losses)
	for i := range rows {
		x.Accuracies[i], x.Losses[i] = round4(x.Accuracies[i]), round4(x.Losses[i])
	}
	return x
}

func difference(lane, same string, copies, one []Row) Difference {
	d := Difference{Lane: lane, Same: same}
	accuracy, loss := column(copies, accuracyOf), column(copies, lossOf)
	for i := range one {
		accuracy[i] -= one[i].Accuracy
		loss[i] -= one[i].Loss
		if accuracy[i] > 0 {
			d.Better++
		}
	}
	d.Accuracy, d.Loss = figure(accuracy), figure(loss)
	return d
}

// figure is the mean of values and half its 95 % interval.
func figure(values []float64) Figure {
	f := Figure{Mean: round4(stat.Mean(values, nil))}
	if n := float64(len(values)); n > 1 {
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975)
		f.Half = round4(float64(t*stat.StdDev(values, nil)) / math.Sqrt(n))
	}
	return f
}

func round4(v float64) float64 { return math.Round(v*1e4) / 1e4 }
