package gavel

import (
	"cmp"
	"slices"

	"hadarlab/core/lp"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/timeshare"
	"hadarlab/core/unit"
)

// Space sharing lets a pair of jobs share a GPU where both fit and run well. In the
// program a pair is one more row beside its jobs, and in the rounds one more candidate. Pairs grow with
// the square of the jobs, so jobs alike are put into one row.
func init() {
	policy.Register(&policy.Spec{
		ID: "gavel-packed", Title: "Gavel, space sharing", Rev: 1,
		Summary: "Max-min fairness in which two jobs of one GPU may also share a GPU, at the speeds measured for the pair.",
		Source:  "Gavel (OSDI 2020), heterogeneity-aware LAS with packing; that jobs alike are one row of the program, and that above 200 kinds of jobs none are paired, ours",
		Formula: "Target: as max-min fairness, with pairs of jobs as further rows; Priority = Target ÷ Received, each round the largest goes first",
		Cadence: policy.Fixed(roundsCadence),
		Params:  []policy.Param{minReset, useWeights},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			s := &spaceSharing{cluster: m.Cluster, weights: v.Bool(useWeights.Name)}
			return newGavel(m, v, s, false), nil
		},
	})
}

// maxKinds is the number of kinds of jobs up to which pairs are considered: the program's work grows with
// its cube.
const maxKinds = 200

// spaceSharing solves max-min fairness over single jobs and pairs. Jobs with the same speeds, size and
// weight are alike: they deserve the same level, so that the program has one row for all of them, and
// their time is divided afterwards.
type spaceSharing struct {
	cluster *model.Cluster
	weights bool
	solver  lp.Solver
}

// kind is a set of jobs alike, given by their positions in the allocation.
type kind struct {
	speed  *model.Throughput
	gpus   float64
	weight float64
	jobs   []int
}

// clone copies the parameters: nothing is kept between allocations.
func (s *spaceSharing) clone() sharer { return &spaceSharing{cluster: s.cluster, weights: s.weights} }

// terms names the figures that fractions sets, in their order.
func (s *spaceSharing) terms(_ sim.View, _ model.JobID, figures []float64) []sim.Term {
	return named([]sim.Term{{Name: "normalised throughput"}, {Name: "share of time beside another job"}}, figures)
}

// fractions solves max-min fairness over kinds and pairs of kinds, and divides what a kind gets among
// its jobs. With too many kinds it does without pairs, and says so.
func (s *spaceSharing) fractions(in *shareInput, x []float64) {
	k := len(in.Capacity)
	kinds := s.kinds(in)
	if len(kinds) > maxKinds {
		leastAttained(s.weights, false).fractions(in, x)
		in.say(sim.Named("kinds of jobs, too many for pairs", float64(len(kinds)), ""))
		return
	}
	rows := lp.Jobs{Capacity: in.Capacity, Pairs: s.measured(in, kinds)}
	for _, c := range kinds {
		rows.Rates = append(rows.Rates, in.Rates[c.jobs[0]*k:c.jobs[0]*k+k]...)
		rows.GPUs, rows.Weights = append(rows.GPUs, in.GPUs[c.jobs[0]]), append(rows.Weights, c.weight)
		rows.Count = append(rows.Count, float64(len(c.jobs)))
	}
	r, err := lp.MaxMinPacked(&s.solver, &rows)
	if err != nil {
		return
	}
	got, beside := make([]float64, len(in.ids)), make([]float64, len(in.ids))
	for c := range kinds {
		for _, i := range kinds[c].jobs {
			for j := range k {
				x[i*k+j] = r.X[c*k+j] / rows.Count[c]
			}
			got[i] = in.throughput(i, x)
		}
	}
	var parts []part
	for at, f := range r.X[len(kinds)*k:] {
		q, typ := &rows.Pairs[at/k], at%k
		if q.RateA[typ] <= 0 || f < 1e-7 { // the solver's noise
			continue
		}
		from := len(parts)
		parts = divide(parts, kinds[q.A].jobs, kinds[q.B].jobs, q.A == q.B, typ, f)
		for _, d := range parts[from:] {
			got[d.a] += float64(q.RateA[typ] * d.f)
			got[d.b] += float64(q.RateB[typ] * d.f)
			beside[d.a] += d.f
			beside[d.b] += d.f
		}
	}
	in.share(parts)
	in.solved("least normalised throughput", "", r.Level, r.RelGap)
	in.say(sim.Named("pairs that share", float64(len(in.shared)), ""))
	for c := range kinds {
		prop := lp.Proportional(nil, rows.Rates[c*k:c*k+k], in.Capacity)[0]
		for _, i := range kinds[c].jobs {
			in.set(i, float64(in.GPUs[i]*got[i])/float64(prop*kinds[c].weight), beside[i])
		}
	}
}

