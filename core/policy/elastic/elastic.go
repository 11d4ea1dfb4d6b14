// Package elastic has the policies that choose how many GPUs a job gets, within the range that it can use: Elastic DP
// and Optimus by the speed that one GPU more brings, Pollux and Sia by goodput, which counts what a larger batch is
// worth as well (core/goodput). Elastic DP and Sia share the exact choice of one size for each job (knapsack.go); the
// tests of all replay the same published workloads.
package elastic

import (
	"hadarlab/core/assign"
	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Elastic scaling gives a job more GPUs while others need them less: all GPUs are shared out so that the sum of
// speedups is greatest, each against the job's own speed on one GPU, by dynamic programming. A job that adapts its
// batch scales better, which is the paper's point.
//
// Its cluster has one GPU type. Here each type is shared out among its own jobs: a job joins the type on which an
// equal share would make it fastest, and stays there (ours).
func init() {
	policy.Register(&policy.Spec{
		ID: "elastic-dp", Title: "Elastic DP", Rev: 1,
		Summary: "Shares all GPUs out anew from time to time so that the sum of the jobs' speedups is greatest, by dynamic programming over their sizes.",
		Source:  "Elastic scaling with batch size (arXiv 2006.13878), reconstructed; speedups against one GPU, batches by goodput where a model has a profile and fixed where not, greed beyond 4 million jobs × GPUs, the choice of a GPU type, the threshold for resizing and jobs wider than a type ours; that jobs may be turned away is left out",
		Formula: "largest Σ speed on n GPUs as close together as can be ÷ speed on 1, or that of one of its least gang if it cannot run on 1, over the sizes n of all jobs on a type; in order of arrival a job joins where all can have their least",
		Cadence: func(_ model.Public, v policy.Values) sim.Cadence {
			return sim.Cadence{Every: unit.Seconds(v.Float("every_s")), On: sim.ArrivalIdle | sim.Finish | sim.Capacity}
		},
		Needs: policy.Needs{Elastic: true},
		Params: []policy.Param{
			{Name: "every_s", Title: "Time between divisions", Kind: policy.Float, Unit: "s", Default: 600.0, Min: 1,
				Max:  1e7,
				Help: "GPUs are shared out anew so often, and when a job ends or GPUs fail or come back. Who comes in between waits, unless the cluster is idle."},
			{Name: "hysteresis", Title: "Least gain of resizing", Kind: policy.Float, Default: 0.05, Min: 0, Max: 10,
				Help: "Running jobs are resized only when the sum of speedups grows by this part, or a job is admitted."},
		},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return &elastic{cluster: m.Cluster, hysteresis: v.Float("hysteresis")}, nil
		},
	})
}

// elastic keeps nothing between decisions but memory to reuse: what a job holds says its type and size.
type elastic struct {
	cluster    *model.Cluster
	hysteresis float64

	sack   assign.Knapsack
	placer place.Placer
	types  []elasticType     // by id
	jobs   []elasticJob      // of the decision, by age
	rows   [][]assign.Option // scratch of divide
}

// elasticType is one GPU type at a decision.
type elasticType struct {
	reach   place.Reach
	room    int32       // GPUs that are shared out
	least   int32       // of these, what its jobs need at least
	jobs    int32       // that share it
	blocked model.JobID // waits for room on it, so that no later job joins it
	now     int64       // sum of speedups of the jobs that run, as they are, in speedupUnit
	most    int64       // sum of speedups of the best division
	kept    bool        // which is not worth the resizing
	greedy  bool        // which was too large to be searched exactly
	cut     bool        // which is not carried out, since free GPUs lie too far apart
}

// elasticJob is one job at a decision. A job that no type can hold runs with its least GPUs over several: such a wide
// one has no type.
type elasticJob struct {
	job  model.JobID
	typ  model.TypeID // that it shares, None = it waits or is wide
	wide bool
	held int32 // GPUs, 0 = none
	size int32 // GPUs that it gets
	best int32 // GPUs that the division has for it; it gets others where those that are free lie too far apart
	cfg  sim.Config
	opts []assign.Option // sizes on its type
}

// Clone copies the parameters; all else is made anew at each decision.
func (e *elastic) Clone() sim.Policy { return &elastic{cluster: e.cluster, hysteresis: e.hysteresis} }

// speedupUnit is the value of a speedup of 1: speedups are whole multiples of its inverse, so that sums are exact.
const speedupUnit = 1 << 20

