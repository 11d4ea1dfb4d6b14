//go:build !js

package main

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hadarlab/worker/sqlite"
)

// victim is a server in a process of its own.
type victim struct {
	*exec.Cmd
	url string
}

func startVictim(t *testing.T, data string) *victim {
	t.Helper()
	v := &victim{Cmd: exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0", "--data", data, "--web",
		filepath.Join(data, "..", "absent"))}
	v.Env = append(os.Environ(), "HADARLAB_AS_PROGRAM=1")
	v.Stderr = os.Stderr
	out, err := v.StdoutPipe()
	if err == nil {
		err = v.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	_, port, ok := strings.Cut(strings.TrimSpace(line), "localhost:")
	if err != nil || !ok {
		t.Fatalf("it announced %q, %v", line, err)
	}
	v.url = "http://127.0.0.1:" + port
	return v
}

// kill ends it as a power cut would, but for the disk's cache.
func (v *victim) kill() {
	_ = v.Process.Kill()
	_ = v.Wait()
}

const crashDoc = `{"kind":"scenario","version":1,"scenario":{"seed":%d,"round_s":1,"cluster":{"nodes":[{"id":"n","rack":"r","gpus":{"v100":1}}]},
"throughputs":{"rows":[{"model":"m","batch":1,"per_gpu":{"v100":1}}]},"jobs":[{"id":"a","model":"m","batch":1,"arrival_s":0,"gpus":1,"steps":3000},
{"id":"b","model":"m","batch":1,"arrival_s":0,"gpus":1,"steps":3000}],"policies":[{"id":"hadar"}]}}`

// TestNothingIsLostWhenTheServerIsKilled kills it ten times while clients store and ask for runs. Whatever was
// acknowledged is there afterwards, and every run that was accepted ends, once, with its result.
func TestNothingIsLostWhenTheServerIsKilled(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	var mu sync.Mutex
	stored, accepted, seed := []string{}, []string{}, 0
	post := func(url, path, body string, status int, into *[]string) (goes bool) {
		res, err := client.Post(url+path, "application/json", strings.NewReader(body))
		if err != nil {
			return false
		}
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		if err != nil {
			return false
		}
		var got struct{ ID string }
		if res.StatusCode != status || json.Unmarshal(b, &got) != nil || got.ID == "" {
			t.Errorf("%s: %d %s", path, res.StatusCode, b)
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		*into = append(*into, got.ID)
		return true
	}
	for range 10 {
		v := startVictim(t, data)
		mu.Lock()
		enough := len(accepted) + 6
		mu.Unlock()
		reached := make(chan bool, 8)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for {
					mu.Lock()
					seed++
					doc := fmt.Sprintf(crashDoc, seed)
					if len(accepted) >= enough {
						select {
						case reached <- true:
						default:
						}
					}
					mu.Unlock()
					if !post(v.url, "/api/v1/scenarios", doc, http.StatusCreated, &stored) ||
						!post(v.url, "/api/v1/runs", `{"scenario":`+doc+`}`, http.StatusAccepted, &accepted) {
						return
					}
				}
			})
		}
		<-reached // in the middle of writes and of runs
		v.kill()
		wg.Wait()
	}
	v := startVictim(t, data)
	get := func(path string, into any) int {
		res, err := client.Get(v.url + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		_ = json.NewDecoder(res.Body).Decode(into)
		return res.StatusCode
	}
	for _, id := range stored {
		var doc any
		if status := get("/api/v1/scenarios/"+id, &doc); status != 200 {
			t.Errorf("scenario %s of %d is lost: %d", id, len(stored), status)
		}
	}
	for _, id := range accepted {
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
			var s struct{ State string }
			status := get("/api/v1/runs/"+id, &s)
			if s.State == "done" {
				break
			}
			if status != 200 || s.State != "queued" && s.State != "running" || time.Now().After(deadline) {
				t.Fatalf("run %s of %d is %d %q", id, len(accepted), status, s.State)
			}
		}
		var result struct{ Runs []any }
		if status := get("/api/v1/runs/"+id+"/result", &result); status != 200 || len(result.Runs) != 1 {
			t.Errorf("result of %s: %d %+v", id, status, result)
		}
	}
	v.kill()
	db, err := sqlite.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, id := range accepted {
		var state string
		if err := db.QueryRow(`SELECT state FROM work WHERE id = ?`, id).Scan(&state); err != nil || state != "done" {
			t.Errorf("%s ended as %q, %v", id, state, err)
		}
	}
	var restarted sql.NullInt64
	if err := db.QueryRow(`SELECT count(*) FROM work WHERE attempts > 1`).Scan(&restarted); err != nil ||
		restarted.Int64 == 0 {
		t.Errorf("no run was under way when its server was killed (%v): the test shows nothing", err)
	}
	t.Logf("%d scenarios stored, %d runs accepted, %d of them begun more than once", len(stored), len(accepted),
		restarted.Int64)
}
