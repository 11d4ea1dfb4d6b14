package policy

import (
	"math"
	"math/rand/v2"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/share"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// sharer computes the fractions of time of Gavel's family.
type sharer interface {
	// fractions fills x[i*types+t] for the jobs of in; it may keep state between allocations.
	fractions(in *shareInput, x []float64)
	// terms names the figures that fractions gave for the job, for its explanation.
	terms(v sim.View, j model.JobID, figures []float64) []sim.Term
	clone() sharer
}

// maxFigures is how many figures a sharer may give for a job.
const maxFigures = 4

// shareInput is what an allocation is computed from. All per-job slices are in order of arrival.
type shareInput struct {
	view     sim.View
	jobs     []model.JobID
	rates    []float64 // steps per second of the whole gang, by job and type; 0 = cannot run
	gpus     []float64 // s_i
	weights  []float64 // w_i
	capacity []float64 // N_j

	// What the sharer says beside the fractions.
	figures []float64   // by job and maxFigures
	summary []sim.Term  // of the whole allocation
	blocked model.JobID // the job at which a strict queue stops, or None
	pairs   []share.Pair
	px      []float64 // fractions of the pairs, by pair and type
}

// set gives figures of job i.
func (in *shareInput) set(i int, figures ...float64) { copy(in.figures[i*maxFigures:], figures) }

// solved gives the summary of a program.
func (in *shareInput) solved(name, unit string, objective, gap float64) {
	in.summary = []sim.Term{{Name: name, Unit: unit, Value: objective, Solver: true},
		{Name: "relative gap", Value: gap, Solver: true}}
}

// throughput is the effective throughput of job i at x, in steps per second.
func (in *shareInput) throughput(i int, x []float64) float64 {
	k, sum := len(in.capacity), 0.0
	for t, r := range in.rates[i*k : i*k+k] {
		sum += float64(r * x[i*k+t])
	}
	return sum
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
	strict  bool      // a queue: GPUs that are left over stay idle
	blocked model.JobID
	figures []float64  // of the present allocation, by job id and maxFigures
	summary []sim.Term // never changed, only replaced

	in    shareInput
	cands []share.Candidate
	pairs []share.PairCandidate
	rates []unit.Rate // backing of the candidates' rates
	free  []int32
	group []share.Pick
	gang  []model.Shard
	x     []float64
	types []model.TypeID
}

// task is one run of a job, or a pair, in a round.
type task struct {
	job  model.JobID
	pair int // position in the mechanism's list, or -1
	typ  model.TypeID
	end  unit.Tick // when its steps are done, or the round's nominal end if it does none
}

// gavelCadence: a round ends when its longest task does, which the policy asks to be woken for; an
// arrival matters at once only on an idle cluster.
var gavelCadence = sim.Cadence{On: sim.ArrivalIdle | sim.Capacity}

// minReset is M, common to the family.
var minReset = Param{Name: "min_reset_s", Title: "Least time between allocations", Kind: Float, Unit: "s",
	Default: 1920.0, Min: 0, Max: 1e7,
	Help: "The fractions of time are recomputed when jobs come or go, but not more often than this."}

func newGavel(m model.Public, v Values, s sharer, strict bool) *gavel {
	return &gavel{cluster: m.Cluster, round: m.Round, sharer: s, strict: strict, blocked: model.None,
		mech: share.New(len(m.Cluster.Types), m.Round, unit.Seconds(v.Float("min_reset_s")), strict)}
}

func (g *gavel) Clone() sim.Policy {
	c := &gavel{cluster: g.cluster, round: g.round, mech: g.mech.Clone(), sharer: g.sharer.clone(),
		tasks: slices.Clone(g.tasks), start: g.start, strict: g.strict, blocked: g.blocked,
		figures: slices.Clone(g.figures), summary: g.summary}
	if g.shuffle != nil {
		state := *g.shuffle
		c.shuffle = &state
	}
	return c
}

func (g *gavel) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	now := v.Now()
	for _, t := range g.tasks {
		if ran := min(t.end, now) - g.start; t.pair >= 0 {
			g.mech.BookPair(t.pair, t.typ, ran)
		} else {
			g.mech.Book(t.job, t.typ, ran)
		}
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
	in.figures = slices.Grow(in.figures[:0], len(in.jobs)*maxFigures)[:len(in.jobs)*maxFigures]
	clear(in.figures)
	in.summary, in.blocked, in.pairs, in.px = nil, model.None, nil, nil
	if len(in.jobs) > 0 {
		g.sharer.fractions(in, g.x)
	}
	g.summary, g.blocked = in.summary, in.blocked
	for i, j := range in.jobs {
		if need := (int(j) + 1) * maxFigures; need > len(g.figures) {
			g.figures = append(g.figures, make([]float64, need-len(g.figures))...)
		}
		copy(g.figures[int(j)*maxFigures:], in.figures[i*maxFigures:(i+1)*maxFigures])
	}
	for k, r := range in.rates {
		g.x[k] = rounded(g.x[k])
		if r <= 0 { // the programme may leave time where it is of no use; nobody owes it
			g.x[k] = 0
		}
	}
	g.mech.ResetPairs(v.Now(), in.jobs, g.x, in.pairs, in.px)
}

// rounded gives a fraction in ten-millionths: finer than a round can grant and coarser than the solver's
// noise, so that jobs that are alike tie, and tie by age.
func rounded(x float64) float64 { return math.Floor(float64(x*1e7)+0.5) / 1e7 }

func runs(c *share.Candidate) bool {
	return slices.ContainsFunc(c.Rates, func(r unit.Rate) bool { return r > 0 })
}

func (g *gavel) choose(v sim.View) []share.Pick {
	g.free = g.free[:0]
	for t := range g.cluster.Types {
		g.free = append(g.free, g.count(v, model.TypeID(t)))
	}
	g.pairCandidates(v)
	return g.mech.ChoosePairs(g.types, g.cands, g.pairs, g.free)
}
