package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// event is one server-sent event.
type event struct{ name, data string }

func readEvents(t *testing.T, body []byte) (events []event) {
	t.Helper()
	for block := range strings.SplitSeq(strings.TrimSpace(string(body)), "\n\n") {
		if strings.HasPrefix(block, "retry: ") {
			continue
		}
		block = strings.TrimPrefix(block, "id: end\n")
		name, data, ok := strings.Cut(block, "\n")
		if !ok || !strings.HasPrefix(name, "event: ") || !strings.HasPrefix(data, "data: ") ||
			strings.Contains(data, "\n") {
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
	events := readEvents(t, ask(t, "POST", s.url+"/api/v1/runs", body, "Content-Type", "application/json", "Accept",
		"text/event-stream").
		want(t, 200, "text/event-stream").body)
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

// many is a scenario of n jobs more.
func many(n, seed int) string {
	var jobs strings.Builder
	for i := range n {
		fmt.Fprintf(&jobs, `{"id":"k%d","model":"resnet50","batch":64,"arrival_s":0,"gpus":1,"steps":100},`, i)
	}
	return strings.Replace(small("many", seed), `"jobs":[`, `"jobs":[`+jobs.String(), 1)
}

func TestRunTooLarge(t *testing.T) {
	body := `{"scenario":` + many(300, 71) + `}`
	onBoth(t, func(t *testing.T, s *server) {
		a := ask(t, "POST", s.url+"/api/v1/runs", body, "Content-Type", "application/json", "Accept",
			"text/event-stream")
		if _, fix := a.problem(t, 413); !strings.Contains(fix, "in the page") {
			t.Errorf("fix %q", fix)
		}
	})
	awaitRun(t, native(t), queueRun(t, body), "done") // in the queue it is no problem
	awaitPath(t, edge(t), submit(t, edge(t), "/api/v1/runs", body), "done")
	// A message at the edge takes less than a pool.
	if _, fix := post(t, edge(t).url+"/api/v1/runs", `{"scenario":`+many(2000, 75)+`}`).problem(t,
		413); !strings.Contains(fix, "hadarlab run") {
		t.Errorf("the fix is %q", fix)
	}
	t.Run("edge body", func(t *testing.T) {
		post(t, edge(t).url+"/api/v1/runs", `{"scenario":`+strings.Repeat(" ", 1<<20)+`}`).problem(t, 413)
	})
	t.Run("native body", func(t *testing.T) {
		post(t, native(t).url+"/api/v1/runs", `{"scenario":`+strings.Repeat(" ", 8<<20)+`}`).problem(t, 413)
	})
	t.Run("native jobs", func(t *testing.T) {
		path, _ := post(t, native(t).url+"/api/v1/runs", `{"scenario":`+many(10_001, 72)+`}`).problem(t, 413)
		if path != "/scenario/scenario/jobs" {
			t.Errorf("at %s", path)
		}
	})
}

// cancelTokens are the latest of each run, as headers have them.
var cancelTokens sync.Map

func bearer(id string) string {
	token, _ := cancelTokens.Load(id)
	return fmt.Sprint("Bearer ", token)
}

// queueRun sends a run to the native server's queue.
func queueRun(t *testing.T, body string) string {
	t.Helper()
	return strings.TrimPrefix(submit(t, native(t), "/api/v1/runs", body), "/api/v1/runs/")
}

// awaitRun asks until the run has the state.
func awaitRun(t *testing.T, s *server, id, state string) {
	t.Helper()
	awaitPath(t, s, "/api/v1/runs/"+id, state)
}

func awaitPath(t *testing.T, s *server, path, state string) {
	t.Helper()
	for ; ; time.Sleep(10 * time.Millisecond) {
		a := ask(t, "GET", s.url+path, "").want(t, 200, "application/json")
		var got struct{ State string }
		if a.decode(t, &got); got.State == state {
			return
		}
		if got.State == "done" || got.State == "failed" || got.State == "cancelled" {
			t.Fatalf("the run is %s, want %s", a.body, state)
		}
	}
}

func TestQueuedRun(t *testing.T) {
	s := native(t)
	doc := small("queued", 73)
	id := queueRun(t, `{"scenario":`+doc+`,"policies":["hadar","gavel"]}`)
	events := readEvents(t, ask(t, "GET", s.url+"/api/v1/runs/"+id+"/events", "").want(t, 200,
		"text/event-stream").body)
	if len(events) < 4 || events[0].name != "state" || events[len(events)-1].name != "result" {
		t.Errorf("events %+v", events)
	}
	var got runResult
	result := ask(t, "GET", s.url+"/api/v1/runs/"+id+"/result", "").want(t, 200, "application/json")
	result.decode(t, &got)
	if strings.TrimSpace(string(result.body)) != events[len(events)-1].data {
		t.Errorf("the result %s is not the last event %s", result.body, events[len(events)-1].data)
	}
	_, inline := runInline(t, edge(t), `{"scenario":`+doc+`,"policies":["hadar","gavel-las"]}`)
	if len(got.Runs) != 2 || got.ScenarioID != inline.ScenarioID || got.Runs[0].TraceHash != inline.Runs[0].TraceHash ||
		got.Runs[1].TraceHash != inline.Runs[1].TraceHash {
		t.Errorf("queued %+v, at the edge %+v", got, inline)
	}
	// The edge has run it under the same id, keeps it in D1, and answers alike but for the queue.
	for _, path := range []string{"", "/result"} {
		n, e := ask(t, "GET", s.url+"/api/v1/runs/"+id+path, ""),
			ask(t, "GET", edge(t).url+"/api/v1/runs/"+id+path, "").want(t, 200, "application/json")
		if string(n.body) != string(e.body) {
			t.Errorf("%s: native %s, edge %s", path, n.body, e.body)
		}
	}
	for _, s := range []*server{s, edge(t)} {
		again := readEvents(t, ask(t, "GET", s.url+"/api/v1/runs/"+id+"/events", "").want(t, 200,
			"text/event-stream").body)
		if again[0].name != "state" || again[len(again)-1].data != events[len(events)-1].data {
			t.Errorf("%s: events afterwards %+v", s.name, again)
		}
		ask(t, "GET", s.url+"/api/v1/runs/"+id+"/events", "", "Last-Event-ID", "end").want(t, 204, "")
		ask(t, "DELETE", s.url+"/api/v1/runs/"+id, "").problem(t, 403)
		if _, fix := ask(t, "DELETE", s.url+"/api/v1/runs/"+id, "", "Authorization", bearer(id)).problem(t,
			409); !strings.Contains(fix, "/result") {
			t.Errorf("%s: fix %q", s.name, fix)
		}
		ask(t, "GET", s.url+"/api/v1/runs/"+strings.Repeat("0", 26), "").problem(t, 404)
		ask(t, "DELETE", s.url+"/api/v1/runs/none", "").problem(t, 404)
	}
}

func TestCancelQueuedRun(t *testing.T) {
	doc := strings.ReplaceAll(many(100, 74), `"steps":100}`, `"steps":400000000}`) // an hour's work
	onBoth(t, func(t *testing.T, s *server) {
		at := submit(t, s, "/api/v1/runs", `{"scenario":`+doc+`,"policies":["hadar","srtf"]}`)
		token := bearer(at[len("/api/v1/runs/"):])
		awaitPath(t, s, at, "running")
		for s != edgeServer { // until there is something to keep
			var now struct {
				Lanes []struct {
					TimeS float64 `json:"time_s"`
				}
			}
			if ask(t, "GET", s.url+at, "").want(t, 200, "application/json").decode(t, &now); now.Lanes[0].TimeS > 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		ask(t, "GET", s.url+at+"/result", "").problem(t, 409)
		ask(t, "DELETE", s.url+at, "", "Authorization", "Bearer 0123456789abcdef0123456789abcdef").problem(t, 403)
		statuses := make([]int, 2)
		var wg sync.WaitGroup
		for i := range statuses {
			wg.Go(func() {
				req, _ := http.NewRequest("DELETE", s.url+at, nil)
				req.Header.Set("Authorization", token)
				if res, err := client.Do(req); err == nil { // a 0 fails below
					res.Body.Close()
					statuses[i] = res.StatusCode
				}
			})
		}
		wg.Wait()
		if statuses[0] != 200 || statuses[1] != 200 {
			t.Errorf("two clients cancel: %v", statuses)
		}
		awaitPath(t, s, at, "cancelled")
		result := ask(t, "GET", s.url+at+"/result", "")
		if s == edgeServer { // nothing is kept there of what was not finished
			result.problem(t, 409)
			return
		}
		var got runResult
		result.want(t, 200, "application/json").decode(t, &got)
		if len(got.Runs) != 2 || got.Runs[0].Outcome != "stopped" {
			t.Errorf("the lanes so far are %+v", got.Runs)
		}
	})
}

func TestLastResortLink(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		a := ask(t, "GET", s.url+"/o?s=1z.abc.def", "").want(t, 200, "text/html")
		if root := ask(t, "GET", s.url+"/", ""); cardless(a.body) != cardless(root.body) {
			t.Error("/o is not the page of /")
		}
	})
}

func TestOpenAPIDocument(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		a := ask(t, "GET", s.url+"/api/v1/openapi.json", "").want(t, 200, "application/json")
		var doc struct {
			OpenAPI string
			Paths   map[string]any
		}
		if a.decode(t, &doc); !strings.HasPrefix(doc.OpenAPI, "3.1") || doc.Paths["/api/v1/runs"] == nil {
			t.Errorf("got %.300s", a.body)
		}
		if c := ask(t, "GET", s.url+"/api/v1/openapi.json", "", "If-None-Match",
			a.header.Get("ETag")); c.status != 304 {
			t.Errorf("with its ETag: %d", c.status)
		}
	})
}
