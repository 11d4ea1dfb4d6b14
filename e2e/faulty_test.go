package e2e

import (
	"encoding/json"
	"testing"
	"time"
)

// fault is what becomes of statements of which match is a part, or of answers to a path,
// so many times: see faulty/simulator.mjs.
type fault struct {
	Match string `json:"match,omitempty"`
	Path  string `json:"path,omitempty"`
	Fate  string `json:"fate"`
	Ms    int    `json:"ms,omitempty"`
	Times int    `json:"times"`
}

// meets sets what statements of the edge's database meet from now on, and says how many of those before were met.
func meets(t *testing.T, s *server, faults ...fault) (left int) {
	t.Helper()
	if faults == nil {
		faults = []fault{}
	}
	b, err := json.Marshal(faults)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Left int }
	post(t, s.url+"/faults", string(b)).want(t, 200, "application/json").decode(t, &got)
	return got.Left
}

// TestTheEdgesDatabaseFails: in the local runtime, over a D1 that refuses statements, loses answers or is late, nothing
// acknowledged is lost, nothing is done twice, and what could not be taken is told as that and taken when sent again.
func TestTheEdgesDatabaseFails(t *testing.T) {
	t.Parallel()
	s := ownEdge(t, "e2e/faulty", "")
	const enters, takes, keeps = "INSERT INTO work", "SET state = 'running'", "INTO runs (id"
	body := func(seed int) string {
		return `{"scenario":` + small("a database that fails", seed) + `,"policies":["hadar","srtf"]}`
	}
	for i, tt := range []struct {
		name  string
		fault fault
		shown bool // whoever asks is told
	}{
		{"what is to be queued is refused", fault{Match: enters, Fate: "fails", Times: 1}, true},
		{"it is queued, and the answer lost", fault{Match: enters, Fate: "lost", Times: 1}, true},
		{"it is queued late", fault{Match: enters, Fate: "late", Ms: 2000, Times: 1}, false},
		{"it cannot be taken up", fault{Match: takes, Fate: "fails", Times: 1}, false},
		{"it is taken up, and the answer lost", fault{Match: takes, Fate: "lost", Times: 1}, false},
		{"the result cannot be kept", fault{Match: keeps, Fate: "fails", Times: 1}, false},
		{"the result is kept, and the answer lost", fault{Match: keeps, Fate: "lost", Times: 1}, false},
		{"every statement is late", fault{Match: " ", Fate: "late", Ms: 150, Times: 60}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			request := body(700 + i)
			meets(t, s, tt.fault)
			a := post(t, s.url+"/api/v1/runs", request)
			if a.status >= 500 != tt.shown {
				t.Fatalf("it is answered by %d: %s", a.status, a.body)
			}
			if tt.shown {
				a = post(t, s.url+"/api/v1/runs", request) // again, as it asks for
			}
			var run struct{ ID string }
			a.want(t, 202, "application/json").decode(t, &run)
			// A message that failed comes again after half a minute, work that is held by nobody after its lease.
			state := ""
			for end := time.Now().Add(4 * time.Minute); state != "done" && time.Now().Before(end); time.Sleep(asked) {
				var got struct{ State string }
				at := ask(t, "GET", s.url+"/api/v1/runs/"+run.ID, "")
				if at.status >= 500 { // it is late, or was this statement
					continue
				}
				at.want(t, 200, "application/json").decode(t, &got)
				if state = got.State; state == "failed" || state == "cancelled" {
					t.Fatalf("it is %s: %s", state, at.body)
				}
			}
			if state != "done" {
				t.Fatalf("it is still %s", state)
			}
			if left := meets(t, s); left == tt.fault.Times {
				t.Error("no statement has met its fault")
			}
			got := ask(t, "GET", s.url+"/api/v1/runs/"+run.ID+"/result", "").want(t, 200, "application/json")
			want := submit(t, native(t), "/api/v1/runs", request)
			awaitPath(t, native(t), want, "done")
			if string(got.body) != string(ask(t, "GET", native(t).url+want+"/result", "").body) {
				t.Error("the result is not that of the native server")
			}
		})
	}
}
