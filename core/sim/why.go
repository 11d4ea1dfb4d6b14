package sim

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Why takes a policy's reasons as data. The kernel stores placements, moves, preemptions and the
// first wait of each spell; candidates and later waits are rebuilt by running the decision again
// with Detail set.
type Why struct {
	// Detail is where a policy puts every number of this decision; nil unless it is being explained.
	Detail *Detail

	r     *Run
	notes []note
	stamp int32
	list  []model.JobID // noted jobs, in the order of the notes
	left  []int32       // last recorded GPUs left by a copy, by slot
}

// note is the reason that the policy gave for one job at the present decision, if its stamp is the present one.
type note struct {
	stamp int32
	code  trace.Code
	other model.JobID
	num   [3]float64
}

// Detail is one decision with every number, for the explanation of one round. Utilities, costs,
// payoffs and prices are in the policy's own unit, rates in steps/s.
type Detail struct {
	Constants *PriceConstants
	Prices    []SlotPrice
	Order     []model.JobID // the order in which the policy considered the jobs
	Choices   []Choice      // one per active job, in order of arrival
	// Payoff is the sum the policy maximised, Primal its value of the decision, Dual an upper bound;
	// meaningful only when Valued is set.
	Valued               bool
	Payoff, Primal, Dual float64
	Unbounded            bool // Dual has no meaning
	Terms                []Term
	Altered              []Altered // by forced choices
}

// PriceConstants are Hadar's constants of one decision, by GPU type.
type PriceConstants struct {
	UMax, UMin []float64
	Eta, Alpha float64
	Horizon    unit.Tick // the absolute time T
}

// SlotPrice is the price of one GPU of a slot after the decision.
type SlotPrice struct {
	Slot  model.SlotID
	Used  int32
	Cap   int32
	Price float64
}

// Choice is what was decided for one job and what else was weighed.
type Choice struct {
	Job        model.JobID
	Valued     bool // the next five have a meaning
	Utility    float64
	Cost       float64
	Payoff     float64
	Rounds     int64
	Rate       unit.Rate
	Alone      *Candidate  // the choice on an empty cluster
	Candidates []Candidate // best first, at most eight
	Shares     []Share     // by GPU type, for policies that share time
	Copies     []Copy      // of a forked job, nodes ascending
	Terms      []Term

	// The kernel fills in the rest once the plan is known.
	Altered *Altered   // by a forced choice, nil = it is as the policy chose; the numbers above are the policy's
	Action  trace.Code // Placed, Moved, Kept or Preempted, or the code of the wait
	Reason  trace.Code // why: the code that the policy gave, or Action
	Num     [3]float64
	Other   model.JobID
	Gangs   [][]model.Shard
}

// Candidate is one placement that was weighed.
type Candidate struct {
	Shards  []model.Shard
	Utility float64
	Cost    float64
	Payoff  float64
	Rounds  int64
	Rate    unit.Rate
	Chosen  bool
	// Phase is which part of the decision weighed it, for policies that decide in parts; 0 = the only one.
	// To is then the job that got the node, None = nobody.
	Phase int
	To    model.JobID
}

// Copy is one copy of a forked job in the coming round.
type Copy struct {
	Shard  model.Shard
	Phase  int       // part of the decision that made it
	Rate   unit.Rate // steps per second
	Most   unit.Work // steps it could do in the round
	Steps  unit.Work // its quota: its part of the job's steps
	Weight float64   // with which its parameters enter the merge
	Left   int32     // GPUs of its node that it leaves idle
}

// Share is a job's standing on one GPU type.
type Share struct {
	Type                       model.TypeID
	Target, Received, Priority float64
	Deficit                    unit.Tick
	Rate                       unit.Rate
}

// Term is a named figure.
type Term struct {
	Name, Unit string
	Value      float64
	Solver     bool // it says how well a program was solved, not what it decides
}

// init makes room for one note a job. It is called once a run.
func (w *Why) init(r *Run) {
	w.r = r
	w.notes = make([]note, len(r.jobs))
	w.left = make([]int32, len(r.free))
}

// begin forgets the notes of the last decision, and makes a Detail if the decision that begins is to be explained.
func (w *Why) begin() {
	w.stamp++
	w.list = w.list[:0]
	w.Detail = nil
	if w.r.explain == len(w.r.tr.Rounds)-1 {
		w.Detail = &Detail{}
	}
}

// note keeps one reason for j; a later one of the same decision replaces it. The numbers mean what trace.Codes says of
// the code.
func (w *Why) note(j model.JobID, c trace.Code, other model.JobID, a, b, d float64) {
	n := &w.notes[j]
	if n.stamp != w.stamp {
		w.list = append(w.list, j)
	}
	*n = note{w.stamp, c, other, [3]float64{a, b, d}}
}

