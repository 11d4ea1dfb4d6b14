// Package hadar has Hadar, which prices GPUs by how full their node is and runs the jobs that are worth their price,
// and HadarE, which trains copies of a job on several nodes and prices their GPUs, or whole nodes. They share
// utilities, the constants of the prices and the lines that explain these; what they compute is core/primaldual's and
// core/fork's.
package hadar

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/primaldual"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Hadar's switches, in the order of the form.
var (
	hadarCost = policy.Param{Name: "cost", Title: "Price is charged for", Kind: policy.Choice, Default: "lifetime",
		Choices: []string{"lifetime", "round"},
		Help:    "lifetime: all rounds the job still needs, at today's price. round: the coming round only."}
	hadarUtility = policy.Param{Name: "utility", Title: "Utility", Kind: policy.Choice, Default: "normalised",
		Choices: []string{"normalised", "effective", "avg_jct", "makespan", "ftf"},
		Help: "normalised (ours): time at its best speed over lifetime, no time counted as shorter than a round, " +
			"1 = as soon as alone on GPUs all of its best type and on one node, or on two where that is faster, " +
			"though the cluster may have too few or no node so many. effective, as we remember the paper's, unread: " +
			"steps per second of lifetime, which adds unlike units, since a step of one model is not a step of another. The others express further objectives (reconstructed)."}
	hadarTypeBounds = policy.Param{Name: "type_bounds", Title: "Type-specific price bounds", Kind: policy.Bool,
		Default: false,
		Help:    "The upper price bound of a GPU type uses the job's speed on that type, so that fast types may cost more as their nodes fill; empty ones do not."}
	hadarEta = policy.Param{Name: "eta", Title: "η", Kind: policy.Float, Default: 0.0, Min: 0, Max: 1e12,
		Help: "The lowest price is divided by it. 0 = the smallest legal value, anew each round."}
	hadarHorizon = policy.Param{Name: "horizon_s", Title: "Horizon T", Kind: policy.Float, Unit: "s", Default: 0.0,
		Min: 0, Max: 1e10,
		Help: "The time by which every job could be done. 0, or a time that has passed, = a serial worst case, anew each round."}
	hadarOrder = policy.Param{Name: "order", Title: "Queue order", Kind: policy.Choice, Default: "density",
		Choices: []string{"density", "lifetime_density", "arrival", "id"},
		Help:    "density: payoff per GPU and round on the empty cluster, then age. lifetime_density: payoff per GPU, over all rounds."}
	hadarValue = policy.Param{Name: "dp_value", Title: "What the dual subroutine adds up", Kind: policy.Choice,
		Default: "round",
		Choices: []string{"round", "lifetime"},
		Help:    "round: payoff per round, since the jobs compete for the GPUs of one round. lifetime: payoff over all rounds that a job still needs."}
	hadarDP = policy.Param{Name: "dp", Title: "Dual subroutine", Kind: policy.Choice, Default: "auto",
		Choices: []string{"auto", "exact", "beam", "greedy"},
		Help:    "auto: exact up to 8 jobs, a beam of 16 up to 32, of 4 above. exact tries a job's best placement of each set of GPU types among those weighed, in at most 1024 states a step, the others its best one."}
	hadarBeam = policy.Param{Name: "beam", Title: "Beam width", Kind: policy.Int, Default: 4.0, Min: 1, Max: 256,
		Help: "States kept a step with dp=beam; auto has its own."}
	hadarResidual = policy.Param{Name: "residual_pass", Title: "Residual pass", Kind: policy.Bool, Default: true,
		Help: "Afterwards admit jobs that still pay at the final prices."}
	hadarConserving = policy.Param{Name: "work_conserving", Title: "Fill what would idle", Kind: policy.Bool,
		Default: false,
		Help:    "Give GPUs that would stay idle to waiting jobs that fit on them, whatever their payoff; others wait beside them."}
	hadarHomogeneous = policy.Param{Name: "homogeneous", Title: "One GPU type per gang", Kind: policy.Bool,
		Default: false,
		Help:    "The job-level baseline: no gang mixes types."}
	hadarComm = policy.Param{Name: "comm", Title: "Communication cost", Kind: policy.Choice, Default: "measured",
		Choices: []string{"measured", "ring", "none"},
		Help:    "measured: the scenario's spread speeds. ring: analytic ring all-reduce."}
	hadarRingMB = policy.Param{Name: "ring_model_mb", Title: "Model size for ring", Kind: policy.Float, Unit: "MB",
		Default: 100.0,
		Min:     0, Max: 1e6}
	hadarRingGbps = policy.Param{Name: "ring_gbps", Title: "Bandwidth for ring", Kind: policy.Float, Unit: "Gbit/s",
		Default: 10.0,
		Min:     0.001, Max: 1e5}
	hadarOverhead = policy.Param{Name: "overhead", Title: "Stalls in the payoff", Kind: policy.Choice,
		Default: "scenario",
		Choices: []string{"scenario", "none"},
		Help:    "scenario: the stall of a start or move lowers its payoff. none: both look free to the policy."}
)

