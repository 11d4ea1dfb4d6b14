package scenario

import (
	"cmp"
	"math"
	"slices"

	"hadarlab/core/generate"
	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Load is the work that a stream of jobs offers, as a part of what the cluster can do: what arrives in an hour, in
// GPU-hours, over its GPUs. Above 1 the queue grows for as long as jobs arrive.
type Load struct {
	PerH  float64 // jobs an hour
	Least float64 // when jobs run where the cluster does most of them: with a gang of its own each, they take no less
	Alike float64 // when every job has its time on all types that run it alike, by their GPUs
}

// needs is the work of all jobs of one model and size, in GPU-seconds of each type if it were done there alone, 0 where
// it does not run; alike is what it takes on all of them alike.
type needs struct {
	on    []float64
	alike float64
}

// Offered is the load of the jobs, drawn or listed, of a document without errors; ok is false where they do not come
// one after the other. GPUs that come and go count as there.
func (d *Document) Offered() (l Load, ok bool) {
	s, perH := d.Scenario, 0.0
	if g := s.Generator; g != nil {
		if perH = g.Arrivals.RatePerH; cmp.Or(g.Arrivals.Process, generate.Static) == generate.Static {
			return l, false
		}
		s = Freeze(d).Scenario
	}
	cl := s.withCloud()
	have := newSupply(&cl)
	s.Throughputs.Rows = slices.Concat(s.Throughputs.Rows, s.profiled(have.types))
	s.Throughputs.Rows = append(s.Throughputs.Rows, s.restricted(have.types)...)
	return s.offered(have, perH)
}

// percent is a ratio in whole per cent.
func percent(v float64) int { return int(math.Round(100 * v)) }

// Says tells the load in whole per cent, a sentence each.
func (l *Load) Says() []words.Text {
	says := []words.Text{words.Say(
		"Offered load: {0} % of what the cluster can do at best, {1} % where every job has its time on all GPU types alike.",
		percent(l.Least), percent(l.Alike))}
	switch {
	case l.Least > 1:
		says = append(says, words.Say("There is no steady state: the queue grows for as long as jobs arrive."))
	case l.Alike > 1:
		says = append(says, words.Say(
			"A scheduler has a steady state only if it puts jobs where they run best; else the queue grows for as long as jobs arrive."))
	}
	return says
}

// offered is the load of listed jobs that come at a rate, 0 = that at which they do.
func (s *Scenario) offered(have *supply, perH float64) (l Load, ok bool) {
	if l.PerH = perH; perH == 0 {
		first, last := 0.0, 0.0
		for i := range s.Jobs {
			at := s.Jobs[i].ArrivalS
			if i == 0 || at < first {
				first = at
			}
			last = max(last, at)
		}
		if last > first {
			l.PerH = float64(len(s.Jobs)-1) * 3600 / (last - first)
		}
	}
	jobs := s.demands(have)
	if l.PerH == 0 || len(jobs) == 0 {
		return l, false
	}
	second := l.PerH / 3600 / float64(len(s.Jobs)) // the part of all jobs' work that comes in one
	for i := range jobs {
		l.Alike += jobs[i].alike
	}
	l.Alike, l.Least = float64(l.Alike*second)/float64(have.gpus), float64(least(jobs, have.total)*second)
	return l, true
}

// demands are the jobs that can run, in the order in which their models and sizes first come.
func (s *Scenario) demands(have *supply) (out []needs) {
	type kind struct{ row, gpus int }
	rows, index := rowIndex(s), map[kind]int{}
	var speeds [][]float64
	for i := range s.Jobs {
		j := &s.Jobs[i]
		row, known := rows[j.row()]
		if !known {
			continue
		}
		k, seen := index[kind{row, j.GPUs}]
		if !seen {
			k = len(out)
			index[kind{row, j.GPUs}] = k
			out = append(out, needs{on: make([]float64, len(have.types))})
			speeds = append(speeds, have.speeds(&s.Throughputs.Rows[row], j.GPUs))
		}
		work, sum, gpus := float64(jsondoc.Round9(j.Steps)*float64(j.GPUs)), 0.0, 0
		for t, v := range speeds[k] {
			if v > 0 {
				out[k].on[t] += work / v
				sum += float64(v * float64(have.total[t]))
				gpus += have.total[t]
			}
		}
		if gpus > 0 {
			out[k].alike += work * float64(gpus) / sum
		}
	}
	return slices.DeleteFunc(out, func(d needs) bool { return d.alike == 0 })
}

// speeds are those of a gang on each type, as close together as the type has GPUs for it; 0 where it has not as many.
func (s *supply) speeds(r *Row, n int) []float64 {
	out := make([]float64, len(s.types))
	for t, typ := range s.types {
		switch {
		case s.slot[typ] >= n:
			out[t] = r.rate(s, typ, n, model.OneNode)
		case s.total[t] >= n:
			out[t] = r.rate(s, typ, n, model.OneRack)
		}
	}
	return out
}

// least is the least of seconds that the busiest type works when jobs are shared out over the types, from below. At any
// prices y ≥ 0 of GPU-seconds with Σ y·GPUs = 1, it is at least the sum over jobs of what each costs where it is
// cheapest, since the busiest type's seconds are no fewer than their mean by y·GPUs. Prices rise where more is wanted
// than elsewhere; the best sum counts, and each is valid.
func least(jobs []needs, gpus []int) (best float64) {
	price, busy := make([]float64, len(gpus)), make([]float64, len(gpus))
	for t := range price {
		price[t] = 1
	}
	step := 1.0
	for range 300 {
		worth := 0.0
		for t, n := range gpus {
			worth += float64(price[t] * float64(n))
			busy[t] = 0
		}
		sum := 0.0
		for i := range jobs {
			at, low := -1, 0.0
			for t, w := range jobs[i].on {
				if c := float64(price[t] * w); w > 0 && (at < 0 || c < low) {
					at, low = t, c
				}
			}
			sum += low
			busy[at] += jobs[i].on[at] / float64(gpus[at])
		}
		best = max(best, sum/worth)
		most := slices.Max(busy)
		for t := range price {
			price[t] *= 1 + float64(step*busy[t])/most
		}
		step *= 0.98
	}
	return best * (1 - unit.Rounding)
}
