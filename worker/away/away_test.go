//go:build !js

package away_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/scenarios"
	"hadarlab/worker"
	"hadarlab/worker/away"
	"hadarlab/worker/host"
	"hadarlab/worker/runs"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// answering is a simulator that answers so.
func answering(status int, body string) *away.Simulator {
	return &away.Simulator{Engine: lab.Engine, Log: quiet, Ask: func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Status: http.StatusText(status),
			Header: http.Header{"Cache-Control": {"public", " max-age=5"}, "Content-Length": {"9"}},
			Body:   io.NopCloser(strings.NewReader(body))}, nil
	}}
}

func assignment(t *testing.T) *class.Assignment {
	t.Helper()
	doc, _ := scenarios.Assignment(scenarios.Assignments[0])
	a, diags := class.Parse(doc)
	if a == nil {
		t.Fatal(diags)
	}
	return a
}

// TestTruthIsThatOfTheEngine: over HTTP, from the server itself, as from the engine beside it.
func TestTruthIsThatOfTheEngine(t *testing.T) {
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	a := assignment(t)
	for size, some := range map[int]bool{2000: true, 1: false} {
		h := worker.New(worker.Options{Store: sqlstore.New(db), Log: quiet, RunSize: size})
		s := &away.Simulator{Engine: lab.Engine, Log: quiet, Ask: func(r *http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Result(), nil
		}}
		got, err := s.Truth(t.Context(), a)
		if err != nil || (len(got) > 0) != some {
			t.Fatalf("of at most %d: %d lanes, %v", size, len(got), err)
		}
		want, err := runs.Truth(size, 2000, runtime.Gosched)(t.Context(), a)
		if err != nil || !reflect.DeepEqual(a.Truth(got), a.Truth(want)) {
			t.Errorf("of at most %d: %+v, want %+v: %v", size, a.Truth(got), a.Truth(want), err)
		}
	}
}

// TestTruthThatCannotBeHad: what the simulator refuses a class begins without; for what it cannot say now a class
// waits.
func TestTruthThatCannotBeHad(t *testing.T) {
	const result = "event: result\ndata: {\"engine\":\"ENGINE\",\"runs\":[{\"policy\":\"fifo\"}]}\n\n"
	ours := strings.Replace(result, "ENGINE", lab.Engine, 1)
	for name, tt := range map[string]struct {
		status int
		body   string
		lanes  int
		fails  bool
	}{
		"a result":        {200, "event: progress\ndata: {}\n\n" + ours, 1, false},
		"too large":       {413, "{}", 0, false},
		"it cannot run":   {422, "{}", 0, false},
		"a lane failed":   {200, "event: failure\ndata: {}\n\n" + ours, 0, false},
		"it is cut off":   {200, "event: progress\ndata: {}\n\n", 0, true},
		"it is no JSON":   {200, "event: result\ndata: {\n\n", 0, true},
		"it is down":      {503, "{}", 0, true},
		"another version": {200, strings.Replace(result, "ENGINE", "0.0.1", 1), 0, true},
	} {
		lanes, err := answering(tt.status, tt.body).Truth(t.Context(), assignment(t))
		if len(lanes) != tt.lanes || (err != nil) != tt.fails {
			t.Errorf("%s: %d lanes, %v", name, len(lanes), err)
		}
		if other := errors.Is(err, away.ErrVersions); other != (name == "another version") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHandedOn: an answer is handed on with its status and headers, put together again, and no answer is a problem that
// says when to come again.
func TestHandedOn(t *testing.T) {
	ask := func(s *away.Simulator, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		host.New(host.Options{Rest: http.NotFound}, s).ServeHTTP(w, httptest.NewRequest("PATCH", path, nil))
		return w
	}
	for _, path := range []string{"/api/v1/runs", "/api/v1/runs/x/events", "/api/v1/sweeps", "/api/v1/sweeps/x"} {
		w := ask(answering(http.StatusTeapot, "short and stout"), path)
		if w.Code != http.StatusTeapot || w.Body.String() != "short and stout" ||
			w.Header().Get("Content-Length") != "" || w.Header().Get("Cache-Control") != "public, max-age=5" {
			t.Errorf("%s: %d %v %s", path, w.Code, w.Header(), w.Body)
		}
	}
	w := ask(&away.Simulator{Log: quiet, Ask: func(*http.Request) (*http.Response, error) {
		return nil, context.DeadlineExceeded
	}}, "/api/v1/runs")
	var p struct{ Errors []struct{ Code string } }
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != 503 || w.Header().Get("Retry-After") == "" ||
		len(p.Errors) != 1 || p.Errors[0].Code != "no-simulator" {
		t.Errorf("without a simulator: %d %v %s", w.Code, w.Header(), w.Body)
	}
}
