package sim

import (
	"hadarlab/core/model"
	"hadarlab/core/trace"
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
		w.Detail = &Detail{Coming: len(w.r.p.Jobs) - w.r.nextArrival}
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

// Given is the reason that the policy has given for j at this decision, with its numbers; NoReason while it has given
// none.
func (w *Why) Given(j model.JobID) (trace.Code, [3]float64) {
	if n := &w.notes[j]; n.stamp == w.stamp {
		return n.code, n.num
	}
	return trace.NoReason, [3]float64{}
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

// Timer records how long jobs that ask for so many GPUs wait for a tier from this decision on, in s. A policy records
// it when it is new.
func (w *Why) Timer(gpus int32, t model.Tier, seconds float64) {
	w.r.tr.Reasons = append(w.r.tr.Reasons, trace.Reason{Code: trace.Timer, Job: model.None, Slot: model.None,
		Other: model.None, Num: [3]float64{float64(gpus), float64(t), seconds}})
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
