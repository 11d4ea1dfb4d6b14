// Package board is the teacher's pages: the one that begins a class, the board of a class that runs, and an assignment
// that is being written. It knows the lab by the scenario that stands there only, from which an assignment may begin.
//
// Flow: the code and key in the address → what the server has of the class, again and again → the board, with what the
// engine says of the submissions → settings and verdicts to the server.
package board

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	teach "hadarlab/app/class"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// Model is the teacher's pages.
type Model struct {
	*room.Shared
	Pages
	scenario func() *scenario.Document // that stands in the lab
}

// New is a board on which nothing stands yet, beside a lab in which a scenario does.
func New(shared *room.Shared, stands func() *scenario.Document) Model {
	return Model{Shared: shared, scenario: stands}
}

type action interface{ on(m *Model) []room.Effect }

// Reduce applies an action of a teacher's.
func (m *Model) Reduce(a room.Action) ([]room.Effect, bool) {
	if to, ok := a.(room.Enter); ok && to.Room >= room.Board {
		if to.Room == room.Wall {
			return m.enterWall(to), true
		}
		m.Room = to.Room
		return m.enter(to), true
	}
	own, ok := a.(action)
	if !ok {
		return nil, false
	}
	return own.on(m), true
}

// Pages are what they show: the page that begins a class, and the board.
type Pages struct {
	Class    *teach.Board // on the board, nil = none is open
	Start    *Start       // what is asked before a class begins, nil = nothing
	Starting string       // the assignment with which a class is being begun, "" = none
	NoServer bool         // the server takes no classes
	Problem  string       // why the last thing that was asked for was not done
	LostMS   int64        // the server has not been reached since then, by this page's clock; 0 = it is
	ClockMS  int64        // this page's clock
	Behind   int64        // what is added to it for the server's
	Over     bool         // the class is gone
	KeyStays bool         // the address holds the key: the browser keeps nothing
	Notes    []string     // what came of files that were handed in, latest first
	Draft    *Draft       // the assignment that is being written, nil = none
	Stage    Stage
	Larger   Larger
	Dropped  *class.Assignment // that was being written before and can be put back, nil = none
	View

	asked   int64 // request to the engine that is under way, 0 = none
	pending []pendingRun
	unread  []BoardFile // that wait for the assignments that come with the page
	lanes   []message.Lane
	runs    []*run.Lane
	getting bool // the server is asked what has changed
	again   bool // ask once more after that
	asks    int  // how often it has been asked
	told    class.Counts
	toldMS  int64
}

// Leap is the way from a phase to another.
type Leap struct{ From, To class.Phase }

// Sure is the phase to which a second press goes from the present one, "" = none was asked for.
func (l Leap) Sure(now class.Phase) class.Phase {
	if l.From != now {
		return ""
	}
	return l.To
}

// View is what of the board is looked at.
type View struct {
	Question int        // of the histogram
	Leap     Leap       // that a second press makes, though answers that it ends are out
	Sure     string     // the question whose answers are shown on a second press, though not all have answered
	Tries    bool       // what was changed is shown
	Tables   [2]bool    // of answers and of submissions, beside the pictures
	Sheet    string     // the dialog that is open
	Filter   string     // of the sentences
	Rule     class.Rule // by which work becomes points
	Hidden   []string   // sentences that are not to be seen
	Typed    *string    // as the list of tags, nil = nothing since it was set
	Faults   []string   // of what was typed, which was not taken
	// Assistant is the assistants' key that has just been made, "" = it is not shown any longer.
	Assistant string
	Names     bool         // are in what is handed out
	Here      bool         // the wall stands in place of a board that is made from files
	Walled    []class.Wall // what stood on the walls before, the latest last
	Pick      [2]int64     // submissions to be laid side by side, 0 = none is chosen
	Pair      []Pair       // them, run
	Pass      *class.Pass
	For       int   // the student of the pass
	Closes    int64 // closing time that is being chosen for a homework, Unix ms; 0 = none
	Since     int64 // moment of which all who joined then or later are to be removed, Unix ms; 0 = none is chosen
}

