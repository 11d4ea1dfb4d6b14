// Package student is a student's way through a class: the class that the address names, what the student hands in, and
// what of its scenario may be changed. The scenario itself is worked on in the lab, which it knows as a Desk only.
//
// Flow: what the browser keeps → /me and the assignment → its scenario in the lab → answers beside what is right, the
// sentence, the second vote, the task → entries on the server.
package student

import (
	"encoding/json"
	"slices"
	"strings"

	"hadarlab/app/class"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	course "hadarlab/core/class"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// Names under which the browser keeps who a student is in a class, as the page writes it in which one joins, a place in
// an assignment without a server, and what is not handed in yet.
const (
	className  = "hadarlab.class"
	aloneName  = "hadarlab.assign"
	DraftsName = "hadarlab.class.lab"
)

// Name is the name under which the browser keeps who a student is, by what the address says of the class.
func Name(arg string) string {
	if strings.HasPrefix(arg, course.LinkAssignment+"=") {
		return aloneName
	}
	return className
}

// Visit leaves for another page.
type Visit struct{ Address string }

// Model is a student's way through a class. The student is nil outside one.
type Model struct {
	*room.Shared
	*class.Student
	desk  Desk
	truth *run.Result // of the class's own scenario, that is being computed, nil = none
	lanes []message.Lane
	bell  int64 // a homework opens or closes then, and this page asks for it; 0 = it does not
}

// Desk is what a student works at: the lab, as far as a class has to do with it.
type Desk interface {
	// Work is what stands there.
	Work() Work
	// Base is what that was made from.
	Base() *scenario.Document
	// Open puts a scenario there.
	Open(Sheet) []room.Effect
	// Came says that the browser has come to the class, with the opening that it remembers; again, that it was there.
	Came(opening int, again bool) []room.Effect
}

// Work is what stands on a desk.
type Work struct {
	Doc     *scenario.Document
	Lanes   []*run.Lane // of the result
	Faults  int         // things that keep it from being run
	Ran     bool        // the result is of it, and nothing is being run
	Resumed bool        // the page went on with what this tab had
	First   bool        // nothing but what the page began with has stood there
	Opening int         // that the browser remembers
}

// Sheet is a scenario for a desk.
type Sheet struct {
	Doc             *scenario.Document
	Sentence, Toast string
	Begins          bool // with the class, at whose address the browser stands
	Alone           bool // nothing was there before
}

// New is nobody, who will work at a desk.
func New(shared *room.Shared, desk Desk) Model { return Model{Shared: shared, desk: desk} }

type action interface{ on(m *Model) []room.Effect }

// Reduce applies an action of a student's.
func (m *Model) Reduce(a room.Action) ([]room.Effect, bool) {
	if to, ok := a.(room.Enter); ok && to.Room == room.Student {
		return m.enter(to), true
	}
	own, ok := a.(action)
	if !ok {
		return nil, false
	}
	return own.on(m), true
}

// enter goes to a class as a student. Who is not in it yet joins first.
func (m *Model) enter(a room.Enter) []room.Effect {
	packed, alone := strings.CutPrefix(a.Arg, course.LinkAssignment+"=")
	packed, _, _ = strings.Cut(packed, "&")
	code := course.FoldCode(a.Arg)
	if code = code[:min(8, len(code))]; alone {
		code = ""
	} else {
		packed = ""
	}
	st := class.NewStudent(code, packed, a.Kept)
	if st == nil {
		st = &class.Student{Code: code, Packed: packed}
		return []room.Effect{Visit{st.JoinAddress()}}
	}
	if m.Room = room.Student; m.Student != nil && m.Key() == st.Key() {
		return m.desk.Came(a.Opening, true)
	}
	m.desk.Came(a.Opening, false)
	m.Student, m.truth, m.bell = st, nil, 0
	var d class.Drafts
	if json.Unmarshal([]byte(a.Drafts), &d) == nil && d.Of == st.Key() {
		st.Drafts = d
	}
	if !st.Alone() {
		return []room.Effect{m.me(0), room.Follow{Path: st.Path(), Then: func(status int, body []byte) room.Action {
			return classHeard{st, status, body}
		}}}
	}
	doc, diags := link.Unpack(packed, course.MaxBytes)
	if diags == nil {
		st.Assignment, diags = course.Parse(doc)
	}
	if st.Assignment == nil {
		st.Over = words.T("This assignment cannot be read.")
		return m.Notify(room.Notice{Title: st.Over, Diags: diags})
	}
	return m.begin(a.Start)
}

// begin opens the class's scenario, unless this tab stands at it or at what it was changed to.
func (m *Model) begin(start bool) []room.Effect {
	if m.away() {
		return []room.Effect{Visit{m.JoinAddress()}}
	}
	effects := m.EngineReady()
	doc, work := m.Assignment.Document(), m.desk.Work()
	if base := m.desk.Base(); work.Resumed && base != nil && base.ID(m.Defaults) == doc.ID(m.Defaults) {
		return effects
	}
	return append(effects, m.desk.Open(Sheet{Doc: doc, Sentence: words.T("Opened the class’s scenario"), Begins: true,
		Alone: start && !work.Resumed})...)
}

// away says that this is not the student's place now: one predicts first, and the lab may be shut until the run.
func (m *Model) away() bool { return m.Entry(course.Answers) == nil || m.State.Shut() }

// EngineReady runs the assignment's own scenario, by itself: what stands in the lab may be changed. What is right is
// nobody's before it is told.
func (m *Model) EngineReady() []room.Effect {
	if m.Student == nil || m.Assignment == nil || !m.Told() || m.Truth != nil || m.truth != nil ||
		m.Engine != room.EngineReady {
		return nil
	}
	doc := m.Assignment.Document()
	m.truth = run.New(m.Seq(), doc, doc.Marshal(false))
	return []room.Effect{room.Ask{Request: &message.Message{ID: m.truth.ID, Run: m.truth.Request()}}}
}

// EngineDied forgets what the engine was asked for.
func (m *Model) EngineDied() { m.truth, m.lanes = nil, nil }

// Answered takes an answer of the engine's; false where it is to somebody else.
func (m *Model) Answered(answer *message.Message) bool {
	if m.truth == nil || answer.ID != m.truth.ID {
		return false
	}
	switch {
	case answer.Lane != nil:
		m.lanes = append(m.lanes, *answer.Lane)
	case answer.Finished:
		if m.Student != nil && m.Assignment != nil {
			m.Learn(m.lanes)
		}
		m.truth, m.lanes = nil, nil
	}
	return true
}

// Coming says that a class is being opened.
func (m *Model) Coming() bool {
	return m.Student != nil && m.Assignment == nil && m.Over == "" && !m.Lost
}

// call asks the class's server as this student.
func (m *Model) call(method, path string, body []byte, then func(answer classAnswer) room.Action) room.Effect {
	st := m.Student
	return room.Call{Method: method, Path: st.Path() + path, Token: st.Token, Body: body,
		Then: func(status int, body []byte) room.Action { return then(classAnswer{st, status, body, 0}) }}
}

// me asks for what the server has of this student, after so many tries in vain.
func (m *Model) me(tries int) room.Effect {
	had := m.Had
	return m.call("GET", "/me", nil, func(a classAnswer) room.Action {
		a.tries = tries
		return classMe{a, had}
	})
}

func (m *Model) fetchAssignment(tries int) room.Effect {
	told := m.Told()
	return m.call("GET", "/assignment", nil, func(a classAnswer) room.Action {
		a.tries = tries
		return classAssignment{a, told}
	})
}

// classAnswer is an answer of the server to a student.
type classAnswer struct {
	of     *class.Student
	status int
	body   []byte
	tries  int
}

// bad deals with an answer that is none, or a refusal, which ends the class here; false for one that is good.
func (a *classAnswer) bad(m *Model, again room.Action) ([]room.Effect, bool) {
	switch {
	case a.of != m.Student:
		return nil, true // the class was left
	case room.Unreached(a.status):
		m.setLost(true)
		return []room.Effect{room.After{Ms: room.Retry(a.tries), Action: again}}, true
	case a.status != 200:
		m.end(a.status, a.body)
		return nil, true
	}
	m.setLost(false)
	return nil, false
}

// What is asked again, after so many tries in vain, unless the class was left.
type (
	askMe struct {
		of    *class.Student
		tries int
	}
	askAssignment struct {
		of    *class.Student
		tries int
	}
	sendAgain struct{ of *class.Student }
)

func (a askMe) on(m *Model) []room.Effect {
	if a.of != m.Student {
		return nil
	}
	return []room.Effect{m.me(a.tries)}
}

func (a askAssignment) on(m *Model) []room.Effect {
	if a.of != m.Student {
		return nil
	}
	return []room.Effect{m.fetchAssignment(a.tries)}
}

func (a sendAgain) on(m *Model) []room.Effect {
	if a.of != m.Student {
		return nil
	}
	return m.sendEntry()
}

func (m *Model) setLost(lost bool) {
	if m.Lost == lost {
		return
	}
	if m.Lost = lost; lost {
		m.Announcement = words.T("The network is lost. What you have chosen is kept here and sent as soon as it is back.")
	}
}

// end says that the class does not go on here, and why.
func (m *Model) end(status int, body []byte) {
	switch status {
	case 404, 410:
		m.Over = words.T("There is no class with this code any more: it is over, or was deleted.")
	case 401, 403:
		m.Over = words.T("This device is no longer in the class: you were taken out, or went on with another device.")
	default:
		m.Over = room.Refusal(status, body)
	}
	m.Lost, m.Sending, m.Announcement = false, nil, m.Over
}

type (
	classMe struct {
		classAnswer
		had int // what it was asked with
	}
	classAssignment struct {
		classAnswer
		told bool // what is right, when it was asked for
	}
)

func (a classMe) on(m *Model) []room.Effect {
	if effects, bad := a.bad(m, askMe{a.of, a.tries + 1}); bad {
		return effects
	}
	st := m.Student
	if a.had != st.Had { // it may be from before the server had the latest
		return []room.Effect{m.me(a.tries)}
	}
	var me course.Me
	if json.Unmarshal(a.body, &me) != nil {
		m.end(a.status, nil)
		return nil
	}
	st.Me, st.Entries, st.Tallies = me.Student, me.Entries, me.Tallies
	effects := m.follow(me.State)
	switch {
	case m.away():
		return []room.Effect{Visit{st.JoinAddress()}}
	case st.Assignment == nil && a.tries >= 0:
		return append(effects, m.fetchAssignment(0))
	case st.Rests(): // it is being verified; a slower and slower look keeps a whole class from asking at once
		effects = append(effects, m.lookLater(a.tries))
	}
	return effects
}

// lookLater looks once more whether the latest submission is verified.
func (m *Model) lookLater(tries int) room.Effect {
	return room.After{Ms: room.Retry(tries + 1), Action: askMe{m.Student, tries + 1}}
}

func (a classAssignment) on(m *Model) []room.Effect {
	if effects, bad := a.bad(m, askAssignment{a.of, a.tries + 1}); bad {
		return effects
	}
	st := m.Student
	parsed, diags := course.ParseShown(a.body)
	if parsed == nil {
		st.Over = words.T("This assignment cannot be read.")
		return m.Notify(room.Notice{Title: st.Over, Diags: diags})
	}
	if !a.told && m.Told() { // it has been told meanwhile
		return []room.Effect{m.fetchAssignment(0)}
	}
	here := st.Assignment != nil
	if st.Assignment = parsed; here { // with what is right, of the scenario that stands there
		return m.EngineReady()
	}
	effects := m.begin(m.desk.Work().First)
	if st.Rests() {
		effects = append(effects, m.lookLater(0))
	}
	return effects
}

// classHeard is news of the class.
type classHeard struct {
	of     *class.Student
	status int
	body   []byte
}

func (a classHeard) on(m *Model) []room.Effect {
	st := m.Student
	var news course.State
	switch {
	case a.of != st:
		return nil
	case a.status == 0:
		m.setLost(true)
		return nil
	case a.status != 200:
		m.end(a.status, a.body)
		return nil
	case json.Unmarshal(a.body, &news) != nil:
		return nil
	}
	m.setLost(false)
	revealed, phase := st.State.Revealed, st.State.Phase
	effects := m.follow(news)
	if st.Assignment != nil && (!slices.Equal(revealed, news.Revealed) || phase != news.Phase && len(revealed) > 0) {
		effects = append(effects, room.After{Ms: st.Turn(), Action: askMe{st, 0}})
	}
	return effects
}

// follow takes the state of the class, and says which phase has begun.
func (m *Model) follow(news course.State) []room.Effect {
	st := m.Student
	was, told := st.State.Phase, m.Told()
	st.State = news
	if next := news.Next(news.NowMS); news.Phase == course.Homework && next != m.bell && next != 0 {
		m.bell = next
		return append(m.followed(was, told), room.After{Ms: int(min(next-news.NowMS, day)), Action: struck{st}})
	}
	return m.followed(was, told)
}

// day is how long a page waits at most before it asks when a homework closes, in ms: browsers count to 24 days.
const day = 24 * 60 * 60 * 1000

// struck asks for the class when a homework opens, or closes.
type struck struct{ of *class.Student }

func (a struck) on(m *Model) []room.Effect {
	if a.of != m.Student {
		return nil
	}
	m.bell = 0
	return []room.Effect{m.me(0)}
}

// followed says which phase has begun, in place of one that was, and fetches what is told now if it was not before.
func (m *Model) followed(was course.Phase, told bool) []room.Effect {
	st, news := m.Student, m.Student.State
	if was == "" || st.Assignment == nil {
		return nil
	}
	if m.away() {
		return []room.Effect{Visit{st.JoinAddress()}}
	}
	var effects []room.Effect
	if m.Told() && !told {
		effects = append(effects, m.fetchAssignment(0))
	}
	if was == news.Phase {
		return effects
	}
	says := class.PhaseSays(st.Assignment, news.Phase)
	if news.Homework() {
		says = st.HomeworkSays()
	} else if news.Phase != course.Closed {
		says = words.F("{0} has begun.", class.PhaseTitle(news.Phase)) + " " + says
	}
	m.Tell(says, false)
	m.Toast.Shows = room.PartStep
	return append(effects, m.DropLater(60_000)) // who reads on further down sees it late
}

// Says is what a student does now.
func (m *Model) Says() string {
	st := m.Student
	switch p := st.State.Phase; {
	case st.State.Homework():
		return st.HomeworkSays()
	case p == course.Lobby || p == course.Predict:
		return words.T("Your answer is in. It goes on when all have answered.")
	case p == course.Closed && st.Alone():
		return words.T("Now hand in.")
	default:
		return class.PhaseSays(st.Assignment, p)
	}
}

// What a student types and chooses in the strip.
type (
	// SetSentence is a keystroke in the sentence.
	SetSentence struct{ Text string }
	// SetVote chooses an option, or a confidence, in the second vote.
	SetVote struct {
		Question, Option string
		Sure             int
	}
	// HandIn hands in what is written or chosen: a sentence, a vote, or the scenario as it stands. At is now, in Unix
	// ms; where there is a server its clock counts.
	HandIn struct {
		Kind string
		At   int64
	}
	// SetTag takes the tag that goes into what is handed in, where the class has no server.
	SetTag struct{ Text string }
	// NextPhase goes on where the class has no server.
	NextPhase struct{}
	// RestartTask puts the class's scenario back.
	RestartTask struct{}
	// LeaveClass makes the lab a lab again, and forgets who the student is.
	LeaveClass struct{}
	// SaveClassReport and SaveHandIn hand out the student's own report, and the hand-in of a class without a server.
	SaveClassReport struct{}
	SaveHandIn      struct{}
)

// keepDrafts keeps what is typed until it is handed in.
func (m *Model) keepDrafts() []room.Effect {
	b, _ := json.Marshal(m.Student.Drafts) // plain texts
	return []room.Effect{room.Store{Name: DraftsName, Text: string(b)}}
}

func (m *Model) keepStudent() room.Effect {
	return room.Store{Name: aloneName, Text: string(m.Student.Kept())}
}

// Recorded is nothing: a tag is a student's.
func (SetTag) Recorded() any { return nil }

func (a SetTag) on(m *Model) []room.Effect {
	if !m.Student.Alone() {
		return nil
	}
	m.Student.Me.Tag, m.Student.Problem = "", ""
	if tag := strings.TrimSpace(a.Text); course.SoundTag(tag) {
		m.Student.Me.Tag = tag
	} else {
		m.Student.Problem = words.T("A tag has up to 40 letters, digits and signs. Shorten it, or leave it out.")
	}
	return []room.Effect{m.keepStudent()}
}

func (a SetSentence) on(m *Model) []room.Effect {
	m.Student.Sentence = a.Text
	return m.keepDrafts()
}

func (a SetVote) on(m *Model) []room.Effect {
	now := m.Student.Answer(a.Question)
	if a.Option != "" {
		now.Option = a.Option
	}
	if a.Sure > 0 {
		now.Sure = a.Sure
	}
	m.Student.SetVote(a.Question, now)
	return m.keepDrafts()
}

func (a HandIn) on(m *Model) []room.Effect {
	st := m.Student
	if st == nil || st.Assignment == nil || st.Sending != nil {
		return nil
	}
	h := course.Handed{Kind: a.Kind}
	switch a.Kind {
	case course.Sentence:
		st.Problem, h.Text = st.SentenceProblem(), strings.TrimSpace(st.Sentence)
	case course.Vote:
		st.Problem, h.Answers = st.VoteProblem(), st.Vote
	case course.Submission:
		edits, why := m.Task()
		work := m.desk.Work()
		st.Problem, h.Scenario = why, work.Doc.Marshal(false)
		h.ScenarioID, h.Engine, h.Changes = work.Doc.ID(m.Defaults), m.Boot.Engine, edits
		for _, l := range work.Lanes {
			h.Lanes = append(h.Lanes, course.LaneOf(&l.Meta))
		}
	}
	switch {
	case st.Problem != "":
		m.Announcement = st.Problem
		return nil
	case st.Alone():
		return m.handedIn(course.Entry{Student: 1, Kind: h.Kind, AtMS: a.At, Phase: st.State.Phase, Body: h.Body})
	}
	st.Sending = &class.Sending{Handed: h}
	return m.sendEntry()
}

// sendEntry sends what is on its way, once more if need be.
func (m *Model) sendEntry() []room.Effect {
	st := m.Student
	if st.Sending == nil {
		return nil
	}
	body, _ := json.Marshal(st.Sending.Handed) // plain texts and numbers
	return []room.Effect{m.call("POST", "/entries", body, func(a classAnswer) room.Action { return entryAnswered{a} })}
}

type entryAnswered struct{ classAnswer }

func (a entryAnswered) on(m *Model) []room.Effect {
	st := m.Student
	if a.of != st || st.Sending == nil {
		return nil
	}
	var e course.Entry
	switch {
	case room.Unreached(a.status):
		m.setLost(true)
		st.Sending.Tries++
		return []room.Effect{room.After{Ms: room.Retry(st.Sending.Tries), Action: sendAgain{st}}}
	case (a.status == 200 || a.status == 201) && json.Unmarshal(a.body, &e) == nil:
		m.setLost(false)
		return m.handedIn(e)
	case a.status == 401 || a.status == 403 || a.status == 404 || a.status == 410:
		m.end(a.status, a.body)
		return nil
	}
	m.setLost(false)
	st.Sending, st.Problem = nil, room.Refusal(a.status, a.body)
	m.Announcement = st.Problem
	return []room.Effect{m.me(0)} // an answer may have been lost on its way: what the server has counts
}

// handedIn takes up what was handed in, and forgets its draft.
func (m *Model) handedIn(e course.Entry) []room.Effect {
	st := m.Student
	st.Take(e)
	st.Had++
	st.Sending, st.Problem = nil, ""
	switch e.Kind {
	case course.Sentence:
		st.Sentence = ""
	case course.Vote:
		st.Vote = nil
	}
	m.Announcement = st.Receipt(&e)
	effects := m.keepDrafts()
	if st.Alone() {
		effects = append(effects, m.keepStudent())
	}
	if st.Rests() {
		effects = append(effects, m.lookLater(0))
	}
	return effects
}

func (NextPhase) on(m *Model) []room.Effect {
	st := m.Student
	st.State.Phase = st.Assignment.Next(st.State.Phase)
	m.Announcement = m.Says()
	return []room.Effect{m.keepStudent(), room.Focus{Part: room.PartStep}}
}

func (RestartTask) on(m *Model) []room.Effect {
	return m.desk.Open(Sheet{Doc: m.Assignment.Document(), Sentence: words.T("Started again from the class’s scenario"),
		Toast: words.T("The class’s scenario stands again.")})
}

func (LeaveClass) on(m *Model) []room.Effect {
	if m.Student == nil {
		return nil
	}
	name := className
	if m.Alone() {
		name = aloneName
	}
	m.Room, m.Student, m.truth, m.lanes = room.Lab, nil, nil, nil
	effects := []room.Effect{room.Follow{}, room.Store{Name: name}, room.Store{Name: DraftsName},
		room.SetAddress{Path: "/", Opening: m.desk.Work().Opening}}
	return append(effects, m.Tell(words.T("You have left the class. Your work stays in the lab."), false)...)
}

func (SaveClassReport) on(m *Model) []room.Effect {
	report := m.Student.Report(m.nameOf)
	return []room.Effect{room.Download{Name: m.FileName("report") + ".md", Type: "text/markdown", Data: []byte(report)}}
}

func (SaveHandIn) on(m *Model) []room.Effect {
	b, _ := json.MarshalIndent(m.HandIn(m.Boot.Engine), "", " ") // plain texts and numbers
	return []room.Effect{room.Download{Name: m.FileName("hand-in") + ".json", Type: "application/json",
		Data: append(b, '\n')}}
}

// HandInLink is the path and fragment that carries a student's work, done with an engine, to a teacher's board.
func HandInLink(st *class.Student, engine string) string {
	b, _ := json.Marshal(st.HandIn(engine)) // plain texts and numbers
	return "/#" + link.Pack(course.LinkHandIn, b)
}
