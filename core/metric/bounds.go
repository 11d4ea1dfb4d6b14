package metric

import (
	"math"
	"slices"

	"hadarlab/core/lp"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// margin covers rounding in what follows, which is some units in the last place of each sum.
const margin = 1 - unit.Rounding

// releases is how many instants the makespan bound starts from.
const releases = 12

// Bounds computes lower bounds on makespan and mean completion time of any schedule of p that finishes every
// job, or with a window every job of it, for the kind of schedule that t shows: one gang of its shape a job, or forked
// copies if t has any, one a node and of the size that t shows, and two jobs on a GPU if t has such. It is nil when a
// job can never run.
//
// The relaxation. While job i holds n_t GPUs of each type t it progresses at most at Σ_t e_it·n_t, where e_it is
// its best speed a GPU of type t over gang sizes, places, phases and operating points: a mixed gang of m GPUs
// runs at the least of its types' speeds, which is at most Rate(t,m) for each t it uses, hence at most
// Σ_t (n_t/m)·Rate(t,m), which is what a balanced one runs at; copies add up, or do less (see forks). Stalls, holds,
// faults and whole ticks only slow it down. With y_it GPU-seconds of type t, a schedule that ends at T thus has
//
//	Σ_t e_it·y_it ≥ W_i,   Σ_i y_it ≤ N_t·T,   Σ_t y_it ≤ M_i·T
//
// with N_t the most GPUs that t ever has and M_i the most GPUs that i may hold. That is the linear program of
// the makespan policy with x_it = y_it/(M_i·T), so that T ≥ 1/q for every upper bound q on its level; the
// solver's is weak duality. Jobs of one class (same e, same M) enter as one block, the mean of their rows.
//
// Two members share a GPU's second y: they progress by r_a·y and r_b·y as if they had x_a = r_a·y/e_a and
// x_b = r_b·y/e_b of it alone, which is at most σ_t·y with σ_t the largest r_a/e_a + r_b/e_b. So capacities grow by
// σ_t. The members of an array have k/stretch(k) of it between them (model.Gain).
func Bounds(p *model.Problem, t *trace.Trace) *message.Bounds {
	forks, packs := forked(p, t), slices.ContainsFunc(t.Spans.With, func(w int32) bool { return w >= 0 })
	alone, w := *p, t.Measured() // the others of a run with a window can only be in the way
	alone.Jobs = p.Jobs[w.From:w.To]
	x := relax(&alone, forks, packs)
	if x == nil || len(alone.Jobs) == 0 {
		return nil
	}
	b := &message.Bounds{Kind: kind(forks, packs)}
	prices := x.makespan(b)
	x.meanJCT(b, prices)
	b.MakespanS, b.AvgJCTS = float64(b.MakespanS*margin), float64(b.AvgJCTS*margin)
	return b
}

// kind is that of the schedules that the bounds hold for.
func kind(forks copies, packs bool) string {
	switch {
	case forks.on && forks.own:
		return message.OwnCopies
	case forks.on:
		return message.AnyCopies
	case packs:
		return message.SharedGPUs
	}
	return message.OneGang
}

// relaxation is the fluid cluster.
type relaxation struct {
	p       *model.Problem
	gpus    []float64 // N_t·σ_t by type
	node    [][]int32 // the GPUs of each node by type
	worths  map[*model.Training]worths
	classes []fluid
	class   []int32 // by job
}

// fluid is jobs with the same speeds.
type fluid struct {
	per []float64 // e_t, steps/s a GPU by type
	top float64   // steps/s of one job at most
	max float64   // M, GPUs of one job at most
}

// makespan is the greater of: for some instants r, what the fluid cluster needs for the jobs that arrive from r
// on, none of which can start before r; and the longest job at its greatest speed. It returns the types' prices
// in the first program, nil if there was none.
func (x *relaxation) makespan(b *message.Bounds) (prices []float64) {
	jobs := x.p.Jobs
	first := jobs[0].Arrive
	b.Names.MakespanS = "longest job at its best speed"
	for i := range jobs {
		j := &jobs[i]
		b.MakespanS = max(b.MakespanS, (j.Arrive-first).Seconds()+float64(j.Work)/x.classes[x.class[i]].top)
	}
	var sv lp.Solver
	last := unit.Tick(-1)
	for k := range releases {
		from := k * len(jobs) / releases
		for from > 0 && jobs[from-1].Arrive == jobs[from].Arrive {
			from--
		}
		r := jobs[from].Arrive
		if r == last {
			continue
		}
		last = r
		length, price := x.fluidTime(&sv, from)
		if k == 0 {
			prices = slices.Clone(price)
		}
		if m := (r - first).Seconds() + length; m > b.MakespanS {
			b.MakespanS, b.Names.MakespanS = m, "fluid cluster"
			if r > first {
				b.Names.MakespanS = "fluid cluster for the jobs from one arrival on"
			}
		}
	}
	return prices
}

// fluidTime is how long the fluid cluster needs for the jobs from position from on, and the types' prices.
func (x *relaxation) fluidTime(sv *lp.Solver, from int) (float64, []float64) {
	work, count := make([]float64, len(x.classes)), make([]float64, len(x.classes))
	for i := from; i < len(x.class); i++ {
		work[x.class[i]] += float64(x.p.Jobs[i].Work)
		count[x.class[i]]++
	}
	var rates, scale, mean []float64
	for c := range x.classes {
		if count[c] == 0 {
			continue
		}
		f := &x.classes[c]
		for _, e := range f.per {
			rates = append(rates, float64(e*f.max))
		}
		scale = append(scale, float64(f.max*count[c]))
		mean = append(mean, work[c]/count[c])
	}
	r, err := lp.Makespan(sv, &lp.Jobs{Rates: rates, GPUs: scale, Left: mean, Capacity: x.gpus})
	if err != nil || !(r.Bound > 0) || math.IsInf(r.Bound, 1) {
		return 0, nil // more types than the solver takes
	}
	return 1 / r.Bound, r.Price
}

// meanJCT is the greater of two means: every job alone at its greatest speed; and one machine that works off
// priced GPU time. At any prices π_t ≥ 0 the cluster gives at most P = Σ_t π_t·N_t a second, and job i has
// taken at least v_i = W_i·min_t π_t/e_it of it, all after its arrival, when it is done. So its completion times
// are those of some preemptive schedule of jobs of v_i/P seconds on one machine, on which shortest remaining
// time first has the least sum. The best of a few prices counts: each is valid.
func (x *relaxation) meanJCT(b *message.Bounds, prices []float64) {
	n := float64(len(x.class))
	for i, c := range x.class {
		b.AvgJCTS += float64(x.p.Jobs[i].Work) / x.classes[c].top / n
	}
	b.Names.AvgJCTS = "every job alone at its best speed"
	even, speed := make([]float64, len(x.gpus)), make([]float64, len(x.gpus))
	for t := range even {
		even[t] = 1
		for c := range x.classes {
			speed[t] += x.classes[c].per[t] / slices.Max(x.classes[c].per)
		}
	}
	for _, price := range [][]float64{prices, even, speed} {
		if m := x.srpt(price) / n; m > b.AvgJCTS {
			b.AvgJCTS, b.Names.AvgJCTS = m, "shortest remaining time first on one machine of the cluster's worth"
		}
	}
}

// srpt is the sum of completion times less arrivals, in seconds, of shortest remaining time first on the machine
// that the prices make of the cluster.
func (x *relaxation) srpt(price []float64) float64 {
	power := 0.0
	for t := range price {
		power += float64(price[t] * x.gpus[t])
	}
	if !(power > 0) {
		return 0
	}
	unitCost := make([]float64, len(x.classes))
	for c := range x.classes {
		unitCost[c] = math.Inf(1)
		for t, e := range x.classes[c].per {
			if e > 0 {
				unitCost[c] = min(unitCost[c], price[t]/e)
			}
		}
	}
	var left []float64 // the remaining times, a heap
	less := func(a, b float64) bool { return a < b }
	sum, base, now := 0.0, unit.Tick(0), 0.0 // now counts from base, the start of the busy period
	arrival := func(i int) float64 { return (x.p.Jobs[i].Arrive - base).Seconds() }
	for i := 0; i < len(x.class) || len(left) > 0; {
		if len(left) == 0 {
			base, now = x.p.Jobs[i].Arrive, 0
		}
		for i < len(x.class) && arrival(i) <= now {
			left = unit.HeapPush(left, float64(float64(x.p.Jobs[i].Work)*unitCost[x.class[i]])/power, less)
			sum -= arrival(i)
			i++
		}
		if i < len(x.class) && now+left[0] > arrival(i) {
			left[0] -= arrival(i) - now // it stays the least
			now = arrival(i)
			continue
		}
		var least float64
		least, left = unit.HeapPop(left, less)
		now += least
		sum += now
	}
	return sum
}
