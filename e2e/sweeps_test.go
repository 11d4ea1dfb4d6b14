package e2e

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"hadarlab/core/trace"
)

// TestTraceOnBothServers: what a lane did can be read where it was run, through either database.
func TestTraceOnBothServers(t *testing.T) {
	doc := small("traces", 91)
	id := queueRun(t, `{"scenario":`+doc+`,"policies":["hadar","gavel"]}`)
	awaitRun(t, native(t), id, "done")
	_, got := runInline(t, edge(t), `{"scenario":`+doc+`,"policies":["hadar","gavel"]}`)
	for lane, path := range []string{"/api/v1/runs/" + id + "/trace/0", "/api/v1/runs/" + id + "/trace/1"} {
		n := ask(t, "GET", native(t).url+path, "").want(t, 200, "application/octet-stream")
		e := ask(t, "GET", edge(t).url+path, "").want(t, 200, "application/octet-stream")
		if !bytes.Equal(n.body, e.body) {
			t.Errorf("lane %d: %d bytes natively, %d at the edge", lane, len(n.body), len(e.body))
		}
		if tr, err := trace.Decode(e.body); err != nil || tr.Hash() != got.Runs[lane].TraceHash {
			t.Errorf("lane %d: %v, or not the hash of the result", lane, err)
		}
	}
	onBoth(t, func(t *testing.T, s *server) {
		ask(t, "GET", s.url+"/api/v1/runs/"+id+"/trace/2", "").problem(t, 404)
		ask(t, "GET", s.url+"/api/v1/runs/"+strings.Repeat("0", 26)+"/trace/0", "").problem(t, 404)
	})
}

// cli runs the command line on a document and returns what it prints, without layout.
func cli(t *testing.T, doc string, args ...string) string {
	t.Helper()
	cmd := exec.Command("../bin/hadarlab", append(args, "--format", "json", "-")...)
	cmd.Stdin = strings.NewReader(doc)
	out, err := cmd.Output()
	var flat bytes.Buffer
	if err := json.Compact(&flat, out); err != nil {
		t.Fatal(err, string(out))
	}
	if err != nil {
		t.Fatal(err)
	}
	return flat.String()
}

// submit asks a server for what body says and returns the path of it.
func submit(t *testing.T, s *server, path, body string) string {
	t.Helper()
	var got struct {
		ID    string
		Token string `json:"cancel_token"`
	}
	a := post(t, s.url+path, body).want(t, 202, "application/json")
	a.decode(t, &got)
	cancelTokens.Store(got.ID, got.Token)
	if got.ID == "" || got.Token == "" || a.header.Get("Location") != path+"/"+got.ID {
		t.Fatalf("got %s at %q", a.body, a.header.Get("Location"))
	}
	return a.header.Get("Location")
}

// TestSweepsOfTheServers: a pool and a message queue give, byte for byte, what the command line prints.
func TestSweepsOfTheServers(t *testing.T) {
	noisy := strings.Replace(small("replicates", 92), `"policies"`, `"knowledge":{"lengths":"noisy"},"policies"`, 1)
	const vary = `"vary":[{"path":"/scenario/round_s","values":[120,360]},` +
		`{"path":"/scenario/overheads/restart_s","values":[0,10,20]}]`
	for _, tt := range []struct{ path, body, want string }{
		{"/api/v1/runs", `{"scenario":` + noisy + `,"policies":["hadar","srtf"],"replicates":3}`,
			cli(t, noisy, "run", "--policy", "hadar,srtf", "--replicates", "3")},
		{"/api/v1/sweeps", `{"scenario":` + noisy + `,"policies":["hadar","srtf"],` + vary + `}`,
			cli(t, noisy, "sweep", "--policy", "hadar,srtf", "--vary", "/scenario/round_s=120,360",
				"--vary", "/scenario/overheads/restart_s=0,10,20")},
	} {
		onBoth(t, func(t *testing.T, s *server) {
			at := submit(t, s, tt.path, tt.body)
			first := readEvents(t, ask(t, "GET", s.url+at+"/events", "").want(t, 200, "text/event-stream").body)
			awaitPath(t, s, at, "done") // at the edge the stream ends before
			events := readEvents(t, ask(t, "GET", s.url+at+"/events", "").want(t, 200, "text/event-stream").body)
			result := ask(t, "GET", s.url+at+"/result", "").want(t, 200, "application/json")
			if strings.TrimSpace(string(result.body)) != tt.want || events[len(events)-1].data != tt.want ||
				first[0].name != "state" {
				t.Errorf("%s: %s\nthe command line prints\n%s", tt.path, result.body, tt.want)
			}
		})
	}
	onBoth(t, func(t *testing.T, s *server) {
		post(t, s.url+"/api/v1/runs", `{"scenario":`+small("no random part", 93)+`,"replicates":3}`).problem(t, 422)
		post(t, s.url+"/api/v1/sweeps", `{"scenario":`+small("nothing varied", 94)+`}`).problem(t, 422)
	})
}
