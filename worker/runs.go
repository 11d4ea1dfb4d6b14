package worker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// runBody is the body of POST /api/v1/runs. Exactly one of scenario and scenario_id is given.
type runBody struct {
	Scenario   json.RawMessage `json:"scenario"`
	ScenarioID string          `json:"scenario_id"`
	Policies   []policyRef     `json:"policies"` // none = those of the document
	Replicates *int            `json:"replicates"`
}

// maxPolicies is twice as many as a document may name: whoever compares parameters may need more.
const maxPolicies = 64

// policyRef is a policy's id, or an object with its parameters.
type policyRef message.PolicyRef

func (p *policyRef) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) {
		return json.Unmarshal(b, &p.ID)
	}
	return json.Unmarshal(b, (*message.PolicyRef)(p))
}

// postRun queues a run, or simulates a small one and streams it: at the edge, where nothing outlives
// its request, and for clients that ask for a stream. What has been run before is answered at once.
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
	if len(req.Policies) == 0 {
		for _, p := range doc.Scenario.Policies {
			req.Policies = append(req.Policies, p.Ref())
		}
	}
	inline := s.Runner == nil || wantsStream(r)
	if !s.fits(w, r, doc.JobCount(), len(req.Policies), inline) {
		return
	}
	x := newRun(doc, req)
	w.Header().Set("Location", "/api/v1/runs/"+x.id)
	if inline {
		s.inline(w, r, x)
		return
	}
	s.queue(w, r, x)
}

// wantsStream tells whether the client names the event stream among what it takes.
func wantsStream(r *http.Request) bool {
	for _, item := range list(r, "Accept") {
		if t, _, _ := strings.Cut(item, ";"); strings.EqualFold(strings.TrimSpace(t), "text/event-stream") {
			return true
		}
	}
	return false
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
	if b.Replicates != nil && *b.Replicates != 1 {
		problem(w, r, http.StatusUnprocessableEntity, "the run cannot be replicated", message.Diagnostic{
			Path: "/replicates", Level: "error", Code: "no-random-part",
			Message: "this scenario has no random part, so every replicate would be the same run", Fix: "leave it out",
		})
		return nil, false
	}
	if len(b.Policies) > maxPolicies {
		problem(w, r, http.StatusUnprocessableEntity, "the request names too many policies", message.Diagnostic{
			Path: "/policies", Level: "error", Code: "too-many-policies",
			Message: fmt.Sprintf("%d policies, the most is %d", len(b.Policies), maxPolicies), Fix: "send several runs",
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

// fits refuses what is too large by jobs × policies, which is known beforehand.
func (s *server) fits(w http.ResponseWriter, r *http.Request, jobs, lanes int, inline bool) bool {
	most, fix := s.RunSize, "run it in the page, or natively with `hadarlab run`"
	switch {
	case !inline:
		most = s.Runner.Size
	case s.Runner != nil:
		fix = "send it without Accept: text/event-stream to queue it, or run it in the page"
	}
	size := jobs * lanes
	if size <= most {
		return true
	}
	problem(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("%d jobs under %d policies are too many to run here", jobs, lanes), message.Diagnostic{
		Path: "/scenario/scenario/jobs", Level: "error", Code: "too-large",
		Message: fmt.Sprintf("jobs × policies is %d, the most is %d", size, most), Fix: fix,
	})
	return false
}

// begin starts a session on the run. If the scenario is invalid, or no policy can run on it, the
// problem has been answered.
func begin(w http.ResponseWriter, r *http.Request, x *run, events int) (session *lab.Session, first []*message.Message, more, ok bool) {
	session = lab.NewBatch()
	if diags := session.Start(x.req); diags.HasErrors() {
		w.Header().Del("Location")
		invalid(w, r, diags.Errors())
		return nil, nil, false, false
	}
	// Faults of policies show in the first slice.
	first, more = session.Spend(events)
	if faults := allFailed(first); !more && faults != nil {
		w.Header().Del("Location")
		invalid(w, r, faults)
		return nil, nil, false, false
	}
	return session, first, more, true
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

// queue answers 202 with the run's id: of the run itself, of the same run that somebody has asked
// for before, or of its cached result.
func (s *server) queue(w http.ResponseWriter, r *http.Request, x *run) {
	there, err := s.findRun(r.Context(), x.id)
	switch {
	case err == nil && !there.look().again():
		s.accepted(w, r, there)
		return
	case err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, errDamaged): // a damaged row is written anew
		s.failRun(w, r, err)
		return
	}
	// The session only finds faults. Keeping it while the run waits would cost more than starting it again.
	if _, _, _, ok := begin(w, r, x, 0); !ok {
		return
	}
	x, err = s.Runner.submit(x)
	switch {
	case errors.Is(err, errQueueFull):
		w.Header().Del("Location")
		w.Header().Set("Retry-After", "10")
		problem(w, r, http.StatusTooManyRequests, "too many runs are waiting", message.Diagnostic{
			Level: "error", Code: "queue-full", Message: fmt.Sprintf("%d runs are waiting, which is the most", s.Runner.Queue),
			Fix: "send it again in a while, or run it in the page",
		})
	case errors.Is(err, errClosing):
		w.Header().Del("Location")
		w.Header().Set("Retry-After", "10")
		problem(w, r, http.StatusServiceUnavailable, "the server is being stopped; send it again in a while")
	default:
		s.accepted(w, r, x)
	}
}

func (s *server) accepted(w http.ResponseWriter, r *http.Request, x *run) {
	w.Header().Set("Cache-Control", "no-store")
	writeJSON(w, r, http.StatusAccepted, map[string]string{"id": x.id, "state": x.look().State})
}
