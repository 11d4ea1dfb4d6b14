package state

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	teach "hadarlab/app/class"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// Teach is what the teacher's pages show: the one that begins a class, and the board.
type Teach struct {
	Board    *teach.Board     // nil = none is open
	Starting string           // the assignment with which a class is being begun, "" = none
	NoServer bool             // the server takes no classes
	Problem  string           // why the last thing that was asked for was not done
	LostMS   int64            // the server has not been reached since then, by this page's clock; 0 = it is
	ClockMS  int64            // this page's clock
	Behind   int64            // what is added to it for the server's
	Over     bool             // the class is gone
	KeyStays bool             // the address holds the key: the browser keeps nothing
	Notes    []string         // what came of files that were handed in, latest first
	Draft    *AssignmentDraft // the assignment that is being written, nil = none
	BoardView

	asked   int64 // request to the engine that is under way, 0 = none
	about   []about
	lanes   []message.Lane
	runs    []*run.Lane
	getting bool // the server is asked what has changed
	again   bool // ask once more after that
	asks    int  // how often it has been asked
	told    class.Counts
	toldMS  int64
}

// BoardView is what of the board is looked at.
type BoardView struct {
	Question int      // of the histogram
	Sure     string   // the question whose answers are shown on a second press, though not all have answered
	Tries    bool     // what was changed is shown
	Tables   [2]bool  // of answers and of submissions, beside the pictures
	Sheet    string   // the dialog that is open
	Filter   string   // of the sentences
	Names    bool     // are in what is handed out
	Large    bool     // presentation
	Pick     [2]int64 // submissions to be laid side by side, 0 = none is chosen
	Pair     []Pair   // them, run
	Pass     *class.Pass
	For      int   // the student of the pass
	Since    int64 // moment of which all who joined then or later are to be removed, Unix ms; 0 = none is chosen
}

// Pair is one of two submissions that are laid side by side.
type Pair struct {
	Edits []class.Edit
	Link  string
	Lanes []*run.Lane
}

// about is what a run is for: the assignment's own scenario, a submission to be verified, or one to be shown.
type about struct {
	seq   int64
	show  bool
	draft *AssignmentDraft
	doc   *scenario.Document
}

// boardSecond is how often the board looks at the clock, in ms; patience is how long the server may be out of reach
// before that is said.
const (
	boardSecond = 1000
	patience    = 5000
	sayEvery    = 10_000
	askAfter    = 3000
)

// Tell sends an action with this page's clock in some ms.
type Tell struct{ Ms int }

func (Tell) effect() {}

// BoardName is where this browser keeps the key of a class.
func BoardName(code string) string { return "hadarlab.board." + code }

// KeepKey keeps the key of a board in this browser and takes it out of the address. KeyStays follows where the browser
// keeps nothing.
type KeepKey struct{ Code, Key string }

func (KeepKey) effect() {}

// KeyStays says that the address goes on holding the key.
type KeyStays struct{}

func (KeyStays) on(s *State) []Effect {
	s.Teach.KeyStays = true
	return nil
}

// LeaveBoard goes back to the lab. A class is opened anew when the reader comes back to it; files stay as they are.
type LeaveBoard struct{}

func (LeaveBoard) on(s *State) []Effect {
	s.Room = LabRoom
	if b := s.Teach.Board; b != nil && !b.Local() {
		s.Teach = Teach{}
	}
	return []Effect{Follow{}, Measure{}}
}

// ServerMS is the server's clock, as far as this page knows it.
func (t *Teach) ServerMS() int64 { return t.ClockMS + t.Behind }

// Lost says that the server has not been reached for a while.
func (t *Teach) Lost() bool {
	if t.LostMS == 0 {
		return false
	}
	patient := int64(patience)
	if t.Board != nil {
		patient = max(patient, 2*int64(t.Board.State.PollMS))
	}
	return t.ClockMS-t.LostMS > patient || t.ClockMS < t.LostMS // the clock went back
}

