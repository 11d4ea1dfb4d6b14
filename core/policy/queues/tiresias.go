package queues

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Tiresias serves jobs whose lengths nobody knows: whoever has had little GPU time goes first, since
// most jobs are short. Discrete queues keep two jobs of nearly equal service from preempting each other
// in turn; within a queue the order is that of start. The knob of promotion brings back jobs that have
// waited long since they ran.
func init() {
	policy.Register(&policy.Spec{
		ID: "tiresias", Title: "Tiresias", Rev: 2, LastReleases: []string{"0.1.0"},
		Summary: "Queues by attained GPU time: a job starts in the first and moves down as it gets service; the first goes first.",
		Source:  "Tiresias (NSDI 2019), discretised 2D-LAS; two queues, their limit and moves to faster types ours; its placement by a model’s skew is left out",
		Formula: "attained service = GPUs × time held; below the limit first queue, else the next; in a queue those that run first, then in order of joining it or of being stopped, unless set otherwise",
		Cadence: func(_ model.Public, v policy.Values) sim.Cadence {
			if every := v.Float("every_s"); every > 0 {
				return sim.Cadence{Every: unit.Seconds(every)}
			}
			return sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}
		},
		Params: []policy.Param{
			{Name: "limit_gpu_s", Title: "First queue's limit", Kind: policy.Float, Unit: "GPU-s", Default: 18000.0,
				Min:  1,
				Max:  1e9,
				Help: "Attained service after which a job moves from the first queue to the second."},
			{Name: "limit2_gpu_s", Title: "Second queue's limit", Kind: policy.Float, Unit: "GPU-s", Default: 0.0,
				Min:  0,
				Max:  1e9,
				Help: "With a value above the first limit there are three queues, else two."},
			{Name: "promote", Title: "Promotion knob", Kind: policy.Float, Default: 0.0, Min: 0, Max: 1e6,
				Help: "A waiting job returns to the first queue once it has waited this many times its executed time. 0 = never."},
			migrateParam,
			{Name: "every_s", Title: "Time between decisions", Kind: policy.Float, Unit: "s", Default: 0.0, Min: 0,
				Max:  1e7,
				Help: "It decides so often only, as in the simulator of Pollux. 0 = whenever something happens."},
			tiresiasPlace, tiresiasOrder,
		},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			t := &tiresias{limits: []unit.Tick{unit.Seconds(v.Float("limit_gpu_s"))}, promote: v.Float("promote"),
				rounds: v.Float("every_s") > 0, entered: v.Choice(tiresiasOrder) == 1,
				preemptive: newPreemptive(m.Cluster, mover{on: v.Bool("migrate"), left: doneSoFar},
					place.Placer{MostFree: v.Choice(tiresiasPlace) == 1})}
			if l := unit.Seconds(v.Float("limit2_gpu_s")); l > t.limits[0] {
				t.limits = append(t.limits, l)
			}
			t.queue()
			return t, nil
		},
	})
}

// tiresiasPlace is where a job starts.
var tiresiasPlace = policy.Param{Name: "place", Title: "Nodes", Kind: policy.Choice, Default: "fullest",
	Choices: []string{"fullest", "most-free"},
	Help:    "fullest: the node with the fewest free GPUs that still holds the job. most-free: those with the most, as in the simulator of Pollux."}

// tiresiasOrder is who goes first within a queue.
var tiresiasOrder = policy.Param{Name: "order", Title: "Within a queue", Kind: policy.Choice, Default: "running-first",
	Choices: []string{"running-first", "entry"},
	Help:    "running-first: jobs that run, by their start, then the others; who is stopped goes to the end. entry: who entered the queue first, running or not, as in the simulator of Pollux."}

// tiresias keeps where each job stands in the queues, and the jobs in that order: who comes to stand elsewhere is taken
// out and put in again, and nobody else is looked at.
type tiresias struct {
	preemptive
	limits  []unit.Tick // GPU-ticks
	promote float64
	entered bool // within a queue the order is that of entering it, for running jobs too
	rounds  bool // it decides from time to time, and need not be woken
	jobs    policy.ByJob[standing]
	falling []model.JobID // running jobs that will leave their queue, the next one last
	look    []model.JobID // scratch of Decide
	clock   int64         // orders entries into the pending part of a queue
}

// standing is one job's place in the queues.
type standing struct {
	known     bool
	running   bool
	level     int32     // its queue, 0 first
	turn      int64     // among the pending ones of its queue; a preempted job goes to the tail
	joined    unit.Tick // when it got its turn: of jobs that get theirs at once the older goes first
	base      unit.Tick // service attained before its last entry into the first queue
	wait      unit.Tick // waiting since its last entry into the first queue, until since
	since     unit.Tick // beginning of the present wait
	started   unit.Tick
	demotedAt unit.Tick // when a running job leaves its queue
}

