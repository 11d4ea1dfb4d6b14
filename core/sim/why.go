package sim

import (
	"math"

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
	told  [][]float64   // the last value of each series of the trace, by what it is of; NaN = none
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
}

// begin forgets the notes of the last decision, and makes a Detail if the decision that begins is to be explained.
func (w *Why) begin() {
	w.stamp++
	w.list = w.list[:0]
	w.Detail = nil
	if w.r.explain == len(w.r.tr.Rounds)-1 {
		w.Detail = &Detail{Coming: w.r.coming() - w.r.nextArrival}
	}
}

// note keeps one reason for j; a later one of the same decision replaces it. The numbers are
// those that trace.Code tells of.
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

// Wait records why j gets nothing, with the numbers of the code (trace.Code).
func (w *Why) Wait(j model.JobID, c trace.Code, a, b, d float64) { w.note(j, c, model.None, a, b, d) }

// WaitFor is Wait because of another job.
func (w *Why) WaitFor(j model.JobID, c trace.Code, other model.JobID, a, b, d float64) {
	w.note(j, c, other, a, b, d)
}

// Tell records what a quantity is from this decision on, of one of the slots, jobs or sizes that it is told by. A value
// that is as before takes no room.
func (w *Why) Tell(q *trace.Quantity, of int32, v float64) {
	t := &w.r.tr
	i := t.Begin(q, 4*w.r.opt.Reserve)
	if i == len(w.told) {
		w.told = append(w.told, nil)
	}
	for int(of) >= len(w.told[i]) {
		w.told[i] = append(w.told[i], math.NaN())
	}
	if w.told[i][of] == v {
		return
	}
	w.told[i][of] = v
	s := &t.Series[i]
	s.Points = append(s.Points, trace.Point{Round: int32(len(t.Rounds) - 1), Of: of, Value: v})
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
	if other >= 0 {
		other = w.r.face(other)
	}
	w.r.tr.Reasons = append(w.r.tr.Reasons, trace.Reason{Code: c, Job: int32(w.r.face(j)), Slot: model.None,
		Other: int32(other), Num: num})
}

// Explain asks for the Detail of decision number round, to be had from Explained once it is taken.
func (r *Run) Explain(round int) { r.explain = round }

// Explained is the detail of the latest decision, nil unless Explain asked for it.
func (r *Run) Explained() *Detail { return r.why.Detail }
