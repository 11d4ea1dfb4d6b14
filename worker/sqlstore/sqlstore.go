// Package sqlstore is vault.Store on database/sql, in the statements that SQLite and D1 both take:
// TEXT ids, times as Unix milliseconds, typed scans, one statement a call and no transaction.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"hadarlab/worker/logs"
	"hadarlab/worker/vault"
)

// Store is a vault.Store, a queue.Table (work) and a class.Table (lessons) over a database that has the tables of
// worker/migrations.
type Store struct {
	*base
	work
	lessons
	// Runs and RunBytes bound the cached results. New sets 10,000, which a class does not reach in a lesson, and 128
	// MiB.
	Runs, RunBytes int64
	// Retain is how long a scenario or text is kept that nobody reads; see Expire. 0 = for ever, and reading is not
	// noted.
	Retain time.Duration
	// Of documents above vault.SmallDoc, deflated: Largest is the most bytes of one, LargeEach what one client may
	// store of them in an hour, LargeBytes what all take. New sets 1 MiB, half of what D1 allows in a row, 16 and
	// 256 MiB.
	Largest, LargeEach, LargeBytes int64
}

// base is the database, and what is known of it.
type base struct {
	db DB
	// Probe is how often State tries a change where none has failed. Default 0: never, and a disk that is full from the
	// start is told by the first change only.
	Probe time.Duration
	room  room
}

type (
	// work is what waits and is worked on.
	work struct{ *base }
	// lessons are the classes that are held.
	lessons struct{ *base }
)

// room is whether the database takes more.
type room struct {
	log    logs.Logger
	state  atomic.Value // vault.State, none = Sound
	probed atomic.Int64
}

// New returns a store on db.
func New(db *sql.DB) *Store { return On(plainDB{db}, logs.Default) }

// On returns a store on a database of another kind.
func On(db DB, log logs.Logger) *Store {
	b := &base{db: db, room: room{log: log}}
	return &Store{base: b, work: work{b}, lessons: lessons{b}, Runs: 10_000, RunBytes: 128 << 20, Largest: 1 << 20,
		LargeEach: 16 << 20, LargeBytes: 256 << 20}
}