// queue says who goes first.
func (t *tiresias) queue() {
	t.key = func(j model.JobID) float64 { return float64(t.jobs[j].level) }
	t.preemptive.before = t.before
	if t.lazy != nil {
		t.lazy.kept = true
	}
}

// Clone copies where each job stands, and sorts anew by that.
func (t *tiresias) Clone() sim.Policy {
	c := &tiresias{preemptive: t.fresh(), limits: t.limits, promote: t.promote, entered: t.entered,
		rounds: t.rounds, jobs: slices.Clone(t.jobs), clock: t.clock}
	c.queue()
	for i := range c.jobs {
		if s := &c.jobs[i]; s.known {
			c.order = append(c.order, ranked{model.JobID(i), float64(s.level)})
			if s.running && s.demotedAt < unit.Never {
				c.falling = append(c.falling, model.JobID(i))
			}
		}
	}
	slices.SortFunc(c.order, func(a, b ranked) int { return c.compare(a.job, b.job) })
	slices.SortFunc(c.falling, c.later)
	return c
}

// serve moves j to the queue of its service since its last entry into the first, and computes when it
// leaves that queue if it runs on: service grows by its GPUs per tick, and these never change while it
// holds them. So the policy need not look at every round, but can ask to be woken.
func (t *tiresias) serve(v sim.View, j model.JobID) {
	s := &t.jobs[j]
	t.settle(j)
	a, was := v.Attained(j)-s.base, s.level
	s.level, s.demotedAt = 0, unit.Never
	for int(s.level) < len(t.limits) && a >= t.limits[s.level] {
		s.level++
	}
	if t.entered && s.level != was {
		s.turn, s.joined = t.next(), v.Now()
	}
	if int(s.level) < len(t.limits) {
		gpus := unit.Tick(v.Shape(j).Size)
		s.demotedAt = v.Now() + (t.limits[s.level]-a+gpus-1)/gpus
		at, _ := slices.BinarySearchFunc(t.falling, j, t.later)
		t.falling = slices.Insert(t.falling, at, j)
	}
}

// settle takes j out of those that will leave their queue, if it is one.
func (t *tiresias) settle(j model.JobID) {
	if at, found := slices.BinarySearchFunc(t.falling, j, t.later); found {
		t.falling = slices.Delete(t.falling, at, at+1)
	}
}

// later puts the job first that leaves its queue later.
func (t *tiresias) later(a, b model.JobID) int {
	return cmp.Or(cmp.Compare(t.jobs[b].demotedAt, t.jobs[a].demotedAt), cmp.Compare(b, a))
}

// Decide books what has happened to each job, sorts the queues and gives GPUs from the front (Tiresias,
// 2D-LAS with discrete queues).
func (t *tiresias) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	now := v.Now()
	for _, j := range v.Ended() {
		t.leave(j)
		t.settle(j)
		t.jobs[j].known = false
	}
	for _, j := range t.due(v) {
		switch s := t.jobs.Of(j, standing{}); {
		case !s.known:
			*s = standing{known: true, turn: t.next(), joined: now, since: now}
			t.enter(j)
		case s.running && (now >= s.demotedAt || !v.Holds(j)):
			t.leave(j)
			if now >= s.demotedAt {
				t.serve(v, j)
			}
			if !v.Holds(j) { // a fault took its GPUs
				t.stop(j, now)
			}
			t.enter(j)
		}
		// Promotion starts the count of its service and of its wait anew, as for a new job.
		if s := &t.jobs[j]; t.promote > 0 && t.promotes(v, j) {
			t.leave(j)
			s.base, s.wait, s.since, s.turn, s.joined, s.level = v.Attained(j), 0, now, t.next(), now, 0
			t.enter(j)
		}
	}
	t.give(v, p, w)
	if sim.Explains && w.Detail != nil {
		t.explain(v, p, w, t.measure(v))
	}
	t.note(v, p)
}

// due lists by id, since turns are given in that order, the jobs that may come to stand elsewhere by themselves: those
// that wait, because they are new or have lost their GPUs, and those that leave their queue by now. With promotion, and
// in the plain form, it is anybody.
func (t *tiresias) due(v sim.View) []model.JobID {
	if t.promote > 0 || t.lazy == nil {
		return v.Active()
	}
	t.look = append(t.look[:0], v.Waiting()...)
	for i := len(t.falling) - 1; i >= 0 && t.jobs[t.falling[i]].demotedAt <= v.Now(); i-- {
		t.look = append(t.look, t.falling[i])
	}
	if len(t.look) > len(v.Waiting()) {
		slices.Sort(t.look)
	}
	return slices.Compact(t.look)
}

