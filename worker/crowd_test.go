//go:build !js

package worker_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hadarlab/worker"
	"hadarlab/worker/runs"
)

// TestCrowdShowsProgress: 20,000 jobs that arrive together make every decision long, so a run of theirs looks up after
// each few: it is heard of, and can be ended, between any two of them.
func TestCrowdShowsProgress(t *testing.T) {
	var jobs []string
	for i := range 20_000 {
		jobs = append(jobs, fmt.Sprintf(`{"id":"j%d","model":"m","batch":1,"arrival_s":0,"gpus":1,"steps":%d}`, i,
			100_000+i))
	}
	doc := `{"kind":"scenario","version":1,"scenario":{"round_s":360,"cluster":{"nodes":[{"id":"n","gpus":{"v100":8,"k80":8}}]},
"throughputs":{"rows":[{"model":"m","batch":1,"per_gpu":{"v100":4,"k80":1}}]},"jobs":[` + strings.Join(jobs, ",") + `]}}`
	n := newNative(t, runs.Options{}, false)
	server := httptest.NewServer(worker.New(worker.Options{Store: n.store, Runner: n.runner, Gate: sameKey,
		RunBytes: 8 << 20, Log: quiet}))
	defer server.Close()
	res, err := http.Post(server.URL+"/api/v1/runs", "application/json",
		strings.NewReader(`{"scenario":`+doc+`,"policies":["hadar"]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		ID    string
		Token string `json:"cancel_token"`
	}
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil || res.StatusCode != http.StatusAccepted {
		t.Fatal(res.Status, err)
	}
	res.Body.Close()
	n.tokens.Store(got.ID, got.Token)
	events, err := http.Get(server.URL + "/api/v1/runs/" + got.ID + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer events.Body.Close()
	last, heard := 0, 0
	for lines := bufio.NewScanner(events.Body); heard < 4 && lines.Scan(); {
		var p struct{ Round, Jobs int }
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || json.Unmarshal([]byte(data), &p) != nil || p.Jobs == 0 {
			continue
		}
		if p.Round-last > 30 {
			t.Errorf("between two looks the run went from decision %d to %d", last, p.Round)
		}
		last, heard = p.Round, heard+1
	}
	if heard < 4 {
		t.Errorf("the run was heard of %d times", heard)
	}
	if w := n.cancel("/api/v1/runs/" + got.ID); w.Code != http.StatusOK || n.status(got.ID).State != "cancelled" {
		t.Errorf("cancelled: %d %s", w.Code, w.Body)
	}
	if end := n.result(got.ID).Runs[0].Metrics.Rounds; end-last > 30 {
		t.Errorf("heard of at decision %d and cancelled, the run went on to %d", last, end)
	}
}
