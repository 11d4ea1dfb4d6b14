package policy

import (
	"math"
	"math/rand/v2"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/share"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// sharer computes the fractions of time of Gavel's family. Fractions fills x[i*types+t] for the jobs
// of in; it may keep state between allocations.
type sharer interface {
	fractions(in *shareInput, x []float64)
	clone() sharer
}

// shareInput is what an allocation is computed from. All per-job slices are in order of arrival.
type shareInput struct {
	view     sim.View
	jobs     []model.JobID
	rates    []float64 // steps per second of the whole gang, by job and type; 0 = cannot run
	gpus     []float64 // s_i
	weights  []float64 // w_i
	capacity []float64 // N_j
}

// gavel is the mechanism of Gavel (OSDI 2020) around a sharer: rounds of at most round_s that end
// with their longest task, whole steps, received time against target shares, and a throttled
// recomputation of the fractions.
type gavel struct {
	cluster *model.Cluster
	round   unit.Tick
	mech    *share.Mechanism
	sharer  sharer
	tasks   []task // of the round that ends now
	start   unit.Tick
	shuffle *rand.PCG // types choose in an order drawn anew each round; nil = fastest first

	in    shareInput
	cands []share.Candidate
	rates []unit.Rate // backing of the candidates' rates
	free  []int32
	group []share.Pick
	gang  []sim.Shard
	x     []float64
	types []model.TypeID
}

// task is one job's run in a round.
type task struct {
	job model.JobID
	typ model.TypeID
	end unit.Tick // when its steps are done, or the round's nominal end if it does none
}

// gavelCadence: a round ends when its longest task does, which the policy asks to be woken for; an
// arrival matters at once only on an idle cluster.
var gavelCadence = sim.Cadence{On: sim.ArrivalIdle | sim.Capacity}

// minReset is M, common to the family.
var minReset = Param{Name: "min_reset_s", Title: "Least time between allocations", Kind: Float, Unit: "s", Default: 1920.0, Min: 0, Max: 1e7,
	Help: "The fractions of time are recomputed when jobs come or go, but not more often than this."}

func newGavel(m model.Public, v Values, s sharer, strict bool) *gavel {
	return &gavel{cluster: m.Cluster, round: m.Round, sharer: s,
		mech: share.New(len(m.Cluster.Types), m.Round, unit.Seconds(v.Float("min_reset_s")), strict)}
}

func (g *gavel) Clone() sim.Policy {
	c := &gavel{cluster: g.cluster, round: g.round, mech: g.mech.Clone(), sharer: g.sharer.clone(),
		tasks: slices.Clone(g.tasks), start: g.start}
	if g.shuffle != nil {
		state := *g.shuffle
		c.shuffle = &state
	}
	return c
}

func (g *gavel) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	now := v.Now()
	for _, t := range g.tasks {
		g.mech.Book(t.job, t.typ, min(t.end, now)-g.start)
	}
	for _, j := range v.Ended() {
		g.mech.Remove(j)
	}
	for _, j := range v.Arrived() {
		g.mech.Admit(j)
	}
	g.tasks, g.start = g.tasks[:0], now
	g.candidates(v)
	g.types = append(g.types[:0], g.cluster.BySpeed...)
	if g.shuffle != nil {
		rand.New(g.shuffle).Shuffle(len(g.types), func(i, k int) { g.types[i], g.types[k] = g.types[k], g.types[i] })
	}

	if g.mech.Due(now, false) {
		g.reset(v)
	}
	picks := g.choose(v)
	if !slices.ContainsFunc(picks, func(p share.Pick) bool { return p.Allocated }) && g.mech.Due(now, true) {
		// Nobody in the allocation can run: an idle cluster need not wait for the next reset.
		g.reset(v)
		picks = g.choose(v)
	}
	g.record(v, w, picks)
	p.Clear()
	g.place(v, p, picks)
	end := unit.Tick(0)
	for _, t := range g.tasks {
		end = max(end, t.end)
	}
	if len(g.tasks) > 0 {
		p.WakeAt(end)
	}
}

