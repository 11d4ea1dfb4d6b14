package class

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hadarlab/core/class"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// Join adds a student, who asks from a network, and gives the token, which is told once.
func (s *Service) Join(ctx context.Context, r Row, tag string, who Asker) (j class.Joined, err error) {
	if tag = strings.TrimSpace(tag); !class.SoundTag(tag) {
		return j, refuse(Bad, "bad-tag", fmt.Sprintf("a tag has up to %d bytes, and no character that nobody sees",
			class.MaxTag))
	}
	now := s.Now()
	switch since := s.Aged().Add(-Joinable).UnixMilli(); {
	case r.Phase == class.Closed || r.Over(now.UnixMilli()) || r.CreatedMS < since && !r.Homework():
		return j, refuse(Conflict, "class-closed", "this class is closed")
	case r.Locked:
		return j, refuse(Conflict, "class-locked", "nobody can join this class now; ask the teacher to open it")
	default:
		joined, err := s.admit(ctx, r, who)
		if err != nil {
			return j, err
		}
		if tag, err = listed(ctx, s.Table, r, tag); err != nil {
			return j, err
		}
		j.Token = secret()
		n, seq, at, err := s.Table.AddStudent(ctx, r.Code, digest(j.Token), tag, class.MaxStudents, since,
			now.UnixMilli())
		if errors.Is(err, ErrNone) {
			return j, full(ctx, s, r.Code, tag)
		}
		if err != nil {
			return j, err
		}
		if err := s.networks.count(ctx, joined, Joinable); err != nil {
			return j, err
		}
		j.Student = named(r, class.Student{N: n, Tag: tag, JoinedMS: at, Seq: seq})
	}
	s.changed(r.Code)
	j.State, err = s.recent(ctx, r)
	return j, err
}

// admit says whether another may join from a network, and under what hash those who did are counted: so many a minute,
// since the class was last cleared, and never more than there are places left, so that one sender leaves half of a
// class to others.
func (s *Service) admit(ctx context.Context, r Row, who Asker) (joined string, err error) {
	hash, err := s.networks.hash(ctx)
	if err != nil {
		return "", err
	}
	cleared, _, err := s.networks.counted(ctx, hash(r.Code+" cleared"), Joinable)
	if err != nil {
		return "", err
	}
	asked := hash(fmt.Sprintf("%s\n%s asked %d", who.Prefix, r.Code, cleared))
	joined = hash(who.Prefix + "\n" + r.Code + " joined")
	switch n, wait, err := s.networks.counted(ctx, asked, time.Minute); {
	case err != nil:
		return "", err
	case n >= s.JoinsAMinute:
		return "", &Refusal{Reason: Slow, Code: "too-many-joins", Wait: wait,
			Detail: fmt.Sprintf("%d have joined this class from this network within a minute, which is the most",
				s.JoinsAMinute)}
	}
	if err := s.networks.count(ctx, asked, time.Minute); err != nil {
		return "", err
	}
	n, _, err := s.networks.counted(ctx, joined, Joinable)
	if err != nil {
		return "", err
	}
	counts, err := s.Table.Counts(ctx, r.Code)
	if err == nil && counts.Joined < class.MaxStudents && n >= class.MaxStudents-counts.Joined {
		err = refuse(Conflict, "network-full", fmt.Sprintf(
			"%d have joined this class from this network: the places that are left are kept for others", n))
	}
	return joined, err
}

// Recover gives the student with a one-time code a new token. The old one opens nothing any more.
func (s *Service) Recover(ctx context.Context, r Row, typed string, who Asker) (j class.Joined, err error) {
	code, _ := Code(typed)
	n, err := s.Table.TakePass(ctx, r.Code, digest(code), s.Now().UnixMilli())
	if errors.Is(err, ErrNone) { // as with a class's code: who guesses has to wait
		if err := s.guard(ctx, Row{Code: r.Code + " pass"}, ErrNone, who); !errors.Is(err, errNoClass) {
			return j, err
		}
		return j, refuse(NoClass, "no-pass", "this one-time code is wrong, used or older than five minutes")
	}
	if err != nil {
		return j, err
	}
	j.Token = secret()
	st, err := s.Table.SetToken(ctx, r.Code, n, digest(j.Token))
	if err == nil {
		err = s.log(ctx, r.Code, n, class.Recovered)
	}
	if err != nil {
		return j, err
	}
	j.Student = named(r, st)
	s.changed(r.Code)
	j.State, err = s.recent(ctx, r)
	return j, err
}

// recent is a state that may be a moment old, where many ask at once.
func (s *Service) recent(ctx context.Context, r Row) (class.State, error) {
	if s.Hub != nil {
		return s.Hub.State(r.Code)
	}
	return s.Fresh(ctx, r.Code)
}

