package policy

import (
	"math/rand/v2"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// pairUnit is a job, or two that share GPUs.
type pairUnit struct{ job, with model.JobID }

// entry is the unit's number in the mechanism: even for a single job, odd for the pair of which it is the
// older member. A pair has a share and received time of its own.
func (u pairUnit) entry() model.JobID {
	if u.with >= 0 {
		return 2*u.job + 1
	}
	return 2 * u.job
}

// part dissolves the pair of j, if it is in one.
func (g *gandiva) part(j model.JobID) {
	if o := g.partner[j]; o >= 0 {
		g.mech.Remove(pairUnit{min(j, o), o}.entry())
		g.partner[j], g.partner[o] = model.None, model.None
	}
}

// pairRates are the members' measured speeds on one GPU of a type.
func (g *gandiva) pairRates(v sim.View, u pairUnit, t model.TypeID) (a, b unit.Rate) {
	if v.Shape(u.job).Min > 1 { // pairs are measured on one GPU only
		return 0, 0
	}
	s := slices.IndexFunc(g.cluster.Slots, func(s model.Slot) bool { return s.Type == t })
	g.gang = append(g.gang[:0], model.Shard{Slot: model.SlotID(s), N: 1})
	return v.Rate(u.job, 0, g.gang, u.with), v.Rate(u.with, 0, g.gang, u.job)
}

// pair drops pairs that have not paid and draws new ones among the other jobs: as many draws as there are
// jobs, of two different ones of equal size. Whether a pair pays is seen once it has run.
func (g *gandiva) pair(v sim.View, wanted bool) {
	g.singles = g.singles[:0]
	for _, j := range v.Active() {
		o := g.partner[j]
		if o > j && !(wanted && g.pays(v, pairUnit{j, o})) {
			g.part(j)
		}
	}
	if !wanted {
		return
	}
	for _, j := range v.Active() {
		if g.partner[j] < 0 {
			g.singles = append(g.singles, j)
		}
	}
	random := rand.New(g.random)
	for range g.singles {
		n := len(g.singles)
		if n < 2 {
			break
		}
		a := random.IntN(n)
		b := (a + 1 + random.IntN(n-1)) % n
		a, b = min(a, b), max(a, b)
		u := pairUnit{g.singles[a], g.singles[b]}
		if v.Shape(u.job).Min != v.Shape(u.with).Min {
			continue
		}
		g.partner[u.job], g.partner[u.with] = u.with, u.job
		g.mech.Admit(u.entry())
		g.singles = slices.Delete(g.singles, b, b+1)
		g.singles = slices.Delete(g.singles, a, a+1)
	}
}

// pays is Gavel's test: the members' speeds together over their speeds alone, summed over all types, are at
// least 1, and both run on every type. For three types that is a third on each.
func (g *gandiva) pays(v sim.View, u pairUnit) bool {
	sum := 0.0
	for t := range g.cluster.Types {
		typ := model.TypeID(t)
		if g.count(v, typ) == 0 {
			continue // there is none to try
		}
		a, b := g.pairRates(v, u, typ)
		alone, other := v.Speed(u.job, 0).Rate(typ, 1, false), v.Speed(u.with, 0).Rate(typ, 1, false)
		if a <= 0 || b <= 0 || alone <= 0 || other <= 0 {
			return false
		}
		sum += float64(a/alone) + float64(b/other)
	}
	return sum >= 1
}
