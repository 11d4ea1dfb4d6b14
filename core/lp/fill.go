package lp

import (
	"cmp"
	"math"
	"slices"
)

// Entity is a group of jobs with one entitlement (Gavel, section 4). Its level rises at Weight
// per unit of the common level: spread over its open jobs by their weights, or given to the
// earliest open one.
type Entity struct {
	Weight float64
	FIFO   bool
}

// Filling is the end of a water filling. Its slices belong to the Solver and hold until its next solve.
type Filling struct {
	X         []float64 // n*k, fractions of time
	Levels    []float64 // what is filled, by job; computed from X, 0 for a job that is left out
	Objective float64   // the first level: least Levels_i over the rate at which job i begins to rise
	Bound     float64   // no x has a larger first level
	RelGap    float64   // largest relative distance between a stage's level and what its prices prove
	Stages    int       // times that jobs were frozen
	Solves    int       // programs solved
}

const (
	exact = 1e-12 // relative distance at which a stage's level counts as proven
	rise  = 1e-7  // a job that provably cannot rise by more, relative to its level, is frozen
)

// fill is the state of a water filling from stage to stage. The unit of all levels is s_i tput_i /
// prop_i, so that a job that has its proportional share of the cluster stands at 1.
type fill struct {
	t, unit   []float64 // rates of the types still open to a job; prop_i / s_i
	low, cap  []float64 // level at the start of the stage; largest that the job alone could have
	target    []float64 // level at the common level in question
	jobs      []int32   // open jobs, by entity in the order in which they meet their caps (FIFO: in order)
	from      []int32   // entity -> first of jobs; one more than entities
	state     []uint8
	weight    []float64
	entities  []Entity
	last, cut proof
}

const (
	out    uint8 = iota // takes no part
	open                // may still rise
	frozen              // provably at its limit
)

// WaterFill is weighted lexicographic max-min fairness: the least of y_i = (s_i / (w_i prop_i))
// tput_i as large as possible, then the second least, and so on. Levels are y. A job of weight 0,
// or one that can run on no type the cluster has, is left out and gets no time. It is Hierarchical
// with an entity for each job.
func WaterFill(sv *Solver, in *Jobs) (Filling, error) {
	n, w := len(in.GPUs), in.Weights
	of, entities := make([]int32, n), make([]Entity, n)
	for i := range of {
		of[i], entities[i] = int32(i), Entity{Weight: 1}
		if w != nil && len(w) == n {
			entities[i].Weight = w[i]
		}
	}
	each := *in
	each.Of, each.Entities = of, entities
	f, err := Hierarchical(sv, &each)
	if err == nil && w != nil {
		for i := range f.Levels {
			if w[i] > 0 {
				f.Levels[i] /= w[i]
			}
		}
	}
	return f, err
}

// Hierarchical is water filling for entities (Gavel, hierarchical policies): entity of[i] of job i
// lets its open jobs rise together at its weight, spread by the w_i or given to the first open job in
// the order of the arguments. What can rise no further is frozen, and the others go on from where they
// are. Levels are s_i tput_i / prop_i.
//
// At a common level every job has a target: where it began plus its part of its entity's rise, at most
// what it could have alone. One program tells by what factor all targets can be met, its prices prove
// a common level that cannot be passed, and Newton's method on these finds the level at which a type
// becomes scarce. The jobs whose row has a price are then frozen, for that price bounds their rise; the
// open ones lose the types that have a price, for the reduced costs bound their time there. A stage
// thus ends with a scarce type, not with every job that meets its own cap, and there are few.
func Hierarchical(sv *Solver, in *Jobs) (Filling, error) {
	t, s, w, gpus, of, entities := in.Rates, in.GPUs, in.Weights, in.Capacity, in.Of, in.Entities
	sv, err := sv.begin(in)
	if err == nil && (w != nil && len(w) != len(s) || len(of) != len(s)) {
		err = ErrShape
	}
	for _, e := range of {
		if err == nil && (e < 0 || int(e) >= len(entities)) {
			err = ErrShape
		}
	}
	if err == nil && !finite(w) {
		err = ErrValue
	}
	for _, e := range entities {
		if err == nil && !(e.Weight >= 0 && e.Weight <= math.MaxFloat64) {
			err = ErrValue
		}
	}
	if err != nil {
		return Filling{}, err
	}
	n, k := len(s), len(gpus)
	f := &fill{t: slices.Clone(t), unit: Proportional(nil, t, gpus), weight: slices.Repeat([]float64{1}, n),
		entities: entities,
		low:      make([]float64, n), cap: make([]float64, n), target: make([]float64, n), state: make([]uint8, n)}
	copy(f.weight, w)
	for i := range f.state {
		if e := entities[of[i]]; f.unit[i] > 0 && e.Weight > 0 && (e.FIFO || f.weight[i] > 0) {
			f.unit[i] /= s[i]
			f.state[i], f.cap[i] = open, best(t[i*k:i*k+k], gpus)/f.unit[i]
		}
	}
	tol := sv.Settings.Tol
	sv.Settings.Tol = 0.1 * exact
	res, err := f.run(sv, in)
	sv.Settings.Tol = tol
	return res, err
}

