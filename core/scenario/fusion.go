package scenario

import (
	"cmp"
	"slices"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Fusion is that jobs of one sweep train as one wide model on one GPU, and how many of them.
type Fusion struct {
	Max          int     // members of an array; Parse fills the default, 8, which 0 stands for too
	HoldS        float64 // s for which the first is held for others at most; Parse fills the default, 600
	RefuseS      float64 // s that the others stall as a member ends; Parse fills the default, 30
	FrameworkGiB float64 // memory that is there once an array; Parse fills the default, 1.5
	Extra        jsondoc.Extra
}

// Defaults of Fusion and RowFusion: β is that of the one measured point, three models in 1.272 times the time of one;
// the others are ours.
const (
	DefaultMembers   = 8
	DefaultHoldS     = 600
	DefaultRefuseS   = 30
	defaultFramework = 1.5
	defaultUse       = 0.3
	defaultBeta      = 0.136
	maxMembers       = 64
)

var _ = describe[Fusion](table{
	{name: "max", high: maxMembers, def: DefaultMembers},
	{name: "hold_s", high: MaxSeconds, def: DefaultHoldS, unit: " s"},
	{name: "refuse_s", high: MaxSeconds, def: DefaultRefuseS, unit: " s"},
	{name: "framework_gib", high: maxGPUFigure, def: defaultFramework, unit: " GiB"},
})

// RowFusion is what a GPU makes of several models of a row at once (model.Gain).
type RowFusion struct {
	Use       float64 // the part of a GPU that one model keeps busy; Parse fills the default, 0.3
	Beta      float64 // the part of a step that each further model adds; Parse fills the default, 0.136
	MemoryGiB float64 // of one model with the framework; 0 = memory bounds no array, the default
	Extra     jsondoc.Extra
}

var _ = describe[RowFusion](table{
	{name: "use", above: true, high: 1, def: defaultUse},
	{name: "beta", high: maxBeta, def: defaultBeta},
	{name: "memory_gib", high: maxGPUFigure, unit: " GiB"},
})

const (
	maxBeta  = 100
	atFusion = "/scenario/fusion"
)

// fusion checks what holds between the parts of fusion: jobs of a sweep differ in their steps alone.
func (c *checker) fusion(s *Scenario) {
	if s.Fusion != nil {
		c.fields(jsondoc.ObjectAt(atFusion), words.Text{}, s.Fusion)
	}
	for i := range s.Throughputs.Rows {
		r := &s.Throughputs.Rows[i]
		if r.Fusion == nil {
			continue
		}
		p, who := jsondoc.EntryAt(atRows, i).At("fusion"), rowName(r.Model, r.Batch)
		c.fields(p, who, r.Fusion)
		if m, own := r.Fusion.MemoryGiB, s.Fusion; own != nil && m > 0 && m <= own.FrameworkGiB &&
			!c.Tainted(p.String()) {
			c.Fail(p.Under("memory_gib").String(), codeSweep,
				words.Say("{0}: memory_gib is {1}, no more than framework_gib, {2}", who, jsondoc.Number(m),
					jsondoc.Number(own.FrameworkGiB)),
				words.Say("Give what a model takes with the framework, or take memory_gib out."))
		}
	}
	first, used := map[string]*Job{}, s.Generator != nil && s.Generator.Sweep > 1
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.Sweep == "" {
			continue
		}
		used = true
		p, who := jsondoc.EntryAt(atJobs, i), called(j.ID, "job {0}", i)
		if first[j.Sweep] == nil {
			first[j.Sweep] = j
		}
		c.sweep(p, who, j, first[j.Sweep], s.Throughputs.profileOf(j.Model) != nil)
	}
	switch {
	case s.Fusion != nil && !used && len(s.Jobs) > 0:
		c.Add(jsondoc.LevelNote, atFusion, codeNoSweep, words.Say("no job belongs to a sweep, so nothing is fused"),
			words.Say(`Give jobs that differ in hyper-parameters alone the same sweep, as in "sweep":"lr".`))
	case s.Fusion == nil && used:
		c.Add(jsondoc.LevelNote, atScenario, codeNoSweep,
			words.Say("jobs belong to sweeps, and there is no fusion: each trains for itself"),
			words.Say(`Add "fusion":{}.`))
	}
}

// sweep checks that a job can be fused, and with the first of its sweep.
func (c *checker) sweep(p jsondoc.Place, who words.Text, j, first *Job, profiled bool) {
	fail := func(at string, what, fix words.Text) { c.Fail(p.At(at).String(), codeSweep, what, fix) }
	out := words.Say("Take sweep out.")
	switch {
	case c.Tainted(p.String()):
	case j.GPUs != 1:
		fail("gpus", words.Say("{0} is of a sweep and asks for {1} GPUs; only jobs of one GPU are fused", who, j.GPUs),
			words.Say("Set gpus to 1, or take sweep out."))
	case j.Elastic != nil:
		fail("elastic", words.Say("{0}: an elastic job is of no sweep", who), out)
	case profiled:
		fail("sweep", words.Say("{0}: a job of a model with a profile is of no sweep", who), out)
	case j.CPUs > 0 || j.MemoryGB > 0:
		fail("sweep", words.Say("{0}: a job that needs CPUs or memory of its host is of no sweep", who), out)
	case j.row() != first.row() || j.Tenant != first.Tenant || j.Weight != first.Weight:
		fail("sweep", words.Say("{0} differs from {1}, the first of its sweep, in model, batch, types, tenant or weight", who,
			jsondoc.Clip(first.ID)), words.Say("Make them alike, or give it another sweep."))
	}
}

