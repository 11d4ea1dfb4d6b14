// Package class is the classes that a server holds: who may do what in which phase, secrets, and what changed for
// whom. It knows no HTTP and no SQL; what an answer means and what is right is core/class.
//
// Flow: Service.Teacher, Student or Open (who asks) → an act on a Row → Table; Hub tells the listeners.
package class

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"hadarlab/core/class"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// Bounds and times of classes.
const (
	MaxLiving  = 1000 // classes that began within Joinable
	MaxEntries = 200  // of a student
	Joinable   = 24 * time.Hour
	Kept       = 120 * 24 * time.Hour
	passLasts  = 5 * time.Minute
	// MaxBegun is how many classes may begin from one network within Joinable, so that nobody takes all the MaxLiving.
	MaxBegun = 100
	// JoinsAMinute is how many may join a class from one network in a minute: a lecture hall behind one address. Beside
	// that a network takes no more of a class's places than are left for others.
	JoinsAMinute = 300
	// maxGuesses is how many wrong codes of a network prefix are answered within guessing.
	maxGuesses = 10
	guessing   = time.Minute
	// shared is how long a State or the tallies may stand for later ones, where many ask at once.
	shared = 250 * time.Millisecond
)

// Service holds the classes of one server. Use New.
type Service struct {
	Table Table
	Hub   *Hub // nil where nothing outlives its request
	Now   func() time.Time
	// Aged is the time by which a class is too old to be joined, or kept: a clock that never jumps ahead. New sets Now.
	Aged     func() time.Time
	Engine   string
	Defaults scenario.Defaults
	// Verify is told of every submission that has to be run again. Nil where the board does that.
	Verify func(Due)
	// Runs works on larger runs. Nil where nobody does.
	Runs Runs
	// Joins are the origins at which students' devices reach the server; see class.Update.
	Joins []string
	// JoinsAMinute is how many may join a class from one network in a minute. New sets the usual.
	JoinsAMinute int
	// Home is the code of the class that the server was started for: everybody who reaches the server may look for it.
	Home string

	networks    *networks
	counting    sync.Mutex
	mu          sync.Mutex
	assignments map[string]*class.Assignment // by code
	tallies     map[string]*tallies
}

// New returns a service; live says whether listeners can be told of changes.
func New(table Table, engine string, def scenario.Defaults, now func() time.Time, live bool) *Service {
	s := &Service{Table: table, Now: now, Aged: now, Engine: engine, Defaults: def, JoinsAMinute: JoinsAMinute,
		assignments: map[string]*class.Assignment{}, tallies: map[string]*tallies{}}
	s.networks = &networks{table: table, now: func() time.Time { return s.Now() }}
	if live {
		s.Hub = newHub(func(code string) (class.State, error) {
			return s.Fresh(context.Background(), code)
		})
	}
	return s
}

// Reason says why something is refused.
type Reason int

// The reasons.
const (
	NoClass  Reason = iota // or no longer
	Slow                   // too many wrong codes
	Foreign                // the token is not the one
	Conflict               // not now, or not again
	Bad                    // what was sent
	Crowded                // no room for another
)

// Refusal is an error that its caller can do something about.
type Refusal struct {
	Reason Reason
	Code   string // of the finding, for programs
	Detail string
	Errors jsondoc.Diagnostics
	Wait   time.Duration // of Slow
}

func (r *Refusal) Error() string { return r.Detail }

func refuse(why Reason, code, detail string) error {
	return &Refusal{Reason: why, Code: code, Detail: detail}
}

var errNoClass = refuse(NoClass, "no-class", "there is no class with this code; look at the board for it")

// alphabet is that of codes: no i, l, o, u, which are misread aloud or on a slide.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

var crockford = base32.NewEncoding(alphabet).WithPadding(base32.NoPadding)

// CodeLength is how many letters and digits a class's code has, and a one-time code.
const CodeLength = 8

// Code is a code as it is kept, in small letters; how it was typed is forgiven as class.FoldCode says. False says that
// it can be none.
func Code(typed string) (string, bool) {
	code := strings.ToLower(class.FoldCode(typed))
	return code, len(code) == CodeLength && strings.Trim(code, alphabet) == ""
}

func newCode() string {
	b := make([]byte, 5)
	_, _ = rand.Read(b) // never fails
	return crockford.EncodeToString(b)
}

// secret is 128 bits that nobody can guess, and digest what is kept of one.
func secret() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b)
	return crockford.EncodeToString(b)
}

