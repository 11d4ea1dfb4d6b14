// Package class is a class as one page shows it: what a student has handed in and is to do now. It composes documents
// and entries of core/class into what is shown, and knows neither server nor browser.
package class

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"hadarlab/app/words"
	"hadarlab/core/class"
	"hadarlab/core/message"
)

// Student is a student's side of a class. What it points to is never changed in place, but for Sending's Tries, which
// nothing shows.
type Student struct {
	Code       string // of the class, "" where it has no server
	Token      string
	Packed     string // the assignment as a link has it, where the class has no server
	Me         class.Student
	Assignment *class.Assignment // nil = on its way
	State      class.State
	Entries    []class.Entry
	Tallies    []class.QuestionTally // of the questions that the teacher has revealed
	Truth      class.Truth           // as the page's own engine finds it, nil = not yet
	Drafts                           // not handed in yet
	Sending    *Sending              // what is on its way, nil = nothing
	Had        int                   // what the server said that it had been given, in this page
	Problem    string                // why the last was refused
	Lost       bool                  // the server is not reached just now
	Over       string                // why the class cannot go on here, "" = it does
}

// Drafts are what a student has typed and not handed in.
type Drafts struct {
	Of       string                  `json:"of"` // Key of the class
	Sentence string                  `json:"sentence,omitempty"`
	Vote     map[string]class.Answer `json:"vote,omitempty"`
}

// Sending is something that is being handed in, until the server has it.
type Sending struct {
	class.Handed
	Tries int
}

// Kept is who a student is in a class, as the browser keeps it. Where there is no server it is all that there is.
type Kept struct {
	Code    string        `json:"code,omitempty"`
	Token   string        `json:"token,omitempty"`
	N       int           `json:"n,omitempty"`
	Name    string        `json:"name"`
	Tag     string        `json:"tag,omitempty"` // where there is no server
	Packed  string        `json:"packed,omitempty"`
	Phase   class.Phase   `json:"phase,omitempty"`
	Entries []class.Entry `json:"entries,omitempty"`
}

// Student takes up what the browser keeps of a class of this code, or of an assignment in a link; nil where it keeps
// none of it.
func NewStudent(code, packed, kept string) *Student {
	var k Kept
	if json.Unmarshal([]byte(kept), &k) != nil || k.Packed != packed || packed == "" && (k.Token == "" ||
		class.FoldCode(k.Code) != code) {
		return nil
	}
	s := &Student{Code: code, Token: k.Token, Packed: packed, Me: class.Student{N: k.N, Name: k.Name, Tag: k.Tag},
		Entries: k.Entries}
	s.State.Phase = k.Phase
	s.Drafts.Of = s.Key()
	if s.Alone() && (s.State.Phase == "" || s.State.Phase == class.Predict) {
		s.State.Phase = class.Run
	}
	return s
}

// Kept is what the browser is to keep.
func (s *Student) Kept() []byte {
	k := Kept{Code: s.Code, Token: s.Token, N: s.Me.N, Name: s.Me.Name, Packed: s.Packed}
	if s.Alone() {
		k.Phase, k.Entries, k.Tag = s.State.Phase, s.Entries, s.Me.Tag
	}
	b, _ := json.Marshal(k) // plain texts and numbers
	return b
}

// Key tells classes apart in what a browser keeps.
func (s *Student) Key() string { return s.Code + s.Packed[max(0, len(s.Packed)-40):] }

// Alone says that the class has no server: everything is kept in the browser, and the phases are the student's own.
func (s *Student) Alone() bool { return s.Packed != "" }

// JoinAddress is that of the page in which the student joins and predicts; Address that of the lab.
func (s *Student) JoinAddress() string {
	if s.Alone() {
		return "/join#" + class.LinkJoin + "=" + s.Packed
	}
	return "/join#" + s.Code
}

// Address is that of the lab in this class.
func (s *Student) Address() string {
	if s.Alone() {
		return "/#" + class.LinkAssignment + "=" + s.Packed
	}
	return "/#class=" + s.Code
}

// Path is that of the class on its server.
func (s *Student) Path() string { return "/api/v1/classes/" + s.Code }

// FileName is what files of the student's are called.
func (s *Student) FileName(what string) string {
	return what + "-" + strings.ReplaceAll(s.Me.Name, " ", "-")
}

// Entry is the latest of a kind, nil = none.
func (s *Student) Entry(kind string) *class.Entry {
	for i := len(s.Entries) - 1; i >= 0; i-- {
		if s.Entries[i].Kind == kind {
			return &s.Entries[i]
		}
	}
	return nil
}

