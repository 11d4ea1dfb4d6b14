package runs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/worker/queue"
	"hadarlab/worker/vault"
)

// States of a run. The last three are final.
const (
	queued    = queue.Queued
	running   = queue.Running
	done      = queue.Done
	cancelled = queue.Cancelled
	failed    = queue.Failed
)

// RunStatus is what is told of a run. A final state keeps the lanes so far.
type RunStatus struct {
	ID     string `json:"id"`
	State  string `json:"state"` // queued | running | done | cancelled | failed
	Engine string `json:"engine"`
	Old    bool   `json:"old,omitempty"` // its result may come out otherwise today: another version made it
	// Next is the run of today's version that asks for the same; only what waited for another version has one.
	Next       string       `json:"next,omitempty"`
	ScenarioID string       `json:"scenario_id"`
	Lanes      []LaneStatus `json:"lanes"` // none for a sweep or replicates
	// Sweep is how far a sweep or replicates have come; nil for one run a policy.
	Sweep  *message.SweepProgress `json:"sweep,omitempty"`
	Errors []jsondoc.Diagnostic   `json:"errors,omitempty"` // why a lane or the run failed
}

// LaneStatus is how far one policy has come. Outcome is empty until it ends, then as in the result, or
// failed.
type LaneStatus struct {
	message.Progress
	Outcome string `json:"outcome,omitempty"`
}

// run is one run, while it waits, works and is listened to. It knows no queue and no store.
type run struct {
	id    string
	kind  kind
	req   *message.RunRequest   // what is to be run, only while it is worked on
	grid  *message.SweepRequest // the same of a sweep or of replicates
	sweep sweep                 // the work on grid
	part  int                   // of grid that this is, where each is a piece of work; -1 = all of them
	kept  keptParts             // of grid, that the table does not have yet
	each  int                   // runs of each policy
	size  int                   // jobs × policies
	// elsewhere says that nobody here hears how it goes on.
	elsewhere bool
	turn      *turn       // the slot that it has, nil for none
	known     atomic.Bool // it gives way to nobody

	mu      sync.Mutex
	at      snapshot
	changed chan struct{} // closed and replaced when listeners should look again
	told    time.Time     // when that was last
	ended   chan struct{} // closed with the final state

	// wanted ends when the run is to end before its end; an ending is the cause.
	wanted context.Context
	stop   context.CancelCauseFunc
}

// ending is a state that a run is to end in, and why, nil for no reason.
type ending struct {
	state string
	why   *jsondoc.Diagnostic
}

func (e ending) Error() string { return "runs: it is to be " + e.state }

// newOf makes a run of which nothing is known.
func newOf(id string, of kind) *run {
	x := &run{id: id, kind: of, part: -1, changed: make(chan struct{}), ended: make(chan struct{})}
	x.wanted, x.stop = context.WithCancelCause(context.Background())
	return x
}

// snapshot is a run at one moment. What it points to is never written again.
type snapshot struct {
	RunStatus
	lanes    []message.Lane // those that have ended
	traces   [][]byte       // theirs, in the codec of core/trace; none if they were not kept
	failures []message.Failure
	cut      bool   // it was not worked off to its end: a fault in a sweep, or a bound
	result   []byte // message.Result or message.SweepResult as JSON; nil before the end, or if there is none
	changed  <-chan struct{}
}

func (l snapshot) final() bool { return l.State == done || l.State == cancelled || l.State == failed }

// again tells whether asking for the run once more should start it once more.
func (l snapshot) again() bool { return l.State == cancelled || l.State == failed }

// weight is how many bytes the run holds when it has ended.
func (l snapshot) weight() int {
	n := len(l.result)
	for _, t := range l.traces {
		n += len(t)
	}
	return n
}

// whole tells whether nothing is missing of a run that is done: what its traces were dropped for would be
// asked for in vain for ever.
func (l snapshot) whole() bool { return !l.final() || len(l.traces) == len(l.lanes) }

