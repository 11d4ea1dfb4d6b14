package worker

import (
	"context"
	"errors"
)

// MaxDoc is the largest document a Store takes, in bytes: half of what D1 allows in a row.
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
	Doc       []byte // canonical bytes of the `scenario` member
	CreatedMS int64  // Unix time in milliseconds
}

// Store keeps scenarios. It has neither transactions nor updates, so that every database can be one.
type Store interface {
	// PutScenario keeps s unless its id is taken, and tells which.
	PutScenario(ctx context.Context, s Scenario) (created bool, err error)
	// GetScenario returns the row as it is stored, or ErrNotFound.
	GetScenario(ctx context.Context, id string) (Scenario, error)
}
