//go:build unix

package load

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
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
	edge bool // it is the edge runtime: nobody calls its clock, and it holds no stream open
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

// startEdge runs the worker in the local edge runtime until the test ends.
func startEdge(t testing.TB) *server {
	t.Helper()
	data := t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	l.Close()
	_, port, _ := strings.Cut(at, ":")
	s := &server{url: "http://" + at, edge: true, done: make(chan struct{})}
	s.cmd = exec.Command("../cmd/edge/wrangler.sh", "dev", port, data)
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // what it starts ends with it
	s.cmd.WaitDelay = time.Second
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	go func() {
		_ = s.cmd.Wait()
		close(s.done)
	}()
	for {
		if res, err := http.Get(s.url + "/healthz"); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return s
			}
		}
		select {
		case <-s.done:
			t.Fatalf("the edge runtime ended: %s", s.log.String())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// kill ends the server as a power cut would: it hears nothing of it.
func (s *server) kill() {
	_ = s.cmd.Process.Signal(syscall.SIGKILL)
	if s.edge {
		_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
	}
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
