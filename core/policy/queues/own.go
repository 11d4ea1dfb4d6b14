package queues

import (
	"math"
	"slices"

	"hadarlab/core/formula"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/words"
)

// facts are what a formula may use of a job and of the cluster, at a decision. ok is false for what is not known. A
// formula that reads a length knows lengths, as the scenario lets it; any other is not told them.
var facts = []struct {
	policy.Fact
	length bool
	of     func(o *own, v sim.View, j model.JobID) (value float64, ok bool)
}{
	{Fact: policy.Fact{As: "job.arrival", Unit: "s", Means: "when it came"},
		of: func(_ *own, v sim.View, j model.JobID) (float64, bool) { return v.Arrive(j).Seconds(), true }},
	{Fact: policy.Fact{As: "job.age", Unit: "s", Means: "time since it came"},
		of: func(_ *own, v sim.View, j model.JobID) (float64, bool) {
			return (v.Now() - v.Arrive(j)).Seconds(), true
		}},
	{Fact: policy.Fact{As: "job.gpus", Means: "GPUs that it asks for"},
		of: func(_ *own, v sim.View, j model.JobID) (float64, bool) { return float64(v.Shape(j).Size), true }},
	{Fact: policy.Fact{As: "job.speed", Unit: "steps/s", Means: "its speed with all its GPUs of the type that suits it best"},
		of: func(o *own, v sim.View, j model.JobID) (float64, bool) { return policy.BestRate(o.cluster, v, j), true }},
	{Fact: policy.Fact{As: "job.steps", Unit: "steps", Means: "its length"}, length: true,
		of: func(_ *own, v sim.View, j model.JobID) (float64, bool) {
			total, known := v.Total(j)
			return float64(total), known
		}},
	{Fact: policy.Fact{As: "job.steps_done", Unit: "steps", Means: "what it has done"},
		of: func(_ *own, v sim.View, j model.JobID) (float64, bool) { return float64(v.Done(j)), true }},
	{Fact: policy.Fact{As: "job.steps_left", Unit: "steps", Means: "what it still has to do"}, length: true,
		of: func(_ *own, v sim.View, j model.JobID) (float64, bool) {
			left, known := v.Remaining(j)
			return float64(left), known
		}},
	{Fact: policy.Fact{As: "job.service", Unit: "GPU-s", Means: "GPU time that it has had"},
		of: func(_ *own, v sim.View, j model.JobID) (float64, bool) { return v.Attained(j).Seconds(), true }},
	{Fact: policy.Fact{As: "job.running", Means: "1 while it holds GPUs, else 0"},
		of: func(_ *own, v sim.View, j model.JobID) (float64, bool) {
			if v.Holds(j) {
				return 1, true
			}
			return 0, true
		}},
	{Fact: policy.Fact{As: "job.weight", Means: "its weight"},
		of: func(_ *own, v sim.View, j model.JobID) (float64, bool) { return v.Weight(j), true }},
	{Fact: policy.Fact{As: "job.deadline", Unit: "s", Means: "when it should be done; not known where it has none"},
		of: func(_ *own, v sim.View, j model.JobID) (float64, bool) {
			at, has := v.Deadline(j)
			return at.Seconds(), has
		}},
	{Fact: policy.Fact{As: "cluster.now", Unit: "s", Means: "the time of the decision"},
		of: func(_ *own, v sim.View, _ model.JobID) (float64, bool) { return v.Now().Seconds(), true }},
	{Fact: policy.Fact{As: "cluster.gpus", Means: "GPUs in service"},
		of: func(o *own, v sim.View, _ model.JobID) (float64, bool) { return float64(o.inService(v)), true }},
	{Fact: policy.Fact{As: "cluster.jobs", Means: "jobs that have come and are not done"},
		of: func(_ *own, v sim.View, _ model.JobID) (float64, bool) { return float64(len(v.Active())), true }},
	{Fact: policy.Fact{As: "cluster.waiting", Means: "those of them that hold no GPUs"},
		of: func(_ *own, v sim.View, _ model.JobID) (float64, bool) { return float64(len(v.Waiting())), true }},
}

var keyParam = policy.Param{Name: "key", Title: "Who goes first", Kind: policy.Formula, Default: "job.arrival",
	Facts: told(), Help: "An expression; the job for which it is least goes first, of equal ones the older. " +
		"A job for which it has no value goes last."}

func told() (list []policy.Fact) {
	for i := range facts {
		list = append(list, facts[i].Fact)
	}
	return list
}

