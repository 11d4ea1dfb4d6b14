//go:build unix

package load

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// lesson is a class that goes through the usual assignment.
type lesson struct {
	t        testing.TB
	s        *server
	y        *tally
	path     string
	key      string
	students int
	// Within how long all join, answer and submit.
	join, answer, submit time.Duration

	mu    sync.Mutex
	acked map[string]time.Time // when entries were acknowledged, by hash
	lag   time.Duration        // the longest until the board had one
	seen  int                  // entries that the board has
}

// TestLesson: a small class goes through a lesson, nobody is refused, and all submissions are verified.
func TestLesson(t *testing.T) {
	s := start(t, filepath.Join(t.TempDir(), "data"))
	l := teach(t, s, 20, 0)
	if n := l.y.count(func(status int) bool { return status < 200 || status >= 400 }); n > 0 {
		t.Errorf("%d requests were refused or failed:\n%s", n, l.y.table())
	}
}

// BenchmarkLesson is a lesson of 300: they join within a minute, follow the phases by their streams, answer within the
// same ten seconds and submit within a minute. What it must reach stands beside it.
func BenchmarkLesson(b *testing.B) {
	for b.Loop() {
		s := start(b, filepath.Join(b.TempDir(), "data"))
		measure(b, s, 300)
		b.ReportMetric(float64(s.peak())/1e6, "peak-MB") // 300
	}
}

// BenchmarkLessonAtTheEdge is the lesson of 60 at the local edge runtime, which they ask again and again.
func BenchmarkLessonAtTheEdge(b *testing.B) {
	for b.Loop() {
		measure(b, startEdge(b), 60)
	}
}

func measure(b *testing.B, s *server, students int) {
	b.Helper()
	began := time.Now()
	l := teach(b, s, students, 1)
	b.Logf("a lesson of %d in %v:\n%s", students, time.Since(began).Round(time.Second), l.y.table())
	acts := []string{"join", "me", "answers", "sentence", "vote", "submission"}
	b.ReportMetric(float64(l.y.count(failed)), "errors")   // 0
	b.ReportMetric(float64(l.y.count(refused)), "refused") // 0
	b.ReportMetric(ms(l.y.at(0.5, acts...)), "p50-ms")
	b.ReportMetric(ms(l.y.at(0.99, acts...)), "p99-ms") // 250 natively
	b.ReportMetric(ms(l.y.at(0.99, "board")), "board-p99-ms")
	b.ReportMetric(ms(l.lag), "board-behind-ms")                  // 1000, at the edge 6000
	b.ReportMetric(l.y.at(1, "verified").Seconds(), "verified-s") // 60, after the last submission
}

