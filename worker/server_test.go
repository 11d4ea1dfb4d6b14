//go:build !js

package worker_test

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/worker"
	"hadarlab/worker/answer"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
	"hadarlab/worker/vault"
)

const scenarioA = `{"kind":"scenario","version":1,"meta":{"title":"A <b>title</b>"},"scenario":{"seed":1,"round_s":360,
"cluster":{"nodes":[{"id":"n1","rack":"r1","gpus":{"v100":2}},{"id":"n2","rack":"r1","gpus":{"k80":2}}]},
"throughputs":{"rows":[{"model":"m","batch":64,"per_gpu":{"v100":4,"k80":1}}]},
"jobs":[{"id":"j1","model":"m","batch":64,"arrival_s":0,"gpus":2,"steps":4000},
{"id":"j2","model":"m","batch":64,"arrival_s":60,"gpus":1,"steps":2500}],
"policies":[{"id":"fifo"}]}}`

// newStore opens a database in a folder of the test's own.
func newStore(t testing.TB) vault.Store {
	t.Helper()
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return sqlstore.New(db)
}

func newHandler(t *testing.T, o worker.Options) http.Handler {
	t.Helper()
	if o.Store == nil {
		o.Store = newStore(t)
	}
	o.Log = quiet
	return described(t, worker.New(o))
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func do(h http.Handler, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if method == "POST" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func wantProblem(t *testing.T, w *httptest.ResponseRecorder, status int) answer.Problem {
	t.Helper()
	var p answer.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != status || p.Status != status ||
		w.Header().Get("Content-Type") != "application/problem+json" || p.Detail == "" {
		t.Fatalf("got %d %s, want a problem of %d: %v\n%s", w.Code, w.Header().Get("Content-Type"), status, err, w.Body)
	}
	return p
}

// shareID is the id of the content that was stored.
func shareID(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	id, _, _ := strings.Cut(shareLink(t, w), "-")
	return id
}

// shareLink is the id of the content that was stored and, behind a dash, that of its text.
func shareLink(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var got struct{ ID, Text, URL string }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusCreated {
		t.Fatalf("got %d: %s", w.Code, w.Body)
	}
	link := got.ID
	if got.Text != "" {
		link += "-" + got.Text
	}
	if got.URL != "/s/"+link || w.Header().Get("Location") != got.URL {
		t.Fatalf("Location %q of %s", w.Header().Get("Location"), w.Body)
	}
	return link
}

// TestRivalContent puts another content under the id that a scenario would get.
func TestRivalContent(t *testing.T) {
	doc, _ := scenario.Parse([]byte(scenarioA), scenario.FileLimits)
	short := doc.ID(lab.Defaults())
	store := newStore(t)
	rival := vault.Content{ID: short, Sum: "another", Doc: []byte("{}")}
	if created, err := store.Put(t.Context(), vault.Scenarios, rival); !created || err != nil {
		t.Fatal(created, err)
	}
	h := newHandler(t, worker.Options{Store: store})
	id := shareID(t, do(h, "POST", "/api/v1/scenarios", scenarioA))
	if len(id) <= len(short) || !strings.HasPrefix(id, short) {
		t.Errorf("got %q beside the taken %q", id, short)
	}
	if again := shareID(t, do(h, "POST", "/api/v1/scenarios", scenarioA)); again != id {
		t.Errorf("got %q, then %q", id, again)
	}
}

func TestIdenticalSharesAtOnce(t *testing.T) {
	h := newHandler(t, worker.Options{})
	ids := make([]string, 8)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			var got struct{ ID string }
			_ = json.Unmarshal(do(h, "POST", "/api/v1/scenarios", scenarioA).Body.Bytes(), &got)
			ids[i] = got.ID
		})
	}
	wg.Wait()
	for _, id := range ids {
		if id == "" || id != ids[0] {
			t.Fatalf("ids %q", ids)
		}
	}
}

