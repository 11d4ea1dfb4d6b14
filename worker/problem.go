package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"hadarlab/core/text"
	"hadarlab/core/words"
)

// ErrBusy is what a body's Read gives when there is no room to hold more of it.
var ErrBusy = errors.New("worker: too many bodies are held")

// Problem is an error answer, application/problem+json of RFC 9457. Errors name the place in the
// input and the way out.
type Problem struct {
	Type   string            `json:"type"`
	Title  string            `json:"title"`
	Status int               `json:"status"`
	Detail string            `json:"detail"`
	Errors []text.Diagnostic `json:"errors,omitempty"`
}

func problem(w http.ResponseWriter, r *http.Request, status int, detail string, errs ...text.Diagnostic) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Del("ETag")
	w.Header().Del("Content-Encoding")
	write(w, r, status, "application/problem+json", Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail, Errors: errs,
	})
}

// WriteProblem answers with a problem, for what stands before the handler.
func WriteProblem(w http.ResponseWriter, r *http.Request, status int, detail string, errs ...text.Diagnostic) {
	problem(w, r, status, detail, errs...)
}

func writeJSON(w http.ResponseWriter, r *http.Request, status int, v any) {
	write(w, r, status, "application/json", v)
}

func write(w http.ResponseWriter, r *http.Request, status int, contentType string, v any) {
	b, err := json.Marshal(v)
	if err != nil { // a NaN in a metric: a fault of ours, not of the request
		status, contentType = http.StatusInternalServerError, "application/problem+json"
		b = fmt.Appendf(nil, `{"type":"about:blank","title":"Internal Server Error","status":500,"detail":%q}`,
			err.Error())
	}
	writeBytes(w, r, status, contentType, append(b, '\n'))
}

// writeBytes always names the type: the edge runtime sniffs none.
func writeBytes(w http.ResponseWriter, r *http.Request, status int, contentType string, b []byte) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(b) // the client has gone: nobody is left to tell
	}
}

// readJSON reads a body of at most limit bytes that calls itself JSON. If it is not ok the problem
// has been answered.
func readJSON(w http.ResponseWriter, r *http.Request, limit int64) (body []byte, ok bool) {
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		w.Header().Set("Accept-Post", "application/json")
		problem(w, r, http.StatusUnsupportedMediaType, "the body must be JSON; send Content-Type: application/json")
		return nil, false
	}
	defer r.Body.Close() // net/http does it anyway, the edge runtime does not
	if r.ContentLength > limit {
		tooLarge(w, r, limit)
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		// The local edge runtime loses its connection over a body that is left half read.
		_, _ = io.CopyN(io.Discard, r.Body, 8*limit)
		tooLarge(w, r, limit)
	case errors.Is(err, ErrBusy):
		w.Header().Set("Retry-After", "2")
		problem(w, r, http.StatusServiceUnavailable, "too many requests are being read; send it again in a while")
	case err != nil:
		problem(w, r, http.StatusBadRequest, "the body could not be read to its end")
	default:
		return body, true
	}
	return nil, false
}

func tooLarge(w http.ResponseWriter, r *http.Request, limit int64) {
	problem(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d bytes", limit),
		text.Error("", "too-large", words.Say("larger than the {0} bytes taken here", limit),
			words.Say("shorten it, or keep it as a file and open that in the page")))
}
