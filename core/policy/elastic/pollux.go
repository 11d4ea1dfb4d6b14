package elastic

import (
	"cmp"
	"slices"

	"hadarlab/core/goodput"
	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Pollux lets every job choose its batch for the GPUs it has, learns how fast each is and how much its examples bring,
// and shifts GPUs to where the goodput of all, relative to a fair share, has the best power mean.
//
// It is blind to GPU types, as the original is: a job has one model over all of them, and where the search spreads a
// job over several, it keeps the type with the most GPUs, of equals the fastest.
func init() {
	policy.Register(&policy.Spec{
		ID: "pollux", Title: "Pollux", Rev: 1,
		Summary: "Adapts batches and GPUs together: each job learns its goodput, and a genetic search looks for the allocation with the best mean speedup.",
		Source:  "Pollux (OSDI 2021) and its artifact; the fast search (20 × 20, cold start) and one GPU type for jobs of a fixed size of several GPUs ours; blind to GPU types as in Sia's comparison (SOSP 2023), but nodes of 8 are not split in two",
		Formula: "goodput = throughput × efficiency; speedup = best goodput on its GPUs ÷ that on a fair share; Fitness = (mean of speedup^p)^(1/p), a speedup × (age − restarts × delay) ÷ (age + delay) where the job’s GPUs would change",
		Cadence: func(_ model.Public, v policy.Values) sim.Cadence {
			return sim.Cadence{Every: unit.Seconds(v.Float("every_s"))}
		},
		Needs:  policy.Needs{Profiles: true, Elastic: true},
		Random: func(policy.Values) bool { return true },
		Params: []policy.Param{
			{Name: "every_s", Title: "Interval", Kind: policy.Float, Unit: "s", Default: 60.0, Min: 1, Max: 1e7,
				Help: "How often GPUs are shared out anew."},
			{Name: "p", Title: "Fairness p", Kind: policy.Float, Default: -1.0, Min: -10, Max: 1,
				Help: "Exponent of the power mean of the speedups: 1 is their plain mean, 0 the geometric one, and the less, the more the worst off count."},
			polluxSearch,
			{Name: "population", Title: "Population", Kind: policy.Int, Default: 0.0, Min: 0, Max: 200,
				Help: "Allocations that the search keeps. 0 = as the search says."},
			{Name: "generations", Title: "Generations", Kind: policy.Int, Default: 0.0, Min: 0, Max: 200,
				Help: "How often the search breeds new ones, the first population included. 0 = as the search says."},
			{Name: "apart", Title: "Avoid interference", Kind: policy.Bool, Default: true,
				Help: "A node takes part in at most one job that spans several nodes."},
		},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			x := &pollux{cluster: m.Cluster, delay: m.Costs.Load.Seconds(), search: &goodput.Search{Power: v.Float("p"),
				Population: 20, Generations: 20, Apart: v.Bool("apart"), Random: unit.Source(m.Seed, "pollux search")}}
			if v.Choice(polluxSearch) == 1 {
				x.search.Population, x.search.Generations, x.search.Warm = 100, 100, true
			}
			if n := v.Int("population"); n > 0 {
				x.search.Population = n
			}
			if n := v.Int("generations"); n > 0 {
				x.search.Generations = n
			}
			for s, slot := range m.Cluster.Slots {
				for range (slot.Cap + goodput.MaxColumn - 1) / goodput.MaxColumn {
					x.columns = append(x.columns, model.SlotID(s))
				}
			}
			return x, nil
		},
	})
}

// polluxSearch says how far the search goes.
var polluxSearch = policy.Param{Name: "search", Title: "Search", Kind: policy.Choice, Default: "fast",
	Choices: []string{"fast", "paper"},
	Help:    "fast: 20 allocations over 20 generations, beginning with what jobs hold. paper: 100 over 100, beginning with the best of the interval before."}

// The paper's limits of a job that may grow.
const (
	polluxGPUs  = 64
	polluxNodes = 16
)

// pollux keeps what each job has learned of itself, and where the search stands.
type pollux struct {
	cluster *model.Cluster
	delay   float64        // s, by which a restart is discounted
	columns []model.SlotID // of the search's matrix: a slot, or a part of one that is very large
	search  *goodput.Search
	jobs    policy.ByJob[learner]

	// Scratch of one decision.
	order  []model.JobID
	tasks  []goodput.Task // in that order
	usable []int32        // GPUs by column
	spare  []int32        // those that nobody holds
	byType []int32
	gang   []model.Shard
	gets   []gained // by task
}

// gained is how many GPUs a job gets, whether on several nodes, and whether they are those that it holds.
type gained struct {
	gpus          int32
	several, kept bool
	found         int32 // GPUs that the search has for it, of all types
	refused       bool  // it has no speed on them as they lie
}

