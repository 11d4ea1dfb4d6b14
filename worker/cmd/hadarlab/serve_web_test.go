//go:build !js

package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRebinding: a page whose name was given this machine's address can neither read nor write here.
func TestRebinding(t *testing.T) {
	url, stop := serving(t)
	defer stop()
	ask := func(method, path, host, body string) (int, string) {
		t.Helper()
		req, err := http.NewRequest(method, url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Origin", "http://"+host)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(b)
	}
	for _, path := range []string{"/", "/healthz", "/api/v1/openapi.json", "/s/yvnjy96n4dxc"} {
		if code, body := ask("GET", path, "evil.example:8080", ""); code != http.StatusMisdirectedRequest ||
			!strings.Contains(body, "--host") {
			t.Errorf("%s under another name: %d %s", path, code, body)
		}
	}
	if code, body := ask("POST", "/api/v1/scenarios", "evil.example", crowd(1)); code != http.StatusMisdirectedRequest {
		t.Errorf("a store under another name: %d %s", code, body)
	}
	if code, body := ask("GET", "/healthz", strings.TrimPrefix(url, "http://"), ""); code != http.StatusOK {
		t.Errorf("under its own: %d %s", code, body)
	}
	code, body := ask("POST", "/api/v1/scenarios", "localhost", crowd(1))
	if code != http.StatusCreated {
		t.Errorf("a store under its own: %d %s", code, body)
	}
}

func TestServeRefusesWhatWouldBeOpen(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.MkdirAll(filepath.Join(dir, "web"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "web"), link); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ data, web, metrics, want string }{
		"data within web":      {filepath.Join(dir, "web", "data"), filepath.Join(dir, "web"), "", "--data: "},
		"through a link":       {filepath.Join(link, "data"), filepath.Join(dir, "web"), "", "--data: "},
		"web within data":      {dir, filepath.Join(dir, "web"), "", "--data: "},
		"the same":             {dir, dir, "", "--data: "},
		"metrics for all":      {filepath.Join(dir, "data"), filepath.Join(dir, "web"), "0.0.0.0:0", "--metrics: "},
		"metrics for all, too": {filepath.Join(dir, "data"), filepath.Join(dir, "web"), ":0", "--metrics: "},
		"metrics nowhere":      {filepath.Join(dir, "data"), filepath.Join(dir, "web"), "nonsense", "--metrics: "},
	} {
		code, out, errs := try("serve", "--addr", "127.0.0.1:0", "--data", tt.data, "--web", tt.web, "--metrics",
			tt.metrics)
		if code != exitUsage || out != "" || !strings.HasPrefix(errs, tt.want) {
			t.Errorf("%s: exit %d %s%s", name, code, out, errs)
		}
		if _, err := os.Stat(filepath.Join(dir, "web", "data")); err == nil {
			t.Errorf("%s: it made the folder that it refused", name)
		}
	}
}
