package own

import (
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
)

// Fact is what a formula or program may use of a job and of the cluster, at a decision. ok is false for what is not
// known.
type Fact struct {
	policy.Fact
	Length bool // whoever reads it knows lengths, as the scenario lets it
	Count  bool // a whole number
	of     func(c *model.Cluster, v sim.View, j model.JobID) (value float64, ok bool)
}

// Facts are all of them, in the manual's order. They are only ever added to.
var Facts = []Fact{
	{Fact: policy.Fact{As: "job.arrival", Unit: "s", Means: "when it came",
		Eg: `cluster.now - job.arrival`},
		of: func(_ *model.Cluster, v sim.View, j model.JobID) (float64, bool) { return v.Arrive(j).Seconds(), true }},
	{Fact: policy.Fact{As: "job.age", Unit: "s", Means: "time since it came",
		Eg: `job.steps_left - 0.5 * job.age`},
		of: func(_ *model.Cluster, v sim.View, j model.JobID) (float64, bool) {
			return (v.Now() - v.Arrive(j)).Seconds(), true
		}},
	{Fact: policy.Fact{As: "job.gpus", Means: "GPUs that it asks for",
		Eg: `job.gpus * job.steps_left`}, Count: true,
		of: func(_ *model.Cluster, v sim.View, j model.JobID) (float64, bool) {
			return float64(v.Shape(j).Size), true
		}},
	{Fact: policy.Fact{As: "job.speed", Unit: "steps/s", Means: "its speed with all its GPUs of the type that suits it best",
		Eg: `job.steps_left / max(job.speed, 0.001)`},
		of: func(c *model.Cluster, v sim.View, j model.JobID) (float64, bool) {
			return policy.BestRate(c, v, j), true
		}},
	{Fact: policy.Fact{As: "job.steps", Unit: "steps", Means: "its length",
		Eg: `job.steps / max(job.speed, 0.001)`}, Length: true,
		of: func(_ *model.Cluster, v sim.View, j model.JobID) (float64, bool) {
			total, known := v.Total(j)
			return float64(total), known
		}},
	{Fact: policy.Fact{As: "job.steps_done", Unit: "steps", Means: "what it has done",
		Eg: `job.steps_done / (1 + job.age)`},
		of: func(_ *model.Cluster, v sim.View, j model.JobID) (float64, bool) { return float64(v.Done(j)), true }},
	{Fact: policy.Fact{As: "job.steps_left", Unit: "steps", Means: "what it still has to do",
		Eg: `job.steps_left * job.gpus`}, Length: true,
		of: func(_ *model.Cluster, v sim.View, j model.JobID) (float64, bool) {
			left, known := v.Remaining(j)
			return float64(left), known
		}},
	{Fact: policy.Fact{As: "job.service", Unit: "GPU-s", Means: "GPU time that it has had",
		Eg: `job.service / job.gpus`},
		of: func(_ *model.Cluster, v sim.View, j model.JobID) (float64, bool) {
			return v.Attained(j).Seconds(), true
		}},
	{Fact: policy.Fact{As: "job.running", Means: "1 while it holds GPUs, else 0",
		Eg: `0 if job.running > 0 else 1`}, Count: true,
		of: func(_ *model.Cluster, v sim.View, j model.JobID) (float64, bool) {
			if v.Holds(j) {
				return 1, true
			}
			return 0, true
		}},
	{Fact: policy.Fact{As: "job.weight", Means: "its weight",
		Eg: `-job.weight * job.age`},
		of: func(_ *model.Cluster, v sim.View, j model.JobID) (float64, bool) { return v.Weight(j), true }},
	{Fact: policy.Fact{As: "job.deadline", Unit: "s", Means: "when it should be done; not known where it has none",
		Eg: `job.deadline`},
		of: func(_ *model.Cluster, v sim.View, j model.JobID) (float64, bool) {
			at, has := v.Deadline(j)
			return at.Seconds(), has
		}},
	{Fact: policy.Fact{As: "cluster.now", Unit: "s", Means: "the time of the decision",
		Eg: `cluster.now - job.arrival`},
		of: func(_ *model.Cluster, v sim.View, _ model.JobID) (float64, bool) { return v.Now().Seconds(), true }},
	{Fact: policy.Fact{As: "cluster.gpus", Means: "GPUs in service",
		Eg: `job.gpus / max(cluster.gpus, 1)`}, Count: true,
		of: func(c *model.Cluster, v sim.View, _ model.JobID) (float64, bool) {
			return float64(inService(c, v)), true
		}},
	{Fact: policy.Fact{As: "cluster.jobs", Means: "jobs that have come and are not done",
		Eg: `job.age / cluster.jobs`}, Count: true,
		of: func(_ *model.Cluster, v sim.View, _ model.JobID) (float64, bool) {
			return float64(len(v.Active())), true
		}},
	{Fact: policy.Fact{As: "cluster.waiting", Means: "those of them that hold no GPUs",
		Eg: `job.service if cluster.waiting > 3 else job.arrival`}, Count: true,
		of: func(_ *model.Cluster, v sim.View, _ model.JobID) (float64, bool) {
			return float64(len(v.Waiting())), true
		}},
}

