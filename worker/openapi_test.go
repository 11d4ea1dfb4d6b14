//go:build !js

package worker_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	course "hadarlab/core/class"
	"hadarlab/core/trace"
	"hadarlab/worker"
	"hadarlab/worker/away"
	"hadarlab/worker/front"
	"hadarlab/worker/gate"
	"hadarlab/worker/host"
	"hadarlab/worker/queue"
	"hadarlab/worker/release"
	"hadarlab/worker/runs"
	"hadarlab/worker/vault"
)

func TestEveryRouteIsDescribed(t *testing.T) {
	_, ops := readSpec(t)
	if described, routes := slices.Sorted(maps.Keys(ops)), worker.Routes(); !slices.Equal(described, routes) {
		t.Errorf("described\n%q\nhandled\n%q", described, routes)
	}
}

// TestSpecSaysTheRelease: the version of the document is that of the program, as /healthz and `hadarlab version` say.
func TestSpecSaysTheRelease(t *testing.T) {
	if s, _ := readSpec(t); s.Info.Version != release.Version {
		t.Errorf("info.version is %s, and this is %s: write it into openapi.json", s.Info.Version, release.Version)
	}
}

// TestEveryOperation makes every answer that the document promises, and holds it to its schema.
func TestEveryOperation(t *testing.T) {
	s, ops := readSpec(t)
	made := map[string]bool{}
	answers := everyAnswer(t)
	s.everyFrontAnswer(t, ops, answers)
	for what, w := range answers {
		op, status, _ := strings.Cut(what, " → ")
		if status, _, _ = strings.Cut(status, ","); fmt.Sprint(w.Code) != status {
			t.Errorf("%s: got %d\n%.300s", what, w.Code, w.Body)
			continue
		}
		r, ok := ops[op].Responses[status]
		if !ok {
			t.Errorf("%s is not described", what)
			continue
		}
		made[op+" "+status] = true
		s.checkAnswer(t, what, r, w)
	}
	for name, op := range ops {
		if _, refused := op.Responses["403"]; refused != op.secured(s) {
			t.Errorf("%s: whether it needs a token (%v) and can be forbidden (%v) differ", name, op.secured(s), refused)
		}
		for status := range op.Responses {
			if !made[name+" "+status] {
				t.Errorf("nothing makes %s answer %s", name, status)
			}
		}
	}
}

