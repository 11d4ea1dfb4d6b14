package e2e

import (
	"bufio"
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hadarlab/core/lab"
	"hadarlab/worker/sqlite"
)

// TestAClassOfAnEarlierVersion is told as one, on the board and to a student, and begins afresh.
func TestAClassOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	native(t) // its program is what is started here
	dir := t.TempDir()
	var then struct {
		Class    struct{ Code, Key string }
		Students []string
	}
	text, err := os.ReadFile("../worker/testdata/upgrade/8906d61.json")
	if err == nil {
		err = json.Unmarshal(text, &then)
	}
	if err != nil {
		t.Fatal(err)
	}
	dumped(t, "../worker/testdata/upgrade/8906d61.sql.gz", filepath.Join(dir, sqlite.File))
	s := &server{name: "upgraded"}
	if err := s.launch(exec.Command(filepath.Join(scratch, "hadarlab"), "serve", "--addr", "127.0.0.1:0", "--data", dir,
		"--web", filepath.Join(root, "build/web"))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	if err := s.announces(); err != nil {
		t.Fatalf("%v\n%s", err, s.log.String())
	}

	p := newKeepingPage(t)
	p.open(s.url + "/#board=" + then.Class.Code + "." + then.Class.Key)
	p.see(test("class-old"))
	p.shots("class-old")
	p.click(test("class-afresh"))
	p.until(`location.hash.startsWith("#board=") && !location.hash.includes("` + then.Class.Code + `") &&
		document.querySelector("[data-test=board]")?.dataset.state === "ready" &&
		!document.querySelector("[data-test=class-old]")`)

	p = newKeepingPage(t)
	p.open(s.url + "/healthz")
	eval[bool](p, fmt.Sprintf(`localStorage.setItem("hadarlab.class", JSON.stringify({code: %q, token: %q, n: 3,
		name: "x"})) || true`, then.Class.Code, then.Students[2]))
	p.open(s.url + "/#class=" + then.Class.Code)
	p.see(test("class-strip") + " " + test("class-old"))
	p.shots("class-old-strip")
}

// dumped makes a database of a packed dump.
func dumped(t *testing.T, dump, path string) {
	t.Helper()
	f, err := os.Open(dump)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	statements, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), string(statements)); err != nil {
		t.Fatal(err)
	}
	// A server deletes a class after some months, and this one has to last.
	if _, err := db.ExecContext(t.Context(), `UPDATE classes SET created_ms = ?`, time.Now().UnixMilli()); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// upgradable is a server that is upgraded while pages of it are open: from then on its answers name another version,
// and its service worker is another one. It notes what it could not answer.
type upgradable struct {
	*httptest.Server
	upgraded atomic.Bool
	mu       sync.Mutex
	failed   []string
	asked    map[string]int // by path, from then on
}

const laterVersion = "9.0.0"

func newUpgradable(t *testing.T, of *server) *upgradable {
	u := &upgradable{asked: map[string]int{}}
	target, err := url.Parse(of.url)
	if err != nil {
		t.Fatal(err)
	}
	names := strings.NewReplacer(`"engine":"`+lab.Engine+`"`, `"engine":"`+laterVersion+`"`)
	u.Server = httptest.NewServer(&httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			for _, name := range []string{"Accept-Encoding", "If-None-Match"} { // the answer is read here
				r.Out.Header.Del(name)
			}
		},
		ModifyResponse: func(r *http.Response) error {
			if !u.upgraded.Load() {
				return nil
			}
			path := r.Request.URL.Path
			u.mu.Lock()
			u.asked[path]++
			if r.StatusCode >= 400 {
				u.failed = append(u.failed, fmt.Sprint(r.Request.Method, " ", path, " ", r.StatusCode))
			}
			u.mu.Unlock()
			if path != "/sw.js" && path != "/healthz" && !strings.HasPrefix(path, "/api/") ||
				strings.Contains(path, "/trace/") {
				return nil
			}
			r.Header.Del("Content-Length")
			r.ContentLength = -1
			in, read := r.Body, bufio.NewReader(r.Body)
			out, written := io.Pipe()
			r.Body = out
			go func() {
				defer in.Close()
				if path == "/sw.js" {
					_, _ = io.WriteString(written, "// of a later version\n")
				}
				for {
					line, err := read.ReadString('\n')
					if _, gone := names.WriteString(written, line); gone != nil || err != nil {
						written.CloseWithError(err)
						return
					}
				}
			}()
			return nil
		},
	})
	t.Cleanup(u.Close)
	return u
}

