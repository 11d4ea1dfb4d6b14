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
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"hadarlab/core/chart/draw"
	"hadarlab/core/lab"
	"hadarlab/worker/class"
	"hadarlab/worker/logs"
)

// Options says what the handler stands on. Zero values are defaults.
type Options struct {
	// Store keeps shared scenarios and results. Required.
	Store Store
	// Runner works on runs in the background, by a pool or by messages. Default none: every run is answered inline.
	Runner *Runner
	// Web is the build folder that `make run` fills. Default none: only the placeholder page.
	// At the edge the runtime serves these files before the handler is asked.
	Web fs.FS
	// Shell returns the page as the build made it, nil where there is none. Default that of Web.
	Shell func(*http.Request) ([]byte, error)
	// Base is what comes before the server's own paths where people open it, as /lab. Default nothing. Paths of
	// requests, and Location, are without it: who hands requests on takes it off and puts it before.
	Base string
	// Picture draws a stored scenario as a PNG, for cards of links. Default none: those show the lab's.
	Picture func(*draw.Preview) ([]byte, error)
	// Pack compresses a page by gzip; sum is its hash. Default none: at the edge the platform does it.
	Pack func(sum string, page []byte) []byte
	// Yield lets others run between two slices of a simulation. Default runtime.Gosched.
	Yield func()
	// RunBytes bounds the body of POST /api/v1/runs. Default 1 MiB.
	RunBytes int64
	// RunSize is the largest jobs × policies answered inline. Default 400.
	RunSize int
	// Recorded is the most bytes that an inline run may record; see RunnerOptions. Default that of the Runner, else 8
	// MiB.
	Recorded int
	// RunSlices is how many slices of SliceEvents events one inline run may take. Default 2000.
	RunSlices int
	// Classes are the classes that are held here. Default those of Store where it keeps any; see NewClasses.
	Classes *class.Service
	// Address is where a request came from, of which only the network is used, and kept hashed for a while. Default
	// that of the connection: what a header says is anybody's word, see front.Proxies.
	Address func(*http.Request) string
	// Damaged is what /healthz says of stored rows: it is set as one is read that is not what was stored, and by
	// whoever looks through them all. Default one of its own.
	Damaged *atomic.Bool
	// Now is the time written beside a stored scenario. Default time.Now.
	Now func() time.Time
	// Log takes failures that are the server's own. Default logs.Default.
	Log logs.Logger
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
	if s.Shell == nil {
		s.Shell = s.files.page
	}
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
	if s.Recorded == 0 {
		s.Recorded = 8 << 20
		if s.Runner != nil {
			s.Recorded = s.Runner.Recorded
		}
	}
	if s.Damaged == nil {
		s.Damaged = &atomic.Bool{}
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Log == nil {
		s.Log = logs.Default
	}

	if s.Address == nil {
		s.Address = func(r *http.Request) string { return r.RemoteAddr }
	}
	if table, ok := s.Store.(class.Table); ok && s.Classes == nil {
		s.Classes = NewClasses(table, s.Runner, s.Now)
	}

	mux := http.NewServeMux()
	allowed := map[string][]string{} // methods by path
	for route, h := range s.routes() {
		mux.HandleFunc(route, h)
		method, path, _ := strings.Cut(route, " ")
		allowed[path] = append(allowed[path], method)
	}
	for path, methods := range allowed {
		mux.HandleFunc(path, notAllowed(methods...))
	}
	mux.HandleFunc("/", s.static) // for every method: the router takes it and GET alone for equals
	mux.HandleFunc("/api/", s.noSuchAPI)
	return s.guard(mux)
}

// routes are the methods and paths of the interface; openapi.json describes them. GET answers HEAD too.
func (s *server) routes() map[string]http.HandlerFunc {
	routes := map[string]http.HandlerFunc{
		"GET /healthz":                       s.health,
		"GET /readyz":                        s.health,
		"GET /api/v1/openapi.json":           s.getOpenAPI,
		"GET /api/v1/client":                 s.getClient,
		"POST /api/v1/scenarios":             s.postScenario,
		"GET /api/v1/scenarios/{id}":         s.getScenario,
		"POST /api/v1/runs":                  s.postRun,
		"GET /api/v1/runs/{id}":              s.onRun(runs, s.getRun),
		"DELETE /api/v1/runs/{id}":           s.onRun(runs, s.deleteRun),
		"GET /api/v1/runs/{id}/events":       s.onRun(runs, s.runEvents),
		"GET /api/v1/runs/{id}/result":       s.onRun(runs, s.getResult),
		"GET /api/v1/runs/{id}/trace/{lane}": s.onRun(runs, s.getTrace),
		"POST /api/v1/sweeps":                s.postSweep,
		"GET /api/v1/sweeps/{id}":            s.onRun(sweeps, s.getRun),
		"DELETE /api/v1/sweeps/{id}":         s.onRun(sweeps, s.deleteRun),
		"GET /api/v1/sweeps/{id}/events":     s.onRun(sweeps, s.runEvents),
		"GET /api/v1/sweeps/{id}/result":     s.onRun(sweeps, s.getResult),
		"GET /s/{id}":                        s.short,
		"GET /s/{id}/diff/{other}":           s.getDifference,
		"GET /e":                             s.embed,
		"GET /e/{id}":                        s.embed,
		"GET /o":                             s.shell,
	}
	maps.Copy(routes, s.classRoutes())
	return routes
}

// health answers /healthz: the server lives, and what its database can do; who sees that it is full shall not restart
// it. /readyz is an error where nothing can be stored.
func (s *server) health(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	takes := "inline"
	if s.Runner != nil {
		takes = "queued"
	}
	state := s.Store.State(r.Context())
	code := http.StatusOK
	if state == Sound && s.Damaged.Load() {
		state = Damaged
	} else if state != Sound && r.URL.Path == "/readyz" {
		code = http.StatusServiceUnavailable
	}
	writeJSON(w, r, code, map[string]string{
		"status": string(state), "engine": s.engine, "version": Version, "commit": Commit(), "runs": takes,
	})
}

func (s *server) noSuchAPI(w http.ResponseWriter, r *http.Request) {
	detail := "there is no " + r.URL.Path + " in this API"
	if later := strings.TrimPrefix(r.URL.Path, "/api/v"); later != r.URL.Path && !strings.HasPrefix(later, "1/") {
		detail = "this release answers /api/v1 and no other version; ask a newer release"
	}
	problem(w, r, http.StatusNotFound, detail)
}

// notAllowed answers a request with a method that its path does not have, and says which it has.
func notAllowed(methods ...string) http.HandlerFunc {
	if slices.Contains(methods, http.MethodGet) {
		methods = append(methods, http.MethodHead)
	}
	slices.Sort(methods)
	list := strings.Join(methods, ", ")
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", list)
		problem(w, r, http.StatusMethodNotAllowed, r.Method+" is not possible here; allowed: "+list)
	}
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
			s.Log.Error("panic while answering", "method", r.Method, "route", r.Pattern, "panic", p)
			problem(w, r, http.StatusInternalServerError, "the server failed on this request and has logged why")
		}()
		next.ServeHTTP(w, r)
	})
}
