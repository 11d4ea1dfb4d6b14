// Package model is the compiled, immutable description of what a run simulates: a heterogeneous
// cluster, jobs, throughput tables, costs and capacity changes, all as flat slices with typed ids.
// It refuses to know about documents, schedulers or time passing.
//
// Flow: scenario document → Compile → model.Problem → sim.Run.
package model

import (
	"math"
	"slices"

	"hadarlab/core/unit"
)

// Ids index the flat slices of a Problem. Jobs are numbered by arrival, ties in document order.
type (
	TypeID int32
	NodeID int32
	SlotID int32
	JobID  int32
)

// None is the id of nothing, for every id type.
const None = -1

// GPUType is one kind of GPU.
type GPUType struct {
	Name       string  // lower-case vendor name, as v100
	Watts      float64 // board power in W
	USDPerHour float64 // price of one GPU in USD per hour
	MemoryGiB  float64 // memory of one GPU in GiB
	FP32TFLOPS float64 // single-precision rate; orders types where a policy wants "fastest first", 0 when unlisted
}

// Node is one machine.
type Node struct {
	Name string
	Rack int32 // index into Cluster.Racks
	Host Host
}

// Slot is the set of equal, interchangeable GPUs of one node.
type Slot struct {
	Node NodeID
	Type TypeID
	Cap  int32 // number of GPUs; where it changes, the most there ever are
}

// Shard is N GPUs of one slot.
type Shard struct {
	Slot SlotID
	N    int32
}

// Cluster is the machines. Types and Slots are sorted: types by name, slots by node, then type.
type Cluster struct {
	Types []GPUType
	Racks []string
	Nodes []Node
	Slots []Slot
	// BySpeed lists the types by descending FP32 rate, unlisted ones last by name: the order in
	// which Gavel's mechanism lets types choose.
	BySpeed []TypeID
}

// GPUs is the number of GPUs of the whole cluster.
func (c *Cluster) GPUs() int32 {
	var n int32
	for _, s := range c.Slots {
		n += s.Cap
	}
	return n
}

// Count is the number of GPUs of type t.
func (c *Cluster) Count(t TypeID) int32 {
	var n int32
	for _, s := range c.Slots {
		if s.Type == t {
			n += s.Cap
		}
	}
	return n
}

// Counts is Count of every type, for who asks for many jobs.
func (c *Cluster) Counts() []int32 {
	n := make([]int32, len(c.Types))
	for _, s := range c.Slots {
		n[s.Type] += s.Cap
	}
	return n
}

// Shape says which gangs a job may hold.
type Shape struct {
	Size           int32 // GPUs of one gang that the job asks for
	Min, Max, Step int32 // and that it could use: Min, Min+Step, … Max. Rigid jobs have Min = Max = Size
	Gangs          int32 // gangs that may run at once: 1, or more for forked copies
	// Split is how the GPUs of a gang of several types share its batch; nil = all have the same. Jobs whose splits are
	// alike point to the same.
	Split      *Split
	Redundancy // against members that are slow for a while
}

// Phase is a stretch of a job's training with its own operating points. It begins when the job has
// done From steps; the first phase has From = 0.
type Phase struct {
	From   unit.Work
	Tables []int32 // throughput table per operating point (sim.Config); at least one
}

// Job is one training job.
type Job struct {
	Name   string
	Model  string
	Batch  int32
	Doc    int32     // position in the document
	Arrive unit.Tick // submission
	Work   unit.Work // steps to do, > 0
	Shape  Shape
	Phases []Phase
	// Profile is its model's, an index into Problem.Profiles; None = it has none. A profiled job has two operating
	// points: 0 is its batch as asked, 1 the batch that is best on the gang or, if it keeps its batch, the same.
	Profile    int32
	KeepsBatch bool
	Weight     float64   // priority weight, 1 by default
	Tenant     int32     // index into Problem.Tenants
	SLO        unit.Tick // should be finished this long after its arrival; 0 = no such wish
}

// Tenant is a group of jobs that shares one entitlement (Gavel's entity).
type Tenant struct {
	Name   string
	Weight float64 // of the tenant's share among tenants, > 0
	FIFO   bool    // its jobs are served in order of arrival; otherwise they share by their weights
}

// Costs are the stalls that a change of allocation brings. The same table serves every policy.
// Charges that fall on one instant do not add up: the largest counts.
type Costs struct {
	Save            unit.Tick // writing a checkpoint before a job leaves GPUs it has run on
	Load            unit.Tick // starting a gang: processes, data, model
	Config          unit.Tick // changing the operating point only
	Merge           unit.Tick // consolidating copies, each period, under policies that fork jobs
	CheckpointEvery unit.Tick // period of checkpoints that a fault falls back to; 0 = every step is safe
}

// CapacityChange sets the number of usable GPUs of a slot from an instant on (a fault, a repair,
// growth). It is never more than the slot's Cap.
type CapacityChange struct {
	At   unit.Tick
	Slot SlotID
	Cap  int32
}