// Put implements vault.Store. A kind is the name of its table.
func (s *Store) Put(ctx context.Context, kind vault.Kind, c vault.Content) (created bool, err error) {
	if len(c.Doc) > vault.SmallDoc {
		return s.putLarge(ctx, kind, c)
	}
	n, err := s.exec(ctx,
		`INSERT INTO `+string(kind)+
			` (id, sum, doc, created_ms, read_ms) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
		c.ID, c.Sum, string(c.Doc), c.CreatedMS, c.CreatedMS)
	if err != nil {
		return false, fmt.Errorf("sqlstore: put %s %s: %w", kind, c.ID, err)
	}
	return n > 0, nil
}

// Get implements vault.Store.
func (s *Store) Get(ctx context.Context, kind vault.Kind, id string) (vault.Content, error) {
	c, read, err := s.look(ctx, kind, id)
	if now := time.Now().UnixMilli(); err == nil && s.Retain > 0 && now-read >= day {
		if _, err := s.exec(ctx, `UPDATE `+string(kind)+` SET read_ms = ? WHERE id = ?`, now, id); err != nil &&
			!errors.Is(err, vault.ErrFull) {
			return c, fmt.Errorf("sqlstore: note a reading of %s %s: %w", kind, id, err)
		}
	}
	return c, err
}

// look is Get without being a reader, who keeps a row from being removed; read is when the last one came.
func (s *Store) look(ctx context.Context, kind vault.Kind, id string) (c vault.Content, read int64, err error) {
	size := 0
	c.ID = id
	err = s.row(ctx, `SELECT sum, doc, created_ms, read_ms, size FROM `+string(kind)+` WHERE id = ?`, id)(&c.Sum, &c.Doc,
		&c.CreatedMS, &read, &size)
	if errors.Is(err, sql.ErrNoRows) {
		return c, 0, vault.ErrNotFound
	}
	if err != nil {
		return c, 0, fmt.Errorf("sqlstore: get %s %s: %w", kind, id, err)
	}
	if size > 0 {
		c.Doc = inflate(c.Doc)
	}
	return c, read, nil
}

// PutRun implements vault.Store. Its statements may be repeated, alone or by two writers at once, and leave the same
// rows. What was read last has the latest time whatever the clock says: one that went back would have every result
// dropped as it is put.
func (s *Store) PutRun(ctx context.Context, run vault.Run, nowMS int64) error {
	size := len(run.Result) + len(run.Traces)
	if size > vault.MaxRun {
		return vault.ErrTooLarge
	}
	pieces := cut(run)
	if pieces != nil {
		run.Result, run.Traces = nil, ""
	}
	if _, err := s.exec(ctx, `INSERT OR REPLACE INTO runs (id, sum, size, read_ms, result, traces)
		VALUES (?1, ?2, ?3, max(?4, coalesce((SELECT max(read_ms) FROM runs WHERE id <> ?1) + 1, 0)), ?5, ?6)`,
		run.ID, run.Sum, size, nowMS, string(run.Result), run.Traces); err != nil {
		return fmt.Errorf("sqlstore: put run %s: %w", run.ID, err)
	}
	for i, p := range pieces {
		if _, err := s.exec(ctx, `INSERT OR REPLACE INTO pieces (run, n, of, piece) VALUES (?, ?, ?, ?)`, run.ID, i, p.of,
			p.text); err != nil {
			return fmt.Errorf("sqlstore: put piece %d of run %s: %w", i, run.ID, err)
		}
	}
	if _, err := s.exec(ctx, `DELETE FROM runs WHERE id IN (SELECT id FROM (
		SELECT id, row_number() OVER latest AS n, sum(size) OVER latest AS total
		FROM runs WINDOW latest AS (ORDER BY read_ms DESC, id ROWS UNBOUNDED PRECEDING)
		) WHERE n > ? OR total > ?)`, s.Runs, s.RunBytes); err != nil {
		return fmt.Errorf("sqlstore: drop old runs: %w", err)
	}
	return nil
}

// readEvery is how exactly a reading is noted, in milliseconds: a write for each would cost more
// than the order is worth.
const readEvery = 10 * 60 * 1000

// GetRun implements vault.Store.
func (s *Store) GetRun(ctx context.Context, id string, nowMS int64) (vault.Run, error) {
	run, size, read, latest := vault.Run{ID: id}, 0, int64(0), int64(0)
	err := s.row(ctx, `SELECT sum, size, read_ms, (SELECT max(read_ms) FROM runs), result, traces FROM runs WHERE id = ?`,
		id)(
		&run.Sum, &size, &read, &latest, &run.Result, &run.Traces)
	if err == nil && len(run.Result) == 0 {
		err = s.join(ctx, &run, size)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return run, vault.ErrNotFound
	}
	if err != nil {
		return run, fmt.Errorf("sqlstore: get run %s: %w", id, err)
	}
	if now := max(nowMS, latest+1); now-read >= readEvery {
		// Only the order suffers where it cannot be noted, as on a full disk.
		_, _ = s.exec(ctx, `UPDATE runs SET read_ms = ? WHERE id = ?`, now, id)
	}
	return run, nil
}

// pieceBytes is the most of a result or of traces in one row; what is smaller together stands with its run.
const pieceBytes = 512 << 10

type piece struct {
	of   string // its column in runs
	text []byte
}

// cut takes a large run apart, nil if it is none.
func cut(run vault.Run) (pieces []piece) {
	if len(run.Result)+len(run.Traces) <= vault.MaxRow {
		return nil
	}
	for _, whole := range []piece{{"result", run.Result}, {"traces", []byte(run.Traces)}} {
		for text := range slices.Chunk(whole.text, pieceBytes) {
			pieces = append(pieces, piece{whole.of, text})
		}
	}
	return pieces
}

// join puts a run of so many bytes together from its pieces; sql.ErrNoRows while they are being written.
func (s *Store) join(ctx context.Context, run *vault.Run, size int) error {
	rows, err := s.db.QueryContext(ctx, `SELECT of, piece FROM pieces WHERE run = ? ORDER BY n`, run.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	var traces []byte
	for rows.Next() {
		var p piece
		if err := rows.Scan(&p.of, &p.text); err != nil {
			return err
		}
		if p.of == "result" {
			run.Result = append(run.Result, p.text...)
		} else {
			traces = append(traces, p.text...)
		}
	}
	run.Traces = string(traces)
	if err := rows.Err(); err != nil || len(run.Result)+len(traces) == size {
		return err
	}
	return sql.ErrNoRows
}

// day is how exactly the reading of a scenario is noted, in milliseconds.
const day = 24 * 60 * 60 * 1000

// Expire removes the scenarios and texts that now nobody has stored or read for as long as Retain, and tells how many.
func (s *Store) Expire(ctx context.Context, now time.Time) (gone int64, err error) {
	if s.Retain == 0 {
		return 0, nil
	}
	beforeMS := now.Add(-s.Retain).UnixMilli()
	for _, kind := range []vault.Kind{vault.Scenarios, vault.Texts} {
		n, err := s.exec(ctx, `DELETE FROM `+string(kind)+` WHERE max(created_ms, read_ms) < ?`, beforeMS)
		if err != nil {
			return gone, fmt.Errorf("sqlstore: expire %s: %w", kind, err)
		}
		gone += n
	}
	return gone, nil
}