func digest(secret string) string {
	h := sha256.Sum256([]byte("hadarlab class\n" + secret))
	return hex.EncodeToString(h[:])
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// Asker is who asks: the bearer token, and the network that the request came from.
type Asker struct{ Token, Prefix string }

// Open gives the class with a code to anybody who knows it. Who names wrong codes has to wait, unless the class has
// been opened from the same network before: so those who guess keep nobody from joining.
func (s *Service) Open(ctx context.Context, typed string, who Asker) (Row, error) {
	r, err := s.find(ctx, typed)
	return r, s.guard(ctx, r, err, who)
}

func (s *Service) find(ctx context.Context, typed string) (Row, error) {
	code, ok := Code(typed)
	if !ok {
		return Row{}, ErrNone
	}
	return s.Table.GetClass(ctx, code)
}

// Teacher gives the class to who has its key.
func (s *Service) Teacher(ctx context.Context, typed string, who Asker) (Row, error) {
	r, err := s.find(ctx, typed)
	if err == nil && who.Token != "" && same(r.Key, digest(who.Token)) {
		return r, nil
	}
	if err == nil && assists(r, who) {
		return r, errAssists
	}
	if err := s.guard(ctx, r, err, who); err != nil {
		return r, err
	}
	return r, refuse(Foreign, "no-key", "this takes the class's key")
}

// Student gives the class and the student to who has the student's token.
func (s *Service) Student(ctx context.Context, typed string, who Asker) (Row, class.Student, error) {
	r, err := s.find(ctx, typed)
	if err == nil && who.Token != "" {
		student, kept, err := s.Table.FindStudent(ctx, r.Code, digest(who.Token))
		if err == nil && same(kept, digest(who.Token)) {
			return r, named(r, student), nil
		}
		if err != nil && !errors.Is(err, ErrNone) {
			return r, class.Student{}, err
		}
	}
	if err := s.guard(ctx, r, err, who); err != nil {
		return r, class.Student{}, err
	}
	return r, class.Student{}, refuse(Foreign, "no-token",
		"this takes the token of a student of the class; who was removed, or came back on another device, has none here")
}

// named gives a student the name that was not stored.
func named(r Row, st class.Student) class.Student {
	st.Name = class.Name(uint64(r.Seed), st.N)
	return st
}

// guard is asked for every request without a token that fits: found is the error of looking for the class.
func (s *Service) guard(ctx context.Context, r Row, found error, who Asker) error {
	if found != nil && !errors.Is(found, ErrNone) {
		return found
	}
	if found == nil && r.Code == s.Home {
		return nil
	}
	now := s.Now()
	prefix, known, err := s.networks.hashed(ctx, who.Prefix, r.Code)
	if err != nil {
		return err
	}
	failed, ends, knows, err := s.Table.Guesses(ctx, prefix, known, now.UnixMilli(), now.Add(guessing).UnixMilli())
	switch {
	case err != nil:
		return err
	case found == nil && knows:
		return nil
	case failed >= maxGuesses:
		return &Refusal{Reason: Slow, Code: "too-many-codes", Detail: "too many wrong codes came from this network",
			Wait: time.UnixMilli(ends).Sub(now)}
	case found == nil:
		return s.Table.Know(ctx, known, now.Add(Joinable).UnixMilli())
	}
	if err := s.Table.Failed(ctx, prefix, now.UnixMilli(), now.Add(guessing).UnixMilli()); err != nil {
		return err
	}
	return errNoClass
}

// assignment is the class's, which never changes.
func (s *Service) assignment(ctx context.Context, code string) (*class.Assignment, error) {
	s.mu.Lock()
	a := s.assignments[code]
	s.mu.Unlock()
	if a != nil {
		return a, nil
	}
	doc, err := s.Table.Assignment(ctx, code)
	if err != nil {
		return nil, err
	}
	a, diags := class.Parse([]byte(doc))
	if a == nil {
		return nil, errors.New("class: the assignment of " + code + " cannot be read: " + diags[0].Message.String())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.assignments) >= 64 {
		clear(s.assignments)
	}
	s.assignments[code] = a
	return a, nil
}

// Fresh is what everybody may know of a class, as it is now.
func (s *Service) Fresh(ctx context.Context, code string) (class.State, error) {
	r, err := s.Table.GetClass(ctx, code)
	if err != nil {
		return class.State{}, err
	}
	return s.State(ctx, r)
}

// State is what everybody may know of a class that has just been read.
func (s *Service) State(ctx context.Context, r Row) (class.State, error) {
	counts, err := s.Table.Counts(ctx, r.Code)
	st := class.State{Code: r.Code, Title: r.Title, Engine: r.Engine, Phase: r.Phase, SinceMS: r.SinceMS,
		EndsMS: r.EndsMS, NowMS: s.Now().UnixMilli(), ToldMS: r.ToldMS, Hours: r.Hours, Locked: r.Locked,
		Listed: r.Listed, LabLocked: r.LabLocked, Revealed: []string{}, Counts: counts, Seq: r.Seq}
	if err == nil {
		err = json.Unmarshal([]byte(r.Revealed), &st.Revealed)
	}
	if err == nil {
		err = json.Unmarshal([]byte(r.Revs), &st.Revs)
	}
	if err == nil {
		var wall *class.Wall
		if wall, err = r.wall(); err == nil {
			st.Wall = *wall
		}
	}
	if err == nil && st.Tells() {
		st.LargerRun, err = LargerRuns{s}.stands(ctx, r)
	}
	if a, unread := s.assignment(ctx, r.Code); unread == nil {
		st.Old = s.old(a, &r)
	}
	if s.Hub == nil {
		st.PollMS = min(6000, 2000+13*counts.Joined)
	}
	return st, err
}

// old tells whether what a class found to be right may come out otherwise today.
func (s *Service) old(a *class.Assignment, r *Row) bool {
	var revs []int
	if json.Unmarshal([]byte(r.Revs), &revs) != nil {
		return true
	}
	return a.Old(r.Engine, revs, s.Engine, s.Defaults)
}

// changed tells the listeners of a class.
func (s *Service) changed(code string) {
	if s.Hub != nil {
		s.Hub.changed(code)
	}
}

// Expire drops what has been kept long enough.
func (s *Service) Expire(ctx context.Context) (gone int64, err error) {
	aged, now := s.Aged(), s.Now()
	return s.Table.ExpireClasses(ctx, aged.Add(-Kept).UnixMilli(), aged.Add(-Joinable).UnixMilli(), now.UnixMilli(),
		now.Add(Joinable).UnixMilli())
}