// most is how many jobs of a row one array may have: so many that any GPU of the cluster on which one runs has memory
// for all of them; 1 = they are not fused.
func (s *Scenario) most(r *Row, types []model.GPUType) int {
	f := r.gain()
	n := int(cmp.Or(float64(s.Fusion.Max), DefaultMembers))
	for i := range types {
		if t := &types[i]; f.memory > 0 && t.MemoryGiB > 0 && r.PerGPU[t.Name] > 0 {
			n = min(n, model.Fits(t.MemoryGiB, f.memory, jsondoc.Round9(s.Fusion.FrameworkGiB)))
		}
	}
	if f.Of(2) < 1 {
		return 1
	}
	return n
}

// gain is the row's curve, and the memory of one model in GiB.
func (r *Row) gain() (f struct {
	model.Gain
	memory float64
}) {
	f.Use, f.Beta = defaultUse, defaultBeta
	if r.Fusion != nil {
		f.Gain = model.Gain{Use: jsondoc.Round9(r.Fusion.Use), Beta: jsondoc.Round9(r.Fusion.Beta)}
		f.memory = jsondoc.Round9(r.Fusion.MemoryGiB)
	}
	return f
}

// sweepsFit notes sweeps that come to nothing, since one model has no use for a second beside it or no room, and
// refuses those whose models need of their hosts.
func (c *checker) sweepsFit(rows map[rowKey]int) {
	s := &c.d.Scenario
	if s.Fusion == nil || c.HasErrors() {
		return
	}
	types, seen := compileCluster(&s.Cluster).Types, map[int]bool{}
	for i := range s.Jobs {
		row, ok := rows[s.Jobs[i].row()]
		if !ok || s.Jobs[i].Sweep == "" || seen[row] {
			continue
		}
		seen[row] = true
		r, at := &s.Throughputs.Rows[row], jsondoc.EntryAt(atRows, row).String()
		if len(r.CPUs)+len(r.MemoryGB) > 0 {
			c.Fail(at, codeSweep, words.Say("{0} needs CPUs or memory of its host, and jobs of it are of a sweep",
				rowName(r.Model, r.Batch)), words.Say("Take cpus and memory_gb out of the row, or sweep out of the jobs."))
		} else if s.most(r, types) < 2 {
			c.Add(jsondoc.LevelNote, at, codeNoSweep,
				words.Say("jobs of {0} are not fused: two of them would be slower than one after the other, or a GPU has no memory for two",
					rowName(r.Model, r.Batch)), words.Say("Lower beta or memory_gib, if that is wrong."))
		}
	}
}

// compileFusion groups the jobs of each sweep into arrays, with a throughput table for each size.
func compileFusion(s *Scenario, p *model.Problem, rows map[rowKey]int, x *profileTables) {
	if s.Fusion == nil {
		return
	}
	sweeps, names := map[string][]model.JobID{}, []string(nil)
	for i := range p.Jobs {
		name := s.Jobs[p.Jobs[i].Doc].Sweep
		if name == "" {
			continue
		}
		if sweeps[name] == nil {
			names = append(names, name)
		}
		sweeps[name] = append(sweeps[name], model.JobID(i))
	}
	f := &model.Fusion{Refuse: unit.Seconds(jsondoc.Round9(s.Fusion.RefuseS))}
	tables := map[int][]int32{} // by row
	for _, name := range names {
		jobs := sweeps[name]
		row := rows[s.Jobs[p.Jobs[jobs[0]].Doc].row()]
		r := &s.Throughputs.Rows[row]
		var arrive []unit.Tick
		for _, j := range jobs {
			arrive = append(arrive, p.Jobs[j].Arrive)
		}
		curve, most := r.gain().Gain, s.most(r, p.Cluster.Types)
		if most < 2 {
			continue // nobody is held
		}
		first, at := model.Held(arrive, most, unit.Seconds(jsondoc.Round9(s.Fusion.HoldS)))
		for i := range first {
			end := len(jobs)
			if i+1 < len(first) {
				end = first[i+1]
			}
			have := tables[row]
			if have == nil {
				have = []int32{p.Jobs[jobs[0]].Phases[0].Tables[0]}
			}
			for k := len(have) + 1; k <= end-first[i]; k++ {
				by := slices.Repeat([]float64{1 / curve.Stretch(k)}, len(p.Cluster.Types))
				have = append(have, x.add(int32(row), p.Tables[have[0]].Scaled(by)))
			}
			tables[row] = have
			f.Arrays = append(f.Arrays, model.Array{Members: jobs[first[i]:end], At: at[i], Curve: curve,
				Tables: have[:end-first[i]]})
		}
	}
	if len(f.Arrays) > 0 {
		p.Fusion = f
	}
}
