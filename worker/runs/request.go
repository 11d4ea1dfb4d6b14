package runs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
	"hadarlab/worker/answer"
	"hadarlab/worker/shared"
)

// runBody is the body of POST /api/v1/runs and /api/v1/sweeps, and of the work that waits. Exactly one of scenario
// and scenario_id is given.
type runBody struct {
	Scenario   json.RawMessage `json:"scenario"`
	ScenarioID string          `json:"scenario_id,omitempty"`
	Policies   []policyRef     `json:"policies,omitempty"` // none = those of the document
	Replicates *int            `json:"replicates,omitempty"`
	Vary       []message.Axis  `json:"vary,omitempty"` // of a sweep
	Noise      float64         `json:"length_noise,omitempty"`
}

const (
	// maxAxes is the most numbers that a sweep may vary, maxValues the most values of one.
	maxAxes, maxValues = 8, 1000
)

// policyRef is a policy's id, or an object with its parameters.
type policyRef message.PolicyRef

func (p *policyRef) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) {
		return json.Unmarshal(b, &p.ID)
	}
	return json.Unmarshal(b, (*message.PolicyRef)(p))
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

// check finds what is wrong with a request without reading its scenario: what costs nothing comes first.
func (b *runBody) check(of kind) (detail string, fault *jsondoc.Diagnostic) {
	refuse := func(detail, path, code string, msg, fix words.Text) (string, *jsondoc.Diagnostic) {
		return detail, &jsondoc.Diagnostic{Path: path, Level: "error", Code: code, Message: msg, Fix: fix}
	}
	const cannot = "the sweep cannot be run"
	switch {
	case (len(b.Scenario) == 0) == (b.ScenarioID == ""):
		return refuse("the request names no scenario, or two", "/scenario", "missing",
			words.Say("exactly one of scenario and scenario_id is needed"),
			words.Say("send the document as scenario, or the id of a stored one as scenario_id"))
	case b.seeds() < 1:
		return refuse("the number of replicates is not one", "/replicates", "bad-replicates",
			words.Say("there are {0} replicates", b.seeds()), words.Say("ask for one or more"))
	case b.Noise < 0 || b.Noise > 2 || b.Noise != 0 && of == runs && b.seeds() < 2:
		return refuse("the noise of lengths cannot be used", "/length_noise", "bad-noise",
			words.Say("the noise of lengths is {0}, of {1} seeds", b.Noise, b.seeds()),
			words.Say("choose a number from 0 to 2, and replicates or a sweep"))
	case len(b.Policies) > scenario.MaxPolicies:
		return refuse("the request names too many policies", "/policies", "too-many-policies",
			words.Say("{0} policies, the most is {1}", len(b.Policies), scenario.MaxPolicies),
			words.Say("send several runs"))
	case of == runs && b.Vary != nil:
		return refuse("a run varies nothing", "/vary", "not-a-run", words.Say("vary belongs to a sweep"),
			words.Say("send it to /api/v1/sweeps"))
	case of == sweeps && len(b.Vary) == 0:
		return refuse(cannot, "/vary", "missing", words.Say("a sweep varies something"),
			words.Say(`send "vary": [{"path": "/scenario/round_s", "values": [60, 360]}], or a run to /api/v1/runs`))
	case len(b.Vary) > maxAxes:
		return refuse(cannot, "/vary", "too-many-axes",
			words.Say("{0} numbers are varied, the most is {1}", len(b.Vary), maxAxes), words.Say("vary fewer"))
	}
	for i := range b.Vary {
		path := fmt.Sprintf("/vary/%d/values", i)
		switch n := len(b.Vary[i].Values); {
		case n == 0:
			return refuse(cannot, path, "no-values", words.Say("there are no values for {0}", b.Vary[i].Path),
				words.Say("give at least one"))
		case n > maxValues:
			return refuse(cannot, path, "too-many-values",
				words.Say("there are {0} values for {1}, the most is {2}", n, b.Vary[i].Path, maxValues),
				words.Say("give fewer, or send several sweeps"))
		}
	}
	return "", nil
}

// judge gives the policies by their own ids, and what is wrong with them where none can run: one that can runs
// without those that cannot.
func judge(refs []message.PolicyRef) (named []message.PolicyRef, faults jsondoc.Diagnostics) {
	able := len(refs) == 0 // the engine says that none is chosen
	for i, ref := range refs {
		id, wrong := lab.Judge(ref, i)
		ref.ID = id
		named, faults = append(named, ref), append(faults, wrong...)
		able = able || len(wrong) == 0
	}
	if able {
		return named, nil
	}
	return named, faults
}

