//go:build !js

package worker_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/worker"
	"hadarlab/worker/runs"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
)

// many is a document of n jobs, of about 120 bytes each.
func many(n int) string {
	var jobs []string
	for i := range n {
		jobs = append(jobs, fmt.Sprintf(
			`{"id":"job-%05d","model":"m","batch":1,"arrival_s":%d.%03d,"gpus":%d,"steps":%d,"weight":%d}`,
			i, i*37, i*7919%1000, 1+i%4, 1000+i*104729%100_003, 1+i%3))
	}
	return `{"kind":"scenario","version":1,"meta":{"title":"Much of it"},"scenario":{"round_s":360,"cluster":{"nodes":[
		{"id":"n1","rack":"r","gpus":{"v100":4}},{"id":"n2","rack":"r","gpus":{"k80":4}}]},
		"throughputs":{"rows":[{"model":"m","batch":1,"per_gpu":{"v100":10,"k80":2}}]},
		"jobs":[` + strings.Join(jobs, ",\n") + `],"policies":[{"id":"fifo"}]}}`
}

// TestLargeScenariosAreShared: 5,000 jobs are stored, found, drawn, compared and run as five are.
func TestLargeScenariosAreShared(t *testing.T) {
	doc := many(5000)
	for home, h := range homes(t) {
		t.Run(home, func(t *testing.T) {
			first := do(h, "POST", "/api/v1/scenarios", doc)
			link := shareLink(t, first)
			if again := shareLink(t, do(h, "POST", "/api/v1/scenarios", doc)); again != link {
				t.Errorf("stored again it is %s, not %s", again, link)
			}
			id, _, _ := strings.Cut(link, "-")
			w := do(h, "GET", "/s/"+link+".json", "")
			got, diags := scenario.Parse(w.Body.Bytes(), scenario.FileLimits)
			want, _ := scenario.Parse([]byte(doc), scenario.FileLimits)
			if got == nil || diags.HasErrors() || got.Meta.Title != "Much of it" ||
				!bytes.Equal(got.Canonical(lab.Defaults()), want.Canonical(lab.Defaults())) {
				t.Fatalf("of %d bytes came back %d: %v", len(doc), w.Body.Len(), diags)
			}
			if w := do(h, "GET", "/s/"+link, ""); w.Code != http.StatusOK {
				t.Errorf("its page: %d", w.Code)
			}
			w = do(h, "GET", "/s/"+link+".svg", "")
			if err := xml.Unmarshal(w.Body.Bytes(), new(struct{})); err != nil || w.Body.Len() > 32<<10 {
				t.Errorf("its picture has %d bytes, %v", w.Body.Len(), err)
			}
			other := shareID(t, do(h, "POST", "/api/v1/scenarios", strings.Replace(doc, "job-04321", "job-x", 1)))
			if got := do(h, "GET", "/s/"+id+"/diff/"+other, "").Body.String(); !strings.Contains(got,
				"job job-x: added") || len(got) > 1000 {
				t.Errorf("the difference is %.1000s", got)
			}
			if home == "edge" { // its size is bounded by what one message may take
				wantProblem(t, do(h, "POST", "/api/v1/runs", `{"scenario_id":"`+id+`"}`),
					http.StatusRequestEntityTooLarge)
				return
			}
			if w := do(h, "POST", "/api/v1/runs", `{"scenario_id":"`+id+`"}`); w.Code != http.StatusAccepted {
				t.Errorf("a run of it: %d %s", w.Code, w.Body)
			}
			lesson, _ := json.Marshal(map[string]json.RawMessage{"assignment": withScenario(t, doc)})
			if w := do(h, "POST", "/api/v1/classes", string(lesson)); w.Code != http.StatusCreated {
				t.Errorf("a class on it: %d %s", w.Code, w.Body)
			}
		})
	}
}

