package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// loses has the page's Worker not reach the simulator from now on: missing, rejects or throws, "" = it does.
func loses(t *testing.T, s *server, how string) {
	t.Helper()
	ask(t, "POST", s.url+"/lost", how).want(t, http.StatusNoContent, "")
}

// wantAway holds an answer to what is said where the simulator does not answer.
func wantAway(t *testing.T, a answer) {
	t.Helper()
	a.want(t, 503, "application/problem+json")
	if a.header.Get("Retry-After") == "" || !strings.Contains(string(a.body), `"code":"no-simulator"`) ||
		a.header.Get("Content-Security-Policy") == "" {
		t.Errorf("it is answered %v %s", a.header, a.body)
	}
}

const beginClass = `{"assignment":"hadar-vs-gavel"}`

// TestTheEdgesTwoWorkers: what joins page and simulator at the edge may be lost, slow, or lead to another version.
func TestTheEdgesTwoWorkers(t *testing.T) {
	t.Parallel()
	s := ownEdge(t, "e2e/faulty", "")
	body := func(seed int) string {
		return `{"scenario":` + small("two workers", seed) + `,"policies":["hadar","srtf"]}`
	}

	// Without the simulator all else goes on, nothing half done is left, and who comes again finds it.
	for i, how := range []string{"missing", "rejects", "throws"} {
		t.Run("the binding "+how, func(t *testing.T) {
			loses(t, s, how)
			defer loses(t, s, "")
			wantAway(t, post(t, s.url+"/api/v1/runs", body(800+i)))
			wantAway(t, ask(t, "GET", s.url+"/api/v1/runs/00000000000000000000000000", ""))
			wantAway(t, post(t, s.url+"/api/v1/classes", beginClass))
			id := share(t, s, small("without a simulator", 810+i))
			ask(t, "GET", s.url+"/s/"+id, "").want(t, 200, "text/html")
			if !s.healthy() {
				t.Error("it is not healthy")
			}
			loses(t, s, "")
			awaitPath(t, s, submit(t, s, "/api/v1/runs", body(800+i)), "done")
			post(t, s.url+"/api/v1/classes", beginClass).want(t, 201, "application/json")
		})
	}

	// While one of them is already the next version, no class learns from the other what is right, and a run says
	// whose it is.
	t.Run("another version", func(t *testing.T) {
		meets(t, s, fault{Path: "/api/v1/runs", Fate: "older", Times: 2})
		wantAway(t, post(t, s.url+"/api/v1/classes", beginClass))
		if _, got := runInline(t, s, body(820)); got.Engine != "0.0.1" {
			t.Errorf("the result is of engine %s", got.Engine)
		}
		post(t, s.url+"/api/v1/classes", beginClass).want(t, 201, "application/json")
	})

	stream := func(ctx context.Context, seed int) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, "POST", s.url+"/api/v1/runs", strings.NewReader(body(seed)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "text/event-stream")
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	hold := fault{Path: "/api/v1/runs", Fate: "holds", Times: 1}

	// What the simulator has said is read before it says the rest.
	t.Run("a stream passes as it comes", func(t *testing.T) {
		meets(t, s, hold)
		res := stream(t.Context(), 830)
		defer res.Body.Close()
		in := bufio.NewReader(res.Body)
		first, err := in.ReadString('\n')
		if err != nil || !strings.HasPrefix(first, "event: ") {
			t.Fatalf("it begins %q %v", first, err)
		}
		meets(t, s)
		last := ""
		for {
			line, err := in.ReadString('\n')
			if name, ok := strings.CutPrefix(line, "event: "); ok {
				last = strings.TrimSpace(name)
			}
			if err != nil {
				break
			}
		}
		if last != "result" {
			t.Errorf("it ends with %q", last)
		}
	})

	// Who goes away is gone for the simulator, too: it does no more for them.
	t.Run("who leaves a stream", func(t *testing.T) {
		meets(t, s, hold)
		ctx, leave := context.WithCancel(t.Context())
		res := stream(ctx, 831)
		defer res.Body.Close()
		if _, err := bufio.NewReader(res.Body).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		// waits is how often the simulator has looked whether it may say the rest.
		waits := func() (n int) {
			var got struct{ Waits int }
			ask(t, "GET", s.url+"/faults", "").decode(t, &got)
			return got.Waits
		}
		goesOn := func() bool {
			before := waits()
			for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(asked) {
				if waits() > before {
					return true
				}
			}
			return false
		}
		if !goesOn() {
			t.Fatal("it does not wait while its reader is there")
		}
		leave()
		for end := time.Now().Add(20 * time.Second); goesOn(); {
			if time.Now().After(end) {
				t.Fatal("the simulator goes on for nobody")
			}
		}
	})

	// A queued run is cancelled over the binding, and whoever works on it hears of it.
	t.Run("cancel", func(t *testing.T) {
		long := strings.Replace(small("cancelled", 832), `"steps":9000`, `"steps":900000000`, 1)
		a := post(t, s.url+"/api/v1/runs", `{"scenario":`+long+`,"policies":["hadar"]}`)
		var run struct {
			ID    string
			Token string `json:"cancel_token"`
		}
		a.want(t, 202, "application/json").decode(t, &run)
		at := s.url + "/api/v1/runs/" + run.ID
		ask(t, "DELETE", at, "", "Authorization", "Bearer nobody").problem(t, 403)
		got := ask(t, "DELETE", at, "", "Authorization", "Bearer "+run.Token).want(t, 200, "application/json")
		var status struct{ State string }
		if err := json.Unmarshal(got.body, &status); err != nil || status.State != "cancelled" {
			t.Errorf("cancelled it is %s", got.body)
		}
	})

	// What students hand in is run again, and has its verdict, by messages of one Worker to the other: no clock ticks.
	t.Run("a submission", func(t *testing.T) { verdictWithoutAClock(t, s) })
}

