// Package gavel has the policies that divide time among jobs, or pairs of jobs, and keep to it in rounds: Gavel's,
// whose shares of time come from linear programs, and with other rules for the shares Gandiva, which pairs jobs, and
// AlloX, which matches jobs with GPUs. They share Gavel's rounds: who is furthest behind its share goes first on each
// GPU type (core/timeshare), whole steps are run, and an allocation stands until jobs or nodes come or
// go.
package gavel

import (
	"math"
	"slices"

	"hadarlab/core/lp"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/timeshare"
	"hadarlab/core/words"
)

// sharer computes the fractions of time of one policy of Gavel's family. It is all in which the
// family's policies differ.
type sharer interface {
	// fractions fills x[i*types+t] for the jobs of in; it may keep state between allocations.
	fractions(in *shareInput, x []float64)
	// terms names the figures that fractions gave for the job, for its explanation.
	terms(v sim.View, j model.JobID, figures []float64) []sim.Term
	clone() sharer
}

// maxFigures is how many figures a sharer may give for a job.
const maxFigures = 5

// shareInput is what an allocation is computed from, in the form that the programs read: all slices by
// job are in order of arrival, those by job and type have a row a job. It is filled anew at each
// allocation and keeps its memory.
type shareInput struct {
	view    sim.View
	ids     []model.JobID
	lp.Jobs // rates, sizes, weights and capacity; a sharer adds what its program reads besides

	// What the sharer says beside the fractions.
	figures []float64      // by job and maxFigures
	summary []*sim.Section // of the whole allocation
	blocked model.JobID    // the job at which a strict queue stops, or None
	shared  []timeshare.Pair
	px      []float64 // fractions of the pairs, by pair and type
}

// set gives the figures of job i that explain its fractions.
func (in *shareInput) set(i int, figures ...float64) { copy(in.figures[i*maxFigures:], figures) }

// solved gives the summary of a program: its objective, and how far from the optimum it may be.
func (in *shareInput) solved(name, unit string, objective, gap float64) {
	in.summary = []*sim.Section{{Title: words.Say("Solver figures"), Folded: true,
		Terms: []sim.Term{sim.Named(name, objective, unit), sim.Named("relative gap", gap, "")}}}
}

// say adds a figure of the whole allocation.
func (in *shareInput) say(t sim.Term) {
	in.summary = append(in.summary, &sim.Section{Terms: []sim.Term{t}})
}

// throughput is the effective throughput of job i at the fractions x, Σ_j t_ij·x_ij in steps per second.
func (in *shareInput) throughput(i int, x []float64) float64 {
	k, sum := len(in.Capacity), 0.0
	for t, r := range in.Rates[i*k : i*k+k] {
		sum += float64(r * x[i*k+t])
	}
	return sum
}

// gavel is a policy of Gavel's family (OSDI 2020): the rounds of its mechanism around a sharer. It
// keeps, besides, what explains the present allocation, since decisions between two allocations are
// explained by it too.
type gavel struct {
	rounds
	sharer  sharer
	strict  bool // a queue: GPUs that are left over stay idle
	blocked model.JobID
	figures []float64      // of the present allocation, by job id and maxFigures
	summary []*sim.Section // never changed, only replaced

	in shareInput
	x  []float64
}

// newGavel prepares a policy of the family. strict is for queues: GPUs that nobody has a target for
// stay idle.
func newGavel(m model.Public, v policy.Values, s sharer, strict bool) *gavel {
	return &gavel{rounds: newRounds(m, v, strict), sharer: s, strict: strict, blocked: model.None}
}

// Clone copies the rounds, the sharer and what explains the present allocation. The summary is shared,
// since it is only ever replaced as a whole.
func (g *gavel) Clone() sim.Policy {
	return &gavel{rounds: g.rounds.clone(), sharer: g.sharer.clone(), strict: g.strict, blocked: g.blocked,
		figures: slices.Clone(g.figures), summary: g.summary}
}

// Decide is a round of rounds; the methods that it calls back are allocate, choose and record.
func (g *gavel) Decide(v sim.View, p *sim.Plan, w *sim.Why) { g.decide(v, p, w, g) }

// list makes every active job a candidate.
func (g *gavel) list(v sim.View) {
	g.cands, g.rates = g.cands[:0], g.rates[:0]
	for _, j := range v.Active() {
		g.single(v, j)
	}
}

// choose lets the jobs compete, and the pairs of the allocation whose jobs are both active. A pair does not
// fill GPUs that are left over: where it has no share it does not compete.
func (g *gavel) choose(v sim.View) {
	g.list(v)
	isActive := func(j model.JobID) bool { _, ok := slices.BinarySearch(v.Active(), j); return ok }
	for _, p := range g.mech.Pairs() {
		if !isActive(p.A) || !isActive(p.B) {
			continue
		}
		g.pair(v, p.A, p.B)
		c := &g.cands[len(g.cands)-1]
		for t := range c.Rates {
			if g.mech.Standing(c, model.TypeID(t)).Target == 0 {
				c.Rates[t] = 0
			}
		}
	}
	g.pick(v, 0)
}

// allocate computes new fractions for the jobs that can run at all; there is no fraction to give to the
// others. They wait with a reason of their own.
func (g *gavel) allocate(v sim.View) {
	g.list(v)
	in, types := &g.in, len(g.cluster.Types)
	in.view = v
	in.ids, in.Rates, in.GPUs, in.Weights = in.ids[:0], in.Rates[:0], in.GPUs[:0], in.Weights[:0]
	for i := range g.cands {
		c := &g.cands[i]
		if !runs(c) {
			continue
		}
		in.ids = append(in.ids, c.Job)
		in.GPUs = append(in.GPUs, float64(c.GPUs))
		in.Weights = append(in.Weights, v.Weight(c.Job))
		for _, r := range c.Rates {
			in.Rates = append(in.Rates, float64(r))
		}
	}
	in.Capacity = in.Capacity[:0]
	for t := range types {
		in.Capacity = append(in.Capacity, float64(v.CapacityOf(model.TypeID(t))))
	}
	g.x = slices.Grow(g.x[:0], len(in.ids)*types)[:len(in.ids)*types]
	clear(g.x)
	in.figures = slices.Grow(in.figures[:0], len(in.ids)*maxFigures)[:len(in.ids)*maxFigures]
	clear(in.figures)
	in.summary, in.blocked, in.shared, in.px = nil, model.None, nil, nil
	if len(in.ids) > 0 {
		g.sharer.fractions(in, g.x)
	}
	g.summary, g.blocked = in.summary, in.blocked
	// The figures are kept by job and not by position, because jobs end before the next allocation.
	for i, j := range in.ids {
		if need := (int(j) + 1) * maxFigures; need > len(g.figures) {
			g.figures = append(g.figures, make([]float64, need-len(g.figures))...)
		}
		copy(g.figures[int(j)*maxFigures:], in.figures[i*maxFigures:(i+1)*maxFigures])
	}
	// Shares are rounded before the mechanism sees them, so that it promises nothing that the solver's
	// last digits made up.
	for k, r := range in.Rates {
		g.x[k] = rounded(g.x[k])
		if r <= 0 { // the programme may leave time where it is of no use; nobody owes it
			g.x[k] = 0
		}
	}
	g.mech.Reset(v.Now(), in.ids, g.x, in.shared, in.px)
}

// rounded gives a fraction in ten-millionths. That is finer than a round can grant and coarser than the
// solver's noise, so that jobs that are alike tie, and tie by age.
func rounded(x float64) float64 { return math.Floor(float64(x*1e7)+0.5) / 1e7 }
