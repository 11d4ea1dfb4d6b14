package e2e

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/wasm/webdir"
)

// built are the files of the page as the build made them, without their compressed variants.
func built(t *testing.T) webdir.Files {
	t.Helper()
	if err := need("build/web/index.html", "make web"); err != nil {
		t.Fatal(err)
	}
	files, err := webdir.Published(os.DirFS(filepath.Join(root, "build/web")))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// publishStatic fills a folder as `make site` does, and serves the folder above it as hosts of plain files do.
func publishStatic(t *testing.T) (home string, stop func()) {
	t.Helper()
	dir := t.TempDir()
	if err := webdir.Fill(filepath.Join(dir, "hadarlab"), webdir.Site(built(t), ""), nil); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(s.Close)
	return s.URL + "/hadarlab", s.Close
}

// servedBelow starts the native server behind a path.
func servedBelow(t *testing.T, base string) *server {
	t.Helper()
	native(t) // builds the program
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	s := &server{name: "below", base: base, url: fmt.Sprintf("http://127.0.0.1:%d%s", port, base)}
	t.Cleanup(s.stop)
	err = s.launch(exec.Command(filepath.Join(scratch, "hadarlab"), "serve", "--base", base, "--addr",
		net.JoinHostPort("127.0.0.1", fmt.Sprint(port)), "--data", t.TempDir(), "--web",
		filepath.Join(root, "build/web")))
	if err == nil {
		err = s.await(s.healthy)
	}
	if err != nil {
		t.Fatalf("the server did not start: %v\n%s", err, s.log.String())
	}
	return s
}

// livesAt looks at all that the page finds from where it lies, and leaves it kept for use without a network.
func (p *page) livesAt(home string) (link string) {
	p.t.Helper()
	p.open(home + "/")
	p.ready()
	hash := p.hash("hadar")
	p.fill(test("editor-job-gpus", "job", "j4"), "3") // the engine lives
	p.settles("hadar", hash)
	p.click(test("share-link"))
	p.see(test("share-copy"))
	if link = p.input(test("share-link")); !strings.HasPrefix(link, home+"/#1d.") {
		p.t.Errorf("the link %.60s does not begin with %s", link, home)
	}
	if code := p.input(test("share-code")); !strings.Contains(code, `src="`+home+"/e#1d.") {
		p.t.Errorf("the frame is %.90s", code)
	}
	p.open(link)
	p.ready()
	edited := p.hash("hadar")
	if edited == hash {
		p.t.Error("the link opens the example")
	}
	p.open(strings.Replace(link, "/#", "/e#", 1))
	p.ready()
	if p.hash("hadar") != edited || p.count(test("embed-bar")) != 1 {
		p.t.Error("the frame shows another")
	}
	if at := eval[string](p, "document.querySelector('[data-test=open-lab]').href"); at != link {
		p.t.Errorf("the frame leads to %.60s", at)
	}

	p.open(home + "/")
	p.ready()
	p.open(eval[string](p, "document.querySelector('[data-test=manual]').href"))
	pages := eval[[]string](p, "[...document.querySelectorAll('nav a')].map(a => a.href)")
	if len(pages) < 6 {
		p.t.Errorf("the manual has %d pages", len(pages))
	}
	for _, at := range pages {
		p.open(at)
		if !strings.HasPrefix(at, home+"/docs") || p.count("nav a[aria-current=page]") != 1 ||
			!eval[bool](p, "[...document.styleSheets].every(s => s.cssRules.length) && document.styleSheets.length > 1") {
			p.t.Errorf("%s is not a page of the manual, or unstyled", at)
		}
	}
	p.open(home + "/docs/teach")
	p.open(eval[string](p, "document.querySelector('#price-spike a').href"))
	p.ready()
	if title := p.text(test("presets") + " summary"); !strings.Contains(title, "price of the last GPU") {
		p.t.Errorf("the manual's link opens %q", title)
	}
	p.open(home + "/join")
	p.see("main[data-screen]")
	if at := eval[string](p, "new URL(document.querySelector('link[rel=icon]').href).pathname"); !strings.HasSuffix(at,
		"/web/icon.svg") || !strings.HasPrefix(home, eval[string](p, "location.origin")) {
		p.t.Errorf("the icon is at %s", at)
	}
	p.open(home + "/")
	p.ready()
	p.until("navigator.serviceWorker.ready.then(r => !!r.active)")
	if scope := eval[string](p, "navigator.serviceWorker.ready.then(r => r.scope)"); scope != home+"/" {
		p.t.Errorf("the service worker's scope is %s", scope)
	}
	for _, rel := range []string{"start_url", "scope"} {
		at := eval[string](p, fmt.Sprintf("(async () => { const m = document.querySelector('link[rel=manifest]').href; "+
			"return new URL((await (await fetch(m)).json()).%s, m).href })()", rel))
		if at != home+"/" {
			p.t.Errorf("%s of the manifest is %s", rel, at)
		}
	}
	return link
}

// livesAlone looks at the same when the server is gone.
func (p *page) livesAlone(home, link string) {
	p.t.Helper()
	p.open(home + "/")
	p.ready()
	p.open(link)
	p.ready()
	p.open(home + "/docs/teach")
	if p.count(".card") == 0 || !eval[bool](p, "[...document.styleSheets].every(s => s.cssRules.length)") {
		p.t.Error("the manual is not kept, or unstyled")
	}
}

// TestServedBelowAPath: the native server behind a proxy that hands requests on under a path.
func TestServedBelowAPath(t *testing.T) {
	t.Parallel()
	s := servedBelow(t, "/school/lab")
	id := shareLink(t, s, small("Below a path", 93))
	p := newKeepingPage(t)
	p.allow("ERR_CONNECTION_REFUSED|Failed to update a ServiceWorker|error occurred when fetching the script")
	link := p.livesAt(s.url)

	for _, path := range []string{"/s/" + id, "/s/" + strings.ToUpper(id), "/e/" + id} {
		p.open(s.url + path)
		p.ready()
		if got := p.text("h1"); got != "Below a path" {
			t.Errorf("%s opens as %q", path, got)
		}
	}
	p.open(s.url + "/s/" + id)
	p.ready()
	p.click(test("share-link"))
	p.click(test("share-make-short"))
	p.see(test("share-short"))
	if short := p.input(test("share-short")); !strings.HasPrefix(short, s.url+"/s/") {
		t.Errorf("the short link is %s", short)
	}
	plain := newPage(t) // with nothing kept
	plain.open(s.url + "/s/" + id)
	plain.ready()
	plain.allow("404")
	plain.open(s.url + "/no/such/page")
	plain.open(eval[string](plain, "document.querySelector('a').href"))
	plain.ready()

	s.stop()
	p.livesAlone(s.url, link)
}

// TestStaticSite: files alone, under a path. All that needs no server works, and the rest says that there is none.
func TestStaticSite(t *testing.T) {
	t.Parallel()
	home, stop := publishStatic(t)
	p := newKeepingPage(t)
	p.allow("ERR_CONNECTION_REFUSED|Failed to update a ServiceWorker|error occurred when fetching the script")
	link := p.livesAt(home)

	p.click(test("share-link"))
	p.see(test("share-no-server"))
	if !eval[bool](p, "document.querySelector('[data-test=share-make-short]').disabled") {
		t.Error("a short link can be asked for")
	}
	p.open(home + "/#teach")
	p.see(test("teach-no-server"))
	if n := p.count("[data-test=start-class]:not([disabled])"); n != 0 || p.count(test("start-class")) == 0 {
		t.Errorf("%d classes can be started", n)
	}
	p.open(eval[string](p, "document.querySelector('[data-test=preview]').href"))
	p.screen("predict")
	p.open(home + "/join")
	p.see(test("no-server"))
	if n := p.count("input"); n != 0 {
		t.Errorf("a code can be typed: %d fields", n)
	}
	if got := markup(t, home+"/404.html"); !strings.Contains(got, "no server") {
		t.Errorf("what is not there answers %.200s", got)
	}
	if got := eval[int](p, "performance.getEntriesByType('resource').filter(e => /healthz|\\/api\\/v1\\/(?!openapi)/.test(e.name)).length"); got != 0 {
		t.Errorf("%d requests went to a server that is not there", got)
	}

	stop()
	p.livesAlone(home, link)
}
