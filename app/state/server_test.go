package state

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
)

// long starts a run that is not answered, on a server that takes runs.
func long(t *testing.T, takes bool) *desk {
	t.Helper()
	d := newDesk(t)
	d.held, d.takes = true, takes
	d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 1}})
	d.pass(50)
	if len(d.runs) != 1 {
		t.Fatalf("%d runs", len(d.runs))
	}
	return d
}

// progress tells that the first lane has finished so many of a thousand jobs.
func (d *desk) progress(finished int) {
	d.do(Answer{&message.Message{ID: d.s.Run.ID, Progress: &message.Progress{Round: finished, Finished: finished,
		Jobs: 1000, TimeS: float64(finished)}}})
}

// stopped is what an engine answers that is stopped after some events of its first lane.
func stopped(r asked[message.RunRequest], events int) []*message.Message {
	session := lab.NewSession()
	session.SetID(r.ID)
	session.Start(r.Request)
	session.Spend(events)
	session.Stop()
	var all []*message.Message
	for more := true; more; {
		var out []*message.Message
		out, more = session.Spend(1)
		all = append(all, out...)
	}
	return all
}

// handOver clicks on the offer and lets the local engine stop. It returns the run on the server.
func (d *desk) handOver() asked[message.RunRequest] {
	d.t.Helper()
	d.do(RunOnServer{})
	local := d.runs[0]
	d.runs = nil
	for _, m := range stopped(local, 3) {
		d.do(Answer{m})
	}
	d.pass(100)
	if len(d.onServer) != 1 || !d.s.Run.OnServer || d.s.Status() != "running" {
		d.t.Fatalf("%d runs on the server, status %s", len(d.onServer), d.s.Status())
	}
	if l := d.s.Result.Lanes[0]; !d.s.Fresh() || l.Trace == nil || !l.Stopped() {
		d.t.Fatal("what was done here is gone")
	}
	return asked[message.RunRequest]{d.onServer[0].ID, d.onServer[0].Request}
}

func TestTimeLeftIsCalm(t *testing.T) {
	d := long(t, false)
	finished := 0
	for d.pass(1000); d.now < 2000; d.pass(100) {
		if d.s.Run.LeftS() != 0 {
			t.Fatalf("an estimate after %d ms", d.now)
		}
		d.progress(finished)
	}
	// Ten jobs a second of 2,000, at times with a hiccup of a second: 200 s in all.
	last := 0
	for start := d.now; d.now < start+100_000; d.pass(100) {
		if d.now/10_000%2 == 0 || d.now%10_000 > 1000 {
			finished++
		}
		d.progress(finished)
		left := d.s.Run.LeftS()
		if d.now < start+10_000 {
			last = left
			continue
		}
		if left > last+last/20+1 || left < last-last/20-2 {
			t.Fatalf("the estimate jumps from %d to %d s", last, left)
		}
		want := (2000 - finished) / 10
		if last = left; left < want*3/4 || left > want*4/3 {
			t.Fatalf("after %d ms and %d jobs %d s are left, want about %d", d.now, finished, left, want)
		}
	}
	if d.s.Run.Offered {
		t.Error("a server that takes no runs is offered")
	}
}

func TestOffer(t *testing.T) {
	for name, tt := range map[string]struct {
		takes    bool
		finished int // a second, of 2,000
		want     bool
	}{
		"slow": {true, 20, true}, "quick": {true, 400, false}, "nothing done": {true, 0, true},
		"no queue": {false, 20, false},
	} {
		d := long(t, tt.takes)
		for d.now < 12_000 && tt.finished*d.now < 2000_000 {
			d.pass(500)
			d.progress(min(1000, tt.finished*d.now/1000))
		}
		if d.s.Run.Offered != tt.want {
			t.Errorf("%s: offered %v", name, d.s.Run.Offered)
		}
		if name == "quick" && d.asked != 0 {
			t.Error("the server is asked for nothing")
		}
	}
	d := long(t, true)
	d.s.Embed = true
	if d.pass(20_000); d.s.Run.Offered || d.asked != 0 {
		t.Error("an embed asks the server")
	}
}