// Decide admits who came in order of arrival, divides each type among its jobs and carries out what changes.
func (e *elastic) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	e.gather(v)
	for i := range e.jobs {
		if e.jobs[i].held == 0 {
			e.admit(v, w, &e.jobs[i])
		}
	}
	for t := range e.types {
		e.divide(model.TypeID(t))
	}
	e.place(v, p, w)
	if sim.Explains && w.Detail != nil {
		e.explain(v, p, w)
	}
}

// gather lists the jobs with what they hold, and the room of each type.
func (e *elastic) gather(v sim.View) {
	e.types, e.jobs = e.types[:0], e.jobs[:0]
	for t := range e.cluster.Types {
		typ := model.TypeID(t)
		e.types = append(e.types, elasticType{room: v.CapacityOf(typ), blocked: model.None,
			reach: place.ReachOf(e.cluster, v, typ)})
	}
	for _, j := range v.Active() {
		x := elasticJob{job: j, typ: model.None}
		if v.Speed(j, 1) != nil {
			x.cfg = 1 // the best batch
		}
		if v.Holds(j) {
			held := v.Gang(j, 0)
			x.typ = e.cluster.Slots[held[0].Slot].Type
			for _, sh := range held {
				x.held += sh.N
				x.wide = x.wide || e.cluster.Slots[sh.Slot].Type != x.typ
			}
			x.size = x.held
			if x.opts = e.sizes(v, &x, x.typ); x.wide || len(x.opts) == 0 { // it keeps what it has
				for _, sh := range held {
					e.types[e.cluster.Slots[sh.Slot].Type].room -= sh.N
				}
				x.typ, x.opts = model.None, nil
			} else {
				e.join(&x, x.typ)
			}
		}
		e.jobs = append(e.jobs, x)
	}
}

// join makes a job, whose sizes there are known, one of those that share type t.
func (e *elastic) join(x *elasticJob, t model.TypeID) {
	x.typ = t
	e.types[t].jobs++
	e.types[t].least += x.opts[0].GPUs
}

// sizes are the sizes that a job may have on type t with their speedups, the least size first. A gang is believed to
// be as close together as the type allows.
func (e *elastic) sizes(v sim.View, x *elasticJob, t model.TypeID) []assign.Option {
	speed, shape, reach := v.Speed(x.job, x.cfg), v.Shape(x.job), e.types[t].reach
	one := float64(speed.Rate(t, 1, model.OneNode))
	var opts []assign.Option
	for n := shape.Min; n <= min(shape.Max, v.CapacityOf(t)); n += max(shape.Step, 1) {
		r := float64(speed.Rate(t, n, reach.Tier(n)))
		if r <= 0 {
			continue
		}
		if one <= 0 {
			one = r / float64(n) // what cannot run on one GPU is measured by its least size
		}
		opts = append(opts, assign.Option{GPUs: n, Value: int64(min(float64(r/one)*speedupUnit, 1e12) + 0.5)})
	}
	return opts
}

// admit lets a waiting job join a type, if there is room beside what the others need at least and nobody who could use
// the type waits before it. Of several it takes the one on which an equal share makes it fastest.
func (e *elastic) admit(v sim.View, w *sim.Why, x *elasticJob) {
	open := false
	for t := range e.types {
		open = open || e.types[t].blocked < 0
	}
	if !open {
		w.WaitFor(x.job, trace.WaitOrder, e.types[0].blocked, float64(v.Shape(x.job).Min), 0, 0)
		return
	}
	best, head := model.TypeID(model.None), model.JobID(model.None)
	rate, spare, least, need := unit.Rate(0), int32(-1), int32(0), int32(0) // need is of the type with that spare
	var usable []model.TypeID
	for _, t := range e.cluster.BySpeed {
		typ, opts := &e.types[t], e.sizes(v, x, t)
		if len(opts) == 0 {
			continue
		}
		usable, least = append(usable, t), opts[0].GPUs
		if typ.blocked >= 0 {
			head = typ.blocked
			continue
		}
		left := typ.room - typ.least
		if left > spare {
			spare, need = left, least
		}
		if left < least {
			continue
		}
		n := least
		for _, o := range opts {
			if o.GPUs <= typ.room/(typ.jobs+1) {
				n = o.GPUs
			}
		}
		if r := v.Speed(x.job, x.cfg).Rate(t, n, typ.reach.Tier(n)); r > rate {
			best, rate = t, r
		}
	}
	switch {
	case best >= 0:
		x.opts = e.sizes(v, x, best)
		e.join(x, best)
		return
	case len(usable) == 0:
		x.wide = true
		for t := range e.types {
			if v.Speed(x.job, 0).Rate(model.TypeID(t), v.Shape(x.job).Size, model.Network) > 0 {
				usable = append(usable, model.TypeID(t))
			}
		}
	case spare < 0:
		w.WaitFor(x.job, trace.WaitOrder, head, float64(least), 0, 0)
	default:
		w.Wait(x.job, trace.WaitFull, float64(need), float64(spare), 0)
	}
	for _, t := range usable {
		if e.types[t].blocked < 0 {
			e.types[t].blocked = x.job
		}
	}
}