// Pair is one of two submissions that are laid side by side.
type Pair struct {
	Edits []class.Edit
	Link  string
	Lanes []*run.Lane
}

// pendingRun is what a run is for: the assignment's own scenario, a submission to be verified, or one to be shown.
type pendingRun struct {
	seq   int64
	show  bool
	wall  []class.Edit // on the wall, nil = not there
	draft *Draft
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

// ReadClock sends an action with this page's clock in some ms.
type ReadClock struct{ Ms int }

// KeyName is where this browser keeps a key of a class: the assistants' never takes the place of the teacher's.
func KeyName(code, key string) string {
	if strings.HasPrefix(key, class.AssistantKey) {
		return "hadarlab.board.assistant." + code
	}
	return "hadarlab.board." + code
}

// KeepKey keeps the key of a board in this browser and takes it out of the address. KeyStays follows where the browser
// keeps nothing.
type KeepKey struct{ Code, Key string }

// KeyStays says that the address goes on holding the key.
type KeyStays struct{}

func (KeyStays) on(m *Model) []room.Effect {
	m.KeyStays = true
	return nil
}

// LeaveBoard goes back to the lab. A class is opened anew when the reader comes back to it; files stay as they are.
type LeaveBoard struct{}

func (LeaveBoard) on(m *Model) []room.Effect {
	m.Room = room.Lab
	if b := m.Class; b != nil && !b.Local() {
		m.Pages = Pages{}
	}
	return []room.Effect{room.Follow{}, room.Measure{}}
}

// ServerMS is the server's clock, as far as this page knows it.
func (t *Pages) ServerMS() int64 { return t.ClockMS + t.Behind }

// Lost says that the server has not been reached for a while.
func (t *Pages) Lost() bool {
	if t.LostMS == 0 {
		return false
	}
	patient := int64(patience)
	if t.Class != nil {
		patient = max(patient, 2*int64(t.Class.State.PollMS))
	}
	return t.ClockMS-t.LostMS > patient || t.ClockMS < t.LostMS // the clock went back
}

// enter goes to the page that begins a class, or to a board: of a class with its code, or of files.
func (m *Model) enter(a room.Enter) []room.Effect {
	m.Announcement = ""
	if a.Room == room.Teach {
		m.Pages = Pages{Draft: m.Draft, Dropped: m.Dropped}
		m.takeUp(a.Kept)
		m.Announcement = words.T("Start a class")
		return append(m.Need(), room.Follow{})
	}
	if packed, ok := strings.CutPrefix(a.Arg, class.LinkHandIn+"="); ok {
		if m.Class == nil || !m.Class.Local() {
			m.openBoard(teach.NewLocal(nil))
		}
		return append(BoardFile{Text: class.LinkHandIn + "=" + packed}.on(m), room.SetAddress{Path: "/#board"})
	}
	code, key, named := strings.Cut(a.Arg, ".")
	if code == "" || code == "board" {
		if b := m.Class; b == nil || !b.Local() {
			m.openBoard(teach.NewLocal(nil))
		}
		return []room.Effect{room.Follow{}}
	}
	if key == "" {
		key = a.Kept
	}
	if b := m.Class; b != nil && b.Code == code && b.Key == key {
		return nil
	}
	m.openBoard(&teach.Board{Code: code, Key: key})
	effects := []room.Effect{ReadClock{0}, m.getAssignment(), m.getBoard(),
		room.Follow{Path: classPath(code), Then: func(status int, body []byte) room.Action {
			return classNews{code, status, body}
		}}}
	if named { // the key is no part of an address that somebody may see
		effects = append(effects, KeepKey{code, key})
	}
	return effects
}

func (m *Model) openBoard(b *teach.Board) {
	m.Pages = Pages{Class: b, View: View{Names: true, Rule: class.UsualRule}}
	m.Room = room.Board
}

func classPath(code string) string { return "/api/v1/classes/" + code }

// callClass asks the server about the class of the board.
func (m *Model) callClass(method, path string, body any, then func(status int, body []byte) action) room.Effect {
	b := m.Class
	var data []byte
	if body != nil {
		data, _ = json.Marshal(body) // settings and verdicts always encode
	}
	return room.Call{Method: method, Path: classPath(b.Code) + path, Token: b.Key, Body: data,
		Then: func(status int, answer []byte) room.Action { return forBoard{b.Code, then(status, answer)} }}
}

// forBoard is an answer about a class, which may not be the board's any longer.
type forBoard struct {
	code   string
	action action
}

func (a forBoard) on(m *Model) []room.Effect {
	if b := m.Class; b == nil || b.Code != a.code || m.Room != room.Board && m.Room != room.Wall {
		return nil
	}
	return a.action.on(m)
}

func (m *Model) getAssignment() room.Effect {
	return m.callClass("GET", "/assignment", nil, func(status int, body []byte) action {
		return gotAssignment{status, body}
	})
}

// getBoard asks what has changed.
func (m *Model) getBoard() room.Effect {
	m.getting, m.again = true, false
	m.asks++
	if m.Room == room.Wall {
		return m.callClass("GET", "/wall", nil, func(status int, body []byte) action { return gotScene{status, body} })
	}
	return m.callClass("GET", "/board?after="+figure.Int(m.Class.State.Seq), nil,
		func(status int, body []byte) action { return gotBoard{status, body} })
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
	// ClockRead says what this page's clock says.
	ClockRead struct{ Ms int64 }
)

func (a classNews) on(m *Model) []room.Effect {
	if m.Class == nil || m.Class.Code != a.code || m.Over {
		return nil
	}
	switch {
	case a.status == 0:
		m.lose()
	case a.status != 200:
		return m.refused(a.status, a.body)
	default:
		m.LostMS = 0
		var of class.State
		if json.Unmarshal(a.body, &of) != nil {
			return nil
		}
		m.keepTime(of.NowMS)
		if m.getting {
			m.again = true
			return nil
		}
		if of.Seq != m.Class.State.Seq || of.Phase != m.Class.State.Phase || of.EndsMS != m.Class.State.EndsMS {
			return []room.Effect{m.getBoard()}
		}
		return m.hearLarger(of.LargerRun)
	}
	return nil
}

func (t *Pages) lose() {
	if t.LostMS == 0 {
		t.LostMS = max(t.ClockMS, 1)
	}
}

// keepTime learns the server's clock. A page's clock that has not been read for a while would put it too late; by more
// than a minute, one of the two has jumped.
func (m *Model) keepTime(serverMS int64) {
	if m.ClockMS == 0 || serverMS == 0 {
		return
	}
	const jump = 60_000
	if behind := serverMS - m.ClockMS; m.Behind == 0 || behind < m.Behind || behind > m.Behind+jump {
		m.Behind = behind
	}
}

// refused says why the server gives nothing of the class.
func (m *Model) refused(status int, body []byte) []room.Effect {
	m.Problem = room.Refusal(status, body)
	switch status {
	case 401, 403:
		if m.Class.Assists() {
			break // the server says what assistants may
		}
		m.Problem = words.T("This browser does not have the key of this class. Open the board by the address that you were given.")
	case 404, 410:
		m.Over = true
		m.Problem = words.T("There is no class with this code on this server. It may have been deleted.")
		return []room.Effect{room.Follow{}}
	}
	m.Announcement = m.Problem
	return nil
}

func (a gotAssignment) on(m *Model) []room.Effect {
	if room.Unreached(a.status) {
		return m.askLater(a.status, a.body, askAssignment{})
	}
	if a.status != 200 {
		return m.refused(a.status, a.body)
	}
	m.LostMS = 0
	read := class.Parse
	if m.Room == room.Wall { // it has no more than students see
		read = class.ParseShown
	}
	of, diags := read(a.body)
	if of == nil { // without the key it is what students see, and why there is no board has been said
		m.Problem = cmp.Or(m.Problem, diags.Errors()[0].Message.In(words.Now()))
		return nil
	}
	m.Problem = ""
	return m.handed(m.Class.Hand(of))
}

type (
	askAssignment struct{}
	// askBoard asks what has changed, unless something has asked since so many times.
	askBoard struct{ asks int }
)

func (askAssignment) on(m *Model) []room.Effect { return []room.Effect{m.getAssignment()} }

func (a askBoard) on(m *Model) []room.Effect {
	if m.asks != a.asks {
		return nil
	}
	return []room.Effect{m.getBoard()}
}

// askLater asks again what was not answered. The stream may have no more news for long, so nobody waits for it.
func (m *Model) askLater(status int, body []byte, ask action) []room.Effect {
	var effects []room.Effect
	if status == 0 {
		m.lose()
	} else {
		effects = m.refused(status, body)
	}
	return append(effects, room.After{Ms: askAfter, Action: forBoard{m.Class.Code, ask}})
}

// handed is a board that may have got its assignment.
func (m *Model) handed(b *teach.Board) []room.Effect {
	m.Class = b
	return m.work()
}

// heard reads what the server has of the class; where it is nothing, effects are what is to be done about that.
func (m *Model) heard(status int, body []byte, into any, now *int64) (effects []room.Effect, ok bool) {
	m.getting = false
	switch {
	case room.Unreached(status):
		return m.askLater(status, body, askBoard{m.asks}), false
	case status != 200:
		return m.refused(status, body), false
	case json.Unmarshal(body, into) != nil:
		return nil, false
	}
	m.LostMS, m.Problem = 0, ""
	m.keepTime(*now)
	return nil, true
}

func (a gotBoard) on(m *Model) []room.Effect {
	u := &class.Update{}
	if effects, ok := m.heard(a.status, a.body, u, &u.State.NowMS); !ok {
		return effects
	}
	was := m.Class.State.Phase
	m.Class = m.Class.Take(u)
	if was != "" && was != u.State.Phase {
		m.Announcement = words.F("The class is at: {0}.", teach.PhaseTitle(u.State.Phase))
	}
	effects := append(m.work(), m.getLarger()...)
	if m.again {
		effects = append(effects, m.getBoard())
	}
	return effects
}

func (a ClockRead) on(m *Model) []room.Effect {
	m.ClockMS = a.Ms
	b := m.Class
	if b == nil || m.Over || m.Room != room.Wall && (m.Room != room.Board || b.Local() && !m.Here) {
		return nil
	}
	if m.Walls() {
		return []room.Effect{ReadClock{boardSecond}}
	}
	if n := b.State.Counts; n != m.told && a.Ms-m.toldMS > sayEvery { // a reader who hears it is not told every one
		m.told, m.toldMS = n, a.Ms
		m.Announcement = CountWords(n)
	}
	return []room.Effect{ReadClock{boardSecond}}
}

// CountWords are the counts of a class in words.
func CountWords(n class.Counts) string {
	return words.F("{0} joined, {1} answered, {2} submitted.", itoa(n.Joined), itoa(n.Committed),
		itoa(n.Submitted))
}

// work asks the engine for the next run that the board needs: the assignment's own scenario, two submissions to
// be shown, or one to be verified where the server does not.
func (m *Model) work() []room.Effect {
	b := m.Class
	if b == nil || b.Assignment == nil || m.Engine != room.EngineReady || m.asked != 0 {
		return nil
	}
	if b.Base == nil {
		return m.runFor(pendingRun{doc: b.Assignment.Document()})
	}
	if len(m.pending) > 0 {
		next := m.pending[0]
		m.pending = m.pending[1:]
		return m.runFor(next)
	}
	if m.Walls() {
		if effects := m.stage(); len(effects) > 0 || m.Room == room.Wall {
			return effects
		}
	}
	e := b.Waiting()
	if e == nil {
		return nil
	}
	doc := b.Scenario(e, m.Defaults)
	switch {
	case e.Old(m.Boot.Engine, m.Defaults):
		return m.judged(e.Seq, class.Other, nil)
	case doc == nil:
		return m.judged(e.Seq, class.Differs, nil)
	}
	return m.runFor(pendingRun{seq: e.Seq, doc: doc})
}

func (m *Model) runFor(a pendingRun) []room.Effect {
	m.asked, m.lanes, m.runs = m.Seq(), nil, nil
	m.pending = append([]pendingRun{a}, m.pending...)
	r := run.New(m.asked, a.doc, a.doc.Marshal(false))
	return []room.Effect{room.Ask{Request: &message.Message{ID: m.asked, Run: r.Request()}}}
}

// EngineReady asks the engine for what is still to be run.
func (m *Model) EngineReady() []room.Effect { return m.work() }

// EngineDied gives up the run that the engine was asked for. What is still to be verified is asked for again.
func (m *Model) EngineDied() {
	if m.asked != 0 {
		m.asked, m.lanes, m.runs, m.pending = 0, nil, nil, m.pending[1:]
	}
	m.Stage.asked = 0
}

// Answered takes an answer of the engine's; false where it is to somebody else.
func (m *Model) Answered(answer *message.Message) ([]room.Effect, bool) {
	if m.Stage.told(answer) {
		return m.work(), true
	}
	if answer.ID == 0 || answer.ID != m.asked {
		return nil, false
	}
	return m.answered(answer), true
}

// answered takes an answer to a run of the board.
func (m *Model) answered(answer *message.Message) []room.Effect {
	now := m.pending[0]
	switch {
	case answer.Lane != nil:
		m.lanes = append(m.lanes, *answer.Lane)
		if now.show || now.wall != nil || now.seq == 0 && now.draft == nil {
			l := &run.Lane{Title: m.Boot.WholeTitle(answer.Lane.Policy)}
			if l.Read(answer.Lane, answer.Body) {
				m.runs = append(m.runs, l)
			}
		}
		return nil
	case answer.Failure != nil && answer.Failure.Lane >= 0, answer.Progress != nil:
		return nil // the other lanes go on
	case answer.Failure == nil && !answer.Finished:
		return nil
	}
	m.asked, m.pending = 0, m.pending[1:]
	switch {
	case now.draft != nil:
		m.draftRan(now.draft)
	case now.show:
		m.Pair = append(m.Pair, Pair{Edits: m.Class.Assignment.Edits(now.doc, m.Defaults),
			Link: "/#" + link.Encode(now.doc, m.Defaults), Lanes: m.runs})
	case now.wall != nil:
		m.Stage.Change, m.Stage.Changed = now.wall, m.resultOf(now.doc, m.runs)
	case now.seq == 0:
		m.Class = m.Class.Ran(m.lanes)
		m.Stage.Base, m.Stage.SinceMS = m.resultOf(now.doc, m.runs), m.ClockMS
	default:
		verdict, lanes := class.Differs, class.LanesOf(m.lanes)
		if e := m.Class.Entry(now.seq); e != nil {
			verdict = class.Verify(&e.Body, m.Boot.Engine, lanes)
		}
		return m.judged(now.seq, verdict, lanes)
	}
	return m.work()
}

// judged notes a verdict, here and on the server.
func (m *Model) judged(seq int64, verdict string, lanes []class.Lane) []room.Effect {
	m.Class = m.Class.Judge(seq, verdict, lanes)
	var effects []room.Effect
	if !m.Class.Local() {
		effects = append(effects, m.callClass("PUT", "/verdicts/"+figure.Int(seq), struct {
			Verdict string       `json:"verdict"`
			Lanes   []class.Lane `json:"lanes"`
		}{verdict, lanes}, func(int, []byte) action { return boardNews{} }))
	}
	return append(effects, m.work()...)
}

// boardNews asks what has changed.
type boardNews struct{}

func (boardNews) on(m *Model) []room.Effect {
	if m.getting {
		m.again = true
		return nil
	}
	return []room.Effect{m.getBoard()}
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
	// GoTo goes to a phase of the plan. While answers that this ends are out it is to be done twice.
	GoTo struct{ class.Phase }
	// changed goes on after the server has changed the class, or says why it has not.
	changed struct {
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
	// OpenSheet opens a dialog, or with no name closes the one that is open.
	OpenSheet struct{ Name string }
	// FilterSentences shows only the sentences with a word.
	FilterSentences struct{ Text string }
	// HideSentence takes a sentence out of the list of them; without one it brings all back.
	HideSentence struct{ Text string }
	// NamesOut says whether given names are in what is handed out.
	NamesOut struct{ On bool }
	// PickSubmission chooses one of the two that are laid side by side.
	PickSubmission struct {
		Place int
		Seq   int64
	}
	// SetRule chooses by which rule work becomes points.
	SetRule struct{ class.Rule }
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
	// ExportClass hands out a file: students, attempts, moves, grades in a form, the record, or a report to print.
	ExportClass struct{ What string }
)

func (a StartClass) on(m *Model) []room.Effect {
	if m.Starting != "" {
		return nil
	}
	return m.startClass(a.ID, m.request(a.ID))
}

func (StartAgain) on(m *Model) []room.Effect {
	b := m.Class
	if m.Starting != "" || b == nil || b.Assignment == nil {
		return nil
	}
	return m.startClass(b.Assignment.ID, m.request(b.Assignment))
}

// startClass asks the server to begin a class.
func (m *Model) startClass(id string, body []byte) []room.Effect {
	m.Starting, m.Problem, m.Start = id, "", nil
	return []room.Effect{room.Call{Method: "POST", Path: "/api/v1/classes", Body: body,
		Then: func(status int, body []byte) room.Action { return started{status, body} }}}
}

func (a started) on(m *Model) []room.Effect {
	m.Starting = ""
	var c class.Created
	if a.status != 201 && a.status != 200 || json.Unmarshal(a.body, &c) != nil || c.Code == "" {
		m.NoServer = a.status == 0 || a.status == 404 || a.status == 405 || a.status == 501
		m.Problem = room.Refusal(a.status, a.body)
		if m.NoServer {
			m.Problem = words.T("This server takes no classes. Hand out the link of the assignment instead; below it says how.")
		}
		m.Announcement = m.Problem
		return nil
	}
	m.Room = room.Board
	at := room.SetAddress{Path: "/#board=" + c.Code + "." + c.Key, Push: true}
	return append([]room.Effect{at}, m.enter(room.Enter{Room: room.Board, Arg: c.Code + "." + c.Key})...)
}

func (a SetClass) on(m *Model) []room.Effect {
	if m.Class.Local() {
		return nil
	}
	return []room.Effect{m.callClass("PATCH", "", a.Settings, func(status int, body []byte) action {
		return changed{status, body}
	})}
}

func (a GoTo) on(m *Model) []room.Effect {
	now := m.Class.State.Phase
	if out := m.Class.Out(a.Phase); out > 0 && m.Leap.Sure(now) != a.Phase {
		m.Leap, m.Announcement = Leap{now, a.Phase}, teach.OutSays(out)
		return nil
	}
	m.Leap = Leap{}
	return SetClass{class.Settings{Phase: &a.Phase}}.on(m)
}

func (a changed) on(m *Model) []room.Effect {
	if m.Problem = ""; a.status == 0 {
		m.lose()
		m.Problem = words.T("The server was not reached; nothing was changed. Try again.")
		m.Announcement = m.Problem
		return nil
	}
	if a.status >= 300 {
		return m.refused(a.status, a.body)
	}
	return boardNews{}.on(m)
}

func (a RevealAnswers) on(m *Model) []room.Effect {
	b := m.Class
	if m.Sure != a.Question && a.On && b.Early() {
		m.Sure, m.Announcement = a.Question, words.T("Not all have answered. Press again to reveal.")
		return nil
	}
	m.Sure = ""
	list := b.Reveal(a.Question, a.On)
	if b.Local() {
		m.Class = b.Show(list)
		return nil
	}
	return SetClass{class.Settings{Revealed: &list}}.on(m)
}

func (a ShowQuestion) on(m *Model) []room.Effect    { m.Question = a.At; return nil }
func (ToggleTries) on(m *Model) []room.Effect       { m.Tries = !m.Tries; return nil }
func (a FilterSentences) on(m *Model) []room.Effect { m.Filter = a.Text; return nil }

func (a HideSentence) on(m *Model) []room.Effect {
	if m.Hidden = append(slices.Clip(m.Hidden), a.Text); a.Text == "" {
		m.Hidden = nil
	}
	return nil
}

func (a SetRule) on(m *Model) []room.Effect     { m.Rule = a.Rule; return nil }
func (a NamesOut) on(m *Model) []room.Effect    { m.Names = a.On; return nil }
func (a ChooseSince) on(m *Model) []room.Effect { m.Since = a.Ms; return nil }
func (KeepSince) on(m *Model) []room.Effect     { m.Sheet, m.Since = "students", 0; return nil }

func (a ToggleTwin) on(m *Model) []room.Effect {
	m.Tables[a.Which] = !m.Tables[a.Which]
	return nil
}

func (a PickSubmission) on(m *Model) []room.Effect {
	m.Pick[a.Place] = a.Seq
	return nil
}

func (a OpenSheet) on(m *Model) []room.Effect {
	if m.Sheet = a.Name; a.Name == "" {
		m.Pass, m.Faults, m.Typed, m.Assistant = nil, nil, nil, ""
	}
	m.Closes = m.suggests()
	return nil
}

func (a RemoveStudent) on(m *Model) []room.Effect {
	b := m.Class
	if b.Local() {
		m.Class = b.Remove(a.N)
		return nil
	}
	return []room.Effect{m.callClass("DELETE", "/students/"+itoa(a.N), nil,
		func(status int, body []byte) action { return changed{status, body} })}
}

func (RemoveSince) on(m *Model) []room.Effect {
	if m.Since == 0 || m.Class.Local() {
		return nil
	}
	since := m.Since
	m.Since, m.Sheet = 0, "students"
	return []room.Effect{m.callClass("DELETE", "/students?since="+strconv.FormatInt(since, 10), nil,
		func(status int, body []byte) action { return removedSince{status, body} })}
}

func (a removedSince) on(m *Model) []room.Effect {
	var n struct{ Removed int }
	if a.status == 200 && json.Unmarshal(a.body, &n) == nil {
		m.Announcement = words.F("Removed: {0}.", words.Plural(n.Removed, "student"))
	}
	return changed{a.status, a.body}.on(m)
}

func (a GivePass) on(m *Model) []room.Effect {
	return []room.Effect{m.callClass("POST", "/students/"+itoa(a.N)+"/pass", nil,
		func(status int, body []byte) action { return gavePass{a.N, status, body} })}
}

func (a gavePass) on(m *Model) []room.Effect {
	p := &class.Pass{}
	if (a.status == 200 || a.status == 201) && json.Unmarshal(a.body, p) == nil && p.Code != "" {
		m.Pass, m.For = p, a.n
		m.Announcement = words.F("One-time code: {0}", p.Code)
		return nil
	}
	return changed{a.status, a.body}.on(m)
}

func (DeleteClass) on(m *Model) []room.Effect {
	if m.Class.Local() {
		m.openBoard(teach.NewLocal(nil))
		return nil
	}
	return []room.Effect{m.callClass("DELETE", "", nil, func(status int, body []byte) action {
		return deleted{status, body}
	})}
}

func (a deleted) on(m *Model) []room.Effect {
	if a.status == 0 || a.status >= 300 && a.status != 404 {
		return changed{a.status, a.body}.on(m)
	}
	code := m.Class.Code
	m.Pages = Pages{Over: true, Class: &teach.Board{Code: code},
		Problem: words.T("The class and everything in it is deleted.")}
	m.Announcement = m.Problem
	return []room.Effect{room.Follow{}, room.Store{Name: KeyName(code, ""), Text: ""}}
}

func (LayTogether) on(m *Model) []room.Effect {
	m.Pair, m.Sheet = nil, "pair"
	m.pending = slices.DeleteFunc(m.pending, func(a pendingRun) bool { return a.show && m.asked == 0 })
	for _, seq := range m.Pick {
		if e := m.Class.Entry(seq); e != nil {
			if doc, ok := m.Class.Assignment.Made(&e.Body); ok {
				m.pending = append(m.pending, pendingRun{seq: seq, show: true, doc: doc})
			}
		}
	}
	return m.work()
}

// Taught reads the files that have waited for the assignments that come with the page.
func Taught(m *Model) (effects []room.Effect) {
	unread := m.unread
	m.unread = nil
	if m.Teaching == nil && len(unread) > 0 {
		m.Announcement = words.T("The files were not read, since the assignments could not be loaded. Hand them in again.")
		m.Notes = append([]string{m.Announcement}, m.Notes...)
		return nil
	}
	for _, file := range unread {
		effects = append(effects, file.on(m)...)
	}
	return effects
}

func (a BoardFile) on(m *Model) []room.Effect {
	if m.Room == room.Teach {
		return m.openDraft(a.Text)
	}
	if m.Class == nil || !m.Class.Local() {
		return nil // a class on a server takes work from its students only
	}
	if m.Teaching == nil { // it may be work on an assignment of ours
		m.unread = append(m.unread, a)
		return m.Need()
	}
	data := []byte(a.Text)
	if teach.Kind(data) == "" {
		packed, diags := link.Unpack(a.Text, class.MaxBytes, class.LinkHandIn, class.LinkAssignment, class.LinkJoin)
		if data = packed; diags.HasErrors() {
			data = nil
		}
	}
	known := func(id string) *class.Assignment {
		for _, k := range m.Shipped() {
			if k.ContentID() == id {
				return k
			}
		}
		return nil
	}
	b, says, bad := m.Class.Open(data, known, m.Boot.Engine, m.Defaults)
	if bad {
		if a.Name == "" {
			a.Name = words.T("What was pasted")
		}
		says = words.F("{0}: {1}", a.Name, says)
	}
	m.Notes = append([]string{says}, m.Notes...)
	m.Announcement = says
	return m.handed(b)
}

// Recorded is nothing: they are texts of students.
func (BoardFile) Recorded() any  { return nil }
func (BoardPaste) Recorded() any { return nil }

func (a BoardPaste) on(m *Model) (effects []room.Effect) {
	for _, piece := range teach.Pasted(a.Text) {
		effects = append(effects, BoardFile{Text: piece}.on(m)...)
	}
	return effects
}

func (a ExportClass) on(m *Model) []room.Effect {
	r := m.Class.Record(m.Boot.Engine, m.Defaults, m.Names)
	name := "hadarlab-class-" + cmp.Or(m.Class.Code, m.Class.Assignment.ID) + "-" + a.What
	switch a.What {
	case "students":
		return []room.Effect{room.Download{Name: name + ".csv", Type: "text/csv", Data: r.StudentsCSV(m.Names, clock)}}
	case "attempts":
		return []room.Effect{room.Download{Name: name + ".csv", Type: "text/csv", Data: r.AttemptsCSV(m.Names, clock)}}
	case "moves":
		return []room.Effect{room.Download{Name: name + ".csv", Type: "text/csv", Data: r.MovesCSV()}}
	case "grades":
		return []room.Effect{room.Download{Name: name + ".csv", Type: "text/csv", Data: r.GradesCSV(m.Rule, m.Names)}}
	case "grades-moodle", "grades-canvas": // by tag alone
		named := m.Class.Record(m.Boot.Engine, m.Defaults, true)
		book := class.NewGradebook(m.Rule, []*class.Record{named})
		return []room.Effect{room.Download{Name: name + ".csv", Type: "text/csv",
			Data: book.CSV(strings.TrimPrefix(a.What, "grades-"))}}
	case "print":
		return []room.Effect{room.PrintPage{}}
	}
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return nil // what was read encodes
	}
	return []room.Effect{room.Download{Name: name + ".json", Type: "application/json", Data: data}}
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
