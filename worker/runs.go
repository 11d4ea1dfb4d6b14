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

// runBody is the body of POST /api/v1/runs and /api/v1/sweeps. Exactly one of scenario and scenario_id is given.
type runBody struct {
	Scenario   json.RawMessage `json:"scenario"`
	ScenarioID string          `json:"scenario_id"`
	Policies   []policyRef     `json:"policies"` // none = those of the document
	Replicates *int            `json:"replicates"`
	Vary       []message.Axis  `json:"vary"` // of a sweep
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
	b, doc, ok := s.readRun(w, r)
	if !ok {
		return
	}
	if b.Vary != nil {
		problem(w, r, http.StatusUnprocessableEntity, "a run varies nothing", message.Diagnostic{
			Path: "/vary", Level: "error", Code: "not-a-run", Message: "vary belongs to a sweep", Fix: "send it to /api/v1/sweeps",
		})
		return
	}
	req := &message.RunRequest{Scenario: b.Scenario, Policies: b.policies(doc)}
	if b.seeds() > 1 {
		s.replicate(w, r, doc, req, b.seeds())
		return
	}
	inline := s.Runner == nil || wantsStream(r)
	if !s.fits(w, r, doc.JobCount(), len(req.Policies), inline) {
		return
	}
	x := newRun(doc, req)
	w.Header().Set("Location", x.path())
	if inline {
		s.inline(w, r, x)
		return
	}
	s.queue(w, r, x)
}

// policies are those that the request names, the document's when it names none.
func (b *runBody) policies(doc *scenario.Document) (refs []message.PolicyRef) {
	for _, p := range b.Policies {
		refs = append(refs, message.PolicyRef(p))
	}
	if refs == nil {
		for _, p := range doc.Scenario.Policies {
			refs = append(refs, p.Ref())
		}
	}
	return refs
}

// seeds is how many replicates are asked for.
func (b *runBody) seeds() int {
	if b.Replicates == nil {
		return 1
	}
	return *b.Replicates
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

// readRun reads the body of a run or a sweep, and the scenario it names.
func (s *server) readRun(w http.ResponseWriter, r *http.Request) (*runBody, *scenario.Document, bool) {
	body, ok := readJSON(w, r, s.RunBytes)
	if !ok {
		return nil, nil, false
	}
	b := &runBody{}
	if err := json.Unmarshal(body, b); err != nil {
		problem(w, r, http.StatusBadRequest, "the body is not a run request", message.Diagnostic{
			Level: "error", Code: "json", Message: err.Error(),
			Fix: `send {"scenario": {…}, "policies": ["hadar", "gavel-las"]}`,
		})
		return nil, nil, false
	}
	refuse := func(detail, path, code, msg, fix string) (*runBody, *scenario.Document, bool) {
		problem(w, r, http.StatusUnprocessableEntity, detail, message.Diagnostic{Path: path, Level: "error", Code: code, Message: msg, Fix: fix})
		return nil, nil, false
	}
	switch {
	case (len(b.Scenario) == 0) == (b.ScenarioID == ""):
		return refuse("the request names no scenario, or two", "/scenario", "missing", "exactly one of scenario and scenario_id is needed",
			"send the document as scenario, or the id of a stored one as scenario_id")
	case b.seeds() < 1:
		return refuse("the number of replicates is not one", "/replicates", "bad-replicates", fmt.Sprintf("there are %d replicates", b.seeds()), "ask for one or more")
	case len(b.Policies) > maxPolicies:
		return refuse("the request names too many policies", "/policies", "too-many-policies",
			fmt.Sprintf("%d policies, the most is %d", len(b.Policies), maxPolicies), "send several runs")
	}
	if b.ScenarioID != "" {
		row, err := s.find(r, b.ScenarioID)
		if err != nil {
			s.fail(w, r, err)
			return nil, nil, false
		}
		b.Scenario = row.document()
	}
	lim := scenario.FileLimits
	lim.Bytes = len(b.Scenario)
	doc, ok := s.parse(w, r, b.Scenario, lim)
	return b, doc, ok
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
	if s.known(w, r, x) {
		return
	}
	// The session only finds faults. Keeping it while the run waits would cost more than starting it again.
	if _, _, _, ok := begin(w, r, x, 0); !ok {
		return
	}
	s.submit(w, r, x)
}

// known answers for a run that somebody has asked for before, and tells whether it has answered.
func (s *server) known(w http.ResponseWriter, r *http.Request, x *run) bool {
	there, err := s.findRun(r.Context(), x.id)
	switch {
	case err == nil:
		if l := there.look(); l.again() || !l.whole() {
			return false
		}
		s.accepted(w, r, there)
		return true
	case errors.Is(err, ErrNotFound) || errors.Is(err, errDamaged): // a damaged row is written anew
		return false
	}
	s.failRun(w, r, err)
	return true
}

// submit queues the run and answers.
func (s *server) submit(w http.ResponseWriter, r *http.Request, x *run) {
	x, err := s.Runner.submit(x)
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
