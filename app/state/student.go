package state

import (
	"encoding/json"
	"slices"
	"strings"

	"hadarlab/app/class"
	"hadarlab/app/run"
	"hadarlab/app/words"
	course "hadarlab/core/class"
	"hadarlab/core/link"
	"hadarlab/core/message"
)

// A student's way through a class: what the browser keeps → /me and the assignment → its scenario in the lab → answers
// beside what is right, the sentence, the second vote, the task → entries on the server.

// Names under which the browser keeps a student's place in a class, one in an assignment without a server, and what
// the lab has not handed in.
const (
	AloneName  = "hadarlab.assign"
	DraftsName = "hadarlab.class.lab"
)

// StudentName is the name under which the browser keeps who a student is, by what the address says of the class.
func StudentName(arg string) string {
	if strings.HasPrefix(arg, course.LinkAssignment+"=") {
		return AloneName
	}
	return ClassName
}

// Visit leaves for another page.
type Visit struct{ Address string }

func (Visit) effect() {}

// enterClass goes to a class as a student. Who is not in it yet joins first.
func (s *State) enterClass(a EnterRoom) []Effect {
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
		return []Effect{Visit{st.JoinAddress()}}
	}
	if s.Room = StudentRoom; s.Student != nil && s.Student.Key() == st.Key() {
		return Moved{Opening: a.Opening}.on(s)
	}
	s.Student, s.truth, s.at = st, nil, visit{Opening: a.Opening}
	var d class.Drafts
	if json.Unmarshal([]byte(a.Drafts), &d) == nil && d.Of == st.Key() {
		st.Drafts = d
	}
	if !st.Alone() {
		return []Effect{s.me(0), Follow{st.Path(), func(status int, body []byte) Action {
			return classHeard{st, status, body}
		}}}
	}
	doc, diags := link.Unpack(packed, course.MaxBytes)
	if diags == nil {
		st.Assignment, diags = course.Parse(doc)
	}
	if st.Assignment == nil {
		st.Over = words.T("This assignment cannot be read.")
		return s.notify(Notice{Title: st.Over, Diags: diags})
	}
	return s.begin(a.Start)
}

// begin opens the class's scenario, unless this tab stands at it or at what it was changed to.
func (s *State) begin(start bool) []Effect {
	st := s.Student
	if st.Entry(course.Answers) == nil { // predict first
		return []Effect{Visit{st.JoinAddress()}}
	}
	effects := s.askTruth()
	doc := st.Assignment.Document()
	if base := s.History.Base().Document(); s.Resumed && base != nil && base.ID(s.Defaults) == doc.ID(s.Defaults) {
		return effects
	}
	return append(effects, Load{Doc: doc, Sentence: words.T("Opened the class’s scenario"), Opens: true, Came: true,
		Alone: start && !s.Resumed}.on(s)...)
}

// askTruth runs the assignment's own scenario, by itself: what stands in the lab may be changed.
func (s *State) askTruth() []Effect {
	st := s.Student
	if st == nil || st.Assignment == nil || st.Truth != nil || s.truth != nil || s.Engine != EngineReady {
		return nil
	}
	doc := st.Assignment.Document()
	s.truth = run.New(s.seq(), doc, doc.Marshal(false))
	return []Effect{Ask{&message.Message{ID: s.truth.ID, Run: s.truth.Request()}}}
}

func (s *State) truthAnswered(m *message.Message) []Effect {
	st := s.Student
	switch {
	case m.Lane != nil:
		s.truthLanes = append(s.truthLanes, *m.Lane)
	case m.Finished:
		if st != nil && st.Assignment != nil {
			st.Learn(s.truthLanes)
		}
		s.truth, s.truthLanes = nil, nil
	}
	return nil
}

// retry is how long after so many tries in vain the server is asked again, in ms.
func retry(tries int) int { return min(1000<<min(tries, 4), 15000) }

// unreached says that an answer is none: the server is not there, or busy.
func unreached(status int) bool { return status == 0 || status == 429 || status >= 500 }

