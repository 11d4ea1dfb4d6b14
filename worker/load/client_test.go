//go:build unix

package load

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// tally collects how requests went, by what they were for.
type tally struct {
	mu     sync.Mutex
	took   map[string][]time.Duration
	status map[string]map[int]int // 0 = no answer
	faults []string               // the first few answers that are none of those wanted
}

func newTally() *tally {
	return &tally{took: map[string][]time.Duration{}, status: map[string]map[int]int{}}
}

func (y *tally) note(what string, status int, took time.Duration, fault string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.took[what] = append(y.took[what], took)
	if y.status[what] == nil {
		y.status[what] = map[int]int{}
	}
	y.status[what][status]++
	if fault != "" && len(y.faults) < 5 {
		y.faults = append(y.faults, what+": "+fault)
	}
}

// count sums the answers whose status fits.
func (y *tally) count(fits func(status int) bool) (n int) {
	y.mu.Lock()
	defer y.mu.Unlock()
	for _, by := range y.status {
		for status, k := range by {
			if fits(status) {
				n += k
			}
		}
	}
	return n
}

func failed(status int) bool {
	return status == 0 || status >= 500 && status != http.StatusServiceUnavailable
}

func refused(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// at is the time within which a share of the requests for what were answered.
func (y *tally) at(share float64, what ...string) time.Duration {
	y.mu.Lock()
	defer y.mu.Unlock()
	var all []time.Duration
	for _, w := range what {
		all = append(all, y.took[w]...)
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)-1, int(share*float64(len(all))))]
}

// table is the tally in words.
func (y *tally) table() string {
	var b strings.Builder
	y.mu.Lock()
	var kinds []string
	for what := range y.took {
		kinds = append(kinds, what)
	}
	y.mu.Unlock()
	slices.Sort(kinds)
	for _, what := range kinds {
		fmt.Fprintf(&b, "%-10s %6d requests, p50 %7.1f ms, p99 %7.1f ms, %v\n", what, len(y.took[what]),
			ms(y.at(0.5, what)), ms(y.at(0.99, what)), y.status[what])
	}
	for _, f := range y.faults {
		fmt.Fprintln(&b, f)
	}
	return b.String()
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// client is one browser: it sends the token that the server has given it.
type client struct {
	url   string
	http  *http.Client
	tally *tally
	mu    sync.Mutex
	token string
	// bearer is the token of a student or the key of a class.
	bearer string
}

// clientHeader carries that token.
const clientHeader = "Hadarlab-Client"

func newClient(s *server, y *tally) *client {
	return &client{url: s.url, tally: y, http: &http.Client{Timeout: 2 * time.Minute,
		Transport: &http.Transport{MaxIdleConnsPerHost: 6, DisableCompression: true}}}
}

// forget throws the token away.
func (c *client) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.token = ""
}

// do sends a request and returns what it was answered; 0 is no answer. wanted are the statuses that are no fault.
func (c *client) do(ctx context.Context, what, method, path, body string, wanted ...int) (int, []byte) {
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.bearer != "" {
		req.Header.Set("Authorization", "Bearer "+c.bearer)
	}
	c.mu.Lock()
	if c.token != "" {
		req.Header.Set(clientHeader, c.token)
	}
	c.mu.Unlock()
	began := time.Now()
	res, err := c.http.Do(req)
	var b []byte
	status := 0
	if err == nil {
		b, err = io.ReadAll(res.Body)
		res.Body.Close()
		status = res.StatusCode
		if token := res.Header.Get(clientHeader); token != "" {
			c.mu.Lock()
			c.token = token
			c.mu.Unlock()
		}
	}
	if err != nil {
		status = 0
	}
	if ctx.Err() != nil && status == 0 {
		return 0, nil // cut off on purpose
	}
	fault := ""
	if !slices.Contains(wanted, status) {
		fault = fmt.Sprintf("%s %s: %d %v %.300s", method, path, status, err, b)
	}
	c.tally.note(what, status, time.Since(began), fault)
	return status, b
}

// idOf reads the id of an answer, "" if there is none.
func idOf(b []byte) string {
	var got struct{ ID string }
	_ = json.Unmarshal(b, &got)
	return got.ID
}

// class is a scenario of so many jobs with a seed of its own.
func class(jobs, seed int) string {
	var list []string
	for i := range jobs {
		list = append(list, fmt.Sprintf(`{"id":"j%d","model":"m","batch":64,"arrival_s":%d,"gpus":%d,"steps":%d}`, i,
			60*i, 1+i%3, 20_000+137*((i*seed)%97)))
	}
	return fmt.Sprintf(
		`{"kind":"scenario","version":1,"meta":{"title":"Class"},"scenario":{"seed":%d,"round_s":360,"cluster":{"nodes":[`+
			`{"id":"n1","gpus":{"v100":4}},{"id":"n2","gpus":{"p100":4}},{"id":"n3","gpus":{"k80":4}}]},"throughputs":{"rows":[`+
			`{"model":"m","batch":64,"per_gpu":{"v100":4,"p100":2.5,"k80":1}}]},"jobs":[%s]}}`, seed,
		strings.Join(list, ","))
}

func runOf(scenario string, policies string) string {
	return `{"scenario":` + scenario + `,"policies":[` + policies + `]}`
}

// await asks for a run until it has ended, and returns its state.
func await(t testing.TB, c *client, id string) string {
	t.Helper()
	for {
		status, b := c.do(t.Context(), "status", "GET", "/api/v1/runs/"+id, "", 200)
		var got struct{ State string }
		if err := json.Unmarshal(b, &got); err != nil || status != http.StatusOK {
			return fmt.Sprintf("%d %.200s", status, b)
		}
		if got.State != "queued" && got.State != "running" {
			return got.State
		}
		// Its own stream of events ends when the run does.
		c.do(t.Context(), "events", "GET", "/api/v1/runs/"+id+"/events", "", 200)
	}
}
