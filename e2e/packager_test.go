package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// nobody is who the packager's steps are done as when the tests run as root; container is the image's user.
const nobody, container = 65534, 10001

// as has a command run by somebody without rights, if it can be told to.
func as(cmd *exec.Cmd, id uint32) {
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: id, Gid: id}}
	}
}

// unpacked makes an archive for this machine, as `make dist` does, and unpacks it in a folder with a space that belongs
// to somebody without rights. It holds all that the steps have: neither Go nor the project is in their environment.
func unpacked(t *testing.T) (dir string) {
	t.Helper()
	program, err := oneFile()
	if err != nil {
		t.Fatal(err)
	}
	programs := t.TempDir()
	to := filepath.Join(programs, runtime.GOOS+"-"+runtime.GOARCH, filepath.Base(program))
	if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Link(program, to)); err != nil {
		b, read := os.ReadFile(program)
		if err := errors.Join(read, os.WriteFile(to, b, 0o755)); err != nil { // another disk
			t.Fatal(err)
		}
	}
	dist := filepath.Join(t.TempDir(), "dist")
	pack := exec.Command("go", "run", "./worker/cmd/dist", "-quick", "-programs", programs, "-o", dist)
	pack.Dir = root
	if out, err := pack.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// Not below a folder of the test, which is only its owner's.
	place, err := os.MkdirTemp("", "a packager ")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(place) })
	if err := os.CopyFS(place, os.DirFS(dist)); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		if err := errors.Join(os.Chmod(place, 0o755), os.Chown(place, nobody, nobody)); err != nil {
			t.Fatal(err)
		}
	}
	step(t, place, "sha256sum --check SHA256SUMS\ntar -xf hadarlab-*.tar.gz")
	inside, err := filepath.Glob(filepath.Join(place, "hadarlab-*", "README.md"))
	if err != nil || len(inside) != 1 {
		t.Fatalf("%v %v", inside, err)
	}
	return filepath.Dir(inside[0])
}

// step runs lines of a shell in a folder.
func step(t *testing.T, dir, lines string) string {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-e", "-c", lines)
	cmd.Dir, cmd.Env = dir, []string{"PATH=/usr/bin:/bin", "HOME=/nonexistent"}
	as(cmd, nobody)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", lines, err, out)
	}
	return string(out)
}