// TestLargeRunIsOfferedAtOnce: by its size alone, before anything can be measured.
func TestLargeRunIsOfferedAtOnce(t *testing.T) {
	for jobs, want := range map[int]bool{run.Large / 2: false, run.Large/2 + 1: true} {
		d := newDesk(t)
		d.held, d.takes = true, true
		doc := d.s.Doc.Clone()
		first := doc.Scenario.Jobs[0]
		doc.Scenario.Jobs = nil
		for i := range jobs {
			first.ID = fmt.Sprint("j", i)
			doc.Scenario.Jobs = append(doc.Scenario.Jobs, first)
		}
		d.do(Load{Doc: doc})
		if d.pass(600); d.s.Run.ID == 0 || d.s.Run.Offered != want {
			t.Errorf("%d jobs under %d policies: offered %v", jobs, d.s.Run.Lanes, d.s.Run.Offered)
		}
	}
}

func TestRunOnTheServer(t *testing.T) {
	d := long(t, true)
	d.do(RunOnServer{})
	if d.s.Run.Stopping {
		t.Fatal("the run stops for a server that was never asked")
	}
	d.pass(12_000)
	r := d.handOver()
	doc, _ := scenario.Parse(r.Request.Scenario, scenario.FileLimits)
	if doc == nil || string(doc.Marshal(false)) != string(d.s.Doc.Marshal(false)) || len(r.Request.Policies) != 2 {
		t.Error("something else was sent than stands in the page")
	}
	// It waits, works, and its answers are those of the engine.
	if d.pass(60_000); d.s.Run.LeftS() != 0 {
		t.Error("the wait in the queue is timed")
	}
	d.progress(100)
	d.pass(3000)
	if left := d.s.Run.LeftS(); left < 15 || left > 80 || d.s.Run.Offered {
		t.Errorf("%d s left", left)
	}
	for _, m := range answers(r) {
		d.do(Answer{m})
	}
	d.pass(100)
	want, _, _ := lab.Run(r.Request)
	if d.s.Status() != "ready" || d.s.Result.ID != r.ID || d.hash(0) != want.Runs[0].TraceHash ||
		d.hash(1) != want.Runs[1].TraceHash || d.s.Server.Problem != "" {
		t.Errorf("status %s, problem %q", d.s.Status(), d.s.Server.Problem)
	}
	d.held = false
	d.answer()
	if d.pass(1000); !strings.HasPrefix(d.s.Announcement, "Run finished.") {
		t.Errorf("said %q", d.s.Announcement)
	}
	if e, problem := explained(d.s, 0); e == nil {
		t.Errorf("the engine here does not explain it: %q", problem)
	}
}

func TestServerThatRefuses(t *testing.T) {
	for why, want := range map[string]string{"": "The server cannot be reached.",
		"32 runs are waiting, which is the most": "The server refused: 32 runs are waiting, which is the most."} {
		d := long(t, true)
		d.pass(12_000)
		r := d.handOver()
		kept := d.s.Result
		d.do(Answer{&message.Message{ID: r.ID, Failure: &message.Failure{Lane: -1, Message: why}}})
		if d.s.Server.Problem != want || d.s.Announcement != want || d.s.Result != kept || d.s.Run.Busy() ||
			d.s.Status() != "stale" {
			t.Errorf("problem %q, status %s", d.s.Server.Problem, d.s.Status())
		}
		d.do(RunOnServer{})
		if len(d.onServer) != 2 || d.s.Server.Problem != "" || d.s.Status() != "running" {
			t.Error("it cannot be tried again")
		}
		d.do(Answer{&message.Message{ID: d.onServer[1].ID, Failure: &message.Failure{Lane: -1, Message: why}}})
		d.held = false
		d.do(RunNow{})
		if d.pass(100); d.s.Status() != "ready" || d.s.Server.Problem != "" || d.s.Result.Lanes[0].Stopped() {
			t.Errorf("run here: status %s, problem %q", d.s.Status(), d.s.Server.Problem)
		}
	}
}

