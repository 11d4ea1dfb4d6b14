package class

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"hadarlab/core/class"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// Begin begins a class on an assignment of which doc is the document, as a homework where there are hours. truth is
// what is right, as its run says.
func (s *Service) Begin(ctx context.Context, a *class.Assignment, doc []byte, truth class.Truth,
	hours class.Hours) (class.Created, error) {
	if truth == nil {
		truth = class.Truth{}
	}
	if err := runsHere(a.Written(a.Document())); err != nil {
		return class.Created{}, err
	}
	right, err := json.Marshal(truth)
	if err != nil {
		return class.Created{}, err
	}
	if s.Hub == nil { // nobody else does it
		if _, err := s.Expire(ctx); err != nil {
			return class.Created{}, err
		}
	}
	now := s.Now()
	c := class.Created{Key: secret()}
	revs, err := json.Marshal(a.Revs(s.Defaults))
	if err != nil {
		return class.Created{}, err
	}
	r := Row{Key: digest(c.Key), Engine: s.Engine, Revs: string(revs), Content: a.ContentID(),
		Title: a.Title, Truth: string(right),
		Phase: class.Lobby, SinceMS: now.UnixMilli(), LabLocked: true, Revealed: "[]", Wall: "{}",
		CreatedMS: now.UnixMilli()}
	if hours != (class.Hours{}) {
		hours.OpensMS = max(hours.OpensMS, r.CreatedMS)
		if err := checkHours(hours, r.CreatedMS); err != nil {
			return class.Created{}, err
		}
		r.Phase, r.Hours = class.Homework, hours
	}
	for range 3 { // a code may be taken
		c.Code = newCode()
		r.Code, r.Seed = c.Code, seed(c.Key)
		r.EndsMS = 0 // who waits for others does not know how long
		err = s.Table.AddClass(ctx, r, string(doc), MaxLiving, now.Add(-Joinable).UnixMilli())
		if !errors.Is(err, ErrNone) {
			break
		}
	}
	if errors.Is(err, ErrFull) {
		err = &Refusal{Reason: Crowded, Code: "too-many-classes", Wait: time.Hour,
			Detail: "as many classes as this server holds have begun today"}
	}
	return c, err
}

// seed is the order of the names, small enough for every database.
func seed(key string) int64 {
	n := int64(0)
	for _, b := range []byte(digest("names\n" + key))[:8] {
		n = n<<4 | int64(b&15)
	}
	return n
}

// MayBegin says whether another class may begin from a network, and counts it.
func (s *Service) MayBegin(ctx context.Context, prefix string) error {
	hash, err := s.networks.hash(ctx)
	if err != nil {
		return err
	}
	begun := hash(prefix + "\nbegun")
	switch n, wait, err := s.networks.counted(ctx, begun, Joinable); {
	case err != nil:
		return err
	case n >= MaxBegun:
		return &Refusal{Reason: Slow, Code: "too-many-classes", Wait: wait,
			Detail: fmt.Sprintf("%d classes have begun from this network within a day, which is the most", n)}
	}
	return s.networks.count(ctx, begun, Joinable)
}

// Host remembers that a class began on a network, so that those who join from there never wait behind one who guesses.
func (s *Service) Host(ctx context.Context, code, prefix string) error {
	_, known, err := s.networks.hashed(ctx, prefix, code)
	if err == nil {
		err = s.Table.Know(ctx, known, s.Now().Add(Joinable).UnixMilli())
	}
	return err
}

