package simtest

import (
	"math"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// What tests of several families of policies ask of a run, and the problems that several of them are put to.

// HasReason says whether the trace has the reason for the job.
func HasReason(tr *trace.Trace, code trace.Code, job int32) bool {
	return slices.ContainsFunc(tr.Reasons, func(r trace.Reason) bool { return r.Code == code && r.Job == job })
}

// Near holds a number to what is wanted, which it may miss by a tolerance.
func Near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// PlainJob is a job of so many seconds on one type at one step per second a GPU.
func PlainJob(arrive float64, gpus int32, seconds float64) Job {
	return Job{Arrive: arrive, GPUs: gpus, Steps: seconds * float64(gpus), Rates: map[string]float64{"a": 1}}
}

// Finishes lists the jobs' finishes in seconds.
func Finishes(t *trace.Trace) []float64 {
	var f []float64
	for i := range t.Jobs {
		f = append(f, t.Jobs[i].Finish.Seconds())
	}
	return f
}

// Ends holds a policy's run on one scenario to the seconds at which its jobs finish.
func Ends(t *testing.T, p *model.Problem, id string, params map[string]any, want ...float64) {
	t.Helper()
	for i, f := range Finishes(Run(t, p, id, params)) {
		if f < want[i]-0.001 || f > want[i]+0.001 {
			t.Errorf("%s %v: job %d ends at %v s, want %v", id, params, i+1, f, want[i])
		}
	}
}

// LeftOnK80 is a short job on the only V100 and one of 9000 steps that starts on the K80, at 10 and 1 steps/s. A start
// costs 20 s, a checkpoint 10 s more.
func LeftOnK80(short float64) *model.Problem {
	job := func(steps float64) Job {
		return Job{GPUs: 1, Steps: steps, Rates: map[string]float64{"v100": 10, "k80": 1}}
	}
	return Build(360, []Node{{"v100": 1}, {"k80": 1}}, []Job{job(short), job(9000)},
		model.Costs{Load: 20 * unit.Second, Save: 10 * unit.Second})
}

// InService are the GPUs in service, by slot.
func InService(p *model.Problem, now unit.Tick) (out []int32) {
	for s := range p.Cluster.Slots {
		out = append(out, p.Cluster.Slots[s].Cap)
	}
	for _, c := range p.Changes {
		if c.At <= now {
			out[c.Slot] = c.Cap
		}
	}
	return out
}

// IdleGPUs is what is in service of each type and nobody holds; two that share GPUs hold them once.
func IdleGPUs(p *model.Problem, now unit.Tick, d *sim.Detail) (usable, free []int32) {
	usable, free = make([]int32, len(p.Cluster.Types)), make([]int32, len(p.Cluster.Types))
	for s, n := range InService(p, now) {
		usable[p.Cluster.Slots[s].Type] += n
		free[p.Cluster.Slots[s].Type] += n
	}
	for _, c := range d.Choices {
		for _, g := range c.Gangs {
			for _, sh := range g {
				if c.Other < 0 || c.Other > c.Job {
					free[p.Cluster.Slots[sh.Slot].Type] -= sh.N
				}
			}
		}
	}
	return usable, free
}

// RandomElastic is a random problem whose jobs may have one to so many GPUs, at speeds that grow ever less, or not at
// all.
func RandomElastic(seed uint64, name string) *model.Problem {
	rng := unit.Stream(seed, name)
	p := Random(rng)
	for i := range p.Jobs {
		tab, s := &p.Tables[i], &p.Jobs[i].Shape
		s.Min = 1 + rng.Int32N(s.Size)
		s.Max = s.Size + rng.Int32N(tab.MaxSize()-s.Size+1)
		for t := range p.Cluster.Types {
			for n := int32(1); n <= tab.MaxSize(); n++ {
				r := tab.Rate(model.TypeID(t), 1, model.OneNode)
				r *= unit.Rate(math.Pow(float64(n), 0.3+float64(0.7*rng.Float64())))
				if n > 1 && rng.IntN(8) == 0 {
					r = 0
				}
				tab.Set(model.TypeID(t), n, r, r/2*unit.Rate(rng.IntN(3)), 0)
			}
		}
	}
	return p
}

// HeldAfter is how many GPUs a job has after the decision.
func HeldAfter(c *sim.Choice) (n int32) {
	for _, g := range c.Gangs {
		for _, sh := range g {
			n += sh.N
		}
	}
	return n
}

// Written is a scenario with these members.
func Written(t *testing.T, members string) *model.Problem {
	t.Helper()
	d, found := scenario.Parse([]byte(`{"kind":"scenario","version":1,"scenario":{"round_s":360,`+members+`}}`),
		scenario.FileLimits)
	if d == nil {
		t.Fatal(found)
	}
	p, found := scenario.Compile(d, nil)
	if p == nil {
		t.Fatal(found)
	}
	return p
}