// candidates collects the active jobs with their speeds. A type with fewer GPUs than the gang has
// speed 0: Gavel keeps a gang on one type, so a fraction of time there could never be granted.
func (g *gavel) candidates(v sim.View) {
	types := len(g.cluster.Types)
	jobs := v.Active()
	g.cands = g.cands[:0]
	g.rates = slices.Grow(g.rates[:0], len(jobs)*types)[:len(jobs)*types]
	for i, j := range jobs {
		size, speed := v.Shape(j).Min, v.Speed(j, 0)
		r := g.rates[i*types : (i+1)*types]
		for t := range r {
			r[t] = speed.Rate(model.TypeID(t), size, false)
			if g.count(v, model.TypeID(t)) < size {
				r[t] = 0
			}
		}
		g.cands = append(g.cands, share.Candidate{Job: j, GPUs: size, Rates: r})
	}
}

func (g *gavel) count(v sim.View, t model.TypeID) int32 {
	n := int32(0)
	for s := range g.cluster.Slots {
		if g.cluster.Slots[s].Type == t {
			n += v.Capacity(model.SlotID(s))
		}
	}
	return n
}

// reset computes new fractions for the jobs that can run at all.
func (g *gavel) reset(v sim.View) {
	in, types := &g.in, len(g.cluster.Types)
	in.view = v
	in.jobs, in.rates, in.gpus, in.weights = in.jobs[:0], in.rates[:0], in.gpus[:0], in.weights[:0]
	for i := range g.cands {
		c := &g.cands[i]
		if !runs(c) {
			continue
		}
		in.jobs = append(in.jobs, c.Job)
		in.gpus = append(in.gpus, float64(c.GPUs))
		in.weights = append(in.weights, v.Weight(c.Job))
		for _, r := range c.Rates {
			in.rates = append(in.rates, float64(r))
		}
	}
	in.capacity = in.capacity[:0]
	for t := range types {
		in.capacity = append(in.capacity, float64(g.count(v, model.TypeID(t))))
	}
	g.x = slices.Grow(g.x[:0], len(in.jobs)*types)[:len(in.jobs)*types]
	clear(g.x)
	if len(in.jobs) > 0 {
		g.sharer.fractions(in, g.x)
	}
	for k, r := range in.rates {
		// A ten-millionth of the time is finer than a round can grant and coarser than the solver's
		// noise: jobs that are alike tie, and tie by age.
		g.x[k] = math.Floor(float64(g.x[k]*1e7)+0.5) / 1e7
		if r <= 0 { // the programme may leave time where it is of no use; nobody owes it
			g.x[k] = 0
		}
	}
	g.mech.Reset(v.Now(), in.jobs, g.x)
}

func runs(c *share.Candidate) bool {
	return slices.ContainsFunc(c.Rates, func(r unit.Rate) bool { return r > 0 })
}

func (g *gavel) choose(v sim.View) []share.Pick {
	g.free = g.free[:0]
	for t := range g.cluster.Types {
		g.free = append(g.free, g.count(v, model.TypeID(t)))
	}
	return g.mech.Choose(g.types, g.cands, g.free)
}

// place gives the picks of each type their GPUs: large gangs first; among gangs of one size those
// that ran on this type keep their GPUs if all are still free; the rest fill node after node.
func (g *gavel) place(v sim.View, p *sim.Plan, picks []share.Pick) {
	for from := 0; from < len(picks); {
		to := from
		for to < len(picks) && picks[to].Type == picks[from].Type {
			to++
		}
		g.group = append(g.group[:0], picks[from:to]...)
		from = to
		slices.SortStableFunc(g.group, func(a, b share.Pick) int { return int(g.cands[b.At].GPUs - g.cands[a.At].GPUs) })
		for a := 0; a < len(g.group); {
			b := a
			for b < len(g.group) && g.cands[g.group[b].At].GPUs == g.cands[g.group[a].At].GPUs {
				b++
			}
			for k := range g.group[a:b] {
				if q := &g.group[a+k]; q.Allocated && g.keeps(v, p, q) {
					g.run(v, p, q)
					q.Allocated = false // done
				}
			}
			for k := range g.group[a:b] {
				if q := &g.group[a+k]; q.Allocated && g.fill(p, q) {
					g.run(v, p, q)
				}
			}
			a = b
		}
	}
}