// call asks the class's server as this student.
func (s *State) call(method, path string, body []byte, then func(st *class.Student, status int,
	body []byte) Action) Call {
	st := s.Student
	return Call{method, st.Path() + path, st.Token, body,
		func(status int, body []byte) Action { return then(st, status, body) }}
}

// me asks for what the server has of this student, after so many tries in vain.
func (s *State) me(tries int) Effect {
	had := s.Student.Had
	return s.call("GET", "/me", nil, func(st *class.Student, status int, body []byte) Action {
		return classMe{classAnswer{st, status, body, tries}, had}
	})
}

func (s *State) fetchAssignment(tries int) Effect {
	return s.call("GET", "/assignment", nil, func(st *class.Student, status int, body []byte) Action {
		return classAssignment{classAnswer{st, status, body, tries}}
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
func (a *classAnswer) bad(s *State, again func(tries int) Effect) ([]Effect, bool) {
	st := s.Student
	switch {
	case a.of != st:
		return nil, true // the class was left
	case unreached(a.status):
		s.setLost(true)
		return []Effect{After{retry(a.tries), doAgain{st, func() []Effect { return []Effect{again(a.tries + 1)} }}}},
			true
	case a.status != 200:
		s.over(a.status, a.body)
		return nil, true
	}
	s.setLost(false)
	return nil, false
}

type doAgain struct {
	of *class.Student
	f  func() []Effect
}

func (a doAgain) on(s *State) []Effect {
	if a.of != s.Student {
		return nil
	}
	return a.f()
}

func (s *State) setLost(lost bool) {
	st := s.Student
	if st.Lost == lost {
		return
	}
	if st.Lost = lost; lost {
		s.Spoken = words.T("The network is lost. What you have chosen is kept here and sent as soon as it is back.")
	}
}

// over says that the class does not go on here, and why.
func (s *State) over(status int, body []byte) {
	st := s.Student
	switch status {
	case 404, 410:
		st.Over = words.T("There is no class with this code any more: it is over, or was deleted.")
	case 401, 403:
		st.Over = words.T("This device is no longer in the class: you were taken out, or went on with another device.")
	default:
		st.Over = serverProblem(status, body)
	}
	st.Lost, st.Sending, s.Spoken = false, nil, st.Over
}

type (
	classMe struct {
		classAnswer
		had int // what it was asked with
	}
	classAssignment struct{ classAnswer }
)

func (a classMe) on(s *State) []Effect {
	if effects, bad := a.bad(s, s.me); bad {
		return effects
	}
	st := s.Student
	if a.had != st.Had { // it may be from before the server had the latest
		return []Effect{s.me(a.tries)}
	}
	var me course.Me
	if json.Unmarshal(a.body, &me) != nil {
		s.over(a.status, nil)
		return nil
	}
	st.Me, st.Entries, st.Tallies = me.Student, me.Entries, me.Tallies
	effects := s.follow(me.State)
	switch {
	case st.Entry(course.Answers) == nil:
		return []Effect{Visit{st.JoinAddress()}}
	case st.Assignment == nil && a.tries >= 0:
		return append(effects, s.fetchAssignment(0))
	case st.Rests(): // it is being verified; a slower and slower look keeps a whole class from asking at once
		effects = append(effects, s.lookLater(a.tries))
	}
	return effects
}

// lookLater looks once more whether the latest submission is verified.
func (s *State) lookLater(tries int) Effect {
	st := s.Student
	return After{retry(tries + 1), doAgain{st, func() []Effect { return []Effect{s.me(tries + 1)} }}}
}

func (a classAssignment) on(s *State) []Effect {
	if effects, bad := a.bad(s, s.fetchAssignment); bad {
		return effects
	}
	st := s.Student
	parsed, diags := course.Parse(a.body)
	if parsed == nil {
		st.Over = words.T("This assignment cannot be read.")
		return s.notify(Notice{Title: st.Over, Diags: diags})
	}
	st.Assignment = parsed
	effects := s.begin(s.History.Pos == 0 && len(s.History.Entries) == 1)
	if st.Rests() {
		effects = append(effects, s.lookLater(0))
	}
	return effects
}

// classHeard is news of the class.
type classHeard struct {
	of     *class.Student
	status int
	body   []byte
}

func (a classHeard) on(s *State) []Effect {
	st := s.Student
	var news course.State
	switch {
	case a.of != st:
		return nil
	case a.status == 0:
		s.setLost(true)
		return nil
	case a.status != 200:
		s.over(a.status, a.body)
		return nil
	case json.Unmarshal(a.body, &news) != nil:
		return nil
	}
	s.setLost(false)
	revealed, phase := st.State.Revealed, st.State.Phase
	effects := s.follow(news)
	if st.Assignment != nil && (!slices.Equal(revealed, news.Revealed) || phase != news.Phase && len(revealed) > 0) {
		effects = append(effects, After{st.Turn(), doAgain{st, func() []Effect { return []Effect{s.me(0)} }}})
	}
	return effects
}

// follow takes the state of the class, and says which phase has begun.
func (s *State) follow(news course.State) []Effect {
	st := s.Student
	was := st.State.Phase
	st.State = news
	if was == "" || was == news.Phase || st.Assignment == nil {
		return nil
	}
	says := PhaseSays(news.Phase)
	if news.Phase != course.Closed {
		says = words.F("{0} has begun.", PhaseTitle(news.Phase)) + " " + says
	}
	s.toast(says, false)
	s.Toast.Shows = PartStep
	return []Effect{After{60_000, dropToast{s.Toast.seq}}} // who reads on further down sees it late
}

// Says is what a student does now.
func (s *State) Says() string {
	st := s.Student
	switch p := st.State.Phase; {
	case p == course.Lobby || p == course.Predict:
		return words.T("Your answer is in: look what the two do.")
	case p == course.Closed && st.Alone():
		return words.T("Now hand in.")
	default:
		return PhaseSays(p)
	}
}

// PhaseSays is what a student does in a phase.
func PhaseSays(p course.Phase) string {
	return map[course.Phase]string{course.Lobby: words.T("It begins soon."), course.Predict: words.T("Now predict."),
		course.Run:     words.T("Now look what the two do."),
		course.Discuss: words.T("Now discuss with your neighbours, and answer again."),
		course.Change:  words.T("Now change one thing."), course.Closed: words.T("The class is over.")}[p]
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
	// NextPhase goes on where the class has no server.
	NextPhase struct{}
	// RestartTask puts the class's scenario back.
	RestartTask struct{}
	// LeaveClass makes the lab a lab again, and forgets who the student is.
	LeaveClass struct{}
	// SaveReport… hand out the student's own report, and the hand-in of a class without a server.
	SaveClassReport struct{}
	SaveHandIn      struct{}
)

// keepDrafts keeps what is typed until it is handed in.
func (s *State) keepDrafts() []Effect {
	b, _ := json.Marshal(s.Student.Drafts) // plain texts
	return []Effect{Store{DraftsName, string(b)}}
}

func (s *State) keepStudent() Effect { return Store{AloneName, string(s.Student.Kept())} }

func (a SetSentence) on(s *State) []Effect {
	s.Student.Sentence = a.Text
	return s.keepDrafts()
}

func (a SetVote) on(s *State) []Effect {
	now := s.Student.Answer(a.Question)
	if a.Option != "" {
		now.Option = a.Option
	}
	if a.Sure > 0 {
		now.Sure = a.Sure
	}
	s.Student.SetVote(a.Question, now)
	return s.keepDrafts()
}

func (a HandIn) on(s *State) []Effect {
	st := s.Student
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
		edits, why := s.Task()
		st.Problem, h.Scenario = why, s.Doc.Marshal(false)
		h.ScenarioID, h.Engine, h.Changes = s.Doc.ID(s.Defaults), s.Boot.Engine, edits
		for _, l := range s.Result.Lanes {
			h.Lanes = append(h.Lanes, course.LaneOf(&l.Meta))
		}
	}
	switch {
	case st.Problem != "":
		s.Spoken = st.Problem
		return nil
	case st.Alone():
		return s.handedIn(course.Entry{Student: 1, Kind: h.Kind, AtMS: a.At, Phase: st.State.Phase, Body: h.Body})
	}
	st.Sending = &class.Sending{Handed: h}
	return s.sendEntry()
}

// sendEntry sends what is on its way, once more if need be.
func (s *State) sendEntry() []Effect {
	st := s.Student
	if st.Sending == nil {
		return nil
	}
	body, _ := json.Marshal(st.Sending.Handed) // plain texts and numbers
	return []Effect{s.call("POST", "/entries", body, func(st *class.Student, status int, body []byte) Action {
		return entryAnswered{st, status, body}
	})}
}

type entryAnswered struct {
	of     *class.Student
	status int
	body   []byte
}

func (a entryAnswered) on(s *State) []Effect {
	st := s.Student
	if a.of != st || st.Sending == nil {
		return nil
	}
	var e course.Entry
	switch {
	case unreached(a.status):
		s.setLost(true)
		st.Sending.Tries++
		return []Effect{After{retry(st.Sending.Tries), doAgain{st, s.sendEntry}}}
	case (a.status == 200 || a.status == 201) && json.Unmarshal(a.body, &e) == nil:
		s.setLost(false)
		return s.handedIn(e)
	case a.status == 401 || a.status == 403 || a.status == 404 || a.status == 410:
		s.over(a.status, a.body)
		return nil
	}
	s.setLost(false)
	st.Sending, st.Problem = nil, serverProblem(a.status, a.body)
	s.Spoken = st.Problem
	return []Effect{s.me(0)} // an answer may have been lost on its way: what the server has counts
}

// handedIn takes up what was handed in, and forgets its draft.
func (s *State) handedIn(e course.Entry) []Effect {
	st := s.Student
	st.Take(e)
	st.Had++
	st.Sending, st.Problem = nil, ""
	switch e.Kind {
	case course.Sentence:
		st.Sentence = ""
	case course.Vote:
		st.Vote = nil
	}
	s.Spoken = st.Receipt(&e)
	effects := s.keepDrafts()
	if st.Alone() {
		effects = append(effects, s.keepStudent())
	}
	if st.Rests() {
		effects = append(effects, s.lookLater(0))
	}
	return effects
}

func (NextPhase) on(s *State) []Effect {
	st := s.Student
	st.State.Phase = st.Assignment.Next(st.State.Phase)
	s.Spoken = s.Says()
	return []Effect{s.keepStudent(), Focus{PartStep}}
}

func (RestartTask) on(s *State) []Effect {
	return Load{Doc: s.Student.Assignment.Document(), Sentence: words.T("Started again from the class’s scenario"),
		Toast: words.T("The class’s scenario stands again.")}.on(s)
}

func (LeaveClass) on(s *State) []Effect {
	st := s.Student
	if st == nil {
		return nil
	}
	name := ClassName
	if st.Alone() {
		name = AloneName
	}
	s.Room, s.Student, s.truth, s.truthLanes = LabRoom, nil, nil, nil
	effects := []Effect{Follow{}, Store{name, ""}, Store{DraftsName, ""}, SetAddress{"/", s.at.Opening, false}}
	return append(effects, s.toast(words.T("You have left the class. Your work stays in the lab."), false)...)
}

func (SaveClassReport) on(s *State) []Effect {
	st := s.Student
	report := st.Report(func(path string) string { return s.Variable(path).Name })
	return []Effect{Download{st.FileName("report") + ".md", "text/markdown", []byte(report)}}
}

func (SaveHandIn) on(s *State) []Effect {
	b, _ := json.MarshalIndent(s.Student.HandIn(s.Boot.Engine), "", " ") // plain texts and numbers
	return []Effect{Download{s.Student.FileName("hand-in") + ".json", "application/json", append(b, '\n')}}
}

// HandInLink is the path and fragment that carries a student's work, done with an engine, to a teacher's board.
func HandInLink(st *class.Student, engine string) string {
	b, _ := json.Marshal(st.HandIn(engine)) // plain texts and numbers
	return "/#" + link.Pack(course.LinkHandIn, b)
}