// runID follows from what decides: the minor version of the engine, the scenario, the policies by their own ids with
// their revisions, and what else is asked for. The document's own list of policies moves its content id, which the
// result repeats: so that counts too.
func runID(doc *scenario.Document, refs []message.PolicyRef, also string) string {
	def := lab.Defaults()
	canonical := *doc // shares all but the list of policies
	canonical.Scenario.Policies = nil
	for _, p := range refs {
		forces, _ := scenario.Forces(p.Force) // the engine refuses what is malformed
		canonical.Scenario.Policies = append(canonical.Scenario.Policies,
			scenario.Policy{ID: p.ID, Rev: cmp.Or(p.Rev, def[p.ID].Rev), Params: p.Params, Force: forces})
	}
	h := sha256.New()
	fmt.Fprintf(h, "hadarlab run v1\n%s\n%x\n%s%s", message.Minor(lab.Engine), doc.Digest(def),
		canonical.Canonical(def), also)
	return vault.ID([sha256.Size]byte(h.Sum(nil)))[:runIDLength]
}

// kind says what a run is called, and its path.
type kind string

const (
	runs   kind = "run"
	sweeps kind = "sweep"
)

func (x *run) path() string { return "/api/v1/" + string(x.kind) + "s/" + x.id }

// runIDLength is 130 bits: two runs never share an id, so rows need not be told apart.
const runIDLength = 26

// endedRun is the run behind a stored result.
func endedRun(row vault.Run) (*run, error) {
	var res struct {
		message.Result
		Points []message.SweepPoint `json:"points"` // of a sweep
	}
	err := json.Unmarshal(row.Result, &res)
	traces, damage := unpackTraces(row.Traces)
	if err = errors.Join(err, damage); err != nil {
		return nil, fmt.Errorf("%w: run %s: %w", vault.ErrDamaged, row.ID, err)
	}
	x := newOf(row.ID, runs)
	x.at = snapshot{result: row.Result, traces: traces,
		RunStatus: RunStatus{ID: row.ID, State: done, Engine: res.Engine, Old: lab.Old(res.Engine, res.Runs),
			ScenarioID: res.ScenarioID, Lanes: []LaneStatus{}}}
	close(x.ended)
	switch n := len(res.Runs); {
	case res.Points != nil:
		x.kind = sweeps
		for i := range res.Points {
			n += len(res.Points[i].Runs)
			x.at.Old = x.at.Old || lab.Old(res.Engine, res.Points[i].Runs)
		}
		fallthrough
	case res.Summary != nil: // replicates
		x.at.Sweep = &message.SweepProgress{Done: n, Runs: n}
		return x, nil
	}
	x.at.lanes = res.Runs
	for i := range res.Runs {
		res.Runs[i].Lane = i // no lane had failed
		x.at.Lanes = append(x.at.Lanes, endedLane(i, res.Runs[i]))
	}
	return x, nil
}

// toldRun is a run of which only what was last told is known: it waits, is worked on elsewhere, or has ended without
// a result.
func toldRun(w queue.Work) *run {
	x := newOf(w.ID, kind(w.Kind))
	_, x.part = queue.PartOf(w.ID)
	if err := json.Unmarshal([]byte(w.Status), &x.at.RunStatus); err != nil { // a damaged row
		x.at.RunStatus = RunStatus{Engine: lab.Engine}
	}
	x.at.ID, x.at.State = w.ID, w.State
	if x.at.Lanes == nil {
		x.at.Lanes = []LaneStatus{}
	}
	if x.at.final() {
		x.at.RunStatus = x.closing(w.State, nil) // who cancelled it did not wait for its lanes
		close(x.ended)
	}
	return x
}

// endedLane is how far a lane came, read from its result. Its time is that of the last finish.
func endedLane(at int, l message.Lane) LaneStatus {
	p := message.Progress{Lane: at, Policy: l.Policy, Round: l.Metrics.Rounds, Jobs: len(l.Jobs)}
	for _, j := range l.Jobs {
		if j.FinishS != nil {
			p.Finished++
			p.TimeS = max(p.TimeS, *j.FinishS)
		}
	}
	return LaneStatus{p, l.Outcome}
}

// snapshot copies what changes in place; lists that only grow are shared.
func (x *run) snapshot() snapshot {
	x.mu.Lock()
	defer x.mu.Unlock()
	l := x.at
	l.Lanes, l.changed = slices.Clone(l.Lanes), x.changed
	return l
}

