//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSecondServerIsRefused: with two real processes, and the lock of one that was killed holds nobody up.
func TestSecondServerIsRefused(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	first := startVictim(t, data)
	for _, args := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"serve", "--addr", first.url[len("http://"):]},
		{"data", "restore", "--force", copied(t, data)}} {
		second := exec.Command(os.Args[0], append(args, "--data", data)...)
		second.Env = append(os.Environ(), "HADARLAB_AS_PROGRAM=1")
		said, err := second.CombinedOutput()
		if err == nil || second.ProcessState.ExitCode() != exitUsage || bytes.Count(said, []byte("\n")) != 1 ||
			!strings.Contains(string(said), fmt.Sprintf("at %s, process %d, since 2", first.url[len("http://"):],
				first.Process.Pid)) {
			t.Errorf("%q: %v: %s", args, err, said)
		}
	}
	if _, err := store(first.url, 1); err != nil {
		t.Errorf("the first: %v", err)
	}
	first.kill()
	if _, err := store(startVictim(t, data).url, 2); err != nil {
		t.Errorf("after a kill: %v", err)
	}
}

func copied(t *testing.T, data string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy.db")
	if code, _, errs := try("data", "backup", "--data", data, to); code != exitOK {
		t.Fatalf("a copy beside a server: exit %d %s", code, errs)
	}
	return to
}

// TestDeletedClassLeavesNothing: a class that its teacher deletes is in no file of the folder soon after, while the
// server runs, and one that the command line deletes is so at once.
func TestDeletedClassLeavesNothing(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	server := startVictim(t, data)
	ask := func(method, path, token, body string, into any) {
		t.Helper()
		req, err := http.NewRequest(method, server.url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if res.StatusCode >= 300 || into != nil && json.NewDecoder(res.Body).Decode(into) != nil {
			t.Fatalf("%s %s: %s", method, path, res.Status)
		}
	}
	lesson := func(sentence string) (code, key string) {
		var c struct{ Code, Key string }
		ask("POST", "/api/v1/classes", "", `{"assignment":"hadar-vs-gavel"}`, &c)
		var s struct{ Token string }
		ask("POST", "/api/v1/classes/"+c.Code+"/students", "", `{}`, &s)
		ask("PATCH", "/api/v1/classes/"+c.Code, c.Key, `{"phase":"predict"}`, nil)
		ask("POST", "/api/v1/classes/"+c.Code+"/entries", s.Token,
			`{"kind":"answers","answers":{"sooner":{"option":"hadar","sure":4},"by":{"option":"10-30","sure":2}}}`, nil)
		ask("PATCH", "/api/v1/classes/"+c.Code, c.Key, `{"phase":"run"}`, nil)
		ask("POST", "/api/v1/classes/"+c.Code+"/entries", s.Token, `{"kind":"sentence","text":"`+sentence+`"}`, nil)
		return c.Code, c.Key
	}
	stands := func(text string) (files []string) {
		all, err := filepath.Glob(filepath.Join(data, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			if b, err := os.ReadFile(f); err == nil && bytes.Contains(b, []byte(text)) {
				files = append(files, filepath.Base(f))
			}
		}
		return files
	}
	const one, other = "the first class said this", "and this the second"
	code, key := lesson(one)
	second, _ := lesson(other)
	if stands(one) == nil || stands(other) == nil {
		t.Fatal("what was said is nowhere: the test shows nothing")
	}
	ask("DELETE", "/api/v1/classes/"+code, key, "", nil)
	for soon := time.Now().Add(time.Minute); stands(one) != nil; {
		if time.Now().After(soon) {
			t.Fatalf("after a minute it stands in %q", stands(one))
		}
		ask("GET", "/healthz", "", "", nil)
	}
	if code, _, errs := try("data", "delete", "--data", data, second); code != exitOK {
		t.Fatalf("exit %d %s", code, errs)
	}
	if files := stands(other); files != nil {
		t.Errorf("what the command line has deleted stands in %q", files)
	}
}