// enterBoard goes to the page that begins a class, or to a board: of a class with its code, or of files.
func (s *State) enterBoard(a EnterRoom) []Effect {
	s.Spoken = ""
	if a.Room == TeachRoom {
		s.Teach = Teach{Draft: s.Teach.Draft}
		s.Spoken = words.T("Start a class")

		return []Effect{Follow{}}
	}
	if packed, ok := strings.CutPrefix(a.Arg, class.LinkHandIn+"="); ok {
		if s.Teach.Board == nil || !s.Teach.Board.Local() {
			s.openBoard(teach.NewLocal(nil))
		}
		return append(BoardFile{Text: class.LinkHandIn + "=" + packed}.on(s), SetAddress{Path: "/#board"})
	}
	code, key, named := strings.Cut(a.Arg, ".")
	if code == "" || code == "board" {
		if b := s.Teach.Board; b == nil || !b.Local() {
			s.openBoard(teach.NewLocal(nil))
		}
		return []Effect{Follow{}}
	}
	if key == "" {
		key = a.Kept
	}
	if b := s.Teach.Board; b != nil && b.Code == code && b.Key == key {
		return nil
	}
	s.openBoard(&teach.Board{Code: code, Key: key})
	effects := []Effect{Tell{0}, s.getAssignment(), s.getBoard(),
		Follow{Path: classPath(code), Then: func(status int, body []byte) Action {
			return classNews{code, status,
				body}
		}}}
	if named { // the key is no part of an address that somebody may see
		effects = append(effects, KeepKey{code, key})
	}
	return effects
}

func (s *State) openBoard(b *teach.Board) {
	s.Teach = Teach{Board: b, BoardView: BoardView{Names: true}}
	s.Room = BoardRoom
}

func classPath(code string) string { return "/api/v1/classes/" + code }

// callClass asks the server about the class of the board.
func (s *State) callClass(method, path string, body any, then func(status int, body []byte) Action) Effect {
	b := s.Teach.Board
	var data []byte
	if body != nil {
		data, _ = json.Marshal(body) // settings and verdicts always encode
	}
	return Call{Method: method, Path: classPath(b.Code) + path, Token: b.Key, Body: data,
		Then: func(status int, answer []byte) Action { return ofBoard{b.Code, then(status, answer)} }}
}

// ofBoard is an answer about a class, which may not be the board's any longer.
type ofBoard struct {
	code   string
	action Action
}

func (a ofBoard) on(s *State) []Effect {
	if b := s.Teach.Board; b == nil || b.Code != a.code || s.Room != BoardRoom {
		return nil
	}
	return a.action.on(s)
}

func (s *State) getAssignment() Effect {
	return s.callClass("GET", "/assignment", nil, func(status int, body []byte) Action {
		return gotAssignment{status,
			body}
	})
}

// getBoard asks what has changed.
func (s *State) getBoard() Effect {
	t := &s.Teach
	t.getting, t.again = true, false
	t.asks++
	return s.callClass("GET", "/board?after="+figure.Int(t.Board.State.Seq), nil,
		func(status int, body []byte) Action { return gotBoard{status, body} })
}

type (
	classNews struct {
		code   string
		status int
		body   []byte
	}
	gotAssignment struct {
		status int
		body   []byte
	}
	gotBoard struct {
		status int
		body   []byte
	}
	// Told says what this page's clock says.
	Told struct{ Ms int64 }
)

func (a classNews) on(s *State) []Effect {
	t := &s.Teach
	if t.Board == nil || t.Board.Code != a.code || t.Over {
		return nil
	}
	switch {
	case a.status == 0:
		t.lose()
	case a.status != 200:
		return s.refused(a.status, a.body)
	default:
		t.LostMS = 0
		var of class.State
		if json.Unmarshal(a.body, &of) != nil {
			return nil
		}
		s.keepTime(of.NowMS)
		if t.getting {
			t.again = true
			return nil
		}
		if of.Seq != t.Board.State.Seq || of.Phase != t.Board.State.Phase || of.EndsMS != t.Board.State.EndsMS {
			return []Effect{s.getBoard()}
		}
	}
	return nil
}

func (t *Teach) lose() {
	if t.LostMS == 0 {
		t.LostMS = max(t.ClockMS, 1)
	}
}

