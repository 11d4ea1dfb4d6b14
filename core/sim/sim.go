// Package sim is the simulator: an event kernel over integer milliseconds in which every job
// progresses at a constant rate between two events, and the contract that a scheduling policy
// fulfils: it is shown a View, states in a Plan what everyone shall hold from now on, and records
// its reasons in a Why. The kernel takes the difference to what is held, charges for it and writes
// the trace. It never knows a policy's name, and it has no clock, files, goroutines or maps.
//
// Flow: model.Problem + Policy → Run → trace.Trace.
package sim

import (
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Config is an operating point of a job, an index into its phase's Tables; 0 = as asked.
type Config int32

// Policy is a scheduler. It may keep state between decisions; Clone copies it deeply, so that a
// cloned run goes on exactly as the original would.
type Policy interface {
	// Decide states in p what every job shall hold from v.Now() on. p starts as the present
	// allocation. It is called only while at least one arrived job is unfinished.
	Decide(v View, p *Plan, w *Why)
	Clone() Policy
}

// Measurer is a Policy that has something to say of the finished run, such as how it kept a promise.
type Measurer interface {
	Measure(p *model.Problem, t *trace.Trace) []Term
}

// Trigger is a set of happenings that call for a decision.
type Trigger uint8

const (
	Arrival     Trigger = 1 << iota // a job arrived
	ArrivalIdle                     // a job arrived while nothing held GPUs
	Finish                          // a job finished
	PhaseEnd                        // a job entered its next phase
	Capacity                        // a capacity change happened
)

// Cadence says when a policy is asked.
type Cadence struct {
	Every unit.Tick // at multiples of Every from the start, while jobs are active; 0 = never
	On    Trigger   // and when one of these happens
	Merge bool      // charge Costs.Merge to every holding job at each decision (forked copies)
}

// Options tune a run without changing what it means. The zero value is ready to use.
type Options struct {
	MaxEvents int64 // kernel events before the run ends as overloaded; 0 = 50 million
	Reserve   int   // spans to make room for in advance; 0 = grow as needed
}

// Sentinel errors of New, for callers that branch.
const (
	ErrNoPolicy  = simError("sim: no policy")
	ErrNoCadence = simError("sim: a cadence needs a period or a trigger, or nothing is ever decided")
	ErrProblem   = simError("sim: the problem is inconsistent: costs, shapes and phases are needed for every job")
)

// simError makes the sentinel errors constants, which nobody can change.
type simError string

func (e simError) Error() string { return string(e) }

// gangMember is one job in a gang. Its speed is constant while its span is open.
type gangMember struct {
	job   model.JobID
	cfg   Config
	rate  unit.Rate // steps per second while neither stalled nor holding
	quota unit.Work // work left before it holds, as of the job's anchor; < 0 = none
	hold  bool      // the quota is used up
	order int32     // which of the job's gangs, for the trace
	from  unit.Tick // start of the open span

	hosted []float64 // by shard, the part of its full speed at which it runs there; nil = nobody has asked
	learns *learner  // of a gang of several types that learns how to split its batch
}

// gang is a set of GPUs with its members.
type gang struct {
	shards  []model.Shard
	members []gangMember
	copied  bool    // a forked copy: one node, any size
	stamp   int32   // scratch of apply: matched in this plan
	share   float64 // bytes per second of the links that it shares with others; 0 = it shares none
}

// lifecycle says where a job stands in its life. It is not model.Phase, a stretch of training.
type lifecycle uint8

const (
	pending lifecycle = iota
	active
	finished
)

// jobState is what the kernel knows of one job. Work is booked lazily: done holds at the anchor, and whoever wants to
// know it at a later instant adds speed times time (doneAt).
type jobState struct {
	state   lifecycle
	done    unit.Work // at anchor
	saved   unit.Work // at the last checkpoint
	savedAt unit.Tick // when progress since the last checkpoint began
	anchor  unit.Tick
	stall   unit.Tick // stalled until
	phase   int32
	gangs   []int32   // ids of the gangs it is in
	since   unit.Tick // last change of what it holds, for received and attained time
	gpus    int32     // GPUs held
	service unit.Tick // GPU-ticks held until since
	heapPos int32     // -1 = not in the heap
	waits   bool      // a wait of the present spell is recorded
	learnt  *learner  // of the last gang that learned how to split its batch
}

// Run is one simulation in progress.
type Run struct {
	p       *model.Problem // with arrays in the place of jobs that are fused
	plain   *model.Problem // as it was given
	policy  Policy
	cadence Cadence
	opt     Options

	now        unit.Tick
	jobs       []jobState
	gangs      []gang
	freeGangs  []int32
	free       []int32 // free GPUs by slot; negative after a fault until its gangs are gone
	capacity   []int32 // usable GPUs by slot
	freeOf     []int32 // the same by type
	capacityOf []int32
	received   []unit.Tick // [job*types+type] until the job's since
	activeJobs []model.JobID
	waiting    []model.JobID // active jobs that hold nothing
	untold     []model.JobID // of these, those of whose present spell no reason is recorded
	changed    []model.JobID // since the last plan was stated: what they hold, or their phase
	holding    int           // jobs that hold GPUs
	heap       []event

	nextArrival int
	nextChange  int
	wake        unit.Tick
	arrived     []model.JobID // since the last decision
	ended       []model.JobID
	happened    Trigger
	done        int       // jobs that have finished
	heldTo      int       // jobs before it have been told why they are held
	left        int       // jobs of the window that have not finished; -1 = there is no window
	idleRounds  int       // decisions in a row that left nothing running
	progressed  unit.Work // when noProgress last looked
	over        bool
	faults      []trace.Reason // since the last decision

	fused   *fused // nil = no jobs train as one
	links   *links // nil = gangs share none
	hosts   *hosts // nil = no job needs any of what they have
	slow    *slow  // nil = no node is ever slow
	cloud   *cloud // nil = no node can be had for money
	bound   int    // on the bytes of the trace, 0 = none
	explain int    // decision to explain, -1 = none
	observe func(View, *Plan)

	plan   Plan
	orders orders    // scratch of apply
	speeds []float64 // scratch of pace
	why    Why
	tr     trace.Trace
}

// New prepares a run of policy pol on p, which is shared and never changed.
func New(p *model.Problem, pol Policy, c Cadence, o Options) (*Run, error) {
	if pol == nil {
		return nil, ErrNoPolicy
	}
	if c.Every <= 0 && c.On == 0 {
		return nil, ErrNoCadence
	}
	if len(p.Costs) != len(p.Jobs) {
		return nil, ErrProblem
	}
	for i := range p.Jobs {
		j := &p.Jobs[i]
		if len(j.Phases) == 0 || len(j.Phases[0].Tables) == 0 || j.Shape.Min < 1 || j.Shape.Max < j.Shape.Min ||
			!(j.Work > 0) || i > 0 && j.Arrive < p.Jobs[i-1].Arrive {
			return nil, ErrProblem
		}
	}
	if o.MaxEvents == 0 {
		o.MaxEvents = 50e6
	}
	plain, p := p, p.Fused()
	slots, jobs := len(p.Cluster.Slots), len(p.Jobs)
	r := &Run{p: p, plain: plain, policy: pol, cadence: c, opt: o, wake: unit.Never, explain: -1, left: -1,
		jobs: make([]jobState, jobs), free: make([]int32, slots), capacity: make([]int32, slots),
		freeOf: make([]int32, len(p.Cluster.Types)), capacityOf: make([]int32, len(p.Cluster.Types)),
		received: make([]unit.Tick, jobs*len(p.Cluster.Types))}
	for s := range r.free {
		r.free[s] = p.Cluster.Slots[s].Cap
		r.capacity[s] = r.free[s]
		r.freeOf[p.Cluster.Slots[s].Type] += r.free[s]
		r.capacityOf[p.Cluster.Slots[s].Type] += r.free[s]
	}
	for j := range r.jobs {
		r.jobs[j].heapPos = -1
	}
	if w := p.Window; w.To > 0 {
		r.left = int(w.To - w.From)
	}
	r.links, r.slow, r.hosts = newLinks(p), newSlow(p), newHosts(p)
	r.cloud, r.fused = newCloud(p), newFused(p)
	r.plan.init(r)
	r.why.init(r)
	r.initTrace()
	r.away()
	return r, nil
}

// initTrace writes the head of the trace: cluster and jobs, so that charts and figures need no problem.
func (r *Run) initTrace() {
	t, p := &r.tr, r.p
	t.Round, t.Window = p.Round, p.Window
	for _, g := range p.Cluster.Types {
		t.Types = append(t.Types, g.Name)
	}
	for _, n := range p.Cluster.Nodes {
		t.Nodes = append(t.Nodes, n.Name)
	}
	for _, s := range p.Cluster.Slots {
		t.Slots = append(t.Slots, trace.Slot{Node: int32(s.Node), Type: int32(s.Type), Cap: s.Cap})
	}
	t.Jobs = make([]trace.Job, len(p.Jobs))
	for i := range p.Jobs {
		j := &p.Jobs[i]
		t.Jobs[i] = trace.Job{Name: j.Name, GPUs: j.Shape.Size, Arrive: j.Arrive, Start: -1, Finish: -1}
	}
	t.Spans.ShardAt = append(t.Spans.ShardAt, 0)
	if n := r.opt.Reserve; n > 0 {
		t.Spans.Grow(n)
		t.Rounds = make([]trace.Decision, 0, n)
		t.Reasons = make([]trace.Reason, 0, 4*n)
	}
}

// Result closes what is still open at the present instant and returns the trace. Outcome is Stopped
// when the run was not over. The run must not be stepped afterwards.
func (r *Run) Result() (*trace.Trace, trace.Outcome) {
	if !r.over {
		r.finish(trace.Stopped)
	}
	return &r.tr, r.tr.Outcome
}

// Observe shows f every plan before it comes true, forced choices included.
func (r *Run) Observe(f func(v View, p *Plan)) { r.observe = f }

// Bound ends the run as overloaded at the first instant at which its trace holds more than so many bytes.
func (r *Run) Bound(bytes int) { r.bound = bytes }

// Full tells whether it was the bound that ended the run.
func (r *Run) Full() bool { return r.over && r.tr.Outcome == trace.Overloaded && r.beyond() }

// beyond says whether the trace has outgrown the bound.
func (r *Run) beyond() bool { return r.bound > 0 && r.tr.Bytes() > r.bound }

// Fault is why the policy ended the run; ok is false if it did not.
func (r *Run) Fault() (f Fault, ok bool) { return r.plan.fault, !r.plan.fault.Says.IsZero() }

// Trace is what has been recorded so far; spans still open are missing from it. It is the run's own and
// must not be changed.
func (r *Run) Trace() *trace.Trace { return &r.tr }

// Measured is what the policy says of the run; nil when it has nothing to say. Call it after Result.
func (r *Run) Measured() []Term {
	if m, ok := r.policy.(Measurer); ok {
		return m.Measure(r.p, &r.tr)
	}
	return nil
}

// Cadence is when the policy is asked.
func (r *Run) Cadence() Cadence { return r.cadence }

// Now is the instant that the run has come to.
func (r *Run) Now() unit.Tick { return r.now }

// Rounds is the number of decisions taken so far.
func (r *Run) Rounds() int { return len(r.tr.Rounds) }

// Finished is the number of jobs that have finished.
func (r *Run) Finished() int { return r.done }

// Left is how many jobs have to finish before the run is over: all, or those of the window.
func (r *Run) Left() int {
	if r.p.Window.To > 0 {
		return r.left
	}
	return len(r.p.Jobs) - r.Finished()
}
