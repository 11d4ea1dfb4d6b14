//go:build !js

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

const (
	// LockFile is held by the server of a data folder, Holder says who that is.
	LockFile, Holder = "hadarlab.lock", "hadarlab.holder"
)

// ErrRunning says that a data folder has a server, or is being restored.
var ErrRunning = errors.New("the data folder is in use")

// lock keeps a data folder for one program: a second server would take the first one's work for left behind and begin
// it anew. It is a lock of SQLite's on an empty database beside the real one, so that it works wherever SQLite does,
// a reader of the real one meets none, and it ends with its program, however that ends.
type lock struct {
	db   *sql.DB
	file string // the Holder
	held string // since when, and by which process
}

// takeLock takes the lock of dir, or fails with ErrRunning and a sentence on who has it.
func takeLock(ctx context.Context, dir string) (*lock, error) {
	if err := makeFolder(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, LockFile)
	db, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	l := &lock{db: db, file: filepath.Join(dir, Holder),
		held: fmt.Sprintf("process %d, since %s", os.Getpid(), time.Now().UTC().Format(time.DateTime+" UTC"))}
	_, missing := os.Stat(path)
	// The connection has a transaction from here on, and is never given back.
	if _, err = db.ExecContext(context.WithoutCancel(ctx), `BEGIN IMMEDIATE`); err == nil {
		if info, e := os.Stat(dir); missing != nil && e == nil {
			// Who looks after the data as root leaves no lock that the server may not take; what others make stays
			// theirs, as in any folder.
			_ = give(path, info)
		}
		err = l.tell("")
	} else if busy(err) {
		err = fmt.Errorf("%w by another server: %s", ErrRunning, holder(l.file))
	} else {
		err = explain(path, err)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return l, nil
}

// Held is the ErrRunning that OpenServer would fail with, nil if the folder is free.
func Held(ctx context.Context, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, LockFile)); err != nil {
		return nil
	}
	l, err := takeLock(ctx, dir)
	if err == nil {
		err = l.release()
	}
	if errors.Is(err, ErrRunning) {
		return err
	}
	return nil
}

// tell writes down who holds the folder, for people and for the next who wants it.
func (l *lock) tell(address string) error {
	said := l.held
	if address != "" {
		said = "at " + address + ", " + said
	}
	return os.WriteFile(l.file, []byte(said+"\n"), 0o600)
}

// release lets the folder go.
func (l *lock) release() error { return errors.Join(os.Remove(l.file), l.db.Close()) }

// holder is what the one who has the lock says of itself.
func holder(file string) string {
	said, err := os.ReadFile(file)
	if err != nil || len(said) > 1000 || len(strings.TrimSpace(string(said))) == 0 {
		return "it has not said which"
	}
	return strings.TrimSpace(string(said))
}

// busy tells whether a statement has met somebody else's lock.
func busy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code()&0xff == lib.SQLITE_BUSY || e.Code()&0xff == lib.SQLITE_LOCKED)
}

func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the data folder %s cannot be made (%w): name another with --data", dir, err)
	}
	return nil
}
