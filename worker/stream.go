package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// events writes server-sent events.
type events struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

// openStream answers 200 with a stream of events. It may last longer than a request may take to arrive:
// the server's bound on reading would end it.
func openStream(w http.ResponseWriter) events {
	e := events{w, http.NewResponseController(w)}
	_ = e.rc.SetReadDeadline(time.Time{}) // where the runtime has no deadlines none is in the way
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	return e
}

// send writes one event.
func (e events) send(name string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		name, data = "failure", fmt.Appendf(nil, `{"lane":-1,"message":%q}`, err.Error())
	}
	e.sendBytes(name, data)
}

// sendBytes writes one event whose data is JSON without line breaks, but for one at its end.
func (e events) sendBytes(name string, data []byte) {
	e.write("event: %s\ndata: %s\n\n", name, bytes.TrimSuffix(data, []byte("\n")))
}

// write flushes what it writes. A reader that takes nothing for 30 s loses the stream; where the runtime
// has no deadlines it has its own. Write errors end the stream through the request's context.
func (e events) write(format string, args ...any) {
	_ = e.rc.SetWriteDeadline(time.Now().Add(30 * time.Second))
	_, _ = fmt.Fprintf(e.w, format, args...)
	_ = e.rc.Flush()
}