// keepTime learns the server's clock. A page's clock that has not been read for a while would put it too late; by more
// than a minute, one of the two has jumped.
func (s *State) keepTime(serverMS int64) {
	t := &s.Teach
	if t.ClockMS == 0 || serverMS == 0 {
		return
	}
	const jump = 60_000
	if behind := serverMS - t.ClockMS; t.Behind == 0 || behind < t.Behind || behind > t.Behind+jump {
		t.Behind = behind
	}
}

// refused says why the server gives nothing of the class.
func (s *State) refused(status int, body []byte) []Effect {
	t := &s.Teach
	t.Problem = serverProblem(status, body)
	switch status {
	case 401, 403:
		t.Problem = words.T("This browser does not have the key of this class. Open the board by the address that you were given.")
	case 404, 410:
		t.Over = true
		t.Problem = words.T("There is no class with this code on this server. It may have been deleted.")
		return []Effect{Follow{}}
	}
	s.Spoken = t.Problem
	return nil
}

func (a gotAssignment) on(s *State) []Effect {
	t := &s.Teach
	if unreached(a.status) {
		return s.askLater(a.status, a.body, askAssignment{})
	}
	if a.status != 200 {
		return s.refused(a.status, a.body)
	}
	t.LostMS, t.Problem = 0, ""
	of, diags := class.Parse(a.body)
	if of == nil {
		t.Problem = diags.Errors()[0].Message.In(words.Now())
		return nil
	}
	return s.handed(t.Board.Hand(of))
}

type (
	askAssignment struct{}
	// askBoard asks what has changed, unless something has asked since so many times.
	askBoard struct{ asks int }
)

func (askAssignment) on(s *State) []Effect { return []Effect{s.getAssignment()} }

func (a askBoard) on(s *State) []Effect {
	if s.Teach.asks != a.asks {
		return nil
	}
	return []Effect{s.getBoard()}
}

// askLater asks again what was not answered. The stream may have no more news for long, so nobody waits for it.
func (s *State) askLater(status int, body []byte, ask Action) []Effect {
	t := &s.Teach
	var effects []Effect
	if status == 0 {
		t.lose()
	} else {
		effects = s.refused(status, body)
	}
	return append(effects, After{askAfter, ofBoard{t.Board.Code, ask}})
}

// handed is a board that may have got its assignment.
func (s *State) handed(b *teach.Board) []Effect {
	t := &s.Teach
	t.Board = b
	return s.boardWork()
}

func (a gotBoard) on(s *State) []Effect {
	t := &s.Teach
	t.getting = false
	if unreached(a.status) {
		return s.askLater(a.status, a.body, askBoard{t.asks})
	}
	if a.status != 200 {
		return s.refused(a.status, a.body)
	}
	u := &class.Update{}
	if json.Unmarshal(a.body, u) != nil {
		return nil
	}
	t.LostMS, t.Problem = 0, ""
	s.keepTime(u.State.NowMS)
	was := t.Board.State.Phase
	t.Board = t.Board.Take(u)
	if was != "" && was != u.State.Phase {
		s.Spoken = words.F("The class is at: {0}.", PhaseTitle(u.State.Phase))
	}
	effects := s.boardWork()
	if t.again {
		effects = append(effects, s.getBoard())
	}
	return effects
}

func (a Told) on(s *State) []Effect {
	t := &s.Teach
	t.ClockMS = a.Ms
	b := t.Board
	if s.Room != BoardRoom || b == nil || b.Local() || t.Over {
		return nil
	}
	if n := b.State.Counts; n != t.told && a.Ms-t.toldMS > sayEvery { // a reader who hears it is not told every one
		t.told, t.toldMS = n, a.Ms
		s.Spoken = CountWords(n)
	}
	return []Effect{Tell{boardSecond}}
}

// CountWords are the counts of a class in words.
func CountWords(n class.Counts) string {
	return words.F("{0} joined, {1} have answered, {2} have submitted.", itoa(n.Joined), itoa(n.Committed),
		itoa(n.Submitted))
}

