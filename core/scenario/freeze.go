package scenario

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"

	"hadarlab/core/text"
	"hadarlab/core/unit"
)

// Freeze gives the document with its generated parts written out: jobs instead of a generator of
// jobs, and a list instead of a generator of faults. Both mean the same run. A document without
// generators comes back as a copy. It is for documents without errors.
func Freeze(d *Document) *Document {
	out := d.Clone()
	s := &out.Scenario
	if s.Generator != nil {
		if have := newSupply(&s.Cluster); len(s.Throughputs.Rows) == 0 {
			s.Throughputs.Rows = Measured(have.types)
		}
		s.Jobs = draw(s)
		s.Generator = nil
	}
	if s.Faults.Generator != nil {
		s.Faults = Faults{List: s.drawn()}
	}
	return out
}

// JobCount is the number of jobs of the document, drawn ones included.
func (d *Document) JobCount() int {
	switch g := d.Scenario.Generator; {
	case g == nil:
		return len(d.Scenario.Jobs)
	case g.DurationS == 0:
		return g.Count
	}
	return len(d.Scenario.Generator.arrivals(jobStream(d.Scenario.Seed, "arrivals")))
}

// option is something that is drawn by its share: a gang size with the rows that can run it, or a row.
type option struct {
	share float64
	gpus  int
	row   int
	rows  []option
}

// pick draws one of the options.
func pick(options []option, rng *rand.Rand) *option {
	sum := 0.0
	for i := range options {
		sum += options[i].share
	}
	u := rng.Float64() * sum
	for i := range options {
		if u < options[i].share {
			return &options[i]
		}
		u -= options[i].share
	}
	return &options[len(options)-1]
}

// sizes are the gang sizes that jobs may have, each with the rows that can run it on GPUs of one type. A
// size that no row can run is left out.
func (s *Scenario) sizes(w *workload) (out []option) {
	g, have, rows := s.Generator, newSupply(&s.Cluster), rowIndex(s)
	models := g.Models
	if len(models) == 0 {
		for i := range s.Throughputs.Rows {
			r := &s.Throughputs.Rows[i]
			models = append(models, ModelShare{Model: r.Model, Batch: r.Batch, Share: 1})
		}
	}
	if len(g.GPUs) > 0 {
		for _, size := range text.Keys(g.GPUs) {
			n, _ := strconv.Atoi(size)
			out = append(out, option{share: text.Round9(g.GPUs[size]), gpus: n})
		}
		slices.SortStableFunc(out, func(a, b option) int { return a.gpus - b.gpus })
	} else {
		for _, z := range w.sizes {
			out = append(out, option{share: z.share, gpus: z.gpus})
		}
	}
	for i := range out {
		for _, m := range models {
			row, ok := rows[rowKey{m.Model, m.Batch}]
			if ok && have.judge(&s.Throughputs.Rows[row], out[i].gpus).oneType {
				out[i].rows = append(out[i].rows, option{share: text.Round9(m.Share), row: row})
			}
		}
	}
	return slices.DeleteFunc(out, func(o option) bool { return len(o.rows) == 0 || o.share <= 0 })
}

// draw makes the jobs of the generator, nil when no size can run.
func draw(s *Scenario) []Job {
	g := s.Generator
	w := findWorkload(cmp.Or(g.Kind, defaultKind))
	if w == nil {
		return nil
	}
	sizes := s.sizes(w)
	if len(sizes) == 0 {
		return nil
	}
	stream := func(what string) *rand.Rand { return jobStream(s.Seed, what) }
	size, length, kind, weight, wish, tenant := stream("sizes"), stream("lengths"), stream("models"), stream("weights"),
		stream("wishes"), stream("tenants")
	have := newSupply(&s.Cluster)
	at := g.arrivals(stream("arrivals"))
	jobs := make([]Job, len(at))
	digits := len(strconv.Itoa(len(at)))
	for i := range jobs {
		o := pick(sizes, size)
		r := &s.Throughputs.Rows[pick(o.rows, kind).row]
		seconds := g.duration(w, length, o.gpus)
		id := strconv.Itoa(i + 1)
		for len(id) < digits {
			id = "0" + id
		}
		steps := min(MaxSteps, float64(seconds*s.reference(w, r, have, o.gpus)))
		jobs[i] = Job{ID: "j" + id, Model: r.Model, Batch: r.Batch, ArrivalS: at[i], GPUs: o.gpus,
			Steps: text.Round9(steps), Weight: DefaultWeight}
		if u := weight.Float64(); u < text.Round9(g.PriorityShare) {
			jobs[i].Weight = 5
		}
		// Wished completion times as in Gavel's generator: 1.2, 2 or 10 times the duration.
		if u, factor := wish.Float64(), wish.Float64(); u < text.Round9(g.SLOShare) {
			switch {
			case factor < 0.33:
				jobs[i].SLOS = text.Round9(1.2 * seconds)
			case factor < 0.67:
				jobs[i].SLOS = text.Round9(2 * seconds)
			default:
				jobs[i].SLOS = min(MaxSeconds, text.Round9(10*seconds))
			}
		}
		if n := len(s.Tenants); n > 0 {
			jobs[i].Tenant = s.Tenants[tenant.IntN(n)].ID
		}
	}
	return jobs
}

