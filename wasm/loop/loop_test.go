package loop

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/simtest"
)

// bench is a host whose clock goes on by tick whenever it is read, and which keeps what is posted.
type bench struct {
	*Loop
	t       *testing.T
	now     time.Time
	tick    time.Duration
	asked   int           // times that the loop asked for a slice
	began   time.Time     // the slice under way
	pause   time.Duration // before each slice
	answers []answer
}

// answer is a message with when it was posted, and in which slice.
type answer struct {
	*message.Message
	at    time.Time
	slice int
	began time.Time // the slice
}

func newBench(t *testing.T, tick time.Duration) *bench {
	b := &bench{t: t, tick: tick, now: time.Unix(0, 0)}
	b.Loop = New(b)
	if len(b.answers) != 1 || !b.answers[0].Ready || b.asked != 0 {
		t.Fatalf("a new loop said %v and asked for %d slices", b.answers, b.asked)
	}
	b.answers = nil
	return b
}

func (b *bench) Wake() { b.asked++ }

func (b *bench) Now() time.Time {
	b.now = b.now.Add(b.tick)
	return b.now
}

func (b *bench) Post(data []byte) {
	m, err := message.Decode(data)
	if err != nil {
		b.t.Fatal(err)
	}
	a := answer{Message: m, at: b.now, began: b.began}
	if b.Loop != nil {
		a.slice = b.slices
	}
	b.answers = append(b.answers, a)
}

// ask sends a request as the page does.
func (b *bench) ask(m *message.Message) {
	data, err := m.Encode()
	if err != nil {
		b.t.Fatal(err)
	}
	b.Receive(data)
}

// work does n slices, or as many as are asked for.
func (b *bench) work(n int) {
	for ; n > 0 && b.awake; n-- {
		if b.asked != 1 {
			b.t.Fatalf("%d slices are asked for at once", b.asked)
		}
		b.now = b.now.Add(b.pause)
		b.asked, b.began = 0, b.now
		b.Work()
	}
}

// finish works until nothing is left.
func (b *bench) finish() {
	if b.work(100_000); b.awake {
		b.t.Fatal("the loop does not come to an end")
	}
}

// of are the answers to a request.
func (b *bench) of(id int64) (out []answer) {
	for _, a := range b.answers {
		if a.ID == id {
			out = append(out, a)
		}
	}
	return out
}

// preset is a small scenario, or one of 201 rounds.
func preset(long bool) json.RawMessage {
	name := "odd-gpus-out"
	if long {
		name = "sixty-measured-jobs"
	}
	text, _ := lab.Preset(name)
	return json.RawMessage(text)
}

func run(id int64) *message.Message {
	return &message.Message{ID: id, Run: &message.RunRequest{Scenario: preset(true)}}
}

func question(id int64, round int) *message.Message {
	return &message.Message{ID: id, Explain: &message.ExplainRequest{Scenario: preset(true),
		Policy: message.PolicyRef{ID: "hadar"}, Round: round}}
}

func flip(id int64) *message.Message {
	return &message.Message{ID: id, Flip: &message.FlipRequest{Scenario: preset(false),
		Policy: message.PolicyRef{ID: "hadar"}, Lane: -1, Job: "j1"}}
}

func sweep(id int64, values int) *message.Message {
	axis := message.Axis{Path: "/scenario/round_s"}
	for i := range values {
		axis.Values = append(axis.Values, float64(300+i))
	}
	return &message.Message{ID: id, Sweep: &message.SweepRequest{Scenario: preset(false), Vary: []message.Axis{axis}}}
}

// TestOrder: whatever came first, questions are answered before runs, and those before searches and sweeps.
func TestOrder(t *testing.T) {
	b := newBench(t, time.Millisecond)
	b.ask(sweep(4, 2))
	b.ask(flip(3))
	b.ask(run(2))
	b.ask(run(5))
	b.ask(question(1, 0))
	b.finish()
	var order []int64
	for _, a := range b.answers {
		if a.Failure != nil {
			t.Errorf("request %d failed: %s", a.ID, a.Failure.Message)
		}
		if len(order) == 0 || order[len(order)-1] != a.ID {
			order = append(order, a.ID)
		}
	}
	if want := []int64{1, 2, 5, 3, 4}; !slices.Equal(order, want) {
		t.Errorf("answered in the order %v, want %v", order, want)
	}
}

