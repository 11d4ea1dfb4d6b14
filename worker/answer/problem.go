// Package answer is how every room of the server answers: JSON, problems of RFC 9457, streams of events, what caches
// need to know, and errors of the store.
package answer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// ErrBusy is what a body's Read gives when there is no room to hold more of it.
var ErrBusy = errors.New("answer: too many bodies are held")

// Problem is an error answer, application/problem+json of RFC 9457. Errors name the place in the
// input and the way out.
type Problem struct {
	Type   string               `json:"type"`
	Title  string               `json:"title"`
	Status int                  `json:"status"`
	Detail string               `json:"detail"`
	Errors []jsondoc.Diagnostic `json:"errors,omitempty"`
}

// Refuse answers with a problem.
func Refuse(w http.ResponseWriter, r *http.Request, status int, detail string, errs ...jsondoc.Diagnostic) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Del("ETag")
	w.Header().Del("Content-Encoding")
	write(w, r, status, "application/problem+json", Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail, Errors: errs,
	})
}

// JSON answers with v.
func JSON(w http.ResponseWriter, r *http.Request, status int, v any) {
	write(w, r, status, "application/json", v)
}

func write(w http.ResponseWriter, r *http.Request, status int, contentType string, v any) {
	b, err := json.Marshal(v)
	if err != nil { // a NaN in a metric: a fault of ours, not of the request
		status, contentType = http.StatusInternalServerError, "application/problem+json"
		b = fmt.Appendf(nil, `{"type":"about:blank","title":"Internal Server Error","status":500,"detail":%q}`,
			err.Error())
	}
	Bytes(w, r, status, contentType, append(b, '\n'))
}

// Bytes always names the type: the edge runtime sniffs none.
func Bytes(w http.ResponseWriter, r *http.Request, status int, contentType string, b []byte) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(b) // the client has gone: nobody is left to tell
	}
}

// ReadJSON reads a body of at most limit bytes that calls itself JSON. If it is not ok the problem
// has been answered.
func ReadJSON(w http.ResponseWriter, r *http.Request, limit int64) (body []byte, ok bool) {
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		w.Header().Set("Accept-Post", "application/json")
		Refuse(w, r, http.StatusUnsupportedMediaType, "the body must be JSON; send Content-Type: application/json")
		return nil, false
	}
	defer r.Body.Close() // net/http does it anyway, the edge runtime does not
	if r.ContentLength > limit {
		TooLarge(w, r, limit)
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		// The local edge runtime loses its connection over a body that is left half read.
		_, _ = io.CopyN(io.Discard, r.Body, 8*limit)
		TooLarge(w, r, limit)
	case errors.Is(err, ErrBusy):
		w.Header().Set("Retry-After", "2")
		Refuse(w, r, http.StatusServiceUnavailable, "too many requests are being read; send it again in a while")
	case err != nil:
		Refuse(w, r, http.StatusBadRequest, "the body could not be read to its end")
	default:
		return body, true
	}
	return nil, false
}

// TooLarge refuses a body.
func TooLarge(w http.ResponseWriter, r *http.Request, limit int64) {
	Refuse(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d bytes", limit),
		jsondoc.Error("", "too-large", words.Say("larger than the {0} bytes taken here", limit),
			words.Say("shorten it, or keep it as a file and open that in the page")))
}

// Invalid refuses a document that has faults.
func Invalid(w http.ResponseWriter, r *http.Request, errs []jsondoc.Diagnostic) {
	detail := "the scenario has 1 fault"
	if len(errs) != 1 {
		detail = fmt.Sprintf("the scenario has %d faults", len(errs))
	}
	Refuse(w, r, http.StatusUnprocessableEntity, detail, errs...)
}

// Later tells when to come again, in whole seconds.
func Later(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
}

// NotAllowed answers a request with a method that its path does not have, and says which it has.
func NotAllowed(methods ...string) http.HandlerFunc {
	if slices.Contains(methods, http.MethodGet) {
		methods = append(methods, http.MethodHead)
	}
	slices.Sort(methods)
	list := strings.Join(methods, ", ")
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", list)
		Refuse(w, r, http.StatusMethodNotAllowed, r.Method+" is not possible here; allowed: "+list)
	}
}