// PhaseTitle names a phase.
func PhaseTitle(p class.Phase) string {
	switch p {
	case class.Lobby:
		return words.T("Lobby")
	case class.Predict:
		return words.T("Predict")
	case class.Run:
		return words.T("Run and look")
	case class.Discuss:
		return words.T("Discuss")
	case class.Change:
		return words.T("Change")
	}
	return words.T("Closed")
}

// boardWork asks the engine for the next run that the board needs: the assignment's own scenario, two submissions to
// be shown, or one to be verified where the server does not.
func (s *State) boardWork() []Effect {
	t, b := &s.Teach, s.Teach.Board
	if b == nil || b.Assignment == nil || s.Engine != EngineReady || t.asked != 0 {
		return nil
	}
	if b.Base == nil {
		return s.runFor(about{doc: b.Assignment.Document()})
	}
	if len(t.about) > 0 {
		next := t.about[0]
		t.about = t.about[1:]
		return s.runFor(next)
	}
	e := b.Waiting()
	if e == nil {
		return nil
	}
	doc := b.Scenario(e, s.Defaults)
	switch {
	case e.Old(s.Boot.Engine, s.Defaults):
		return s.judged(e.Seq, class.Other, nil)
	case doc == nil:
		return s.judged(e.Seq, class.Differs, nil)
	}
	return s.runFor(about{seq: e.Seq, doc: doc})
}

func (s *State) runFor(a about) []Effect {
	t := &s.Teach
	t.asked, t.lanes, t.runs = s.seq(), nil, nil
	t.about = append([]about{a}, t.about...)
	r := run.New(t.asked, a.doc, a.doc.Marshal(false))
	return []Effect{Ask{&message.Message{ID: t.asked, Run: r.Request()}}}
}

// boardAnswered takes an answer to a run of the board.
func (s *State) boardAnswered(m *message.Message) []Effect {
	t := &s.Teach
	now := t.about[0]
	switch {
	case m.Lane != nil:
		t.lanes = append(t.lanes, *m.Lane)
		if now.show {
			l := &run.Lane{Title: s.Boot.WholeTitle(m.Lane.Policy)}
			if l.Read(m.Lane, m.Body) {
				t.runs = append(t.runs, l)
			}
		}
		return nil
	case m.Failure != nil && m.Failure.Lane >= 0, m.Progress != nil:
		return nil // the other lanes go on
	case m.Failure == nil && !m.Finished:
		return nil
	}
	t.asked, t.about = 0, t.about[1:]
	switch {
	case now.draft != nil:
		s.draftRan(now.draft)
	case now.show:
		t.Pair = append(t.Pair, Pair{Edits: t.Board.Assignment.Edits(now.doc, s.Defaults),
			Link: "/#" + link.Encode(now.doc, s.Defaults), Lanes: t.runs})
	case now.seq == 0:
		t.Board = t.Board.Ran(t.lanes)
	default:
		verdict, lanes := class.Differs, teach.Lanes(t.lanes)
		if e := t.Board.Entry(now.seq); e != nil {
			verdict = class.Verify(&e.Body, s.Boot.Engine, lanes)
		}
		return s.judged(now.seq, verdict, lanes)
	}
	return s.boardWork()
}

// judged notes a verdict, here and on the server.
func (s *State) judged(seq int64, verdict string, lanes []class.Lane) []Effect {
	t := &s.Teach
	t.Board = t.Board.Judge(seq, verdict, lanes)
	var effects []Effect
	if !t.Board.Local() {
		effects = append(effects, s.callClass("PUT", "/verdicts/"+figure.Int(seq), struct {
			Verdict string       `json:"verdict"`
			Lanes   []class.Lane `json:"lanes"`
		}{verdict, lanes}, func(int, []byte) Action { return boardNews{} }))
	}
	return append(effects, s.boardWork()...)
}

// boardNews asks what has changed.
type boardNews struct{}

func (boardNews) on(s *State) []Effect {
	if s.Teach.getting {
		s.Teach.again = true
		return nil
	}
	return []Effect{s.getBoard()}
}