// TestServerThatStopsInTheMiddle: what it has done is shown, and why it went no further.
func TestServerThatStopsInTheMiddle(t *testing.T) {
	d := long(t, true)
	d.pass(12_000)
	r := d.handOver()
	for _, m := range stopped(r, 9) {
		if !m.Finished {
			d.do(Answer{m})
		}
	}
	d.do(Answer{&message.Message{ID: r.ID, Failure: &message.Failure{Lane: -1, Message: "it was too long"}}})
	d.pass(100)
	if l := d.s.Result.Lanes[0]; d.s.Result.ID != r.ID || !l.Stopped() ||
		!strings.Contains(d.s.Server.Problem, "too long") || d.s.Status() != "stale" {
		t.Errorf("status %s, problem %q", d.s.Status(), d.s.Server.Problem)
	}
}

func TestCancelOnTheServer(t *testing.T) {
	d := long(t, true)
	d.pass(12_000)
	r := d.handOver()
	here := len(d.s.Result.Lanes[0].Trace.Rounds)
	d.log = nil
	d.do(Cancel{})
	if fmt.Sprint(d.log) != fmt.Sprint([]Effect{StopOnServer{}}) || d.s.Run.Busy() || d.s.Status() != "stale" {
		t.Fatalf("%v, status %s", d.log, d.s.Status())
	}
	for _, m := range stopped(r, 8) {
		d.do(Answer{m})
	}
	d.pass(100)
	if l := d.s.Result.Lanes[0]; d.s.Result.ID != r.ID || !l.Stopped() || len(l.Trace.Rounds) <= here ||
		d.s.Status() != "stale" || d.s.Server.Problem != "" {
		t.Errorf("what the server had done is not shown: status %s", d.s.Status())
	}
}

// TestCancelFreesThePageAtOnce: what was done is shown when the engine has written it up, unless something else was
// begun.
func TestCancelFreesThePageAtOnce(t *testing.T) {
	for _, edited := range []bool{false, true} {
		d := long(t, false)
		r := d.runs[0]
		d.runs, d.log = nil, nil
		d.do(Cancel{})
		if fmt.Sprint(d.log) != fmt.Sprint([]Effect{End{ID: r.ID, Keep: true}}) || d.s.Run.Busy() ||
			d.s.Status() != "stale" {
			t.Fatalf("%v, status %s", d.log, d.s.Status())
		}
		if edited {
			d.log = nil
			d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 2}})
			if d.log[0] != Effect(End{ID: r.ID}) && d.log[1] != Effect(End{ID: r.ID}) {
				t.Errorf("a run of a past document goes on: %v", d.log)
			}
		}
		for _, m := range stopped(r, 5) {
			d.do(Answer{m})
		}
		d.pass(20)
		if l := d.s.Result.Lanes[0]; (d.s.Result.ID == r.ID && l.Stopped()) == edited {
			t.Errorf("edited %v: the result is of run %d", edited, d.s.Result.ID)
		}
		if want := "Stopped before it was done."; (d.s.Result.Finding.Claim == want) == edited {
			t.Errorf("edited %v: the page says %q", edited, d.s.Result.Finding.Claim)
		}
	}
}

func TestEditGivesUpTheServersRun(t *testing.T) {
	d := long(t, true)
	d.pass(12_000)
	r := d.handOver()
	d.log = nil
	d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 2}})
	dropped := false
	for _, e := range d.log {
		dropped = dropped || e == Effect(StopOnServer{Drop: true})
	}
	if !dropped {
		t.Errorf("the server goes on with a past document: %v", d.log)
	}
	for _, m := range answers(r) {
		d.do(Answer{m})
	}
	d.held = false
	if d.pass(100); d.s.Result.ID == r.ID || d.s.Status() != "ready" || d.s.Run.OnServer {
		t.Errorf("status %s", d.s.Status())
	}
}