// tellEvery is how often listeners hear of progress: more often than anyone reads, and seldom enough
// that a fast run is not spent on telling.
const tellEvery = 50 * time.Millisecond

// tell wakes the listeners. A listener that is slow misses moments, never news: it looks for itself.
func (x *run) tell() {
	close(x.changed)
	x.changed, x.told = make(chan struct{}), time.Now()
}

// start leaves the queue.
func (x *run) start() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.at.State = running
	x.tell()
}

// wait goes back into the queue.
func (x *run) wait() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.at.State = queued
	x.tell()
}

// take notes what a slice of the simulation gave.
func (x *run) take(msgs []*message.Message) {
	x.mu.Lock()
	defer x.mu.Unlock()
	news := time.Since(x.told) >= tellEvery
	for _, m := range msgs {
		switch {
		case m.Progress != nil:
			x.at.Lanes[m.Progress.Lane].Progress = *m.Progress
		case m.Failure != nil:
			x.at.Lanes[m.Failure.Lane].Outcome = failed
			x.at.failures = append(x.at.failures, *m.Failure)
			x.at.Errors = append(x.at.Errors, m.Failure.Diagnostics...)
			news = true
		case m.Lane != nil:
			at := &x.at.Lanes[m.Lane.Lane]
			before := at.TimeS
			*at = endedLane(m.Lane.Lane, *m.Lane)
			at.TimeS = max(at.TimeS, before) // a lane is stopped after its last finish
			x.at.lanes = append(x.at.lanes, *m.Lane)
			x.at.traces = append(x.at.traces, m.Body)
			news = true
		}
	}
	if news {
		x.tell()
	}
}

// stopBecause asks the simulation to end in state with a reason, nil for none. The first to ask wins.
func (x *run) stopBecause(state string, why *jsondoc.Diagnostic) { x.stop(ending{state, why}) }

// stopping is the state in which the run was asked to end, "" if it was not, and why.
func (x *run) stopping() (state string, why []jsondoc.Diagnostic) {
	e, _ := context.Cause(x.wanted).(ending)
	if e.why != nil {
		why = append(why, *e.why)
	}
	return e.state, why
}

// cut notes that the run is less than was asked for, whatever its lanes say.
func (x *run) cut() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.at.cut = true
}

// answer is the result of the lanes so far, nil if there are none.
func (x *run) answer() ([]byte, error) {
	l := x.snapshot()
	var res any = message.Result{Engine: l.Engine, ScenarioID: l.ScenarioID, Runs: l.lanes}
	if x.grid != nil {
		res = x.swept()
	}
	if res == nil || x.grid == nil && len(l.lanes) == 0 {
		return nil, nil
	}
	b, err := json.Marshal(res)
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}

// salvage is the answer of a run that has panicked, nil where writing it panics too: what panicked once is in
// no state that can be relied on, and a second panic would end the server.
func (x *run) salvage() (result []byte) {
	defer func() {
		if recover() != nil {
			result = nil
		}
	}()
	result, _ = x.answer()
	return result
}

// complete tells whether everything ran to an end of its own, so that the result is worth keeping.
func (l snapshot) complete() bool {
	return !l.cut && len(l.failures) == 0 && !slices.ContainsFunc(l.lanes,
		func(m message.Lane) bool { return m.Outcome == "stopped" })
}

// closing is the status with which the run will end in state, and why.
func (x *run) closing(state string, why []jsondoc.Diagnostic) RunStatus {
	s := x.snapshot().RunStatus
	s.State, s.Errors = state, slices.Concat(s.Errors, why)
	for i := range s.Lanes {
		if s.Lanes[i].Outcome == "" {
			s.Lanes[i].Outcome = "stopped"
		}
	}
	return s
}

// end sets the final state, and lets go of the request, which may be large. A run ends once: what comes later
// changes nothing.
func (x *run) end(s RunStatus, result []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.at.final() {
		return
	}
	x.at.RunStatus, x.at.result = s, result
	x.req, x.grid, x.sweep = nil, nil, nil
	x.tell()
	close(x.ended)
}
