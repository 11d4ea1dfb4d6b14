//go:build unix

package load

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// attack is one way to make the server work or hold more than it was asked for. send makes the n-th request of it, each
// with a content of its own, so that none is answered from what is known.
type attack struct {
	name string
	send func(ctx context.Context, c *client, n int)
}

// any is every answer that an attacker may get: the work, or a refusal.
var any = []int{200, 201, 202, 400, 408, 413, 415, 422, 429, 503}

// long is a scenario whose Gavel run goes on and on: rounds of a second, and many steps.
func long(steps, n int) string {
	var jobs []string
	for i := range 6 {
		jobs = append(jobs, fmt.Sprintf(`{"id":"j%d","model":"m","batch":64,"gpus":1,"steps":%d}`, i, steps+n))
	}
	return fmt.Sprintf(
		`{"kind":"scenario","version":1,"scenario":{"seed":%d,"round_s":1,"cluster":{"nodes":[{"id":"n1","gpus":{"v100":1,"k80":1}}]},`+
			`"throughputs":{"rows":[{"model":"m","batch":64,"per_gpu":{"v100":4,"k80":1}}]},"jobs":[%s]}}`, n,
		strings.Join(jobs, ","))
}

// wide is a scenario with many nodes, which is long to read and to compile. Its seed is to be put in: what the
// attackers do is not to cost what is measured.
func wide(nodes int) string {
	var list []string
	for i := range nodes {
		list = append(list, fmt.Sprintf(`{"id":"n%d","gpus":{"v100":1}}`, i))
	}
	return fmt.Sprintf(
		`{"kind":"scenario","version":1,"scenario":{"seed":SEED,"cluster":{"nodes":[%s]},"throughputs":{"rows":[`+
			`{"model":"m","batch":64,"per_gpu":{"v100":4}}]},"jobs":[{"id":"j","model":"m","batch":64,"gpus":1,"steps":100}]}}`, strings.Join(list, ","))
}

// series is numbers from 1 on.
func series(most int) string {
	var list []string
	for i := range most {
		list = append(list, fmt.Sprint(i+1))
	}
	return strings.Join(list, ",")
}

func attacks() []attack {
	post := func(path string, body func(n int) string, headers ...string) func(context.Context, *client, int) {
		return func(ctx context.Context, c *client, n int) { c.do(ctx, "attack", "POST", path, body(n), any...) }
	}
	seeded := func(text string) func(n int) string {
		return func(n int) string { return strings.Replace(text, "SEED", fmt.Sprint(n), 1) }
	}
	gavel := `"gavel-las","gavel-ftf","gavel-makespan","gavel-waterfill"`
	var unknown []string
	for i := range 64 {
		unknown = append(unknown, fmt.Sprintf(`"nope%d"`, i))
	}
	return []attack{
		{"stream", func(ctx context.Context, c *client, n int) {
			c.stream(ctx, runOf(long(900_000, n), `"gavel-las"`))
		}},
		{"queued", post("/api/v1/runs", func(n int) string { return runOf(long(9_000_000, n), gavel) })},
		{"queued-without-token", func(ctx context.Context, c *client, n int) {
			c.forget()
			c.do(ctx, "attack", "POST", "/api/v1/runs", runOf(long(9_000_000, n), gavel), any...)
		}},
		{"queued-with-fresh-tokens", func(ctx context.Context, c *client, n int) {
			c.forget()
			c.do(ctx, "attack", "GET", "/api/v1/client", "", any...)
			c.do(ctx, "attack", "POST", "/api/v1/runs", runOf(long(9_000_000, n), gavel), any...)
		}},
		{"sweep-empty-axis",
			post("/api/v1/sweeps",
				seeded(`{"scenario":`+wide(1000)+`,"policies":["fifo"],"vary":[{"path":"/scenario/seed","values":[`+
					series(1000)+`]},{"path":"/scenario/round_s","values":[]}]}`))},
		{"sweep", post("/api/v1/sweeps",
			seeded(`{"scenario":`+wide(1000)+`,"policies":["fifo"],"vary":[{"path":"/scenario/round_s","values":[`+
				series(1000)+`]}]}`))},
		{"unknown-policies", post("/api/v1/runs", seeded(runOf(wide(10_000), strings.Join(unknown, ","))))},
		{"known-policies", post("/api/v1/runs", seeded(runOf(wide(10_000), `"hadar","gavel-las"`)))},
		{"large-bodies", post("/api/v1/runs",
			seeded(`{"scenario":{"kind":"scenario","x":"`+strings.Repeat("y", 7<<20)+`"},"policies":["fifo"]}`))},
		{"held-bodies", func(ctx context.Context, c *client, n int) { c.hold(ctx, 8<<20) }},
		{"stores", post("/api/v1/scenarios", func(n int) string { return class(12, n) })},
		{"deep", post("/api/v1/runs", seeded(`{"scenario":`+strings.Repeat("[", 1<<20)+`}`))},
	}
}