// learner is what is known of one job.
type learner struct {
	known    bool
	started  bool
	restarts int32
	refused  int32         // a gang so large had no speed; 0 = none was refused
	held     []model.Shard // at the last decision
	batches  model.Batches // on the type it ran on last
	phi      float64       // examples
	seen     goodput.Observed
	curve    *goodput.Curve
	now      []int32 // GPUs by column
	barred   []bool  // columns that it cannot use; nil = none
}

// Clone copies what the jobs have learned, and the state of the search. What follows from it is worked out anew.
func (x *pollux) Clone() sim.Policy {
	c := &pollux{cluster: x.cluster, delay: x.delay, columns: x.columns, search: x.search.Clone(),
		jobs: slices.Clone(x.jobs)}
	for i := range c.jobs {
		if l := &c.jobs[i]; l.known {
			l.held, l.seen, l.curve, l.now, l.barred = slices.Clone(l.held), l.seen.Clone(), &goodput.Curve{}, nil, nil
			l.believe()
		}
	}
	return c
}

// Decide lets the jobs learn, searches an allocation, and states it.
func (x *pollux) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	for _, j := range v.Ended() {
		if int(j) < len(x.jobs) {
			x.jobs[j] = learner{}
		}
	}
	if len(v.Active()) == 0 {
		return
	}
	for _, j := range v.Active() {
		x.learn(v, j)
	}
	x.prepare(v)
	x.search.Run(x.tasks, x.usable)
	p.Clear()
	x.gets = append(x.gets[:0], make([]gained, len(x.tasks))...)
	for i := range x.tasks {
		for c := range x.columns {
			x.gets[i].found += x.search.Best(i, c)
		}
	}
	for _, moves := range [...]bool{false, true} { // who stays has its place before others move
		for i := range x.tasks {
			x.allot(i)
			j := model.JobID(x.tasks[i].ID)
			l := &x.jobs[j]
			change := !slices.Equal(x.gang, l.held)
			if change != moves || len(x.gang) == 0 {
				continue
			}
			size, tier := sim.Measure(x.cluster, x.gang)
			if change && !place.Put(p, j, 1, x.gang) {
				l.refused, x.gets[i].refused = size, true
				size, tier = sim.Measure(x.cluster, l.held)
				change = false
			}
			if change || p.Keep(j) {
				g := &x.gets[i]
				g.gpus, g.several, g.kept = size, tier != model.OneNode, !change
			}
		}
	}
	x.record(v, p, w)
}

// learn takes note of what j holds, and of what it has measured there.
func (x *pollux) learn(v sim.View, j model.JobID) {
	l := x.jobs.Of(j, learner{})
	if !l.known {
		*l = learner{known: true, curve: &goodput.Curve{}, held: l.held}
		for _, t := range x.cluster.BySpeed {
			if b, _ := v.Batches(j, t); b.High > 0 {
				l.batches = b
				break
			}
		}
	}
	var gang []model.Shard
	if v.Holds(j) {
		if gang = v.Gang(j, 0); !slices.Equal(gang, l.held) {
			if l.started {
				l.restarts++
			}
			l.started = true
		}
	}
	l.held = append(l.held[:0], gang...)
	if got, ok := v.Sample(j); ok && got.Grad > 0 && got.Iter > 0 {
		l.batches, _ = v.Batches(j, got.Type)
		l.phi = got.Phi
		if l.seen.Add(got.GPUs, got.Batch, got.Tier != model.OneNode, got.Grad, got.Iter) {
			l.seen.Fit()
		}
	}
	l.believe()
}

// believe brings the curve up to date with what was learned.
func (l *learner) believe() {
	if l.seen.Any() {
		l.curve.Set(&l.seen.Perf, l.phi, l.batches)
	}
}

// prepare makes the tasks of the search: least attained service first, then who came first.
func (x *pollux) prepare(v sim.View) {
	x.usable, x.tasks = x.usable[:0], x.tasks[:0]
	for c, s := range x.columns {
		left := v.Capacity(s)
		for k := c; k > 0 && x.columns[k-1] == s; k-- {
			left -= x.usable[k-1]
		}
		x.usable = append(x.usable, min(left, goodput.MaxColumn))
	}
	x.spare = append(x.spare[:0], x.usable...)
	for _, j := range v.Active() {
		l := &x.jobs[j]
		l.now = append(l.now[:0], make([]int32, len(x.columns))...)
		for _, sh := range l.held {
			left := sh.N
			for c, s := range x.columns {
				if s == sh.Slot {
					n := min(left, x.spare[c])
					l.now[c], x.spare[c], left = n, x.spare[c]-n, left-n
				}
			}
		}
	}
	x.order = append(x.order[:0], v.Active()...)
	slices.SortStableFunc(x.order, func(i, j model.JobID) int {
		if d := cmp.Compare(v.Attained(i), v.Attained(j)); d != 0 {
			return d
		}
		return cmp.Compare(v.Arrive(i), v.Arrive(j))
	})
	for _, j := range x.order {
		l, shape := &x.jobs[j], v.Shape(j)
		x.bar(v, j)
		t := goodput.Task{ID: int32(j), Curve: l.curve, Least: shape.Min, Most: shape.Max, Step: shape.Step,
			Nodes: int32(len(x.columns)), Barred: l.barred, Now: l.now,
			Discount: goodput.Discount((v.Now() - v.Arrive(j)).Seconds(), x.delay, l.restarts)}
		if shape.Max > shape.Min {
			t.Most, t.Nodes = x.limit(l, shape), polluxNodes
		}
		x.tasks = append(x.tasks, t)
	}
}

