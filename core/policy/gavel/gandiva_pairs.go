package gavel

import (
	"math/rand/v2"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/timeshare"
)

// part dissolves the pair of j, if it is in one. What the pair was owed is forgotten with it.
func (g *gandiva) part(j model.JobID) {
	if o := g.partner[j]; o >= 0 {
		g.mech.Part(timeshare.Pair{A: min(j, o), B: max(j, o)})
		g.partner[j], g.partner[o] = model.None, model.None
	}
}

// match drops the pairs that have not paid, or all if none are wanted, and draws new ones among the
// other jobs: as many draws as there are jobs, each of two different ones, which become a pair if they
// are of equal size. Gandiva tries pairs at random because it knows no speeds in advance.
func (g *gandiva) match(v sim.View, wanted bool) {
	g.singles = g.singles[:0]
	for _, j := range v.Active() {
		o := g.partner[j]
		if o > j && !(wanted && g.pays(v, j, o)) {
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
		job, mate := g.singles[a], g.singles[b]
		if v.Shape(job).Size != v.Shape(mate).Size {
			continue
		}
		g.partner[job], g.partner[mate] = mate, job
		g.singles = slices.Delete(g.singles, b, b+1)
		g.singles = slices.Delete(g.singles, a, a+1)
	}
}

// pays is the test of Gavel's baseline: the speeds of the two together over their speeds alone, summed
// over all types, are at least 1, and both run on every type. With three types a third on each is
// enough for that.
func (g *gandiva) pays(v sim.View, job, mate model.JobID) bool {
	sum := 0.0
	for t := range g.cluster.Types {
		typ := model.TypeID(t)
		if v.CapacityOf(typ) == 0 {
			continue // there is none to try
		}
		a, b := together(g.cluster, v, job, mate, typ)
		alone, other := v.Speed(job, 0).Rate(typ, 1, model.OneNode), v.Speed(mate, 0).Rate(typ, 1, model.OneNode)
		if a <= 0 || b <= 0 || alone <= 0 || other <= 0 {
			return false
		}
		sum += float64(a/alone) + float64(b/other)
	}
	return sum >= 1
}