// Hadar prices every GPU by how many of its type are taken on its node, and admits a job where its utility exceeds what
// its gang would cost. The allocator is core/primaldual; this file reads the view for it and puts its answer into words
// of the kernel. A policy with other prices would keep this file and replace that package.
func init() {
	policy.Register(&policy.Spec{
		ID: "hadar", Title: "Hadar", Rev: 2, LastReleases: []string{"0.1.0"},
		Summary: "Prices every GPU by how many of its type are taken on its node and runs the jobs whose utility exceeds the price, mixing GPU types within a gang.",
		Source:  "Hadar (IPDPS 2024), reconstructed from the abstract and the primal-dual family; payoffs by the round, the charge over all remaining rounds, prices set anew each round, the default utility, the upper price bound from exact durations, the default horizon, the queue’s order, the beam, the residual pass and the cost of communication ours",
		Formula: "payoff = utility − Σ price × GPUs × rounds; utility: the sooner the job finishes there, the larger, its time at its best speed ÷ the time from arrival to finish unless set otherwise; price = U_min × (U_max ÷ U_min)^(taken ÷ capacity); no time counts as shorter than a round; of the placements with a payoff above 0 those with the largest sum of payoff ÷ rounds that the search finds (above 8 jobs a beam)",
		Cadence: func(m model.Public, _ policy.Values) sim.Cadence { return sim.Cadence{Every: m.Round} },
		Needs:   policy.Needs{Lengths: true},
		Worth: func(v policy.Values) policy.Worth {
			return policy.Worth{Unit: utilityUnit(hadarSettings(v).Utility), PerRound: v.Choice(hadarValue) == 0}
		},
		Params: []policy.Param{hadarCost, hadarUtility, hadarTypeBounds, hadarEta, hadarHorizon, hadarOrder, hadarValue,
			hadarDP, hadarBeam, hadarResidual, hadarConserving, hadarHomogeneous, hadarComm, hadarRingMB, hadarRingGbps,
			hadarOverhead},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return &hadar{cluster: m.Cluster, round: m.Round, set: hadarSettings(v)}, nil
		},
	})
}

// hadarSettings turns the form's values into the allocator's settings, in its units: bytes, bytes per
// second, ticks.
func hadarSettings(v policy.Values) primaldual.Settings {
	return primaldual.Settings{
		RoundCost:      v.Choice(hadarCost) == 1,
		Utility:        primaldual.Utility(v.Choice(hadarUtility)),
		TypeBounds:     v.Bool("type_bounds"),
		Eta:            v.Float("eta"),
		Horizon:        unit.Seconds(v.Float("horizon_s")),
		Order:          primaldual.Order(v.Choice(hadarOrder)),
		LifetimeValue:  v.Choice(hadarValue) == 1,
		Search:         primaldual.Search(v.Choice(hadarDP)),
		Beam:           v.Int("beam"),
		NoResidual:     !v.Bool("residual_pass"),
		WorkConserving: v.Bool("work_conserving"),
		Homogeneous:    v.Bool("homogeneous"),
		Comm:           primaldual.Comm(v.Choice(hadarComm)),
		RingBytes:      v.Float("ring_model_mb") * 1e6,
		RingBytesPerS:  v.Float("ring_gbps") * 1e9 / 8,
		FreeMoves:      v.Choice(hadarOverhead) == 1,
		Plain:          policy.Plain,
	}
}

// hadar decides each round from nothing but the present: what runs, what is left of each job, and the
// prices that follow. It keeps the largest α of the run for the bound that Measure shows and, for the
// utility ftf, what it knew of each job at the last decision; the rest is memory to reuse.
type hadar struct {
	cluster *model.Cluster
	round   unit.Tick
	set     primaldual.Settings
	alpha   float64
	past    policy.ByJob[past] // ftf only
	solver  primaldual.Solver
	prob    primaldual.Problem
	held    []model.Shard
	gang    []model.Shard
}

// Clone copies what outlives a round; the solver's memory does not.
func (h *hadar) Clone() sim.Policy {
	return &hadar{cluster: h.cluster, round: h.round, set: h.set, alpha: h.alpha, past: slices.Clone(h.past)}
}

// past is what is kept of a job from one decision to the next, for the utility ftf.
type past struct {
	at       unit.Tick
	left     unit.Work
	isolated float64 // its speed on a 1/n share of the cluster, in steps/s; 0 = nothing is known of it
	alone    float64 // seconds that the work done until then takes at the isolated speeds of its time
}

