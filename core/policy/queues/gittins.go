package queues

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// The Gittins index is the best order for jobs whose lengths are unknown but drawn from a known
// distribution: at each moment it favours who is likeliest to finish soon for the service that it
// takes. Tiresias uses it with gangs as 2D-Gittins. The distribution is that of the scenario's own
// jobs, which no real scheduler could know so well.
func init() {
	policy.Register(&policy.Spec{
		ID: "gittins", Title: "Gittins index", Rev: 2, LastReleases: []string{"0.1.0"},
		Summary: "Knows how long the jobs of the scenario are, those to come too, but not whose length is whose: whoever is likeliest to finish soon for the service it takes goes first.",
		Source:  "Tiresias (NSDI 2019), 2D-Gittins with a fixed step; distribution, which stays true where the scenario hides lengths or makes them wrong, unit of service, rounds and moves to faster types ours",
		Formula: "E[min(length − a, Δ)] ÷ P(length ≤ a + Δ) over lengths above a, the work done in GPU-seconds of the job’s best type; least first",
		Cadence: func(m model.Public, _ policy.Values) sim.Cadence {
			return sim.Cadence{Every: m.Round, On: sim.Arrival | sim.Finish | sim.Capacity}
		},
		Params: []policy.Param{migrateParam, {Name: "step_gpu_s", Title: "Look ahead", Kind: policy.Float,
			Unit:    "GPU-s",
			Default: 3250.0, Min: 1, Max: 1e9,
			Help: "The index weighs finishing within so much further service."}},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return newGittins(m.Cluster, newGittinsIndex(m.Lengths, v.Float("step_gpu_s")), v.Bool("migrate")), nil
		},
	})
}

// gittins keeps nothing between decisions; the index never changes, because the distribution of lengths
// is known from the start.
type gittins struct {
	preemptive
	index *gittinsIndex
}

// newGittins makes the policy; mover must know what is left of a job, which only the index can say.
func newGittins(c *model.Cluster, x *gittinsIndex, migrate bool) *gittins {
	g := &gittins{index: x}
	g.preemptive = newPreemptive(c, mover{on: migrate, left: g.residual}, place.Placer{})
	return g
}

// Clone makes the policy anew around the same index, which never changes.
func (g *gittins) Clone() sim.Policy { return newGittins(g.cluster, g.index, g.mover.on) }

// residual is the mean of what is left of a job in steps, given what it has done.
func (g *gittins) residual(v sim.View, j model.JobID) float64 {
	return float64(g.index.residual(g.service(v, j))*policy.BestRate(g.cluster, v, j)) / float64(v.Shape(j).Size)
}

// Decide ranks the jobs by their price, the inverse of the index, and serves the cheapest first. A
// job's price changes while it runs, so the queue is looked at each round.
func (g *gittins) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	g.key = func(j model.JobID) float64 { return g.index.price(g.service(v, j)) }
	if g.lazy != nil {
		g.lazy.bounded = func(j model.JobID) (float64, keyBound) {
			a := g.service(v, j)
			price, most, until := g.index.most(a)
			lasts := min(float64((until-a)*(1-unit.Rounding))/g.pace(v, j), 1e12) // s
			return price, keyBound{most, v.Now() + unit.Seconds(lasts)}
		}
	}
	g.give(v, p, w)
	if sim.Explains && w.Detail != nil {
		g.explain(v, p, w, g.measure(v))
	}
}

// measure is the inverse of the index, beside the service on which it depends.
func (g *gittins) measure(v sim.View) measure {
	price := func(j model.JobID) (any, bool) {
		x := g.index.price(g.service(v, j))
		return sim.GPUSeconds(x), x < beyond
	}
	return measure{
		title: "Service per finished job, as jobs of that age go on: the least goes first",
		columns: []sim.Column{{Name: "Service so far", Unit: "GPU-s"}, {Name: "Service per finished job",
			Unit: "GPU-s"}},
		cells: func(j model.JobID) []any {
			cells := []any{g.service(v, j), nil}
			if x := g.index.price(g.service(v, j)); x < beyond {
				cells[1] = x
			}
			return cells
		},
		is: func(j model.JobID) words.Text {
			if x, known := price(j); known {
				return words.Say("jobs of its age take {0} of service for each of them that finishes soon", x)
			}
			return words.Say("by the lengths known here, no job of its age finishes soon")
		},
		short: func(j model.JobID) any {
			if x, known := price(j); known {
				return x
			}
			return words.Say("none finishes soon")
		},
		key: func(j model.JobID) float64 { return g.index.price(g.service(v, j)) },
		sum: func(j model.JobID) []words.Text {
			best, a := policy.BestRate(g.cluster, v, j), g.service(v, j)
			if best <= 0 {
				return nil
			}
			out := []words.Text{policy.Line("service so far = steps done × GPUs ÷ best speed = {0} × {1} ÷ {2} = {3} GPU-s",
				float64(v.Done(j)), float64(v.Shape(j).Size), best, a)}
			out = append(out, policy.BestOutOfReach(g.cluster, v, j)...)
			from, to := g.index.above(a), g.index.above(a+g.index.step)
			if to == from {
				return out
			}
			spent := g.index.spent(a, from, to)
			return append(out,
				words.Say("longer jobs: {0}; what they take within the next {1} GPU-s = {2} GPU-s",
					len(g.index.lengths)-from, policy.Four(g.index.step), policy.Four(spent)),
				policy.Line("service per finished job = what they take ÷ how many finish within it = {0} ÷ {1} = {2} GPU-s",
					spent, float64(to-from), spent/float64(to-from)))
		}}
}

