//go:build !js

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"hadarlab/scenarios"
)

// TestServeBeginsAClass: what it prints is all that a teacher and students need; it goes on after a restart; and a lost
// key is renewed on the machine.
func TestServeBeginsAClass(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	start := func(what string) (out string) {
		var b bytes.Buffer
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		code := serveUntil(ctx, command{name: "serve"}, streams{strings.NewReader(""), &announced{&b, stop},
			io.Discard}, []string{"--class", what,
			"--addr", "127.0.0.1:0", "--host", "class.test", "--data", data, "--web", filepath.Join(t.TempDir(),
				"absent")})
		if code != exitOK {
			t.Fatalf("it ended with %d: %s", code, b.String())
		}
		return b.String()
	}
	first := start("hadar-vs-gavel")
	m := regexp.MustCompile(`(?s)Code:  ([0-9A-Z]{8})\nStudents open http://class.test:\d+/join .*█.*http://localhost:\d+/#board=([0-9a-z]{8})\.[0-9a-z]{26}\n`).
		FindStringSubmatch(first)
	if m == nil || strings.ToLower(m[1]) != m[2] {
		t.Fatalf("it printed %s", first)
	}
	again := start("hadar-vs-gavel")
	if !strings.Contains(again, m[1]) || strings.Contains(again, "#board=") || !strings.Contains(again,
		"--new-key "+m[2]) {
		t.Errorf("the second time it printed %s", again)
	}
	if other := start("known-lengths"); strings.Contains(other, m[1]) || !strings.Contains(other, "#board=") {
		t.Errorf("on another assignment it printed %s", other)
	}
	if code, out, errs := try("data", "class", "--data", data); code != exitOK || !strings.Contains(out, m[2]) ||
		!regexp.MustCompile(m[2]+` +0 +lobby +now +23 h +Hadar against Gavel`).MatchString(out) { // nobody has joined it
		t.Errorf("the classes: %d %s %s", code, out, errs)
	}
	if code, out, _ := try("data", "class", "--data", data, "--new-key", m[1]); code != exitOK ||
		!strings.Contains(out, "/#board="+m[2]+".") {
		t.Errorf("a new key: %d %s", code, out)
	}
	if code, _, errs := try("data", "class", "--data", data, "--new-key", "nonesuch"); code != exitFailed ||
		!strings.Contains(errs, "no class") {
		t.Errorf("a new key for none: %d %s", code, errs)
	}
	if code, _, errs := try("serve", "--class", "no-such"); code != exitUsage || !strings.Contains(errs,
		"known-lengths") {
		t.Errorf("no such assignment: %d %s", code, errs)
	}
}

// TestServeBeginsAHomework: its hours are printed, a restart goes on with it, whatever the hours then, beside a class
// that is led; and hours that cannot be are refused by the flag that named them.
func TestServeBeginsAHomework(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	start := func(flags ...string) (out, errs string, code int) {
		var b, e bytes.Buffer
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		std := streams{strings.NewReader(""), &announced{&b, stop}, &e}
		code = serveUntil(ctx, command{name: "serve"}, std, append(flags, "--addr", "127.0.0.1:0", "--data", data,
			"--web", filepath.Join(t.TempDir(), "absent")))
		return b.String(), e.String(), code
	}
	at := func(d time.Duration) string { return time.Now().Add(d).Format(clockTime) }
	opens, closes := at(time.Hour), at(50*time.Hour)
	const named = "hadar-vs-gavel"
	first, errs, code := start("--class", named, "--opens", opens, "--closes", closes)
	if code != exitOK || !strings.Contains(first, "It opens "+opens+" and closes "+closes) ||
		!strings.Contains(first, "#board=") {
		t.Fatalf("it ended with %d and %s, and printed %s", code, errs, first)
	}
	for _, again := range []string{closes, at(-time.Hour)} {
		out, errs, code := start("--class", named, "--closes", again)
		if code != exitOK || strings.Contains(out, "#board=") || !strings.Contains(out, "closes "+closes) {
			t.Errorf("started again it ended with %d and %s, and printed %s", code, errs, out)
		}
	}
	if out, errs, _ := start("--class", named); !strings.Contains(out, "#board=") || strings.Contains(out, "opens") {
		t.Errorf("beside the homework it printed %s, %s", out, errs)
	}
	for flags, want := range map[string]string{"--closes 2026-12-01T14:00": "with --class",
		"--class known-lengths --opens " + opens:                                    "--closes",
		"--class known-lengths --closes soon":                                       "2026-12-01T14:00",
		"--class known-lengths --closes " + at(-time.Hour):                          "--closes: it closes before",
		"--class known-lengths --opens " + closes + " --closes " + opens:            "--closes: it closes before",
		"--class known-lengths --closes " + at(29*24*time.Hour):                     "28 days",
		"--class known-lengths --opens " + at(700*time.Hour) + " --closes " + at(1): "--opens: it opens more than",
	} {
		if _, errs, code := start(strings.Fields(flags)...); code == exitOK || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", flags, code, errs)
		}
	}
}

