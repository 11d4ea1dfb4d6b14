// Package lab composes the whole flow behind one entry point over core/message: scenario bytes in,
// lanes, traces and explanations out, in slices of work so that its caller stays responsive. It is
// what the Web Worker, the server, the command line and the tests call; it computes nothing itself.
package lab

import (
	"errors"
	"slices"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	_ "hadarlab/core/policy/all" // registers the policies
	"hadarlab/core/record"
	"hadarlab/core/scenario"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// Engine is the semantic version of the engine. A change that moves trace hashes raises its minor
// part and the policy's rev.
const Engine = "0.2.0"

func init() { scenario.KnowPolicies(traits) }

// traits are what scenario needs to know of a policy, registered by whatever package.
func traits(id string) scenario.Traits {
	if s, err := policy.Find(id); err == nil {
		return scenario.Traits{ID: s.ID, Racks: s.Needs.Racks}
	}
	return scenario.Traits{ID: id}
}

// Session works on one request at a time and remembers the finished lanes of the latest one, so that
// their decisions can be explained without running everything again. Use NewSession or NewBatch.
type Session struct {
	In    words.Catalogue // of whoever reads what it says; nil = English
	Bare  bool            // lanes are answered without their encoded traces
	id    int64
	doc   *scenario.Document
	prob  *model.Problem
	lanes []*lane
	at    int  // lane being worked on
	from  int  // lanes of the request before the first one here
	told  bool // the lanes that cannot run have said so
	stop  bool
	done  bool
	keep  bool // take checkpoints for later explanations
	bound int  // on the bytes that all lanes record, 0 = none
	held  int  // bytes that the lanes that ended have recorded
	full  bool // the bound has ended a lane
	each  int  // bound on the bytes that a lane records, 0 = none
	all   int  // what of these all lanes may record
}

// lane is one policy's run.
type lane struct {
	ref    message.PolicyRef
	spec   *policy.Spec
	values policy.Values
	forces []sim.Force
	run    *sim.Run
	policy sim.Policy          // that decides in run
	diags  jsondoc.Diagnostics // why it cannot run
	marks  []sim.State         // checkpoints, oldest first
	every  int                 // rounds between checkpoints
	begun  bool                // it is being run here
	lent   bool                // somebody else runs it
	over   bool                // it has been run, here or elsewhere
}

// NewSession makes a session that keeps checkpoints, so that any decision can be explained quickly.
func NewSession() *Session { return &Session{keep: true, done: true} }

// NewBatch makes a session without checkpoints, for runs that nobody asks about afterwards.
func NewBatch() *Session { return &Session{done: true} }

// Start parses and compiles the request's scenario once for all lanes. With errors nothing is
// started and what the session held before stays. Faults of one policy are not errors of the
// request: its lane fails, the others run.
func (s *Session) Start(req *message.RunRequest) jsondoc.Diagnostics {
	doc, prob, diags := compile(req.Scenario)
	if prob == nil {
		return diags
	}
	refs := req.Policies
	if len(refs) == 0 {
		for _, p := range doc.Scenario.Policies {
			refs = append(refs, p.Ref())
		}
	}
	if len(refs) == 0 {
		return append(diags, NoPolicy()...)
	}
	s.doc, s.prob, s.lanes, s.at, s.from, s.told, s.stop, s.done, s.held, s.full = doc, prob, nil, 0, 0, false, false,
		false, 0, false
	for i, ref := range refs {
		l := newLane(prob, ref, i)
		s.lanes = append(s.lanes, l)
		if l.run == nil || !l.spec.WholeNodes.In(l.values) {
			continue
		}
		if d, ok := message.Crowded("/scenario/policies/"+itoa(i), l.spec.Title, len(prob.Jobs),
			len(prob.Cluster.Nodes)); !ok {
			diags = append(diags, d)
		}
	}
	return diags
}

// NoPolicy is what is wrong with a request that names no policy.
func NoPolicy() jsondoc.Diagnostics {
	return jsondoc.Diagnostics{jsondoc.Error("/scenario/policies", "no-policy",
		words.Say("No policy is chosen."), words.Say("Name at least one, as hadar."))}
}

// compile reads a document to the problem it describes; nil with errors.
func compile(data []byte) (*scenario.Document, *model.Problem, jsondoc.Diagnostics) {
	doc, diags := scenario.Parse(data, scenario.FileLimits)
	if doc == nil || diags.HasErrors() {
		return doc, nil, diags
	}
	prob, more := scenario.Compile(doc, Defaults())
	return doc, prob, append(diags, more...)
}

func newLane(p *model.Problem, ref message.PolicyRef, at int) *lane {
	l := &lane{ref: ref, every: 8}
	spec, values, faults := check(ref, at)
	if l.diags = faults; spec == nil {
		return l
	}
	l.spec, l.ref.ID = spec, spec.ID
	path := "/scenario/policies/" + itoa(at)
	fail := func(path, code string, msg, fix words.Text) {
		l.diags = append(l.diags, jsondoc.Error(path, code, msg, fix))
	}
	for _, k := range spec.Unmet(p) {
		fail(path+"/id", k.Code, k.Message, k.Fix)
	}
	if l.diags != nil {
		return l
	}
	l.values = values
	if values[model.AutoscalerName] != nil && p.Cloud == nil {
		fail(path+"/params/"+model.AutoscalerName, "no-cloud",
			words.Say("The scenario has no cloud, so that no lane has an autoscaler."),
			words.Say("Remove the parameter, or add a cloud."))
		return l
	}
	if spec.Recorded && len(ref.Force) > 0 {
		fail(path+"/force", "record-forced", onlyRecorded(), words.Say("Remove the forced choice."))
		return l
	}
	if !l.force(p) {
		l.diags = append(l.diags, badForce(path))
		return l
	}
	run, err := l.newRun(p)
	if err != nil {
		fail(path, "policy-refused", refused(err), words.Text{})
	}
	l.run = run
	return l
}

// onlyRecorded is why nothing can be asked of a record but what is in it.
func onlyRecorded() words.Text {
	return words.Say("A record holds what was decided; what another choice would have led to is not in it.")
}

// refused is why a policy could not be made.
func refused(err error) words.Text {
	var known interface{ Told() words.Text }
	if errors.As(err, &known) {
		return known.Told()
	}
	return words.Own(err.Error())
}

// check holds a policy against the registry alone: whether it can run a scenario shows when its lane starts.
func check(ref message.PolicyRef, at int) (*policy.Spec, policy.Values, jsondoc.Diagnostics) {
	path := "/scenario/policies/" + itoa(at)
	spec, err := policy.Find(ref.ID)
	if err != nil && ref.ID == record.Policy {
		return nil, nil, jsondoc.Diagnostics{jsondoc.Error(path+"/id", "policy-unknown",
			words.Say("Recorded decisions are taken again in the page and on the command line only."),
			words.Say("Open the file there."))}
	}
	if err != nil {
		return nil, nil, jsondoc.Diagnostics{jsondoc.Error(path+"/id", "policy-unknown",
			words.Say("There is no policy {0}.", ref.ID), words.Say("The policies are {0}.", policyIDs()))}
	}
	// its parameters may mean something else, too
	if other, ok := message.Revision(path, spec.Title, ref.Rev, spec.Rev, spec.LastReleases); !ok {
		return nil, nil, jsondoc.Diagnostics{other}
	}
	values, bad := spec.Check(ref.Params)
	var faults jsondoc.Diagnostics
	for _, b := range bad {
		found := jsondoc.Error(path+"/params/"+b.Name, "bad-parameter", b.Message, b.Fix)
		faults = append(faults, placed(found, b.Line, b.Col))
	}
	if _, ok := scenario.Forces(ref.Force); !ok {
		faults = append(faults, badForce(path))
	}
	return spec, values, faults
}

// placed is a diagnostic with its place in a program, if it has one.
func placed(d jsondoc.Diagnostic, line, col int) jsondoc.Diagnostic {
	if line > 0 {
		d.At = &jsondoc.At{Line: line, Col: col}
	}
	return d
}

func badForce(policy string) jsondoc.Diagnostic {
	return jsondoc.Error(policy+"/force", "bad-force",
		words.Say("A forced choice is malformed, or names a job or GPUs that are not there."),
		words.Say("Write it as in the scenario's schema."))
}

// Judge gives a policy's own id in place of an alias, and what is wrong with how it is named or set. It starts
// nothing, so that a server can ask before it spends anything on a request.
func Judge(ref message.PolicyRef, at int) (id string, faults jsondoc.Diagnostics) {
	spec, _, faults := check(ref, at)
	if spec == nil {
		return ref.ID, faults
	}
	return spec.ID, faults
}

// ProblemOf is the problem as a lane has it.
func (s *Session) ProblemOf(at int) *model.Problem { return s.prob.Under(s.lanes[at].values) }

func (l *lane) newRun(p *model.Problem) (*sim.Run, error) {
	p = p.Under(l.values)
	pub := p.Public()
	pol, err := l.spec.New(pub, l.values)
	if err != nil {
		return nil, err
	}
	l.policy = pol
	if l.forces != nil {
		pol = sim.Forced(pol, l.forces)
	}
	return sim.New(p, pol, l.spec.Cadence(pub, l.values), sim.Options{})
}

// Sim is the simulation of a lane, nil if it cannot run.
func (s *Session) Sim(at int) *sim.Run { return s.lanes[at].run }

// SetID makes the session's messages answer request id.
func (s *Session) SetID(id int64) { s.id = id }

// Bound ends the request's lanes as overloaded once they have recorded more than so many bytes between them, counted
// as trace.Trace.Bytes counts: at the same event on every machine. Call it before the first Spend.
func (s *Session) Bound(bytes int) { s.bound = bytes }

// BoundEach ends each lane as overloaded once it has recorded more than so many bytes, or its equal part of what all of
// the document's policies may. Unlike with Bound a lane ends alike whether it is run beside the others or lent.
func (s *Session) BoundEach(lane, all int) { s.each, s.all = lane, all }

// room is how many bytes the next lane may record, 0 = any number.
func (s *Session) room() int {
	switch {
	case s.bound > 0:
		return max(1, s.bound-s.held)
	case s.each > 0:
		return max(1, min(s.each, s.all/max(1, len(s.lanes), len(s.doc.Scenario.Policies))))
	}
	return 0
}

// Full tells whether the bound has ended a lane, so that the lanes are less than what was asked for.
func (s *Session) Full() bool { return s.full }

// Split gives a session for each lane that was started, over the same compiled scenario. They answer as this one would,
// and may be spent at the same time; this one still gives their traces.
func (s *Session) Split() []*Session {
	parts := make([]*Session, len(s.lanes))
	for i := range parts {
		parts[i] = &Session{In: s.In, Bare: s.Bare, id: s.id, doc: s.doc, prob: s.prob, lanes: s.lanes[i : i+1],
			from: i, keep: s.keep}
	}
	return parts
}

// Stop ends the request: the next Spend answers every unfinished lane as stopped, with what it has.
func (s *Session) Stop() { s.stop = true }

// Spend handles about so many kernel events and returns the messages that arose: one Progress a
// call, a Lane with its encoded trace as lanes end, Finished last; lanes that cannot run answer with a
// Failure before anything runs. more is false when the request is done.
func (s *Session) Spend(events int) (out []*message.Message, more bool) {
	if s.done {
		return nil, false
	}
	if !s.told {
		s.told = true
		for at, l := range s.lanes {
			if l.run == nil {
				out = append(out, s.failure(l, s.from+at))
			}
		}
	}
	for s.at < len(s.lanes) && !s.lanes[s.at].waits() {
		s.at++
	}
	if s.at == len(s.lanes) {
		if s.Waits() {
			return out, true
		}
		s.done = true
		return append(out, &message.Message{ID: s.id, Finished: true}), false
	}
	l := s.lanes[s.at]
	l.begun = true
	l.run.Bound(s.room())
	if l.spend(events, s.keep) && !s.stop {
		return append(out, &message.Message{ID: s.id, Progress: s.progress(l)}), true
	}
	s.full = s.full || l.run.Full()
	s.held += l.run.Trace().Bytes()
	if fault, ok := l.run.Fault(); ok {
		l.diags = append(l.diags, l.ended(s.from+s.at, fault))
		out = append(out, s.failure(l, s.from+s.at))
	} else if says := l.otherwise(); !says.IsZero() {
		l.diags = append(l.diags, jsondoc.Error("/scenario/policies/"+itoa(s.from+s.at), "policy-failed", says,
			words.Say("The other lanes go on.")))
		out = append(out, s.failure(l, s.from+s.at))
	} else {
		out = append(out, s.result(l))
	}
	l.over = true
	return out, true
}

// otherwise is why a run that is over is not the one that its policy stands for: of recorded decisions, some are left,
// or they have led elsewhere.
func (l *lane) otherwise() words.Text {
	p, ok := l.policy.(interface{ Otherwise(*trace.Trace) words.Text })
	if !ok {
		return words.Text{}
	}
	t, outcome := l.run.Result()
	if outcome == trace.Stopped || outcome == trace.Overloaded {
		return words.Text{}
	}
	return p.Otherwise(t)
}

// failure answers a lane that gives nothing.
func (s *Session) failure(l *lane, at int) *message.Message {
	return &message.Message{ID: s.id, Failure: &message.Failure{Lane: at, Policy: l.ref.ID,
		Message: l.diags[0].Message.String(), Diagnostics: l.diags}}
}

// ended is why the policy ended the run: what somebody wrote for it cannot go on.
func (l *lane) ended(at int, f sim.Fault) jsondoc.Diagnostic {
	path, says := "/scenario/policies/"+itoa(at), words.Say( // as the program is told it, and --round asks for it
		"The run ended at decision {0}, counted from 0, {1} s after the start: {2}", l.run.Rounds()-1,
		l.run.Now().Seconds(), f.Says)
	if !slices.ContainsFunc(l.spec.Params, func(p policy.Param) bool { return p.Kind == policy.Program }) {
		return jsondoc.Error(path, "policy-failed", says, words.Say("The other lanes go on."))
	}
	return placed(jsondoc.Error(path+"/params/program", "program-failed", says,
		words.Say("Mend it there; the other lanes go on.")), f.Line, f.Col)
}

// waits says whether the lane is still to be run here.
func (l *lane) waits() bool { return l.run != nil && !l.lent && !l.over }

// Lend gives away the next lane that has not begun, for somebody else to run: its place and its policy; ok is false
// when there is none. Its answers are not this session's, which goes on with the others, and is not done before Settle
// has been called for it.
func (s *Session) Lend() (at int, ref message.PolicyRef, ok bool) {
	if s.done || s.stop {
		return 0, ref, false
	}
	for at = range s.lanes {
		if l := s.lanes[at]; l.waits() && !l.begun && at != s.at {
			l.lent = true
			return at, l.ref, true
		}
	}
	return 0, ref, false
}

// Settle tells of a lane that was lent that it has been run, or that it has to be run here after all.
func (s *Session) Settle(at int, done bool) {
	if at < 0 || at >= len(s.lanes) || !s.lanes[at].lent {
		return
	}
	s.lanes[at].lent, s.lanes[at].over = false, done
	s.at = min(s.at, at)
}

// Waits says whether all that is left to do is lent.
func (s *Session) Waits() bool {
	lent := false
	for _, l := range s.lanes {
		if l.waits() {
			return false
		}
		lent = lent || l.lent
	}
	return lent && !s.done
}

// spend works on the lane and takes a checkpoint every so many rounds.
func (l *lane) spend(events int, keep bool) bool {
	if !keep {
		return l.run.Spend(events)
	}
	for range events {
		if !l.run.Step() {
			return false
		}
		l.mark(l.run)
	}
	return true
}

// mark takes a checkpoint of a run of the lane when one is due. When there are too many, every other one goes and
// the distance doubles.
func (l *lane) mark(run *sim.Run) {
	const most = 32
	if r := run.Rounds(); r > 0 && r%l.every == 0 && (len(l.marks) == 0 || l.marks[len(l.marks)-1].Rounds() < r) {
		l.marks = append(l.marks, sim.State{})
		run.Snapshot(&l.marks[len(l.marks)-1])
	}
	if len(l.marks) > most {
		kept := l.marks[:0]
		for i := 1; i < len(l.marks); i += 2 {
			kept = append(kept, l.marks[i])
		}
		clear(l.marks[len(kept):])
		l.marks = kept
		l.every *= 2
	}
}

func (s *Session) progress(l *lane) *message.Progress {
	w := l.run.Trace().Measured() // others may or may not come to their end
	jobs := int(w.To - w.From)
	return &message.Progress{Lane: s.from + s.at, Policy: l.ref.ID, Round: l.run.Rounds(), TimeS: l.run.Now().Seconds(),
		Finished: jobs - l.run.Left(), Jobs: jobs}
}

// window is what was measured where not all jobs are, nil where they are.
func window(p *model.Problem, t *trace.Trace) *message.Window {
	if p.Window.To == 0 {
		return nil
	}
	w := &message.Window{From: int(p.Window.From), Jobs: int(p.Window.To - p.Window.From),
		FromS: t.Jobs[p.Window.From].Arrive.Seconds(), ToS: t.End.Seconds(),
		ClosedS: max(0, t.End-t.Jobs[len(t.Jobs)-1].Arrive).Seconds()}
	for j := range t.Jobs {
		if row := &t.Jobs[j]; row.Finish < 0 && row.Arrive <= t.End && !p.Window.Has(model.JobID(j)) {
			w.CutOff++
		}
	}
	return w
}

// result reports on a lane that is over or stopped.
func (s *Session) result(l *lane) *message.Message {
	t, outcome := l.run.Result()
	r := metric.Compute(s.prob, t)
	var bounds *message.Bounds
	if outcome != trace.Stopped { // they would say nothing of what was cut off, and whoever stops is in a hurry
		bounds = metric.Bounds(s.prob, t)
	}
	var measured []message.NamedValue
	for _, m := range l.run.Measured() {
		measured = append(measured, message.NamedValue{Name: m.Name, Value: m.Value, Unit: m.Unit})
	}
	var body []byte
	var hash string
	if s.Bare {
		hash = t.Hash()
	} else {
		body, hash = t.EncodeWithHash()
	}
	return &message.Message{ID: s.id, Body: body, Lane: &message.Lane{Lane: s.from + s.at, Policy: l.ref.ID,
		Rev:    l.rev(),
		Params: l.params(), Force: l.ref.Force, Notes: l.unforced(s.In, t),
		Seed: s.prob.Seed, Outcome: outcome.String(), Window: window(s.prob, t), Metrics: r.Metrics, Bounds: bounds,
		TraceHash: hash,
		Jobs:      r.Jobs,
		Measured:  measured, PriceUnit: l.worth().Unit}}
}

// rev is the revision as it is written: 0, which is left out, where it is 1.
func (l *lane) rev() int {
	if l.spec.Rev == 1 {
		return 0
	}
	return l.spec.Rev
}

// worth is in what the lane's policy counts.
func (l *lane) worth() policy.Worth {
	if l.spec.Worth == nil {
		return policy.Worth{}
	}
	return l.spec.Worth(l.values)
}

// params are the parameters that differ from their defaults, but for long records.
func (l *lane) params() map[string]any {
	out := map[string]any{}
	for _, p := range slices.Concat(l.spec.Params, policy.Unlisted) {
		if v := l.values[p.Name]; v != p.Default && p.Kind != policy.Record {
			out[p.Name] = v
		}
	}
	return out
}

// Run does a whole request at once. The result holds the lanes that ran; failures name the others.
func Run(req *message.RunRequest) (*message.Result, []message.Failure, jsondoc.Diagnostics) {
	s := NewBatch()
	s.Bare = true
	diags := s.Start(req)
	if diags.HasErrors() {
		return nil, nil, diags
	}
	res := &message.Result{Engine: Engine, ScenarioID: s.ScenarioID()}
	var failures []message.Failure
	for more := true; more; {
		var out []*message.Message
		out, more = s.Spend(1 << 20)
		for _, m := range out {
			switch {
			case m.Lane != nil:
				res.Runs = append(res.Runs, *m.Lane)
			case m.Failure != nil:
				failures = append(failures, *m.Failure)
			}
		}
	}
	return res, failures, diags
}

// ScenarioID is the content id of the scenario that the session works on.
func (s *Session) ScenarioID() string { return scenario.ShortID(s.prob.Digest) }

// Lanes is the number of lanes of the request, Events a measure of its size: jobs × lanes.
func (s *Session) Lanes() int { return len(s.lanes) }

// Jobs is the number of jobs of the scenario.
func (s *Session) Jobs() int { return len(s.prob.Jobs) }

// Trace gives the trace of a lane of the request, run to its end; nil if the lane cannot run. It is
// meant for exports and tests.
func (s *Session) Trace(at int) *trace.Trace {
	l := s.lanes[at]
	if l.run == nil {
		return nil
	}
	for l.run.Step() {
	}
	t, _ := l.run.Result()
	return t
}

// Problem is the compiled scenario.
func (s *Session) Problem() *model.Problem { return s.prob }
