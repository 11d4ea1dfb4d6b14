//go:build !js

package worker_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"html"
	"io"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"hadarlab/core/chart/draw"
	"hadarlab/worker"
)

const pageFile = `<html><head>
<!-- card -->
<meta property="og:title" content="The lab"><meta property="og:image" content="./web/card.png">
<!-- /card -->
<link href="./web/a.css"></head><body>="./</body></html>`

// withPage is a server below /lab with a page, and one that draws no pictures.
func withPage(t *testing.T, o worker.Options) worker.Options {
	t.Helper()
	o.Web = fstest.MapFS{"index.html": {Data: []byte(pageFile), ModTime: built, Mode: 0o644}}
	return o
}

var cards = regexp.MustCompile(`<meta property="([^"]+)" content="([^"]*)">`)

// cardOf are the properties of the card of a page.
func cardOf(page string) map[string]string {
	out := map[string]string{}
	for _, m := range cards.FindAllStringSubmatch(page, -1) {
		out[m[1]] = html.UnescapeString(m[2])
	}
	return out
}

// linkOf is what the short link of a server below /lab names.
func linkOf(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var got struct{ ID, Text, URL string }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 201 || got.Text == "" ||
		got.URL != "/lab/s/"+got.ID+"-"+got.Text || "/lab"+w.Header().Get("Location") != got.URL {
		t.Fatalf("got %d at %q: %s", w.Code, w.Header().Get("Location"), w.Body)
	}
	return got.ID + "-" + got.Text
}

// TestCards: what other programs show of a link is its scenario's title, question and picture, by whole addresses, and
// nothing that somebody wrote becomes markup.
func TestCards(t *testing.T) {
	drawn := func(p *draw.Preview) ([]byte, error) { return []byte("PNG of " + p.Title), nil }
	h := newHandler(t, withPage(t, worker.Options{Base: "/lab", Picture: drawn}))
	small := newHandler(t, withPage(t, worker.Options{}))

	hostile := `\"><script>alert(1)</script>&amp;=\"./ $1`
	plain := strings.NewReplacer(`\"`, `"`).Replace(hostile)
	doc := strings.Replace(scenarioA, `"title":"A <b>title</b>"`,
		`"title":"`+hostile+`","question":"Why `+hostile+`?"`, 1)
	for name, s := range map[string]struct {
		h             []string
		home, picture string
	}{
		"plain": {nil, "http://example.com/lab", ".png"},
		"tls":   {[]string{"X-Forwarded-Proto", "https"}, "https://example.com/lab", ".png"},
	} {
		link := linkOf(t, do(h, "POST", "/api/v1/scenarios", doc))
		for _, path := range []string{"/s/" + link, "/s/" + strings.ToUpper(link), "/s/" + link + "%23v=p"} {
			w := do(h, "GET", path, "", s.h...)
			got := cardOf(w.Body.String())
			if w.Code != 200 || strings.Contains(w.Body.String(), "<script>") || got["og:title"] != plain ||
				got["og:description"] != "Why "+plain+"?" || got["og:url"] != s.home+"/s/"+link ||
				got["og:image"] != s.home+"/s/"+link+s.picture || got["twitter:card"] != "summary_large_image" {
				t.Errorf("%s, %s: %d %q\n%s", name, path, w.Code, got, w.Body)
			}
			if !strings.Contains(w.Body.String(), `href="./../web/a.css"`) {
				t.Errorf("%s: below a folder its files are at\n%s", path, w.Body)
			}
		}
		if w := do(h, "GET", "/s/"+link+".png", "", s.h...); w.Code != 200 ||
			w.Header().Get("Content-Type") != "image/png" || w.Body.String() != "PNG of "+plain {
			t.Errorf("the picture: %d %s %q", w.Code, w.Header().Get("Content-Type"), w.Body)
		}
		id, _, _ := strings.Cut(link, "-")
		for _, path := range []string{"/", "/o", "/s/" + id} { // nobody has named that one
			got := cardOf(do(h, "GET", path, "", s.h...).Body.String())
			if got["og:title"] != "The lab" || got["og:image"] != s.home+"/web/card.png" {
				t.Errorf("%s, %s: %q", name, path, got)
			}
		}
	}
	link := shareLink(t, do(small, "POST", "/api/v1/scenarios", doc))
	if got := cardOf(do(small, "GET", "/s/"+link, "").Body.String()); got["og:title"] != plain ||
		got["og:image"] != "http://example.com/web/card.png" {
		t.Errorf("without pictures: %q", got)
	}
	if w := do(small, "GET", "/s/"+link+".png", ""); w.Code != 404 {
		t.Errorf("a picture that is not drawn: %d", w.Code)
	}
}

