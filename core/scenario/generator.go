package scenario

import (
	"maps"
	"slices"
	"strconv"
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
	Extra         Extra
	Beside        Extra // unknown members of the object around it
}

// Arrivals is a process of arrivals; the first job comes at 0.
type Arrivals struct {
	Process   string  // "" = static, all at 0, the default; poisson; bursty; diurnal
	RatePerH  float64 // mean arrivals per hour, for all but static
	Burst     float64 // bursty: mean jobs in a burst; 0 = the default, 10
	BurstGapS float64 // bursty: mean seconds between jobs of a burst; 0 = the default, 10
	Extra     Extra
}

// ModelShare is a model that jobs train, and its share of them.
type ModelShare struct {
	Model string
	Batch int
	Share float64 // relative; Parse fills the default, 1
	Extra Extra
}

// Lengths change the kind's durations.
type Lengths struct {
	MedianS float64 // > 0: log-normal with this median instead
	Sigma   float64 // standard deviation of its logarithm
	Scale   float64 // factor on every duration; 0 = the default, 1
	MinS    float64 // what is shorter takes so long; at least 1
	MaxS    float64 // what is longer takes so long; 0 = no bound
	Extra   Extra
}

var (
	jobsMembers     = members{need: []string{"generator"}}
	jobsGenMembers  = members{may: []string{"kind", "count", "duration_s", "arrivals", "models", "gpus", "lengths", "reference", "priority_share", "slo_share"}}
	arrivalsMembers = members{may: []string{"process", "rate_per_h", "burst", "burst_gap_s"}}
	shareMembers    = members{need: []string{"model"}, may: []string{"batch", "share"}}
	lengthsMembers  = members{may: []string{"median_s", "sigma", "scale", "min_s", "max_s"}}
)

const (
	static  = "static"
	poisson = "poisson"
	bursty  = "bursty"
	diurnal = "diurnal"

	defaultBurst     = 10
	defaultBurstGapS = 10
	maxRatePerH      = 1e6
	maxBurst         = 1e6
	maxSigma         = 10
	maxScale         = 1e6
	atGenerator      = "/scenario/jobs/generator"
	atShares         = "/scenario/jobs/generator/models"
)

func (r *reader) generator(i int) *Generator {
	g := &Generator{}
	g.Beside = r.object(i, &jobsMembers, func(_ string, v int) {
		g.Extra = r.object(v, &jobsGenMembers, func(name string, v int) {
			switch name {
			case "kind":
				r.word(v, &g.Kind, defaultKind)
			case "count":
				r.count(v, &g.Count)
			case "duration_s":
				r.number(v, &g.DurationS)
			case "arrivals":
				r.arrivals(v, &g.Arrivals)
			case "models":
				r.list(v, "an object", func(v int) { g.Models = append(g.Models, r.modelShare(v)) })
			case "gpus":
				g.GPUs = r.rates(v)
			case "lengths":
				r.lengths(v, &g.Lengths)
			case "reference":
				r.text(v, &g.Reference)
			case "priority_share":
				r.number(v, &g.PriorityShare)
			case "slo_share":
				r.number(v, &g.SLOShare)
			}
		})
	})
	return g
}

func (r *reader) arrivals(i int, a *Arrivals) {
	a.Extra = r.object(i, &arrivalsMembers, func(name string, v int) {
		switch name {
		case "process":
			r.word(v, &a.Process, static)
		case "rate_per_h":
			r.positive(v, &a.RatePerH, 0)
		case "burst":
			r.positive(v, &a.Burst, defaultBurst)
		case "burst_gap_s":
			r.positive(v, &a.BurstGapS, defaultBurstGapS)
		}
	})
}

func (r *reader) modelShare(i int) ModelShare {
	m := ModelShare{Share: defaultWeight}
	m.Extra = r.object(i, &shareMembers, func(name string, v int) {
		switch name {
		case "model":
			r.text(v, &m.Model)
		case "batch":
			r.count(v, &m.Batch)
		case "share":
			r.number(v, &m.Share)
		}
	})
	return m
}

func (r *reader) lengths(i int, d *Lengths) {
	d.Extra = r.object(i, &lengthsMembers, func(name string, v int) {
		switch name {
		case "median_s":
			r.positive(v, &d.MedianS, 0)
		case "sigma":
			r.number(v, &d.Sigma)
		case "scale":
			r.positive(v, &d.Scale, 1)
		case "min_s":
			r.number(v, &d.MinS)
		case "max_s":
			r.positive(v, &d.MaxS, 0)
		}
	})
}

