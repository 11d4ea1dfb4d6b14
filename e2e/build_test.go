package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
)

// serves starts a program in a folder and waits until it has said where it is.
func serves(t *testing.T, dir, program string, args ...string) *server {
	t.Helper()
	s := &server{name: filepath.Base(program)}
	cmd := exec.Command(program, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", t.TempDir()}, args...)...)
	cmd.Dir = dir
	up(t, s, cmd)
	return s
}

// up waits until a server has said where it is.
func up(t *testing.T, s *server, cmd *exec.Cmd) {
	t.Helper()
	if err := s.launch(cmd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	announced := regexp.MustCompile(`Hadarlab is at http://\S+:(\d+)`)
	if err := s.await(func() bool {
		if at := announced.FindStringSubmatch(s.log.String()); at != nil {
			s.url = "http://localhost:" + at[1]
		}
		return s.url != "" && s.healthy()
	}); err != nil {
		t.Fatalf("%v\n%s", err, s.log.String())
	}
}

// wholePage fetches the page and all that it names, as a browser would.
func wholePage(t *testing.T, s *server) {
	t.Helper()
	page := ask(t, "GET", s.url+"/", "").want(t, 200, "text/html").body
	named := regexp.MustCompile(`(?:href|src)="\.(/web/[^"]+)"`).FindAllSubmatch(page, -1)
	if len(named) < 10 {
		t.Errorf("the page names %d files", len(named))
	}
	for _, n := range named {
		if a := ask(t, "GET", s.url+string(n[1]), ""); a.status != 200 || len(a.body) == 0 {
			t.Errorf("%s: %d with %d bytes", n[1], a.status, len(a.body))
		}
	}
	program := ask(t, "GET", s.url+"/web/app.wasm", "", "Accept-Encoding", "gzip, br").want(t, 200, "application/wasm")
	if program.header.Get("Content-Encoding") != "br" {
		t.Fatalf("the program is encoded as %q", program.header.Get("Content-Encoding"))
	}
	var plain bytes.Buffer
	if _, err := plain.ReadFrom(brotli.NewReader(bytes.NewReader(program.body))); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(page, []byte(`data-bytes="`+strconv.Itoa(plain.Len())+`"`)) ||
		!bytes.HasPrefix(plain.Bytes(), []byte("\x00asm")) {
		t.Errorf("the program of %d bytes is not that of the page", plain.Len())
	}
	if got := ask(t, "GET", s.url+"/docs/teach", "").want(t, 200, "text/html"); !bytes.Contains(got.body,
		[]byte("card")) {
		t.Error("the manual is not there")
	}
}

// TestWhatMakeRunBuilds starts the program as `make run` does, in the project's folder.
func TestWhatMakeRunBuilds(t *testing.T) {
	wholePage(t, serves(t, root, filepath.Join(root, "bin/hadarlab")))
}

// oneFile is the program with the page inside. The overlay stands for the folder that `make dist` fills.
var oneFile = sync.OnceValues(func() (program string, err error) {
	web := filepath.Join(root, "build/web")
	replace := map[string]string{}
	err = fs.WalkDir(os.DirFS(web), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			replace[filepath.Join(root, "worker/cmd/hadarlab/web", name)] = filepath.Join(web, name)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	list := filepath.Join(scratch, "overlay.json")
	program = filepath.Join(scratch, "carries/hadarlab")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-tags", "page", "-overlay", list,
		"-ldflags=-X hadarlab/worker/release.commit=abc-dirty", "-o", program, "./worker/cmd/hadarlab")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v\n%s", err, out)
	}
	return program, nil
})

// TestOneFile: a program with the page inside serves it where there is nothing else.
func TestOneFile(t *testing.T) {
	program, err := oneFile()
	if err != nil {
		t.Fatal(err)
	}
	s := serves(t, t.TempDir(), program)
	wholePage(t, s)
	if a := ask(t, "GET", s.url+"/_headers", ""); a.status != 404 {
		t.Errorf("/_headers: %d", a.status)
	}
	var health struct{ Version, Commit string }
	ask(t, "GET", s.url+"/healthz", "").want(t, 200, "application/json").decode(t, &health)
	out, err := exec.Command(program, "version").Output()
	if err != nil || health.Commit != "abc-dirty" || !strings.HasPrefix(string(out),
		"hadarlab "+health.Version+", commit abc-dirty, page inside, ") {
		t.Errorf("version says %q, health %+v, %v", out, health, err)
	}
}
