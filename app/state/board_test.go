package state

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hadarlab/app/board"
	teach "hadarlab/app/class"
	"hadarlab/app/room"
	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	made "hadarlab/core/simtest/classroom"
)

// classServer answers the board's calls in the place of a server that does not run submissions.
type classServer struct {
	t      *testing.T
	d      *desk
	a      *class.Assignment
	u      *class.Update
	calls  []string
	follow *room.Follow
	lost   bool
	busy   map[string]int // status of the next answer to a path that begins so
	result []byte         // of the larger run
}

func newClassServer(t *testing.T) *classServer { return classServerOn(t, newDesk(t)) }

func classServerOn(t *testing.T, d *desk) *classServer {
	a, u := made.Made(30)
	u.Verifies = false
	c := &classServer{t: t, d: d, a: a, u: u}
	c.do(room.Enter{Room: room.Board, Arg: u.State.Code + ".key"})
	c.do(board.ClockRead{Ms: 1_000_000})
	return c
}

func (c *classServer) do(a Action) {
	from := len(c.d.log)
	c.d.do(a)
	c.serve(from)
}

func (c *classServer) pass(ms int) {
	from := len(c.d.log)
	for end := c.d.now + ms; c.d.now < end; {
		c.d.pass(500)
		c.serve(from)
		from = len(c.d.log)
	}
}

// news tells of the class as it is now.
func (c *classServer) news() {
	state, _ := json.Marshal(c.u.State)
	c.do(c.follow.Then(200, state))
}

// serve carries out what the board has asked for since.
func (c *classServer) serve(from int) {
	for i := from; i < len(c.d.log); i++ {
		switch e := c.d.log[i].(type) {
		case room.Follow:
			c.follow = &e
		case room.Call:
			if e.Path == room.TeachingFile {
				continue // the desk has it
			}
			status, body := c.answer(&e)
			if a := e.Then(status, body); a != nil {
				c.d.do(a)
			}
		}
	}
}

func (c *classServer) answer(e *room.Call) (int, []byte) {
	if c.lost {
		return 0, nil
	}
	if r := c.u.State.LargerRun; r != nil && e.Path == r.Path()+"/result" && e.Token == "" {
		c.calls = append(c.calls, e.Path)
		return 200, c.result
	}
	path := e.Path[len("/api/v1/classes/"+c.u.State.Code):]
	for start, status := range c.busy {
		if strings.HasPrefix(path, start) {
			delete(c.busy, start)
			return status, nil
		}
	}
	if e.Token != "key" {
		c.t.Errorf("%s %s without the key", e.Method, e.Path)
	}
	var of any = c.u.State
	var after int64
	switch {
	case path == "/assignment":
		of = c.a
	case path == "/wall":
		r := class.Record{Assignment: c.a, Truth: c.u.Truth, Students: c.u.Students, Entries: c.u.Entries}
		of = r.Scene(c.u.State)
	case strings.HasPrefix(path, "/board?after="):
		fmt.Sscanf(path, "/board?after=%d", &after)
		u := *c.u
		u.Entries = nil
		for _, x := range c.u.Entries {
			if x.Seq > after {
				u.Entries = append(u.Entries, x)
			}
		}
		of = u
	case strings.HasPrefix(path, "/students?since="):
		c.calls = append(c.calls, e.Method+" "+path)
		of = map[string]int{"removed": 34}
	default:
		c.calls = append(c.calls, e.Method+" "+path+" "+string(e.Body))
	}
	b, _ := json.Marshal(of)
	return 200, b
}

// TestTheBoardVerifies: where the server does not run submissions again, the board does, each once, and tells it.
func TestTheBoardVerifies(t *testing.T) {
	c := newClassServer(t)
	b := c.d.s.Board.Class
	if n := b.Verdicts(); n[class.Pending] != 0 || n[class.Verified] != 24 {
		t.Errorf("%v", n)
	}
	put := 0
	for _, call := range c.calls {
		if strings.HasPrefix(call, "PUT /verdicts/") && strings.Contains(call, `{"verdict":"verified","lanes":[{"policy":"hadar"`) {
			put++
		}
	}
	if put != 3 {
		t.Errorf("%d verdicts are told: %.300q", put, c.calls)
	}
	if b.Base == nil || b.Truth["sooner"] != "hadar" {
		t.Error("the unchanged scenario was not run")
	}
}