func (w *writer) generator(g *Generator) {
	w.begin()
	w.member("generator")
	w.begin()
	w.textOr("kind", orDefault(g.Kind, defaultKind), defaultKind)
	w.wholeOr("count", g.Count, 0)
	w.numberOr("duration_s", g.DurationS, 0)
	a := &g.Arrivals
	w.optional("arrivals", func() {
		w.textOr("process", orDefault(a.Process, static), static)
		w.numberOr("rate_per_h", a.RatePerH, 0)
		w.numberOr("burst", orDefault(a.Burst, defaultBurst), defaultBurst)
		w.numberOr("burst_gap_s", orDefault(a.BurstGapS, defaultBurstGapS), defaultBurstGapS)
		w.extra(a.Extra)
	})
	if len(g.Models) > 0 {
		w.member("models")
		w.list(len(g.Models), func(i int) {
			m := &g.Models[i]
			w.begin()
			w.member("model")
			w.text(m.Model)
			w.wholeOr("batch", m.Batch, 0)
			w.numberOr("share", m.Share, defaultWeight)
			w.extra(m.Extra)
			w.end()
		})
	}
	w.mapping("gpus", len(g.GPUs), func() { w.rates(g.GPUs, w.canonical) })
	d := &g.Lengths
	w.optional("lengths", func() {
		w.numberOr("median_s", d.MedianS, 0)
		w.numberOr("sigma", d.Sigma, 0)
		w.numberOr("scale", orDefault(d.Scale, 1), 1)
		w.numberOr("min_s", d.MinS, 0)
		w.numberOr("max_s", d.MaxS, 0)
		w.extra(d.Extra)
	})
	w.textOr("reference", g.Reference, "")
	w.numberOr("priority_share", g.PriorityShare, 0)
	w.numberOr("slo_share", g.SLOShare, 0)
	w.extra(g.Extra)
	w.end()
	w.extra(g.Beside)
	w.end()
}

// optional writes an object unless it is empty.
func (w *writer) optional(name string, fill func()) {
	before, spans := len(w.b), len(w.spans)
	w.member(name)
	inside := len(w.b)
	w.begin()
	fill()
	w.end()
	if len(w.b) == inside+len("{}") {
		w.b, w.spans = w.b[:before], w.spans[:spans]
	}
}

func (g *Generator) clone() *Generator {
	if g == nil {
		return nil
	}
	c := *g
	c.Extra, c.Beside, c.Arrivals.Extra, c.Lengths.Extra = g.Extra.clone(), g.Beside.clone(), g.Arrivals.Extra.clone(), g.Lengths.Extra.clone()
	c.GPUs, c.Models = maps.Clone(g.GPUs), slices.Clone(g.Models)
	for i := range c.Models {
		c.Models[i].Extra = c.Models[i].Extra.clone()
	}
	return &c
}

