package scenario

import (
	"cmp"
	"reflect"

	"hadarlab/core/generate"
	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// Generator describes jobs that are drawn from the seed instead of listed. Each purpose has a random
// stream of its own, so that changing one figure moves only what depends on it.
type Generator struct {
	Kind          string   // "" = gavel-mix, the default; helios, pai, philly: marginals in the style of those traces
	Count         int      // jobs; 0 = as many as arrive within DurationS
	DurationS     float64  // s in which jobs arrive; 0 = until there are Count
	Arrivals      Arrivals // by default all arrive at 0
	Models        []ModelShare
	GPUs          map[string]float64 // share of jobs by gang size, as "4"; nil = that of the kind
	Lengths       Lengths
	Reference     string  // GPU type on which durations hold; "" = that of the kind
	PriorityShare float64 // share of jobs with weight 5, from 0 to 1
	SLOShare      float64 // share of jobs with a wished completion time, from 0 to 1
	Sweep         int     // jobs of one GPU that are drawn one after another come as sweeps of so many; 0 and 1 = none
	Extra         jsondoc.Extra
	Beside        jsondoc.Extra // unknown members of the object around it
}

var _ = describe[Generator](table{
	{name: "kind", words: generate.Kinds()},
	{name: "count", high: maxJobs},
	{name: "duration_s", high: MaxSeconds, unit: " s"},
	{name: "reference", id: "GPU type"},
	{name: "priority_share", high: 1},
	{name: "slo_share", high: 1},
	{name: "sweep", high: maxBurst},
	{name: "arrivals"},
	{name: "models"},
	{name: "gpus", bySize: true, high: MaxWeight},
	{name: "lengths"},
})

// Arrivals is a process of arrivals.
type Arrivals struct {
	generate.Arrivals
	Extra jsondoc.Extra
}

var _ = describe[Arrivals](table{
	{name: "process", words: []string{generate.Static, generate.Poisson, generate.Bursty, generate.Diurnal}},
	{name: "rate_per_h", high: maxRatePerH, zero: true},
	{name: "burst", low: 1, high: maxBurst, def: generate.DefaultBurst, zero: true},
	{name: "burst_gap_s", high: MaxSeconds, def: generate.DefaultBurstGapS, zero: true, unit: " s"},
})

// ModelShare is a model that jobs train, and its share of them.
type ModelShare struct {
	Model string
	Batch int
	Share float64 // relative; Parse fills the default, 1
	Extra jsondoc.Extra
}

var _ = describe[ModelShare](table{
	{name: "model", need: true, model: true},
	{name: "batch", high: MaxBatch},
	{name: "share", above: true, high: MaxWeight, def: DefaultWeight},
})

// Lengths change the kind's durations.
type Lengths struct {
	generate.Lengths
	Extra jsondoc.Extra
}

var _ = describe[Lengths](table{
	{name: "median_s", high: MaxSeconds, zero: true, unit: " s"},
	{name: "sigma", high: maxSigma},
	{name: "scale", high: maxScale, def: 1, zero: true},
	{name: "min_s", high: MaxSeconds, unit: " s"},
	{name: "max_s", high: MaxSeconds, zero: true, unit: " s"},
})

const (
	maxJobs     = 1_000_000
	maxRatePerH = 1e6
	maxBurst    = 1e6
	maxSigma    = 10
	maxScale    = 1e6
	atGenerator = "/scenario/jobs/generator"
	atShares    = "/scenario/jobs/generator/models"
)

// drawnJobs is what stands in place of a list of jobs that are drawn.
type drawnJobs struct {
	Generator *Generator
	Extra     jsondoc.Extra
}

var _ = describe[drawnJobs](table{
	{name: "generator", need: true},
})

func readJobs(r *reader, v int, in any) {
	s, drawn := in.(*Scenario), drawnJobs{}
	if r.either(v, &s.Jobs, &drawn); r.Tree.Kind(v) == jsondoc.KindObject {
		s.Generator = cmp.Or(drawn.Generator, &Generator{})
		s.Generator.Beside = drawn.Extra
	}
}

func writeJobs(w *writer, in any) {
	w.Member("jobs")
	if s := in.(*Scenario); s.Generator != nil {
		w.object(&drawnJobs{s.Generator, s.Generator.Beside})
	} else {
		w.list(reflect.ValueOf(s.Jobs))
	}
}

func (c *checker) generator(s *Scenario) {
	g := s.Generator
	p := jsondoc.ObjectAt(atGenerator)
	c.fields(p, words.Text{}, g)
	c.fields(jsondoc.ObjectAt(atGenerator+"/arrivals"), words.Text{}, &g.Arrivals)
	c.fields(jsondoc.ObjectAt(atGenerator+"/lengths"), words.Text{}, &g.Lengths)
	c.Most(p.At("count").String(), words.Say("jobs"), g.Count, c.lim.Drawn)
	switch {
	case g.Count == 0 && g.DurationS == 0:
		c.Fail(atGenerator, jsondoc.CodeMissing, words.Say("the generator says neither how many jobs nor for how long"),
			words.Say(`Add "count":100 or "duration_s":86400.`))
	case g.Count != 0 && g.DurationS != 0:
		c.Fail(p.At("duration_s").String(), jsondoc.CodeTwice, words.Say("the generator has both count and duration_s"),
			words.Say("Keep one of the two."))
	}
	sum := 0.0
	for _, size := range jsondoc.Keys(g.GPUs) {
		sum += g.GPUs[size]
	}
	if at := p.At("gpus").String(); len(g.GPUs) > 0 && sum <= 0 && !c.Tainted(at) {
		c.Fail(at, jsondoc.CodeRange, words.Say("the shares of gpus add up to 0"),
			words.Say("Give one a share above 0."))
	}
	c.Most(atShares, words.Say("models"), len(g.Models), MaxRows)
	for i := range g.Models {
		c.fields(jsondoc.EntryAt(atShares, i), words.Own(jsondoc.Clip(g.Models[i].Model)), &g.Models[i])
	}
	if !c.Tainted(atGenerator) {
		c.arrivals(g)
	}
}

// arrivals checks what holds between the figures of the arrivals.
func (c *checker) arrivals(g *Generator) {
	a := &g.Arrivals
	process := cmp.Or(a.Process, generate.Static)
	field, code := "rate_per_h", jsondoc.CodeRange
	var msg, fix words.Text
	switch n := float64(g.DurationS*a.RatePerH) / 3600; {
	case process == generate.Static && g.DurationS > 0:
		field, code = "process", jsondoc.CodeMissing
		msg = words.Say("all jobs arrive at 0, so duration_s says nothing")
		fix = words.Say("Set count, or process to poisson.")
	case process != generate.Static && a.RatePerH == 0:
		code = jsondoc.CodeMissing
		msg = words.Say("{0} is missing; {1} arrivals need it", field, process)
		fix = words.Say("Add {0}.", `"rate_per_h":4`)
	case process == generate.Bursty && a.Gap() >= 3600/a.RatePerH:
		field = "burst_gap_s"
		msg = words.Say("jobs of a burst are {0} s apart on average, and all jobs {1} s", jsondoc.Number(a.Gap()),
			jsondoc.Number(jsondoc.Round9(3600/a.RatePerH)))
		fix = words.Say("Lower burst_gap_s or rate_per_h.")
	case n > float64(c.lim.Drawn):
		code = jsondoc.CodeMany
		msg = words.Say("about {0} jobs would arrive; the most is {1}", jsondoc.Number(float64(int64(n))), c.lim.Drawn)
		fix = words.Say("Lower rate_per_h or duration_s.")
	case process != generate.Static && float64(g.Count)/a.RatePerH > MaxSeconds/3600/4:
		msg = words.Say("the last job would arrive after more than {0} s", jsondoc.Number(MaxSeconds/4))
		fix = words.Say("Raise rate_per_h, or lower count.")
	default:
		return
	}
	c.Fail(atGenerator+"/arrivals/"+field, code, msg, fix)
}