// TestTheBoardGoesOnAfterACrash: what the engine died over is asked for again once it is back.
func TestTheBoardGoesOnAfterACrash(t *testing.T) {
	d := newDesk(t)
	d.held = true
	c := classServerOn(t, d)
	d.runs = nil
	c.do(EngineDied{Message: "out of memory", Again: true})
	d.held = false
	c.do(Answer{&message.Message{Ready: true}})
	c.pass(1000)
	if b := d.s.Board.Class; b.Base == nil || b.Verdicts()[class.Pending] != 0 {
		t.Errorf("the board's own run stands: %v, verdicts %v", b.Base != nil, b.Verdicts())
	}
}

// TestAForgedSubmission differs.
func TestAForgedSubmission(t *testing.T) {
	c := newClassServer(t)
	for i := range c.u.Entries {
		if e := &c.u.Entries[i]; e.Kind == class.Submission {
			forged := *e
			forged.Lanes = append([]class.Lane{}, e.Lanes...)
			forged.Lanes[0].Figures.AvgJCTS /= 2
			c.u.State.Seq++
			forged.Seq, forged.Verdict = c.u.State.Seq, class.Pending
			forged.AtMS++
			c.u.Entries = append(c.u.Entries, forged)
			break
		}
	}
	c.news()
	if n := c.d.s.Board.Class.Verdicts(); n[class.Differs] != 1 {
		t.Errorf("%v", n)
	}
}

// TestOldSubmissionsAreTold as made by another version, whatever their figures are; a patch is no other one.
func TestOldSubmissionsAreTold(t *testing.T) {
	for engine, want := range map[string]string{"0.1.0": class.Other, lab.Engine + "7": class.Differs} {
		c := newClassServer(t)
		for i := range c.u.Entries {
			if e := &c.u.Entries[i]; e.Kind == class.Submission {
				older := *e
				older.Lanes = append([]class.Lane{}, e.Lanes...)
				older.Lanes[0].TraceHash = "of another course of events"
				c.u.State.Seq++
				older.Seq, older.Verdict, older.Engine = c.u.State.Seq, class.Pending, engine
				older.AtMS++
				c.u.Entries = append(c.u.Entries, older)
				break
			}
		}
		c.news()
		if n := c.d.s.Board.Class.Verdicts(); n[want] != 1 {
			t.Errorf("made by %s: %v", engine, n)
		}
	}
}

// TestAClassBeginsAfresh with the assignment of the one on the board, whatever ships now.
func TestAClassBeginsAfresh(t *testing.T) {
	c := newClassServer(t)
	effects := c.d.s.Reduce(board.StartAgain{})
	if len(effects) != 1 || c.d.s.Board.Starting == "" || c.d.s.Reduce(board.StartAgain{}) != nil {
		t.Fatalf("%+v", effects)
	}
	call, ok := effects[0].(room.Call)
	var sent struct{ Assignment json.RawMessage }
	if !ok || call.Method+call.Path != "POST/api/v1/classes" || json.Unmarshal(call.Body, &sent) != nil {
		t.Fatalf("%+v", effects)
	}
	if a, diags := class.Parse(sent.Assignment); a == nil || a.ContentID() != c.a.ContentID() {
		t.Errorf("another assignment is sent: %v", diags)
	}
}

// TestALostNetworkIsTold after a while only, and the board goes on when it is back.
func TestALostNetworkIsTold(t *testing.T) {
	c := newClassServer(t)
	c.lost = true
	c.do(c.follow.Then(0, nil))
	c.do(board.ClockRead{Ms: 1_002_000})
	if c.d.s.Board.Lost() {
		t.Error("it is told at once")
	}
	c.do(board.ClockRead{Ms: 1_010_000})
	if !c.d.s.Board.Lost() {
		t.Error("it is not told")
	}
	minutes := 3.0
	c.do(board.SetClass{Settings: class.Settings{Minutes: &minutes}})
	if c.d.s.Board.Problem == "" {
		t.Error("nobody says that nothing was changed")
	}
	c.lost = false
	c.u.State.Seq++
	state, _ := json.Marshal(c.u.State)
	c.do(c.follow.Then(200, state))
	if c.d.s.Board.Lost() || c.d.s.Board.Problem != "" || c.d.s.Board.Class.State.Seq != c.u.State.Seq {
		t.Error("it does not go on")
	}
}

