//go:build unix

package load

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// TestClass: a small class reads, opens the page, shares and runs, and nobody is refused or meets an error.
func TestClass(t *testing.T) {
	s := start(t, filepath.Join(t.TempDir(), "data"))
	y := attend(t, s, 40, 3, 0)
	if n := y.count(func(status int) bool { return status < 200 || status >= 400 }); n > 0 {
		t.Errorf("%d requests were refused or failed:\n%s", n, y.table())
	}
}

// BenchmarkClass is a class of 300 for a minute. Everybody opens the page and posts a run of 60 jobs under two policies
// at once; then each does something about once a second until the minute is over. What it must reach stands beside it.
func BenchmarkClass(b *testing.B) {
	for b.Loop() {
		s := start(b, filepath.Join(b.TempDir(), "data"))
		y := attend(b, s, 300, 1000, time.Minute)
		b.Logf("300 clients for a minute:\n%s", y.table())
		b.ReportMetric(float64(y.count(failed)), "errors")   // 0
		b.ReportMetric(float64(y.count(refused)), "refused") // 0
		b.ReportMetric(ms(y.at(0.5, "read", "page", "store")), "p50-ms")
		b.ReportMetric(ms(y.at(0.99, "read", "page", "store")), "p99-ms") // 250
		b.ReportMetric(ms(y.at(0.99, "run")), "run-p99-ms")
		b.ReportMetric(ms(y.at(0.99, "module")), "module-p99-ms")
		b.ReportMetric(float64(s.peak())/1e6, "peak-MB") // 300
	}
}

// attend lets clients do up to so many things each, or as many as fit into a time, and waits for the end of their runs.
func attend(t testing.TB, s *server, clients, acts int, lasts time.Duration) *tally {
	t.Helper()
	y := newTally()
	var all sync.WaitGroup
	runs := make([]string, clients) // made before: what it costs is not the server's
	for i := range runs {
		runs[i] = runOf(class(60, i+1), `"hadar","gavel-las"`)
	}
	end := time.Now().Add(lasts)
	for i := range clients {
		all.Go(func() {
			c, ctx := newClient(s, y), context.Background()
			random := rand.New(rand.NewPCG(1, uint64(i)))
			cold := random.IntN(min(acts, 30)) // when its browser has nothing yet
			c.do(ctx, "page", "GET", "/", "", 200)
			_, b := c.do(ctx, "run", "POST", "/api/v1/runs", runs[i], 202)
			run := idOf(b)
			_, b = c.do(ctx, "store", "POST", "/api/v1/scenarios", class(6, i+1), 201)
			shared := idOf(b)
			for act := 0; act < acts && (lasts == 0 || time.Now().Before(end)); act++ {
				if lasts > 0 { // somebody at a keyboard
					time.Sleep(time.Duration(500+random.IntN(1000)) * time.Millisecond)
				}
				if act == cold {
					c.do(ctx, "module", "GET", "/app.wasm", "", 200)
				}
				switch kind := random.IntN(20); {
				case kind < 10:
					c.do(ctx, "read", "GET", "/api/v1/scenarios/"+shared, "", 200)
				case kind < 13:
					c.do(ctx, "read", "GET", "/s/"+shared, "", 200)
				case kind < 15:
					c.do(ctx, "read", "GET", "/api/v1/runs/"+run, "", 200)
				case kind < 16:
					c.do(ctx, "page", "GET", "/", "", 200)
				case kind < 19:
					_, b = c.do(ctx, "store", "POST", "/api/v1/scenarios", class(6, clients*(act+1)+i), 201)
					shared = idOf(b)
				default:
					c.do(ctx, "run", "POST", "/api/v1/runs", runOf(class(6, clients*(act+1)+i), `"fifo"`), 202)
				}
			}
			if state := await(t, c, run); state != "done" {
				t.Errorf("the run of client %d ended as %s", i, state)
			}
		})
	}
	all.Wait()
	return y
}
