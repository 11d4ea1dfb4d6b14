// Package vault is what the server's rooms keep their things in: scenarios and texts by their content, and results of
// runs. It says what a row is and when it is whole; databases are sqlstore's.
package vault

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
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
	ErrNotFound = errors.New("vault: no such row")
	ErrTooLarge = errors.New("vault: larger than a row may be")
	ErrFull     = errors.New("vault: nothing more can be stored")
	// Of documents above SmallDoc: this client has stored enough for now, or all have.
	ErrShare     = errors.New("vault: one client has stored its share")
	ErrLargeFull = errors.New("vault: no room for large documents")
	// ErrDamaged marks a row that is not what was stored.
	ErrDamaged = errors.New("vault: stored scenario is damaged")
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

// Whole tells whether a row is as it was stored. The checksum of a row from before there were texts covers its
// document only.
func (c *Content) Whole() bool { return c.Sum == c.sum() || c.Sum == Sum(c.Doc) }

// Seal writes the checksum of all the rest.
func (c *Content) Seal() { c.Sum = c.sum() }

func (c *Content) sum() string {
	return Sum(bytes.Join([][]byte{[]byte(c.ID), strconv.AppendInt(nil, c.CreatedMS, 10), c.Doc}, []byte("\n")))
}

// Whole tells whether a row is as it was stored. The checksum of an older row covers result and traces as one text.
func (r *Run) Whole() bool {
	return r.Sum == r.sum() || r.Sum == Sum(slices.Concat(r.Result, []byte(r.Traces)))
}

// Seal writes the checksum of all the rest.
func (r *Run) Seal() { r.Sum = r.sum() }

func (r *Run) sum() string {
	return Sum(fmt.Appendf(nil, "%s\n%d\n%s%s", r.ID, len(r.Result), r.Result, r.Traces))
}

// Sum is a SHA-256 in hex.
func Sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// alphabet is that of ids: no i, l, o, u, which are misread aloud or on a slide.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

var crockford = base32.NewEncoding(alphabet).WithPadding(base32.NoPadding)

// ID writes a digest in letters and digits; ids are as much of its beginning as tells them apart.
func ID(digest [sha256.Size]byte) string { return crockford.EncodeToString(digest[:]) }

// Spells tells whether text could be an id, or a part of one, by its letters.
func Spells(text string) bool { return strings.Trim(text, alphabet) == "" }