// Take adds an entry, or replaces it.
func (s *Student) Take(e class.Entry) {
	at := slices.IndexFunc(s.Entries, func(x class.Entry) bool { return x.Seq != 0 && x.Seq == e.Seq })
	if at < 0 {
		s.Entries = append(s.Entries[:len(s.Entries):len(s.Entries)], e)
		return
	}
	s.Entries = slices.Clone(s.Entries)
	s.Entries[at] = e
}

// Again are the questions that are asked again after the discussion.
func (s *Student) Again() (out []*class.Question) {
	for i := range s.Assignment.Questions {
		if s.Assignment.Questions[i].Again {
			out = append(out, &s.Assignment.Questions[i])
		}
	}
	return out
}

// Since says whether a phase has been reached in the assignment's plan.
func (s *Student) Since(p class.Phase) bool { return s.Assignment.Reached(s.State.Phase, p) }

// Told says whether what is right is told. Who has no server goes to the lab to look.
func (s *Student) Told() bool { return s.Alone() || s.State.Tells() }

// Votes says whether the student is to answer again now. Where a plan has the vote after the run, it may be late.
func (s *Student) Votes() bool {
	votes, p := s.Assignment.Votes(), s.State.Phase
	return (p == votes || votes == class.Discuss && p == class.Change) && s.Entry(class.Vote) == nil &&
		len(s.Again()) > 0
}

// Works says that the student's class is a homework that is open, as far as this page knows the server's clock.
func (s *Student) Works() bool { return s.State.Phase == class.Homework && s.State.Open(s.State.NowMS) }

// Changes says whether the student is to do the task now.
func (s *Student) Changes() bool {
	return s.Assignment.Task != nil && (s.State.Phase == class.Change || s.Works())
}

// Explains says whether the student is to say why now.
func (s *Student) Explains() bool {
	if s.Assignment.Explain == "" || s.State.Phase == class.Lobby || s.State.Phase == class.Closed {
		return false
	}
	return s.Told() || s.Works()
}

// Rests says that something of the student's is still being verified.
func (s *Student) Rests() bool {
	e := s.Entry(class.Submission)
	return e != nil && e.Verdict == class.Pending && !s.Alone()
}

// Answer is what stands in the second vote for a question.
func (s *Student) Answer(question string) class.Answer { return s.Vote[question] }

// SetVote notes an answer of the second vote.
func (s *Student) SetVote(question string, a class.Answer) {
	vote := map[string]class.Answer{question: a}
	for q, old := range s.Vote { // a map of a map: the order is immaterial
		if q != question {
			vote[q] = old
		}
	}
	s.Vote = vote
}

// VoteProblem says what is missing in the second vote, "" = nothing.
func (s *Student) VoteProblem() string {
	for _, q := range s.Again() {
		switch a := s.Vote[q.ID]; {
		case a.Option == "":
			return words.T("Choose an answer.")
		case a.Sure == 0:
			return words.T("Say how sure you are.")
		}
	}
	return ""
}

// SentenceProblem says what is wrong with the sentence, "" = nothing.
func (s *Student) SentenceProblem() string {
	switch n := utf8.RuneCountInString(s.Sentence); {
	case strings.TrimSpace(s.Sentence) == "":
		return words.T("Write a sentence first.")
	case n > class.MaxSentence:
		return words.F("It has {0} characters; {1} fit.", itoa(n), itoa(class.MaxSentence))
	}
	return ""
}

// Learn takes what a run of the assignment's own scenario shows.
func (s *Student) Learn(lanes []message.Lane) { s.Truth = s.Assignment.Truth(lanes) }

// Right counts right first answers among those that can be told, practice too.
func (s *Student) Right() (right, all int) {
	e := s.Entry(class.Answers)
	for q, option := range s.Truth { // a count: the order is immaterial
		if e != nil {
			all++
			if e.Answers[q].Option == option {
				right++
			}
		}
	}
	return right, all
}

// HandIn is the student's work as a file, where the class has no server.
func (s *Student) HandIn(engine string) *class.HandIn {
	return &class.HandIn{Kind: class.HandInKind, Version: class.Version, Assignment: s.Assignment.ContentID(),
		Name: s.Me.Name, Tag: s.Me.Tag, Engine: engine, Entries: s.Entries}
}

// Turn is how long this student's page waits before it asks for what the whole class is shown at one time, in ms: three
// hundred that ask together would wait for one another.
func (st *Student) Turn() int { return min(1000, 3*st.Me.N) }
