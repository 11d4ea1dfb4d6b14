package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/wasm/webdir"
	"hadarlab/wasm/webdir/compress"
)

// site is a folder of published files with a server of its own, which can be stopped and started again at
// the same address.
type site struct {
	*server
	web  string
	port int
}

func newSite(t *testing.T) *site {
	t.Helper()
	native(t) // builds the program
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	s := &site{server: &server{name: "site", url: fmt.Sprintf("http://127.0.0.1:%d", port), data: t.TempDir()},
		web: t.TempDir(), port: port}
	t.Cleanup(s.stop)
	return s
}

// publish fills the folder as the build does, with a page that has another title.
func (s *site) publish(t *testing.T, title string) {
	t.Helper()
	files := built(t)
	files["index.html"] = bytes.Replace(files["index.html"], []byte("<title>"), []byte("<title>"+title+" "), 1)
	variants := compress.Compressor{Cache: filepath.Join(scratch, "variants")}
	if err := webdir.Fill(s.web, files, variants.All); err != nil {
		t.Fatal(err)
	}
}

func (s *site) up(t *testing.T) {
	t.Helper()
	err := s.launch(exec.Command(filepath.Join(scratch, "hadarlab"), "serve", "--addr",
		fmt.Sprintf("127.0.0.1:%d", s.port), "--data", s.data, "--web", s.web))
	if err == nil {
		err = s.await(s.healthy)
	}
	if err != nil {
		t.Fatalf("the server did not start: %v\n%s", err, s.log.String())
	}
}

// TestPageWithoutNetwork: the page lives and runs when the server is gone, says when a new version is ready,
// changes to it as a whole, and takes up no version whose files do not belong together.
func TestPageWithoutNetwork(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.publish(t, "One")
	s.up(t)
	p := newKeepingPage(t)
	p.allow("ERR_CONNECTION_REFUSED|Failed to update a ServiceWorker|error occurred when fetching the script")
	p.open(s.url + "/")
	p.ready()
	kept := func() { t.Helper(); p.until("navigator.serviceWorker.ready.then(r => !!r.active)") }
	kept()
	hash := p.hash("hadar")
	p.click(test("share-link"))
	p.see(test("share-copy"))
	link := p.input(test("share-link"))

	s.stop()
	p.reload()
	p.ready()
	if p.hash("hadar") != hash {
		t.Error("without a server the page gives another trace")
	}
	p.fill(test("editor-job-gpus", "job", "j4"), "3")
	edited := p.settles("hadar", hash)
	p.open(link)
	p.ready()
	p.open(s.url + "/docs/teach")
	if p.count(".card") == 0 {
		t.Error("the manual is not kept")
	}

	s.publish(t, "Two")
	s.up(t)
	p.open(s.url + "/")
	p.ready()
	if title := eval[string](p, "document.title"); !strings.HasPrefix(title, "One") {
		t.Errorf("before the reader agreed the page is %q", title)
	}
	before := p.hash("hadar")
	p.see(test("update"))
	eval[string](p, "document.documentElement.dataset.old = 'true'")
	p.click(test("update-now"))
	p.see("html:not([data-old])")
	p.ready()
	if title := eval[string](p, "document.title"); !strings.HasPrefix(title, "Two") {
		t.Errorf("after the reader agreed the page is %q", title)
	}
	if got := p.hash("hadar"); got != before || got == "" || edited == "" {
		t.Errorf("the new version has the trace %s, the old one had %s", got, before)
	}
	if n := eval[int](p, "caches.keys().then(k => k.length)"); n != 1 {
		t.Errorf("%d versions are kept", n)
	}

	// A deployment in progress: the service worker names files that are not there yet.
	s.publish(t, "Three")
	if err := os.WriteFile(filepath.Join(s.web, "web/page.js"), []byte("throw new Error('of another version')"),
		0o644); err != nil {
		t.Fatal(err)
	}
	p.allow("of another version|integrity|digest")
	eval[bool](
		p,
		"navigator.serviceWorker.ready.then(r => r.update()).then(r => new Promise(done => { const w = r.installing; if (!w) done(true); else w.onstatechange = () => { if (w.state === 'redundant' || w.state === 'installed') done(true); }; }))")
	p.reload()
	p.ready()
	if title := eval[string](p, "document.title"); !strings.HasPrefix(title, "Two") ||
		eval[bool](p, "navigator.serviceWorker.ready.then(r => !!r.waiting)") {
		t.Errorf("a mixture of versions was taken up: the page is %q", title)
	}
}

// TestPageIsKeptFromBothServers: each serves every file under the address that the service worker asks for.
func TestPageIsKeptFromBothServers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *server) {
		if a := ask(t, "GET", s.url+"/sw.js", "").want(t, 200,
			"text/javascript"); strings.Contains(a.header.Get("Cache-Control"), "immutable") {
			t.Errorf("the service worker is cached: %q", a.header.Get("Cache-Control"))
		}
		p := newKeepingPage(t)
		p.open(s.url + "/")
		p.until("navigator.serviceWorker.ready.then(r => !!r.active)")
	})
}

// TestServiceWorkerLeavesTheServerItsOwn: with the page kept, a stored scenario's file and picture and what it changes
// of another still come from the server, fetched or navigated to; its links open in the page.
func TestServiceWorkerLeavesTheServerItsOwn(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *server) {
		link, other := shareLink(t, s, small("Kept aside", 91)), shareLink(t, s, small("Other", 92))
		id, _, _ := strings.Cut(link, "-")
		p := newKeepingPage(t)
		p.open(s.url + "/")
		p.until("navigator.serviceWorker.ready.then(r => !!r.active)")
		p.reload()
		p.until("!!navigator.serviceWorker.controller")
		own := map[string]struct{ kind, holds string }{
			"/s/" + link + ".json":                  {"application/json", "Kept aside"},
			"/s/" + id + ".json":                    {"application/json", `"seed":91`},
			"/s/" + strings.ToUpper(link) + ".json": {"application/json", "Kept aside"},
			"/s/" + link + ".svg":                   {"image/svg+xml", "Kept aside"},
			"/s/" + id + "/diff/" + other:           {"application/json", "seed"},
			"/api/v1/scenarios/" + link:             {"application/json", "Kept aside"},
		}
		for path, c := range own { // all from the page: a picture's own policy lets it fetch nothing
			if got := eval[string](p,
				fmt.Sprintf(
					"fetch(%q).then(async r => r.status + ' ' + r.headers.get('Content-Type') + ' ' + await r.text())",
					path)); !strings.HasPrefix(got, "200 "+c.kind) || !strings.Contains(got, c.holds) {
				t.Errorf("%s is fetched as %.300s", path, got)
			}
		}
		for path, c := range own {
			p.open(s.url + path)
			if got := eval[string](p,
				"document.contentType + ' ' + document.documentElement.outerHTML"); !strings.HasPrefix(got, c.kind) ||
				!strings.Contains(got, c.holds) {
				t.Errorf("%s is shown as %.300s", path, got)
			}
		}
		for _, path := range []string{"/s/" + link, "/s/" + strings.ToUpper(link), "/s/" + link + "%23v=c0.kqueue.jj2",
			"/s/" + link + "%2523v=c0.kqueue.jj2"} {
			p.open(s.url + path)
			p.ready()
			if got := p.text("h1"); got != "Kept aside" {
				t.Errorf("%s opens as %q", path, got)
			}
		}
	})
}
