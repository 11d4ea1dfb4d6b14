package policy

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
)

// The two textbook queues. They decide on arrivals and finishes only, place a gang on its fastest
// free type, and never charge anything themselves.

func init() {
	register(&Spec{
		ID: "fifo", Title: "FIFO", Rev: 1,
		Summary: "First come, first served, without preemption; a job that does not fit blocks those behind it.",
		Source:  "textbook; placement ours",
		Cadence: fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Params: []Param{{Name: "skip", Title: "Skip jobs that do not fit", Kind: Bool, Default: false,
			Help: "Jobs behind a blocked one may start if they fit. Off shows head-of-line blocking."}},
		New: func(m model.Public, v Values) (sim.Policy, error) {
			return &fifo{cluster: m.Cluster, skip: v.Bool("skip")}, nil
		},
	})
	register(&Spec{
		ID: "srtf", Title: "SRTF", Rev: 1,
		Summary: "Shortest remaining time first, with preemption and perfect knowledge of job lengths.",
		Source:  "textbook; remaining time is remaining steps over the job's best speed (ours)",
		Cadence: fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Needs:   Needs{Lengths: true},
		New: func(m model.Public, _ Values) (sim.Policy, error) {
			return &srtf{cluster: m.Cluster}, nil
		},
	})
}

type fifo struct {
	cluster *model.Cluster
	skip    bool
	placer  place.Placer
}

func (f *fifo) Clone() sim.Policy { return &fifo{cluster: f.cluster, skip: f.skip} }

func (f *fifo) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	head := model.JobID(model.None)
	for _, j := range v.Active() {
		if w.Detail != nil && !v.Holds(j) {
			w.Detail.Order = append(w.Detail.Order, j)
		}
		switch {
		case v.Holds(j):
		case head >= 0 && !f.skip:
			free, _ := place.Free(f.cluster, p)
			w.WaitFor(j, trace.WaitOrder, head, float64(v.Shape(j).Min), float64(free), 0)
		case f.placer.Fastest(f.cluster, v, p, j):
			w.Chose(j, 0, 0, 0)
		default:
			waitForRoom(f.cluster, v, p, w, j)
			head = j
		}
	}
}

// waitForRoom records that j's gang does not fit on what is free.
func waitForRoom(c *model.Cluster, v sim.View, p *sim.Plan, w *sim.Why, j model.JobID) {
	size := v.Shape(j).Min
	free, one := place.Free(c, p)
	code := trace.WaitShape
	if free < size {
		code = trace.WaitFull
	}
	w.Wait(j, code, float64(size), float64(free), float64(one))
}

type srtf struct {
	cluster *model.Cluster
	placer  place.Placer
	order   []ranked
}

// ranked is a job with its sort key.
type ranked struct {
	job model.JobID
	key float64
}

func (s *srtf) Clone() sim.Policy { return &srtf{cluster: s.cluster} }

func (s *srtf) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	s.order = s.order[:0]
	for _, j := range v.Active() {
		left, _ := v.Remaining(j)
		best := 0.0
		for t := range s.cluster.Types {
			best = max(best, float64(v.Speed(j, 0).Rate(model.TypeID(t), v.Shape(j).Min, false)))
		}
		key := 0.0
		if best > 0 {
			key = float64(left) / best
		}
		s.order = append(s.order, ranked{j, key})
	}
	slices.SortStableFunc(s.order, func(a, b ranked) int { // stable: ties by age
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return 0
	})
	preemptive(s.cluster, &s.placer, s.order, v, p, w)
}

// preemptive gives GPUs in the given order. A job that holds some keeps them; one that does not may
// take them from the last in order. Whoever was dropped in vain gets its GPUs back.
func preemptive(c *model.Cluster, pl *place.Placer, order []ranked, v sim.View, p *sim.Plan, w *sim.Why) {
	for i, r := range order {
		if w.Detail != nil {
			w.Detail.Order = append(w.Detail.Order, r.job)
		}
		if p.Holds(r.job) || p.Keep(r.job) || pl.Fastest(c, v, p, r.job) {
			w.Chose(r.job, r.key, 0, 0)
			continue
		}
		before := p.Mark()
		placed := false
		for k := len(order) - 1; k > i && !placed; k-- {
			if p.Holds(order[k].job) {
				p.Drop(order[k].job)
				placed = pl.Fastest(c, v, p, r.job)
			}
		}
		if !placed {
			p.Undo(before)
			waitForRoom(c, v, p, w, r.job)
			continue
		}
		w.Chose(r.job, r.key, 0, 0)
		for _, x := range order[i+1:] {
			if v.Holds(x.job) && !p.Holds(x.job) {
				p.Keep(x.job)
			}
		}
	}
}
