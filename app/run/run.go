// Package run is a run as the page follows it: how far it is, the lanes that have come, and the result that they
// make, laid out over one time axis. It reads what the engine answers; it asks for nothing and judges nothing.
package run

import (
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/message"
	"hadarlab/core/unit"
)

// Run is the run that is planned or under way.
type Run struct {
	ID       int64 // 0 = none
	Planned  int64 // sequence of a planned start, 0 = none
	Stopping bool
	Progress message.Progress
	Lanes    int // lanes of the run
	SoFar    SoFar
	Partial  *Result
	work     []step           // of laying out lanes that have come, oldest first
	ended    bool             // the engine has said its last word
	Failure  *message.Failure // why the last one gave nothing
	Stopped  bool             // the last one was cancelled before it was done

	OnServer bool // it runs on the server
	Offered  bool // the server may take it over
	HandOver bool // it stops because the server goes on
	size     int  // jobs × policies
	began    int64
	lasted   int64   // ms
	left     float64 // estimate in ms, 0 = unknown
	Problem  string  // why the server has not done all of it
}

// Begin is a run that has just begun, of what will be a result.
func Begin(r *Result, onServer bool) Run {
	return Run{ID: r.ID, Lanes: len(r.Lanes), Partial: r, OnServer: onServer, size: len(r.Lanes) * r.Doc.JobCount()}
}

// Busy says whether a run is planned or under way. One that was stopped keeps nobody waiting: what it has done is shown
// when it comes.
func (r *Run) Busy() bool { return r.ID != 0 && (!r.Stopping || r.HandOver) || r.Planned != 0 }

// Share is how much of the run is done, 0 to 1, by lanes and finished jobs.
func (r *Run) Share() float64 {
	if r.Lanes == 0 || r.Progress.Jobs == 0 {
		return 0
	}
	return (float64(r.Progress.Lane) + float64(r.Progress.Finished)/float64(r.Progress.Jobs)) / float64(r.Lanes)
}

// next is the lane whose answer is awaited: lanes come in order.
func (r *Run) next() int {
	for i, l := range r.Partial.Lanes {
		if !l.answered() {
			return i
		}
	}
	return len(r.Partial.Lanes)
}

// step is a piece of work on a lane that has come. Large traces are decoded and laid out in tasks of their
// own, so that keys get in between.
type step struct {
	lane int
	lay  bool // decode otherwise
}

// atOnce is the length in bytes of a trace up to which all its work is done in one go.
const atOnce = 16 << 10

// TakeLane takes the answer of the lane that is awaited. A small one is read at once; else there is work, which the
// caller begins unless it is under way.
func (r *Run) TakeLane(meta *message.Lane, body []byte) (begin bool) {
	i := r.next()
	if i == len(r.Partial.Lanes) {
		return false
	}
	r.Partial.Lanes[i].take(meta, body)
	idle := len(r.work) == 0
	r.work = append(r.work, step{i, false}, step{i, true})
	if len(body) <= atOnce && idle {
		r.WorkOff()
	}
	return idle && len(r.work) > 0
}

// WorkOff does all the work that there is.
func (r *Run) WorkOff() {
	for len(r.work) > 0 {
		r.workOn()
	}
}

// slice is how many entries of a trace are laid out in one task: some tens of milliseconds.
const slice = 20_000

// workOn does the oldest piece of work, or a slice of it.
func (r *Run) workOn() {
	w := r.work[0]
	l := r.Partial.Lanes[w.lane]
	if l.Failure == nil && w.lay {
		if l.layout == nil {
			l.layout = chart.Lay(l.Trace)
		}
		if l.layout.Spend(slice) {
			return
		}
		l.Chart, l.layout = l.layout.Lane, nil
	}
	r.work = r.work[1:]
	switch {
	case l.Failure != nil, w.lay:
	default:
		if err := l.decode(); err == nil && r.OnServer && l.Trace.Hash() != l.Meta.TraceHash {
			l.Trace, l.Failure = nil, &message.Failure{Lane: w.lane,
				Message: words.T("The server’s trace is not the one of its result.")}
		} else if err != nil {
			l.Failure, l.body = &message.Failure{Lane: w.lane,
				Message: words.F("the engine's answer cannot be read: {0}", err.Error())}, nil
		}
	}
}

// Drawing says that all lanes have come and some are still to be laid out.
func (r *Run) Drawing() bool { return r.ended && len(r.work) > 0 }

// Drop gives up laying out: the lanes that are not laid out count as stopped.
func (r *Run) Drop() {
	for _, w := range r.work {
		if l := r.Partial.Lanes[w.lane]; l.Chart == nil {
			l.Trace, l.body, l.layout = nil, nil, nil
		}
	}
	r.work = nil
}

// GoOn does a piece of work. To compare the lanes, when all are there, is one too: more says that it is still to come,
// or another lane's, and done that only it is left.
func (r *Run) GoOn() (done, more bool) {
	if len(r.work) == 0 {
		return r.ended, false
	}
	r.workOn()
	return false, len(r.work) > 0 || r.ended
}

// LaneFailed takes up why a lane failed, false where all have.
func (r *Run) LaneFailed(f *message.Failure) bool {
	if f.Lane < 0 || f.Lane >= len(r.Partial.Lanes) {
		return false
	}
	r.Partial.Lanes[f.Lane].Failure = f
	return true
}

// End says that the engine has said its last word, and whether nothing is left to do.
func (r *Run) End() bool {
	r.ended = true
	return len(r.work) == 0
}

const (
	// young is how long a run lasts before it is said how long it may still take, in ms.
	young = 2000
	// slow is the estimate beyond which the server is offered, in ms: attention does not last longer.
	slow = 10_000
	// large is the jobs × policies beyond which it is offered at once. The engine holds up to 20 kB of each in this
	// tab, and the page as much again: 160 MB, of the 200 MB that a phone leaves a page.
	Large = 4000
)

// Large says that the run may not fit into this tab.
func (r *Run) Large() bool { return r.size > Large }

// Long says that the run is large, or keeps people waiting.
func (r *Run) Long() bool {
	return r.lasted >= young && r.left > slow || r.left == 0 && r.lasted > slow || r.Large()
}

// Tick tells the run what time it is, in ms from any start.
func (r *Run) Tick(ms int64) {
	if r.began == 0 {
		r.began = ms
	}
	r.guess(ms - r.began)
}

// guess estimates the time left from the jobs finished in the time so far. It goes only part of the way to each new
// estimate, so that the figure does not jump.
func (r *Run) guess(lasted int64) {
	passed := float64(lasted - r.lasted)
	r.lasted = lasted
	done := r.Share()
	if done == 0 {
		return
	}
	now := float64(lasted) * (1 - done) / done
	if r.left == 0 {
		r.left = now
		return
	}
	r.left -= passed
	r.left = max(1, r.left+0.3*(now-r.left))
}

// LeftS is how long the run may still take, in s, rounded up; 0 while nobody can say, and while the run is young.
func (r *Run) LeftS() int {
	if r.lasted < young {
		return 0
	}
	return int(r.left+999) / 1000
}

// SoFar is what is known of a run under way.
type SoFar struct {
	chart.SoFar
	Shown bool
}

// Follow takes up the engine's word on how far it is.
func (r *Run) Follow(p message.Progress) {
	r.Progress = p
	r.SoFar.Jobs = p.Jobs
	r.SoFar.Add(p.Lane, unit.Seconds(p.TimeS), p.Finished)
}
