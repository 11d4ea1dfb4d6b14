//go:build !js

package worker_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	course "hadarlab/core/class"
	"hadarlab/scenarios"
	"hadarlab/worker"
)

// TestRecordsStayInFiles: a scenario with a record of decisions is neither stored nor run here, nor an assignment, and
// the answer says why; a run that names such a policy has none.
func TestRecordsStayInFiles(t *testing.T) {
	h := newHandler(t, worker.Options{})
	held := strings.Replace(scenarioA, `{"id":"fifo"}`, `{"id":"fifo"},{"id":"recorded","params":{"of":"mine"}}`, 1)
	text, ok := scenarios.Assignment("hadar-vs-gavel")
	var a course.Assignment
	if err := json.Unmarshal(text, &a); err != nil || !ok {
		t.Fatal(ok, err)
	}
	a.Scenario = json.RawMessage(held)
	assignment, err := json.Marshal(&a)
	if err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]*httptest.ResponseRecorder{
		"stored": do(h, "POST", "/api/v1/scenarios", held),
		"run":    do(h, "POST", "/api/v1/runs", `{"scenario":`+held+`}`),
		"class":  do(h, "POST", "/api/v1/classes", `{"assignment":`+string(assignment)+`}`),
	} {
		p := wantProblem(t, w, 422)
		if b, _ := json.Marshal(p); !strings.Contains(string(b), "which stays in files") {
			t.Errorf("%s: %s", name, b)
		}
	}
	w := do(h, "POST", "/api/v1/runs", `{"scenario":`+scenarioA+`,"policies":["recorded"]}`)
	if p := w.Body.String(); w.Code < 400 || !strings.Contains(p, "in the page and on the command line only") {
		t.Errorf("a run of a record: %d %s", w.Code, p)
	}
}
