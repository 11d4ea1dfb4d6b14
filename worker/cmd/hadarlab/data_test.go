//go:build !js

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// servingIn is serving with a data folder of the test's.
func servingIn(t *testing.T, data string) (url string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- serveUntil(ctx, command{name: "serve"}, streams{nil, w, io.Discard},
			[]string{"--addr", "127.0.0.1:0", "--data", data, "--web", filepath.Join(t.TempDir(), "absent")})
	}()
	words := make([]byte, 400)
	n, err := r.Read(words)
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, r)
	port := strings.Fields(string(words[strings.LastIndexByte(string(words[:n]), ':')+1 : n]))[0]
	return "http://127.0.0.1:" + port, func() int { cancel(); return <-code }
}

// store shares a scenario of its own and returns its id.
func store(url string, n int) (string, error) {
	res, err := http.Post(url+"/api/v1/scenarios", "application/json",
		strings.NewReader(strings.Replace(crowd(1), `"steps":100000`, fmt.Sprintf(`"steps":%d`, n+1), 1)))
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var got struct{ ID string }
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil || res.StatusCode != http.StatusCreated {
		return "", fmt.Errorf("%s %v", res.Status, err)
	}
	return got.ID, nil
}

func listed(t *testing.T, data string) map[string]dataItem {
	t.Helper()
	code, out, errs := try("data", "list", "--format", "json", "--data", data)
	var items []dataItem
	if err := json.Unmarshal([]byte(out), &items); err != nil || code != exitOK {
		t.Fatalf("exit %d %s %v", code, errs, err)
	}
	m := map[string]dataItem{}
	for _, it := range items {
		m[it.Kind+" "+it.ID] = it
	}
	return m
}

// TestData walks through the life of a server's data while the server runs: what is listed, removed, copied and put
// back.
func TestData(t *testing.T) {
	data, copied := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "copy.db")
	url, stop := servingIn(t, data)
	var ids []string
	for i := range 5 {
		id, err := store(url, i)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if got := listed(t, data); len(got) != 5 || got["scenario "+ids[0]].Bytes < 100 ||
		got["scenario "+ids[4]].Time < "2020" {
		t.Errorf("listed %+v", got)
	}
	if code, out, errs := try("data", "list", "--data", data); code != exitOK ||
		strings.Count(out, "scenario  ") != 5 || !strings.Contains(out, "now") || errs != "" {
		t.Errorf("exit %d %s%s", code, out, errs)
	}
	if code, out, errs := try("data", "delete", "--data", data, strings.ToUpper(ids[0]),
		"no\nsuch"); code != exitUsage || !strings.Contains(out, "scenario removed") || strings.Count(errs, "\n") != 1 {
		t.Errorf("exit %d %s%s", code, out, errs)
	}
	res, err := http.Get(url + "/api/v1/scenarios/" + ids[0])
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusNotFound {
		t.Errorf("the server still shows what was removed: %s", res.Status)
	}

	// A copy made in the middle of writes holds all that was acknowledged before it began.
	var acknowledged, next atomic.Int64
	var writers sync.WaitGroup
	halt := make(chan struct{})
	began := make(chan struct{}, 1000)
	for range 4 {
		writers.Go(func() {
			for {
				select {
				case <-halt:
					return
				default:
				}
				if _, err := store(url, 100+int(next.Add(1))); err != nil {
					t.Error(err)
					return
				}
				acknowledged.Add(1)
				select {
				case began <- struct{}{}:
				default:
				}
			}
		})
	}
	for range 20 {
		<-began
	}
	before := acknowledged.Load()
	if code, _, errs := try("data", "backup", "--data", data, copied); code != exitOK {
		t.Fatalf("exit %d %s", code, errs)
	}
	close(halt)
	writers.Wait()
	if info, err := os.Stat(copied); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the copy: %v %v", info.Mode(), err)
	}
	if code, _, errs := try("data", "backup", "--data", data, copied); code != exitUsage ||
		!strings.Contains(errs, "is there already") {
		t.Errorf("over a file: exit %d %s", code, errs)
	}
	if code, _, errs := try("data", "restore", "--force", "--data", data, copied); code != exitUsage ||
		!strings.Contains(errs, "stop the server") {
		t.Errorf("under a running server: exit %d %s", code, errs)
	}
	if _, err := store(url, 99); err != nil {
		t.Errorf("after a restore that was refused: %v", err)
	}
	stop()

	if code, _, errs := try("data", "restore", "--data", data, copied); code != exitUsage ||
		!strings.Contains(errs, "--force") {
		t.Errorf("over data: exit %d %s", code, errs)
	}
	all := len(listed(t, data))
	if code, _, errs := try("data", "restore", "--data", data, "--force", copied); code != exitOK {
		t.Fatalf("exit %d %s", code, errs)
	}
	if got := listed(t, data); int64(len(got)) < 4+before || len(got) >= all || got["scenario "+ids[1]].ID == "" {
		t.Errorf("%d of %d items came back, at least %d were stored before", len(got), all, 4+before)
	}
	elsewhere := filepath.Join(t.TempDir(), "new")
	if code, _, errs := try("data", "restore", "--data", elsewhere, copied); code != exitOK {
		t.Fatalf("exit %d %s", code, errs)
	}
	url, stop = servingIn(t, elsewhere)
	if id, err := store(url, 1); err != nil || id != ids[1] {
		t.Errorf("a server on restored data: %s %v", id, err)
	}
	stop()
}

func TestDataRefuses(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	for _, tt := range []struct{ args, want string }{
		{"data", "choose list"},
		{"data fly", `"fly"`},
		{"data list extra", "no arguments"},
		{"data list --format xml", "--format"},
		{"data list --data " + empty, "there is no database"},
		{"data delete --data " + empty, "an id is needed"},
		{"data delete x --data " + empty, "there is no database"},
		{"data backup --data " + empty, "one file"},
		{"data backup x --data " + empty, "there is no database"},
		{"data restore --data " + empty, "one file"},
		{"data restore " + dir + "/none --data " + empty, "no such file"},
		{"data restore " + file(t, "x.db", strings.Repeat("not a database. ", 100)) + " --data " + empty,
			"not a database"},
	} {
		if code, out, errs := try(strings.Fields(tt.args)...); code != exitUsage || out != "" ||
			!strings.Contains(errs, tt.want) {
			t.Errorf("%s: exit %d %s%s", tt.args, code, out, errs)
		}
		if _, err := os.Stat(filepath.Join(empty, "hadarlab.db")); err == nil {
			t.Fatalf("%s made a database", tt.args)
		}
	}
}
