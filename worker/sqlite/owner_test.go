//go:build unix

package sqlite

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestARestoredDatabaseBelongsToItsServer: what a restore puts into a folder has the owner and mode of what it
// replaces, or the owner of the folder, whoever restores. Only root can try that with another's folder.
func TestARestoredDatabaseBelongsToItsServer(t *testing.T) {
	dir := t.TempDir()
	owner := os.Geteuid()
	if owner == 0 {
		owner = 65534
	}
	own := func() {
		t.Helper()
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range append(names, dir) {
			if err := os.Chown(name, owner, -1); err != nil {
				t.Fatal(err)
			}
		}
	}
	theirs := func(when string, mode os.FileMode) {
		t.Helper()
		for _, name := range []string{File, LockFile} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Sys().(*syscall.Stat_t).Uid; int(got) != owner {
				t.Errorf("%s: %s belongs to user %d, not %d", when, name, got, owner)
			}
			if name == File && info.Mode().Perm() != mode {
				t.Errorf("%s: its mode is %v, not %v", when, info.Mode().Perm(), mode)
			}
		}
	}
	s, err := OpenServer(t.Context(), dir, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := OpenExisting(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := Backup(t.Context(), db, copied); err != nil {
		t.Fatal(err)
	}
	db.Close()

	own()
	if err := os.Chmod(filepath.Join(dir, File), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Restore(t.Context(), copied, dir, true); err != nil {
		t.Fatal(err)
	}
	theirs("in the place of another", 0o640)

	dir = filepath.Join(t.TempDir(), "empty")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	own()
	if err := Restore(t.Context(), copied, dir, false); err != nil {
		t.Fatal(err)
	}
	theirs("in an empty folder", 0o600)
}