// keeps puts the GPUs that the job has held into g.gang if they are of the type and still free.
func (g *gavel) keeps(v sim.View, p *sim.Plan, q *share.Pick) bool {
	if !v.Holds(q.Job) {
		return false
	}
	g.gang = append(g.gang[:0], v.Gang(q.Job, 0)...)
	for _, sh := range g.gang {
		if g.cluster.Slots[sh.Slot].Type != q.Type || p.Free(sh.Slot) < sh.N {
			return false
		}
	}
	return true
}

// fill puts the first free GPUs of the type, node after node, into g.gang.
func (g *gavel) fill(p *sim.Plan, q *share.Pick) bool {
	g.gang = g.gang[:0]
	want := g.cands[q.At].GPUs
	for s := range g.cluster.Slots {
		if n := min(p.Free(model.SlotID(s)), want); n > 0 && g.cluster.Slots[s].Type == q.Type {
			g.gang = append(g.gang, sim.Shard{Slot: model.SlotID(s), N: n})
			if want -= n; want == 0 {
				return true
			}
		}
	}
	return false
}

// run states the gang with the whole steps it does in this round.
func (g *gavel) run(v sim.View, p *sim.Plan, q *share.Pick) {
	now := v.Now()
	stall := v.Charge(q.Job, g.gang)
	rate := v.Rate(q.Job, 0, g.gang)
	quota := rate.WholeSteps(g.round - stall)
	if quota == 0 {
		// Less than one step a round: whole steps would never progress.
		quota = rate.Over(max(0, g.round-stall))
	}
	if left, ok := v.Remaining(q.Job); ok {
		quota = min(quota, left)
	}
	end := now + g.round
	if quota > 0 {
		end = now + stall + rate.Until(quota)
	}
	p.Open(q.Job, 0)
	for _, sh := range g.gang {
		p.Take(sh.Slot, sh.N)
	}
	p.Quota(quota)
	if p.Close() {
		g.tasks = append(g.tasks, task{q.Job, q.Type, end})
	}
}

// record states the reasons: priority, target and received share on the type that matters.
func (g *gavel) record(v sim.View, w *sim.Why, picks []share.Pick) {
	typeOf := func(j model.JobID) model.TypeID {
		for i := range picks {
			if picks[i].Job == j && picks[i].Allocated {
				return picks[i].Type
			}
		}
		return model.None
	}
	for i := range g.cands {
		c := &g.cands[i]
		on := typeOf(c.Job)
		if w.Detail != nil {
			w.Detail.Choices = append(w.Detail.Choices, g.detail(c))
		}
		switch {
		case on != model.None:
			target, got, priority, _ := g.mech.Standing(c.Job, on, c.Rates[on])
			w.Chose(c.Job, priority, target, got)
		case !runs(c):
			total, most := int32(0), int32(0)
			for t := range g.cluster.Types {
				n := g.count(v, model.TypeID(t))
				total, most = total+n, max(most, n)
			}
			w.Wait(c.Job, trace.WaitShape, float64(c.GPUs), float64(total), float64(most))
		case !g.mech.Allocated(c.Job):
			w.Wait(c.Job, trace.WaitReset, max(0, g.mech.NextReset()-v.Now()).Seconds(), 0, 0)
		default:
			best, bestTarget, bestGot := 0.0, 0.0, 0.0
			for t := range c.Rates {
				if target, got, priority, _ := g.mech.Standing(c.Job, model.TypeID(t), c.Rates[t]); priority > best {
					best, bestTarget, bestGot = priority, target, got
				}
			}
			w.Wait(c.Job, trace.WaitShare, bestTarget, bestGot, best)
		}
	}
	if w.Detail != nil {
		for _, q := range picks {
			w.Detail.Order = append(w.Detail.Order, q.Job)
		}
	}
}

func (g *gavel) detail(c *share.Candidate) sim.Choice {
	ch := sim.Choice{Job: c.Job}
	for _, t := range g.cluster.BySpeed {
		target, got, priority, deficit := g.mech.Standing(c.Job, t, c.Rates[t])
		ch.Shares = append(ch.Shares, sim.Share{Type: t, Target: target, Received: got, Priority: priority,
			Deficit: unit.Seconds(deficit), Rate: c.Rates[t]})
	}
	return ch
}