// TestAnOldPageMeetsANewServer: a page that is open, and kept, while its server becomes another version goes on: what
// it asks is answered, its files are those that it had. What a run on the server would give is not mixed in; it says
// once that there is a new version, and becomes that as a whole when its reader says so.
//
// The old page is today's, and the new server today's under another name. Untested is the program of a release before
// against this server: no build of a page is kept. What its requests rely on is, since e2e/released has those of every
// release; its files and its service worker are not. Untested here, too, is a run that waits while the server is
// upgraded (worker.TestUpgrade has it without a page): the page says engine-changed, and does not follow its next.
func TestAnOldPageMeetsANewServer(t *testing.T) {
	t.Parallel()
	u := newUpgradable(t, native(t))
	p := newKeepingPage(t)
	p.open(u.URL + "/")
	p.ready()
	p.until("navigator.serviceWorker.ready.then(r => !!r.active)")
	p.reload() // from what is kept
	p.ready()
	p.applyJSON(large(`[{"id":"las"},{"id":"hadar"}]`)) // seconds in the page
	p.see(test("run-on-server"))                        // it has asked the server, which was as it is
	u.upgraded.Store(true)
	bar := func(what string, seen bool) {
		t.Helper()
		if got := eval[bool](p, `!document.getElementById("update").hidden`); got != seen {
			t.Errorf("%s the page says that there is a new version: %v", what, got)
		}
	}
	bar("before it could know", false)
	p.sendToServer()
	p.see(test("server-problem"))
	want := "The server has version " + laterVersion + " now, and this page is version " + lab.Engine + "."
	if got := p.text(test("server-problem")); !strings.Contains(got, want) {
		t.Errorf("the page says %q, want %q", got, want)
	}
	p.until(`!document.getElementById("update").hidden`)
	p.shots("new-version")
	p.click("#update-later")
	p.click(test("run-here"))
	p.applyJSON(string(preset(t, 0)))
	p.ready()
	p.click(test("share-link"))
	p.click(test("share-make-short")) // it can still store
	p.see(test("share-short"))
	bar("once more", false)

	p.open(u.URL + "/docs/teach") // kept, too
	p.open(u.URL + "/")
	p.ready()
	p.see(test("update"))
	eval[string](p, "document.documentElement.dataset.old = 'true'")
	p.click(test("update-now"))
	p.see("html:not([data-old])")
	p.ready()
	p.until("navigator.serviceWorker.ready.then(r => !!r.active && !r.waiting)")
	bar("the new page", false)
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.failed) > 0 {
		t.Errorf("the new server refused the old page %q", u.failed)
	}
	if u.asked["/sw.js"] == 0 || u.asked["/api/v1/runs"] != 1 || u.asked["/api/v1/scenarios"] == 0 {
		t.Errorf("it was asked for %v", u.asked)
	}
}

// TestAnOldPageWithoutServiceWorker: where a browser keeps no page, as over plain http in a school, the page offers to
// load the new one, once.
func TestAnOldPageWithoutServiceWorker(t *testing.T) {
	t.Parallel()
	u := newUpgradable(t, native(t))
	p := newPage(t)
	p.first(`Object.defineProperty(Navigator.prototype, "serviceWorker", {get: () => undefined})`)
	p.open(u.URL + "/")
	p.ready()
	u.upgraded.Store(true)
	if eval[bool](p, `!document.getElementById("update").hidden`) {
		t.Error("it says so before it could know")
	}
	p.applyJSON(large(`[{"id":"las"},{"id":"hadar"}]`)) // which has it ask for the server
	p.until(`!document.getElementById("update").hidden`)
	p.click("#update-later")
	if eval[bool](p, `window.hadarlab.newer(), !document.getElementById("update").hidden`) {
		t.Error("it says so again")
	}
	eval[string](p, "document.documentElement.dataset.old = 'true'")
	eval[bool](p, `document.getElementById("update").hidden = false, true`)
	p.click(test("update-now"))
	p.see("html:not([data-old])")
}
