// Package generate draws what a scenario leaves to chance: jobs, faults, and what policies wrongly believe. It takes
// plain figures and gives plain numbers back; it knows no document, no cluster and no policy. Each purpose has a random
// stream of its own, so that changing one figure moves only what depends on it.
package generate

import (
	"cmp"
	"math/rand/v2"

	"hadarlab/core/jsondoc"
	"hadarlab/core/unit"
)

// Jobs says what jobs are drawn from. Figures are rounded to the digits that count in a document.
type Jobs struct {
	Seed          uint64
	Kind          string  // "" = the default; see Kinds
	Count         int     // jobs; 0 = as many as arrive within DurationS
	DurationS     float64 // s in which jobs arrive; 0 = until there are Count
	Arrivals      Arrivals
	Lengths       Lengths
	PriorityShare float64 // share of jobs with weight 5, from 0 to 1
	SLOShare      float64 // share of jobs with a wished completion time, from 0 to 1
	Sizes         []Size  // gang sizes that can run; none = no job is drawn
	Sweep         int     // jobs of a sweep; 0 and 1 = none
	Tenants       int     // how many tenants the jobs are dealt to; 0 = none

	MaxJobs              int     // bounds what DurationS lets arrive
	MaxSeconds, MaxSteps float64 // bound the times and the steps of a job
}

// Lengths change the kind's durations.
type Lengths struct {
	MedianS float64 // > 0: log-normal with this median instead
	Sigma   float64 // standard deviation of its logarithm
	Scale   float64 // factor on every duration; 0 = the default, 1
	MinS    float64 // what is shorter takes so long; at least 1
	MaxS    float64 // what is longer takes so long; 0 = no bound
}

// Size is a gang size that jobs may have, with the rows of throughputs that can run it.
type Size struct {
	GPUs  int
	Share float64 // relative
	Rows  []Row
}

// Row is a row of throughputs that jobs of a size may train.
type Row struct {
	Index int
	Share float64 // relative
	Speed float64 // steps per second at which a duration holds
}

// Job is a job that was drawn.
type Job struct {
	Row, GPUs, Tenant       int // Tenant counts from 0; meaningless without tenants
	ArrivalS, Steps, Weight float64
	Sweep                   int     // counts from 1; 0 = none
	SLOS                    float64 // wished time from arrival to completion, in s; 0 = none
}

// Arriving is how many jobs arrive, whatever they are.
func (g *Jobs) Arriving() int {
	if g.DurationS == 0 {
		return g.Count
	}
	return len(g.arrivals())
}

// Draw makes the jobs in the order of their arrivals, nil when no size can run.
func (g *Jobs) Draw() []Job {
	w := find(g.Kind)
	if w == nil || len(g.Sizes) == 0 {
		return nil
	}
	size, length, row, weight, wish, tenant := g.stream("sizes"), g.stream("lengths"), g.stream("models"),
		g.stream("weights"), g.stream("wishes"), g.stream("tenants")
	at := g.arrivals()
	jobs := make([]Job, len(at))
	var sweeps *Size // of the sweep that is being drawn
	var swept *Row
	for i := range jobs {
		z := pick(g.Sizes, func(z *Size) float64 { return z.Share }, size)
		r := pick(z.Rows, func(r *Row) float64 { return r.Share }, row)
		var first *Job // of the sweep to which the job belongs
		if g.Sweep > 1 && i%g.Sweep > 0 && jobs[i-i%g.Sweep].Sweep > 0 {
			first = &jobs[i-i%g.Sweep]
			z, r = sweeps, swept
		}
		seconds := g.duration(w, length, z.GPUs)
		steps := min(g.MaxSteps, float64(seconds*r.Speed))
		j := Job{Row: r.Index, GPUs: z.GPUs, ArrivalS: at[i], Steps: jsondoc.Round9(steps), Weight: 1}
		if u := weight.Float64(); u < jsondoc.Round9(g.PriorityShare) {
			j.Weight = 5
		}
		// Wished completion times as in Gavel's generator: 1.2, 2 or 10 times the duration.
		if u, factor := wish.Float64(), wish.Float64(); u < jsondoc.Round9(g.SLOShare) {
			switch {
			case factor < 0.33:
				j.SLOS = jsondoc.Round9(1.2 * seconds)
			case factor < 0.67:
				j.SLOS = jsondoc.Round9(2 * seconds)
			default:
				j.SLOS = min(g.MaxSeconds, jsondoc.Round9(10*seconds))
			}
		}
		if g.Tenants > 0 {
			j.Tenant = tenant.IntN(g.Tenants)
		}
		switch {
		case first != nil: // they differ in their steps alone
			j.ArrivalS, j.Weight, j.Tenant, j.Sweep = first.ArrivalS, first.Weight, first.Tenant, first.Sweep
		case g.Sweep > 1 && i%g.Sweep == 0 && j.GPUs == 1:
			j.Sweep, sweeps, swept = i/g.Sweep+1, z, r
		}
		jobs[i] = j
	}
	return jobs
}

// stream is the random stream for one purpose.
func (g *Jobs) stream(what string) *rand.Rand { return unit.Stream(g.Seed, "jobs: "+what) }

// pick draws one of the options by its share.
func pick[T any](options []T, share func(*T) float64, rng *rand.Rand) *T {
	sum := 0.0
	for i := range options {
		sum += share(&options[i])
	}
	u := rng.Float64() * sum
	for i := range options {
		if u < share(&options[i]) {
			return &options[i]
		}
		u -= share(&options[i])
	}
	return &options[len(options)-1]
}

// duration draws how long a job of so many GPUs takes on the reference type, in s.
func (g *Jobs) duration(w *workload, rng *rand.Rand, gpus int) float64 {
	d := &g.Lengths
	seconds := 0.0
	if d.MedianS > 0 {
		seconds = jsondoc.Round9(d.MedianS) * unit.Exp(jsondoc.Round9(d.Sigma)*unit.Normal(rng))
	} else {
		seconds = w.duration(rng.Float64(), gpus)
	}
	seconds *= jsondoc.Round9(cmp.Or(d.Scale, 1))
	if d.MaxS > 0 {
		seconds = min(seconds, jsondoc.Round9(d.MaxS))
	}
	return min(max(seconds, jsondoc.Round9(d.MinS), 1), g.MaxSeconds)
}
