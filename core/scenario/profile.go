package scenario

import (
	"slices"
	"strconv"

	"hadarlab/core/goodput"
	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Profile is how a model trains at any batch and on any number of GPUs: the goodput model of Pollux (OSDI 2021, 3).
// Steps of its jobs are iterations with the initial batch, under every policy. Its speeds follow from it; it has no
// rows.
type Profile struct {
	Model     string
	InitBatch int // examples, of the whole gang
	MaxBatch  int
	Epochs    int // noise changes at the end of an epoch only; 0 = at once
	Types     []TypeProfile
	Noise     []Noise // by Until
	Source    string  // where the numbers come from
	Extra     jsondoc.Extra

	only []string // types that its jobs may use, as no document says; nil = all
}

var _ = describe[Profile](table{
	{name: "model", need: true, model: true},
	{name: "init_batch", need: true, low: 1, high: MaxBatch},
	{name: "max_batch", need: true, low: 1, high: MaxBatch},
	{name: "epochs", high: maxEpochs},
	{name: "types", need: true},
	{name: "noise", need: true},
	{name: "source", high: maxSource},
})

// TypeProfile is how long iterations take on one type of GPU: model.Perf with the batches that one GPU takes a pass.
type TypeProfile struct {
	Type                                        string
	Low, High                                   int // examples a GPU and pass
	AlphaC, BetaC, AlphaN, BetaN, AlphaR, BetaR float64
	Gamma                                       float64
	Extra                                       jsondoc.Extra
}

var _ = describe[TypeProfile](table{
	{name: "type", need: true, id: "GPU type"},
	{name: "low", need: true, low: 1, high: MaxBatch},
	{name: "high", need: true, low: 1, high: MaxBatch},
	{name: "alpha_c", need: true, above: true, high: maxPass, unit: " s"},
	{name: "beta_c", need: true, above: true, high: maxPass, unit: " s"},
	{name: "alpha_n", need: true, above: true, high: maxPass, unit: " s"},
	{name: "beta_n", need: true, high: maxPass, unit: " s"},
	{name: "alpha_r", need: true, above: true, high: maxPass, unit: " s"},
	{name: "beta_r", need: true, high: maxPass, unit: " s"},
	{name: "gamma", need: true, low: 1, high: 10},
})

// Noise is the gradient noise scale in one stretch of training.
type Noise struct {
	Until float64            // the stretch ends here, as a part of the job's steps; the last ends at 1
	Phi   map[string]float64 // examples, by the total batch that it was measured at
	Extra jsondoc.Extra
}

var _ = describe[Noise](table{
	{name: "until", need: true, above: true, high: 1},
	{name: "phi", need: true, above: true, high: maxPhi, byBatch: true},
})

const (
	maxProfiles = 1_000
	maxStretch  = 100
	maxEpochs   = 1_000_000
	maxPass     = 1e6  // s
	maxPhi      = 1e12 // examples

	atProfiles = "/scenario/throughputs/profiles"
)

// Codes of what is wrong with profiles.
const (
	codeProfileRow  = "profile-and-row"    // a model with rows beside its profile
	codeBatchOrder  = "batch-order"        // a least batch above a greatest
	codeBatchLimit  = "batch-out-of-range" // a job's batch outside its profile's
	codeBatchInit   = "batch-assumed"      // note: a job without a batch has the initial one
	codeNoiseOrder  = "noise-order"        // stretches that do not rise to 1
	codeSplitBest   = "split-profiled"     // note: a batch split by speed of a job whose policies never mix types
	codeScaled      = "profile-scaled"     // note: a type without parameters of its own
	codeElasticSize = "elastic-request"    // warning: gpus outside the elastic range
)

// profiles checks each profile by itself.
func (c *checker) profiles(t *Throughputs) {
	c.Most(atProfiles, words.Say("profiles"), len(t.Profiles), maxProfiles)
	seen := map[string]int{}
	for i := range t.Profiles {
		f := &t.Profiles[i]
		p := jsondoc.EntryAt(atProfiles, i)
		who := words.Own(jsondoc.Clip(f.Model))
		c.fields(p, who, f)
		if first, ok := seen[f.Model]; ok && f.Model != "" {
			c.Fail(p.String(), jsondoc.CodeDuplicate, words.Say("profile {0} is of {1}, and so is profile {2}", i+1, who,
				first+1), words.Say("Keep one of the two."))
		}
		seen[f.Model] = i
		c.order(p, who, "init_batch", "max_batch", f.InitBatch, f.MaxBatch)
		c.Most(p.At("types").String(), words.Say("GPU types of {0}", who), len(f.Types), len(catalogue)+maxStretch)
		types := map[string]bool{}
		for k := range f.Types {
			at, own := jsondoc.EntryAt(p.At("types").String(), k), &f.Types[k]
			c.fields(at, who, own)
			c.order(at, who, "low", "high", own.Low, own.High)
			if types[own.Type] {
				c.Fail(at.String(), jsondoc.CodeDuplicate, words.Say("{0} has {1} twice", who, jsondoc.Clip(own.Type)),
					words.Say("Keep one of the two."))
			}
			types[own.Type] = true
		}
		if len(f.Types) == 0 && !c.Tainted(p.At("types").String()) {
			c.Fail(p.At("types").String(), codeNoRate, words.Say("{0} has parameters for no GPU type", who),
				words.Say("Give them for one type at least; others are scaled from the first."))
		}
		c.noise(p, who, f)
	}
	for i := range t.Rows {
		if _, ok := seen[t.Rows[i].Model]; ok && t.Rows[i].Model != "" {
			c.Fail(jsondoc.EntryAt(atRows, i).String(), codeProfileRow,
				words.Say("{0} has a profile and a row; its speeds would be known twice", jsondoc.Clip(t.Rows[i].Model)),
				words.Say("Remove the row, or the profile."))
		}
	}
}

// order reports a pair of batches that stand the wrong way round.
func (c *checker) order(p jsondoc.Place, who words.Text, low, high string, least, most int) {
	if least > most && most > 0 {
		c.Fail(p.At(low).String(), codeBatchOrder,
			words.Say("{0}: {1} is {2}, more than {3}, {4}", who, low, least, high, most), words.Say("Swap the two."))
	}
}

// noise checks that the stretches of a profile rise to the end of training and say something.
func (c *checker) noise(p jsondoc.Place, who words.Text, f *Profile) {
	at := p.At("noise")
	c.Most(at.String(), words.Say("stretches of {0}", who), len(f.Noise), maxStretch)
	last := 0.0
	for k := range f.Noise {
		n, here := &f.Noise[k], jsondoc.EntryAt(at.String(), k)
		c.fields(here, who, n)
		if n.Until <= last && n.Until > 0 {
			c.Fail(here.At("until").String(), codeNoiseOrder,
				words.Say("{0}: a stretch ends at {1}, and the one before it at {2}", who, jsondoc.Number(n.Until),
					jsondoc.Number(last)), words.Say("Write the stretches in the order of training."))
		}
		last = n.Until
		if len(n.Phi) == 0 && !c.Tainted(here.At("phi").String()) {
			c.Fail(here.At("phi").String(), codeNoiseOrder, words.Say("{0}: a stretch has no noise scale", who),
				words.Say(`Give it for one batch at least, as in {"128": 900}.`))
		}
	}
	if last != 1 && !c.Tainted(at.String()) {
		c.Fail(at.String(), codeNoiseOrder, words.Say("{0}: the last stretch ends at {1} of the training", who,
			jsondoc.Number(last)), words.Say("Let the last one end at 1."))
	}
}

// asked checks a job's elastic range and batch against its profile, nil where its model has none.
func (c *checker) asked(p jsondoc.Place, j *Job, f *Profile) {
	if e := j.Elastic; e != nil && e.Min <= e.Max && (j.GPUs < e.Min || j.GPUs > e.Max) && j.GPUs > 0 &&
		!c.Tainted(p.At("elastic").String()) && !c.IsWrong(p.At("gpus").String()) {
		c.Add(jsondoc.LevelWarning, p.At("gpus").String(), codeElasticSize,
			words.Say("{0} asks for {1}, outside its elastic range of {2} to {3}, which counts as reaching there",
				jsondoc.Clip(j.ID), jsondoc.Plural(j.GPUs, "GPU"), e.Min, e.Max),
			words.Say("Ask for a number within it, or widen the range."))
	}
	if f == nil {
		return
	}
	if j.BatchSplit != "" && c.Seen(codeSplitBest) == 0 {
		c.Add(jsondoc.LevelNote, p.At("batch_split").String(), codeSplitBest,
			words.Say("{0} has a profile: Pollux and Sia give it GPUs of one type only, where batch_split changes nothing; where others mix types, it splits the batch that it was asked for",
				jsondoc.Clip(j.ID)), words.Text{})
	}
	switch {
	case j.Batch == 0:
		if c.Seen(codeBatchInit) == 0 {
			c.Add(jsondoc.LevelNote, p.String(), codeBatchInit,
				words.Say("{0} has no batch; where it is not chosen for it, it trains with the initial one, {1}",
					jsondoc.Clip(j.ID), f.InitBatch), words.Text{})
		}
	case j.Batch < f.InitBatch || j.Batch > f.MaxBatch:
		c.Fail(p.At("batch").String(), codeBatchLimit,
			words.Say("{0} has a batch of {1}; the profile of {2} is for {3} to {4}", jsondoc.Clip(j.ID), j.Batch,
				jsondoc.Clip(f.Model), f.InitBatch, f.MaxBatch), words.Say("Choose a batch within that."))
	}
}

// scaled notes profiles whose passes on a type of the cluster are only scaled.
func (c *checker) scaled(types []string) {
	for i := range c.d.Scenario.Throughputs.Profiles {
		f := &c.d.Scenario.Throughputs.Profiles[i]
		for _, typ := range types {
			if t, own, ok := f.on(typ); ok && !own && c.Seen(codeScaled) < jsondoc.PerCode {
				c.Add(jsondoc.LevelNote, jsondoc.EntryAt(atProfiles, i).At("types").String(), codeScaled,
					words.Say("{0} was not profiled on {1}: its passes there are those on {2}, scaled by the single-precision rates",
						jsondoc.Clip(f.Model), jsondoc.Clip(typ), jsondoc.Clip(t.Type)),
					words.Say("Give parameters for it, if they were measured."))
			}
		}
	}
}

// profileOf finds the profile of a model, nil when it has none.
func (t *Throughputs) profileOf(name string) *Profile {
	if i := slices.IndexFunc(t.Profiles, func(f Profile) bool { return f.Model == name }); i >= 0 {
		return &t.Profiles[i]
	}
	return nil
}

// on is the parameters on a type: its own, or those of the first type with its passes scaled by the single-precision
// rates of the catalogue; ok is false when one of the two is not listed there.
func (f *Profile) on(typ string) (t TypeProfile, own, ok bool) {
	if f.only != nil && !slices.Contains(f.only, typ) {
		return f.Types[0], false, false
	}
	if i := slices.IndexFunc(f.Types, func(t TypeProfile) bool { return t.Type == typ }); i >= 0 {
		return f.Types[i], true, true
	}
	t = f.Types[0]
	from, known := CatalogueType(t.Type)
	to, listed := CatalogueType(typ)
	if !known || !listed || to.FP32TFLOPS <= 0 || from.FP32TFLOPS <= 0 {
		return t, false, false
	}
	by := from.FP32TFLOPS / to.FP32TFLOPS
	t.AlphaC, t.BetaC = jsondoc.Round9(t.AlphaC)*by, jsondoc.Round9(t.BetaC)*by
	return t, false, true
}

func (t *TypeProfile) perf() model.Perf {
	return model.Perf{AlphaC: jsondoc.Round9(t.AlphaC), BetaC: jsondoc.Round9(t.BetaC),
		AlphaN: jsondoc.Round9(t.AlphaN),
		BetaN:  jsondoc.Round9(t.BetaN), AlphaR: jsondoc.Round9(t.AlphaR), BetaR: jsondoc.Round9(t.BetaR),
		Gamma: jsondoc.Round9(t.Gamma)}
}

// compiled is the profile on the types of a cluster.
func (f *Profile) compiled(types []string) model.Profile {
	n := len(types)
	out := model.Profile{Model: f.Model, Batches: make([]model.Batches, n), Perf: make([]model.Perf, n)}
	for i, typ := range types {
		out.Batches[i] = model.Batches{Init: int32(f.InitBatch), Max: int32(f.MaxBatch)}
		if t, _, ok := f.on(typ); ok {
			out.Batches[i].Low, out.Batches[i].High, out.Perf[i] = int32(t.Low), int32(t.High), t.perf()
		}
	}
	return out
}

// phi is the noise scale of stretch k.
func (f *Profile) phi(k int) model.Noise {
	var batches []int32
	of := f.Noise[k].Phi
	for name := range of {
		n, _ := strconv.Atoi(name)
		batches = append(batches, int32(n))
	}
	slices.Sort(batches)
	phi := make([]float64, len(batches))
	for i, b := range batches {
		phi[i] = jsondoc.Round9(of[strconv.Itoa(int(b))])
	}
	return model.NewNoise(batches, phi)
}

// stretch is a part of training with one noise scale: from is a part of the job's steps.
type stretch struct {
	noise int
	from  float64
}

// stretches are those of the noise, or, with epochs, of the epochs that have the same noise: an epoch has that of its
// middle.
func (f *Profile) stretches() (out []stretch) {
	if f.Epochs == 0 {
		from := 0.0
		for k := range f.Noise {
			out, from = append(out, stretch{k, from}), jsondoc.Round9(f.Noise[k].Until)
		}
		return out
	}
	n := float64(f.Epochs)
	first := 0 // epoch of the stretch
	for k := range f.Noise {
		// The first epoch whose middle lies beyond this noise; the rounding down is of (e + 1/2)/n ≤ until.
		end := f.Epochs
		if k < len(f.Noise)-1 {
			end = min(int(float64(jsondoc.Round9(f.Noise[k].Until)*n)+0.5), f.Epochs)
		}
		if end > first {
			out, first = append(out, stretch{k, float64(first) / n}), end
		}
	}
	return out
}

// point is how a gang of n GPUs runs: with its batch as asked, or the best one; ok is false when it cannot.
func point(prof *model.Profile, t int, phi *model.Noise, n int32, several bool, batch int32) (pt model.Point,
	ok bool) {
	perf, b := &prof.Perf[t], prof.Batches[t]
	if batch > 0 {
		pt, ok = goodput.Fixed(perf, phi, b, n, several, batch)
		return pt, ok && pt.Batch >= b.Low // fewer examples a GPU were never profiled
	}
	if pt, _, ok = goodput.Best(perf, phi, b, n, several, true); ok {
		pt, ok = goodput.Clamp(perf, phi, b, n, several, pt)
	}
	return pt, ok
}

// profiledTable is the table of a profile with a noise scale, at a batch; 0 = the best one of each gang.
func profiledTable(name string, prof *model.Profile, phi *model.Noise, batch, size int32) model.Throughput {
	tab := model.NewThroughput(name, len(prof.Perf), size)
	tab.SetTraining(model.Training{Noise: *phi, Init: prof.Batches[0].Init, Max: prof.Batches[0].Max})
	for t := range prof.Perf {
		for n := int32(1); n <= size; n++ {
			var at [2]model.Point
			var rate [2]unit.Rate
			for several := range at {
				if pt, ok := point(prof, t, phi, n, several > 0, batch); ok {
					at[several], rate[several] = pt, goodput.Rate(pt, prof.Batches[t], n)
				}
			}
			tab.Set(model.TypeID(t), n, rate[0], rate[1], rate[1])
			tab.SetPoints(model.TypeID(t), n, at[0], at[1])
		}
	}
	return tab
}

// profiled are what the checks and the tables of profiled jobs start from: for each model and batch of the jobs a row
// with the speeds at the beginning of training, at every size that the jobs ask for or may be given.
func (s *Scenario) profiled(types []string) (rows []Row) {
	if len(s.Throughputs.Profiles) == 0 {
		return nil
	}
	at, made := map[rowKey]int{}, map[profileKey]*Profile{}
	var top []int
	for i := range s.Jobs {
		j := &s.Jobs[i]
		f := s.Throughputs.profileOf(j.Model)
		if f == nil || len(f.Types) == 0 || len(f.Noise) == 0 {
			continue
		}
		k, ok := at[j.row()]
		if !ok {
			k = len(rows)
			only, of := j.only(), profileKey{j.Model, j.only()}
			if made[of] == nil {
				made[of] = f.restricted(only)
			}
			at[j.row()], top = k, append(top, 0)
			rows = append(rows, Row{Model: j.Model, Batch: j.Batch, profile: made[of], only: only})
		}
		top[k] = max(top[k], min(j.most(), maxSizes))
	}
	for k := range rows {
		rows[k].fill(types, top[k])
	}
	return rows
}

// profileKey is what the profiles of rows differ by.
type profileKey struct{ model, only string }

// most is the largest gang that the job asks for or may be given.
func (j *Job) most() int {
	if j.Elastic != nil {
		return max(j.GPUs, j.Elastic.Max)
	}
	return j.GPUs
}

// shape is the job's, where the cluster has so many nodes.
func (j *Job) shape(nodes int) model.Shape {
	s := model.Shape{Size: int32(j.GPUs), Min: int32(j.GPUs), Max: int32(j.most()), Step: 1, Gangs: int32(nodes)}
	if j.Elastic != nil {
		s.Min = min(s.Min, int32(j.Elastic.Min))
	}
	s.Redundancy = j.Redundancy.model()
	return s
}

// batch is the batch of a profiled row's jobs.
func (r *Row) batch() int32 {
	if r.Batch == 0 {
		return int32(r.profile.InitBatch)
	}
	return int32(r.Batch)
}

// fill computes the speeds of a profiled row at the beginning of training.
func (r *Row) fill(types []string, top int) {
	prof, phi := r.profile.compiled(types), r.profile.phi(0)
	r.Gang, r.Spread = map[string]map[string]float64{}, map[string]map[string]float64{}
	for t, typ := range types {
		for several, of := range [...]map[string]map[string]float64{r.Gang, r.Spread} {
			of[typ] = map[string]float64{}
			for n := 1; n <= top; n++ {
				rate := unit.Rate(0)
				if pt, ok := point(&prof, t, &phi, int32(n), several > 0, r.batch()); ok {
					rate = goodput.Rate(pt, prof.Batches[t], int32(n))
				}
				of[typ][strconv.Itoa(n)] = float64(rate)
			}
		}
	}
}

// profileTables makes the tables of profiled rows and the phases of their jobs: by stretch of training an operating
// point with the batch as asked and one with the best. Rows of one profile share the latter.
type profileTables struct {
	p     *model.Problem
	types []string
	top   map[*Profile]int32 // largest gang of its jobs, and of any slot
	asked map[int32][]int32  // by row
	best  map[*Profile][]int32
	index map[*Profile]int32 // in Problem.Profiles
	s     *Scenario
	rowOf []int32 // of each table

	redundancy map[redundantKey]int32 // tables of jobs with it
}

func newProfileTables(s *Scenario, p *model.Problem, rowOf []int32) *profileTables {
	x := &profileTables{s: s, p: p, rowOf: rowOf, top: map[*Profile]int32{}, asked: map[int32][]int32{},
		best: map[*Profile][]int32{}, index: map[*Profile]int32{}, redundancy: map[redundantKey]int32{}}
	for i := range p.Cluster.Types {
		x.types = append(x.types, p.Cluster.Types[i].Name)
	}
	if len(s.Throughputs.Profiles) == 0 {
		return x
	}
	rows := rowIndex(s)
	for i := range s.Jobs {
		if f := s.Throughputs.Rows[rows[s.Jobs[i].row()]].profile; f != nil {
			x.top[f] = max(x.top[f], int32(s.Jobs[i].most()))
			for _, sl := range p.Cluster.Slots {
				x.top[f] = max(x.top[f], sl.Cap)
			}
		}
	}
	return x
}

func (x *profileTables) add(row int32, t model.Throughput) int32 {
	x.p.Tables, x.rowOf = append(x.p.Tables, t), append(x.rowOf, row)
	return int32(len(x.p.Tables) - 1)
}

// job gives a job of a profiled row its phases: the stretches in its own steps.
func (x *profileTables) job(to *model.Job, j *Job, row int32) {
	r := &x.s.Throughputs.Rows[row]
	f := r.profile
	if f == nil {
		return
	}
	at, ok := x.index[f]
	if !ok {
		at = int32(len(x.p.Profiles))
		x.index[f], x.p.Profiles = at, append(x.p.Profiles, f.compiled(x.types))
	}
	prof, asked, best := &x.p.Profiles[at], x.asked[row], x.best[f]
	to.Profile, to.Batch, to.Phases = at, r.batch(), nil
	to.KeepsBatch = j.Elastic != nil && j.Elastic.Batch == batchFixed
	for k, st := range f.stretches() {
		phi := f.phi(st.noise)
		if k == len(asked) {
			asked = append(asked, x.add(row, profiledTable(r.tableName(), prof, &phi, r.batch(), x.top[f])))
		}
		second := asked[k]
		if !to.KeepsBatch {
			if k == len(best) {
				best = append(best, x.add(row, profiledTable(f.Model, prof, &phi, 0, x.top[f])))
			}
			second = best[k]
		}
		to.Phases = append(to.Phases, model.Phase{From: unit.Work(float64(to.Work) * st.from),
			Tables: []int32{asked[k], second}})
	}
	x.asked[row], x.best[f] = asked, best
}