// withScenario is an assignment on a scenario that asks about no lane.
func withScenario(t *testing.T, doc string) json.RawMessage {
	t.Helper()
	a := *usual(t)
	a.Scenario, a.Questions, a.Task = json.RawMessage(doc), nil, nil
	a.Plan = []course.Step{a.Plan[0], a.Plan[len(a.Plan)-1]}
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLargeScenariosAreBounded: by the size of one, by what a client stores in an hour, by what all take, each with its
// limit and a way out; small ones go on, and so do other clients.
func TestLargeScenariosAreBounded(t *testing.T) {
	db, err := sqlite.OpenServer(t.Context(), t.TempDir(), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	store := sqlstore.On(db, quiet)
	now := time.Unix(1.7e9, 0)
	runner := runs.NewPool(runs.Options{Store: store, Table: store, Log: quiet,
		Now: func() time.Time { return now }})
	t.Cleanup(func() { _ = runner.Close(t.Context()) })
	h := newHandler(t, worker.Options{Store: store, Runner: runner, Now: func() time.Time { return now }})
	n := 0
	token := do(h, "POST", "/api/v1/scenarios", scenarioA).Header().Get("Hadarlab-Client")
	other := do(h, "POST", "/api/v1/scenarios", scenarioA).Header().Get("Hadarlab-Client")
	post := func(token string) *httptest.ResponseRecorder {
		n++
		return do(h, "POST", "/api/v1/scenarios", strings.Replace(many(800), "360", fmt.Sprint(n), 1),
			"Hadarlab-Client", token)
	}
	refused := func(w *httptest.ResponseRecorder, status int, limit int64) {
		t.Helper()
		p := wantProblem(t, w, status)
		if len(p.Errors) != 1 || !strings.Contains(p.Errors[0].Message.String(), fmt.Sprint(limit, " bytes")) ||
			p.Errors[0].Fix.String() == "" {
			t.Errorf("it says %+v", p.Errors)
		}
		if small := do(h, "POST", "/api/v1/scenarios", scenarioA); small.Code != http.StatusCreated {
			t.Errorf("a small one beside it: %d %s", small.Code, small.Body)
		}
	}
	size := func() (size int64) {
		if err := db.QueryRow(`SELECT coalesce(sum(size), 0) FROM scenarios`).Scan(&size); err != nil {
			t.Fatal(err)
		}
		return size
	}
	shareLink(t, post(token))
	each := size()
	if doc := len(many(800)); each < 1000 || each > int64(doc)/3 {
		t.Errorf("%d bytes take %d", doc, each)
	}

	store.Largest = each / 2
	refused(post(token), http.StatusRequestEntityTooLarge, store.Largest)
	store.Largest = 1 << 20

	store.LargeEach = 3*each + each/2
	shareLink(t, post(token))
	shareLink(t, post(token))
	w := post(token)
	refused(w, http.StatusTooManyRequests, store.LargeEach)
	if w.Header().Get("Retry-After") != "3600" {
		t.Errorf("come again in %q", w.Header().Get("Retry-After"))
	}
	shareLink(t, post(other))
	for range 3 { // who send no token have one share
		shareLink(t, post(""))
	}
	refused(post(""), http.StatusTooManyRequests, store.LargeEach)
	now = now.Add(time.Hour)
	shareLink(t, post(token))
	now = now.Add(-100 * time.Hour) // a clock that goes back locks nobody out
	for range 3 {
		shareLink(t, post(token))
	}

	store.LargeBytes = size() + each/2
	refused(post(other), http.StatusInsufficientStorage, store.LargeBytes)
	if _, err := db.Change(t.Context(), nil, `DELETE FROM scenarios WHERE size > 0`); err != nil {
		t.Fatal(err)
	}
	shareLink(t, post(other))
}

// TestDamagedLargeScenario: deflated rows are checked as others are.
func TestDamagedLargeScenario(t *testing.T) {
	db, err := sqlite.OpenServer(t.Context(), t.TempDir(), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	h := newHandler(t, worker.Options{Store: sqlstore.On(db, quiet)})
	id := shareID(t, do(h, "POST", "/api/v1/scenarios", many(800)))
	for _, damage := range []string{`doc = substr(doc, 1, length(doc) / 2)`, `doc = doc || x'00'`, `doc = x'ff'`,
		`size = 0`} {
		if _, err := db.Change(t.Context(), nil, `UPDATE scenarios SET `+damage); err != nil {
			t.Fatal(err)
		}
		wantProblem(t, do(h, "GET", "/api/v1/scenarios/"+id, ""), http.StatusInternalServerError)
	}
}