// everyAnswer asks for every documented answer; the keys are "METHOD PATH → STATUS, variant".
func everyAnswer(t *testing.T) map[string]*httptest.ResponseRecorder {
	web := webFolder()
	n := newNative(t, runs.Options{Concurrent: 1, Queue: 1, Size: 1000}, true)
	h := newHandler(t, worker.Options{Store: n.store, Runner: n.runner, Gate: sameKey, Web: web, RunBytes: 5000})
	bad := newHandler(t, worker.Options{
		Store: badStore{func() (vault.Content, error) { return vault.Content{}, errors.New("disk I/O error") }},
		Shell: func(*http.Request) ([]byte, error) { return nil, errors.New("no file") },
	})
	const (
		scenarios, scenario    = "/api/v1/scenarios", "/api/v1/scenarios/{id}"
		allRuns, run           = "/api/v1/runs", "/api/v1/runs/{id}"
		follow, result         = run + "/events", run + "/result"
		none, noRun            = "000000000000", "00000000000000000000000000"
		plain, stream, noMatch = "text/plain", "text/event-stream", "*"
	)
	const (
		sweeps, sweep           = "/api/v1/sweeps", "/api/v1/sweeps/{id}"
		followSweep, swept      = sweep + "/events", sweep + "/result"
		firstTrace, secondTrace = run + "/trace/0", run + "/trace/1"
	)
	out := map[string]*httptest.ResponseRecorder{}
	ask := func(h http.Handler, what, id, body string, headers ...string) *httptest.ResponseRecorder {
		method, rest, _ := strings.Cut(what, " ")
		path, _, _ := strings.Cut(rest, " → ")
		w := do(h, method, strings.Replace(path, "{id}", id, 1), body, headers...)
		for _, trace := range []string{firstTrace, secondTrace} {
			what = strings.Replace(what, trace, run+"/trace/{lane}", 1)
		}
		out[what] = w
		return w
	}
	lost := host.New(host.Options{Rest: http.NotFound}, &away.Simulator{Log: quiet,
		Ask: func(*http.Request) (*http.Response, error) { return nil, errors.New("no binding") }})
	for _, what := range []string{"GET " + run, "DELETE " + run, "GET " + follow, "GET " + result, "GET " + firstTrace,
		"GET " + sweep, "DELETE " + sweep, "GET " + followSweep, "GET " + swept} {
		ask(lost, what+" → 503", none, "")
	}
	vary := func(doc string) string {
		return `{"scenario":` + doc + `,"vary":[{"path":"/scenario/round_s","values":[60,360]}]}`
	}
	wrap := func(doc string) string { return `{"scenario":` + doc + `,"policies":["hadar","fifo"]}` }

	ask(h, "GET /healthz → 200", "", "")
	ask(h, "GET /readyz → 200", "", "")
	store, _, _ := newFullStore(t)
	full := newNative(t, runs.Options{Store: store}, false)
	fill(t, store)
	ask(full, "GET /readyz → 503", "", "")
	ask(full, "POST "+scenarios+" → 507", "", scenarioA)
	ask(full, "POST "+allRuns+" → 507", "", wrap(doc(61)))
	ask(full, "POST "+sweeps+" → 507", "", vary(doc(61)))
	etag := ask(h, "GET /api/v1/openapi.json → 200", "", "").Header().Get("ETag")
	ask(h, "GET /api/v1/openapi.json → 304", "", "", "If-None-Match", etag)
	ask(h, "GET / → 200", "", "")
	ask(h, "GET / → 304", "", "", "If-None-Match", noMatch)
	ask(h, "GET /o → 200", "", "")
	ask(bad, "GET /o → 500", "", "")
	ask(h, "GET /e → 200", "", "")
	ask(bad, "GET /e → 500", "", "")

	id := shareID(t, ask(h, "POST "+scenarios+" → 201", "", scenarioA))
	ask(h, "POST "+scenarios+" → 400", "", "{")
	ask(h, "POST "+scenarios+" → 413", "", strings.Repeat(" ", 70_000))
	ask(h, "POST "+scenarios+" → 415", "", scenarioA, "Content-Type", plain)
	ask(h, "POST "+scenarios+" → 422", "", strings.Replace(scenarioA, `"j2"`, `"j1"`, 1))
	ask(bad, "POST "+scenarios+" → 500", "", scenarioA)
	ask(h, "GET "+scenario+" → 200", id, "")
	text := shareLink(t, do(h, "POST", scenarios, scenarioA))
	ask(h, "GET "+scenario+" → 200, with its text", text, "")
	ask(h, "GET "+scenario+" → 404, no such text", id+"-"+none, "")
	ask(h, "GET "+scenario+" → 304", id, "", "If-None-Match", noMatch)
	ask(h, "GET "+scenario+" → 404", none, "")
	ask(bad, "GET "+scenario+" → 500", none, "")
	ask(h, "GET /s/{id} → 200", id, "")
	ask(h, "GET /s/{id} → 404", none, "")
	ask(bad, "GET /s/{id} → 500", none, "")
	for _, form := range []string{".json", ".svg"} {
		ask(h, "GET /s/{id} → 200, "+form, id+form, "")
		ask(h, "GET /s/{id} → 304, "+form, id+form, "", "If-None-Match", noMatch)
		ask(h, "GET /s/{id} → 404, "+form, none+form, "")
		ask(bad, "GET /s/{id} → 500, "+form, none+form, "")
	}
	differ := func(h http.Handler, status, from, to string, headers ...string) {
		out["GET /s/{id}/diff/{other} → "+status] = do(h, "GET", "/s/"+from+"/diff/"+to, "", headers...)
	}
	other := shareID(t, do(h, "POST", scenarios, strings.Replace(scenarioA, `"j2"`, `"j9"`, 1)))
	differ(h, "200", id, other)
	differ(h, "200, alike", id, id)
	differ(h, "304", id, other, "If-None-Match", noMatch)
	differ(h, "404", id, none)
	differ(h, "404, the first", none, id)
	differ(bad, "500", id, other)
	ask(h, "GET /e/{id} → 200", id, "")
	ask(h, "GET /e/{id} → 404", none, "")
	ask(bad, "GET /e/{id} → 500", none, "")

	works := n.post(endless(60), `["hadar","none"]`)
	n.await(works, "running")
	ask(h, "POST "+allRuns+" → 202", "", wrap(doc(61)))
	waits := n.post(doc(61), `["hadar","fifo"]`)
	ask(h, "POST "+allRuns+" → 503, the queue is full", "", wrap(doc(62)))
	free := newNative(t, runs.Options{}, false)
	ask(free, "POST "+allRuns+" → 200", "", wrap(doc(63)), "Accept", stream)
	ask(free, "POST "+allRuns+" → 200, a faulty policy", "", `{"scenario":`+doc(63)+`,"policies":["fifo","none"]}`,
		"Accept", stream)
	mean := newNative(t, runs.Options{}, false, gate.Options{All: queue.Rate{Burst: 1, PerSecond: 1e-9}})
	do(mean, "POST", allRuns, "{}")
	ask(n, "GET /api/v1/client → 200", "", "")
	ask(mean, "GET /api/v1/client → 429", "", "")
	for _, path := range []string{scenarios, allRuns, sweeps} {
		if w := ask(mean, "POST "+path+" → 429", "", "{}"); w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: refused without a time to come back", path)
		}
	}
	ask(h, "POST "+allRuns+" → 400", "", "[]")
	ask(h, "POST "+allRuns+" → 404", "", `{"scenario_id":"`+none+`"}`)
	ask(h, "POST "+allRuns+" → 413", "", wrap(strings.Repeat(" ", 5000)))
	ask(h, "POST "+allRuns+" → 415", "", wrap(doc(63)), "Content-Type", plain)
	ask(h, "POST "+allRuns+" → 422", "", `{"scenario":`+doc(63)+`,"policies":["none"]}`)
	ask(bad, "POST "+allRuns+" → 500", "", `{"scenario_id":"`+none+`"}`)
	ask(h, "GET "+run+" → 200, it waits", waits, "")
	ask(h, "GET "+run+" → 200, it works", works, "")
	ask(h, "GET "+run+" → 404", noRun, "")
	ask(bad, "GET "+run+" → 500", noRun, "")
	ask(h, "GET "+result+" → 409", works, "")
	ask(h, "GET "+result+" → 404", noRun, "")
	ask(bad, "GET "+result+" → 500", noRun, "")
	ask(h, "GET "+follow+" → 404", noRun, "")
	ask(bad, "GET "+follow+" → 500", noRun, "")
	ask(h, "DELETE "+run+" → 404", noRun, "")
	ask(bad, "DELETE "+run+" → 500", noRun, "")

	ask(h, "GET "+firstTrace+" → 409, it waits", waits, "")
	ask(h, "GET "+firstTrace+" → 404, no run", noRun, "")
	ask(bad, "GET "+firstTrace+" → 500", noRun, "")
	edge := newHandler(t, worker.Options{Store: n.store})
	ask(edge, "POST "+allRuns+" → 501", "", strings.TrimSuffix(wrap(noisy(65)), "}")+`,"replicates":3}`)
	ask(edge, "POST "+sweeps+" → 501", "", vary(doc(66)))
	ask(h, "POST "+sweeps+" → 503, the queue is full", "", vary(doc(66)))
	ask(h, "POST "+sweeps+" → 400", "", "[]")
	ask(h, "POST "+sweeps+" → 404", "", `{"scenario_id":"`+none+`",`+rounds+`}`)
	ask(h, "POST "+sweeps+" → 413", "", vary(strings.Repeat(" ", 5000)))
	ask(h, "POST "+sweeps+" → 415", "", vary(doc(66)), "Content-Type", plain)
	ask(h, "POST "+sweeps+" → 422", "", wrap(doc(66)))
	ask(bad, "POST "+sweeps+" → 500", "", `{"scenario_id":"`+none+`",`+rounds+`}`)
	for _, what := range []string{"GET " + sweep, "DELETE " + sweep, "GET " + followSweep, "GET " + swept} {
		ask(h, what+" → 404", noRun, "")
		ask(h, what+" → 404, a run", waits, "")
		ask(bad, what+" → 500", noRun, "")
	}

	ask(h, "DELETE "+run+" → 403", works, "")
	n.release()
	bearer := func(id string) (string, string) {
		token, _ := n.tokens.Load(id)
		return "Authorization", fmt.Sprint("Bearer ", token)
	}
	name, token := bearer(works)
	ask(h, "DELETE "+run+" → 200", works, "", name, token)
	ask(h, "GET "+result+" → 200, cancelled", works, "")
	ask(h, "GET "+follow+" → 200, cancelled", works, "")
	ask(h, "GET "+follow+" → 200", waits, "")
	n.await(waits, "done")
	ask(h, "GET "+follow+" → 204", waits, "", "Last-Event-ID", "end")
	ask(h, "GET "+run+" → 200, done", waits, "")
	ask(h, "GET "+result+" → 200", waits, "")
	ask(h, "GET "+result+" → 304", waits, "", "If-None-Match", noMatch)
	ask(h, "DELETE "+run+" → 409", waits, "", name, token)
	ask(h, "GET "+firstTrace+" → 200, cancelled", works, "")
	ask(h, "GET "+secondTrace+" → 404, a faulty policy", works, "")
	ask(h, "GET "+secondTrace+" → 200, done", waits, "")
	ask(h, "GET "+secondTrace+" → 304", waits, "", "If-None-Match", noMatch)

	var seeds struct{ ID string }
	n.decode(ask(h, "POST "+allRuns+" → 202, replicates", "",
		strings.TrimSuffix(wrap(noisy(67)), "}")+`,"replicates":3}`),
		&seeds)
	ask(h, "GET "+follow+" → 200, replicates", seeds.ID, "")
	n.await(seeds.ID, "done")
	ask(h, "GET "+run+" → 200, replicates", seeds.ID, "")
	ask(h, "GET "+result+" → 200, replicates", seeds.ID, "")
	ask(h, "GET "+firstTrace+" → 404, replicates", seeds.ID, "")
	var grid struct {
		ID    string
		Token string `json:"cancel_token"`
	}
	n.decode(ask(h, "POST "+sweeps+" → 202", "", vary(doc(68))), &grid)
	ask(h, "GET "+followSweep+" → 200", grid.ID, "")
	ask(h, "GET "+followSweep+" → 204", grid.ID, "", "Last-Event-ID", "end")
	ask(h, "GET "+sweep+" → 200", grid.ID, "")
	ask(h, "GET "+swept+" → 200", grid.ID, "")
	ask(h, "GET "+swept+" → 304", grid.ID, "", "If-None-Match", noMatch)
	ask(h, "DELETE "+sweep+" → 409", grid.ID, "", name, token)
	// fifo has no rounds
	n.decode(ask(h, "POST "+sweeps+" → 202, endless", "", strings.TrimSuffix(vary(endless(69)),
		"}")+`,"policies":["hadar"]}`), &grid)
	ask(h, "GET "+swept+" → 409", grid.ID, "")
	ask(h, "DELETE "+sweep+" → 403", grid.ID, "")
	ask(h, "DELETE "+sweep+" → 200", grid.ID, "", name, "Bearer "+grid.Token)
	everyClassAnswer(t, n, mean, full, out)
	if err := n.runner.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask(h, "POST "+allRuns+" → 503", "", wrap(doc(64)))
	ask(h, "POST "+sweeps+" → 503", "", vary(doc(64)))
	return out
}

