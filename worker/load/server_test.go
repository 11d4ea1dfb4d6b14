//go:build unix

package load

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// program builds the server once.
var program = sync.OnceValues(func() (string, error) {
	bin := filepath.Join(scratch, "hadarlab")
	build := exec.Command("go", "build", "-o", bin, "hadarlab/worker/cmd/hadarlab")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as shipped, also where the tests themselves need C
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return bin, nil
})

// scratch holds the program.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "hadarlab-load-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// server is a process of the server, on a data folder that outlives it.
type server struct {
	url  string
	cmd  *exec.Cmd
	log  bytes.Buffer
	done chan struct{}
}

// start runs a server on data until the test ends. The address is its own to choose: nothing else is ever asked.
func start(t testing.TB, data string, flags ...string) *server {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	s := &server{done: make(chan struct{})}
	s.cmd = exec.Command(bin, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", data, "--web", webFolder(t)},
		flags...)...)
	s.cmd.Stderr = &s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, port, ok := strings.Cut(lines.Text(), "http://localhost:"); ok {
			s.url = "http://127.0.0.1:" + strings.TrimRight(strings.Fields(port)[0], "/")
			break
		}
	}
	if s.url == "" {
		s.kill()
		t.Fatalf("the server did not start: %s", s.log.String())
	}
	go func() {
		for lines.Scan() {
		}
		_ = s.cmd.Wait()
		close(s.done)
	}()
	return s
}

// kill ends the server as a power cut would: it hears nothing of it.
func (s *server) kill() {
	_ = s.cmd.Process.Signal(syscall.SIGKILL)
	if s.url != "" {
		<-s.done
	}
}

// peak is the most memory the process has held, in bytes; 0 where the system does not tell as Linux does.
func (s *server) peak() int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	kib, _ := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64)
	return kib << 10
}

// webFolder is a page in the sizes of the real one, so that no test needs that built.
func webFolder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	module := make([]byte, 2_900_000)
	_, _ = rand.Read(module)
	for name, b := range map[string][]byte{"index.html": bytes.Repeat([]byte("<p>page</p>\n"), 5000),
		"app.wasm": module} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
