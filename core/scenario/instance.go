package scenario

import (
	"math"
	"strconv"

	"hadarlab/core/text"
)

// Instance is one linear program of the Gavel family: jobs, GPU types and nothing of nodes or time.
// Its numbers are exact, never rounded.
type Instance struct {
	GPUTypes []string
	Capacity []float64 // GPUs of each type
	Cost     []float64 // price of one GPU-hour of each type; nil = not given
	Jobs     []InstanceJob
	Pairs    []InstancePair
	Tenants  []InstanceTenant // our addition to the schema, for hierarchical policies; never empty
}

// InstancePair is two jobs that may share GPUs of one type.
type InstancePair struct {
	A, B         int       // positions of the jobs, A < B
	RateA, RateB []float64 // steps per second of each while they share, by type; 0 = cannot
}

// InstanceTenant is a group of jobs with one entitlement.
type InstanceTenant struct {
	ID     string
	Weight float64 // default 1
	FIFO   bool    // its earliest job gets all of it; otherwise its jobs share by their weights
}

// InstanceJob is one job of an Instance. NaN stands for a number that is not given.
type InstanceJob struct {
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
	instanceSchema = "gavel-lp/1"
	startInstance  = `Start with {"gpu_types":["v100"],"capacity":[2],"jobs":[{"scale_factor":1,"throughput":[10]}]}.`
	maxPrograms    = 100_000 // jobs of an instance
	maxPairRows    = 200_000
	maxLPTypes     = 8
	leastPositive  = 1e-6 // of numbers that divide
)

// The members of an instance. Those that no program here needs are known and skipped.
var (
	instanceMembers = members{need: []string{"gpu_types", "capacity", "jobs"},
		may: []string{"schema", "name", "seed", "note", "cost_per_gpu_hour",
			"pairs", "tenants", "proportional_throughput", "isolated_throughput", "expected"}}
	instancePairMembers   = members{need: []string{"a", "b", "throughput_a", "throughput_b"}}
	instanceTenantMembers = members{need: []string{"id"}, may: []string{"weight", "inside"}}
	instanceJobMembers    = members{need: []string{"scale_factor", "throughput"},
		may: []string{"id", "model", "weight", "steps_total", "steps_remaining",
			"arrival_s", "elapsed_s", "cum_isolated_s", "slo_s", "tenant"}}
)

// ParseInstance reads an instance in the schema gavel-lp/1 and reports everything that is wrong with
// it at once. The instance is nil exactly when there are errors.
func ParseInstance(data []byte, lim Limits) (*Instance, Diagnostics) {
	f := &findings{}
	t := open(data, lim, f, startInstance)
	if t == nil {
		return nil, f.finish(func() *tree { return nil })
	}
	in := &Instance{}
	r := &reader{t: t, findings: f}
	if kind := t.child(0, "kind"); kind >= 0 && t.kind(kind) == kText && t.text(kind) == Kind {
		f.fail("/kind", codeKind, "this is a scenario; an instance of a linear program is wanted", startInstance)
		return nil, f.finish(func() *tree { return t })
	}
	r.object(0, &instanceMembers, func(name string, v int) {
		switch name {
		case "schema":
			var s string
			if r.text(v, &s); s != instanceSchema && s != "" {
				f.fail("/schema", codeKind, "schema is "+text.Quote(s)+"; it must be "+text.Quote(instanceSchema),
					"Convert the file, or leave schema out.")
			}
		case "gpu_types":
			r.list(v, "a text", func(v int) {
				var s string
				r.text(v, &s)
				in.GPUTypes = append(in.GPUTypes, s)
			})
		case "capacity":
			in.Capacity = r.exacts(v)
		case "cost_per_gpu_hour":
			in.Cost = r.exacts(v)
		case "jobs":
			in.Jobs = make([]InstanceJob, 0, r.entries(v))
			r.list(v, "an object", func(v int) { in.Jobs = append(in.Jobs, r.instanceJob(v)) })
		case "pairs":
			in.Pairs = make([]InstancePair, 0, r.entries(v))
			r.list(v, "an object", func(v int) { in.Pairs = append(in.Pairs, r.instancePair(v)) })
		case "tenants":
			r.list(v, "an object", func(v int) { in.Tenants = append(in.Tenants, r.instanceTenant(v)) })
		}
	})
	if len(in.Tenants) == 0 {
		in.Tenants = []InstanceTenant{{Weight: DefaultWeight}}
	}
	(&checker{findings: f}).instance(in)
	diags := f.finish(func() *tree { return t })
	if diags.HasErrors() {
		return nil, diags
	}
	return in, diags
}