// Members are what a program may use beside the facts: names with their arguments. They are only ever added to.
var Members = []policy.Fact{
	{As: "job.id", Means: "its number, in order of arrival from 0",
		Eg: `job.id % 2`},
	{As: "job.name", Means: "its name",
		Eg: `job.name == "j1"`},
	{As: "job.model", Means: "the model that it trains",
		Eg: `job.model == "resnet-50"`},
	{As: "job.tenant", Means: "whose it is",
		Eg: `job.tenant == "ada"`},
	{As: "job.gangs", Means: "what it holds: a tuple of gangs, each a tuple of (slot, GPUs)",
		Eg: `len(job.gangs) > 0`},
	{As: "job.speed_on(type, gpus)", Unit: "steps/s", Means: "its speed on so many GPUs of a type in one node; gpus may be left out",
		Eg: `job.speed_on(cluster.types[0], 1)`},
	{As: "job.speed_at(gang)", Unit: "steps/s", Means: "its speed on a list of (slot, GPUs)",
		Eg: `job.speed_at([(slot, 1)])`},
	{As: "job.stall_at(gang)", Unit: "s", Means: "how long it would stand still if from now on it held these",
		Eg: `job.stall_at([(slot, 1)])`},
	{As: "cluster.types", Means: "the names of the GPU types",
		Eg: `len(cluster.types)`},
	{As: "view.now", Unit: "s", Means: "the time of the decision",
		Eg: `view.now - job.arrival`},
	{As: "view.round", Unit: "s", Means: "how long a round is",
		Eg: `plan.wake(view.now + view.round)`},
	{As: "view.decision", Means: "the number of the decision, from 0",
		Eg: `view.decision % 10 == 0`},
	{As: "view.jobs", Means: "the jobs that have come and are not done, in order of arrival",
		Eg: `sorted(view.jobs, key = lambda job: job.age)`},
	{As: "view.waiting", Means: "those of them that hold no GPUs",
		Eg: `len(view.waiting)`},
	{As: "view.arrived", Means: "those that have come since the last decision",
		Eg: `len(view.arrived) > 0`},
	{As: "view.slots", Means: "equal GPUs of one node each",
		Eg: `[slot for slot in view.slots if slot.gpus > 0]`},
	{As: "view.cluster", Means: "as in key",
		Eg: `view.cluster.types`},
	{As: "view.state", Means: "what decide returned last; None at first",
		Eg: `view.state or {}`},
	{As: "slot.id", Means: "its number, from 0",
		Eg: `slot.id % 2 == 0`},
	{As: "slot.node", Means: "the name of its node",
		Eg: `slot.node == "n1"`},
	{As: "slot.rack", Means: "the name of its rack",
		Eg: `slot.rack == "r1"`},
	{As: "slot.type", Means: "the name of its GPU type",
		Eg: `plan.free(slot.type)`},
	{As: "slot.gpus", Means: "how many of its GPUs are in service",
		Eg: `min(slot.gpus, job.gpus)`},
	{As: "plan.free(of)", Means: "free GPUs of a slot or type; of all if nothing is named",
		Eg: `plan.free(slot) >= job.gpus`},
	{As: "plan.holds(job)", Means: "whether it holds GPUs in the plan",
		Eg: `not plan.holds(job)`},
	{As: "plan.keep(job)", Means: "lets it keep what it holds, if that is still free; says whether",
		Eg: `plan.keep(job) or plan.place(job)`},
	{As: "plan.drop(job)", Means: "takes what it has held until now",
		Eg: `plan.drop(job)`},
	{As: "plan.clear()", Means: "takes what all hold",
		Eg: `plan.clear()`},
	{As: "plan.place(job, type)", Means: "gives it free GPUs of a type, of the fastest if none is named; says whether",
		Eg: `plan.place(job, slot.type)`},
	{As: "plan.give(job, gang, quota, copy)", Means: "gives it a list of (slot, GPUs), until quota steps are done, as a copy if copy is True; says whether",
		Eg: `plan.give(job, [(slot, job.gpus)])`},
	{As: "plan.wake(at)", Unit: "s", Means: "asks for a decision at that time",
		Eg: `plan.wake(view.now + 60)`},
	{As: "why(job, text)", Means: "says why, for the panel; numbers follow by name: why(job, \"cheap\", price = 3)",
		Eg: `why(job, "nearly done", left = job.steps_left)`},
	{As: "random()", Means: "the next number from 0 to 1 of the decision's own, by the scenario's seed",
		Eg: `random() * job.age`},
}

// Of is the fact's value for a job; a fact of the cluster has the same for all.
func (f *Fact) Of(c *model.Cluster, v sim.View, j model.JobID) (value float64, ok bool) {
	return f.of(c, v, j)
}

func inService(c *model.Cluster, v sim.View) (n int32) {
	for t := range c.Types {
		n += v.CapacityOf(model.TypeID(t))
	}
	return n
}

// told are the facts as pages offer them, and what else there is.
func told(more ...policy.Fact) (list []policy.Fact) {
	for i := range Facts {
		list = append(list, Facts[i].Fact)
	}
	return append(list, more...)
}
