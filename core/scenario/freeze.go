package scenario

import (
	"cmp"
	"strconv"
	"strings"

	"hadarlab/core/generate"
	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Freeze gives the document with its generated parts written out: jobs instead of a generator of
// jobs, and a list instead of a generator of faults or of stragglers. Both mean the same run. A document without
// generators comes back as a copy. It is for documents without errors.
func Freeze(d *Document) *Document {
	out := d.Clone()
	s := &out.Scenario
	if s.Generator != nil {
		cl := s.withCloud()
		if have := newSupply(&cl); len(s.Throughputs.Rows) == 0 {
			s.Throughputs.Rows = measuredRows(have.types)
		}
		s.Jobs = draw(s)
		s.Generator = nil
	}
	if s.Faults.Generator != nil {
		s.Faults = Faults{List: s.drawn()}
	}
	if s.Stragglers.Generator != nil {
		s.Stragglers = Stragglers{List: s.drawnSpells()}
	}
	return out
}

// Lengthened is the document with the steps of every job multiplied by a factor drawn from its seed, exp(e × z) with z
// standard normal: the same jobs, each longer or shorter on every GPU. Generated parts are written out.
func Lengthened(d *Document, e float64) *Document {
	out := Freeze(d)
	s := &out.Scenario
	for i, by := range generate.StepFactors(s.Seed, e, len(s.Jobs)) {
		s.Jobs[i].Steps = min(MaxSteps, jsondoc.Round9(s.Jobs[i].Steps*by))
	}
	return out
}

// JobCount is the number of jobs of the document, drawn ones included.
func (d *Document) JobCount() int {
	if d.Scenario.Generator == nil {
		return len(d.Scenario.Jobs)
	}
	return d.Scenario.drawing().Arriving()
}

// drawing is what jobs are drawn from, but for what fits on the cluster.
func (s *Scenario) drawing() *generate.Jobs {
	g := s.Generator
	return &generate.Jobs{Seed: s.Seed, Kind: g.Kind, Count: g.Count, DurationS: g.DurationS,
		Arrivals: g.Arrivals.Arrivals, Lengths: g.Lengths.Lengths, PriorityShare: g.PriorityShare,
		SLOShare: g.SLOShare, Sweep: g.Sweep, Tenants: len(s.Tenants),
		MaxJobs: FileLimits.Jobs, MaxSeconds: MaxSeconds, MaxSteps: MaxSteps}
}

// sizes are the gang sizes that jobs may have, each with the rows that can run it on GPUs of one type. A
// size that no row can run is left out.
func (s *Scenario) sizes() (out []generate.Size) {
	cl := s.withCloud()
	g, have, rows := s.Generator, newSupply(&cl), rowIndex(s)
	models := g.Models
	if len(models) == 0 {
		for i := range s.Throughputs.Rows {
			r := &s.Throughputs.Rows[i]
			models = append(models, ModelShare{Model: r.Model, Batch: r.Batch, Share: 1})
		}
	}
	shares := g.GPUs
	if len(shares) == 0 {
		shares = generate.SizeShares(g.Kind)
	}
	for _, size := range jsondoc.Keys(shares) {
		n, _ := strconv.Atoi(size)
		z := generate.Size{GPUs: n, Share: jsondoc.Round9(shares[size])}
		for _, m := range models {
			row, ok := rows[rowKey{m.Model, m.Batch, ""}]
			if ok && have.judge(&s.Throughputs.Rows[row], n).oneType {
				z.Rows = append(z.Rows, generate.Row{Index: row, Share: jsondoc.Round9(m.Share),
					Speed: s.reference(&s.Throughputs.Rows[row], have, n)})
			}
		}
		if len(z.Rows) > 0 && z.Share > 0 {
			out = append(out, z)
		}
	}
	unit.Sort(out, func(a, b generate.Size) int { return a.GPUs - b.GPUs })
	return out
}

// draw makes the jobs of the generator, nil when no size can run.
func draw(s *Scenario) []Job {
	from := s.drawing()
	from.Sizes = s.sizes()
	drawn := from.Draw()
	jobs := make([]Job, len(drawn))
	digits := len(strconv.Itoa(len(drawn)))
	for i, j := range drawn {
		id := strconv.Itoa(i + 1)
		r := &s.Throughputs.Rows[j.Row]
		jobs[i] = Job{ID: "j" + strings.Repeat("0", digits-len(id)) + id, Model: r.Model, Batch: r.Batch,
			ArrivalS: j.ArrivalS, GPUs: j.GPUs, Steps: j.Steps, Weight: j.Weight, SLOS: j.SLOS}
		if j.Sweep > 0 {
			jobs[i].Sweep = "s" + strconv.Itoa(j.Sweep)
		}
		if len(s.Tenants) > 0 {
			jobs[i].Tenant = s.Tenants[j.Tenant].ID
		}
	}
	return jobs
}

// reference is the speed at which a duration holds: on the generator's or the kind's type where the row
// has it, otherwise on the cluster's fastest.
func (s *Scenario) reference(r *Row, have *supply, gpus int) float64 {
	if v := r.rate(have, cmp.Or(s.Generator.Reference, generate.Reference(s.Generator.Kind)), gpus,
		model.OneNode); v > 0 {
		return v
	}
	best := 0.0
	for _, typ := range have.types {
		best = max(best, r.rate(have, typ, gpus, model.OneNode))
	}
	if best == 0 { // runs only when spread
		best = have.judge(r, gpus).fastest
	}
	return best
}

// Drawn names the parts of the document that are drawn from its seed.
func (d *Document) Drawn() (parts []string) {
	s := &d.Scenario
	for _, p := range []struct {
		name  string
		drawn bool
	}{{"jobs", s.Generator != nil}, {"faults", s.Faults.Generator != nil},
		{"stragglers", s.Stragglers.Generator != nil},
		{"lengths", s.Knowledge.Lengths == knowNoisy}, {"rates", s.Knowledge.Rates == knowNoisy}} {
		if p.drawn {
			parts = append(parts, p.name)
		}
	}
	return parts
}
