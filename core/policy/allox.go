package policy

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// AlloX serves jobs of one GPU each. It asks which job should run on which type, and in which order
// there, so that the sum of completion times is least. As in Gavel's baselines the question is asked
// anew at every arrival and end, over the jobs that wait; who runs is left alone.
//
// The matching has a row for each waiting job and a column for each place in a type's queue. Its work
// grows with the cube of the rows, so the parameters limit them.
func init() {
	register(&Spec{
		ID: "allox", Title: "AlloX", Rev: 1,
		Summary: "Matches waiting jobs with GPUs and places in their queues so that the sum of completion times is least; a job keeps its GPU.",
		Source:  "AlloX (EuroSys 2020), as in Gavel's baselines; the limit on matched jobs ours",
		Formula: "least sum of k × time on its type, a job k-th from the end of the type’s queue",
		Cadence: fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Needs:   Needs{Lengths: true, SingleGPU: true},
		Params: []Param{
			{Name: "alpha", Title: "Part of the waiting jobs that is matched", Kind: Float, Default: 1.0, Min: 0,
				Max:  1,
				Help: "For each GPU type the oldest jobs that can use it, but at least as many as there are free GPUs. Less than 1 is fairer to old jobs."},
			{Name: "rows", Title: "Most jobs matched at once, a GPU type", Kind: Int, Default: 256.0, Min: 1, Max: 1024,
				Help: "A longer queue for a GPU type is cut after its oldest jobs, but not below the number of free GPUs."},
		},
		New: func(m model.Public, v Values) (sim.Policy, error) {
			return &allox{cluster: m.Cluster, alpha: v.Float("alpha"), rows: v.Int("rows")}, nil
		},
	})
}

// allox keeps nothing between decisions but memory to reuse: the matching is made anew from the jobs
// that wait.
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
	most  []int32        // rows that each type still takes
}

// Clone copies the parameters; everything else is made anew at each decision.
func (a *allox) Clone() sim.Policy {
	return &allox{cluster: a.cluster, alpha: a.alpha, rows: a.rows}
}

// Decide matches the waiting jobs with (type, place from the end of its queue) and starts those whose
// place comes first. A running job keeps its GPU, so it takes no part. Places count from the end
// because a job delays itself and those after it: the k-th from the end adds k times its run time to
// the sum of completion times.
func (a *allox) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	free := a.count(p)
	a.cut(v, free)
	a.collect(v, w)
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
		slices.SortStableFunc(a.queue,
			func(x, y int32) int { return cmp.Compare(a.match.cost(x, g), a.match.cost(y, g)) })
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
		a.explain(v, w, p, of)
	}
}

// cut says how many rows each type takes at most: a part alpha of the jobs that can use it, but at
// least as many as there are free GPUs. Only jobs that can use the type are counted, so that a free GPU
// is not hidden behind older jobs that cannot.
func (a *allox) cut(v sim.View, free int32) {
	a.most = append(a.most[:0], make([]int32, len(a.types))...)
	for _, j := range v.Active() {
		for g, t := range a.types {
			if !v.Holds(j) && v.Speed(j, 0).Rate(t, 1, model.OneNode) > 0 {
				a.most[g]++
			}
		}
	}
	for g, waiting := range a.most {
		a.most[g] = min(max(int32(a.alpha*float64(waiting)), free), max(int32(a.rows), free))
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

// collect makes rows of the matching from the waiting jobs: those that can run on a free GPU and are
// among the oldest of its type. It says of the others why they wait.
func (a *allox) collect(v sim.View, w *sim.Why) {
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
		left, _ := v.Remaining(j)
		speed, runs, old := v.Speed(j, 0), false, false
		for g, t := range a.types {
			c := noMatch
			if r := speed.Rate(t, 1, model.OneNode); r > 0 {
				c, runs, old = min(int64(r.Until(left)), noMatch-1), true, old || a.most[g] > 0
			}
			a.match.costs = append(a.match.costs, c)
		}
		row := a.match.costs[len(a.match.costs)-len(a.types):]
		if !old {
			a.match.costs = a.match.costs[:len(a.match.costs)-len(row)]
			if runs {
				w.Wait(j, trace.WaitMatch, -1, 0, 0)
			} else {
				w.Wait(j, trace.WaitRate, 1, float64(len(a.types)), 0)
			}
			continue
		}
		for g := range row {
			if row[g] < noMatch {
				a.most[g]--
			}
		}
		a.jobs = append(a.jobs, j)
	}
}

// start puts j on the first free GPU of the type; all of them are alike.
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

// matchColumns are those of the matching.
var matchColumns = []sim.Column{{Name: "Job"}, {Name: "GPU type"}, {Name: "Place from the end"},
	{Name: "Run time there", Unit: "s"}}

// explain says of each waiting job with which GPUs it is matched and how many start there before it, and whether GPUs
// stay idle beside it: then a start there would add more to the sum of completion times than the wait does.
func (a *allox) explain(v sim.View, w *sim.Why, p *sim.Plan, of []int32) {
	queue := &sim.Table{Title: sim.Say("The matching"), Columns: matchColumns}
	seconds := func(cost int64) sim.Seconds { return sim.Seconds(unit.Tick(cost).Seconds()) }
	for i, j := range a.jobs {
		g := int(of[i])
		takes, typ := seconds(a.match.cost(int32(i), g)), a.types[g]
		queue.Rows = append(queue.Rows, sim.Row{Cells: []any{j, typ, a.place[i], float64(takes)}})
		w.Detail.Order = append(w.Detail.Order, j)
		c := w.Detail.Of(j)
		if p.Holds(j) {
			c.Says = sim.Say("it takes {0} on a {1}, and this way the sum of all completion times is smallest", takes, typ)
			continue
		}
		_, num := w.Given(j)
		c.Says = sim.Count(int(num[0]),
			"the sum of all completion times is smallest when {0} job goes before it on a {1}, where it takes {2}",
			"the sum of all completion times is smallest when {0} jobs go before it on a {1}, where it takes {2}", typ, takes)
		least := noMatch
		for k, t := range a.types {
			if p.FreeOf(t) > 0 {
				least = min(least, a.match.cost(int32(i), k))
			}
		}
		if least < noMatch {
			c.Says = sim.Say("{0}; GPUs on which it would take {1} stay idle, since starting there would not make the sum smaller",
				c.Says, seconds(least))
		}
	}
	for _, j := range v.Active() {
		if v.Holds(j) {
			w.Detail.Of(j).Says = sim.Say("a job that runs keeps its GPU to the end")
		}
		if code, num := w.Given(j); code == trace.WaitMatch && num[0] < 0 {
			w.Detail.Of(j).Says = sim.Say("it is not among the oldest jobs, which alone are matched with GPUs for now")
		}
	}
	w.Detail.Sections = append(w.Detail.Sections, &sim.Section{Table: queue, Title: sim.Say(
		"The matching whose completion times have the smallest sum; a job counts for itself and for those behind it")})
}