func init() {
	policy.Register(&policy.Spec{
		ID: "own", Title: "Your own order", Rev: 1,
		Summary: "You write who goes first, as one expression of job and cluster.",
		Source:  "the expressions are a part of Starlark; the order and its moves to faster types ours",
		Formula: "the parameter key, least first",
		Cadence: func(m model.Public, v policy.Values) sim.Cadence {
			c := sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}
			if v.Bool("rounds") {
				c.Every = m.Round
			}
			return c
		},
		Params: []policy.Param{keyParam,
			{Name: "preempt", Title: "Take GPUs from those behind", Kind: policy.Bool, Default: false,
				Help: "A job may take the GPUs of jobs that come after it in the order. Off: who runs is not stopped."},
			{Name: "skip", Title: "Skip jobs that do not fit", Kind: policy.Bool, Default: false,
				Help: "Jobs behind a blocked one may start if they fit. Always on where GPUs are taken from those behind."},
			{Name: "rounds", Title: "Decide at each round", Kind: policy.Bool, Default: false,
				Help: "The order is looked at when each round begins, too: for an expression that changes with time."},
			migrateParam},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			f, err := keyParam.Read(v["key"].(string))
			if err != nil {
				return nil, err
			}
			o := &own{cluster: m.Cluster, formula: f, takes: v.Bool("preempt"), skip: v.Bool("skip"),
				moves: v.Bool("migrate")}
			o.queue = o.newQueue()
			return o, nil
		},
	})
}

// own is a queue by a formula that somebody wrote.
type own struct {
	cluster            *model.Cluster
	formula            *formula.Formula
	takes, skip, moves bool
	queue              preemptive
}

// newQueue makes the queue in its plain form: what a formula gives may change for every job between two decisions.
func (o *own) newQueue() preemptive {
	left := doneSoFar
	if slices.ContainsFunc(o.formula.Uses(), func(i int) bool { return facts[i].length }) {
		left = knownLeft
	}
	return preemptive{cluster: o.cluster, mover: mover{on: o.moves, left: left}}
}

// Clone copies the parameters; the order is made anew at each decision.
func (o *own) Clone() sim.Policy {
	c := *o
	c.queue = c.newQueue()
	return &c
}

func (o *own) inService(v sim.View) (n int32) {
	for t := range o.cluster.Types {
		n += v.CapacityOf(model.TypeID(t))
	}
	return n
}

// noValue is the key of a job for which the formula has none: behind all others.
const noValue = math.MaxFloat64

// key is what the formula gives for a job.
func (o *own) key(v sim.View, j model.JobID) float64 {
	if x, ok := o.formula.Value(o.values(v, j)); ok {
		return x
	}
	return noValue
}

// values are those of the names, for a job.
func (o *own) values(v sim.View, j model.JobID) func(int) (float64, bool) {
	return func(i int) (float64, bool) { return facts[i].of(o, v, j) }
}

// Decide serves the jobs in the order of the formula's present values.
func (o *own) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	o.queue.key = func(j model.JobID) float64 { return o.key(v, j) }
	if o.takes {
		o.queue.give(v, p, w)
		if w.Detail != nil {
			o.queue.explain(v, p, w, o.measure(v))
		}
		return
	}
	var waiting []model.JobID
	o.queue.sort(v.Waiting())
	for _, r := range o.queue.order {
		waiting = append(waiting, r.job)
	}
	head := serve(o.cluster, &o.queue.placer, v, p, w, waiting, o.skip, o.queue.key,
		func(at int, _ model.JobID) []model.JobID { return waiting[at:] })
	if w.Detail != nil {
		w.Detail.Order = append(w.Detail.Order, waiting...)
		o.queue.sort(v.Active())
		explainQueue(o.cluster, v, p, w, o.queue.order, head, o.measure(v))
	}
}

// measure is the formula's value, reckoned before the reader.
func (o *own) measure(v sim.View) measure {
	key := func(j model.JobID) float64 { return o.key(v, j) }
	none := func(j model.JobID) bool { return key(j) == noValue }
	m := byNumber("The least goes first", "Key", "", "its key is {0}", key)
	is := m.is
	m.cells = func(j model.JobID) []any {
		if none(j) {
			return []any{nil}
		}
		return []any{key(j)}
	}
	m.is = func(j model.JobID) words.Text {
		if none(j) {
			return words.Say("the formula has no value for it")
		}
		return is(j)
	}
	m.short = func(j model.JobID) any {
		if none(j) {
			return words.Say("no value")
		}
		return key(j)
	}
	m.sum = func(j model.JobID) []words.Text {
		written, filled := words.Text{}, words.Text{}
		for _, piece := range o.formula.Pieces() {
			text := words.Own(piece.Text)
			written = words.Say("{0}{1}", written, text)
			filled = words.Say("{0}{1}", filled, text)
			if piece.Name < 0 {
				continue
			}
			figure := any(words.Say("(not known)"))
			if x, ok := facts[piece.Name].of(o, v, j); ok {
				figure = policy.Four(x)
			}
			written = words.Say("{0}{1}", written, words.Own(facts[piece.Name].As))
			filled = words.Say("{0}{1}", filled, figure)
		}
		if none(j) {
			return []words.Text{words.Say("key = {0} = {1}: no value", written, filled)}
		}
		return []words.Text{words.Say("key = {0} = {1} = {2}", written, filled, policy.Four(key(j)))}
	}
	return m
}