// teach goes through a lesson; pace 1 takes the time of a real one, 0 none.
func teach(t testing.TB, s *server, students int, pace time.Duration) *lesson {
	t.Helper()
	l := &lesson{t: t, s: s, y: newTally(), students: students, acked: map[string]time.Time{},
		join:   55 * time.Second * pace,
		answer: 10 * time.Second * pace, submit: 55 * time.Second * pace}
	teacher := newClient(s, l.y)
	c := decoded[course.Created](l, teacher, "begin", "POST", "/api/v1/classes", `{"assignment":"hadar-vs-gavel"}`, 201)
	l.path, l.key = "/api/v1/classes/"+c.Code, c.Key
	teacher.bearer = l.key
	submissions := make([]string, students) // made before: what it costs is not the server's
	for i := range submissions {
		submissions[i] = submission(t, 60+float64(3*i))
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var board, all sync.WaitGroup
	board.Go(func() { l.board(ctx) })
	joined := make(chan struct{}, students)
	done := make(chan string, 5*students)
	for i := range students {
		all.Go(func() { l.attend(i, submissions[i], joined, done) })
	}
	await := func(what string) {
		for range students {
			if got := <-done; got != what {
				t.Errorf("%s while %s was awaited", got, what)
			}
		}
	}
	for range students {
		<-joined
	}
	phase := func(settings string) {
		l.insist(teacher, "phase", "PATCH", l.path, settings, 200)
	}
	phase(`{"phase":"predict","locked":true}`)
	await("answers")
	phase(`{"phase":"discuss","revealed":["sooner"]}`)
	phase(`{"phase":"vote"}`)
	await("vote")
	phase(`{"phase":"run"}`)
	await("sentence")
	phase(`{"phase":"change"}`)
	await("submission")
	last := time.Now()
	for pending := 1; pending > 0; {
		if s.edge { // what is deployed does so every minute
			teacher.do(ctx, "clock", "GET", "/__scheduled", "", 200)
		}
		u := decoded[course.Update](l, teacher, "all", "GET", l.path+"/board", "", 200)
		pending = 0
		for _, e := range u.Entries {
			if e.Verdict == course.Pending {
				pending++
			} else if e.Kind == course.Submission && e.Verdict != course.Verified {
				t.Errorf("a submission %s", e.Verdict)
			}
		}
		if pending > 0 {
			time.Sleep(50 * time.Millisecond)
		}
	}
	l.y.note("verified", 200, time.Since(last), "")
	phase(`{"phase":"closed"}`)
	all.Wait()
	board.Wait()
	if l.seen < 4*students {
		t.Errorf("the board has seen %d entries of %d", l.seen, 4*students)
	}
	return l
}

// insist asks. The proxy of the local edge runtime loses connections when it is behind; then it is asked again, as by
// the pages.
func (l *lesson) insist(c *client, what, method, path, body string, wanted int) (status int, b []byte) {
	for ; ; time.Sleep(time.Second) {
		status, b = c.do(context.Background(), what, method, path, body, wanted)
		if !l.s.edge || status != http.StatusServiceUnavailable {
			return status, b
		}
	}
}

func decoded[T interface{}](l *lesson, c *client, what, method, path, body string, wanted int) (v T) {
	status, b := l.insist(c, what, method, path, body, wanted)
	if err := json.Unmarshal(b, &v); err != nil {
		l.t.Errorf("%s: %d %v", what, status, err)
	}
	return v
}

// submission makes rounds of the usual scenario as long, with what the engine makes of it.
func submission(t testing.TB, round float64) string {
	t.Helper()
	text, _ := scenarios.Assignment("hadar-vs-gavel")
	a, diags := course.Parse(text)
	if a == nil {
		t.Fatal(diags)
	}
	if round == 360 {
		round-- // that is no change
	}
	doc, _ := scenario.Parse(a.Scenario, scenario.FileLimits)
	doc.Alter("/scenario/round_s", round)
	h := course.Handed{Kind: course.Submission, Scenario: doc.Marshal(false)}
	h.Engine = lab.Engine
	result, failures, diags := lab.Run(&message.RunRequest{Scenario: h.Scenario})
	if result == nil || len(failures) > 0 {
		t.Fatal(failures, diags)
	}
	for i := range result.Runs {
		h.Lanes = append(h.Lanes, course.LaneOf(&result.Runs[i]))
	}
	b, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// within waits up to so long, each of many as long as chance says.
func within(most time.Duration) {
	if most > 0 {
		<-time.After(rand.N(most)) // as people do; without a pace nobody waits
	}
}

// attend is one student, who follows the class by its stream and hands in when it is time.
func (l *lesson) attend(n int, submission string, joined chan<- struct{}, done chan<- string) {
	c := newClient(l.s, l.y)
	within(l.join)
	j := decoded[course.Joined](l, c, "join", "POST", l.path+"/students", `{}`, 201)
	c.bearer = j.Token
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	states := l.follow(ctx, c)
	joined <- struct{}{}
	at := func(p course.Phase) {
		for st := range states {
			if st.Phase == p {
				return
			}
		}
		l.t.Errorf("student %d never heard of %s", n, p)
	}
	hand := func(what string, most time.Duration, body string) {
		within(most)
		e := decoded[course.Entry](l, c, what, "POST", l.path+"/entries", body, 201)
		l.mu.Lock()
		l.acked[e.Hash] = time.Now()
		l.mu.Unlock()
		done <- what
	}
	at(course.Predict)
	hand("answers", l.answer,
		`{"kind":"answers","answers":{"sooner":{"option":"gavel-las","sure":5},"by":{"option":"10-30","sure":2}}}`)
	at(course.VoteAgain)
	if l.answer > 0 { // pages ask in turn, too
		<-time.After(time.Duration(min(1000, 3*j.Student.N)) * time.Millisecond)
	}
	c.do(ctx, "me", "GET", l.path+"/me", "", 200)
	hand("vote", l.answer, `{"kind":"vote","answers":{"sooner":{"option":"hadar","sure":4}}}`)
	at(course.Run)
	hand("sentence", l.answer, fmt.Sprintf(`{"kind":"sentence","text":"because of the gangs, says %d"}`, n))
	at(course.Change)
	hand("submission", l.submit, submission)
	at(course.Closed)
}

// follow listens to the class until ctx ends, as browsers do: a stream that ends is opened again when the server has
// said. Who is busy misses states in between.
func (l *lesson) follow(ctx context.Context, c *client) <-chan course.State {
	out := make(chan course.State, 1000)
	stream := http.Client{Transport: c.http.Transport}
	go func() {
		defer close(out)
		for ctx.Err() == nil {
			retry, err := l.hear(ctx, &stream, out)
			if err != nil && ctx.Err() == nil {
				l.y.note("stream", 0, 0, err.Error())
				return
			}
			select {
			case <-time.After(retry):
			case <-ctx.Done():
			}
		}
	}()
	return out
}

// hear listens to one stream to its end, and gives when to open the next.
func (l *lesson) hear(ctx context.Context, stream *http.Client, out chan course.State) (retry time.Duration,
	err error) {
	req, err := http.NewRequestWithContext(ctx, "GET", l.s.url+l.path+"/events", nil)
	if err != nil {
		panic(err)
	}
	began := time.Now()
	res, err := stream.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	l.y.note("stream", res.StatusCode, time.Since(began), "")
	if res.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("status %d", res.StatusCode)
	}
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		if wait, ok := strings.CutPrefix(lines.Text(), "retry: "); ok {
			retry, err = time.ParseDuration(wait + "ms")
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var st course.State
		if err := json.Unmarshal([]byte(data), &st); err != nil {
			return 0, err
		}
		select {
		case out <- st:
		default: // the channel holds more than a lesson has changes of phase
			<-out
			out <- st
		}
	}
	if err == nil && retry == 0 {
		err = lines.Err()
	}
	return retry, err
}

// board follows the class as a board does: it asks for what is new whenever something is.
func (l *lesson) board(ctx context.Context) {
	c := newClient(l.s, l.y)
	c.bearer = l.key
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	after, seen := int64(0), map[string]bool{}
	for st := range l.follow(ctx, c) {
		if st.Seq <= after && st.Phase != course.Closed {
			continue
		}
		u := decoded[course.Update](l, c, "board", "GET", fmt.Sprint(l.path, "/board?after=", after), "", 200)
		after = u.State.Seq
		now := time.Now()
		l.mu.Lock()
		for _, e := range u.Entries {
			if at, ok := l.acked[e.Hash]; ok && !seen[e.Hash] {
				l.lag = max(l.lag, now.Sub(at))
			}
			seen[e.Hash] = true
		}
		l.seen = len(seen)
		l.mu.Unlock()
		if st.Phase == course.Closed {
			return
		}
	}
}