type (
	// StartClass begins a class with a shipped assignment.
	StartClass struct{ ID string }
	// StartAgain begins a fresh class with the assignment of the one on the board.
	StartAgain struct{}
	started    struct {
		status int
		body   []byte
	}
	// SetClass changes the class: its phase, its time, who may join, what is revealed.
	SetClass struct{ class.Settings }
	set      struct {
		status int
		body   []byte
	}
	// RevealAnswers shows the answers to a question to everybody, or hides them. While some have yet to answer it is to
	// be done twice.
	RevealAnswers struct {
		Question string
		On       bool
	}
	// ShowQuestion shows the histogram of another question.
	ShowQuestion struct{ At int }
	// ToggleTries shows or hides what was changed.
	ToggleTries struct{}
	// ToggleTwin turns between picture and table: 0 of answers, 1 of submissions.
	ToggleTwin struct{ Which int }
	// ToggleLarge turns the presentation on or off.
	ToggleLarge struct{}
	// OpenSheet opens a dialog, or with no name closes the one that is open.
	OpenSheet struct{ Name string }
	// FilterSentences shows only the sentences with a word.
	FilterSentences struct{ Text string }
	// NamesOut says whether given names are in what is handed out.
	NamesOut struct{ On bool }
	// PickSubmission chooses one of the two that are laid side by side.
	PickSubmission struct {
		Place int
		Seq   int64
	}
	// ChooseSince chooses the moment since which who joined is to be removed; KeepSince removes nobody.
	ChooseSince struct{ Ms int64 }
	KeepSince   struct{}
	// RemoveStudent takes a student out of the class. GivePass gives one a code to come back with.
	RemoveStudent struct{ N int }
	GivePass      struct{ N int }
	gavePass      struct {
		n, status int
		body      []byte
	}
	// RemoveSince takes out all who joined since the moment that was chosen.
	RemoveSince  struct{}
	removedSince struct {
		status int
		body   []byte
	}
	done struct {
		status int
		body   []byte
	}
	// DeleteClass deletes everything of the class, on the server and here.
	DeleteClass struct{}
	deleted     struct {
		status int
		body   []byte
	}
	// LayTogether runs the two submissions that were chosen.
	LayTogether struct{}
	// BoardFile takes a file of a class.
	BoardFile struct{ Name, Text string }
	// BoardPaste takes files of a class or links that were pasted.
	BoardPaste struct{ Text string }
	// ExportClass hands out a file: students, attempts or record.
	ExportClass struct{ What string }
)

func (a StartClass) on(s *State) []Effect {
	if s.Teach.Starting != "" {
		return nil
	}
	body, _ := json.Marshal(map[string]string{"assignment": a.ID}) // texts always encode
	return s.startClass(a.ID, body)
}

func (StartAgain) on(s *State) []Effect {
	b := s.Teach.Board
	if s.Teach.Starting != "" || b == nil || b.Assignment == nil {
		return nil
	}
	body, _ := json.Marshal(map[string]any{"assignment": b.Assignment}) // it has been read
	return s.startClass(b.Assignment.ID, body)
}

// startClass asks the server to begin a class.
func (s *State) startClass(id string, body []byte) []Effect {
	s.Teach.Starting, s.Teach.Problem = id, ""
	return []Effect{Call{Method: "POST", Path: "/api/v1/classes", Body: body,
		Then: func(status int, body []byte) Action { return started{status, body} }}}
}

func (a started) on(s *State) []Effect {
	t := &s.Teach
	t.Starting = ""
	var c class.Created
	if a.status != 201 && a.status != 200 || json.Unmarshal(a.body, &c) != nil || c.Code == "" {
		t.NoServer = a.status == 0 || a.status == 404 || a.status == 405 || a.status == 501
		t.Problem = serverProblem(a.status, a.body)
		if t.NoServer {
			t.Problem = words.T("This server takes no classes. Hand out the link of the assignment instead; below it says how.")
		}
		s.Spoken = t.Problem
		return nil
	}
	s.Room = BoardRoom
	at := SetAddress{Path: "/#board=" + c.Code + "." + c.Key, Push: true}
	return append([]Effect{at}, s.enterBoard(EnterRoom{Room: BoardRoom, Arg: c.Code + "." + c.Key})...)
}

func (a SetClass) on(s *State) []Effect {
	if s.Teach.Board.Local() {
		return nil
	}
	return []Effect{s.callClass("PATCH", "", a.Settings, func(status int, body []byte) Action {
		return set{status,
			body}
	})}
}