// TestALostAnswerIsAskedForAgain: news that come meanwhile may be the last for long, so the board waits for no more.
func TestALostAnswerIsAskedForAgain(t *testing.T) {
	for _, path := range []string{"/board", "/assignment"} {
		for _, status := range []int{0, 429, 500, 503} {
			t.Run(fmt.Sprint(path, " ", status), func(t *testing.T) {
				a, u := made.Made(30)
				c := &classServer{t: t, d: newDesk(t), a: a, u: u, busy: map[string]int{path: status}}
				c.do(board.ClockRead{Ms: 1_000_000})
				from := len(c.d.log)
				c.d.do(room.Enter{Room: room.Board, Arg: u.State.Code + ".key"})
				state, _ := json.Marshal(u.State)
				for _, e := range c.d.log[from:] {
					if f, ok := e.(room.Follow); ok {
						c.d.do(f.Then(200, state)) // the stream is faster than the answers
					}
				}
				c.serve(from)
				c.pass(60_000)
				b := c.d.s.Board.Class
				if b.State.Seq != u.State.Seq || len(b.Students) == 0 || b.Assignment == nil {
					t.Errorf("the board stays at %d, with %d students", b.State.Seq, len(b.Students))
				}
				if v := &c.d.s.Board; v.Problem != "" || v.LostMS != 0 {
					t.Errorf("it still says %q, lost since %d", v.Problem, v.LostMS)
				}
			})
		}
	}
}

// TestALostAnswerIsAskedForOnce, however much is heard before it is asked for again.
func TestALostAnswerIsAskedForOnce(t *testing.T) {
	c := newClassServer(t)
	asked := func() (n int) {
		for _, e := range c.d.log {
			if call, ok := e.(room.Call); ok && strings.Contains(call.Path, "/board?after=") {
				n++
			}
		}
		return n
	}
	c.lost = true
	for range 5 {
		c.u.State.Seq++
		state, _ := json.Marshal(c.u.State)
		c.do(c.follow.Then(200, state))
	}
	c.lost = false
	before := asked()
	c.pass(60_000)
	if n := asked() - before; n != 1 {
		t.Errorf("it is asked for %d times", n)
	}
}

// TestTheBoardIsComeBackTo: who has looked at the lab meanwhile finds the class as it is then.
func TestTheBoardIsComeBackTo(t *testing.T) {
	c := newClassServer(t)
	c.do(board.LeaveBoard{})
	c.u.State.Seq++
	c.do(room.Enter{Room: room.Board, Arg: c.u.State.Code, Kept: "key"})
	b := c.d.s.Board.Class
	if c.follow.Path == "" || b.State.Seq != c.u.State.Seq || b.Assignment == nil {
		t.Errorf("%q is followed, and it is at %d of %d", c.follow.Path, b.State.Seq, c.u.State.Seq)
	}
	c.d.held = true
	c.do(room.Enter{Room: room.Board, Arg: c.u.State.Code, Kept: "key"})
	if c.d.s.Board.Class != b {
		t.Error("a class that is shown is opened anew")
	}
}

// TestTheCountdownFollowsAClockThatJumps, be it the server's or the page's, as soon as the server is heard.
func TestTheCountdownFollowsAClockThatJumps(t *testing.T) {
	const hour = 3_600_000
	c := newClassServer(t)
	hear := func(serverMS, pageMS int64) (left int64) {
		c.do(board.ClockRead{Ms: pageMS})
		c.u.State.NowMS, c.u.State.EndsMS = serverMS, serverMS+120_000
		c.u.State.Seq++
		state, _ := json.Marshal(c.u.State)
		c.do(c.follow.Then(200, state))
		left, _ = c.d.s.Board.Class.Left(c.d.s.Board.ServerMS())
		return left
	}
	server, page := int64(5_000_000_000), int64(1_001_000)
	for _, jump := range []struct {
		what         string
		server, page int64
	}{{"none", 0, 0}, {"the server's goes back", -hour, 0}, {"and ahead", hour, 0}, {"the page's goes back", 0, -hour},
		{"and ahead", 0, hour}, {"the server's goes a day ahead", 24 * hour, 0}} {
		server, page = server+jump.server+1000, page+jump.page+1000
		if left := hear(server, page); left != 120 {
			t.Errorf("%s: %d s are left of 120", jump.what, left)
		}
	}
	c.lost = true
	c.do(c.follow.Then(0, nil))
	c.do(board.ClockRead{Ms: page - hour})
	if !c.d.s.Board.Lost() {
		t.Error("with a clock that went back, a server out of reach is not told")
	}
}