// recall tells the solver how unfairly the round that has ended served the job (for the utility ftf,
// ours). That is ρ̂ as of the decision before: the job's duration, if it had gone on at the speed that
// it held in that round, over its isolated time. A job that held nothing is taken at its isolated
// speed.
//
// Isolated time grows with real progress only, at the isolated speed of the decision before, as Gavel
// books it.
func (h *hadar) recall(job *primaldual.Job, held unit.Rate) {
	b := h.past.Of(job.ID, past{})
	if b.isolated <= 0 {
		return
	}
	speed := float64(held)
	if speed <= 0 {
		speed = b.isolated
	}
	lasts := (b.at - job.Arrive).Seconds() + float64(b.left)/speed
	job.Unfair = lasts / (b.alone + float64(b.left)/b.isolated)
	b.alone += float64(b.left-job.Remaining) / b.isolated
	job.Alone = b.alone
}

// remember keeps for the next decision what recall needs.
func (h *hadar) remember() {
	for i := range h.prob.Jobs {
		job := &h.prob.Jobs[i]
		b := &h.past[job.ID]
		b.at, b.left, b.isolated = h.prob.Now, job.Remaining, h.solver.Isolated(i)
	}
}

// Decide hands the round's problem to the allocator and states its answer as the plan, with the price
// of every slot for the trace.
func (h *hadar) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	h.state(v)
	r := h.solver.Solve(&h.prob, h.set)
	h.alpha = max(h.alpha, r.Constants.Alpha)
	if h.set.Utility == primaldual.FTF {
		h.remember()
	}
	p.Clear()
	idle, dear := true, false
	for i := range h.prob.Jobs {
		h.gang = h.gang[:0]
		for _, sh := range r.Chosen[i].Shards {
			h.gang = append(h.gang, model.Shard(sh))
		}
		j := h.prob.Jobs[i].ID
		if len(h.gang) == 0 {
			h.wait(w, r, i)
			dear = dear || len(r.Best[i].Shards) > 0
			continue
		}
		idle = false
		place.Put(p, j, 0, h.gang)
		o := &r.Chosen[i]
		w.Chose(j, o.Payoff, o.Utility, o.Cost)
	}
	if idle && dear {
		p.WakeAt(v.Now() + h.round) // bids and prices go by the time: a job that does not pay now may pay later
	}
	for s, price := range r.Prices {
		w.Tell(&trace.Price, int32(s), price)
	}
	if sim.Explains && w.Detail != nil {
		h.explain(w.Detail, r)
	}
}

// state copies what the allocator needs from the view. Its slices are used again each round.
func (h *hadar) state(v sim.View) {
	q := &h.prob
	q.Now, q.Round, q.Cluster = v.Now(), h.round, h.cluster
	q.Usable = q.Usable[:0]
	for s := range h.cluster.Slots {
		q.Usable = append(q.Usable, v.Capacity(model.SlotID(s)))
	}
	q.Jobs, h.held = q.Jobs[:0], h.held[:0]
	for _, j := range v.Active() {
		total, _ := v.Total(j)
		shape := v.Shape(j)
		job := primaldual.Job{ID: j, Doc: v.Doc(j), Arrive: v.Arrive(j), GPUs: shape.Size, Total: total,
			Remaining: total - v.Done(j),
			Speed:     v.Speed(j, 0), Split: shape.Split, Move: v.Charge(j, nil)}
		held := unit.Rate(0)
		if v.Holds(j) {
			gang := v.Gang(j, 0)
			held = v.Rate(j, 0, gang)
			from := len(h.held)
			for _, sh := range gang {
				h.held = append(h.held, model.Shard(sh))
			}
			job.Held, job.Keep = h.held[from:], v.Charge(j, gang)
		}
		if h.set.Utility == primaldual.FTF {
			h.recall(&job, held)
		}
		q.Jobs = append(q.Jobs, job)
	}
}

// wait records why job i gets nothing: no placement fits, its best one costs more than it is worth, or
// it would pay and the search has left it out for others.
func (h *hadar) wait(w *sim.Why, r *primaldual.Result, i int) {
	job := &h.prob.Jobs[i]
	best := &r.Best[i]
	switch {
	case len(best.Shards) == 0:
		free, most := int32(0), int32(0)
		for t := range h.cluster.Types {
			n := int32(0)
			for s := range h.cluster.Slots {
				if h.cluster.Slots[s].Type == model.TypeID(t) {
					n += h.prob.Usable[s] - r.Used[s]
				}
			}
			free, most = free+n, max(most, n)
		}
		code := trace.WaitShape
		if free < job.GPUs {
			code = trace.WaitFull
		}
		w.Wait(job.ID, code, float64(job.GPUs), float64(free), float64(most))
	case best.Payoff > 0:
		w.Wait(job.ID, trace.WaitOutbid, best.Payoff, best.Utility, best.Cost)
	default:
		w.Wait(job.ID, trace.WaitPrice, best.Payoff, best.Utility, best.Cost)
	}
}