// measure is the queue and the service so far.
func (t *tiresias) measure(v sim.View) measure {
	queue := func(j model.JobID) int32 { return t.jobs[j].level + 1 }
	served := func(j model.JobID) sim.GPUSeconds { return sim.GPUSeconds(v.Attained(j).Seconds()) }
	m := measure{
		title: "Queue 1 goes first; within a queue jobs that run go first, by their start, then who joined it or was stopped first"}
	if t.entered {
		m = measure{title: "Queue 1 goes first; within a queue the job that joined it first"}
	}
	m.columns = []sim.Column{{Name: "In queue"}, {Name: "Attained service", Unit: "GPU-s"}}
	m.cells = func(j model.JobID) []any { return []any{queue(j), float64(served(j))} }
	m.is = func(j model.JobID) words.Text {
		return words.Say("it is in queue {0} after {1} of service", queue(j), served(j))
	}
	m.short = func(j model.JobID) any { return words.Say("queue {0}, {1}", queue(j), served(j)) }
	m.key = func(j model.JobID) float64 { return float64(queue(j)) }
	m.sum = func(j model.JobID) (out []words.Text) {
		s := &t.jobs[j]
		if s.base > 0 {
			a, b := policy.CloseBy(v.Attained(j).Seconds(), s.base.Seconds())
			out = append(out, words.Say("service since it was promoted = {0} − {1} = {2} GPU-s", a, b,
				policy.Four((v.Attained(j)-s.base).Seconds())))
		}
		for k, limit := range t.limits {
			out = append(out, words.Say("queue {0}: below {1} GPU-s of service", k+1, policy.Four(limit.Seconds())))
		}
		return out
	}
	m.tie = func(first, second model.JobID) words.Text {
		switch x, y := &t.jobs[first], &t.jobs[second]; {
		case t.entered && (x.joined != y.joined || first > second):
			return words.Say("within a queue the job goes first that joined it first")
		case t.entered:
		case x.running != y.running:
			return words.Say("within a queue jobs that run go first")
		case x.running && x.started != y.started:
			return words.Say("within a queue the running job goes first that started first")
		case !x.running && (x.joined != y.joined || first > second): // who joins does so before others are stopped
			return words.Say("within a queue the waiting job goes first that joined it or was stopped first")
		}
		return policy.ByAge(v, first, second)
	}
	return m
}

// stop books that a job no longer runs.
func (t *tiresias) stop(j model.JobID, now unit.Tick) {
	t.settle(j)
	s := &t.jobs[j]
	if s.running, s.since = false, now; !t.entered {
		s.turn, s.joined = t.next(), now
	}
}

// before says whether a stands before b: the first queue goes first, in each the running jobs by start, then the
// pending ones by turn.
func (t *tiresias) before(a, b model.JobID) bool {
	x, y := &t.jobs[a], &t.jobs[b]
	switch {
	case x.level != y.level:
		return x.level < y.level
	case t.entered && x.turn != y.turn:
		return x.turn < y.turn
	case t.entered:
		return a < b
	case x.running != y.running:
		return x.running
	case x.running && x.started != y.started:
		return x.started < y.started
	case !x.running && x.turn != y.turn:
		return x.turn < y.turn
	}
	return a < b
}

// next is a number greater than any given before; it says who came later into a queue.
func (t *tiresias) next() int64 {
	t.clock++
	return t.clock
}

// promotes says whether a waiting job that has run returns to the first queue, because it has waited
// too long against what it has had.
func (t *tiresias) promotes(v sim.View, j model.JobID) bool {
	at, ok := t.promotion(v, j)
	return ok && !t.jobs[j].running && v.Now() >= at
}

// promotion is when a waiting job's wait reaches promote times its executed time.
func (t *tiresias) promotion(v sim.View, j model.JobID) (unit.Tick, bool) {
	s := &t.jobs[j]
	if t.promote <= 0 || s.level == 0 {
		return 0, false
	}
	executed := (v.Attained(j) - s.base) / unit.Tick(v.Shape(j).Size)
	if executed <= 0 {
		return 0, false
	}
	return s.since + max(0, unit.Seconds(float64(t.promote*executed.Seconds()))-s.wait), true
}

// note books who starts and stops under the plan, in the order of ids, and asks to be woken when the next job changes
// its queue.
func (t *tiresias) note(v sim.View, p *sim.Plan) {
	now, wake := v.Now(), unit.Never
	for _, j := range slices.Sorted(slices.Values(t.visited(v))) {
		s, holds := &t.jobs[j], p.Holds(j)
		if holds == s.running {
			continue
		}
		t.leave(j)
		if holds {
			s.running, s.started = true, now
			s.wait += now - s.since
			t.serve(v, j)
		} else {
			t.stop(j, now)
		}
		t.enter(j)
	}
	if t.rounds {
		return
	}
	if n := len(t.falling); n > 0 {
		wake = t.jobs[t.falling[n-1]].demotedAt
	}
	if t.promote > 0 {
		for _, j := range v.Active() {
			if at, ok := t.promotion(v, j); ok && !t.jobs[j].running && at > now {
				wake = min(wake, at)
			}
		}
	}
	p.WakeAt(wake)
}
