package worker

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"time"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

const (
	// sweepFactor is how much larger and longer than a run a sweep may be.
	sweepFactor = 10
	// sweepBytes bounds the text that a sweep reads: the length of its scenario, once for each of its runs.
	sweepBytes = 64 << 20
	// maxAxes is the most numbers that a sweep may vary.
	maxAxes = 8
)

// sweep is what the server asks of a lab.Sweep.
type sweep interface {
	Spend(events int) (more bool)
	Stop()
	Progress() message.SweepProgress
	Result() (*message.SweepResult, scenario.Diagnostics)
}

func newSweep(req *message.SweepRequest) (sweep, scenario.Diagnostics) {
	w, diags := lab.NewSweep(req)
	if w == nil {
		return nil, diags
	}
	return w, diags
}

// replicate queues a run under several seeds. Its result is that of `hadarlab run --replicates`.
func (s *server) replicate(w http.ResponseWriter, r *http.Request, doc *scenario.Document, req *message.RunRequest, seeds int) {
	if len(lab.RandomParts(doc, req.Policies)) == 0 {
		problem(w, r, http.StatusUnprocessableEntity, "the run cannot be replicated", message.Diagnostic{
			Path: "/replicates", Level: "error", Code: "no-random-part", Message: lab.NoRandomPart, Fix: "leave it out",
		})
		return
	}
	// A sweep puts what is named here over the document's parameters; a run takes it as it stands.
	def := lab.Defaults()
	whole := &message.SweepRequest{Scenario: req.Scenario, Replicates: seeds}
	for _, p := range req.Policies {
		params := map[string]any{}
		maps.Copy(params, def[policyID(req, p, def)])
		maps.Copy(params, p.Params)
		whole.Policies = append(whole.Policies, message.PolicyRef{ID: p.ID, Params: params, Force: p.Force})
	}
	x := newWaiting(runs, doc, req, fmt.Sprintf("\nreplicates %d", seeds))
	s.queueSweep(w, r, x, whole, doc.JobCount()*len(req.Policies), seeds)
}

// postSweep queues a grid of runs. Its result is that of `hadarlab sweep --format json`.
func (s *server) postSweep(w http.ResponseWriter, r *http.Request) {
	b, doc, ok := s.readRun(w, r)
	if !ok {
		return
	}
	refuse := func(path, code, msg, fix string) {
		problem(w, r, http.StatusUnprocessableEntity, "the sweep cannot be run", message.Diagnostic{Path: path, Level: "error", Code: code, Message: msg, Fix: fix})
	}
	switch {
	case len(b.Vary) == 0:
		refuse("/vary", "missing", "a sweep varies something", `send "vary": [{"path": "/scenario/round_s", "values": [60, 360]}], or a run to /api/v1/runs`)
		return
	case len(b.Vary) > maxAxes:
		refuse("/vary", "too-many-axes", fmt.Sprintf("%d numbers are varied, the most is %d", len(b.Vary), maxAxes), "vary fewer")
		return
	}
	req := &message.SweepRequest{Scenario: b.Scenario, Vary: b.Vary, Replicates: b.seeds()}
	for _, p := range b.Policies {
		req.Policies = append(req.Policies, message.PolicyRef(p))
	}
	axes, err := json.Marshal(b.Vary)
	if err != nil {
		panic(err) // it was read from JSON
	}
	refs := b.policies(doc)
	x := newWaiting(sweeps, doc, &message.RunRequest{Scenario: b.Scenario, Policies: refs}, fmt.Sprintf("\nvary %s replicates %d", axes, b.seeds()))
	each := min(b.seeds(), sweepBytes)
	for i := range b.Vary {
		each = min(each*len(b.Vary[i].Values), sweepBytes) // no bound is as large
	}
	s.queueSweep(w, r, x, req, len(refs), each)
}