// verdictWithoutAClock hands in a change twice: the first time it is run, the second time that is known.
func verdictWithoutAClock(t *testing.T, s *server) {
	shipped, _ := scenarios.Assignment("hadar-vs-gavel")
	a, _ := class.Parse(shipped)
	l := beginLesson(t, s, string(shipped))
	call := func(at, token, body string) []byte {
		t.Helper()
		return ask(t, "POST", l.path+at, body, "Content-Type", "application/json", "Authorization", "Bearer "+token).
			want(t, 201, "application/json").body
	}
	var tokens []string
	for range 2 {
		var j class.Joined
		if err := json.Unmarshal(call("/students", "", `{}`), &j); err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, j.Token)
	}
	l.set(`{"phase":"predict"}`)
	for _, token := range tokens {
		call("/entries", token, `{"kind":"answers","answers":{"sooner":{"option":"gavel-las","sure":5},
			"by":{"option":"10-30","sure":2}}}`)
	}
	l.set(`{"phase":"change"}`)
	doc, _ := scenario.Parse(a.Scenario, scenario.FileLimits)
	if !doc.Alter("/scenario/round_s", 420.0) {
		t.Fatal("rounds cannot be of 7 minutes")
	}
	handed := class.Handed{Kind: class.Submission, Scenario: doc.Marshal(false)}
	handed.Engine = lab.Engine
	for _, r := range natively(t, handed.Scenario).Runs {
		handed.Lanes = append(handed.Lanes, class.LaneOf(&r))
	}
	body, err := json.Marshal(handed)
	if err != nil {
		t.Fatal(err)
	}
	ran := func() (n int) {
		if err := database(t, s).QueryRow(`SELECT count(*) FROM runs`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := ran()
	call("/entries", tokens[0], string(body))
	until := func(what string, is func() bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !is(); time.Sleep(asked) {
			if time.Now().After(end) {
				t.Fatalf("%s within a minute", what)
			}
		}
	}
	until("it is not run", func() bool { return ran() > before })
	call("/entries", tokens[1], string(body))
	until("it has no verdict", func() bool { return strings.Contains(l.export("attempts.csv"), class.Verified) })
}

// TestTheFreePlan: without a queue, a clock and a longer time the binding alone does what that plan can do.
func TestTheFreePlan(t *testing.T) {
	t.Parallel()
	s := ownEdge(t, "", "free")
	var health struct{ Runs string }
	ask(t, "GET", s.url+"/healthz", "").decode(t, &health)
	if health.Runs != "inline" {
		t.Errorf("runs are %s", health.Runs)
	}
	body := `{"scenario":` + small("the free plan", 840) + `,"policies":["hadar"]}`
	if kinds, got := runInline(t, s, body); len(got.Runs) != 1 || kinds["failure"] != 0 {
		t.Errorf("%v %+v", kinds, got)
	}
	if a := post(t, s.url+"/api/v1/sweeps", `{"scenario":`+small("the free plan", 840)+
		`,"vary":[{"path":"/scenario/round_s","values":[60,360]}]}`); a.status != http.StatusNotImplemented {
		t.Errorf("a sweep: %d %s", a.status, a.body)
	}
	post(t, s.url+"/api/v1/classes", beginClass).want(t, 201, "application/json")
	share(t, s, small("the free plan", 841))
}
