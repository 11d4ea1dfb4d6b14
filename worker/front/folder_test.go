//go:build unix

package front

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFolder: links lead to files of the folder, never out of it, and what is no file is not waited for.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	web, secret := filepath.Join(dir, "web"), filepath.Join(dir, "secret")
	must := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := fs.Stat(Folder(web), "index.html"); err == nil {
		t.Error("a folder that is not there has a file")
	}
	must(os.Mkdir(web, 0o755), os.Mkdir(secret, 0o755), os.WriteFile(filepath.Join(secret, "x.db"), []byte("secret"),
		0o600),
		os.WriteFile(filepath.Join(web, "index.html"), []byte("page"), 0o600),
		os.Symlink("index.html", filepath.Join(web, "inside.html")),
		os.Symlink("../secret/x.db", filepath.Join(web, "outside.html")),
		os.Symlink(filepath.Join(secret, "x.db"), filepath.Join(web, "absolute.html")),
		os.Symlink(secret, filepath.Join(web, "folder")),
		syscall.Mkfifo(filepath.Join(web, "pipe.html"), 0o600))
	for name, want := range map[string]string{
		"index.html": "page", "inside.html": "page", "outside.html": "", "absolute.html": "", "folder/x.db": "",
		"../secret/x.db": "", "/etc/hosts": "",
	} {
		b, err := fs.ReadFile(Folder(web), name)
		if string(b) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", name, b, err)
		}
		if _, err := fs.Stat(Folder(web), name); (err == nil) != (want != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if info, err := fs.Stat(Folder(web), "pipe.html"); err != nil || info.Mode().IsRegular() {
		t.Errorf("a pipe: %v %v", info, err)
	}
}

func TestWithin(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"web/data", "other"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "web"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"web/data", "web", true}, {"web", "web/data", true}, {"web", "web", true}, {"web/not/there/yet", "web", true},
		{"link/data", "web", true}, {"web/new", "link", true}, {"other/../web/x", "web", true},
		{"other", "web", false}, {"web2", "web", false}, {"..web", ".", true}, {"other/new", "web", false},
	} {
		if got := Within(filepath.Join(dir, tt.a), filepath.Join(dir, tt.b)); got != tt.want {
			t.Errorf("%s and %s: %v", tt.a, tt.b, got)
		}
	}
}