// Set changes a class as the teacher wants.
func (s *Service) Set(ctx context.Context, r Row, to class.Settings) error {
	a, err := s.assignment(ctx, r.Code)
	if err != nil {
		return err
	}
	if err := settings(a, to); err != nil {
		return err
	}
	if to.Tags != nil {
		if err := setTags(ctx, s.Table, r.Code, *to.Tags); err != nil {
			return err
		}
	}
	for {
		now := s.Now()
		if err := ofHours(&r, to, now.UnixMilli()); err != nil {
			return err
		}
		minutes := to.Minutes
		wall := to.Wall
		if to.Phase != nil && *to.Phase != r.Phase {
			if wall == nil {
				if wall, err = r.wall(); err != nil {
					return err
				}
				wall = &class.Wall{Larger: wall.Larger} // the phase's own picture
			}
			r.Phase, r.SinceMS, r.EndsMS = *to.Phase, now.UnixMilli(), 0
			if i := slices.IndexFunc(a.Plan, func(p class.Step) bool { return p.Phase == r.Phase }); i >= 0 &&
				minutes == nil && r.Phase != class.Lobby && r.Phase != class.Closed {
				minutes = &a.Plan[i].Minutes
			}
		}
		switch {
		case minutes == nil:
		case *minutes == 0:
			r.EndsMS = 0
		default:
			r.EndsMS = now.Add(time.Duration(*minutes * float64(time.Minute))).UnixMilli()
		}
		if to.Locked != nil {
			r.Locked = *to.Locked
		}
		if to.LabLocked != nil {
			r.LabLocked = *to.LabLocked
		}
		revealed := to.Revealed
		if r.ToldMS == 0 && r.Phase.Tells() {
			r.ToldMS = max(now.UnixMilli(), 1)
			if revealed == nil { // with what is right, both votes
				all := []string{}
				for _, q := range a.Questions {
					all = append(all, q.ID)
				}
				revealed = &all
			}
		}
		if revealed != nil {
			b, err := json.Marshal(*revealed)
			if err != nil {
				return err
			}
			r.Revealed = string(b)
		}
		if wall != nil {
			if wall.Shows.Tells() && r.ToldMS == 0 {
				return refuse(Conflict, "not-told", "this picture tells what is right: begin the run before it")
			}
			k, err := r.kept()
			if err != nil {
				return err
			}
			if wall.Shows == class.LargerPicture && k.Run == nil {
				return refuse(Bad, "bad-wall", "this class has no larger run that the wall could show")
			}
			k.Wall = *wall
			if err := r.keep(k); err != nil {
				return err
			}
		}
		err := s.Table.SetClass(ctx, r)
		if !errors.Is(err, ErrNone) {
			s.changed(r.Code)
			return err
		}
		if r, err = s.Table.GetClass(ctx, r.Code); err != nil { // another board was faster
			return err
		}
	}
}

// settings says what is wrong with what a teacher wants.
func settings(a *class.Assignment, to class.Settings) error {
	bad := func(code, detail string) error { return refuse(Bad, code, detail) }
	switch {
	case to.Phase != nil && !slices.Contains(class.Phases, *to.Phase):
		return bad("bad-phase", "this is no phase; choose one of lobby, predict, discuss, vote, run, change, closed")
	case to.Phase != nil && *to.Phase == class.Change && a.Task == nil:
		return bad("no-task", "this assignment has no task")
	case to.Minutes != nil && !(*to.Minutes >= 0 && *to.Minutes <= 24*60):
		return bad("bad-minutes", "a phase lasts 0 to 1440 minutes; 0 has no end")
	}
	if err := onWall(a, to.Wall); err != nil || to.Revealed == nil {
		return err
	}
	if *to.Revealed == nil {
		*to.Revealed = []string{}
	}
	for i, q := range *to.Revealed {
		if a.Question(q) == nil || slices.Contains((*to.Revealed)[:i], q) {
			return bad("unknown-question", "what is revealed are questions of the assignment, each once")
		}
	}
	return nil
}

// onWall says what is wrong with what a teacher wants on the walls, nil = nothing.
func onWall(a *class.Assignment, w *class.Wall) error {
	bad := func(detail string) error { return refuse(Bad, "bad-wall", detail) }
	if w == nil {
		return nil
	}
	switch {
	case w.Shows != "" && !slices.Contains(class.Pictures, w.Shows):
		return bad("this is no picture; choose one of join, question, votes, lanes, sentence, task, changes, change, larger, learned")
	case w.Question != "" && a.Question(w.Question) == nil:
		return bad("the wall shows a question of the assignment")
	case utf8.RuneCountInString(w.Sentence) > class.MaxSentence || jsondoc.Visible(w.Sentence) != w.Sentence:
		return bad(fmt.Sprintf("a sentence has up to %d characters, and no character that nobody sees", class.MaxSentence))
	case w.Larger < 0 || w.Larger > class.MaxLarger:
		return bad(fmt.Sprintf("larger is 0 to %d", class.MaxLarger))
	}
	if _, ok := a.Apply(w.Change); !ok {
		return bad("the change does not apply to the assignment")
	}
	return nil
}

