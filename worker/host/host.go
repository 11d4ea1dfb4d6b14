// Package host makes one http.Handler of the rooms of a server: it routes, sets the headers of every answer, turns a
// panic into an answer, and says how the server is. It knows no room.
package host

import (
	"maps"
	"net/http"
	"strings"

	"hadarlab/worker/answer"
	"hadarlab/worker/vault"
)

// Room answers a part of what is asked.
type Room interface {
	// Routes are its methods and paths; openapi.json describes them. GET answers HEAD too, and a path alone is for
	// every method.
	Routes() map[string]http.HandlerFunc
}

// Options says what a host stands on, beside its rooms.
type Options struct {
	answer.Faults
	// Engine, Version and Commit are what /healthz says of the program, and Runs how it takes runs.
	Engine, Version, Commit, Runs string
	// Rest answers what is no room's.
	Rest http.HandlerFunc
}

// Health is the room of those who watch over the server.
type Health struct{ Options }

// New returns the handler. It may be shared by any number of requests.
func New(o Options, rooms ...Room) http.Handler {
	mux := http.NewServeMux()
	allowed := map[string][]string{} // methods by path
	for route, handle := range Routes(append(rooms, Health{o})...) {
		mux.HandleFunc(route, handle)
		if method, path, one := strings.Cut(route, " "); one {
			allowed[path] = append(allowed[path], method)
		}
	}
	for path, methods := range allowed {
		mux.HandleFunc(path, answer.NotAllowed(methods...))
	}
	mux.HandleFunc("/", o.Rest) // for every method: the router takes it and GET alone for equals
	mux.HandleFunc("/api/", noSuchAPI)
	return o.guard(mux)
}

// Routes are those of rooms together.
func Routes(rooms ...Room) map[string]http.HandlerFunc {
	all := map[string]http.HandlerFunc{}
	for _, room := range rooms {
		maps.Copy(all, room.Routes())
	}
	return all
}

// Routes are /healthz and /readyz.
func (h Health) Routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{"GET /healthz": h.health, "GET /readyz": h.health}
}

// health answers /healthz: the server lives, and what its database can do; who sees that it is full shall not restart
// it. /readyz is an error where nothing can be stored.
func (h Health) health(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	state := h.Store.State(r.Context())
	code := http.StatusOK
	if state == vault.Sound && h.Damaged.Load() {
		state = vault.Damaged
	} else if state != vault.Sound && r.URL.Path == "/readyz" {
		code = http.StatusServiceUnavailable
	}
	answer.JSON(w, r, code, map[string]string{
		"status": string(state), "engine": h.Engine, "version": h.Version, "commit": h.Commit, "runs": h.Runs,
	})
}

func noSuchAPI(w http.ResponseWriter, r *http.Request) {
	detail := "there is no " + r.URL.Path + " in this API"
	if later := strings.TrimPrefix(r.URL.Path, "/api/v"); later != r.URL.Path && !strings.HasPrefix(later, "1/") {
		detail = "this release answers /api/v1 and no other version; ask a newer release"
	}
	answer.Refuse(w, r, http.StatusNotFound, detail)
}

// guard sets the security headers and turns a panic into a 500, so that one bad request ends alone.
func (o *Options) guard(next http.Handler) http.Handler {
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
			o.Log.Error("panic while answering", "method", r.Method, "route", r.Pattern, "panic", p)
			answer.Refuse(w, r, http.StatusInternalServerError, "the server failed on this request and has logged why")
		}()
		next.ServeHTTP(w, r)
	})
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