// queueSweep is queue for several runs of each policy, which are never answered inline. One run of all policies has
// size jobs × policies; of a sweep it is the policies, since the number of generated jobs may be varied.
func (s *server) queueSweep(w http.ResponseWriter, r *http.Request, x *run, req *message.SweepRequest, size, each int) {
	if s.Runner == nil {
		problem(w, r, http.StatusNotImplemented, "this server has no queue, and several runs of a policy take too long for one request", message.Diagnostic{
			Level: "error", Code: "no-queue", Message: "sweeps and replicates are not run here",
			Fix: "run it with the native server (hadarlab serve) or the command line (hadarlab " + string(x.kind) + ")",
		})
		return
	}
	if !s.sweepFits(w, r, x, req, size, each) {
		return
	}
	w.Header().Set("Location", x.path())
	if s.known(w, r, x) {
		return
	}
	sweep, diags := s.Runner.newSweep(req)
	if sweep == nil {
		w.Header().Del("Location")
		invalid(w, r, diags.Errors())
		return
	}
	p := sweep.Progress()
	x.sweep, x.at.Sweep = sweep, &p
	s.submit(w, r, x)
}

// sweepFits refuses what is too large by figures that are known beforehand.
func (s *server) sweepFits(w http.ResponseWriter, r *http.Request, x *run, req *message.SweepRequest, size, each int) bool {
	refuse := func(what string, size, most int) bool {
		problem(w, r, http.StatusRequestEntityTooLarge, "the "+string(x.kind)+" is too large to run here", message.Diagnostic{
			Path: "/vary", Level: "error", Code: "too-large", Message: fmt.Sprintf("%s is %d, the most is %d", what, size, most),
			Fix: "take fewer values, replicates or policies, or run it with the command line: hadarlab " + string(x.kind),
		})
		return false
	}
	if read := each * len(req.Scenario); read > sweepBytes {
		return refuse("points × replicates × bytes of the scenario", read, sweepBytes)
	}
	most := s.Runner.Size
	if x.kind == sweeps {
		most *= sweepFactor
		size *= mostJobs(req)
	}
	if all := each * size; all > most {
		return refuse("jobs × policies × replicates × points", all, most)
	}
	return true
}

// mostJobs is a bound on the jobs of any point: the numbers of a generator may be varied too.
func mostJobs(req *message.SweepRequest) int {
	count := func(text []byte) int {
		doc, diags := scenario.Parse(text, scenario.FileLimits)
		if doc == nil || diags.HasErrors() {
			return 0 // NewSweep says what is wrong
		}
		return doc.JobCount()
	}
	base := count(req.Scenario)
	jobs := base
	for i := range req.Vary {
		most := base
		for _, v := range req.Vary[i].Values {
			if text, err := scenario.SetNumber(req.Scenario, req.Vary[i].Path, v); err == nil {
				most = max(most, count(text))
			}
		}
		jobs += most - base
	}
	return jobs
}

// sweepWork works the sweep off.
func (x *run) sweepWork() work {
	sweep := x.sweep
	return work{func(events int) bool {
		more := sweep.Spend(events)
		res, faults := sweep.Result()
		x.takeSweep(sweep.Progress(), res.Stopped, faults)
		return more
	}, sweep.Stop}
}

// takeSweep notes how far the sweep is.
func (x *run) takeSweep(p message.SweepProgress, cut bool, faults scenario.Diagnostics) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.at.Sweep, x.at.cut, x.at.Errors = &p, cut, faults.Errors()
	if time.Since(x.told) >= tellEvery {
		x.tell()
	}
}

// swept is the result so far, nil if there is none.
func (x *run) swept() any {
	res, _ := x.sweep.Result()
	switch {
	case len(res.Points) == 0:
		return nil
	case x.kind == sweeps:
		return res
	}
	return message.Result{Engine: res.Engine, ScenarioID: res.ScenarioID, Runs: res.Points[0].Runs, Summary: res.Points[0].Summary}
}