// TestALongQuestionSharesSlices: while a question's past is rebuilt, a run has every other slice.
func TestALongQuestionSharesSlices(t *testing.T) {
	b := newBench(t, 6*time.Millisecond) // one helping of a few events a slice
	b.pause = newsEvery                  // so that the run tells of each of its slices
	b.ask(run(1))
	b.work(2)
	b.ask(question(2, 200))
	b.ask(question(3, 0))
	b.finish()
	answered := b.of(2)
	if len(answered) != 1 || answered[0].Explanation == nil || answered[0].slice < 8 {
		t.Fatalf("the question was not answered, or at once: %+v", answered)
	}
	worked := 0
	for slice := 4; slice <= answered[0].slice; slice++ {
		if slices.ContainsFunc(b.of(1), func(a answer) bool { return a.slice == slice }) {
			worked++
		}
	}
	if all := answered[0].slice - 3; worked < all/2 || worked > all/2+1 {
		t.Errorf("the run had %d of %d slices beside the question", worked, all)
	}
	if end := b.answers[len(b.answers)-1]; end.ID != 1 || !end.Finished {
		t.Errorf("the last answer is %+v, not the end of the run", end.Message)
	}
}

// TestCancelOfWhatWaits: it ends without having begun, and nothing else does.
func TestCancelOfWhatWaits(t *testing.T) {
	for kind, m := range map[string]func(id int64) *message.Message{"run": run, "flip": flip,
		"sweep": func(id int64) *message.Message { return sweep(id, 3) }} {
		b := newBench(t, time.Millisecond)
		for id := range int64(4) {
			b.ask(m(id + 1))
		}
		b.ask(&message.Message{ID: 3, Cancel: true})
		if got := b.of(3); len(got) != 1 || !got[0].Finished {
			t.Errorf("a waiting %s was answered with %+v", kind, got)
		}
		b.ask(&message.Message{ID: 3, Cancel: true}) // crosses the answer
		b.finish()
		for id := range int64(4) {
			got := b.of(id + 1)
			end := got[len(got)-1]
			if served := end.Failure == nil && (len(got) > 1 || !end.Finished); served != (id+1 != 3) {
				t.Errorf("%s %d, where the third is cancelled: served %t, the end of it %+v", kind, id+1, served, end)
			}
		}
	}
}

// TestCancelOfWhatIsUnderWay: what a run or a sweep has done is answered, a search just ends, and the next one begins.
func TestCancelOfWhatIsUnderWay(t *testing.T) {
	for kind, m := range map[string]func(id int64) *message.Message{"run": run, "flip": flip,
		"sweep": func(id int64) *message.Message { return sweep(id, 50) }} {
		b := newBench(t, 6*time.Millisecond)
		b.ask(m(1))
		b.ask(m(2))
		b.work(3)
		b.ask(&message.Message{ID: 1, Cancel: true})
		b.work(3)
		got := b.of(1)
		end := got[len(got)-1].Message
		switch kind {
		case "run":
			if lane := got[len(got)-2].Lane; !end.Finished || lane == nil || lane.Outcome != "stopped" {
				t.Errorf("the run under way ended with %+v", end)
			}
		case "flip":
			if !end.Finished || end.Flipped != nil {
				t.Errorf("the search under way ended with %+v", end)
			}
		case "sweep":
			if end.Swept == nil || !end.Swept.Over || !end.Swept.Stopped {
				t.Errorf("the sweep under way ended with %+v", end)
			}
		}
		b.ask(&message.Message{ID: 2, Cancel: true})
		b.finish()
		if len(b.of(1)) != len(got) {
			t.Errorf("the %s went on after its end", kind)
		}
	}
}

// TestNewsAreThrottled: a run tells of its progress when a slice is about to end, and a sweep every so often or when
// many runs are done; whatever a sweep has done is told once.
func TestNewsAreThrottled(t *testing.T) {
	b := newBench(t, time.Millisecond)
	b.ask(run(1))
	b.finish()
	told := 0
	for _, a := range b.of(1) {
		if a.Progress != nil {
			told++
			if into := a.at.Sub(a.began); into < slice-step {
				t.Errorf("a run told of its progress %v into slice %d", into, a.slice)
			}
		}
	}
	if told == 0 {
		t.Error("the run told nothing of its progress")
	}
	b.ask(sweep(2, 40))
	b.finish()
	before, news := time.Time{}, b.of(2)
	told = 0
	for i, a := range news {
		fresh := 0
		for _, p := range a.Swept.Points {
			fresh += len(p.Runs)
		}
		told += fresh
		if i > 0 && i < len(news)-1 && a.at.Sub(before) < newsEvery && fresh < newsRuns {
			t.Errorf("%d runs were told %v after the news before", fresh, a.at.Sub(before))
		}
		before = a.at
	}
	if end := news[len(news)-1].Swept; len(news) < 3 || told != end.Runs || !end.Over || end.Stopped {
		t.Errorf("%d of %d runs were told in %d pieces of news", told, end.Runs, len(news))
	}
}

