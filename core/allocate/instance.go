package allocate

import (
	"math"
	"strconv"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// Instance is one linear program of the Gavel family: jobs, GPU types and nothing of nodes or time.
// Its numbers are exact, never rounded.
type Instance struct {
	GPUTypes []string
	Capacity []float64 // GPUs of each type
	Cost     []float64 // price of one GPU-hour of each type; nil = not given
	Jobs     []Job
	Pairs    []Pair
	Tenants  []Tenant // our addition to the schema, for hierarchical policies; never empty
}

// Pair is two jobs that may share GPUs of one type.
type Pair struct {
	A, B         int       // positions of the jobs, A < B
	RateA, RateB []float64 // steps per second of each while they share, by type; 0 = cannot
}

// Tenant is a group of jobs with one entitlement.
type Tenant struct {
	ID     string
	Weight float64 // default 1
	FIFO   bool    // its earliest job gets all of it; otherwise its jobs share by their weights
}

// Job is one job of an Instance. NaN stands for a number that is not given.
type Job struct {
	Scale      float64   // GPUs it needs at once
	Weight     float64   // default 1
	Throughput []float64 // steps per second of the whole job on each type; 0 = cannot run
	Remaining  float64   // steps left
	ArrivalS   float64   // order of arrival; default 0
	SLOS       float64   // seconds left to its deadline
	ElapsedS   float64   // seconds since its arrival; default 0
	IsolatedS  float64   // seconds of isolated time already used up; default 0
	Tenant     int       // index into Tenants
	tenant     string
}

const (
	schema        = "gavel-lp/1"
	maxPrograms   = 100_000 // jobs of an instance
	maxPairRows   = 200_000
	maxLPTypes    = 8
	leastPositive = 1e-6 // of numbers that divide
	maxPrice      = 1e6  // of a GPU-hour
)

var start = words.Say(`Start with {"gpu_types":["v100"],"capacity":[2],"jobs":[{"scale_factor":1,"throughput":[10]}]}.`)

// The members of an instance. Those that no program here needs are known and skipped.
var (
	members = jsondoc.Members{Need: []string{"gpu_types", "capacity", "jobs"},
		May: []string{"schema", "name", "seed", "note", "cost_per_gpu_hour",
			"pairs", "tenants", "proportional_throughput", "isolated_throughput", "expected"}}
	pairMembers   = jsondoc.Members{Need: []string{"a", "b", "throughput_a", "throughput_b"}}
	tenantMembers = jsondoc.Members{Need: []string{"id"}, May: []string{"weight", "inside"}}
	jobMembers    = jsondoc.Members{Need: []string{"scale_factor", "throughput"},
		May: []string{"id", "model", "weight", "steps_total", "steps_remaining",
			"arrival_s", "elapsed_s", "cum_isolated_s", "slo_s", "tenant"}}
)

// Parse reads an instance in the schema gavel-lp/1 and reports everything that is wrong with
// it at once. The instance is nil exactly when there are errors.
func Parse(data []byte, lim jsondoc.Limits) (*Instance, jsondoc.Diagnostics) {
	f := &jsondoc.Collector{}
	t := jsondoc.Open(data, lim, f, start)
	if t == nil {
		return nil, f.Finish(func() *jsondoc.Tree { return nil })
	}
	in := &Instance{}
	r := &reader{jsondoc.NewReader(t, f)}
	r.Singular = [][2]string{{"gpu_types", "type {0}"}, {"capacity", "capacity {0}"}, {"cost_per_gpu_hour", "cost {0}"},
		{"jobs", "job {0}"}, {"throughput", "throughput {0}"}, {"pairs", "pair {0}"}, {"tenants", "tenant {0}"}}
	if kind := t.Child(0, "kind"); kind >= 0 && t.Kind(kind) == jsondoc.KindText && t.Text(kind) == scenario.Kind {
		f.Fail("/kind", jsondoc.CodeKind, words.Say("this is a scenario; an instance of a linear program is wanted"),
			start)
		return nil, f.Finish(func() *jsondoc.Tree { return t })
	}
	r.Object(0, &members, func(name string, v int) {
		switch name {
		case "schema":
			var s string
			if r.Text(v, &s); s != schema && s != "" {
				f.Fail("/schema", jsondoc.CodeKind,
					words.Say("schema is {0}; it must be {1}", jsondoc.Quote(s), jsondoc.Quote(schema)),
					words.Say("Convert the file, or leave schema out."))
			}
		case "gpu_types":
			in.GPUTypes = jsondoc.Entries(r.Reader, v, "a text", func(v int) (s string) { r.Text(v, &s); return })
		case "capacity":
			in.Capacity = r.exacts(v)
		case "cost_per_gpu_hour":
			in.Cost = r.exacts(v)
		case "jobs":
			in.Jobs = jsondoc.Entries(r.Reader, v, "an object", r.job)
		case "pairs":
			in.Pairs = jsondoc.Entries(r.Reader, v, "an object", r.pair)
		case "tenants":
			in.Tenants = jsondoc.Entries(r.Reader, v, "an object", r.tenant)
		}
	})
	if len(in.Tenants) == 0 {
		in.Tenants = []Tenant{{Weight: scenario.DefaultWeight}}
	}
	(&checker{f}).instance(in)
	diags := f.Finish(func() *jsondoc.Tree { return t })
	if diags.HasErrors() {
		return nil, diags
	}
	return in, diags
}

type reader struct{ *jsondoc.Reader }

type checker struct{ *jsondoc.Collector }

func (r *reader) exacts(i int) []float64 {
	out := make([]float64, 0, r.Entries(i))
	r.List(i, "a number", func(v int) {
		var x float64
		r.Exact(v, &x)
		out = append(out, x)
	})
	return out
}

// number is a number of a job: what it is called and may be.
type number struct {
	name      string
	at        *float64
	low, high float64
	unit      string
}

// numbers are those of a job. NaN is none of their values: it was not given.
func (j *Job) numbers() []number {
	return []number{
		{"scale_factor", &j.Scale, leastPositive, scenario.MaxGangGPUs, ""},
		{"weight", &j.Weight, 0, scenario.MaxWeight, ""},
		{"steps_remaining", &j.Remaining, 0, scenario.MaxSteps, ""},
		{"arrival_s", &j.ArrivalS, -scenario.MaxSeconds, scenario.MaxSeconds, " s"},
		{"slo_s", &j.SLOS, -scenario.MaxSeconds, scenario.MaxSeconds, " s"},
		{"elapsed_s", &j.ElapsedS, 0, scenario.MaxSeconds, " s"},
		{"cum_isolated_s", &j.IsolatedS, 0, scenario.MaxSeconds, " s"},
	}
}

func (r *reader) job(i int) Job {
	j := Job{Weight: scenario.DefaultWeight, Remaining: math.NaN(), SLOS: math.NaN()}
	numbers := j.numbers()
	r.Object(i, &jobMembers, func(name string, v int) {
		switch name {
		case "throughput":
			j.Throughput = r.exacts(v)
		case "tenant":
			r.Text(v, &j.tenant)
		}
		for _, n := range numbers {
			if n.name == name {
				r.Exact(v, n.at)
			}
		}
	})
	return j
}

func (r *reader) pair(i int) (p Pair) {
	r.Object(i, &pairMembers, func(name string, v int) {
		switch name {
		case "a":
			r.Count(v, &p.A)
		case "b":
			r.Count(v, &p.B)
		case "throughput_a":
			p.RateA = r.exacts(v)
		case "throughput_b":
			p.RateB = r.exacts(v)
		}
	})
	return p
}

func (r *reader) tenant(i int) Tenant {
	t := Tenant{Weight: scenario.DefaultWeight}
	r.Object(i, &tenantMembers, func(name string, v int) {
		switch name {
		case "id":
			r.Text(v, &t.ID)
		case "weight":
			r.Exact(v, &t.Weight)
		case "inside":
			var inside string
			if r.Text(v, &inside); inside != "" && inside != "fairness" && inside != "fifo" {
				r.Fail(r.Pointer(), jsondoc.CodeKind,
					words.Say("inside is {0}; it must be fairness or fifo", jsondoc.Quote(inside)),
					words.Say("Choose one of the two."))
			}
			t.FIFO = inside == "fifo"
		}
	})
	return t
}

// instance applies the rules for values.
func (c *checker) instance(in *Instance) {
	root := jsondoc.ObjectAt("")
	k := len(in.GPUTypes)
	switch {
	case c.IsWrong("/gpu_types"):
	case k == 0:
		c.Fail("/gpu_types", "no-gpus", words.Say("there are no GPU types"),
			words.Say(`Name them, as in "gpu_types":["k80","v100"].`))
	default:
		c.Most("/gpu_types", words.Say("GPU types"), k, maxLPTypes)
	}
	seen := map[string]int{}
	for i, typ := range in.GPUTypes {
		p := jsondoc.EntryAt("/gpu_types", i)
		if first, ok := seen[typ]; ok && !c.IsWrong(p.String()) {
			c.Fail(p.String(), jsondoc.CodeDuplicate,
				words.Say("types {0} and {1} are both {2}", first+1, i+1, jsondoc.Quote(typ)),
				words.Say("Join the two."))
		}
		seen[typ] = i
	}
	c.perType(root, "capacity", words.Text{}, in.Capacity, k, 0, scenario.MaxGPUs)
	if in.Cost != nil {
		c.perType(root, "cost_per_gpu_hour", words.Text{}, in.Cost, k, leastPositive, maxPrice)
	}
	if len(in.Jobs) == 0 {
		c.Fail("/jobs", "no-jobs", words.Say("there are no jobs; a program needs at least one"),
			words.Say(`Add one, as in {"scale_factor":1,"throughput":[10]}.`))
	}
	c.Most("/jobs", words.Say("jobs"), len(in.Jobs), maxPrograms)
	for i := range in.Jobs {
		j := &in.Jobs[i]
		p := jsondoc.EntryAt("/jobs", i)
		who := words.Say("job {0}", i+1)
		c.perType(p, "throughput", who, j.Throughput, k, 0, scenario.MaxRate)
		for _, n := range j.numbers() {
			if !math.IsNaN(*n.at) {
				c.Within(p.At(n.name), who, n.name, *n.at, n.low, n.high, n.unit)
			}
		}
	}
	c.tenants(in)
	c.pairs(in, k)
}

func (c *checker) tenants(in *Instance) {
	at := map[string]int{}
	for i := range in.Tenants {
		t := &in.Tenants[i]
		p := jsondoc.EntryAt("/tenants", i)
		if first, ok := at[t.ID]; ok && !c.IsWrong(p.At("id").String()) {
			c.Fail(p.At("id").String(), jsondoc.CodeDuplicate,
				words.Say("tenants {0} and {1} are both {2}", first+1, i+1, jsondoc.Quote(t.ID)),
				words.Say("Join the two."))
		}
		at[t.ID] = i
		c.Within(p.At("weight"), words.Say("tenant {0}", i+1), "weight", t.Weight, 0, scenario.MaxWeight, "")
	}
	for i := range in.Jobs {
		j := &in.Jobs[i]
		p := jsondoc.EntryAt("/jobs", i).At("tenant").String()
		ok := false
		if j.Tenant, ok = at[j.tenant]; !ok && !c.IsWrong(p) && !c.Tainted("/tenants") {
			c.Fail(p, "no-tenant",
				words.Say("job {0}: tenant is {1}, which is not in tenants", i+1, jsondoc.Quote(j.tenant)),
				words.Say("Name one of tenants."))
		}
	}
}

func (c *checker) pairs(in *Instance, k int) {
	c.Most("/pairs", words.Say("pairs"), len(in.Pairs), maxPairRows)
	seen := map[[2]int]int{}
	for i := range in.Pairs {
		q := &in.Pairs[i]
		p := jsondoc.EntryAt("/pairs", i)
		who := words.Say("pair {0}", i+1)
		c.perType(p, "throughput_a", who, q.RateA, k, 0, scenario.MaxRate)
		c.perType(p, "throughput_b", who, q.RateB, k, 0, scenario.MaxRate)
		if c.IsWrong(p.At("a").String()) || c.IsWrong(p.At("b").String()) {
			continue
		}
		first, twice := seen[[2]int{q.A, q.B}]
		seen[[2]int{q.A, q.B}] = i
		switch {
		case q.A < 0 || q.A >= q.B || q.B >= len(in.Jobs):
			c.Fail(p.At("b").String(), jsondoc.CodeRange,
				words.Say("{0}: a is {1} and b is {2}; they are positions among {3}, from 0, a before b", who, q.A, q.B,
					jsondoc.Plural(len(in.Jobs), "job")), words.Say("Set a below b."))
		case in.Jobs[q.A].Scale != in.Jobs[q.B].Scale:
			c.Fail(p.String(), jsondoc.CodeRange,
				words.Say("{0}: its jobs need {1} and {2} GPUs; only equal gangs share", who,
					jsondoc.Number(in.Jobs[q.A].Scale), jsondoc.Number(in.Jobs[q.B].Scale)), words.Say("Take it out."))
		case twice:
			c.Fail(p.String(), jsondoc.CodeDuplicate, words.Say("pairs {0} and {1} are the same jobs", first+1, i+1),
				words.Say("Join the two."))
		}
	}
}

// perType checks a list that has one number a GPU type.
func (c *checker) perType(p jsondoc.Place, name string, who words.Text, v []float64, types int, low, high float64) {
	at := p.At(name)
	if !c.IsWrong(at.String()) && !c.Tainted("/gpu_types") && len(v) != types {
		c.Fail(at.String(), jsondoc.CodeCount, words.Say("{0} has {1} for {2}", jsondoc.Of(who, name),
			jsondoc.Plural(len(v), "number"), jsondoc.Plural(types, "GPU type")),
			words.Say("Give one a type, in the order of gpu_types."))
		return
	}
	for i := range v {
		c.Within(p.At(name, strconv.Itoa(i)), who, name+" "+strconv.Itoa(i+1), v[i], low, high, "")
	}
}
