package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// SliceEvents is how many events are simulated between two yields.
const SliceEvents = 1000

// runBody is the body of POST /api/v1/runs. Exactly one of scenario and scenario_id is given.
type runBody struct {
	Scenario   json.RawMessage `json:"scenario"`
	ScenarioID string          `json:"scenario_id"`
	Policies   []policyRef     `json:"policies"` // none = those of the document
}

// policyRef is a policy's id, or an object with its parameters.
type policyRef message.PolicyRef

func (p *policyRef) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) {
		return json.Unmarshal(b, &p.ID)
	}
	return json.Unmarshal(b, (*message.PolicyRef)(p))
}

// postRun simulates a small run and streams it: progress, one lane a policy, then the result. A run
// is small by jobs × policies, known beforehand, and by events, counted: never by the clock, which
// stands still during work in the edge runtime.
func (s *server) postRun(w http.ResponseWriter, r *http.Request) {
	body, ok := readJSON(w, r, s.RunBytes)
	if !ok {
		return
	}
	req, ok := s.runRequest(w, r, body)
	if !ok {
		return
	}
	lim := scenario.FileLimits
	lim.Bytes = len(req.Scenario)
	doc, ok := s.parse(w, r, req.Scenario, lim)
	if !ok {
		return
	}
	lanes := len(req.Policies)
	if lanes == 0 {
		lanes = len(doc.Scenario.Policies)
	}
	if size := lanes * len(doc.Scenario.Jobs); size > s.RunSize {
		problem(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("%d jobs under %d policies are too many to run here", len(doc.Scenario.Jobs), lanes), message.Diagnostic{
			Path: "/scenario/scenario/jobs", Level: "error", Code: "too-large",
			Message: fmt.Sprintf("jobs × policies is %d, the most is %d", size, s.RunSize),
			Fix:     "run it in the page, or with `hadarlab run`",
		})
		return
	}
	session := lab.NewBatch()
	if diags := session.Start(req); diags.HasErrors() {
		invalid(w, r, diags.Errors())
		return
	}
	// Faults of policies show in the first slice. If no policy can run, the answer is a plain 422.
	first, more := session.Spend(SliceEvents)
	if faults := allFailed(first); !more && faults != nil {
		invalid(w, r, faults)
		return
	}
	s.stream(w, r, session, doc.ID(lab.Defaults()), first, more)
}

// allFailed returns the findings of a request in which every lane failed on its policy, else nil.
func allFailed(msgs []*message.Message) (faults []message.Diagnostic) {
	for _, m := range msgs {
		if m.Lane != nil || m.Failure != nil && len(m.Failure.Diagnostics) == 0 {
			return nil
		}
		if m.Failure != nil {
			faults = append(faults, m.Failure.Diagnostics...)
		}
	}
	return faults
}

// runRequest reads the body and fetches the scenario it names.
func (s *server) runRequest(w http.ResponseWriter, r *http.Request, body []byte) (*message.RunRequest, bool) {
	var b runBody
	if err := json.Unmarshal(body, &b); err != nil {
		problem(w, r, http.StatusBadRequest, "the body is not a run request", message.Diagnostic{
			Level: "error", Code: "json", Message: err.Error(),
			Fix: `send {"scenario": {…}, "policies": ["hadar", "gavel-las"]}`,
		})
		return nil, false
	}
	if (len(b.Scenario) == 0) == (b.ScenarioID == "") {
		problem(w, r, http.StatusUnprocessableEntity, "the request names no scenario, or two", message.Diagnostic{
			Path: "/scenario", Level: "error", Code: "missing", Message: "exactly one of scenario and scenario_id is needed",
			Fix: "send the document as scenario, or the id of a stored one as scenario_id",
		})
		return nil, false
	}
	if b.ScenarioID != "" {
		row, err := s.find(r, b.ScenarioID)
		if err != nil {
			s.fail(w, r, err)
			return nil, false
		}
		b.Scenario = row.document()
	}
	req := &message.RunRequest{Scenario: b.Scenario}
	for _, p := range b.Policies {
		req.Policies = append(req.Policies, message.PolicyRef(p))
	}
	return req, true
}

// stream sends what the session's first slice gave, runs it to its end and sends the rest. Lanes go out
// as they finish, without traces.
func (s *server) stream(w http.ResponseWriter, r *http.Request, session *lab.Session, id string, msgs []*message.Message, more bool) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	out := events{w: w, rc: http.NewResponseController(w)}
	defer func() {
		if p := recover(); p != nil { // the status has gone out: the stream itself must say it
			s.Log.Error("panic in a run", "scenario", id, "panic", p)
			out.send("failure", message.Failure{Lane: -1, Message: "the run failed; the server has logged why"})
		}
	}()

	result := message.Result{Engine: s.engine, ScenarioID: id, Runs: []message.Lane{}}
	for slice := 1; ; slice++ {
		for _, m := range msgs {
			switch {
			case m.Progress != nil:
				out.send("progress", m.Progress)
			case m.Failure != nil:
				out.send("failure", m.Failure)
			case m.Lane != nil:
				out.send("lane", m.Lane)
				result.Runs = append(result.Runs, *m.Lane)
			}
		}
		if !more {
			break
		}
		s.Yield()
		if r.Context().Err() != nil {
			return
		}
		if slice >= s.RunSlices {
			session.Stop() // what is done is answered, the rest as stopped
		}
		msgs, more = session.Spend(SliceEvents)
	}
	out.send("result", result)
}

// events writes server-sent events.
type events struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

// send writes one event. A reader that takes nothing for 30 s loses the stream; where the runtime
// has no deadlines it has its own. Write errors end the run through the request's context.
func (e events) send(name string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		name, data = "failure", fmt.Appendf(nil, `{"lane":-1,"message":%q}`, err.Error())
	}
	_ = e.rc.SetWriteDeadline(time.Now().Add(30 * time.Second))
	_, _ = fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", name, data)
	_ = e.rc.Flush()
}