// newRun makes a waiting run of a request: the id follows from engine, scenario, policies, and what else is asked for.
func newRun(of kind, b *runBody, doc *scenario.Document) *run {
	refs, _ := judge(b.policies(doc))
	each := min(b.seeds(), sweepBytes)
	for i := range b.Vary {
		each = min(each*len(b.Vary[i].Values), sweepBytes) // no bound is as large
	}
	x := newOf("", of)
	x.each, x.size = each, len(refs)*doc.JobCount()
	also := ""
	switch {
	case of == sweeps:
		axes, err := json.Marshal(b.Vary)
		if err != nil {
			panic(err) // it was read from JSON
		}
		also = fmt.Sprintf("\nvary %s replicates %d", axes, b.seeds())
		x.grid = &message.SweepRequest{Scenario: b.Scenario, Vary: b.Vary, Replicates: b.seeds()}
		for _, p := range b.Policies {
			x.grid.Policies = append(x.grid.Policies, message.PolicyRef(p))
		}
	case b.seeds() > 1:
		also = fmt.Sprintf("\nreplicates %d", b.seeds())
		x.grid = &message.SweepRequest{Scenario: b.Scenario, Replicates: b.seeds()}
		// A sweep puts what is named here over the document's parameters; a run takes it as it stands.
		def := lab.Defaults()
		for _, p := range refs {
			params := map[string]any{}
			maps.Copy(params, def[p.ID].Params)
			maps.Copy(params, p.Params)
			x.grid.Policies = append(x.grid.Policies, message.PolicyRef{ID: p.ID, Rev: p.Rev, Params: params,
				Force: p.Force})
		}
	default:
		x.req = &message.RunRequest{Scenario: b.Scenario, Policies: b.policies(doc)}
	}
	if x.grid != nil && b.Noise != 0 {
		also += fmt.Sprintf(" length_noise %v", b.Noise)
		x.grid.LengthNoise = b.Noise
	}
	x.id = runID(doc, refs, also)
	x.at = snapshot{RunStatus: RunStatus{ID: x.id, State: queued, Engine: lab.Engine,
		ScenarioID: doc.ID(lab.Defaults()),
		Lanes:      []LaneStatus{}}}
	if x.grid != nil {
		x.at.Sweep = &message.SweepProgress{Runs: each * len(refs)}
		return x
	}
	for i, p := range refs {
		x.at.Lanes = append(x.at.Lanes,
			LaneStatus{Progress: message.Progress{Lane: i, Policy: p.ID, Jobs: doc.JobCount()}})
	}
	return x
}

// readRun reads the body of a run or a sweep, and the scenario it names.
func (s *API) readRun(w http.ResponseWriter, r *http.Request, owner string, of kind,
	limit int64) (*runBody, bool) {
	body, ok := answer.ReadJSON(w, r, limit)
	if !ok {
		return nil, false
	}
	done, ok := s.Gate.Reads(w, r, owner)
	if !ok {
		return nil, false
	}
	defer done()
	b := &runBody{}
	if err := json.Unmarshal(body, b); err != nil {
		answer.Refuse(w, r, http.StatusBadRequest, "the body is not a run request",
			jsondoc.Error("", "json", words.Own(err.Error()),
				words.Say(`send {"scenario": {…}, "policies": ["hadar", "gavel-las"]}`)))
		return nil, false
	}
	if detail, fault := b.check(of); fault != nil {
		answer.Refuse(w, r, http.StatusUnprocessableEntity, detail, *fault)
		return nil, false
	}
	if b.ScenarioID != "" {
		sh, err := s.Shared.Find(r.Context(), b.ScenarioID)
		if err != nil {
			s.Fail(w, r, err)
			return nil, false
		}
		if b.Scenario, b.ScenarioID = sh.Document(), ""; int64(len(b.Scenario)) > 2*limit { // it grows as it is stored
			answer.TooLarge(w, r, 2*limit)
			return nil, false
		}
	}
	return b, true
}

// plan reads the request's scenario, once, and makes a run of it; if it is not ok the problem has been answered.
func (s *API) plan(w http.ResponseWriter, r *http.Request, owner string, of kind, b *runBody) (*run, bool) {
	if b.Policies != nil { // what the request names needs no scenario to be judged
		if _, faults := judge(b.policies(nil)); faults != nil {
			answer.Invalid(w, r, faults)
			return nil, false
		}
	}
	done, ok := s.Gate.Reads(w, r, owner)
	if !ok {
		return nil, false
	}
	defer done()
	lim := scenario.SharedLimits
	lim.Bytes = len(b.Scenario)
	doc, ok := shared.Parse(w, r, b.Scenario, lim)
	if !ok {
		return nil, false
	}
	refs, faults := judge(b.policies(doc))
	if len(refs) == 0 {
		faults = lab.NoPolicy()
	}
	if b.seeds() > 1 && b.Noise == 0 && len(lab.RandomParts(doc, refs)) == 0 {
		answer.Refuse(w, r, http.StatusUnprocessableEntity, "the run cannot be replicated",
			jsondoc.Error("/replicates", "no-random-part", lab.NoRandomPart, words.Say("leave it out")))
		return nil, false
	}
	if faults != nil {
		answer.Invalid(w, r, faults)
		return nil, false
	}
	return newRun(of, b, doc), true
}