// TestRemoveSince asks the server for what was chosen, once, and says how many went; without a choice, or without a
// server, nothing is asked.
func TestRemoveSince(t *testing.T) {
	c := newClassServer(t)
	since := c.d.s.Board.Class.Arrivals()[0].SinceMS
	removals := func() (n int) {
		for _, call := range c.calls {
			if strings.HasPrefix(call, "DELETE /students") {
				n++
			}
		}
		return n
	}
	if c.do(board.RemoveSince{}); removals() != 0 {
		t.Errorf("nothing was chosen: %q", c.calls)
	}
	c.do(board.ChooseSince{Ms: since})
	c.do(board.OpenSheet{Name: "since"})
	if removals() != 0 {
		t.Errorf("it is not confirmed: %q", c.calls)
	}
	c.do(board.RemoveSince{})
	if removals() != 1 || !slices.Contains(c.calls, fmt.Sprintf("DELETE /students?since=%d", since)) {
		t.Errorf("asked for %q", c.calls)
	}
	if v := c.d.s.Board.View; v.Since != 0 || v.Sheet != "students" || c.d.s.Announcement != "Removed: 34 students." {
		t.Errorf("%d %q %q", v.Since, v.Sheet, c.d.s.Announcement)
	}
	if c.do(board.RemoveSince{}); removals() != 1 {
		t.Error("it is done twice")
	}
}

// TestLayTogether runs two submissions, and nothing else stands in the lab for it.
func TestLayTogether(t *testing.T) {
	c := newClassServer(t)
	result := c.d.s.Result
	c.do(board.PickSubmission{Place: 0, Seq: c.d.s.Board.Class.Tally.Tries[0].Seq})
	c.do(board.PickSubmission{Place: 1, Seq: c.d.s.Board.Class.Tally.Tries[4].Seq})
	c.do(board.LayTogether{})
	pair := c.d.s.Board.Pair
	if len(pair) != 2 || len(pair[0].Lanes) != 2 || *pair[0].Edits[0].To == *pair[1].Edits[0].To ||
		c.d.s.Result != result {
		t.Fatalf("%+v", pair)
	}
	for _, p := range pair {
		doc, _ := link.Decode(p.Link)
		if doc == nil || len(scenario.Compare(nil, c.a.Document(), doc, c.d.s.Defaults)) != 1 {
			t.Errorf("%+v opens another scenario", p.Edits)
		}
	}
}

// TestABoardOfFiles takes links and files, finds what is right and runs submissions by the page's engine, and hands
// out what opens again.
func TestABoardOfFiles(t *testing.T) {
	d := newDesk(t)
	d.do(room.Enter{Room: room.Board, Arg: "board"})
	a, u := made.Made(30)
	whole := (&teach.Board{Code: "x"}).Hand(a).Take(u)
	var links []string
	for _, s := range u.Students {
		h := class.HandIn{Kind: class.HandInKind, Version: 1, Assignment: a.ContentID(), Name: s.Name}
		for _, e := range whole.Entries {
			if e.Student == s.N {
				h.Entries = append(h.Entries, e)
			}
		}
		if len(h.Entries) > 0 {
			data, _ := json.Marshal(h)
			links = append(links, "https://lab.example/#"+link.Pack(class.LinkHandIn, data))
		}
	}
	d.do(board.BoardPaste{Text: strings.Join(links, "\n")})
	b := d.s.Board.Class
	if b.Tally.Committed != 28 || b.Verdicts()[class.Verified] != 24 || b.Truth["sooner"] != "hadar" {
		t.Fatalf("%d answered, %v, right is %v, %q", b.Tally.Committed, b.Verdicts(), b.Truth, d.s.Board.Notes)
	}
	d.do(board.BoardPaste{Text: "nonsense"})
	if !strings.HasPrefix(d.s.Board.Notes[0], "What was pasted: ") {
		t.Error(d.s.Board.Notes[0])
	}
	d.do(board.RevealAnswers{Question: "sooner", On: true})
	d.do(board.ExportClass{What: "students"})
	d.do(board.ExportClass{What: "record"})
	var files []room.Download
	for _, e := range d.log {
		if f, ok := e.(room.Download); ok {
			files = append(files, f)
		}
	}
	if len(files) != 2 || strings.Count(string(files[0].Data), "\n") != 29 {
		t.Fatalf("%d files", len(files))
	}
	d.do(room.Enter{Room: room.Teach})
	d.do(room.Enter{Room: room.Board, Arg: "board"})
	d.do(board.BoardFile{Name: "class.json", Text: string(files[1].Data)})
	if n := d.s.Board.Class.Tally; n.Committed != 28 || n.Submitted != 24 {
		t.Errorf("the saved class has %+v", n)
	}
}