// everyFrontAnswer makes the answers of what stands before the native server's handler.
func (s *spec) everyFrontAnswer(t *testing.T, ops map[string]operation, out map[string]*httptest.ResponseRecorder) {
	t.Helper()
	const large = 32 << 20 // takes all the room that there is
	f := front.New(newHandler(t, worker.Options{RunBytes: large}), front.Options{
		Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, LargestBody: large,
	})
	ask := func(name, host string, body io.Reader, size int64) *httptest.ResponseRecorder {
		method, path, _ := strings.Cut(name, " ")
		r := httptest.NewRequest(method, strings.NewReplacer("{", "", "}", "").Replace(path), body)
		r.Host, r.ContentLength = host, size
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		return w
	}
	for name := range ops {
		out[name+" → 421, under another name"] = ask(name, "evil.example", http.NoBody, 0)
	}
	arrives, body := io.Pipe()
	held := make(chan struct{})
	go func() {
		defer close(held)
		ask("POST /api/v1/sweeps", "localhost", arrives, large)
	}()
	if _, err := body.Write([]byte("{")); err != nil { // it is being read, so its room is taken
		t.Fatal(err)
	}
	for name, op := range ops {
		if op.RequestBody != nil {
			out[name+" → 503, no room for its body"] = ask(name, "localhost", strings.NewReader("{}"), large)
		}
	}
	_ = body.CloseWithError(io.ErrUnexpectedEOF)
	<-held
}

