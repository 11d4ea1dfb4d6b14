package gavel

import (
	"math/rand/v2"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/timeshare"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Gandiva is here what Gavel's evaluation compares itself with: all jobs have the same right to time on
// every type, and a job learns only by running whether it goes well beside another on one GPU.
//
// Its original slices time by suspending jobs and moves them by trial. That is
// replaced by the rounds that all policies of this comparison have, so that only the sharing differs.
func init() {
	policy.Register(&policy.Spec{
		ID: "gandiva", Title: "Gandiva", Rev: 1,
		Summary: "Shares GPU time equally among jobs and pairs; when more GPUs are asked for than there are, tries random pairs of jobs on one GPU and keeps those that run together on every type in service and whose relative speeds, added over all types, reach 1, so that some lose by it.",
		Source:  "Gandiva (OSDI 2018) as modelled in Gavel's baselines, with Gavel's rounds; its time slices, migration and jobs that grow into idle GPUs are left out",
		Formula: "Target = GPUs of the type ÷ (jobs and pairs × GPUs asked for), 1 in all at most; Priority = Target ÷ Received, each round the largest goes first; a pair stays while Σ over types of (speeds together ÷ speeds alone) ≥ 1 and it has a speed on each type in service",
		Cadence: policy.Fixed(roundsCadence),
		Params: []policy.Param{minReset, {Name: "pack", Title: "Pack pairs", Kind: policy.Bool, Default: true,
			Help: "Pairs need measured speeds of two models on one GPU; without them there is only time slicing."}},
		Random: func(v policy.Values) bool { return v.Bool("pack") },
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			g := &gandiva{rounds: newRounds(m, v, false), pack: v.Bool("pack") && m.Pairs,
				random: unit.Source(m.Seed, "gandiva pairs")}
			g.stayFirst, g.stayOlder = true, true
			return g, nil
		},
	})
}

// gandiva shares time between single jobs and pairs, all alike. It keeps who is paired with whom
// between decisions, because whether a pair pays is seen only once it has run.
type gandiva struct {
	rounds
	pack    bool
	random  *rand.PCG
	partner policy.ByJob[model.JobID] // None = single

	// Scratch of one allocation.
	singles []model.JobID // without a partner
	jobs    []model.JobID // in the allocation
	x, px   []float64     // their shares, and those of the pairs, by type
}

// Clone copies the rounds, the pairs and the state of the random stream, so that the copy draws the
// same pairs.
func (g *gandiva) Clone() sim.Policy {
	random := *g.random
	return &gandiva{rounds: g.rounds.clone(), pack: g.pack, random: &random, partner: slices.Clone(g.partner)}
}

// Decide takes note of the pairs that end with one of their jobs, and leaves the rest to rounds.
func (g *gandiva) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	for _, j := range v.Ended() {
		g.part(j)
	}
	for _, j := range v.Arrived() {
		g.partner.Of(j, model.None)
	}
	g.decide(v, p, w, g)
}

// list makes the pairs and the jobs without a partner candidates, each pair at the place of its older
// job: among equals the older goes first.
func (g *gandiva) list(v sim.View) {
	g.cands, g.rates = g.cands[:0], g.rates[:0]
	for _, j := range v.Active() {
		switch mate := g.partner[j]; {
		case mate < 0:
			g.single(v, j)
		case mate > j:
			g.pair(v, j, mate)
		}
	}
}

// allocate draws new pairs if the cluster is too small, and gives each of m candidates of s GPUs an equal part
// of it: N_j/(m·s) of the time on type j, at most all of its time.
func (g *gandiva) allocate(v sim.View) {
	asked, there := int32(0), int32(0)
	for _, j := range v.Active() {
		asked += v.Shape(j).Size
	}
	for t := range g.cluster.Types {
		there += v.CapacityOf(model.TypeID(t))
	}
	// Pairs are only worth their slower speeds while GPUs are scarce.
	g.match(v, g.pack && asked > there)
	g.list(v)
	types, n := len(g.cluster.Types), 0
	for i := range g.cands {
		if runs(&g.cands[i]) {
			n++
		}
	}
	var pairs []timeshare.Pair
	g.jobs, g.x, g.px = g.jobs[:0], g.x[:0], g.px[:0]
	for i := range g.cands {
		c := &g.cands[i]
		// A job in a pair has no share of its own, but stays in the allocation: it may fill what is
		// left over.
		if c.Mate >= 0 {
			g.jobs = append(g.jobs, c.Job, c.Mate)
			g.x = append(g.x, make([]float64, 2*types)...)
		}
		switch {
		case !runs(c):
		case c.Mate >= 0:
			pairs = append(pairs, timeshare.Pair{A: c.Job, B: c.Mate})
			g.px = g.equal(v, g.px, c, n)
		default:
			g.jobs = append(g.jobs, c.Job)
			g.x = g.equal(v, g.x, c, n)
		}
	}
	g.mech.Reset(v.Now(), g.jobs, g.x, pairs, g.px)
}

// equal appends to x the candidate's equal part among n.
func (g *gandiva) equal(v sim.View, x []float64, c *timeshare.Candidate, n int) []float64 {
	sum, from := 0.0, len(x)
	for t := range g.cluster.Types {
		y := float64(v.CapacityOf(model.TypeID(t))) / float64(float64(n)*float64(c.GPUs))
		x = append(x, y)
		sum += y
	}
	for t := range g.cluster.Types {
		x[from+t] /= max(1, sum)
		if c.Rates[t] <= 0 {
			x[from+t] = 0
		}
	}
	return x
}

// choose lets pairs and single jobs compete. The jobs of pairs that do not run then fill what is left, each
// alone: their priority is 0.
func (g *gandiva) choose(v sim.View) {
	g.list(v)
	g.pick(v, 0)
	n := len(g.cands)
	for _, c := range g.cands[:n] {
		if c.Mate >= 0 && g.picked(c.Job) == nil {
			g.single(v, c.Job)
			g.single(v, c.Mate)
		}
	}
	g.pick(v, n)
}

// record states the reasons: priority, target and received share on the type that matters. A pair's
// reason is that of both its jobs; jobs of pairs that run alone come last, and say only that.
func (g *gandiva) record(v sim.View, w *sim.Why) {
	for i := range g.cands {
		c := &g.cands[i]
		at := slices.IndexFunc(g.picks, func(q timeshare.Pick) bool { return q.At == i && q.Allocated })
		best := timeshare.Standing{}
		if at >= 0 {
			best = g.mech.Standing(c, g.picks[at].Type)
		} else {
			best = g.best(best, c)
		}
		for _, j := range [...]model.JobID{c.Job, c.Mate} {
			switch {
			case j < 0:
			case at >= 0:
				w.WaitFor(j, trace.Placed, mateOf(c, j), best.Priority, best.Target, best.Received) // as Chose
			case g.partner[j] >= 0 && c.Mate < 0: // said with its pair
			case g.partner[j] < 0 && !runs(c):
				w.Wait(j, trace.WaitShape, float64(c.GPUs), 0, 0)
			case !g.mech.Allocated(c) && g.partner[j] < 0:
				w.Wait(j, trace.WaitReset, max(0, g.mech.NextReset()-v.Now()).Seconds(), 0, 0)
			default:
				w.Wait(j, trace.WaitShare, best.Target, best.Received, best.Priority)
			}
		}
	}
	if sim.Explains && w.Detail != nil {
		g.explainShares(v, w)
	}
}
