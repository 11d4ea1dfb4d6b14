//go:build !js

// Package sqlite opens the native database: one SQLite file in a data folder, brought to the present
// version by worker/migrations.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"hadarlab/worker/migrations"
)

// File is the database's name inside the data folder.
const File = "hadarlab.db"

// Open opens the database in dir and creates both if need be. Errors say what to do.
func Open(ctx context.Context, dir string) (*sql.DB, error) {
	if err := makeFolder(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, File)
	// What is deleted is written over with zeros.
	db, err := sql.Open("sqlite", dsn(path, "busy_timeout(5000)", "journal_mode(WAL)", "foreign_keys(1)",
		"synchronous(FULL)", "secure_delete(1)"))
	if err != nil {
		return nil, err
	}
	// One connection: SQLite has one writer, and waiting in Go is fairer than its busy loop.
	db.SetMaxOpenConns(1)
	if err := migrate(ctx, db, migrations.Files); err != nil {
		return nil, errors.Join(explain(path, err), db.Close())
	}
	return db, nil
}

// dsn names a database file with what every connection to it is told first.
func dsn(path string, pragmas ...string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: url.Values{"_pragma": pragmas}.Encode()}
	return u.String()
}

// Fold writes the journal into the database and empties it: what was deleted stands there until then. It fails when
// somebody reads for longer than the connection waits.
func Fold(ctx context.Context, db *sql.DB) error {
	var held, pages, moved int
	if err := db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&held, &pages, &moved); err != nil {
		return err
	}
	if held != 0 {
		return errors.New("the database's journal cannot be emptied while somebody reads in it")
	}
	return nil
}

func migrate(ctx context.Context, db *sql.DB, files fs.FS) error {
	if _, err := db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS schema_version (
		name TEXT PRIMARY KEY, applied_ms INTEGER NOT NULL)`); err != nil {
		return err
	}
	names, err := fs.Glob(files, "*.sql") // sorted
	if err != nil {
		return err
	}
	var last sql.NullString
	if err := db.QueryRowContext(ctx, `SELECT max(name) FROM schema_version`).Scan(&last); err != nil {
		return err
	}
	if len(names) > 0 && last.String > names[len(names)-1] {
		return fmt.Errorf("it was written by a newer version (%s): use that, or another folder with --data",
			last.String)
	}
	for _, name := range names {
		if name <= last.String {
			continue
		}
		if err := apply(ctx, db, files, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func apply(ctx context.Context, db *sql.DB, files fs.FS, name string) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // no effect after Commit
	if _, err := tx.ExecContext(ctx, string(text)); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO schema_version VALUES (?, ?)`, name,
		time.Now().UnixMilli()); err != nil {
		return err
	}
	return tx.Commit()
}

// explain adds what a person can do about err.
func explain(path string, err error) error {
	advice := "look at the message, or name another folder with --data"
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
			advice = "another program holds it: end that, or name another folder with --data"
		case lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM:
			advice = "it cannot be written: check its owner and rights, or name another folder with --data"
		case lib.SQLITE_NOTADB, lib.SQLITE_CORRUPT:
			advice = "it is damaged or not a database: move it away (it is kept as it is), or name another folder with --data"
		case lib.SQLITE_FULL:
			advice = "the disk is full: make room"
		}
	}
	return fmt.Errorf("the database %s cannot be used: %w; %s", path, err, advice)
}