func (c *checker) generator(s *Scenario) {
	g := s.Generator
	p := place{list: atGenerator, index: -1}
	if kind := orDefault(g.Kind, defaultKind); findWorkload(kind) == nil {
		fix := "Choose one of gavel-mix, helios, pai, philly."
		if like := nearest(kind, workloadKinds()); like != "" {
			fix = "Did you mean " + like + "?"
		}
		c.fail(p.at("kind").String(), codeJobsGen, "there is no generator "+quote(kind), fix)
	}
	switch {
	case g.Count == 0 && g.DurationS == 0:
		c.fail(atGenerator, codeMissing, "the generator says neither how many jobs nor for how long", `Add "count":100 or "duration_s":86400.`)
	case g.Count != 0 && g.DurationS != 0:
		c.fail(p.at("duration_s").String(), codeTwice, "the generator has both count and duration_s", "Keep one of the two.")
	}
	c.within(p.at("count"), "", "count", float64(g.Count), 0, float64(c.lim.Jobs), "")
	c.within(p.at("duration_s"), "", "duration_s", g.DurationS, 0, maxSeconds, " s")
	c.within(p.at("priority_share"), "", "priority_share", g.PriorityShare, 0, 1, "")
	c.within(p.at("slo_share"), "", "slo_share", g.SLOShare, 0, 1, "")
	if g.Reference != "" {
		c.id(p.at("reference"), "GPU type", g.Reference)
	}
	c.arrivals(g)
	d := place{list: atGenerator + "/lengths", index: -1}
	c.within(d.at("median_s"), "", "median_s", g.Lengths.MedianS, 0, maxSeconds, " s")
	c.within(d.at("sigma"), "", "sigma", g.Lengths.Sigma, 0, maxSigma, "")
	c.within(d.at("scale"), "", "scale", orDefault(g.Lengths.Scale, 1), 0, maxScale, "")
	c.within(d.at("min_s"), "", "min_s", g.Lengths.MinS, 0, maxSeconds, " s")
	c.within(d.at("max_s"), "", "max_s", g.Lengths.MaxS, 0, maxSeconds, " s")
	sum := 0.0
	for _, size := range keys(g.GPUs) {
		if n, err := strconv.Atoi(size); err != nil || n < 1 || n > maxGangGPUs || strconv.Itoa(n) != size {
			c.fail(p.at("gpus", size).String(), codeSize, "gpus has the size "+quote(size)+"; sizes are whole numbers from 1 to "+strconv.Itoa(maxGangGPUs), `Write it as "4".`)
			continue
		}
		c.within(p.at("gpus", size), "", "gpus "+size, g.GPUs[size], 0, maxWeight, "")
		sum += g.GPUs[size]
	}
	if len(g.GPUs) > 0 && sum <= 0 && !c.tainted(p.at("gpus").String()) {
		c.fail(p.at("gpus").String(), codeRange, "the shares of gpus add up to 0", "Give one a share above 0.")
	}
	c.most(atShares, "models", len(g.Models), maxRows)
	for i := range g.Models {
		m := &g.Models[i]
		at := place{list: atShares, index: i}
		c.name(at.at("model"), m.Model)
		c.within(at.at("batch"), clip(m.Model), "batch", float64(m.Batch), 0, maxBatch, "")
		c.above0(at.at("share"), clip(m.Model), "share", m.Share, maxWeight)
	}
}

func (c *checker) arrivals(g *Generator) {
	a := &g.Arrivals
	p := place{list: atGenerator + "/arrivals", index: -1}
	process := orDefault(a.Process, static)
	c.choice(p.at("process"), "", "process", process, static, poisson, bursty, diurnal)
	c.within(p.at("rate_per_h"), "", "rate_per_h", a.RatePerH, 0, maxRatePerH, "")
	c.within(p.at("burst"), "", "burst", orDefault(a.Burst, defaultBurst), 1, maxBurst, "")
	c.within(p.at("burst_gap_s"), "", "burst_gap_s", a.BurstGapS, 0, maxSeconds, " s")
	if c.tainted(atGenerator) {
		return
	}
	switch {
	case process == static && g.DurationS > 0:
		c.fail(p.at("process").String(), codeMissing, "all jobs arrive at 0, so duration_s says nothing", "Set count, or process to poisson.")
	case process != static && a.RatePerH == 0:
		c.fail(p.at("rate_per_h").String(), codeMissing, "rate_per_h is missing; "+process+" arrivals need it", `Add "rate_per_h":4.`)
	case process == bursty && a.gap() >= 3600/a.RatePerH:
		c.fail(p.at("burst_gap_s").String(), codeRange, "jobs of a burst are "+numberText(a.gap())+" s apart in the mean, and all jobs "+numberText(round9(3600/a.RatePerH))+" s",
			"Lower burst_gap_s or rate_per_h.")
	case g.DurationS > 0 && float64(g.DurationS*a.RatePerH)/3600 > float64(c.lim.Jobs):
		c.fail(p.at("rate_per_h").String(), codeMany, "about "+numberText(float64(int64(g.DurationS*a.RatePerH/3600)))+" jobs would arrive; the most is "+strconv.Itoa(c.lim.Jobs),
			"Lower rate_per_h or duration_s.")
	case g.Count > 0 && process != static && float64(g.Count)/a.RatePerH > maxSeconds/3600/4:
		c.fail(p.at("rate_per_h").String(), codeRange, "the last job would arrive after more than "+numberText(maxSeconds/4)+" s", "Raise rate_per_h, or lower count.")
	}
}

// gap is the mean of the gaps inside a burst.
func (a *Arrivals) gap() float64 { return round9(orDefault(a.BurstGapS, defaultBurstGapS)) }