// divide gives the jobs of type t the sizes with the largest sum of speedups, and of several such divisions one that
// resizes fewest. Without a new job the sizes stay unless the sum grows enough.
func (e *elastic) divide(t model.TypeID) {
	typ, n, fresh := &e.types[t], int64(e.types[t].jobs)+1, false
	e.rows = e.rows[:0]
	for i := range e.jobs {
		x := &e.jobs[i]
		if x.typ != t {
			continue
		}
		row := append([]assign.Option(nil), x.opts...)
		for o := range row {
			if row[o].Value *= n; row[o].GPUs == x.held {
				row[o].Value++ // less than any difference of speedups, all rows together
				typ.now += x.opts[o].Value
			}
		}
		fresh = fresh || x.held == 0
		e.rows = append(e.rows, row)
	}
	picks := e.sack.Solve(e.rows, []int32{max(typ.room, 0)})
	typ.greedy = !e.sack.Exact
	for i, o := range picks {
		typ.most += e.rows[i][o].Value / n
	}
	typ.kept = !fresh && float64(typ.most) < float64(typ.now)*(1+e.hysteresis)
	if typ.kept {
		return
	}
	for i, k := 0, 0; i < len(e.jobs) && picks != nil; i++ {
		if x := &e.jobs[i]; x.typ == t {
			x.size = x.opts[picks[k]].GPUs
			k++
		}
	}
}

// place resizes and starts, the largest first; who keeps the size keeps the GPUs.
func (e *elastic) place(v sim.View, p *sim.Plan, w *sim.Why) {
	var todo []*elasticJob
	for i := range e.jobs {
		e.jobs[i].best = e.jobs[i].size
		switch x := &e.jobs[i]; {
		case x.held > 0 && x.size == x.held:
			if sim.Explains && w.Detail != nil {
				w.Chose(x.job, x.speedup(), 0, 0)
			}
		case x.typ >= 0:
			p.Drop(x.job)
			todo = append(todo, x)
		}
	}
	for _, i := range unit.Order(len(todo), func(a, b int32) int { return int(todo[b].size - todo[a].size) }) {
		x := todo[i]
		if e.open(p, x) {
			w.Chose(x.job, x.speedup(), 0, 0)
		} else if p.Keep(x.job) {
			w.Chose(x.job, x.speedup(), 0, 0)
			x.size = x.held
		} else {
			w.Wait(x.job, trace.WaitShape, float64(x.size), float64(p.FreeOf(x.typ)), float64(p.FreeOf(x.typ)))
		}
	}
	for i := range e.jobs {
		if x := &e.jobs[i]; x.wide && x.held == 0 {
			if e.placer.Fastest(e.cluster, v, p, x.job) {
				w.Chose(x.job, 1, 0, 0)
			} else {
				policy.WaitForRoom(e.cluster, v, p, w, x.job)
			}
		}
	}
}

// open states the gang of a job with its size, or, where the free GPUs lie too far apart for that, the next smaller
// one that can run.
func (e *elastic) open(p *sim.Plan, x *elasticJob) bool {
	for o := len(x.opts) - 1; o >= 0; o-- {
		n := x.opts[o].GPUs
		if n > x.size {
			continue
		}
		if place.Put(p, x.job, x.cfg, e.placer.OnType(e.cluster, p, n, x.typ)) {
			x.size = n
			return true
		}
	}
	return false
}

// speedup is what the job's size makes it faster than one GPU.
func (x *elasticJob) speedup() float64 {
	for _, o := range x.opts {
		if o.GPUs == x.size {
			return float64(o.Value) / speedupUnit
		}
	}
	return 0
}
