//go:build !js

package worker_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"hadarlab/worker"
	"hadarlab/worker/answer"
	"hadarlab/worker/gate"
	"hadarlab/worker/queue"
	"hadarlab/worker/runs"
)

// Bodies that a client may send. What comes back is an answer or a problem that says what is wrong with
// the body: never a failure of the server.

func FuzzPostScenario(f *testing.F) {
	h := worker.New(worker.Options{Store: newStore(f), Log: quiet})
	for _, body := range []string{scenarioA, `{}`, `[]`, ``, "\xef\xbb\xbf" + scenarioA, scenarioA + "x",
		scenarioA[:200], strings.ReplaceAll(scenarioA, "360", "-1e999"), `{"scenario":{"jobs":[{"id":"\ud800"}]}}`} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		w := do(h, "POST", "/api/v1/scenarios", body)
		if w.Code == http.StatusOK || w.Code == http.StatusCreated {
			id := shareID(t, w)
			if again := do(h, "GET", "/api/v1/scenarios/"+id, ""); again.Code != http.StatusOK {
				t.Errorf("what was stored is not found: %d %s", again.Code, again.Body)
			}
			return
		}
		refused(t, w.Code, w.Body.Bytes())
	})
}

func FuzzPostRun(f *testing.F) {
	h := worker.New(worker.Options{Store: newStore(f), Log: quiet, RunSize: 40, RunSlices: 2})
	for _, body := range []string{
		`{"scenario":` + scenarioA + `}`,
		`{"scenario":` + scenarioA +
			`,"policies":["hadar",{"id":"gavel","params":{"use_weights":false}}],"replicates":1}`,
		`{"scenario":` + scenarioA + `,"policies":["nope",{"id":7}]}`,
		`{"scenario":` + scenarioA + `,"policies":[{"id":"hadar","params":{"beam":1e300,"cost":"","eta":null}}]}`,
		`{"scenario_id":"abc"}`, `{"scenario":{},"scenario_id":"x"}`, `{"policies":[]}`, `{`, `null`,
		`{"scenario":` + scenarioA + `,"replicates":-1}`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		w := do(h, "POST", "/api/v1/runs", body, "Accept", "text/event-stream")
		if w.Code != http.StatusOK {
			refused(t, w.Code, w.Body.Bytes())
			return
		}
		if stream := w.Body.String(); !strings.Contains(stream, "event: result\n") ||
			strings.Contains(stream, "the server has logged why") {
			t.Errorf("a run without a result: %s", stream)
		}
	})
}

func FuzzPostSweep(f *testing.F) {
	store := newStore(f)
	runner := runs.NewPool(runs.Options{Store: store, Table: store.(queue.Table), Log: quiet, Size: 4, Events: 200,
		Queue: 1 << 20, Keep: 1})
	f.Cleanup(func() { _ = runner.Close(context.Background()) })
	h := worker.New(worker.Options{Store: store, Runner: runner, Log: quiet,
		Gate: gate.Options{All: queue.Rate{Burst: 1e9, PerSecond: 1e9}}})
	for _, rest := range []string{
		`"vary":[{"path":"/scenario/round_s","values":[60,360]}]`, `"vary":[]`, `"vary":[{}]`,
		`"vary":[{"path":"/scenario/seed","values":[1,2]}],"replicates":2`,
		`"policies":["hadar",{"id":"gavel","params":{"use_weights":7}}],"vary":[{"path":"/scenario/jobs/0/steps","values":[1e300,-1]}]`,
		`"vary":[{"path":"/scenario/policies/0/params/x","values":[1]},{"path":"","values":[0]}],"policies":["fifo"]`,
		`"replicates":9007199254740991`, `"vary":null`,
	} {
		f.Add(`{"scenario":` + scenarioA + `,` + rest + `}`)
	}
	f.Fuzz(func(t *testing.T, body string) {
		w := do(h, "POST", "/api/v1/sweeps", body)
		if w.Code != http.StatusAccepted {
			refused(t, w.Code, w.Body.Bytes())
			return
		}
		at := w.Header().Get("Location")
		if w := do(h, "GET", at+"/events", ""); !strings.Contains(w.Body.String(), "id: end\n") ||
			strings.Contains(w.Body.String(), "the server has logged why") {
			t.Errorf("%s does not end well: %s", at, w.Body)
		}
	})
}

// refused wants a problem that the client can mend.
func refused(t *testing.T, status int, body []byte) {
	t.Helper()
	var p answer.Problem
	if err := json.Unmarshal(body, &p); err != nil || status < 400 || status >= 500 || p.Detail == "" {
		t.Errorf("%d %s", status, body)
	}
	for _, e := range p.Errors {
		if e.Message.IsZero() {
			t.Errorf("an error without a message: %s", body)
		}
	}
}