// TestHelpingsAdapt: they shrink to one event on a slow machine, and grow to the most on a quick one.
func TestHelpingsAdapt(t *testing.T) {
	for tick, want := range map[time.Duration]int{time.Microsecond: most, 3 * step: 1, step: 16} {
		b := newBench(t, tick)
		b.ask(sweep(1, 20))
		if b.finish(); b.helping != want {
			t.Errorf("helpings that take %v have %d events in the end, want %d", tick, b.helping, want)
		}
	}
}

// TestARequestThatPanicsFailsAlone: what is broken is given to the loop in the place of a request, or of what one has
// begun. That request fails; the run that is under way, and what is asked afterwards, do not.
func TestARequestThatPanicsFailsAlone(t *testing.T) {
	for name, broken := range map[string]func(l *Loop){
		"flip to be":   func(l *Loop) { l.flips = append(l.flips, &message.Message{ID: 2}) },
		"sweep to be":  func(l *Loop) { l.sweeps = append(l.sweeps, &message.Message{ID: 2}) },
		"sweep":        func(l *Loop) { l.sweep, l.sweepID = &lab.Sweep{}, 2 },
		"new question": func(l *Loop) { l.questions = append(l.questions, &message.Message{ID: 2}) },
		"question":     func(l *Loop) { l.questions, l.inquiry = append(l.questions, question(2, 0)), &lab.Inquiry{} },
	} {
		for _, beside := range []bool{true, false} {
			b := newBench(t, time.Millisecond)
			if beside {
				b.startRun(run(1))
			}
			broken(b.Loop)
			b.wake()
			b.finish()
			b.ask(run(3))
			b.finish()
			failures, mine := 0, b.of(1)
			for _, a := range b.answers {
				if a.Failure != nil {
					failures++
				}
			}
			if got := b.of(2); failures != 1 || len(got) != 1 || got[0].Failure == nil {
				t.Errorf("a broken %s beside a run (%t): %d failures, its answers %+v", name, beside, failures, got)
			}
			if beside && !mine[len(mine)-1].Finished {
				t.Errorf("a broken %s: the run beside it ended with %+v", name, mine[len(mine)-1].Message)
			}
			if got := b.of(3); !got[len(got)-1].Finished {
				t.Errorf("a broken %s: the run after it ended with %+v", name, got[len(got)-1].Message)
			}
		}
	}
}

// TestARunThatPanicsFails, and the one after it does not.
func TestARunThatPanicsFails(t *testing.T) {
	b := newBench(t, time.Millisecond)
	b.runs = append(b.runs, &message.Message{ID: 2})
	b.ask(run(3))
	b.finish()
	if got := b.of(2); len(got) != 1 || got[0].Failure == nil || got[0].Failure.Lane != -1 {
		t.Errorf("a broken run was answered with %+v", got)
	}
	if got := b.of(3); got[0].Failure != nil || !got[len(got)-1].Finished {
		t.Errorf("the run after a broken one ended with %+v", got[len(got)-1].Message)
	}
}

// TestWhatCannotBeRead: bytes that are no message, and requests that are refused, leave the loop as it was.
func TestWhatCannotBeRead(t *testing.T) {
	b := newBench(t, time.Millisecond)
	if b.Receive([]byte("no message")); b.awake || len(b.answers) > 0 {
		t.Errorf("bytes that are no message were answered with %+v", b.answers)
	}
	b.ask(&message.Message{ID: 1, Run: &message.RunRequest{Scenario: json.RawMessage(`{}`)}})
	b.ask(&message.Message{ID: 2, Sweep: &message.SweepRequest{Scenario: json.RawMessage(`{}`)}})
	b.ask(question(3, 1_000_000))
	b.finish()
	for id := int64(1); id <= 3; id++ {
		if got := b.of(id); len(got) != 1 || got[0].Failure == nil || got[0].Failure.Message == "" ||
			len(got[0].Failure.Diagnostics) == 0 {
			t.Errorf("refused request %d was answered with %+v", id, got)
		}
	}
}