// jobStream is the random stream for one purpose of the generator.
func jobStream(seed uint64, what string) *rand.Rand { return unit.Stream(seed, "jobs: "+what) }

// duration draws how long a job of so many GPUs takes on the reference type, in s.
func (g *Generator) duration(w *workload, rng *rand.Rand, gpus int) float64 {
	d := &g.Lengths
	seconds := 0.0
	if d.MedianS > 0 {
		seconds = text.Round9(d.MedianS) * unit.Exp(text.Round9(d.Sigma)*unit.Normal(rng))
	} else {
		seconds = w.duration(rng.Float64(), gpus)
	}
	seconds *= text.Round9(cmp.Or(d.Scale, 1))
	if d.MaxS > 0 {
		seconds = min(seconds, text.Round9(d.MaxS))
	}
	return min(max(seconds, text.Round9(d.MinS), 1), MaxSeconds)
}

// reference is the speed at which a duration holds: on the generator's or the kind's type where the row
// has it, otherwise on the cluster's fastest.
func (s *Scenario) reference(w *workload, r *Row, have *supply, gpus int) float64 {
	if v := r.rate(cmp.Or(s.Generator.Reference, w.ref), gpus, false); v > 0 {
		return v
	}
	best := 0.0
	for _, typ := range have.types {
		best = max(best, r.rate(typ, gpus, false))
	}
	if best == 0 { // runs only when spread
		best = have.judge(r, gpus).fastest
	}
	return best
}

// arrivals draws when jobs come, in s. The first comes at 0.
func (g *Generator) arrivals(rng *rand.Rand) (out []float64) {
	a := &g.Arrivals
	mean := 0.0
	if a.RatePerH > 0 {
		mean = 3600 / text.Round9(a.RatePerH)
	}
	most, end := g.Count, float64(MaxSeconds)
	if most == 0 {
		most, end = FileLimits.Jobs, text.Round9(g.DurationS)
	}
	for t := 0.0; len(out) < most && t <= end; {
		out = append(out, text.Round9(t))
		switch cmp.Or(a.Process, static) {
		case poisson:
			t += float64(mean * unit.Exponential(rng))
		case bursty:
			t += float64(a.burstGap(mean, rng.Float64()) * unit.Exponential(rng))
		case diurnal:
			t = nextHourly(t, mean, unit.Exponential(rng))
		}
	}
	return out
}

// burstGap is the mean of the next gap: short inside a burst of mean size B, otherwise so long that all
// gaps have the stated mean.
func (a *Arrivals) burstGap(mean, u float64) float64 {
	last := 1 / text.Round9(cmp.Or(a.Burst, defaultBurst)) // chance that a burst ends
	if u >= last {
		return a.gap()
	}
	return (mean - float64((1-last)*a.gap())) / last
}

// nextHourly is when e mean gaps have passed since t, at the pace of each hour of the day.
func nextHourly(t, mean, e float64) float64 {
	for {
		hour := int64(t / 3600)
		pace := hourly[hour%24] / mean // jobs a second
		next := float64((hour + 1) * 3600)
		left := next - t
		if e < float64(left*pace) || t > MaxSeconds {
			return t + e/pace
		}
		e -= float64(left * pace)
		t = next
	}
}

// Drawn names the parts of the document that are drawn from its seed.
func (d *Document) Drawn() (parts []string) {
	s := &d.Scenario
	for _, p := range []struct {
		name  string
		drawn bool
	}{{"jobs", s.Generator != nil}, {"faults", s.Faults.Generator != nil},
		{"lengths", s.Knowledge.Lengths == knowNoisy}, {"rates", s.Knowledge.Rates == knowNoisy}} {
		if p.drawn {
			parts = append(parts, p.name)
		}
	}
	return parts
}
