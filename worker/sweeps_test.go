//go:build !js

package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/worker"
	"hadarlab/worker/queue"
	"hadarlab/worker/runs"
	"hadarlab/worker/vault"
)

// swept is what the engine makes of a sweep.
func swept(t *testing.T, req message.SweepRequest) *message.SweepResult {
	t.Helper()
	w, diags := lab.NewSweep(&req)
	if w == nil {
		t.Fatal(diags)
	}
	for w.Spend(1 << 20) {
	}
	res, _ := w.Result()
	return res
}

// sweep queues one and returns its id.
func (n *native) sweep(body string) string {
	n.t.Helper()
	return n.submit("/api/v1/sweeps", body)
}

// awaitSweep asks until the sweep has the state.
func (n *native) awaitSweep(id, state string) (s runs.RunStatus) {
	n.t.Helper()
	for ; ; time.Sleep(time.Millisecond) {
		if n.decode(do(n, "GET", "/api/v1/sweeps/"+id, ""), &s); s.State == state {
			return s
		} else if over(s.State) {
			n.t.Fatalf("the sweep is %+v, want %s", s, state)
		}
	}
}

const rounds = `"vary":[{"path":"/scenario/round_s","values":[60,120,360]}]`

func TestSweep(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	id := n.sweep(`{"scenario":` + scenarioA + `,"policies":["gavel","fifo"],` + rounds + `}`)
	s := n.awaitSweep(id, "done")
	if s.Sweep == nil || s.Sweep.Done != 6 || s.Sweep.Runs != 6 || len(s.Lanes) != 0 {
		t.Errorf("status %+v %+v", s, s.Sweep)
	}
	want, _ := json.Marshal(swept(t, message.SweepRequest{Scenario: []byte(scenarioA),
		Policies: []message.PolicyRef{{ID: "gavel"}, {ID: "fifo"}},
		Vary:     []message.Axis{{Path: "/scenario/round_s", Values: []float64{60, 120, 360}}}}))
	body := do(n, "GET", "/api/v1/sweeps/"+id+"/result", "").Body.String()
	if body != string(want)+"\n" {
		t.Errorf("the result is not that of the engine:\n%s\n%s", body, want)
	}
	for name, h := range map[string]http.Handler{
		"native": newNative(t, runs.Options{Store: n.store, Table: newStore(t).(queue.Table),
			Yield: func() { t.Error("a cached sweep was run") }}, false),
		"edge": newHandler(t, worker.Options{Store: n.store}),
	} {
		if w := do(h, "GET", "/api/v1/sweeps/"+id+"/result", ""); w.Code != 200 || w.Body.String() != body ||
			!strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		var again runs.RunStatus
		if n.decode(do(h, "GET", "/api/v1/sweeps/"+id, ""), &again); again.State != "done" || again.Sweep == nil ||
			*again.Sweep != *s.Sweep {
			t.Errorf("%s: status %+v, want %+v", name, again, s)
		}
		wantProblem(t, do(h, "GET", "/api/v1/runs/"+id, ""), http.StatusNotFound)
	}
	for name, other := range map[string]string{
		"other values":     strings.Replace(rounds, "120", "180", 1),
		"replicates":       rounds + `,"replicates":2`,
		"another policy":   `"policies":["hadar","fifo"],` + rounds,
		"one policy":       `"policies":["gavel"],` + rounds,
		"another document": rounds,
	} {
		doc := noisy(1)
		if name != "another document" && name != "replicates" {
			doc = scenarioA
		}
		if !strings.Contains(other, "policies") {
			other = `"policies":["gavel","fifo"],` + other
		}
		if n.sweep(`{"scenario":`+doc+`,`+other+`}`) == id {
			t.Errorf("%s: the same id", name)
		}
	}
	if again := n.sweep(`{` + rounds + `,"replicates":1,"policies":[{"id":"gavel-las"},"fifo"],"scenario":` +
		scenarioA + `}`); again != id {
		t.Errorf("the same sweep in other words is %s, not %s", again, id)
	}
}

