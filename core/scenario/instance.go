package scenario

import (
	"math"
	"strconv"
)

// Instance is one linear program of the Gavel family: jobs, GPU types and nothing of nodes or time.
// Its numbers are exact, never rounded.
type Instance struct {
	GPUTypes []string
	Capacity []float64 // GPUs of each type
	Cost     []float64 // price of one GPU-hour of each type; nil = not given
	Jobs     []InstanceJob
}

// InstanceJob is one job of an Instance. NaN stands for a number that is not given.
type InstanceJob struct {
	Scale      float64   // GPUs it needs at once
	Weight     float64   // default 1
	Throughput []float64 // steps per second of the whole job on each type; 0 = cannot run
	Remaining  float64   // steps left
	ArrivalS   float64   // order of arrival; default 0
	SLOS       float64   // seconds left to its deadline
}

const (
	instanceSchema = "gavel-lp/1"
	startInstance  = `Start with {"gpu_types":["v100"],"capacity":[2],"jobs":[{"scale_factor":1,"throughput":[10]}]}.`
	maxPrograms    = 100_000 // jobs of an instance
	maxLPTypes     = 8
	leastPositive  = 1e-6 // of numbers that divide
)

// The members of an instance. Those that no program here needs are known and skipped.
var (
	instanceMembers = members{need: []string{"gpu_types", "capacity", "jobs"}, may: []string{"schema", "name", "seed", "note", "cost_per_gpu_hour",
		"pairs", "proportional_throughput", "isolated_throughput", "expected"}}
	instanceJobMembers = members{need: []string{"scale_factor", "throughput"}, may: []string{"id", "model", "weight", "steps_total", "steps_remaining",
		"arrival_s", "elapsed_s", "cum_isolated_s", "slo_s"}}
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
				f.fail("/schema", codeKind, "schema is "+quote(s)+"; it must be "+quote(instanceSchema), "Convert the file, or leave schema out.")
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
		}
	})
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
	j := InstanceJob{Weight: defaultWeight, Remaining: math.NaN(), SLOS: math.NaN()}
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
		}
	})
	return j
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
			c.fail(p.String(), codeDuplicate, "types "+strconv.Itoa(first+1)+" and "+strconv.Itoa(i+1)+" are both "+quote(typ), "Join the two.")
		}
		seen[typ] = i
	}
	c.perType(root, "capacity", "", in.Capacity, k, 0, maxGPUs)
	if in.Cost != nil {
		c.perType(root, "cost_per_gpu_hour", "", in.Cost, k, leastPositive, maxGPUFigure)
	}
	if len(in.Jobs) == 0 {
		c.fail("/jobs", codeNoJobs, "there are no jobs; a program needs at least one", `Add one, as in {"scale_factor":1,"throughput":[10]}.`)
	}
	c.most("/jobs", "jobs", len(in.Jobs), maxPrograms)
	for i := range in.Jobs {
		j := &in.Jobs[i]
		p := place{list: "/jobs", index: i}
		who := "job " + strconv.Itoa(i+1)
		c.within(p.at("scale_factor"), who, "scale_factor", j.Scale, leastPositive, maxGangGPUs, "")
		c.within(p.at("weight"), who, "weight", j.Weight, leastPositive, maxWeight, "")
		c.perType(p, "throughput", who, j.Throughput, k, 0, maxRate)
		c.within(p.at("arrival_s"), who, "arrival_s", j.ArrivalS, -maxSeconds, maxSeconds, " s")
		if !math.IsNaN(j.Remaining) {
			c.within(p.at("steps_remaining"), who, "steps_remaining", j.Remaining, 0, maxSteps, "")
		}
		if !math.IsNaN(j.SLOS) {
			c.within(p.at("slo_s"), who, "slo_s", j.SLOS, -maxSeconds, maxSeconds, " s")
		}
	}
}

// perType checks a list that has one number a GPU type.
func (c *checker) perType(p place, name, who string, v []float64, types int, low, high float64) {
	at := p.at(name)
	if !c.isWrong(at.String()) && !c.tainted("/gpu_types") && len(v) != types {
		c.fail(at.String(), codeCount, colon(who)+name+" has "+plural(len(v), "number")+" for "+plural(types, "GPU type"), "Give one a type, in the order of gpu_types.")
		return
	}
	for i := range v {
		c.within(p.at(name, strconv.Itoa(i)), who, name+" "+strconv.Itoa(i+1), v[i], low, high, "")
	}
}
