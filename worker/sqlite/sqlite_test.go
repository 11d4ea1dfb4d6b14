//go:build !js

package sqlite

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"hadarlab/worker"
	"hadarlab/worker/migrations"
	"hadarlab/worker/sqlstore"
)

func open(t testing.TB, dir string) *sql.DB {
	t.Helper()
	db, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestOpenMakesAndKeeps(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new folder?#%")
	db := open(t, dir)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the data folder: %v %v", info.Mode(), err)
	}
	if _, err := os.Stat(filepath.Join(dir, File)); err != nil {
		t.Errorf("the database is not in its folder: %v", err)
	}
	if _, err := db.Exec(`INSERT INTO scenarios (id, sum, doc, created_ms) VALUES ('a', 's', 'd', 1)`); err != nil {
		t.Fatal(err)
	}
	db.Close()
	var n int
	if err := open(t, dir).QueryRow(`SELECT count(*) FROM scenarios`).Scan(&n); err != nil || n != 1 {
		t.Errorf("%d rows after reopening, %v", n, err)
	}
}

func TestOpenPragmas(t *testing.T) {
	db := open(t, t.TempDir())
	for name, want := range map[string]string{"journal_mode": "wal", "foreign_keys": "1", "busy_timeout": "5000"} {
		var got string
		if err := db.QueryRow("PRAGMA " + name).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
}

func TestMigrateAppliesEachOnceInOrder(t *testing.T) {
	db := open(t, t.TempDir())
	entries, err := migrations.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	ours := len(entries)
	files := fstest.MapFS{}
	for _, name := range []string{"0102_b.sql", "0103_c.sql"} {
		files[name] = &fstest.MapFile{Data: []byte("CREATE TABLE t" + name[3:4] + " (x); INSERT INTO t" + name[3:4] +
			" VALUES (1);")}
	}
	for range 2 {
		if err := migrate(t.Context(), db, files); err != nil {
			t.Fatal(err)
		}
	}
	var rows, versions int
	if err := db.QueryRow(
		`SELECT (SELECT count(*) FROM t2) + (SELECT count(*) FROM t3), (SELECT count(*) FROM schema_version)`).Scan(
		&rows, &versions); err != nil || rows != 2 || versions != ours+2 {
		t.Errorf("%d rows, %d versions, %v", rows, versions, err)
	}
}

// TestRowsFromBeforeThereWereTexts: a scenario that was stored with its title in the row is still found, whole.
func TestRowsFromBeforeThereWereTexts(t *testing.T) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), File))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	before := fstest.MapFS{}
	for _, name := range []string{"0001_scenarios.sql", "0002_runs.sql", "0003_traces.sql", "0004_origin.sql"} {
		text, err := migrations.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before[name] = &fstest.MapFile{Data: text}
	}
	if err := migrate(t.Context(), db, before); err != nil {
		t.Fatal(err)
	}
	const doc = `{"jobs":[]}`
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(doc)))
	if _, err := db.Exec(`INSERT INTO scenarios VALUES ('0123456789ab', ?, 'Rude', ?, 1, '')`, sum, doc); err != nil {
		t.Fatal(err)
	}
	if err := migrate(t.Context(), db, migrations.Files); err != nil {
		t.Fatal(err)
	}
	h := worker.New(worker.Options{Store: sqlstore.New(db)})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/api/v1/scenarios/0123456789ab", nil))
	if got := w.Body.String(); w.Code != 200 || strings.Contains(got, "Rude") || !strings.Contains(got, doc) {
		t.Errorf("%d %s", w.Code, got)
	}
}

// TestClassesOfBeforeHaveTold: a class that was kept when the run came before the discussion has told what is right
// from its run on, and its lab is open; one that had not come so far has not.
func TestClassesOfBeforeHaveTold(t *testing.T) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), File))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	before, entries := fstest.MapFS{}, must(migrations.Files.ReadDir("."))
	for _, e := range entries {
		if e.Name() < "0012" {
			before[e.Name()] = &fstest.MapFile{Data: must(migrations.Files.ReadFile(e.Name()))}
		}
	}
	if err := migrate(t.Context(), db, before); err != nil {
		t.Fatal(err)
	}
	for phase := range strings.FieldsSeq("lobby predict run discuss change closed") {
		if _, err := db.Exec(`INSERT INTO classes (id, seq, key, seed, engine, content, title, assignment, truth, phase,
			since_ms, ends_ms, revealed, created_ms) VALUES (?, 1, '', 1, '', '', '', '{}', '{}', ?, 7, 0, '[]', 5)`,
			phase, phase); err != nil {
			t.Fatal(err)
		}
	}
	if err := migrate(t.Context(), db, migrations.Files); err != nil {
		t.Fatal(err)
	}
	var told string
	if err := db.QueryRow(`SELECT group_concat(id || told_ms || lab_locked, ' ') FROM (SELECT * FROM classes ORDER BY id)`).Scan(&told); err != nil || told != "change70 closed70 discuss70 lobby00 predict00 run70" {
		t.Errorf("%q, %v", told, err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestMigrateUndoesWhatFails(t *testing.T) {
	db := open(t, t.TempDir())
	bad := fstest.MapFS{"0102_bad.sql": {Data: []byte("CREATE TABLE half (x); CREATE TABLE half (x);")}}
	if err := migrate(t.Context(), db, bad); err == nil {
		t.Fatal("a faulty migration passed")
	}
	if _, err := db.Exec(`SELECT * FROM half`); err == nil {
		t.Error("half of it stayed")
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		prepare    func(t *testing.T, dir string)
	}{
		{"what is no database", "not a database", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, File), strings.Repeat("not a database. ", 100))
		}},
		{"a newer version", "newer version", func(t *testing.T, dir string) {
			db := open(t, dir)
			if _, err := db.Exec(`INSERT INTO schema_version VALUES ('9999_future.sql', 1)`); err != nil {
				t.Fatal(err)
			}
			db.Close()
		}},
		{"a folder in its place", "--data", func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, File), 0o700); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			tt.prepare(t, dir)
			before, _ := os.ReadFile(filepath.Join(dir, File))
			_, err := Open(t.Context(), dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), File) ||
				!strings.Contains(err.Error(), "--data") {
				t.Errorf("got %v", err)
			}
			if after, _ := os.ReadFile(filepath.Join(dir, File)); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "x")
	if _, err := Open(t.Context(), filepath.Join(file, "data")); err == nil ||
		!strings.Contains(err.Error(), "--data") {
		t.Errorf("a data folder below a file: %v", err)
	}
}

// TestMigrationsSuitBothDatabases keeps out what D1 refuses or reads otherwise.
func TestMigrationsSuitBothDatabases(t *testing.T) {
	entries, err := migrations.Files.ReadDir(".")
	if err != nil || len(entries) == 0 {
		t.Fatal("no migrations", err)
	}
	for _, e := range entries {
		text, err := migrations.Files.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"BEGIN", "COMMIT", "PRAGMA", "ATTACH", "VACUUM", "DATETIME", "AUTOINCREMENT"} {
			if strings.Contains(strings.ToUpper(string(text)), word) {
				t.Errorf("%s uses %s", e.Name(), word)
			}
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