// Board is everything that changed after a seq.
func (s *Service) Board(ctx context.Context, r Row, after int64) (u class.Update, err error) {
	if u.State, err = s.State(ctx, r); err != nil {
		return u, err
	}
	if u.Truth, u.Students, u.Entries, err = s.rows(ctx, r, after); err != nil {
		return u, err
	}
	u.Verifies, u.CreateMS, u.GoneMS = s.Verify != nil, r.CreatedMS, r.CreatedMS+Kept.Milliseconds()
	u.Joins, u.Assistants = s.Joins, r.Assistant != ""
	if r.RowSeq > after {
		tags, err := s.Table.Tags(ctx, r.Code)
		if err != nil {
			return u, err
		}
		u.Tags = &tags
	}
	// Rows that came after the state was read are in it too early, and come once more: never too late.
	return u, nil
}

func (s *Service) rows(ctx context.Context, r Row, after int64) (truth class.Truth, students []class.Student,
	entries []class.Entry, err error) {
	truth = class.Truth{}
	if err = json.Unmarshal([]byte(r.Truth), &truth); err != nil {
		return
	}
	if students, err = s.Table.Students(ctx, r.Code, after); err != nil {
		return
	}
	for i := range students {
		students[i] = named(r, students[i])
	}
	entries, err = s.Table.Entries(ctx, r.Code, 0, after)
	return
}

// Record is everything that is kept of a class.
func (s *Service) Record(ctx context.Context, r Row) (*class.Record, error) {
	a, err := s.assignment(ctx, r.Code)
	if err != nil {
		return nil, err
	}
	out := &class.Record{Kind: class.RecordKind, Version: 1, Engine: r.Engine, Assignment: a}
	if err := json.Unmarshal([]byte(r.Revs), &out.Revs); err != nil {
		return nil, err
	}
	out.Truth, out.Students, out.Entries, err = s.rows(ctx, r, 0)
	return out, err
}

// Pass gives a one-time code with which a student comes back.
func (s *Service) Pass(ctx context.Context, r Row, n int) (class.Pass, error) {
	if err := s.member(ctx, r, n); err != nil {
		return class.Pass{}, err
	}
	p := class.Pass{Code: newCode(), EndsMS: s.Now().Add(passLasts).UnixMilli()}
	return p, s.Table.AddPass(ctx, r.Code, n, digest(p.Code), p.EndsMS)
}

// member fails unless the class has a student n who is not removed.
func (s *Service) member(ctx context.Context, r Row, n int) error {
	all, err := s.Table.Students(ctx, r.Code, 0)
	if err == nil && !slices.ContainsFunc(all, func(st class.Student) bool { return st.N == n && !st.Removed }) {
		err = refuse(NoClass, "no-student", "there is no such student in this class")
	}
	return err
}

// Remove takes a student out of the class: what they handed in counts no more, and their token opens nothing.
func (s *Service) Remove(ctx context.Context, r Row, n int) error {
	if err := s.member(ctx, r, n); err != nil {
		return err
	}
	if err := s.log(ctx, r.Code, n, class.Removed); err != nil {
		return err
	}
	err := s.Table.RemoveStudent(ctx, r.Code, n)
	s.changed(r.Code)
	return err
}

// RemoveSince takes out all who joined at a time (Unix ms) or later, as when somebody has filled the class, and says
// how many. No line of the log names each.
func (s *Service) RemoveSince(ctx context.Context, r Row, sinceMS int64) (n int64, err error) {
	if n, err = s.Table.RemoveSince(ctx, r.Code, sinceMS); err == nil && n > 0 {
		var hash func(string) string
		if hash, err = s.networks.hash(ctx); err == nil {
			err = s.networks.count(ctx, hash(r.Code+" cleared"), Joinable)
		}
	}
	s.changed(r.Code)
	return n, err
}

