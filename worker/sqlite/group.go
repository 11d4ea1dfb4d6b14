//go:build !js

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"hadarlab/worker/sqlstore"
)

// DB is the server's database: statements that change rows are acknowledged when they are on the disk, and those that
// come while others are written are written together, so that a hundred clients wait for a few writes and not for a
// hundred. Who reads waits for nobody. It is a sqlstore.DB. Use OpenServer.
type DB struct {
	*sql.DB // for reading
	writer  *sql.DB
	lock    *lock
	changes chan *change
	closing chan struct{}
	closed  chan struct{} // nothing is written any more
	once    sync.Once
}

// change is one statement on its way to the disk.
type change struct {
	query string
	args  []any
	dest  []any
	rows  int64
	err   error
	done  chan struct{}
}

const (
	// group is the most statements that are written together.
	group = 256
	// foldAfter is how long a change may stand in the journal, and with it what it has deleted.
	foldAfter = 5 * time.Second
)

// OpenServer opens the database in dir like Open, for many clients at once and as the folder's only server, else it
// fails with ErrRunning. It takes no more than so many bytes.
func OpenServer(ctx context.Context, dir string, most int64) (*DB, error) {
	l, err := takeLock(ctx, dir)
	if err != nil {
		return nil, err
	}
	db, err := openServer(ctx, dir, most)
	if err != nil {
		return nil, errors.Join(err, l.release())
	}
	db.lock = l
	go db.write()
	return db, nil
}

func openServer(ctx context.Context, dir string, most int64) (*DB, error) {
	writer, err := Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	var page, cleaned int64
	path := filepath.Join(dir, File)
	if err = writer.QueryRowContext(ctx, `PRAGMA page_size`).Scan(&page); err == nil {
		err = writer.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&cleaned)
	}
	if err == nil && cleaned == 0 { // versions before this one left in the file what they deleted
		if _, full := writer.ExecContext(ctx, `VACUUM`); full == nil { // else it is tried at the next start
			_, err = writer.ExecContext(ctx, `PRAGMA user_version = 1`)
		}
	}
	if err == nil {
		_, err = writer.ExecContext(ctx, fmt.Sprintf(`PRAGMA max_page_count = %d`, max(1, most/page)))
	}
	if err != nil {
		return nil, errors.Join(explain(path, err), writer.Close())
	}
	readers, err := sql.Open("sqlite", dsn(path, "busy_timeout(5000)", "query_only(1)"))
	if err != nil {
		return nil, errors.Join(explain(path, err), writer.Close())
	}
	readers.SetMaxOpenConns(max(2, runtime.GOMAXPROCS(0)))
	return &DB{DB: readers, writer: writer, changes: make(chan *change, group), closing: make(chan struct{}),
		closed: make(chan struct{})}, nil
}

// Serves notes the address at which the folder's server is found, for the next that wants the folder.
func (db *DB) Serves(address string) error { return db.lock.tell(address) }

// Close waits for what is being written, and refuses the rest.
func (db *DB) Close() error {
	db.once.Do(func() { close(db.closing) })
	<-db.closed
	return errors.Join(db.DB.Close(), db.writer.Close(), db.lock.release())
}

// Change implements sqlstore.DB. When ctx ends before it returns, the change may be made or not.
func (db *DB) Change(ctx context.Context, dest []any, query string, args ...any) (int64, error) {
	c := &change{query: query, args: args, dest: dest, done: make(chan struct{})}
	if dest != nil { // who has gone must not be written to
		c.dest = make([]any, len(dest))
		for i, d := range dest {
			c.dest[i] = fresh(d)
		}
	}
	select {
	case db.changes <- c:
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-db.closing:
		return 0, sql.ErrConnDone
	}
	select {
	case <-c.done:
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-db.closed:
		select {
		case <-c.done:
		default: // it came too late
			return 0, sql.ErrConnDone
		}
	}
	if c.err == nil {
		for i, d := range dest {
			carry(d, c.dest[i])
		}
	}
	return c.rows, c.err
}

// fresh is a place of the same type; carry moves what came there to where it was asked for.
func fresh(dest any) any {
	switch dest.(type) {
	case *string:
		return new(string)
	case *int:
		return new(int)
	case *int64:
		return new(int64)
	case *bool:
		return new(bool)
	}
	panic(fmt.Sprintf("sqlite: a change returns no %T", dest))
}

func carry(dest, from any) {
	switch d := dest.(type) {
	case *string:
		*d = *from.(*string)
	case *int:
		*d = *from.(*int)
	case *int64:
		*d = *from.(*int64)
	case *bool:
		*d = *from.(*bool)
	}
}

// write commits what has come, then what has come meanwhile, until the database is closed.
func (db *DB) write() {
	defer close(db.closed)
	var due <-chan time.Time // when the journal is folded
	for {
		var batch []*change
		select {
		case c := <-db.changes:
			batch = append(batch, c)
		case <-due:
			if due = nil; db.fold() != nil {
				due = time.After(foldAfter)
			}
			continue
		case <-db.closing:
			select {
			case c := <-db.changes: // it came before
				batch = append(batch, c)
			default:
				return
			}
		}
		for more := true; more && len(batch) < group; {
			select {
			case c := <-db.changes:
				batch = append(batch, c)
			default:
				more = false
			}
		}
		if len(batch) == 1 || db.together(batch) != nil {
			for _, c := range batch {
				c.run(db.writer)
			}
		}
		for _, c := range batch {
			close(c.done)
		}
		if due == nil {
			due = time.After(foldAfter)
		}
	}
}

// fold empties the journal. Who reads for long, as a backup does, holds up nobody: it is tried again.
func (db *DB) fold() error {
	ctx := context.Background()
	_, err := db.writer.ExecContext(ctx, `PRAGMA busy_timeout = 100`)
	if err == nil {
		err = Fold(ctx, db.writer)
	}
	_, reset := db.writer.ExecContext(ctx, `PRAGMA busy_timeout = 5000`)
	return errors.Join(err, reset)
}

// together makes all changes in one transaction. An error says that none is made: then each is tried alone, since one
// that is too large for what room there is must not take the others with it.
func (db *DB) together(batch []*change) error {
	tx, err := db.writer.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // no effect after Commit
	for _, c := range batch {
		if c.run(tx); grave(c.err) {
			return c.err
		}
	}
	return tx.Commit()
}

func (c *change) run(on sqlstore.Executor) {
	c.rows, c.err = sqlstore.Change(context.Background(), on, c.dest, c.query, c.args...)
}

// grave tells whether SQLite may have rolled the transaction back, and not only the statement.
func grave(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err != nil && !errors.Is(err, sql.ErrNoRows)
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_CONSTRAINT, lib.SQLITE_ERROR, lib.SQLITE_MISMATCH, lib.SQLITE_TOOBIG, lib.SQLITE_RANGE:
		return false
	}
	return true
}
