package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// event is one server-sent event.
type event struct{ name, data string }

func readEvents(t *testing.T, body []byte) (events []event) {
	t.Helper()
	for block := range strings.SplitSeq(strings.TrimSpace(string(body)), "\n\n") {
		name, data, ok := strings.Cut(block, "\n")
		if !ok || !strings.HasPrefix(name, "event: ") || !strings.HasPrefix(data, "data: ") || strings.Contains(data, "\n") {
			t.Fatalf("not an event: %q", block)
		}
		events = append(events, event{name[len("event: "):], data[len("data: "):]})
	}
	return events
}

// runResult is what the tests read of a result.
type runResult struct {
	Engine     string
	ScenarioID string `json:"scenario_id"`
	Runs       []struct {
		Policy, Outcome string
		TraceHash       string `json:"trace_hash"`
		Metrics         struct {
			MakespanS float64 `json:"makespan_s"`
		}
		Jobs []struct{ ID string }
	}
}

func runInline(t *testing.T, s *server, body string) (kinds map[string]int, result runResult) {
	t.Helper()
	events := readEvents(t, post(t, s.url+"/api/v1/runs", body).want(t, 200, "text/event-stream").body)
	kinds = map[string]int{}
	for _, e := range events {
		kinds[e.name]++
	}
	last := events[len(events)-1]
	if last.name != "result" {
		t.Fatalf("the last event is %s: %s", last.name, last.data)
	}
	if err := json.Unmarshal([]byte(last.data), &result); err != nil {
		t.Fatal(err)
	}
	return kinds, result
}

func TestInlineRun(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		doc := strings.Replace(small("run", 51), `"steps":9000`, `"steps":9000000`, 1) // thousands of rounds
		kinds, got := runInline(t, s, `{"scenario":`+doc+`,"policies":["hadar","srtf"]}`)
		if kinds["progress"] == 0 || kinds["lane"] != 2 || kinds["result"] != 1 || kinds["failure"] != 0 {
			t.Errorf("events %v", kinds)
		}
		if len(got.Runs) != 2 || got.Runs[0].Policy != "hadar" || got.Runs[1].Policy != "srtf" {
			t.Fatalf("runs %+v", got.Runs)
		}
		for _, r := range got.Runs {
			if r.Outcome != "done" || len(r.Jobs) != 3 || !(r.Metrics.MakespanS > 0) || len(r.TraceHash) < 16 {
				t.Errorf("run %+v", r)
			}
		}
		id := share(t, s, doc)
		if got.ScenarioID != id {
			t.Errorf("scenario id %s, shared as %s", got.ScenarioID, id)
		}
		_, stored := runInline(t, s, `{"scenario_id":"`+id+`","policies":["srtf",{"id":"hadar"}]}`)
		if stored.Runs[0].TraceHash != got.Runs[1].TraceHash || stored.Runs[1].TraceHash != got.Runs[0].TraceHash {
			t.Errorf("the stored scenario ran to other traces: %+v and %+v", stored.Runs, got.Runs)
		}
	})
}

func TestSameTraceOnBothServers(t *testing.T) {
	body := `{"scenario":` + small("parity", 61) + `,"policies":["hadar","gavel-las","fifo","srtf"]}`
	_, n := runInline(t, native(t), body)
	_, e := runInline(t, edge(t), body)
	if len(n.Runs) != 4 || len(e.Runs) != 4 {
		t.Fatalf("native %d runs, edge %d", len(n.Runs), len(e.Runs))
	}
	for i := range n.Runs {
		if n.Runs[i].TraceHash != e.Runs[i].TraceHash {
			t.Errorf("%s: native %s, edge %s", n.Runs[i].Policy, n.Runs[i].TraceHash, e.Runs[i].TraceHash)
		}
	}
}

func TestRunTooLargeForTheServer(t *testing.T) {
	var jobs strings.Builder
	for i := range 300 {
		fmt.Fprintf(&jobs, `{"id":"k%d","model":"resnet50","batch":64,"arrival_s":0,"gpus":1,"steps":100},`, i)
	}
	doc := strings.Replace(small("many", 71), `"jobs":[`, `"jobs":[`+jobs.String(), 1)
	onBoth(t, func(t *testing.T, s *server) {
		_, fix := post(t, s.url+"/api/v1/runs", `{"scenario":`+doc+`}`).problem(t, 413)
		if !strings.Contains(fix, "in the page") {
			t.Errorf("fix %q", fix)
		}
	})
}
