package e2e

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// line is a slow way to a server: all connections share its rate, and every byte takes half a round trip. It lies
// outside the browser, whose own emulation leaves out what workers load.
type line struct {
	bytesPerSecond float64
	roundTrip      time.Duration

	mu   sync.Mutex
	free time.Time // when the last byte so far has been sent
}

// cable is the profile of BENCHMARKS.md: 10 Mbit/s down, 40 ms.
func cable() *line { return &line{bytesPerSecond: 10e6 / 8, roundTrip: 40 * time.Millisecond} }

// to returns the address of a relay to a server.
func (l *line) to(b *testing.B, url string) string {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { listener.Close() })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return // closed
			}
			go l.relay(near, strings.TrimPrefix(url, "http://"))
		}
	}()
	return "http://" + listener.Addr().String()
}

func (l *line) relay(near net.Conn, server string) {
	defer near.Close()
	time.Sleep(l.roundTrip) // to connect
	far, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer far.Close()
	go l.carry(far, near, false)
	l.carry(near, far, true)
}

// carry passes bytes on when they would be there. Requests are small: only answers take the line's time.
func (l *line) carry(to io.WriteCloser, from io.Reader, counted bool) {
	type piece struct {
		at time.Time
		b  []byte
	}
	pieces := make(chan piece, 1024)
	go func() {
		defer close(pieces)
		for {
			b := make([]byte, 4<<10)
			n, err := from.Read(b)
			at := time.Now()
			if counted {
				l.mu.Lock()
				if l.free.Before(at) {
					l.free = at
				}
				l.free = l.free.Add(time.Duration(float64(n) / l.bytesPerSecond * float64(time.Second)))
				at = l.free
				l.mu.Unlock()
			}
			if n > 0 {
				pieces <- piece{at.Add(l.roundTrip / 2), b[:n]}
			}
			if err != nil {
				return
			}
		}
	}()
	defer to.Close()
	for p := range pieces {
		time.Sleep(time.Until(p.at))
		if _, err := to.Write(p.b); err != nil {
			for range pieces { // until the other side has seen it
			}
			return
		}
	}
}

// firstEdit edits the round length as soon as the page takes it, and notes when the new charts are drawn: ms since the
// navigation.
const firstEdit = `window.bench = {live: 0, shown: 0};
{
  const find = css => document.querySelector(css);
  let old;
  const turn = () => {
    const lab = find("[data-test=lab]"), lane = find("[data-test=lane]"), field = find("[data-test=editor-round]");
    if (!bench.live && lab && field && ["running", "ready"].includes(lab.dataset.state)) {
      bench.live = performance.now();
      old = lane.dataset.hash;
      field.value = "361";
      field.dispatchEvent(new Event("input", {bubbles: true}));
    } else if (bench.live && !bench.shown && lab.dataset.state === "ready" && lane && lane.dataset.hash !== old && find("[data-test=chart]")) {
      bench.shown = performance.now();
    }
    if (!bench.shown) requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
}`

// throttle makes the processor that many times slower for the page.
func (p *page) throttle(times float64) {
	p.t.Helper()
	p.do("slow the processor down", func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: times})
		return chromedp.Void{}, err
	})
}

// versions starts a server of this tree and, where HADARLAB_BASE names the folder of another version, built with its
// own `make build`, one of that: the names in turn, and where each is reached.
func versions(b *testing.B) (names []string, urls map[string]string) {
	b.Helper()
	trees, urls := map[string]string{"now": root}, map[string]string{}
	names = []string{"now"}
	if base := os.Getenv("HADARLAB_BASE"); base != "" {
		names, trees["base"] = append(names, "base"), base
	}
	for _, name := range names {
		dir := trees[name]
		s := &server{name: name, data: b.TempDir()}
		port, err := freePort()
		if err != nil {
			b.Fatal(err)
		}
		s.url = fmt.Sprintf("http://127.0.0.1:%d", port)
		err = s.launch(exec.Command(filepath.Join(dir, "bin/hadarlab"), "serve", "--addr",
			strings.TrimPrefix(s.url, "http://"),
			"--data", s.data, "--web", filepath.Join(dir, "build/web")))
		if err == nil {
			b.Cleanup(s.stop)
			err = s.await(s.healthy)
		}
		if err != nil {
			b.Fatalf("%s: %v\n%s", dir, err, s.log.String())
		}
		urls[name] = s.url
	}
	return names, urls
}

// reportMedian reports the median of a version's figures.
func reportMedian(b *testing.B, ms []float64, name string) {
	slices.Sort(ms)
	b.ReportMetric(ms[len(ms)/2], name)
}

// BenchmarkFirstEdit is the time from the navigation to the first edit shown, with an empty cache, on a line of 10
// Mbit/s and 40 ms, at full speed and on a processor four times slower: medians, of two versions in turn if there are.
func BenchmarkFirstEdit(b *testing.B) {
	names, urls := versions(b)
	for _, name := range names {
		urls[name] = cable().to(b, urls[name])
	}
	for _, times := range []float64{1, 4} {
		b.Run(fmt.Sprintf("cpu-%gx", times), func(b *testing.B) {
			live, shown := map[string][]float64{}, map[string][]float64{}
			for b.Loop() {
				for _, name := range names {
					p := newPage(b)
					p.first(firstEdit)
					p.throttle(times)
					p.open(urls[name] + "/")
					p.until("window.bench && bench.shown > 0")
					live[name] = append(live[name], eval[float64](p, "bench.live"))
					shown[name] = append(shown[name], eval[float64](p, "bench.shown"))
				}
			}
			for _, name := range names {
				reportMedian(b, live[name], name+"-live-ms")
				reportMedian(b, shown[name], name+"-shown-ms")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// firstChange presses + beside the first lane as soon as that does something, and notes when the lane is another: ms
// since the navigation.
const firstChange = `window.bench = {painted: 0, changed: 0};
new PerformanceObserver(l => { bench.painted = l.getEntriesByName("first-contentful-paint")[0]?.startTime ?? bench.painted })
  .observe({type: "paint", buffered: true});
{
  const hash = () => document.querySelector("[data-test=lane]")?.dataset.hash;
  let old;
  const turn = () => {
    old ??= hash();
    if (bench.painted && old && hash() === old) document.querySelector(".one [data-test=editor-gpus-more]")?.click();
    if (old && hash() !== old) bench.changed = performance.now();
    else requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
}`

// BenchmarkFirstChange is the time from the navigation to the first paint and to the first change of the number on the
// first screen, with an empty cache, on lines of 10 and 1.6 Mbit/s and 40 ms: medians.
func BenchmarkFirstChange(b *testing.B) {
	_, urls := versions(b)
	for _, mbit := range []float64{10, 1.6} {
		b.Run(fmt.Sprintf("%gMbit", mbit), func(b *testing.B) {
			l := &line{bytesPerSecond: mbit * 1e6 / 8, roundTrip: 40 * time.Millisecond}
			url := l.to(b, urls["now"])
			var painted, changed []float64
			for b.Loop() {
				p := newVisitor(b)
				p.alone()
				p.first(firstChange)
				p.open(url + "/")
				p.until("window.bench && bench.changed > 0")
				painted = append(painted, eval[float64](p, "bench.painted"))
				changed = append(changed, eval[float64](p, "bench.changed"))
			}
			reportMedian(b, painted, "painted-ms")
			reportMedian(b, changed, "changed-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}