// log notes what was done to a student.
func (s *Service) log(ctx context.Context, code string, n int, what string) error {
	for {
		r, err := s.Table.GetClass(ctx, code)
		if err != nil {
			return err
		}
		mine, err := s.Table.Entries(ctx, code, n, 0)
		if err != nil {
			return err
		}
		_, err = s.Table.AddEntry(ctx, code, len(mine), class.Entry{Student: n, Kind: class.Log,
			AtMS: after(s.Now(), mine), Phase: r.Phase, Body: class.Body{Text: what}})
		if !errors.Is(err, ErrNone) {
			return err
		}
		if err := s.member(ctx, r, n); err != nil {
			return err
		}
	}
}

// Drop deletes a class and everything in it.
func (s *Service) Drop(ctx context.Context, r Row) error {
	var lost error
	if k, err := r.kept(); err == nil && k.Run.Lives() && s.Runs != nil {
		lost = s.Runs.Leave(ctx, k.Run.Path(), k.Token)
	}
	err := errors.Join(s.Table.DropClass(ctx, r.Code), lost)
	s.mu.Lock()
	delete(s.assignments, r.Code)
	delete(s.tallies, r.Code)
	s.mu.Unlock()
	s.changed(r.Code)
	return err
}

// NewKey gives a class another key; the old one opens nothing any more.
func (s *Service) NewKey(ctx context.Context, typed string) (class.Created, error) {
	code, _ := Code(typed)
	c := class.Created{Code: code, Key: secret()}
	return c, s.Table.SetKey(ctx, code, digest(c.Key))
}

// Living finds the latest class on an assignment that has found what is right as this program does: one that is led and
// can still be joined, or a homework whose feedback is still to come.
func (s *Service) Living(ctx context.Context, content string, homework bool) (Row, error) {
	all, err := s.Table.Classes(ctx)
	if err != nil {
		return Row{}, err
	}
	since := s.Aged().Add(-Joinable).UnixMilli()
	i := slices.IndexFunc(all, func(r Row) bool {
		if r.Content != content || r.Homework() != homework || r.CreatedMS <= since && !homework ||
			r.Phase == class.Closed {
			return false
		}
		a, err := s.assignment(ctx, r.Code)
		return err == nil && !s.old(a, &r)
	})
	if i < 0 {
		return Row{}, ErrNone
	}
	return all[i], nil
}

// Judge writes the verdict that somebody else found on a submission, where the server does not verify by itself.
func (s *Service) Judge(ctx context.Context, r Row, seq int64, verdict string, lanes []class.Lane) error {
	switch {
	case s.Verify != nil:
		return refuse(Conflict, "verified-here", "this server verifies submissions by itself")
	case !slices.Contains([]string{class.Verified, class.Differs, class.Other}, verdict):
		return refuse(Bad, "bad-verdict", "a verdict is verified, differs or other version")
	}
	a, err := s.assignment(ctx, r.Code)
	if err != nil {
		return err
	}
	if err := checkLanes(a, lanes); err != nil {
		return err
	}
	all, err := s.Table.Entries(ctx, r.Code, 0, seq-1)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(e class.Entry) bool { return e.Seq == seq && e.Verdict == class.Pending })
	if i < 0 {
		return refuse(NoClass, "no-submission", "no submission with this seq waits for a verdict")
	}
	return s.Verdict(ctx, Due{r.Code, all[i]}, verdict, lanes)
}

// Verdict writes what a submission turned out to be, with the lanes that this engine made of it.
func (s *Service) Verdict(ctx context.Context, d Due, verdict string, lanes []class.Lane, races ...[]class.Lane) error {
	body := d.Entry.Body
	if len(lanes) > 0 && verdict != class.Other {
		body.Lanes, body.Races = lanes, races
	}
	err := s.Table.SetVerdict(ctx, d.Code, d.Entry.Seq, verdict, body)
	s.changed(d.Code)
	return err
}

// Submitted are the scenarios of a submission: the assignment's, changed, and in a race those after it.
func (s *Service) Submitted(ctx context.Context, d Due) ([]*scenario.Document, error) {
	a, err := s.assignment(ctx, d.Code)
	if err != nil {
		return nil, err
	}
	docs := a.Submitted(&d.Entry.Body)
	if docs == nil {
		return nil, errors.New("class: the changes of a submission do not apply to its assignment")
	}
	return docs, nil
}
