package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// server is a server under test, started once for all tests.
type server struct {
	name  string // native or edge
	start func(*server) error
	once  sync.Once
	err   error

	url   string // http://127.0.0.1:PORT and base
	base  string // path below which it is opened, "" = all of it
	data  string // folder of its database
	entry string // of the edge: a folder of scripts in the place of its Workers, which wrap them; "" = none
	plan  string // of the edge: free or paid, "" = paid
	log   logBuffer
	cmd   *exec.Cmd
	done  chan struct{} // closed when the process has ended
}

var (
	nativeServer = &server{name: "native", start: startNative}
	edgeServer   = &server{name: "edge", start: startEdge}
)

// native returns the running native server.
func native(t testing.TB) *server { return nativeServer.running(t) }

// edge returns the worker running in the local edge runtime.
func edge(t testing.TB) *server { return edgeServer.running(t) }

// onBoth runs a test against both servers.
func onBoth(t *testing.T, test func(t *testing.T, s *server)) {
	t.Run("native", func(t *testing.T) { test(t, native(t)) })
	t.Run("edge", func(t *testing.T) { test(t, edge(t)) })
}

func (s *server) running(t testing.TB) *server {
	t.Helper()
	s.once.Do(func() { s.err = s.start(s) })
	if s.err != nil {
		t.Fatalf("the %s server did not start: %v\n%s", s.name, s.err, s.log.String())
	}
	return s
}

func startNative(s *server) error {
	if err := need("build/web/index.html", "make web"); err != nil {
		return err
	}
	bin := filepath.Join(scratch, "hadarlab")
	build := exec.Command("go", "build", "-o", bin, "./worker/cmd/hadarlab")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	s.data = filepath.Join(scratch, "native")
	if err := s.launch(exec.Command(bin, "serve", "--addr", "127.0.0.1:0", "--data", s.data, "--web",
		filepath.Join(root, "build/web"))); err != nil {
		return err
	}
	return s.announces()
}

// announces waits until the native server has said its address and answers there.
func (s *server) announces() error {
	announced := regexp.MustCompile(`Hadarlab is at http://localhost:(\d+)`)
	return s.await(func() bool {
		port := announced.FindStringSubmatch(s.log.String())
		if port == nil {
			return false
		}
		s.url = "http://127.0.0.1:" + port[1]
		return s.healthy()
	})
}

func startEdge(s *server) error {
	for _, n := range [][2]string{
		{"build/web/index.html", "make web"}, {"build/edge/page/app.wasm", "make edge-worker"},
		{"build/edge/simulator/app.wasm", "make edge-worker"},
		{"worker/cmd/edge/node_modules", "make tools"},
	} {
		if err := need(n[0], n[1]); err != nil {
			return err
		}
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	s.url = fmt.Sprintf("http://127.0.0.1:%d", port)
	if s.data == "" {
		s.data = filepath.Join(scratch, "edge")
	}
	cmd := exec.Command(filepath.Join(root, "worker/cmd/edge/wrangler.sh"), "dev", strconv.Itoa(port), s.data)
	cmd.Env = append(os.Environ(), "ENTRY="+s.entry, "PLAN="+s.plan)
	if err := s.launch(cmd); err != nil {
		return err
	}
	return s.await(s.healthy)
}

// launch starts the process in a session of its own, so that what it starts can be found and ended.
func (s *server) launch(cmd *exec.Cmd) error {
	cmd.Stdout, cmd.Stderr = &s.log, &s.log
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid = true
	cmd.WaitDelay = 2 * time.Second
	if err := cmd.Start(); err != nil {
		return err
	}
	s.cmd, s.done = cmd, make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended is told by whoever waits for done
		close(s.done)
	}()
	return nil
}

// start bounds how long a server may take to answer.
const start = 4 * time.Minute

// await polls until the server is ready, has ended, or some minutes have gone, as on a machine that is busy with other
// things.
func (s *server) await(ready func() bool) error {
	for deadline := time.Now().Add(start); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if ready() {
			return nil
		}
		select {
		case <-s.done:
			return errors.New("it ended")
		default:
		}
	}
	return fmt.Errorf("it is not ready after %v", start)
}

func (s *server) healthy() bool {
	res, err := http.Get(s.url + "/healthz")
	if err != nil {
		return false
	}
	res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// stop ends the server politely, and its whole session if it does not listen.
func (s *server) stop() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.done:
	case <-time.After(10 * time.Second):
		_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
		<-s.done
	}
}

// kill ends the server and all that it has started at once, as a power cut does.
func (s *server) kill() {
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
	<-s.done
}

// ownEdge starts an edge of an entry and a plan, with a database of its own, until the test ends. Where that has failed
// its log is shown.
func ownEdge(t *testing.T, entry, plan string) *server {
	t.Helper()
	s := &server{name: "edge", start: startEdge, data: t.TempDir(), entry: entry, plan: plan}
	t.Cleanup(func() {
		s.stop()
		if t.Failed() {
			t.Log(s.log.String())
		}
	})
	return s.running(t)
}

func stopServers() {
	nativeServer.stop()
	edgeServer.stop()
}

func need(path, target string) error {
	if _, err := os.Stat(filepath.Join(root, path)); err != nil {
		return fmt.Errorf("%s is missing: run `%s`", path, target)
	}
	return nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// logBuffer collects what a process prints.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