// limit is how many GPUs a job may have now that could use some range of them: at most twice as many as it has
// measured, and fewer than were refused as they lay, but for as many as it runs on.
func (x *pollux) limit(l *learner, shape model.Shape) int32 {
	seen := l.seen.Most()
	most := min(max(1, 2*seen, seen+shape.Step), polluxGPUs, shape.Max)
	most = min(most, l.batches.GPUs())
	if l.refused > 0 {
		held := int32(0)
		for _, sh := range l.held {
			held += sh.N
		}
		most = min(most, max(l.refused-1, held))
	}
	return max(most, shape.Min)
}

// bar finds the columns that j cannot use: those of types on which its model does not run and, for a job of a fixed
// size beyond one GPU, of all types but one, since it could not run on a part of what the search gives it: the one it
// is on, or that has most GPUs to spare (ours).
func (x *pollux) bar(v sim.View, j model.JobID) {
	l, shape := &x.jobs[j], v.Shape(j)
	only := model.TypeID(model.None)
	if shape.Max == shape.Min && shape.Max > 1 && len(x.cluster.Types) > 1 {
		if len(l.held) > 0 {
			only = x.cluster.Slots[l.held[0].Slot].Type
		} else {
			free := int32(-1)
			for _, t := range x.cluster.BySpeed {
				if b, _ := v.Batches(j, t); b.High <= 0 || v.CapacityOf(t) < shape.Min {
					continue
				}
				sum := int32(0)
				for c, s := range x.columns {
					if x.cluster.Slots[s].Type == t {
						sum += x.spare[c]
					}
				}
				if sum > free {
					only, free = t, sum
				}
			}
		}
	}
	l.barred = l.barred[:0]
	any := false
	for _, s := range x.columns {
		t := x.cluster.Slots[s].Type
		b, _ := v.Batches(j, t)
		barred := b.High <= 0 || only >= 0 && t != only
		any = any || barred
		l.barred = append(l.barred, barred)
	}
	if !any {
		l.barred = nil
	}
}

// allot makes the gang of the i-th task from the search's answer: of the type with the most GPUs.
func (x *pollux) allot(i int) {
	x.byType = append(x.byType[:0], make([]int32, len(x.cluster.Types))...)
	for c, s := range x.columns {
		x.byType[x.cluster.Slots[s].Type] += x.search.Best(i, c)
	}
	best := x.cluster.BySpeed[0]
	for _, t := range x.cluster.BySpeed {
		if x.byType[t] > x.byType[best] {
			best = t
		}
	}
	task := &x.tasks[i]
	size := x.byType[best]
	if size -= task.Least; task.Step > 1 && size > 0 {
		size -= size % task.Step
	}
	size += task.Least
	x.gang = x.gang[:0]
	if size < task.Least {
		return
	}
	for c, s := range x.columns {
		n := min(x.search.Best(i, c), size)
		if n == 0 || x.cluster.Slots[s].Type != best {
			continue
		}
		size -= n
		if k := len(x.gang); k > 0 && x.gang[k-1].Slot == s {
			x.gang[k-1].N += n
		} else {
			x.gang = append(x.gang, model.Shard{Slot: s, N: n})
		}
	}
}

// record states a reason for every job.
func (x *pollux) record(v sim.View, p *sim.Plan, w *sim.Why) {
	free := int32(0)
	for s := range x.cluster.Slots {
		free += p.Free(model.SlotID(s))
	}
	for i := range x.tasks {
		t := &x.tasks[i]
		j := model.JobID(t.ID)
		if g := x.gets[i]; g.gpus > 0 {
			w.Chose(j, x.search.Speedup(i, g.gpus, g.several), t.Curve.Goodput(g.gpus, g.several), t.Discount)
			continue
		}
		w.Wait(j, trace.WaitSearch, x.search.Speedup(i, t.Least, false), t.Discount, float64(free))
	}
	if sim.Explains && w.Detail != nil {
		x.explain(v, w)
	}
}
