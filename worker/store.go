package worker

import (
	"context"
	"errors"
)

// MaxDoc is the largest document or result a Store takes, in bytes: half of what D1 allows in a row.
const MaxDoc = 1 << 20

// Errors of a Store.
var (
	ErrNotFound = errors.New("worker: no such row")
	ErrTooLarge = errors.New("worker: larger than a row may be")
)

// Scenario is one stored scenario. It never changes: another content is another id.
type Scenario struct {
	ID        string
	Sum       string // SHA-256 of Doc in hex; tells a damaged row and a shared id prefix
	Title     string
	Origin    string // content id of the scenario it was made from, "" = none
	Doc       []byte // canonical bytes of the `scenario` member
	CreatedMS int64  // Unix time in milliseconds
}

// Run is the result of one finished run. Unlike a scenario it may be gone tomorrow: it can be
// simulated again.
type Run struct {
	ID     string // content id of scenario, policies, parameters and engine
	Sum    string // SHA-256 of Result and Traces in hex
	Result []byte // message.Result or message.SweepResult as JSON
	Traces string // of the lanes, packed as text; "" = not kept
}

// Store keeps scenarios, and results as long as there is room. It has neither transactions nor updates, so that every database can be one.
type Store interface {
	// PutScenario keeps s unless its id is taken, and tells which.
	PutScenario(ctx context.Context, s Scenario) (created bool, err error)
	// GetScenario returns the row as it is stored, or ErrNotFound.
	GetScenario(ctx context.Context, id string) (Scenario, error)
	// PutRun keeps run in place of what has its id, and drops what was read longest ago beyond the
	// store's bounds.
	PutRun(ctx context.Context, run Run, nowMS int64) error
	// GetRun returns the row as it is stored and notes that it was read, or ErrNotFound.
	GetRun(ctx context.Context, id string, nowMS int64) (Run, error)
}