// stream asks for a run as one stream and reads it as long as it comes.
func (c *client) stream(ctx context.Context, body string) {
	req, err := http.NewRequestWithContext(ctx, "POST", c.url+"/api/v1/runs", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	began := time.Now()
	res, err := c.http.Do(req)
	if err != nil {
		return // cut off, which the readers' tally would show if it were more
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
	c.tally.note("attack", res.StatusCode, time.Since(began), "")
}

// hold sends the most of a large body and then nothing, as long as the server waits for the rest.
func (c *client) hold(ctx context.Context, size int) {
	var d net.Dialer
	host := strings.TrimPrefix(c.url, "http://")
	conn, err := d.DialContext(ctx, "tcp", host)
	if err != nil {
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	began := time.Now()
	fmt.Fprintf(
		conn, "POST /api/v1/runs HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		host, size)
	_, _ = io.CopyN(conn, spaces{}, int64(size-1))
	head := make([]byte, 12)
	status := 0
	if _, err := io.ReadFull(conn, head); err == nil {
		_, _ = fmt.Sscanf(string(head), "HTTP/1.1 %d", &status)
	}
	c.tally.note("attack", status, time.Since(began), "")
}

// spaces is white space without end.
type spaces struct{}

func (spaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// under attacks a server with 16 at a time while others read, until enough says so, and returns how the others fared.
func under(t testing.TB, s *server, a attack, enough func(reads int) bool) (others, attackers *tally) {
	t.Helper()
	others, attackers = newTally(), newTally()
	reader := newClient(s, others)
	_, b := reader.do(t.Context(), "store", "POST", "/api/v1/scenarios", class(6, 1), 201)
	shared := idOf(b)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all, reading sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			c := newClient(s, attackers)
			for n := 0; ctx.Err() == nil; n++ {
				a.send(ctx, c, 1000*i+n)
			}
		})
	}
	for range 4 {
		reading.Go(func() {
			c := newClient(s, others)
			c.do(t.Context(), "token", "GET", "/api/v1/client", "", 200)
			for reads := 0; !enough(reads); reads++ {
				c.do(t.Context(), "read", "GET", "/api/v1/scenarios/"+shared, "", 200)
				c.do(t.Context(), "read", "GET", "/healthz", "", 200)
			}
		})
	}
	reading.Wait()
	reader.do(t.Context(), "run", "POST", "/api/v1/runs", runOf(class(6, 2), `"fifo"`), 202) // the queue has places
	stop()
	all.Wait()
	return others, attackers
}

// mostPeak is what the server may hold, in bytes.
const mostPeak = 500 << 20

// TestAttacks: under each attack others are answered, and afterwards the server is as before: what left costs nothing,
// and a run of somebody else's ends.
func TestAttacks(t *testing.T) {
	for _, a := range attacks() {
		t.Run(a.name, func(t *testing.T) {
			s := start(t, filepath.Join(t.TempDir(), "data"))
			others, _ := under(t, s, a, func(reads int) bool { return reads >= 15 })
			if n := others.count(func(status int) bool { return status < 200 || status > 202 }); n > 0 {
				t.Errorf("%d requests of others failed:\n%s", n, others.table())
			}
			if peak := s.peak(); peak > mostPeak {
				t.Errorf("the server held %d MB", peak>>20)
			}
			if res, err := http.Get(s.url + "/healthz"); err != nil || res.StatusCode != http.StatusOK {
				t.Errorf("afterwards: %v %v", res, err)
			}
		})
	}
}

// BenchmarkAttacks is each attack, 16 at a time for 20 seconds, and how others fare meanwhile.
func BenchmarkAttacks(b *testing.B) {
	for _, a := range attacks() {
		b.Run(a.name, func(b *testing.B) {
			for b.Loop() {
				s := start(b, filepath.Join(b.TempDir(), "data"))
				end := time.Now().Add(20 * time.Second)
				others, attackers := under(b, s, a, func(int) bool {
					time.Sleep(20 * time.Millisecond) // four readers, 50 times a second each at most
					return time.Now().After(end)
				})
				b.Logf("\n%s%s", others.table(), attackers.table())
				b.ReportMetric(ms(others.at(0.99, "read")), "read-p99-ms") // 250
				b.ReportMetric(float64(others.count(func(status int) bool { return status < 200 || status > 202 })),
					"errors")
				b.ReportMetric(float64(s.peak())/1e6, "peak-MB") // 500
			}
		})
	}
}
