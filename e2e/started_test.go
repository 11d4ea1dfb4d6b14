package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWhatRunStarts: the program and the page that `make run` builds, alone in a folder with a space in its name, serve
// page, module and manual; the database lies beside them, and the program ends when it is asked to.
func TestWhatRunStarts(t *testing.T) {
	for path, target := range map[string]string{"bin/hadarlab": "make hadarlab", "build/web/index.html": "make web"} {
		if err := need(path, target); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(t.TempDir(), "a folder")
	program := filepath.Join(dir, "bin/hadarlab")
	if err := os.CopyFS(filepath.Join(dir, "build/web"), os.DirFS(filepath.Join(root, "build/web"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Dir(program), 0o755); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(root, "bin/hadarlab"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, b, 0o755); err != nil {
		t.Fatal(err)
	}

	s := &server{name: "started"}
	cmd := exec.Command(program, "serve", "--addr", "127.0.0.1:0")
	cmd.Dir = dir
	if err := s.launch(cmd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	if err := s.announces(); err != nil {
		t.Fatalf("%v\n%s", err, s.log.String())
	}

	page := ask(t, "GET", s.url+"/", "").want(t, 200, "text/html")
	asked := regexp.MustCompile(`(?:src|href)="\.(/web/[^"]+)"`).FindAllStringSubmatch(string(page.body), -1)
	if len(asked) < 5 {
		t.Errorf("the page asks for %d files only", len(asked))
	}
	for _, file := range asked {
		if a := ask(t, "GET", s.url+file[1], ""); a.status != 200 || len(a.body) == 0 {
			t.Errorf("%s: status %d, %d bytes", file[1], a.status, len(a.body))
		}
	}
	if module := ask(t, "GET", s.url+"/web/app.wasm", "").want(t, 200,
		"application/wasm"); !bytes.HasPrefix(module.body, []byte("\x00asm")) {
		t.Errorf("the module begins with %.8q", module.body)
	}
	manual := ask(t, "GET", s.url+"/docs", "").want(t, 200, "text/html")
	for _, at := range []string{"/docs/policies", "/docs/teach"} {
		if !strings.Contains(string(manual.body), at) {
			t.Errorf("the manual does not lead to %s", at)
		}
		ask(t, "GET", s.url+at, "").want(t, 200, "text/html")
	}
	s.stop()
	if !s.cmd.ProcessState.Success() {
		t.Errorf("asked to stop it ends with %v\n%s", s.cmd.ProcessState, s.log.String())
	}
	if there, err := os.ReadDir(filepath.Join(dir, "data")); err != nil || len(there) == 0 {
		t.Errorf("there is no database beside the program: %v", err)
	}
}
