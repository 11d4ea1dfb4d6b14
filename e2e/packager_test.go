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

	"hadarlab/wasm/webdir"
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

	t.Run("site", func(t *testing.T) { asSite(t, filepath.Join(dir, "site")) })
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
		// A copy while it runs, put back into another folder, is what another server has.
		shared := ask(t, "POST", s.url+"/api/v1/scenarios", small("Copied", 97), "Content-Type",
			"application/json").want(t, 201, "application/json")
		out := step(t, dir, "./hadarlab data backup copy.db\n./hadarlab data restore --data again copy.db\n"+
			"./hadarlab data check --data again")
		if !strings.Contains(out, "again holds the data of copy.db") {
			t.Errorf("the copy is put back: %s", out)
		}
		other := &server{name: "restored"}
		cmd = exec.Command("./hadarlab", "serve", "--addr", "127.0.0.1:0", "--data", "again")
		cmd.Dir, cmd.Env = dir, []string{"HOME=/nonexistent"}
		as(cmd, nobody)
		up(t, other, cmd)
		if a := ask(t, "GET", other.url+shared.header.Get("Location"), ""); a.status != 200 ||
			!bytes.Contains(a.body, []byte("Copied")) {
			t.Errorf("what was shared before: %d", a.status)
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

// asSite holds what the program has written for a host of files to what `make site` makes, file by file.
func asSite(t *testing.T, dir string) {
	made := filepath.Join(t.TempDir(), "site")
	if err := webdir.Fill(made, webdir.Site(built(t), ""), nil); err != nil {
		t.Fatal(err)
	}
	want, got := filesOf(t, made), filesOf(t, dir)
	if len(want) < 20 || !slices.Equal(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))) {
		t.Fatalf("%d files, of %d", len(got), len(want))
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs: %d bytes, of %d", name, len(got[name]), len(want[name]))
		}
	}
}

// filesOf reads a folder.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
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

// inContainer builds the image that the container file describes, from the archive's folder alone, and starts its
// program in it as the image says, as its own user; only the port is another. What it shares with a container is that
// it sees no other file.
func inContainer(t *testing.T, dir string) {
	if os.Getuid() != 0 {
		t.Skip("only root may change the root folder")
	}
	if _, err := exec.LookPath("buildah"); err != nil {
		t.Fatalf("%v (run `make tools`)", err)
	}
	store := t.TempDir()
	buildah := func(args ...string) []byte {
		t.Helper()
		cmd := exec.Command("buildah", append([]string{"--root", filepath.Join(store, "root"), "--runroot",
			filepath.Join(store, "run"), "--storage-driver", "vfs"}, args...)...)
		cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + store}
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("buildah %q: %v\n%s", args, err, said.String())
		}
		return out
	}
	buildah("bud", "--isolation", "chroot", "-f", "deploy/Containerfile", "-t", "hadarlab", ".")
	var about struct {
		OCI struct {
			Config struct {
				User            string
				Entrypoint, Cmd []string
				Volumes         map[string]struct{}
				ExposedPorts    map[string]struct{}
			} `json:"config"`
		} `json:"OCIv1"`
	}
	if err := json.Unmarshal(buildah("inspect", "--type", "image", "hadarlab"), &about); err != nil {
		t.Fatal(err)
	}
	config := about.OCI.Config
	if _, port := config.ExposedPorts["8080/tcp"]; config.User != "10001:10001" || !port {
		t.Errorf("the image is %+v", config)
	}
	made := strings.TrimSpace(string(buildah("from", "--pull-never", "hadarlab")))
	image := strings.TrimSpace(string(buildah("mount", made)))
	for at := range config.Volumes {
		at = filepath.Join(image, at)
		if err := errors.Join(os.MkdirAll(at, 0o700), os.Chown(at, container, container)); err != nil {
			t.Fatal(err)
		}
	}
	args := slices.Concat(config.Entrypoint, config.Cmd)
	i := slices.Index(args, "0.0.0.0:8080")
	if i < 0 {
		t.Fatalf("it listens elsewhere: %q", args)
	}
	args[i] = "127.0.0.1:0"
	s := &server{name: "container"}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Path, cmd.Err = args[0], nil // as it is named in there
	cmd.Env, cmd.Dir = []string{}, "/"
	as(cmd, container)
	cmd.SysProcAttr.Chroot = image
	up(t, s, cmd)
	wholePage(t, s)
}

// TestContainerfileRules holds the container file to dockerfilelint's rules, without a network.
func TestContainerfileRules(t *testing.T) {
	const program = "worker/cmd/edge/node_modules/dockerfilelint/bin/dockerfilelint"
	if err := need(program, "make tools"); err != nil {
		t.Fatal(err)
	}
	lint := exec.Command("node", program, "worker/deploy/Containerfile")
	lint.Dir = root
	if out, err := lint.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("Issues: None found")) {
		t.Errorf("%v\n%s", err, out)
	}
	lint = exec.Command("node", program, "-")
	lint.Stdin = strings.NewReader("FROM debian\n")
	if out, err := lint.CombinedOutput(); err == nil {
		t.Errorf("it finds nothing in an image without a tag:\n%s", out)
	}
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
	first, second := filesOf(t, filepath.Join(root, "build/web")), filesOf(t, again)
	if len(first) < 20 || !slices.Equal(slices.Sorted(maps.Keys(first)), slices.Sorted(maps.Keys(second))) {
		t.Fatalf("%d files, then %d", len(first), len(second))
	}
	for name := range first {
		if first[name] != second[name] {
			t.Errorf("%s differs: %d bytes, then %d", name, len(first[name]), len(second[name]))
		}
	}
}
