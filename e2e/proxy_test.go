package e2e

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const schoolName = "lab.school.example"

// printed are the blocks of a server's settings in worker/deploy/school.md: that of Caddy, then that of nginx.
func printed(t *testing.T) (caddy, nginx string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "worker/deploy/school.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		switch {
		case strings.HasPrefix(m[1], schoolName+" {"):
			caddy = m[1]
		case strings.HasPrefix(m[1], "server {"):
			nginx = m[1]
		}
	}
	if caddy == "" || nginx == "" {
		t.Fatal("school.md prints no block for Caddy, or none for nginx")
	}
	return caddy, nginx
}

// replaced puts in what is this machine's own, and fails the test where the text lacks what that replaces.
func replaced(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the block lacks %q:\n%s", pairs[i], text)
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// certificate writes one for the name, signed by itself.
func certificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: schoolName},
		DNSNames: []string{schoolName}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, about, about, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "lab.pem"), filepath.Join(dir, "lab.key")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der},
		key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// behind starts a proxy before the server, and returns a client that reaches it by the server's name.
func behind(t *testing.T, port int, program string, args ...string) *http.Client {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil { // Debian keeps it where only root looks
		path = filepath.Join("/usr/sbin", program)
	}
	at := fmt.Sprintf("127.0.0.1:%d", port)
	client := &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "tcp", at)
		},
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: schoolName}, // its certificate is its own
	}}
	s := &server{name: program}
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_DATA_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
	if err := s.launch(cmd); err != nil {
		t.Fatalf("%v (run `make tools`)", err)
	}
	t.Cleanup(s.stop)
	if err := s.await(func() bool {
		res, err := client.Get("https://" + schoolName + "/healthz")
		if err != nil {
			return false
		}
		res.Body.Close()
		return res.StatusCode == http.StatusOK
	}); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, s.log.String())
	}
	return client
}

// TestPrintedProxies: the settings that worker/deploy/school.md prints, as they stand there, in nginx and in Caddy.
// What is too large is refused in the server's words, streams come at once, and nobody chooses an address for itself.
func TestPrintedProxies(t *testing.T) {
	t.Parallel()
	native(t) // builds the program
	caddy, nginx := printed(t)
	for name, start := range map[string]func(t *testing.T, at string, port int) *http.Client{
		"nginx": func(t *testing.T, at string, port int) *http.Client {
			dir := t.TempDir()
			cert, key := certificate(t, dir)
			block := replaced(t, nginx, "listen 443 ssl", fmt.Sprintf("listen 127.0.0.1:%d ssl", port),
				"/etc/ssl/lab.pem",
				cert, "/etc/ssl/lab.key", key, "127.0.0.1:8080", at)
			var temporary strings.Builder
			for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
				fmt.Fprintf(&temporary, "%s_temp_path %s;\n", kind, filepath.Join(dir, kind))
			}
			own := ""
			if os.Getuid() == 0 {
				own = "user root;" // else it may not write to the test's folder
			}
			conf := filepath.Join(dir, "nginx.conf")
			if err := os.WriteFile(conf, []byte(own+"daemon off; worker_processes 1; error_log stderr; pid "+
				filepath.Join(dir, "pid")+";\nevents {}\nhttp {\naccess_log off;\n"+temporary.String()+block+"}\n"),
				0o600); err != nil {
				t.Fatal(err)
			}
			return behind(t, port, "nginx", "-p", dir, "-c", conf)
		},
		"caddy": func(t *testing.T, at string, port int) *http.Client {
			dir := t.TempDir()
			conf := filepath.Join(dir, "Caddyfile")
			if err := os.WriteFile(conf, []byte(fmt.Sprintf("{\nadmin off\nlocal_certs\nskip_install_trust\n"+
				"auto_https disable_redirects\nhttps_port %d\ndefault_bind 127.0.0.1\nstorage file_system %s\n}\n", port,
				dir)+replaced(t, caddy, "127.0.0.1:8080", at)), 0o600); err != nil {
				t.Fatal(err)
			}
			return behind(t, port, "caddy", "run", "--config", conf, "--adapter", "caddyfile")
		},
	} {
		t.Run(name, func(t *testing.T) {
			port, err := freePort()
			if err != nil {
				t.Fatal(err)
			}
			s := &server{name: "school"}
			if err := s.launch(exec.Command(filepath.Join(scratch, "hadarlab"), "serve", "--addr", "127.0.0.1:0",
				"--data", t.TempDir(), "--web", filepath.Join(root, "build/web"), "--host", schoolName,
				"--proxy", "127.0.0.1")); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.stop)
			if err := s.announces(); err != nil {
				t.Fatalf("%v\n%s", err, s.log.String())
			}
			throughProxy(t, start(t, strings.TrimPrefix(s.url, "http://"), port))
		})
	}
}