// Assignment is the class's, as who asks may see it now: whole for its teacher, else as everybody does who knows the
// code, and in a homework with its task for a student who has answered.
func (s *Service) Assignment(ctx context.Context, r Row, whole bool, who Asker) (*class.Assignment, error) {
	a, err := s.assignment(ctx, r.Code)
	if err != nil || whole {
		return a, err
	}
	told := r.ToldMS != 0
	task := told
	if r.Phase == class.Homework && !r.Ahead(s.Now().UnixMilli()) && who.Token != "" {
		if task, err = answered(ctx, s.Table, r, a, who.Token); err != nil {
			return nil, err
		}
	}
	return shown(a, told, task, r.Phase == class.Closed), nil
}

// answered says whether a token is that of a student who has answered what the assignment asks.
func answered(ctx context.Context, table Table, r Row, a *class.Assignment, token string) (bool, error) {
	st, _, err := table.FindStudent(ctx, r.Code, digest(token))
	if errors.Is(err, ErrNone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	mine, err := table.Entries(ctx, r.Code, st.N, 0)
	return len(a.Questions) == 0 || has(mine, class.Answers), err
}

// shown is what a student sees of an assignment: nothing for the teacher alone, what is right only when it is told, and
// of the task no more than how many values it changes until that is theirs to do. What a race is run on is shown when
// it is closed.
func shown(a *class.Assignment, told, task, closed bool) *class.Assignment {
	b := *a
	b.Plan, b.Questions = slices.Clone(a.Plan), slices.Clone(a.Questions)
	for i := range b.Plan {
		b.Plan[i].Teacher = ""
	}
	if a.Task != nil {
		t := *a.Task
		if t.Race != nil && !closed {
			t.Race = t.Race.Shut()
		}
		if b.Task, t.Works = &t, nil; !task { // who is to win tells who does
			b.Task = &class.Task{Changes: a.Task.Changes, Race: t.Race}
		}
	}
	for i := range b.Questions {
		if told {
			break
		}
		q := &b.Questions[i]
		q.Right, q.Options = "", slices.Clone(q.Options)
		for k := range q.Options {
			q.Options[k].Idea, q.Options[k].Preset = "", ""
		}
	}
	return &b
}

// Scene is what the walls of a class show, to anybody who knows its code.
func (s *Service) Scene(ctx context.Context, r Row) (class.Scene, error) {
	st, err := s.State(ctx, r)
	if err != nil {
		return class.Scene{}, err
	}
	t, err := s.tally(ctx, r, 0)
	if err != nil {
		return class.Scene{}, err
	}
	scene := t.scene
	scene.State, scene.Joins = st, s.Joins
	return scene, nil
}

// Me is what a student's page shows after a reload. Until what is right is told, first votes alone are in it.
func (s *Service) Me(ctx context.Context, r Row, st class.Student) (me class.Me, err error) {
	me.Student = st
	if me.State, err = s.recent(ctx, r); err != nil {
		return me, err
	}
	if me.Entries, err = s.Table.Entries(ctx, r.Code, st.N, 0); err != nil {
		return me, err
	}
	me.Tallies = []class.QuestionTally{}
	if r.Phase == class.Homework {
		a, err := s.assignment(ctx, r.Code)
		if err != nil {
			return me, err
		}
		me.Pace, me.Entries = a.Pace(me.Entries), class.Unjudged(me.Entries)
	}
	if len(me.State.Revealed) == 0 {
		return me, nil
	}
	t, err := s.tally(ctx, r, shared)
	if err == nil {
		me.Tallies = t.scene.Tallies
	}
	return me, err
}

// Ready notes that a student's phone has the lab's program, so that the board can count it.
func (s *Service) Ready(ctx context.Context, r Row, st class.Student) error {
	fresh, err := s.Table.SetReady(ctx, r.Code, st.N)
	if fresh {
		s.changed(r.Code)
	}
	return err
}

// tallies are counts that many ask for at once.
type tallies struct {
	seq   int64
	own   int64 // of the class's row
	at    time.Time
	scene class.Scene // without its state
}

// tally counts a class. What students have handed in may have been counted so long ago.
func (s *Service) tally(ctx context.Context, r Row, old time.Duration) (*tallies, error) {
	s.counting.Lock() // who comes meanwhile takes what is counted now
	defer s.counting.Unlock()
	s.mu.Lock()
	t := s.tallies[r.Code]
	s.mu.Unlock()
	if t != nil && t.own == r.RowSeq && (t.seq == r.Seq || s.Now().Sub(t.at).Abs() < old) {
		return t, nil
	}
	record, err := s.Record(ctx, r)
	if err != nil {
		return nil, err
	}
	st, err := s.State(ctx, r)
	if err != nil {
		return nil, err
	}
	t = &tallies{r.Seq, r.RowSeq, s.Now(), record.Scene(st)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.tallies) >= 64 {
		clear(s.tallies)
	}
	s.tallies[r.Code] = t
	return t, nil
}

// taken says whether a kind is handed in in a class at a moment, and as practice: an answer after what is right was
// told is no prediction. Where a plan of before has the second vote after the run, it stays that vote. In a homework
// nobody votes again.
func taken(r Row, a *class.Assignment, kind string, atMS int64) (now, practice bool) {
	if r.Phase == class.Homework {
		return kind != class.Vote && r.Open(atMS), false
	}
	told, works := r.ToldMS != 0, r.Phase != class.Lobby && r.Phase != class.Closed
	switch kind {
	case class.Answers:
		return works, told
	case class.Vote:
		return works && (told || r.Phase == a.Votes()), told && a.Votes() == class.VoteAgain
	case class.Sentence:
		return works && told, false
	default:
		return r.Phase == class.Change, false
	}
}

// Hand takes what a student hands in. The same once more, as after a lost answer, gives the same entry.
func (s *Service) Hand(ctx context.Context, r Row, st class.Student, h class.Handed) (class.Entry, error) {
	if !slices.Contains([]string{class.Answers, class.Vote, class.Sentence, class.Submission}, h.Kind) {
		return class.Entry{}, refuse(Bad, "unknown-kind", "what is handed in is answers, vote, sentence or submission")
	}
	a, err := s.assignment(ctx, r.Code)
	if err != nil {
		return class.Entry{}, err
	}
	e := class.Entry{Student: st.N, Kind: h.Kind}
	if e.Body, err = s.body(a, h); err != nil {
		return e, err
	}
	if e.Kind == class.Submission {
		e.Verdict = class.Pending
		if e.Body.Old(s.Engine, s.Defaults) {
			e.Verdict = class.Other
		}
	}
	content, err := json.Marshal(e.Body)
	if err != nil {
		return e, err
	}
	told := func(e class.Entry) class.Entry { // of a homework no more than its students are told
		if r.Phase == class.Homework {
			e = class.Unjudged([]class.Entry{e})[0]
		}
		return e
	}
	for range 8 { // the same student may hand in from two places at once
		mine, err := s.Table.Entries(ctx, r.Code, st.N, 0)
		if err != nil {
			return e, err
		}
		if there, err := again(mine, e.Kind, receipt(r.Code, e, content)); there != nil || err != nil {
			return told(*there), err
		}
		var now bool
		e.AtMS, e.Phase = after(s.Now(), mine), r.Phase
		switch now, e.Practice = taken(r, a, e.Kind, e.AtMS); {
		case !now:
			return e, notNow(r, e.AtMS)
		case e.Kind != class.Answers && len(a.Questions) > 0 && !has(mine, class.Answers):
			return e, refuse(Conflict, "answer-first", "answer the questions first")
		case spent(a, e.Kind, mine):
			return e, refuse(Conflict, "no-attempts-left", fmt.Sprintf("%d attempts are the most in this race",
				a.Task.Race.Tries()))
		case len(mine) >= MaxEntries:
			return e, refuse(Conflict, "too-many-entries", fmt.Sprintf("%d entries of one student are the most",
				MaxEntries))
		}
		e.Hash = receipt(r.Code, e, content)
		e.Seq, err = s.Table.AddEntry(ctx, r.Code, len(mine), e)
		if err == nil {
			s.changed(r.Code)
			if e.Verdict == class.Pending && s.Verify != nil {
				s.Verify(Due{r.Code, e})
			}
			return told(e), nil
		}
		if !errors.Is(err, ErrNone) {
			return e, err
		}
		if r, err = s.Table.GetClass(ctx, r.Code); err != nil { // its phase may have changed
			return e, err
		}
	}
	return e, refuse(Conflict, "at-once", "this student hands in from several places at once; send it again")
}

// spent says whether a student has no attempt left in a race.
func spent(a *class.Assignment, kind string, mine []class.Entry) bool {
	if kind != class.Submission || a.Task == nil || a.Task.Race == nil {
		return false
	}
	n := 0
	for i := range mine {
		if mine[i].Kind == kind {
			n++
		}
	}
	return n >= a.Task.Race.Tries()
}

// notNow says why something is not handed in at a moment.
func notNow(r Row, atMS int64) error {
	switch {
	case r.Phase != class.Homework:
		return refuse(Conflict, "not-now", "this is not handed in now: the class is in phase "+string(r.Phase))
	case r.Ahead(atMS):
		return refuse(Conflict, "not-open", "the homework has not opened yet: look at its opening time")
	case r.Over(atMS):
		return refuse(Conflict, "homework-over", "the homework has closed: nothing more is taken")
	}
	return refuse(Conflict, "not-now", "a homework is answered once: there is no second vote")
}

// after is now, or later than all that a student has handed in: their latest stays the latest where a clock goes back.
func after(now time.Time, mine []class.Entry) int64 {
	at := now.UnixMilli()
	for i := range mine {
		at = max(at, mine[i].AtMS+1)
	}
	return at
}

// receipt is what proves to a student what was handed in: the first 80 bits of a hash of the content.
func receipt(code string, e class.Entry, content []byte) string {
	return digest(fmt.Sprintf("%s\n%d\n%s\n%s", code, e.Student, e.Kind, content))[:20]
}

func has(mine []class.Entry, kind string) bool {
	return slices.ContainsFunc(mine, func(e class.Entry) bool { return e.Kind == kind })
}

// again is the entry that is handed in once more: the latest of its kind if it is the same. Answers and votes are given
// once, so that another one is refused.
func again(mine []class.Entry, kind, hash string) (*class.Entry, error) {
	var last *class.Entry
	for i := range mine {
		if mine[i].Kind == kind {
			last = &mine[i]
		}
	}
	switch {
	case last != nil && last.Hash == hash:
		return last, nil
	case last != nil && (kind == class.Answers || kind == class.Vote):
		return &class.Entry{}, refuse(Conflict, "given-once", "this is given once, and it has been given")
	}
	return nil, nil
}

// body is what is kept of what was sent: of each kind its own members, and of a submission what it changes.
func (s *Service) body(a *class.Assignment, h class.Handed) (b class.Body, err error) {
	fail := func(detail string, diags jsondoc.Diagnostics) error {
		return &Refusal{Reason: Bad, Code: "bad-entry", Detail: detail, Errors: diags.Errors()}
	}
	switch h.Kind {
	case class.Answers, class.Vote:
		b.Answers = h.Answers
	case class.Sentence:
		b.Text = strings.TrimSpace(h.Text)
	case class.Submission:
		return submission(a, h, s.Defaults, fail)
	}
	if diags := a.Check(h.Kind, &b); diags.HasErrors() {
		return b, fail("this cannot be handed in", diags)
	}
	return b, nil
}

func submission(a *class.Assignment, h class.Handed, defaults scenario.Defaults,
	fail func(string, jsondoc.Diagnostics) error) (b class.Body, err error) {
	lim := scenario.SharedLimits
	lim.Bytes = class.MaxBytes
	doc, diags := scenario.Parse(h.Scenario, lim)
	if doc == nil || diags.HasErrors() {
		return b, fail("the scenario cannot be read", diags)
	}
	b.Changes, diags = a.Judge(doc, defaults)
	if diags.HasErrors() {
		return b, fail("the scenario does not change what the task asks for", diags)
	}
	// What is kept are the changes, or what was written: they have to make this scenario of the assignment's again.
	b.Written = a.Written(doc)
	if err := runsHere(b.Written); err != nil {
		return b, err
	}
	made, ok := a.Made(&b)
	if !ok || !bytes.Equal(made.Canonical(defaults), doc.Canonical(defaults)) {
		return b, refuse(Bad, "other-changes", "the scenario differs from the assignment’s by more than numbers")
	}
	b.ScenarioID, b.Engine, b.Lanes = doc.ID(defaults), h.Engine, h.Lanes
	if len(b.Engine) > 64 || b.Engine == "" {
		return b, refuse(Bad, "bad-engine", "a submission names the engine that made its figures")
	}
	return b, checkLanes(a, b.Lanes)
}

// runsHere refuses a program where none is run.
func runsHere(written map[string]any) error {
	if text, _ := written["program"].(string); unit.Small && text != "" {
		return refuse(Bad, "no-programs", "this server runs no programs: write an expression, or use a server of your own")
	}
	return nil
}

// checkLanes refuses lanes that are not those of the assignment: what a page claims is shown to others.
func checkLanes(a *class.Assignment, lanes []class.Lane) error {
	refs := a.Document().Scenario.Policies
	for i, l := range lanes {
		if i >= len(refs) || l.Policy != refs[i].ID || len(l.TraceHash) > 128 ||
			!slices.Contains([]string{"done", "horizon", "starved", "overloaded", "stopped"}, l.Outcome) {
			return refuse(Bad, "bad-lanes", "the lanes are not those of the assignment’s policies, in their order")
		}
	}
	return nil
}