// Knowledge says what a policy may know. It is applied in the view, alike for all policies.
type Knowledge struct {
	// HideLengths withholds the remaining work of every job. Default false.
	HideLengths bool
	// LengthFactor scales what a policy believes a job's total work to be, per job; nil = exact.
	LengthFactor []float64
	// Tables and Pairs are what a policy believes speeds to be, in the order of the Problem's; nil =
	// exact. A belief is 0 exactly where the truth is.
	Tables []Throughput
	Pairs  []Pair
}

// Window is a stretch of the jobs, by their ids: the run is over when all of them have finished, and its figures are
// theirs. The zero value is none: all jobs count.
type Window struct{ From, To JobID } // the first, and the one after the last

// Has says whether a job is in the window.
func (w Window) Has(j JobID) bool { return w.From <= j && j < w.To }

// Problem is everything a run needs. It is never changed once compiled and may be shared.
type Problem struct {
	Cluster      Cluster
	Tables       []Throughput
	Profiles     []Profile
	Pairs        []Pair // sorted by A, B, Type; A <= B
	Jobs         []Job
	Costs        []Costs          // one a job
	DefaultCosts Costs            // of jobs whose model has none of its own
	Changes      []CapacityChange // by time, then slot
	Speeds       []SpeedChange    // by time, then node; no policy sees them
	Tenants      []Tenant         // at least one; by name
	Know         Knowledge
	Needs        []*Need   // of the jobs, by their ids; nil = no job needs CPUs or memory that a node may lack
	Tuned        bool      // the jobs of a node share its host by what they can use, not by their GPUs
	Cloud        *Cloud    // nodes of the cluster that can be had for money; nil = all are there by themselves
	Fusion       *Fusion   // which jobs train as one; nil = each for itself
	Links        *Net      // whose NICs and uplinks gangs share; nil = each gang has them to itself
	Round        unit.Tick // nominal round length
	Horizon      unit.Tick // end of the simulation, unit.Never = none
	Window       Window    // of the jobs that are measured
	Seed         uint64
	Digest       [32]byte // identity of the document it was compiled from
}

// Parameters that every policy has, and of which it hears nothing: how its run differs from the problem.
const (
	HostSplit      = "host_split" // how jobs share hosts: scenario, as the problem has it, is the default
	AutoscalerName = "autoscaler" // of Autoscalers; absent = the problem's
	FusionName     = "fusion"     // false = each job trains for itself. Default true
)

// Under is p as it is in the run of a policy with these parameters: p itself, unless they say otherwise.
func (p *Problem) Under(params map[string]any) *Problem {
	other := *p
	switch params[HostSplit] {
	case "tuned":
		other.Tuned = true
	case "proportional":
		other.Tuned = false
	}
	if params[FusionName] == false {
		other.Fusion = nil
	}
	if name, own := params[AutoscalerName].(string); own && p.Cloud != nil {
		cloud := *p.Cloud
		cloud.Autoscaler, other.Cloud = Autoscaler(slices.Index(Autoscalers, name)), &cloud
	}
	if other.Tuned == p.Tuned && other.Fusion == p.Fusion && other.Cloud == p.Cloud {
		return p
	}
	return &other
}

// Splits says whether some job splits its batch by the speeds of its GPUs.
func (p *Problem) Splits() bool {
	return slices.ContainsFunc(p.Jobs, func(j Job) bool { return j.Shape.Split != nil })
}

// Public is what a policy's constructor may see: never the jobs, never the future.
type Public struct {
	Cluster *Cluster
	Round   unit.Tick
	Costs   Costs // the scenario's default costs
	Seed    uint64
	// Lengths is how long the scenario's jobs are, in GPU-seconds on their best type, ascending: a
	// distribution for policies that know one, never whose length is whose.
	Lengths []float64
	Pairs   bool // speeds of pairs on one GPU were measured
}

// Duration is how long the job would take, in s, with its batch as asked, where speed gives its steps per second in a
// phase; +Inf when it would not end.
func (p *Problem) Duration(j *Job, speed func(*Throughput) unit.Rate) float64 {
	sum := 0.0
	for k, ph := range j.Phases {
		end := j.Work
		if k+1 < len(j.Phases) {
			end = j.Phases[k+1].From
		}
		sum += float64(end-ph.From) / float64(speed(&p.Tables[ph.Tables[0]]))
	}
	return sum
}

// Public is what policies of p may see before it starts.
func (p *Problem) Public() Public {
	pub := Public{Cluster: &p.Cluster, Round: p.Round, Costs: p.DefaultCosts, Seed: p.Seed, Pairs: len(p.Pairs) > 0}
	for i := range p.Jobs {
		j := &p.Jobs[i]
		took := p.Duration(j, func(tab *Throughput) (best unit.Rate) {
			for t := range p.Cluster.Types {
				best = max(best, tab.Rate(TypeID(t), j.Shape.Size, OneNode))
			}
			return best
		})
		if !math.IsInf(took, 1) {
			pub.Lengths = append(pub.Lengths, float64(took*float64(j.Shape.Size)))
		}
	}
	slices.Sort(pub.Lengths)
	return pub
}
