package policy

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

func init() {
	register(&Spec{
		ID: "tiresias", Title: "Tiresias", Rev: 1,
		Summary: "Queues by attained GPU time: a job starts in the first and moves down as it gets service; higher queues go first.",
		Source:  "Tiresias (NSDI 2019), discretised 2D-LAS; two queues and their limit ours",
		Cadence: fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Params: []Param{
			{Name: "limit_gpu_s", Title: "First queue's limit", Kind: Float, Unit: "GPU-s", Default: 18000.0, Min: 1, Max: 1e9,
				Help: "Attained service after which a job moves from the first queue to the second."},
			{Name: "limit2_gpu_s", Title: "Second queue's limit", Kind: Float, Unit: "GPU-s", Default: 0.0, Min: 0, Max: 1e9,
				Help: "With a value there are three queues. 0 = two."},
			{Name: "promote", Title: "Promotion knob", Kind: Float, Default: 0.0, Min: 0, Max: 1e6,
				Help: "A waiting job returns to the first queue once it has waited this many times its executed time. 0 = never."},
		},
		New: func(m model.Public, v Values) (sim.Policy, error) {
			t := &tiresias{cluster: m.Cluster, limits: []unit.Tick{unit.Seconds(v.Float("limit_gpu_s"))}, promote: v.Float("promote")}
			if l := unit.Seconds(v.Float("limit2_gpu_s")); l > t.limits[0] {
				t.limits = append(t.limits, l)
			}
			return t, nil
		},
	})
}

// tiresias keeps where each job stands in the queues.
type tiresias struct {
	cluster *model.Cluster
	limits  []unit.Tick // GPU-ticks
	promote float64
	jobs    []standing // by id
	clock   int64      // orders entries into the pending part of a queue
	placer  place.Placer
	order   []ranked
}

// standing is one job's place.
type standing struct {
	known   bool
	running bool
	turn    int64     // among the pending ones of its queue; a preempted job goes to the tail
	base    unit.Tick // service attained before its last entry into the first queue
	wait    unit.Tick // waiting since its last entry into the first queue, until since
	since   unit.Tick // beginning of the present wait
	started unit.Tick
}

func (t *tiresias) Clone() sim.Policy {
	return &tiresias{cluster: t.cluster, limits: t.limits, promote: t.promote, jobs: slices.Clone(t.jobs), clock: t.clock}
}

// level is the queue of a job by its service since its last entry into the first.
func (t *tiresias) level(v sim.View, j model.JobID) int {
	a := v.Attained(j) - t.jobs[j].base
	q := 0
	for q < len(t.limits) && a >= t.limits[q] {
		q++
	}
	return q
}

func (t *tiresias) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	now := v.Now()
	for _, j := range v.Active() {
		for int(j) >= len(t.jobs) {
			t.jobs = append(t.jobs, standing{})
		}
		s := &t.jobs[j]
		if !s.known {
			*s = standing{known: true, turn: t.next(), since: now}
		}
		if s.running && !v.Holds(j) { // a fault took its GPUs
			s.running, s.since, s.turn = false, now, t.next()
		}
		if t.promotes(v, j) {
			s.base, s.wait, s.since, s.turn = v.Attained(j), 0, now, t.next()
		}
	}
	t.order = t.order[:0]
	for _, j := range v.Active() {
		t.order = append(t.order, ranked{j, float64(t.level(v, j))})
	}
	slices.SortStableFunc(t.order, func(a, b ranked) int {
		x, y := &t.jobs[a.job], &t.jobs[b.job]
		switch {
		case a.key != b.key:
			return int(a.key - b.key)
		case x.running != y.running:
			if x.running {
				return -1
			}
			return 1
		case x.running && x.started != y.started:
			return int(x.started - y.started)
		case !x.running && x.turn != y.turn:
			return int(x.turn - y.turn)
		}
		return int(a.job - b.job)
	})
	preemptive(t.cluster, &t.placer, t.order, v, p, w)
	t.note(v, p)
	if w.Detail != nil {
		for _, j := range v.Active() {
			w.Detail.Choices = append(w.Detail.Choices, sim.Choice{Job: j, Terms: []sim.Term{
				{Name: "queue", Value: float64(t.level(v, j) + 1)}, {Name: "attained service", Unit: "GPU-s", Value: v.Attained(j).Seconds()}}})
		}
	}
}

func (t *tiresias) next() int64 {
	t.clock++
	return t.clock
}

// promotes says whether a waiting job that has run returns to the first queue.
func (t *tiresias) promotes(v sim.View, j model.JobID) bool {
	s := &t.jobs[j]
	at, ok := t.promotion(v, j)
	return ok && !s.running && v.Now() >= at
}

// promotion is when a waiting job's wait reaches promote times its executed time.
func (t *tiresias) promotion(v sim.View, j model.JobID) (unit.Tick, bool) {
	s := &t.jobs[j]
	executed := (v.Attained(j) - s.base) / unit.Tick(v.Shape(j).Min)
	if t.promote <= 0 || executed <= 0 || t.level(v, j) == 0 {
		return 0, false
	}
	return s.since + max(0, unit.Seconds(float64(t.promote*executed.Seconds()))-s.wait), true
}

// note books who starts and stops, and asks to be woken for the next change of a queue.
func (t *tiresias) note(v sim.View, p *sim.Plan) {
	now := v.Now()
	for _, j := range v.Active() {
		s := &t.jobs[j]
		switch holds := p.Holds(j); {
		case holds && !s.running:
			s.running, s.started = true, now
			s.wait += now - s.since
		case !holds && s.running:
			s.running, s.since, s.turn = false, now, t.next()
		}
		if s.running {
			if q := t.level(v, j); q < len(t.limits) {
				left := t.limits[q] - (v.Attained(j) - s.base)
				gpus := unit.Tick(v.Shape(j).Min)
				p.WakeAt(now + (left+gpus-1)/gpus)
			}
		} else if at, ok := t.promotion(v, j); ok && at > now {
			p.WakeAt(at)
		}
	}
}