func (r *reader) exacts(i int) []float64 {
	out := make([]float64, 0, r.entries(i))
	r.list(i, "a number", func(v int) {
		var x float64
		r.exact(v, &x)
		out = append(out, x)
	})
	return out
}

func (r *reader) instanceJob(i int) InstanceJob {
	j := InstanceJob{Weight: DefaultWeight, Remaining: math.NaN(), SLOS: math.NaN()}
	r.object(i, &instanceJobMembers, func(name string, v int) {
		switch name {
		case "scale_factor":
			r.exact(v, &j.Scale)
		case "weight":
			r.exact(v, &j.Weight)
		case "throughput":
			j.Throughput = r.exacts(v)
		case "steps_remaining":
			r.exact(v, &j.Remaining)
		case "arrival_s":
			r.exact(v, &j.ArrivalS)
		case "slo_s":
			r.exact(v, &j.SLOS)
		case "elapsed_s":
			r.exact(v, &j.ElapsedS)
		case "cum_isolated_s":
			r.exact(v, &j.IsolatedS)
		case "tenant":
			r.text(v, &j.tenant)
		}
	})
	return j
}

func (r *reader) instancePair(i int) (p InstancePair) {
	r.object(i, &instancePairMembers, func(name string, v int) {
		switch name {
		case "a":
			r.count(v, &p.A)
		case "b":
			r.count(v, &p.B)
		case "throughput_a":
			p.RateA = r.exacts(v)
		case "throughput_b":
			p.RateB = r.exacts(v)
		}
	})
	return p
}

func (r *reader) instanceTenant(i int) InstanceTenant {
	t := InstanceTenant{Weight: DefaultWeight}
	r.object(i, &instanceTenantMembers, func(name string, v int) {
		switch name {
		case "id":
			r.text(v, &t.ID)
		case "weight":
			r.exact(v, &t.Weight)
		case "inside":
			var inside string
			if r.text(v, &inside); inside != "" && inside != "fairness" && inside != "fifo" {
				r.fail(r.pointer(), codeKind, "inside is "+text.Quote(inside)+"; it must be fairness or fifo",
					"Choose one of the two.")
			}
			t.FIFO = inside == "fifo"
		}
	})
	return t
}

// instance applies the rules for values.
func (c *checker) instance(in *Instance) {
	root := place{index: -1}
	k := len(in.GPUTypes)
	switch {
	case c.isWrong("/gpu_types"):
	case k == 0:
		c.fail("/gpu_types", codeNoGPUs, "there are no GPU types", `Name them, as in "gpu_types":["k80","v100"].`)
	default:
		c.most("/gpu_types", "GPU types", k, maxLPTypes)
	}
	seen := map[string]int{}
	for i, typ := range in.GPUTypes {
		p := place{list: "/gpu_types", index: i}
		if first, ok := seen[typ]; ok && !c.isWrong(p.String()) {
			c.fail(p.String(), codeDuplicate, "types "+strconv.Itoa(first+1)+" and "+strconv.Itoa(i+1)+" are both "+
				text.Quote(typ), "Join the two.")
		}
		seen[typ] = i
	}
	c.perType(root, "capacity", "", in.Capacity, k, 0, MaxGPUs)
	if in.Cost != nil {
		c.perType(root, "cost_per_gpu_hour", "", in.Cost, k, leastPositive, maxGPUFigure)
	}
	if len(in.Jobs) == 0 {
		c.fail("/jobs", codeNoJobs, "there are no jobs; a program needs at least one",
			`Add one, as in {"scale_factor":1,"throughput":[10]}.`)
	}
	c.most("/jobs", "jobs", len(in.Jobs), maxPrograms)
	for i := range in.Jobs {
		j := &in.Jobs[i]
		p := place{list: "/jobs", index: i}
		who := "job " + strconv.Itoa(i+1)
		c.within(p.at("scale_factor"), who, "scale_factor", j.Scale, leastPositive, MaxGangGPUs, "")
		c.within(p.at("weight"), who, "weight", j.Weight, 0, MaxWeight, "")
		c.perType(p, "throughput", who, j.Throughput, k, 0, MaxRate)
		c.within(p.at("arrival_s"), who, "arrival_s", j.ArrivalS, -MaxSeconds, MaxSeconds, " s")
		if !math.IsNaN(j.Remaining) {
			c.within(p.at("steps_remaining"), who, "steps_remaining", j.Remaining, 0, MaxSteps, "")
		}
		if !math.IsNaN(j.SLOS) {
			c.within(p.at("slo_s"), who, "slo_s", j.SLOS, -MaxSeconds, MaxSeconds, " s")
		}
		c.within(p.at("elapsed_s"), who, "elapsed_s", j.ElapsedS, 0, MaxSeconds, " s")
		c.within(p.at("cum_isolated_s"), who, "cum_isolated_s", j.IsolatedS, 0, MaxSeconds, " s")
	}
	c.instanceTenants(in)
	c.instancePairs(in, k)
}