// TestPackager does what the archive's first page says, and what its container file and its unit say, from the archive
// alone.
func TestPackager(t *testing.T) {
	dir := unpacked(t)
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(readme), "```")
	if len(blocks) != 3 {
		t.Fatalf("its first page has %d blocks of commands", len(blocks)/2)
	}
	lines, ok := strings.CutSuffix(strings.TrimSpace(blocks[1]), "\n./hadarlab serve")
	if !ok || strings.Count(lines, "\n") < 2 {
		t.Fatalf("it says %q", blocks[1])
	}
	out := step(t, dir, lines)
	for _, want := range []string{"page inside", "gavel-las"} {
		if !strings.Contains(out, want) {
			t.Errorf("the steps do not say %q:\n%s", want, out)
		}
	}
	if b, err := os.ReadFile(filepath.Join(dir, "jobs.json")); err != nil || !json.Valid(b) {
		t.Errorf("the import gives %v %.80q", err, b)
	}

	t.Run("serve", func(t *testing.T) {
		s := &server{name: "packager"}
		cmd := exec.Command("./hadarlab", "serve", "--addr", "127.0.0.1:0")
		cmd.Dir, cmd.Env = dir, []string{"HOME=/nonexistent"}
		as(cmd, nobody)
		up(t, s, cmd)
		wholePage(t, s)
		if a := ask(t, "GET", s.url+"/web/licences.txt", "").want(t, 200, "text/plain"); !bytes.Contains(a.body,
			[]byte("Apache License")) || !bytes.Contains(a.body, []byte("go-app/v9")) ||
			!bytes.Contains(a.body, []byte("The Go Authors")) {
			t.Errorf("the page's licences are %d bytes", len(a.body))
		}
		if _, err := os.Stat(filepath.Join(dir, "data", "hadarlab.db")); err != nil {
			t.Error(err)
		}
	})
	t.Run("container", func(t *testing.T) { inContainer(t, dir) })
	t.Run("unit", func(t *testing.T) {
		verify, err := exec.LookPath("systemd-analyze")
		if err != nil {
			t.Skip("systemd-analyze is not installed")
		}
		b, err := os.ReadFile(filepath.Join(dir, "deploy/hadarlab.service"))
		if err != nil {
			t.Fatal(err)
		}
		const at = "/usr/local/bin/hadarlab"
		if !bytes.Contains(b, []byte("ExecStart="+at+" serve ")) {
			t.Fatalf("the unit starts something else:\n%s", b)
		}
		// As if it were installed: the unit is refused where its program is not.
		unit := filepath.Join(t.TempDir(), "hadarlab.service")
		b = bytes.ReplaceAll(b, []byte("ExecStart="+at), []byte(`ExecStart="`+filepath.Join(dir, "hadarlab")+`"`))
		if err := os.WriteFile(unit, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(verify, "verify", "--man=no", unit).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// inContainer lays out the image that the container file describes, and starts its program in it by its own flags, as
// its own user; only the port is another. What it shares with a container is that it sees no other file.
func inContainer(t *testing.T, dir string) {
	if os.Getuid() != 0 {
		t.Skip("only root may change the root folder")
	}
	b, err := os.ReadFile(filepath.Join(dir, "deploy/Containerfile"))
	if err != nil {
		t.Fatal(err)
	}
	image := t.TempDir()
	var args []string
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		switch f[0] {
		case "COPY":
			for _, from := range f[1 : len(f)-1] {
				to := filepath.Join(image, f[len(f)-1])
				info, err := os.Stat(filepath.Join(dir, from))
				if err != nil {
					t.Fatal(err)
				}
				if info.IsDir() {
					err = os.CopyFS(to, os.DirFS(filepath.Join(dir, from)))
				} else {
					var b []byte
					if b, err = os.ReadFile(filepath.Join(dir, from)); err == nil {
						err = os.WriteFile(filepath.Join(to, filepath.Base(from)), b, info.Mode())
					}
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		case "VOLUME":
			at := filepath.Join(image, f[1])
			if err := errors.Join(os.Mkdir(at, 0o700), os.Chown(at, container, container)); err != nil {
				t.Fatal(err)
			}
		case "ENTRYPOINT", "CMD":
			var list []string
			if err := json.Unmarshal([]byte(strings.TrimPrefix(line, f[0])), &list); err != nil {
				t.Fatal(err)
			}
			args = append(args, list...)
		case "USER":
			if f[1] != "10001:10001" {
				t.Errorf("its user is %s", f[1])
			}
		}
	}
	i := slices.Index(args, "0.0.0.0:8080")
	if i < 0 {
		t.Fatalf("it listens elsewhere: %q", args)
	}
	args[i] = "0.0.0.0:0"
	if err := os.Chmod(image, 0o755); err != nil {
		t.Fatal(err)
	}
	s := &server{name: "container"}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Path, cmd.Err = args[0], nil // as it is named in there
	cmd.Env, cmd.Dir = []string{}, "/"
	as(cmd, container)
	cmd.SysProcAttr.Chroot = image
	up(t, s, cmd)
	wholePage(t, s)
}

// TestPageIsMadeTwice: the same sources give the same page, file by file. Its program is linked anew, its manual, first
// paint and lists are made anew.
func TestPageIsMadeTwice(t *testing.T) {
	again := filepath.Join(t.TempDir(), "web")
	build := exec.Command("go", "run", "./wasm/build", "-o", again)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	read := func(dir string) map[string]string {
		all := map[string]string{}
		err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(filepath.Join(dir, name))
			all[name] = string(b)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	first, second := read(filepath.Join(root, "build/web")), read(again)
	if len(first) < 20 || !slices.Equal(slices.Sorted(maps.Keys(first)), slices.Sorted(maps.Keys(second))) {
		t.Fatalf("%d files, then %d", len(first), len(second))
	}
	for name := range first {
		if first[name] != second[name] {
			t.Errorf("%s differs: %d bytes, then %d", name, len(first[name]), len(second[name]))
		}
	}
}