func (a set) on(s *State) []Effect { return s.wasDone(a.status, a.body) }

// wasDone goes on after the server has done something, or says why it has not.
func (s *State) wasDone(status int, body []byte) []Effect {
	if s.Teach.Problem = ""; status == 0 {
		s.Teach.lose()
		s.Teach.Problem = words.T("The server was not reached; nothing was changed. Try again.")
		s.Spoken = s.Teach.Problem
		return nil
	}
	if status >= 300 {
		return s.refused(status, body)
	}
	return boardNews{}.on(s)
}

func (a RevealAnswers) on(s *State) []Effect {
	b := s.Teach.Board
	if s.Teach.Sure != a.Question && a.On && b.Early() {
		s.Teach.Sure, s.Spoken = a.Question, words.T("Not all have answered. Press again to reveal.")
		return nil
	}
	s.Teach.Sure = ""
	list := b.Reveal(a.Question, a.On)
	if b.Local() {
		s.Teach.Board = b.Show(list)
		return nil
	}
	return SetClass{class.Settings{Revealed: &list}}.on(s)
}

func (a ShowQuestion) on(s *State) []Effect    { s.Teach.Question = a.At; return nil }
func (ToggleTries) on(s *State) []Effect       { s.Teach.Tries = !s.Teach.Tries; return nil }
func (ToggleLarge) on(s *State) []Effect       { s.Teach.Large = !s.Teach.Large; return nil }
func (a FilterSentences) on(s *State) []Effect { s.Teach.Filter = a.Text; return nil }
func (a NamesOut) on(s *State) []Effect        { s.Teach.Names = a.On; return nil }
func (a ChooseSince) on(s *State) []Effect     { s.Teach.Since = a.Ms; return nil }
func (KeepSince) on(s *State) []Effect         { s.Teach.Sheet, s.Teach.Since = "students", 0; return nil }

func (a ToggleTwin) on(s *State) []Effect {
	s.Teach.Tables[a.Which] = !s.Teach.Tables[a.Which]
	return nil
}

func (a PickSubmission) on(s *State) []Effect {
	s.Teach.Pick[a.Place] = a.Seq
	return nil
}

func (a OpenSheet) on(s *State) []Effect {
	if s.Teach.Sheet = a.Name; a.Name == "" {
		s.Teach.Pass = nil
	}
	return nil
}

func (a RemoveStudent) on(s *State) []Effect {
	b := s.Teach.Board
	if b.Local() {
		s.Teach.Board = b.Remove(a.N)
		return nil
	}
	return []Effect{s.callClass("DELETE", "/students/"+itoa(a.N), nil,
		func(status int, body []byte) Action { return done{status, body} })}
}

func (a done) on(s *State) []Effect { return s.wasDone(a.status, a.body) }

func (RemoveSince) on(s *State) []Effect {
	t := &s.Teach
	if t.Since == 0 || t.Board.Local() {
		return nil
	}
	since := t.Since
	t.Since, t.Sheet = 0, "students"
	return []Effect{s.callClass("DELETE", "/students?since="+strconv.FormatInt(since, 10), nil,
		func(status int, body []byte) Action { return removedSince{status, body} })}
}

func (a removedSince) on(s *State) []Effect {
	var n struct{ Removed int }
	if a.status == 200 && json.Unmarshal(a.body, &n) == nil {
		s.Spoken = words.F("Removed: {0}.", words.Plural(n.Removed, "student"))
	}
	return s.wasDone(a.status, a.body)
}

func (a GivePass) on(s *State) []Effect {
	return []Effect{s.callClass("POST", "/students/"+itoa(a.N)+"/pass", nil,
		func(status int, body []byte) Action { return gavePass{a.N, status, body} })}
}

func (a gavePass) on(s *State) []Effect {
	p := &class.Pass{}
	if (a.status == 200 || a.status == 201) && json.Unmarshal(a.body, p) == nil && p.Code != "" {
		s.Teach.Pass, s.Teach.For = p, a.n
		s.Spoken = words.F("One-time code: {0}", p.Code)
		return nil
	}
	return s.wasDone(a.status, a.body)
}

