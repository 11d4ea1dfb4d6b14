package class

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"hadarlab/core/class"
)

// Errors of a Table.
var (
	ErrNone = errors.New("class: there is no such row") // or a condition does not hold
	ErrFull = errors.New("class: no room for another")
)

// Row is a class as it is kept, without its assignment. Secrets are there as their hashes.
type Row struct {
	Code      string
	Seq       int64 // of the latest change of the class or of anything in it
	RowSeq    int64 // of the class's row
	Key       string
	Assistant string // the hash of the assistants' key, "" = there is none
	Seed      int64  // of the students' names
	Engine    string
	Revs      string // JSON: of the lanes' policies when it began, [] = 1 each
	Content   string // the assignment's ContentID
	Title     string
	Truth     string // JSON
	Phase     class.Phase
	SinceMS   int64
	EndsMS    int64
	ToldMS    int64 // 0 = what is right is not told yet
	Locked    bool
	Listed    bool // there is a list of tags
	LabLocked bool
	Revealed  string // JSON
	Wall      string // JSON of a kept: a class.Wall, and the larger run
	CreatedMS int64
	class.Hours
}

// wall is what stands on the walls.
func (r *Row) wall() (*class.Wall, error) {
	k, err := r.kept()
	return &k.Wall, err
}

// Due is a submission that has no verdict yet.
type Due struct {
	Code  string
	Entry class.Entry
}

// dueID begins the ids of what is due. No id of work begins so.
const dueID = "due "

// ID is how a message names it.
func (d Due) ID() string { return dueID + d.Code + " " + strconv.FormatInt(d.Entry.Seq, 10) }

// IsDue tells whether a message names a Due.
func IsDue(id string) bool { return strings.HasPrefix(id, dueID) }

// Table keeps classes. Every method is one or a few conditional statements, each of which may be repeated or come
// between those of others, and needs no transaction.
type Table interface {
	// AddClass keeps a class that begins, unless its code is taken (ErrNone), or as many as most have begun since
	// (ErrFull).
	AddClass(ctx context.Context, r Row, assignment string, most int, sinceMS int64) error
	GetClass(ctx context.Context, code string) (Row, error)
	Assignment(ctx context.Context, code string) (string, error)
	// SetClass writes phase, times, locks, what is revealed and the wall, unless the class has changed since r was read
	// (ErrNone).
	SetClass(ctx context.Context, r Row) error
	SetKey(ctx context.Context, code, key string) error
	SetAssistant(ctx context.Context, code, key string) error
	// SetTags writes which tags alone may join, none = whoever comes; Tags lists them.
	SetTags(ctx context.Context, code string, tags []string) error
	Tags(ctx context.Context, code string) ([]string, error)
	DropClass(ctx context.Context, code string) error
	// Classes lists all, the latest first.
	Classes(ctx context.Context) ([]Row, error)
	// ExpireClasses drops classes that began before one time, or began (a homework: closed) before another and have no
	// students, and what has lost its class or ends before now, or later than anything does: its clock was wrong.
	ExpireClasses(ctx context.Context, beforeMS, emptyMS, nowMS, latestMS int64) (gone int64, err error)

	// AddStudent adds one to a class that is neither locked nor closed and began since, or is a homework that closes
	// later than now, up to most who are not removed, and ten times as many with them; where the class has a list of
	// tags, with a tag of it that nobody has who is not removed. ErrNone if not. Nobody joined before who came earlier,
	// whatever the clock says.
	AddStudent(ctx context.Context, code, token, tag string, most int, sinceMS, nowMS int64) (n int, seq,
		joinedMS int64, err error)
	// FindStudent finds who has a token and is not removed, and gives the token's hash as it is kept.
	FindStudent(ctx context.Context, code, token string) (s class.Student, kept string, err error)
	SetToken(ctx context.Context, code string, n int, token string) (class.Student, error)
	// SetReady marks a student who is not removed once; it says whether that was new.
	SetReady(ctx context.Context, code string, n int) (fresh bool, err error)
	RemoveStudent(ctx context.Context, code string, n int) error
	// RemoveSince removes all who joined at a time or later.
	RemoveSince(ctx context.Context, code string, sinceMS int64) (removed int64, err error)
	// Students lists who changed after a seq. They have no names.
	Students(ctx context.Context, code string, after int64) ([]class.Student, error)

	// AddEntry adds the n-th entry of a student who is not removed to a class in the phase of the entry, and to a
	// homework while it is open at the entry's time. ErrNone if that is not so, or if there is an n-th already.
	AddEntry(ctx context.Context, code string, n int, e class.Entry) (seq int64, err error)
	// Entries lists those that changed after a seq, of one student or, with 0, of all.
	Entries(ctx context.Context, code string, student int, after int64) ([]class.Entry, error)
	// SetVerdict judges the submission with a seq and replaces its body, once.
	SetVerdict(ctx context.Context, code string, seq int64, verdict string, body class.Body) error
	// Pending lists every student's latest submission that has no verdict.
	Pending(ctx context.Context) ([]Due, error)
	Counts(ctx context.Context, code string) (class.Counts, error)

	// AddPass keeps a one-time code in place of the student's earlier one; TakePass uses it up. ErrNone if there is
	// none that lasts longer than now.
	AddPass(ctx context.Context, code string, n int, pass string, endsMS int64) error
	TakePass(ctx context.Context, code, pass string, nowMS int64) (n int, err error)

	// Salt is the key of hashes of prefixes: fresh, which lasts until endsMS, unless one is kept that lasts longer than
	// now and no longer than that.
	Salt(ctx context.Context, fresh string, nowMS, endsMS int64) (string, error)
	// Guesses tells how many wrong codes came from who, or what else is counted by a hash, and until when that counts,
	// and whether known is remembered. What counts beyond latestMS, as none does, is of a clock that was ahead.
	Guesses(ctx context.Context, who, known string, nowMS, latestMS int64) (failed int, endsMS int64, knows bool,
		err error)
	// Failed counts a wrong code until endsMS, or with those before it; Know remembers known.
	Failed(ctx context.Context, who string, nowMS, endsMS int64) error
	Know(ctx context.Context, known string, endsMS int64) error
}