// service is what the job has done, in GPU-seconds of its best type: the unit of the distribution, so that
// time on slow GPUs counts for what it did (ours).
func (g *gittins) service(v sim.View, j model.JobID) float64 {
	best := policy.BestRate(g.cluster, v, j)
	if best <= 0 {
		return 0
	}
	return float64(float64(v.Done(j))*float64(v.Shape(j).Size)) / best
}

// pace is how much service a job has done at most after a second.
func (g *gittins) pace(v sim.View, j model.JobID) float64 {
	size, best, top := v.Shape(j).Size, policy.BestRate(g.cluster, v, j), unit.Rate(0)
	for t := range g.cluster.Types {
		for tier := model.OneNode; tier <= model.Network; tier++ {
			top = max(top, v.Speed(j, 0).Rate(model.TypeID(t), size, tier))
		}
	}
	return float64(float64(top)*float64(size)) / max(best, unit.Tiny)
}

// gittinsIndex is the index over a known distribution of lengths.
type gittinsIndex struct {
	lengths []float64 // GPU-s, ascending
	sum     []float64 // sum[i] of the first i
	step    float64
}

// newGittinsIndex prepares sums, so that a price is two searches and no loop.
func newGittinsIndex(lengths []float64, step float64) *gittinsIndex {
	x := &gittinsIndex{lengths: lengths, step: step, sum: make([]float64, len(lengths)+1)}
	for i, l := range lengths {
		x.sum[i+1] = x.sum[i] + l
	}
	return x
}

// beyond is the price of a job that has outlived every length: it goes last.
const beyond = 1e18

// price is the inverse of the index at a GPU-seconds of service: the mean service that one more
// finished job takes. P is the share of the lengths above a that are at most a + step, and E is the
// mean over them all of min(length, a + step) − a. The price is E/P, and beyond when none ends within
// the step.
func (x *gittinsIndex) price(a float64) float64 {
	from, to := x.above(a), x.above(a+x.step)
	if to == from {
		return beyond
	}
	return x.spent(a, from, to) / float64(to-from)
}

// spent is the sum of min(length, a + step) − a over the lengths above a, which stand at from and after it; those that
// stand at to and after it are above a + step.
func (x *gittinsIndex) spent(a float64, from, to int) float64 {
	n := len(x.lengths)
	return x.sum[to] - x.sum[from] + float64(float64(n-to)*(a+x.step)) - float64(float64(n-from)*a)
}

// most is the price at a GPU-seconds of service, and what it is at most until so many. What is spent falls as the
// service grows, so that the price rises only as lengths within the step are left behind: here three of four.
func (x *gittinsIndex) most(a float64) (price, most, until float64) {
	from, to := x.above(a), x.above(a+x.step)
	if to == from {
		return beyond, beyond, math.Inf(1)
	}
	spent, behind := x.spent(a, from, to), (to-from)*3/4
	return spent / float64(to-from), spent / float64(to-from-behind), x.lengths[from+behind]
}

// above is the first length greater than v.
func (x *gittinsIndex) above(v float64) int {
	i, _ := slices.BinarySearchFunc(x.lengths, v, func(l, v float64) int {
		if l > v {
			return 1
		}
		return -1 // also of an equal one, which is not greater
	})
	return i
}

// residual is the mean of what is left of a job after a GPU-seconds of service: the mean of length − a
// over the lengths above a, and 0 when none is above.
func (x *gittinsIndex) residual(a float64) float64 {
	n, from := len(x.lengths), x.above(a)
	if from == n {
		return 0
	}
	return (x.sum[n]-x.sum[from])/float64(n-from) - a
}