// Chose records the numbers behind a placement: what decided, and two parts of it. The kernel finds
// out by itself whether the job starts, moves or runs on.
func (w *Why) Chose(j model.JobID, score, value, cost float64) {
	w.note(j, trace.Placed, model.None, score, value, cost)
}

// Wait records why j gets nothing, with the numbers of the code (trace.Codes).
func (w *Why) Wait(j model.JobID, c trace.Code, a, b, d float64) { w.note(j, c, model.None, a, b, d) }

// WaitFor is Wait because of another job.
func (w *Why) WaitFor(j model.JobID, c trace.Code, other model.JobID, a, b, d float64) {
	w.note(j, c, other, a, b, d)
}

// Left records that a forked copy of j leaves n GPUs of the slot's node idle, when that is new.
func (w *Why) Left(j model.JobID, s model.SlotID, n int32) {
	if w.left[s] == n {
		return
	}
	w.left[s] = n
	w.r.tr.Reasons = append(w.r.tr.Reasons, trace.Reason{Code: trace.LeftByCopy, Job: int32(j), Slot: int32(s),
		Other: model.None, Num: [3]float64{float64(n)}})
}

// Price records the price of one GPU of slot s from this decision on, in the policy's own unit. Unchanged prices take
// no room.
func (w *Why) Price(s model.SlotID, price float64) {
	r := w.r
	if r.prices[s] == price {
		return
	}
	r.prices[s] = price
	r.tr.Prices = append(r.tr.Prices, trace.PricePoint{Round: int32(len(r.tr.Rounds) - 1), Slot: int32(s),
		Price: price})
}

// explainChanges stores the reasons of a plan that is about to be applied: one for every job that starts, moves or
// stops, with the numbers that the policy gave, and the first wait of every spell. Later waits of the same spell would
// fill the trace with repetition; they are rebuilt when a decision is explained.
func (w *Why) explainChanges(p *Plan) {
	for _, j := range p.touched {
		var code trace.Code
		switch p.jobs[j].change {
		case started:
			code = trace.Placed
		case moved:
			code = trace.Moved
		case stopped:
			code = trace.Preempted
		default:
			continue
		}
		n := note{}
		if w.notes[j].stamp == w.stamp && w.notes[j].code == trace.Placed {
			n = w.notes[j]
		}
		w.store(code, j, model.None, n.num)
		w.r.jobs[j].waits = false
	}
	for _, j := range w.list {
		n := &w.notes[j]
		if n.code == trace.Placed || w.r.jobs[j].waits || p.Holds(j) {
			continue
		}
		w.store(n.code, j, n.other, n.num)
		w.r.jobs[j].waits = true
	}
}

// store appends a reason to those of the present decision in the trace.
func (w *Why) store(c trace.Code, j, other model.JobID, num [3]float64) {
	w.r.tr.Reasons = append(w.r.tr.Reasons, trace.Reason{Code: c, Job: int32(j), Slot: model.None, Other: int32(other),
		Num: num})
}

// Explain asks for the Detail of decision number round, to be had from Explained once it is taken.
func (r *Run) Explain(round int) { r.explain = round }

// Explained is the detail of the latest decision, nil unless Explain asked for it.
func (r *Run) Explained() *Detail { return r.why.Detail }

// completeDetail adds to each choice what the kernel knows: the action and the gangs held. Jobs the
// policy said nothing about get an empty choice.
func (r *Run) completeDetail(d *Detail) {
	for i, j := range r.activeJobs {
		if i == len(d.Choices) || d.Choices[i].Job != j {
			d.Choices = append(d.Choices, Choice{})
			copy(d.Choices[i+1:], d.Choices[i:])
			d.Choices[i] = Choice{Job: j}
		}
		c := &d.Choices[i]
		c.Other = model.None
		if n := &r.why.notes[j]; n.stamp == r.why.stamp {
			c.Reason, c.Num, c.Other = n.code, n.num, n.other
		}
		q := &r.plan.jobs[j]
		ch := same
		if q.stamp == r.plan.stamp {
			ch = q.change
		}
		switch {
		case ch == started:
			c.Action = trace.Placed
		case ch == moved:
			c.Action = trace.Moved
		case ch == stopped:
			c.Action = trace.Preempted
		case r.jobs[j].gpus > 0:
			c.Action = trace.Kept
		default:
			c.Action = c.Reason
		}
		if r.jobs[j].gpus > 0 {
			c.Reason = c.Action
		}
		c.Rate = 0
		for _, g := range r.jobs[j].gangs {
			c.Gangs = append(c.Gangs, append([]model.Shard(nil), r.gangs[g].shards...))
			c.Rate += r.member(g, j).rate
		}
	}
	for i := range d.Altered {
		at := slices.Index(r.activeJobs, d.Altered[i].Job)
		d.Choices[at].Altered = &d.Altered[i]
	}
}
