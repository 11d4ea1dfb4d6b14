// Package worker is the server as one http.Handler over one Store: it keeps shared scenarios by
// content id, hands out the page, answers small runs as a stream, and hands larger ones to a Runner
// where there is one. The same handler runs natively (worker/cmd/hadarlab) and in the edge runtime
// (worker/cmd/edge), so it knows no database, no disk and no clock that bounds work: runs are counted
// in events. It never simulates by itself; core/lab does.
//
// Flow: request → limits → scenario.Parse and Compile → Store, Runner or lab.Session → JSON, or a stream.
package worker

import (
	"io/fs"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"hadarlab/core/lab"
)

// Options says what the handler stands on. Zero values are defaults.
type Options struct {
	// Store keeps shared scenarios and results. Required.
	Store Store
	// Runner works on runs in the background. Default none: every run is answered inline, in its request.
	Runner *Runner
	// Web is the build folder that `make run` fills. Default none: only the placeholder page.
	// At the edge the runtime serves these files before the handler is asked.
	Web fs.FS
	// Shell returns the page's html for /s/{id} where Web is not given. Default none.
	Shell func(*http.Request) ([]byte, error)
	// Yield lets others run between two slices of a simulation. Default runtime.Gosched.
	Yield func()
	// RunBytes bounds the body of POST /api/v1/runs. Default 1 MiB.
	RunBytes int64
	// RunSize is the largest jobs × policies answered inline. Default 400.
	RunSize int
	// RunSlices is how many slices of SliceEvents events one inline run may take. Default 2000.
	RunSlices int
	// Now is the time written beside a stored scenario. Default time.Now.
	Now func() time.Time
	// Log takes failures that are the server's own. Default slog.Default.
	Log *slog.Logger
}

type server struct {
	Options
	engine string
	files  *files
}

// New returns the handler. It may be shared by any number of requests.
func New(o Options) http.Handler {
	if o.Store == nil {
		panic("worker: Options.Store is nil")
	}
	s := &server{Options: o, engine: lab.Engine, files: newFiles(o.Web)}
	if s.Yield == nil {
		s.Yield = runtime.Gosched
	}
	if s.RunBytes == 0 {
		s.RunBytes = 1 << 20
	}
	if s.RunSize == 0 {
		s.RunSize = 400
	}
	if s.RunSlices == 0 {
		s.RunSlices = 2000
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Log == nil {
		s.Log = slog.Default()
	}

	mux := http.NewServeMux()
	for path, m := range s.routes() {
		mux.Handle(path, m)
	}
	mux.HandleFunc("/api/", s.noSuchAPI)
	return s.guard(mux)
}

// routes are the paths and methods of the interface; openapi.json describes them.
func (s *server) routes() map[string]methods {
	return map[string]methods{
		"/healthz":                       {"GET": s.health},
		"/api/v1/openapi.json":           {"GET": s.getOpenAPI},
		"/api/v1/scenarios":              {"POST": s.postScenario},
		"/api/v1/scenarios/{id}":         {"GET": s.getScenario},
		"/api/v1/runs":                   {"POST": s.postRun},
		"/api/v1/runs/{id}":              {"GET": s.onRun(runs, s.getRun), "DELETE": s.onRun(runs, s.deleteRun)},
		"/api/v1/runs/{id}/events":       {"GET": s.onRun(runs, s.runEvents)},
		"/api/v1/runs/{id}/result":       {"GET": s.onRun(runs, s.getResult)},
		"/api/v1/runs/{id}/trace/{lane}": {"GET": s.onRun(runs, s.getTrace)},
		"/api/v1/sweeps":                 {"POST": s.postSweep},
		"/api/v1/sweeps/{id}":            {"GET": s.onRun(sweeps, s.getRun), "DELETE": s.onRun(sweeps, s.deleteRun)},
		"/api/v1/sweeps/{id}/events":     {"GET": s.onRun(sweeps, s.runEvents)},
		"/api/v1/sweeps/{id}/result":     {"GET": s.onRun(sweeps, s.getResult)},
		"/s/{id}":                        {"GET": s.short},
		"/s/{id}/diff/{other}":           {"GET": s.getDifference},
		"/e":                             {"GET": s.embed},
		"/e/{id}":                        {"GET": s.embed},
		"/o":                             {"GET": s.shell},
		"/":                              {"GET": s.static},
	}
}

func (s *server) health(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	takes := "inline"
	if s.Runner != nil {
		takes = "queued"
	}
	writeJSON(w, r, http.StatusOK, map[string]string{"status": "ok", "engine": s.engine, "runs": takes})
}

func (s *server) noSuchAPI(w http.ResponseWriter, r *http.Request) {
	problem(w, r, http.StatusNotFound, "there is no "+r.URL.Path+" in this API")
}

// methods is one path's handlers by method; GET answers HEAD too. Anything else is a 405 that says
// what is allowed.
type methods map[string]http.HandlerFunc

func (m methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if h, ok := m[method]; ok {
		h(w, r)
		return
	}
	var allow []string
	for k := range m {
		allow = append(allow, k)
		if k == http.MethodGet {
			allow = append(allow, http.MethodHead)
		}
	}
	slices.Sort(allow)
	list := strings.Join(allow, ", ")
	w.Header().Set("Allow", list)
	problem(w, r, http.StatusMethodNotAllowed, r.Method+" is not possible here; allowed: "+list)
}

// Headers are the security headers of every answer. The build writes them next to the static files
// for the edge runtime, which serves those without asking the handler.
func Headers() map[string]string {
	return map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
			"img-src 'self' data:; connect-src 'self'; worker-src 'self'; font-src 'self'; manifest-src 'self'; " +
			"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
		"Permissions-Policy":           "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
	}
}

// guard sets the security headers and turns a panic into a 500, so that one bad request ends alone.
func (s *server) guard(next http.Handler) http.Handler {
	headers := Headers()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for k, v := range headers {
			w.Header().Set(k, v)
		}
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler {
				panic(p)
			}
			s.Log.Error("panic while answering", "method", r.Method, "path", r.URL.Path, "panic", p)
			problem(w, r, http.StatusInternalServerError, "the server failed on this request and has logged why")
		}()
		next.ServeHTTP(w, r)
	})
}
