// Package run is a run as the page follows it: how far it is, the lanes that have come, and the result that they
// make, laid out over one time axis. It reads what the engine answers; it asks for nothing and judges nothing.
package run

import (
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
	work     []*unit.Slices   // of reading lanes that have come, and then of comparing all, oldest first
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

// slice is how many entries of a trace are gone through in one task: some tens of milliseconds, so that keys get in
// between.
const slice = 80_000

// TakeLane takes the answer of the lane that is awaited, and says whether there was no work under way that goes on.
func (r *Run) TakeLane(meta *message.Lane, body []byte) (begin bool) {
	i := r.next()
	if i == len(r.Partial.Lanes) {
		return false
	}
	l, check := r.Partial.Lanes[i], r.OnServer
	l.take(meta, body)
	return r.add(func(pace unit.Pace) { l.read(check, pace) })
}

func (r *Run) add(work func(unit.Pace)) (first bool) {
	r.work = append(r.work, unit.InSlices(work))
	return len(r.work) == 1
}

// GoOn does a slice of the work. Done says that all has come and nothing is left, more that there is.
func (r *Run) GoOn() (done, more bool) {
	if len(r.work) > 0 && !r.work[0].Spend(slice) {
		r.work = r.work[1:]
	}
	more = len(r.work) > 0
	return r.ended && !more, more
}

// End says that the engine has said its last word, so that what has come can be compared, and whether there was no work
// under way that goes on.
func (r *Run) End() (begin bool) {
	r.ended = true
	return r.add(r.Partial.LayOut)
}

// Drawing says that all lanes have come and some are still to be laid out or compared.
func (r *Run) Drawing() bool { return r.ended && len(r.work) > 0 }

// Drop gives up laying out: the lanes that are not laid out count as stopped. The others are compared all the same.
func (r *Run) Drop() {
	last := len(r.work) - 1
	for _, w := range r.work[:last] {
		w.GiveUp()
	}
	r.work = r.work[last:]
	for _, l := range r.Partial.Lanes {
		if l.Chart == nil {
			l.Trace, l.body = nil, nil
		}
	}
}

// GiveUp ends all work on what nobody wants any more.
func (r *Run) GiveUp() {
	for _, w := range r.work {
		w.GiveUp()
	}
}

// LaneFailed takes up why a lane failed, false where all have.
func (r *Run) LaneFailed(f *message.Failure) bool {
	if f.Lane < 0 || f.Lane >= len(r.Partial.Lanes) {
		return false
	}
	r.Partial.Lanes[f.Lane].Failure = f
	return true
}

const (
	// young is how long a run lasts before it is said how long it may still take, in ms.
	young = 2000
	// slow is the estimate beyond which the server is offered, in ms: attention does not last longer.
	slow = 10_000
	// Large is the jobs × policies beyond which it is offered at once. The engine holds up to 20 kB of each in this
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
