package worker

import (
	"maps"
	"slices"

	"hadarlab/core/message"
	"hadarlab/core/text"
)

// Routes lists what the handler answers, as "METHOD PATH".
func Routes() []string {
	out := append(slices.Collect(maps.Keys((&server{}).routes())), "GET /") // of static
	slices.Sort(out)
	return out
}

// Holds tells whether the run is in memory.
func (q *Runner) Holds(id string) bool { return q.find(id) != nil }

// Waiting is how many wait for a slot.
func (q *Runner) Waiting() int { return q.slots.Waiting() }

// BreakSweeps makes every sweep one that panics while it works, and again when it is asked what it has.
func (q *Runner) BreakSweeps() {
	q.newSweep = func(*message.SweepRequest) (sweep, text.Diagnostics) { return brokenSweep{nil}, nil }
}

type brokenSweep struct{ sweep }

func (brokenSweep) Spend(int) bool                  { panic("secret") }
func (brokenSweep) Bound(int)                       {}
func (brokenSweep) OnPart(func([]message.Lane))     {}
func (brokenSweep) Full() bool                      { return false }
func (brokenSweep) Jobs() int                       { return 0 }
func (brokenSweep) Stop()                           {}
func (brokenSweep) Progress() message.SweepProgress { return message.SweepProgress{Runs: 1} }
func (brokenSweep) Result() (*message.SweepResult, text.Diagnostics) {
	panic("secret of the result")
}

// Network is what is used of where a request came from.
var Network = network