func (DeleteClass) on(s *State) []Effect {
	if s.Teach.Board.Local() {
		s.openBoard(teach.NewLocal(nil))
		return nil
	}
	return []Effect{s.callClass("DELETE", "", nil, func(status int, body []byte) Action {
		return deleted{status,
			body}
	})}
}

func (a deleted) on(s *State) []Effect {
	if a.status == 0 || a.status >= 300 && a.status != 404 {
		return s.wasDone(a.status, a.body)
	}
	t := &s.Teach
	code := t.Board.Code
	*t = Teach{Over: true, Board: &teach.Board{Code: code}, Problem: words.T("The class and everything in it is deleted.")}
	s.Spoken = t.Problem
	return []Effect{Follow{}, Store{BoardName(code), ""}}
}

func (LayTogether) on(s *State) []Effect {
	t := &s.Teach
	t.Pair, t.Sheet = nil, "pair"
	t.about = slices.DeleteFunc(t.about, func(a about) bool { return a.show && t.asked == 0 })
	for _, seq := range t.Pick {
		if e := t.Board.Entry(seq); e != nil {
			if doc, ok := t.Board.Assignment.Apply(e.Changes); ok {
				t.about = append(t.about, about{seq: seq, show: true, doc: doc})
			}
		}
	}
	return s.boardWork()
}

// ShippedAssignments are the assignments that come with the page. They are read once.
var ShippedAssignments = sync.OnceValue(func() (list []*class.Assignment) {
	for _, id := range scenarios.Assignments {
		data, _ := scenarios.Assignment(id)
		if a, _ := class.Parse(data); a != nil {
			list = append(list, a)
		}
	}
	return list
})

func (a BoardFile) on(s *State) []Effect {
	t := &s.Teach
	if s.Room == TeachRoom {
		return s.openDraft(a.Text)
	}
	if t.Board == nil || !t.Board.Local() {
		return nil // a class on a server takes work from its students only
	}
	data := []byte(a.Text)

	if teach.Kind(data) == "" {
		packed, diags := link.Unpack(a.Text, class.MaxBytes, class.LinkHandIn, class.LinkAssignment, class.LinkJoin)
		if data = packed; diags.HasErrors() {
			data = nil
		}
	}
	known := func(id string) *class.Assignment {
		for _, k := range ShippedAssignments() {
			if k.ContentID() == id {
				return k
			}
		}
		return nil
	}
	b, says, bad := t.Board.Open(data, known, s.Boot.Engine, s.Defaults)
	if bad {
		if a.Name == "" {
			a.Name = words.T("What was pasted")
		}
		says = words.F("{0}: {1}", a.Name, says)
	}
	t.Notes = append([]string{says}, t.Notes...)
	s.Spoken = says
	return s.handed(b)
}

func (a BoardPaste) on(s *State) (effects []Effect) {
	for _, piece := range teach.Pasted(a.Text) {
		effects = append(effects, BoardFile{Text: piece}.on(s)...)
	}
	return effects
}

func (a ExportClass) on(s *State) []Effect {
	t := &s.Teach
	r := t.Board.Record(s.Boot.Engine, s.Defaults, t.Names)
	name := "hadarlab-class-" + cmp.Or(t.Board.Code, t.Board.Assignment.ID) + "-" + a.What
	switch a.What {
	case "students":
		return []Effect{Download{name + ".csv", "text/csv", r.StudentsCSV(t.Names, clock)}}
	case "attempts":
		return []Effect{Download{name + ".csv", "text/csv", r.AttemptsCSV(t.Names, clock)}}
	case "print":
		return []Effect{PrintPage{}}
	}
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return nil // what was read encodes
	}
	return []Effect{Download{name + ".json", "application/json", data}}
}

// clock words a time for spreadsheets.
func clock(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05") }

// JoinLink is the address that holds an assignment, for students where no server takes classes.
func JoinLink(a *class.Assignment) string {
	data, err := json.Marshal(a)
	if err != nil {
		return "" // it was read from JSON
	}
	return "/join#" + link.Pack(class.LinkJoin, data)
}