// checkAnswer holds one answer to its description.
func (s *spec) checkAnswer(t *testing.T, what string, r response, w *httptest.ResponseRecorder) {
	got, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type"))
	if len(r.Content) == 0 {
		if w.Body.Len() != 0 {
			t.Errorf("%s: a body where none is described: %s", what, w.Body)
		}
		return
	}
	c, ok := r.Content[got]
	if !ok {
		t.Errorf("%s: %q is not described", what, got)
		return
	}
	schema := r.at + "/content/" + escaped.Replace(got) + "/schema"
	check := func(at string, data []byte) {
		if err := s.answers.fits(at, data); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	switch got {
	case "text/html", "image/svg+xml", "text/csv":
	case "application/octet-stream":
		if _, err := trace.Decode(w.Body.Bytes()); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	case "text/event-stream":
		next, seen := readSent(t, w.Body), 0
		for e, ok := next(); ok; e, ok = next() {
			if c.Schema.ContentSchema.Properties[e.name] == nil {
				t.Errorf("%s: event %s is not described", what, e.name)
				continue
			}
			seen++
			check(schema+"/contentSchema/properties/"+e.name, []byte(e.data))
		}
		if seen == 0 {
			t.Errorf("%s: a stream without events", what)
		}
	default:
		check(schema, w.Body.Bytes())
	}
}

// TestRequestsAreAsDescribed puts a value of another kind in the place of each member of each request. What is done all
// the same must be as described, which the handler of the tests sees to; what cannot be read must not be.
func TestRequestsAreAsDescribed(t *testing.T) {
	s, ops := readSpec(t)
	n := newNative(t, runs.Options{Queue: 1000, QueueEach: 1000}, false)
	l := begin(t, n)
	student := l.join().Token
	l.phase(course.Predict)
	id := shareID(t, do(n, "POST", "/api/v1/scenarios", scenarioA))
	// One policy: a faulty one beside others is a lane that fails, not a request that is refused.
	asked := `"policies":[{"id":"hadar","params":{},"force":[]}],"replicates":2,"length_noise":0.5}`
	sent := 0
	for _, r := range []struct{ op, token, body string }{
		{"POST /api/v1/runs", "", `{"scenario_id":"` + id + `",` + asked},
		{"POST /api/v1/runs", "", `{"scenario_id":"` + id + `","policies":["fifo"]}`},
		{"POST /api/v1/sweeps", "", `{"vary":[{"path":"/scenario/round_s","values":[60]}],"scenario_id":"` + id + `",` + asked},
		{"POST /api/v1/classes", "", `{"assignment":"hadar-vs-gavel"}`},
		{"PATCH /api/v1/classes/{code}", l.key, `{"phase":"predict","minutes":3,"locked":false,"revealed":[]}`},
		{"POST /api/v1/classes/{code}/students", "", `{"tag":"x"}`},
		{"POST /api/v1/classes/{code}/entries", student, predicted},
		{"POST /api/v1/classes/{code}/recover", "", `{"code":"0000 0000"}`},
		{"PUT /api/v1/classes/{code}/verdicts/{seq}", l.key, `{"verdict":"verified","lanes":[]}`},
	} {
		var good any
		if err := json.Unmarshal([]byte(r.body), &good); err != nil {
			t.Fatal(err)
		}
		method, path, _ := strings.Cut(r.op, " ")
		path = strings.NewReplacer("{code}", strings.TrimPrefix(l.path, "/api/v1/classes/"), "{seq}", "1").Replace(path)
		for _, bad := range replaced(good, "x", 1.5, true, []any{}, []any{1.5}, map[string]any{},
			map[string]any{"x": 1.5}) {
			body, err := json.Marshal(bad)
			if err != nil {
				t.Fatal(err)
			}
			w := do(n, method, path, string(body), "Authorization", "Bearer "+r.token, "Content-Type",
				"application/json")
			sent++
			if w.Code == http.StatusBadRequest &&
				s.requests.fits(ops[r.op].at+"/requestBody/content/application~1json/schema", body) == nil {
				t.Errorf("%s: %s is as described and cannot be read: %s", r.op, body, w.Body)
			}
		}
	}
	if sent < 100 {
		t.Errorf("only %d requests were sent", sent)
	}
}

// replaced gives v with each of its values in turn replaced by each of the others.
func replaced(v any, by ...any) (out []any) {
	out = append(out, by...)
	within := func(key any, old any) {
		for _, other := range replaced(old, by...) {
			switch v := v.(type) {
			case map[string]any:
				c := maps.Clone(v)
				c[key.(string)] = other
				out = append(out, c)
			case []any:
				c := slices.Clone(v)
				c[key.(int)] = other
				out = append(out, c)
			}
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			within(key, v[key])
		}
	case []any:
		for i := range v {
			within(i, v[i])
		}
	}
	return out
}

// TestCheckerFindsFaults: a checker that passes everything would prove nothing.
func TestCheckerFindsFaults(t *testing.T) {
	s, _ := readSpec(t)
	for data, want := range map[string]string{
		`{"id":"x","state":"done","engine":"1","scenario_id":"y","lanes":[]}`:                                              "",
		`{"id":"x","state":"done","engine":"1","lanes":[]}`:                                                                "'scenario_id'",
		`{"id":"x","state":"gone","engine":"1","scenario_id":"y","lanes":[]}`:                                              "/state",
		`{"id":7,"state":"done","engine":"1","scenario_id":"y","lanes":[]}`:                                                "/id",
		`{"id":"x","state":"done","engine":"1","scenario_id":"y","lanes":{}}`:                                              "/lanes",
		`{"id":"x","state":"done","engine":"1","scenario_id":"y","lanes":[{"lane":0.5}]}`:                                  "/lanes/0/lane",
		`{"id":"x","state":"done","engine":"1","scenario_id":"y","lanes":[],"errors":[{"path":"","level":"error","x":1}]}`: "'x'",
	} {
		err := s.answers.fits("/components/schemas/RunStatus", []byte(data))
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", data, err, want)
		}
	}
}
