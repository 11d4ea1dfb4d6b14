package policy

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

func init() {
	register(&Spec{
		ID: "allox", Title: "AlloX", Rev: 1,
		Summary: "Matches waiting jobs with GPUs and places in their queues so that the sum of completion times is least; a job keeps its GPU.",
		Source:  "AlloX (EuroSys 2020), as in Gavel's baselines; the limit on matched jobs ours",
		Formula: "least sum of k × time on its type, a job k-th from the end of the type’s queue",
		Cadence: fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Needs:   Needs{Lengths: true, SingleGPU: true},
		Params: []Param{
			{Name: "alpha", Title: "Part of the waiting jobs that is matched", Kind: Float, Default: 1.0, Min: 0, Max: 1,
				Help: "The oldest jobs, but at least as many as there are free GPUs. Less than 1 is fairer to old jobs."},
			{Name: "rows", Title: "Most jobs matched at once", Kind: Int, Default: 256.0, Min: 1, Max: 1024,
				Help: "A longer queue is cut after its oldest jobs, but not below the number of free GPUs."},
		},
		New: func(m model.Public, v Values) (sim.Policy, error) {
			return &allox{cluster: m.Cluster, alpha: v.Float("alpha"), rows: v.Int("rows")}, nil
		},
	})
}

// allox keeps nothing between decisions but memory to reuse.
type allox struct {
	cluster *model.Cluster
	alpha   float64
	rows    int

	match matching
	jobs  []model.JobID  // those matched, oldest first
	free  []int32        // free GPUs by type
	types []model.TypeID // with a free GPU, fastest first
	queue []int32        // rows matched to a type, in the order in which they start
	place []int32        // place from the end, by row
}

func (a *allox) Clone() sim.Policy {
	return &allox{cluster: a.cluster, alpha: a.alpha, rows: a.rows}
}

func (a *allox) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	free := a.count(p)
	waiting := 0
	for _, j := range v.Active() {
		if !v.Holds(j) {
			waiting++
		}
	}
	most := max(int(a.alpha*float64(waiting)), int(free))
	a.collect(v, w, min(most, max(a.rows, int(free))))
	of := a.match.solve(len(a.jobs))
	a.place = append(a.place[:0], make([]int32, len(a.jobs))...)
	for g, t := range a.types {
		a.queue = a.queue[:0]
		for i := range a.jobs {
			if of[i] == int32(g) {
				a.queue = append(a.queue, int32(i))
			}
		}
		// Places count from the end, so the shortest jobs start first, of equal ones the older.
		slices.SortStableFunc(a.queue, func(x, y int32) int { return cmp.Compare(a.match.cost(x, g), a.match.cost(y, g)) })
		gpus := int(a.match.room[g])
		for at, i := range a.queue {
			a.place[i] = int32((len(a.queue)-1-at)/gpus + 1)
			seconds := unit.Tick(a.match.cost(i, g)).Seconds()
			if at >= gpus {
				w.Wait(a.jobs[i], trace.WaitMatch, float64(at/gpus), seconds, float64(t))
			} else if a.start(p, a.jobs[i], t) {
				w.Chose(a.jobs[i], seconds, 0, 0)
			}
		}
	}
	if w.Detail != nil {
		a.explain(w.Detail, of)
	}
}

// count fills free and types, and returns the number of free GPUs.
func (a *allox) count(p *sim.Plan) (all int32) {
	a.free = append(a.free[:0], make([]int32, len(a.cluster.Types))...)
	for s := range a.cluster.Slots {
		n := max(p.Free(model.SlotID(s)), 0)
		a.free[a.cluster.Slots[s].Type] += n
		all += n
	}
	a.types = a.types[:0]
	for _, t := range a.cluster.BySpeed {
		if a.free[t] > 0 {
			a.types = append(a.types, t)
		}
	}
	return all
}

// collect makes the oldest most waiting jobs that can run on a free GPU the rows of the matching, and
// says of the others why they wait.
func (a *allox) collect(v sim.View, w *sim.Why, most int) {
	a.jobs = a.jobs[:0]
	a.match.begin(len(a.types))
	for g, t := range a.types {
		a.match.room[g] = a.free[t]
	}
	for _, j := range v.Active() {
		if v.Holds(j) {
			continue
		}
		if len(a.types) == 0 {
			w.Wait(j, trace.WaitFull, 1, 0, 0)
			continue
		}
		if most == 0 {
			w.Wait(j, trace.WaitMatch, -1, 0, 0)
			continue
		}
		most--
		left, _ := v.Remaining(j)
		speed, runs := v.Speed(j, 0), false
		for _, t := range a.types {
			c := noMatch
			if r := speed.Rate(t, 1, false); r > 0 {
				c, runs = min(int64(r.Until(left)), noMatch-1), true
			}
			a.match.costs = append(a.match.costs, c)
		}
		if !runs {
			a.match.costs = a.match.costs[:len(a.match.costs)-len(a.types)]
			w.Wait(j, trace.WaitRate, 1, float64(len(a.types)), 0)
			continue
		}
		a.jobs = append(a.jobs, j)
	}
}

// start puts j on the first free GPU of the type.
func (a *allox) start(p *sim.Plan, j model.JobID, t model.TypeID) bool {
	for s := range a.cluster.Slots {
		if a.cluster.Slots[s].Type == t && p.Free(model.SlotID(s)) > 0 {
			p.Open(j, 0)
			p.Take(model.SlotID(s), 1)
			return p.Close()
		}
	}
	return false
}

// explain gives each matched job's type, place and run time there.
func (a *allox) explain(d *sim.Detail, of []int32) {
	for i, j := range a.jobs {
		g := int(of[i])
		d.Order = append(d.Order, j)
		d.Choices = append(d.Choices, sim.Choice{Job: j, Terms: []sim.Term{
			{Name: words.F("place from the end on {0}", a.cluster.Types[a.types[g]].Name), Value: float64(a.place[i])},
			{Name: "run time there", Unit: "s", Value: unit.Tick(a.match.cost(int32(i), g)).Seconds()}}})
	}
}