// kinds groups the jobs of the allocation by speeds, size and weight.
func (s *spaceSharing) kinds(in *shareInput) (kinds []kind) {
	for i, j := range in.ids {
		c := kind{speed: in.view.Speed(j, 0), gpus: in.GPUs[i], weight: 1}
		if s.weights {
			c.weight = in.Weights[i]
		}
		at := slices.IndexFunc(kinds, func(o kind) bool {
			return o.speed == c.speed && o.gpus == c.gpus &&
				o.weight == c.weight
		})
		if at < 0 {
			at = len(kinds)
			kinds = append(kinds, c)
		}
		kinds[at].jobs = append(kinds[at].jobs, i)
	}
	return kinds
}

// measured lists the pairs of kinds that were measured together. Pairs were measured on single GPUs
// only, so larger gangs have none.
func (s *spaceSharing) measured(in *shareInput, kinds []kind) (pairs []lp.Pair) {
	k := len(in.Capacity)
	for a := range kinds {
		for b := a; b < len(kinds); b++ {
			if kinds[a].gpus != 1 || kinds[b].gpus != 1 || a == b && len(kinds[a].jobs) < 2 {
				continue
			}
			ja, jb := in.ids[kinds[a].jobs[0]], in.ids[kinds[b].jobs[len(kinds[b].jobs)-1]]
			p := lp.Pair{A: a, B: b, RateA: make([]float64, k), RateB: make([]float64, k)}
			any := false
			for typ := range k {
				ra, rb := together(s.cluster, in.view, ja, jb, model.TypeID(typ))
				if ra > 0 && rb > 0 {
					p.RateA[typ], p.RateB[typ], any = float64(ra), float64(rb), true
				}
			}
			if any {
				pairs = append(pairs, p)
			}
		}
	}
	return pairs
}

// part is the time that two jobs share on a type.
type part struct {
	a, b int // positions in the allocation, a < b
	typ  int
	f    float64
}

// divide splits the time f that two kinds share on a type evenly among their jobs, into few pairs. Two
// jobs of one kind are one pair; more stand in a ring, each beside the next. Two kinds are laid side by
// side, each job as long as the other kind has jobs, and who lies beside whom shares: fewer pairs than
// there are jobs.
func divide(parts []part, as, bs []int, same bool, typ int, f float64) []part {
	add := func(a, b int, f float64) { parts = append(parts, part{min(a, b), max(a, b), typ, f}) }
	if same {
		if len(as) == 2 {
			add(as[0], as[1], f)
			return parts
		}
		for i, a := range as {
			add(a, as[(i+1)%len(as)], f/float64(len(as)))
		}
		return parts
	}
	// In units of f over both lengths, the jobs of as have len(bs) each, those of bs len(as): whole numbers.
	unit := f / float64(len(as)*len(bs))
	for i, l, a, b := 0, 0, len(bs), len(as); i < len(as); {
		n := min(a, b)
		add(as[i], bs[l], float64(float64(n)*unit))
		if a -= n; a == 0 {
			i, a = i+1, len(bs)
		}
		if b -= n; b == 0 {
			l, b = l+1, len(as)
		}
	}
	return parts
}

// share gives the parts to the mechanism, sorted and added up by pair, and rounded as all fractions
// are.
func (in *shareInput) share(parts []part) {
	k := len(in.Capacity)
	order := make([]int32, len(parts))
	for i := range order {
		order[i] = int32(i)
	}
	unit.Sort(order, func(i, l int32) int { return cmp.Or(parts[i].a-parts[l].a, parts[i].b-parts[l].b) })
	for _, i := range order {
		p := timeshare.Pair{A: in.ids[parts[i].a], B: in.ids[parts[i].b]}
		if n := len(in.shared); n == 0 || in.shared[n-1] != p {
			in.shared = append(in.shared, p)
			in.px = append(in.px, make([]float64, k)...)
		}
		in.px[len(in.px)-k+parts[i].typ] += parts[i].f
	}
	for i, f := range in.px {
		in.px[i] = rounded(f)
	}
}
