//go:build !js

package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	course "hadarlab/core/class"
	"hadarlab/worker/class"
	"hadarlab/worker/sqlstore"
	"hadarlab/worker/vault"
)

// TestOneServerAFolder: the second hears who the first is; readers and copies are let in, a restore is not.
func TestOneServerAFolder(t *testing.T) {
	dir := t.TempDir()
	first, err := OpenServer(t.Context(), dir, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Serves("127.0.0.1:4711"); err != nil {
		t.Error(err)
	}
	refused := func(err error) {
		t.Helper()
		if !errors.Is(err, ErrRunning) || !strings.Contains(err.Error(), "at 127.0.0.1:4711, process "+
			fmt.Sprint(os.Getpid())+", since 2") {
			t.Errorf("with a server: %v", err)
		}
	}
	_, err = OpenServer(t.Context(), dir, 1<<30)
	refused(err)
	reader, err := OpenExisting(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := errors.Join(List(t.Context(), reader, func(Item) error { return nil }),
		Backup(t.Context(), reader, copied), reader.Close()); err != nil {
		t.Errorf("beside a server: %v", err)
	}
	refused(Restore(t.Context(), copied, dir, true))
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if err := Restore(t.Context(), copied, dir, true); err != nil {
		t.Errorf("after it has stopped: %v", err)
	}
	second, err := OpenServer(t.Context(), dir, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
	if _, err := os.Stat(filepath.Join(dir, Holder)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the note of who holds the folder: %v", err)
	}
}

// stands tells in which files of a folder a text stands.
func stands(t *testing.T, dir, text string) (files []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte(text)) {
			files = append(files, f.Name())
		}
	}
	return files
}

// TestWhatIsDeletedIsGone from every file of the folder: what a class said, a scenario, a text, a result with its
// pieces, and what waited. Small rows stand beside others in a page, large ones have pages of their own.
func TestWhatIsDeletedIsGone(t *testing.T) {
	for _, size := range []int{100, 50_000} {
		dir := t.TempDir()
		db, err := OpenServer(t.Context(), dir, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		store := sqlstore.On(db, slog.New(slog.NewTextHandler(io.Discard, nil)))
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		draw := rand.New(rand.NewPCG(1, uint64(size)))
		secrets := map[string]string{}
		secret := func(what string) string { // as long as size, and nowhere twice
			s := fmt.Sprintf("%s that is secret %016x%016x", what, draw.Uint64(), draw.Uint64())
			secrets[what] = s
			return s + strings.Repeat("x", size)
		}
		text := func(what, id string) {
			_, err := store.Put(t.Context(), vault.Texts, vault.Content{ID: id, Doc: []byte(secret(what))})
			must(err)
		}
		text("a text", "aaaaaaaaaaaa")
		for i := range 30 { // neighbours, which stay
			text("a neighbour", fmt.Sprintf("aaaaaaaaaab%d", i))
		}
		delete(secrets, "a neighbour")
		_, err = store.Put(t.Context(), vault.Scenarios, vault.Content{ID: "bbbbbbbbbbbb",
			Doc: []byte(secret("a scenario"))})
		must(err)
		must(store.PutRun(t.Context(), vault.Run{ID: "cccccccccccc", Result: []byte(secret("a result"))}, 1))
		must(store.PutRun(t.Context(), vault.Run{ID: "dddddddddddd",
			Result: []byte(secret("a result in pieces") + strings.Repeat("y", vault.MaxRow))}, 1))
		const code = "eeeeeeee"
		must(store.AddClass(t.Context(), class.Row{Code: code, Phase: "run", CreatedMS: 1},
			secret("an assignment"), 1, 0))
		n, _, _, err := store.AddStudent(t.Context(), code, "token", "tag "+secret("a tag"), 1, 0, 1)
		must(err)
		_, err = store.AddEntry(t.Context(), code, 0, course.Entry{Student: n, Kind: "sentence", Phase: "run",
			Body: course.Body{Text: secret("a sentence")}})
		must(err)
		must(db.fold())
		for what, s := range secrets {
			if len(stands(t, dir, s)) == 0 {
				t.Fatalf("%s is nowhere to begin with: the test shows nothing", what)
			}
		}

		must(store.DropClass(t.Context(), code))
		outside, err := OpenExisting(t.Context(), dir) // as the command line
		must(err)
		for _, id := range []string{"aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc", "dddddddddddd"} {
			if removed, err := Delete(t.Context(), outside, id); err != nil || len(removed) != 1 {
				t.Fatal(removed, err)
			}
		}
		must(Fold(t.Context(), outside))
		must(outside.Close())
		for what, s := range secrets {
			if files := stands(t, dir, s); files != nil {
				t.Errorf("%s of %d bytes stands in %q while the server runs", what, size, files)
			}
		}
		must(db.Close())
		for what, s := range secrets {
			if files := stands(t, dir, s); files != nil {
				t.Errorf("%s of %d bytes stands in %q after it has stopped", what, size, files)
			}
		}
	}
}

// TestWhatWasDeletedBeforeIsGone: an earlier version left it in the file.
func TestWhatWasDeletedBeforeIsGone(t *testing.T) {
	dir := t.TempDir()
	const secret = "a sentence that was deleted long ago"
	db := open(t, dir)
	for _, q := range []string{`PRAGMA secure_delete = 0`,
		`INSERT INTO texts (id, sum, doc, created_ms) VALUES ('a', '', '` + secret + `', 1), ('b', '', 'stays', 1)`,
		`DELETE FROM texts WHERE id = 'a'`} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	db.Close()
	if stands(t, dir, secret) == nil {
		t.Fatal("it is gone to begin with: the test shows nothing")
	}
	server, err := OpenServer(t.Context(), dir, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if err := server.fold(); err != nil {
		t.Fatal(err)
	}
	if files := stands(t, dir, secret); files != nil {
		t.Errorf("it stands in %q", files)
	}
}
