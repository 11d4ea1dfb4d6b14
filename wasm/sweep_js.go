package main

import (
	"time"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

const (
	// newsEvery is how often a sweep tells of its runs, and newsRuns how many it tells of at most: the page
	// reads and draws them within one of its tasks.
	newsEvery = 100 * time.Millisecond
	newsRuns  = 12
)

// open begins a sweep.
func (e *engine) open(m *message.Message) {
	defer e.fallen(m.ID)
	sweep, diags := lab.OpenSweep(m.Sweep)
	if sweep == nil {
		e.fail(m.ID, diags.Errors())
		return
	}
	e.sweep, e.sweepID, e.told, e.toldRuns = sweep, m.ID, time.Now(), 0
}

// goOn works on the sweep for one helping, and tells of it now and then.
func (e *engine) goOn() {
	sweep, id := e.sweep, e.sweepID
	defer e.fallen(id)
	began := time.Now()
	more := sweep.Spend(e.events)
	e.adapt(time.Since(began))
	if _, faults := sweep.Result(); faults != nil {
		e.sweep = nil
		e.fail(id, faults)
		return
	}
	done := sweep.Progress().Done
	if more && done-e.toldRuns < newsRuns && time.Since(e.told) < newsEvery {
		return
	}
	if !more {
		e.sweep = nil
	}
	e.told, e.toldRuns = time.Now(), done
	e.send(&message.Message{ID: id, Swept: sweep.News()})
}

// fail answers that a request gives nothing.
func (e *engine) fail(id int64, diags []text.Diagnostic) {
	why := words.T("the engine gives no reason")
	if len(diags) > 0 {
		why = diags[0].Message
	}
	e.send(&message.Message{ID: id, Failure: &message.Failure{Lane: -1, Message: why, Diagnostics: diags}})
}
