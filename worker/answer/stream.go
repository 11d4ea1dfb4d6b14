package answer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Beat is how often a listener that has no news gets a comment, which keeps proxies from closing the line.
const Beat = 15 * time.Second

// Events writes server-sent events.
type Events struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

// Stream answers 200 with a stream of events. It may last longer than a request may take to arrive:
// the server's bound on reading would end it.
func Stream(w http.ResponseWriter) Events {
	e := Events{w, http.NewResponseController(w)}
	_ = e.rc.SetReadDeadline(time.Time{}) // where the runtime has no deadlines none is in the way
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	return e
}

// Send writes one event.
func (e Events) Send(name string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		name, data = "failure", fmt.Appendf(nil, `{"lane":-1,"message":%q}`, err.Error())
	}
	e.SendBytes(name, data)
}

// SendBytes writes one event whose data is JSON without line breaks, but for one at its end.
func (e Events) SendBytes(name string, data []byte) {
	e.Printf("event: %s\ndata: %s\n\n", name, bytes.TrimSuffix(data, []byte("\n")))
}

// Printf flushes what it writes. A reader that takes nothing for 30 s loses the stream; where the runtime
// has no deadlines it has its own. Write errors end the stream through the request's context.
func (e Events) Printf(format string, args ...any) {
	_ = e.rc.SetWriteDeadline(time.Now().Add(30 * time.Second))
	_, _ = fmt.Fprintf(e.w, format, args...)
	_ = e.rc.Flush()
}