// run goes from stage to stage until no job is open. The first stage's level is what MaxMin would
// give, and its bound is kept for the whole.
func (f *fill) run(sv *Solver, in *Jobs) (Filling, error) {
	t, s, of, gpus := in.Rates, in.GPUs, in.Of, in.Capacity
	n, k := len(s), len(gpus)
	sv.keep = grow(sv.keep, n*k)
	clear(sv.keep)
	res := Filling{X: sv.keep, Levels: make([]float64, n)}
	var first []float64 // rates of rise at the beginning
	for {
		full, event := f.order(of)
		if first == nil {
			first = f.rates(event)
			res.Bound = event
		}
		if len(f.jobs) == 0 {
			break
		}
		res.Stages++
		if !(full > 0) { // all are at their caps
			for _, i := range f.jobs {
				f.state[i] = frozen
			}
			continue
		}
		level, factor, err := f.stage(sv, s, gpus, event, full, &res)
		if err != nil {
			return Filling{}, err
		}
		if res.Stages == 1 {
			res.Bound = math.Min(res.Bound, level)
		}
		f.close(s, gpus, factor)
	}
	for i := range res.Levels {
		if f.state[i] != out {
			res.Levels[i] = dot(t[i*k:i*k+k], res.X[i*k:i*k+k]) / f.unit[i]
		}
	}
	res.Objective = math.Inf(1)
	for i, v := range first {
		if v > 0 {
			res.Objective = math.Min(res.Objective, res.Levels[i]/v)
		}
	}
	if math.IsInf(res.Objective, 1) { // nobody takes part
		res.Objective, res.Bound = 0, 0
	}
	if res.Bound > 0 {
		res.RelGap = math.Max(res.RelGap, 1-res.Objective/res.Bound)
	}
	return res, nil
}

// order lists the open jobs by entity and in the order in which they meet their caps. full is the
// rise of the common level at which all of them have met theirs, event the rise at which the first
// does.
func (f *fill) order(of []int32) (full, event float64) {
	f.jobs, f.from = f.jobs[:0], append(f.from[:0], 0)
	for i, st := range f.state {
		if st == open {
			f.jobs = append(f.jobs, int32(i))
		}
	}
	slices.SortStableFunc(f.jobs, func(a, b int32) int {
		if of[a] != of[b] || f.entities[of[a]].FIFO {
			return cmp.Compare(of[a], of[b])
		}
		return cmp.Compare(f.room(a)/f.weight[a], f.room(b)/f.weight[b])
	})
	at := 0
	event = math.Inf(1)
	for e, en := range f.entities {
		room, weight := 0.0, 0.0
		from := at
		for ; at < len(f.jobs) && int(of[f.jobs[at]]) == e; at++ {
			room += f.room(f.jobs[at])
			weight += f.weight[f.jobs[at]]
		}
		f.from = append(f.from, int32(at))
		if from == at {
			continue
		}
		full = math.Max(full, room/en.Weight)
		i := f.jobs[from]
		if en.FIFO {
			event = math.Min(event, f.room(i)/en.Weight)
		} else {
			event = math.Min(event, float64(f.room(i)/f.weight[i]*weight)/en.Weight)
		}
	}
	return full, event
}

// room is how far the job can still rise.
func (f *fill) room(i int32) float64 { return math.Max(0, f.cap[i]-f.low[i]) }

// rates are the levels that jobs gain per unit of the common level before the first cap is met.
func (f *fill) rates(event float64) []float64 {
	v := make([]float64, len(f.state))
	if len(f.jobs) > 0 && event > 0 {
		f.aim(float64(0.5 * event))
		for _, i := range f.jobs {
			v[i] = f.target[i] / float64(0.5*event)
		}
	}
	return v
}

// aim sets the targets for a rise of the common level by z: an entity's part of it goes to its jobs
// by weight, or to the first ones until they are full, and nobody gets more than it has room for.
func (f *fill) aim(z float64) {
	for e := range f.entities {
		jobs, rest := f.jobs[f.from[e]:f.from[e+1]], float64(f.entities[e].Weight*z)
		weight := 0.0
		for _, i := range jobs {
			weight += f.weight[i]
		}
		for _, i := range jobs {
			part := rest
			if !f.entities[e].FIFO {
				part = math.Max(0, float64(rest*f.weight[i])/weight)
				weight -= f.weight[i]
			}
			part = math.Min(part, f.room(i))
			f.target[i] = f.low[i] + part
			rest -= part
		}
	}
}
