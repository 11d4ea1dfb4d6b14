package worker

import (
	"context"
	"errors"
	"time"
)

const (
	// SmallDoc is the largest document that a Store keeps as it is, in bytes; larger ones are deflated, and count
	// against limits of their own.
	SmallDoc = 64 << 10
	// MaxRow is how much stands in one row, in bytes: half of what D1 allows.
	MaxRow = 1 << 20
	// MaxRun is the largest result with its traces, which may take several rows.
	MaxRun = 4 << 20
)

// Errors of a Store.
var (
	ErrNotFound = errors.New("worker: no such row")
	ErrTooLarge = errors.New("worker: larger than a row may be")
	ErrFull     = errors.New("worker: nothing more can be stored")
	// Of documents above SmallDoc: this client has stored enough for now, or all have.
	ErrShare     = errors.New("worker: one client has stored its share")
	ErrLargeFull = errors.New("worker: no room for large documents")
)

// State is what a database can do, in the words of /healthz.
type State string

// The states. What is damaged is a row; all others are as good as before.
const (
	Sound    State = "ok"
	ReadOnly State = "read-only"
	NoRoom   State = "storage-full"
	Damaged  State = "damaged"
)

// LimitError is ErrTooLarge, ErrShare or ErrLargeFull, with the limit in bytes of what is stored, deflated, and how
// long it lasts, 0 = for good.
type LimitError struct {
	Err   error
	Bytes int64
	Wait  time.Duration
}

func (e *LimitError) Error() string { return e.Err.Error() }
func (e *LimitError) Unwrap() error { return e.Err }

// Content is a stored scenario, or what people say of one. It never changes: another content is another id.
type Content struct {
	ID        string
	Sum       string // SHA-256 of all the rest, in hex: tells a damaged row
	Doc       []byte // canonical bytes of the member `scenario`, or of `meta`
	CreatedMS int64  // Unix time in milliseconds
	// Owner is whose share of large ones it takes: a hash of a token, "" = nobody in particular. It is not kept.
	Owner string
}

// Kind says which of the two a Content is.
type Kind string

// The kinds of Content, called as their tables are.
const (
	Scenarios Kind = "scenarios"
	Texts     Kind = "texts"
)

// Run is the result of one finished run. Unlike a scenario it may be gone tomorrow: it can be
// simulated again.
type Run struct {
	ID     string // content id of scenario, policies, parameters and engine
	Sum    string // SHA-256 of all the rest, in hex
	Result []byte // message.Result or message.SweepResult as JSON
	Traces string // of the lanes, packed as text; "" = not kept
}

// Store keeps scenarios and texts, and results as long as there is room. It has neither transactions nor updates, so
// that every database can be one.
type Store interface {
	// Put keeps c unless its id is taken, and tells which.
	Put(ctx context.Context, kind Kind, c Content) (created bool, err error)
	// Get returns the row as it is stored, or ErrNotFound.
	Get(ctx context.Context, kind Kind, id string) (Content, error)
	// PutRun keeps run in place of what has its id, and drops what was read longest ago beyond the
	// store's bounds.
	PutRun(ctx context.Context, run Run, nowMS int64) error
	// GetRun returns the row as it is stored and notes that it was read, or ErrNotFound.
	GetRun(ctx context.Context, id string, nowMS int64) (Run, error)
	// State is whether it takes more. Put and PutRun fail with ErrFull where it does not.
	State(ctx context.Context) State
}
