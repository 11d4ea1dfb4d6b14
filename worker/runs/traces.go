package runs

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/words"
	"hadarlab/worker/answer"
	"hadarlab/worker/vault"
)

// getTrace returns what one lane did, in the codec of core/trace. Lanes count from 0, as the run's status
// lists them. A trace can be read as soon as its lane has ended; that of a run that is done never changes.
func (s *API) getTrace(w http.ResponseWriter, r *http.Request, x *run) {
	l := x.snapshot()
	at, err := strconv.Atoi(r.PathValue("lane"))
	if err != nil || at < 0 || at >= len(l.Lanes) {
		answer.Refuse(w, r, http.StatusNotFound, "the run has no such lane: it has "+strconv.Itoa(len(l.Lanes))+
			", counted from 0")
		return
	}
	i := slices.IndexFunc(l.lanes, func(m message.Lane) bool { return m.Lane == at })
	switch {
	case i >= 0 && i < len(l.traces):
	case i < 0 && !l.final() && l.Lanes[at].Outcome == "":
		answer.Refuse(w, r, http.StatusConflict, "the run is "+l.State+" and this lane has no trace yet",
			jsondoc.Error("", "lane-unfinished", words.Say("a trace comes with the end of its lane"),
				words.Say("follow {0}/events, or ask again later", x.path())))
		return
	default:
		answer.Refuse(w, r, http.StatusNotFound, "there is no trace of this lane",
			jsondoc.Error("", "no-trace", words.Say("the lane gave nothing, or its trace was too large to keep"),
				words.Say("send the run again")))
		return
	}
	if !l.final() || !l.complete() {
		w.Header().Set("Cache-Control", "no-store")
		answer.Bytes(w, r, http.StatusOK, "application/octet-stream", l.traces[i])
		return
	}
	answer.Lasting(w, r, "application/octet-stream", l.traces[i])
}

// packTraces writes traces as text that any database takes: a letter for the codec, then the length and bytes of
// each in base 64, deflated ("z"). Older rows have them plain ("p").
func packTraces(traces [][]byte) string {
	size := 0
	for _, t := range traces {
		size += len(t)
	}
	if size == 0 || size > 32*vault.MaxRow { // no trace shrinks as much as that
		return ""
	}
	var z bytes.Buffer
	w, _ := flate.NewWriter(&z, flate.DefaultCompression) // there is such a level
	for _, t := range traces {                            // a buffer takes everything
		_, _ = w.Write(binary.AppendUvarint(nil, uint64(len(t))))
		_, _ = w.Write(t)
	}
	_ = w.Close()
	return "z" + base64.StdEncoding.EncodeToString(z.Bytes())
}

// unpackTraces reads what packTraces wrote.
func unpackTraces(s string) (traces [][]byte, err error) {
	if s == "" {
		return nil, nil
	}
	text := base64.NewDecoder(base64.StdEncoding, strings.NewReader(s[1:]))
	if s[0] == 'z' {
		text = flate.NewReader(text)
	}
	b, err := io.ReadAll(text)
	if err != nil {
		return nil, err
	}
	for r := bytes.NewReader(b); r.Len() > 0; {
		n, err := binary.ReadUvarint(r)
		if err != nil || n > uint64(r.Len()) {
			return nil, io.ErrUnexpectedEOF
		}
		at := len(b) - r.Len()
		traces = append(traces, b[at:at+int(n):at+int(n)])
		_, _ = r.Seek(int64(n), io.SeekCurrent)
	}
	return traces, nil
}
