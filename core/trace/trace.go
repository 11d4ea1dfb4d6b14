// Package trace is the record of one run in flat columns with its own name tables: arrivals, spans,
// decisions, reasons, series and outcome. Metrics, charts, explanations and exports are functions
// of a trace (and its Problem) and of nothing else. It knows nothing of policies or of drawing.
//
// Flow: sim.Run → Trace → metric, chart, exports.
package trace

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Kind says what a gang did during a span.
type Kind uint8

const (
	Run   Kind = iota // progressing
	Stall             // holding GPUs while starting, restarting or merging
	Hold              // holding GPUs after its quota, until the next decision
)

// Outcome says how a run ended.
type Outcome uint8

const (
	Done       Outcome = iota // every job finished, or with a window every job of it
	Horizon                   // the scenario's horizon was reached
	Starved                   // nothing runs, nothing is to come and the policy asks for nothing
	Overloaded                // the budget of events, or of bytes, is spent
	Stopped                   // cancelled from outside; what is here is complete up to End
)

var outcomeNames = [...]string{"done", "horizon", "starved", "overloaded", "stopped"}

func (o Outcome) String() string { return outcomeNames[o] }

// Slot mirrors model.Slot: equal GPUs of one node.
type Slot struct{ Node, Type, Cap int32 }

// Job is one job's row. Start and Finish are -1 while they have not happened.
type Job struct {
	Name          string
	GPUs          int32 // asked for
	Arrive        unit.Tick
	Start, Finish unit.Tick
	Starts        int32 // times it went from holding nothing to holding GPUs
	Preempted     int32 // gangs taken from it while unfinished
	Moved         int32 // gangs changed without a break
}

// CompletionTime is how long the job takes from its arrival to its finish, unit.Never where it has none.
func (j *Job) CompletionTime() unit.Tick {
	if j.Finish < 0 {
		return unit.Never
	}
	return j.Finish - j.Arrive
}

// Spans are the intervals during which one job held one gang at constant speed, in the order in
// which they ended; ties by job, then gang. All columns have equal length, ShardAt one more.
type Spans struct {
	Job      []int32
	Gang     []int32 // which of the job's gangs, 0 for jobs that hold one at a time
	With     []int32 // the next other member of the gang, -1 = alone
	Kind     []Kind
	From, To []unit.Tick
	Rate     []float64 // steps per second, 0 unless Kind is Run
	ShardAt  []int32   // span i holds Shards[ShardAt[i]:ShardAt[i+1]]
	Shards   []model.Shard
}

// Len is the number of spans.
func (s *Spans) Len() int { return len(s.Job) }

// At gives the shards of span i.
func (s *Spans) At(i int) []model.Shard { return s.Shards[s.ShardAt[i]:s.ShardAt[i+1]] }

// Grow makes room for n more spans in all columns.
func (s *Spans) Grow(n int) {
	s.Job, s.Gang, s.With = slices.Grow(s.Job, n), slices.Grow(s.Gang, n), slices.Grow(s.With, n)
	s.Kind, s.Rate = slices.Grow(s.Kind, n), slices.Grow(s.Rate, n)
	s.From, s.To = slices.Grow(s.From, n), slices.Grow(s.To, n)
	s.ShardAt, s.Shards = slices.Grow(s.ShardAt, n), slices.Grow(s.Shards, max(n, len(s.Shards)))
}

// Decision is one call of the policy with at least one unfinished arrived job; the index is the
// round's number. Its reasons are Reasons[Reason:next decision's Reason].
type Decision struct {
	At     unit.Tick
	Reason int32
}

// Reason is why something was decided, as data. Codes are listed in reason.go; text is made
// where it is shown.
type Reason struct {
	Code  Code
	Job   int32
	Slot  int32 // -1 = none
	Other int32 // another job, -1 = none
	Num   [3]float64
}

// Capacity is the number of usable GPUs of a slot from an instant on, by time, then slot. Before its first one a slot
// has them all.
type Capacity struct {
	At   unit.Tick
	Slot int32
	Cap  int32
}

// Speed is the part of its speed at which a node runs from an instant on, by time, then node. Before its first one a
// node runs at its full speed.
type Speed struct {
	At    unit.Tick
	Node  int32
	Speed float64 // above 0, 1 = full speed
}

// Trace is one run.
type Trace struct {
	Types, Nodes []string
	Slots        []Slot
	Jobs         []Job
	Round        unit.Tick // nominal round length
	Spans        Spans
	Rounds       []Decision
	Reasons      []Reason
	Series       []Series
	Capacity     []Capacity // changes up to End; the hash leaves them out, since the problem has them
	Speeds       []Speed    // the same of the nodes' speeds
	Outcome      Outcome
	End          unit.Tick // last instant simulated
	Events       int64     // kernel events handled
	// Window is the problem's: the jobs that are measured. It is not encoded; whoever decodes a trace knows its lane.
	Window model.Window
	Pace   unit.Pace // of who goes through it, see Paced; it is no part of the run
}

// Paced is the same trace for readers that tell of their work as they go on: exports and curves of long runs.
func (t *Trace) Paced(pace unit.Pace) *Trace {
	paced := *t
	paced.Pace = pace
	return &paced
}

// Bytes is what the columns hold, not what Go has reserved for them: the same number for the same run on every machine.
// It costs nothing, so that a caller can bound a run by it while it goes on.
func (t *Trace) Bytes() int {
	const span, shard, decision, reason, point, capacity, speed, job = 41, 8, 16, 40, 16, 16, 20, 56
	points := 0
	for i := range t.Series {
		points += len(t.Series[i].Points)
	}
	return span*t.Spans.Len() + shard*len(t.Spans.Shards) + decision*len(t.Rounds) + reason*len(t.Reasons) +
		point*points + capacity*len(t.Capacity) + speed*len(t.Speeds) + job*len(t.Jobs)
}

// Measured are the jobs that count: those of the window, or all where there is none.
func (t *Trace) Measured() model.Window {
	if t.Window.To > 0 {
		return t.Window
	}
	return model.Window{To: model.JobID(len(t.Jobs))}
}

// GPUs is the number of GPUs of the traced cluster.
func (t *Trace) GPUs() int32 {
	var n int32
	for _, s := range t.Slots {
		n += s.Cap
	}
	return n
}

// FirstArrival is where the makespan of the jobs that count begins, unit.Never when there is none.
func (t *Trace) FirstArrival() unit.Tick {
	first, w := unit.Never, t.Measured()
	for i := w.From; i < w.To; i++ {
		first = min(first, t.Jobs[i].Arrive)
	}
	return first
}

// LastFinish is where the makespan of the jobs that count ends, -1 when none finished.
func (t *Trace) LastFinish() unit.Tick {
	last, w := unit.Tick(-1), t.Measured()
	for i := w.From; i < w.To; i++ {
		last = max(last, t.Jobs[i].Finish)
	}
	return last
}

// RoundAt is the index of the last decision at or before t, -1 when there is none.
func (t *Trace) RoundAt(at unit.Tick) int {
	lo, hi := 0, len(t.Rounds)
	for lo < hi {
		mid := (lo + hi) / 2
		if t.Rounds[mid].At <= at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}