func (c *checker) instanceTenants(in *Instance) {
	at := map[string]int{}
	for i := range in.Tenants {
		t := &in.Tenants[i]
		p := place{list: "/tenants", index: i}
		if first, ok := at[t.ID]; ok && !c.isWrong(p.at("id").String()) {
			c.fail(p.at("id").String(), codeDuplicate, "tenants "+strconv.Itoa(first+1)+" and "+strconv.Itoa(i+1)+
				" are both "+text.Quote(t.ID), "Join the two.")
		}
		at[t.ID] = i
		c.within(p.at("weight"), "tenant "+strconv.Itoa(i+1), "weight", t.Weight, 0, MaxWeight, "")
	}
	for i := range in.Jobs {
		j := &in.Jobs[i]
		p := place{list: "/jobs", index: i}.at("tenant").String()
		ok := false
		if j.Tenant, ok = at[j.tenant]; !ok && !c.isWrong(p) && !c.tainted("/tenants") {
			c.fail(p, codeNoTenant,
				"job "+strconv.Itoa(i+1)+": tenant is "+text.Quote(j.tenant)+", which is not in tenants",
				"Name one of tenants.")
		}
	}
}

func (c *checker) instancePairs(in *Instance, k int) {
	c.most("/pairs", "pairs", len(in.Pairs), maxPairRows)
	seen := map[[2]int]int{}
	for i := range in.Pairs {
		q := &in.Pairs[i]
		p := place{list: "/pairs", index: i}
		who := "pair " + strconv.Itoa(i+1)
		c.perType(p, "throughput_a", who, q.RateA, k, 0, MaxRate)
		c.perType(p, "throughput_b", who, q.RateB, k, 0, MaxRate)
		if c.isWrong(p.at("a").String()) || c.isWrong(p.at("b").String()) {
			continue
		}
		first, twice := seen[[2]int{q.A, q.B}]
		seen[[2]int{q.A, q.B}] = i
		switch {
		case q.A < 0 || q.A >= q.B || q.B >= len(in.Jobs):
			c.fail(p.at("b").String(), codeRange, who+": a is "+strconv.Itoa(q.A)+" and b is "+strconv.Itoa(q.B)+
				"; they are positions among "+text.Plural(len(in.Jobs), "job")+", from 0, a before b",
				"Set a below b.")
		case in.Jobs[q.A].Scale != in.Jobs[q.B].Scale:
			c.fail(p.String(), codeRange, who+": its jobs need "+text.Number(in.Jobs[q.A].Scale)+" and "+
				text.Number(in.Jobs[q.B].Scale)+" GPUs; only equal gangs share", "Take it out.")
		case twice:
			c.fail(p.String(), codeDuplicate, "pairs "+strconv.Itoa(first+1)+" and "+strconv.Itoa(i+1)+
				" are the same jobs", "Join the two.")
		}
	}
}

// perType checks a list that has one number a GPU type.
func (c *checker) perType(p place, name, who string, v []float64, types int, low, high float64) {
	at := p.at(name)
	if !c.isWrong(at.String()) && !c.tainted("/gpu_types") && len(v) != types {
		c.fail(at.String(), codeCount, colon(who)+name+" has "+text.Plural(len(v), "number")+" for "+
			text.Plural(types, "GPU type"), "Give one a type, in the order of gpu_types.")
		return
	}
	for i := range v {
		c.within(p.at(name, strconv.Itoa(i)), who, name+" "+strconv.Itoa(i+1), v[i], low, high, "")
	}
}