func TestHostileBodies(t *testing.T) {
	deep := strings.Repeat(`{"x":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	h := newHandler(t, worker.Options{RunBytes: 200_000})
	for name, body := range map[string]string{
		"nothing": "", "null": "null", "a list": "[1,2]", "a string": `"x"`, "zeros": strings.Repeat("\x00", 500),
		"bad utf-8": "{\"kind\":\"\xff\xfe\"}", "deep": deep, "deep list": strings.Repeat("[", 30_000),
		"two documents": scenarioA + scenarioA, "duplicate member": `{"kind":"scenario","kind":"scenario"}`,
		"huge number": strings.Replace(scenarioA, `"steps":4000`, `"steps":1e999`, 1),
		"wrong kinds": `{"kind":"scenario","version":1,"scenario":{"cluster":[],"jobs":{},"throughputs":7,"policies":"x"}}`,
		"no jobs":     `{"kind":"scenario","version":1,"scenario":{}}`,
		"script":      strings.Replace(scenarioA, `"id":"j1"`, `"id":"<script>alert(1)</script>"`, 1),
	} {
		for path, wrap := range map[string]string{"/api/v1/scenarios": "%", "/api/v1/runs": `{"scenario":%}`} {
			w := do(h, "POST", path, strings.Replace(wrap, "%", body, 1))
			if w.Code/100 != 4 {
				t.Errorf("%s to %s: status %d\n%.300s", name, path, w.Code, w.Body)
				continue
			}
			wantProblem(t, w, w.Code)
		}
	}
	if w := do(h, "POST", "/api/v1/scenarios", scenarioA); w.Code != http.StatusCreated {
		t.Errorf("a good one afterwards: %d %s", w.Code, w.Body)
	}
}

func TestTypesAndMethods(t *testing.T) {
	h := newHandler(t, worker.Options{})
	for contentType, status := range map[string]int{
		"": 415, "text/plain": 415, "application/x-www-form-urlencoded": 415, "application/json;;": 415,
		"application/jsonp":               415,
		"application/json; charset=utf-8": 201, "Application/JSON": 201,
	} {
		if w := do(h, "POST", "/api/v1/scenarios", scenarioA, "Content-Type", contentType); w.Code != status {
			t.Errorf("%q: status %d, want %d", contentType, w.Code, status)
		}
	}
	for _, tt := range []struct{ method, path, allow string }{
		{"DELETE", "/healthz", "GET, HEAD"}, {"GET", "/api/v1/scenarios", "POST"}, {"OPTIONS", "/api/v1/runs", "POST"},
		{"POST", "/s/abc", "GET, HEAD"}, {"PATCH", "/", "GET, HEAD"},
	} {
		w := do(h, tt.method, tt.path, "")
		wantProblem(t, w, http.StatusMethodNotAllowed)
		if w.Header().Get("Allow") != tt.allow {
			t.Errorf("%s %s: Allow %q, want %q", tt.method, tt.path, w.Header().Get("Allow"), tt.allow)
		}
	}
}

// badStore fails in every way a database can.
type badStore struct {
	get func() (vault.Content, error)
}

func (b badStore) Put(context.Context, vault.Kind, vault.Content) (bool, error) {
	return false, errors.New("disk I/O error at secret/path")
}
func (b badStore) Get(context.Context, vault.Kind, string) (vault.Content, error) {
	return b.get()
}
func (b badStore) State(context.Context) vault.State { return vault.Sound }
func (b badStore) PutRun(context.Context, vault.Run, int64) error {
	return errors.New("disk I/O error at secret/path")
}
func (b badStore) GetRun(context.Context, string, int64) (vault.Run, error) {
	sc, err := b.get()
	return vault.Run{Sum: sc.Sum, Result: sc.Doc}, err
}

func TestStoreFailures(t *testing.T) {
	for name, get := range map[string]func() (vault.Content, error){
		"error": func() (vault.Content, error) {
			return vault.Content{},
				errors.New("disk I/O error at secret/path")
		},
		"panic":   func() (vault.Content, error) { panic("secret/path") },
		"damaged": func() (vault.Content, error) { return vault.Content{Sum: "x", Doc: []byte("secret/path")}, nil },
	} {
		h := newHandler(t, worker.Options{Store: badStore{get}})
		p := wantProblem(t, do(h, "GET", "/api/v1/scenarios/abcdefgh1234", ""), http.StatusInternalServerError)
		if text, _ := json.Marshal(p); strings.Contains(string(text), "secret") {
			t.Errorf("%s: the answer tells the server's insides: %s", name, text)
		} else if name == "damaged" && !strings.Contains(string(text), "abcdefgh1234") {
			t.Errorf("the damaged row is not named: %s", text)
		}
		if w := do(h, "GET", "/healthz", ""); w.Code != http.StatusOK {
			t.Errorf("%s: down afterwards", name)
		}
	}
	h := newHandler(t, worker.Options{Store: badStore{}})
	wantProblem(t, do(h, "POST", "/api/v1/scenarios", scenarioA), http.StatusInternalServerError)
}

// TestCompanions: a stored scenario as a document, as a picture that nothing can run in, and against another one.
func TestCompanions(t *testing.T) {
	h := newHandler(t, worker.Options{})
	link := shareLink(t, do(h, "POST", "/api/v1/scenarios", scenarioA))
	id, _, _ := strings.Cut(link, "-")
	if w := do(h, "GET", "/s/"+link+".json", ""); w.Body.String() != do(h, "GET", "/api/v1/scenarios/"+link,
		"").Body.String() {
		t.Errorf("the document is %s", w.Body)
	}
	w := do(h, "GET", "/s/"+link+".svg", "")
	picture := w.Body.String()
	if err := xml.Unmarshal(w.Body.Bytes(), new(struct{})); err != nil ||
		!strings.Contains(picture, "A &lt;b&gt;title") || !strings.Contains(picture, ">j2<") {
		t.Errorf("the picture is no SVG of it: %v\n%s", err, picture)
	}
	if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") ||
		!strings.Contains(csp, "sandbox") {
		t.Errorf("what runs in the picture: %q", csp)
	}
	other := shareID(t, do(h, "POST", "/api/v1/scenarios", strings.Replace(scenarioA, `"j2"`, `"j9"`, 1)))
	if got := do(h, "GET", "/s/"+link+"/diff/"+other, "").Body.String(); !strings.Contains(got,
		`"from":"`+id+`","to":"`+other+`"`) || !strings.Contains(got, "job j9: added") ||
		!strings.Contains(got, "job j2: removed") {
		t.Errorf("the difference is %s", got)
	}
}