// TestReloadAsksTheServerAgain: what ran on the server goes there again after a reload, which gives its result back;
// what was edited since runs here.
func TestReloadAsksTheServerAgain(t *testing.T) {
	kept := func(d *desk) (last Save) {
		for _, e := range d.log {
			if save, ok := e.(Save); ok {
				last = save
			}
		}
		return last
	}
	d := long(t, true)
	d.pass(12_000)
	if kept(d).OnServer {
		t.Error("a run of this tab is kept as one of the server")
	}
	d.handOver()
	save := kept(d)
	fresh := newDesk(t)
	fresh.held = true
	fresh.do(Restore{save.Kept})
	if fresh.pass(1000); !save.OnServer || len(fresh.onServer) != 1 || len(fresh.runs) != 0 ||
		fresh.s.Status() != "running" {
		t.Fatalf("%d runs go to the server and %d here, status %s", len(fresh.onServer), len(fresh.runs), fresh.s.Status())
	}
	for _, m := range answers(asked[message.RunRequest]{fresh.onServer[0].ID, fresh.onServer[0].Request}) {
		fresh.do(Answer{m})
	}
	if fresh.pass(100); fresh.s.Status() != "ready" {
		t.Errorf("the server's answer leaves the page %s", fresh.s.Status())
	}
	d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 2}})
	if kept(d).OnServer {
		t.Error("an edited scenario is kept as one that the server has run")
	}
	fresh.do(RunNow{})
	if kept(fresh).OnServer {
		t.Error("what was run here is kept as a run of the server")
	}
}

func TestEngineThatFallsLeavesTheServersRun(t *testing.T) {
	d := long(t, true)
	d.pass(12_000)
	r := d.handOver()
	d.do(EngineDied{"boom", true})
	for _, m := range answers(r) {
		d.do(Answer{m})
	}
	if d.s.Result.ID != r.ID || d.s.Run.Failure != nil {
		t.Error("the server's run fell with the engine")
	}
}

// TestHandOverAfterAll: a cancel that comes too late leaves a whole result, and nothing is sent; one in between is a
// cancel of both.
func TestHandOverAfterAll(t *testing.T) {
	d := long(t, true)
	d.pass(12_000)
	d.do(RunOnServer{})
	d.held = false
	d.answer()
	if d.pass(100); len(d.onServer) != 0 || d.s.Status() != "ready" {
		t.Errorf("%d runs sent, status %s", len(d.onServer), d.s.Status())
	}
	d = long(t, true)
	d.pass(12_000)
	d.do(RunOnServer{})
	d.do(Cancel{})
	for _, m := range stopped(d.runs[0], 3) {
		d.do(Answer{m})
	}
	if d.pass(100); len(d.onServer) != 0 || d.s.Status() != "stale" || !d.s.Result.Lanes[0].Stopped() {
		t.Errorf("%d runs sent, status %s", len(d.onServer), d.s.Status())
	}
}

// TestTracesOfTheServerAreChecked: a trace that is not the result's is not shown.
func TestTracesOfTheServerAreChecked(t *testing.T) {
	d := long(t, true)
	d.pass(12_000)
	r := d.handOver()
	for _, m := range answers(r) {
		if m.Lane != nil && m.Lane.Lane == 1 {
			other, err := trace.Decode(m.Body)
			if err != nil {
				t.Fatal(err)
			}
			other.Jobs[0].Finish++
			m.Body = other.Encode()
		}
		d.do(Answer{m})
	}
	d.pass(100)
	if d.s.Result.Lanes[0].Trace == nil || d.s.Result.Lanes[1].Trace != nil || d.s.Result.Lanes[1].Failure == nil {
		t.Error("another trace than the result's is shown")
	}
}
