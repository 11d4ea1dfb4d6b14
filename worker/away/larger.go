package away

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/worker/answer"
	"hadarlab/worker/class"
	"hadarlab/worker/gate"
	"hadarlab/worker/queue"
	"hadarlab/worker/vault"
)

// Larger is the class.Runs of a server whose runs are asked for as everybody asks for them, here or elsewhere.
type Larger struct {
	// To sends a request about runs; see Simulator.Ask and Within.
	To func(*http.Request) (*http.Response, error)
	// Gate signs it as the class's.
	Gate *gate.Gate
	// Standing says how a run stands: by memory where that has it, since the table is seldom told.
	Standing func(ctx context.Context, id string) (class.Standing, error)
}

// Ask implements class.Runs.
func (l *Larger) Ask(ctx context.Context, code string, sweep bool, request any) (id, token string, err error) {
	path := "/api/v1/runs"
	if sweep {
		path = "/api/v1/sweeps"
	}
	body, err := json.Marshal(request)
	if err != nil {
		return "", "", err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://simulator"+path, bytes.NewReader(body))
	if err != nil {
		return "", "", err
	}
	r.Header.Set("Content-Type", "application/json")
	l.Gate.AsClass(r, code)
	var said struct {
		ID    string
		Token string `json:"cancel_token"`
	}
	err = l.send(r, &said)
	return said.ID, said.Token, err
}

// Look implements class.Runs.
func (l *Larger) Look(ctx context.Context, id string) (class.Standing, error) {
	return l.Standing(ctx, id)
}

// Leave implements class.Runs.
func (l *Larger) Leave(ctx context.Context, path, token string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, "https://simulator"+path, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	err = l.send(r, &struct{}{})
	if no := (*class.Refusal)(nil); errors.As(err, &no) && no.Reason == class.Conflict { // it has ended, or is gone
		return nil
	}
	return err
}

// send reads a good answer. A refusal is one of the class, in the words of who refuses.
func (l *Larger) send(r *http.Request, into any) error {
	res, err := l.To(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	switch {
	case err != nil:
		return err
	case res.StatusCode < 300:
		return json.Unmarshal(body, into)
	}
	var p answer.Problem
	if err := json.Unmarshal(body, &p); err != nil {
		return fmt.Errorf("away: the simulator answers %d", res.StatusCode)
	}
	no := &class.Refusal{Reason: class.Conflict, Code: "larger-refused", Detail: p.Detail, Errors: p.Errors}
	switch res.StatusCode {
	case http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		no.Reason = class.Bad
	case http.StatusTooManyRequests:
		no.Reason = class.Slow
	case http.StatusServiceUnavailable:
		no.Reason = class.Crowded
	case http.StatusInternalServerError, http.StatusInsufficientStorage:
		return fmt.Errorf("away: the simulator answers %d: %s", res.StatusCode, p.Detail)
	}
	if s, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil {
		no.Wait = time.Duration(s) * time.Second
	}
	return no
}

// Within answers requests by a handler of this program, whole.
func Within(h http.Handler) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		a := &whole{header: http.Header{}, status: http.StatusOK}
		h.ServeHTTP(a, r)
		return &http.Response{StatusCode: a.status, Header: a.header, Body: io.NopCloser(&a.body)}, nil
	}
}

// whole is an answer that is read when it is complete.
type whole struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *whole) Header() http.Header         { return a.header }
func (a *whole) Write(b []byte) (int, error) { return a.body.Write(b) }
func (a *whole) WriteHeader(status int)      { a.status = status }

// Told is a Larger.Standing by what the tables say, of the parts of a sweep too, where the program that works on it is
// another.
func Told(table queue.Table, store vault.Store, now func() time.Time) func(context.Context,
	string) (class.Standing, error) {
	return func(ctx context.Context, id string) (at class.Standing, err error) {
		w, err := table.Find(ctx, id)
		if errors.Is(err, queue.ErrNone) || err == nil && w.State == queue.Done {
			if _, err = store.GetRun(ctx, id, now().UnixMilli()); errors.Is(err, vault.ErrNotFound) {
				return at, class.ErrNone
			}
			w.State = queue.Done
		}
		if err != nil {
			return at, err
		}
		var status struct {
			Sweep  message.SweepProgress
			Errors []jsondoc.Diagnostic
		}
		if json.Unmarshal([]byte(w.Status), &status) != nil { // a damaged row, or none
			return class.Standing{State: w.State}, nil
		}
		at = class.Standing{State: w.State, Done: status.Sweep.Done, Runs: status.Sweep.Runs, Errors: status.Errors}
		p, err := table.Parts(ctx, id)
		if err == nil && p.All > 0 {
			at.Done = at.Runs / p.All * p.Done
		}
		return at, err
	}
}