// TestServeTellsNearEdges: an own assignment is begun, and its author told which edge of its answers is too near.
func TestServeTellsNearEdges(t *testing.T) {
	dir := t.TempDir()
	doc, _ := scenarios.Assignment("hadar-vs-gavel")
	own := filepath.Join(dir, "own.json")
	doc = bytes.ReplaceAll(bytes.Replace(doc, []byte(`"hadar-vs-gavel"`), []byte(`"own"`), 1), []byte(": 40}"),
		[]byte(": 30}"))
	if err := os.WriteFile(own, doc, 0o600); err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]int{own: 2, "hadar-vs-gavel": 0} {
		var b, errs bytes.Buffer
		ctx, stop := context.WithCancel(t.Context())
		code := serveUntil(ctx, command{name: "serve"}, streams{strings.NewReader(""), &announced{&b, stop}, &errs},
			[]string{"--class", what, "--addr", "127.0.0.1:0", "--data", filepath.Join(dir, "data"+strconv.Itoa(want)),
				"--web", filepath.Join(dir, "absent")})
		stop()
		if n := strings.Count(errs.String(), "warning: the two differ by 25.2 or 33.7 %"); code != exitOK || n != want ||
			!strings.Contains(b.String(), "Code:") {
			t.Errorf("%s: %d edges are told, want %d: %s", what, n, want, errs.String())
		}
	}
}

func TestJoins(t *testing.T) {
	at := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}
	if got := joins(at, []string{"class.test"}, ""); !slices.Equal(got, []string{"http://class.test:80",
		"http://localhost:80"}) {
		t.Errorf("on loopback: %q", got)
	}
	at.IP = net.IPv4(192, 0, 2, 1)
	if got := joins(at, []string{"lab.school"}, "/lab"); !slices.Equal(got, []string{"http://192.0.2.1:80/lab",
		"http://lab.school:80/lab"}) || here(got) != "http://localhost:80/lab" {
		t.Errorf("on a network: %q, here %q", got, here(got))
	}
}

// lessonOf is a class on a server that is killed and started again, and what it has acknowledged.
type lessonOf struct {
	t      *testing.T
	path   string // of the class
	key    string
	mu     sync.Mutex
	url    string
	tokens []string
	hashes []string
}

// ask sends a request and gives its answer, or status 0 when the server is gone. Without a status in wanted it is a
// fault.
func (l *lessonOf) ask(token, method, path, body string, wanted int) (answer map[string]any, text string) {
	req, err := http.NewRequest(method, l.url+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		return nil, ""
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, "" // cut off: nothing is acknowledged
	}
	if res.StatusCode != wanted {
		l.t.Errorf("%s %s: %d %s", method, path, res.StatusCode, b)
	}
	_ = json.Unmarshal(b, &answer)
	return answer, string(b)
}

// attend lets one student join, answer and say why, and notes what is acknowledged; false when the server is gone.
func (l *lessonOf) attend(n int) bool {
	joined, _ := l.ask("", "POST", l.path+"/students", "{}", 201)
	if joined == nil {
		return false
	}
	token := joined["token"].(string)
	l.mu.Lock()
	l.tokens = append(l.tokens, token)
	l.mu.Unlock()
	for _, body := range []string{
		`{"kind":"answers","answers":{"sooner":{"option":"hadar","sure":5},"by":{"option":"10-30","sure":2}}}`,
		fmt.Sprintf(`{"kind":"sentence","text":"because of %d"}`, n)} {
		e, _ := l.ask(token, "POST", l.path+"/entries", body, 201)
		if e == nil {
			return false
		}
		l.mu.Lock()
		l.hashes = append(l.hashes, e["hash"].(string))
		l.mu.Unlock()
	}
	return true
}

// TestNoAnswerIsLostWhenTheServerIsKilled kills the server ten times in a lesson. What was acknowledged is there
// afterwards, and students and teacher go on with the tokens they have.
func TestNoAnswerIsLostWhenTheServerIsKilled(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	l := &lessonOf{t: t}
	for range 10 {
		v := startVictim(t, data)
		l.url = v.url
		if l.key == "" {
			c, _ := l.ask("", "POST", "/api/v1/classes", `{"assignment":"hadar-vs-gavel"}`, 201)
			l.path, l.key = "/api/v1/classes/"+c["code"].(string), c["key"].(string)
			l.ask(l.key, "PATCH", l.path, `{"phase":"run"}`, 200)
		}
		enough := len(l.hashes) + 20
		reached := make(chan bool, 4)
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				for n := 0; l.attend(100*i + n); n++ {
					l.mu.Lock()
					there := len(l.hashes) >= enough
					l.mu.Unlock()
					if there {
						select {
						case reached <- true:
						default:
						}
					}
				}
			})
		}
		<-reached // in the middle of writes
		v.kill()
		all.Wait()
	}
	v := startVictim(t, data)
	l.url = v.url
	_, record := l.ask(l.key, "GET", l.path+"/record.json", "", 200)
	for _, hash := range l.hashes {
		if !strings.Contains(record, hash) {
			t.Errorf("%s of %d entries is lost", hash, len(l.hashes))
		}
	}
	for _, token := range l.tokens {
		l.ask(token, "GET", l.path+"/me", "", 200)
	}
	t.Logf("%d students, %d entries were acknowledged", len(l.tokens), len(l.hashes))
}