// endless is a document that fits into a link, and whose two jobs take turns for two million rounds of a second.
const endless = `{"kind":"scenario","version":1,"scenario":{"round_s":1,
"cluster":{"nodes":[{"id":"n","gpus":{"v100":1}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},
"jobs":[{"id":"a","model":"m","gpus":1,"steps":1e6},{"id":"b","model":"m","gpus":1,"steps":1e6}],
"policies":[{"id":"gavel-las"},{"id":"fifo"}]}}`

// TestNoDocumentFillsTheTab: what a page cannot hold ends as overloaded, whether it is run, lent or swept; what it can,
// ends as it does elsewhere.
func TestNoDocumentFillsTheTab(t *testing.T) {
	outcomes := func(req *message.RunRequest) (all []string) {
		b := newBench(t, time.Millisecond)
		b.ask(&message.Message{ID: 1, Run: req})
		b.finish()
		for _, a := range b.of(1) {
			if a.Lane != nil {
				all = append(all, a.Lane.Outcome)
				if len(a.Body) > mostLane {
					t.Errorf("%s has a trace of %d bytes", a.Lane.Policy, len(a.Body))
				}
			}
		}
		return all
	}
	las, makespan := message.PolicyRef{ID: "gavel-las"}, message.PolicyRef{ID: "gavel-makespan"}
	long := json.RawMessage(simtest.LongWaits(0))
	for _, c := range []struct {
		req  *message.RunRequest
		want []string
	}{
		{&message.RunRequest{Scenario: json.RawMessage(endless)}, []string{"overloaded", "done"}},
		{&message.RunRequest{Scenario: long, Policies: []message.PolicyRef{makespan, las}},
			[]string{"starved", "starved"}},
	} {
		if got := outcomes(c.req); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
	b := newBench(t, time.Millisecond)
	b.ask(&message.Message{ID: 2, Sweep: &message.SweepRequest{Scenario: json.RawMessage(endless),
		Vary: []message.Axis{{Path: "/scenario/round_s", Values: []float64{1, 100_000}}}}})
	b.finish()
	var got []string
	for _, a := range b.of(2) {
		for _, point := range a.Swept.Points {
			for _, l := range point.Runs {
				got = append(got, l.Outcome)
			}
		}
	}
	if !slices.Equal(got, []string{"overloaded", "done", "done", "done"}) {
		t.Errorf("the sweep's lanes end as %v", got)
	}
}

// TestTracesAreRead: an engine that reads traces answers with what became of one, also beside a run; one that does not,
// or that panics at it, says so, and the run goes on.
func TestTracesAreRead(t *testing.T) {
	b := newBench(t, time.Millisecond)
	b.ask(run(1))
	b.ask(&message.Message{ID: 2, Import: &message.ImportRequest{Format: "swf"}, Body: []byte("rows")})
	b.Import = func(ask *message.ImportRequest, trace []byte) (*message.Imported, []byte) {
		if ask.Format == "" {
			panic("boom")
		}
		return &message.Imported{Report: message.ImportReport{Format: ask.Format, Read: len(trace)}}, []byte("made")
	}
	b.ask(&message.Message{ID: 3, Import: &message.ImportRequest{Format: "swf"}, Body: []byte("rows")})
	b.ask(&message.Message{ID: 4, Import: &message.ImportRequest{}, Body: []byte("rows")})
	b.finish()
	for _, id := range []int64{2, 4} {
		if got := b.of(id); len(got) != 1 || got[0].Failure == nil || got[0].Failure.Message == "" {
			t.Errorf("trace %d is answered with %+v", id, got)
		}
	}
	got := b.of(3)
	if len(got) != 1 || got[0].Imported == nil || string(got[0].Body) != "made" ||
		got[0].Imported.Report.Format != "swf" || got[0].Imported.Report.Read != 4 {
		t.Errorf("the trace is answered with %+v", got)
	}
	if got := b.of(1); !got[len(got)-1].Finished {
		t.Errorf("the run beside it ends with %+v", got[len(got)-1].Message)
	}
}
