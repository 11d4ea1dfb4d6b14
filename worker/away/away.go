// Package away is the simulator where it is another program: requests about runs are handed on to it. At the edge it is
// a Worker of its own, since engine and page do not fit into one.
package away

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	course "hadarlab/core/class"
	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/words"
	"hadarlab/worker/answer"
	"hadarlab/worker/logs"
)

// Simulator is the room of another program.
type Simulator struct {
	// Ask sends it a request. The body of its answer is read by nobody on the way.
	Ask func(*http.Request) (*http.Response, error)
	// Engine is the version of whose runs results are expected. Another may stand there while both are brought up to
	// date, one after the other.
	Engine string
	Log    logs.Logger
}

// Routes are all paths about runs, with every method: what they may be asked, the simulator says.
func (s *Simulator) Routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{"/api/v1/runs": s.handOn, "/api/v1/runs/": s.handOn, "/api/v1/sweeps": s.handOn,
		"/api/v1/sweeps/": s.handOn}
}

// handOn answers what the simulator answers, as it comes.
func (s *Simulator) handOn(w http.ResponseWriter, r *http.Request) {
	res, err := s.Ask(r)
	if err != nil {
		s.Log.Error("the simulator cannot be asked", "error", err)
		answer.Later(w, 10*time.Second)
		answer.Refuse(w, r, http.StatusServiceUnavailable, "the simulator of this server cannot be reached just now",
			jsondoc.Error("", "no-simulator", words.Say("the program that simulates does not answer"),
				words.Say("send it again in a while, or run it in the page")))
		return
	}
	defer res.Body.Close()
	for name, values := range res.Header {
		w.Header()[name] = []string{strings.Join(values, ",")} // the runtime's library takes them apart
	}
	w.Header().Del("Content-Length") // it is the platform's to say
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(w, res.Body) // the client has gone, or the simulator: the stream ends, which its reader sees
}

// ErrVersions says that the simulator is of another version.
var ErrVersions = errors.New("away: the simulator is of another version")

// Truth is a lesson.Truth by the simulator. It is a stream, so that it needs no queue.
func (s *Simulator) Truth(ctx context.Context, a *course.Assignment) (lanes []message.Lane, err error) {
	body, err := json.Marshal(map[string]json.RawMessage{"scenario": a.Scenario})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://simulator/api/v1/runs", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	res, err := s.Ask(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode >= http.StatusInternalServerError:
		return nil, fmt.Errorf("away: the simulator answers %s", res.Status)
	case res.StatusCode != http.StatusOK: // too large, or it cannot run
		_, err = io.Copy(io.Discard, res.Body)
		return nil, err
	}
	return s.lanes(res.Body)
}

// lanes reads those of the result at the end of a stream; none where a lane has failed, or the run was cut off.
func (s *Simulator) lanes(stream io.Reader) ([]message.Lane, error) {
	in, event := bufio.NewReader(stream), ""
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("away: the simulator's stream ends before its result: %w", err)
		}
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			if event = strings.TrimSpace(name); event == "failure" {
				_, err = io.Copy(io.Discard, in)
				return nil, err
			}
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || event != "result" {
			continue
		}
		var result message.Result
		switch err := json.Unmarshal([]byte(data), &result); {
		case err != nil:
			return nil, err
		case result.Engine != s.Engine:
			return nil, fmt.Errorf("%w: %s, and this is %s", ErrVersions, result.Engine, s.Engine)
		}
		return result.Runs, nil
	}
}
