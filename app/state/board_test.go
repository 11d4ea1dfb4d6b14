package state

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	teach "hadarlab/app/class"
	"hadarlab/core/class"
	"hadarlab/core/link"
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
	follow *Follow
	lost   bool
}

func newClassServer(t *testing.T) *classServer {
	a, u := made.Made(30)
	u.Verifies = false
	c := &classServer{t: t, d: newDesk(t), a: a, u: u}
	c.do(EnterRoom{Room: BoardRoom, Arg: u.State.Code + ".key"})
	c.do(Told{1_000_000})
	return c
}

func (c *classServer) do(a Action) {
	from := len(c.d.log)
	c.d.do(a)
	c.serve(from)
}

// serve carries out what the board has asked for since.
func (c *classServer) serve(from int) {
	for i := from; i < len(c.d.log); i++ {
		switch e := c.d.log[i].(type) {
		case Follow:
			c.follow = &e
		case Call:
			status, body := c.answer(&e)
			if a := e.Then(status, body); a != nil {
				c.d.do(a)
			}
		}
	}
}

func (c *classServer) answer(e *Call) (int, []byte) {
	if c.lost {
		return 0, nil
	}
	path := strings.TrimPrefix(e.Path, "/api/v1/classes/"+c.u.State.Code)
	if e.Token != "key" {
		c.t.Errorf("%s %s without the key", e.Method, e.Path)
	}
	var of any = c.u.State
	var after int64
	switch {
	case path == "/assignment":
		of = c.a
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
	default:
		c.calls = append(c.calls, e.Method+" "+path+" "+string(e.Body))
	}
	b, _ := json.Marshal(of)
	return 200, b
}

// TestTheBoardVerifies: where the server does not run submissions again, the board does, each once, and tells it.
func TestTheBoardVerifies(t *testing.T) {
	c := newClassServer(t)
	b := c.d.s.Teach.Board
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
	c.do(boardNews{})
	if n := c.d.s.Teach.Board.Verdicts(); n[class.Differs] != 1 {
		t.Errorf("%v", n)
	}
}

// TestALostNetworkIsTold after a while only, and the board goes on when it is back.
func TestALostNetworkIsTold(t *testing.T) {
	c := newClassServer(t)
	c.lost = true
	c.do(c.follow.Then(0, nil))
	c.do(Told{1_002_000})
	if c.d.s.Teach.Lost() {
		t.Error("it is told at once")
	}
	c.do(Told{1_010_000})
	if !c.d.s.Teach.Lost() {
		t.Error("it is not told")
	}
	minutes := 3.0
	c.do(SetClass{class.Settings{Minutes: &minutes}})
	if c.d.s.Teach.Problem == "" {
		t.Error("nobody says that nothing was changed")
	}
	c.lost = false
	c.u.State.Seq++
	state, _ := json.Marshal(c.u.State)
	c.do(c.follow.Then(200, state))
	if c.d.s.Teach.Lost() || c.d.s.Teach.Problem != "" || c.d.s.Teach.Board.State.Seq != c.u.State.Seq {
		t.Error("it does not go on")
	}
}

// TestLayTogether runs two submissions, and nothing else stands in the lab for it.
func TestLayTogether(t *testing.T) {
	c := newClassServer(t)
	result := c.d.s.Result
	c.do(LookAt{func(v *BoardView) {
		v.Pick = [2]int64{c.d.s.Teach.Board.Tally.Tries[0].Seq, c.d.s.Teach.Board.Tally.Tries[4].Seq}
	}})
	c.do(LayTogether{})
	pair := c.d.s.Teach.Pair
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
	d.do(EnterRoom{Room: BoardRoom, Arg: "board"})
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
	d.do(BoardPaste{strings.Join(links, "\n")})
	b := d.s.Teach.Board
	if b.Tally.Committed != 28 || b.Verdicts()[class.Verified] != 24 || b.Truth["sooner"] != "hadar" {
		t.Fatalf("%d answered, %v, right is %v, %q", b.Tally.Committed, b.Verdicts(), b.Truth, d.s.Teach.Notes)
	}
	d.do(BoardPaste{"nonsense"})
	if !strings.HasPrefix(d.s.Teach.Notes[0], "What was pasted: ") {
		t.Error(d.s.Teach.Notes[0])
	}
	d.do(RevealAnswers{"sooner", true})
	d.do(ExportClass{"students"})
	d.do(ExportClass{"record"})
	var files []Download
	for _, e := range d.log {
		if f, ok := e.(Download); ok {
			files = append(files, f)
		}
	}
	if len(files) != 2 || strings.Count(string(files[0].Data), "\r\n") != 29 {
		t.Fatalf("%d files", len(files))
	}
	d.do(EnterRoom{Room: TeachRoom})
	d.do(EnterRoom{Room: BoardRoom, Arg: "board"})
	d.do(BoardFile{Name: "class.json", Text: string(files[1].Data)})
	if n := d.s.Teach.Board.Tally; n.Committed != 28 || n.Submitted != 24 {
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
	c.do(RevealAnswers{"sooner", true})
	c.do(RevealAnswers{"by", true})
	if len(c.calls) > 0 {
		t.Errorf("revealed by one press: %q", c.calls)
	}
	c.do(RevealAnswers{"by", true})
	if len(c.calls) != 1 || !strings.HasSuffix(c.calls[0], `{"revealed":["by"]}`) {
		t.Errorf("revealed by two: %q", c.calls)
	}
	phase(class.Predict, "sooner")
	b := c.d.s.Teach.Board
	if _, _, ideas := b.Ideas(); ideas || b.Tally.Questions[0].Right != "" {
		t.Error("what is right is told while others may answer")
	}
	phase(class.Run, "sooner")
	b = c.d.s.Teach.Board
	if _, _, ideas := b.Ideas(); !ideas || b.Tally.Questions[0].Right != "hadar" {
		t.Error("what is right is not told in the run")
	}
	c.do(RevealAnswers{"by", true})
	if len(c.calls) != 1 {
		t.Errorf("in the run: %q", c.calls)
	}
}
