//go:build !js

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Item is a row that somebody may want to look up or remove, with all that belongs to it: a shared scenario, a text, a
// cached result, or a class.
type Item struct {
	Kind   string `json:"kind"` // scenario, text, result or class
	ID     string `json:"id"`
	Bytes  int64  `json:"bytes"`
	TimeMS int64  `json:"time_ms"` // when it was stored, or of a result last read
}

// kinds are the tables whose rows are items, and those whose rows belong to one by the column class.
var kinds = []struct {
	kind, table, bytes, time string
	also                     []string
}{
	{"scenario", "scenarios", "length(CAST(doc AS BLOB))", "created_ms", nil},
	{"text", "texts", "length(CAST(doc AS BLOB))", "created_ms", nil},
	{"result", "runs", "size", "read_ms", nil},
	{"class", "classes", "length(CAST(assignment AS BLOB))", "created_ms", []string{"students", "entries", "passes"}},
}

// OpenExisting is Open for a database that is there. It may be open elsewhere, as by a running server.
func OpenExisting(ctx context.Context, dir string) (*sql.DB, error) {
	if _, err := os.Stat(filepath.Join(dir, File)); err != nil {
		return nil, fmt.Errorf("there is no database in %s; name the server's folder with --data", dir)
	}
	return Open(ctx, dir)
}

// List calls f with every item, the latest of each kind first.
func List(ctx context.Context, db *sql.DB, f func(Item) error) error {
	for _, k := range kinds {
		rows, err := db.QueryContext(ctx, `SELECT id, `+k.bytes+`, `+k.time+` FROM `+k.table+` ORDER BY `+k.time+
			` DESC, id`)
		if err != nil {
			return err
		}
		for err == nil && rows.Next() {
			it := Item{Kind: k.kind}
			if err = rows.Scan(&it.ID, &it.Bytes, &it.TimeMS); err == nil {
				err = f(it)
			}
		}
		if err = errors.Join(err, rows.Err(), rows.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Delete removes the items with an id and tells their kinds; none if there was nothing. Fold takes them out of the
// journal too.
func Delete(ctx context.Context, db *sql.DB, id string) (removed []string, err error) {
	for _, k := range kinds {
		res, err := db.ExecContext(ctx, `DELETE FROM `+k.table+` WHERE id = ?`, id)
		if err != nil {
			return removed, err
		}
		if n, err := res.RowsAffected(); err != nil {
			return removed, err
		} else if n > 0 {
			removed = append(removed, k.kind)
		}
		for _, table := range k.also {
			if _, err := db.ExecContext(ctx, `DELETE FROM `+table+` WHERE class = ?`, id); err != nil {
				return removed, err
			}
		}
	}
	return removed, nil
}

// Backup writes the database as it stands at one moment to a file that is not there yet, while others read and write.
func Backup(ctx context.Context, db *sql.DB, to string) error {
	// VACUUM takes an empty file, and keeps its rights
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `VACUUM INTO ?`, to)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = check(ctx, to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(to)) // half a backup is none
	}
	return nil
}

// check reads a whole database file and fails on damage.
func check(ctx context.Context, path string) error {
	if _, err := os.Stat(path); err != nil { // SQLite would make it
		return errors.Unwrap(err)
	}
	db, err := sql.Open("sqlite", dsn(path, "query_only(1)"))
	if err != nil {
		return err
	}
	defer db.Close()
	var verdict, last string
	if err := db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("it is damaged: %s", verdict)
	}
	if err := db.QueryRowContext(ctx, `SELECT max(name) FROM schema_version`).Scan(&last); err != nil {
		return errors.New("it is no database of this program")
	}
	return nil
}

// ErrNotEmpty is what Restore says of a database that force may replace.
var ErrNotEmpty = errors.New("the folder holds a database that is not empty")

// Old is what Restore calls the database that it has replaced.
const Old = File + ".old"

// Restore puts a backup in the place of the database in dir, with its owner and mode, or the owner of dir where there
// is none yet. One that holds something is replaced only by force, and kept as Old; one that a server has open is not.
func Restore(ctx context.Context, from, dir string, force bool) error {
	if err := check(ctx, from); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	l, err := takeLock(ctx, dir)
	if err != nil {
		return err
	}
	defer l.release()
	path, fresh := filepath.Join(dir, File), filepath.Join(dir, File+".new")
	there, err := alone(ctx, dir)
	if err != nil {
		return err
	}
	if there > 0 && !force {
		return ErrNotEmpty
	}
	err = copyFile(from, fresh)
	if err == nil {
		err = standIn(fresh, path, dir)
	}
	if err != nil {
		return errors.Join(err, os.Remove(fresh))
	}
	for _, part := range []string{"-wal", "-shm", ""} { // a journal that stayed would be played into the new file
		err := os.Rename(path+part, filepath.Join(dir, Old+part))
		if errors.Is(err, os.ErrNotExist) {
			err = os.Remove(filepath.Join(dir, Old+part))
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return os.Rename(fresh, path)
}

// alone tells how many items the database in dir has, none if there is no database, and fails if somebody has it open.
// Its journal is folded into the file, which takes that nobody else has it open: no file has to say so, which a server
// that was killed could not have taken away.
func alone(ctx context.Context, dir string) (items int, err error) {
	path := filepath.Join(dir, File)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	db, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return 0, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	var mode string
	err = db.QueryRowContext(ctx, `PRAGMA journal_mode = DELETE`).Scan(&mode)
	if busy(err) || err == nil && mode != "delete" { // a reader, or a server from before there was a lock
		return 0, fmt.Errorf("%w by another program", ErrRunning)
	}
	if err != nil {
		return 1, nil // damaged: it is not empty, and a backup is what helps
	}
	for _, k := range kinds {
		n := 0
		// else a table of a later version
		if err := db.QueryRowContext(ctx, `SELECT count(*) FROM `+k.table).Scan(&n); err == nil {
			items += n
		}
	}
	return items, nil
}

// standIn gives a file the owner and mode of the one whose place it takes, or the owner of the folder.
func standIn(file, of, dir string) error {
	info, err := os.Stat(of)
	if errors.Is(err, os.ErrNotExist) {
		if info, err = os.Stat(dir); err == nil {
			err = give(file, info)
		}
		return err
	}
	if err != nil {
		return err
	}
	if err := os.Chmod(file, info.Mode().Perm()); err != nil {
		return err
	}
	return give(file, info)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
