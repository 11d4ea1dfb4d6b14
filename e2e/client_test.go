package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// answer is a whole response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

var client = &http.Client{
	Timeout:       30 * time.Second,
	Transport:     &http.Transport{DisableCompression: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// ask sends one request; headers come as name, value pairs.
func ask(t testing.TB, method, url, body string, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	return answer{res.StatusCode, res.Header, b}
}

func post(t testing.TB, url, body string) answer {
	t.Helper()
	return ask(t, "POST", url, body, "Content-Type", "application/json")
}

func (a answer) want(t testing.TB, status int, contentType string) answer {
	t.Helper()
	if a.status != status || !strings.HasPrefix(a.header.Get("Content-Type"), contentType) {
		t.Fatalf("got %d %s, want %d %s\n%.600s", a.status, a.header.Get("Content-Type"), status, contentType, a.body)
	}
	return a
}

// problem checks an error answer and returns the first finding.
func (a answer) problem(t testing.TB, status int) (path, fix string) {
	t.Helper()
	a.want(t, status, "application/problem+json")
	var p struct {
		Title, Detail string
		Status        int
		Errors        []struct{ Path, Message, Fix string }
	}
	a.decode(t, &p)
	if p.Status != status || p.Title == "" || p.Detail == "" {
		t.Fatalf("not a whole problem: %s", a.body)
	}
	if len(p.Errors) == 0 {
		return "", ""
	}
	if p.Errors[0].Message == "" {
		t.Fatalf("an error without a message: %s", a.body)
	}
	return p.Errors[0].Path, p.Errors[0].Fix
}

func (a answer) decode(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(a.body, v); err != nil {
		t.Fatalf("%v in %.300s", err, a.body)
	}
}
