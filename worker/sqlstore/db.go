package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"hadarlab/worker/vault"
)

// DB runs one statement at a time.
type DB interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	// Change runs a statement that changes rows, which are kept when it returns, and tells how many. Where dest is
	// given, the row that the statement returns is read into it; sql.ErrNoRows if it returns none.
	Change(ctx context.Context, dest []any, query string, args ...any) (rows int64, err error)
}

// plainDB is a DB of which nothing is known but that it is one.
type plainDB struct{ *sql.DB }

// Executor is what runs a statement: a database, or a transaction in it.
type Executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (o plainDB) Change(ctx context.Context, dest []any, query string, args ...any) (int64, error) {
	return Change(ctx, o.DB, dest, query, args...)
}

// Change is DB.Change of one statement by itself.
func Change(ctx context.Context, on Executor, dest []any, query string, args ...any) (int64, error) {
	if dest != nil {
		if err := on.QueryRowContext(ctx, query, args...).Scan(dest...); err != nil {
			return 0, err
		}
		return 1, nil
	}
	res, err := on.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// exec runs a statement that changes rows, and counts them.
func (s *base) exec(ctx context.Context, query string, args ...any) (int64, error) {
	n, err := s.db.Change(ctx, nil, query, args...)
	return n, s.noteRefusal(ctx, err)
}

// change runs one that also returns a row.
func (s *base) change(ctx context.Context, query string, args ...any) func(dest ...any) error {
	return func(dest ...any) error {
		_, err := s.db.Change(ctx, dest, query, args...)
		return s.noteRefusal(ctx, err)
	}
}

// row reads one row.
func (s *base) row(ctx context.Context, query string, args ...any) func(dest ...any) error {
	return s.db.QueryRowContext(ctx, query, args...).Scan
}

// noteRefusal passes the error of a statement that changes rows, and notes whether rows can be changed. The log is told
// when that changes, and not again by each statement that meets it.
func (s *base) noteRefusal(ctx context.Context, err error) error {
	if now := s.room.now(); err == nil && now != vault.Sound {
		s.State(ctx) // what is small may still fit
	}
	if s.room.met(err) {
		return fmt.Errorf("%w: %w", vault.ErrFull, err)
	}
	return err
}

// refusals are SQLite's words, which D1 repeats, and what they say of the database.
var refusals = [...]struct {
	words string
	state vault.State
}{{"is full", vault.NoRoom}, {"readonly", vault.ReadOnly}, {"disk I/O error", vault.ReadOnly}}

// now is what is known of the database.
func (r *room) now() vault.State {
	if state, ok := r.state.Load().(vault.State); ok {
		return state
	}
	return vault.Sound
}

// met notes what an error, nil too, says of the database, and tells whether it is one of those that refuse all changes.
func (r *room) met(err error) bool {
	state := vault.Sound
	if err != nil {
		for _, one := range refusals {
			if strings.Contains(err.Error(), one.words) {
				state = one.state
			}
		}
		if state == vault.Sound {
			return false
		}
		if old := r.state.Swap(state); old != state {
			r.log.Error("nothing more is stored until that ends; what is stored can be read", "storage", state, "error", err)
		}
	}
	return err != nil
}

// probeEvery is how often a database that refused is asked whether it takes changes again.
const probeEvery = time.Second

// State is that of vault.Store: what a statement has met, and whether a row of several pages, which goes at once, is
// taken. Whether a database that takes them has stopped is asked as often as Probe says.
func (s *base) State(ctx context.Context) vault.State {
	r, every := &s.room, probeEvery
	if r.now() == vault.Sound {
		if every = s.Probe; every == 0 {
			return vault.Sound
		}
	}
	now, last := time.Now().UnixNano(), r.probed.Load()
	if passed := now - last; passed > -int64(every) && passed < int64(every) || !r.probed.CompareAndSwap(last, now) {
		return r.now()
	}
	_, err := s.db.Change(ctx, nil, `INSERT INTO runs (id, sum, size, read_ms, result)
		VALUES ('probe', '', 0, 0, hex(zeroblob(8192))) ON CONFLICT (id) DO UPDATE SET result = excluded.result`)
	if err == nil {
		_, err = s.db.Change(ctx, nil, `DELETE FROM runs WHERE id = 'probe'`)
	}
	if !r.met(err) && err == nil {
		if old := r.state.Swap(vault.Sound); old != nil && old != vault.Sound {
			r.log.Info("the database takes changes again")
		}
	}
	return r.now()
}
