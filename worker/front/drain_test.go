//go:build !js

package front

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestRefusedBodiesAreRead: who sends the whole body before looking at the answer, as proxies do, gets the answer and
// no broken connection, whether the handler refuses at once or the front does.
func TestRefusedBodiesAreRead(t *testing.T) {
	f := New(routed(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
	}), Options{Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, LargestBody: 8 << 20})
	s := httptest.NewServer(f)
	defer s.Close()
	send := func(host, size string, body []byte) *http.Response {
		t.Helper()
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		if _, err := fmt.Fprintf(c, "POST /s/x HTTP/1.1\r\nHost: %s\r\n%s\r\n\r\n", host, size); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write(body); err != nil {
			t.Fatalf("%s, %s: the connection broke: %v", host, size, err)
		}
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("%s, %s: no answer: %v", host, size, err)
		}
		return res
	}
	for _, n := range []int{900_000, 1_200_000, 2_500_000, 5_000_000, 8_000_000, drained} {
		size := fmt.Sprintf("Content-Length: %d", n)
		if res := send("localhost", size, make([]byte, n)); res.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%d bytes: %s", n, res.Status)
		}
		if res := send("evil.example", size, make([]byte, n)); res.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("%d bytes by another name: %s", n, res.Status)
		}
	}
	chunk := append([]byte("100000\r\n"), make([]byte, 1<<20)...)
	chunks := append(bytes.Repeat(append(chunk, "\r\n"...), 5), "0\r\n\r\n"...)
	if res := send("localhost", "Transfer-Encoding: chunked", chunks); res.StatusCode != 413 {
		t.Errorf("of unknown length: %s", res.Status)
	}
	// beyond the bound nothing is waited for
	if res := send("localhost", fmt.Sprintf("Content-Length: %d", drained+1), nil); res.StatusCode != 413 {
		t.Errorf("beyond the bound: %s", res.Status)
	}
	if held := f.bodies.held(); held != 0 {
		t.Errorf("%d bytes are held", held)
	}
}