// TestRevealIsAskedTwice while some have yet to answer, and what is right waits for the run.
func TestRevealIsAskedTwice(t *testing.T) {
	c := newClassServer(t)
	phase := func(p class.Phase, revealed ...string) {
		c.u.State.Seq++
		c.u.State.Phase, c.u.State.Revealed, c.calls = p, revealed, nil
		state, _ := json.Marshal(c.u.State)
		c.do(c.follow.Then(200, state))
	}
	phase(class.Predict)
	c.do(board.RevealAnswers{Question: "sooner", On: true})
	c.do(board.RevealAnswers{Question: "by", On: true})
	if len(c.calls) > 0 {
		t.Errorf("revealed by one press: %q", c.calls)
	}
	c.do(board.RevealAnswers{Question: "by", On: true})
	if len(c.calls) != 1 || !strings.HasSuffix(c.calls[0], `{"revealed":["by"]}`) {
		t.Errorf("revealed by two: %q", c.calls)
	}
	phase(class.Predict, "sooner")
	b := c.d.s.Board.Class
	if _, _, ideas := b.Ideas(); ideas || b.Tally.Questions[0].Right != "" {
		t.Error("what is right is told while others may answer")
	}
	phase(class.Run, "sooner")
	b = c.d.s.Board.Class
	if _, _, ideas := b.Ideas(); !ideas || b.Tally.Questions[0].Right != "hadar" {
		t.Error("what is right is not told in the run")
	}
	c.do(board.RevealAnswers{Question: "by", On: true})
	if len(c.calls) != 1 {
		t.Errorf("in the run: %q", c.calls)
	}
}

// TestTheRunIsAskedTwice while second votes that it ends are out; no other phase is.
func TestTheRunIsAskedTwice(t *testing.T) {
	c := newClassServer(t)
	phase := func(p class.Phase, voted int) {
		c.u.State.Seq++
		c.u.State.Phase, c.calls = p, nil
		c.u.State.Counts = class.Counts{Joined: 5, Committed: 5, Voted: voted}
		state, _ := json.Marshal(c.u.State)
		c.do(c.follow.Then(200, state))
		c.calls = nil
	}
	for _, x := range []struct {
		phase class.Phase
		voted int
		to    class.Phase
		asks  bool
	}{{class.Predict, 0, class.Discuss, false}, {class.VoteAgain, 4, class.Run, true},
		{class.VoteAgain, 5, class.Run, false}, {class.Run, 4, class.Change, false},
		{class.VoteAgain, 0, class.Run, true}, {class.Predict, 0, class.Run, true},
		{class.Discuss, 3, class.Change, true}, {class.VoteAgain, 0, class.Predict, false},
		{class.Discuss, 3, class.Closed, true}} {
		phase(x.phase, x.voted)
		c.do(board.GoTo{Phase: x.to})
		if asked := len(c.calls) == 0; asked != x.asks {
			t.Errorf("%s to %s, %d of 5 voted: it is %v that it is asked; calls %q", x.phase, x.to, x.voted, asked, c.calls)
		}
		if !x.asks {
			continue
		}
		if says := c.d.s.Board.Announcement; !strings.HasPrefix(says, fmt.Sprint(5-x.voted)+" ha") {
			t.Errorf("asked with %q", says)
		}
		if c.do(board.GoTo{Phase: x.to}); len(c.calls) == 0 ||
			!strings.HasSuffix(c.calls[0], fmt.Sprintf(`{"phase":%q}`, x.to)) {
			t.Errorf("the second press: %q", c.calls)
		}
	}
	phase(class.Predict, 0)
	c.do(board.GoTo{Phase: class.Run})
	if c.do(board.GoTo{Phase: class.Change}); len(c.calls) > 0 {
		t.Errorf("a press on one phase answers for another: %q", c.calls)
	}
	phase(class.VoteAgain, 0)
	if c.do(board.GoTo{Phase: class.Change}); len(c.calls) > 0 {
		t.Errorf("what was pressed in a phase answers for it in another: %q", c.calls)
	}
}