func throughProxy(t *testing.T, client *http.Client) {
	send := func(method, path string, body io.Reader, headers ...string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequest(method, "https://"+schoolName+path, body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		res, err := client.Do(req)
		if err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
		defer res.Body.Close()
		b, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
		if err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
		return res, string(b)
	}
	for _, size := range []int{900_000, 1_200_000, 2_500_000, 5_000_000, 8_000_000} {
		for _, path := range []string{"/api/v1/scenarios", "/api/v1/runs"} {
			doc := small(fmt.Sprint("Behind ", size), 95)
			if path == "/api/v1/runs" {
				doc = `{"policies":["hadar"],"scenario":` + doc + `}`
			}
			res, body := send("POST", path, strings.NewReader(doc+strings.Repeat(" ", size-len(doc))))
			// What is large is paid for by size: so much at once may be too much for one client.
			if res.StatusCode/100 != 2 && (res.StatusCode != http.StatusTooManyRequests ||
				!strings.HasPrefix(res.Header.Get("Content-Type"), "application/problem+json")) {
				t.Errorf("%d bytes to %s: %s %.200s", size, path, res.Status, body)
			}
		}
	}
	beyond := strings.NewReader(strings.Repeat(" ", 9<<20))
	if res, _ := send("POST", "/api/v1/scenarios", beyond); res.StatusCode != 413 {
		t.Errorf("beyond what is let through: %s", res.Status)
	}

	doc := strings.Replace(small("In a chat", 96), `"round_s":360`, `"round_s":1`, 1)
	res, _ := send("POST", "/api/v1/scenarios", strings.NewReader(doc))
	_, page := send("GET", res.Header.Get("Location"), nil)
	if want := `<meta property="og:url" content="https://` + schoolName + res.Header.Get("Location") + `">`; !strings.Contains(
		page, want) {
		t.Errorf("the page lacks %s", want)
	}

	// A run that takes long: the first news come while it goes on.
	long := `{"policies":["hadar"],"scenario":{"kind":"scenario","version":1,"scenario":{"round_s":1,"cluster":{"nodes":
		[{"id":"n","gpus":{"v100":1}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},
		"jobs":[{"id":"j","model":"m","gpus":1,"steps":1e9}]}}}`
	res, body := send("POST", "/api/v1/runs", strings.NewReader(long))
	if res.StatusCode != http.StatusAccepted {
		t.Fatalf("%s %s", res.Status, body)
	}
	events, err := client.Get("https://" + schoolName + res.Header.Get("Location") + "/events")
	if err != nil {
		t.Fatal(err)
	}
	first := make([]byte, len("retry: "))
	if _, err := io.ReadFull(events.Body, first); err != nil || string(first) != "retry: " {
		t.Errorf("while the run goes on: %q %v", first, err)
	}
	events.Body.Close()

	slowed := false
	for i := range 30 {
		res, _ := send("GET", fmt.Sprintf("/api/v1/classes/22223%03d", i), nil, "X-Forwarded-For",
			fmt.Sprintf("198.51.%d.7", i))
		slowed = slowed || res.StatusCode == http.StatusTooManyRequests
	}
	if !slowed {
		t.Error("who names another address each time may guess codes without end")
	}
}