// TestReplicates: the parameters are those of the request, as for one run, and not the document's.
func TestReplicates(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	doc := strings.Replace(noisy(3), `{"id":"fifo"}`,
		`{"id":"gavel-las","params":{"use_weights":false}},{"id":"hadar"}`, 1)
	for _, tt := range []struct {
		policies string
		refs     []message.PolicyRef
	}{
		{`"policies":["gavel","hadar"],`, []message.PolicyRef{{ID: "gavel-las"}, {ID: "hadar"}}},
		{``, []message.PolicyRef{{ID: "gavel-las", Params: map[string]any{"use_weights": false}}, {ID: "hadar"}}},
	} {
		w := do(n, "POST", "/api/v1/runs", `{"scenario":`+doc+`,`+tt.policies+`"replicates":4}`)
		var got struct{ ID string }
		if n.decode(w, &got); w.Code != 202 || w.Header().Get("Location") != "/api/v1/runs/"+got.ID {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if s := n.await(got.ID, "done"); s.Sweep == nil || s.Sweep.Done != 8 || len(s.Errors) != 0 {
			t.Errorf("status %+v", s)
		}
		res := n.result(got.ID)
		if len(res.Runs) != 8 || res.Summary == nil || res.Summary.Replicates != 4 || len(res.Summary.Policies) != 2 {
			t.Fatalf("%d runs, summary %+v", len(res.Runs), res.Summary)
		}
		for i, r := range res.Runs {
			alone, _, _ := lab.Run(&message.RunRequest{Scenario: []byte(strings.Replace(doc, `"seed":3`,
				fmt.Sprint(`"seed":`, 3+i/2), 1)), Policies: tt.refs})
			if a := alone.Runs[i%2]; a.TraceHash != r.TraceHash || a.Seed != r.Seed ||
				fmt.Sprint(a.Params) != fmt.Sprint(r.Params) || len(r.Jobs) != 2 {
				t.Errorf("%s run %d is %s %v, alone %s %v", tt.policies, i, r.TraceHash, r.Params, a.TraceHash,
					a.Params)
			}
		}
		if one := n.post(doc, `["gavel","hadar"]`); one == got.ID {
			t.Error("one run has the id of its replicates")
		}
	}
	// The same jobs with lengths that vary: without another random part, and with an id of their own.
	ids := map[string]bool{}
	for _, noise := range []string{"0.1", "0.2"} {
		w := do(n, "POST", "/api/v1/runs",
			`{"scenario":`+scenarioA+`,"policies":["hadar"],"replicates":3,"length_noise":`+noise+`}`)
		var got struct{ ID string }
		if n.decode(w, &got); w.Code != 202 || ids[got.ID] {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		ids[got.ID] = true
		n.await(got.ID, "done")
		if res := n.result(got.ID); len(res.Runs) != 3 || res.Runs[0].TraceHash == res.Runs[1].TraceHash ||
			fmt.Sprint(res.Summary.LengthNoise) != noise {
			t.Errorf("noise of %s: %+v", noise, res.Summary)
		}
	}
	// Whoever takes a stream gets them queued too.
	if w := do(n, "POST", "/api/v1/runs", `{"scenario":`+doc+`,"replicates":4}`, "Accept",
		"text/event-stream"); w.Code != 202 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestReplicatesKeepForcedChoices: what is forced counts in every replicate, and in the id.
func TestReplicatesKeepForcedChoices(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	ids, hashes := map[string]bool{}, map[string]bool{}
	for _, force := range []string{``, `,"force":[{"round":0,"job":"j1","gangs":[]}]`} {
		w := do(n, "POST", "/api/v1/runs", `{"scenario":`+noisy(7)+`,"policies":[{"id":"fifo"`+force+
			`}],"replicates":2}`)
		var got struct{ ID string }
		if n.decode(w, &got); w.Code != 202 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		n.await(got.ID, "done")
		ids[got.ID], hashes[n.result(got.ID).Runs[1].TraceHash] = true, true
	}
	if len(ids) != 2 || len(hashes) != 2 {
		t.Errorf("%d ids, %d traces", len(ids), len(hashes))
	}
}

func TestSweepRefusals(t *testing.T) {
	n := newNative(t, runs.Options{Size: 2}, false)
	wide := `[` + strings.Repeat(`{"path":"/scenario/round_s","values":[1]},`, 8) +
		`{"path":"/scenario/seed","values":[1]}]`
	for name, tt := range map[string]struct {
		path, body string
		status     int
		words      string
	}{
		"nothing varied":    {"sweeps", `{"scenario":` + scenarioA + `}`, 422, "/api/v1/runs"},
		"a run that varies": {"runs", `{"scenario":` + scenarioA + `,` + rounds + `}`, 422, "/api/v1/sweeps"},
		"no values": {"sweeps", `{"scenario":` + scenarioA + `,"vary":[{"path":"/scenario/round_s"}]}`, 422,
			"no values"},
		"no random part": {"sweeps", `{"scenario":` + scenarioA + `,"replicates":2,` + rounds + `}`, 422,
			lab.NoRandomPart.String()},
		"too much noise": {"runs", `{"scenario":` + scenarioA + `,"replicates":2,"length_noise":2.1}`, 422,
			"from 0 to 2"},
		"noise of one run": {"runs", `{"scenario":` + scenarioA + `,"length_noise":0.1}`, 422, "and replicates"},
		"too many axes":    {"sweeps", `{"scenario":` + scenarioA + `,"vary":` + wide + `}`, 422, "the most is 8"},
		"too many points": {"sweeps", `{"scenario":` + scenarioA +
			`,"vary":[{"path":"/scenario/round_s","values":[` + strings.Repeat("60,", 10) + `60]}]}`, 413,
			"is 22, the most is 20"},
		"too many replicates": {"runs", `{"scenario":` + noisy(1) + `,"replicates":2}`, 413, "is 4, the most is 2"},
		"a great many": {"runs", `{"scenario":` + noisy(1) + `,"replicates":9000000000000000000}`, 413,
			"bytes of the scenario"},
		"too many values": {"sweeps", `{"scenario":` + scenarioA + `,"vary":[{"path":"/scenario/round_s","values":[` +
			strings.Repeat("60,", 1000) + `60]}]}`, 422, "the most is 1000"},
	} {
		p := wantProblem(t, do(n, "POST", "/api/v1/"+tt.path, tt.body), tt.status)
		if text, _ := json.Marshal(p); len(p.Errors) == 0 || p.Errors[0].Fix.IsZero() ||
			!strings.Contains(string(text), tt.words) {
			t.Errorf("%s: %s", name, text)
		}
	}
	edge := newHandler(t, worker.Options{})
	for path, body := range map[string]string{"sweeps": `{"scenario":` + scenarioA + `,` + rounds + `}`,
		"runs": `{"scenario":` + noisy(1) + `,"replicates":2}`} {
		p := wantProblem(t, do(edge, "POST", "/api/v1/"+path, body), http.StatusNotImplemented)
		if len(p.Errors) != 1 || !strings.Contains(p.Errors[0].Fix.String(), "native server") {
			t.Errorf("%s at the edge: %+v", path, p)
		}
	}
	wantProblem(t, do(edge, "POST", "/api/v1/runs", `{"scenario":`+scenarioA+`,"replicates":2}`),
		http.StatusUnprocessableEntity)
}

func TestCancelSweep(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	// The first point is short, the second has no end.
	short := strings.Replace(scenarioA, `"round_s":360`, `"round_s":1`, 1)
	body := `{"scenario":` + short +
		`,"policies":["hadar"],"vary":[{"path":"/scenario/jobs/0/steps","values":[4000,4000000000]}]}`
	id := n.sweep(body)
	for n.awaitSweep(id, "running").Sweep.Done == 0 {
	}
	wantProblem(t, do(n, "GET", "/api/v1/sweeps/"+id+"/result", ""), http.StatusConflict)
	for i, w := range []*httptest.ResponseRecorder{n.cancel("/api/v1/sweeps/" + id), n.cancel("/api/v1/sweeps/" + id)} {
		if w.Code != 200 || !strings.Contains(w.Body.String(), `"cancelled"`) {
			t.Errorf("client %d: %d %s", i, w.Code, w.Body)
		}
	}
	var got message.SweepResult
	if n.decode(do(n, "GET", "/api/v1/sweeps/"+id+"/result", ""), &got); !got.Stopped || len(got.Points) != 1 ||
		len(got.Points[0].Runs) != 1 {
		t.Errorf("so far %+v", got)
	}
	if w := do(newHandler(t, worker.Options{Store: n.store}), "GET", "/api/v1/sweeps/"+id,
		""); w.Code != http.StatusNotFound {
		t.Errorf("a cancelled sweep was stored: %d", w.Code)
	}
	if again := n.sweep(body); again != id {
		t.Errorf("asked for again it is %s", again)
	}
	if err := n.runner.Close(t.Context()); err != nil {
		t.Error(err)
	}
	n.awaitSweep(id, "queued")
}

func TestSweepIsBoundedByEvents(t *testing.T) {
	n := newNative(t, runs.Options{Events: 1000}, false)
	id := n.sweep(`{"scenario":` + endless(20) + `,"policies":["hadar"],` + rounds + `}`)
	if s := n.awaitSweep(id, "failed"); len(s.Errors) != 1 || s.Errors[0].Code != "too-many-events" ||
		!strings.Contains(s.Errors[0].Message.String(), "10000") {
		t.Errorf("errors %+v", s.Errors)
	}
}

// TestSweepGoesOnWhereItWas: a sweep whose server is killed in the middle, or stopped, is gone on with and not begun
// anew: the parts that had ended are not run again, the result is the same bytes, and nothing is left beside it.
func TestSweepGoesOnWhereItWas(t *testing.T) {
	const parts = 12
	var values []string
	for i := range parts {
		values = append(values, fmt.Sprint(60+i))
	}
	for name, body := range map[string]string{
		"/api/v1/sweeps": `{"scenario":` + scenarioA + `,"policies":["hadar","srtf"],"vary":[{"path":"/scenario/round_s",
			"values":[` + strings.Join(values, ",") + `]}]}`,
		"/api/v1/runs": `{"scenario":` + noisy(4) + `,"policies":["hadar","srtf"],"replicates":12}`,
	} {
		// serve works on it until so many slices have been, and holds it there.
		serve := func(store vault.Store, notes int, until int64) (n *native, spent *atomic.Int64, release func()) {
			spent = &atomic.Int64{}
			reached, hold := make(chan struct{}), make(chan struct{})
			n = newNative(t, runs.Options{Store: store, Concurrent: 1, Notes: notes, Yield: func() {
				if spent.Add(1) == until {
					close(reached)
					<-hold
				}
			}}, false)
			release = sync.OnceFunc(func() { close(hold) })
			t.Cleanup(release)
			if id := n.submit(name, body); until == 0 {
				do(n, "GET", name+"/"+id+"/events", "")
			} else {
				<-reached
			}
			return n, spent, release
		}
		whole, all, _ := serve(nil, 0, 0)
		id := strings.TrimPrefix(do(whole, "POST", name, body).Header().Get("Location"), name+"/")
		want := do(whole, "GET", name+"/"+id+"/result", "").Body.String()
		for _, end := range []string{"killed", "stopped"} {
			cut := all.Load() / 2
			notes := map[string]int{"killed": 1}[end] // else nothing is noted before a third of the lease has passed
			first, _, release := serve(nil, notes, cut)
			if end == "stopped" {
				stopping, cancel := context.WithCancel(t.Context())
				cancel()
				_ = first.runner.Close(stopping) // it is held
				release()
				if err := first.runner.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			next, spent, _ := serve(first.store, 0, 0)
			if got := do(next, "GET", name+"/"+id+"/result", ""); got.Code != 200 || got.Body.String() != want {
				t.Errorf("%s, %s: %d %.300s\nwant %.300s", name, end, got.Code, got.Body, want)
			}
			if most := all.Load() - cut + all.Load()/4; spent.Load() > most { // a part in the middle is run again
				t.Errorf("%s, %s after %d of %d slices: %d more, want %d at most", name, end, cut, all.Load(), spent.Load(),
					most)
			}
			if p, err := first.store.(queue.Table).Parts(t.Context(), id); err != nil || p.All != 0 {
				t.Errorf("%s, %s: %+v are left, %v", name, end, p, err)
			}
		}
	}
}