// TestCardHoldsNoResult: a link may ask its reader to predict first, which no server sees; so a card says what was put
// in, and the same whatever would come out.
func TestCardHoldsNoResult(t *testing.T) {
	var shown []*draw.Preview
	h := newHandler(t, withPage(t, worker.Options{Picture: func(p *draw.Preview) ([]byte, error) {
		shown = append(shown, p)
		return []byte("x"), nil
	}}))
	one := shareLink(t, do(h, "POST", "/api/v1/scenarios", scenarioA))
	// the same machines and jobs, on which the other type is the fast one: the result is another
	two := shareLink(t, do(h, "POST", "/api/v1/scenarios", strings.Replace(scenarioA, `"v100":4,"k80":1`,
		`"v100":1,"k80":4`, 1)))
	do(h, "GET", "/s/"+one+".png", "")
	do(h, "GET", "/s/"+two+".png", "")
	if one == two || len(shown) != 2 || shown[0].SVG(nil) != shown[1].SVG(nil) {
		t.Errorf("the pictures differ, of %d", len(shown))
	}
	a, b := cardOf(do(h, "GET", "/s/"+one, "").Body.String()), cardOf(do(h, "GET", "/s/"+two, "").Body.String())
	for name := range a {
		if strings.ReplaceAll(a[name], one, "") != strings.ReplaceAll(b[name], two, "") {
			t.Errorf("%s: %q and %q", name, a[name], b[name])
		}
	}
}

// TestPageAsBuilt: the service worker compares the page with what the build made; others get it with its address,
// compressed, and are told when it is the same.
func TestPageAsBuilt(t *testing.T) {
	packs := 0
	h := newHandler(t, withPage(t, worker.Options{Pack: func(_ string, b []byte) []byte {
		packs++
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		_, _ = z.Write(b)
		_ = z.Close()
		return out.Bytes()
	}}))
	if w := do(h, "GET", "/?built", ""); w.Body.String() != pageFile {
		t.Errorf("as it was built it is\n%s", w.Body)
	}
	plain := do(h, "GET", "/", "")
	for range 3 {
		w := do(h, "GET", "/", "", "Accept-Encoding", "gzip, br")
		z, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(z)
		if err != nil || string(got) != plain.Body.String() || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("packed it is %q, %v, Vary %q", got, err, w.Header().Get("Vary"))
		}
	}
	if packs != 3 {
		t.Errorf("the page was compressed %d times", packs)
	}
	etag := plain.Header().Get("ETag")
	if w := do(h, "GET", "/", "", "If-None-Match", etag); etag == "" || w.Code != 304 || w.Body.Len() != 0 {
		t.Errorf("ETag %q: %d %s", etag, w.Code, w.Body)
	}
	if w := do(h, "GET", "/", "", "Accept-Encoding", "gzip;q=0"); w.Header().Get("Content-Encoding") != "" {
		t.Error("gzip is sent to who refuses it")
	}
	for path, want := range map[string]string{"/docs/": "/docs", "/docs/teach/": "/docs/teach",
		"/evil.example/": "/evil.example"} {
		w := do(h, "GET", "http://example.com"+path, "")
		if at := w.Header().Get("Location"); w.Code/100 != 3 || at != want {
			t.Errorf("%s: %d to %q, want %q", path, w.Code, at, want)
		}
	}
	if w := do(h, "GET", "/a/b/c", ""); !strings.Contains(w.Body.String(), `href="./../../"`) {
		t.Errorf("from far below the lab is at\n%s", w.Body)
	}
}
